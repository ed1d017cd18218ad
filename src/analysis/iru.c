/* Analysis `iru`: the effect of the irregular accesses reorder unit on a launch's indirect accesses (IRU 3, Figs. 12,
 * 14, 15), exactly and without latencies. parts/iru_gather.h reads a replay once, parts/iru_measure.h then answers for
 * each point. */
#include "analysis/analyses.h"
#include "analysis/parts/iru_measure.h"
#include "analysis/parts/pcs.h"
#include "base/array.h"
#include "replay/iru_sizes.h"
#include "replay/set_index.h"

#include <stdlib.h>

/* ---- parameters */

typedef struct iru_params {
    int64_t index_pc, access_pc[WS_IRU_ACCESS_PCS];
    int64_t partitions, hash_sets, interleave_B, timeout, l1_sets, l1_ways;
    int hash, filter; /* enum ws_set_index, enum ws_iru_filter */
} iru_params;

#define PC_MAX 4294967295.0

static const ws_param params[] = {
    WS_INT(
        iru_params, index_pc, "iru.index_pc", "", -1, -1, PC_MAX,
        "Address of the load that reads the index array. -1: of the index loads that the trace names the one "
        "with most accesses."),
    WS_INT(iru_params, access_pc[0], "iru.access_pc", "", -1, -1, PC_MAX,
           "Address of an access whose place follows from the index. -1 here, in iru.access_pc_2 and in "
           "iru.access_pc_3: those that the trace names."),
    WS_INT(iru_params, access_pc[1], "iru.access_pc_2", "", -1, -1, PC_MAX,
           "Address of a second such access."),
    WS_INT(iru_params, access_pc[2], "iru.access_pc_3", "", -1, -1, PC_MAX,
           "Address of a third such access."),
    WS_INT(iru_params, partitions, "iru.partitions", "partitions", 4, 1, 64,
           "Memory partitions, each with a part of the unit (IRU tab. 2)."),
    WS_INT(iru_params, hash_sets, "iru.hash_sets", "sets", 1024, 1, 65536,
           "Entries of the reordering hash in all partitions together (IRU 5), a multiple of iru.partitions. "
           "Each holds as many elements as a warp has lanes."),
    WS_CHOICE(iru_params, hash, "iru.hash", WS_INDEX_XOR, ws_set_index_names,
              "Entry of an element, by the line that its access asks for: the first execution of the access "
              "that uses most elements, of equals the first in the trace. IRU 3.3 wants good dispersion, and "
              "does not say which function. " WS_SET_INDEX_HELP),
    WS_CHOICE(
        iru_params, filter, "iru.filter", WS_IRU_FILTER_AUTO, ws_iru_filter_names,
        "What happens to an element if another one of its entry has the same target (IRU 4). none: nothing. "
        "min: the smaller secondary value stays. fadd: the values are added. min and fadd leave the same "
        "accesses. auto: min or fadd where the access is an atomic minimum or addition."),
    WS_INT(
        iru_params, timeout, "iru.timeout", "steps", 256, 0, 1 << 30,
        "How long the oldest request waits, from when it becomes the oldest, for an entry that has enough "
        "elements for it; then several entries answer it, as soon as all together have enough. In a step "
        "each partition takes one element, in ascending order. All requests wait from the first step on, in "
        "the order of the replay; the fullest entry answers, of equals the lowest, its oldest elements "
        "first. Not published."),
    WS_INT(iru_params, interleave_B, "iru.interleave_B", "B", 256, 32, 65536,
           "Bytes of the index array in one partition before the next one has its turn."),
    WS_INT(
        iru_params, l1_sets, "iru.l1_sets", "sets", 64, 1, 65536,
        "Sets of each SM's L1, for its misses before and after; LRU, stores evict, but to local memory they "
        "use and keep the line that they find."),
    WS_INT(iru_params, l1_ways, "iru.l1_ways", "lines", 4, 1, 16,
           "Associativity of the L1; 64 x 4 lines of 128 B are the 32 KB of IRU tab. 2."),
};

