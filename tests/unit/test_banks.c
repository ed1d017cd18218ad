/* The banked L1 and the intra-warp coalescers in front of it (WP 4.1, 3.3): each rule to the cycle, then laws. */
#include "../support/every.h"
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

#define SMALL                                                                                                \
    "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,l1.size_B=32768,l1.ways=4,l1.index=linear,"           \
    "l1.allocation=on_fill,sm.schedulers=2,core.memory_ports=2,core.fetches_per_cycle=2,"                    \
    "l1.miss_queue=64"
/* All warps are fetched, and issue their first instruction, in the same cycle. */
#define BANKED SMALL ",l1.banks=8,l1.bank_by=set,core.fetches_per_cycle=8"
/* Warp 1 issues its access a cycle after warp 0. */
#define ONE_PORT ",sm.schedulers=1,core.memory_ports=1"
#define ONE_MISS BANKED ",l1.misses_per_cycle=1"

/* ---- loads of chosen lines: a table for each warp, [instruction][lane % 8] */

enum { BASE = 512, LANES = 8 };
static const int (*lines_of[2])[LANES];

static uint64_t chosen(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta;
    return 128 * (uint64_t)(BASE + lines_of[warp][inst][lane % LANES]);
}

static ws_trace *chosen_loads(uint32_t warps, uint32_t insts, const int (*first)[LANES],
                              const int (*second)[LANES]) {
    lines_of[0] = first;
    lines_of[1] = second;
    generate_plan plan = generate_loads(1, warps, insts, chosen);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each load waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    return generate_planned(&plan);
}

/* Cycles between the first n-th access of any line and the n-th access of `line`; n counts from 0. */
static uint64_t delay_of(const heard *h, int line, size_t n) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < h->count; i++) {
        size_t nth = 0;
        for (size_t k = 0; k < i; k++) nth += h->at[k].line == h->at[i].line;
        if (nth == n && h->at[i].cycle < first) first = h->at[i].cycle;
    }
    return heard_nth(h, (uint64_t)(BASE + line), n)->cycle - first;
}

/* ---- banks */

static const int in_one_bank[2][LANES] = {{0, 8, 16, 24, 32, 40, 48, 56}, {0, 8, 16, 24, 32, 40, 48, 56}};

/* Hits in eight different banks take one cycle; hits in one bank follow each other, the highest address first. */
static void banks_serve_hits_side_by_side(void **state) {
    (void)state;
    static const int apart[2][LANES] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}};
    ws_trace *trace = chosen_loads(1, 2, apart, apart);
    heard banked = heard_in(trace, ONE_MISS), one = heard_in(trace, SMALL);
    for (int i = 0; i < LANES; i++) {
        assert_int_equal(delay_of(&banked, i, 1), 0);
        assert_int_equal(delay_of(&one, i, 1), 7 - i);
    }
    assert_int_equal(one.counters.l1_busy_cycles, 16);
    /* one cycle for each miss, then one for all hits */
    assert_int_equal(banked.counters.l1_busy_cycles, 8 + 1);
    ws_trace_close(trace);

    trace = chosen_loads(1, 2, in_one_bank, in_one_bank);
    banked = heard_in(trace, ONE_MISS);
    for (int i = 0; i < LANES; i++) assert_int_equal(delay_of(&banked, 8 * i, 1), 7 - i);
    ws_trace_close(trace);
}

/* With banks of sets, a bank skips accesses that wait for another bank; with banks of sectors accesses are served in
 * order. */
static void each_bank_takes_its_own(void **state) {
    (void)state;
    static const int lines[2][LANES] = {{0, 1, 8, 16, 16, 16, 16, 16}, {0, 1, 8, 16, 16, 16, 16, 16}};
    ws_trace *trace = chosen_loads(1, 2, lines, lines);
    heard banked = heard_in(trace, BANKED);
    assert_int_equal(delay_of(&banked, 16, 1), 0);
    assert_int_equal(delay_of(&banked, 8, 1), 1);
    assert_int_equal(delay_of(&banked, 0, 1), 2);
    assert_int_equal(delay_of(&banked, 1, 1), 0);
    heard in_order = heard_in(trace, SMALL ",l1.banks=8");
    /* together with line 8, since line 16 keeps their bank busy in the first cycle */
    assert_int_equal(delay_of(&in_order, 1, 1), 1);
    ws_trace_close(trace);
}

