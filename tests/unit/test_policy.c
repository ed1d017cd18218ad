/* The warps that the swl and two_level policies admit, against naive definitions, from random states. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INSTS = 4, WORDS = 2 }; /* words of a set of registers */

/* An addition, a load, a store, an atomic, each with registers of its own. */
static ws_timed_static statics[] = {
    {.op = WS_MEMORY_NONE, .reg_count = 3, .dst_count = 1, .regs = {1, 2, 70}},
    {.op = WS_MEMORY_LOAD, .reg_count = 2, .dst_count = 1, .regs = {3, 71}},
    {.op = WS_MEMORY_STORE, .reg_count = 2, .regs = {4, 72}},
    {.op = WS_MEMORY_ATOMIC, .reg_count = 3, .dst_count = 1, .regs = {5, 73, 99}}};
enum { STATICS = WS_COUNT(statics) };

typedef struct scene {
    ws_engine engine;
    ws_sm sm;
    ws_sm_params sm_params;
    ws_core_params core;
    ws_timed_inst insts[WS_SLOTS][INSTS];
    uint64_t loading[WS_SLOTS * WORDS];
    ws_register_sets registers[STATICS * WORDS];
    /* For the naive two_level, per scheduler: the warps that left the active set, in the order of leaving, and who is
     * in it. */
    unsigned pending[WS_SCHEDULERS_MAX][WS_SLOTS], count[WS_SCHEDULERS_MAX];
    bool active[WS_SLOTS];
    bool for_some; /* the owner of the slot `core` says that warps wait for certain registers */
} scene;

static bool has(uint64_t warps, unsigned warp) {
    return warps >> warp & 1;
}

/* ---- definitions */

/* Returns the oldest core.swl_warps warps of those in `slots` that have instructions and do not wait. Warps are ordered
 * by the age of their CTA, then by their number in it. */
static uint64_t naive_oldest(const scene *s, uint64_t slots, uint64_t waiting) {
    uint64_t admitted = 0;
    int64_t left = s->core.swl_warps;
    for (uint32_t i = 0; i < s->sm.resident; i++)
        for (unsigned id = 0; id < WS_SLOTS; id++)
            for (unsigned w = 0; w < WS_SLOTS; w++) {
                if (!has(s->sm.cta_slots[s->sm.by_age[i]], w) || s->sm.warps[w].id_in_cta != id) continue;
                if (!has(slots, w) || !has(s->sm.issuing, w) || has(waiting, w) || left == 0) continue;
                admitted |= UINT64_C(1) << w;
                left--;
            }
    return admitted;
}

/* Those of the SM that wait at no barrier; or those of each scheduler that wait for nothing but registers, and beside
 * them the one that has issued last. */
static uint64_t naive_swl(const scene *s) {
    if (s->core.swl_scope == WS_SWL_OF_SM) return naive_oldest(s, UINT64_MAX, s->sm.barred);
    uint64_t waiting = s->sm.barred | s->sm.fencing | s->sm.updating | s->sm.copying, admitted = 0;
    for (unsigned k = 0; k < s->sm_params.schedulers; k++) {
        unsigned last = s->sm.last[k];
        admitted |= naive_oldest(s, s->engine.scheduler_slots[k], waiting);
        if (last < WS_SLOTS && has(s->sm.issuing, last) && !has(waiting, last))
            admitted |= UINT64_C(1) << last;
    }
    return admitted;
}

static bool waits_long(const scene *s, unsigned w) {
    if (has(s->sm.barred, w)) return true;
    if (has(s->sm.clear, w)) return false;
    if (has(s->sm.copying, w) || has(s->sm.updating, w)) return true; /* for copies; for atomics */
    if (s->engine.run_ahead) return true; /* without registers a warp waits for loads alone */
    const ws_timed_inst *next = s->sm.warps[w].inst;
    if (s->engine.one_in_flight && !s->for_some && !has(s->sm.inserted, w)) { /* waits for all before it */
        for (unsigned i = 0; i < WORDS; i++)
            if (s->loading[w * WORDS + i]) return true;
        if (next == s->sm.warps[w].inst_first) return false;
        uint8_t op = statics[next[-1].static_id].op;
        return op == WS_MEMORY_LOAD || op == WS_MEMORY_ATOMIC;
    }
    const ws_timed_static *t = &statics[next->static_id];
    for (unsigned r = 0; r < t->reg_count; r++)
        if (has(s->loading[w * WORDS + t->regs[r] / 64], t->regs[r] % 64)) return true;
    return false;
}

static unsigned count_active(const scene *s, unsigned scheduler) {
    unsigned count = 0;
    for (unsigned w = scheduler; w < WS_SLOTS; w += (unsigned)s->sm_params.schedulers) count += s->active[w];
    return count;
}

static void naive_two_level(scene *s, unsigned scheduler) {
    unsigned left[WS_SLOTS], left_count = 0, kept = 0, step = (unsigned)s->sm_params.schedulers;
    bool known[WS_SLOTS] = {false};
    for (unsigned w = scheduler; w < WS_SLOTS; w += step) {
        if (!s->active[w]) continue;
        known[w] = has(s->sm.issuing, w);
        s->active[w] = known[w] && !waits_long(s, w);
        if (known[w] && !s->active[w]) left[left_count++] = w;
    }
    for (unsigned i = 0; i < s->count[scheduler]; i++) {
        unsigned w = s->pending[scheduler][i];
        if (!has(s->sm.issuing, w)) continue;
        known[w] = true;
        if (count_active(s, scheduler) < s->core.active_warps && !waits_long(s, w))
            s->active[w] = true;
        else
            s->pending[scheduler][kept++] = w;
    }
    for (unsigned i = 0; i < left_count; i++) s->pending[scheduler][kept++] = left[i];
    for (unsigned w = scheduler; w < WS_SLOTS; w += step)
        if (has(s->sm.issuing, w) && !known[w]) s->pending[scheduler][kept++] = w;
    s->count[scheduler] = kept;
}

