/* Shared operand collectors against a naive model, step by step: which instruction enters a collector, whose operands a
 * bank reads, which instruction leaves, and when a unit begins with it. Also: what collectors keep from launch to
 * launch. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROUNDS = 400,
    CYCLES = 250,
    START = 100,
    SCHEDULERS_MAX = 4,
    ISSUED_MAX = CYCLES * SCHEDULERS_MAX,
    BANKS_MAX = 16,
    COLLECTORS_MAX = 16, /* in a set */
    UNITS_MAX = 6        /* of one kind */
};

/* ---- the definition */

/* The kinds of units, in the order in which the model offers their instructions to collectors. */
static const unsigned kinds[] = {WS_UNIT_FP,  WS_UNIT_SFU,    WS_UNIT_MEMORY, WS_UNIT_DP,
                                 WS_UNIT_INT, WS_UNIT_BRANCH, WS_UNIT_TENSOR, WS_UNIT_UNIFORM};
enum { KINDS = WS_COUNT(kinds) };
/* The order in which units begin. */
static const unsigned begin_order[] = {WS_UNIT_FP,     WS_UNIT_DP,     WS_UNIT_INT,    WS_UNIT_SFU,
                                       WS_UNIT_BRANCH, WS_UNIT_TENSOR, WS_UNIT_UNIFORM};

/* A set of collectors for all kinds of units, and sets for one kind each. */
enum { GENERIC, SETS = 5 };
static const unsigned kind_of_set[SETS] = {
    [1] = WS_UNIT_FP, [2] = WS_UNIT_DP, [3] = WS_UNIT_SFU, [4] = WS_UNIT_MEMORY};

/* FRONT: it waits in front of its unit; UNIT: the unit has begun with it. */
enum place { LATCH, COLLECTOR, FRONT, UNIT, GONE };

typedef struct issued {
    enum place place;
    unsigned kind, scheduler, lane;
    uint64_t step;                 /* the step in which it came to its place */
    unsigned entry;                /* its number in the order in which instructions entered collectors */
    unsigned operands[BANKS_MAX];  /* number of operands still to be read, by bank */
    uint64_t unit_cycles, latency; /* of arithmetic */
    unsigned unit;                 /* number of the unit within its kind */
    uint64_t begins;               /* cycle in which the unit begins with it, 0 if not known yet */
} issued;

/* With sub-cores each scheduler has a lane of its own; otherwise all of them share one. */
typedef struct naive {
    bool sub_cores;
    unsigned schedulers, lanes, steps, banks, buses, room[SETS], ports[SETS];
    unsigned units[WS_UNIT_COUNT]; /* by kind; for memory: number of ports */
    unsigned behind;               /* places for memory instructions in front of the load/store unit */
    issued at[ISSUED_MAX];         /* the oldest first */
    unsigned first, count;         /* those ahead of `first` are done */
    issued *in[SCHEDULERS_MAX][SETS][COLLECTORS_MAX];
    unsigned entries, last[SETS][UNITS_MAX]; /* last: per set and way out, the collector it last took from */
    bool writes[SCHEDULERS_MAX][BANKS_MAX];  /* per lane and bank: a result is written in this cycle */
    uint64_t unit_free[WS_UNIT_COUNT][UNITS_MAX];
} naive;

static void move(issued *inst, enum place to, uint64_t step) {
    inst->place = to;
    inst->step = step;
}

static issued *oldest(naive *n, enum place place, unsigned kind) {
    for (unsigned i = n->first; i < n->count; i++)
        if (n->at[i].place == place && n->at[i].kind == kind) return &n->at[i];
    return NULL;
}

static unsigned how_many(const naive *n, enum place place, unsigned kind, unsigned lane) {
    unsigned count = 0;
    for (unsigned i = n->first; i < n->count; i++) {
        const issued *inst = &n->at[i];
        count += inst->place == place && inst->kind == kind && inst->lane == lane;
    }
    return count;
}

/* True if a latch to units of that kind is free. With sub-cores a lane has one per kind; the only lane has one per
 * unit. */
static bool is_free_to_issue(const naive *n, unsigned kind, unsigned scheduler) {
    unsigned lane = n->sub_cores ? scheduler : 0, latches = n->sub_cores ? 1 : n->units[kind];
    return how_many(n, LATCH, kind, lane) < latches;
}

/* ---- units */

static uint64_t end_of(const issued *inst) {
    return inst->begins + inst->latency;
}

/* True if the unit can begin with the instruction in `cycle`: it is free, none of its other instructions ends in the
 * same cycle as this one, and a result bus is free then. */
