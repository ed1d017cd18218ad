/* Cache-conscious wavefront scheduling in the timed replay: exact answers, laws, parameters that matter. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOOKUPS, HITS, VICTIMS, CUT, ADMITTED, BLOCKED };

#define SMALL   "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,l1.index=linear"
#define ONE_WAY SMALL ",l1.size_B=128,l1.ways=1,mechanism.core=ccws"
/* A single hit lets its warp alone load for longer than any run lasts. */
#define ENDLESS ",ccws.gain=1e9,ccws.cap=0"

static mechanism_result play_one(const char *warp, const char *settings) {
    return mechanism_play((const char *const[]){warp, NULL}, settings);
}

/* ---- lost lines */

/* In an L1 of one line each load evicts the line before. */
static void a_line_that_comes_back_was_lost(void **state) {
    (void)state;
    static const struct {
        const char *warp;
        uint64_t lookups, hits, victims;
    } cases[] = {
        {"W1", 1, 0, 0},
        {"W1 W1", 1, 0, 0}, /* line 1 is still in the L1 */
        {"L1 L1", 1, 0, 0}, /* line 1 is on its way */
        {"W1 W2", 2, 0, 1},
        {"W1 W2 W1", 3, 1, 2},
        {"W1 W2 W1 W2 W1", 5, 3, 2}, /* a second note of line 1 or 2 replaces the first */
        {"W1 W2 S1 W1", 3, 0, 2},    /* the store would have evicted line 1 anyway */
        {"W1 W1 S1 W2 W1", 3, 0, 1}, /* line 1 left because of the store, not for another line */
        {"W1 W2 S3 W1", 3, 1, 2},
    };
    static const char *const allocations[] = {",l1.allocation=on_miss", ",l1.allocation=on_fill"};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        for (int a = 0; a < 2; a++) {
            if (a && strchr(cases[i].warp, 'S')) continue; /* with on_fill a store may come before the data */
            char settings[300];
            snprintf(settings, sizeof settings, ONE_WAY ",ccws.gain=0%s", allocations[a]);
            mechanism_result r = play_one(cases[i].warp, settings);
            assert_int_equal(r.counts[LOOKUPS], cases[i].lookups);
            assert_int_equal(r.counts[HITS], cases[i].hits);
            assert_int_equal(r.counts[VICTIMS], cases[i].victims);
        }
}

/* A line of which another sector is there has not been lost: its read looks up nothing. */
static void a_line_with_another_sector_was_not_lost(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, 0xff, 'l', .dst = 1, .line = 1},
                                         {16, 0xff00, 'l', .dst = 2, .a = 1, .line = 1},
                                         {32, 0xff, 'l', .dst = 3, .a = 2, .line = 2},
                                         {48, UINT32_MAX, 'x', .a = 3},
                                         {0}};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    mechanism_result r = mechanism_run(trace, 1, ONE_WAY ",ccws.gain=0,l1.access=sector");
    ws_trace_close(trace);
    assert_int_equal(r.counters.l1_misses, 2);
    assert_int_equal(r.counters.l1_sector_misses, 1);
    assert_int_equal(r.counts[LOOKUPS], 2);
}

/* The victim tags hold sixteen lines in two sets of eight; the oldest of a set is replaced. */
static void victim_tags_hold_so_many(void **state) {
    (void)state;
    static const char seven[] = "W0 W2 W4 W6 W8 W10 W12 W14 W0",
                      eight[] = "W0 W2 W4 W6 W8 W10 W12 W14 W16 W0",
                      nine[] = "W0 W2 W4 W6 W8 W10 W12 W14 W16 W18 W0",
                      odd[] = "W0 W2 W4 W6 W8 W10 W12 W14 W1 W3 W5 W7 W9 W0";
#define NO_GAIN ONE_WAY ",ccws.gain=0"
    assert_int_equal(play_one(seven, NO_GAIN).counts[HITS], 1);
    /* The miss on line 16 evicts line 14, the eighth victim of its set; that on line 18 evicts line 16, the ninth. */
    assert_int_equal(play_one(eight, NO_GAIN).counts[HITS],
                     0); /* line 0's own miss evicts line 16 before the tags are searched */
    assert_int_equal(play_one(eight, NO_GAIN ",ccws.vta_ways=9").counts[HITS], 1);
    assert_int_equal(play_one(nine, NO_GAIN ",ccws.vta_ways=9").counts[HITS], 0);
    assert_int_equal(play_one(nine, NO_GAIN ",ccws.vta_ways=9,ccws.vta_sets=1").counts[HITS], 0);
    assert_int_equal(play_one(nine, NO_GAIN ",ccws.vta_sets=4").counts[HITS], 1);
    assert_int_equal(play_one(odd, NO_GAIN).counts[HITS], 1);
    assert_int_equal(play_one(odd, NO_GAIN ",ccws.vta_sets=1").counts[HITS], 0);
}

