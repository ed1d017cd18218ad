/* Data on their way to registers: those of shared memory compete with those of the L1 and with results of arithmetic,
 * and the front slot's owner may hold data up. */
#include "timed/l1/lsu.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LATENCY = 6 };
static const ws_core_params core = {.sub_cores = true,
                                    .collectors = 2,
                                    .register_banks = 8,
                                    .bank_reads = 2,
                                    .result_buses = 8,
                                    .memory_queue = 8,
                                    .memory_ports = 2,
                                    .shared_latency = LATENCY};
static const ws_sm_params sm_params = {.schedulers = 2};
/* A load that writes to one register bank. */
static ws_timed_static statics[] = {
    {.unit = WS_UNIT_MEMORY, .op = WS_MEMORY_LOAD, .shared = true, .writes = 1}};
static ws_register_sets registers[1];
static ws_engine engine = {.sm_params = &sm_params,
                           .core = &core,
                           .statics = {.at = statics, .registers = registers, .register_words = 1}};

static uint64_t pending[WS_SLOTS], loading[WS_SLOTS];

static ws_sm *new_sm(void) {
    ws_sm *s = calloc(1, sizeof *s);
    assert_non_null(s);
    ws_sm_init_queues(s);
    s->pending = pending;
    s->loading = loading;
    engine.now = 100;
    engine.schedulers = ws_divisor_of(2);
    ws_collect_lay_out(&engine);
    return s;
}

static void free_sm(ws_sm *s) {
    free(s->events);
    free(s->loads);
    for (unsigned from = 0; from < WS_ORIGINS; from++) ws_queue_free(&s->ready[from]);
    free(s);
}

/* When data of shared memory and of the L1 have both arrived, they are written in turns. */
static void shared_data_take_turns(void **state) {
    (void)state;
    ws_sm *s = new_sm();
    s->warps[0].in_flight = s->shared_awaited = 10;
    for (int i = 0; i < 3; i++)
        ws_returns_pass(&engine, s, ws_load_new(&engine, s, 0, 0, 5), 1, WS_NO_ENTRY, 101);
    for (int i = 0; i < 2; i++) ws_returns_pass_shared(&engine, s, 0, 0, 0);
    static const uint32_t shared[] = {2, 1, 1, 0, 0, 0}, others[] = {3, 3, 2, 2, 1, 0};
    for (; engine.now < 106; engine.now++) {
        ws_returns_serve(&engine, s);
        assert_int_equal(s->ready[WS_FROM_SHARED].count, shared[engine.now - 100]);
        assert_int_equal(s->ready[WS_FROM_PORT].count, others[engine.now - 100]);
    }
    assert_int_equal(s->shared_awaited, 10 - 2);
    free_sm(s);
}

/* Data of shared memory wait for results of arithmetic, as those of the L1 do; meanwhile shared memory fills up. */
static void shared_memory_fills_up(void **state) {
    (void)state;
    enum { RESULTS = 20 };
    ws_memory_inst read = {0};
    ws_sm *s = new_sm();
    s->warps[0].in_flight = 100;
    uint32_t taken = 0;
    for (uint64_t begin = engine.now; engine.now < begin + RESULTS; engine.now++) {
        ws_collect_take_ports(&engine, s, 0, 0);
        if (engine.now >= begin + LATENCY && s->ready[WS_FROM_SHARED].count < taken)
            ws_returns_pass_shared(&engine, s, 0, 0, 0);
        ws_returns_serve(&engine, s);
        bool takes = ws_returns_take_shared(&engine, s);
        assert_int_equal(takes, taken < LATENCY + 1); /* the last of them waits in front of its registers */
        if (!takes) continue;
        ws_returns_await_shared(&engine, s, &read);
        taken++;
    }
    free_sm(s);
}

/* A result of arithmetic that comes in the cycle in which data would be written takes the port of their bank. */
static void data_wait_for_results_of_the_same_cycle(void **state) {
    (void)state;
    for (int results = 0; results < 3; results++) {
        ws_sm *s = new_sm();
        s->warps[0].in_flight = 100;
        ws_returns_pass(&engine, s, ws_load_new(&engine, s, 0, 0, 5), 1, WS_NO_ENTRY, 101);
        for (int i = 0; i < results; i++)
            ws_sm_schedule(&engine, s, 101 + (uint64_t)i, (ws_event){.kind = WS_EVENT_COMPLETE});
        for (; engine.now < 105; engine.now++) {
            ws_sm_take_events(&engine, s);
            ws_returns_serve(&engine, s);
            assert_int_equal(s->ready[WS_FROM_PORT].count, engine.now < 101 + (uint64_t)results);
        }
        free_sm(s);
    }
}

static uint32_t groups_returned;
static void count_group(void *self, ws_engine *e, ws_sm *s, uint32_t group) {
    (void)self, (void)e, (void)s;
    groups_returned += group == 0;
}

/* Data for the front slot's owner, which writes no registers now, do not wait for a port of the registers. */
static void data_of_groups_need_no_port(void **state) {
    (void)state;
    static const ws_front_slot owner = {.returned = count_group};
    ws_sm *s = new_sm();
    engine.front_slot = &owner;
    ws_returns_pass(&engine, s, ws_load_group(&engine, s, 0, 0), 1, WS_NO_ENTRY, 101);
    for (; engine.now < 103; engine.now++) {
        ws_collect_take_ports(&engine, s, 0, 0);
        ws_returns_serve(&engine, s);
        assert_int_equal(groups_returned, engine.now > 100);
    }
    engine.front_slot = NULL;
    free_sm(s);
}

static bool is_blocked;
static bool blocks(void *self, const ws_engine *e) {
    (void)self, (void)e;
    return is_blocked;
}

/* Where the front slot's owner can hold data up, held data are passed on one per cycle, with operand collectors and
 * without, even if all are for one group. */
static void held_data_come_one_by_one(void **state) {
    (void)state;
    static const ws_front_slot owner = {.returned = count_group, .blocks_returns = blocks};
    for (int collectors = 0; collectors < 2; collectors++) {
        ws_sm *s = new_sm();
        engine.front_slot = &owner;
        engine.collecting.used = collectors;
        uint32_t group = ws_load_group(&engine, s, 0, 0);
        s->loads[group].left = 3;
        for (int i = 0; i < 3; i++) ws_returns_pass(&engine, s, group, 1, WS_NO_ENTRY, 101);
        for (; engine.now < 113; engine.now++) {
            is_blocked = engine.now < 110;
            assert_int_equal(ws_returns_serve(&engine, s), !is_blocked);
            assert_int_equal(s->ready[collectors ? WS_FROM_PORT : WS_FROM_L1].count,
                             is_blocked ? 3 : 112 - engine.now);
        }
        engine.front_slot = NULL;
        free_sm(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_data_take_turns), cmocka_unit_test(shared_memory_fills_up),
        cmocka_unit_test(data_wait_for_results_of_the_same_cycle),
        cmocka_unit_test(data_of_groups_need_no_port), cmocka_unit_test(held_data_come_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
