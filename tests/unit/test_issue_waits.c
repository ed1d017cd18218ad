/* What makes a warp wait before it issues, told by the cycles in which instructions issue: the zero register, loads
 * without active lanes, warps that have ended in front of a barrier, and units that are taken. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ONE_SM "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,core.fetch_insts=16,core.shared_latency=30,"

enum { WARPS = 2, INSTS = 16 };
#define ALL UINT32_MAX

/* The cycle in which each instruction of each warp issues. */
typedef struct issues {
    uint64_t cycle[WARPS][INSTS];
    uint32_t count[WARPS];
} issues;

static void hear_issue(void *self, const ws_timed_issue *issue) {
    issues *h = self;
    h->cycle[issue->warp][h->count[issue->warp]++] = issue->cycle;
}

static issues run(const ws_trace *trace, const char *settings) {
    issues heard = {.count = {0}};
    mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = &heard, .issue = hear_issue});
    return heard;
}

static issues run_code(const generate_inst *first, const generate_inst *second, const char *settings) {
    ws_trace *trace = generate_code("sm_80", (const generate_inst *const[]){first, second, NULL});
    issues heard = run(trace, settings);
    ws_trace_close(trace);
    return heard;
}

/* A load into the zero register and an addition that reads it, which waits only with core.zero_register. */
static void the_zero_register_is_waited_for_if_asked(void **state) {
    (void)state;
    static const generate_inst zero[] =
        {{.pc = 0, .mask = ALL, .kind = 'h', .dst = WS_REGISTER_ZERO},
         {.pc = 16, .mask = ALL, .kind = 'i', .dst = 1, .a = WS_REGISTER_ZERO},
         {.kind = 0}},
                               plain[] = {{.pc = 0, .mask = ALL, .kind = 'h', .dst = 2},
                                          {.pc = 16, .mask = ALL, .kind = 'i', .dst = 1, .a = 2},
                                          {.kind = 0}};
    issues without = run_code(zero, NULL, ONE_SM "core.zero_register=false"),
           with = run_code(zero, NULL, ONE_SM "core.zero_register=true"),
           other = run_code(plain, NULL, ONE_SM "core.zero_register=false");
    assert_int_equal(without.cycle[0][1] - without.cycle[0][0], 1);
    assert_int_equal(with.cycle[0][1] - with.cycle[0][0], other.cycle[0][1] - other.cycle[0][0]);
    assert_true(other.cycle[0][1] - other.cycle[0][0] > 30);
}

/* A load from shared memory without active lanes takes as long as one with them; from global memory it takes no
 * time. */
static void shared_memory_is_passed_without_lanes(void **state) {
    (void)state;
    static const char kinds[] = "hl";
    uint64_t waits[2][2];
    for (int k = 0; k < 2; k++)
        for (int active = 0; active < 2; active++) {
            const generate_inst code[] = {
                {.pc = 0, .mask = active ? UINT32_MAX : 0, .kind = kinds[k], .dst = 1},
                {.pc = 16, .mask = UINT32_MAX, .kind = 'i', .dst = 2, .a = 1},
                {.kind = 0}};
            issues h =
                run_code(code, NULL, ONE_SM "core.collectors=2,core.memory_ports=2,core.memory_queue=8");
            waits[k][active] = h.cycle[0][1] - h.cycle[0][0];
        }
    assert_int_equal(waits[0][0], waits[0][1]);
    assert_true(waits[0][0] > 30);
    assert_true(waits[1][0] < 20 && waits[1][1] > 100);
}

