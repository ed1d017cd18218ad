/* Analysis `icl`: intra-cluster locality of the reads that leave the L1s (ICC 3.3.1, eq. 1, Figs. 3, 8). */
#include "base/array.h"
#include "warpsweep/timed.h"

#include "analysis/analyses.h"
#include "analysis/parts/icl_core.h"
#include "analysis/parts/l1s.h"
#include "analysis/parts/open_reads.h"
#include "replay/lines.h"

#include <stdlib.h>

enum { WINDOW_MAX = 1 << 24, WORD_B = 4 };

enum stream { AFTER_MERGING, BEFORE_MERGING };

typedef struct icl_params {
    int64_t window;
    int clock, stream; /* enum ws_icl_clock, enum stream */
    ws_l1s_params l1;
} icl_params;

static const char *const clock_names[] = {[WS_ICL_REQUESTS] = "requests", [WS_ICL_TIME] = "time", NULL};
static const char *const stream_names[] = {
    [AFTER_MERGING] = "after_merging", [BEFORE_MERGING] = "before_merging", NULL};

static const ws_param params[] = {
    WS_INT(
        icl_params, window, "icl.window", "", 2000, 1, WINDOW_MAX,
        "How long ago the cluster may have asked for a line that counts as recently asked for (ICC: 500 to "
        "2000 cycles). All windows come from one pass."),
    WS_CHOICE(icl_params, clock, "icl.clock", WS_ICL_TIME, clock_names,
              "What the window is counted in. time: the replay's, steps in fidelity order, cycles in "
              "fidelity timed. requests: read requests of the cluster that missed in its L1s. The column "
              "window_unit says which."),
    WS_CHOICE(
        icl_params, stream, "icl.stream", AFTER_MERGING, stream_names,
        "Which misses are the cluster's requests. after_merging: those that leave the SM. before_merging "
        "(timed only): all, with those that merge into an MSHR entry of their L1."),
    WS_L1S_PARAMS(icl_params, l1, "icl", 96),
};

static bool validate(const void *values, ws_error *err) {
    const icl_params *p = values;
    return ws_l1s_validate(&p->l1, "icl", err);
}

static const ws_need needs[] = {WS_L1S_NEEDS("icl")};

static const ws_component component = {.name = "icl",
                                       .summary = "Intra-cluster locality behind the L1s",
                                       .source = "ICC 3.3.1; defaults ICC tab. 2",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .needs = needs,
                                       .need_count = WS_COUNT(needs),
                                       .struct_size = sizeof(icl_params),
                                       .validate = validate};

static const char *const dims[] = {"icl.window", "icl.clock", NULL};

enum { COLUMN_REQUESTS = 2 }; /* the first that depends on icl.stream */

static const ws_column columns[] = {
    {"window_unit", WS_TYPE_TEXT, "", WS_ADDS_SAME,
     "What icl.window is counted in here: requests, steps or cycles."},
    {"reads", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Load requests that look up an L1, or that a mechanism sends past it: lines that an instruction reads. "
     "In fidelity timed one that is several accesses (l1.access) counts once, but for loads that a mechanism "
     "has merged."},
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Read requests that miss or bypass the L1: the stream that is measured. They leave the SM for the "
     "network, but for misses on a line that is on its way: icl.stream says whether those are among them. Of "
     "a request's accesses the first that leaves decides whether it is redundant."},
    {"data_same_sm", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests for data that the cluster asked for within the window (one 4-byte word at least; ICC 3.3.2), "
     "where the same SM asked for the line last."},
    {"data_other_sm", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests for data that the cluster asked for within the window, where another SM of the cluster asked "
     "for the line last (compare data_same_sm)."},
    {"line_same_sm", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests for other words of a line that the cluster asked for within the window, where the same SM "
     "asked for the line last."},
    {"line_other_sm", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests for other words of a line that the cluster asked for within the window, where another SM of "
     "the cluster asked for the line last."},
};

#define SHARE(sum) "1.0 * (" sum ") / nullif(requests, 0)"

static const ws_ratio ratios[] = {
    {"icl", "", SHARE("data_same_sm + data_other_sm + line_same_sm + line_other_sm"),
     "Intra-cluster locality: share of redundant requests (ICC eq. 1)."},
    {"icl_data", "", SHARE("data_same_sm + data_other_sm"),
     "Intra-cluster locality from sharing data (ICC 3.3.2, Fig. 3)."},
    {"icl_line", "", SHARE("line_same_sm + line_other_sm"),
     "Intra-cluster locality from sharing a line but no data (ICC 3.3.2, Fig. 3)."},
    {"icl_same_sm", "", SHARE("data_same_sm + line_same_sm"),
     "Intra-cluster locality from lines that the same SM asked for last, and has lost since."},
    {"icl_other_sm", "", SHARE("data_other_sm + line_other_sm"),
     "Intra-cluster locality from lines that another SM of the cluster asked for last: what intra-cluster "
     "coalescing can use."},
};

