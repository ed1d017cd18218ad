/* The slot `l1` with owners of the test's own: one that does nothing changes nothing, one that listens hears what a
 * shadow of the tags says, and verdicts are followed. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct instance {
    const uint32_t *params;
} instance;
static uint32_t instances; /* live instances */

static void *create(const ws_engine *e, const ws_sm *s, const void *params) {
    (void)e, (void)s;
    instance *self = malloc(sizeof *self);
    assert_non_null(self);
    self->params = params;
    instances++;
    return self;
}

static void destroy(void *self) {
    instances -= self != NULL;
    free(self);
}

typedef struct owned {
    const ws_l1_slot *slot; /* NULL: nobody */
    const void *params;
    ws_timed_taps taps;
    bool polls;
} owned;

static ws_timed_counters run(const ws_trace *trace, const char *settings, const owned *how) {
    ws_error err = WS_NO_ERROR;
    ws_timed_counters counters;
    ws_timed *timed = mechanism_gpu(trace, settings);
    if (how->slot) ws_timed_seat_l1(timed, how->slot, how->params);
    if (how->polls) ws_timed_poll(timed);
    ws_timed_tap(timed, &how->taps);
    if (!ws_timed_run(timed, 1, &counters, &err)) fail_msg("%s: %s", settings, err.text);
    ws_timed_free(timed);
    assert_int_equal(instances, 0);
    return counters;
}

static const char *const variants[] = {
    "l1.allocation=on_miss",
    "l1.allocation=on_fill",
    "l1.replacement=random",
    "l1.allocation=on_fill,l1.replacement=plru,l1.ways=2",
    "l1.size_B=1024,l1.ways=2,l1.index=linear",
    "l1.misses_per_cycle=1,l1.bank_by=set,l1.banks=2,core.coalescers=3",
    "core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8",
    "mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0",
    "mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0,l1.allocation=on_fill",
    "mechanism.front=warppool",
    "mechanism.front=mrpb,mrpb.bypass=none",
};
enum { VARIANTS = WS_COUNT(variants) };

/* Calls `check` for random traces on several GPUs, under all variants. */
static void each_variant(void (*check)(const ws_trace *trace, const char *settings)) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int v = (int)seed % EVERY; v < VARIANTS; v += EVERY) {
            char settings[500];
            snprintf(settings, sizeof settings, "%s,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS], variants[v]);
            check(trace, settings);
        }
        ws_trace_close(trace);
    }
}

/* ---- owners that do nothing */

static void check_idle(const ws_trace *trace, const char *settings) {
    static const ws_l1_slot idle = {.create = create, .destroy = destroy};
    ws_timed_counters off = run(trace, settings, &(owned){.slot = NULL}),
                      on = run(trace, settings, &(owned){.slot = &idle});
    assert_memory_equal(&off, &on, sizeof off);
}

static void an_owner_without_functions_changes_nothing(void **state) {
    (void)state;
    each_variant(check_idle);
}

static void *create_none(const ws_engine *e, const ws_sm *s, const void *params) {
    (void)e, (void)s, (void)params;
    return NULL;
}