/* Of eight accesses to one bank, as many go side by side as a bank serves. */
static void a_bank_serves_several(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 8, 32};
    ws_trace *trace = chosen_loads(1, 2, in_one_bank, in_one_bank);
    for (size_t k = 0; k < WS_COUNT(counts); k++) {
        const int n = counts[k], cycles = (LANES + n - 1) / n;
        char settings[400], one_miss[400];
        snprintf(settings, sizeof settings, SMALL ",l1.bank_accesses=%d", n);
        snprintf(one_miss, sizeof one_miss, ONE_MISS ",l1.bank_accesses=%d", n);
        heard h = heard_in(trace, settings), limited = heard_in(trace, one_miss);
        for (int i = 0; i < LANES; i++) {
            assert_int_equal(delay_of(&h, 8 * i, 0), (LANES - 1 - i) / n);
            assert_int_equal(delay_of(&h, 8 * i, 1), (LANES - 1 - i) / n);
            assert_int_equal(delay_of(&limited, 8 * i, 0), LANES - 1 - i);
            assert_int_equal(delay_of(&limited, 8 * i, 1), (LANES - 1 - i) / n);
        }
        assert_int_equal(h.counters.l1_busy_cycles, 2 * cycles);
        assert_int_equal(mechanism_run(trace, 1, settings).counters.l1_busy_cycles, 2 * cycles); /* unheard */
        assert_int_equal(limited.counters.l1_busy_cycles, LANES + cycles);
    }
    ws_trace_close(trace);
}

static uint64_t half_in_a_bank(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return 128 * (uint64_t)(BASE + 8 * (int)lane + (lane < 16));
}

/* A bank skips any number of accesses to other banks, here the 16 that half of a load has. */
static void a_bank_looks_past_many(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 2, half_in_a_bank);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    ws_trace *trace = generate_planned(&plan);
    heard h = heard_in(trace, BANKED);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(delay_of(&h, 8 * i + 1, 1), 15 - i);
        assert_int_equal(delay_of(&h, 8 * (16 + i), 1), 15 - i);
    }
    ws_trace_close(trace);
}

static uint64_t a_bank_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)inst;
    return 128 * (uint64_t)(BASE + 8 * (lane % LANES) + warp) + 32 * (warp / 2);
}

/* As many loads of different banks proceed at once as there are coalescers; each load uses its bank eight times. */
static void coalescers_bound_how_many_go_at_once(void **state) {
    (void)state;
    enum { WARPS = 4 };
    generate_plan plan = generate_loads(1, WARPS, 1, a_bank_each);
    ws_trace *trace = generate_planned(&plan);
    for (int k = 0; k < 2 * WARPS; k++) {
        int coalescers = k / 2 + 1, in_round[WARPS + 1] = {0};
        char settings[400];
        snprintf(settings, sizeof settings,
                 BANKED ",core.coalescers=%d,core.memory_ports=4,sm.schedulers=4,core.memory_queue=16,"
                        "l1.mshr_entries=64,l1.bank_by=%s",
                 coalescers, k % 2 ? "set" : "sector");
        heard h = heard_in(trace, settings);
        for (int warp = 0; warp < WARPS; warp++) {
            uint64_t round = delay_of(&h, 8 * (LANES - 1) + warp, 0) / LANES;
            in_round[round < WARPS ? round : WARPS]++;
        }
        for (int left = WARPS, round = 0; left > 0; left -= coalescers, round++)
            assert_int_equal(in_round[round], left < coalescers ? left : coalescers);
    }
    ws_trace_close(trace);
}

/* With misses_per_cycle=1 a single read misses per cycle, even if its line is already on its way; hits are not
 * limited. */
