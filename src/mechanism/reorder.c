/* The irregular accesses reorder unit in the timed replay (IRU 3), in the slot `partition`. Instead of loading its
 * indices, a warp asks the unit for some. The request bypasses the L1 and goes to one of the memory partitions, which
 * take turns. The unit has fetched the index array through the L2 and collected its elements by the line that each
 * leads to; it answers with elements that share a line: one word for each, and a second one if there is a secondary
 * array. The warp then executes what the threads execute in the trace that these elements belong to
 * (parts/reorder_tail.h). parts/reorder_unit.c is the unit itself; this file connects it to L2 slices and SMs.
 *
 * What is simplified: branches after the index load go as in the trace, in which elements came in another order; the
 * API's extra instructions (is the thread disabled?) are not executed; the one word per element also stands for its
 * position. Secondary data come with their line of the index array; from another partition they come over the ring,
 * without hindering its elements. The timeout is not published. That the unit can be configured to bypass the L2 (IRU
 * 3.2, for streaming kernels) is left out. */
#include "base/array.h"
#include "mechanism/parts/cost.h"
#include "mechanism/parts/reorder_tail.h"
#include "mechanism/parts/reorder_unit.h"
#include "replay/iru_sizes.h"
#include "replay/set_index.h"
#include "timed/turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters */

typedef struct reorder_params {
    int64_t index_pc, access_pc[REORDER_ACCESS_PCS];
    int64_t hash_sets, banks, timeout, prefetches, queue_elements, ring_ways, ring_elements, hop_cycles;
    int hash, filter; /* enum ws_set_index, enum ws_iru_filter */
    bool secondary;
} reorder_params;

enum { QUEUE_ELEMENTS = 30, RING_ELEMENTS = 286, PREFETCHES = 8 };
#define PC_MAX 4294967295.0
#define REORDER(field, unit, def, min, max, help)                                                            \
    WS_INT(reorder_params, field, "reorder." #field, unit, def, min, max, help)
#define ACCESS(i, name, help) WS_INT(reorder_params, access_pc[i], "reorder." name, "", -1, -1, PC_MAX, help)

static const ws_param params[] = {
    REORDER(
        index_pc, "", -1, -1, PC_MAX,
        "Address of the load that reads the index array. -1: of the index loads that the trace names the "
        "one that most lane accesses of the launch use. Launches without it run without the unit, and so do "
        "those in which a warp executes it more than once."),
    ACCESS(0, "access_pc",
           "Address of an access whose place follows from the index. -1 here, in reorder.access_pc_2 and in "
           "reorder.access_pc_3: those that the trace names."),
    ACCESS(1, "access_pc_2", "Address of a second such access."),
    ACCESS(2, "access_pc_3", "Address of a third such access."),
    WS_BOOL(reorder_params, secondary, "reorder.secondary", true,
            "Whether the unit also fetches a secondary array of 4-byte elements (IRU 4): that of the first "
            "load that every warp executes once after its index load, at a constant distance from it. That "
            "load is then not executed."),
    WS_CHOICE(
        reorder_params, filter, "reorder.filter", WS_IRU_FILTER_AUTO, ws_iru_filter_names,
        "What happens to an element if another one of its entry has the same target (IRU 4). none: nothing. "
        "min: the smaller secondary value stays. fadd: the values are added. min and fadd leave the same "
        "accesses. auto: min or fadd where the access is an atomic minimum or addition."),
    REORDER(hash_sets, "sets", 1024, 1, 65536,
            "Entries of the reordering hash in all partitions together (IRU 5), interleaved over them. Each "
            "holds as many elements as a warp has lanes."),
    WS_CHOICE(reorder_params, hash, "reorder.hash", WS_INDEX_XOR, ws_set_index_names,
              "Entry of an element, by the line that its access asks for. IRU 3.3 wants good dispersion, and "
              "does not say which function. " WS_SET_INDEX_HELP),
    REORDER(banks, "banks", 2, 1, 32,
            "Banks of a partition's part of the hash (IRU 5), an insertion a cycle each."),
    REORDER(timeout, "cycles", 256, 0, 1 << 30,
            "How long the oldest request waits, from when it becomes the oldest, for an entry that has "
            "enough elements for it. Not published, and neither is from when it counts ('to avoid "
            "excessively delaying a request', IRU 3.2.2): from the arrival, it would be over for most "
            "requests before their turn, whatever they could still get. Requests are answered in the order "
            "of their arrival, by each partition one per cycle."),
    REORDER(prefetches, "lines", PREFETCHES, 1, 1024,
            "Lines of the index array that a partition has on their way or has not used up (IRU 5)."),
    REORDER(queue_elements, "elements", QUEUE_ELEMENTS, 1, 65536,
            "Elements in each of the classifier's queues, one per bank and direction of the ring. IRU tab. 1 "
            "has 1.2 KB for all; elements are of 10 bytes."),
    REORDER(
        ring_elements, "elements", RING_ELEMENTS, 4, 65536,
        "Elements that wait in a partition for the ring's next link or their bank. IRU tab. 1 has 2.8 KB."),
    REORDER(ring_ways, "ways", 2, 1, 2,
            "Directions of the ring; with 2, an element takes the shorter one. IRU 3.2.2: elements go to the "
            "neighbor partitions, one per cycle."),
    REORDER(hop_cycles, "cycles", 1, 1, 1024,
            "Cycles from one partition to the next on the ring (IRU 3.2.2)."),
};

static bool validate(const void *values, ws_error *err) {
    const reorder_params *p = values;
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->hash, (uint64_t)p->hash_sets);
    if (expected)
        return ws_fail(err, WS_ERROR_SPEC,
                       "reorder.hash_sets: expected %s, or reorder.hash linear, found %lld", expected,
                       (long long)p->hash_sets);
    for (int i = 0; i < REORDER_ACCESS_PCS; i++)
        if (p->access_pc[i] >= 0 && p->index_pc < 0)
            return ws_fail(err, WS_ERROR_SPEC,
                           "reorder.index_pc: expected the index load of reorder.access_pc, found -1");
    return true;
}

