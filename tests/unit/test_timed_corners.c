/* Corners of the timed engine's configurations that random ones have led to: what holds elsewhere holds there, too. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/trace.h"
#include "../support/wakes.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Runs the launches of a trace one after another, and compares each with one all of whose parts have a turn in every
 * cycle. */
static void compare_launches(const ws_trace *trace, uint32_t launches, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_timed *skips = ws_timed_new(trace, config, &err), *polls = ws_timed_new(trace, config, &err);
    if (!skips || !polls) fail_msg("%s", err.text);
    ws_timed_poll(polls);
    for (uint32_t i = 1; i <= launches; i++) {
        ws_timed_counters a, b;
        if (!ws_timed_run(skips, i, &a, &err) || !ws_timed_run(polls, i, &b, &err)) fail_msg("%s", err.text);
        assert_memory_equal(&a, &b, sizeof a);
    }
    ws_timed_free(skips);
    ws_timed_free(polls);
    ws_config_free(config);
}

static void compare_random(uint64_t seed, const char *settings) {
    ws_trace *trace = generate_random(seed, 32);
    compare_launches(trace, 2, settings);
    ws_trace_close(trace);
}

/* A read may hold a bank of its group that is precharged in the same DRAM cycle: the bank is not to be examined later
 * on its account, when it may be idle. */
static void a_bank_is_held_while_it_is_precharged(void **state) {
    (void)state;
    compare_random(2280, "dram.rtpl=105,l1.index=linear");
}

/* Operand collectors let instructions of a warp overtake each other; with turns at the tags, neither is to wait for the
 * other. */
static void turns_behind_collectors(void **state) {
    (void)state;
    compare_random(446,
                   "core.memory_queue=6,core.collectors=1,core.sub_cores=false,core.memory_collectors=3,"
                   "core.coalescers=4,core.strong_past_l1=false,l1.size_B=4096,l1.line_B=32,l1.bank_by=set,"
                   "l2.line_B=32");
}

/* Instructions that wait for a unit may end later than the event wheel reaches: the last of 40 begins in the unit after
 * 39 times its interval. */
static void results_far_ahead(void **state) {
    (void)state;
    enum { WARPS = 40, INTERVAL = 128 };
    static const generate_inst one[] = {{.mask = UINT32_MAX, .kind = 'f', .dst = 1}, {.kind = 0}};
    const generate_inst *warps[WARPS + 1] = {NULL};
    for (int w = 0; w < WARPS; w++) warps[w] = one;
    ws_trace *trace = generate_code("sass", warps);
    ws_timed_counters c =
        mechanism_run(trace, 1, "gpu.clusters=1,core.fp_units=1,core.fp_interval=128,core.unit_queue=64")
            .counters;
    assert_in_range(c.cycles, (WARPS - 1) * INTERVAL, (WARPS - 1) * INTERVAL + 100);
    ws_trace_close(trace);
}

static const char *refusal(const char *settings) {
    ws_trace *trace = generate_random(1, 32);
    const char *text = mechanism_refusal(trace, settings);
    ws_trace_close(trace);
    return text;
}

/* Tags hold 2^24 - 2 lines, and the order of a set 2^16 - 1 ways. */
static void caches_beyond_what_tags_hold(void **state) {
    (void)state;
    static const char lines[] = "l1.index=linear,l1.line_B=32,l2.line_B=32,l2.ways=1024,l2.size_B=1073741824",
                      ways[] = "l1.index=linear,l1.ways=1,l1.size_B=128,l1.unified_B=16777216";
    assert_string_equal(refusal(lines),
                        "l2.size_B: expected at most 16777214 lines, found 33554432 (l2.size_B / "
                        "l2.line_B): raise l2.line_B, or take more slices");
    assert_string_equal(refusal(ways),
                        "l1.unified_B: expected at most 65535 ways, found 131072 (l1.unified_B / "
                        "sets / l1.line_B): raise l1.size_B, for more sets");
}

/* A boundary buffer holds the largest packet: a line of 128 B and 8 B more, in flits of 32 B, or four sectors with 8 B
 * each. */
