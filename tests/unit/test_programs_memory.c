/* What the memories of SMs hold where two programs run at the same time: L1s, coalesced caches, shared memory. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/pair.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 384 }; /* 48 KiB */

static uint64_t line_after_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return 128 * (uint64_t)(inst % LINES) + 4 * lane;
}

static uint32_t each_line_twice(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 2 * LINES;
}

/* Shared memory takes from the L1 of an SM what the CTAs that the SM holds need, and no more than an SM has.
 * The first program has three CTAs of 16 KiB, for which 64 of 96 KiB are set aside. */
static void shared_memory_leaves_the_rest_to_the_l1(void **state) {
    (void)state;
    generate_work shares = {.ctas = 3, .warps_per_cta = 1, .shared_B = 16384, .parts = 1, .work = ten},
                  loads = {.ctas = 1,
                           .warps_per_cta = 1,
                           .parts = 1,
                           .work = each_line_twice,
                           .address = line_after_line};
    ws_trace *taker = generate_worked(&shares), *reader = generate_worked(&loads);
    loads.shared_B = 16384;
    ws_trace *both = generate_worked(&loads);
    const struct {
        const ws_trace *reader;
        const char *settings;
        uint64_t hits;
    } cases[] = {
        /* The reader on SMs of its own; on one SM for both, where the remaining 32 KiB are too little for its 48 KiB of
         * lines; and with 128 KiB, of which 64 do for both programs, as they share the limit of an SM. */
        {reader, "gpu.clusters=2,core.first_launch_sms=1,l1.unified_B=98304", LINES},
        {reader, "gpu.clusters=1,l1.unified_B=98304", 0},
        {both, "gpu.clusters=1,l1.unified_B=131072", LINES}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "%s,dram.channels=2,core.loop_programs=false,l1.index=linear,l1.size_B=32768,l1.ways=16",
                 cases[i].settings);
        pair p = run_pair(taker, cases[i].reader, settings);
        assert_int_equal(p.share[1].l1_hits, cases[i].hits);
    }
    ws_trace_close(taker);
    ws_trace_close(reader);
    ws_trace_close(both);
}

/* A program that rests takes nothing any more: the second launch of the reader, which begins after the other program
 * has come to its end, has the whole array. */
static void a_program_that_rests_takes_no_shared_memory(void **state) {
    (void)state;
    generate_work shares = {.ctas = 3, .warps_per_cta = 1, .shared_B = 16384, .parts = 1, .work = ten};
    generate_plan plan = generate_loads(1, 1, 2 * LINES, line_after_line);
    plan.more_launches = 1;
    ws_trace *taker = generate_worked(&shares), *reader = generate_planned(&plan);
    pair p =
        run_pair(taker, reader,
                 "gpu.clusters=1,dram.channels=2,core.loop_programs=false,l1.unified_B=98304,l1.index=linear,"
                 "l1.size_B=32768,l1.ways=16");
    assert_int_equal(p.share[1].l1_hits, 0);
    assert_int_equal(p.share[2].l1_hits, LINES);
    ws_trace_close(taker);
    ws_trace_close(reader);
}

static uint32_t fifty_thousand(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 50000;
}

/* The second launch of the reader takes 48 of 96 KiB, which leaves too little for its lines. Its SM, where a CTA of the
 * other program lies all the time, is divided for that from the beginning. */
static void a_later_launch_takes_shared_memory_beside_a_resident_cta(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 2 * LINES, line_after_line);
    plan.more_launches = 1, plan.more_shared_B = 49152;
    ws_trace *resident = additions(1, 1, fifty_thousand), *reader = generate_planned(&plan);
    pair p =
        run_pair(resident, reader,
                 "gpu.clusters=1,dram.channels=2,core.loop_programs=false,l1.unified_B=98304,l1.index=linear,"
                 "l1.size_B=32768,l1.ways=16,sm.shared_B=49152");
    assert_true(p.share[0].cycles > p.share[1].cycles + p.share[2].cycles);
    assert_int_equal(p.share[1].l1_hits, 0);
    assert_int_equal(p.share[2].l1_hits, 0);
    ws_trace_close(resident);
    ws_trace_close(reader);
}

static uint64_t half_of_the_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp;
    return 128 * (uint64_t)(inst % (LINES / 2) + cta * LINES / 2) + 4 * lane;
}

static uint32_t each_of_half_twice(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return LINES;
}

/* The first program's CTA fills one of two SMs, so both CTAs of the second one lie on the other: of 64 KiB, their
 * shared memory leaves 32 KiB, too little for their 48 KiB of lines. */
static void ctas_beside_another_program_may_all_lie_on_one_sm(void **state) {
    (void)state;
    generate_work loads = {.ctas = 2,
                           .warps_per_cta = 1,
                           .shared_B = 16384,
                           .parts = 1,
                           .work = each_of_half_twice,
                           .address = half_of_the_lines};
    ws_trace *large = additions(1, 8, hundred), *reader = generate_worked(&loads);
    pair p = run_pair(large, reader,
                      "gpu.clusters=2,dram.channels=2,core.loop_programs=false,sm.warps=8,sm.threads=256,l1."
                      "unified_B=65536,l1.index="
                      "linear,l1.size_B=32768,l1.ways=16");
    assert_int_equal(p.share[1].l1_hits, 0);
    ws_trace_close(large);
    ws_trace_close(reader);
}

/* What the launches of the first program share on its cluster is read anew by each of them, as without a neighbour. */
static void coalesced_caches_start_empty_with_each_launch(void **state) {
    (void)state;
    enum { READS, CACHED };
    generate_plan plan = generate_loads(2, 1, 8, line_after_line);
    plan.more_launches = 2;
    ws_trace *loads = generate_planned(&plan), *short_ = additions(1, 1, ten);
    pair p =
        run_pair(loads, short_,
                 "gpu.clusters=2,gpu.sms_per_cluster=2,gpu.dispatch=greedy,sm.ctas=1,dram.channels=2,core."
                 "first_launch_sms=2,core.loop_programs=false,mechanism.cluster=icc");
    assert_int_equal(p.counts[READS], 3 * 2 * 8);
    assert_int_equal(p.counts[CACHED], 0);
    ws_trace_close(loads);
    ws_trace_close(short_);
}

/* A launch that is run again misses its line once in each run, since the L1s start empty with it, also on an SM that
 * runs another program's warps. First with one SM for both programs, then with an SM for each. */
static void l1s_start_empty_with_each_launch(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 5, generate_one_line);
    ws_trace *loads = generate_planned(&plan), *slow = additions(1, 2, hundred);
    const char *gpus_[] = {"gpu.clusters=1,dram.channels=2",
                           "gpu.clusters=2,dram.channels=2,core.first_launch_sms=1"};
    for (int g = 0; g < 2; g++) {
        pair p = run_pair(loads, slow, gpus_[g]);
        assert_true(p.runs[0].runs >= 2);
        assert_true(p.share[0].l1_misses >= p.runs[0].runs);
        assert_true(p.share[0].l1_misses <= p.runs[0].runs + 1);
    }
    ws_trace_close(loads);
    ws_trace_close(slow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_memory_leaves_the_rest_to_the_l1),
        cmocka_unit_test(a_program_that_rests_takes_no_shared_memory),
        cmocka_unit_test(a_later_launch_takes_shared_memory_beside_a_resident_cta),
        cmocka_unit_test(ctas_beside_another_program_may_all_lie_on_one_sm),
        cmocka_unit_test(coalesced_caches_start_empty_with_each_launch),
        cmocka_unit_test(l1s_start_empty_with_each_launch),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
