/* Analysis `contention`: who evicts whose lines from the L1 (MRPB 2.2, 2.4, Figs. 4, 5). */
#include "analysis/analyses.h"
#include "analysis/parts/l1s.h"
#include "analysis/parts/lrus.h"
#include "base/array.h"

#include <stdlib.h>

enum { LARGER = 1024 };

typedef struct contention_params {
    ws_l1s_params l1;
    bool what_ifs;
} contention_params;

static const ws_param params[] = {
    WS_L1S_PARAMS(contention_params, l1, "contention", 32),
    WS_BOOL(contention_params, what_ifs, "contention.what_ifs", true,
            "Whether the fully associative caches of equal and of 1024 times the size run beside it."),
};

static bool validate(const void *values, ws_error *err) {
    const contention_params *p = values;
    return ws_l1s_validate(&p->l1, "contention", err);
}

static const ws_component component = {.name = "contention",
                                       .summary = "The L1 whose contention is classified",
                                       .source = "MRPB 2.2, 2.4, tab. 1",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(contention_params),
                                       .validate = validate};

static const ws_column columns[] = {
    {"size_B", WS_TYPE_INT, "B", WS_ADDS_MAX, "Size of each L1: sets times ways times the line size."},
    {"accesses", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that look the L1 up: loads; with contention.write = allocate all."},
    {"misses", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Accesses that do not find their line."},
    {"intra_warp", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Misses that evict a line which the same warp brought in (MRPB 2.2)."},
    {"cross_warp_intra_block", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Misses that evict a line which another warp of the CTA brought in (MRPB 2.2)."},
    {"cross_warp_cross_block", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Misses that evict a line which a warp of another CTA brought in (MRPB 2.2)."},
    {"misses_fully_associative", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Misses of a fully associative LRU cache of the same size (MRPB Fig. 5)."},
    {"misses_larger", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Misses of a fully associative LRU cache of 1024 times the size (MRPB Fig. 5)."},
    {"warp_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Warp instructions that the replay issued."},
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Active lanes of the warp instructions issued."},
};

#define MPKI(count)       "1000.0 * " count " / nullif(warp_instructions, 0)"
#define PER_THREAD(count) "1000.0 * " count " / nullif(thread_instructions, 0)"
#define WARP_UNIT         "misses per 1000 warp instructions"
#define THREAD_UNIT       "misses per 1000 thread instructions"

static const ws_ratio ratios[] = {
    {"miss_ratio", "", "1.0 * misses / nullif(accesses, 0)", "Share of accesses that miss."},
    {"mpki", WARP_UNIT, MPKI("misses"), "MPKI: misses per thousand warp instructions."},
    {"mpki_intra_warp", WARP_UNIT, MPKI("intra_warp"), "MPKI by intra-warp contention (MRPB Fig. 4)."},
    {"mpki_cross_warp_intra_block", WARP_UNIT, MPKI("cross_warp_intra_block"),
     "MPKI by cross-warp contention within the CTA (MRPB Fig. 4)."},
    {"mpki_cross_warp_cross_block", WARP_UNIT, MPKI("cross_warp_cross_block"),
     "MPKI by cross-warp contention between CTAs (MRPB Fig. 4)."},
    {"mpki_no_eviction", WARP_UNIT,
     MPKI("(misses - intra_warp - cross_warp_intra_block - cross_warp_cross_block)"),
     "MPKI of misses that evict nothing: into ways that are empty."},
    {"mpki_fully_associative", WARP_UNIT, MPKI("misses_fully_associative"),
     "MPKI when fully associative at equal size (MRPB Fig. 5)."},
    {"mpki_larger", WARP_UNIT, MPKI("misses_larger"), "MPKI when 1024 times as large (MRPB Fig. 5)."},
    {"mpki_thread", THREAD_UNIT, PER_THREAD("misses"), "Misses per thousand thread instructions."},
};

static const ws_table table = {.name = "contention",
                               .summary = "L1 misses by who evicts whom",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

enum { FULLY, MUCH_LARGER }; /* the caches beside */

typedef struct analysis {
    int64_t size_B;
    uint32_t warps_per_cta, sms;
    const ws_order_counters *counters;
    ws_l1s l1s;
    ws_lrus *beside; /* per SM; NULL unless contention.what_ifs */
    bool failed;
    uint64_t accesses, misses, by_type[3], misses_beside[WS_LRUS];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    for (uint32_t sm = 0; a->beside && sm < a->sms; sm++) ws_lrus_free(&a->beside[sm]);
    free(a->beside);
    ws_l1s_free(&a->l1s);
    free(a);
}

static bool create_beside(analysis *a, const ws_l1s_params *l1) {
    uint32_t lines = (uint32_t)(l1->sets * l1->ways);
    const uint32_t ways[WS_LRUS] = {[FULLY] = lines, [MUCH_LARGER] = lines * LARGER};
    a->beside = calloc(a->sms, sizeof *a->beside);
    for (uint32_t sm = 0; a->beside && sm < a->sms; sm++) ws_lrus_init(&a->beside[sm], ways);
    return a->beside != NULL;
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)points;
    const contention_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->size_B = p->l1.sets * p->l1.ways * stream->line_B;
        a->warps_per_cta = stream->warps_per_cta;
        a->sms = stream->sms;
        a->counters = stream->counters;
    }
    if (a && ws_l1s_init(&a->l1s, &p->l1, a->sms) && (!p->what_ifs || create_beside(a, &p->l1))) return a;
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

/* ---- the stream */

/* The type of contention between a warp and the one whose line it evicts: an index into by_type. */
static unsigned type_of(const analysis *a, uint32_t warp, uint32_t victim) {
    if (warp == victim) return 0;
    return warp / a->warps_per_cta == victim / a->warps_per_cta ? 1 : 2;
}

static bool run_l1s(analysis *a, const ws_requests *b) {
    if (!ws_l1s_batch(&a->l1s, b)) return false;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t victim;
        ws_l1s_answer answer = ws_l1s_request(&a->l1s, b, i, &victim);
        if (answer == WS_L1S_NO_MEMORY) return false;
        a->accesses += answer == WS_L1S_HIT || answer == WS_L1S_MISS;
        a->misses += answer == WS_L1S_MISS;
        if (victim != WS_TAGS_NOBODY) a->by_type[type_of(a, b->warp[i], victim)]++;
    }
    return true;
}

static bool run_beside(analysis *a, const ws_requests *b) {
    for (size_t i = 0; i < b->count; i++) {
        ws_lrus *lrus = &a->beside[b->sm[i]];
        unsigned missed = 0;
        switch (ws_l1s_deed_of(&a->l1s.params, b, i)) {
        case WS_L1S_ACCESS:
            if (!ws_lrus_access(lrus, b->line[i], &missed)) return false;
            break;
        case WS_L1S_TOUCH:
            ws_lrus_touch(lrus, b->line[i]);
            break;
        case WS_L1S_EVICT:
            ws_lrus_evict(lrus, b->line[i]);
            break;
        case WS_L1S_PASS:
            break;
        }
        for (int c = 0; c < WS_LRUS; c++) a->misses_beside[c] += missed >> c & 1;
    }
    return true;
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    a->failed = a->failed || !run_l1s(a, b) || (a->beside && !run_beside(a, b));
}

/* ---- rows */

static void put(ws_rows *rows, bool known, uint64_t value, const char *reason) {
    if (known)
        ws_rows_count(rows, value);
    else
        ws_rows_unknown(rows, reason);
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the caches");
    const char *off = "contention.what_ifs is off", *uncounted = "the replay did not count instructions";
    ws_rows_begin(rows, point, 0);
    ws_rows_int(rows, a->size_B);
    ws_rows_count(rows, a->accesses);
    ws_rows_count(rows, a->misses);
    for (int type = 0; type < 3; type++) ws_rows_count(rows, a->by_type[type]);
    put(rows, a->beside, a->misses_beside[FULLY], off);
    put(rows, a->beside, a->misses_beside[MUCH_LARGER], off);
    put(rows, a->counters, a->counters ? a->counters->warp_instructions : 0, uncounted);
    put(rows, a->counters, a->counters ? a->counters->thread_instructions : 0, uncounted);
    return true;
}

const ws_analysis ws_analysis_contention = {
    .name = "contention",
    .summary =
        "L1 contention: misses by whose line they evict, with fully associative and larger caches beside",
    .source = "MRPB 2.2, 2.4, Figs. 4, 5",
    .version = 2,
    .component = &component,
    .tables = tables,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
