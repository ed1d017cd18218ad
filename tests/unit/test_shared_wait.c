/* The load/store unit in front of shared memory, whose pipeline fills up where a mechanism holds data up. */
#include "timed/l1/turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { STAGES = 3, RING = 4 };

static const ws_sm_params sm_params = {.schedulers = 1};
static const ws_core_params core = {.coalescers = 1, .shared_latency = STAGES};
static const ws_l1_params l1 = {.banks = 1, .latency = 1};
static ws_timed_static statics[] = {{.op = WS_MEMORY_LOAD}, {.op = WS_MEMORY_STORE}};
static ws_register_sets registers[2];

typedef struct scene {
    ws_engine engine;
    ws_sm *sm;
    ws_memory_inst ring[RING];
    ws_l1_bank bank;
    ws_queue replies;
    uint64_t pending[WS_SLOTS];
} scene;

static void begin(scene *c) {
    *c = (scene){.engine = {.core = &core,
                            .sm_params = &sm_params,
                            .l1 = &l1,
                            .statics = {.at = statics, .registers = registers, .register_words = 1},
                            .now = 100,
                            .collecting.used = true}};
    c->sm = calloc(1, sizeof *c->sm);
    c->sm->memory = c->ring;
    c->sm->pending = c->pending;
    c->sm->memory_room = RING;
    c->sm->banks = &c->bank;
    c->sm->bank_count = 1;
    c->sm->replies = &c->replies;
    ws_queue_init(&c->replies);
    ws_queue_init(&c->bank.queue);
    ws_sm_init_queues(c->sm);
    c->sm->ready_turn = WS_NEVER;
}

static void end(scene *c) {
    free(c->sm->events);
    free(c->sm);
}

/* Puts an instruction into the unit that needs the banks for one more cycle. */
static void issue(scene *c, uint32_t static_id) {
    c->ring[c->sm->memory_count++] = (ws_memory_inst){.arrives = 100,
                                                      .static_id = static_id,
                                                      .load = WS_NO_LOAD,
                                                      .shared_left = 1,
                                                      .station = WS_STATION_UNIT};
    c->sm->collectors.at_unit++;
    c->sm->warps[0].in_flight++;
}

/* Takes the unit's turn in the next cycle. Returns the number of instructions that have left. */
static uint32_t turn(scene *c) {
    uint32_t before = c->sm->memory_count;
    c->engine.now++;
    ws_lsu_step(&c->engine, c->sm, false);
    return before - c->sm->memory_count;
}

/* A load that finds shared memory full stays, and tries again in each cycle until one of those in it has gone on. */
static void a_load_waits_while_shared_memory_is_full(void **state) {
    (void)state;
    scene c;
    begin(&c);
    c.sm->shared_awaited = STAGES;
    issue(&c, 0);
    for (int cycle = 0; cycle < 5; cycle++) {
        assert_int_equal(turn(&c), 0);
        assert_int_equal(c.sm->shared_awaited, STAGES);
        assert_int_equal(ws_lsu_next(&c.engine, c.sm, false), c.engine.now + 1);
    }
    c.sm->shared_awaited--;
    assert_int_equal(turn(&c), 1);
    assert_int_equal(c.sm->shared_awaited, STAGES);
    assert_int_equal(ws_lsu_next(&c.engine, c.sm, false), WS_NEVER);
    end(&c);
}

/* Shared memory holds as many loads as it has stages. */
static void it_holds_one_in_each_stage(void **state) {
    (void)state;
    scene c;
    begin(&c);
    for (int i = 0; i < RING; i++) issue(&c, 0);
    uint32_t entered = 0;
    for (int cycle = 0; cycle < 8; cycle++) entered += turn(&c);
    assert_int_equal(entered, STAGES);
    end(&c);
}

/* A store has no data to wait for, so it does not stay in shared memory. */
static void a_store_does_not_wait(void **state) {
    (void)state;
    scene c;
    begin(&c);
    c.sm->shared_awaited = STAGES;
    issue(&c, 1);
    assert_int_equal(turn(&c), 1);
    assert_int_equal(c.sm->shared_awaited, STAGES);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_waits_while_shared_memory_is_full),
        cmocka_unit_test(it_holds_one_in_each_stage),
        cmocka_unit_test(a_store_does_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