static bool validate(const void *values, ws_error *err) {
    const iru_params *p = values;
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->hash, (uint64_t)p->hash_sets);
    if (expected)
        return ws_fail(err, WS_ERROR_SPEC, "iru.hash_sets: expected %s, or iru.hash linear, found %lld",
                       expected, (long long)p->hash_sets);
    if (p->hash_sets % p->partitions)
        return ws_fail(err, WS_ERROR_SPEC,
                       "iru.hash_sets: expected a multiple of iru.partitions (%lld), found %lld",
                       (long long)p->partitions, (long long)p->hash_sets);
    for (int i = 0; i < WS_IRU_ACCESS_PCS; i++)
        if (p->access_pc[i] >= 0 && p->index_pc < 0)
            return ws_fail(err, WS_ERROR_SPEC,
                           "iru.index_pc: expected the index load of iru.access_pc, found -1");
    return true;
}

static const ws_component component = {.name = "iru",
                                       .summary = "The irregular accesses reorder unit, and the L1 behind it",
                                       .source = "IRU 3, 4, tabs. 1, 2",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(iru_params),
                                       .validate = validate};

/* One replay answers for all values of these, since they only concern the unit and the L1s behind it. */
static const char *const dims[] = {"iru.partitions", "iru.hash_sets",    "iru.hash",
                                   "iru.filter",     "iru.timeout",      "iru.l1_sets",
                                   "iru.l1_ways",    "iru.interleave_B", NULL};

/* ---- tables */

#define BOTH(name, unit, help)                                                                               \
    {name "_before", WS_TYPE_INT, unit, WS_ADDS_SUM, help " Without the unit."}, {                           \
        name "_after", WS_TYPE_INT, unit, WS_ADDS_SUM, help " With the unit."                                \
    }
#define SUM(name, unit, help)                                                                                \
    { name, WS_TYPE_INT, unit, WS_ADDS_SUM, help }

static const ws_column columns[] = {
    {"index_pc", WS_TYPE_INT, "", WS_ADDS_SAME, "Address of the index load that the unit serves."},
    {"filter", WS_TYPE_TEXT, "", WS_ADDS_SAME,
     "What it does with elements of one target: none, min or fadd."},
    {"hash_b", WS_TYPE_INT, "bit", WS_ADDS_SAME,
     "Hash data of a partition: its entries times the lanes of a warp times 80 bits: index 24, secondary "
     "value 32, position 24 (IRU tab. 1, 4; the position's width is inferred)."},
    {"hash_partitions", WS_TYPE_INT, "partitions", WS_ADDS_SAME, "Partitions that hold such hash data."},
    SUM("load_requests", "warp instructions", "Executions of the index load: requests to the unit."),
    SUM("disabled_requests", "warp instructions",
        "Requests to the unit that get no element because the filter has left none: their warps have nothing "
        "to do."),
    SUM("elements", "elements", "Indices that the load reads, one per active lane."),
    SUM("filtered", "elements", "Elements that the filter merged into others (IRU Fig. 15)."),
    SUM("untargeted", "elements",
        "Elements without the access whose lines the unit collects, for their lanes were switched off: they "
        "take part, by the line of the element itself, and are not merged."),
    SUM("unlinked", "lane accesses",
        "Accesses of lanes that never executed the index load; they stay where they are, and do not count as "
        "using elements. More than 0: the accesses given are not all the index load's."),
    BOTH("instructions", "warp instructions",
         "Accesses that use the elements, as warp instructions. The unit has those of a request follow the "
         "index load at once; the lane of an element also makes those of elements merged into it."),
    BOTH("lane_accesses", "lane accesses", "Active lanes of the accesses that use the elements."),
    BOTH("requests", "requests",
         "Requests of the accesses that use the elements, after coalescing within the warp; with atomics a "
         "line counts as often as lanes meet on its most wanted word (IRU 6.1)."),
    BOTH("l1_accesses", "requests",
         "Requests of all loads and stores of the launch to the L1s; atomics pass them, and evict their "
         "lines; requests to the unit pass them, too (IRU Fig. 12). Threads that the filter leaves without "
         "an element make none from then on (IRU 4). A secondary array, which the unit would fetch as well, "
         "is still read by loads here."),
    BOTH("l1_misses", "requests", "Load requests that miss in the L1."),
    BOTH("l2_accesses", "requests",
         "Load misses, stores that the L1 does not keep, atomics, and the lines of the index array that the "
         "unit fetches (IRU Fig. 12)."),
    SUM("answered_by_entry", "warp instructions", "Requests answered by one entry (IRU 3.2.2)."),
    SUM("answered_by_timeout", "warp instructions",
        "Requests answered by several entries, after the timeout."),
    SUM("answered_at_end", "warp instructions",
        "Requests answered by what was left at the end of the array, also by nothing "
        "(disabled_requests)."),
    SUM("unit_steps", "steps",
        "Steps until all elements were taken: one per partition and step, unless its entry is full."),
};

