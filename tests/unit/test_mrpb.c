/* The memory request prioritization buffer in the timed replay: exact answers, laws, parameters that matter. */
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

enum { QUEUED, PASSED, STALL_CYCLES, BYPASSED, PEAK };

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1"
#define MRPB  SMALL ",mechanism.front=mrpb"

/* ---- exact answers */

static const char *with(const char *settings, int value) {
    static char text[2][300];
    static int at;
    at = !at;
    snprintf(text[at], sizeof text[at], "%s%d", settings, value);
    return text[at];
}

/* Each of three loads, which wait for nothing but each other, takes longer by the latency of the buffer. */
static void latency_adds_up(void **state) {
    (void)state;
    static const char *const warps[] = {"W1 W1 W2", NULL};
    uint64_t base = mechanism_play(warps, SMALL).counters.cycles;
    for (int latency = 0; latency <= 18; latency += 3)
        assert_int_equal(mechanism_play(warps, with(MRPB ",mrpb.latency=", latency)).counters.cycles,
                         base + 3 * latency);
}

/* A write does not enter a queue, and passes at once unless reads of its warp are queued: it waits for these. */
static void writes_pass_when_their_queue_is_empty(void **state) {
    (void)state;
    static const char *const lone[] = {"S1", NULL}, *const behind[] = {"L1 S2", NULL},
                             *const other[] = {"L1", "S2", NULL};
    for (int latency = 0; latency <= 40; latency += 40) {
        const char *settings = with(MRPB ",mrpb.latency=", latency);
        mechanism_result r = mechanism_play(lone, settings);
        assert_int_equal(r.counters.cycles, mechanism_play(lone, SMALL).counters.cycles);
        assert_int_equal(r.counts[PASSED], 1);
        assert_int_equal(r.counts[QUEUED], 0);
    }
    /* The last thing to end is the write: it starts when the read has left its queue. */
    uint64_t near = mechanism_play(behind, MRPB ",mrpb.latency=300").counters.cycles,
             far = mechanism_play(behind, MRPB ",mrpb.latency=340").counters.cycles;
    assert_int_equal(far - near, 40);
    assert_int_equal(mechanism_play(other, MRPB ",mrpb.latency=300").counts[STALL_CYCLES], 0);
}

/* A write or an atomic waits for the reads in its queue, a read for one of them if the queue is full. Here it comes a
 * cycle after the read, and enters a cycle after the read has left; the read leaves `latency` cycles after it came. So
 * the stall takes `latency` cycles. */
static void stalls_take_as_long_as_what_they_wait_for(void **state) {
    (void)state;
    static const char *const write[] = {"L1 S2", NULL}, *const atomic[] = {"L1 A2", NULL},
                             *const reads[] = {"L1 L2 L3", NULL};
    static const int latencies[] = {0, 1, 5, 300};
    for (size_t i = 0; i < WS_COUNT(latencies); i++) {
        uint64_t latency = (uint64_t)latencies[i];
        const char *const *const behind[] = {write, atomic};
        for (int k = 0; k < 2; k++) {
            mechanism_result r = mechanism_play(behind[k], with(MRPB ",mrpb.latency=", latencies[i]));
            assert_int_equal(r.counts[STALL_CYCLES], latency);
            assert_int_equal(r.counts[QUEUED], 1);
            assert_int_equal(r.counts[PASSED], 1);
        }
        for (int flush = 0; flush < 2; flush++) {
            char settings[200];
            snprintf(settings, sizeof settings, MRPB ",mrpb.entries=1,mrpb.flush=%s,mrpb.latency=%d",
                     flush ? "true" : "false", latencies[i]);
            mechanism_result r = mechanism_play(reads, settings);
            assert_int_equal(r.counts[STALL_CYCLES], 2 * latency);
            assert_int_equal(r.counts[QUEUED], 3);
            assert_int_equal(r.counts[PEAK], 1);
        }
        mechanism_result r = mechanism_play(reads, with(MRPB ",mrpb.entries=0,mrpb.latency=", latencies[i]));
        assert_int_equal(r.counts[STALL_CYCLES], 0);
        assert_int_equal(r.counts[PEAK], latency < 2 ? latency + 1 : 3);
    }
}

static uint64_t line_of_warp(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)inst;
    return 128 * (uint64_t)(2 * cta + warp) + 4 * lane;
}

/* mrpb.signature says whether two warps share a queue: if they are of the same CTA (block_id), if they have the same
 * number in their CTAs (in_block_warp_id), or never, since their slots differ (warp_id). In a queue of one entry, one
 * of them waits for the other's latency. */
