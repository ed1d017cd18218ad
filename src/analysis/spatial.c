/* Analysis `spatial`: how much of an SM is never allocated, because only whole CTAs fit (XI 3.3.1, Fig. 20). This
 * follows from a kernel's needs and an SM's limits alone, so it needs no replay. */
#include "analysis/analyses.h"
#include "base/array.h"
#include "replay/occupancy.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIMITED_BY_SIZE = 64 };

#define FITS(resource, what)                                                                                 \
    {                                                                                                        \
        "ctas_by_" resource, WS_TYPE_INT, "CTAs", WS_ADDS_SAME,                                              \
            "CTAs that " what " alone would let an SM hold (XI 3.3.1); unknown where it sets no limit."      \
    }
#define SHARES(resource, unit, what)                                                                         \
    {resource "_allocated", WS_TYPE_INT, unit, WS_ADDS_SUM,                                                  \
     what " of an SM that its CTAs are given (XI 3.3.1); launches add up."},                                 \
    {                                                                                                        \
        resource "_available", WS_TYPE_INT, unit, WS_ADDS_SUM, what " that an SM has; launches add up."      \
    }
#define UNUSED(resource, what)                                                                               \
    {                                                                                                        \
        resource "_unused", "", "1 - 1.0 * " resource "_allocated / nullif(" resource "_available, 0)",      \
            "Share of an SM's " what " that is never allocated (XI Fig. 20); of several launches, their "    \
            "mean."                                                                                          \
    }

static const ws_column columns[] = {
    {"ctas_per_sm", WS_TYPE_INT, "CTAs", WS_ADDS_SAME,
     "CTAs that an SM holds at once; 0: not even one fits (XI 3.3.1)."},
    {"limited_by", WS_TYPE_TEXT, "", WS_ADDS_SAME,
     "The resources that allow no further CTA, joined by +, in the order of the sm. parameters: threads, "
     "warps, ctas, registers, shared_B. More of one alone helps only where it stands alone (XI 3.3.1)."},
    FITS("threads", "threads"),
    FITS("warps", "warp slots"),
    FITS("registers", "registers"),
    FITS("shared", "shared memory"),
    SHARES("threads", "threads", "Threads, in whole warps,"),
    SHARES("warps", "warps", "Warp slots"),
    SHARES("registers", "registers", "Registers"),
    SHARES("shared", "B", "Shared memory"),
};

static const ws_ratio ratios[] = {
    UNUSED("threads", "threads"),
    UNUSED("warps", "warp slots"),
    UNUSED("registers", "registers"),
    UNUSED("shared", "shared memory"),
};

static const ws_table table = {"spatial", "Resources of an SM that CTAs leave unallocated",
                               columns,   WS_COUNT(columns),
                               ratios,    WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

typedef struct analysis {
    uint32_t ctas_per_sm;
    bool registers_known;
    ws_residency limits[WS_RESOURCES];
} analysis;

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    analysis *a = calloc(1, sizeof *a);
    if (!a) {
        ws_no_memory(err);
        return NULL;
    }
    a->registers_known = stream->kernel->registers_per_thread > 0;
    ws_residency_of(stream->kernel, ws_trace_get_info(stream->trace)->warp_size, stream->sm, a->limits);
    a->ctas_per_sm = ws_residency_ctas(a->limits, NULL);
    return a;
}

/* Lists the resources of which one more CTA would need more than is left: "threads+warps". */
static void name_limits(const analysis *a, char out[LIMITED_BY_SIZE]) {
    size_t length = 0;
    out[0] = 0;
    for (int r = 0; r < WS_RESOURCES; r++) {
        const ws_residency *limit = &a->limits[r];
        if ((a->ctas_per_sm + 1) * limit->need <= limit->have) continue;
        length +=
            (size_t)snprintf(out + length, LIMITED_BY_SIZE - length, "%s%s", length ? "+" : "", limit->name);
    }
}

/* Without the number of registers, it is unknown how many CTAs an SM holds. */
static const char registers_unknown[] = "the trace does not say how many registers a thread has";

static void put_fit(const ws_residency *limit, const char *otherwise, ws_rows *rows) {
    if (limit->need > 0)
        ws_rows_count(rows, limit->have / limit->need);
    else
        ws_rows_unknown(rows, otherwise);
}

static void put_share(const analysis *a, enum ws_resource resource, ws_rows *rows) {
    if (a->registers_known)
        ws_rows_count(rows, a->ctas_per_sm * a->limits[resource].need);
    else
        ws_rows_unknown(rows, registers_unknown);
    ws_rows_count(rows, a->limits[resource].have);
}

static void put_row(const analysis *a, uint32_t point, ws_rows *rows) {
    char limited_by[LIMITED_BY_SIZE];
    name_limits(a, limited_by);
    ws_rows_begin(rows, point, 0);
    if (a->registers_known) {
        ws_rows_int(rows, a->ctas_per_sm);
        ws_rows_text(rows, limited_by);
    } else {
        ws_rows_unknown(rows, registers_unknown);
        ws_rows_unknown(rows, registers_unknown);
    }
    put_fit(&a->limits[WS_RESOURCE_THREADS], "a CTA without threads", rows);
    put_fit(&a->limits[WS_RESOURCE_WARPS], "a CTA without threads", rows);
    put_fit(&a->limits[WS_RESOURCE_REGISTERS], registers_unknown, rows);
    put_fit(&a->limits[WS_RESOURCE_SHARED], "the kernel needs no shared memory", rows);
    put_share(a, WS_RESOURCE_THREADS, rows);
    put_share(a, WS_RESOURCE_WARPS, rows);
    put_share(a, WS_RESOURCE_REGISTERS, rows);
    put_share(a, WS_RESOURCE_SHARED, rows);
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    (void)err;
    const analysis *a = self;
    put_row(a, point, rows);
    return true;
}

const ws_analysis ws_analysis_spatial = {
    .name = "spatial",
    .summary = "Spatial under-utilisation: CTAs per SM, what limits them, what is never allocated",
    .source = "XI 3.3.1, Fig. 20",
    .version = 1,
    .tables = tables,
    .create = create,
    .finish = finish,
    .destroy = free,
};
