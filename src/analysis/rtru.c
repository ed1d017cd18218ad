/* Analysis `rtru`: warp-level divergence (XI 3.3.2, Figs. 21 to 29). A CTA keeps the resources of all its warps until
 * the last one ends; the ratio of temporal resource underutilization (RTRU) is the share of warp time lost by that. */
#include "base/array.h"
#include "warpsweep/timed.h"

#include "analysis/analyses.h"
#include "analysis/parts/lifetimes.h"

#include <math.h>
#include <stdlib.h>

enum source { SOURCE_INSTRUCTIONS, SOURCE_REPLAY };
enum { CTA_MOST_DIVERGENT = -1 };

typedef struct rtru_params {
    int64_t bin, cta;
    bool per_cta;
    int source; /* enum source */
} rtru_params;

static const char *const source_names[] = {
    [SOURCE_INSTRUCTIONS] = "instructions", [SOURCE_REPLAY] = "replay", NULL};

static const ws_param params[] = {
    WS_CHOICE(rtru_params, source, "rtru.source", SOURCE_INSTRUCTIONS, source_names,
              "What stands for the execution time of a warp (XI 3.3.2). instructions: the warp instructions "
              "that it executes. replay: cycles of a timed replay; unknown in fidelity order. (Traces have "
              "no times "
              "of their own.)"),
    WS_INT(rtru_params, bin, "rtru.bin", "warp instructions", 500, 1, 1 << 30,
           "Width of the histogram's bins; a bin (a, b] has the warps with more than a and at most b (XI "
           "Fig. 23)."),
    WS_INT(
        rtru_params, cta, "rtru.cta", "", CTA_MOST_DIVERGENT, CTA_MOST_DIVERGENT, 1 << 30,
        "CTA whose warps' lifetimes are stored, to be drawn (XI Fig. 21): its number among those that "
        "the trace has, from 0, or -1: the one with the highest RTRU. A launch with fewer CTAs stores none."),
    WS_BOOL(rtru_params, per_cta, "rtru.per_cta", true, "Whether to store a row for each CTA."),
};

static const ws_component component = {.name = "rtru",
                                       .summary = "Warp-level divergence of CTAs",
                                       .source = "XI 3.3.2",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(rtru_params)};

static const char *const dims[] = {"rtru.bin", "rtru.cta", "rtru.per_cta", NULL};

/* ---- tables */

#define TIME "time of rtru.source"

static const ws_column columns[] = {
    {"ctas", WS_TYPE_INT, "CTAs", WS_ADDS_SUM, "CTAs that execute something."},
    {"ctas_even", WS_TYPE_INT, "CTAs", WS_ADDS_SUM,
     "CTAs whose warps all take equally long: their RTRU is 0, and the geometric mean leaves them out."},
    {"rtru_sum", WS_TYPE_REAL, "", WS_ADDS_SUM, "Sum of RTRU over CTAs, each rounded to 2^-36."},
    {"rtru_log_sum", WS_TYPE_REAL, "", WS_ADDS_SUM,
     "Sum of the natural logarithm of RTRU over CTAs where it is positive, each rounded to 2^-36."},
    {"rtru_max", WS_TYPE_REAL, "", WS_ADDS_MAX, "The largest RTRU of a CTA (XI 3.3.2)."},
    {"wasted_time", WS_TYPE_INT, TIME, WS_ADDS_SUM,
     "Sum over warps of how much shorter their time is than that of the longest warp of their CTA (XI "
     "3.3.2)."},
    {"held_time", WS_TYPE_INT, TIME, WS_ADDS_SUM,
     "Sum over CTAs of the longest warp's time, times the number of warps (XI 3.3.2)."},
};

static const ws_ratio ratios[] = {
    {"rtru_geomean", "", "exp(rtru_log_sum / nullif(ctas - ctas_even, 0))",
     "Geometric mean of RTRU over CTAs where it is positive (XI 3.3.2; ctas_even are left out)."},
    {"rtru_mean", "", "rtru_sum / nullif(ctas, 0)", "Arithmetic mean of RTRU over all CTAs (XI 3.3.2)."},
    {"rtru_weighted", "", "1.0 * wasted_time / nullif(held_time, 0)",
     "RTRU of all CTAs together: long ones count for more than short ones."},
};

