/* WarpPool (WP 3), in the slot `front`: memory instructions wait in queues by warp, several coalescers turn them into
 * requests, requests of several warps to one line merge (parts/warppool_queues.h), and a selector sends one of them, or
 * else a store, to the L1.
 *
 * Within a cycle the stages take their turns from the last to the first, so that what one stage hands on moves again in
 * the next cycle at the earliest. */
#include "base/array.h"
#include "base/bits.h"
#include "mechanism/parts/holds.h"
#include "mechanism/parts/warppool_queues.h"
#include "replay/set_index.h"
#include "timed/sm/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

enum selection { SELECTION_OLDEST, SELECTION_WARP_ID, SELECTION_ADAPTIVE };

typedef struct warppool_params {
    int64_t queues, queue_entries, coalescers, inter_queues, tags, merges;
    int selection;
    int64_t quantum, map_entries, writeback_entries, writeback_warps, latency;
} warppool_params;

/* OWN_CYCLES: the stages that the model itself goes through, coalescer and inter-warp queue. Only the rest of
 * warppool.latency is added as a delay. */
enum { OWN_CYCLES = 2, COALESCERS_MAX = 16 };

static const char *const selections[] = {
    [SELECTION_OLDEST] = "oldest", [SELECTION_WARP_ID] = "warp_id", [SELECTION_ADAPTIVE] = "adaptive", NULL};

