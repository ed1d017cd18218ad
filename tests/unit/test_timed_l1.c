/* The L1's choices in the timed replay, when a line gets its way and which line is evicted: exact answers and laws. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/heard.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1"

static ws_timed_counters play(const char *const *warps, const char *settings) {
    return mechanism_play(warps, settings).counters;
}

static void check_equal(const ws_trace *trace, const char *a_settings, const char *b_settings) {
    mechanism_result a = mechanism_run(trace, 1, a_settings), b = mechanism_run(trace, 1, b_settings);
    assert_memory_equal(&a.counters, &b.counters, sizeof a.counters);
}

static heard listen(const char *const *warps, const char *settings) {
    ws_trace *trace = generate_script(warps);
    heard h = heard_in(trace, settings);
    ws_trace_close(trace);
    return h;
}

/* ---- when a line takes its way */

#define ONE_WAY SMALL ",l1.size_B=128,l1.ways=1,l1.index=linear,l1.latency=4,core.pipeline_cycles=2"
enum { HIT_TO_NEXT = 4 + 2 - 1, DATA_TO_WARP = 2 }; /* cycles between dependent loads */

/* With on_fill, line 1 keeps the only way while line 2 is fetched: it hits until the cycle before the data come, and
 * misses from that cycle on. With on_miss it has lost the way when line 2 missed. `slide` moves the cycle in which the
 * data come past line 1's accesses. */
static void a_line_hits_until_the_data_that_replace_it_come(void **state) {
    (void)state;
    static const char *const alone[] = {"W1 W2 W2", NULL},
                             *const both[] = {"W1 W2 W2",
                                              "W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 "
                                              "W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 "
                                              "W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 "
                                              "W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1",
                                              NULL};
    bool just_before = false, just_then = false;
    for (int slide = 0; slide < 12; slide++) {
        char settings[300];
        snprintf(settings, sizeof settings, ONE_WAY ",l1.allocation=on_fill,dram.latency=%d", 100 + slide);
        heard one = listen(alone, settings), two = listen(both, settings);
        const ws_timed_access *asked = heard_nth(&one, 2, 0), *again = heard_nth(&one, 2, 1);
        assert_int_equal(again->status, WS_TIMED_HIT);
        uint64_t data =
            heard_nth(&two, 2, 0)->cycle + (again->cycle - HIT_TO_NEXT - DATA_TO_WARP - asked->cycle);
        bool missed = false;
        for (size_t i = 0; i < two.count && !missed; i++) {
            const ws_timed_access *a = &two.at[i];
            if (a->line != 1 || a->cycle <= heard_nth(&two, 2, 0)->cycle) continue;
            missed = a->status != WS_TIMED_HIT;
            assert_int_equal(missed, a->cycle >= data);
            just_before |= a->cycle == data - 1;
            just_then |= a->cycle == data;
        }
        assert_true(missed);
    }
    assert_true(just_before && just_then);

    heard two = listen(both, ONE_WAY ",l1.allocation=on_miss");
    for (size_t i = 0, after = 0; i < two.count && !after; i++) {
        if (two.at[i].line != 1 || two.at[i].cycle <= heard_nth(&two, 2, 0)->cycle) continue;
        assert_int_equal(two.at[i].status, WS_TIMED_MISS);
        after = 1;
    }
}

/* With on_fill, 32 lines of a set of four ways are fetched together, as they need no way meanwhile. */
static void on_fill_waits_for_no_way(void **state) {
    (void)state;
    static const char *const warps[] = {"D64", NULL};
#define SETS ",l1.size_B=16384,l1.ways=4,l1.index=linear"
    ws_timed_counters miss = play(warps, SMALL SETS), fill = play(warps, SMALL SETS ",l1.allocation=on_fill");
    assert_int_equal(miss.l1_misses, 32);
    assert_int_equal(fill.l1_misses, 32);
    assert_int_equal(miss.l1_stalls_set_full, 32 - 4);
    assert_true(miss.l1_retries_set_full > 0);
    assert_int_equal(fill.l1_stalls_set_full, 0);
    assert_int_equal(fill.l1_retries_set_full, 0);
    assert_true(fill.cycles < miss.cycles);
}

/* Each access that waits counts once, for what it waits for: of 32 lines all but those that find a free entry; of three
 * reads of a line all but the first, if none may join it. */
