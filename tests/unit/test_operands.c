/* Shared operand collectors against their definition, half a cycle after the other: who enters a collector, whose
 * operands a bank gives, who leaves, and when a unit takes it. */
#include "../support/random.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CYCLES = 250, START = 100, SCHEDULERS_MAX = 4, ISSUED_MAX = CYCLES * SCHEDULERS_MAX, BANKS_MAX = 16 };

/* In the order in which they are asked for collectors. */
static const unsigned units[] = {WS_UNIT_FP, WS_UNIT_SFU, WS_UNIT_MEMORY, WS_UNIT_TENSOR,
                                 WS_UNIT_DP, WS_UNIT_INT, WS_UNIT_BRANCH};
enum { UNITS = sizeof units / sizeof *units };

/* ---- the definition */

enum place { LATCH, COLLECTOR, BEHIND, GONE };

typedef struct issued {
    enum place place;
    unsigned unit, scheduler, collector, entry; /* entry: the how many-th that entered a collector */
    uint64_t when;                              /* half of a cycle, in which it came to its place */
    unsigned operands[BANKS_MAX];               /* to be read, by bank */
    uint64_t unit_cycles, latency, written;     /* written: cycle of its result, 0 if that is not known yet */
} issued;

typedef struct naive {
    unsigned schedulers, banks, collectors, behind, unit_count[WS_UNIT_COUNT];
    issued at[ISSUED_MAX]; /* the oldest first */
    unsigned count, entries;
    bool writes[SCHEDULERS_MAX][BANKS_MAX]; /* results in this cycle */
    uint64_t register_free[SCHEDULERS_MAX][WS_UNIT_COUNT], unit_free[WS_UNIT_COUNT][SCHEDULERS_MAX];
} naive;

static issued *in_collector(naive *n, unsigned scheduler, unsigned collector) {
    for (unsigned i = 0; i < n->count; i++)
        if (n->at[i].place == COLLECTOR && n->at[i].scheduler == scheduler && n->at[i].collector == collector)
            return &n->at[i];
    return NULL;
}

static issued *oldest_latched(naive *n, unsigned unit) {
    for (unsigned i = 0; i < n->count; i++)
        if (n->at[i].place == LATCH && n->at[i].unit == unit) return &n->at[i];
    return NULL;
}

static unsigned how_many(const naive *n, enum place place, unsigned unit, unsigned scheduler) {
    unsigned count = 0;
    for (unsigned i = 0; i < n->count; i++) {
        const issued *inst = &n->at[i];
        count += inst->place == place && inst->unit == unit && inst->scheduler == scheduler;
    }
    return count;
}

/* Units of a kind that are as many as schedulers belong to one each; else one takes that which is free first. */
static uint64_t *unit_for(naive *n, const issued *inst) {
    uint64_t *free_at = n->unit_free[inst->unit], *first = free_at;
    if (n->unit_count[inst->unit] == n->schedulers) return &free_at[inst->scheduler];
    for (unsigned u = 1; u < n->unit_count[inst->unit]; u++)
        if (free_at[u] < *first) first = &free_at[u];
    return first;
}

static void move(issued *inst, enum place to, uint64_t half) {
    inst->place = to;
    inst->when = half;
}

static bool has_operands(const naive *n, const issued *inst, uint64_t half) {
    unsigned left = 0;
    for (unsigned b = 0; b < n->banks; b++) left += inst->operands[b];
    return !left && inst->when < half;
}

static void leave(naive *n, issued *inst, uint64_t half) {
    uint64_t now = half / 2, *register_free = &n->register_free[inst->scheduler][inst->unit];
    if (inst->unit == WS_UNIT_MEMORY) {
        if (how_many(n, BEHIND, WS_UNIT_MEMORY, inst->scheduler) < n->behind) move(inst, BEHIND, half);
        return;
    }
    if (*register_free > now) return;
    uint64_t *unit_free = unit_for(n, inst), start = *unit_free > now ? *unit_free : now + 1;
    *register_free = start;
    *unit_free = start + inst->unit_cycles;
    inst->written = start + inst->latency + 2;
    move(inst, GONE, half);
}

