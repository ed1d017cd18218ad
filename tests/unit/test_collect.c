/* Shared operand collectors: which instruction waits where, which proceeds first; returning data; instruction fetch. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"
#include "timed/l1/l1.h"
#include "timed/sm/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- step by step: two schedulers, each with two collectors and one place behind them for memory instructions */

enum { BANKS = 4 }; /* of a scheduler */
static const ws_core_params core = {.sub_cores = true,
                                    .collectors = 2,
                                    .register_banks = 2 * BANKS,
                                    .bank_reads = 2,
                                    .result_buses = 8,
                                    .memory_queue = 8,
                                    .memory_ports = 2,
                                    .pipeline_cycles = 6,
                                    .int_units = 2,
                                    .fp_units = 2,
                                    .int_interval = 2,
                                    .fp_interval = 2};
static const ws_sm_params sm_params = {.schedulers = 2};
/* The first instruction loads, with one operand; the others write to banks 0 and 1, as seen by warp 0. */
static ws_timed_static statics[] = {{.unit = WS_UNIT_MEMORY, .reads = 1}, {.writes = 0x1}, {.writes = 0x10}};
static ws_engine engine = {.sm_params = &sm_params, .statics = {.at = statics}};

enum { RING = 16 };

static ws_sm *new_sm_with(const ws_core_params *with, ws_memory_inst *ring) {
    ws_sm *s = calloc(1, sizeof *s);
    assert_non_null(s);
    ws_sm_init_queues(s);
    engine.now = 100;
    engine.core = with;
    engine.schedulers = ws_divisor_of(2);
    ws_units_init(&engine);
    ws_collect_lay_out(&engine);
    s->memory = ring;
    s->memory_room = RING;
    return s;
}

static ws_sm *new_sm(ws_memory_inst *ring) {
    return new_sm_with(&core, ring);
}

static void free_sm(ws_sm *s) {
    free(s->events);
    free(s->loads);
    ws_queue_free(&s->ready[WS_FROM_PORT]);
    ws_queue_free(&s->collectors.far_ends);
    free(s);
}

static void issue_memory(ws_sm *s, uint8_t scheduler) {
    ws_memory_inst *m = &s->memory[(s->memory_first + s->memory_count++) % RING];
    *m = (ws_memory_inst){.scheduler = scheduler};
    ws_collect_memory(&engine, s, m);
}

/* The unit ends the oldest memory instruction, which must be in it. */
static void end_first(ws_sm *s) {
    assert_int_equal(s->memory[s->memory_first].station, WS_STATION_UNIT);
    s->memory_first = (s->memory_first + 1) % RING;
    s->memory_count--;
}

/* Takes the turn in the next cycle. */
static void turn(ws_sm *s) {
    engine.now++;
    ws_collect_step(&engine, s);
}

/* Returns the stations of the memory instructions in the queue, a letter each. */
static const char *stations(const ws_sm *s) {
    static char text[RING + 1];
    for (uint32_t i = 0; i < s->memory_count; i++)
        text[i] = "ulcb"[s->memory[(s->memory_first + i) % RING].station];
    text[s->memory_count] = 0;
    return text;
}

/* Issues an FP instruction that keeps its unit busy for `unit_cycles`. All of its operands lie in one bank. */
static void issue_long_fp(ws_sm *s, uint8_t scheduler, uint8_t operands, uint32_t unit_cycles) {
    ws_collect_issue(&engine, s, WS_UNIT_FP,
                     &(ws_latched){.how = {.latency = 4, .unit_cycles = unit_cycles},
                                   .scheduler = scheduler,
                                   .reads = operands,
                                   .awaited = true});
}

static void issue_fp(ws_sm *s, uint8_t scheduler, uint8_t operands) {
    issue_long_fp(s, scheduler, operands, 2);
}

static unsigned events_at(const ws_sm *s, uint64_t cycle) {
    unsigned count = 0;
    for (uint32_t at = s->wheel[cycle % WS_WHEEL]; at; at = s->events[at - 1].next) count++;
    return count;
}

/* While the memory unit accepts none, a scheduler's memory instructions fill the stations in front of it. Of two
 * collectors the first leaves first, even if the other has waited longer. */
