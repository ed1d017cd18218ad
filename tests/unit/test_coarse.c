/* Coarse-grained fetch in the timed replay: the rules of XI 5.4 and 5.5 one by one, laws, parameters that matter. */
#include "mechanism/parts/duel.h"
#include "mechanism/parts/grain.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { READS, COARSE, FETCHED, DROPPED, USED };

#define ONE_SM "gpu.clusters=1,gpu.sms_per_cluster=1,dram.channels=1,l2.slices_per_channel=1,l1.index=linear"
#define ALWAYS ",mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0"

static mechanism_result run_script(const char *warp, const char *settings) {
    const char *const warps[] = {warp, NULL};
    ws_trace *trace = generate_script(warps);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r;
}

/* ---- XI 5.4: what is fetched */

/* Each load waits for the one before, so neighbours have arrived when they are read. */
static void neighbours_come_with_a_line(void **state) {
    (void)state;
    static const char lines[] = "W0 W1 W2 W3 W4 W5 W6 W7";
    mechanism_result off = run_script(lines, ONE_SM), two = run_script(lines, ONE_SM ALWAYS),
                     four = run_script(lines, ONE_SM ALWAYS ",coarse.lines=4");
    assert_int_equal(off.counters.l1_misses, 8);
    assert_int_equal(two.counters.l1_misses, 4);
    assert_int_equal(two.counters.l1_hits, 4);
    assert_int_equal(two.counts[FETCHED], 4);
    assert_int_equal(two.counts[USED], 4);
    assert_int_equal(four.counters.l1_misses, 2);
    assert_int_equal(four.counts[FETCHED], 6);
    assert_int_equal(four.counts[USED], 6);
    assert_true(four.counters.cycles < two.counters.cycles && two.counters.cycles < off.counters.cycles);
    assert_int_equal(four.counters.noc_packets_to_sm, off.counters.noc_packets_to_sm);
}

/* A read of a neighbour that is still on its way counts it as used; later reads of it count nothing. */
static void a_neighbour_is_used_on_its_way(void **state) {
    (void)state;
    mechanism_result r = run_script("L0 L1 W0 W0 W1 W1", ONE_SM ALWAYS);
    assert_int_equal(r.counters.l1_misses, 1);
    assert_true(r.counters.l1_pending_hits >= 1);
    assert_int_equal(r.counts[FETCHED], 1);
    assert_int_equal(r.counts[USED], 1);
}

/* Line 33 replaces the neighbour, line 1, before it is read. What is read later is what the store of line 1 has
 * written, although in the same way. */
static void a_neighbour_that_a_store_replaced_is_not_used(void **state) {
    (void)state;
    static const char settings[] = ONE_SM ALWAYS ",l1.size_B=4096,l1.ways=1,l1.write=through_lazy";
    mechanism_result r = run_script("W0 W0 S33 S1 W1", settings);
    assert_int_equal(r.counts[FETCHED], 1);
    assert_int_equal(r.counters.l1_hits, 2);
    assert_int_equal(r.counts[USED], 0);
}

/* A neighbour's MSHR entry is freed when its data come although no load waits for them, with operand collectors,
 * too. */
static void neighbours_give_their_entries_back(void **state) {
    (void)state;
    static const char *const settings[] = {"", ",sm.schedulers=1,core.collectors=2,core.memory_queue=8"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text, ONE_SM ALWAYS ",l1.mshr_entries=2%s", settings[i]);
        mechanism_result r = run_script("W0 W2 W4 W6 W8 W10 W12 W14", text);
        assert_int_equal(r.counts[FETCHED], 8);
        assert_int_equal(r.counts[DROPPED], 0);
    }
}

/* Groups are aligned: in groups of two the neighbour of line 5 is line 4, not 6; in groups of four its neighbours
 * are 4, 6 and 7. */
static void groups_are_aligned(void **state) {
    (void)state;
    assert_int_equal(run_script("W5 W4", ONE_SM ALWAYS).counters.l1_hits, 1);
    assert_int_equal(run_script("W5 W6", ONE_SM ALWAYS).counters.l1_hits, 0);
    assert_int_equal(run_script("W5 W4 W6 W7", ONE_SM ALWAYS ",coarse.lines=4").counters.l1_hits, 3);
    assert_int_equal(run_script("W5 W3 W8", ONE_SM ALWAYS ",coarse.lines=4").counters.l1_hits, 0);
}