static void a_signature_says_who_shares_a_queue(void **state) {
    (void)state;
    static const char *const signatures[] = {"warp_id", "block_id", "in_block_warp_id"};
    static const bool shared[2][3] = {{false, true, false}, {false, false, true}};
    for (uint32_t ctas = 1; ctas <= 2; ctas++) {
        generate_plan plan = generate_loads(ctas, 3 - ctas, 1, line_of_warp);
        ws_trace *trace = generate_planned(&plan);
        for (int k = 0; k < 3; k++) {
            uint64_t stalls[2];
            for (int i = 0; i < 2; i++) {
                char settings[200];
                snprintf(settings, sizeof settings, MRPB ",mrpb.signature=%s,mrpb.entries=1,mrpb.latency=%d",
                         signatures[k], 300 + 40 * i);
                mechanism_result r = mechanism_run(trace, 1, settings);
                assert_int_equal(r.counts[QUEUED], 2);
                stalls[i] = r.counts[STALL_CYCLES];
            }
            assert_int_equal(stalls[1] - stalls[0], shared[ctas - 1][k] ? 40 : 0);
            assert_int_equal(stalls[0] > 0, shared[ctas - 1][k]);
        }
        ws_trace_close(trace);
    }
}

static uint64_t scattered_in_the_first(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp, (void)inst;
    return cta ? 4 * lane : 128 * (uint64_t)lane;
}

/* The peak is the largest number of accesses that waited in one SM, not a sum: 32 in the first SM, one in the
 * second. */
static void the_peak_is_that_of_one_sm(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 1, 1, scattered_in_the_first);
    ws_trace *trace = generate_planned(&plan);
    mechanism_result r = mechanism_run(
        trace, 1,
        "gpu.clusters=2,gpu.sms_per_cluster=1,mechanism.front=mrpb,mrpb.entries=0,mrpb.latency=300");
    assert_int_equal(r.counts[QUEUED], 33);
    assert_int_equal(r.counts[PEAK], 32);
    ws_trace_close(trace);
}

/* As many accesses leave the buffer in a cycle as the L1 has banks; those that bypass the L1, like the atomic here,
 * count among them. */
static void as_many_leave_as_there_are_banks(void **state) {
    (void)state;
    static const char *const warps[] = {"B A2", "B L1", NULL};
    ws_trace *trace = generate_script(warps);
    uint64_t cycle[2];
    for (int banks = 1; banks <= 2; banks++) {
        heard h = heard_in(
            trace, with(MRPB ",mrpb.flush=false,core.coalescers=2,core.memory_ports=2,l1.banks=", banks));
        cycle[banks - 1] = heard_nth(&h, 1, 0)->cycle;
    }
    assert_int_equal(cycle[0] - cycle[1], 1);
    ws_trace_close(trace);
}

/* Nothing moves across a barrier: warp 0, which comes first in the drain order, may not read before warp 1's earlier
 * read has left its queue, nor may warp 1 itself. Both delays add up; without the barrier they overlap. */
static void barriers_hold(void **state) {
    (void)state;
    static const char *const barred[] = {"B L2", "L1 B L3", NULL}, *const free_[] = {"L2", "L1 L3", NULL};
    uint64_t cycles[2][2];
    for (int i = 0; i < 2; i++) {
        const char *settings = with(MRPB ",mrpb.latency=", 300 + 50 * i);
        cycles[0][i] = mechanism_play(barred, settings).counters.cycles;
        cycles[1][i] = mechanism_play(free_, settings).counters.cycles;
    }
    assert_int_equal(cycles[0][1] - cycles[0][0], 100);
    assert_int_equal(cycles[1][1] - cycles[1][0], 50);
}

/* 32 lines of one set of a 4-way L1: four get a way; the others find all ways reserved, and bypass the L1. */
static void a_full_set_is_bypassed(void **state) {
    (void)state;
    static const char *const warps[] = {"D64", NULL};
#define SETS "l1.size_B=16384,l1.ways=4,l1.index=linear"
    mechanism_result off = mechanism_play(warps, SMALL "," SETS),
                     set_full = mechanism_play(warps, MRPB ",mrpb.bypass=set_full," SETS),
                     none = mechanism_play(warps, MRPB ",mrpb.bypass=none," SETS);
    assert_int_equal(off.counters.l1_misses, 32);
    assert_int_equal(none.counters.l1_misses, 32);
    assert_int_equal(none.counts[BYPASSED], 0);
    assert_int_equal(set_full.counters.l1_misses, 4);
    assert_int_equal(set_full.counts[BYPASSED], 28);
    assert_int_equal(set_full.counters.l1_bypasses, 28);
    assert_int_equal(set_full.counters.l1_retries_set_full, 0);
    assert_int_equal(set_full.counters.noc_packets_to_memory, 32);
    assert_int_equal(set_full.counters.noc_packets_to_sm,
                     4 * 4 + 28); /* a bypassing read asks for its sector alone */
    assert_true(set_full.counters.cycles < none.counters.cycles);
    ws_trace *trace = generate_script(warps);
    heard h = heard_in(trace, MRPB ",mrpb.bypass=set_full," SETS);
    size_t passed = 0;
    for (size_t i = 0; i < h.count; i++) passed += h.at[i].status == WS_TIMED_BYPASS;
    assert_int_equal(h.count, 32);
    assert_int_equal(passed, 28);
    ws_trace_close(trace);
}