static void the_first_collector_goes_first(void **state) {
    (void)state;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm(ring);
    issue_memory(s, 0);
    assert_false(ws_collect_takes(s, WS_UNIT_MEMORY, 0));
    assert_true(ws_collect_takes(s, WS_UNIT_MEMORY, 1));
    turn(s); /* 101: A enters */
    issue_memory(s, 0);
    assert_string_equal(stations(s), "cl");
    turn(s); /* 102: A has its operand and leaves, B enters */
    issue_memory(s, 0);
    assert_string_equal(stations(s), "bcl");
    turn(s); /* 103: C enters the second collector */
    issue_memory(s, 0);
    turn(s); /* 104: D finds none */
    assert_string_equal(stations(s), "bccl");
    assert_false(ws_collect_takes(s, WS_UNIT_MEMORY, 0));

    issue_memory(s, 1);
    turn(s); /* 105: an older one waits for its own scheduler's, so this one waits, too */
    assert_string_equal(stations(s), "bccll");

    engine.now++; /* 106: the unit takes A, B leaves the first collector, D enters it, then E */
    assert_true(ws_collect_take(&engine, s));
    assert_false(ws_collect_take(&engine, s));
    ws_collect_step(&engine, s);
    assert_string_equal(stations(s), "ubccc");
    assert_true(ws_collect_takes(s, WS_UNIT_MEMORY, 0));

    engine.now++; /* 107: the unit takes B, and D leaves before C */
    end_first(s);
    assert_true(ws_collect_take(&engine, s));
    ws_collect_step(&engine, s);
    assert_string_equal(stations(s), "ucbb");
    engine.now++; /* 108: the oldest that has left is D */
    end_first(s);
    assert_true(ws_collect_take(&engine, s));
    assert_string_equal(stations(s), "cub");
    free_sm(s);
}

/* A bank reads one operand per half cycle; the unit accepts one instruction in two cycles and the register in front
 * of it holds one, so later instructions wait in the collectors. */
static void arithmetic_holds_collectors(void **state) {
    (void)state;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm(ring);
    issue_fp(s, 0, 2);
    turn(s); /* 101: enters; 102: has read both, leaves; 103: the unit; 4 + 2 cycles later the result */
    issue_fp(s, 0, 2);
    turn(s); /* 102: enters; 103: leaves; 105: the unit */
    issue_fp(s, 0, 2);
    assert_false(events_at(s, 109));
    turn(s); /* 103: enters */
    assert_int_equal(events_at(s, 109), 1);
    issue_fp(s, 0, 0);
    turn(s); /* 104: enters the second collector, for the register is taken until 105 */
    issue_memory(s, 0);
    assert_false(events_at(s, 111));
    turn(s); /* 105: the third leaves, and a memory instruction takes its collector */
    assert_int_equal(events_at(s, 111), 1);
    assert_string_equal(stations(s), "c");
    turn(s);
    assert_string_equal(stations(s), "b");
    assert_false(events_at(s, 113));
    turn(s); /* 107: the fourth leaves */
    assert_int_equal(events_at(s, 113), 1);
    turn(s);
    assert_false(events_at(s, 115));
    turn(s);
    assert_int_equal(events_at(s, 115), 1);
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++) assert_true(ws_collect_takes(s, u, 0));
    free_sm(s);
}

/* The cycle in which the register becomes free is not missed when nothing moves for some cycles before. */
static void a_collector_waits_until_the_register_is_free(void **state) {
    (void)state;
    enum { BUSY = 6 };
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm(ring);
    for (int i = 0; i < 3; i++) {
        issue_long_fp(s, 0, 2, BUSY);
        turn(s); /* 101, 102, 103: enters; the first leaves at 102, the second at 103 */
    }
    uint64_t second = 103 + BUSY; /* the unit takes the second, and the third leaves */
    for (; engine.now < second + BUSY; turn(s)) {
        assert_int_equal(s->collectors.taken[0] != 0, engine.now < second);
        assert_int_equal(events_at(s, second + BUSY + 4 + 2), 0);
    }
    assert_int_equal(events_at(s, second + BUSY + 4 + 2), 1);
    free_sm(s);
}

/* Two schedulers' units would begin in the same cycle, but there is one result bus: the second one begins in the next,
 * for which the collectors ask for a turn. */
