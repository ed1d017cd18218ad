/* WarpPool in the timed replay: rules with exact answers, laws, parameters that matter, cost. */
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

enum { LOADS, REQUESTS, MERGED, ACCESSES, WRITES, FULL, BUSY, UNMAPPED, MAPPED, TOGGLES, PEAK };
enum { STALL_CYCLES = PEAK + 1, TAG_CYCLES, MAP_CYCLES, REFUSED_CYCLES, WRITEBACK_CYCLES };

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1"
#define POOL  SMALL ",mechanism.front=warppool"

/* Returns the cycles that a script takes longer with 40 cycles more of latency. */
static uint64_t cost_of_latency(const char *const *warps) {
    return mechanism_play(warps, POOL ",warppool.latency=340").counters.cycles -
           mechanism_play(warps, POOL ",warppool.latency=300").counters.cycles;
}

/* ---- exact answers */

/* WP 3.1: a load that meets no other takes warppool.latency (six stages) longer. */
static void latency_adds_up(void **state) {
    (void)state;
    static const char *const warps[] = {"W1 W1 W2", NULL};
    uint64_t base = mechanism_play(warps, SMALL).counters.cycles;
    for (uint64_t latency = 4; latency <= 10; latency += 2) {
        char settings[200];
        snprintf(settings, sizeof settings, POOL ",warppool.latency=%d", (int)latency);
        assert_int_equal(mechanism_play(warps, settings).counters.cycles, base + 3 * latency);
    }
}

/* Registers are read behind the instruction queues (WP 3.3), which takes as long as through operand collectors that
 * nothing else uses; core.pipeline_cycles has no effect then. */
static void latency_adds_up_behind_collectors(void **state) {
    (void)state;
    static const generate_inst none[] = {{.mask = 1, .kind = 'l', .dst = 1}, {.kind = 0}},
                               one[] = {{.mask = 1, .kind = 'l', .dst = 1, .a = 2}, {.kind = 0}},
                               two[] = {{.mask = 1, .kind = 'l', .dst = 1, .a = 2, .b = 3}, {.kind = 0}};
    const generate_inst *const codes[] = {none, one, two};
#define ONE_BANK ",sm.schedulers=1,core.memory_ports=1,core.register_banks=1,core.memory_queue=10"
    static const char *const cores[] = {"core.collectors=2", "core.collectors=2,core.bank_reads=1",
                                        "core.collectors=2,core.sub_cores=false"};
    for (size_t i = 0; i < WS_COUNT(codes) * WS_COUNT(cores); i++) {
        ws_trace *trace =
            generate_code("llvm", (const generate_inst *const[]){codes[i % WS_COUNT(codes)], NULL});
        char base[300], with[400], late[500];
        snprintf(base, sizeof base, SMALL ONE_BANK ",%s", cores[i / WS_COUNT(codes)]);
        snprintf(with, sizeof with, "%s,mechanism.front=warppool,warppool.latency=7", base);
        snprintf(late, sizeof late, "%s,core.pipeline_cycles=40", with);
        uint64_t cycles = mechanism_run(trace, 1, base).counters.cycles + 7;
        assert_int_equal(mechanism_run(trace, 1, with).counters.cycles, cycles);
        assert_int_equal(mechanism_run(trace, 1, late).counters.cycles, cycles);
        ws_trace_close(trace);
    }
}

/* WP 3.8: a store waits until the unit has nothing of its warp, and so does a load behind a store. A load behind a load
 * does not, and no warp waits for another. What waits passes the pipeline after what it waits for, so the latency
 * counts twice. */