static bool can_begin(const naive *n, const issued *inst, unsigned unit, uint64_t cycle) {
    uint64_t end = cycle + inst->latency;
    unsigned results = 0;
    if (n->unit_free[inst->kind][unit] > cycle) return false;
    for (unsigned i = n->first; i < n->count; i++) {
        const issued *other = &n->at[i];
        if (!other->begins || other->kind == WS_UNIT_MEMORY || end_of(other) != end) continue;
        if (other->kind == inst->kind && other->unit == unit) return false;
        results++;
    }
    return results < n->buses;
}

static void begin(naive *n, issued *inst, unsigned unit, uint64_t now) {
    inst->unit = unit;
    inst->begins = now;
    n->unit_free[inst->kind][unit] = now + inst->unit_cycles;
    move(inst, UNIT, n->steps * now);
}

/* Without sub-cores: each unit begins with the oldest instruction of its kind in front of it, if it can. */
static void begin_with_oldest(naive *n, unsigned kind, uint64_t now) {
    for (unsigned unit = 0; unit < n->units[kind]; unit++) {
        issued *inst = oldest(n, FRONT, kind);
        if (inst && can_begin(n, inst, unit, now)) begin(n, inst, unit, now);
    }
}

static issued *in_front_of(naive *n, unsigned kind, unsigned scheduler) {
    for (unsigned i = n->first; i < n->count; i++) {
        issued *inst = &n->at[i];
        if (inst->place == FRONT && inst->kind == kind && inst->scheduler == scheduler) return inst;
    }
    return NULL;
}

/* With sub-cores: where a kind has as many units as there are schedulers, each scheduler has its own; otherwise its
 * instruction goes to the first unit that can begin with it. */
static void begin_with_each(naive *n, unsigned kind, uint64_t now) {
    bool own = n->units[kind] == n->schedulers;
    for (unsigned scheduler = 0; scheduler < n->schedulers; scheduler++) {
        issued *inst = in_front_of(n, kind, scheduler);
        for (unsigned unit = 0; inst && unit < n->units[kind]; unit++)
            if ((!own || unit == scheduler) && can_begin(n, inst, unit, now)) {
                begin(n, inst, unit, now);
                break;
            }
    }
}

static void begin_all(naive *n, uint64_t now) {
    for (size_t i = 0; i < WS_COUNT(begin_order); i++)
        if (n->sub_cores)
            begin_with_each(n, begin_order[i], now);
        else
            begin_with_oldest(n, begin_order[i], now);
}

/* The load/store unit takes the oldest memory instruction that left its collector in an earlier cycle. */
static bool naive_take(naive *n, uint64_t now) {
    for (unsigned i = n->first; i < n->count; i++)
        if (n->at[i].kind == WS_UNIT_MEMORY && n->at[i].place == FRONT && n->at[i].step / n->steps < now) {
            move(&n->at[i], GONE, n->steps * now);
            return true;
        }
    return false;
}

/* ---- collectors */

static bool register_is_free(const naive *n, const issued *inst) {
    unsigned in_front = how_many(n, FRONT, inst->kind, inst->lane);
    if (inst->kind == WS_UNIT_MEMORY) return in_front < n->behind;
    return in_front < (n->sub_cores ? 1 : n->units[inst->kind]);
}

/* Lets an instruction leave its collector if all its operands have been read and there is a free register behind. */
static bool leave(naive *n, unsigned lane, unsigned set, unsigned collector, uint64_t step) {
    issued *inst = n->in[lane][set][collector];
    if (!inst || inst->step == step || !register_is_free(n, inst)) return false;
    for (unsigned b = 0; b < n->banks; b++)
        if (inst->operands[b]) return false;
    n->in[lane][set][collector] = NULL;
    move(inst, FRONT, step);
    return true;
}

/* Takes one instruction: from the first collector, behind the one taken from last, whose instruction can leave. */
static void leave_by(naive *n, unsigned set, unsigned *last, uint64_t step) {
    for (unsigned i = 1; i <= n->room[set]; i++) {
        unsigned collector = (*last + i) % n->room[set];
        if (!leave(n, 0, set, collector, step)) continue;
        *last = collector;
        return;
    }
}

static void leave_all(naive *n, uint64_t step) {
    for (unsigned lane = 0; n->sub_cores && lane < n->lanes; lane++)
        for (unsigned c = 0; c < n->room[GENERIC]; c++) leave(n, lane, GENERIC, c, step);
    for (unsigned set = 0; !n->sub_cores && set < SETS; set++)
        for (unsigned way = 0; way < n->ports[set]; way++) leave_by(n, set, &n->last[set][way], step);
}