/* A group is a single request: one packet to each L2 slice that has lines of it. */
static void a_group_is_one_request(void **state) {
    (void)state;
    mechanism_result one = run_script("W0 W4 W8", ONE_SM ALWAYS ",coarse.lines=4"),
                     two = run_script("W0 W4 W8", ONE_SM ALWAYS ",coarse.lines=4,dram.channels=2");
    assert_int_equal(one.counters.noc_packets_to_memory, 3);
    assert_int_equal(one.counters.noc_bytes_to_memory, 3 * 8);
    assert_int_equal(one.counts[FETCHED], 9);
    assert_int_equal(two.counters.noc_packets_to_memory, 3 * 2); /* consecutive channels have 256 B each */
    assert_int_equal(one.counters.l2_accesses, two.counters.l2_accesses);
    mechanism_result split = run_script("W0 W4 W8", ONE_SM ALWAYS ",coarse.lines=4,mechanism.cluster=icc,"
                                                                  "icc.merge_entries=0,icc.cache_lines=0");
    assert_int_equal(split.counters.noc_packets_to_memory, 3 * 4);
}

/* A read of some sectors takes no other lines along: these are a request of their own, for all of their sectors. */
static void a_read_of_a_sector_takes_no_lines_along(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, 0xff, 'l', .dst = 1, .line = 0}, {16, 0xff, 'x', .a = 1}, {0}};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    for (int lines = 1; lines <= 4; lines *= 2) {
        char settings[400];
        snprintf(settings, sizeof settings, ONE_SM ALWAYS ",l1.access=sector,coarse.lines=%d", lines);
        mechanism_result r = mechanism_run(trace, 1, settings);
        assert_int_equal(r.counts[FETCHED], lines - 1);
        assert_int_equal(r.counters.noc_packets_to_memory, lines > 1 ? 2 : 1);
    }
    ws_trace_close(trace);
}

/* The L2's tags take a cycle per sector, and serve the lines of a group side by side. A load behind a group, which
 * hits in the L2, waits 4 cycles longer per further line if the lines come as separate requests, as they do where a
 * mechanism owns the cluster slot. */
static void the_tags_serve_a_group_at_once(void **state) {
    (void)state;
    static const char lines[] =
        "W100 W101 W101 S101 W200 W0 L101"; /* the store evicts line 101 from the L1 */
    for (int n = 2; n <= 4; n += 2) {
        char settings[400];
        snprintf(settings, sizeof settings, ONE_SM ALWAYS ",coarse.on_miss_only=true,coarse.lines=%d", n);
        uint64_t together = run_script(lines, settings).counters.load_cycles;
        strcat(settings, ",mechanism.cluster=icc,icc.merge_entries=0,icc.cache_lines=0");
        assert_int_equal(run_script(lines, settings).counters.load_cycles, together + 4 * ((uint64_t)n - 1));
    }
}

/* A store evicts line 1. A later read of line 0, which hits, fetches line 1 again, unless only misses fetch
 * neighbours. */
static void at_every_read_or_at_misses_alone(void **state) {
    (void)state;
    static const char lines[] = "W0 W1 S1 W0 W1";
    mechanism_result every = run_script(lines, ONE_SM ALWAYS),
                     miss = run_script(lines, ONE_SM ALWAYS ",coarse.on_miss_only=true");
    assert_int_equal(every.counts[FETCHED], 2);
    assert_int_equal(every.counters.l1_misses, 1);
    assert_int_equal(miss.counts[FETCHED], 1);
    assert_int_equal(miss.counters.l1_misses, 2);
    assert_int_equal(every.counts[COARSE], every.counts[READS]);
    assert_int_equal(miss.counts[COARSE], 2); /* the others do not look for neighbours */
}

/* A read of one line accesses its whole group, so that the lines leave together: of three groups in two ways the
 * least recently read one is evicted, whichever of its lines was read. If only misses look for neighbours, line 1
 * keeps its age. */
