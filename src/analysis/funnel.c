/* Analysis `funnel`: the number of accesses that remain after each stage of the memory system (WP 2.1, Fig. 2). */
#include "base/array.h"
#include "warpsweep/timed.h"

#include "analysis/analyses.h"
#include "analysis/parts/l1s.h"
#include "analysis/parts/ops.h"

#include <stdlib.h>

typedef struct funnel_params {
    int ops; /* enum ops */
    ws_l1s_params l1;
} funnel_params;

static const ws_param params[] = {
    WS_CHOICE(funnel_params, ops, "funnel.ops", OPS_ALL, ops_names,
              "Which accesses are counted: all global and local ones, or loads alone. The others act on the "
              "L1 all the same."),
    WS_L1S_PARAMS(funnel_params, l1, "funnel", 64),
};

static bool validate(const void *values, ws_error *err) {
    const funnel_params *p = values;
    return ws_l1s_validate(&p->l1, "funnel", err);
}

static const ws_need needs[] = {WS_L1S_NEEDS("funnel")};

static const ws_component component = {.name = "funnel",
                                       .summary = "The request funnel",
                                       .source = "WP 2.1, Fig. 2; defaults WP tab. 2",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .needs = needs,
                                       .need_count = WS_COUNT(needs),
                                       .struct_size = sizeof(funnel_params),
                                       .validate = validate};

static const ws_column columns[] = {
    {"lane_accesses", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Active lanes of the memory instructions."},
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that coalescing leaves for the L1: within the warp and, beside mechanism.front = warppool, "
     "between warps. In fidelity timed they have the size that l1.access says, or core.atomic_sectors of "
     "those that bypass the L1 by themselves (atomics, loads of GPU scope), so GPUs may differ in them."},
    {"past_l1", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests left by the L1: reads that miss or bypass it, and the writes and atomics that it passes on. "
     "In fidelity order a second miss on a line counts as a hit, since lines arrive at once. A store to "
     "local memory that hits stays in an L1 with funnel.write (in timed l1.write) = evict; what is written "
     "back of it is no request."},
    {"past_mshr", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests left by the MSHRs, which merge misses in flight."},
    {"past_l2", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests left by the L2: the sectors that miss there, counted in requests of the L1 (rounded up). "
     "Mechanisms that fetch lines of their own (coarse) add theirs, so these may be more than past_mshr."},
    {"at_dram", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "What DRAM reads and writes back: the sectors that its bursts hold, all of them, counted in requests of "
     "the L1 (rounded up)."},
};

#define SHARE(stage) "1.0 * " stage " / nullif(lane_accesses, 0)"

static const ws_ratio ratios[] = {
    {"share_requests", "", SHARE("requests"), "Share of lane accesses left by the coalescer (WP Fig. 2)."},
    {"share_past_l1", "", SHARE("past_l1"), "Share of lane accesses left by the L1 (WP Fig. 2)."},
    {"share_past_mshr", "", SHARE("past_mshr"), "Share of lane accesses left by the MSHRs."},
    {"share_past_l2", "", SHARE("past_l2"), "Share of lane accesses left by the L2 (WP Fig. 2)."},
    {"share_at_dram", "", SHARE("at_dram"), "Share of lane accesses left for DRAM (WP Fig. 2)."},
};

static const ws_table table = {.name = "funnel",
                               .summary = "Accesses left behind each stage of the memory system",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

typedef struct analysis {
    bool loads, failed;
    ws_l1s l1s;
    uint64_t lanes, requests, past_l1, past_mshr;
    uint64_t bypasses;              /* reads that bypass the L1; they are included in the counts above */
    const ws_timed_counters *timed; /* NULL in fidelity order */
    const ws_timed *gpu;            /* the same */
    const ws_kernel *kernel;
    uint32_t sectors; /* timed: the number of sectors of a request */
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    ws_l1s_free(&a->l1s);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)points;
    const funnel_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->loads = p->ops == OPS_LOADS;
        a->timed = stream->timed;
        a->gpu = stream->gpu;
        a->kernel = stream->kernel;
        a->sectors = stream->sector_B ? stream->access_B / stream->sector_B : 0;
    }
    if (a && ws_l1s_init(&a->l1s, &p->l1, stream->sms)) return a;
    ws_no_memory(err);
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
    a->past_l1 += answer != WS_L1S_HIT && answer != WS_L1S_KEPT;
    return true;
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    a->failed = a->failed || !ws_l1s_batch(&a->l1s, b);
    for (size_t i = 0; i < b->count && !a->failed; i++) a->failed = !take(a, b, i);
}