static void one_result_at_a_time(void **state) {
    (void)state;
    ws_core_params one_bus = core;
    one_bus.result_buses = 1;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm_with(&one_bus, ring);
    issue_fp(s, 0, 0);
    issue_fp(s, 1, 0);
    turn(s); /* 101: both enter and leave */
    turn(s); /* 102: the first begins */
    assert_int_equal(events_at(s, 102 + 4 + 2), 1);
    assert_int_equal(s->collectors.next, 103);
    turn(s);
    assert_int_equal(events_at(s, 103 + 4 + 2), 1);
    assert_int_equal(s->collectors.next, WS_NEVER);
    free_sm(s);
}

/* Reads take half cycles: without operands an instruction leaves in the second half of the cycle in which it enters. */
static void operands_take_half_cycles(void **state) {
    (void)state;
    for (uint8_t operands = 0; operands <= 4; operands++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_fp(s, 1, operands);
        uint64_t leaves = 101 + (operands + 1u) / 2;
        while (engine.now < 105) {
            turn(s);
            assert_int_equal(events_at(s, leaves + 1 + 4 + 2), engine.now > leaves);
        }
        free_sm(s);
    }
}

/* Returns the cycle in which the instruction leaves its collector, seven cycles before its result. */
static uint64_t leaves(ws_sm *s, uint64_t from) {
    for (uint64_t cycle = from; cycle < from + 20; cycle++)
        if (events_at(s, cycle + 1 + 4 + 2)) return cycle;
    return 0;
}

static void issue_reading(ws_sm *s, enum ws_unit unit, uint8_t warp, uint64_t reads) {
    ws_collect_issue(&engine, s, unit,
                     &(ws_latched){.how = {.latency = 4, .unit_cycles = 1},
                                   .warp = warp,
                                   .scheduler = warp % 2,
                                   .reads = reads,
                                   .awaited = true});
}

/* Operands in different banks are read at the same time, those in one bank one after the other. */
static void banks_are_read_side_by_side(void **state) {
    (void)state;
    static const struct {
        uint64_t reads; /* how many, four bits per bank */
        uint64_t leaves;
    } cases[] = {{0x0, 101}, {0x1, 102},    {0x1111, 102}, {0x2, 102}, {0x1112, 102},
                 {0x3, 103}, {0x3201, 103}, {0x4, 103},    {0x5, 104}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_reading(s, WS_UNIT_FP, 0, cases[i].reads);
        for (int k = 0; k < 6; k++) turn(s);
        assert_int_equal(leaves(s, 101), cases[i].leaves);
        free_sm(s);
    }
}

/* The instruction that enters its collector first reads first. A warp's registers lie one bank further than those of
 * the previous warp, and each scheduler has banks of its own. */
static void a_bank_serves_one_after_the_other(void **state) {
    (void)state;
    static const struct {
        uint8_t warp;   /* of the second instruction; the first, of warp 0, reads four times from bank 0 */
        uint64_t reads; /* of the second */
        uint64_t leaves;
    } cases[] = {{0, 0x1, 104}, {0, 0x10, 103},   {2, 0x100, 104}, {2, 0x1, 103},
                 {4, 0x1, 104}, {1, 0x1000, 103}, {2, 0x300, 105}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_reading(s, WS_UNIT_INT, 0, 0x4);
        turn(
            s); /* 101: comes, reads in its second half, twice in 102, in the first half of 103, and leaves */
        issue_reading(s, WS_UNIT_FP, cases[i].warp, cases[i].reads);
        for (int k = 0; k < 6; k++) turn(s); /* 102: comes */
        assert_int_equal(events_at(s, 103 + 7) + events_at(s, 104 + 7) + events_at(s, 105 + 7), 2);
        assert_true(events_at(s, cases[i].leaves + 7) > 0);
        if (cases[i].leaves == 103) assert_int_equal(events_at(s, 103 + 7), 2);
        free_sm(s);
    }
}

/* In the first half of a cycle a bank writes a result instead of reading an operand; two results in one cycle take
 * no longer than one. */
