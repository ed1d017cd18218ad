/* Data of shared memory on their way to registers, beside those of the L1 and results of arithmetic. */
#include "timed/engine.h"

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
/* A load that writes to a bank. */
static const ws_timed_static statics[] = {
    {.unit = WS_UNIT_MEMORY, .op = WS_MEMORY_LOAD, .shared = true, .writes = 1}};
static ws_register_sets registers[1];
static ws_engine engine = {
    .sm_params = &sm_params, .core = &core, .statics = statics, .registers = registers};

static ws_sm *new_sm(void) {
    ws_sm *s = calloc(1, sizeof *s);
    assert_non_null(s);
    engine.now = 100;
    engine.schedulers = ws_divisor_of(2);
    ws_collect_lay_out(&engine);
    return s;
}

static void free_sm(ws_sm *s) {
    free(s->events);
    free(s->loads);
    ws_queue_free(&s->ready);
    ws_queue_free(&s->shared_ready);
    free(s);
}

/* Data of shared memory and others that are there at the same time are written in turns. */
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
        assert_int_equal(s->shared_ready.count, shared[engine.now - 100]);
        assert_int_equal(s->ready.count, others[engine.now - 100]);
    }
    assert_int_equal(s->shared_awaited, 10 - 2);
    free_sm(s);
}

/* They wait for results of arithmetic, as others do; meanwhile shared memory fills up. */
static void shared_memory_fills_up(void **state) {
    (void)state;
    enum { RESULTS = 20 };
    ws_memory_inst read = {0};
    ws_sm *s = new_sm();
    s->warps[0].in_flight = 100;
    uint32_t taken = 0;
    for (uint64_t begin = engine.now; engine.now < begin + RESULTS; engine.now++) {
        ws_collect_take_ports(&engine, s, 0, 0);
        if (engine.now >= begin + LATENCY && s->shared_ready.count < taken)
            ws_returns_pass_shared(&engine, s, 0, 0, 0);
        ws_returns_serve(&engine, s);
        bool takes = ws_returns_take_shared(&engine, s);
        assert_int_equal(takes, taken < LATENCY + 1); /* one of them waits in front of its registers */
        if (!takes) continue;
        ws_returns_await_shared(&engine, s, &read);
        taken++;
    }
    free_sm(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_data_take_turns),
                                       cmocka_unit_test(shared_memory_fills_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
