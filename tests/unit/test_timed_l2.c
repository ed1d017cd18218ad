/* A slice of the L2: what has to wait for its tags, its data port and its miss queue. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"
#include "timed/memory/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* One slice of eight lines in one set. */
#define SLICE "gpu.clusters=1,dram.channels=1,l2.slices_per_channel=1,l2.size_B=1024,l2.ways=8"

/* One warp stores to `stores` lines and then loads `loads` other lines. */
static ws_timed_counters play(uint32_t stores, uint32_t loads, const char *settings) {
    char script[2000], *end = script;
    for (uint32_t i = 0; i < stores; i++) end += sprintf(end, "S%u ", i);
    for (uint32_t i = 0; i < loads; i++) end += sprintf(end, "L%u ", 1000 + i);
    const char *warps[] = {script, NULL};
    ws_trace *trace = generate_script(warps);
    ws_timed_counters counters = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return counters;
}

/* The tags need four cycles for a line's four sectors. To write back a line that is evicted, its four sectors are read
 * first; no other sector is served meanwhile, which takes three cycles more. */
static void stores_wait_for_what_they_evict(void **state) {
    (void)state;
    const char *no_waits = SLICE ",noc.flit_B=0";
    assert_int_equal(play(8, 0, no_waits).cycles - play(6, 0, no_waits).cycles, 2 * 4);
    assert_int_equal(play(40, 0, no_waits).cycles - play(30, 0, no_waits).cycles, 10 * (4 + 3));
    assert_int_equal(play(40, 0, no_waits).l2_retries, 0);
}

/* A load that evicts does not wait until its victim has been read. It puts four sectors into the miss queue, which
 * leave it in the four cycles that the load takes, and the write-back besides. */
static void loads_that_evict_fill_the_miss_queue(void **state) {
    (void)state;
    const char *wide = SLICE ",noc.flit_B=0,l2.miss_queue=64",
               *narrow = SLICE ",noc.flit_B=0,l2.miss_queue=2";
    assert_int_equal(play(8, 8, wide).l2_retries, 0);
    assert_int_equal(play(8, 1, narrow).l2_retries, 0);
    assert_int_equal(play(8, 8, narrow).l2_retries, 7);
    assert_int_equal(play(8, 8, SLICE ",noc.flit_B=0,l2.miss_queue=4").l2_retries, 5);
    assert_int_equal(play(0, 8, narrow).l2_retries, 0);
}

/* The data port serves l2.port_B in each cycle. */
static void stores_take_the_port_s_cycles(void **state) {
    (void)state;
    static const struct {
        int port_B;
        uint64_t line;                       /* cycles: to serve it, and to read one that it evicts */
    } cases[] = {{16, 8}, {32, 4}, {64, 2}}; /* a wider port would wait for the warp */
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[200];
        uint64_t line = cases[i].line, evicts = line + line - 1;
        snprintf(settings, sizeof settings, SLICE ",noc.flit_B=0,noc.replies=lines,l2.port_B=%d",
                 cases[i].port_B);
        assert_int_equal(play(8, 0, settings).cycles - play(6, 0, settings).cycles, 2 * line);
        assert_int_equal(play(40, 0, settings).cycles - play(30, 0, settings).cycles, 10 * evicts);
    }
}

/* A line of the L1 is as many of the L2's as its size says: each is looked up, counted and evicted alone, and DRAM
 * gives the same sectors. */
static void lines_of_another_size(void **state) {
    (void)state;
    enum { LOADS = 8, SECTORS = 4 * LOADS };
    for (int line_B = 32; line_B <= 256; line_B *= 2) {
        char settings[300];
        snprintf(
            settings, sizeof settings,
            "gpu.clusters=1,dram.channels=1,l2.slices_per_channel=1,l2.size_B=8192,l2.ways=8,l2.line_B=%d",
            line_B);
        ws_timed_counters loads = play(0, LOADS, settings), stores = play(LOADS, 0, settings);
        uint64_t lines = LOADS * 128 / line_B;
        assert_int_equal(loads.l2_accesses, SECTORS);
        assert_int_equal(loads.l2_misses, lines);
        assert_int_equal(loads.l2_sector_misses, SECTORS - lines);
        assert_int_equal(loads.dram_reads, SECTORS);
        assert_int_equal(stores.l2_accesses, SECTORS);
        assert_int_equal(stores.l2_misses, lines);
        assert_int_equal(stores.dram_reads + stores.dram_writes, 0);
    }
}