/* Only the warp that brought a line into the L1 can lose it. The second warp waits behind a barrier. */
static void a_line_is_its_first_readers(void **state) {
    (void)state;
    static const char *const lost[] = {"W1 B B W1", "B W2 B", NULL},
                             *const others[] = {"W1 B B", "B W2 W1 B", NULL},
                             *const both[] = {"W1 B B W2 W1", "B W1 B", NULL};
    assert_int_equal(mechanism_play(lost, NO_GAIN).counts[HITS], 1);
    assert_int_equal(mechanism_play(others, NO_GAIN).counts[HITS], 0);
    /* both warps read the line, which belongs to the first */
    assert_int_equal(mechanism_play(both, NO_GAIN).counts[HITS], 1);
}

/* A prefetched line belongs to no warp, so none can lose it. Line 0 prefetches line 1, and line 3 line 2. */
static void a_line_that_nobody_asked_for_is_nobodys(void **state) {
    (void)state;
    static const char settings[] =
        SMALL ",l1.size_B=256,l1.ways=1,mechanism.core=ccws,ccws.gain=0,mechanism.fetch=coarse,"
              "coarse.dueling=false,coarse.grain_window=0";
    assert_int_equal(play_one("W0 W3", settings).counts[VICTIMS], 1);
    assert_int_equal(play_one("W0 W3 W1", settings).counts[HITS], 0);
    assert_int_equal(play_one("W0 W3 W0", settings).counts[HITS], 1);
}

/* ---- who waits */

/* The first warp misses line 1 again and from then on is alone: the second warp's loads wait until it has ended. */
static void loads_of_others_wait(void **state) {
    (void)state;
#define LOSER "W1 W2 W1 W2 W1 W2 W1 W2 W1 W2 W1 W2"
    static const char *const loads[] = {LOSER, "W11 W12 W13 W14 W15 W16", NULL};
    mechanism_result free_ = mechanism_play(loads, NO_GAIN), held = mechanism_play(loads, ONE_WAY ENDLESS);
    assert_int_equal(free_.counts[BLOCKED] + free_.counts[CUT], 0);
    assert_true(held.counts[BLOCKED] > 1000 && held.counters.cycles > free_.counters.cycles);
    assert_int_equal(held.counts[ADMITTED], held.counts[CUT]); /* one warp at a time */
    assert_true(held.counts[CUT] >= held.counts[BLOCKED]);
}

/* Behind the barrier the first warp has lost line 1 and goes on loading; then the other warp executes three
 * instructions of `kind` with these lanes. Returns the cycles in which they are blocked. */
static uint64_t blocked_with(char kind, uint64_t lanes) {
    enum { ALL = 0xff };
    static const generate_inst loser[] = {{0x10, ALL, 'l', 1, 0, 0, 1}, {0x20, ALL, 'l', 2, 1, 0, 2},
                                          {0x30, ALL, 'l', 3, 2, 0, 1}, {0x40, ALL, 'i', 4, 3, 0, 0},
                                          {0x50, ALL, 'b', 0, 0, 0, 0}, {0x60, ALL, 'l', 1, 4, 0, 2},
                                          {0x70, ALL, 'l', 2, 1, 0, 1}, {0x80, ALL, 'i', 3, 2, 0, 0},
                                          {0x90, ALL, 'x', 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}};
    const generate_inst other[] = {{0x50, ALL, 'b', 0, 0, 0, 0},     {0xa0, lanes, kind, 1, 0, 0, 11},
                                   {0xb0, lanes, kind, 2, 0, 0, 12}, {0xc0, lanes, kind, 3, 0, 0, 13},
                                   {0x90, ALL, 'x', 0, 0, 0, 0},     {0, 0, 0, 0, 0, 0, 0}};
    const generate_inst *const warps[] = {loser, other, NULL};
    ws_trace *trace = generate_code("sass", warps);
    mechanism_result r = mechanism_run(trace, 1, ONE_WAY ENDLESS);
    ws_trace_close(trace);
    assert_true(r.counts[HITS] >= 1);
    return r.counts[BLOCKED];
}

