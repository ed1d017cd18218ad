/* Analysis `contention`: who evicts whose lines from the L1 (MRPB 2.2, 2.4, Figs. 4, 5). */
#include "analysis/contention.h"

#include "analysis/analyses.h"
#include "replay/set_index.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LARGER = 1024, PLRU_WAYS_MAX = 64, LINES_MAX = 1 << 20 };

enum write { WRITE_EVICT, WRITE_ALLOCATE, WRITE_IGNORE };

typedef struct contention_params {
    int64_t sets, ways, seed;
    int index, replacement, write; /* enum ws_set_index, contention_replacement and the enum above */
    bool what_ifs;
} contention_params;

static const char *const index_names[] = {[WS_INDEX_LINEAR] = "linear",
                                          [WS_INDEX_FERMI_HASH] = "fermi_hash",
                                          [WS_INDEX_XOR] = "xor",
                                          [WS_INDEX_IPOLY] = "ipoly",
                                          NULL};
static const char *const replacement_names[] = {[CONTENTION_LRU] = "lru",
                                                [CONTENTION_FIFO] = "fifo",
                                                [CONTENTION_PLRU] = "plru",
                                                [CONTENTION_RANDOM] = "random",
                                                NULL};
static const char *const write_names[] = {
    [WRITE_EVICT] = "evict", [WRITE_ALLOCATE] = "allocate", [WRITE_IGNORE] = "ignore", NULL};

static const ws_param params[] = {
    WS_INT(contention_params, sets, "contention.sets", "sets", 32, 1, 65536,
           "Sets of each SM's L1; its size is contention.sets x contention.ways x coalesce.line_B."),
    WS_INT(contention_params, ways, "contention.ways", "lines", 4, 1, 65536, "Associativity of the L1."),
    WS_CHOICE(contention_params, index, "contention.index", WS_INDEX_LINEAR, index_names,
              "Set of a line. fermi_hash: 32 or 64 sets; xor, ipoly: a power of two."),
    WS_CHOICE(contention_params, replacement, "contention.replacement", CONTENTION_LRU, replacement_names,
              "Which line leaves a full set. plru (tree): 1, 2, 4 .. 64 ways; random: at most 65536."),
    WS_CHOICE(contention_params, write, "contention.write", WRITE_EVICT, write_names,
              "What a store, atomic or reduction does: evict its line (Fermi: write-evict, no allocation), "
              "allocate as "
              "a load does, or nothing (ignore). Only evict and ignore leave them out of the accesses."),
    WS_INT(contention_params, seed, "contention.seed", "", 1, 0, 1 << 30, "Seed of random replacement."),
    WS_BOOL(contention_params, what_ifs, "contention.what_ifs", true,
            "Whether the fully associative caches of equal and of 1024 times the size run beside it."),
};

static bool validate(const void *values, ws_error *err) {
    const contention_params *p = values;
    bool power = (p->ways & (p->ways - 1)) == 0;
    if (p->replacement == CONTENTION_PLRU && (!power || p->ways > PLRU_WAYS_MAX))
        return ws_fail(err, WS_ERROR_SPEC,
                       "contention.ways: expected 1, 2, 4 .. 64 for replacement plru, found %lld",
                       (long long)p->ways);
    if (p->sets * p->ways > LINES_MAX)
        return ws_fail(err, WS_ERROR_SPEC,
                       "contention.ways: expected at most %d lines in all sets, found %lld", LINES_MAX,
                       (long long)(p->sets * p->ways));
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->index, (uint64_t)p->sets);
    return !expected || ws_fail(err, WS_ERROR_SPEC, "contention.sets: expected %s, found %lld", expected,
                                (long long)p->sets);
}

static const ws_component component = {.name = "contention",
                                       .summary = "The L1 whose contention is classified",
                                       .source = "MRPB 2.2, 2.4, tab. 1",
                                       .params = params,
                                       .param_count = COUNT(params),
                                       .struct_size = sizeof(contention_params),
                                       .validate = validate};

static const char *const dims[] = {NULL};

