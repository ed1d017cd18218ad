/* Cache-conscious wavefront scheduling (CCWS), in the slots `core` and `l1`: a warp that loses lines it comes back to
 * gets a larger share of the L1, because other warps are kept from loading. It works on top of any warp scheduler.
 * parts/ccws_tags.h detects lost locality, parts/ccws_scores.h decides which warps may load.
 *
 * The model follows the code that the paper's authors published (github.com/tgrogers/ccws-2012), with these
 * differences: a warp that waits at a barrier takes nobody's place, so that no loads are held back for a warp that
 * waits for the very warps held back; scores never fall below the base; the cap applies when a hit raises a score, not
 * also in every cycle after it. */
#include "base/array.h"
#include "base/bits.h"
#include "mechanism/parts/ccws_scores.h"
#include "mechanism/parts/ccws_tags.h"
#include "timed/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

typedef struct ccws_params {
    int64_t vta_sets, vta_ways, base_score;
    double gain, cap;
} ccws_params;

static const ws_param params[] = {
    WS_INT(ccws_params, vta_sets, "ccws.vta_sets", "sets", 2, 1, 1024,
           "Sets of each warp's victim tag array, a power of two (CCWS: 16 entries in 8 ways)."),
    WS_INT(ccws_params, vta_ways, "ccws.vta_ways", "lines", 8, 1, CCWS_WAYS_MAX,
           "Ways of each warp's victim tag array; the oldest is replaced (CCWS: 8). A line that leaves the "
           "L1 is noted in the array of the warp that brought it in; it stays for the next warp of the slot, "
           "and is removed when the line is written, as published in code."),
    WS_INT(ccws_params, base_score, "ccws.base_score", "points", 100, 1, 1000000,
           "Score of a warp that has lost no locality (CCWS: 100). Warps are allowed to load from the "
           "highest score down, the lowest slot first among equals, until their sum reaches this times the "
           "number of warps that have instructions left. Warps that wait at a barrier, or that the "
           "scheduler's policy does not admit, are skipped (our choice)."),
    WS_REAL(ccws_params, gain, "ccws.gain", "", 8, 0, 1e9,
            "How much a warp's score rises when it misses a line that is among its victim tags: this x (such "
            "misses / instructions issued, of all warps now resident on the SM) x the sum up to which warps "
            "are allowed to load (CCWS: K of 8). Each cycle the score falls by 1, down to ccws.base_score."),
    WS_REAL(ccws_params, cap, "ccws.cap", "", 8, 0, 1e9,
            "Upper bound of a score after it rises, in the units of ccws.gain, if that is above the base "
            "score. If it equals ccws.gain, each hit sets the score to the bound (CCWS), even if it was "
            "higher. 0: no bound, rises add up."),
};

static bool validate(const void *values, ws_error *err) {
    const ccws_params *p = values;
    return (p->vta_sets & (p->vta_sets - 1)) == 0 ||
           ws_fail(err, WS_ERROR_SPEC, "ccws.vta_sets: expected a power of two, found %lld",
                   (long long)p->vta_sets);
}

const ws_component ws_ccws_component = {.name = "ccws",
                                        .summary = "Cache-conscious wavefront scheduling",
                                        .source = "CCWS",
                                        .params = params,
                                        .param_count = WS_COUNT(params),
                                        .struct_size = sizeof(ccws_params),
                                        .validate = validate};

