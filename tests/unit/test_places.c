/* Places for things that come and go: no two things share one, what they hold stays, and room is used again. */
#include "../support/random.h"
#include "timed/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THINGS = 1000, FIRST = 3, STEPS = 200000 };

typedef struct thing {
    uint32_t number;
    char rest[7];
} thing;

typedef struct things {
    ws_places places;
    thing *at;
} things;

static uint32_t put(things *t, uint32_t number) {
    if (!t->places.free) {
        thing *at = ws_places_grow(&t->places, t->at, sizeof *at, FIRST);
        assert_non_null(at);
        t->at = at;
    }
    uint32_t at = ws_places_take(&t->places, t->at, sizeof *t->at);
    assert_true(at < t->places.room);
    t->at[at] = (thing){.number = number};
    return at;
}

static void each_keeps_its_own(void **state) {
    (void)state;
    things t = {.at = NULL};
    static uint32_t place[THINGS];
    static bool there[THINGS];
    uint64_t random = 1;
    uint32_t count = 0, most = 0;
    for (int i = 0; i < STEPS; i++) {
        /* More come than go at first, then the other way round. */
        uint32_t number = random_below(&random, i < STEPS / 2 ? THINGS : THINGS / 4);
        if (there[number]) {
            assert_int_equal(t.at[place[number]].number, number);
            ws_places_give(&t.places, t.at, sizeof *t.at, place[number]);
            count--;
        } else {
            place[number] = put(&t, number);
            if (++count > most) most = count;
        }
        there[number] = !there[number];
    }
    for (uint32_t i = 0; i < THINGS; i++)
        if (there[i]) assert_int_equal(t.at[place[i]].number, i);
    assert_true(t.places.room < 2 * most);
    free(t.at);
}

static void room_doubles_only_when_full(void **state) {
    (void)state;
    things t = {.at = NULL};
    for (uint32_t i = 0; i < 4 * FIRST; i++) {
        put(&t, i);
        assert_int_equal(t.places.room, i < FIRST ? FIRST : i < 2 * FIRST ? 2 * FIRST : 4 * FIRST);
    }
    assert_int_equal(t.places.free, 0);
    ws_places_give(&t.places, t.at, sizeof *t.at, 5);
    assert_int_equal(put(&t, 0), 5);
    assert_int_equal(t.places.free, 0);
    free(t.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_keeps_its_own),
        cmocka_unit_test(room_doubles_only_when_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
