/* WarpMan: warp-level resource management (XI 3.4), in the slot `dispatch`.
 *
 * A CTA that does not fit on an SM as a whole may start with as many of its warps as there are slots and registers for;
 * it still needs a CTA slot and its shared memory. The SM's workload buffer notes this partial CTA, which gets what
 * becomes free first. So an SM has at most one partial CTA, and its barriers open: all other CTAs there are complete
 * and will end. All warps of a kernel need equally many registers, so it is enough to count warps. */
#include "base/array.h"
#include "base/bits.h"
#include "timed/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

enum warpman_spatial { SPATIAL_OFF, SPATIAL_ON, SPATIAL_DUELING };
static const char *const spatial_names[] = {"off", "on", "dueling", NULL};

typedef struct warpman_params {
    bool temporal;
    int spatial; /* enum warpman_spatial */
    int64_t threshold, dueling_cycles;
} warpman_params;

static const ws_param params[] = {
    WS_BOOL(warpman_params, temporal, "warpman.temporal", true,
            "Whether a warp that ends frees its slot and registers at once (XI 3.6.1: temp). false: they are "
            "freed with its CTA."),
    WS_CHOICE(warpman_params, spatial, "warpman.spatial", SPATIAL_DUELING, spatial_names,
              "Whether warps may use the room that whole CTAs leave (XI 3.6.1). off: no more warps than "
              "whole CTAs have. on: as many as slots and registers allow. dueling: SM 0 does, SM 1 does not, "
              "the others do as the one with the higher IPC so far; of equals, and until the first "
              "comparison, they do."),
    WS_INT(warpman_params, threshold, "warpman.threshold", "warps", 0, 0, 64,
           "Single warps start only while fewer warps than this are resident on the SM, whole CTAs otherwise "
           "(XI 3.6.1: 36). Fewer than a CTA has count as that many, or its barriers would not open. 0: no "
           "threshold."),
    WS_INT(warpman_params, dueling_cycles, "warpman.dueling_cycles", "cycles", 1000, 1, 100000000,
           "Cycles from one comparison of the dueling SMs to the next (not published)."),
};

static const ws_need needs[] = {
    {.param = "warpman.dueling_cycles", .of = "warpman.spatial", .value = "dueling"},
};

const ws_component ws_warpman_component = {.name = "warpman",
                                           .summary = "Warp-level resource management",
                                           .source = "XI 3.4, 3.6",
                                           .params = params,
                                           .param_count = WS_COUNT(params),
                                           .struct_size = sizeof(warpman_params),
                                           .needs = needs,
                                           .need_count = WS_COUNT(needs)};

enum { WHOLE_CTAS, PARTIAL_CTAS, PARTIAL_WARPS, LATER_WARPS, WAITING, PEAK_WARPS, DUELS, WON, COUNTS };
static const ws_column columns[] = {
    [WHOLE_CTAS] = {"whole_ctas", WS_TYPE_INT, "CTAs", WS_ADDS_SUM,
                    "CTAs that started with all of their warps."},
    [PARTIAL_CTAS] = {"partial_ctas", WS_TYPE_INT, "CTAs", WS_ADDS_SUM,
                      "CTAs that started with only some of their warps."},
    [PARTIAL_WARPS] = {"partial_warps", WS_TYPE_INT, "warps", WS_ADDS_SUM,
                       "Warps with which partial CTAs started."},
    [LATER_WARPS] = {"later_warps", WS_TYPE_INT, "warps", WS_ADDS_SUM,
                     "Warps that started later, from the workload buffer."},
    [WAITING] = {"waiting_cycles", WS_TYPE_INT, "SM cycles", WS_ADDS_SUM,
                 "SM cycles in which the workload buffer is in use."},
    [PEAK_WARPS] = {"peak_warps", WS_TYPE_INT, "warps", WS_ADDS_MAX,
                    "The most warps that resided on an SM after a start."},
    [DUELS] = {"duels", WS_TYPE_INT, "comparisons", WS_ADDS_SUM, "Comparisons of the two dueling SMs."},
    [WON] = {"duels_won", WS_TYPE_INT, "comparisons", WS_ADDS_SUM,
             "Comparisons in which the SM with spatial allocation was not behind."},
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"partial_share", "", "1.0 * partial_ctas / nullif(whole_ctas + partial_ctas, 0)",
     "Share of the CTAs that start with some of their warps."},
};
const ws_table ws_warpman_table = {
    "warpman_counters", "Warp-level resource management", columns, WS_COUNT(columns), ratios,
    WS_COUNT(ratios)};