static void program_order_is_kept_around_stores(void **state) {
    (void)state;
    static const char *const load_store[] = {"L1 S2", NULL}, *const store_load[] = {"S1 L2", NULL},
                             *const store_store[] = {"S1 S2", NULL}, *const load_load[] = {"L1 L2", NULL},
                             *const load_atomic[] = {"L1 A2", NULL}, *const apart[] = {"L1", "S2", NULL};
    assert_int_equal(cost_of_latency(load_store), 80);
    assert_int_equal(cost_of_latency(store_load), 80);
    assert_int_equal(cost_of_latency(store_store), 80);
    assert_int_equal(cost_of_latency(load_atomic), 80);
    assert_int_equal(cost_of_latency(load_load), 40);
    assert_int_equal(cost_of_latency(apart), 40);
}

/* Nothing moves across a barrier: warp 0's read passes the pipeline after warp 1's earlier read has left for the L1. */
static void barriers_hold(void **state) {
    (void)state;
    static const char *const barred[] = {"B L2", "L1 B L3", NULL}, *const free_[] = {"L2", "L1 L3", NULL};
    assert_int_equal(cost_of_latency(barred), 80);
    assert_int_equal(cost_of_latency(free_), 40);
}

/* While the L1 takes nothing, as its one MSHR entry waits, requests gather: of eight warps that read the same line, one
 * access serves up to four (WP 3.9). */
static void waiting_requests_merge(void **state) {
    (void)state;
    static const char *const warps[] = {"L99", "L50 L99", "L99", "L99", "L99",
                                        "L99", "L99",     "L99", NULL}; /* the second one fetches first */
#define BLOCKED ",l1.mshr_entries=1,l1.latency=1,sm.scheduler=gto,warppool.selection=oldest"
    mechanism_result four = mechanism_play(warps, POOL BLOCKED),
                     one = mechanism_play(warps, POOL BLOCKED ",warppool.merges=1");
    assert_int_equal(four.counts[REQUESTS], 9);
    assert_int_equal(four.counts[ACCESSES] + four.counts[MERGED], 9);
    assert_true(four.counts[MERGED] >= 3);
    assert_int_equal(four.counters.l1_accesses, four.counts[ACCESSES]);
    assert_int_equal(one.counts[MERGED], 0);
    assert_int_equal(one.counters.l1_accesses, 9);
}

/* WP 3.6: a request that fits none of the patterns takes an entry of the map table until its data are written back. It
 * waits if none is free. */
static void other_mappings_take_an_entry(void **state) {
    (void)state;
    static const char *const warps[] = {"O1 O2 O3 L4 D64", NULL};
    mechanism_result eight = mechanism_play(warps, POOL),
                     one = mechanism_play(warps, POOL ",warppool.map_entries=1");
    assert_int_equal(eight.counts[MAPPED], 3);
    assert_int_equal(eight.counts[UNMAPPED], 0);
    assert_int_equal(one.counts[MAPPED], 3);
    assert_int_equal(one.counts[UNMAPPED], 2);
    assert_true(one.counters.cycles > eight.counters.cycles);
}

/* A full queue stalls its coalescer: 32 lines of one set need the two tags of one queue. */
static void full_queues_stall(void **state) {
    (void)state;
    static const char *const warps[] = {"D64", NULL};
#define ONE_SET ",l1.index=linear,l1.mshr_entries=2,l1.latency=1"
    mechanism_result two = mechanism_play(warps, POOL ONE_SET ",warppool.tags=2"),
                     many = mechanism_play(warps, POOL ONE_SET ",warppool.tags=64");
    assert_true(two.counts[FULL] > 20);
    assert_int_equal(two.counts[PEAK], 2);
    assert_int_equal(many.counts[FULL], 0);
    assert_true(many.counts[PEAK] > 2);
    /* the peak stays what it was when there are fewer */
    static const char *const then_few[] = {"D64 B L1", NULL};
    assert_int_equal(mechanism_play(then_few, POOL ONE_SET ",warppool.tags=64").counts[PEAK],
                     many.counts[PEAK]);
}

/* WP 3.4: coalescers that insert into the same queue get in each other's way. Two warps read 32 lines each: these enter
 * one queue one by one, and the L1 keeps up, as with one coalescer. */