#define POOL(field, unit, def, min, max, help)                                                               \
    WS_INT(warppool_params, field, "warppool." #field, unit, def, min, max, help)
static const ws_param params[] = {
    POOL(queues, "queues", 16, 1, 64,
         "Instruction queues of an SM; lower warps wait in queues of higher priority (WP 3.2: 16, 3 warps "
         "each)."),
    POOL(
        queue_entries, "instructions", 8, 1, 1024,
        "Instructions that a queue holds (WP 3.9: 8; WP tab. 2 says 16, but tab. 1 has 128 entries in all)."),
    POOL(coalescers, "coalescers", 2, 1, COALESCERS_MAX,
         "Intra-warp coalescers; each gives one line per cycle (WP 3.3, 3.9: 2)."),
    POOL(inter_queues, "queues", 32, 1, 1024,
         "Inter-warp coalescing queues; the L1's set index of a line chooses one (WP 3.4: 32)."),
    POOL(tags, "tags", 2, 1, 64,
         "Lines that an inter-warp queue holds (WP 3.4: 2). A queue takes one request per cycle, as "
         "coalescers "
         "get in each other's way only where there are few queues (WP 3.4): the first coalescer's."),
    POOL(merges, "requests", 4, 1, WARPPOOL_MERGES_MAX,
         "Requests that a tag gathers, the first included (WP 3.9: 4). 1: nothing merges."),
    WS_CHOICE(warppool_params, selection, "warppool.selection", SELECTION_ADAPTIVE, selections,
              "Which request goes to the L1 (WP 3.5). oldest: in the order of arrival. warp_id: that of the "
              "lowest warp. adaptive: starts as oldest and toggles after a quantum in which more than 99 % "
              "of the L1's accesses missed."),
    POOL(quantum, "cycles", 100000, 1, 1e12,
         "Quantum of the adaptive selection (WP 3.5: 100,000). 'Benchmarks begin execution in oldest mode' "
         "(WP 3.5), and quanta follow each other over all launches of a trace: each SM goes on with what it "
         "has selected and counted in the launches before."),
    POOL(map_entries, "entries", 8, 1, 65536,
         "Entries of the thread map table: requests in flight whose lanes and words follow none of the four "
         "patterns (WP 3.6: 8)."),
    POOL(
        writeback_entries, "requests", 2, 1, 65536,
        "Requests whose data wait to be written to registers; the L1 stalls when they are full (WP 3.7: 2)."),
    POOL(writeback_warps, "warps", 1, 1, WARPPOOL_MERGES_MAX,
         "Warps whose registers are written per cycle (WP 3.7: 1, which bounds the unit to one warp's "
         "request per cycle, merged or not)."),
    POOL(latency, "cycles", 6, OWN_CYCLES, 1000,
         "Pipeline stages that WarpPool adds to a load (WP 3.1: 6). With operand collectors, registers are "
         "read behind the instruction queues (WP 3.3): instructions hold no collector, and take as long as "
         "through one that is free."),
};

static const ws_need needs[] = {
    {.param = "warppool.quantum", .of = "warppool.selection", .value = "adaptive"},
};

const ws_component ws_warppool_component = {.name = "warppool",
                                            .summary = "WarpPool: inter-warp coalescing in front of the L1",
                                            .source = "WP 3, tabs. 1, 2",
                                            .params = params,
                                            .param_count = WS_COUNT(params),
                                            .struct_size = sizeof(warppool_params),
                                            .needs = needs,
                                            .need_count = WS_COUNT(needs)};

enum { LOADS, REQUESTS, MERGED, ACCESSES, WRITES, FULL, BUSY, UNMAPPED, MAPPED, TOGGLES, PEAK };
enum { STALL_CYCLES = PEAK + 1, TAG_CYCLES, MAP_CYCLES, REFUSED_CYCLES, WRITEBACK_CYCLES, COUNTS };
#define COLUMN(name, unit, adds, help)                                                                       \
    { name, WS_TYPE_INT, unit, adds, help }
static const ws_column columns[] = {
    [LOADS] = COLUMN("loads", "instructions", WS_ADDS_SUM, "Load instructions that entered WarpPool."),
    [REQUESTS] = COLUMN("requests", "requests", WS_ADDS_SUM,
                        "What loads asked for, after coalescing within the warp: lines, or the parts of "
                        "them that l1.access makes of narrow data."),
    [MERGED] = COLUMN("merged", "requests", WS_ADDS_SUM,
                      "Requests that joined the tag of another, which may be for another part "
                      "of the same load's line."),
    [ACCESSES] =
        COLUMN("accesses", "accesses", WS_ADDS_SUM, "Accesses sent to the L1; merged requests make one."),
    [WRITES] = COLUMN("writes", "accesses", WS_ADDS_SUM,
                      "Accesses of stores and atomics, which bypass the inter-warp queues."),
    [FULL] = COLUMN("full_queues", "requests", WS_ADDS_SUM,
                    "Requests that had to wait, first for a tag of their queue."),
    [BUSY] = COLUMN("busy_queues", "requests", WS_ADDS_SUM,
                    "Requests that had to wait, first for another coalescer's that entered the same queue."),
    [UNMAPPED] = COLUMN("full_map_table", "requests", WS_ADDS_SUM,
                        "Requests that had to wait, first for the thread map table."),
    [MAPPED] =
        COLUMN("mapped", "requests", WS_ADDS_SUM, "Requests that took an entry of the thread map table."),
    [TOGGLES] =
        COLUMN("toggles", "toggles", WS_ADDS_SUM, "Switches of the adaptive selection, on all SMs together."),
    [PEAK] = COLUMN("peak_tags", "tags", WS_ADDS_MAX, "The most tags in use in one SM."),
    /* What holds WarpPool up, each whatever else does at the same time. */
    [STALL_CYCLES] = COLUMN("stall_cycles", "SM cycles", WS_ADDS_SUM,
                            "SM cycles in which all coalescers have an instruction, and none can hand on "
                            "anything of it: those in the instruction queues stand."),
    [TAG_CYCLES] =
        COLUMN("full_queue_cycles", "SM cycles", WS_ADDS_SUM,
               "SM cycles in which a request waits for a tag of its queue; perhaps not all coalescers do."),
    [MAP_CYCLES] = COLUMN("map_table_cycles", "SM cycles", WS_ADDS_SUM,
                          "SM cycles in which a request waits for an entry of the thread map table, which is "
                          "full; perhaps not all coalescers do."),
    [REFUSED_CYCLES] =
        COLUMN("l1_refused_cycles", "SM cycles", WS_ADDS_SUM,
               "SM cycles in which requests, or else writes, wait for the L1, and it takes none."),
    [WRITEBACK_CYCLES] =
        COLUMN("writeback_cycles", "SM cycles", WS_ADDS_SUM,
               "SM cycles in which data, or accesses at the tags of the L1, are held up because "
               "warppool.writeback_entries requests wait to be written to registers."),
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"requests_per_access", "", "1.0 * requests / nullif(accesses, 0)",
     "Requests that one access to the L1 serves (WP Fig. 12: load instructions; 1 without merging)."},
};
const ws_table ws_warppool_table = {"warppool_counters", "WarpPool", columns,
                                    WS_COUNT(columns),   ratios,     WS_COUNT(ratios)};