static void one_miss_per_cycle(void **state) {
    (void)state;
    static const int lines[2][LANES] = {{0, 1, 2, 3, 0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7}};
    ws_trace *trace = chosen_loads(1, 2, lines, lines);
    heard one = heard_in(trace, ONE_MISS), any = heard_in(trace, BANKED),
          two = heard_in(trace, BANKED ",l1.misses_per_cycle=2");
    bool taken[4] = {false};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(delay_of(&any, i, 0), 0);
        uint64_t delay = heard_nth(&one, (uint64_t)(BASE + i), 0)->cycle - one.at[0].cycle;
        assert_true(delay < 4 && !taken[delay]);
        taken[delay] = true;
        assert_in_range(heard_nth(&two, (uint64_t)(BASE + i), 0)->cycle - two.at[0].cycle, 0, 1);
    }
    uint64_t hits = heard_nth(&one, BASE, 1)->cycle;
    for (int i = 0; i < 4; i++) assert_int_equal(heard_nth(&one, (uint64_t)(BASE + i), 1)->cycle, hits);
    uint64_t last = 0;
    for (int i = 4; i < 8; i++) {
        uint64_t cycle = heard_nth(&one, (uint64_t)(BASE + i), 0)->cycle;
        assert_in_range(cycle, hits, hits + 3);
        if (cycle > last) last = cycle;
    }
    assert_int_equal(last, hits + 3);
    assert_int_equal(one.counters.l1_miss_port_waits, 2 * (1 + 2 + 3));
    assert_int_equal(any.counters.l1_miss_port_waits, 0);
    ws_trace_close(trace);

    static const int same[1][LANES] = {
        {0, 1, 2, 3, 4, 5, 6, 7}}; /* loads of two warps: all accesses of the second one merge */
    trace = chosen_loads(2, 1, same, same);
    one = heard_in(trace, ONE_MISS ",core.coalescers=2");
    assert_int_equal(one.counters.l1_misses, 8);
    assert_int_equal(one.counters.l1_pending_hits, 8);
    assert_int_equal(one.at[15].cycle - one.at[0].cycle, 15);
    ws_trace_close(trace);
}

/* Two banks with four misses each take turns if one read may miss per cycle. */
static void banks_take_turns_in_missing(void **state) {
    (void)state;
    static const int lines[1][LANES] = {{0, 8, 16, 24, 1, 9, 17, 25}};
    ws_trace *trace = chosen_loads(1, 1, lines, lines);
    heard h = heard_in(trace, ONE_MISS);
    assert_int_equal(h.count, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(h.at[i].line, BASE + 24 - 8 * (i / 2) + i % 2);
        assert_int_equal(h.at[i].cycle, h.at[0].cycle + i);
    }
    ws_trace_close(trace);
}

/* With one coalescer the tags serve one load at a time: a second load, which would hit in other banks, waits until
 * all misses of the first have an MSHR entry. With two coalescers it does not wait. */
static void one_load_at_a_time(void **state) {
    (void)state;
    static const int first[2][LANES] = {{1, 3, 5, 7, 1, 3, 5, 7}, {0, 2, 4, 6, 0, 2, 4, 6}},
                     second[2][LANES] = {{1, 3, 5, 7, 1, 3, 5, 7}, {1, 3, 5, 7, 1, 3, 5, 7}};
    ws_trace *trace = chosen_loads(2, 2, first, second);
    heard one = heard_in(trace, BANKED ONE_PORT ",l1.mshr_entries=2"),
          two = heard_in(trace, BANKED ONE_PORT ",l1.mshr_entries=2,core.coalescers=2");
    const heard *both[] = {&one, &two};
    for (int i = 0; i < 2; i++) {
        uint64_t last = 0;
        for (int line = 0; line < 8; line += 2) {
            uint64_t cycle = heard_nth(both[i], (uint64_t)(BASE + line), 0)->cycle;
            if (cycle > last) last = cycle;
        }
        const ws_timed_access *second_load = heard_nth(both[i], BASE + 1, 2);
        assert_int_equal(second_load->warp, 1);
        assert_int_equal(second_load->status, WS_TIMED_HIT);
        if (both[i] == &one)
            assert_int_equal(second_load->cycle, last + 1);
        else
            assert_true(second_load->cycle < last);
    }
    ws_trace_close(trace);
}

/* ---- coalescers */

/* Two warps' loads of four lines in different banks: with one coalescer one after the other, with two in the same
 * cycle. */