const ws_component ws_reorder_component = {.name = "reorder",
                                           .summary = "The irregular accesses reorder unit, cycle by cycle",
                                           .source = "IRU 3, 4, tab. 1",
                                           .params = params,
                                           .param_count = WS_COUNT(params),
                                           .struct_size = sizeof(reorder_params),
                                           .validate = validate};

/* ---- results */

enum { REPLIES = REORDER_UNIT_COUNTS, COUNTS };
#define SUM(name, unit, help)                                                                                \
    { name, WS_TYPE_INT, unit, WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [REORDER_REQUESTS] =
        SUM("requests", "warp instructions", "Executions of the index load: requests to the unit."),
    [REORDER_DISABLED] =
        SUM("disabled_requests", "warp instructions",
            "Requests to the unit that get no element because the filter has left none. They count "
            "among those answered, too."),
    [REORDER_ELEMENTS] = SUM("elements", "elements", "Indices of the array, one per lane that asks for one."),
    [REORDER_FILTERED] =
        SUM("filtered", "elements", "Elements that the filter merged into others (IRU Fig. 15)."),
    [REORDER_BY_ENTRY] =
        SUM("answered_by_entry", "warp instructions", "Requests answered by one entry (IRU 3.2.2)."),
    [REORDER_BY_TIMEOUT] = SUM("answered_by_timeout", "warp instructions",
                               "Requests answered by several entries, after the timeout."),
    [REORDER_BY_END] = SUM("answered_at_end", "warp instructions",
                           "Requests answered by what was left at the end of the array."),
    [REORDER_PREFETCHES] = SUM("prefetches", "lines", "Lines of the index array that the unit has fetched."),
    [REORDER_RING] = SUM("ring_transfers", "elements", "Elements times links of the ring that they took."),
    [REORDER_WAITED] = SUM("waited", "cycles", "Sum over requests of their time in the unit."),
    [REPLIES] = SUM("replies", "packets",
                    "Replies, at most two per request (IRU 3.2.2): a word per element for its index, which "
                    "stands for its position, too, and one for its secondary value. Without elements it is "
                    "one, without data."),
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"filtered_share", "", "1.0 * filtered / nullif(elements, 0)",
     "Share of elements filtered (IRU Fig. 15)."},
    {"wait_per_request", "cycles", "1.0 * waited / nullif(requests, 0)",
     "Mean time of a request in the unit."},
};
const ws_table ws_reorder_table = {
    "reorder_counters", "Irregular accesses reorder unit", columns, WS_COUNT(columns), ratios,
    WS_COUNT(ratios)};

/* ---- cost */

enum { REQUEST_BITS = 64 };

/* Bits of a buffer that has `kib` KiB at the published size (IRU tab. 1), scaled to `size`. */
static uint64_t buffer_bits(double kib, int64_t size, int64_t published) {
    return (uint64_t)(kib * 8192 * (double)size / (double)published + 0.5);
}