static void a_queue_takes_one_request_per_cycle(void **state) {
    (void)state;
    static const char *const warps[] = {"D64", "D65", NULL};
#define ROOMY POOL ",l1.mshr_entries=128,l1.miss_queue=128,l1.latency=64,warppool.tags=64"
    mechanism_result one = mechanism_play(warps, ROOMY ",warppool.inter_queues=1,warppool.coalescers=1"),
                     same = mechanism_play(warps, ROOMY ",warppool.inter_queues=1"),
                     apart = mechanism_play(warps, ROOMY);
    assert_int_equal(one.counts[PEAK], 1);
    assert_int_equal(same.counts[PEAK], 1);
    assert_true(apart.counts[PEAK] > 16);
    assert_int_equal(one.counts[BUSY], 0);
    assert_int_equal(same.counts[BUSY], 1);
    assert_int_equal(same.counters.cycles, one.counters.cycles);
}

/* ---- exact answers: cycles in which something is held up */

/* A request waits for the map table until the data of the one that has the only entry are back, so for as many cycles
 * more as memory is farther away, there and back. With one coalescer, that is all that stalls it. */
static void cycles_without_an_entry(void **state) {
    (void)state;
    static const char *const warps[] = {"O1 O2", NULL};
#define LONE ",warppool.coalescers=1,warppool.map_entries=1"
    mechanism_result near = mechanism_play(warps, POOL LONE ",noc.latency=10"),
                     far = mechanism_play(warps, POOL LONE ",noc.latency=110"),
                     two = mechanism_play(warps, POOL LONE ",warppool.map_entries=2,noc.latency=110");
    assert_true(near.counts[MAP_CYCLES] > 20);
    assert_int_equal(far.counts[MAP_CYCLES], near.counts[MAP_CYCLES] + 200);
    assert_int_equal(far.counts[STALL_CYCLES], far.counts[MAP_CYCLES]);
    assert_int_equal(two.counts[MAP_CYCLES], 0);
    assert_int_equal(two.counts[STALL_CYCLES], 0);
}

/* The only MSHR entry serves 32 lines one after another. Of those behind it, one waits at the tags of the L1, one in
 * the only tag of WarpPool, which the L1 refuses, and one for that tag in a coalescer, which is no stall while another
 * is free. */
static void cycles_without_a_tag(void **state) {
    (void)state;
    static const char *const warps[] = {"D64", NULL};
#define ONE_TAG POOL ",l1.index=linear,l1.mshr_entries=1,l1.latency=1,warppool.inter_queues=1,warppool.tags=1"
    mechanism_result near = mechanism_play(warps, ONE_TAG ",noc.latency=10,warppool.coalescers=1"),
                     far = mechanism_play(warps, ONE_TAG ",noc.latency=30,warppool.coalescers=1"),
                     pair = mechanism_play(warps, ONE_TAG ",noc.latency=30");
    assert_int_equal(far.counters.cycles - near.counters.cycles, 32 * 40);
    assert_int_equal(far.counts[REFUSED_CYCLES] - near.counts[REFUSED_CYCLES], 30 * 40);
    assert_int_equal(far.counts[TAG_CYCLES] - near.counts[TAG_CYCLES], 29 * 40);
    assert_int_equal(far.counts[STALL_CYCLES], far.counts[TAG_CYCLES]);
    assert_int_equal(far.counts[MAP_CYCLES], 0);
    assert_int_equal(pair.counts[TAG_CYCLES], far.counts[TAG_CYCLES]);
    assert_int_equal(pair.counts[STALL_CYCLES], 0);
}

/* An atomic waits for the L1, too, which passes it on: here at the port to the network, which takes a byte a cycle. */
static void cycles_of_refused_writes(void **state) {
    (void)state;
    static const char *const warps[] = {"A1 A2 A3 A4", NULL};
    mechanism_result slow = mechanism_play(warps, POOL ",noc.flit_B=1,noc.in_buffer=200"),
                     fast = mechanism_play(warps, POOL ",noc.flit_B=0,noc.in_buffer=200");
    assert_true(slow.counts[REFUSED_CYCLES] > 100);
    assert_int_equal(fast.counts[REFUSED_CYCLES], 0);
}

