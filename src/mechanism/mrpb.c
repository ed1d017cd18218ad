/* Memory request prioritization buffer (MRPB 3), in the slots `front` (reordering: accesses wait in FIFO queues by who
 * issued them, and queues are drained by priority; parts/mrpb_buffer.h) and `l1` (bypassing: a read that misses and
 * lacks a resource bypasses the L1). Both slots share one instance. */
#include "base/array.h"
#include "mechanism/parts/holds.h"
#include "mechanism/parts/mrpb_buffer.h"
#include "timed/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

enum signature { SIGNATURE_NONE, SIGNATURE_BLOCK, SIGNATURE_WARP, SIGNATURE_IN_BLOCK_WARP };
enum bypass { BYPASS_NONE, BYPASS_ALL_STALLS, BYPASS_SET_FULL };

typedef struct mrpb_params {
    int signature, drain, bypass;
    int64_t entries, latency;
    bool flush;
} mrpb_params;

static const char *const signatures[] = {[SIGNATURE_NONE] = "none",
                                         [SIGNATURE_BLOCK] = "block_id",
                                         [SIGNATURE_WARP] = "warp_id",
                                         [SIGNATURE_IN_BLOCK_WARP] = "in_block_warp_id",
                                         NULL};
static const char *const drains[] = {[MRPB_FIXED] = "fixed",
                                     [MRPB_ROUND_ROBIN] = "round_robin",
                                     [MRPB_LONGEST_FIRST] = "longest_first",
                                     [MRPB_GREEDY_FIXED] = "greedy_fixed",
                                     [MRPB_GREEDY_ROUND_ROBIN] = "greedy_round_robin",
                                     [MRPB_GREEDY_LONGEST_FIRST] = "greedy_longest_first",
                                     NULL};
static const char *const bypasses[] = {
    [BYPASS_NONE] = "none", [BYPASS_ALL_STALLS] = "all_stalls", [BYPASS_SET_FULL] = "set_full", NULL};

static const ws_param params[] = {
    WS_CHOICE(mrpb_params, signature, "mrpb.signature", SIGNATURE_WARP, signatures,
              "Which queue an access waits in (MRPB 3.2). block_id: that of its CTA's slot. warp_id: that of "
              "its warp's slot. in_block_warp_id: that of its warp's number within the CTA. none: no queues, "
              "accesses go straight to the L1 (MRPB 5.4: bypassing alone). In any case as many as the L1 has "
              "banks reach it per cycle, also with several core.coalescers."),
    WS_CHOICE(mrpb_params, drain, "mrpb.drain", MRPB_FIXED, drains,
              "Which queue is drained next (MRPB 3.3). fixed: the lowest that is not empty. round_robin: "
              "queues in turn. longest_first: the longest, the lowest of equal ones. greedy_*: the same, but "
              "a queue is emptied before another is chosen. Accesses count once they have been there for "
              "mrpb.latency cycles."),
    WS_INT(mrpb_params, entries, "mrpb.entries", "accesses", 8, 0, 1024,
           "Accesses that a queue holds (MRPB 5.3: 4 to 32, 8 chosen). 0: unlimited, which cannot be built: "
           "its cost is unknown."),
    WS_BOOL(mrpb_params, flush, "mrpb.flush", true,
            "Whether queues are flushed (MRPB 3.3): a read that meets a full queue has one item of it "
            "drained; a write has its queue emptied and then passes without waiting in it. false: writes "
            "queue like reads, in entries wide enough for their data, and a full queue stalls."),
    WS_INT(mrpb_params, latency, "mrpb.latency", "cycles", 5, 0, 1000,
           "Cycles from entering a queue to leaving it (MRPB 5.3: 3 to 18, 5 assumed)."),
    WS_CHOICE(mrpb_params, bypass, "mrpb.bypass", BYPASS_SET_FULL, bypasses,
              "Which reads that miss and would have to wait bypass the L1 and do not fill it (MRPB 3.4). "
              "set_full: those for which all ways of the set wait for data. all_stalls: also those that lack "
              "an MSHR, room in one, or room in the miss queue."),
};

#define WITH_QUEUES(name)                                                                                    \
    { .param = name, .of = "mrpb.signature", .value = "none", .other_than = true }
static const ws_need needs[] = {
    WITH_QUEUES("mrpb.drain"),
    WITH_QUEUES("mrpb.entries"),
    WITH_QUEUES("mrpb.flush"),
    WITH_QUEUES("mrpb.latency"),
};

