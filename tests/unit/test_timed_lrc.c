/* The coalescer in front of an L2 slice (l2.lrc_entries): which reads join an earlier one, what they get when, and how
 * long others wait for room. test_slice has its definition. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/wakes.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SMS = 10, L2_LATENCY = 90, SECTORS = 4 };

/* One slice, which has what is read. */
#define SLICE                                                                                                \
    "dram.channels=1,l2.slices_per_channel=1,l2.latency=90,l2.size_B=1048576,l2.copies=true,noc.flit_B=0,"   \
    "l2.sectors_apart=true,core.launch_cycles=0"

static uint64_t the_same_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return 0x10000 + 4 * (uint64_t)lane;
}

static uint64_t another_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return 0x10000 + 128 * (uint64_t)inst + 4 * (uint64_t)lane;
}

/* What each of `sms` SMs does in `insts` instructions, all at the same time. */
static generate_plan plan_of(uint32_t sms, uint32_t insts,
                             uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t)) {
    generate_plan plan = generate_loads(sms, 1, insts, address);
    plan.copy_address = 0x10000;
    plan.copy_B = 1 << 16;
    return plan;
}

static ws_timed_counters play(const generate_plan *plan, uint32_t sms, uint32_t entries, uint32_t merges) {
    char settings[400];
    snprintf(settings, sizeof settings, SLICE ",gpu.clusters=%u,l2.lrc_entries=%u,l2.lrc_merges=%u", sms,
             entries, merges);
    ws_trace *trace = generate_planned(plan);
    ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return c;
}

/* SMs read the same line at the same time. One in `merges` of them goes to the tags, for each sector; all get it. */
static void reads_of_a_sector_join_the_first(void **state) {
    (void)state;
    generate_plan plan = plan_of(SMS, 1, the_same_line);
    for (uint32_t merges = 1; merges <= SMS + 1; merges++) {
        ws_timed_counters c = play(&plan, SMS, 256, merges);
        uint32_t served = (SMS + merges - 1) / merges;
        assert_int_equal(c.l2_hits, SECTORS * served);
        assert_int_equal(c.l2_accesses, c.l2_hits);
        assert_int_equal(c.l2_merged, SECTORS * (SMS - served));
        assert_int_equal(c.noc_packets_to_sm, SECTORS * SMS);
    }
    ws_timed_counters none = play(&plan, SMS, 0, 1);
    assert_int_equal(none.l2_hits, SECTORS * SMS);
    assert_int_equal(none.l2_merged, 0);
}

/* The tags serve a sector a cycle: without a coalescer, the last of SMS x SECTORS sectors leaves as many cycles after
 * the first. With one, all who read a sector get it in the same cycle, if the network's port gives packets to all of
 * them then; if it gives one a cycle, nothing is gained. */
static void they_get_it_with_the_first(void **state) {
    (void)state;
    static const char *const one_a_cycle = SLICE ",gpu.clusters=10", *const lrc = ",l2.lrc_entries=256",
                             *const many_a_cycle = SLICE ",gpu.clusters=10,noc.input_speedup=true";
    generate_plan one = plan_of(1, 1, the_same_line), all = plan_of(SMS, 1, the_same_line);
    const struct {
        const char *network, *lrc;
        uint64_t later;
    } cases[] = {{one_a_cycle, "", SECTORS * (SMS - 1)},
                 {one_a_cycle, lrc, SECTORS * (SMS - 1)},
                 {many_a_cycle, "", SECTORS * (SMS - 1)},
                 {many_a_cycle, lrc, 0}};
    ws_trace *alone = generate_planned(&one), *together = generate_planned(&all);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[400];
        snprintf(settings, sizeof settings, "%s%s", cases[i].network, cases[i].lrc);
        assert_int_equal(mechanism_run(together, 1, settings).counters.cycles,
                         mechanism_run(alone, 1, settings).counters.cycles + cases[i].later);
    }
    ws_trace_close(alone);
    ws_trace_close(together);
}

/* Stores and atomics are served one by one; so are reads without a later one for their sector. */
static void others_do_not_join(void **state) {
    (void)state;
    static const char *const scripts[][4] = {
        {"S1", "S1", "S1"}, {"A1", "A1", "A1"}, {"L1 S1 L2 S2", NULL}, {"L1 L2 L3", NULL}};
    for (size_t i = 0; i < WS_COUNT(scripts); i++)
        assert_int_equal(mechanism_play(scripts[i], SLICE ",l2.lrc_entries=64").counters.l2_merged, 0);
}

/* Loads that bypass the L1 join, too. */
static void reads_past_the_l1_join(void **state) {
    (void)state;
    static const char *const script[] = {"L1", "L1", "L1", NULL};
    ws_timed_counters c =
        mechanism_play(script, SLICE ",l2.lrc_entries=64,core.global_past_l1=true").counters;
    assert_int_equal(c.l2_merged, 2 * SECTORS);
    assert_int_equal(c.l2_accesses, SECTORS);
}

