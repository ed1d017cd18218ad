/* The agenda against a plain list of who is due when. */
#include "../support/random.h"
#include "timed/agenda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTS = 130, CYCLES = 20000 };

typedef struct scene {
    ws_agenda agenda;
    bool due[CYCLES + 2 * WS_AGENDA_CYCLES][PARTS];
} scene;

static bool any_due(const scene *s, uint64_t cycle) {
    return memchr(s->due[cycle], true, PARTS) != NULL;
}

static uint64_t naive_next(const scene *s) {
    for (uint64_t cycle = s->agenda.now + 1; cycle < s->agenda.now + WS_AGENDA_CYCLES; cycle++)
        if (any_due(s, cycle)) return cycle;
    return WS_NEVER;
}

/* Adds a part in a cycle that the agenda may not hold: then it is due in the last one that it does. */
static void add(scene *s, uint32_t part, uint64_t ahead) {
    ws_agenda_add(&s->agenda, part, ahead == WS_NEVER ? WS_NEVER : s->agenda.now + ahead);
    if (ahead == WS_NEVER) return;
    s->due[s->agenda.now + (ahead < WS_AGENDA_CYCLES ? ahead : WS_AGENDA_CYCLES - 1)][part] = true;
}

static void take_turns(scene *s, uint64_t *random) {
    ws_agenda_turns turns = ws_agenda_turns_now(&s->agenda);
    uint32_t part, last = 0;
    bool *due = s->due[s->agenda.now];
    while (ws_agenda_take(&turns, &part)) {
        assert_true(part >= last && due[part]);
        due[part] = false;
        last = part;
        if (part + 1 < PARTS && random_one_in(random, 4)) add(s, part + 1, 0); /* its turn is to come */
    }
    assert_false(any_due(s, s->agenda.now));
}

static void equal_to_a_list(void **state) {
    (void)state;
    static const uint64_t far[] = {2, 9, 70, WS_AGENDA_CYCLES - 1, WS_AGENDA_CYCLES + 1, 3000};
    uint64_t random = 9, cycles = 0;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_true(ws_agenda_init(&s->agenda, PARTS));
    assert_true(s->agenda.next == WS_NEVER);
    while (s->agenda.now < CYCLES) {
        for (uint32_t k = random_below(&random, 3); k-- > 0;)
            add(s, random_below(&random, PARTS), 1 + random_below(&random, far[random_below(&random, 6)]));
        if (random_one_in(&random, 50)) add(s, 0, WS_NEVER);
        uint64_t next = naive_next(s), now = s->agenda.now;
        assert_true(s->agenda.next == next);
        /* to where something is due, or only closer to it */
        uint64_t step = next == WS_NEVER ? 20 : next - now;
        ws_agenda_go_to(&s->agenda, random_one_in(&random, 2) ? now + step : now + (step + 1) / 2);
        take_turns(s, &random);
        cycles++;
    }
    assert_true(cycles > 1000);
    ws_agenda_free(&s->agenda);
    free(s);
}

static void polled_parts_are_always_due(void **state) {
    (void)state;
    ws_agenda agenda;
    assert_true(ws_agenda_init(&agenda, PARTS));
    ws_agenda_add(&agenda, 3, 40);
    ws_agenda_poll(&agenda);
    for (uint64_t cycle = 1; cycle < 2 * WS_AGENDA_CYCLES; cycle++) {
        assert_true(agenda.next == cycle);
        ws_agenda_go_to(&agenda, cycle);
        ws_agenda_turns turns = ws_agenda_turns_now(&agenda);
        uint32_t part, count = 0;
        while (ws_agenda_take(&turns, &part)) assert_int_equal(part, count++);
        assert_int_equal(count, PARTS);
    }
    ws_agenda_free(&agenda);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_a_list),
                                       cmocka_unit_test(polled_parts_are_always_due)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