#define SHARE(part, whole) "1.0 * " part " / nullif(" whole ", 0)"

static const ws_ratio ratios[] = {
    {"divergence_before", "requests per instruction", SHARE("requests_before", "instructions_before"),
     "Requests per warp instruction of the accesses that use the elements (IRU Fig. 14)."},
    {"divergence_after", "requests per instruction", SHARE("requests_after", "instructions_after"),
     "Requests per warp instruction of the accesses that use the elements, with the unit (IRU Fig. 14)."},
    {"coalescing_gain", "",
     "(1.0 * requests_before / nullif(instructions_before, 0)) / nullif(1.0 * requests_after / "
     "nullif(instructions_after, 0), 0)",
     "Improvement in memory coalescing: divergence without over divergence with (IRU 6.1)."},
    {"requests_ratio", "", SHARE("requests_after", "requests_before"),
     "Requests with the unit over without."},
    {"filtered_share", "", SHARE("filtered", "elements"), "Share of elements filtered (IRU Fig. 15)."},
    {"l1_accesses_ratio", "", SHARE("l1_accesses_after", "l1_accesses_before"),
     "L1 accesses with the unit over without (IRU Fig. 12)."},
    {"l2_accesses_ratio", "", SHARE("l2_accesses_after", "l2_accesses_before"),
     "L2 accesses with the unit over without (IRU Fig. 12)."},
    {"partition_KiB", "KiB", "hash_b / 8192.0 + " WS_IRU_BUFFERS_KIB,
     "Storage of a partition: its hash data, and 2 + 1.7 + 1.2 + 2.8 KB of buffers for requests, prefetches, "
     "the classifier and the ring, as published for 4 partitions (IRU tab. 1)."},
    {"unit_KiB", "KiB", "hash_partitions * (hash_b / 8192.0 + " WS_IRU_BUFFERS_KIB ")",
     "Storage of the whole unit."},
};

static const ws_column access_columns[] = {
    {"pc", WS_TYPE_INT, "", WS_ADDS_KEY, "Address of an access that uses the elements."},
    {"opcode", WS_TYPE_TEXT, "", WS_ADDS_KEY, "Opcode, as traced."},
    BOTH("instructions", "warp instructions", "Executions of the access."),
    BOTH("lane_accesses", "lane accesses", "Active lanes of the accesses that use the elements."),
    BOTH("requests", "requests", "Requests of the access, counted as in the table iru."),
};

static const ws_ratio access_ratios[] = {
    {"divergence_before", "requests per instruction", SHARE("requests_before", "instructions_before"),
     "Requests per warp instruction."},
    {"divergence_after", "requests per instruction", SHARE("requests_after", "instructions_after"),
     "Requests per warp instruction, with the unit."},
};

