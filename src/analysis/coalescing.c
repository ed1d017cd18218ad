/* Analysis `coalescing`: the requests, sectors and bytes that remain after coalescing within a warp instruction (WP
 * 2.1, 2.2, Fig. 3).
 *
 * Everything is counted per static instruction, except for the histogram; the other tables are sums of that. */
#include "analysis/analyses.h"
#include "analysis/parts/pcs.h"
#include "base/array.h"

#include <stdlib.h>

/* ---- tables */

#define GROUP_COLUMNS(group, what, besides)                                                                  \
    {group "_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,                                   \
     "Global and local " what " with at least one active lane."},                                            \
        {group "_lane_accesses", WS_TYPE_INT, "lane accesses", WS_ADDS_SUM,                                  \
         "Active lanes of these " what "."},                                                                 \
        {group "_requests", WS_TYPE_INT, "requests", WS_ADDS_SUM,                                            \
         "Lines that these " what " ask for, after coalescing within the warp (WP 2.1)." besides},           \
        {group "_sectors", WS_TYPE_INT, "sectors", WS_ADDS_SUM, "Sectors of those lines that they touch."},  \
        {group "_bytes_used", WS_TYPE_INT, "B", WS_ADDS_SUM,                                                 \
         "Distinct bytes of those lines that they touch."},                                                  \
    {                                                                                                        \
        group "_bytes_moved", WS_TYPE_INT, "B", WS_ADDS_SUM, "Sectors times the sector size."                \
    }

#define GROUP_RATIOS(group, what)                                                                            \
    {group "_divergence", "requests per instruction",                                                        \
     "1.0 * " group "_requests / nullif(" group "_instructions, 0)",                                         \
     "Memory divergence of " what ": mean lines per warp instruction (WP Fig. 3)."},                         \
        {group "_sectors_per_request", "sectors per request",                                                \
         "1.0 * " group "_sectors / nullif(" group "_requests, 0)",                                          \
         "Mean sectors per request of " what "."},                                                           \
    {                                                                                                        \
        group "_bytes_used_share", "", "1.0 * " group "_bytes_used / nullif(" group "_bytes_moved, 0)",      \
            "Bytes used over bytes moved of " what "."                                                       \
    }

static const ws_column totals_columns[] = {
    GROUP_COLUMNS("load", "loads", ""),
    GROUP_COLUMNS("store", "stores", ""),
    GROUP_COLUMNS("atomic", "atomics and reductions",
                  " Hardware, and the timed replay, make an access for each round of lanes with different "
                  "words; here lines and sectors count once, as for loads."),
};

static const ws_ratio totals_ratios[] = {
    {"divergence", "requests per instruction",
     "1.0 * (load_requests + store_requests + atomic_requests) / nullif(load_instructions + "
     "store_instructions + atomic_instructions, 0)",
     "Memory divergence: mean lines per memory instruction (WP Fig. 3)."},
    GROUP_RATIOS("load", "loads"),
    GROUP_RATIOS("store", "stores"),
    GROUP_RATIOS("atomic", "atomics and reductions"),
};

static const ws_column histogram_columns[] = {
    {"op", WS_TYPE_TEXT, "", WS_ADDS_KEY, "load, store, atomic (returns a value) or reduction (does not)."},
    {"requests_per_instruction", WS_TYPE_INT, "requests", WS_ADDS_KEY,
     "Requests that one warp instruction makes."},
    {"instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Memory instructions with that many requests; rows without any are left out (WP Fig. 3; IRU Fig. 14)."},
};

static const ws_column pc_columns[] = {
    WS_PC_COLUMN,
    {"opcode", WS_TYPE_TEXT, "", WS_ADDS_KEY, "Opcode, as traced."},
    {"op", WS_TYPE_TEXT, "", WS_ADDS_KEY, "load, store, atomic (returns a value) or reduction (does not)."},
    {"instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Executions with at least one active lane."},
    {"lane_accesses", WS_TYPE_INT, "lane accesses", WS_ADDS_SUM, "Active lanes, summed over the executions."},
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Lines that they ask for."},
    {"sectors", WS_TYPE_INT, "sectors", WS_ADDS_SUM, "Sectors of those lines that they touch."},
    {"bytes_used", WS_TYPE_INT, "B", WS_ADDS_SUM, "Distinct bytes of those lines that they touch."},
    {"bytes_moved", WS_TYPE_INT, "B", WS_ADDS_SUM, "Sectors times the sector size."},
};

static const ws_ratio pc_ratios[] = {
    {"divergence", "requests per instruction", "1.0 * requests / nullif(instructions, 0)",
     "Memory divergence: mean lines per warp instruction (WP Fig. 3)."},
    {"sectors_per_request", "sectors per request", "1.0 * sectors / nullif(requests, 0)",
     "Mean sectors per request."},
    {"bytes_used_share", "", "1.0 * bytes_used / nullif(bytes_moved, 0)", "Bytes used over bytes moved."},
};

enum { TABLE_TOTALS, TABLE_HISTOGRAM, TABLE_PC };

static const ws_table totals_table = {"coalescing",   "Requests after coalescing within the warp, per kernel",
                                      totals_columns, WS_COUNT(totals_columns),
                                      totals_ratios,  WS_COUNT(totals_ratios)};
static const ws_table histogram_table = {"coalescing_histogram",
                                         "Memory instructions by their number of requests",
                                         histogram_columns,
                                         WS_COUNT(histogram_columns),
                                         NULL,
                                         0};
static const ws_table pc_table = {
    "coalescing_pc", "Requests after coalescing within the warp, per instruction address",
    pc_columns,      WS_COUNT(pc_columns),
    pc_ratios,       WS_COUNT(pc_ratios)};
static const ws_table *const tables[] = {&totals_table, &histogram_table, &pc_table, NULL};

/* ---- counting */

typedef struct counts {
    uint64_t instructions, lanes, requests, sectors, bytes;
} counts;

typedef struct analysis {
    const ws_trace *trace;
    uint32_t sector_B, static_count;
    counts *of_static;
    uint64_t histogram[WS_MEMORY_OP_COUNT][WS_BATCH_MAX + 1];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    free(a->of_static);
    free(a);
}

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->trace = stream->trace;
        a->sector_B = stream->sector_B;
        a->static_count = ws_trace_get_info(stream->trace)->static_count;
        a->of_static = calloc((size_t)a->static_count + 1, sizeof *a->of_static);
    }
    if (a && a->of_static) return a;
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    for (size_t i = 0; i < b->count; i++) {
        counts *c = &a->of_static[b->inst[i]];
        c->requests++;
        c->sectors += b->sectors[i];
        c->bytes += b->bytes[i];
        if (b->nth[i] != 0) continue;
        c->instructions++;
        c->lanes += b->lanes[i];
        a->histogram[b->op[i]][b->of[i]]++;
    }
}