/* Moves the oldest latched instruction of that kind to a free collector of the set; false if either is missing. */
static bool enter(naive *n, unsigned kind, unsigned set, uint64_t step) {
    issued *inst = oldest(n, LATCH, kind);
    for (unsigned c = 0; inst && c < n->room[set]; c++) {
        issued **in = &n->in[inst->lane][set][c];
        if (*in) continue;
        *in = inst;
        inst->entry = n->entries++;
        move(inst, COLLECTOR, step);
        return true;
    }
    return false;
}

static bool enter_generic(naive *n, uint64_t step) {
    bool any = false;
    for (unsigned k = 0; k < KINDS; k++) any |= enter(n, kinds[k], GENERIC, step);
    return any;
}

static void enter_all(naive *n, uint64_t step) {
    for (unsigned way = 0; enter_generic(n, step);)
        if (!n->sub_cores && ++way >= n->ports[GENERIC]) break;
    for (unsigned set = 1; !n->sub_cores && set < SETS; set++)
        for (unsigned way = 0; way < n->ports[set]; way++)
            if (!enter(n, kind_of_set[set], set, step)) enter(n, kind_of_set[set], GENERIC, step);
}

/* A bank reads one operand per step: for the instruction that entered its collector first, and before this step. It
 * reads nothing in the first step of a cycle in which a result is written to it. */
static void read(naive *n, unsigned lane, unsigned bank, uint64_t step) {
    issued *first = NULL;
    if (step % n->steps == 0 && n->writes[lane][bank]) return;
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned c = 0; c < n->room[set]; c++) {
            issued *inst = n->in[lane][set][c];
            if (!inst || inst->step == step || !inst->operands[bank]) continue;
            if (!first || inst->entry < first->entry) first = inst;
        }
    if (first) first->operands[bank]--;
}

static void naive_cycle(naive *n, uint64_t now) {
    begin_all(n, now);
    for (uint64_t step = n->steps * now; step < n->steps * (now + 1); step++) {
        leave_all(n, step);
        enter_all(n, step);
        for (unsigned lane = 0; lane < n->lanes; lane++)
            for (unsigned b = 0; b < n->banks; b++) read(n, lane, b, step);
    }
    while (n->first < n->count && n->at[n->first].place >= UNIT && end_of(&n->at[n->first]) < now) n->first++;
}

/* ---- both */

typedef struct scene {
    ws_engine engine;
    ws_core_params core;
    ws_sm_params sm_params;
    ws_sm sm;
    naive naive;
    ws_timed_static statics[ISSUED_MAX]; /* one per instruction issued */
    ws_memory_inst memory[ISSUED_MAX];
    /* On average there is an issue of each scheduler in one of `issues` cycles, a take in one of `takes`, and
     * `results` - 1 results of each scheduler in a cycle. */
    unsigned issues, results, takes;
    unsigned kinds, least_latency; /* kinds: only the first that many are issued */
} scene;

/* With sub-cores: generic collectors alone, some for each scheduler. */
static void choose_sub_cores(naive *n, uint64_t *random) {
    n->lanes = n->schedulers;
    n->room[GENERIC] = 1 + random_below(random, random_one_in(random, 2) ? 3 : COLLECTORS_MAX);
    n->units[WS_UNIT_MEMORY] = n->schedulers;
    n->behind = 1 + random_below(random, 3);
}

/* Without sub-cores: collectors of any sets. If none are generic, only the kinds that have a set of their own are
 * issued. */
static void choose_one_lane(naive *n, uint64_t *random) {
    n->lanes = 1;
    n->room[GENERIC] = random_below(random, random_one_in(random, 2) ? 4 : COLLECTORS_MAX / 2 + 1);
    n->ports[GENERIC] = 1 + random_below(random, UNITS_MAX);
    for (unsigned set = 1; set < SETS; set++) {
        n->room[set] = !n->room[GENERIC] + random_below(random, random_one_in(random, 2) ? 3 : 6);
        n->ports[set] = n->units[kind_of_set[set]];
        if (set < SETS - 1 && random_one_in(random, 2)) n->ports[set] = 1 + random_below(random, UNITS_MAX);
    }
    n->behind = n->units[WS_UNIT_MEMORY];
}