static void coalescers_serve_several_warps(void **state) {
    (void)state;
    static const int even[1][LANES] = {{0, 2, 4, 6, 0, 2, 4, 6}}, odd[1][LANES] = {{1, 3, 5, 7, 1, 3, 5, 7}},
                     both[1][LANES] = {{0, 8, 0, 8, 0, 8, 0, 8}};
    ws_trace *trace = chosen_loads(2, 1, even, odd);
    heard one = heard_in(trace, BANKED), two = heard_in(trace, BANKED ",core.coalescers=2");
    assert_int_equal(one.at[7].cycle - one.at[0].cycle, 1);
    assert_int_equal(two.at[7].cycle - two.at[0].cycle, 0);
    ws_trace_close(trace);

    trace = chosen_loads(2, 1, both, odd); /* the second load does not wait for the other line of the first */
    one = heard_in(trace, BANKED ONE_PORT);
    two = heard_in(trace, BANKED ONE_PORT ",core.coalescers=2");
    assert_int_equal(delay_of(&one, 0, 0), 1);
    assert_int_equal(delay_of(&one, 1, 0), 2);
    assert_int_equal(delay_of(&two, 0, 0), 1);
    assert_int_equal(delay_of(&two, 1, 0), 1);
    ws_trace_close(trace);
}

/* Each lane of warp 0 reads across the end of a line of bank 0; every other warp reads one line, in a bank of its
 * own. */
static uint64_t two_lines_of_each_lane(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)inst;
    return warp ? 128 * (uint64_t)(BASE + 1 + warp) : 128 * (uint64_t)(BASE + 8 * lane) + 126;
}

/* A coalescer belongs to an instruction until all of its accesses are done: with two coalescers the third warp's
 * load waits for the first warp's long one although the second warp's has finished. */
static void long_loads_keep_their_turn(void **state) {
    (void)state;
    enum { LANES_64 = 64, FIRST = 2 * LANES_64 };
    generate_plan plan = generate_loads(1, 3, 1, two_lines_of_each_lane);
    plan.warp_size = LANES_64;
    ws_trace *trace = generate_planned(&plan);
    heard two = heard_in(trace, BANKED ONE_PORT ",l1.mshr_entries=256,core.coalescers=2"),
          three = heard_in(trace, BANKED ONE_PORT ",l1.mshr_entries=256,core.coalescers=3");
    assert_int_equal(two.count, FIRST + 2);
    assert_int_equal(two.at[FIRST + 1].warp, 2);
    assert_true(heard_nth(&two, BASE + 2, 0)->cycle < two.at[FIRST / 2].cycle);
    assert_true(heard_nth(&three, BASE + 3, 0)->cycle < three.at[FIRST / 2].cycle);
    ws_trace_close(trace);
}

static heard script(const char *const *warps, const char *settings) {
    ws_trace *trace = generate_script(warps);
    heard h = heard_in(trace, settings);
    ws_trace_close(trace);
    return h;
}

/* "D" reads 32 lines of one bank: the same warp's next load waits behind it, another warp's does not. */
static void warps_keep_their_order(void **state) {
    (void)state;
    static const char *const behind[] = {"D64 L1", NULL}, *const beside[] = {"D64", "L1", NULL},
                             *const stored[] = {"D64 S1", NULL};
    heard h = script(behind, BANKED ",core.coalescers=4");
    assert_int_equal(h.at[32].line, 1);
    assert_int_equal(h.at[32].cycle - h.at[0].cycle, 32);
    h = script(stored, BANKED ",core.coalescers=4");
    assert_int_equal(h.at[32].op, WS_MEMORY_STORE);
    h = script(beside, BANKED ONE_PORT ",core.coalescers=2");
    assert_int_equal(h.at[0].warp, 0);
    assert_int_equal(heard_nth(&h, 1, 0)->cycle - h.at[0].cycle, 1);
    h = script(beside, BANKED ONE_PORT);
    assert_int_equal(heard_nth(&h, 1, 0)->cycle - h.at[0].cycle, 32);
}

/* Nothing moves across a barrier: behind it warp 1 reads only after all reads of warp 0 before it have reached the
 * L1. */