static void add(counts *to, const counts *from) {
    to->instructions += from->instructions;
    to->lanes += from->lanes;
    to->requests += from->requests;
    to->sectors += from->sectors;
    to->bytes += from->bytes;
}

/* ---- rows */

static void put_counts(const analysis *a, const counts *c, ws_rows *rows) {
    ws_rows_count(rows, c->instructions);
    ws_rows_count(rows, c->lanes);
    ws_rows_count(rows, c->requests);
    ws_rows_count(rows, c->sectors);
    ws_rows_count(rows, c->bytes);
    ws_rows_count(rows, c->sectors * a->sector_B);
}

static void put_totals(const analysis *a, uint32_t point, ws_rows *rows) {
    const ws_static *statics = ws_trace_statics(a->trace);
    counts of_op[WS_MEMORY_OP_COUNT] = {0};
    for (uint32_t i = 0; i < a->static_count; i++) add(&of_op[statics[i].op], &a->of_static[i]);
    add(&of_op[WS_MEMORY_ATOMIC], &of_op[WS_MEMORY_REDUCTION]);
    ws_rows_begin(rows, point, TABLE_TOTALS);
    put_counts(a, &of_op[WS_MEMORY_LOAD], rows);
    put_counts(a, &of_op[WS_MEMORY_STORE], rows);
    put_counts(a, &of_op[WS_MEMORY_ATOMIC], rows);
}

static void put_histogram(const analysis *a, uint32_t point, ws_rows *rows) {
    for (int op = 0; op < WS_MEMORY_OP_COUNT; op++)
        for (int of = 0; of <= WS_BATCH_MAX; of++) {
            if (a->histogram[op][of] == 0) continue;
            ws_rows_begin(rows, point, TABLE_HISTOGRAM);
            ws_rows_text(rows, ws_memory_op_name((ws_memory_op)op));
            ws_rows_int(rows, of);
            ws_rows_count(rows, a->histogram[op][of]);
        }
}

typedef struct place {
    const analysis *a;
    uint32_t point;
    ws_rows *rows;
} place;

static bool has_executed(const void *context, uint32_t static_id) {
    return ((const place *)context)->a->of_static[static_id].instructions > 0;
}

static bool put_pc(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count) {
    const place *at = context;
    counts sum = {0};
    for (uint32_t i = 0; i < count; i++) add(&sum, &at->a->of_static[static_ids[i]]);
    ws_rows_begin(at->rows, at->point, TABLE_PC);
    ws_rows_int(at->rows, inst->pc);
    ws_rows_text(at->rows, ws_trace_opcode(at->a->trace, inst->opcode));
    ws_rows_text(at->rows, ws_memory_op_name((ws_memory_op)inst->op));
    put_counts(at->a, &sum, at->rows);
    return true;
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    put_totals(a, point, rows);
    put_histogram(a, point, rows);
    place at = {a, point, rows};
    return ws_pcs_put(a->trace, WS_PC_OP, has_executed, put_pc, &at) || ws_no_memory(err);
}

const ws_analysis ws_analysis_coalescing = {
    .name = "coalescing",
    .summary = "Intra-warp coalescing: lines, sectors and bytes per memory instruction",
    .source = "WP 2.1, 2.2, Fig. 3; IRU Fig. 14",
    .version = 1,
    .tables = tables,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
