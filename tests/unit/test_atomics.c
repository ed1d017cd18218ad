/* Atomics in the timed engine: into how many accesses they are split, and whether their warp waits for them. */
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1"

static ws_timed_counters run(const ws_trace *trace, const char *settings) {
    return mechanism_run(trace, 1, settings).counters;
}

static uint32_t lanes_per_word;
static uint64_t shared_words(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return UINT64_C(0x10000) + 4 * (uint64_t)(lane / lanes_per_word);
}

/* Lanes of a warp that address the same word become separate accesses, one for each lane; lanes at different words
 * of a line share an access (of a sector, with core.atomic_sectors). */
static void at_one_word_they_are_split(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 3, shared_words);
    for (plan.instruction.op = WS_MEMORY_ATOMIC; plan.instruction.op <= WS_MEMORY_REDUCTION;
         plan.instruction.op++)
        for (lanes_per_word = 1; lanes_per_word <= 32; lanes_per_word *= 2) {
            ws_trace *trace = generate_planned(&plan);
            uint32_t words = 32 / lanes_per_word, sectors = (words + 7) / 8;
            for (int cut = 0; cut < 2; cut++) {
                ws_timed_counters c = run(trace, cut ? SMALL ",core.atomic_sectors=true" : SMALL);
                assert_int_equal(c.l1_bypasses, 3 * lanes_per_word * (cut ? sectors : 1));
                assert_int_equal(c.l2_accesses, 3 * lanes_per_word * sectors);
                assert_int_equal(c.noc_packets_to_memory, c.l1_bypasses);
                assert_int_equal(c.noc_reads, 0); /* atomics carry data, so none is a read packet */
            }
            ws_trace_close(trace);
        }
}

/* No instruction needs the result of these reductions: one follows another within a few cycles, unless
 * core.atomics_wait makes each take a round trip to the L2. */
static void they_are_waited_for_if_asked(void **state) {
    (void)state;
    uint64_t without[3], waiting[3], longer[3];
    for (uint32_t i = 0; i < 3; i++) {
        generate_plan plan = generate_loads(1, 1, i + 4, generate_one_line);
        plan.instruction.op = WS_MEMORY_REDUCTION;
        ws_trace *trace = generate_planned(&plan);
        without[i] = run(trace, SMALL ",l2.latency=120").cycles;
        waiting[i] = run(trace, SMALL ",l2.latency=120,core.atomics_wait=true").cycles;
        longer[i] = run(trace, SMALL ",l2.latency=160,core.atomics_wait=true").cycles;
        ws_trace_close(trace);
    }
    assert_in_range(without[2] - without[1], 1, 8);
    uint64_t round_trip = waiting[2] - waiting[1];
    assert_true(round_trip > 120);
    assert_int_equal(waiting[1] - waiting[0], round_trip);
    assert_int_equal(longer[2] - longer[1], round_trip + 40);
}

/* The same in shared memory, where an atomic takes core.shared_latency cycles and no instruction needs its result. */
static void in_shared_memory_too(void **state) {
    (void)state;
    static const char *const collectors[] = {"", ",sm.schedulers=1,core.collectors=2,core.memory_queue=8"};
    for (int c = 0; c < 2; c++) {
        uint64_t without[2], waiting[2], longer[2];
        for (uint32_t i = 0; i < 2; i++) {
            generate_plan plan = generate_loads(1, 1, i + 4, generate_one_line);
            plan.instruction.op = WS_MEMORY_ATOMIC;
            plan.instruction.space = WS_SPACE_SHARED;
            ws_trace *trace = generate_planned(&plan);
            char settings[3][300];
            snprintf(settings[0], sizeof settings[0], SMALL "%s,core.shared_latency=30", collectors[c]);
            snprintf(settings[1], sizeof settings[1],
                     SMALL "%s,core.shared_latency=30,core.atomics_wait=true", collectors[c]);
            snprintf(settings[2], sizeof settings[2],
                     SMALL "%s,core.shared_latency=50,core.atomics_wait=true", collectors[c]);
            without[i] = run(trace, settings[0]).cycles;
            waiting[i] = run(trace, settings[1]).cycles;
            longer[i] = run(trace, settings[2]).cycles;
            ws_trace_close(trace);
        }
        assert_in_range(without[1] - without[0], 1, 8);
        assert_in_range(waiting[1] - waiting[0], 31, 40);
        assert_int_equal(longer[1] - longer[0], waiting[1] - waiting[0] + 20);
    }
}

/* One without active lanes passes shared memory, but nothing waits for it. */
static void without_lanes_nothing_waits(void **state) {
    (void)state;
    static const char *const collectors[] = {"", ",sm.schedulers=1,core.collectors=2,core.memory_queue=8"};
    generate_inst code[5] = {{0}};
    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < 4; i++)
            code[i] = (generate_inst){.pc = 16 * i, .mask = k % 2 ? UINT32_MAX : 0, .kind = 'e'};
        ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
        char settings[200];
        snprintf(settings, sizeof settings, SMALL "%s", collectors[k / 2]);
        uint64_t without = run(trace, settings).cycles;
        strcat(settings, ",core.atomics_wait=true");
        uint64_t waiting = run(trace, settings).cycles;
        assert_int_equal(waiting > without, k % 2);
        ws_trace_close(trace);
    }
}

/* Values of an atomic have their turn at the registers whether or not there is a result to be written. */
static void atomics_take_as_long_without_result(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.instruction.op = WS_MEMORY_ATOMIC;
    ws_trace *without = generate_planned(&plan);
    plan.instruction.dst_count = 1;
    plan.instruction.dst[0] = 7;
    ws_trace *with = generate_planned(&plan);
    const char *collectors = SMALL ",sm.schedulers=1,core.collectors=2,core.memory_queue=8";
    assert_int_equal(run(with, SMALL).cycles, run(without, SMALL).cycles);
    assert_int_equal(run(with, collectors).cycles, run(without, collectors).cycles);
    ws_trace_close(without);
    ws_trace_close(with);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_one_word_they_are_split),
        cmocka_unit_test(they_are_waited_for_if_asked),
        cmocka_unit_test(in_shared_memory_too),
        cmocka_unit_test(without_lanes_nothing_waits),
        cmocka_unit_test(atomics_take_as_long_without_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