const ws_component ws_mrpb_component = {.name = "mrpb",
                                        .summary = "Memory request prioritization buffer",
                                        .source = "MRPB 3, table 4",
                                        .params = params,
                                        .param_count = WS_COUNT(params),
                                        .struct_size = sizeof(mrpb_params),
                                        .needs = needs,
                                        .need_count = WS_COUNT(needs)};

enum { QUEUED, PASSED, STALL_CYCLES, BYPASSED, PEAK, COUNTS };
static const ws_column columns[] = {
    [QUEUED] = {"queued", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Accesses that waited in a queue."},
    [PASSED] = {"passed", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
                "Accesses that waited in no queue: writes after a flush, and all accesses with "
                "mrpb.signature none."},
    [STALL_CYCLES] =
        {"stall_cycles", WS_TYPE_INT, "SM cycles", WS_ADDS_SUM,
         "SM cycles in which an access of the load/store unit waits because its queue is full or "
         "being flushed, or because the L1 takes nothing."},
    [BYPASSED] = {"bypassed", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Reads that went past the L1."},
    [PEAK] = {"peak_entries", WS_TYPE_INT, "accesses", WS_ADDS_MAX,
              "The most accesses that waited in one SM."},
};
WS_HAS_ROOM_FOR(columns);
const ws_table ws_mrpb_table = {
    "mrpb_counters", "Memory request prioritization buffer", columns, WS_COUNT(columns), NULL, 0};

/* ---- queues */

static uint32_t queues_of(const mrpb_params *p, const ws_sm_params *sm) {
    switch (p->signature) {
    case SIGNATURE_BLOCK:
        return (uint32_t)sm->ctas;
    case SIGNATURE_WARP:
        return (uint32_t)sm->warps;
    case SIGNATURE_IN_BLOCK_WARP:
        return (uint32_t)(sm->warps < 32 ? sm->warps : 32);
    default:
        return 0;
    }
}

static uint32_t queue_of(const ws_sm *s, const mrpb_params *p, const ws_packet *packet, uint32_t queues) {
    switch (p->signature) {
    case SIGNATURE_BLOCK:
        return s->warps[packet->warp].cta_of % queues;
    case SIGNATURE_IN_BLOCK_WARP:
        return s->warps[packet->warp].id_in_cta % queues;
    default:
        return packet->warp % queues;
    }
}

static const ws_structure structures[] = {
    {"queues",
     "Per SM: its queues (mrpb.signature: sm.ctas, sm.warps, or at most 32 of a CTA's warps) x mrpb.entries "
     "x 8 B, which is inferred from 'less than 3 KB' (MRPB 6); without mrpb.flush a line's l1.line_B more, "
     "as writes wait there, too (MRPB 3.3, 5.3). Unbounded with mrpb.entries 0."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const mrpb_params *p = ws_config_get(config, &ws_mrpb_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    uint32_t queues = queues_of(p, ws_config_get(config, &ws_sm_component));
    uint64_t bits = mrpb_buffer_bits(queues, (uint64_t)p->entries, p->flush, (uint64_t)l1->line_B);
    costs[0] = (ws_cost){structures, WS_PER_SM, queues && !p->entries ? WS_BITS_UNBOUNDED : bits};
    return 1;
}

/* ---- the slots */

typedef struct mrpb {
    const mrpb_params *params;
    mrpb_buffer buffer; /* without queues with mrpb.signature none */
    uint64_t cycle;     /* the cycle that `left` is for */
    uint32_t left;      /* the number of accesses that may still leave in it */
    uint64_t counts[COUNTS];
    holds holds;
} mrpb;

static void destroy(void *self) {
    mrpb *m = self;
    if (m) mrpb_buffer_free(&m->buffer);
    free(m);
}

static void *create(const ws_engine *e, const ws_sm *s, const void *params_) {
    (void)s;
    const mrpb_params *p = params_;
    mrpb *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->params = p;
    uint32_t queues = queues_of(p, e->sm_params);
    if (!queues || mrpb_buffer_init(&m->buffer, queues, (uint32_t)p->entries, (enum mrpb_drain)p->drain,
                                    p->flush, (uint32_t)p->latency))
        return m;
    destroy(m);
    return NULL;
}

/* Sends an access to the L1; false: not now. At most as many leave per cycle as the L1's banks take, which is its peak
 * rate without the buffer (MRPB 3.5). */
static bool leave(mrpb *m, ws_engine *e, ws_sm *s, uint32_t packet) {
    if (m->cycle != e->now) {
        m->cycle = e->now;
        m->left = e->l1_rate;
    }
    unsigned warp = e->packets.at[packet].warp;
    if (!m->left || !ws_l1_start(e, s, packet)) return false;
    ws_lsu_started(e, s, warp);
    m->left--;
    return true;
}

static bool enter(mrpb *m, ws_engine *e, ws_sm *s, uint32_t packet) {
    const ws_packet *p = &e->packets.at[packet];
    if (!m->buffer.queue_count) return leave(m, e, s, packet) && ++m->counts[PASSED];
    uint32_t queue = queue_of(s, m->params, p, m->buffer.queue_count);
    enum mrpb_answer answer = mrpb_buffer_offer(&m->buffer, e->now, queue, p->kind != WS_PACKET_READ, packet);
    e->failed |= m->buffer.failed;
    if (answer == MRPB_PASSED) return leave(m, e, s, packet) && ++m->counts[PASSED];
    if (answer == MRPB_STALLED) return false;
    if (m->counts[PEAK] < m->buffer.count) m->counts[PEAK] = m->buffer.count;
    return ++m->counts[QUEUED];
}

/* To be called at first in what the slot does in a turn: with several coalescers there may be several offers. */
static void begin_turn(mrpb *m, const ws_engine *e) {
    if (m->holds.since != e->now) holds_begin(&m->holds, e->now, m->counts);
}

static bool offer(void *self, ws_engine *e, ws_sm *s, uint32_t packet) {
    mrpb *m = self;
    begin_turn(m, e);
    bool entered = enter(m, e, s, packet);
    if (!entered) holds_find(&m->holds, STALL_CYCLES);
    return entered;
}

static bool step(void *self, ws_engine *e, ws_sm *s) {
    mrpb *m = self;
    bool moved = false;
    begin_turn(m, e);
    while (m->buffer.count) {
        uint32_t queue = mrpb_buffer_choose(&m->buffer, e->now);
        if (queue == UINT32_MAX || !leave(m, e, s, mrpb_buffer_head(&m->buffer, queue))) break;
        mrpb_buffer_take(&m->buffer, queue);
        moved = true;
    }
    return moved;
}

static uint64_t next(const void *self) {
    const mrpb *m = self;
    return mrpb_buffer_next(&m->buffer);
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    const mrpb *m = self;
    memcpy(counts, m->counts, sizeof m->counts);
    holds_count(&m->holds, e->now, counts);
}

static const char *l1_by(const ws_config *config) {
    const mrpb_params *p = ws_config_get(config, &ws_mrpb_component);
    return p->bypass != BYPASS_NONE ? "mrpb.bypass" : NULL;
}

static void *create_at_l1(const ws_engine *e, const ws_sm *s, const void *params_) {
    (void)e, (void)params_;
    return s->front;
}

static bool bypasses_l1(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *access,
                        enum ws_fail cause) {
    (void)e, (void)s, (void)access;
    const mrpb *m = self;
    return m->params->bypass == BYPASS_ALL_STALLS || cause == WS_FAIL_SET_FULL;
}

static bool reorders(const void *params_) {
    const mrpb_params *p = params_;
    return p->signature != SIGNATURE_NONE;
}

static const ws_front_slot front = {.reorders = reorders,
                                    .create = create,
                                    .destroy = destroy,
                                    .offer = offer,
                                    .step = step,
                                    .next = next,
                                    .count = count};
static void bypassed(void *self, const ws_engine *e, const ws_sm *s, const ws_l1_access *access) {
    (void)e, (void)s, (void)access;
    ((mrpb *)self)->counts[BYPASSED]++;
}

static const ws_l1_slot l1 = {.create = create_at_l1, .bypasses = bypasses_l1, .bypassed = bypassed};

const ws_mechanism ws_mechanism_mrpb = {.name = "mrpb",
                                        .summary =
                                            "Memory request prioritization buffer: reordering and bypassing",
                                        .source = "MRPB 3",
                                        .version = 3,
                                        .component = &ws_mrpb_component,
                                        .table = &ws_mrpb_table,
                                        .structures = structures,
                                        .structure_count = WS_COUNT(structures),
                                        .cost = cost,
                                        .front = &front,
                                        .l1 = &l1,
                                        .l1_by = l1_by};