static void each_access_that_waits_counts_once(void **state) {
    (void)state;
    static const char *const lines[] = {"D1", NULL}, *const reads[] = {"L1", "L1", "L1", NULL};
    for (unsigned entries = 1; entries <= 32; entries *= 2) {
        char settings[200];
        snprintf(settings, sizeof settings, SMALL ",l1.mshr_entries=%u", entries);
        ws_timed_counters c = play(lines, settings);
        assert_int_equal(c.l1_misses, 32);
        assert_int_equal(c.l1_stalls_mshr_full, 32 - entries);
        assert_int_equal(c.l1_stalls_set_full + c.l1_stalls_merge_full + c.l1_stalls_miss_queue_full, 0);
    }
    ws_timed_counters alone = play(reads, SMALL ",l1.mshr_merges=1"), joined = play(reads, SMALL);
    assert_int_equal(alone.l1_stalls_merge_full,
                     1); /* the third comes behind the second, and hits as that does */
    assert_int_equal(joined.l1_stalls_merge_full, 0);
}

/* Under both policies a second read of a line that is on its way waits for the same data. */
static void reads_merge_under_both(void **state) {
    (void)state;
    static const char *const warps[] = {"L1", "L1", "L1", NULL};
    const char *const settings[] = {SMALL, SMALL ",l1.allocation=on_fill"};
    for (int i = 0; i < 2; i++) {
        ws_timed_counters c = play(warps, settings[i]);
        assert_int_equal(c.l1_misses, 1);
        assert_int_equal(c.l1_pending_hits, 2);
        assert_int_equal(c.noc_packets_to_memory, 1);
    }
}

/* A line that is written while it is on its way is there when its data have come: later reads hit. */
static void data_and_what_was_written_meanwhile(void **state) {
    (void)state;
    static const char *const warps[] = {"L1 S1 W1 W1", NULL};
    const char *const settings[] = {"", ",l1.allocation=on_fill"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text, SMALL ",l1.access=sector,l1.write=through_lazy,l1.index=linear%s",
                 settings[i]);
        heard h = listen(warps, text);
        assert_int_equal(h.count, 16);
        for (size_t k = 12; k < 16; k++) assert_int_equal(h.at[k].status, WS_TIMED_HIT);
    }
}

enum { SECTOR_0 = 0xff, SECTOR_1 = 0xff00 };
#define ALL_LANES UINT32_MAX