static void boundary_buffers_hold_the_largest_packet(void **state) {
    (void)state;
    static const struct {
        const char *replies;
        int flits;
    } cases[] = {{"lines", 5}, {"sectors", 8}};
    ws_trace *trace = generate_random(1, 32);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[200], text[200];
        snprintf(settings, sizeof settings,
                 "noc.flit_B=32,noc.out_buffer=20,noc.replies=%s,noc.boundary_buffer=%d", cases[i].replies,
                 cases[i].flits);
        assert_true(mechanism_accepts(trace, settings));
        settings[strlen(settings) - 1]--;
        snprintf(text, sizeof text,
                 "noc.boundary_buffer: expected 0 or at least the %d flits of the largest packet, found %d",
                 cases[i].flits, cases[i].flits - 1);
        assert_string_equal(mechanism_refusal(trace, settings), text);
    }
    ws_trace_close(trace);
}

static void crossbars_have_steps_or_input_speedup(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_true(mechanism_accepts(trace, "noc.crossbar_speedup=2"));
    assert_true(mechanism_accepts(trace, "noc.input_speedup=true"));
    assert_string_equal(
        mechanism_refusal(trace, "noc.input_speedup=true,noc.crossbar_speedup=2"),
        "noc.crossbar_speedup: expected 1 with noc.input_speedup, whose crossbar has no steps; "
        "found 2");
    assert_string_equal(mechanism_refusal(trace, "noc.input_speedup=true,noc.injection_queue=9"),
                        "noc.injection_queue: expected 0 with noc.input_speedup, whose crossbar moves whole "
                        "packets; found 9");
    ws_trace_close(trace);
}

/* A flit crosses to the boundary buffer in the cycle in which it comes at the earliest. */
static void flits_do_not_cross_before_they_come(void **state) {
    (void)state;
    ws_trace *trace = generate_random(3702, 32);
    for (int speedup = 2; speedup <= 8; speedup++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "l1.line_B=32,l1.index=ipoly,noc.latency=0,noc.out_buffer=2,noc.boundary_buffer=40,"
                 "noc.crossbar_speedup=%d,l2.line_B=32",
                 speedup);
        wakes_compare(trace, 2, settings);
    }
    ws_trace_close(trace);
}