static void choose(scene *s, uint64_t *random) {
    naive *n = &s->naive;
    n->sub_cores = random_one_in(random, 2);
    n->schedulers = 1 << random_below(random, 3);
    n->steps = 1 + random_below(random, 2);
    n->buses = 1 + random_below(random, random_one_in(random, 2) ? 3 : 8);
    n->banks = 1 + random_below(random, random_one_in(random, 2) ? 3 : BANKS_MAX);
    for (unsigned kind = 0; kind < WS_UNIT_COUNT; kind++)
        n->units[kind] = 1 + random_below(random, n->sub_cores ? n->schedulers : UNITS_MAX);
    if (n->sub_cores)
        choose_sub_cores(n, random);
    else
        choose_one_lane(n, random);
    s->issues = 1 + random_below(random, 3);
    s->results = 1 + random_below(random, 4);
    s->takes = 1 + random_below(random, 3);
    s->kinds = n->room[GENERIC] ? 1 + random_below(random, KINDS) : SETS - 1;
    s->least_latency = (unsigned[]){1, 1, 58, 195}[random_below(random, 4)];
}

static void set_up(scene *s, uint64_t *random) {
    ws_sm_init_queues(&s->sm);
    choose(s, random);
    const naive *n = &s->naive;
    s->sm_params = (ws_sm_params){.schedulers = n->schedulers};
    s->core = (ws_core_params){.sub_cores = n->sub_cores,
                               .collectors = n->room[GENERIC],
                               .collector_ports = n->ports[GENERIC],
                               .fp_collectors = n->room[1],
                               .dp_collectors = n->room[2],
                               .sfu_collectors = n->room[3],
                               .memory_collectors = n->room[4],
                               .fp_ports = n->ports[1],
                               .dp_ports = n->ports[2],
                               .sfu_ports = n->ports[3],
                               .register_banks = n->lanes * n->banks,
                               .bank_reads = n->steps,
                               .result_buses = n->buses,
                               .coalescers = 1,
                               .memory_ports = n->units[WS_UNIT_MEMORY],
                               .memory_queue = n->schedulers * (1 + n->room[GENERIC] + n->behind)};
    ws_engine *e = &s->engine;
    e->now = START;
    e->core = &s->core;
    e->sm_params = &s->sm_params;
    e->statics.at = s->statics;
    e->schedulers = ws_divisor_of(n->schedulers);
    for (unsigned kind = 0; kind < WS_UNIT_COUNT; kind++) e->units[kind] = n->units[kind];
    ws_collect_lay_out(e);
    for (unsigned i = 0; i < ISSUED_MAX; i++) {
        for (unsigned r = random_below(random, 5); r > 0; r--)
            s->statics[i].reads += UINT64_C(1) << 4 * random_below(random, n->banks);
        for (unsigned w = random_below(random, 3); w > 0; w--)
            s->statics[i].writes |= UINT64_C(1) << 4 * random_below(random, n->banks);
    }
    s->sm.memory = s->memory;
    s->sm.memory_room = ISSUED_MAX;
}

/* A warp's registers are shifted by one bank from those of the warp before it. */
static unsigned bank_of(const naive *n, unsigned warp, unsigned bank) {
    return (bank + warp) % n->banks;
}