/* Reads that find no free MSHR entry bypass the L1 with all_stalls, not with set_full. */
static void other_stalls_are_bypassed_by_all_stalls(void **state) {
    (void)state;
    static const char *const warps[] = {"L1 L2 L3 L4 L5 L6", NULL};
    mechanism_result set_full = mechanism_play(warps, MRPB ",l1.mshr_entries=2,mrpb.bypass=set_full"),
                     all = mechanism_play(warps, MRPB ",l1.mshr_entries=2,mrpb.bypass=all_stalls");
    assert_int_equal(set_full.counts[BYPASSED], 0);
    assert_true(set_full.counters.l1_retries_mshr_full > 0);
    assert_int_equal(all.counts[BYPASSED], 4);
    assert_int_equal(all.counters.l1_misses, 2);
    assert_int_equal(all.counters.l1_retries_mshr_full, 0);
}

/* A read does not overtake writes of its own warp that wait for the network's port, even if the port has room for the
 * read. It does overtake those of another warp. */
static void reads_do_not_pass_their_writes(void **state) {
    (void)state;
#define STORES "S10 S11 S12 S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24 S25"
    static const char *const own[] = {"L1 " STORES " L2", NULL}, *const others[] = {"L1 L2", STORES, NULL};
    const char *settings = MRPB ",mrpb.bypass=all_stalls,l1.mshr_entries=1,l1.write=evict,l1.miss_queue=64,"
                                "noc.flit_B=4,noc.in_buffer=40";
    assert_int_equal(mechanism_play(own, settings).counts[BYPASSED], 0);
    assert_int_equal(mechanism_play(others, settings).counts[BYPASSED], 1);
}

/* Nor does it overtake what the L1 writes back of its line: line 0 displaces line 100 of local memory, which is written
 * back behind the stores of another warp, and is then read again. These take 34 flits of the port each. */
static void reads_do_not_pass_what_is_written_back(void **state) {
    (void)state;
    enum { CHAIN = 16, STORES_AHEAD = 16 };
    generate_inst own[CHAIN + 6] = {{0, 0xff, 'p', .dst = 1, .line = 100},
                                    {16, 0xff, 'q', .a = 1, .line = 100},
                                    {32, 0xff, .kind = 'b'}},
                              other[STORES_AHEAD + 2] = {{32, 0xff, .kind = 'b'}};
    for (uint16_t i = 3; i < 3 + CHAIN; i++)
        own[i] = (generate_inst){.pc = 16u * i, 0xff, 'i', .dst = i, .a = i == 3 ? 1 : (uint16_t)(i - 1)};
    own[3 + CHAIN] = (generate_inst){16 * (3 + CHAIN), 0xff, 'l', .dst = 30, .a = 2 + CHAIN};
    own[4 + CHAIN] = (generate_inst){16 * (4 + CHAIN), 0xff, 'p', .dst = 31, .line = 100};
    for (uint32_t k = 1; k <= STORES_AHEAD; k++)
        other[k] = (generate_inst){1000 + 16 * k, UINT32_MAX, 's', .line = 201 + 2 * k};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){own, other, NULL});
    heard h = heard_in(
        trace,
        MRPB ",gpu.clusters=1,mrpb.signature=none,mrpb.bypass=all_stalls,l1.mshr_entries=1,l1.write=evict,"
             "l1.size_B=256,l1.ways=1,l1.index=linear,core.local_interleaved=false,"
             "l1.miss_queue=64,noc.flit_B=4,noc.in_buffer=40");
    const ws_timed_access *displaces = heard_nth(&h, 0, 0), *again = heard_nth(&h, 100, 2);
    assert_int_equal(again->status, WS_TIMED_BYPASS);
    assert_true(again->cycle > displaces->cycle + 34 * (STORES_AHEAD / 2));
    ws_trace_close(trace);
}