static bool enter(naive *n, unsigned unit, uint64_t half) {
    issued *inst = oldest_latched(n, unit);
    for (unsigned c = 0; inst && c < n->collectors; c++) {
        if (in_collector(n, inst->scheduler, c)) continue;
        inst->collector = c;
        inst->entry = n->entries++;
        move(inst, COLLECTOR, half);
        return true;
    }
    return false;
}

/* A bank gives one operand, to whoever came before this half and first, unless a result is written to it. */
static void read(naive *n, unsigned scheduler, unsigned bank, uint64_t half) {
    issued *first = NULL;
    if (half % 2 == 0 && n->writes[scheduler][bank]) return;
    for (unsigned c = 0; c < n->collectors; c++) {
        issued *inst = in_collector(n, scheduler, c);
        if (!inst || inst->when >= half || !inst->operands[bank]) continue;
        if (!first || inst->entry < first->entry) first = inst;
    }
    if (first) first->operands[bank]--;
}

static void naive_half(naive *n, uint64_t half) {
    for (unsigned k = 0; k < n->schedulers; k++)
        for (unsigned c = 0; c < n->collectors; c++) {
            issued *inst = in_collector(n, k, c);
            if (inst && has_operands(n, inst, half)) leave(n, inst, half);
        }
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned u = 0; u < UNITS; u++) moved |= enter(n, units[u], half);
    }
    for (unsigned k = 0; k < n->schedulers; k++)
        for (unsigned b = 0; b < n->banks; b++) read(n, k, b, half);
}

/* The load/store unit takes the oldest that has left its collector in an earlier cycle. */
static bool naive_take(naive *n, uint64_t now) {
    for (unsigned i = 0; i < n->count; i++)
        if (n->at[i].place == BEHIND && n->at[i].when / 2 < now) {
            move(&n->at[i], GONE, 2 * now);
            return true;
        }
    return false;
}

/* ---- both */

typedef struct scene {
    ws_engine engine;
    ws_core_params core;
    ws_sm_params sm_params;
    ws_sm sm;
    naive naive;
    ws_timed_static statics[ISSUED_MAX]; /* each instruction has its own */
    ws_memory_inst memory[ISSUED_MAX];
    unsigned issues, results, takes; /* once in so many cycles, of each scheduler */
} scene;

static void set_up(scene *s, uint64_t *random) {
    naive *n = &s->naive;
    n->schedulers = 1 << random_below(random, 3);
    n->banks = 1 + random_below(random, random_one_in(random, 2) ? 3 : BANKS_MAX);
    n->collectors = 1 + random_below(random, random_one_in(random, 2) ? 3 : WS_COLLECTORS_MAX);
    n->behind = 1 + random_below(random, 3);
    s->issues = 1 + random_below(random, 3);
    s->results = 1 + random_below(random, 4);
    s->takes = 1 + random_below(random, 3);
    s->sm_params = (ws_sm_params){.schedulers = n->schedulers};
    s->core = (ws_core_params){.collectors = n->collectors,
                               .coalescers = 1,
                               .memory_ports = n->schedulers,
                               .memory_queue = n->schedulers * (1 + n->collectors + n->behind)};
    ws_engine *e = &s->engine;
    e->now = START;
    e->core = &s->core;
    e->sm_params = &s->sm_params;
    e->statics = s->statics;
    e->schedulers = ws_divisor_of(n->schedulers);
    e->register_banks = ws_divisor_of(n->banks);
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++)
        e->units[u] = n->unit_count[u] = 1 + random_below(random, n->schedulers);
    for (unsigned i = 0; i < ISSUED_MAX; i++) {
        for (unsigned r = random_below(random, 5); r > 0; r--)
            s->statics[i].reads += UINT64_C(1) << 4 * random_below(random, n->banks);
        for (unsigned w = random_below(random, 3); w > 0; w--)
            s->statics[i].writes |= UINT64_C(1) << 4 * random_below(random, n->banks);
    }
    s->sm.memory = s->memory;
    s->sm.memory_room = ISSUED_MAX;
}

/* A warp's registers lie one bank further than those of the warp before. */
static unsigned bank_of(const naive *n, unsigned warp, unsigned bank) {
    return (bank + warp) % n->banks;
}