enum { WORKLOAD_BUFFER, DUEL_COUNTERS };
static const ws_structure structures[] = {
    [WORKLOAD_BUFFER] =
        {"workload buffer",
         "Per SM: the CTA's slot, of sm.ctas, its number in a grid of up to 1024 x 1024 x 64 (26 bits), the "
         "first and the last waiting warp of up to 32 (5 bits each), and a valid bit (XI 3.4)."},
    [DUEL_COUNTERS] = {"SM dueling",
                       "Per GPU, with warpman.spatial dueling: a 32-bit counter of instructions in each of "
                       "the two SMs, and the choice. Our own estimate."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    const warpman_params *p = ws_config_get(config, &ws_warpman_component);
    bool duels = p->spatial == SPATIAL_DUELING;
    costs[0] =
        (ws_cost){&structures[WORKLOAD_BUFFER], WS_PER_SM, ws_bits_for((uint64_t)sm->ctas) + 26 + 5 + 5 + 1};
    costs[1] = (ws_cost){&structures[DUEL_COUNTERS], WS_PER_GPU, duels ? 2 * 32 + 1 : 0};
    return 2;
}

static bool check(const ws_config *config, ws_error *err) {
    const warpman_params *p = ws_config_get(config, &ws_warpman_component);
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    return p->spatial != SPATIAL_DUELING || gpu->clusters * gpu->sms_per_cluster > 1 ||
           ws_fail(err, WS_ERROR_SPEC,
                   "warpman.spatial: dueling expects at least 2 SMs, found 1 (gpu.clusters x "
                   "gpu.sms_per_cluster): use on or off");
}

/* ---- the slot */

/* An SM's workload buffer: the CTA slot of its partial CTA. Which warp starts next is in ws_sm.cta_next. */
typedef struct workload_buffer {
    bool valid;
    uint8_t cta;
    uint64_t since; /* the cycle in which the partial CTA came */
} workload_buffer;

enum { WITH, WITHOUT }; /* the dueling SMs, by number: with spatial allocation, and without */

typedef struct warpman {
    const warpman_params *params;
    workload_buffer *buffers; /* per SM */
    uint32_t whole, all;      /* warps that fit on an SM: if only whole CTAs do; if single warps do */
    uint32_t threshold;       /* in warps; UINT32_MAX: none */
    uint64_t period_end;      /* the cycle of the duel's next comparison; 0: before the first period */
    bool followers_spatial;   /* the other SMs use spatial allocation */
    uint64_t counts[COUNTS];
} warpman;

static void destroy(void *self) {
    warpman *m = self;
    if (m) free(m->buffers);
    free(m);
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}
static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void *create(const ws_engine *e, const void *params_) {
    const warpman_params *p = params_;
    warpman *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->params = p;
    m->whole = e->ctas_per_sm * e->warps_per_cta;
    m->all = e->occupancy.warp_room;
    m->threshold = p->threshold ? larger((uint32_t)p->threshold, e->warps_per_cta) : UINT32_MAX;
    m->followers_spatial = true;
    if ((m->buffers = calloc(e->sm_count, sizeof *m->buffers))) return m;
    destroy(m);
    return NULL;
}

static uint32_t most_ctas(const void *self, const ws_engine *e) {
    const warpman *m = self;
    bool whole_only = !m->params->temporal && m->params->spatial == SPATIAL_OFF;
    return whole_only ? ws_launch_ctas_on_sm(e, e->launches) : smaller(e->occupancy.cta_room, m->all);
}

/* ---- room */

static bool is_spatial(const warpman *m, const ws_sm *s) {
    if (m->params->spatial != SPATIAL_DUELING) return m->params->spatial == SPATIAL_ON;
    return s->index == WITH || (s->index != WITHOUT && m->followers_spatial);
}

/* The number of warps for which the SM has slots and registers. */
static uint32_t room_for_warps(const warpman *m, const ws_sm *s) {
    uint32_t held = (uint32_t)__builtin_popcountll(~s->free_slots);
    uint32_t room = is_spatial(m, s) ? m->all : m->whole;
    return room > held ? room - held : 0;
}

/* How many of `count` warps may start singly on an SM where `resident` warps are: up to the threshold. */
static uint32_t singly(const warpman *m, uint32_t count, uint32_t resident) {
    return resident < m->threshold ? smaller(count, m->threshold - resident) : 0;
}

static uint32_t resident(const ws_sm *s) {
    return (uint32_t)__builtin_popcountll(s->live);
}

/* The number of whole CTAs that fit, plus one if what is left is enough for a partial CTA. */
static uint32_t room(const void *self, const ws_engine *e, const ws_sm *s) {
    const warpman *m = self;
    if (m->buffers[s->index].valid) return 0;
    uint32_t warps = room_for_warps(m, s), slots = e->occupancy.cta_room - s->resident;
    uint32_t whole = smaller(warps / e->warps_per_cta, slots), whole_warps = whole * e->warps_per_cta;
    bool partial = whole < slots && singly(m, warps - whole_warps, resident(s) + whole_warps);
    return whole + partial;
}

/* ---- starts and ends */

static void start(warpman *m, ws_engine *e, ws_sm *s, unsigned cta, uint32_t warps) {
    ws_sm_start_warps(e, s, cta, warps);
    if (m->counts[PEAK_WARPS] < resident(s)) m->counts[PEAK_WARPS] = resident(s);
}

static void arrived(void *self, ws_engine *e, ws_sm *s, unsigned cta) {
    warpman *m = self;
    uint32_t warps = room_for_warps(m, s);
    if (warps >= e->warps_per_cta) {
        m->counts[WHOLE_CTAS]++;
        start(m, e, s, cta, e->warps_per_cta);
        return;
    }
    warps = singly(m, warps, resident(s));
    m->counts[PARTIAL_CTAS]++;
    m->counts[PARTIAL_WARPS] += warps;
    m->buffers[s->index] = (workload_buffer){.valid = true, .cta = (uint8_t)cta, .since = e->now};
    start(m, e, s, cta, warps);
}

/* Starts warps of the CTA in the SM's workload buffer in what has become free. */
static void serve_buffer(warpman *m, ws_engine *e, ws_sm *s) {
    workload_buffer *b = &m->buffers[s->index];
    if (!b->valid) return;
    uint32_t waiting = s->cta_size[b->cta] - s->cta_next[b->cta];
    uint32_t warps = singly(m, smaller(room_for_warps(m, s), waiting), resident(s));
    if (!warps) return;
    m->counts[LATER_WARPS] += warps;
    if (warps == waiting) {
        b->valid = false;
        m->counts[WAITING] += e->now - b->since;
    }
    start(m, e, s, b->cta, warps);
}

static void ended(void *self, ws_sm *s, unsigned warp) {
    const warpman *m = self;
    if (m->params->temporal) ws_sm_release_slot(s, warp);
}

/* ---- dueling */

/* Both SMs have run for equally many cycles, so comparing instructions compares IPCs. */
static void compare(warpman *m, const ws_engine *e) {
    const ws_sm_counters *with = &e->sms[WITH].counters, *without = &e->sms[WITHOUT].counters;
    m->followers_spatial = with->thread_instructions >= without->thread_instructions;
    m->counts[DUELS]++;
    m->counts[WON] += m->followers_spatial;
}

static uint64_t step(void *self, ws_engine *e) {
    warpman *m = self;
    if (m->params->spatial == SPATIAL_DUELING && e->now >= m->period_end) {
        if (m->period_end) compare(m, e);
        m->period_end = e->now + (uint64_t)m->params->dueling_cycles;
    }
    for (uint32_t i = 0; i < e->sm_count; i++) serve_buffer(m, e, &e->sms[i]);
    return m->period_end ? m->period_end : UINT64_MAX;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    (void)e;
    const warpman *m = self;
    memcpy(counts, m->counts, sizeof m->counts);
}

static const ws_dispatch_slot dispatch = {.create = create,
                                          .destroy = destroy,
                                          .most_ctas = most_ctas,
                                          .room = room,
                                          .arrived = arrived,
                                          .ended = ended,
                                          .step = step,
                                          .count = count};

const ws_mechanism ws_mechanism_warpman = {.name = "warpman",
                                           .summary =
                                               "Warp-level resource management: SMs take CTAs warp by warp",
                                           .source = "XI 3.4",
                                           .version = 2,
                                           .component = &ws_warpman_component,
                                           .table = &ws_warpman_table,
                                           .structures = structures,
                                           .structure_count = WS_COUNT(structures),
                                           .cost = cost,
                                           .check = check,
                                           .dispatch = &dispatch};