/* Checks what becomes of a warp's accesses, in order. */
static void check_statuses(const generate_inst *warp, const char *settings,
                           const enum ws_timed_status *expected, size_t count) {
    ws_trace *trace = generate_code("ptx", (const generate_inst *const[]){warp, NULL});
    heard h = heard_in(trace, settings);
    ws_trace_close(trace);
    assert_int_equal(h.count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(h.at[i].status, expected[i]);
}

/* A store to a sector that is on its way, or absent, evicts none of the sectors that are there. */
static void a_store_to_what_is_not_there_evicts_nothing(void **state) {
    (void)state;
    static const generate_inst load = {1, SECTOR_0, 'l', .dst = 1, .line = 1},
                               wait = {2, SECTOR_0, 'i', .dst = 2, .a = 1},
                               next = {3, SECTOR_1, 'l', .dst = 3, .line = 1},
                               store = {4, SECTOR_1, 's', .line = 1},
                               again = {5, SECTOR_0, 'l', .dst = 4, .line = 1};
    const generate_inst comes[] = {load, wait, next, store, again, {0}},
                        absent[] = {load, wait, store, again, {0}};
    static const enum ws_timed_status expected[] = {WS_TIMED_MISS, WS_TIMED_SECTOR_MISS, WS_TIMED_PENDING_HIT,
                                                    WS_TIMED_HIT},
                                      if_absent[] = {WS_TIMED_MISS, WS_TIMED_SECTOR_MISS, WS_TIMED_HIT};
    check_statuses(comes, ONE_WAY ",l1.access=sector,l1.write=evict", expected, 4);
    check_statuses(absent, ONE_WAY ",l1.access=sector,l1.write=evict", if_absent, 3);
}

/* A store evicts the line that it finds; of one whose sectors are accessed apart, only the sector that it writes. */
static void a_store_evicts_what_it_writes(void **state) {
    (void)state;
    static const generate_inst warp[] = {{1, ALL_LANES, 'l', .dst = 1, .line = 1},
                                         {2, ALL_LANES, 'i', .dst = 2, .a = 1},
                                         {3, SECTOR_0, 's', .line = 1},
                                         {4, SECTOR_1, 'l', .dst = 3, .line = 1},
                                         {5, SECTOR_1, 'i', .dst = 4, .a = 3},
                                         {6, SECTOR_0, 'l', .dst = 5, .line = 1},
                                         {0}};
    static const enum ws_timed_status of_lines[] = {WS_TIMED_MISS, WS_TIMED_HIT, WS_TIMED_MISS, WS_TIMED_HIT},
                                      of_sectors[] = {WS_TIMED_MISS,        WS_TIMED_SECTOR_MISS,
                                                      WS_TIMED_SECTOR_MISS, WS_TIMED_SECTOR_MISS,
                                                      WS_TIMED_HIT,         WS_TIMED_HIT,
                                                      WS_TIMED_SECTOR_MISS};
    check_statuses(warp, ONE_WAY ",l1.access=line,l1.write=evict", of_lines, WS_COUNT(of_lines));
    check_statuses(warp, ONE_WAY ",l1.access=sector,l1.write=evict", of_sectors, WS_COUNT(of_sectors));
}

/* A written sector that is kept can be read once all of it has been written. */
static void sectors_are_read_when_all_is_written(void **state) {
    (void)state;
    static const uint64_t masks[] = {SECTOR_0, SECTOR_0 & ~1};
    for (int i = 0; i < 2; i++) {
        const generate_inst warp[] = {
            {1, masks[i], 's', .line = 1}, {2, masks[i], 'l', .dst = 1, .line = 1}, {0}};
        const enum ws_timed_status expected[] = {WS_TIMED_MISS, i ? WS_TIMED_SECTOR_MISS : WS_TIMED_HIT};
        check_statuses(warp, ONE_WAY ",l1.access=sector,l1.write=through_lazy", expected, 2);
    }
}

/* A sector that is written while it is on its way is present at once. It can be read if all of it was written; else the
 * read is a miss, but waits for the data that are on their way. If the line is evicted before they come, they come to
 * the line that has its place now (GPGPU-Sim), whose sector then counts as there. */
static void what_is_written_on_its_way_is_present(void **state) {
    (void)state;
    static const uint64_t masks[] = {SECTOR_0, SECTOR_0 & ~1};
    const char *settings = ONE_WAY ",l1.access=sector,l1.write=through_lazy,l1.index=linear";
    for (int i = 0; i < 2; i++) {
        const generate_inst warp[] = {
            {1, SECTOR_0, 'l', .dst = 1, .line = 1}, {2, masks[i], 's', .line = 1},
            {3, SECTOR_0, 'l', .dst = 2, .line = 1}, {4, ALL_LANES, 'i', .dst = 3, .a = 1},
            {5, SECTOR_0, 'l', .dst = 4, .line = 1}, {0}};
        const enum ws_timed_status expected[] = {WS_TIMED_MISS, WS_TIMED_PENDING_HIT,
                                                 i ? WS_TIMED_SECTOR_MISS : WS_TIMED_HIT, WS_TIMED_HIT};
        check_statuses(warp, settings, expected, 4);
        ws_trace *trace = generate_code("ptx", (const generate_inst *const[]){warp, NULL});
        assert_int_equal(mechanism_run(trace, 1, settings).counters.noc_reads, 1);
        ws_trace_close(trace);
    }
    static const generate_inst evicted[] = {{1, SECTOR_0, 'l', .dst = 1, .line = 1},
                                            {2, SECTOR_0, 's', .line = 1},
                                            {3, SECTOR_1, 'l', .dst = 2, .line = 5},
                                            {4, ALL_LANES, 'i', .dst = 3, .a = 1},
                                            {5, SECTOR_0, 'l', .dst = 4, .line = 5},
                                            {6, SECTOR_0, 'l', .dst = 5, .line = 1},
                                            {0}};
    static const enum ws_timed_status if_evicted[] = {WS_TIMED_MISS, WS_TIMED_PENDING_HIT, WS_TIMED_MISS,
                                                      WS_TIMED_HIT, WS_TIMED_MISS};
    check_statuses(evicted, settings, if_evicted, 5);
}

/* Lines 1 and 2 are written while they are on their way, evicted, and asked for again: their data come to their former
 * ways, and those that they have now, all of the set, stay reserved. Once nothing is on its way to the L1, these are
 * free, also if another part of the GPU has turns to come. */
static void ways_whose_data_came_elsewhere_are_freed(void **state) {
    (void)state;
    enum { SECTOR_2 = 0xff0000 };
    static const generate_inst warp[] = {{1, SECTOR_0, 'l', .dst = 1, .line = 1},
                                         {2, SECTOR_0, 's', .line = 1},
                                         {3, SECTOR_1, 'l', .dst = 2, .line = 2},
                                         {4, SECTOR_1, 's', .line = 2},
                                         {5, SECTOR_2, 'l', .dst = 3, .line = 3},
                                         {6, SECTOR_0, 'l', .dst = 4, .line = 1},
                                         {7, SECTOR_2, 's', .line = 3},
                                         {8, SECTOR_1, 'l', .dst = 5, .line = 2},
                                         {9, ALL_LANES, 'i', .dst = 6, .a = 4},
                                         {10, ALL_LANES, 'i', .dst = 7, .a = 5},
                                         {11, SECTOR_0, 'l', .dst = 8, .line = 4},
                                         {0}};
    static const enum ws_timed_status expected[] = {
        WS_TIMED_MISS, WS_TIMED_PENDING_HIT, WS_TIMED_MISS, WS_TIMED_PENDING_HIT, WS_TIMED_MISS,
        WS_TIMED_MISS, WS_TIMED_PENDING_HIT, WS_TIMED_MISS, WS_TIMED_MISS};
#define TWO_WAYS SMALL ",l1.size_B=256,l1.ways=2,l1.index=linear,l1.access=sector,l1.write=through_lazy"
    check_statuses(warp, TWO_WAYS, expected, WS_COUNT(expected));
    check_statuses(warp, TWO_WAYS ",gpu.clusters=2,mechanism.dispatch=warpman,warpman.spatial=dueling",
                   expected, WS_COUNT(expected));
}

/* While written lines are spared, data that come with on_fill and find only such lines in their set are not kept. Once
 * all lines of the L1 are written, none is spared. */
static void data_pass_spared_lines(void **state) {
    (void)state;
    heard h = listen((const char *const[]){"S0 W2 W2 S1 W2", NULL},
                     SMALL ",l1.size_B=256,l1.ways=1,l1.index=linear,l1.write=through_lazy,"
                           "l1.allocation=on_fill,l1.spare_dirty_percent=100");
    assert_int_equal(h.count, 5);
    for (size_t i = 0; i < 5; i++) assert_int_equal(h.at[i].status, i < 4 ? WS_TIMED_MISS : WS_TIMED_HIT);
}

/* A store evicts what is there of its line. A sector that is on its way keeps the way, and comes. Line 2 waits for it,
 * and then finds none of line 1's sectors in the way. */
static void a_store_leaves_what_is_on_its_way(void **state) {
    (void)state;
    static const generate_inst warp[] = {
        {1, SECTOR_0, 'l', .dst = 1, .line = 1}, {2, SECTOR_0, 'i', .dst = 2, .a = 1},
        {3, SECTOR_1, 'l', .dst = 3, .line = 1}, {4, SECTOR_0, 's', .line = 1},
        {5, SECTOR_1, 'l', .dst = 4, .line = 1}, {6, SECTOR_0, 'l', .dst = 5, .line = 1},
        {7, SECTOR_0, 'l', .dst = 6, .line = 2}, {8, SECTOR_0, 'i', .dst = 7, .a = 6, .b = 3},
        {9, SECTOR_1, 'l', .dst = 8, .line = 2}, {0}};
    static const enum ws_timed_status expected[] = {WS_TIMED_MISS,        WS_TIMED_SECTOR_MISS, WS_TIMED_HIT,
                                                    WS_TIMED_PENDING_HIT, WS_TIMED_SECTOR_MISS, WS_TIMED_MISS,
                                                    WS_TIMED_SECTOR_MISS};
    ws_trace *trace = generate_code("ptx", (const generate_inst *const[]){warp, NULL});
    heard h = heard_in(trace, ONE_WAY ",l1.access=sector,l1.write=evict");
    ws_trace_close(trace);
    assert_int_equal(h.count, WS_COUNT(expected));
    for (size_t i = 0; i < h.count; i++) assert_int_equal(h.at[i].status, expected[i]);
    assert_int_equal(h.counters.noc_packets_to_memory, 6);
}

/* With one read in flight nothing happens between a miss and its data, so on_fill does the same as on_miss. */
static void one_read_in_flight_makes_no_difference(void **state) {
    (void)state;
    static const char *const warps[] = {"W1 W3 W5 W1 W2 W7 W3 W2 W9 W1 W1 W5 W3 W11 W2 W1 W7 W3 W5", NULL};
    ws_trace *trace = generate_script(warps);
    static const char *const policies[] = {"lru", "fifo", "plru", "random"};
    for (int i = 0; i < 4; i++) {
        char a[300], b[400];
        snprintf(a, sizeof a, SMALL ",l1.size_B=512,l1.ways=4,l1.index=linear,l1.replacement=%s",
                 policies[i]);
        snprintf(b, sizeof b, "%s,l1.allocation=on_fill", a);
        check_equal(trace, a, b);
    }
    ws_trace_close(trace);
}

/* ---- which line leaves */

/* A tree over two ways is an order of them, as with lru; with one way all policies do the same. */
static void few_ways_leave_no_choice(void **state) {
    (void)state;
#define TINY "gpu.clusters=2,l1.size_B=1024,l1.index=linear,l2.size_B=8192,core.stall_on_use=63"
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        check_equal(trace, TINY ",l1.ways=2,l2.ways=2",
                    TINY ",l1.ways=2,l2.ways=2,l1.replacement=plru,l2.replacement=plru");
        for (int i = 0; i < 3; i++) {
            static const char *const policies[] = {"fifo", "plru", "random"};
            char text[300];
            snprintf(text, sizeof text, TINY ",l1.ways=1,l2.ways=1,l1.replacement=%s,l2.replacement=%s",
                     policies[i], policies[i]);
            check_equal(trace, TINY ",l1.ways=1,l2.ways=1", text);
        }
        ws_trace_close(trace);
    }
}