/* With two coalescers, an access that finds room while that of another instruction waits does not end the wait. */
static void others_do_not_end_a_wait(void **state) {
    (void)state;
    static const char *const alone[] = {"D64", NULL}, *const beside[] = {"D64", "W7 W8", NULL};
    const char *settings = MRPB ",mrpb.entries=1,mrpb.latency=20,mrpb.bypass=none,core.coalescers=2";
    assert_int_equal(mechanism_play(alone, settings).counts[STALL_CYCLES], 31 * 20);
    assert_int_equal(mechanism_play(beside, settings).counts[STALL_CYCLES], 31 * 20);
}

/* ---- laws */

/* With two programs side by side, one of which begins again and again, each bypass counts once. The lasting one
 * bypasses 10 x 28 times, the brief one 28 times in each of its runs. */
static void two_programs(void **state) {
    (void)state;
    static const char *const brief[] = {"D64", NULL}, *const lasting[] = {
                                                          "D64 D65 D66 D67 D68 D69 D70 D71 D72 D73", NULL};
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_script(brief), *b = generate_script(lasting), *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    mechanism_result r = mechanism_run(
        joined, 1, "gpu.clusters=2,core.first_launch_sms=1,mechanism.front=mrpb,mrpb.bypass=set_full," SETS);
    assert_true(r.counts[BYPASSED] > 11 * 28);
    assert_int_equal(r.counts[BYPASSED], r.counters.l1_bypasses);
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

static void check_laws(const mechanism_result *r, const mechanism_result *off) {
    const ws_timed_counters *c = &r->counters;
    assert_int_equal(c->warp_instructions, off->counters.warp_instructions);
    assert_int_equal(c->l1_accesses, c->l1_hits + c->l1_pending_hits + c->l1_misses + c->l1_sector_misses);
    uint64_t atomics = off->counters.l1_bypasses;
    assert_int_equal(c->l1_bypasses, atomics + r->counts[BYPASSED]);
    assert_int_equal(c->l1_accesses + r->counts[BYPASSED], off->counters.l1_accesses);
    assert_int_equal(r->counts[QUEUED] + r->counts[PASSED], off->counters.l1_accesses + atomics);
}

/* Runs two programs side by side. The first is a chain of loads and then of `additions` additions, each of which reads
 * what the one before wrote; the run ends with it. The second begins again and again, and stalls nearly all the time,
 * also at that moment. */
static mechanism_result ends_in_a_stall(uint32_t additions) {
    enum { LOADS = 20, STALLS = 8 };
    generate_inst stalls[STALLS + 1] = {0};
    for (uint32_t i = 0; i < STALLS; i++)
        stalls[i] = (generate_inst){16 * i, UINT32_MAX, 'l', .dst = (uint16_t)(i + 1), .line = i + 1};
    generate_inst code[LOADS + 10] = {0};
    for (uint32_t i = 0; i < LOADS + additions; i++)
        code[i] = i < LOADS ? (generate_inst){16 * i, UINT32_MAX, 'l', .dst = 1, .a = 1, .line = 1}
                            : (generate_inst){16 * i, UINT32_MAX, 'i', .dst = 1, .a = 1};
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_code("sass", (const generate_inst *const[]){code, NULL}),
             *b = generate_code("sass", (const generate_inst *const[]){stalls, NULL}),
             *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    mechanism_result r = mechanism_run(
        joined, 1,
        "gpu.clusters=2,core.first_launch_sms=1,mechanism.front=mrpb,mrpb.latency=300,mrpb.entries=1");
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
    return r;
}

static void a_stall_counts_up_to_the_end(void **state) {
    (void)state;
    mechanism_result r = ends_in_a_stall(1), later = ends_in_a_stall(5);
    assert_true(later.counters.cycles > r.counters.cycles);
    assert_int_equal(later.counts[STALL_CYCLES] - r.counts[STALL_CYCLES],
                     later.counters.cycles - r.counters.cycles);
}

/* Under any setting, every access reaches the L1 or bypasses it, once, and every load returns, or else the replay would
 * stand still. */
static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const signatures[] = {"block_id", "warp_id", "in_block_warp_id"},
                             *const drains[] = {"fixed",        "round_robin",        "longest_first",
                                                "greedy_fixed", "greedy_round_robin", "greedy_longest_first"},
                             *const bypasses[] = {"none", "all_stalls", "set_full"},
                             *const entries[] = {"0", "1", "8"};
    uint64_t bypassed = 0, stalls = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            char settings[500];
            const char *gpu = mechanism_gpus[seed % MECHANISM_GPUS];
            snprintf(settings, sizeof settings,
                     "%s,mechanism.front=mrpb,mrpb.signature=%s,mrpb.drain=%s,mrpb.bypass=%s,mrpb.entries=%s,"
                     "mrpb.flush=%s,"
                     "mrpb.latency=%d",
                     gpu, signatures[seed % 3], drains[(seed + k) % 6], bypasses[seed / 2 % 3],
                     entries[seed / 3 % 3], (seed + k) % 2 ? "true" : "false", (int)(seed % 7));
            mechanism_result off = mechanism_run(trace, k, gpu), r = mechanism_run(trace, k, settings),
                             again = mechanism_run(trace, k, settings);
            assert_memory_equal(&r, &again, sizeof r);
            check_laws(&r, &off);
            bypassed += r.counts[BYPASSED];
            stalls += r.counts[STALL_CYCLES];
        }
        ws_trace_close(trace);
    }
    assert_true(bypassed > 100);
    assert_true(stalls > 100);
}

