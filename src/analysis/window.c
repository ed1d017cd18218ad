/* Analysis `window`: how many requests a window behind the coalescer would merge (WP 2.3, Fig. 5). The models are in
 * parts/window_fifo.c, parts/window_fenced.c and parts/window_sliding.c. */
#include "analysis/parts/window.h"

#include "analysis/analyses.h"
#include "analysis/parts/window_runs.h"
#include "base/array.h"

#include <stdlib.h>

enum { CLOCK_MAX = 1 << 30, ARRAYS_B = 256 << 20 };

static const char *const kind_names[] = {[WINDOW_FIFO] = "fifo", [WINDOW_SLIDING] = "sliding", NULL};
static const char *const scope_names[] = {
    [WINDOW_WARP] = "warp", [WINDOW_CTA] = "cta", [WINDOW_SM] = "sm", [WINDOW_CLUSTER] = "cluster", NULL};
static const char *const stream_names[] = {[WINDOW_LOADS] = "loads", [WINDOW_ALL] = "all", NULL};

static const ws_param params[] = {
    WS_INT(window_params, size, "window.size", "requests", 128, 0, WINDOW_SIZE_MAX,
           "Window W in requests after coalescing within the warp; 0 = no window. All sizes come from one "
           "pass."),
    WS_CHOICE(window_params, kind, "window.kind", WINDOW_FIFO, kind_names,
              "fifo: W tags; a request whose line is tagged merges and takes no tag, otherwise it takes one, "
              "and the oldest leaves when all are taken. sliding: a request merges when its line occurred "
              "among the previous W requests, merged or not."),
    WS_CHOICE(window_params, scope, "window.scope", WINDOW_SM, scope_names,
              "There is a window for each warp, CTA, SM or cluster of SMs."),
    WS_CHOICE(window_params, stream, "window.stream", WINDOW_LOADS, stream_names,
              "Which global and local requests enter: loads, or all (stores, atomics and reductions too)."),
    WS_INT(window_params, merges_max, "window.merges_max", "requests", 0, 0, WINDOW_MERGES_MAX,
           "Requests that a tag holds, the first among them (WP: 4); a full tag stays and matches no more. 0 "
           "= any number. fifo only."),
    WS_BOOL(window_params, fences, "window.fences", false,
            "A warp's store, atomic or reduction evicts the tags that hold a load of that warp (WP 3.8). "
            "fifo only."),
};

static bool validate(const void *values, ws_error *err) {
    const window_params *p = values;
    if (p->kind == WINDOW_FIFO) return true;
    if (p->merges_max != 0)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "window.merges_max: a sliding window has no tags to fill up: set it to 0 or window.kind to fifo");
    if (p->fences)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "window.fences: a sliding window has no tags to evict: set it to false or window.kind to fifo");
    return true;
}

static const ws_component component = {.name = "window",
                                       .summary = "The window behind the coalescer",
                                       .source = "WP 2.3, 3.8",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(window_params),
                                       .validate = validate};

static const char *const dims[] = {"window.size", NULL};

static const ws_column columns[] = {
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that enter the window, after coalescing within the warp (WP 2.3): those of loads, or all "
     "(window.stream)."},
    {"sent", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that remain to be sent to the L1: those that do not merge."},
    {"merged_same_warp", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that merge with one of the same warp. Against the tag's first member (fifo), or the line's "
     "last occurrence (sliding)."},
    {"merged_same_cta", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that merge with one of another warp of the same CTA; compared as merged_same_warp."},
    {"merged_other_cta", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that merge with one of another CTA; compared as merged_same_warp."},
};

static const ws_ratio ratios[] = {
    {"remaining", "", "1.0 * sent / nullif(requests, 0)",
     "Share of the requests that enter the window, those of loads unless window.stream is all, that remain "
     "to be sent (WP Fig. 5)."},
    {"share_same_warp", "", "1.0 * merged_same_warp / nullif(requests, 0)",
     "Share of requests that merge within their warp."},
    {"share_same_cta", "", "1.0 * merged_same_cta / nullif(requests, 0)",
     "Share of requests that merge with another warp of their CTA."},
    {"share_other_cta", "", "1.0 * merged_other_cta / nullif(requests, 0)",
     "Share of requests that merge with another CTA."},
};

static const ws_table table = {.name = "window",
                               .summary = "Requests that a window merges, by who asked first",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

typedef struct analysis {
    const window_model *model;
    void *state;
    window_runs *runs;
    size_t points; /* one size each */
    bool all;      /* stores enter too */
    bool fences;
    bool failed; /* memory ran out */
    uint64_t requests;
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    if (a->model) a->model->destroy(a->state);
    window_runs_free(a->runs);
    free(a);
}

static const window_model *model_of(const window_params *p) {
    if (p->kind == WINDOW_SLIDING) return &window_sliding;
    return p->fences ? &window_fenced : &window_fifo;
}

static void *create_model(const analysis *a, const void *const *values, const ws_stream_info *stream) {
    const window_params *p = values[0];
    uint32_t *sizes = malloc(a->points * sizeof *sizes);
    if (!sizes) return NULL;
    for (size_t i = 0; i < a->points; i++) sizes[i] = (uint32_t)((const window_params *)values[i])->size;
    bool many = p->scope == WINDOW_WARP || p->scope == WINDOW_CTA;
    window_setup setup = {.sizes = sizes,
                          .size_count = (uint32_t)a->points,
                          .instances = window_runs_instances(a->runs),
                          .warps_per_cta = stream->warps_per_cta,
                          .sms_per_cluster = stream->sms_per_cluster,
                          .merges_max = (uint32_t)p->merges_max,
                          .stream_all = a->all,
                          .clock_max = CLOCK_MAX,
                          .arrays_B = many ? 0 : ARRAYS_B};
    void *state = a->model->create(&setup);
    free(sizes);
    return state;
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const window_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->model = model_of(p);
        a->points = points;
        a->all = p->stream == WINDOW_ALL;
        a->fences = p->fences;
        a->runs = window_runs_new(stream, (enum window_scope)p->scope, a->all || p->fences);
        if (a->runs) a->state = create_model(a, values, stream);
    }
    if (a && a->state) return a;
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

/* The number of requests of the run that enter the window; with fences, a run may also have stores that do not. */
static size_t count_entering(const analysis *a, const window_run *run) {
    if (a->all || !a->fences) return run->count;
    size_t loads = 0;
    for (size_t i = 0; i < run->count; i++) loads += run->op[i] == WS_MEMORY_LOAD;
    return loads;
}

static void requests(void *self, const ws_requests *batch) {
    analysis *a = self;
    window_run run;
    window_runs_batch(a->runs, batch);
    while (!a->failed && window_runs_next(a->runs, &run)) {
        a->requests += count_entering(a, &run);
        a->failed = !a->model->run(a->state, &run);
    }
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the windows: ask for smaller ones");
    for (size_t i = 0; i < a->points; i++) {
        uint64_t merged[WINDOW_LABELS];
        a->model->merged(a->state, (uint32_t)i, merged);
        uint64_t sent =
            a->requests - merged[WINDOW_SAME_WARP] - merged[WINDOW_SAME_CTA] - merged[WINDOW_OTHER_CTA];
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_count(rows, a->requests);
        ws_rows_count(rows, sent);
        for (unsigned label = 0; label < WINDOW_LABELS; label++) ws_rows_count(rows, merged[label]);
    }
    return true;
}

const ws_analysis ws_analysis_window = {
    .name = "window",
    .summary = "Coalescing-window reduction: requests that a window behind the coalescer merges",
    .source = "WP 2.3, Fig. 5",
    .version = 2,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