/* Ways 0 1 2 3 are filled in order and 0 is used again: then lru takes 1, fifo takes 0, and the tree, whose right half
 * is older, takes 2. */
static void the_line_that_leaves(void **state) {
    (void)state;
    static const char *const warps[] = {"W0 W1 W2 W3 W0 W4 W1 W0", NULL};
    static const struct {
        const char *policy;
        enum ws_timed_status one, zero;
    } cases[] = {{"lru", WS_TIMED_MISS, WS_TIMED_HIT},
                 {"fifo", WS_TIMED_HIT, WS_TIMED_MISS},
                 {"plru", WS_TIMED_HIT, WS_TIMED_HIT}};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, SMALL ",l1.size_B=512,l1.ways=4,l1.index=linear,l1.replacement=%s",
                 cases[i].policy);
        heard h = listen(warps, text);
        assert_int_equal(h.at[6].status, cases[i].one);
        assert_int_equal(h.at[7].status, cases[i].zero);
    }
}

/* A read that joins another one, of a line that is on its way, is a use of the line, too. */
static void joining_a_read_is_a_use(void **state) {
    (void)state;
    static const char *const warps[] = {"L0 L2 L0 W1 W3 W1 W4 W0", NULL};
    static const struct {
        const char *policy;
        enum ws_timed_status zero;
    } cases[] = {{"lru", WS_TIMED_HIT}, {"fifo", WS_TIMED_MISS}, {"plru", WS_TIMED_HIT}};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, SMALL ",l1.size_B=512,l1.ways=2,l1.index=linear,l1.replacement=%s",
                 cases[i].policy);
        heard h = listen(warps, text);
        assert_int_equal(h.at[2].status, WS_TIMED_PENDING_HIT);
        assert_int_equal(h.at[7].status, cases[i].zero);
    }
}