/* Loads of one sector in 128 B leave three quarters of each line of 128 B unused: of lines of 64 B the L2 holds twice
 * as many. */
static uint64_t one_sector_of_four(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)lane;
    return UINT64_C(0x100000) + 128 * (uint64_t)(inst % 64);
}

static void smaller_lines_hold_more_of_sparse_data(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 128, one_sector_of_four);
    ws_trace *trace = generate_planned(&plan);
    static const char settings[] =
        "gpu.clusters=1,dram.channels=1,l2.slices_per_channel=1,l2.size_B=4096,l2.ways=64,"
        "l1.size_B=512,l1.ways=4,l1.index=linear,l1.access=sector,";
    char with[300];
    snprintf(with, sizeof with, "%sl2.line_B=64", settings);
    assert_int_equal(mechanism_run(trace, 1, with).counters.l2_hits, 64);
    snprintf(with, sizeof with, "%sl2.line_B=128,l2.ways=32", settings);
    assert_int_equal(mechanism_run(trace, 1, with).counters.l2_hits, 0);
    ws_trace_close(trace);
}

/* ---- streams */

enum { CTAS = 40, WARPS = 8 };
static uint64_t each_line_once(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * (((uint64_t)inst * CTAS + cta) * WARPS + warp) + 4 * (uint64_t)lane;
}

static ws_timed_counters stream(uint32_t loads, const char *settings) {
    generate_plan plan = generate_loads(CTAS, WARPS, loads, each_line_once);
    plan.copy_address = 0x100000;
    plan.copy_B = (uint64_t)CTAS * WARPS * loads * 128;
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return c;
}

/* Twenty SMs read lines that hit in one slice, which serves a line as fast as the slower one of its data port and its
 * port to the network: a line is 136 B in one packet, or 40 B in each of four. l2.queue is large, since a queue that
 * holds less than comes during the L2's latency would run empty in between. */
static void streams_get_what_port_and_flits_give(void **state) {
    (void)state;
    static const int flits_B[] = {0, 8, 16, 32, 40, 64, 128, 136};
    for (size_t f = 0; f < WS_COUNT(flits_B); f++)
        for (int port_B = 16; port_B <= 256; port_B *= 2)
            for (int lines = 0; lines < 2; lines++) {
                char settings[400];
                snprintf(
                    settings, sizeof settings,
                    "gpu.clusters=20,dram.channels=1,l2.slices_per_channel=1,l2.size_B=1048576,l2.ways=16,"
                    "l2.copies=true,l2.queue=1024,core.launch_cycles=0,noc.flit_B=%d,l2.port_B=%d,noc."
                    "replies=%s",
                    flits_B[f], port_B, lines ? "lines" : "sectors");
                ws_timed_counters few = stream(6, settings), many = stream(18, settings);
                int packet_B = lines ? 136 : 40, packets = lines ? 1 : 4,
                    flits = flits_B[f] ? (packet_B + flits_B[f] - 1) / flits_B[f] : 1;
                double line_cycles = packets * flits > 128 / port_B ? packets * flits : 128 / port_B,
                       expected = line_cycles < 1 ? 1 : line_cycles, count = 12 * CTAS * WARPS,
                       found = (double)(many.cycles - few.cycles) / count;
                assert_int_equal(many.noc_packets_to_sm, 18 * CTAS * WARPS * packets);
                assert_int_equal(many.noc_bytes_to_sm, 18 * CTAS * WARPS * packets * packet_B);
                assert_int_equal(many.noc_flits_to_sm, 18 * CTAS * WARPS * packets * flits);
                assert_int_equal(many.l2_hits, 4 * 18 * CTAS * WARPS);
                if (found < 0.98 * expected || found > 1.02 * expected)
                    fail_msg("%s: a line takes %.3f cycles, expected %.0f", settings, found, expected);
            }
}

static void copies_fill_lines_of_any_size(void **state) {
    (void)state;
    for (int line_B = 32; line_B <= 256; line_B *= 2) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "dram.channels=2,l2.slices_per_channel=2,l2.size_B=1048576,l2.copies=true,l2.line_B=%d",
                 line_B);
        ws_timed_counters c = stream(6, settings);
        assert_int_equal(c.l2_hits, 4 * 6 * CTAS * WARPS);
        assert_int_equal(c.l2_accesses, 4 * 6 * CTAS * WARPS);
    }
}