static const ws_column cta_columns[] = {
    {"cta", WS_TYPE_INT, "", WS_ADDS_KEY,
     "Number of the CTA among those of its launch that the trace has, from 0, x fastest."},
    {"warps", WS_TYPE_INT, "warps", WS_ADDS_SUM, "Warps of the CTA, those that do nothing included."},
    {"longest_time", WS_TYPE_INT, TIME, WS_ADDS_MAX, "Time of the warp that takes longest (XI 3.3.2: maxT)."},
    {"wasted_time", WS_TYPE_INT, TIME, WS_ADDS_SUM,
     "Sum over warps of how much shorter their time is than the longest warp's (XI 3.3.2)."},
};

static const ws_ratio cta_ratios[] = {
    {"rtru", "", "1.0 * wasted_time / nullif(warps * longest_time, 0)",
     "Ratio of temporal resource underutilization of the CTA (XI 3.3.2)."},
};

static const ws_column histogram_columns[] = {
    {"more_than", WS_TYPE_INT, "warp instructions", WS_ADDS_KEY,
     "Lower bound of the bin, exclusive (XI Fig. 23)."},
    {"up_to", WS_TYPE_INT, "warp instructions", WS_ADDS_SAME, "Upper bound of the bin, inclusive."},
    {"warps", WS_TYPE_INT, "warps", WS_ADDS_SUM,
     "Warps whose instruction count is in the bin; bins without any are left out (XI Figs. 23, 25)."},
};

static const ws_column warp_columns[] = {
    {"cta", WS_TYPE_INT, "", WS_ADDS_KEY, "The CTA that rtru.cta chooses."},
    {"warp", WS_TYPE_INT, "", WS_ADDS_KEY, "Number of the warp in the CTA, from 0."},
    {"start_time", WS_TYPE_INT, TIME, WS_ADDS_NOT,
     "When the warp begins; 0 with rtru.source = instructions."},
    {"end_time", WS_TYPE_INT, TIME, WS_ADDS_NOT, "When the warp ends (XI Figs. 21, 26, 28)."},
    {"instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_NOT,
     "Warp instructions that the warp executes."},
    {"l1_misses", WS_TYPE_INT, "accesses", WS_ADDS_NOT,
     "L1 accesses of the warp that miss, sector misses included; unknown in fidelity order."},
};

static const ws_ratio warp_ratios[] = {
    {"l1_mpki", "misses per 1000 warp instructions", "1000.0 * l1_misses / nullif(instructions, 0)",
     "The warp's MPKI: a reason for warps that execute the same to take unequally long (XI Fig. 27)."},
};

static const ws_table table = {
    "rtru", "Warp-level divergence, per kernel", columns, WS_COUNT(columns), ratios, WS_COUNT(ratios)};
static const ws_table cta_table = {"rtru_cta",  "Warp-level divergence, per CTA",
                                   cta_columns, WS_COUNT(cta_columns),
                                   cta_ratios,  WS_COUNT(cta_ratios)};
static const ws_table histogram_table = {"rtru_histogram",
                                         "Warps by their dynamic instructions",
                                         histogram_columns,
                                         WS_COUNT(histogram_columns),
                                         NULL,
                                         0};
static const ws_table warp_table = {"rtru_warp",  "Lifetimes of the warps of one CTA",
                                    warp_columns, WS_COUNT(warp_columns),
                                    warp_ratios,  WS_COUNT(warp_ratios)};
enum { TABLE_RTRU, TABLE_CTA, TABLE_HISTOGRAM, TABLE_WARP };
static const ws_table *const tables[] = {&table, &cta_table, &histogram_table, &warp_table, NULL};

/* ---- counting */