static void issue(scene *s, uint64_t *random, unsigned scheduler, unsigned unit) {
    naive *n = &s->naive;
    unsigned id = n->count++, warp = scheduler + n->schedulers * random_below(random, 10);
    issued *inst = &n->at[id];
    *inst = (issued){.unit = unit,
                     .scheduler = scheduler,
                     .when = 2 * s->engine.now + 1,
                     .unit_cycles = 1 + random_below(random, 4),
                     .latency = 1 + random_below(random, 9)};
    for (unsigned b = 0; b < n->banks; b++)
        inst->operands[bank_of(n, warp, b)] = s->statics[id].reads >> 4 * b & 15;
    if (unit == WS_UNIT_MEMORY) {
        ws_memory_inst *m = ws_sm_memory(&s->sm, s->sm.memory_count++);
        *m = (ws_memory_inst){.static_id = id, .warp = (uint8_t)warp, .scheduler = (uint8_t)scheduler};
        ws_collect_memory(&s->engine, &s->sm, m);
        return;
    }
    ws_latched latched = {
        .how = {.latency = (uint32_t)inst->latency, .unit_cycles = (uint32_t)inst->unit_cycles},
        .static_id = id,
        .warp = (uint8_t)warp,
        .scheduler = (uint8_t)scheduler,
        .reads = s->statics[id].reads,
        .awaited = true};
    ws_collect_issue(&s->engine, &s->sm, unit, &latched);
}

static void write_result(scene *s, uint64_t *random, unsigned scheduler) {
    naive *n = &s->naive;
    unsigned id = random_below(random, ISSUED_MAX),
             warp = scheduler + n->schedulers * random_below(random, 10);
    ws_collect_write(&s->engine, &s->sm, warp, id, s->engine.now);
    for (unsigned b = 0; b < n->banks; b++)
        if (s->statics[id].writes >> 4 * b & 1) n->writes[scheduler][bank_of(n, warp, b)] = true;
}

/* Results are written, the load/store unit takes what has come to it, collectors have their turn, schedulers issue. */
static void cycle(scene *s, uint64_t *random) {
    naive *n = &s->naive;
    ws_engine *e = &s->engine;
    e->now++;
    memset(n->writes, 0, sizeof n->writes);
    for (unsigned k = 0; k < n->schedulers; k++)
        while (!random_one_in(random, s->results)) write_result(s, random, k);
    if (random_one_in(random, s->takes)) assert_int_equal(ws_collect_take(e, &s->sm), naive_take(n, e->now));
    ws_collect_step(e, &s->sm);
    naive_half(n, 2 * e->now);
    naive_half(n, 2 * e->now + 1);
    for (unsigned k = 0; k < n->schedulers; k++) {
        unsigned unit = units[random_below(random, UNITS)];
        bool takes = how_many(n, LATCH, unit, k) == 0;
        assert_int_equal(ws_collect_takes(&s->sm, unit, k), takes);
        if (takes && random_one_in(random, s->issues)) issue(s, random, k, unit);
    }
}

/* Where memory instructions are, and when results of others are written. */
static void compare(const scene *s) {
    static const enum place places[] = {[WS_STATION_UNIT] = GONE,
                                        [WS_STATION_LATCH] = LATCH,
                                        [WS_STATION_COLLECTOR] = COLLECTOR,
                                        [WS_STATION_BEHIND] = BEHIND};
    const naive *n = &s->naive;
    const ws_sm *sm = &s->sm;
    for (uint32_t i = 0; i < sm->memory_count; i++) {
        const ws_memory_inst *m = ws_sm_memory(sm, i);
        assert_int_equal(places[m->station], n->at[m->static_id].place);
    }
    uint64_t written[ISSUED_MAX] = {0};
    for (uint64_t when = s->engine.now + 1; when < s->engine.now + WS_WHEEL; when++)
        for (uint32_t at = sm->wheel[when % WS_WHEEL]; at; at = sm->events[at - 1].next)
            written[sm->events[at - 1].static_id] = when;
    for (unsigned i = 0; i < n->count; i++)
        if (n->at[i].written > s->engine.now) assert_int_equal(written[i], n->at[i].written);
}

static void equal_to_their_definition(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 120; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random);
        for (int i = 0; i < CYCLES; i++) {
            cycle(s, &random);
            compare(s);
        }
        free(s->sm.events);
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_their_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