/* With on_fill a line on its way has no way yet, so joining a read is no use: line 4 takes the way of line 0. */
static void joining_a_read_without_a_way_uses_none(void **state) {
    (void)state;
    heard h = listen((const char *const[]){"W0 W2 W2 L4 L4 W1 W3 W1 W0", NULL},
                     SMALL ",l1.size_B=512,l1.ways=2,l1.index=linear,l1.allocation=on_fill");
    assert_int_equal(h.at[4].status, WS_TIMED_PENDING_HIT);
    assert_int_equal(h.at[8].status, WS_TIMED_MISS);
}

/* More lines than either cache holds, in an order that has nothing to do with ways. */
static uint64_t any_of_64_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)lane;
    return 128 * (uint64_t)(((inst + 1) * 2654435761u ^ (warp + 8 * cta + 1) * 40503u) >> 7 & 63);
}

static void random_follows_from_its_seed(void **state) {
    (void)state;
#define DRAWS                                                                                                \
    "gpu.clusters=2,dram.channels=2,l1.size_B=1024,l1.ways=8,l1.index=linear,l2.size_B=1024,l2.ways=8,"      \
    "l1.replacement=random,l2.replacement=random"
    generate_plan plan = generate_loads(4, 2, 100, any_of_64_lines);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    ws_trace *trace = generate_planned(&plan);
    check_equal(trace, DRAWS, DRAWS);
    mechanism_result a = mechanism_run(trace, 1, DRAWS), b = mechanism_run(trace, 1, DRAWS ",l1.seed=2"),
                     c = mechanism_run(trace, 1, DRAWS ",l2.seed=2");
    assert_int_not_equal(a.counters.l1_hits, b.counters.l1_hits);
    assert_int_not_equal(a.counters.l2_hits, c.counters.l2_hits);
    ws_trace_close(trace);
}