/* A store or atomic goes only while no load waits for the L1 (WP 3.8): also past an L1 that takes nothing. While line
 * 51 waits for the data of line 50, line 1 waits behind it, and an atomic that comes meanwhile waits for both. */
static void atomics_wait_for_loads(void **state) {
    (void)state;
    static const generate_inst loads[] = {{0, UINT32_MAX, 'l', .dst = 1, .line = 1},
                                          {16, UINT32_MAX, 'l', .dst = 2, .a = 1, .line = 50},
                                          {32, UINT32_MAX, 'l', .dst = 3, .a = 1, .line = 51},
                                          {48, UINT32_MAX, 'l', .dst = 4, .a = 1, .line = 1},
                                          {0}};
    static generate_inst others[] = {{64, UINT32_MAX, 'l', .dst = 1, .line = 1},
                                     {80, UINT32_MAX, 'i', .dst = 2, .a = 1},
                                     {96, UINT32_MAX, 'i', .dst = 3, .a = 2},
                                     {112, UINT32_MAX, 'i', .dst = 4, .a = 3},
                                     {128, UINT32_MAX, 'i', .dst = 5, .a = 4, .line = 9},
                                     {0}};
    uint64_t refused[2];
    for (int atomic = 0; atomic < 2; atomic++) {
        others[4].kind = atomic ? 'a' : 'i';
        ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){loads, others, NULL});
        mechanism_result r = mechanism_run(trace, 1, POOL BLOCKED);
        ws_trace_close(trace);
        assert_int_equal(r.counts[WRITES], atomic);
        refused[atomic] = r.counts[REFUSED_CYCLES];
    }
    assert_true(refused[0] > 100);
    assert_int_equal(refused[1], refused[0]);
}

/* Lines 1 and 2 are in the L1, which takes nothing while the miss of line 51 waits for that of line 50. Meanwhile
 * four requests for each of the two merge. When the data of line 50 have come, line 51 goes, in the next cycle line 1
 * hits, and in the one after that both line 2 and the data of line 50 are due, data first. Line 2 waits until there is
 * room behind the registers of line 1's warps, which are written one after another, and of line 50's. */
static void cycles_of_a_full_writeback_buffer(void **state) {
    (void)state;
    static const char *const warps[] = {"W1 W2 W1 W1 L50 L51 B L1 L2", "B L1 L2", "B L1 L2", "B L1 L2", NULL};
    static const struct {
        const char *settings;
        int accesses;
        uint64_t cycles;
    } runs[] = {{"writeback_entries=1", 8, 4},
                {"writeback_entries=2", 8, 3},
                {"writeback_entries=3", 8, 0},
                {"writeback_entries=1,warppool.writeback_warps=2", 8, 2},
                {"writeback_entries=1,warppool.writeback_warps=4", 8, 1},
                {"writeback_entries=1,warppool.merges=2", 10, 4}, /* line 2 waits for line 1, twice each */
                {"writeback_entries=1,warppool.merges=1", 14, 1}};
    for (size_t i = 0; i < WS_COUNT(runs); i++) {
        char settings[300];
        snprintf(settings, sizeof settings, POOL BLOCKED ",warppool.%s", runs[i].settings);
        mechanism_result r = mechanism_play(warps, settings);
        assert_int_equal(r.counts[ACCESSES], runs[i].accesses);
        assert_int_equal(r.counts[WRITEBACK_CYCLES], runs[i].cycles);
    }
}