static void a_group_ages_as_one(void **state) {
    (void)state;
    static const char lines[] = "W0 W2 W0 W4 W1", small[] = ONE_SM ALWAYS ",l1.size_B=512,l1.ways=2";
    static const char *const allocations[] = {"on_miss", "on_fill"};
    for (int i = 0; i < 2; i++) {
        char settings[400];
        snprintf(settings, sizeof settings, "%s,l1.allocation=%s", small, allocations[i]);
        assert_int_equal(run_script(lines, settings).counters.l1_hits, 2);
        strcat(settings, ",coarse.on_miss_only=true");
        assert_int_equal(run_script(lines, settings).counters.l1_hits, 1);
    }
}

/* A neighbour that finds no MSHR entry is not fetched, and the read does not wait for it. */
static void without_room_a_neighbour_is_not_fetched(void **state) {
    (void)state;
    mechanism_result r = run_script("W0 W2", ONE_SM ALWAYS ",l1.mshr_entries=1"),
                     off = run_script("W0 W2", ONE_SM ",l1.mshr_entries=1");
    assert_int_equal(r.counts[FETCHED], 0);
    assert_int_equal(r.counts[DROPPED], 2);
    assert_memory_equal(&r.counters, &off.counters, sizeof off.counters);
}

/* Neighbours that are requests of their own leave the last place of the miss queue to reads. */
static void a_full_miss_queue_drops_neighbours(void **state) {
    (void)state;
    for (uint64_t places = 2; places <= 4; places++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 ONE_SM ALWAYS ",coarse.lines=4,mechanism.cluster=icc,icc.merge_entries=0,icc.cache_lines=0,"
                               "l1.miss_queue=%d",
                 (int)places);
        mechanism_result r = run_script("W0", settings);
        assert_int_equal(r.counts[FETCHED], places - 2); /* the read itself is in the queue */
        assert_int_equal(r.counts[DROPPED], 3 - r.counts[FETCHED]);
    }
}

/* Lines 101 and 1 have the two ways of their set, and what is written of line 101, in local memory, stays there until
 * line 3 comes, which nobody has asked for: then it is written back, behind the request. Without a place for it in
 * the miss queue line 3 does not come. */
static void what_a_neighbour_displaces_is_written_back(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, 0xff, 'p', .dst = 1, .line = 101},
                                         {16, 0xff, 'q', .a = 1, .line = 101},
                                         {32, 0xff, 'l', .dst = 2, .line = 0},
                                         {48, 0xff, 'l', .dst = 3, .a = 2, .line = 2},
                                         {64, 0xff, 'x', .a = 3},
                                         {0}};
    static const char settings[] = ONE_SM ALWAYS ",l1.size_B=512,l1.ways=2,core.local_interleaved=false";
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    mechanism_result r = mechanism_run(trace, 1, settings);
    assert_int_equal(r.counts[FETCHED], 3);
    assert_int_equal(r.counters.noc_reads, 3);
    assert_int_equal(r.counters.noc_packets_to_memory, 3 + 1);
    char narrow[400];
    snprintf(narrow, sizeof narrow, "%s,l1.miss_queue=2", settings);
    r = mechanism_run(trace, 1, narrow);
    assert_int_equal(r.counts[FETCHED], 2);
    assert_int_equal(r.counts[DROPPED], 1);
    assert_int_equal(r.counters.noc_packets_to_memory, 3);
    ws_trace_close(trace);
}

/* Line 2 displaces line 100 of local memory, which is written back behind it. Line 2 is a miss all the same, and takes
 * line 3 along. */
static void a_miss_that_writes_back_takes_its_neighbour_along(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, 0xff, 'p', .dst = 1, .line = 100},
                                         {16, 0xff, 'q', .a = 1, .line = 100},
                                         {32, 0xff, 'l', .dst = 2, .line = 0},
                                         {48, 0xff, 'l', .dst = 3, .a = 2, .line = 2},
                                         {64, 0xff, 'x', .a = 3},
                                         {0}};
    static const char settings[] =
        ONE_SM ALWAYS ",l1.size_B=512,l1.ways=2,core.local_interleaved=false,coarse.on_miss_only=true";
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    mechanism_result r = mechanism_run(trace, 1, settings);
    assert_int_equal(r.counts[COARSE], 3);
    assert_int_equal(r.counts[FETCHED], 3);
    assert_int_equal(r.counters.noc_reads, 3);
    assert_int_equal(r.counters.noc_packets_to_memory, 3 + 1);
    ws_trace_close(trace);
}

/* ---- the class of the reads */