typedef struct analysis {
    enum source source;
    size_t points;
    rtru_params *params;
    const ws_order_counters *counters;
    const ws_timed_counters *timed; /* NULL: fidelity order, which has no cycles */
    lifetimes instructions;         /* in instructions: warp i executes end[i] of them, start[i] is 0 */
    lifetimes cycles;               /* fidelity timed: from its CTA's start to its last result */
    uint64_t *misses;               /* fidelity timed: per warp, in the L1 */
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    lifetimes_free(&a->instructions);
    lifetimes_free(&a->cycles);
    free(a->misses);
    free(a->params);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->source = (enum source)((const rtru_params *)values[0])->source;
        a->points = points;
        a->counters = stream->counters;
        a->timed = stream->timed;
        a->params = calloc(points, sizeof *a->params);
        a->misses = calloc(stream->kernel->counters.ctas * stream->warps_per_cta + 1, sizeof *a->misses);
    }
    if (a && a->params && a->misses &&
        lifetimes_init(&a->instructions, (uint32_t)stream->kernel->counters.ctas, stream->warps_per_cta) &&
        lifetimes_init(&a->cycles, (uint32_t)stream->kernel->counters.ctas, stream->warps_per_cta)) {
        for (size_t i = 0; i < points; i++) a->params[i] = *(const rtru_params *)values[i];
        return a;
    }
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

static void instructions(void *self, const ws_instructions *batch) {
    analysis *a = self;
    for (size_t i = 0; i < batch->count; i++) a->instructions.end[batch->warp[i]] += batch->issued[i];
}

static void warp_end(void *self, const ws_timed_warp_life *life) {
    analysis *a = self;
    size_t warp = (size_t)life->cta * a->cycles.warps_per_cta + life->warp;
    a->instructions.end[warp] = life->instructions;
    a->cycles.start[warp] = life->start;
    a->cycles.end[warp] = life->end;
}

static void hear_access(void *self, const ws_timed_access *access) {
    analysis *a = self;
    bool missed = access->status == WS_TIMED_MISS || access->status == WS_TIMED_SECTOR_MISS;
    a->misses[(size_t)access->cta * a->cycles.warps_per_cta + access->warp] += missed;
}

/* ---- rows */

/* The number of CTAs that were replayed: limits cut off the last ones, as if the grid had no more. */
static uint32_t replayed_ctas(const analysis *a) {
    if (a->timed) return (uint32_t)a->timed->ctas;
    return a->counters ? (uint32_t)a->counters->ctas : a->instructions.ctas;
}

/* Rounds to a multiple of 2^-36: sums of such numbers are exact, and so the same in any order and on any machine. */
static double rounded(double x) {
    return ldexp(rint(ldexp(x, 36)), -36);
}

static void put_kernel(const lifetimes *l, uint32_t point, ws_rows *rows) {
    int64_t ctas = 0, even = 0, wasted = 0, held = 0;
    double sum = 0, log_sum = 0, most = 0;
    for (uint32_t i = 0; i < l->ctas; i++) {
        lifetimes_cta c = lifetimes_of_cta(l, i);
        double rtru = lifetimes_rtru(&c);
        ctas += c.longest > 0;
        even += c.longest > 0 && c.wasted == 0;
        wasted += (int64_t)c.wasted;
        held += (int64_t)c.held;
        sum += rounded(rtru);
        if (rtru > 0) log_sum += rounded(log(rtru));
        if (rtru > most) most = rtru;
    }
    ws_rows_begin(rows, point, TABLE_RTRU);
    ws_rows_int(rows, ctas);
    ws_rows_int(rows, even);
    ws_rows_real(rows, sum);
    ws_rows_real(rows, log_sum);
    ws_rows_real(rows, most);
    ws_rows_int(rows, wasted);
    ws_rows_int(rows, held);
}

static void put_unknown(uint32_t point, ws_rows *rows) {
    ws_rows_begin(rows, point, TABLE_RTRU);
    for (size_t i = 0; i < WS_COUNT(columns); i++)
        ws_rows_unknown(rows, "fidelity order has no cycles, which rtru.source = replay needs");
}