static void only_loads_that_ask_the_l1_wait(void **state) {
    (void)state;
    assert_true(blocked_with('l', 0xff) > 100);
    assert_int_equal(blocked_with('s', 0xff), 0);
    assert_int_equal(blocked_with('a', 0xff), 0);
    assert_int_equal(blocked_with('g', 0xff), 0); /* loads of GPU scope bypass the L1 */
    assert_int_equal(blocked_with('i', 0xff), 0);
    assert_int_equal(blocked_with('l', 0), 0); /* nor does one without active lanes ask for anything */
}

/* A loser that waits at a barrier does not hold back the loads of the warps that it waits for: the replay ends. */
static void a_barrier_opens(void **state) {
    (void)state;
    static const char *const warps[] = {LOSER " B " LOSER " B W1 W2", "B W11 W12 W13 B W11 W12",
                                        "W21 W22 B W23 B", NULL};
    static const char *const schedulers[] = {"lrr", "gto", "swl,core.swl_warps=1",
                                             "two_level,core.active_warps=1"};
    for (int i = 0; i < 4; i++) {
        char settings[300];
        snprintf(settings, sizeof settings, ONE_WAY ENDLESS ",sm.scheduler=%s", schedulers[i]);
        mechanism_result r = mechanism_play(warps, settings);
        assert_int_equal(r.counters.warp_instructions,
                         mechanism_play(warps, SMALL).counters.warp_instructions);
        assert_true(r.counts[HITS] > 10);
    }
}

/* After one hit the loser's loads hit the L1: the other warp waits exactly as long as the score is high. */
static void the_wait_ends_with_the_score(void **state) {
    (void)state;
#define STAYS " W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1"
    static const char *const warps[] = {"W1 W3 W1" STAYS STAYS STAYS STAYS STAYS,
                                        "W10 W12 W14 W16 W18 W20 W22 W24 W26 W28", NULL};
    static const int caps[] = {0, 8, 16, 32, 64};
    uint64_t ready = 0; /* cycles of the wait after which the other warp's next load is ready */
    for (int i = 1; i < 5; i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 SMALL ",l1.size_B=256,l1.ways=1,mechanism.core=ccws,ccws.gain=64,ccws.cap=%d", caps[i]);
        mechanism_result r = mechanism_play(warps, settings);
        /* One hit in six instructions by then, two warps: the loser is alone as long as its score is at least twice
         * the base. */
        uint64_t score = (uint64_t)caps[i] * 200 / 6;
        assert_int_equal(r.counts[HITS], 1);
        assert_int_equal(r.counts[CUT], score - 199);
        if (i == 1) assert_int_equal(r.counts[BLOCKED], 0);
        if (i == 2) ready = r.counts[CUT] - r.counts[BLOCKED];
        if (i > 2) assert_int_equal(r.counts[BLOCKED], r.counts[CUT] - ready);
    }
    assert_in_range(ready, 1, 333);
}

/* ---- laws */