/* Returns how often a GPU's one SM has toggled in five runs of a launch whose loads all miss; `*cycles`: of all. */
static uint64_t toggles_in_runs(const ws_trace *trace, uint64_t quantum, uint64_t *cycles) {
    char settings[300];
    snprintf(settings, sizeof settings, POOL ",gpu.sms_per_cluster=1,warppool.quantum=%llu",
             (unsigned long long)quantum);
    ws_timed *gpu = mechanism_gpu(trace, settings);
    uint64_t toggles = 0;
    *cycles = 0;
    for (int run = 0; run < 5; run++) {
        ws_error err = WS_NO_ERROR;
        ws_timed_counters counters;
        assert_true(ws_timed_run(gpu, 1, &counters, &err));
        *cycles += counters.cycles;
        toggles += ws_timed_counts(gpu, 0)[TOGGLES];
    }
    ws_timed_free(gpu);
    return toggles;
}

/* WP 3.5: "The benchmarks begin execution in oldest mode", not each of their launches. In launches shorter than a
 * quantum the selection goes on with what it has counted before. It toggles when a quantum of misses is over. */
static void quanta_last_over_launches(void **state) {
    (void)state;
    static const char *const warps[] = {"W1 W2 W3 W4 W5 W6 W7 W8", NULL};
    ws_trace *trace = generate_script(warps);
    uint64_t cycles, again;
    assert_int_equal(toggles_in_runs(trace, 1000000, &cycles), 0);
    uint64_t quantum = cycles * 2 / 7; /* more than a launch, but for the first */
    assert_int_equal(toggles_in_runs(trace, quantum, &again), 3);
    assert_int_equal(again, cycles); /* there is never a choice */
    ws_trace_close(trace);
}

/* ---- laws */

/* Warps that do not wait for their loads, so that requests meet. */
#define RUSH ",l1.latency=1,core.stall_on_use=63"

static void check_laws(const mechanism_result *r, const mechanism_result *off) {
    const ws_timed_counters *c = &r->counters;
    uint64_t atomics = off->counters.l1_bypasses;
    assert_int_equal(c->warp_instructions, off->counters.warp_instructions);
    assert_int_equal(c->thread_instructions, off->counters.thread_instructions);
    assert_int_equal(c->l1_bypasses, atomics);
    assert_int_equal(c->l1_accesses, c->l1_hits + c->l1_pending_hits + c->l1_misses + c->l1_sector_misses);
    assert_int_equal(r->counts[REQUESTS], r->counts[ACCESSES] + r->counts[MERGED]);
    assert_int_equal(r->counts[REQUESTS] + r->counts[WRITES], off->counters.l1_accesses + atomics);
    assert_int_equal(r->counts[ACCESSES] + r->counts[WRITES], c->l1_accesses + atomics);
    for (int i = STALL_CYCLES; i <= WRITEBACK_CYCLES; i++) assert_true(r->counts[i] <= c->sm_cycles);
}

/* Every request reaches the L1, alone or merged, and every load returns, or the replay would report a deadlock. */
static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const sizes[] = {
        "warppool.queues=16", "warppool.queues=1,warppool.queue_entries=1,warppool.coalescers=1",
        "warppool.coalescers=4,warppool.inter_queues=1,warppool.tags=1,warppool.map_entries=1",
        "warppool.merges=1,warppool.writeback_entries=1,warppool.selection=warp_id",
        "warppool.quantum=10,warppool.latency=3,warppool.merges=16"};
    uint64_t merged = 0, full = 0, unmapped = 0, toggles = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            char gpu[300], settings[500];
            snprintf(gpu, sizeof gpu, "%s" RUSH, mechanism_gpus[seed % MECHANISM_GPUS]);
            snprintf(settings, sizeof settings, "%s,mechanism.front=warppool,%s", gpu, sizes[(seed + k) % 5]);
            mechanism_result off = mechanism_run(trace, k, gpu), r = mechanism_run(trace, k, settings),
                             again = mechanism_run(trace, k, settings);
            assert_memory_equal(&r, &again, sizeof r);
            check_laws(&r, &off);
            if ((seed + k) % 5 == 3) assert_int_equal(r.counts[MERGED], 0);
            merged += r.counts[MERGED];
            full += r.counts[FULL];
            unmapped += r.counts[UNMAPPED];
            toggles += r.counts[TOGGLES];
        }
        ws_trace_close(trace);
    }
    assert_true(merged > 100 && full > 50 && unmapped > 100 && toggles > 100);
}

