/* Intra-cluster coalescing and the coalesced cache (ICC 6), in the slot `cluster`: reads that missed in an L1 are
 * looked up in the coalesced cache, then in the merge table; the data of one request go to all SMs that wait for them
 * (parts/icc_unit.h). Writes and atomics go straight to the network, and invalidate what the unit holds of their line.
 * Reads that bypass their L1 bypass the unit, too, and so do reads of local memory (ICC 6.1: global memory only). */
#include "base/array.h"
#include "mechanism/parts/icc_unit.h"
#include "timed/network/cluster.h"
#include "timed/turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

typedef struct icc_params {
    int64_t merge_entries, cache_lines, table_cycles, cache_cycles;
} icc_params;

#define ICC(field, unit, def, max, help) WS_INT(icc_params, field, "icc." #field, unit, def, 0, max, help)
static const ws_param params[] = {
    ICC(merge_entries, "entries", 48, 65536,
        "Entries of a cluster's merge table, fully associative (ICC 6.2: 48; 160 is the most that 5 SMs of "
        "32 MSHRs can fill). 0: no table."),
    ICC(cache_lines, "lines", 24, 65536,
        "Lines of a cluster's coalesced cache, fully associative, LRU (ICC 6.4: 24). A fence that empties an "
        "L1 (core.fences) empties it, too. 0: none (ICC without CC)."),
    ICC(table_cycles, "cycles", 1, 64,
        "Cycles that the merge table adds to a read that missed in the L1 (ICC 7)."),
    ICC(cache_cycles, "cycles", 1, 64, "Cycles that the coalesced cache adds, before the table (ICC 7)."),
};

static const ws_need needs[] = {
    {.param = "icc.table_cycles", .of = "icc.merge_entries", .value = "0", .other_than = true},
    {.param = "icc.cache_cycles", .of = "icc.cache_lines", .value = "0", .other_than = true},
};

const ws_component ws_icc_component = {.name = "icc",
                                       .summary = "Intra-cluster coalescing and the coalesced cache",
                                       .source = "ICC 6, 7",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(icc_params),
                                       .needs = needs,
                                       .need_count = WS_COUNT(needs)};

enum { READS, CACHED, MERGED, SENT, DIRECT, SPARED, REDUNDANT, COUNTS };
#define REQUESTS(name, help)                                                                                 \
    { name, WS_TYPE_INT, "requests", WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [READS] = REQUESTS("reads", "L1 misses that reached the unit: reads of global memory (ICC 6.1)."),
    [CACHED] = REQUESTS("cached", "L1 misses that hit in the coalesced cache (ICC 6.3)."),
    [MERGED] = REQUESTS("merged", "L1 misses that joined a request under way (ICC 6.1: merge table hits)."),
    [SENT] = REQUESTS("sent", "L1 misses that were sent and got an entry of the merge table."),
    [DIRECT] = REQUESTS("direct", "L1 misses that were sent without an entry: the table was full, or the "
                                  "line's entry was being answered or had been written."),
    [SPARED] = {"spared_replies", WS_TYPE_INT, "sectors", WS_ADDS_SUM,
                "Sectors that SMs got without asking the network for them."},
    [REDUNDANT] = {"redundant_replies", WS_TYPE_INT, "sectors", WS_ADDS_SUM,
                   "Sectors that arrived after all who waited for them had received them with another "
                   "request's reply."},
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"merged_share", "", "1.0 * merged / nullif(reads, 0)",
     "Share of the L1 misses that the merge table coalesces (ICC 6.2: 12 % with 48 entries, 14.5 % with "
     "160)."},
    {"saved_share", "", "1.0 * (merged + cached) / nullif(reads, 0)",
     "Share of the L1 misses that do not enter the network."},
};
const ws_table ws_icc_table = {
    "icc_counters", "Intra-cluster coalescing", columns, WS_COUNT(columns), ratios, WS_COUNT(ratios)};