static void issue(scene *s, uint64_t *random, unsigned scheduler, unsigned kind) {
    naive *n = &s->naive;
    unsigned id = n->count++, warp = scheduler + n->schedulers * random_below(random, 10);
    issued *inst = &n->at[id];
    *inst = (issued){.kind = kind,
                     .scheduler = scheduler,
                     .lane = n->sub_cores ? scheduler : 0,
                     .step = n->steps * (s->engine.now + 1) - 1,
                     .unit_cycles = 1 + random_below(random, 4),
                     .latency = s->least_latency + random_below(random, 9)};
    for (unsigned b = 0; b < n->banks; b++)
        inst->operands[bank_of(n, warp, b)] = s->statics[id].reads >> 4 * b & 15;
    if (kind == WS_UNIT_MEMORY) {
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
    ws_collect_issue(&s->engine, &s->sm, kind, &latched);
}

static void write_result(scene *s, uint64_t *random, unsigned scheduler) {
    naive *n = &s->naive;
    unsigned id = random_below(random, ISSUED_MAX),
             warp = scheduler + n->schedulers * random_below(random, 10);
    ws_collect_write(&s->engine, &s->sm, warp, id, s->engine.now);
    for (unsigned b = 0; b < n->banks; b++)
        if (s->statics[id].writes >> 4 * b & 1)
            n->writes[n->sub_cores ? scheduler : 0][bank_of(n, warp, b)] = true;
}

/* One cycle: results are written, the load/store unit takes one instruction, collectors have their turn, schedulers
 * issue. */
static void cycle(scene *s, uint64_t *random) {
    naive *n = &s->naive;
    ws_engine *e = &s->engine;
    e->now++;
    s->sm.wheel[e->now % WS_WHEEL] = 0; /* its results have come */
    memset(n->writes, 0, sizeof n->writes);
    for (unsigned k = 0; k < n->schedulers; k++)
        while (!random_one_in(random, s->results)) write_result(s, random, k);
    if (random_one_in(random, s->takes)) assert_int_equal(ws_collect_take(e, &s->sm), naive_take(n, e->now));
    ws_collect_step(e, &s->sm);
    naive_cycle(n, e->now);
    for (unsigned k = 0; k < n->schedulers; k++) {
        unsigned kind = kinds[random_below(random, s->kinds)];
        bool takes = is_free_to_issue(n, kind, k);
        assert_int_equal(ws_collect_takes(&s->sm, kind, k), takes);
        if (takes && random_one_in(random, s->issues)) issue(s, random, k, kind);
    }
}

static void compare_collectors(const scene *s) {
    const naive *n = &s->naive;
    const ws_collectors *c = &s->sm.collectors;
    for (unsigned lane = 0; lane < n->lanes; lane++)
        for (unsigned set = 0, at = 0; set < SETS; set++)
            for (unsigned i = 0; i < n->room[set]; i++, at++) {
                const issued *inst = n->in[lane][set][i];
                assert_int_equal(c->taken[lane] >> at & 1, inst != NULL);
                if (inst)
                    assert_int_equal(c->of[lane * s->engine.collecting.per_lane + at].inst.static_id,
                                     inst - n->at);
            }
}

static void compare_memory(const scene *s) {
    static const enum place places[] = {[WS_STATION_UNIT] = GONE,
                                        [WS_STATION_LATCH] = LATCH,
                                        [WS_STATION_COLLECTOR] = COLLECTOR,
                                        [WS_STATION_BEHIND] = FRONT};
    for (uint32_t i = 0; i < s->sm.memory_count; i++) {
        const ws_memory_inst *m = ws_sm_memory(&s->sm, i);
        assert_int_equal(places[m->station], s->naive.at[m->static_id].place);
    }
}

/* The same instructions have results to come, in the same cycles: two cycles after their end (see ws_sm_begins). */
static void compare_results(const scene *s) {
    const ws_sm *sm = &s->sm;
    uint64_t written[ISSUED_MAX] = {0};
    for (uint64_t when = s->engine.now + 1; when < s->engine.now + WS_WHEEL; when++)
        for (uint32_t at = sm->wheel[when % WS_WHEEL]; at; at = sm->events[at - 1].next)
            written[sm->events[at - 1].static_id] = when + sm->events[at - 1].later;
    for (unsigned i = 0; i < s->naive.count; i++) {
        const issued *inst = &s->naive.at[i];
        uint64_t expected = inst->begins ? end_of(inst) + 2 : 0;
        assert_int_equal(written[i], expected > s->engine.now ? expected : 0);
    }
}

static void equal_to_their_definition(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < ROUNDS; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random);
        for (int i = 0; i < CYCLES; i++) {
            cycle(s, &random);
            compare_collectors(s);
            compare_memory(s);
            compare_results(s);
        }
        free(s->sm.events);
        ws_queue_free(&s->sm.collectors.far_ends);
        free(s);
    }
}

/* Collectors that share a way out take turns, and the turn survives into the next launch, for which the SM is made
 * anew. */
static void turns_go_on_with_the_next_launch(void **state) {
    (void)state;
    static const ws_core_params smallest = {.memory_queue = 1, .memory_ports = 1, .coalescers = 1};
    static const ws_sm_params sm = {.schedulers = 1};
    static const ws_l1_params l1 = {.size_B = 128,
                                    .line_B = 128,
                                    .ways = 1,
                                    .banks = 1,
                                    .latency = 1,
                                    .mshr_entries = 1,
                                    .mshr_merges = 1};
    ws_idle idle[2] = {{.left_last = {{1, 2}, {3, 4}}}, {.left_last = {{5}, {6}}}};
    ws_engine gpu = {.core = &smallest,
                     .sm_params = &sm,
                     .l1 = &l1,
                     .idle = idle,
                     .statics = {.register_words = 1},
                     .cluster_parts = 2};
    for (unsigned i = 0; i < 2; i++) {
        ws_sm s = {0};
        assert_true(ws_sm_init(&gpu, &s, i));
        assert_memory_equal(s.collectors.left_last, idle[i].left_last, sizeof idle[i].left_last);
        s.collectors.left_last[2][0] = (uint8_t)(7 + i);
        ws_sm_free(&gpu, &s);
        assert_int_equal(idle[i].left_last[2][0], 7 + i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_their_definition),
                                       cmocka_unit_test(turns_go_on_with_the_next_launch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