static void without_gain_it_changes_nothing(void **state) {
    (void)state;
    mechanism_changes_nothing("mechanism.core=ccws,ccws.gain=0");
    mechanism_changes_nothing("mechanism.core=ccws,ccws.cap=1e-9");
    static const char *const schedulers[] = {
        "sm.scheduler=gto",
        "sm.scheduler=swl,core.swl_warps=2",
        "sm.scheduler=two_level,core.active_warps=2",
        "sm.scheduler=two_level,core.active_warps=2,core.dependences=one_in_flight",
        "core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8",
        "mechanism.front=warppool",
        "mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0"};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t i = 0; i < WS_COUNT(schedulers); i++) {
            char off[300], on[400];
            snprintf(off, sizeof off, "gpu.clusters=2,%s", schedulers[i]);
            snprintf(on, sizeof on, "%s,mechanism.core=ccws,ccws.gain=0", off);
            mechanism_result a = mechanism_run(trace, 1, off), b = mechanism_run(trace, 1, on);
            assert_memory_equal(&a.counters, &b.counters, sizeof a.counters);
        }
        ws_trace_close(trace);
    }
}

/* Random traces with barriers, fences and atomics end under every scheduler, with all instructions executed. */
static void everything_ends(void **state) {
    (void)state;
    static const char *const schedulers[] = {"lrr", "gto", "swl,core.swl_warps=1",
                                             "two_level,core.active_warps=1"};
    uint64_t hits = 0, blocked = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int i = 0; i < 4; i++) {
            char settings[400];
            snprintf(settings, sizeof settings,
                     SMALL ",l1.size_B=512,sm.scheduler=%s,mechanism.core=ccws" ENDLESS, schedulers[i]);
            mechanism_result off = mechanism_run(trace, 1, "gpu.clusters=1"),
                             on = mechanism_run(trace, 1, settings);
            assert_int_equal(on.counters.warp_instructions, off.counters.warp_instructions);
            hits += on.counts[HITS];
            blocked += on.counts[BLOCKED];
        }
        ws_trace_close(trace);
    }
    assert_true(hits > 100 && blocked > 1000);
}

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {"ccws.vta_sets=1", "ccws.vta_ways=8", "ccws.base_score=10",
                                          "ccws.gain=2",     "ccws.cap=3",      NULL};
    mechanism_each_matters("traces/conv2d.wst",
                           "gpu.clusters=1,mechanism.core=ccws,limit.warp_instructions=20000,l1.size_B=4096,"
                           "l1.index=linear,ccws.vta_ways=2",
                           changes);
}

/* ---- what it costs, and with whom it goes */

static void storage_adds_up(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(
        mechanism_costs("mechanism.core=ccws,sm.warps=48,l1.size_B=16384,l1.ways=4,l1.line_B=128", costs), 3);
    assert_int_equal(costs[0].bits, 48 * 16 * 41);
    assert_int_equal(costs[1].bits, 128 * 6); /* a warp number of 6 bits for each line */
    assert_int_equal(costs[2].bits, 48 * 16 + 64);
    for (int i = 0; i < 3; i++) assert_int_equal(costs[i].per, WS_PER_SM);
}

static void two_owners_of_the_l1_are_refused(void **state) {
    (void)state;
    ws_trace *trace = generate_random(2, 32);
    assert_string_equal(
        mechanism_refusal(trace, "mechanism.core=ccws,mechanism.front=mrpb"),
        "mechanism.core, mrpb.bypass: expected one of them to be none: ccws and mrpb both own the "
        "slot of the L1; set mrpb.bypass to none to have both");
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.core=ccws,ccws.vta_sets=3"),
                           "ccws.vta_sets: expected a power of two, found 3"));
    mechanism_run(trace, 1, "mechanism.core=ccws,mechanism.front=mrpb,mrpb.bypass=none");
    mechanism_run(trace, 1, "mechanism.core=scalar,mechanism.front=mrpb");
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_comes_back_was_lost),
        cmocka_unit_test(a_line_with_another_sector_was_not_lost),
        cmocka_unit_test(victim_tags_hold_so_many),
        cmocka_unit_test(a_line_is_its_first_readers),
        cmocka_unit_test(a_line_that_nobody_asked_for_is_nobodys),
        cmocka_unit_test(loads_of_others_wait),
        cmocka_unit_test(only_loads_that_ask_the_l1_wait),
        cmocka_unit_test(a_barrier_opens),
        cmocka_unit_test(the_wait_ends_with_the_score),
        cmocka_unit_test(without_gain_it_changes_nothing),
        cmocka_unit_test(everything_ends),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(storage_adds_up),
        cmocka_unit_test(two_owners_of_the_l1_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