enum { TABLE_UNIT, TABLE_ACCESS };
static const ws_table unit_table = {.name = "iru",
                                    .summary =
                                        "Accesses with and without the irregular accesses reorder unit",
                                    .columns = columns,
                                    .column_count = WS_COUNT(columns),
                                    .ratios = ratios,
                                    .ratio_count = WS_COUNT(ratios)};
static const ws_table access_table = {
    .name = "iru_access",
    .summary = "Accesses with and without the unit, per access that uses the elements",
    .columns = access_columns,
    .column_count = WS_COUNT(access_columns),
    .ratios = access_ratios,
    .ratio_count = WS_COUNT(access_ratios)};
static const ws_table *const tables[] = {&unit_table, &access_table, NULL};

/* ---- instances */

typedef struct analysis {
    ws_iru_gather gather;
    const iru_params *params; /* per point */
    size_t points;
    unsigned warp_size, line_shift;
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    ws_iru_gather_free(&a->gather);
    free((void *)(uintptr_t)a->params);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const iru_params *first = values[0];
    if (first->index_pc < 0 && !(ws_trace_get_info(stream->trace)->features & WS_FEATURE_INDEX_FLOW)) {
        ws_fail(err, WS_ERROR_TRACE,
                "%s: expected a trace that names index loads, found one without; give iru.index_pc and "
                "iru.access_pc",
                ws_trace_path(stream->trace));
        return NULL;
    }
    analysis *a = calloc(1, sizeof *a);
    iru_params *copies = calloc(points, sizeof *copies);
    bool ok = a && copies && ws_iru_gather_init(&a->gather, stream, first->index_pc, first->access_pc);
    if (!ok) {
        ws_no_memory(err);
        free(copies);
        destroy(a);
        return NULL;
    }
    for (size_t i = 0; i < points; i++) copies[i] = *(const iru_params *)values[i];
    a->params = copies;
    a->points = points;
    a->warp_size = ws_trace_get_info(stream->trace)->warp_size;
    a->line_shift = a->gather.coalescer.line_shift;
    return a;
}

static uint32_t wants(const void *values) {
    (void)values;
    return WS_WANT_ADDRESSES;
}

static void instructions(void *self, const ws_instructions *batch) {
    analysis *a = self;
    ws_iru_gather_batch(&a->gather, batch);
}

/* ---- rows */

static void put(ws_rows *rows, const char *trouble, uint64_t value) {
    if (trouble)
        ws_rows_unknown(rows, trouble);
    else
        ws_rows_count(rows, value);
}

static void put_both(ws_rows *rows, const char *trouble, uint64_t before, uint64_t after) {
    put(rows, trouble, before);
    put(rows, trouble, after);
}

static void put_counts(ws_rows *rows, const char *trouble, const ws_iru_counts *before,
                       const ws_iru_counts *after) {
    put_both(rows, trouble, before->instructions, after->instructions);
    put_both(rows, trouble, before->lanes, after->lanes);
    put_both(rows, trouble, before->requests, after->requests);
}

static void add(ws_iru_counts *to, const ws_iru_counts *from) {
    to->instructions += from->instructions;
    to->lanes += from->lanes;
    to->requests += from->requests;
}