static void hear_access(void *self, const ws_timed_access *access) {
    analysis *a = self;
    bool load = access->op == WS_MEMORY_LOAD;
    if (a->loads && !load) return;
    bool is_left = load ? access->status != WS_TIMED_HIT : !access->kept;
    a->requests++;
    a->past_l1 += is_left;
    a->past_mshr += is_left && !(load && access->status == WS_TIMED_PENDING_HIT);
    a->bypasses += access->status == WS_TIMED_BYPASS;
}

static void put_order(const analysis *a, ws_rows *rows) {
    const char *no_time = "fidelity order has no latencies: nothing is in flight",
               *no_l2 = "fidelity order has no L2";
    ws_rows_count(rows, a->lanes);
    ws_rows_count(rows, a->requests);
    ws_rows_count(rows, a->past_l1);
    ws_rows_unknown(rows, no_time);
    ws_rows_unknown(rows, no_l2);
    ws_rows_unknown(rows, no_l2);
}

static void put_sectors(const analysis *a, uint64_t sectors, ws_rows *rows) {
    if (a->loads)
        ws_rows_unknown(rows, "behind the L1s a timed replay does not tell operations apart");
    else
        ws_rows_count(rows, (sectors + a->sectors - 1) / a->sectors);
}

/* Atomics and some loads bypass the L1 by themselves. The access tap is not told of them: they are all bypasses that it
 * has not heard of. */
static void put_requests(const analysis *a, ws_rows *rows) {
    uint64_t untold = a->timed->l1_bypasses - a->bypasses, counts[] = {a->requests, a->past_l1, a->past_mshr};
    bool unknown = a->loads && untold > 0 && a->gpu && ws_timed_has_loads_past_l1(a->gpu);
    for (size_t i = 0; i < WS_COUNT(counts); i++)
        if (unknown)
            ws_rows_unknown(rows, "loads bypass the L1 by themselves, which is counted for all operations "
                                  "together: take funnel.ops = all");
        else
            ws_rows_count(rows, counts[i] + (a->loads ? 0 : untold));
}

static void put_timed(const analysis *a, ws_rows *rows) {
    const ws_timed_counters *c = a->timed;
    if (a->loads)
        ws_rows_unknown(rows, "lane accesses are counted for all operations together: take funnel.ops = all");
    else if (c->ctas < a->kernel->counters.ctas)
        ws_rows_unknown(rows, "lane accesses are counted of whole launches, and limits cut this one");
    else
        ws_rows_count(rows, a->kernel->counters.lane_accesses);
    put_requests(a, rows);
    put_sectors(a, c->l2_misses + c->l2_sector_misses, rows);
    put_sectors(a, c->dram_bytes / WS_TIMED_SECTOR_B, rows);
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the caches");
    ws_rows_begin(rows, point, 0);
    if (a->timed)
        put_timed(a, rows);
    else
        put_order(a, rows);
    return true;
}

const ws_analysis ws_analysis_funnel = {
    .name = "funnel",
    .summary = "Request funnel: lane accesses, requests, and what passes the L1",
    .source = "WP 2.1, Fig. 2",
    .version = 7,
    .component = &component,
    .tables = tables,
    .fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED,
    .create = create,
    .requests = requests,
    .access = hear_access,
    .finish = finish,
    .destroy = destroy,
};