static void results_come_before_operands(void **state) {
    (void)state;
    static const struct {
        uint64_t cycle; /* in which results are written */
        uint32_t static_id;
        unsigned times;
        uint8_t warp;
        uint64_t leaves;
    } cases[] = {{102, 1, 1, 0, 103}, {102, 1, 2, 0, 103}, {102, 2, 1, 0, 102}, {102, 2, 1, 2, 102},
                 {102, 1, 1, 4, 103}, {102, 1, 1, 1, 102}, {103, 1, 1, 0, 102}, {101, 1, 1, 0, 102}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_reading(s, WS_UNIT_FP, 0, 0x2); /* in the halves 101.5 and 102 */
        for (int k = 0; k < 6; k++) {
            engine.now++;
            for (unsigned n = 0; engine.now == cases[i].cycle && n < cases[i].times; n++)
                ws_collect_write(&engine, s, cases[i].warp, cases[i].static_id, engine.now);
            ws_collect_step(&engine, s);
        }
        assert_int_equal(leaves(s, 101), cases[i].leaves);
        free_sm(s);
    }
}

/* A load of the warp whose data for one access come in that cycle; it waits for others, too. */
static uint32_t load_that_gets_one(ws_sm *s, uint8_t warp, uint32_t static_id, uint64_t cycle) {
    uint32_t load = ws_load_new(&engine, s, warp, static_id, 5);
    ws_returns_pass(&engine, s, load, 1, WS_NO_ENTRY, cycle);
    return load;
}

/* The data of each access are written to a bank, as results are. */
static void data_come_before_operands(void **state) {
    (void)state;
    static const struct {
        uint64_t cycle; /* in which data come */
        uint32_t static_id;
        uint64_t leaves;
    } cases[] = {{102, 1, 103}, {102, 2, 102}, {103, 1, 102}, {101, 1, 102}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        load_that_gets_one(s, 0, cases[i].static_id, cases[i].cycle);
        issue_reading(s, WS_UNIT_FP, 0, 0x2); /* in the halves 101.5 and 102 */
        for (int k = 0; k < 6; k++) {
            engine.now++;
            assert_int_equal(ws_returns_serve(&engine, s), engine.now == cases[i].cycle);
            ws_collect_step(&engine, s);
        }
        assert_int_equal(leaves(s, 101), cases[i].leaves);
        free_sm(s);
    }
}

/* Data, and those behind them, wait for arithmetic results that are written to the same bank in the same cycle. */
static void data_wait_for_results(void **state) {
    (void)state;
    static const struct {
        uint64_t cycle; /* of the result */
        uint32_t static_id;
        uint8_t warp;
        uint64_t first, second; /* cycles in which data come to two loads of warp 0 and banks 0 and 1 */
    } cases[] = {{101, 1, 0, 102, 103}, {102, 2, 0, 101, 103}, {101, 2, 0, 101, 102}, {100, 1, 0, 101, 102},
                 {101, 1, 1, 101, 102}, {101, 1, 8, 102, 103}, {101, 1, 2, 101, 102}, {102, 1, 0, 101, 102}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        uint32_t first = load_that_gets_one(s, 0, 1, 101), second = load_that_gets_one(s, 0, 2, 101);
        for (; engine.now < 105; engine.now++) {
            if (engine.now == cases[i].cycle)
                ws_collect_take_ports(&engine, s, cases[i].warp, cases[i].static_id);
            ws_returns_serve(&engine, s);
            assert_int_equal(s->loads[first].left, engine.now < cases[i].first ? 5 : 4);
            assert_int_equal(s->loads[second].left, engine.now < cases[i].second ? 5 : 4);
        }
        free_sm(s);
    }
}

/* ---- all schedulers in one lane, and units: what ends together */

static const ws_core_params one_lane = {.collectors = 4,
                                        .collector_ports = 1,
                                        .register_banks = BANKS,
                                        .bank_reads = 1,
                                        .result_buses = 8,
                                        .memory_ports = 1,
                                        .int_units = 2,
                                        .fp_units = 2,
                                        .sfu_units = 1};
static const ws_core_params sub_cores = {.sub_cores = true,
                                         .collectors = 4,
                                         .register_banks = 2 * BANKS,
                                         .bank_reads = 2,
                                         .result_buses = 8,
                                         .memory_ports = 2,
                                         .memory_queue = 12,
                                         .int_units = 2,
                                         .fp_units = 2,
                                         .sfu_units = 1};

/* Instructions have names. */
typedef struct inst {
    char name; /* 0: there are no more */
    enum ws_unit unit;
    uint32_t latency, unit_cycles;
    uint64_t issued, reads; /* issued: so many cycles after 100 */
} inst;