static void hashes_need_their_numbers_of_sets(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_string_equal(
        mechanism_refusal(trace, "l1.size_B=65536,l1.ways=4,l1.index=fermi_hash"),
        "l1.index: expected 32 or 64 sets for fermi_hash, found 128 sets (l1.size_B 65536 / l1.ways 4 / "
        "l1.line_B 128): set l1.ways to 8, or l1.index to linear, which takes any");
    ws_trace_close(trace);
}

static void trees_need_powers_of_two(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_string_equal(
        mechanism_refusal(trace, "l1.size_B=49152,l1.ways=6,l1.replacement=plru"),
        "l1.ways: expected a power of two for l1.replacement plru, found 6: change one of them");
    assert_string_equal(
        mechanism_refusal(trace, "l2.size_B=98304,l2.ways=24,l2.replacement=plru"),
        "l2.ways: expected a power of two for l2.replacement plru, found 24: change one of them");
    ws_trace_close(trace);
}

/* The ways of a unified array that belong to shared memory are leaves of the tree that no line takes. */
static void trees_over_a_part_of_an_array(void **state) {
    (void)state;
    static const char *const warps[] = {
        "W0 W1 W2 W3 W4 W5 W6 W7 W8 W9 W10 W11 W12 W13 W0 W1 W2 W3 W4 W5 W6 W7 W8 W9 W10", NULL};
    ws_timed_counters c = play(warps, SMALL ",l1.size_B=512,l1.ways=4,l1.index=linear,l1.unified_B=131072,"
                                            "l1.replacement=plru");
    assert_int_equal(c.l1_hits, 11);
}

static uint32_t two_loads(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 2;
}
/* Shared memory takes more than half of an array of one way; the way remains the L1's. */
static void the_last_way_stays(void **state) {
    (void)state;
    generate_work plan = {.ctas = 1,
                          .warps_per_cta = 1,
                          .shared_B = 90000,
                          .parts = 1,
                          .work = two_loads,
                          .address = generate_one_line};
    ws_trace *trace = generate_worked(&plan);
    mechanism_result r = mechanism_run(trace, 1,
                                       SMALL ",sm.shared_B=102400,l1.size_B=131072,l1.ways=1,l1.index=linear,"
                                             "l1.unified_B=131072,l1.carveouts=ampere");
    ws_trace_close(trace);
    assert_int_equal(r.counters.l1_misses, 1);
    assert_int_equal(r.counters.l1_hits, 1);
}

static uint32_t lines_of_set;
static uint64_t way_B = 0x4000;
static uint32_t twice_each(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 2 * lines_of_set;
}
static uint64_t in_one_set(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return inst % lines_of_set * way_B + 4 * lane;
}