enum { LOOKUPS, HITS, VICTIMS, CUT, ADMITTED, BLOCKED, COUNTS };
static const ws_column columns[] = {
    [LOOKUPS] = {"lookups", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
                 "Reads that missed, and looked up their warp's victim tags."},
    [HITS] = {"vta_hits", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
              "Look-ups of the victim tags that found their line: lost locality (CCWS)."},
    [VICTIMS] = {"victims", WS_TYPE_INT, "lines", WS_ADDS_SUM, "Lines entered into victim tag arrays."},
    [CUT] = {"cut_cycles", WS_TYPE_INT, "SM cycles", WS_ADDS_SUM,
             "SM cycles in which some warp that could have loaded was not allowed to."},
    [ADMITTED] = {"admitted_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
                  "Warps allowed to load, summed over those SM cycles (cut_cycles)."},
    [BLOCKED] = {"blocked_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
                 "Cycles that warps waited because they were not allowed to load; the load lacked nothing "
                 "else, except perhaps its unit."},
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"lost_locality", "", "1.0 * vta_hits / nullif(lookups, 0)",
     "Share of the look-ups of the victim tags that hit."},
    {"admitted_warps", "warps", "1.0 * admitted_cycles / nullif(cut_cycles, 0)",
     "Mean warps of an SM that were allowed to load, over the cycles in which not all were."},
};
const ws_table ws_ccws_table = {"ccws_counters", "Cache-conscious wavefront scheduling",
                                columns,         WS_COUNT(columns),
                                ratios,          WS_COUNT(ratios)};