static void issue_named(ws_sm *s, const inst *i) {
    ws_collect_issue(&engine, s, i->unit,
                     &(ws_latched){.how = {.latency = i->latency, .unit_cycles = i->unit_cycles},
                                   .static_id = (uint32_t)i->name,
                                   .reads = i->reads,
                                   .awaited = true});
}

/* Returns the cycle in which a unit begins with the instruction, or 0 if none has. */
static uint64_t begins(const ws_sm *s, const inst *i) {
    for (uint64_t cycle = 100; cycle < 700; cycle++)
        for (uint32_t at = s->wheel[cycle % WS_WHEEL]; at; at = s->events[at - 1].next)
            if (s->events[at - 1].static_id == (uint32_t)i->name) return cycle - i->latency - 2;
    return 0;
}

static void check_begins(const ws_core_params *with, const inst *insts, const uint64_t *cycles) {
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm_with(with, ring);
    for (const inst *next = insts; engine.now < 350; turn(s))
        for (; next->name && 100 + next->issued == engine.now; next++) issue_named(s, next);
    for (; insts->name; insts++) assert_int_equal(begins(s, insts), *cycles++);
    free_sm(s);
}

/* Of those that all share one leaves in a cycle, first from the second collector, then from there on. FP, SFU, INT come
 * to them at 101, in this order; a unit begins in the cycle behind that in which one leaves. */
static void one_leaves_the_generic_set_in_a_cycle(void **state) {
    (void)state;
    static const inst insts[] = {
        {'A', WS_UNIT_INT, 4, 1, 0, 0}, {'B', WS_UNIT_FP, 4, 1, 0, 0}, {'C', WS_UNIT_SFU, 4, 1, 0, 0}, {0}};
    check_begins(&one_lane, insts, (uint64_t[]){104, 105, 103});
}

/* With more ports, as many enter it for each kind of unit, and as many leave it. C is in its first collector, whose
 * turn comes last. */
static void the_generic_set_has_ports(void **state) {
    (void)state;
    static const inst insts[] = {
        {'A', WS_UNIT_INT, 4, 1, 0, 0}, {'B', WS_UNIT_INT, 4, 1, 0, 0}, {'C', WS_UNIT_FP, 4, 1, 0, 0}, {0}};
    ws_core_params with = one_lane;
    check_begins(&with, insts, (uint64_t[]){103, 105, 104});
    with.collector_ports = 2;
    check_begins(&with, insts, (uint64_t[]){103, 103, 104});
    with.collector_ports = 3;
    check_begins(&with, insts, (uint64_t[]){103, 103, 103});
}

/* As many as there are units come to a kind's own collectors, and leave them, in a cycle; what finds none takes a
 * generic one. One of each kind goes there before: A, so that D waits. */
static void own_collectors_let_as_many_out_as_there_are_units(void **state) {
    (void)state;
    static const inst insts[] = {{'A', WS_UNIT_FP, 4, 1, 0, 0},
                                 {'B', WS_UNIT_FP, 4, 1, 0, 0},
                                 {'C', WS_UNIT_FP, 4, 1, 0, 0},
                                 {'D', WS_UNIT_INT, 4, 1, 0, 0},
                                 {0}};
    ws_core_params with = one_lane;
    with.collectors = 1;
    with.fp_collectors = 2;
    with.fp_units = 3;
    check_begins(&with, insts, (uint64_t[]){103, 103, 103, 104});
}

/* One a cycle comes to the collectors, and leaves them, however many units there are. */
static void own_collectors_have_ports(void **state) {
    (void)state;
    static const enum ws_unit units[] = {WS_UNIT_FP, WS_UNIT_DP, WS_UNIT_SFU};
    ws_core_params with = one_lane;
    with.collectors = 0;
    with.fp_collectors = with.dp_collectors = with.sfu_collectors = 3;
    with.fp_units = with.dp_units = with.sfu_units = 3;
    for (int64_t ports = 0; ports <= 2; ports++) {
        with.fp_ports = with.dp_ports = with.sfu_ports = ports;
        for (size_t u = 0; u < WS_COUNT(units); u++) {
            const inst insts[] = {
                {'A', units[u], 4, 1, 0, 0}, {'B', units[u], 4, 1, 0, 0}, {'C', units[u], 4, 1, 0, 0}, {0}};
            uint64_t second = ports == 1 ? 104 : 103, third = ports == 0 ? 103 : ports == 1 ? 105 : 104;
            check_begins(&with, insts, (uint64_t[]){103, second, third});
        }
    }
}