/* Returns how often as many lines of a set hit, each read twice by a CTA that takes so much shared memory. */
static uint64_t hits_of_lines(uint32_t lines, uint32_t shared_B, const char *settings) {
    lines_of_set = lines;
    generate_work plan = {.ctas = 1,
                          .warps_per_cta = 1,
                          .shared_B = shared_B,
                          .parts = 1,
                          .work = twice_each,
                          .address = in_one_set};
    ws_trace *trace = generate_worked(&plan);
    ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return c.l1_hits;
}

/* As many lines of a set stay as there are ways; with one line more they all evict each other. */
static void assert_ways(uint32_t ways, uint32_t shared_B, const char *settings) {
    assert_int_equal(hits_of_lines(ways, shared_B, settings), ways);
    assert_int_equal(hits_of_lines(ways + 1, shared_B, settings), 0);
}

/* Of the eight ways of an array of 128 KiB, or sixteen of 256 KiB, the L1 has what is left by the smallest carve-out
 * that holds the shared memory, to the nearest way. */
static void carve_outs_leave_whole_ways(void **state) {
    (void)state;
    static const struct {
        const char *carveouts;
        uint32_t shared_B, ways, unified_B;
    } cases[] = {{"volta", 0, 8, 131072},       {"volta", 1, 8, 131072},
                 {"volta", 8192, 8, 131072},    {"volta", 8193, 7, 131072},
                 {"volta", 32768, 6, 131072},   {"volta", 32769, 4, 131072},
                 {"volta", 98304, 2, 131072},   {"turing", 0, 6, 131072},
                 {"turing", 32768, 6, 131072},  {"turing", 32769, 4, 131072},
                 {"ampere", 65536, 4, 131072},  {"ampere", 65537, 2, 131072},
                 {"a100", 65537, 10, 262144},   {"a100", 102401, 8, 262144},
                 {"a100", 135169, 6, 262144},   {"a100_accelsim", 65537, 6, 262144},
                 {"hopper", 65537, 10, 262144}, {"hopper", 167937, 4, 262144},
                 {"hopper", 200705, 2, 262144}, {"hopper_accelsim", 65537, 2, 262144}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 SMALL ",sm.ctas=1,sm.shared_B=233472,l1.size_B=131072,l1.ways=8,l1.index=linear,"
                       "l1.unified_B=%u,l1.carveouts=%s",
                 cases[i].unified_B, cases[i].carveouts);
        assert_ways(cases[i].ways, cases[i].shared_B, settings);
    }
}

/* Of four ways of 24 KiB, carve-outs of 16, 32 and 64 KiB leave three and a third, two and two thirds, and one and a
 * third: to the nearest, these are 3, 3 and 1. */
static void carve_outs_leave_the_nearest_number_of_ways(void **state) {
    (void)state;
    static const struct { uint32_t shared_B, ways; } cases[] = {{16384, 3}, {32768, 3}, {65536, 1}};
    way_B = 0x6000;
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        assert_ways(cases[i].ways, cases[i].shared_B,
                    SMALL ",sm.ctas=1,sm.shared_B=98304,l1.size_B=98304,l1.ways=4,l1.index=linear,"
                          "l1.unified_B=98304,l1.carveouts=volta");
    way_B = 0x4000;
}

static uint64_t misses_of_grid(uint32_t ctas, uint32_t sms, const char *more) {
    generate_work plan = {.ctas = ctas,
                          .warps_per_cta = 1,
                          .shared_B = 16384,
                          .parts = 1,
                          .work = twice_each,
                          .address = in_one_set};
    ws_trace *trace = generate_worked(&plan);
    char settings[300];
    snprintf(settings, sizeof settings,
             SMALL ",gpu.clusters=%u,sm.ctas=8,sm.shared_B=131072,l1.size_B=131072,l1.ways=8,"
                   "l1.index=linear,l1.unified_B=131072,l1.carveouts=volta%s",
             sms, more);
    uint64_t misses = mechanism_run(trace, 1, settings).counters.l1_misses;
    ws_trace_close(trace);
    return misses;
}

/* The carve-out holds the shared memory of the CTAs that an SM has at once: of a grid that does not fill all SMs, an
 * SM's share, rounded up (GPGPU-Sim: max_cta). Of 8 CTAs of 16 KiB that an SM could hold, the carve-outs of 1, 2 and 3
 * are 16, 32 and 64 KiB of 128, which leave 7, 6 and 4 of 8 ways. */