enum { VICTIM_TAGS, WARPS_IN_TAGS, SCORES };
static const ws_structure structures[] = {
    [VICTIM_TAGS] = {"victim tag arrays",
                     "Per SM: sm.warps x ccws.vta_sets x ccws.vta_ways entries of a valid bit and a tag, "
                     "which is a 48-bit address without the offset in a line (l1.line_B) and the number of "
                     "the set. CCWS keeps them per warp; their width is our own."},
    [WARPS_IN_TAGS] =
        {"warps in the L1's tags",
         "Per SM: the number of a warp, of sm.warps, for each of the l1.size_B / l1.line_B lines."},
    [SCORES] =
        {"scores",
         "Per SM: per warp, of sm.warps, a number up to sm.warps x ccws.base_score x ccws.cap, or up to 2 to "
         "the 48 with ccws.cap 0; and two 32-bit totals, of hits and of instructions. Our own estimate."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const ccws_params *p = ws_config_get(config, &ws_ccws_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    uint64_t warps = (uint64_t)sm->warps, line_B = (uint64_t)l1->line_B;
    uint64_t lines = (uint64_t)l1->size_B / line_B;
    costs[0] = (ws_cost){&structures[VICTIM_TAGS], WS_PER_SM,
                         ccws_tags_bits(warps, (uint64_t)p->vta_sets, (uint64_t)p->vta_ways, line_B)};
    costs[1] = (ws_cost){&structures[WARPS_IN_TAGS], WS_PER_SM, lines * ws_bits_for(warps)};
    costs[2] =
        (ws_cost){&structures[SCORES], WS_PER_SM, ccws_scores_bits(warps, (uint64_t)p->base_score, p->cap)};
    return 3;
}

static const char *l1_by(const ws_config *config) {
    (void)config;
    return "mechanism.core";
}

/* ---- the instance, of both slots */

typedef struct ccws {
    ccws_tags tags;
    ccws_scores scores;
    uint8_t *owners;  /* per way of the L1: the slot whose warp brought its line; WS_NO_SLOT: none */
    uint64_t loading; /* warps with a load to issue .. */
    uint64_t blocked; /* .. of which these are held back .. */
    uint64_t since;   /* .. and the cycle up to which this is counted (BLOCKED) */
    uint64_t counts[COUNTS];
} ccws;

static void destroy(void *self) {
    ccws *c = self;
    if (!c) return;
    ccws_tags_free(&c->tags);
    free(c->owners);
    free(c);
}

static void *create(const ws_engine *e, uint32_t sm, const void *params_) {
    (void)e, (void)sm;
    const ccws_params *p = params_;
    ccws *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    ccws_scores_init(&c->scores, (uint64_t)p->base_score, p->gain, p->cap);
    if (ccws_tags_init(&c->tags, WS_SLOTS, (uint32_t)p->vta_sets, (uint32_t)p->vta_ways)) return c;
    destroy(c);
    return NULL;
}

/* The `l1` slot shares the core slot's instance; the number of the L1's ways is known only now. */
static void *create_at_l1(const ws_engine *e, const ws_sm *s, const void *params_) {
    (void)e, (void)params_;
    ccws *c = s->core;
    const size_t ways = (size_t)s->l1.sets * s->l1.ways;
    c->owners = malloc(ways * sizeof *c->owners);
    for (size_t i = 0; c->owners && i < ways; i++) c->owners[i] = WS_NO_SLOT;
    return c->owners ? c : NULL;
}

/* ---- slot l1: detects lost locality */

static void placed(void *self, const ws_engine *e, const ws_sm *s, uint32_t way, uint64_t line, unsigned warp,
                   uint64_t evicted) {
    (void)e, (void)s, (void)line;
    ccws *c = self;
    unsigned owner = c->owners[way];
    c->owners[way] = (uint8_t)warp;
    if (evicted == WS_NO_LINE || owner == WS_NO_SLOT) return;
    c->counts[VICTIMS] += ccws_tags_insert(&c->tags, owner, evicted);
}

static void served(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *access,
                   enum ws_timed_status status, uint32_t way) {
    (void)way;
    ccws *c = self;
    if (access->is_write) {
        ccws_tags_drop(&c->tags, access->line);
        return;
    }
    if (status != WS_TIMED_MISS) return;
    c->counts[LOOKUPS]++;
    if (!ccws_tags_find(&c->tags, access->warp, access->line)) return;
    c->counts[HITS]++;
    ccws_scores_hit(&c->scores, e->now, access->warp, (uint32_t)__builtin_popcountll(s->issuing));
}

static const ws_l1_slot l1 = {.create = create_at_l1, .placed = placed, .served = served};

/* ---- slot core: chooses which warps may load */

static void warp_ended(void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)s;
    ccws_scores_ended(&((ccws *)self)->scores, e->now, warp);
}

static void issued(void *self, ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst,
                   ws_issue *how) {
    (void)e, (void)s, (void)inst, (void)how;
    ccws_scores_issued(&((ccws *)self)->scores, warp);
}

/* True if the warp's next instruction reads data through the L1. */
static bool loads(const ws_engine *e, const ws_sm *s, unsigned warp) {
    const ws_timed_inst *inst = s->warps[warp].inst;
    const ws_timed_static *t = &e->statics.at[inst->static_id];
    return inst->access_count && t->op == WS_MEMORY_LOAD && !t->past_l1;
}

static void account(ccws *c, const ws_engine *e) {
    c->counts[BLOCKED] += (e->now - c->since) * (uint64_t)__builtin_popcountll(c->blocked);
    c->since = e->now;
}

static uint64_t admits(void *self, const ws_engine *e, const ws_sm *s, uint64_t warps) {
    ccws *c = self;
    uint64_t able = s->issuing & ~s->barred & s->admitted;
    uint64_t admitted = ccws_scores_admit(&c->scores, e->now, s->issuing, able);
    account(c, e);
    c->loading = 0;
    for (uint64_t rest = warps; rest; rest &= rest - 1)
        if (loads(e, s, (unsigned)__builtin_ctzll(rest))) c->loading |= rest & -rest;
    c->blocked = c->loading & ~admitted;
    return warps & ~c->blocked;
}

/* Falling scores admit warps, and hold others back that only wait for the load/store unit. */
static uint64_t next(const void *self, uint64_t now) {
    (void)now;
    const ccws *c = self;
    return c->loading ? c->scores.next : WS_NEVER;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    ccws *c = self;
    account(c, e);
    ccws_scores_account(&c->scores, e->now);
    memcpy(counts, c->counts, sizeof c->counts);
    counts[CUT] = c->scores.cut_cycles;
    counts[ADMITTED] = c->scores.admitted_in_them;
}

static const ws_core_slot core = {.create = create,
                                  .destroy = destroy,
                                  .warp_ended = warp_ended,
                                  .admits = admits,
                                  .issued = issued,
                                  .next = next,
                                  .count = count};

const ws_mechanism ws_mechanism_ccws = {
    .name = "ccws",
    .summary = "Cache-conscious wavefront scheduling: warps that lose locality keep others from loading",
    .source = "CCWS",
    .version = 2,
    .component = &ws_ccws_component,
    .table = &ws_ccws_table,
    .structures = structures,
    .structure_count = WS_COUNT(structures),
    .cost = cost,
    .core = &core,
    .l1 = &l1,
    .l1_by = l1_by};