static void put_unit(const analysis *a, const iru_params *p, const ws_iru_feed *feed, const ws_iru_result *r,
                     uint32_t point, ws_rows *rows) {
    const char *none = r->has_feed ? r->trouble : "no load of the launch gives the place of an access";
    ws_iru_counts before = {0}, after = {0};
    for (uint32_t i = 0; r->has_feed && i < a->gather.static_count; i++) {
        add(&before, &feed->before[i]);
        add(&after, &r->after[i]);
    }
    ws_rows_begin(rows, point, TABLE_UNIT);
    put(rows, none, r->index_pc);
    if (none)
        ws_rows_unknown(rows, none);
    else
        ws_rows_text(rows, ws_iru_filter_names[r->filter]);
    ws_rows_int(rows, p->hash_sets / p->partitions * a->warp_size * WS_IRU_ELEMENT_BITS);
    ws_rows_int(rows, p->partitions);
    put(rows, r->trouble, r->requests);
    put(rows, r->trouble, r->disabled_requests);
    put(rows, r->trouble, r->elements);
    put(rows, r->trouble, r->filtered);
    put(rows, r->trouble, r->untargeted);
    put(rows, r->trouble, r->unlinked);
    put_counts(rows, r->trouble, &before, &after);
    put_both(rows, r->trouble, r->l1_before.accesses, r->l1_after.accesses);
    put_both(rows, r->trouble, r->l1_before.misses, r->l1_after.misses);
    put_both(rows, r->trouble, r->l1_before.behind, r->l1_after.behind);
    put(rows, r->trouble, r->by_entry);
    put(rows, r->trouble, r->by_timeout);
    put(rows, r->trouble, r->by_end);
    put(rows, r->trouble, r->steps);
}

typedef struct place {
    const analysis *a;
    const ws_iru_feed *feed;
    const ws_iru_result *result;
    uint32_t point;
    ws_rows *rows;
} place;

static bool has_executed(const void *context, uint32_t static_id) {
    return ((const place *)context)->feed->before[static_id].instructions > 0;
}

static bool put_access(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count) {
    const place *at = context;
    ws_iru_counts before = {0}, after = {0};
    for (uint32_t i = 0; i < count; i++) {
        add(&before, &at->feed->before[static_ids[i]]);
        add(&after, &at->result->after[static_ids[i]]);
    }
    ws_rows_begin(at->rows, at->point, TABLE_ACCESS);
    ws_rows_int(at->rows, inst->pc);
    ws_rows_text(at->rows, ws_trace_opcode(at->a->gather.trace, inst->opcode));
    put_counts(at->rows, at->result->trouble, &before, &after);
    return true;
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    analysis *a = self;
    uint32_t chosen = ws_iru_gather_chosen(&a->gather);
    const ws_iru_feed *feed = &a->gather.feeds[chosen < a->gather.feed_count ? chosen : 0];
    bool ok = !a->gather.trouble || *a->gather.trouble;
    for (size_t i = 0; i < a->points && ok; i++) {
        const iru_params *p = &a->params[i];
        const ws_iru_setup setup = {.unit = {.partitions = (uint32_t)p->partitions,
                                             .interleave_B = (uint32_t)p->interleave_B,
                                             .sets = (uint32_t)p->hash_sets,
                                             .hash = (enum ws_set_index)p->hash,
                                             .timeout = (uint64_t)p->timeout,
                                             .entry_elements = a->warp_size,
                                             .line_shift = a->line_shift},
                                    .filter = (enum ws_iru_filter)p->filter,
                                    .l1_sets = (uint32_t)p->l1_sets,
                                    .l1_ways = (uint32_t)p->l1_ways};
        ws_iru_result result = {0};
        uint32_t point = first_point + (uint32_t)i;
        if (!a->gather.trouble) ok = ws_iru_measure(&a->gather, chosen, &setup, &result);
        if (a->gather.trouble) result.trouble = a->gather.trouble;
        if (ok) put_unit(a, p, feed, &result, point, rows);
        place at = {a, feed, &result, point, rows};
        if (ok && result.has_feed)
            ok = ws_pcs_put(a->gather.trace, WS_PC_OPCODE, has_executed, put_access, &at);
        ws_iru_result_free(&result);
    }
    return ok || ws_no_memory(err);
}

const ws_analysis ws_analysis_iru = {
    .name = "iru",
    .summary = "Irregular accesses reorder unit: accesses per warp instruction, elements filtered, L1 and L2 "
               "accesses",
    .source = "IRU 3, 4, Figs. 12, 14, 15",
    .version = 6,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .wants = wants,
    .create = create,
    .instructions = instructions,
    .finish = finish,
    .destroy = destroy,
};