/* Two units are busy; what was issued first goes on first, though it came to the units later. */
static void units_take_the_oldest(void **state) {
    (void)state;
    static const inst insts[] = {{'A', WS_UNIT_FP, 4, 10, 0, 0},
                                 {'B', WS_UNIT_FP, 4, 12, 1, 0},
                                 {'C', WS_UNIT_FP, 4, 1, 2, 3},
                                 {'D', WS_UNIT_FP, 4, 5, 3, 0},
                                 {0}};
    check_begins(&one_lane, insts, (uint64_t[]){103, 104, 113, 114});
}

/* All schedulers share the latches, one for each unit. */
static void schedulers_share_latches(void **state) {
    (void)state;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm_with(&one_lane, ring);
    issue_fp(s, 0, 0);
    for (unsigned k = 0; k < 2; k++) assert_true(ws_collect_takes(s, WS_UNIT_FP, k));
    issue_fp(s, 0, 0);
    for (unsigned k = 0; k < 2; k++) assert_false(ws_collect_takes(s, WS_UNIT_FP, k));
    assert_true(ws_collect_takes(s, WS_UNIT_INT, 0));
    issue_memory(s, 1); /* memory_ports = 1 */
    assert_false(ws_collect_takes(s, WS_UNIT_MEMORY, 0));
    turn(s);
    for (unsigned k = 0; k < 2; k++) assert_true(ws_collect_takes(s, WS_UNIT_FP, k));
    assert_true(ws_collect_takes(s, WS_UNIT_MEMORY, 0));
    free_sm(s);
}

/* A unit begins later with what would end together with an instruction before, as EXIT with a latency of 1. Without
 * operands what is issued at 100 begins at 103, with sub-cores, in halves of cycles, at 102. */
