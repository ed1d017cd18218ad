/* A queue: first in, first out, except that ws_queue_insert() puts an element in front of those with a later `when`,
 * and ws_queue_insert_behind() behind the last one with its `where`. */
#include "../support/random.h"
#include "timed/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 100, STEPS = 100000 };

typedef struct line_up {
    ws_queued at[ROOM];
    uint32_t count;
} line_up;

/* Inserts an element in front of the last `last` ones. */
static void join(line_up *l, ws_queued one, uint32_t last) {
    ws_queued *place = &l->at[l->count++ - last];
    memmove(place + 1, place, last * sizeof *place);
    *place = one;
}

static uint32_t later_than(const line_up *l, uint64_t when) {
    uint32_t later = 0;
    while (later < l->count && l->at[l->count - 1 - later].when > when) later++;
    return later;
}

/* The number of elements behind the last one with that `where`; 0: there is none. */
static uint32_t behind_last_of(const line_up *l, uint16_t where) {
    for (uint32_t k = 0; k < l->count; k++)
        if (l->at[l->count - 1 - k].where == where) return k;
    return 0;
}

static void check_equal(const ws_queue *queue, const line_up *l) {
    uint32_t weight = 0;
    assert_int_equal(queue->count, l->count);
    for (uint32_t i = 0; i < l->count; i++) {
        const ws_queued *found = ws_queue_behind(queue, i);
        assert_int_equal(found->id, l->at[i].id);
        assert_int_equal(found->when, l->at[i].when);
        assert_int_equal(found->weight, l->at[i].weight);
        assert_int_equal(found->where, l->at[i].where);
        weight += found->weight;
    }
    assert_int_equal(queue->weight, weight);
    assert_int_equal(queue->when, l->count ? l->at[0].when : UINT64_MAX);
}

static void keeps_its_order(void **state) {
    (void)state;
    ws_queue queue;
    static line_up expected;
    uint64_t random = 3, now = 0;
    ws_queue_init(&queue);
    check_equal(&queue, &expected);
    for (uint32_t i = 0; i < STEPS; i++) {
        /* The queue grows and shrinks in turns. */
        bool comes = expected.count < ROOM && random_below(&random, 10) < (i / 500 % 2 ? 6u : 4u);
        bool in_between = random_one_in(&random, 3), follows = !in_between && random_one_in(&random, 3);
        now += random_below(&random, 3);
        ws_queued one = {.id = i,
                         .weight = (uint16_t)random_below(&random, 5),
                         .where = (uint16_t)(in_between ? 0 : random_below(&random, 6)),
                         .when = in_between ? now - random_below(&random, 12) % (now + 1) : now};
        if (comes && in_between) {
            assert_true(ws_queue_insert(&queue, one.id, one.weight, one.when));
            join(&expected, one, later_than(&expected, one.when));
        } else if (comes && follows) {
            assert_true(ws_queue_insert_behind(&queue, one.id, one.weight, one.where, one.when));
            join(&expected, one, behind_last_of(&expected, one.where));
        } else if (comes) {
            assert_true(ws_queue_push_to(&queue, one.id, one.weight, one.where, one.when));
            join(&expected, one, 0);
        } else if (expected.count) {
            assert_int_equal(ws_queue_pop(&queue), expected.at[0].id);
            memmove(expected.at, expected.at + 1, --expected.count * sizeof *expected.at);
        }
        check_equal(&queue, &expected);
    }
    ws_queue_free(&queue);
}

static void the_second_waits_no_shorter_than_it_did(void **state) {
    (void)state;
    ws_queue queue;
    ws_queue_init(&queue);
    for (uint32_t i = 0; i < 3; i++) assert_true(ws_queue_push(&queue, i, 1, 10 * i));
    ws_queue_delay_second(&queue, 9);
    assert_int_equal(ws_queue_behind(&queue, 1)->when, 10);
    ws_queue_delay_second(&queue, 15);
    assert_int_equal(ws_queue_pop(&queue), 0);
    assert_int_equal(queue.when, 15);
    assert_false(ws_queue_ready(&queue, 14));
    assert_true(ws_queue_ready(&queue, 15));
    assert_int_equal(ws_queue_behind(&queue, 1)->when, 20);
    ws_queue_free(&queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_its_order),
                                       cmocka_unit_test(the_second_waits_no_shorter_than_it_did)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
