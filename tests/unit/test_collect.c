/* Operand collectors that a scheduler's instructions share: who waits where, and who goes on when. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- stations, one by one: two schedulers, each with a latch, two collectors and one place behind them */

static const ws_core_params core = {.collectors = 2,
                                    .memory_queue = 8,
                                    .memory_ports = 2,
                                    .pipeline_cycles = 6,
                                    .int_units = 2,
                                    .fp_units = 2,
                                    .int_interval = 1,
                                    .fp_interval = 1};
static const ws_sm_params sm_params = {.schedulers = 2};
static ws_engine engine = {
    .core = &core, .sm_params = &sm_params, .now = 100, .units = {[WS_UNIT_INT] = 2, [WS_UNIT_FP] = 2}};

enum { RING = 16 };

static void issue_memory(ws_sm *s, uint8_t scheduler) {
    ws_memory_inst *m = &s->memory[(s->memory_first + s->memory_count++) % RING];
    *m = (ws_memory_inst){.scheduler = scheduler};
    ws_collect_memory(&engine, s, m);
}

/* The unit begins with the first, after it has ended with the one before. */
static void begin(ws_sm *s) {
    ws_memory_inst *m = &s->memory[s->memory_first];
    if (m->station == WS_STATION_UNIT) {
        s->memory_first = (s->memory_first + 1) % RING;
        s->memory_count--;
        m = &s->memory[s->memory_first];
    }
    assert_int_equal(m->station, WS_STATION_BEHIND);
    ws_collect_begun(&engine, s, m);
}

/* Stations of those in the queue, a letter each. */
static const char *stations(const ws_sm *s) {
    static char text[RING + 1];
    for (uint32_t i = 0; i < s->memory_count; i++)
        text[i] = "ulcb"[s->memory[(s->memory_first + i) % RING].station];
    text[s->memory_count] = 0;
    return text;
}

static unsigned events_at(const ws_sm *s, uint64_t cycle) {
    unsigned count = 0;
    for (uint32_t at = s->wheel[cycle % WS_WHEEL]; at; at = s->events[at - 1].next) count++;
    return count;
}

static void memory_fills_collectors(void **state) {
    (void)state;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = calloc(1, sizeof *s);
    ws_units_init(&engine);
    s->memory = ring;
    s->memory_room = RING;

    for (int i = 0; i < 3; i++) issue_memory(s, 0);
    assert_string_equal(stations(s), "bcc");
    assert_true(ws_collect_takes(s, WS_UNIT_MEMORY, 0));
    assert_true(ws_collect_waits(&engine, s, WS_UNIT_FP, 0)); /* no collector for it */
    assert_false(ws_collect_waits(&engine, s, WS_UNIT_FP, 1));
    issue_memory(s, 0);
    assert_string_equal(stations(s), "bccl");
    assert_false(ws_collect_takes(s, WS_UNIT_MEMORY, 0));
    assert_true(ws_collect_takes(s, WS_UNIT_MEMORY, 1));
    issue_memory(s, 1); /* has collectors, but an older one waits for its own */
    assert_string_equal(stations(s), "bccll");

    ws_collect_latch(s, WS_UNIT_FP, &(ws_latched){.how = {.latency = 4, .unit_cycles = 1}, .awaited = true});
    assert_false(ws_collect_takes(s, WS_UNIT_FP, 0));
    assert_true(ws_collect_takes(s, WS_UNIT_INT, 0));
    assert_true(ws_collect_waits(&engine, s, WS_UNIT_FP, 1)); /* behind an older one of its kind */
    assert_false(ws_collect_waits(&engine, s, WS_UNIT_INT, 1));
    ws_collect_latch(s, WS_UNIT_FP,
                     &(ws_latched){.how = {.latency = 9, .unit_cycles = 1}, .scheduler = 1, .awaited = true});

    begin(s); /* one goes behind, which frees a collector: first for arithmetic, then for memory */
    assert_string_equal(stations(s), "ubccb");
    assert_int_equal(events_at(s, 100 + 4 + 6), 1);
    assert_int_equal(events_at(s, 100 + 9 + 6), 1);
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++)
        for (unsigned k = 0; k < 2; k++) assert_true(ws_collect_takes(s, u, k));
    assert_true(ws_collect_waits(&engine, s, WS_UNIT_FP, 0)); /* memory holds both again */

    begin(s);
    assert_string_equal(stations(s), "ubcb");
    assert_false(ws_collect_waits(&engine, s, WS_UNIT_FP, 0));
    begin(s);
    assert_string_equal(stations(s), "ubb");
    begin(s);
    begin(s);
    assert_string_equal(stations(s), "u");
    free(s->events);
    free(s);
}

/* ---- in a whole GPU */

#define SUB_CORES                                                                                            \
    "l1.access=sector,l1.index=linear,l1.write=through_lazy,l1.banks=4,sm.scheduler=lrr,sm.schedulers=4,"    \
    "core.memory_ports=4,core.memory_queue=16"

static void they_change_only_time(void **state) {
    (void)state;
    unsigned later = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            ws_timed_counters none = mechanism_run(trace, k, SUB_CORES).counters,
                              two = mechanism_run(trace, k, SUB_CORES ",core.collectors=2").counters,
                              again = mechanism_run(trace, k, SUB_CORES ",core.collectors=2").counters;
            assert_memory_equal(&two, &again, sizeof two);
            assert_int_equal(two.warp_instructions, none.warp_instructions);
            assert_int_equal(two.l1_accesses, none.l1_accesses);
            assert_int_equal(two.l1_bypasses, none.l1_bypasses);
            later += two.cycles > none.cycles;
        }
        ws_trace_close(trace);
    }
    assert_true(later > 0);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    const char *text = mechanism_refusal(trace, "sm.schedulers=2,core.collectors=2");
    assert_non_null(strstr(text, "core.collectors: expects a memory port for each scheduler"));
    text = mechanism_refusal(trace, SUB_CORES ",core.collectors=3");
    assert_non_null(strstr(text, "core.memory_queue: expected at least"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_fills_collectors),
        cmocka_unit_test(they_change_only_time),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