static void works_beside_icc(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char with[500], without[400];
            snprintf(without, sizeof without, "%s" RUSH ",gpu.sms_per_cluster=3", mechanism_gpus[g]);
            snprintf(with, sizeof with, "%s,mechanism.front=warppool,mechanism.cluster=icc", without);
            mechanism_result r = mechanism_run(trace, 1, with), off = mechanism_run(trace, 1, without);
            check_laws(&r, &off);
        }
        ws_trace_close(trace);
    }
}

/* ---- parameters, cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char spmv[] =
        "gpu.clusters=4,l1.size_B=4096,l1.index=linear,l1.mshr_entries=8,limit.warp_instructions=8000,"
        "mechanism.front=warppool,warppool.quantum=100";
    static const char *const changes[] = {"warppool.queues=1",
                                          "warppool.queue_entries=1",
                                          "warppool.coalescers=1",
                                          "warppool.inter_queues=1",
                                          "warppool.tags=1",
                                          "warppool.merges=1",
                                          "warppool.selection=oldest",
                                          "warppool.quantum=10000",
                                          "warppool.map_entries=1",
                                          "warppool.writeback_warps=4",
                                          "warppool.writeback_entries=1",
                                          "warppool.latency=30",
                                          "warppool.selection=warp_id",
                                          "mechanism.front=none",
                                          NULL};
    mechanism_each_matters("traces/spmv.wst", spmv, changes);
}

static void cost_is_the_published(void **state) {
    (void)state;
    static const uint64_t bytes[] = {592, 512, 992, 321, 2944};
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs("mechanism.front=warppool,l1.mshr_entries=32,l1.mshr_merges=8", costs),
                     5);
    for (int i = 0; i < 5; i++) assert_int_equal(costs[i].bits, 8 * bytes[i]);
}

static uint64_t own_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return 0x10000 + 128 * (uint64_t)(inst + 8 * (warp + 4 * cta)) + 4 * lane;
}

/* Programs that run at the same time have addresses of their own: no tag serves both, whatever the line. */
static void programs_do_not_merge(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(4, 4, 8, own_line);
    ws_trace *trace = generate_planned(&plan), *both = ws_trace_join(trace, trace, &err);
    for (unsigned line_B = 32; line_B <= 128; line_B *= 2) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 POOL
                 ",warppool.inter_queues=1024,warppool.tags=64,l1.mshr_entries=1,core.loop_programs=false,"
                 "l1.index=linear,l2.index=linear,l1.line_B=%u,l2.line_B=%u",
                 line_B, line_B);
        mechanism_result r = mechanism_run(both, 1, settings);
        assert_int_equal(r.counts[REQUESTS], 2 * 4 * 4 * 8 * (128 / line_B));
        assert_int_equal(r.counts[MERGED], 0);
    }
    ws_trace_close(both);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_do_not_merge),
        cmocka_unit_test(latency_adds_up),
        cmocka_unit_test(latency_adds_up_behind_collectors),
        cmocka_unit_test(program_order_is_kept_around_stores),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(waiting_requests_merge),
        cmocka_unit_test(other_mappings_take_an_entry),
        cmocka_unit_test(full_queues_stall),
        cmocka_unit_test(cycles_without_an_entry),
        cmocka_unit_test(cycles_without_a_tag),
        cmocka_unit_test(cycles_of_refused_writes),
        cmocka_unit_test(atomics_wait_for_loads),
        cmocka_unit_test(cycles_of_a_full_writeback_buffer),
        cmocka_unit_test(quanta_last_over_launches),
        cmocka_unit_test(a_queue_takes_one_request_per_cycle),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(works_beside_icc),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
