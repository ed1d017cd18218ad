/* Analysis `locality`: how likely it is that what is accessed, or something near it, is accessed again soon (XI 5.2.1,
 * Figs. 54-56).
 *
 * L(w, n) looks ahead. But each access with a reuse within w accesses corresponds to one that is that reuse, so it is
 * enough to look back: how many accesses ago the same block of n bytes was last accessed (parts/reuse.h). One pass
 * gives all windows of a size. */
#include "analysis/analyses.h"
#include "analysis/parts/block_stream.h"
#include "analysis/parts/blocks.h"
#include "analysis/parts/level.h"
#include "analysis/parts/ops.h"
#include "analysis/parts/reuse.h"
#include "base/array.h"
#include "base/wide.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOCK_MAX = 1 << 30,
    ARRAYS_B = 256 << 20,
    BACKLOGS_B = 64 << 20,
    BACKLOG_MAX = 1 << 20,
    NEIGHBOURHOOD_MAX_B = 1 << 20,
    NONE = -1
};

typedef struct locality_params {
    int64_t window, neighbourhood_B;
    int level, stream, ops; /* enum level, enum ws_stream_unit, enum ops */
} locality_params;

static const ws_param params[] = {
    WS_INT(locality_params, window, "locality.window", "accesses", 64, 1, WS_REUSE_WINDOW_MAX,
           "Near-future window w: how many of the following accesses may be the reuse. All windows come from "
           "one pass."),
    WS_INT(locality_params, neighbourhood_B, "locality.neighbourhood_B", "B", 128, 1, NEIGHBOURHOOD_MAX_B,
           "Neighbourhood n: an access to the same aligned block of n bytes is a reuse. A power of two; for "
           "requests at least coalesce.line_B. All neighbourhoods come from one pass."),
    WS_CHOICE(
        locality_params, level, "locality.level", LEVEL_SM, level_names,
        "Whose accesses make a stream: each warp's, each CTA's, each SM's (what its L1 sees), or the whole "
        "kernel's."),
    WS_CHOICE(
        locality_params, stream, "locality.stream", WS_STREAM_REQUESTS, ws_stream_unit_names,
        "requests: lines after coalescing within the warp. lane_accesses: every active lane's access by "
        "itself, lowest lane first, at the address of its first byte."),
    WS_CHOICE(locality_params, ops, "locality.ops", OPS_ALL, ops_names,
              "Which global and local accesses: all, or loads alone."),
};

static bool validate(const void *values, ws_error *err) {
    const locality_params *p = values;
    if ((p->neighbourhood_B & (p->neighbourhood_B - 1)) == 0) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "locality.neighbourhood_B: expected a power of two (1, 2, 4 ..), found %lld",
                   (long long)p->neighbourhood_B);
}

static const ws_component component = {.name = "locality",
                                       .summary = "The locality measure",
                                       .source = "XI 5.2.1",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(locality_params),
                                       .validate = validate};

static const char *const dims[] = {"locality.window", "locality.neighbourhood_B", NULL};

static const ws_column columns[] = {
    {"accesses", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
     "Accesses of the stream; those without a later reuse are among them (XI 5.2.1)."},
    {"reused", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
     "Accesses whose neighbourhood is accessed again within the next locality.window accesses of the same "
     "warp, CTA, SM or kernel (reuse time at most w)."},
    {"reused_coarser", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
     "Accesses reused at coarser grain and equal capacity: half the window, rounded down, twice the "
     "neighbourhood (XI Figs. 55, 56). NULL for a window of 1, which has no half."},
};

static const ws_ratio ratios[] = {
    {"locality", "", "1.0 * reused / nullif(accesses, 0)",
     "Locality measure L(w, n): probability of a reuse within the window (XI 5.2.1)."},
    {"grain_step", "", "1.0 * (reused_coarser - reused) / nullif(accesses, 0)",
     "L(w/2, 2n) - L(w, n): what coarser grain gains at equal capacity. Its mean over the points of a kernel "
     "is the grain index."},
    {"grain_class", "",
     "CASE sign(1.0 * (reused_coarser - reused) / nullif(accesses, 0)) "
     "WHEN 1 THEN 'coarse' WHEN -1 THEN 'fine' WHEN 0 THEN 'even' END",
     "Class of this step: coarse where coarser grain raises locality (XI Fig. 55), fine where it lowers it "
     "(XI Fig. 56)."},
};