static void an_instance_that_is_not_made_is_want_of_memory(void **state) {
    (void)state;
    static const ws_l1_slot none = {.create = create_none, .destroy = destroy};
    ws_error err = WS_NO_ERROR;
    ws_timed_counters counters;
    ws_trace *trace = generate_random(1, 32);
    ws_timed *timed = mechanism_gpu(trace, mechanism_gpus[0]);
    ws_timed_seat_l1(timed, &none, NULL);
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_int_equal(err.code, WS_ERROR_MEMORY);
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* ---- what an owner hears */

/* A shadow of one SM's tags, which follows what `placed` and `served` are told, and what `placed` was told last. */
enum { WAYS_MAX = 1024, SMS_MAX = 8 };
static struct shadow {
    uint64_t line[WAYS_MAX]; /* + 1; 0: none */
    uint64_t placed;         /* the line of the last `placed`, */
    unsigned by;             /* and its warp */
} shadows[SMS_MAX];
static ws_timed_access tapped;
static uint64_t told, evictions, misses;

static void tap(void *self, const ws_timed_access *access) {
    (void)self;
    tapped = *access;
    told++;
}

static uint32_t way_of(const struct shadow *w, uint64_t line) {
    for (uint32_t way = 0; way < WAYS_MAX; way++)
        if (w->line[way] == line + 1) return way;
    return WS_NO_WAY;
}

static void placed(void *self, const ws_engine *e, const ws_sm *s, uint32_t way, uint64_t line, unsigned warp,
                   uint64_t evicted) {
    (void)self, (void)e;
    struct shadow *w = &shadows[s->index];
    assert_true(way < s->l1.sets * s->l1.ways);
    assert_int_equal(way_of(w, line), WS_NO_WAY);
    assert_int_equal(w->line[way], evicted == WS_NO_LINE ? 0 : evicted + 1);
    assert_true(warp <= WS_NO_SLOT);
    evictions += evicted != WS_NO_LINE;
    w->line[way] = line + 1;
    w->placed = line;
    w->by = warp;
}

static void served(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a,
                   enum ws_timed_status status, uint32_t way) {
    (void)self;
    struct shadow *w = &shadows[s->index];
    assert_int_equal(told--, 1);
    assert_int_equal(tapped.line, a->line);
    assert_int_equal(tapped.status, status);
    assert_int_equal(tapped.warp, s->warps[a->warp].id_in_cta);
    assert_int_equal(tapped.op, a->is_write ? WS_MEMORY_STORE : WS_MEMORY_LOAD);
    if (a->is_write) {
        assert_true(a->static_id == WS_NO_STATIC);
    } else {
        assert_int_equal(e->statics.at[a->static_id].op, WS_MEMORY_LOAD);
        assert_false(e->statics.at[a->static_id].past_l1);
    }
    bool evicts = a->is_write && e->l1->write == WS_WRITE_EVICT && status == WS_TIMED_HIT;
    if (evicts) w->line[way_of(w, a->line)] = 0;
    if (e->l1->allocation == WS_ALLOCATE_ON_MISS) assert_int_equal(way, way_of(w, a->line));
    if (status == WS_TIMED_HIT && !evicts) assert_int_equal(way, way_of(w, a->line));
    bool takes = status == WS_TIMED_MISS && e->l1->allocation == WS_ALLOCATE_ON_MISS &&
                 (!a->is_write || e->l1->write != WS_WRITE_EVICT);
    if (!takes) return;
    misses++;
    assert_int_equal(w->placed, a->line);
    assert_int_equal(w->by, a->warp);
}

static const ws_l1_slot listener = {.create = create, .destroy = destroy, .placed = placed, .served = served};

static void check_heard(const ws_trace *trace, const char *settings) {
    memset(shadows, 0, sizeof shadows);
    ws_timed_counters off = run(trace, settings, &(owned){.slot = NULL}),
                      on = run(trace, settings, &(owned){.slot = &listener, .taps = {.access = tap}});
    assert_memory_equal(&off, &on, sizeof off);
    assert_int_equal(told, 0);
}

static void it_hears_what_the_tags_do(void **state) {
    (void)state;
    each_variant(check_heard);
    assert_true(evictions > 1000 && misses > 1000);
}

/* An access has its load's instruction, checked by the pc. The warp that placed a line is the one that read it
 * first. */
static uint32_t pcs_of_lines[64];
static uint32_t heard_pcs;
static void hear_pc(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a,
                    enum ws_timed_status status, uint32_t way) {
    (void)self, (void)s, (void)status, (void)way;
    assert_int_equal(e->statics.at[a->static_id].pc, pcs_of_lines[a->line]);
    heard_pcs++;
}

static uint64_t readers[64];
static void hear_reader(void *self, const ws_engine *e, const ws_sm *s, uint32_t way, uint64_t line,
                        unsigned warp, uint64_t evicted) {
    (void)self, (void)e, (void)way, (void)evicted;
    assert_int_equal(readers[line], s->warps[warp].id_in_cta);
}

/* Loads at three pcs, by two warps, such that each line is read at one pc and first by one warp. */
static ws_trace *loads_of_three_pcs(void) {
    static const generate_inst first[] = {{0x10, ~0u, 'l', 1, 0, 0, 1}, {0x20, ~0u, 'l', 2, 0, 0, 2},
                                          {0x10, ~0u, 'l', 1, 1, 0, 3}, {0x20, ~0u, 'l', 2, 2, 0, 2},
                                          {0x10, ~0u, 'l', 1, 1, 0, 1}, {0x40, 0, 'x', 0, 0, 0, 0},
                                          {0, 0, 0, 0, 0, 0, 0}},
                               second[] = {{0x30, ~0u, 'l', 1, 0, 0, 4},
                                           {0x10, ~0u, 'l', 2, 1, 0, 5},
                                           {0x40, 0, 'x', 0, 0, 0, 0},
                                           {0, 0, 0, 0, 0, 0, 0}};
    static const generate_inst *const warps[] = {first, second, NULL};
    static const uint32_t pcs[] = {0, 0x10, 0x20, 0x10, 0x30, 0x10};
    memcpy(pcs_of_lines, pcs, sizeof pcs);
    readers[4] = readers[5] = 1;
    return generate_code("sass", warps);
}

static void accesses_have_their_instruction(void **state) {
    (void)state;
    static const ws_l1_slot slot = {
        .create = create, .destroy = destroy, .served = hear_pc, .placed = hear_reader};
    static const char *const settings[] = {"gpu.clusters=1", "gpu.clusters=1,l1.allocation=on_fill"};
    ws_trace *trace = loads_of_three_pcs();
    for (int i = 0; i < 2; i++) {
        heard_pcs = 0;
        run(trace, settings[i], &(owned){.slot = &slot});
        assert_int_equal(heard_pcs, 7);
    }
    ws_trace_close(trace);
}

/* ---- verdicts */

/* Loads at the pc `*params` pass the L1. */
static bool passes_pc(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a) {
    (void)s;
    assert_false(a->is_write);
    return e->statics.at[a->static_id].pc == *((const instance *)self)->params;
}

static bool passes_warp(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a) {
    (void)e, (void)s;
    return a->warp == *((const instance *)self)->params;
}

/* A load that passes does not look up the tags and fills no line, so a second load of line 2 passes like the first. */
static void loads_pass_by_pc_or_by_warp(void **state) {
    (void)state;
    static const ws_l1_slot by_pc = {.create = create, .destroy = destroy, .passes = passes_pc},
                            by_warp = {.create = create, .destroy = destroy, .passes = passes_warp};
    static const struct {
        const ws_l1_slot *slot;
        uint32_t value, passed, hits;
    } cases[] = {{&by_pc, 0x10, 4, 1}, {&by_pc, 0x20, 2, 1}, {&by_pc, 0x30, 1, 2}, {&by_pc, 0x40, 0, 2},
                 {&by_warp, 0, 5, 0},  {&by_warp, 1, 2, 2},  {&by_warp, 2, 0, 2}};
    ws_trace *trace = loads_of_three_pcs();
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_timed_counters c =
            run(trace, "gpu.clusters=1", &(owned){.slot = cases[i].slot, .params = &cases[i].value});
        assert_int_equal(c.l1_bypasses, cases[i].passed);
        assert_int_equal(c.l1_accesses, 7 - cases[i].passed);
        assert_int_equal(c.l1_hits + c.l1_pending_hits, cases[i].hits);
    }
    ws_trace_close(trace);
}

