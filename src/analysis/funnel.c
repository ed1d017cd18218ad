/* Analysis `funnel`: how many accesses are left behind each stage of the memory system (WP 2.1, Fig. 2). */
#include "analysis/analyses.h"
#include "analysis/l1s.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum ops { OPS_ALL, OPS_LOADS };

typedef struct funnel_params {
    int ops; /* enum ops */
    ws_l1s_params l1;
} funnel_params;

static const char *const ops_names[] = {[OPS_ALL] = "all", [OPS_LOADS] = "loads", NULL};

static const ws_param params[] = {
    WS_CHOICE(
        funnel_params, ops, "funnel.ops", OPS_ALL, ops_names,
        "Whose way is followed: all global and local accesses, or loads alone. The others act on the L1 "
        "all the same."),
    WS_L1S_PARAMS(funnel_params, l1, "funnel", 64),
};

static bool validate(const void *values, ws_error *err) {
    const funnel_params *p = values;
    return ws_l1s_validate(&p->l1, "funnel", err);
}

static const ws_component component = {.name = "funnel",
                                       .summary = "The request funnel",
                                       .source = "WP 2.1, Fig. 2; defaults WP tab. 2",
                                       .params = params,
                                       .param_count = COUNT(params),
                                       .struct_size = sizeof(funnel_params),
                                       .validate = validate};

static const char *const dims[] = {NULL};

static const ws_column columns[] = {
    {"lane_accesses", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Active lanes of the memory instructions."},
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Left by coalescing within the warp: they go to the L1."},
    {"past_l1", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Left by the L1: reads that miss, and the writes and atomics that it passes on. A second miss on a line "
     "counts as a hit, for lines come at once."},
    {"past_mshr", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Left by the MSHRs, which merge misses in flight."},
    {"past_l2", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Left by the L2."},
    {"at_dram", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Served by DRAM."},
};

#define SHARE(stage) "1.0 * " stage " / nullif(lane_accesses, 0)"

static const ws_ratio ratios[] = {
    {"share_requests", "", SHARE("requests"), "Of the lane accesses, left by the coalescer (WP Fig. 2)."},
    {"share_past_l1", "", SHARE("past_l1"), "Of the lane accesses, left by the L1 (WP Fig. 2)."},
    {"share_past_mshr", "", SHARE("past_mshr"), "Of the lane accesses, left by the MSHRs."},
    {"share_past_l2", "", SHARE("past_l2"), "Of the lane accesses, left by the L2 (WP Fig. 2)."},
    {"share_at_dram", "", SHARE("at_dram"), "Of the lane accesses, left for DRAM (WP Fig. 2)."},
};

static const ws_table table = {.name = "funnel",
                               .summary = "Accesses left behind each stage of the memory system",
                               .columns = columns,
                               .column_count = COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

typedef struct analysis {
    bool loads, failed;
    size_t points;
    ws_l1s l1s;
    uint64_t lanes, requests, past_l1;
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    ws_l1s_free(&a->l1s);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const funnel_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->loads = p->ops == OPS_LOADS;
        a->points = points;
    }
    if (a && ws_l1s_init(&a->l1s, &p->l1, stream->sms)) return a;
    ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    destroy(a);
    return NULL;
}

static bool take(analysis *a, const ws_requests *b, size_t i) {
    uint32_t victim;
    ws_l1s_answer answer = ws_l1s_request(&a->l1s, b, i, &victim);
    if (answer == WS_L1S_NO_MEMORY) return false;
    if (a->loads && b->op[i] != WS_MEMORY_LOAD) return true;
    if (b->nth[i] == 0) a->lanes += b->lanes[i];
    a->requests++;
    a->past_l1 += answer != WS_L1S_HIT;
    return true;
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    a->failed = a->failed || !ws_l1s_batch(&a->l1s, b);
    for (size_t i = 0; i < b->count && !a->failed; i++) a->failed = !take(a, b, i);
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the caches");
    const char *no_time = "fidelity order has no latencies: nothing is in flight",
               *no_l2 = "fidelity order has no L2";
    for (size_t i = 0; i < a->points; i++) {
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_int(rows, (int64_t)a->lanes);
        ws_rows_int(rows, (int64_t)a->requests);
        ws_rows_int(rows, (int64_t)a->past_l1);
        ws_rows_unknown(rows, no_time);
        ws_rows_unknown(rows, no_l2);
        ws_rows_unknown(rows, no_l2);
    }
    return true;
}

const ws_analysis ws_analysis_funnel = {
    .name = "funnel",
    .summary = "Request funnel: lane accesses, requests, and what passes the L1",
    .source = "WP 2.1, Fig. 2",
    .version = 1,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .needs = 0,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
