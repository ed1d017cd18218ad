/* Operand collectors that a scheduler's instructions share: who waits where, and who goes on when; how instructions are
 * fetched. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- step by step: two schedulers, each with two collectors and one place behind them for memory instructions */

static const ws_core_params core = {.collectors = 2,
                                    .memory_queue = 8,
                                    .memory_ports = 2,
                                    .pipeline_cycles = 6,
                                    .int_units = 2,
                                    .fp_units = 2,
                                    .int_interval = 2,
                                    .fp_interval = 2};
static const ws_sm_params sm_params = {.schedulers = 2};
/* The first loads, with one operand; the others write to banks 0 and 1, as warp 0 sees them. */
static const ws_timed_static statics[] = {
    {.unit = WS_UNIT_MEMORY, .reads = 1}, {.writes = 0x1}, {.writes = 0x10}};
static ws_engine engine = {.core = &core,
                           .sm_params = &sm_params,
                           .statics = statics,
                           .units = {[WS_UNIT_INT] = 2, [WS_UNIT_FP] = 2}};

enum { BANKS = 4 }; /* of a scheduler */

enum { RING = 16 };

static ws_sm *new_sm(ws_memory_inst *ring) {
    ws_sm *s = calloc(1, sizeof *s);
    engine.now = 100;
    engine.schedulers = ws_divisor_of(2);
    engine.register_banks = ws_divisor_of(BANKS);
    s->memory = ring;
    s->memory_room = RING;
    return s;
}

static void free_sm(ws_sm *s) {
    free(s->events);
    free(s->loads);
    ws_queue_free(&s->ready);
    free(s);
}

static void issue_memory(ws_sm *s, uint8_t scheduler) {
    ws_memory_inst *m = &s->memory[(s->memory_first + s->memory_count++) % RING];
    *m = (ws_memory_inst){.scheduler = scheduler};
    ws_collect_memory(&engine, s, m);
}

/* The unit has ended with the first instruction, which is in it. */
static void end_first(ws_sm *s) {
    assert_int_equal(s->memory[s->memory_first].station, WS_STATION_UNIT);
    s->memory_first = (s->memory_first + 1) % RING;
    s->memory_count--;
}

/* The turn in the next cycle. */
static void turn(ws_sm *s) {
    engine.now++;
    ws_collect_step(&engine, s);
}

/* Stations of those in the queue, a letter each. */
static const char *stations(const ws_sm *s) {
    static char text[RING + 1];
    for (uint32_t i = 0; i < s->memory_count; i++)
        text[i] = "ulcb"[s->memory[(s->memory_first + i) % RING].station];
    text[s->memory_count] = 0;
    return text;
}

/* Of an instruction that its unit is busy with for so many cycles. Its operands lie in one bank. */
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

/* While the unit takes none, a scheduler's memory instructions fill what lies in front of it. Of two collectors the
 * first goes first, though the other has waited longer. */
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

/* Operands are read one in each half of a cycle; the unit takes one in two cycles, and the register in front of it
 * holds one, so that what follows waits in the collectors. */
static void arithmetic_holds_collectors(void **state) {
    (void)state;
    ws_memory_inst ring[RING] = {{0}};
    ws_sm *s = new_sm(ring);
    issue_fp(s, 0, 2);
    turn(s); /* 101: enters; 102: has read both, leaves; 103: the unit; 4 + 2 cycles later the result */
    issue_fp(s, 0, 2);
    turn(s); /* 102: enters; 103: leaves; 105: the unit */
    assert_int_equal(events_at(s, 109), 1);
    issue_fp(s, 0, 2);
    turn(s); /* 103: enters */
    assert_int_equal(events_at(s, 111), 1);
    issue_fp(s, 0, 0);
    turn(s); /* 104: enters the second collector, for the register is taken until 105 */
    issue_memory(s, 0);
    assert_false(events_at(s, 113));
    turn(s); /* 105: the third leaves, and a memory instruction takes its collector */
    assert_int_equal(events_at(s, 113), 1);
    assert_string_equal(stations(s), "c");
    turn(s);
    assert_string_equal(stations(s), "b");
    assert_false(events_at(s, 115));
    turn(s); /* 107: the fourth leaves */
    assert_int_equal(events_at(s, 115), 1);
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++) assert_true(ws_collect_takes(s, u, 0));
    free_sm(s);
}

/* While nothing moves for some cycles, the time at which the register is free again is not missed. */
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
    while (engine.now < second) {
        assert_int_equal(events_at(s, second + BUSY + 4 + 2), 0);
        turn(s);
    }
    assert_int_equal(events_at(s, second + BUSY + 4 + 2), 1);
    free_sm(s);
}

/* From half to half of a cycle: without operands it leaves in the second half of the cycle in which it enters. */
static void operands_take_half_cycles(void **state) {
    (void)state;
    for (uint8_t operands = 0; operands <= 4; operands++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_fp(s, 1, operands);
        uint64_t leaves = 101 + (operands + 1u) / 2;
        while (engine.now < 105) {
            turn(s);
            assert_int_equal(events_at(s, leaves + 1 + 4 + 2), engine.now >= leaves);
        }
        free_sm(s);
    }
}