static void barriers_hold(void **state) {
    (void)state;
    static const char *const barred[] = {"D64 B L2", "B L1", NULL}, *const free_[] = {"D64 L2", "L1", NULL};
    heard h = script(barred, BANKED ",core.coalescers=4");
    assert_int_equal(h.count, 34);
    for (size_t i = 0; i < 32; i++) assert_int_equal(h.at[i].warp, 0);
    h = script(free_, BANKED ",core.coalescers=4");
    assert_true(heard_nth(&h, 1, 0)->cycle < h.at[31].cycle);
}

/* ---- laws */

static const char *const gpus[] = {
    "gpu.clusters=1,dram.channels=2,core.stall_on_use=63",
    "gpu.clusters=2,l1.access=sector,l1.write=through_lazy,l1.index=linear,noc.flit_B=8,core.stall_on_use=63",
    "gpu.clusters=1,gpu.sms_per_cluster=2,noc.in_buffer=4,noc.out_buffer=1,l1.mshr_entries=4,l1.mshr_merges="
    "2,"
    "l1.size_B=4096,l1.index=linear,l1.latency=1,core.memory_queue=2,core.stall_on_use=63"};

/* One bank of sets behaves like one bank of sectors with at most one miss per cycle, and one coalescer like the
 * default. */
static void one_of_each_is_the_baseline(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (size_t g = 0; g < WS_COUNT(gpus); g++) {
            char settings[500];
            snprintf(settings, sizeof settings, "%s,l1.bank_by=set,l1.misses_per_cycle=1,core.coalescers=1",
                     gpus[g]);
            mechanism_result a = mechanism_run(trace, 1, gpus[g]), b = mechanism_run(trace, 1, settings);
            assert_memory_equal(&a.counters, &b.counters, sizeof a.counters);
        }
        ws_trace_close(trace);
    }
}

/* With any number of banks and coalescers every access reaches the tags once, every load returns once, hits, misses
 * and the other outcomes add up to the accesses, and a second run gives the same result. There are at most as many
 * accesses as the banks serve in the busy cycles. */
static void nothing_is_lost(void **state) {
    (void)state;
    static const char *const forms[] = {",l1.banks=8,l1.bank_by=set",
                                        ",l1.banks=8,l1.bank_by=set,l1.misses_per_cycle=1",
                                        ",core.coalescers=3",
                                        ",l1.banks=4,l1.bank_by=set,core.coalescers=16",
                                        ",l1.banks=4,l1.misses_per_cycle=2,core.coalescers=2",
                                        ",core.coalescers=4,mechanism.front=mrpb",
                                        ",l1.banks=2,l1.bank_by=set,mechanism.front=warppool",
                                        ",l1.bank_accesses=3,core.coalescers=2",
                                        ",l1.banks=2,l1.bank_by=set,l1.bank_accesses=2,core.coalescers=3",
                                        ",l1.bank_accesses=2,mechanism.front=mrpb",
                                        ",l1.banks=2,l1.bank_accesses=2,mechanism.front=warppool"};
    static const uint64_t most[] = {8, 8, 1, 4, 4, 1, 2, 3, 4, 2, 4}; /* accesses in a cycle */
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (size_t g = 0; g < WS_COUNT(gpus); g++)
            for (size_t f = (seed + g) % EVERY; f < WS_COUNT(forms); f += EVERY) {
                char settings[600];
                snprintf(settings, sizeof settings, "%s%s", gpus[g], forms[f]);
                if (g == 0 && f == 3) strcat(settings, ",l1.index=xor");
                mechanism_result base = mechanism_run(trace, 1, gpus[g]),
                                 r = mechanism_run(trace, 1, settings),
                                 again = mechanism_run(trace, 1, settings);
                const ws_timed_counters *c = &r.counters;
                assert_memory_equal(c, &again.counters, sizeof *c);
                assert_int_equal(c->warp_instructions, base.counters.warp_instructions);
                assert_int_equal(c->loads, base.counters.loads);
                if (!strstr(forms[f], "front")) assert_int_equal(c->l1_accesses, base.counters.l1_accesses);
                assert_int_equal(c->l1_accesses,
                                 c->l1_hits + c->l1_pending_hits + c->l1_misses + c->l1_sector_misses);
                assert_true(c->l1_busy_cycles <= c->l1_accesses + c->l1_bypasses);
                assert_true(c->l1_accesses <= most[f] * c->l1_busy_cycles);
            }
        ws_trace_close(trace);
    }
}