static void the_port_is_a_power_of_two(void **state) {
    (void)state;
    ws_trace *trace = generate_script((const char *[]){"L1", NULL});
    assert_string_equal(mechanism_refusal(trace, "l2.port_B=48"),
                        "l2.port_B: expected a power of two, found 48");
    ws_trace_close(trace);
}

/* ---- draws */

/* Lines of one slice, in an order that has nothing to do with ways: slices take 256 B in turns. */
static uint64_t slice_offset;
static uint64_t a_line_of_one_slice(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)lane;
    return slice_offset + 512 * (uint64_t)(((inst + 1) * 2654435761u) >> 7 & 15);
}

/* The same sequence of lines from each of two slices: with lru both find the same, with random draws of their own
 * not. */
static void slices_draw_numbers_of_their_own(void **state) {
    (void)state;
#define TWO_SLICES                                                                                           \
    "gpu.clusters=1,dram.channels=2,l2.slices_per_channel=1,l2.interleave_B=256,l1.size_B=128,l1.ways=1,"    \
    "l1.index=linear,l2.size_B=1024,l2.ways=8,l2.replacement="
    generate_plan plan = generate_loads(1, 1, 200, a_line_of_one_slice);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    uint64_t lru[2], random[2];
    for (int slice = 0; slice < 2; slice++) {
        slice_offset = 0x10000 + 256 * (uint64_t)slice;
        ws_trace *trace = generate_planned(&plan);
        lru[slice] = mechanism_run(trace, 1, TWO_SLICES "lru").counters.l2_hits;
        random[slice] = mechanism_run(trace, 1, TWO_SLICES "random").counters.l2_hits;
        ws_trace_close(trace);
    }
    assert_int_equal(lru[0], lru[1]);
    assert_int_not_equal(random[0], random[1]);
}

/* Both ways of the only set lose lines whose data are on their way, as these have been written, and get each other's.
 * The data come to the former ways, so what waits for a way would wait for ever, also if
 * another part of the GPU has turns to come. */
static void ways_that_are_reserved_for_nothing_are_freed(void **state) {
    (void)state;
    enum { FIRST = 0xff, SECOND = 0xff00 }; /* sectors */
    static const generate_inst insts[] = {
        {.mask = FIRST, .kind = 'a', .line = 1},  {.mask = SECOND, .kind = 'a', .line = 2},
        {.mask = FIRST, .kind = 's', .line = 1},  {.mask = SECOND, .kind = 's', .line = 2},
        {.mask = FIRST, .kind = 's', .line = 3},  {.mask = FIRST, .kind = 's', .line = 4},
        {.mask = SECOND, .kind = 'a', .line = 2}, {.mask = FIRST, .kind = 'a', .line = 1},
        {.mask = FIRST, .kind = 's', .line = 5},  {.kind = 0}};
    const generate_inst *const warps[] = {insts, NULL};
    ws_trace *trace = generate_code("test", warps);
#define TWO_WAYS                                                                                             \
    "gpu.clusters=1,l1.latency=1,dram.channels=1,dram.latency=1000,l2.slices_per_channel=1,l2.size_B=256,"   \
    "l2.ways=2"
    static const char *const settings[] = {
        TWO_WAYS, TWO_WAYS ",gpu.clusters=2,mechanism.dispatch=warpman,warpman.spatial=dueling"};
    for (size_t i = 0; i < WS_COUNT(settings); i++) {
        ws_timed_counters c = mechanism_run(trace, 1, settings[i]).counters;
        assert_true(c.l2_retries > 1000); /* the last store, from before the data come until a way is freed */
    }
    ws_trace_close(trace);
}

/* ---- copies */

static uint64_t two_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return 0x10000 + 128 * (uint64_t)inst + 4 * lane;
}

/* A copy brings every sector of which it has a byte. */
static void copies_bring_whole_sectors(void **state) {
    (void)state;
    static const struct {
        uint64_t offset, bytes, sectors;
    } copies[] = {{96, 32, 1}, {100, 28, 1}, {100, 29, 2}, {127, 2, 2},
                  {31, 34, 3}, {4, 252, 8},  {255, 1, 1}};
    for (size_t i = 0; i < WS_COUNT(copies); i++) {
        generate_plan plan = generate_loads(1, 1, 2, two_lines);
        plan.copy_address = 0x10000 + copies[i].offset, plan.copy_B = copies[i].bytes;
        ws_trace *trace = generate_planned(&plan);
        ws_timed_counters c =
            mechanism_run(trace, 1, "gpu.clusters=1,dram.channels=2,l2.copies=true").counters;
        assert_int_equal(c.l2_hits, copies[i].sectors);
        ws_trace_close(trace);
    }
}