static void put_ctas(const lifetimes *l, uint32_t point, ws_rows *rows) {
    for (uint32_t i = 0; i < l->ctas; i++) {
        lifetimes_cta c = lifetimes_of_cta(l, i);
        ws_rows_begin(rows, point, TABLE_CTA);
        ws_rows_int(rows, i);
        ws_rows_int(rows, l->warps_per_cta);
        ws_rows_count(rows, c.longest);
        ws_rows_count(rows, c.wasted);
    }
}

static uint32_t most_divergent(const lifetimes *l) {
    uint32_t best = 0;
    double most = -1;
    for (uint32_t i = 0; i < l->ctas; i++) {
        lifetimes_cta c = lifetimes_of_cta(l, i);
        double rtru = lifetimes_rtru(&c);
        if (rtru > most) most = rtru, best = i;
    }
    return best;
}

static void put_warps(const analysis *a, const lifetimes *l, int64_t chosen, uint32_t point, ws_rows *rows) {
    uint32_t cta = chosen == CTA_MOST_DIVERGENT ? most_divergent(l) : (uint32_t)chosen;
    for (uint32_t w = 0; cta < l->ctas && w < l->warps_per_cta; w++) {
        size_t warp = (size_t)cta * l->warps_per_cta + w;
        ws_rows_begin(rows, point, TABLE_WARP);
        ws_rows_int(rows, cta);
        ws_rows_int(rows, w);
        ws_rows_count(rows, l->start[warp]);
        ws_rows_count(rows, l->end[warp]);
        ws_rows_count(rows, a->instructions.end[warp]);
        if (a->timed)
            ws_rows_count(rows, a->misses[warp]);
        else
            ws_rows_unknown(rows, "fidelity order has no L1");
    }
}

static int compare_counts(const void *left, const void *right) {
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return l < r ? -1 : l > r;
}

/* `sorted`: the number of instructions of each warp, ascending. */
static void put_histogram(const uint64_t *sorted, size_t warps, uint64_t bin, uint32_t point, ws_rows *rows) {
    for (size_t first = 0, i = 0; i < warps; first = i) {
        uint64_t up_to = (sorted[first] + bin - 1) / bin * bin;
        while (i < warps && sorted[i] <= up_to) i++;
        ws_rows_begin(rows, point, TABLE_HISTOGRAM);
        ws_rows_int(rows, (int64_t)up_to - (int64_t)bin);
        ws_rows_count(rows, up_to);
        ws_rows_count(rows, i - first);
    }
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    const lifetimes *l = &a->instructions;
    lifetimes times = a->source == SOURCE_REPLAY ? a->cycles : *l;
    times.ctas = replayed_ctas(a);
    size_t warps = (size_t)times.ctas * l->warps_per_cta;
    uint64_t *sorted = malloc((warps + 1) * sizeof *sorted);
    if (!sorted) return ws_no_memory(err);
    for (size_t i = 0; i < warps; i++) sorted[i] = l->end[i];
    qsort(sorted, warps, sizeof *sorted, compare_counts);
    for (size_t i = 0; i < a->points; i++) {
        const rtru_params *p = &a->params[i];
        uint32_t point = first_point + (uint32_t)i;
        if (a->source == SOURCE_REPLAY && !a->timed) {
            put_unknown(point, rows);
        } else {
            put_kernel(&times, point, rows);
            if (p->per_cta) put_ctas(&times, point, rows);
            put_warps(a, &times, p->cta, point, rows);
        }
        put_histogram(sorted, warps, (uint64_t)p->bin, point, rows);
    }
    free(sorted);
    return true;
}

const ws_analysis ws_analysis_rtru = {
    .name = "rtru",
    .summary = "Warp-level divergence: what CTAs lose by waiting for their last warp",
    .source = "XI 3.3.2, Figs. 21, 23, 25 to 29",
    .version = 3,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED,
    .create = create,
    .instructions = instructions,
    .access = hear_access,
    .warp_end = warp_end,
    .finish = finish,
    .destroy = destroy,
};