static void small_grids_carve_out_less(void **state) {
    (void)state;
    static const struct {
        uint32_t ctas, sms, ways;
    } cases[] = {{1, 1, 7}, {2, 1, 6}, {3, 1, 4}, {2, 2, 7}, {3, 2, 6}, {5, 2, 4}, {9, 4, 4}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        lines_of_set = cases[i].ways;
        assert_int_equal(misses_of_grid(cases[i].ctas, cases[i].sms, ""), cases[i].sms * lines_of_set);
        lines_of_set++;
        assert_true(misses_of_grid(cases[i].ctas, cases[i].sms, "") > cases[i].sms * lines_of_set);
    }
}

/* So that a part of a launch finds the L1 that the whole launch has. */
static void limits_leave_the_carve_out_of_the_whole_grid(void **state) {
    (void)state;
    lines_of_set = 4;
    assert_int_equal(misses_of_grid(9, 4, ",limit.ctas=1"), lines_of_set);
    lines_of_set++;
    assert_true(misses_of_grid(9, 4, ",limit.ctas=1") > lines_of_set);
    assert_int_equal(misses_of_grid(1, 4, ""), lines_of_set);
}

/* An atomic bypasses the L1: it waits until the loads before it have come into the bank, not until they have left it.
 * With one MSHR entry and room for one access, a divergent load's last access waits in the bank for the one before it,
 * then for its own line: two round trips to the L2, during which the atomic, bound for DRAM, is already on its way. */
static void atomics_pass_a_full_bank(void **state) {
    (void)state;
#define ONE_BY_ONE                                                                                           \
    SMALL ",l1.size_B=4096,l1.ways=1,l1.index=linear,l1.mshr_entries=1,l1.latency=1,dram.latency=1000"
    static const char *const one[] = {"D1", NULL}, *const two[] = {"D1 D1", NULL},
                             *const atomic[] = {"A500", NULL}, *const both[] = {"D1 D1 A500", NULL};
    uint64_t once = play(one, ONE_BY_ONE).cycles, twice = play(two, ONE_BY_ONE).cycles,
             alone = play(atomic, ONE_BY_ONE).cycles, all = play(both, ONE_BY_ONE).cycles,
             round_trip = (twice - once) / 32;
    assert_in_range(all, twice + alone - 2 * round_trip - round_trip / 2,
                    twice + alone - 2 * round_trip + round_trip / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_hits_until_the_data_that_replace_it_come),
        cmocka_unit_test(on_fill_waits_for_no_way),
        cmocka_unit_test(each_access_that_waits_counts_once),
        cmocka_unit_test(reads_merge_under_both),
        cmocka_unit_test(data_and_what_was_written_meanwhile),
        cmocka_unit_test(a_store_leaves_what_is_on_its_way),
        cmocka_unit_test(a_store_to_what_is_not_there_evicts_nothing),
        cmocka_unit_test(a_store_evicts_what_it_writes),
        cmocka_unit_test(sectors_are_read_when_all_is_written),
        cmocka_unit_test(what_is_written_on_its_way_is_present),
        cmocka_unit_test(ways_whose_data_came_elsewhere_are_freed),
        cmocka_unit_test(data_pass_spared_lines),
        cmocka_unit_test(one_read_in_flight_makes_no_difference),
        cmocka_unit_test(few_ways_leave_no_choice),
        cmocka_unit_test(the_line_that_leaves),
        cmocka_unit_test(joining_a_read_is_a_use),
        cmocka_unit_test(joining_a_read_without_a_way_uses_none),
        cmocka_unit_test(random_follows_from_its_seed),
        cmocka_unit_test(hashes_need_their_numbers_of_sets),
        cmocka_unit_test(trees_need_powers_of_two),
        cmocka_unit_test(trees_over_a_part_of_an_array),
        cmocka_unit_test(the_last_way_stays),
        cmocka_unit_test(carve_outs_leave_whole_ways),
        cmocka_unit_test(carve_outs_leave_the_nearest_number_of_ways),
        cmocka_unit_test(small_grids_carve_out_less),
        cmocka_unit_test(limits_leave_the_carve_out_of_the_whole_grid),
        cmocka_unit_test(atomics_pass_a_full_bank),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