/* Loads that come from operand collectors come in another order than that in which they issued. Their turns keep the
 * accesses of one out of the way of those that go before them, which would wait behind it for ever. */
static void loads_out_of_order_keep_out_of_the_way(void **state) {
    (void)state;
    static const char *const forms[] = {"core.coalescers=2,l1.latency=1,l1.access=sector",
                                        "core.coalescers=3,l1.latency=3,l1.access=sector",
                                        "core.coalescers=2,l1.latency=20,l1.access=line"};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (size_t f = 0; f < WS_COUNT(forms); f++) {
            char settings[600];
            snprintf(settings, sizeof settings,
                     "gpu.clusters=1,dram.channels=2,l1.size_B=16384,l1.index=linear,l1.banks=2,%s,core."
                     "collectors=2,core.memory_ports=4,core.memory_queue=20,sm.schedulers=4",
                     forms[f]);
            uint64_t instructions = mechanism_run(trace, 1, settings).counters.warp_instructions;
            strcat(settings, ",l1.bank_by=set");
            assert_int_equal(mechanism_run(trace, 1, settings).counters.warp_instructions, instructions);
        }
        ws_trace_close(trace);
    }
}

static void more_banks_than_sets_are_refused(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_string_equal(
        mechanism_refusal(trace, "l1.size_B=2048,l1.ways=4,l1.index=linear,l1.banks=8,l1.bank_by=set"),
        "l1.banks: expected at most as many banks as sets (4) for l1.bank_by set, found 8");
    ws_trace_close(trace);
}

/* Shared memory serves one instruction at a time; meanwhile another coalescer can read global memory. */
static uint64_t one_bank_of_shared(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return 128 * (uint64_t)lane;
}

static uint64_t shared_cycles(uint32_t warps, const char *settings) {
    generate_plan plan = generate_loads(1, warps, 1, one_bank_of_shared);
    plan.instruction.space = WS_SPACE_SHARED;
    ws_trace *trace = generate_planned(&plan);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r.counters.cycles;
}

static void shared_memory_serves_one(void **state) {
    (void)state;
    uint64_t one = shared_cycles(1, SMALL), two = shared_cycles(2, SMALL);
    assert_in_range(two - one, 31, 33); /* the 32 passes of one more instruction */
    assert_int_equal(shared_cycles(2, SMALL ",core.coalescers=2"), two);
}

/* WP tab. 1 gives 256 B for each added coalescer; banks add no storage. */
static void cost_is_the_published(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs(ONE_MISS, costs), 0);
    assert_int_equal(mechanism_costs(ONE_MISS ",core.coalescers=3", costs), 1);
    assert_int_equal(costs[0].bits, 2 * 256 * 8);
    assert_int_equal(costs[0].per, WS_PER_SM);
    assert_int_equal(mechanism_costs("mechanism.front=mrpb,core.coalescers=2", costs), 2);
    assert_int_equal(costs[1].bits, 256 * 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_serve_hits_side_by_side),
        cmocka_unit_test(each_bank_takes_its_own),
        cmocka_unit_test(a_bank_serves_several),
        cmocka_unit_test(a_bank_looks_past_many),
        cmocka_unit_test(coalescers_bound_how_many_go_at_once),
        cmocka_unit_test(one_miss_per_cycle),
        cmocka_unit_test(banks_take_turns_in_missing),
        cmocka_unit_test(one_load_at_a_time),
        cmocka_unit_test(coalescers_serve_several_warps),
        cmocka_unit_test(long_loads_keep_their_turn),
        cmocka_unit_test(warps_keep_their_order),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(shared_memory_serves_one),
        cmocka_unit_test(one_of_each_is_the_baseline),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(loads_out_of_order_keep_out_of_the_way),
        cmocka_unit_test(more_banks_than_sets_are_refused),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