static uint64_t far_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return ((uint64_t)1 << 41) + two_lines(cta, warp, inst, lane);
}

/* Of a copy that is larger than the L2 only the end can be there, and what came before takes no time. */
static void large_copies_end_in_the_l2(void **state) {
    (void)state;
    static const struct {
        uint64_t address, bytes, sectors;
    } copies[] = {{0x10000, (uint64_t)1 << 40, 0}, /* ends elsewhere */
                  {((uint64_t)1 << 40) + 0x10100, (uint64_t)1 << 40, 8},
                  {((uint64_t)1 << 40) + 0x10001, (uint64_t)1 << 40, 1},
                  {0xffffffffffffffe0, 31, 0}};
    for (size_t i = 0; i < WS_COUNT(copies); i++) {
        generate_plan plan = generate_loads(1, 1, 2, far_lines);
        plan.copy_address = copies[i].address, plan.copy_B = copies[i].bytes;
        ws_trace *trace = generate_planned(&plan);
        alarm(20);
        ws_timed_counters c =
            mechanism_run(trace, 1, "gpu.clusters=1,dram.channels=2,l2.copies=true").counters;
        alarm(0);
        assert_int_equal(c.l2_hits, copies[i].sectors);
        ws_trace_close(trace);
    }
}

/* A line of which a sector is on its way, as one of the other program may be, stays as it is until that has come. */
static void copies_leave_what_is_on_its_way(void **state) {
    (void)state;
    const ws_l1_params l1 = {.line_B = 128};
    const ws_l2_params l2 = {.slices_per_channel = 1, .interleave_B = 256, .line_B = 128};
    const ws_dram_params dram = {
        .channels = 1, .banks = 1, .near_banks = 1, .bank_B = 256, .row_B = 256, .rows = 1};
    ws_slice *slice = calloc(1, sizeof *slice);
    assert_non_null(slice);
    ws_engine e = {.slices = slice, .slice_count = 1, .l1 = &l1};
    ws_address_map_init(&e.map, &l1, &l2, &dram);
    assert_true(ws_cache_init(&slice->tags, 1, 2, WS_INDEX_LINEAR, WS_REPLACE_LRU, 1, 0));
    ws_cache_replace(&slice->tags, 0, 7, 1);
    ws_place_copy(&e, &(ws_memcpy){.address = 7 * 128, .bytes = 64});
    assert_int_equal(slice->tags.lines[0].reserved, 1);
    assert_int_equal(slice->tags.lines[0].valid, 2);
    ws_cache_free(&slice->tags);
    free(slice);
}

enum { SLICE_LINES = 8, SLICES = 3, COPIED = 4 * SLICES * SLICE_LINES };

static uint64_t the_last_copied_first(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return 0x10000 + 128 * (uint64_t)(COPIED - 1 - inst) + 4 * lane;
}

/* A copy that is larger than the L2 fills it, also where the end of the copy does not spread evenly over slices. */
static void large_copies_fill_the_l2(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, COPIED, the_last_copied_first);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    plan.copy_address = 0x10000, plan.copy_B = COPIED * 128;
    ws_trace *trace = generate_planned(&plan);
    assert_int_equal(mechanism_run(trace, 1,
                                   "gpu.clusters=1,dram.channels=3,l2.slices_per_channel=1,l2.size_B=1024,"
                                   "l2.ways=8,l2.partition=random,l2.copies=true")
                         .counters.l2_hits,
                     4 * SLICES * SLICE_LINES);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_wait_for_what_they_evict),
        cmocka_unit_test(loads_that_evict_fill_the_miss_queue),
        cmocka_unit_test(stores_take_the_port_s_cycles),
        cmocka_unit_test(lines_of_another_size),
        cmocka_unit_test(copies_fill_lines_of_any_size),
        cmocka_unit_test(smaller_lines_hold_more_of_sparse_data),
        cmocka_unit_test(streams_get_what_port_and_flits_give),
        cmocka_unit_test(the_port_is_a_power_of_two),
        cmocka_unit_test(slices_draw_numbers_of_their_own),
        cmocka_unit_test(ways_that_are_reserved_for_nothing_are_freed),
        cmocka_unit_test(copies_bring_whole_sectors),
        cmocka_unit_test(copies_leave_what_is_on_its_way),
        cmocka_unit_test(large_copies_end_in_the_l2),
        cmocka_unit_test(large_copies_fill_the_l2),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