static bool all_pass(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a) {
    (void)self, (void)e, (void)s;
    assert_false(a->is_write);
    return true;
}

static bool some_pass(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a) {
    (void)self, (void)e, (void)s;
    return (a->line + a->warp) % 3 == 0;
}

static bool some_bypass(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *a,
                        enum ws_fail cause) {
    (void)self, (void)e, (void)s;
    assert_true(cause < WS_FAIL_COUNT);
    return (a->line + a->warp) % 2 == 0;
}

/* Accesses that pass or bypass the L1, and wait for the network, get there; and no part asks for its turns too late,
 * since the results are the same if all parts have a turn in every cycle. */
static void check_verdicts(const ws_trace *trace, const char *settings) {
    static const ws_l1_slot slots[] = {
        {.create = create, .destroy = destroy, .passes = all_pass},
        {.create = create, .destroy = destroy, .passes = some_pass, .bypasses = some_bypass},
        {.create = create, .destroy = destroy, .bypasses = some_bypass}};
    ws_timed_counters off = run(trace, settings, &(owned){.slot = NULL});
    for (int i = 0; i < 3; i++) {
        ws_timed_counters skips = run(trace, settings, &(owned){.slot = &slots[i]}),
                          polls = run(trace, settings, &(owned){.slot = &slots[i], .polls = true});
        assert_memory_equal(&skips, &polls, sizeof skips);
        if (strstr(settings, "warppool")) continue; /* its requests depend on when others come */
        assert_int_equal(skips.l1_accesses + skips.l1_bypasses, off.l1_accesses + off.l1_bypasses);
        if (i == 0) assert_int_equal(skips.l1_retries_set_full + skips.l1_retries_mshr_full, 0);
    }
}

static void verdicts_are_followed(void **state) {
    (void)state;
    each_variant(check_verdicts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_owner_without_functions_changes_nothing),
        cmocka_unit_test(an_instance_that_is_not_made_is_want_of_memory),
        cmocka_unit_test(it_hears_what_the_tags_do),
        cmocka_unit_test(accesses_have_their_instruction),
        cmocka_unit_test(loads_pass_by_pc_or_by_warp),
        cmocka_unit_test(verdicts_are_followed),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