static const ws_table table = {.name = "icl",
                               .summary = "Redundant requests of clusters, by window",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

typedef struct point {
    enum ws_icl_clock clock;
    uint64_t window;
} point;

typedef struct analysis {
    uint32_t sms_per_cluster;
    bool timed;   /* the replay tells what misses, and when; false: `l1s` does */
    bool merging; /* misses that merge belong to the stream */
    bool failed;
    ws_lines lines;      /* timed: numbers of the lines, of which the replay tells addresses */
    ws_open_reads *open; /* timed: the requests of loads in flight */
    ws_l1s l1s;
    ws_icl *icl;
    size_t point_count;
    point *points;
    uint64_t reads, misses;
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    ws_l1s_free(&a->l1s);
    ws_icl_free(a->icl);
    ws_open_reads_free(a->open);
    ws_lines_free(&a->lines);
    free(a->points);
    free(a);
}

static bool ask_points(analysis *a, const void *const *values) {
    for (size_t i = 0; i < a->point_count; i++) {
        const icl_params *p = values[i];
        a->points[i] = (point){(enum ws_icl_clock)p->clock, (uint64_t)p->window};
        if (!ws_icl_ask(a->icl, a->points[i].clock, a->points[i].window)) return false;
    }
    return true;
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const icl_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->sms_per_cluster = stream->sms_per_cluster;
        a->timed = stream->timed != NULL;
        a->merging = p->stream == BEFORE_MERGING;
        a->open = ws_open_reads_new(stream->sms);
        a->icl = ws_icl_new(stream->sms / stream->sms_per_cluster, stream->line_B / WORD_B);
        a->point_count = points;
        a->points = calloc(points, sizeof *a->points);
    }
    if (a && a->open && a->icl && a->points && ws_l1s_init(&a->l1s, &p->l1, stream->sms) &&
        ask_points(a, values))
        return a;
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

/* ---- the stream */

static bool take(analysis *a, const ws_requests *b, size_t i) {
    uint32_t victim;
    ws_l1s_answer answer = ws_l1s_request(&a->l1s, b, i, &victim);
    if (answer == WS_L1S_NO_MEMORY) return false;
    if (b->op[i] != WS_MEMORY_LOAD) return true;
    a->reads++;
    if (answer == WS_L1S_HIT) return true;
    a->misses++;
    return ws_icl_request(a->icl, b->sm[i] / a->sms_per_cluster, b->sm[i], b->step[i], b->line[i],
                          b->words[i]);
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    a->failed = a->failed || !ws_l1s_batch(&a->l1s, b);
    for (size_t i = 0; i < b->count && !a->failed; i++) a->failed = !take(a, b, i);
}

/* Whether the access belongs to the stream. */
static bool leaves(const analysis *a, const ws_timed_access *access) {
    return access->status != WS_TIMED_HIT && (a->merging || access->status != WS_TIMED_PENDING_HIT);
}

/* Takes an access of a read of a timed replay. Of those that are parts of one request, the first that leaves the L1
 * decides whether the request is redundant. */
static bool take_access(analysis *a, const ws_timed_access *access) {
    ws_open_read alone = {0}, *read = &alone; /* of loads that a mechanism has merged */
    bool is_new = true, told_apart = access->issued != UINT64_MAX;
    if (told_apart && !(read = ws_open_reads_find(a->open, access, &is_new))) return false;
    a->reads += is_new;
    if (!leaves(a, access)) return true;
    bool is_first = !read->has_left;
    read->has_left = true;
    a->misses += is_first;
    uint32_t line;
    return ws_lines_number(&a->lines, access->line, &line) &&
           (is_first ? ws_icl_request : ws_icl_extend)(a->icl, access->cluster, access->sm, access->cycle,
                                                       line, access->words);
}

static void hear_access(void *self, const ws_timed_access *access) {
    analysis *a = self;
    if (access->op == WS_MEMORY_LOAD && !a->failed) a->failed = !take_access(a, access);
}

static void hear_load_end(void *self, const ws_timed_load *load) {
    analysis *a = self;
    ws_open_reads_end(a->open, load);
}

/* ---- rows */

static void put_counts(const analysis *a, const point *p, ws_rows *rows) {
    ws_icl_counts n = ws_icl_redundant(a->icl, p->clock, p->window);
    ws_rows_count(rows, a->misses);
    ws_rows_count(rows, n.data_same_sm);
    ws_rows_count(rows, n.data_other_sm);
    ws_rows_count(rows, n.line_same_sm);
    ws_rows_count(rows, n.line_other_sm);
}

static void put_unknown(ws_rows *rows) {
    for (size_t i = COLUMN_REQUESTS; i < WS_COUNT(columns); i++)
        ws_rows_unknown(rows, "order cannot tell misses that merge from hits: use fidelity timed");
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory: ask for smaller windows");
    for (size_t i = 0; i < a->point_count; i++) {
        const point *p = &a->points[i];
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_text(rows, p->clock == WS_ICL_REQUESTS ? "requests" : a->timed ? "cycles" : "steps");
        ws_rows_count(rows, a->reads);
        if (a->merging && !a->timed)
            put_unknown(rows);
        else
            put_counts(a, p, rows);
    }
    return true;
}

const ws_analysis ws_analysis_icl = {
    .name = "icl",
    .summary = "Intra-cluster locality: reads behind the L1s for lines that their cluster just asked for",
    .source = "ICC 3.3.1, eq. 1, Figs. 3, 8",
    .version = 4,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED,
    .create = create,
    .requests = requests,
    .access = hear_access,
    .load_end = hear_load_end,
    .finish = finish,
    .destroy = destroy,
};