enum { INSTRUCTION_QUEUES, COALESCERS, INTER_WARP_QUEUES, MAP_TABLE, MSHR_METADATA };
static const ws_structure structures[] = {
    [INSTRUCTION_QUEUES] = {"instruction queues",
                            "Per SM: warppool.queues x warppool.queue_entries x 37 bits (WP tab. 1)."},
    [COALESCERS] = {"intra-warp coalescers", "Per SM: warppool.coalescers x 256 B (WP tab. 1)."},
    [INTER_WARP_QUEUES] = {"inter-warp queues", "Per SM: warppool.inter_queues x warppool.tags x (32 + 23 x "
                                                "warppool.merges) bits (WP tab. 1; 32 is inferred)."},
    [MAP_TABLE] = {"thread map table", "Per SM: warppool.map_entries x 321 bits (WP tab. 1)."},
    [MSHR_METADATA] = {"MSHR metadata",
                       "Per SM: l1.mshr_entries x l1.mshr_merges x warppool.merges x 23 bits (WP tab. 1)."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const warppool_params *p = ws_config_get(config, &ws_warppool_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    uint64_t merges = (uint64_t)p->merges, misses = (uint64_t)(l1->mshr_entries * l1->mshr_merges);
    costs[0] = (ws_cost){&structures[INSTRUCTION_QUEUES], WS_PER_SM,
                         warppool_instruction_queue_bits((uint64_t)(p->queues * p->queue_entries))};
    costs[1] =
        (ws_cost){&structures[COALESCERS], WS_PER_SM, warppool_coalescer_bits((uint64_t)p->coalescers)};
    costs[2] = (ws_cost){&structures[INTER_WARP_QUEUES], WS_PER_SM,
                         warppool_inter_warp_bits((uint64_t)(p->inter_queues * p->tags), merges)};
    costs[3] =
        (ws_cost){&structures[MAP_TABLE], WS_PER_SM, warppool_map_table_bits((uint64_t)p->map_entries)};
    costs[4] = (ws_cost){&structures[MSHR_METADATA], WS_PER_SM, warppool_mshr_metadata_bits(misses * merges)};
    return 5;
}

/* ---- state */

/* First in, first out. */
typedef struct instruction_queue {
    ws_memory_inst *at;
    uint32_t first, count;
} instruction_queue;

typedef struct coalescer {
    ws_memory_inst inst;
    uint32_t packet; /* of a store or atomic, with has_packet: the access that waits for the L1 */
    bool busy, has_packet;
    bool waited;    /* the present request has been counted as waiting (FULL, BUSY, UNMAPPED) */
    uint64_t moved; /* the latest cycle in which it took an instruction or handed something of it on */
} coalescer;

/* The requests of one access, while it is on its way through the L1 or its data are on their way to the registers. */
typedef struct group {
    uint8_t count, written; /* requests; those whose registers have been written */
    warppool_request request[WARPPOOL_MERGES_MAX];
} group;

typedef struct warppool {
    const warppool_params *params;
    instruction_queue *queues;
    uint64_t loaded_last; /* set of warps whose last instruction here was a load */
    coalescer coalescers[COALESCERS_MAX];
    warppool_queues inter;
    uint64_t *entered; /* per inter-warp queue: the cycle in which the last request entered it */
    const ws_sm *sm;
    warppool_adaptive *adaptive; /* of the SM, for all launches */
    uint32_t mapped;             /* entries of the thread map table in use */
    group *groups;
    ws_places group_places;
    uint32_t *writeback; /* ring of groups whose data have come */
    uint32_t writeback_first, writeback_count;
    uint32_t warps;          /* warp slots of the SM */
    enum ws_set_index index; /* of the L1's sets .. */
    uint32_t sets;           /* .. and their number */
    uint64_t ripe;           /* the next cycle in which an instruction at the head of a queue may be taken */
    uint64_t counts[COUNTS];
    holds holds;
    uint64_t blocked; /* the latest cycle in which the full writeback queue held the L1 up */
} warppool;

/* Misses of the SM's L1 so far. */
static uint64_t misses_of(const ws_sm *s) {
    const uint64_t *probes = s->counters.probes;
    return probes[WS_PROBE_MISS] + probes[WS_PROBE_FULL] + probes[WS_PROBE_SECTOR_MISS];
}

/* Creates the adaptive selection of each SM. */
static void *share(const ws_engine *e) {
    const warppool_params *p = e->front_params;
    warppool_adaptive *all = calloc(e->sm_count, sizeof *all);
    for (uint32_t i = 0; all && i < e->sm_count; i++) all[i] = warppool_adaptive_start((uint64_t)p->quantum);
    return all;
}

static void unshare(void *adaptive) {
    free(adaptive);
}

/* The SM's counts may start again with the next instance. Between two of them those at the start of the quantum are
 * kept as if the SM had counted nothing, modulo 2^64. */
static void take_up(warppool *w, const ws_engine *e) {
    w->adaptive = (warppool_adaptive *)e->front_shared + w->sm->index;
    w->adaptive->toggles = 0;
    w->adaptive->accesses += w->sm->counters.accesses;
    w->adaptive->misses += misses_of(w->sm);
}

static void lay_down(warppool *w) {
    w->adaptive->accesses -= w->sm->counters.accesses;
    w->adaptive->misses -= misses_of(w->sm);
}

static void destroy(void *self) {
    warppool *w = self;
    if (!w) return;
    if (w->adaptive) lay_down(w);
    for (int64_t q = 0; w->queues && q < w->params->queues; q++) free(w->queues[q].at);
    free(w->queues);
    free(w->groups);
    free(w->writeback);
    free(w->entered);
    warppool_queues_free(&w->inter);
    free(w);
}

static bool build(warppool *w) {
    const warppool_params *p = w->params;
    w->queues = calloc((size_t)p->queues, sizeof *w->queues);
    for (int64_t q = 0; w->queues && q < p->queues; q++)
        if (!(w->queues[q].at = calloc((size_t)p->queue_entries, sizeof *w->queues[q].at))) return false;
    /* Several groups may return in one cycle, more than the queue has room for: it then blocks the L1 until it has
     * drained. The 64 further places hold them. */
    w->writeback = calloc((size_t)p->writeback_entries + 64, sizeof *w->writeback);
    w->entered = calloc((size_t)p->inter_queues, sizeof *w->entered);
    return w->queues && w->writeback && w->entered &&
           warppool_queues_init(&w->inter, (uint32_t)p->inter_queues, (uint32_t)p->tags, (uint32_t)p->merges);
}

static void *create(const ws_engine *e, const ws_sm *s, const void *params_) {
    warppool *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->params = params_;
    w->sm = s;
    w->warps = (uint32_t)e->sm_params->warps;
    w->index = (enum ws_set_index)e->l1->index;
    w->sets = (uint32_t)(e->l1->size_B / (e->l1->ways * e->l1->line_B));
    w->ripe = WS_NEVER;
    if (build(w)) {
        take_up(w, e);
        return w;
    }
    destroy(w);
    return NULL;
}

/* ---- instructions enter (WP 3.2, 3.8) */

static instruction_queue *queue_of(const warppool *w, unsigned warp) {
    return &w->queues[warp * (uint32_t)w->params->queues / w->warps];
}

/* True if the warp's next instruction may enter: no earlier access of the warp is still on its way to the L1, or this
 * is a load and the warp's last instruction was one, too. */
static bool keeps_order(const warppool *w, const ws_sm *s, unsigned warp, bool load) {
    return s->not_started[warp] == 0 || (load && w->loaded_last & ws_bit(warp));
}

/* True for loads through the L1. Loads that bypass it are treated like atomics here. */
static bool loads(const ws_timed_static *t) {
    return t->op == WS_MEMORY_LOAD && !t->past_l1;
}

static bool loads_next(const ws_engine *e, const ws_sm *s, unsigned warp) {
    return loads(&e->statics.at[s->warps[warp].inst->static_id]);
}

static uint64_t admits(const void *self, const ws_engine *e, const ws_sm *s, uint64_t warps) {
    const warppool *w = self;
    uint64_t admitted = 0;
    for (; warps; warps &= warps - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(warps);
        bool room = queue_of(w, warp)->count < (uint32_t)w->params->queue_entries;
        if (room && keeps_order(w, s, warp, loads_next(e, s, warp))) admitted |= ws_bit(warp);
    }
    return admitted;
}

static bool is_load(const ws_engine *e, const ws_memory_inst *m) {
    return loads(&e->statics.at[m->static_id]);
}

static void issued(void *self, ws_engine *e, ws_sm *s, const ws_memory_inst *m) {
    (void)s;
    warppool *w = self;
    instruction_queue *q = queue_of(w, m->warp);
    uint32_t room = (uint32_t)w->params->queue_entries;
    ws_memory_inst *in = &q->at[(q->first + q->count++) % room];
    *in = *m;
    in->arrives += (uint64_t)w->params->latency - OWN_CYCLES;
    w->ripe = ws_earlier(w->ripe, in->arrives);
    if (is_load(e, m)) {
        w->loaded_last |= ws_bit(m->warp);
        w->counts[LOADS]++;
    } else {
        w->loaded_last &= ~ws_bit(m->warp);
    }
}

/* Gives the coalescer the head of the first queue whose head has arrived; lower queues have priority. */
static bool take_instruction(warppool *w, const ws_engine *e, coalescer *c) {
    for (int64_t i = 0; i < w->params->queues; i++) {
        instruction_queue *q = &w->queues[i];
        if (!q->count) continue;
        if (q->at[q->first].arrives > e->now) {
            w->ripe = ws_earlier(w->ripe, q->at[q->first].arrives);
            continue;
        }
        *c = (coalescer){.inst = q->at[q->first], .busy = true, .moved = e->now};
        q->first = (q->first + 1) % (uint32_t)w->params->queue_entries;
        q->count--;
        return true;
    }
    return false;
}

/* ---- loads: coalescer to inter-warp queue (WP 3.3, 3.4, 3.6) */

static void wait(warppool *w, coalescer *c, int why) {
    if (!c->waited) w->counts[why]++;
    c->waited = true;
}

static bool insert_request(warppool *w, const ws_engine *e, ws_sm *s, coalescer *c) {
    ws_memory_inst *m = &c->inst;
    const ws_access *a = m->access;
    if (a->other_mapping && w->mapped >= (uint32_t)w->params->map_entries) {
        wait(w, c, UNMAPPED);
        holds_find(&w->holds, MAP_CYCLES);
        return false;
    }
    bool by_sector = e->l1->access == WS_ACCESS_SECTOR;
    uint32_t queue = ws_set_of(w->index, a->line, w->sets) % w->inter.queue_count;
    if (w->entered[queue] == e->now) {
        wait(w, c, BUSY);
        return false;
    }
    warppool_request request = {
        .load = m->load, .warp = m->warp, .mapped = a->other_mapping, .local = m->form.local};
    enum warppool_insert answer =
        warppool_queues_insert(&w->inter, queue, a->line, a->sectors, by_sector, ws_access_words(a), request);
    if (answer == WARPPOOL_FULL) {
        wait(w, c, FULL);
        holds_find(&w->holds, TAG_CYCLES);
        return false;
    }
    w->entered[queue] = e->now;
    w->mapped += a->other_mapping;
    w->counts[MAPPED] += a->other_mapping;
    w->counts[REQUESTS]++;
    w->counts[MERGED] += answer == WARPPOOL_MERGED;
    if (answer == WARPPOOL_MERGED) ws_load_merged(s, m->load);
    if (w->counts[PEAK] < w->inter.used) w->counts[PEAK] = w->inter.used;
    c->waited = false;
    c->moved = e->now;
    m->access++;
    if (--m->left == 0) c->busy = false;
    return true;
}

/* ---- the selector (WP 3.5, 3.8) */

static uint32_t new_group(warppool *w, ws_engine *e, const warppool_tag *tag) {
    if (!w->group_places.free) {
        group *groups = ws_places_grow(&w->group_places, w->groups, sizeof *groups, 64);
        if (!groups) {
            e->failed = true;
            return 0;
        }
        w->groups = groups;
    }
    uint32_t at = ws_places_take(&w->group_places, w->groups, sizeof *w->groups);
    w->groups[at] = (group){.count = tag->count};
    for (uint32_t i = 0; i < tag->count; i++) w->groups[at].request[i] = tag->slot[i];
    return at;
}

static enum warppool_select policy_of(warppool *w, const ws_engine *e, const ws_sm *s) {
    if (w->params->selection != SELECTION_ADAPTIVE)
        return w->params->selection == SELECTION_OLDEST ? WARPPOOL_OLDEST : WARPPOOL_WARP_ID;
    return warppool_adaptive_policy(w->adaptive, e->now, s->counters.accesses, misses_of(s));
}

static bool send_load(warppool *w, ws_engine *e, ws_sm *s) {
    uint32_t at = warppool_queues_select(&w->inter, policy_of(w, e, s));
    if (at == UINT32_MAX) return false;
    const warppool_tag *tag = &w->inter.tags[at];
    uint32_t packet = ws_packet_new(&e->packets);
    e->packets.at[packet] = (ws_packet){.line = tag->line,
                                        .words = tag->words,
                                        .sm = (uint16_t)s->index,
                                        .kind = WS_PACKET_READ,
                                        .sectors = tag->sectors,
                                        .local = tag->slot[0].local,
                                        .warp = tag->slot[0].warp & 63};
    if (!ws_l1_start(e, s, packet)) {
        ws_packet_free(&e->packets, packet);
        return false;
    }
    uint32_t static_id = s->loads[tag->slot[0].load].static_id;
    e->packets.at[packet].load = ws_load_group(e, s, new_group(w, e, tag), static_id);
    for (uint32_t i = 0; i < tag->count; i++) ws_lsu_started(e, s, tag->slot[i].warp);
    warppool_queues_release(&w->inter, at);
    w->counts[ACCESSES]++;
    return true;
}

/* Sends the next access of a coalescer's store or atomic to the L1; false: not now. */
static bool send_write(warppool *w, ws_engine *e, ws_sm *s, coalescer *c) {
    if (!c->busy || is_load(e, &c->inst)) return false;
    if (!c->has_packet) c->packet = ws_lsu_packet(e, s, &c->inst);
    c->has_packet = true;
    if (!ws_l1_start(e, s, c->packet)) return false;
    c->has_packet = false;
    c->moved = e->now;
    w->counts[WRITES]++;
    ws_lsu_started(e, s, c->inst.warp);
    if (c->inst.left) return true;
    c->busy = false;
    if (c->inst.load == WS_NO_LOAD) ws_sm_complete(e, s, c->inst.warp, c->inst.static_id, c->inst.tag);
    return true;
}

/* Whether a coalescer has a store or atomic. */
static bool has_write(const warppool *w, const ws_engine *e) {
    for (int64_t i = 0; i < w->params->coalescers; i++)
        if (w->coalescers[i].busy && !is_load(e, &w->coalescers[i].inst)) return true;
    return false;
}

/* Sends as many accesses to the L1 as its banks take: loads first, and writes only while no load waits. */
static bool select_accesses(warppool *w, ws_engine *e, ws_sm *s) {
    uint32_t left = e->l1_rate;
    while (left && send_load(w, e, s)) left--;
    for (int64_t i = 0; left && w->inter.used == 0 && i < w->params->coalescers; i++)
        left -= send_write(w, e, s, &w->coalescers[i]);
    bool sent = left != e->l1_rate;
    if (!sent && (w->inter.used || has_write(w, e))) holds_find(&w->holds, REFUSED_CYCLES);
    return sent;
}

/* ---- data return (WP 3.7) */

/* While data wait to be written there is a turn in every cycle, so that each cycle in which they are in the way is
 * counted. */
static bool blocks_returns(void *self, const ws_engine *e) {
    warppool *w = self;
    if (w->writeback_count < (uint32_t)w->params->writeback_entries) return false;
    w->counts[WRITEBACK_CYCLES] += w->blocked != e->now;
    w->blocked = e->now;
    return true;
}

static void returned(void *self, ws_engine *e, ws_sm *s, uint32_t at) {
    (void)e, (void)s;
    warppool *w = self;
    uint32_t room = (uint32_t)w->params->writeback_entries + 64;
    w->writeback[(w->writeback_first + w->writeback_count++) % room] = at;
}

/* Writes the registers of one warp: one request of the oldest group. */
static bool write_back(warppool *w, ws_engine *e, ws_sm *s) {
    if (!w->writeback_count) return false;
    uint32_t at = w->writeback[w->writeback_first];
    group *g = &w->groups[at];
    warppool_request request = g->request[g->written++];
    w->mapped -= request.mapped;
    if (g->written == g->count) {
        ws_places_give(&w->group_places, w->groups, sizeof *w->groups, at);
        w->writeback_first = (w->writeback_first + 1) % ((uint32_t)w->params->writeback_entries + 64);
        w->writeback_count--;
    }
    ws_load_return(e, s, request.load);
    return true;
}

/* ---- the SM's turn */

/* Whether all coalescers have something, and none has moved in this cycle. */
static bool is_stalled(const warppool *w, const ws_engine *e) {
    for (int64_t i = 0; i < w->params->coalescers; i++)
        if (!w->coalescers[i].busy || w->coalescers[i].moved == e->now) return false;
    return true;
}

static bool step(void *self, ws_engine *e, ws_sm *s) {
    warppool *w = self;
    bool moved = false;
    holds_begin(&w->holds, e->now, w->counts);
    for (int64_t i = 0; i < w->params->writeback_warps; i++) moved |= write_back(w, e, s);
    moved |= select_accesses(w, e, s);
    w->ripe = WS_NEVER;
    for (int64_t i = 0; i < w->params->coalescers; i++) {
        coalescer *c = &w->coalescers[i];
        if (c->busy && is_load(e, &c->inst)) moved |= insert_request(w, e, s, c);
        if (!c->busy) moved |= take_instruction(w, e, c);
    }
    if (is_stalled(w, e)) holds_find(&w->holds, STALL_CYCLES);
    return moved;
}

/* The adaptive selection needs a turn at the end of each quantum, to compare the counts of that very cycle. */
static uint64_t next(const void *self) {
    const warppool *w = self;
    bool adapts = w->params->selection == SELECTION_ADAPTIVE;
    return adapts ? ws_earlier(w->ripe, w->adaptive->end) : w->ripe;
}

/* The number of instructions in the queues; those in coalescers are being worked on. */
static uint32_t waiting(const void *self) {
    const warppool *w = self;
    uint32_t all = 0;
    for (int64_t q = 0; q < w->params->queues; q++) all += w->queues[q].count;
    return all;
}

static bool reorders(const void *params_) {
    (void)params_;
    return true;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    const warppool *w = self;
    memcpy(counts, w->counts, sizeof w->counts);
    holds_count(&w->holds, e->now, counts);
    counts[TOGGLES] = w->adaptive->toggles;
}

static const ws_front_slot front = {.share = share,
                                    .unshare = unshare,
                                    .create = create,
                                    .destroy = destroy,
                                    .reorders = reorders,
                                    .wants_mappings = true,
                                    .admits = admits,
                                    .issued = issued,
                                    .blocks_returns = blocks_returns,
                                    .returned = returned,
                                    .waiting = waiting,
                                    .step = step,
                                    .next = next,
                                    .count = count};

const ws_mechanism ws_mechanism_warppool = {.name = "warppool",
                                            .summary =
                                                "WarpPool: requests of several warps merge before the L1",
                                            .source = "WP 3",
                                            .version = 5,
                                            .component = &ws_warppool_component,
                                            .table = &ws_warppool_table,
                                            .structures = structures,
                                            .structure_count = WS_COUNT(structures),
                                            .cost = cost,
                                            .front = &front};