/* A barrier does not wait for a warp that has issued its last instruction, even while its store is under way. */
static void a_barrier_does_not_wait_for_stores_of_ended_warps(void **state) {
    (void)state;
    static const generate_inst stores[] = {{.pc = 64, .mask = ALL, .kind = 's', .line = 3},
                                           {.pc = 80, .mask = ALL, .kind = 'x'},
                                           {.kind = 0}},
                               ends[] = {{.pc = 64, .mask = ALL, .kind = 'i', .dst = 7},
                                         {.pc = 80, .mask = ALL, .kind = 'x'},
                                         {.kind = 0}},
                               waits[] = {{.pc = 0, .mask = ALL, .kind = 'b'},
                                          {.pc = 16, .mask = ALL, .kind = 'i', .dst = 1},
                                          {.pc = 32, .mask = ALL, .kind = 'x'},
                                          {.kind = 0}};
    issues slow = run_code(waits, stores, ONE_SM "l2.latency=900"),
           fast = run_code(waits, ends, ONE_SM "l2.latency=900");
    assert_true(slow.cycle[0][1] >= slow.cycle[1][1]); /* it waits for the end .. */
    assert_int_equal(slow.cycle[0][1], fast.cycle[0][1]);
    assert_true(slow.cycle[0][1] < 100); /* .. and no longer */
}

/* Cycles between five of nine independent instructions that one unit executes: from the fifth on, when those that can
 * wait in front of the unit do.  */
static uint64_t cycles_of_eight(const char *opcode, const char *settings) {
    generate_plan plan = {.warp_size = 32, .ctas = 1, .warps_per_cta = 1, .insts = 9, .opcode = opcode};
    plan.instruction = (ws_static){.class_ = WS_CLASS_FP};
    ws_trace *trace = generate_planned(&plan);
    issues h = run(trace, settings);
    ws_trace_close(trace);
    return h.cycle[0][8] - h.cycle[0][4];
}

/* With a unit that takes an instruction every 8 cycles, of which one may wait: packed half precision has an interval of
 * its own, and conversions that pack are integer instructions if conversions are. */
static void some_floating_point_has_another_pace(void **state) {
    (void)state;
#define PACE                                                                                                 \
    ONE_SM "core.fp_units=1,core.fp_interval=8,core.unit_queue=1,core.int_units=1,core.int_interval=2"
    static const char *const halves[] = {"HADD2.F32", "HFMA2.MMA", "HMUL2_32I", "HSET2.BF", "HSETP2.LT"};
    uint64_t full = cycles_of_eight("FADD", PACE),
             at_four = cycles_of_eight("FADD", PACE ",core.fp_interval=4");
    assert_int_equal(full, 4 * 8);
    assert_int_equal(at_four, 4 * 4);
    for (size_t i = 0; i < WS_COUNT(halves); i++) {
        assert_int_equal(cycles_of_eight(halves[i], PACE), full);
        assert_int_equal(cycles_of_eight(halves[i], PACE ",core.half_interval=4"), 4 * 4);
    }
    assert_int_equal(cycles_of_eight("HMUL2", PACE ",core.half_interval=4"), full);
    assert_int_equal(cycles_of_eight("F2FP.PACK_AB", PACE), full);
    assert_int_equal(cycles_of_eight("F2FP.PACK_AB", PACE ",core.conversions=int"), 4 * 2);
    assert_int_equal(cycles_of_eight("FADD", PACE ",core.conversions=int"), full);
}

static void hear_end(void *self, const ws_timed_warp_life *life) {
    *(uint64_t *)self = life->end;
}

/* With operand collectors a warp ends when all its instructions have been executed, also those without a result, which
 * its last one may have overtaken. */
static void a_warp_ends_after_all_its_instructions(void **state) {
    (void)state;
    static const generate_inst code[] = {
        {.pc = 0, .mask = ALL, .kind = 'u'}, {.pc = 16, .mask = ALL, .kind = 'x'}, {.kind = 0}};
    static const int latencies[] = {4, 60, 200};
    uint64_t ends[WS_COUNT(latencies)];
    for (size_t i = 0; i < WS_COUNT(latencies); i++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 ONE_SM "core.collectors=2,core.memory_ports=2,core.memory_queue=8,core.sfu_latency=%d",
                 latencies[i]);
        ws_trace *trace = generate_code("sm_80", (const generate_inst *const[]){code, NULL});
        mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = &ends[i], .warp_end = hear_end});
        ws_trace_close(trace);
    }
    assert_int_equal(ends[2] - ends[1], latencies[2] - latencies[1]);
    assert_true(ends[1] > 60 && ends[0] < 60);
}

typedef struct lives {
    uint64_t load_says[4], starts[4]; /* per warp: when it started, as its load and its end tell */
} lives;