/* A launch without CTAs beside another one takes no time. */
static void a_launch_without_ctas_beside_another(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_random(3512, 64);
    ws_timed *timed = mechanism_gpu(trace, "core.concurrent_launches=2");
    ws_timed_counters c;
    if (!ws_timed_run(timed, 1, &c, &err)) fail_msg("%s", err.text);
    assert_int_equal(ws_timed_ran(timed), 2);
    for (uint32_t i = 1; i <= 2; i++) {
        ws_timed_share share = ws_timed_share_of(timed, i);
        assert_in_range(share.cycles, 0, c.cycles);
        if (!share.ctas) assert_int_equal(share.cycles, 0);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
}

static const char *pair_fails(const char *a, const char *b, const char *settings) {
    static ws_error err;
    err = WS_NO_ERROR;
    ws_trace *first = ws_trace_open(a, &err), *second = ws_trace_open(b, &err),
             *joined = first && second ? ws_trace_join(first, second, &err) : NULL;
    if (!joined) fail_msg("%s", err.text);
    ws_timed *timed = mechanism_gpu(joined, settings);
    bool ok = ws_timed_run(timed, 1, NULL, &err);
    ws_timed_free(timed);
    ws_trace_close(joined);
    ws_trace_close(first);
    ws_trace_close(second);
    return ok ? NULL : err.text;
}

/* A program that cannot go on is given up although the other one loops. */
static void a_program_is_stuck_beside_one_that_loops(void **state) {
    (void)state;
    const char *reason = pair_fails("traces/transpose.wst", "traces/hotspot.wst",
                                    "gpu.clusters=2,core.first_launch_sms=1,l1.write=through_lazy,"
                                    "l1.spare_dirty_percent=100,limit.ctas=4,core.deadlock_cycles=10000");
    if (!reason || !strstr(reason, "l1.spare_dirty_percent: expected less than 100"))
        fail_msg("%s", reason ? reason : "went on");
}

/* One that the other's CTAs keep from the only SM gets its turn once those of the other's launch have all started, also
 * if that program loops. */
static void a_program_that_gets_no_sm_waits_its_turn(void **state) {
    (void)state;
#define CROWDED "gpu.clusters=1,limit.ctas=64,core.deadlock_cycles=1000"
    assert_null(pair_fails("traces/transpose.wst", "traces/transpose.wst", CROWDED));
    assert_null(
        pair_fails("traces/transpose.wst", "traces/transpose.wst", CROWDED ",core.loop_programs=false"));
}

/* When a launch of the other program begins, the L1 of an SM with warps is emptied: what waited for a way goes on. */
static void an_emptied_l1_goes_on(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(3467, 32), *b = generate_random(3997, 32),
             *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    compare_launches(joined, 1,
                     "sm.ctas=1,l1.line_B=32,l1.write=through_lazy,l1.spare_dirty_percent=88.6143989716675,"
                     "limit.ctas=11,l2.line_B=32,l1.size_B=4096,core.deadlock_cycles=1000");
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

static uint64_t a_sector_per_lane(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta;
    return UINT64_C(0x10000) + ((warp * 30 + inst) * 32 + lane) * UINT64_C(32);
}

/* A port that gives packets to several others in a cycle moves more flits than there are cycles; those that take them
 * do not. */
static void ports_are_busy_for_at_most_all_of_their_time(void **state) {
    (void)state;
    generate_plan plan = generate_loads(16, 2, 30, a_sector_per_lane);
    plan.instruction.op = WS_MEMORY_STORE;
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters c = mechanism_run(trace, 1,
                                        "gpu.clusters=1,gpu.sms_per_cluster=16,noc.flit_B=8,"
                                        "noc.input_speedup=true,l1.access=sector")
                              .counters;
    assert_true(c.noc_flits_to_memory > c.cycles);
    assert_true(c.noc_flits_to_memory <= c.noc_port_cycles_to_memory);
    assert_int_equal(c.noc_port_cycles_to_sm, c.cycles);
    assert_true(c.noc_flits_to_sm <= c.noc_port_cycles_to_sm);
    ws_trace_close(trace);
}

static uint64_t cycles_of_access(ws_memory_op op, ws_class class_, const char *opcode, const char *settings) {
    generate_plan plan = generate_loads(2, 2, 6, a_sector_per_lane);
    plan.instruction.op = (uint8_t)op;
    plan.instruction.class_ = (uint8_t)class_;
    plan.opcode = opcode;
    ws_trace *trace = generate_planned(&plan);
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    ws_trace_close(trace);
    return cycles;
}

/* A program of the user's own may write accesses of any class, and call them what it likes: UPDATE is no instruction of
 * the uniform datapath. */
static void accesses_are_those_of_memory_by_any_name(void **state) {
    (void)state;
    static const char *const settings[] = {"l1.latency=30", "gpu=accelsim-rtx2060"}, *const names[] = {
                                                                                         "UPDATE", "ULDC",
                                                                                         "S2UR", "F2F",
                                                                                         "DADD"};
    static const ws_class classes[] = {WS_CLASS_INT, WS_CLASS_FP, WS_CLASS_SFU, WS_CLASS_TENSOR,
                                       WS_CLASS_OTHER};
    for (int op = WS_MEMORY_LOAD; op < WS_MEMORY_OP_COUNT; op++)
        for (size_t i = 0; i < WS_COUNT(settings); i++) {
            uint64_t cycles = cycles_of_access((ws_memory_op)op, WS_CLASS_MEM, "X", settings[i]);
            for (size_t c = 0; c < WS_COUNT(classes); c++)
                assert_int_equal(cycles_of_access((ws_memory_op)op, classes[c], "X", settings[i]), cycles);
            for (size_t n = 0; n < WS_COUNT(names); n++)
                assert_int_equal(cycles_of_access((ws_memory_op)op, WS_CLASS_MEM, names[n], settings[i]),
                                 cycles);
            for (ws_class c = WS_CLASS_INT; c < WS_CLASS_COUNT; c++) /* a branch or an exit ends, too */
                cycles_of_access((ws_memory_op)op, c, "X", settings[i]);
        }
}

/* A miss that waits for room at its cluster's port finds its line in the coalesced cache as soon as that has it. */
static void a_waiting_miss_finds_the_coalesced_cache(void **state) {
    (void)state;
    compare_random(
        2494,
        "gpu.clusters=1,gpu.sms_per_cluster=5,gpu.dispatch=distributed,core.simd_width=1,core.memory_queue="
        "26,"
        "core.collectors=10,core.fetches_per_cycle=3,core.fetch_cycles=5,l1.size_B=10240,l1.latency=5,noc."
        "flit_B=32,noc.latency=42,noc.out_buffer=3,noc.crossbar_speedup=8,l2.partition=ipoly,l2.latency=30,"
        "l2."
        "mshr_entries=10,l2.mshr_merges=1,dram.queue=1,dram.banks=1,dram.near_banks=1,dram.atom_B=16,dram."
        "clock_ratio=0.01,dram.rp=47,dram.cl=1,dram.rtpl=8,core.memory_ports=2,dram.channels=16,limit.ctas=7,"
        "order.issue_meta=true,l1.index=linear,l2.slices_per_channel=1,mechanism.cluster=icc");
}

/* Without single warps WarpMan is the baseline, also where a grid fills no SM: local memory lies in the same place, and
 * a unified L1 has as many ways. */
static void warpman_without_single_warps(void **state) {
    (void)state;
    static const char *const settings[] = {"core.local_interleaved=true",
                                           "sm.oversized_ctas=true,sm.shared_B=1024,l1.unified_B=32768,l1."
                                           "index=linear,l1.ways=4,l1.size_B=4096"};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t seed = 741; seed < 747; seed++) {
            char with[300];
            snprintf(with, sizeof with,
                     "%s,mechanism.dispatch=warpman,warpman.temporal=false,warpman.spatial=off", settings[i]);
            ws_trace *trace = generate_random(seed, 32);
            for (uint32_t launch = 1; launch <= 2; launch++) {
                ws_timed_counters a = mechanism_run(trace, launch, settings[i]).counters,
                                  b = mechanism_run(trace, launch, with).counters;
                assert_memory_equal(&a, &b, sizeof a);
            }
            ws_trace_close(trace);
        }
}

/* A crossbar that is faster than its ports fills them: requests that are sure to leave them are not known ahead. */
static void fast_crossbars_fill_their_ports(void **state) {
    (void)state;
    compare_random(179, "core.simd_width=17,noc.out_buffer=9,noc.crossbar_speedup=7,l2.ways=1,gpu.clusters=3,"
                        "dram.channels=1,limit.ctas=7,l2.size_B=2048");
}

#define REORDER "mechanism.partition=reorder,limit.warp_instructions=1500"

/* What the reorder unit reads comes to the slices past the network, and through its boundary buffers all the same. */
static void reads_of_a_partition_cross_the_boundary(void **state) {
    (void)state;
    ws_trace *trace = trace_open("traces/graphs/sssp-kron.wst");
    compare_launches(trace, 2, REORDER ",core.icache_B=1024,noc.boundary_buffer=40,dram.channels=1");
    ws_trace_close(trace);
}

/* The reorder unit begins with the launch, however long that takes. */
static void a_partition_begins_with_the_launch(void **state) {
    (void)state;
    ws_trace *trace = trace_open("traces/graphs/sssp-kron.wst");
    uint64_t soon = mechanism_run(trace, 2, REORDER).counters.cycles,
             late = mechanism_run(trace, 2, REORDER ",core.launch_cycles=5000").counters.cycles;
    assert_int_equal(late, soon + 5000);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bank_is_held_while_it_is_precharged),
        cmocka_unit_test(turns_behind_collectors),
        cmocka_unit_test(results_far_ahead),
        cmocka_unit_test(caches_beyond_what_tags_hold),
        cmocka_unit_test(boundary_buffers_hold_the_largest_packet),
        cmocka_unit_test(crossbars_have_steps_or_input_speedup),
        cmocka_unit_test(flits_do_not_cross_before_they_come),
        cmocka_unit_test(a_launch_without_ctas_beside_another),
        cmocka_unit_test(a_program_is_stuck_beside_one_that_loops),
        cmocka_unit_test(a_program_that_gets_no_sm_waits_its_turn),
        cmocka_unit_test(an_emptied_l1_goes_on),
        cmocka_unit_test(ports_are_busy_for_at_most_all_of_their_time),
        cmocka_unit_test(accesses_are_those_of_memory_by_any_name),
        cmocka_unit_test(a_waiting_miss_finds_the_coalesced_cache),
        cmocka_unit_test(fast_crossbars_fill_their_ports),
        cmocka_unit_test(warpman_without_single_warps),
        cmocka_unit_test(reads_of_a_partition_cross_the_boundary),
        cmocka_unit_test(a_partition_begins_with_the_launch),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
