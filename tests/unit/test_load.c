/* Loads in flight: a load whose last access hits is complete no sooner than its earlier accesses have their data. */
#include "timed/l1/lsu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t finished; /* the group whose data came last */

static void returned(void *self, ws_engine *e, ws_sm *s, uint32_t group) {
    (void)self, (void)e, (void)s;
    finished = group;
}

typedef struct scene {
    ws_engine engine;
    ws_front_slot slot;
    ws_sm *sm;
} scene;

static void set_up(scene *c, uint64_t now) {
    *c = (scene){.engine = {.now = now}, .slot = {.returned = returned}, .sm = calloc(1, sizeof *c->sm)};
    assert_non_null(c->sm);
    ws_queue_init(&c->sm->ready[WS_FROM_L1]);
    c->engine.front_slot = &c->slot;
    finished = 0;
}

static void tear_down(scene *c) {
    assert_false(c->engine.failed);
    ws_queue_free(&c->sm->ready[WS_FROM_L1]);
    free(c->sm->loads);
    free(c->sm);
}

static const uint64_t starts[] = {100, UINT32_MAX - 1}; /* a load keeps cycles modulo 2^32 */
enum { STARTS = 2 };

static void gets_what_waits_for_nothing_at_once(void **state) {
    (void)state;
    for (int i = 0; i < STARTS; i++) {
        scene c;
        set_up(&c, starts[i]);
        uint32_t load = ws_load_group(&c.engine, c.sm, 7, 5);
        c.sm->loads[load].left = 2;
        c.sm->loads[load].until = (uint32_t)c.engine.now + 5;
        ws_load_returns(&c.engine, c.sm, load, 1);
        c.engine.now += 5;
        assert_int_equal(finished, 0);
        ws_load_returns(&c.engine, c.sm, load, 1);
        assert_int_equal(finished, 7);
        assert_int_equal(c.sm->ready[WS_FROM_L1].count, 0);
        tear_down(&c);
    }
}

static void waits_for_data_that_came_before(void **state) {
    (void)state;
    static const uint64_t waits[] = {1, 3};
    for (int i = 0; i < 2 * STARTS; i++) {
        scene c;
        set_up(&c, starts[i / 2]);
        uint64_t comes = c.engine.now + waits[i % 2];
        uint32_t load = ws_load_group(&c.engine, c.sm, 7, 5);
        c.sm->loads[load].left = 2;
        ws_returns_pass(&c.engine, c.sm, load, 1, WS_NO_ENTRY, comes);
        assert_true(ws_queue_push(&c.sm->ready[WS_FROM_L1], load + 1, 1, comes + 1));
        ws_load_returns(&c.engine, c.sm, load, 1);
        assert_int_equal(finished, 0);
        assert_int_equal(c.sm->ready[WS_FROM_L1].count, 2);
        assert_int_equal(c.sm->ready[WS_FROM_L1].when, comes);
        c.engine.now = comes;
        uint32_t accesses = ws_queue_head(&c.sm->ready[WS_FROM_L1])->weight;
        assert_int_equal(ws_queue_pop(&c.sm->ready[WS_FROM_L1]), load);
        ws_load_returns(&c.engine, c.sm, load, accesses);
        assert_int_equal(finished, 7);
        tear_down(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gets_what_waits_for_nothing_at_once),
                                       cmocka_unit_test(waits_for_data_that_came_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
