/* An SM's time accounting, compared with a cycle-by-cycle evaluation of the definitions: what each scheduler does,
 * which memory instructions wait, which warps are resident. */
#include "../support/random.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t waiting_in_front;

static uint32_t count_waiting(const void *self) {
    (void)self;
    return waiting_in_front;
}

static bool has(uint64_t warps, unsigned warp) {
    return warps >> warp & 1;
}

static bool is_ready(const ws_sm *s, unsigned warp) {
    return has(s->fetched, warp) && has(s->clear, warp) && has(s->admitted, warp) && !has(s->barred, warp) &&
           !has(s->held, warp);
}

/* The reason why none of `warps` issues: that of the warp that is nearest to issuing, which is the smallest value of
 * ws_doing. */
static enum ws_doing naive_reason(const ws_sm *s, uint64_t warps) {
    enum ws_doing why = WS_DOING_EMPTY;
    for (unsigned w = 0; w < WS_SLOTS; w++) {
        enum ws_doing of_warp = WS_DOING_EMPTY;
        if (!has(warps, w)) continue;
        if (is_ready(s, w))
            of_warp = has(s->wants[WS_UNIT_MEMORY], w) ? WS_DOING_MEMORY : WS_DOING_UNIT;
        else if (has(s->live, w))
            of_warp = has(s->barred, w)    ? WS_DOING_BARRIER
                      : has(s->fetched, w) ? WS_DOING_DATA
                                           : WS_DOING_FETCH;
        if (of_warp < why) why = of_warp;
    }
    return why;
}

static void naive_account(const ws_engine *e, const ws_sm *s, uint64_t until, ws_sm_counters *c) {
    for (uint64_t now = s->accounted; now < until; now++) {
        uint32_t waiting = s->made && e->front_slot && e->front_slot->waiting ? waiting_in_front : 0;
        for (uint32_t i = (uint32_t)e->core->coalescers; i < s->memory_count; i++) waiting++;
        for (unsigned w = 0; w < WS_SLOTS; w++) {
            waiting += is_ready(s, w) && has(s->wants[WS_UNIT_MEMORY], w);
            c->warp_cycles += has(s->live, w);
        }
        c->busy_cycles += s->live != 0 || waiting > 0;
        c->memory_waiting += waiting;
        c->memory_waiting_cycles += waiting > 0;
        for (uint32_t k = 0; k < e->sm_params->schedulers; k++) {
            enum ws_doing what = naive_reason(s, e->scheduler_slots[k]);
            /* Until its issue slot is free again the scheduler could not have issued even if memory had accepted the
             * access. */
            if (what == WS_DOING_MEMORY && now < s->issue_free[k]) what = WS_DOING_UNIT;
            if (now == s->accounted && s->issued >> k & 1) what = WS_DOING_ISSUE;
            c->scheduler_cycles[what]++;
        }
    }
}

/* A random set of warps: none, all, few or many. */
static uint64_t random_set(uint64_t *random) {
    uint64_t a = random_next(random), b = random_next(random);
    switch (random_below(random, 5)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return a & b & random_next(random) & random_next(random);
    case 3:
        return a | b;
    default:
        return a;
    }
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 11;
    const ws_front_slot front = {.waiting = count_waiting}, without = {0};
    ws_sm *s = calloc(1, sizeof *s);
    ws_engine *e = calloc(1, sizeof *e);
    assert_true(s && e);
    for (int round = 0; round < 20000; round++) {
        uint32_t schedulers = 1 + random_below(&random, 8);
        ws_sm_params sm = {.schedulers = schedulers};
        ws_core_params core = {.coalescers = 1 + random_below(&random, 3)};
        const ws_front_slot *const fronts[] = {NULL, &front, &without};
        e->front_slot = fronts[random_below(&random, 3)];
        e->sm_params = &sm;
        e->issue_cycles = 6; /* schedulers pause */
        e->core = &core;
        memset(e->scheduler_slots, 0, sizeof e->scheduler_slots);
        for (unsigned w = 0; w < WS_SLOTS; w++) e->scheduler_slots[w % schedulers] |= UINT64_C(1) << w;
        waiting_in_front = random_below(&random, 3);
        s->made = random_below(&random, 4) > 0;
        s->live = random_set(&random);
        s->fetched = random_set(&random);
        s->clear = random_set(&random);
        s->barred = random_set(&random);
        s->admitted = random_set(&random);
        s->held = random_set(&random);
        s->wants[WS_UNIT_MEMORY] = random_set(&random);
        s->memory_count = random_below(&random, 5);
        s->issued = random_below(&random, 1u << schedulers);
        for (uint32_t k = 0; k < schedulers; k++) s->issue_free[k] = s->accounted + random_below(&random, 6);
        ws_sm_counters expected = s->counters;
        uint64_t until = s->accounted + random_below(&random, 6), was = s->accounted;
        uint32_t issued = s->issued;
        naive_account(e, s, until, &expected);
        ws_sm_account(e, s, until);
        assert_memory_equal(&s->counters, &expected, sizeof expected);
        assert_int_equal(s->accounted, until);
        assert_int_equal(s->issued, until > was ? 0 : issued);
    }
    free(s);
    free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