static const ws_table table = {.name = "locality",
                               .summary = "Accesses that are reused soon, by window and neighbourhood",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

/* One neighbourhood size: the reuse times of its blocks. */
typedef struct neighbourhood {
    uint32_t size_B;
    bool is_fine; /* its blocks are the fine blocks, and use their numbers */
    uint32_t *windows, window_count;
    ws_reuse *reuse;
} neighbourhood;

/* Where to look a point's result up: a window of a neighbourhood size, or NONE. */
typedef struct answer {
    int neighbourhood;
    uint32_t window;
} answer;

typedef struct point {
    answer same, coarser;
    bool too_fine;
} point;

/* Accesses of an instance that have been put off, as numbers of fine blocks. */
typedef struct backlog {
    uint32_t *line, count;
} backlog;

typedef struct analysis {
    bool lanes, loads, failed;
    bool coarse;     /* some neighbourhood size is larger than fine_B */
    uint32_t fine_B; /* size of the fine blocks: the line, or for lane accesses the smallest neighbourhood */
    uint64_t accesses;
    window_runs *runs;
    ws_blocks blocks; /* size i: of neighbourhood i */
    uint32_t neighbourhood_count;
    neighbourhood neighbourhoods[WS_BLOCKS_MAX];
    size_t point_count;
    point *points;

    ws_block_stream stream; /* accesses to fine blocks */

    /* Accesses of few long streams (SMs, the kernel) are put off until there are many, so that one neighbourhood size
     * after the other has the caches to itself. */
    uint32_t backlog_max;                  /* accesses; 0: none are put off */
    backlog *backlogs;                     /* per instance */
    uint32_t *number[WS_BLOCKS_TIERS_MAX]; /* scratch, per tier: accesses in the tier's numbers */
    uint32_t block[WS_BATCH_MAX];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    for (uint32_t i = 0; i < a->neighbourhood_count; i++) {
        ws_reuse_free(a->neighbourhoods[i].reuse);
        free(a->neighbourhoods[i].windows);
    }
    for (uint32_t i = 0; a->backlogs && i < window_runs_instances(a->runs); i++) free(a->backlogs[i].line);
    free(a->backlogs);
    for (int i = 0; i < WS_BLOCKS_TIERS_MAX; i++) free(a->number[i]);
    ws_blocks_free(&a->blocks);
    ws_block_stream_free(&a->stream);
    window_runs_free(a->runs);
    free(a->points);
    free(a);
}

static int find_or_add(analysis *a, uint32_t size_B) {
    for (uint32_t i = 0; i < a->neighbourhood_count; i++)
        if (a->neighbourhoods[i].size_B == size_B) return (int)i;
    a->neighbourhoods[a->neighbourhood_count] = (neighbourhood){.size_B = size_B};
    return (int)a->neighbourhood_count++;
}

static bool ask(analysis *a, uint32_t size_B, int64_t window, answer *to) {
    to->neighbourhood = find_or_add(a, size_B);
    neighbourhood *n = &a->neighbourhoods[to->neighbourhood];
    if (n->window_count % 64 == 0) {
        uint32_t *windows = realloc(n->windows, (n->window_count + 64) * sizeof *windows);
        if (!windows) return false;
        n->windows = windows;
    }
    n->windows[n->window_count] = (uint32_t)window;
    to->window = n->window_count++;
    return true;
}

static bool ask_points(analysis *a, const void *const *values, const ws_stream_info *stream) {
    for (size_t i = 0; i < a->point_count; i++) {
        const locality_params *p = values[i];
        uint32_t size_B = (uint32_t)p->neighbourhood_B;
        point *to = &a->points[i];
        to->same.neighbourhood = to->coarser.neighbourhood = NONE;
        to->too_fine = !a->lanes && size_B < stream->line_B;
        if (to->too_fine) continue;
        if (!ask(a, size_B, p->window, &to->same)) return false;
        if (p->window > 1 && !ask(a, 2 * size_B, p->window / 2, &to->coarser)) return false;
    }
    return true;
}

static bool create_windows(analysis *a, const ws_stream_info *stream, bool many) {
    a->fine_B = a->lanes ? UINT32_MAX : stream->line_B;
    for (uint32_t i = 0; i < a->neighbourhood_count; i++)
        if (a->neighbourhoods[i].size_B < a->fine_B) a->fine_B = a->neighbourhoods[i].size_B;
    unsigned fine_blocks_log2[WS_BLOCKS_MAX];
    for (uint32_t i = 0; i < a->neighbourhood_count; i++) {
        neighbourhood *n = &a->neighbourhoods[i];
        n->is_fine = n->size_B == a->fine_B;
        a->coarse = a->coarse || !n->is_fine;
        fine_blocks_log2[i] = (unsigned)__builtin_ctz(n->size_B / a->fine_B);
        ws_reuse_setup setup = {.windows = n->windows,
                                .window_count = n->window_count,
                                .instances = window_runs_instances(a->runs),
                                .clock_max = CLOCK_MAX,
                                .arrays_B = many ? 0 : ARRAYS_B};
        n->reuse = ws_reuse_new(&setup);
        if (!n->reuse) return false;
    }
    ws_blocks_init(&a->blocks, fine_blocks_log2, a->neighbourhood_count);
    ws_block_stream_init(&a->stream, a->lanes ? WS_STREAM_LANES : WS_STREAM_REQUESTS, a->fine_B,
                         stream->line_B);
    return true;
}

static bool create_backlogs(analysis *a, bool many) {
    uint32_t instances = window_runs_instances(a->runs);
    if (!many) {
        a->backlog_max = BACKLOGS_B / sizeof(uint32_t) / instances;
        if (a->backlog_max > BACKLOG_MAX) a->backlog_max = BACKLOG_MAX;
        a->backlogs = calloc(instances, sizeof *a->backlogs);
        if (!a->backlogs) return false;
    }
    size_t most = many ? WS_BATCH_MAX : a->backlog_max;
    for (uint32_t t = 0; t < a->blocks.tier_count; t++)
        if (!(a->number[t] = malloc(most * sizeof *a->number[t]))) return false;
    return true;
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const locality_params *p = values[0];
    bool many = level_has_many(p->level);
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->lanes = p->stream == WS_STREAM_LANES;
        a->loads = p->ops == OPS_LOADS;
        a->point_count = points;
        a->points = calloc(points, sizeof *a->points);
        a->runs = level_runs_new(stream, p->level, !a->loads);
    }
    if (a && a->points && a->runs && ask_points(a, values, stream) && create_windows(a, stream, many) &&
        create_backlogs(a, many))
        return a;
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

/* ---- the stream */

/* The part of work_off() for neighbourhood size `i`, a batch's length at a time. */
static bool run_neighbourhood(analysis *a, uint32_t i, const window_run *run) {
    const neighbourhood *n = &a->neighbourhoods[i];
    const uint32_t *number = n->is_fine ? run->line : a->number[a->blocks.tier_of[i]];
    unsigned shift = n->is_fine ? 0 : a->blocks.shift[i];
    for (size_t at = 0, count; at < run->count; at += count) {
        count = run->count - at < WS_BATCH_MAX ? run->count - at : WS_BATCH_MAX;
        if (shift > 0) ws_shift_right(number + at, count, shift, a->block);
        if (!ws_reuse_run(n->reuse, run->instance, run->fresh && at == 0, shift > 0 ? a->block : number + at,
                          count))
            return false;
    }
    return true;
}

/* Counts the accesses of one instance for all sizes; their lines are numbers of fine blocks, known to `blocks`. */
static bool work_off(analysis *a, const window_run *run) {
    for (uint32_t t = 0; t < a->blocks.tier_count && a->coarse; t++) {
        const uint32_t *number = a->blocks.tier[t].number;
        for (size_t k = 0; k < run->count; k++) a->number[t][k] = number[run->line[k]];
    }
    for (uint32_t i = 0; i < a->neighbourhood_count; i++)
        if (!run_neighbourhood(a, i, run)) return false;
    return true;
}

static bool work_off_backlog(analysis *a, uint32_t instance) {
    backlog *b = &a->backlogs[instance];
    window_run all = {.instance = instance, .count = b->count, .line = b->line};
    b->count = 0;
    return work_off(a, &all);
}

static bool put_off(analysis *a, const window_run *run) {
    backlog *b = &a->backlogs[run->instance];
    if (!b->line && !(b->line = malloc(a->backlog_max * sizeof *b->line))) return false;
    if (b->count + run->count > a->backlog_max && !work_off_backlog(a, run->instance)) return false;
    memcpy(b->line + b->count, run->line, run->count * sizeof *b->line);
    b->count += (uint32_t)run->count;
    return true;
}

static bool take(void *self, const ws_requests *batch) {
    analysis *a = self;
    window_run run;
    uint32_t most = ws_largest(batch->line, batch->count);
    while (a->coarse && a->blocks.met <= most)
        if (!ws_blocks_meet(&a->blocks, batch->line_address[a->blocks.met])) return false;
    window_runs_batch(a->runs, batch);
    while (window_runs_next(a->runs, &run)) {
        a->accesses += run.count;
        if (!(a->backlogs ? put_off(a, &run) : work_off(a, &run))) return false;
    }
    return true;
}

static void requests(void *self, const ws_requests *batch) {
    analysis *a = self;
    a->failed = a->failed || !ws_block_stream_batch(&a->stream, batch, take, a);
}

/* ---- rows */

static void put_reused(const analysis *a, const answer *at, const char *reason, ws_rows *rows) {
    if (at->neighbourhood == NONE) {
        ws_rows_unknown(rows, reason);
        return;
    }
    ws_rows_count(rows, ws_reuse_within(a->neighbourhoods[at->neighbourhood].reuse, at->window));
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    analysis *a = self;
    for (uint32_t i = 0; a->backlogs && i < window_runs_instances(a->runs) && !a->failed; i++)
        a->failed = !work_off_backlog(a, i);
    if (a->failed)
        return ws_fail(err, WS_ERROR_MEMORY,
                       "out of memory: ask for smaller windows or fewer neighbourhoods");
    for (size_t i = 0; i < a->point_count; i++) {
        const point *p = &a->points[i];
        const char *fine = "requests are whole lines: locality.neighbourhood_B is below coalesce.line_B";
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_count(rows, a->accesses);
        put_reused(a, &p->same, fine, rows);
        put_reused(a, &p->coarser, p->too_fine ? fine : "a window of 1 has no half", rows);
    }
    return true;
}

static uint32_t wants(const void *values) {
    const locality_params *p = values;
    return p->stream == WS_STREAM_LANES ? WS_WANT_LANES : 0;
}

const ws_analysis ws_analysis_locality = {
    .name = "locality",
    .summary = "Locality measure L(w, n): reuse of a neighbourhood within a window of accesses",
    .source = "XI 5.2.1, Figs. 54-56",
    .version = 2,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .wants = wants,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