static const ws_column columns[] = {
    {"size_B", WS_TYPE_INT, "B", WS_ADDS_MAX, "Size of each L1: sets times ways times the line size."},
    {"accesses", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests that look the L1 up: loads; with contention.write = allocate all."},
    {"misses", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Those that do not find their line."},
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
    {"warp_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, "Issued by the replay."},
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM, "Active lanes of those."},
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
    {"mpki_per_thread", THREAD_UNIT, PER_THREAD("misses"), "Misses per thousand thread instructions."},
};

static const ws_table table = {.name = "contention",
                               .summary = "L1 misses by who evicts whom",
                               .columns = columns,
                               .column_count = COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

enum { BASE, FULLY, MUCH_LARGER, CACHES };

typedef struct l1 {
    contention_cache cache[CACHES];
} l1;

typedef struct analysis {
    contention_params params;
    uint32_t sets, line_B, sms, warps_per_cta, cache_count;
    const ws_order_counters *counters;
    l1 *l1s;
    uint32_t *set_of; /* per line: its set + 1, 0 = not yet known */
    size_t set_room;
    size_t points;
    bool failed;
    uint64_t accesses, misses[CACHES], by_type[3];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    for (uint32_t sm = 0; a->l1s && sm < a->sms; sm++)
        for (int i = 0; i < CACHES; i++) contention_cache_free(&a->l1s[sm].cache[i]);
    free(a->l1s);
    free(a->set_of);
    free(a);
}

static bool create_caches(analysis *a) {
    const contention_params *p = &a->params;
    uint32_t lines = a->sets * (uint32_t)p->ways;
    for (uint32_t sm = 0; sm < a->sms; sm++) {
        contention_cache *c = a->l1s[sm].cache;
        uint64_t seed = (uint64_t)p->seed << 32 | sm;
        if (!contention_cache_init(&c[BASE], a->sets, (uint32_t)p->ways,
                                   (enum contention_replacement)p->replacement, seed) ||
            (p->what_ifs && (!contention_cache_init(&c[FULLY], 1, lines, CONTENTION_LRU, 0) ||
                             !contention_cache_init(&c[MUCH_LARGER], 1, lines * LARGER, CONTENTION_LRU, 0))))
            return false;
    }
    return true;
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const contention_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->params = *p;
        a->points = points;
        a->sets = (uint32_t)p->sets;
        a->line_B = stream->line_B;
        a->sms = stream->sms;
        a->warps_per_cta = stream->warps_per_cta;
        a->counters = stream->counters;
        a->cache_count = p->what_ifs ? CACHES : 1;
        a->l1s = calloc(a->sms, sizeof *a->l1s);
    }
    if (a && a->l1s && create_caches(a)) return a;
    ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    destroy(a);
    return NULL;
}

/* ---- the stream */

static bool reach_sets(analysis *a, const ws_requests *b) {
    uint32_t most = 0;
    for (size_t i = 0; i < b->count; i++) most = b->line[i] > most ? b->line[i] : most;
    if (most < a->set_room) return true;
    size_t room = a->set_room ? a->set_room : 1024;
    while (room <= most) room *= 2;
    uint32_t *set_of = realloc(a->set_of, room * sizeof *set_of);
    if (!set_of) return false;
    memset(set_of + a->set_room, 0, (room - a->set_room) * sizeof *set_of);
    a->set_of = set_of;
    a->set_room = room;
    return true;
}

static uint32_t set_of(analysis *a, const ws_requests *b, uint32_t line) {
    if (a->set_of[line] == 0)
        a->set_of[line] = ws_set_of((enum ws_set_index)a->params.index, b->line_address[line], a->sets) + 1;
    return a->set_of[line] - 1;
}

/* The type of contention between a warp and the one whose line it evicts. */
static unsigned type_of(const analysis *a, uint32_t warp, uint32_t victim) {
    if (warp == victim) return 0;
    return warp / a->warps_per_cta == victim / a->warps_per_cta ? 1 : 2;
}

static bool look_up(analysis *a, contention_cache *caches, uint32_t set, uint32_t line, uint32_t warp) {
    a->accesses++;
    for (uint32_t i = 0; i < a->cache_count; i++) {
        contention_outcome outcome;
        uint32_t victim;
        if (!contention_cache_access(&caches[i], i == BASE ? set : 0, line, warp, &outcome, &victim))
            return false;
        a->misses[i] += outcome == CONTENTION_MISS;
        if (i == BASE && victim != CONTENTION_NOBODY) a->by_type[type_of(a, warp, victim)]++;
    }
    return true;
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    a->failed = a->failed || !reach_sets(a, b);
    for (size_t i = 0; i < b->count && !a->failed; i++) {
        contention_cache *caches = a->l1s[b->sm[i]].cache;
        uint32_t line = b->line[i], set = set_of(a, b, line);
        if (b->op[i] == WS_MEMORY_LOAD || a->params.write == WRITE_ALLOCATE)
            a->failed = !look_up(a, caches, set, line, b->warp[i]);
        else if (a->params.write == WRITE_EVICT)
            for (uint32_t k = 0; k < a->cache_count; k++)
                contention_cache_evict(&caches[k], k == BASE ? set : 0, line);
    }
}

/* ---- rows */

static void put(ws_rows *rows, bool known, uint64_t value, const char *reason) {
    if (known)
        ws_rows_int(rows, (int64_t)value);
    else
        ws_rows_unknown(rows, reason);
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the caches");
    const char *off = "contention.what_ifs is off", *uncounted = "the replay did not count instructions";
    for (uint32_t i = 0; i < a->points; i++) {
        ws_rows_begin(rows, first_point + i, 0);
        ws_rows_int(rows, a->params.sets * a->params.ways * a->line_B);
        ws_rows_int(rows, (int64_t)a->accesses);
        ws_rows_int(rows, (int64_t)a->misses[BASE]);
        for (int type = 0; type < 3; type++) ws_rows_int(rows, (int64_t)a->by_type[type]);
        put(rows, a->params.what_ifs, a->misses[FULLY], off);
        put(rows, a->params.what_ifs, a->misses[MUCH_LARGER], off);
        put(rows, a->counters, a->counters ? a->counters->warp_instructions : 0, uncounted);
        put(rows, a->counters, a->counters ? a->counters->thread_instructions : 0, uncounted);
    }
    return true;
}

const ws_analysis ws_analysis_contention = {
    .name = "contention",
    .summary =
        "L1 contention: misses by whose line they evict, with fully associative and larger caches beside",
    .source = "MRPB 2.2, 2.4, Figs. 4, 5",
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