/* ---- random states */

static bool never_asked(const void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)self, (void)e, (void)s, (void)warp;
    return false;
}
static bool for_all(const void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)self, (void)e, (void)s, (void)warp;
    return true;
}
static bool for_some(const void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)self, (void)e, (void)s, (void)warp;
    return false;
}
static bool never_inserts(void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)self, (void)e, (void)s, (void)warp;
    return false;
}

static void set_up(scene *s, uint64_t *random, enum ws_scheduler policy) {
    ws_engine *e = &s->engine;
    s->sm_params = (ws_sm_params){.scheduler = policy, .schedulers = 1 << random_below(random, 3)};
    s->core = (ws_core_params){.swl_warps = 1 + random_below(random, 20),
                               .swl_scope = random_one_in(random, 2) ? WS_SWL_OF_SM : WS_SWL_OF_SCHEDULER,
                               .active_warps = 1 + random_below(random, 6)};
    static const ws_core_slot owners[] = {{0},
                                          {.waits = never_asked, .waits_for_all = for_all},
                                          {.waits = never_asked, .waits_for_all = for_some},
                                          {.inserts = never_inserts}};
    e->sm_params = &s->sm_params;
    e->core = &s->core;
    e->statics.at = statics;
    e->statics.register_words = WORDS;
    e->statics.registers = s->registers;
    for (unsigned i = 0; i < STATICS; i++)
        for (unsigned r = 0; r < statics[i].reg_count; r++)
            s->registers[i * WORDS + statics[i].regs[r] / 64].named |= UINT64_C(1) << statics[i].regs[r] % 64;
    e->run_ahead = random_one_in(random, 4);
    e->one_in_flight = random_one_in(random, 2);
    uint32_t owner = random_below(random, 5);
    e->core_slot = owner < 4 ? &owners[owner] : NULL;
    s->for_some = owner == 2;
    for (unsigned w = 0; w < WS_SLOTS; w++)
        e->scheduler_slots[w % (unsigned)s->sm_params.schedulers] |= UINT64_C(1) << w;
    s->sm.loading = s->loading;
    /* CTAs of some warps each, in slots that have nothing to do with their age or numbers. */
    unsigned slots[WS_SLOTS], size = 1 + random_below(random, 8);
    for (unsigned w = 0; w < WS_SLOTS; w++) slots[w] = w;
    for (unsigned w = WS_SLOTS; w-- > 1;) {
        unsigned other = random_below(random, w + 1), was = slots[w];
        slots[w] = slots[other];
        slots[other] = was;
    }
    for (unsigned i = 0; i < WS_SLOTS; i++) {
        unsigned w = slots[i], cta = i / size;
        s->sm.cta_slots[cta] |= UINT64_C(1) << w;
        s->sm.warps[w].cta_of = (uint8_t)cta;
        s->sm.warps[w].id_in_cta = (uint8_t)(i % size);
        s->sm.warps[w].inst_first = s->insts[w];
        for (unsigned k = 0; k < INSTS; k++) s->insts[w][k].static_id = random_below(random, STATICS);
    }
    s->sm.resident = (WS_SLOTS + size - 1) / size;
    for (uint32_t i = 0; i < s->sm.resident; i++) s->sm.by_age[i] = (uint8_t)((i + 3) % s->sm.resident);
}

static void change(scene *s, uint64_t *random) {
    s->sm.issuing = random_next(random) | random_next(random);
    s->sm.barred = random_next(random) & random_next(random) & random_next(random);
    s->sm.clear = random_next(random);
    s->sm.copying = random_next(random) & random_next(random) & random_next(random);
    s->sm.updating = random_next(random) & random_next(random) & random_next(random);
    s->sm.inserted = random_next(random) & random_next(random);
    s->sm.fencing = random_next(random) & random_next(random) & random_next(random);
    for (unsigned k = 0; k < s->sm_params.schedulers; k++) {
        uint32_t of = random_below(random, WS_SLOTS / (uint32_t)s->sm_params.schedulers + 1);
        s->sm.last[k] = (uint8_t)(of ? (of - 1) * (uint32_t)s->sm_params.schedulers + k : WS_NO_SLOT);
    }
    for (unsigned w = 0; w < WS_SLOTS; w++) s->sm.warps[w].inst = &s->insts[w][random_below(random, INSTS)];
    for (unsigned i = 0; i < WS_SLOTS * WORDS; i++)
        s->loading[i] = random_one_in(random, 2) ? random_next(random) & random_next(random) : 0;
}

static void swl_admits_the_oldest(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 300; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random, WS_SCHEDULER_SWL);
        for (int i = 0; i < 10; i++) {
            change(s, &random);
            ws_sm_admit(&s->engine, &s->sm);
            assert_true(s->sm.admitted == naive_swl(s));
        }
        free(s);
    }
}

static void two_level_admits_the_active_sets(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < 200; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random, WS_SCHEDULER_TWO_LEVEL);
        for (int i = 0; i < 60; i++) {
            change(s, &random);
            ws_sm_admit(&s->engine, &s->sm);
            for (unsigned k = 0; k < s->sm_params.schedulers; k++) naive_two_level(s, k);
            uint64_t expected = 0;
            for (unsigned w = 0; w < WS_SLOTS; w++) expected |= (uint64_t)s->active[w] << w;
            assert_true(s->sm.admitted == expected);
        }
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(swl_admits_the_oldest),
                                       cmocka_unit_test(two_level_admits_the_active_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