enum { REQUESTS, PREFETCHER, CLASSIFIER, RING, HASH };
static const ws_structure structures[] = {
    [REQUESTS] = {"requests buffer",
                  "Per partition: 64 bits per warp that the SMs hold (gpu.clusters x gpu.sms_per_cluster x "
                  "sm.warps), divided by the partitions (dram.channels): as published, 2 KB for 16 SMs of 64 "
                  "warps and 4 partitions (IRU tabs. 1, 2)."},
    [PREFETCHER] = {"prefetcher buffer", "Per partition: 1.7 KB as published for 8 prefetches (IRU tab. 1), "
                                         "in proportion to reorder.prefetches."},
    [CLASSIFIER] =
        {"classifier buffer",
         "Per partition: 1.2 KB as published (IRU tab. 1) for 30 elements in each of 2 banks and 2 ring "
         "ways, in proportion to reorder.queue_elements x (reorder.banks + reorder.ring_ways)."},
    [RING] = {"ring buffer", "Per partition: 2.8 KB as published for 286 elements (IRU tab. 1), in "
                             "proportion to reorder.ring_elements."},
    [HASH] = {"hash data",
              "Per partition: reorder.hash_sets, divided by the partitions (dram.channels), x 32 elements x "
              "80 bits: index 24, secondary value 32, position 24 (IRU tab. 1; the position is inferred)."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const reorder_params *p = ws_config_get(config, &ws_reorder_component);
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    const ws_dram_params *dram = ws_config_get(config, &ws_dram_component);
    uint64_t warps = (uint64_t)(gpu->clusters * gpu->sms_per_cluster * sm->warps);
    uint64_t partitions = (uint64_t)dram->channels;
    costs[0] = (ws_cost){&structures[REQUESTS], WS_PER_PARTITION,
                         (warps + partitions - 1) / partitions * REQUEST_BITS};
    costs[1] = (ws_cost){&structures[PREFETCHER], WS_PER_PARTITION,
                         buffer_bits(WS_IRU_PREFETCHER_KIB, p->prefetches, PREFETCHES)};
    costs[2] = (ws_cost){&structures[CLASSIFIER], WS_PER_PARTITION,
                         buffer_bits(WS_IRU_CLASSIFIER_KIB, p->queue_elements * (p->banks + p->ring_ways),
                                     QUEUE_ELEMENTS * (2 + 2))};
    costs[3] = (ws_cost){&structures[RING], WS_PER_PARTITION,
                         buffer_bits(WS_IRU_RING_KIB, p->ring_elements, RING_ELEMENTS)};
    costs[4] = (ws_cost){&structures[HASH], WS_PER_PARTITION,
                         ((uint64_t)p->hash_sets + partitions - 1) / partitions * WS_COST_LANES *
                             WS_IRU_ELEMENT_BITS};
    return 5;
}

/* ---- the slot */

typedef struct reorder {
    ws_engine *engine;
    reorder_work work;
    reorder_tails tails;
    reorder_ports ports;
    reorder_unit *unit;
    uint64_t hop_cycles;
    uint32_t *packet; /* per warp that asks: its request's packet */
    uint8_t *issued;  /* per line: the number of its reads that have been sent (reads_of()) */
    uint16_t *left;   /* per line: sectors of those reads that have not come */
    uint64_t *when;   /* per line: the cycle from which the last data that came can be used */
    uint32_t *turn;   /* per partition: rotates over its slices, from which answers leave */
    uint64_t replies;
} reorder;

static uint32_t slices_per_partition(const ws_engine *e) {
    return (uint32_t)e->l2->slices_per_channel;
}

static uint32_t partition_of(void *context, uint64_t line) {
    const reorder *r = context;
    return ws_slice_of(&r->engine->map, line) / slices_per_partition(r->engine);
}

/* ---- reads */

typedef struct part_of_line {
    uint64_t line;
    uint8_t sectors;
} part_of_line;

/* The sectors of a line that the bytes from `first` to `last` lie in. */
static uint8_t sectors_between(const ws_engine *e, uint64_t line, uint64_t first, uint64_t last) {
    uint64_t line_B = (uint64_t)e->l1->line_B, begin = line * line_B, end = begin + line_B - 1;
    uint64_t from = (first > begin ? first - begin : 0) / WS_TIMED_SECTOR_B,
             to = ((last < end ? last : end) - begin) / WS_TIMED_SECTOR_B;
    return (uint8_t)(((1u << (to + 1)) - 1) & ~((1u << from) - 1));
}

/* One line of indices, and three of secondary data: those of a line's elements are up to 3 bytes longer than a line. */
enum { READS_MAX = 4 };

/* The reads that line `line` of the work takes, and their number: the line of the index array itself, and the lines of
 * its secondary data. */
static uint32_t reads_of(const reorder *r, uint32_t line, part_of_line reads[READS_MAX]) {
    const ws_engine *e = r->engine;
    const reorder_line *l = &r->work.lines[line];
    uint32_t count = 0;
    reads[count++] = (part_of_line){l->line, l->sectors};
    if (!r->work.has_secondary) return count;
    const reorder_element *elements = r->work.elements + l->first;
    uint64_t distance = (uint64_t)r->work.secondary_distance, line_B = (uint64_t)e->l1->line_B;
    uint64_t first = elements[0].address + distance,
             last = elements[l->count - 1].address + distance + r->work.secondary_B - 1;
    for (uint64_t at = first / line_B; at <= last / line_B; at++)
        reads[count++] = (part_of_line){at, sectors_between(e, at, first, last)};
    return count;
}

static void look_if_complete(reorder *r, uint32_t line, uint32_t reads) {
    if (r->issued[line] < reads || r->left[line]) return;
    reorder_unit_arrived(r->unit, line, r->when[line]);
    ws_wake_partition(r->engine, r->when[line]);
}

static bool prefetch(void *context, uint32_t line) {
    reorder *r = context;
    part_of_line reads[READS_MAX];
    uint32_t count = reads_of(r, line, reads);
    for (; r->issued[line] < count; r->issued[line]++) {
        const part_of_line *read = &reads[r->issued[line]];
        if (!ws_partition_read(r->engine, read->line, read->sectors, line)) return false;
        r->left[line] += (uint16_t)ws_sector_count(read->sectors);
    }
    look_if_complete(r, line, count);
    return true;
}

/* Counts data in. If they come from another partition than the index line's, they take one turn around the ring. */
static void data(void *self, ws_engine *e, uint32_t packet, uint64_t when) {
    reorder *r = self;
    const ws_packet p = e->packets.at[packet];
    ws_packet_free(&e->packets, packet);
    uint64_t index_line = r->work.lines[p.load].line;
    if (partition_of(r, p.line) != partition_of(r, index_line)) when += e->channel_count * r->hop_cycles;
    if (when > r->when[p.load]) r->when[p.load] = when;
    r->left[p.load] -= (uint16_t)ws_sector_count(p.sectors);
    part_of_line reads[READS_MAX];
    look_if_complete(r, p.load, reads_of(r, p.load, reads));
}

/* ---- requests and answers */

static void asked(void *self, ws_engine *e, uint32_t slice, uint32_t packet) {
    reorder *r = self;
    const ws_packet *p = &e->packets.at[packet];
    const ws_sm *s = &e->sms[p->sm];
    uint32_t warp =
        reorder_work_warp(&r->work, s->cta_ordinal[s->warps[p->warp].cta_of], s->warps[p->warp].id_in_cta);
    r->packet[warp] = packet;
    uint32_t wanted = (uint32_t)__builtin_popcountll(r->work.warps[warp].asks);
    if (!reorder_unit_ask(r->unit, warp, slice / slices_per_partition(e), wanted, e->now)) e->failed = true;
    ws_wake_partition(e, e->now);
}

static uint32_t slice_for_answer(const reorder *r, uint32_t partition) {
    uint32_t per = slices_per_partition(r->engine);
    return partition * per + r->turn[partition] % per;
}

static bool can_answer(void *context, uint32_t partition) {
    const reorder *r = context;
    return ws_partition_can_answer(r->engine, slice_for_answer(r, partition));
}

enum { WORD_B = 4 };

static void answer(void *context, uint32_t warp, uint32_t partition, const uint32_t *elements, uint32_t count,
                   uint64_t delay) {
    reorder *r = context;
    ws_engine *e = r->engine;
    const reorder_answer a = {.warp = warp,
                              .count = count,
                              .elements = elements,
                              .merged = reorder_unit_merged(r->unit),
                              .next = reorder_unit_next(r->unit)};
    ws_timed_warp *tail = reorder_tail(&r->tails, &a, e->err);
    if (!tail) {
        e->refused = true;
        return;
    }
    uint32_t sectors = (count * WORD_B + WS_TIMED_SECTOR_B - 1) / WS_TIMED_SECTOR_B;
    uint32_t replies = count && r->work.has_secondary ? 2 : 1;
    ws_partition_answer(e, r->packet[warp], slice_for_answer(r, partition), replies, sectors, tail,
                        e->now + 1 + delay);
    r->turn[partition]++;
    r->replies += replies;
}

static uint64_t step(void *self, ws_engine *e) {
    reorder *r = self;
    return r->work.on ? reorder_unit_step(r->unit, e->now) : WS_NEVER;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    (void)e;
    const reorder *r = self;
    if (!r->work.on) return;
    memcpy(counts, reorder_unit_counts(r->unit), REORDER_UNIT_COUNTS * sizeof *counts);
    counts[REPLIES] = r->replies;
}

/* ---- life */

static void destroy(void *self) {
    reorder *r = self;
    if (!r) return;
    reorder_unit_free(r->unit);
    reorder_tails_free(&r->tails);
    reorder_work_free(&r->work);
    free(r->packet), free(r->issued), free(r->left), free(r->when), free(r->turn);
    free(r);
}

static reorder_setup setup_of(const ws_engine *e, const reorder_params *p) {
    return (reorder_setup){.partitions = e->channel_count,
                           .sets = (uint32_t)p->hash_sets,
                           .banks = (uint32_t)p->banks,
                           .entry_elements = ws_trace_get_info(e->trace)->warp_size,
                           .hash = (enum ws_set_index)p->hash,
                           .line_B = (uint32_t)e->l1->line_B,
                           .timeout = (uint64_t)p->timeout,
                           .hop_cycles = (uint64_t)p->hop_cycles,
                           .prefetches = (uint32_t)p->prefetches,
                           .queue_elements = (uint32_t)p->queue_elements,
                           .ways = (uint32_t)p->ring_ways,
                           .ring_elements = (uint32_t)p->ring_elements};
}

static bool connect(reorder *r, const reorder_params *p) {
    ws_engine *e = r->engine;
    const reorder_setup setup = setup_of(e, p);
    r->hop_cycles = setup.hop_cycles;
    r->ports = (reorder_ports){r, partition_of, prefetch, can_answer, answer};
    r->tails = (reorder_tails){.work = &r->work, .statics = ws_trace_statics(e->trace), .stream = e->stream};
    r->packet = calloc(r->work.warp_count + 1u, sizeof *r->packet);
    r->issued = calloc(r->work.line_count + 1u, sizeof *r->issued);
    r->left = calloc(r->work.line_count + 1u, sizeof *r->left);
    r->when = calloc(r->work.line_count + 1u, sizeof *r->when);
    r->turn = calloc(setup.partitions, sizeof *r->turn);
    r->unit = reorder_unit_new(&setup, &r->work, &r->ports);
    ws_timed_statics_cut(&e->statics, e->trace, r->work.index_pc);
    return r->packet && r->issued && r->left && r->when && r->turn && r->unit;
}

static void *create(ws_engine *e, const void *params_, ws_error *err) {
    const reorder_params *p = params_;
    const reorder_choice choice = {.index_pc = p->index_pc,
                                   .access_pc = {p->access_pc[0], p->access_pc[1], p->access_pc[2]},
                                   .secondary = p->secondary,
                                   .filter = (enum ws_iru_filter)p->filter,
                                   .line_B = (uint32_t)e->l1->line_B};
    reorder *r = calloc(1, sizeof *r);
    if (!r) {
        ws_no_memory(err);
        return NULL;
    }
    r->engine = e;
    bool ok = ws_engine_reads_ahead(e, err) &&
              reorder_work_gather(&r->work, e->ahead, e->trace, e->kernel->index, e->ctas, &choice, err);
    if (ok && r->work.on && !connect(r, p)) ok = ws_no_memory(err);
    if (ok) return r;
    destroy(r);
    return NULL;
}

static const ws_partition_slot partition = {
    .create = create, .destroy = destroy, .asked = asked, .data = data, .step = step, .count = count};

const ws_mechanism ws_mechanism_reorder = {
    .name = "reorder",
    .summary = "Irregular accesses reorder unit: threads get elements whose accesses share lines",
    .source = "IRU 3",
    .version = 4,
    .component = &ws_reorder_component,
    .table = &ws_reorder_table,
    .structures = structures,
    .structure_count = WS_COUNT(structures),
    .cost = cost,
    .partition = &partition};