/* A request leaves the port only while there is room for a line's sectors and one more: with five entries only when
 * there are none. It then takes the L2's latency and a cycle to the tags, which serve a sector a cycle; the next one
 * leaves in the cycle after the last of them. */
static void requests_wait_for_room(void **state) {
    (void)state;
    generate_plan few = plan_of(1, 5, another_line), many = plan_of(1, 15, another_line);
    assert_int_equal(play(&many, 1, 256, 1).cycles - play(&few, 1, 256, 1).cycles, 10 * SECTORS);
    assert_int_equal(play(&many, 1, 5, 1).cycles - play(&few, 1, 5, 1).cycles,
                     10 * (L2_LATENCY + 1 + SECTORS));
}

/* Each sector that is asked for is answered once. */
static void each_is_answered_once(void **state) {
    (void)state;
    static const char *const settings[] = {
        "gpu.clusters=4,l2.sectors_apart=true,l2.lrc_entries=9,l2.lrc_merges=2,l1.size_B=512,l1.index=linear",
        "gpu.clusters=6,l2.sectors_apart=true,l2.lrc_entries=64,core.global_past_l1=true,noc.in_buffer=5",
        "gpu.clusters=3,l2.sectors_apart=true,l2.lrc_entries=6,l2.lrc_merges=40,l2.queue=8,l2.miss_queue=2"};
    uint64_t merged[WS_COUNT(settings)] = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t i = 0; i < WS_COUNT(settings); i++) {
            ws_timed_counters c = mechanism_run(trace, 1, settings[i]).counters;
            assert_int_equal(c.noc_packets_to_sm, c.l2_accesses + c.l2_merged);
            assert_int_equal(c.l2_accesses, c.l2_hits + c.l2_pending_hits + c.l2_misses + c.l2_sector_misses);
            merged[i] += c.l2_merged;
        }
        ws_trace_close(trace);
    }
    for (size_t i = 0; i < WS_COUNT(settings); i++) assert_true(merged[i] > 20);
}

/* The first SM reads a line that DRAM has. The second reads it `later` additions later, while another of its warps goes
 * on, with which it could go ahead of the others if it did not know that its data may come at once. */
static void data_come_in_time_for_an_sm_that_goes_ahead(void **state) {
    (void)state;
    enum { BUSY = 900 };
    for (uint32_t later = 5; later < 60; later += 6) {
        generate_inst idle[] = {{.kind = 'x', .mask = 1}, {0}},
                      reads[] = {{.kind = 'l', .mask = 1, .dst = 5, .line = 1},
                                 {.kind = 'x', .mask = 1, .pc = 8},
                                 {0}};
        generate_inst reads_later[64] = {{0}}, busy[BUSY + 2] = {{0}};
        for (uint32_t i = 0; i < later; i++)
            reads_later[i] = (generate_inst){.pc = 8 * i, .kind = 'i', .mask = 1, .dst = 4, .a = 4};
        reads_later[later] = (generate_inst){.pc = 800, .kind = 'l', .mask = 1, .dst = 5, .a = 4, .line = 1};
        reads_later[later + 1] = (generate_inst){.pc = 808, .kind = 'i', .mask = 1, .dst = 6, .a = 5};
        reads_later[later + 2] = (generate_inst){.pc = 816, .kind = 'x', .mask = 1};
        for (uint32_t i = 0; i < BUSY; i++)
            busy[i] = (generate_inst){.pc = 8 * i, .kind = 'i', .mask = 1, .dst = 4};
        busy[BUSY] = (generate_inst){.pc = 8 * BUSY, .kind = 'x', .mask = 1};
        const generate_inst *warps[] = {reads, idle, reads_later, busy, NULL};
        ws_trace *trace = generate_coded_ctas("sass", 2, warps);
        wakes_compare(trace, 1, "gpu.clusters=2,l2.sectors_apart=true,l2.lrc_entries=64,l2.latency=400");
        ws_trace_close(trace);
    }
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    ws_trace *trace = generate_script((const char *[]){"L1", NULL});
    assert_string_equal(
        mechanism_refusal(trace, "l2.lrc_entries=64"),
        "l2.lrc_entries: expected 0 without l2.sectors_apart, as the coalescer has an entry for "
        "each sector, found 64: set l2.sectors_apart to true");
    assert_string_equal(
        mechanism_refusal(trace, "l2.sectors_apart=true,l2.lrc_entries=4"),
        "l2.lrc_entries: expected 0 or more than the 4 sectors of a line, for which there must be "
        "room before a request comes, found 4");
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_a_sector_join_the_first),
        cmocka_unit_test(they_get_it_with_the_first),
        cmocka_unit_test(others_do_not_join),
        cmocka_unit_test(reads_past_the_l1_join),
        cmocka_unit_test(requests_wait_for_room),
        cmocka_unit_test(each_is_answered_once),
        cmocka_unit_test(data_come_in_time_for_an_sm_that_goes_ahead),
        cmocka_unit_test(what_cannot_work_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