static ws_grain grain_of(uint32_t window, uint64_t reads, uint64_t (*line)(uint64_t)) {
    ws_grain g;
    assert_true(ws_grain_init(&g, window));
    for (uint64_t i = 0; i < reads; i++) ws_grain_read(&g, line(i));
    ws_grain counts = g;
    ws_grain_free(&g);
    return counts;
}

static uint64_t ascending(uint64_t i) {
    return i;
}
static uint64_t every_fourth_of_40(uint64_t i) {
    return i % 40 * 4;
}

/* Compares the counters with their definition: reads of a line that was read at most `window` reads ago, and reads
 * of a pair of lines that was read at most half as many ago. */
static void check_grain(const uint64_t *lines, uint64_t count, uint32_t window) {
    uint64_t fine = 0, coarse = 0;
    for (uint64_t i = 0; i < count; i++) {
        bool line = false, pair = false;
        for (uint64_t j = 0; j < i; j++) {
            line |= lines[j] == lines[i] && i - j <= window;
            pair |= lines[j] / 2 == lines[i] / 2 && i - j <= window / 2;
        }
        fine += line;
        coarse += pair;
    }
    ws_grain g;
    assert_true(ws_grain_init(&g, window));
    for (uint64_t i = 0; i < count; i++) ws_grain_read(&g, lines[i]);
    assert_int_equal(g.fine, fine);
    assert_int_equal(g.coarse, coarse);
    ws_grain_free(&g);
}

static void grain_is_what_it_is_defined_to_be(void **state) {
    (void)state;
    ws_grain sequence = grain_of(64, 1000, ascending), far = grain_of(64, 1000, every_fourth_of_40);
    assert_int_equal(sequence.fine, 0);
    assert_int_equal(sequence.coarse, 500);
    assert_int_equal(far.fine, 1000 - 40); /* each line comes back after 40 reads: within 64, not within 32 */
    assert_int_equal(far.coarse, 0);
    uint64_t lines[300];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        for (int i = 0; i < 300; i++) lines[i] = random_below(&random, 8 + 8 * (uint32_t)seed);
        check_grain(lines, 300, 2 * (uint32_t)seed);
    }
}

static uint64_t line_address(uint64_t line, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * line + 4 * lane;
}
static uint64_t coarse_reads(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return line_address(inst, lane);
}
static uint64_t fine_reads(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return line_address(every_fourth_of_40(inst), lane);
}

/* Fine-grained reads fetch no neighbours; neither does an SM that has not yet seen enough reads to tell. */
static void fine_grained_reads_fetch_nothing_else(void **state) {
    (void)state;
#define CLASS ONE_SM ",mechanism.fetch=coarse,coarse.dueling=false"
    generate_plan plan = generate_loads(1, 1, 400, coarse_reads);
    ws_trace *coarse = generate_planned(&plan);
    plan = generate_loads(1, 1, 400, fine_reads);
    ws_trace *fine = generate_planned(&plan);
    assert_int_equal(mechanism_run(coarse, 1, CLASS).counts[COARSE], 400 - 63);
    assert_int_equal(mechanism_run(coarse, 1, CLASS ",coarse.grain_reads=100").counts[COARSE], 400 - 99);
    mechanism_result none = mechanism_run(fine, 1, CLASS), off = mechanism_run(fine, 1, ONE_SM);
    assert_int_equal(none.counts[COARSE], 0);
    assert_memory_equal(&none.counters, &off.counters, sizeof off.counters);
    assert_int_equal(mechanism_run(fine, 1, CLASS ",coarse.grain_window=0").counts[COARSE], 400);
    assert_int_equal(mechanism_run(fine, 1, CLASS ",coarse.grain_window=20").counts[COARSE], 0);
    ws_trace_close(coarse);
    ws_trace_close(fine);
}

/* ---- XI 5.5: set dueling */