static void a_unit_ends_with_one_in_a_cycle(void **state) {
    (void)state;
    static const struct {
        uint32_t first, second; /* latencies */
        uint64_t apart;
        enum ws_unit other; /* of the second */
        uint64_t later;
    } cases[] = {
        {4, 1, 3, WS_UNIT_SFU, 1},       {4, 1, 2, WS_UNIT_SFU, 0},     {4, 3, 1, WS_UNIT_SFU, 1},
        {4, 4, 1, WS_UNIT_SFU, 0},       {4, 1, 3, WS_UNIT_INT, 0},     {62, 61, 1, WS_UNIT_SFU, 1},
        {64, 63, 1, WS_UNIT_SFU, 1},     {200, 199, 1, WS_UNIT_SFU, 1}, {200, 4, 196, WS_UNIT_SFU, 1},
        {200, 100, 100, WS_UNIT_SFU, 1}, {200, 4, 196, WS_UNIT_INT, 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const inst insts[] = {{'A', WS_UNIT_SFU, cases[i].first, 1, 0, 0},
                              {'B', cases[i].other, cases[i].second, 1, cases[i].apart, 0},
                              {0}};
        uint64_t second = cases[i].apart + cases[i].later;
        check_begins(&one_lane, insts, (uint64_t[]){103, 103 + second});
        check_begins(&sub_cores, insts, (uint64_t[]){102, 102 + second});
    }
}

/* Two units of different kinds end in the same cycle only if there are two result buses. */
static void results_wait_for_a_bus(void **state) {
    (void)state;
    static const uint32_t latencies[][2] = {{5, 4}, {64, 63}, {200, 199}, {200, 4}};
    for (size_t i = 0; i < 2 * WS_COUNT(latencies); i++) {
        uint32_t first = latencies[i / 2][0], second = latencies[i / 2][1], apart = first - second;
        const inst insts[] = {
            {'A', WS_UNIT_FP, first, 1, 0, 0}, {'B', WS_UNIT_INT, second, 1, apart, 0}, {0}};
        ws_core_params lane = one_lane, cores = sub_cores;
        lane.result_buses = cores.result_buses = 1 + i % 2;
        uint64_t later = apart + (i % 2 == 0);
        check_begins(&lane, insts, (uint64_t[]){103, 103 + later});
        check_begins(&cores, insts, (uint64_t[]){102, 102 + later});
    }
}

/* B's time is known long before its unit is free; A's result still has its bus, which C has to wait for. */
static void a_bus_is_kept_while_others_look_further_ahead(void **state) {
    (void)state;
    static const inst insts[] = {
        {'A', WS_UNIT_FP, 20, 9, 0, 0}, {'B', WS_UNIT_FP, 4, 1, 1, 0}, {'C', WS_UNIT_INT, 18, 1, 2, 0}, {0}};
    ws_core_params with = sub_cores;
    with.result_buses = 1;
    check_begins(&with, insts, (uint64_t[]){102, 111, 105});
}

/* ---- in a whole GPU */

#define SUB_CORES                                                                                            \
    "l1.access=sector,l1.index=linear,l1.write=through_lazy,l1.banks=4,sm.scheduler=lrr,sm.schedulers=4,"    \
    "core.memory_ports=4,core.memory_queue=16"

#define ONE_LANE                                                                                             \
    "core.sub_cores=false,core.collectors=2,core.fp_collectors=1,core.memory_collectors=2,"                  \
    "core.memory_queue=6,core.result_buses=2,core.bank_reads=1"

/* Runs with a turn in each cycle, not only in those that were asked for. */
static ws_timed_counters run_polled(const ws_trace *trace, uint32_t kernel, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_timed_counters counters;
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_poll(timed);
    if (!ws_timed_run(timed, kernel, &counters, &err)) fail_msg("%s: %s", settings, err.text);
    ws_timed_free(timed);
    return counters;
}

static void check_only_time_changes(const char *without, const char *with) {
    unsigned later = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            ws_timed_counters none = mechanism_run(trace, k, without).counters,
                              some = mechanism_run(trace, k, with).counters,
                              again = run_polled(trace, k, with);
            assert_memory_equal(&some, &again, sizeof some);
            assert_int_equal(some.warp_instructions, none.warp_instructions);
            assert_int_equal(some.l1_accesses, none.l1_accesses);
            assert_int_equal(some.l1_bypasses, none.l1_bypasses);
            later += some.cycles > none.cycles;
        }
        ws_trace_close(trace);
    }
    assert_true(later > 0);
}

static void they_change_only_time(void **state) {
    (void)state;
    static const char two[] = "sm.schedulers=2,core.memory_ports=2,core.memory_queue=8";
    char with[256];
    check_only_time_changes(SUB_CORES, SUB_CORES ",core.collectors=2");
    snprintf(with, sizeof with, "%s,core.collectors=2", two);
    check_only_time_changes(two, with);
    check_only_time_changes("sm.schedulers=2", "sm.schedulers=2," ONE_LANE);
}