/* MRPB 5.4: without a signature there are no queues, and without bypassing either, nothing is left of the mechanism. */
static void sized_to_nothing_it_is_the_baseline(void **state) {
    (void)state;
    mechanism_changes_nothing("mechanism.front=mrpb,mrpb.signature=none,mrpb.bypass=none");
}

/* Both mechanisms at once: reads that bypass the L1 bypass the merge table, too. */
static void works_beside_icc(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char settings[400];
            snprintf(
                settings, sizeof settings,
                "%s,gpu.sms_per_cluster=3,mechanism.front=mrpb,mechanism.cluster=icc,mrpb.bypass=all_stalls",
                mechanism_gpus[g]);
            mechanism_result r = mechanism_run(trace, 1, settings);
            assert_int_equal(r.counters.warp_instructions,
                             mechanism_run(trace, 1, mechanism_gpus[g]).counters.warp_instructions);
        }
        ws_trace_close(trace);
    }
}

/* ---- parameters, cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {
        "mrpb.signature=block_id", "mrpb.drain=round_robin", "mrpb.entries=1",       "mrpb.flush=false",
        "mrpb.latency=18",         "mrpb.bypass=all_stalls", "mechanism.front=none", NULL};
    mechanism_each_matters(
        "traces/conv2d.wst",
        "gpu.clusters=2,l1.size_B=4096,l1.index=linear,l1.mshr_entries=8,mechanism.front=mrpb", changes);
}

static void cost_is_the_published(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint64_t bytes;
    } cases[] = {{"mechanism.front=mrpb", 3072}, /* "less than 3 KB", MRPB 6 */
                 {"mechanism.front=mrpb,mrpb.signature=block_id,mrpb.entries=4", 8 * 4 * 8},
                 {"mechanism.front=mrpb,mrpb.signature=in_block_warp_id", 32 * 8 * 8},
                 {"mechanism.front=mrpb,mrpb.flush=false", 48 * 8 * 136}, /* MRPB 3.3, 5.3: wide entries */
                 {"mechanism.front=mrpb,mrpb.signature=none", 0},
                 {"mechanism.front=mrpb,mrpb.signature=none,mrpb.entries=0", 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_cost costs[WS_ADDED_COSTS_MAX];
        assert_int_equal(mechanism_costs(cases[i].settings, costs), 1);
        assert_int_equal(costs[0].bits, cases[i].bytes * 8);
    }
}

static void unlimited_queues_have_no_size(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs("mechanism.front=mrpb,mrpb.entries=0", costs), 1);
    assert_true(costs[0].bits == WS_BITS_UNBOUNDED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_adds_up),
        cmocka_unit_test(writes_pass_when_their_queue_is_empty),
        cmocka_unit_test(stalls_take_as_long_as_what_they_wait_for),
        cmocka_unit_test(a_signature_says_who_shares_a_queue),
        cmocka_unit_test(the_peak_is_that_of_one_sm),
        cmocka_unit_test(as_many_leave_as_there_are_banks),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(a_full_set_is_bypassed),
        cmocka_unit_test(other_stalls_are_bypassed_by_all_stalls),
        cmocka_unit_test(reads_do_not_pass_their_writes),
        cmocka_unit_test(reads_do_not_pass_what_is_written_back),
        cmocka_unit_test(others_do_not_end_a_wait),
        cmocka_unit_test(two_programs),
        cmocka_unit_test(a_stall_counts_up_to_the_end),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(sized_to_nothing_it_is_the_baseline),
        cmocka_unit_test(works_beside_icc),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(cost_is_the_published),
        cmocka_unit_test(unlimited_queues_have_no_size),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