static void followers_do_as_the_faster_one(void **state) {
    (void)state;
    ws_sm sms[3] = {{.since = 99}, {.index = 1, .since = 99}, {.index = 2, .since = 99}};
    ws_engine e = {.sms = sms, .launched = 100, .now = 99};
    ws_duel without, with, follower, alone;
    ws_duel_init(&without, 50, &e, &sms[0]);
    ws_duel_init(&with, 50, &e, &sms[1]);
    ws_duel_init(&follower, 50, &e, &sms[2]);
    ws_duel_init(&alone, 0, &e, &sms[0]);
    static const struct {
        uint64_t now, instructions[2];
        bool follows;
    } steps[] = {{149, {0, 500}, false},   {150, {500, 501}, true},  {199, {900, 501}, true},
                 {200, {900, 502}, false}, {300, {901, 503}, false}, {350, {901, 504}, true}};
    for (size_t i = 0; i < WS_COUNT(steps); i++) {
        e.now = steps[i].now;
        for (int s = 0; s < 2; s++) sms[s].counters.thread_instructions = steps[i].instructions[s];
        assert_false(ws_duel_says(&without, &e, 0));
        assert_true(ws_duel_says(&with, &e, 1));
        assert_int_equal(ws_duel_says(&follower, &e, 2), steps[i].follows);
        assert_true(ws_duel_says(&alone, &e, 0));
    }
}

/* An SM that is renewed within a launch compares what has been done since, after a whole period. */
static void renewed_followers_begin_there(void **state) {
    (void)state;
    ws_sm sms[3] = {{.counters.thread_instructions = 100},
                    {.counters.thread_instructions = 900},
                    {.index = 2, .since = 1000}};
    ws_engine e = {.sms = sms, .launched = 100, .now = 1000};
    ws_duel follower;
    ws_duel_init(&follower, 50, &e, &sms[2]);
    e.now = 1049;
    assert_false(ws_duel_says(&follower, &e, 2));
    e.now = 1050;
    sms[0].counters.thread_instructions = 102, sms[1].counters.thread_instructions = 901;
    assert_false(ws_duel_says(&follower, &e, 2));
    e.now = 1100;
    sms[1].counters.thread_instructions = 902;
    assert_true(ws_duel_says(&follower, &e, 2));
}

/* An SM that its first CTA reaches late compares what has been done since the launch began. */
static void late_followers_count_from_the_launch(void **state) {
    (void)state;
    ws_sm sms[3] = {{.counters.thread_instructions = 100},
                    {.counters.thread_instructions = 900},
                    {.index = 2, .since = 99}};
    ws_engine e = {.sms = sms, .launched = 100, .now = 120};
    ws_duel follower;
    ws_duel_init(&follower, 50, &e, &sms[2]);
    assert_false(ws_duel_says(&follower, &e, 2));
    e.now = 150;
    sms[0].counters.thread_instructions = 101;
    assert_true(ws_duel_says(&follower, &e, 2));
}

/* ---- laws */

static void check_laws(const mechanism_result *r, const mechanism_result *off) {
    assert_int_equal(r->counters.warp_instructions, off->counters.warp_instructions);
    assert_int_equal(r->counters.l1_accesses, off->counters.l1_accesses);
    assert_int_equal(r->counters.l1_bypasses, off->counters.l1_bypasses);
    assert_true(r->counts[USED] <= r->counts[FETCHED]);
    assert_true(r->counts[COARSE] <= r->counts[READS]);
    assert_true(r->counts[READS] <= r->counters.l1_accesses);
}

/* With any other mechanism beside it every load returns (else the replay would not end). */
static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const beside[] = {"", ",mechanism.cluster=icc", ",mechanism.front=mrpb",
                                         ",mechanism.front=warppool"};
    uint64_t fetched = 0, dropped = 0, used = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            char settings[500], gpu[300];
            snprintf(gpu, sizeof gpu, "%s,gpu.clusters=3,l1.allocation=%s",
                     mechanism_gpus[seed % MECHANISM_GPUS], seed % 8 < 4 ? "on_miss" : "on_fill");
            snprintf(settings, sizeof settings,
                     "%s,mechanism.fetch=coarse,coarse.lines=%d,coarse.dueling=%s,coarse.on_miss_only=%s,"
                     "coarse.grain_window=%d,coarse.grain_reads=8,coarse.duel_cycles=100",
                     gpu, seed % 2 ? 2 : 4, seed % 4 < 2 ? "true" : "false", seed % 5 ? "false" : "true",
                     seed % 3 ? 0 : 16);
            mechanism_result off = mechanism_run(trace, k, gpu), r = mechanism_run(trace, k, settings),
                             again = mechanism_run(trace, k, settings);
            assert_memory_equal(&r, &again, sizeof r);
            check_laws(&r, &off);
            fetched += r.counts[FETCHED];
            dropped += r.counts[DROPPED];
            used += r.counts[USED];
            strcat(settings, beside[(seed + k) % 4]);
            assert_int_equal(mechanism_run(trace, k, settings).counters.warp_instructions,
                             off.counters.warp_instructions);
        }
        ws_trace_close(trace);
    }
    assert_true(fetched > 1000);
    assert_true(dropped > 100);
    assert_true(used > 100);
}