/* A warp's buffer holds two instructions. Of two fetches in a cycle the first is decoded in that cycle. */
static void all_fetches_but_the_last_are_decoded_at_once(void **state) {
    (void)state;
    enum { INSTS = 64 };
    generate_plan plan = generate_loads(1, 1, INSTS, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    plan.opcode = "IADD";
    ws_trace *trace = generate_planned(&plan);
    uint64_t one = mechanism_run(trace, 1, "core.fetches_per_cycle=1").counters.cycles,
             two = mechanism_run(trace, 1, "core.fetches_per_cycle=2").counters.cycles,
             slow = mechanism_run(trace, 1, "core.fetches_per_cycle=2,core.fetch_cycles=3").counters.cycles;
    assert_int_equal(one - two, INSTS / 2);
    assert_int_equal(slow, one);
    ws_trace_close(trace);
}

/* Sub-cores have no collectors for a kind of unit; in the only lane each kind needs some. */
static void sets_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const char *const lack[] = {"core.fp_collectors=1,core.sfu_collectors=1",
                                       "core.fp_collectors=1,core.memory_collectors=1",
                                       "core.sfu_collectors=1,core.memory_collectors=1"},
                             *const units[] = {"int", "dp", "tensor", "branch", "uniform"};
    static const char own[] =
        "core.sub_cores=false,core.fp_collectors=1,core.sfu_collectors=1,core.memory_collectors=2";
    ws_trace *trace = generate_random(1, 32);
    const char *text = mechanism_refusal(trace, SUB_CORES ",core.collectors=2,core.memory_collectors=1");
    assert_non_null(strstr(text, "core.memory_collectors: expected 0 with core.sub_cores"));
    char settings[256];
    for (size_t i = 0; i < WS_COUNT(lack); i++) {
        snprintf(settings, sizeof settings, "core.sub_cores=false,%s", lack[i]);
        assert_non_null(strstr(mechanism_refusal(trace, settings), "core.collectors: expected some"));
    }
    for (size_t i = 0; i < WS_COUNT(units); i++) {
        snprintf(settings, sizeof settings, "%s,core.%s_units=1", own, units[i]);
        assert_non_null(strstr(mechanism_refusal(trace, settings), "core.collectors: expected some"));
    }
    mechanism_run(trace, 1, own); /* there are FP units, special-function ones, and the load/store unit */
    mechanism_run(trace, 1,
                  "core.sub_cores=false,core.collectors=16,core.fp_collectors=16,core.memory_queue=64");
    text = mechanism_refusal(trace, "core.sub_cores=false,core.collectors=3,core.memory_collectors=1");
    assert_non_null(strstr(text, "core.memory_queue: expected at least 2 x core.memory_ports + "));
    assert_non_null(strstr(text, "= 6, found 5"));
    text = mechanism_refusal(trace, "core.sub_cores=false,core.collectors=2,core.register_banks=17");
    assert_non_null(strstr(text, "core.register_banks: expected a multiple of 1, at most 16"));
    text = mechanism_refusal(trace, "core.sub_cores=false,core.collectors=16,core.fp_collectors=16,"
                                    "core.sfu_collectors=1,core.memory_queue=64");
    assert_non_null(strstr(text, "expected at most 32 together, found 33"));
    ws_trace_close(trace);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    const char *text = mechanism_refusal(trace, "sm.schedulers=2,core.collectors=2");
    assert_non_null(strstr(text, "core.collectors: expects a memory port for each scheduler"));
    text = mechanism_refusal(trace, SUB_CORES ",core.collectors=3");
    assert_string_equal(text,
                        "core.memory_queue: expected at least core.memory_ports x (core.collectors + 2) = "
                        "20, found 16");
    text = mechanism_refusal(trace, SUB_CORES ",core.collectors=2,core.memory_queue=15");
    assert_non_null(strstr(text, "= 16, found 15"));
    static const char *const banks[] = {"2", "6", "68"};
    for (size_t i = 0; i < WS_COUNT(banks); i++) {
        char settings[256];
        snprintf(settings, sizeof settings, "%s,core.collectors=2,core.register_banks=%s", SUB_CORES,
                 banks[i]);
        text = mechanism_refusal(trace, settings);
        assert_non_null(strstr(text, "core.register_banks: expected a multiple of 4 = sm.schedulers"));
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_collector_goes_first),
        cmocka_unit_test(arithmetic_holds_collectors),
        cmocka_unit_test(a_collector_waits_until_the_register_is_free),
        cmocka_unit_test(one_result_at_a_time),
        cmocka_unit_test(operands_take_half_cycles),
        cmocka_unit_test(banks_are_read_side_by_side),
        cmocka_unit_test(a_bank_serves_one_after_the_other),
        cmocka_unit_test(results_come_before_operands),
        cmocka_unit_test(data_come_before_operands),
        cmocka_unit_test(data_wait_for_results),
        cmocka_unit_test(one_leaves_the_generic_set_in_a_cycle),
        cmocka_unit_test(the_generic_set_has_ports),
        cmocka_unit_test(own_collectors_let_as_many_out_as_there_are_units),
        cmocka_unit_test(own_collectors_have_ports),
        cmocka_unit_test(units_take_the_oldest),
        cmocka_unit_test(schedulers_share_latches),
        cmocka_unit_test(a_unit_ends_with_one_in_a_cycle),
        cmocka_unit_test(results_wait_for_a_bus),
        cmocka_unit_test(a_bus_is_kept_while_others_look_further_ahead),
        cmocka_unit_test(they_change_only_time),
        cmocka_unit_test(all_fetches_but_the_last_are_decoded_at_once),
        cmocka_unit_test(refusals),
        cmocka_unit_test(sets_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