/* The cycle in which the instruction leaves its collector; its result comes seven cycles later. */
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

/* Those of different banks at the same time, those of one bank one after the other. */
static void banks_are_read_side_by_side(void **state) {
    (void)state;
    static const struct {
        uint64_t reads; /* how many, four bits per bank */
        uint64_t leaves;
    } cases[] = {{0x0, 101}, {0x1, 102},    {0x1111, 102}, {0x2, 102}, {0x1112, 102},
                 {0x3, 103}, {0x3201, 103}, {0x4, 103},    {0x5, 104}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_memory_inst ring[RING] = {{0}};
        ws_sm *s = new_sm(ring);
        issue_reading(s, WS_UNIT_FP, 0, cases[i].reads);
        for (int k = 0; k < 6; k++) turn(s);
        assert_int_equal(leaves(s, 101), cases[i].leaves);
        free_sm(s);
    }
}

/* Whoever comes to its collector first reads first; a warp's registers lie one bank further than those of the warp
 * before, and schedulers have banks of their own. */
static void a_bank_serves_one_after_the_other(void **state) {
    (void)state;
    static const struct {
        uint8_t warp;   /* of the second instruction; the first, of warp 0, reads four times from bank 0 */
        uint64_t reads; /* of the second */
        uint64_t leaves;
    } cases[] = {{0, 0x1, 104}, {0, 0x10, 103},   {2, 0x100, 104}, {2, 0x1, 103},
                 {4, 0x1, 104}, {1, 0x1000, 103}, {2, 0x300, 105}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* In the first half of a cycle a bank takes a result instead of giving an operand; two results of one cycle count as
 * one. */
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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
    ws_returns_pass(&engine, s, load, 1, cycle);
    return load;
}

/* Each access' data are written to a bank, as results are. */
static void data_come_before_operands(void **state) {
    (void)state;
    static const struct {
        uint64_t cycle; /* in which data come */
        uint32_t static_id;
        uint64_t leaves;
    } cases[] = {{102, 1, 103}, {102, 2, 102}, {103, 1, 102}, {101, 1, 102}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* Data wait for results of arithmetic that are written to their bank in the same cycle, and those behind them, too. */
static void data_wait_for_results(void **state) {
    (void)state;
    static const struct {
        uint64_t cycle; /* of the result */
        uint32_t static_id;
        uint8_t warp;
        uint64_t first, second; /* cycles in which data come to two loads of warp 0 and banks 0 and 1 */
    } cases[] = {{101, 1, 0, 102, 103}, {102, 2, 0, 101, 103}, {101, 2, 0, 101, 102}, {100, 1, 0, 101, 102},
                 {101, 1, 1, 101, 102}, {101, 1, 8, 102, 103}, {101, 1, 2, 101, 102}, {102, 1, 0, 101, 102}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* ---- in a whole GPU */

#define SUB_CORES                                                                                            \
    "l1.access=sector,l1.index=linear,l1.write=through_lazy,l1.banks=4,sm.scheduler=lrr,sm.schedulers=4,"    \
    "core.memory_ports=4,core.memory_queue=16"

static void they_change_only_time(void **state) {
    (void)state;
    unsigned later = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            ws_timed_counters none = mechanism_run(trace, k, SUB_CORES).counters,
                              two = mechanism_run(trace, k, SUB_CORES ",core.collectors=2").counters,
                              again = mechanism_run(trace, k, SUB_CORES ",core.collectors=2").counters;
            assert_memory_equal(&two, &again, sizeof two);
            assert_int_equal(two.warp_instructions, none.warp_instructions);
            assert_int_equal(two.l1_accesses, none.l1_accesses);
            assert_int_equal(two.l1_bypasses, none.l1_bypasses);
            later += two.cycles > none.cycles;
        }
        ws_trace_close(trace);
    }
    assert_true(later > 0);
}

/* A warp's buffer holds two instructions. Of two fetches in a cycle the first is decoded in the same one. */
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
    for (size_t i = 0; i < sizeof banks / sizeof *banks; i++) {
        char settings[256];
        snprintf(settings, sizeof settings, "%s,core.collectors=2,core.register_banks=%s", SUB_CORES,
                 banks[i]);
        text = mechanism_refusal(trace, settings);
        assert_non_null(strstr(text, "core.register_banks: expected a multiple of sm.schedulers = 4"));
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_collector_goes_first),
        cmocka_unit_test(arithmetic_holds_collectors),
        cmocka_unit_test(a_collector_waits_until_the_register_is_free),
        cmocka_unit_test(operands_take_half_cycles),
        cmocka_unit_test(banks_are_read_side_by_side),
        cmocka_unit_test(a_bank_serves_one_after_the_other),
        cmocka_unit_test(results_come_before_operands),
        cmocka_unit_test(data_come_before_operands),
        cmocka_unit_test(data_wait_for_results),
        cmocka_unit_test(they_change_only_time),
        cmocka_unit_test(all_fetches_but_the_last_are_decoded_at_once),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