static void hear_load(void *self, const ws_timed_load *load) {
    ((lives *)self)->load_says[load->warp] = load->warp_start;
}
static void hear_life(void *self, const ws_timed_warp_life *life) {
    ((lives *)self)->starts[life->warp] = life->start;
}

/* The end of a load tells when its warp started, counted as everything from the launch's beginning. */
static void loads_tell_when_their_warp_started(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 4, 1, generate_one_line);
    ws_trace *trace = generate_planned(&plan);
    lives heard = {.starts = {0}};
    mechanism_listen(trace, 1, "gpu.clusters=1,core.launch_cycles=70",
                     &(ws_timed_taps){.self = &heard, .load_end = hear_load, .warp_end = hear_life});
    for (int warp = 0; warp < 4; warp++) {
        assert_true(heard.starts[warp] >= 70);
        assert_int_equal(heard.load_says[warp], heard.starts[warp]);
    }
    ws_trace_close(trace);
}

/* The loads of one launch, in the order in which they end. */
typedef struct ended {
    ws_timed_load loads[20000];
    uint64_t count, accesses;
} ended;

static bool is_of(const ws_timed_access *a, const ws_timed_load *load) {
    return a->sm == load->sm && a->cta == load->cta && a->warp == load->warp && a->issued == load->issued;
}

static void hear_access(void *self, const ws_timed_access *access) {
    ended *e = self;
    for (uint64_t i = 0; i < e->count; i++) assert_false(is_of(access, &e->loads[i]));
    if (access->op == WS_MEMORY_STORE) assert_int_equal(access->issued, UINT64_MAX);
    if (access->op == WS_MEMORY_LOAD) assert_true(access->issued < access->cycle);
    e->accesses += access->op == WS_MEMORY_LOAD;
}
static void hear_ended(void *self, const ws_timed_load *load) {
    ended *e = self;
    assert_true(e->count < WS_COUNT(e->loads));
    e->loads[e->count++] = *load;
}

/* Each access names its load, all of which are told before the load's end: also a hit that ends it. */
static void accesses_come_before_the_end_of_their_load(void **state) {
    (void)state;
    static const char *const settings[] = {
        "core.launch_cycles=70", "l1.access=sector,l1.size_B=65536,l1.ways=16",
        "l1.access=sector,l1.banks=4,core.collectors=2,core.memory_ports=2,core.memory_queue=8"};
    ws_error err = WS_NO_ERROR;
    ended *e = calloc(1, sizeof *e);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        ws_timed *timed = mechanism_gpu(trace, settings[seed % WS_COUNT(settings)]);
        ws_timed_tap(timed, &(ws_timed_taps){.self = e, .access = hear_access, .load_end = hear_ended});
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            e->count = 0;
            assert_true(ws_timed_run(timed, k, NULL, &err));
        }
        ws_timed_free(timed);
        ws_trace_close(trace);
    }
    assert_true(e->accesses > 1000);
    free(e);
}

/* A load comes to its unit core.pipeline_cycles after its issue, but not in that cycle. */
static void the_pipeline_leads_to_the_load_store_unit(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    ws_trace *trace = generate_planned(&plan);
    uint64_t first = 0;
    for (uint64_t cycles = 1; cycles <= 6; cycles++) {
        char settings[100];
        snprintf(settings, sizeof settings, "gpu.clusters=1,dram.clock_ratio=1,core.pipeline_cycles=%d",
                 (int)cycles);
        uint64_t found = mechanism_run(trace, 1, settings).counters.cycles;
        if (cycles == 1) first = found;
        assert_int_equal(found, first + (cycles > 2 ? cycles - 2 : 0));
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_zero_register_is_waited_for_if_asked),
        cmocka_unit_test(shared_memory_is_passed_without_lanes),
        cmocka_unit_test(a_barrier_does_not_wait_for_stores_of_ended_warps),
        cmocka_unit_test(some_floating_point_has_another_pace),
        cmocka_unit_test(a_warp_ends_after_all_its_instructions),
        cmocka_unit_test(loads_tell_when_their_warp_started),
        cmocka_unit_test(accesses_come_before_the_end_of_their_load),
        cmocka_unit_test(the_pipeline_leads_to_the_load_store_unit),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