enum { MERGE_TABLE, COALESCED_CACHE };
static const ws_structure structures[] = {
    [MERGE_TABLE] = {"merge table",
                     "Per cluster: icc.merge_entries x (a line's address, 48 bits without the offset in a "
                     "line (l1.line_B), and a bit for each of gpu.sms_per_cluster SMs) (ICC 6.4)."},
    [COALESCED_CACHE] = {"coalesced cache",
                         "Per cluster: icc.cache_lines x (a line's address, 48 bits without the offset in a "
                         "line, and its l1.line_B of data) (ICC 6.4)."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const icc_params *p = ws_config_get(config, &ws_icc_component);
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    uint64_t line_B = (uint64_t)l1->line_B;
    costs[0] = (ws_cost){&structures[MERGE_TABLE], WS_PER_CLUSTER,
                         icc_table_bits((uint64_t)p->merge_entries, (uint64_t)gpu->sms_per_cluster, line_B)};
    costs[1] = (ws_cost){&structures[COALESCED_CACHE], WS_PER_CLUSTER,
                         icc_cache_bits((uint64_t)p->cache_lines, line_B)};
    return 2;
}

static bool check(const ws_config *config, ws_error *err) {
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    return gpu->sms_per_cluster <= ICC_SMS_MAX ||
           ws_fail(err, WS_ERROR_SPEC,
                   "gpu.sms_per_cluster: expected at most %d with mechanism.cluster icc, found %lld",
                   ICC_SMS_MAX, (long long)gpu->sms_per_cluster);
}

/* ---- the slot */

typedef struct icc {
    icc_unit unit;
    uint32_t first_sm;
    uint32_t cache_cycles, cycles; /* from a miss to the cache's answer; to its departure for the network */
    uint64_t counts[COUNTS];
} icc;

static void destroy(void *self) {
    icc *c = self;
    if (c) icc_unit_free(&c->unit);
    free(c);
}

static void *create(const ws_engine *e, uint32_t index, const void *params_) {
    const icc_params *p = params_;
    icc *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->first_sm = index * (uint32_t)e->sms_per_cluster.value;
    c->cache_cycles = p->cache_lines ? (uint32_t)p->cache_cycles : 0;
    c->cycles = c->cache_cycles + (p->merge_entries ? (uint32_t)p->table_cycles : 0);
    if (icc_unit_init(&c->unit, (uint32_t)p->merge_entries, (uint32_t)p->cache_lines)) return c;
    destroy(c);
    return NULL;
}

/* Delivers `sectors` of a packet's line to SM `sm` of the cluster, in a copy of the packet. */
static void deliver_copy(icc *c, ws_engine *e, uint32_t packet, unsigned sm, uint8_t sectors, uint64_t when) {
    uint32_t copy = ws_packet_copy(&e->packets, packet);
    e->packets.at[copy].sm = (uint16_t)(c->first_sm + sm);
    e->packets.at[copy].sectors = sectors;
    e->packets.at[copy].entry = WS_NO_ENTRY;
    ws_cluster_deliver(e, c->first_sm + sm, copy, when);
}

/* Delivers sectors of a packet's line that the SM waits for, in a copy for each of its MSHR entries: an L1 that is
 * asked by sector (l1.access) has several for a line, and another SM may have fetched all of it (mechanism.fetch). */
static void deliver_to_entries(icc *c, ws_engine *e, uint32_t packet, unsigned sm, uint8_t sectors) {
    const ws_mshr *mshr = &e->sms[c->first_sm + sm].mshr;
    uint64_t line = e->packets.at[packet].line;
    while (sectors) {
        uint8_t its = mshr->entry[ws_mshr_find(mshr, line, sectors)].sectors & sectors;
        deliver_copy(c, e, packet, sm, its, e->now);
        sectors &= (uint8_t)~its;
    }
}

/* To be called when an SM has sent a read: a miss that waits for room at another port may join it, in this cycle if its
 * SM's turn is still to come. */
static void wake_at_other_ports(const icc *c, ws_engine *e, const ws_sm *s) {
    uint32_t place = ws_place_of_sm(e, s->index, e->now), port = ws_port_of(e, s->index);
    for (uint32_t sm = c->first_sm; sm < c->first_sm + (uint32_t)e->sms_per_cluster.value; sm++)
        if (ws_port_of(e, sm) != port && e->sms[sm].miss_queue.count)
            ws_wake_sm(e, sm, e->now + (ws_place_of_sm(e, sm, e->now) < place));
}

static bool offer_read(icc *c, ws_engine *e, const ws_sm *s, uint32_t packet) {
    ws_packet *p = &e->packets.at[packet];
    unsigned sm = s->index - c->first_sm;
    if (!ws_cluster_has_room(e, packet) && !icc_unit_absorbs(&c->unit, sm, p->line, p->sectors)) return false;
    enum icc_answer answer = icc_unit_read(&c->unit, sm, p->line, p->sectors);
    c->counts[READS]++;
    c->counts[CACHED + answer]++;
    if (answer == ICC_SENT || answer == ICC_DIRECT) {
        if (answer == ICC_SENT && e->noc->ports_per_cluster > 1) wake_at_other_ports(c, e, s);
        p->tag = answer == ICC_SENT;
        return ws_cluster_send(e, packet, e->now + 1 + c->cycles);
    }
    c->counts[SPARED] += ws_sector_count(p->sectors);
    if (answer == ICC_CACHED) deliver_copy(c, e, packet, sm, p->sectors, e->now + 1 + c->cache_cycles);
    ws_packet_free(&e->packets, packet);
    return true;
}

static bool may_be_shared(const ws_packet *p) {
    return p->kind == WS_PACKET_READ && !p->bypasses && !p->local;
}

static bool offer(void *self, ws_engine *e, ws_sm *s, uint32_t packet) {
    icc *c = self;
    const ws_packet *p = &e->packets.at[packet];
    if (may_be_shared(p)) return offer_read(c, e, s, packet);
    uint64_t line = p->line;
    bool writes = p->data_B > 0; /* a load that has to bypass the L1 carries none */
    if (!ws_cluster_send(e, packet, e->now + 1)) return false;
    if (writes) icc_unit_write(&c->unit, line);
    return true;
}

/* To be called when a line has come: a miss that waits for room at the port may find it in the coalesced cache now. */
static void wake_waiting(const icc *c, ws_engine *e) {
    for (uint32_t sm = c->first_sm; sm < c->first_sm + (uint32_t)e->sms_per_cluster.value; sm++)
        if (e->sms[sm].miss_queue.count) ws_wake_sm(e, sm, e->now);
}

/* Delivers a packet from memory: each SM gets copies of its own, with the sectors that it waits for. */
static void deliver(void *self, ws_engine *e, uint32_t packet) {
    icc *c = self;
    ws_packet p = e->packets.at[packet];
    if (!may_be_shared(&p)) {
        ws_cluster_deliver(e, p.sm, packet, e->now);
        return;
    }
    uint8_t sectors[ICC_SMS_MAX] = {0};
    uint64_t all = 0;
    for (uint8_t rest = p.sectors; rest; rest &= (uint8_t)(rest - 1)) {
        uint8_t sector = rest & (uint8_t)-rest;
        uint64_t to = icc_unit_reply(&c->unit, p.sm - c->first_sm, p.line, sector, p.tag);
        c->counts[REDUNDANT] += to == 0;
        all |= to;
        for (; to; to &= to - 1) sectors[__builtin_ctzll(to)] |= sector;
    }
    for (; all; all &= all - 1) {
        unsigned sm = (unsigned)__builtin_ctzll(all);
        deliver_to_entries(c, e, packet, sm, sectors[sm]);
    }
    ws_packet_free(&e->packets, packet);
    wake_waiting(c, e);
}

static void renew(void *self) {
    icc *c = self;
    icc_unit_empty_cache(&c->unit);
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    (void)e;
    const icc *c = self;
    memcpy(counts, c->counts, sizeof c->counts);
}

static const ws_cluster_slot cluster = {
    .create = create, .destroy = destroy, .offer = offer, .deliver = deliver, .renew = renew, .count = count};

const ws_mechanism ws_mechanism_icc = {.name = "icc",
                                       .summary =
                                           "Intra-cluster coalescing: SMs of a cluster share what they read",
                                       .source = "ICC 6",
                                       .version = 8,
                                       .component = &ws_icc_component,
                                       .table = &ws_icc_table,
                                       .structures = structures,
                                       .structure_count = WS_COUNT(structures),
                                       .cost = cost,
                                       .check = check,
                                       .cluster = &cluster};