/* Data on their way when a launch ends do not reach the next launch. */
static void launches_follow_each_other(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = trace_open("traces/bfs.wst");
    ws_timed *timed =
        mechanism_gpu(trace, "limit.warp_instructions=2000,mechanism.fetch=coarse,coarse.lines=4,"
                             "coarse.dueling=false,coarse.grain_window=0");
    uint64_t fetched = 0;
    for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
        ws_timed_counters counters;
        if (!ws_timed_run(timed, k, &counters, &err)) fail_msg("launch %u: %s", k, err.text);
        fetched += ws_timed_counts(timed, 0)[FETCHED];
    }
    assert_true(fetched > 1000);
    ws_timed_free(timed);
    ws_trace_close(trace);
}

static void sized_to_nothing_it_is_the_baseline(void **state) {
    (void)state;
    mechanism_changes_nothing(
        "mechanism.fetch=coarse,coarse.lines=1,coarse.grain_window=0,coarse.dueling=false");
}

/* ---- parameters, cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {
        "coarse.lines=4",        "coarse.on_miss_only=true", "coarse.dueling=false", "coarse.duel_cycles=100",
        "coarse.grain_window=0", "coarse.grain_reads=1000",  "mechanism.fetch=none", NULL};
    mechanism_each_matters("traces/spmv.wst",
                           "gpu.clusters=4,limit.warp_instructions=8000,mechanism.fetch=coarse", changes);
}

/* XI gives no number of bits. Counted: 64 line addresses of 41 bits and three counters; two numbers and a bit. */
static void cost_is_the_sum_of_its_parts(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs("mechanism.fetch=coarse", costs), 2);
    assert_int_equal(costs[0].bits, 64 * 41 + 3 * 32);
    assert_int_equal(costs[1].bits, 2 * 32 + 1);
    mechanism_costs("mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0", costs);
    assert_int_equal(costs[0].bits + costs[1].bits, 0);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_non_null(
        strstr(mechanism_refusal(trace, "coarse.lines=3"), "coarse.lines: expected 1, 2 or 4, found 3"));
    assert_non_null(
        strstr(mechanism_refusal(trace, "coarse.grain_window=7"), "coarse.grain_window: expected an even"));
    assert_non_null(strstr(mechanism_refusal(trace, "gpu.clusters=2,mechanism.fetch=coarse"),
                           "coarse.dueling: expected at least 3 SMs"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_come_with_a_line),
        cmocka_unit_test(a_neighbour_is_used_on_its_way),
        cmocka_unit_test(a_neighbour_that_a_store_replaced_is_not_used),
        cmocka_unit_test(neighbours_give_their_entries_back),
        cmocka_unit_test(groups_are_aligned),
        cmocka_unit_test(a_group_is_one_request),
        cmocka_unit_test(a_read_of_a_sector_takes_no_lines_along),
        cmocka_unit_test(the_tags_serve_a_group_at_once),
        cmocka_unit_test(at_every_read_or_at_misses_alone),
        cmocka_unit_test(a_group_ages_as_one),
        cmocka_unit_test(without_room_a_neighbour_is_not_fetched),
        cmocka_unit_test(a_full_miss_queue_drops_neighbours),
        cmocka_unit_test(what_a_neighbour_displaces_is_written_back),
        cmocka_unit_test(a_miss_that_writes_back_takes_its_neighbour_along),
        cmocka_unit_test(grain_is_what_it_is_defined_to_be),
        cmocka_unit_test(fine_grained_reads_fetch_nothing_else),
        cmocka_unit_test(followers_do_as_the_faster_one),
        cmocka_unit_test(renewed_followers_begin_there),
        cmocka_unit_test(late_followers_count_from_the_launch),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(launches_follow_each_other),
        cmocka_unit_test(sized_to_nothing_it_is_the_baseline),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(cost_is_the_sum_of_its_parts),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
