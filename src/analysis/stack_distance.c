/* Analysis `stack_distance`: hit ratios of LRU caches of every capacity, or every associativity, from one pass (Mattson
 * et al., IBM Systems Journal 1970). An access hits in a set of w ways if fewer than w distinct other lines of the set
 * were accessed since its own line was last accessed (stack.h). */
#include "analysis/analyses.h"
#include "analysis/level.h"
#include "analysis/stack.h"
#include "base/array.h"
#include "base/room.h"
#include "base/wide.h"
#include "replay/set_index.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS_MAX = 1 << 24, SETS_MAX = 1 << 16 };

enum ops { OPS_ALL, OPS_LOADS };

typedef struct stack_params {
    int64_t ways, sets;
    int index, level, ops; /* enum ws_set_index and the enums above */
} stack_params;

static const char *const ops_names[] = {[OPS_ALL] = "all", [OPS_LOADS] = "loads", NULL};

static const ws_param params[] = {
    WS_INT(stack_params, ways, "stack_distance.ways", "lines", 4, 1, WAYS_MAX,
           "Ways of each set; with one set, the capacity of a fully associative cache in lines. All come "
           "from one pass."),
    WS_INT(stack_params, sets, "stack_distance.sets", "sets", 32, 1, SETS_MAX,
           "Sets; 1 = fully associative."),
    WS_CHOICE(stack_params, index, "stack_distance.index", WS_INDEX_LINEAR, ws_set_index_names,
              "Set of a line, where there are several. " WS_SET_INDEX_HELP),
    WS_CHOICE(stack_params, level, "stack_distance.level", LEVEL_SM, level_names,
              "There is a cache for each warp, CTA, SM, or one for the whole kernel."),
    WS_CHOICE(stack_params, ops, "stack_distance.ops", OPS_ALL, ops_names,
              "Which global and local requests: all (stores allocate as loads do), or loads alone."),
};

static bool validate(const void *values, ws_error *err) {
    const stack_params *p = values;
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->index, (uint64_t)p->sets);
    return !expected || ws_fail(err, WS_ERROR_SPEC, "stack_distance.sets: expected %s, found %lld", expected,
                                (long long)p->sets);
}

static const ws_component component = {.name = "stack_distance",
                                       .summary = "LRU caches by their stack distances",
                                       .source = "Mattson et al. 1970",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(stack_params),
                                       .validate = validate};

static const char *const dims[] = {"stack_distance.ways", NULL};

static const ws_column columns[] = {
    {"capacity_B", WS_TYPE_INT, "B", WS_ADDS_MAX, "Ways times sets times the line size."},
    {"accesses", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Requests after coalescing within the warp."},
    {"hits", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "Requests whose stack distance (distinct lines of their set since the line's last use) is below the "
     "ways."},
    {"cold_misses", WS_TYPE_INT, "requests", WS_ADDS_SUM,
     "First requests for a line: no capacity helps them."},
};

static const ws_ratio ratios[] = {
    {"hit_ratio", "", "1.0 * hits / nullif(accesses, 0)", "Hit ratio of LRU caches of this shape."},
    {"cold_ratio", "", "1.0 * cold_misses / nullif(accesses, 0)", "Share of first requests for a line."},
};

static const ws_table table = {.name = "stack_distance",
                               .summary = "Hits of LRU caches, by ways and sets",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

/* Hash table that numbers the lines of a short-lived instance (a warp, a CTA) from 0, so that the memory of the
 * instance follows its own footprint. */
typedef struct locals {
    uint32_t *line; /* line + 1 per slot, 0 = free */
    uint32_t *number;
    uint32_t room, count; /* room: a power of two */
} locals;

typedef struct instance {
    locals locals;
    uint32_t *position; /* per line (SM, kernel) or local number (warp, CTA) */
    size_t room;
    ws_stack *stacks; /* per set; NULL until the first access */
} instance;

typedef struct analysis {
    bool local, failed;
    enum ws_set_index index;
    uint32_t sets, line_B, instance_count;
    window_runs *runs;
    instance *instances;
    uint32_t *set_of; /* per line: its set + 1, 0 = not yet known */
    size_t set_room;
    const uint64_t *line_address;
    size_t points;
    int64_t *ways;
    uint64_t accesses, cold;
    uint64_t *histogram; /* per distance */
    size_t histogram_room;
    uint32_t block[WS_BATCH_MAX], distance[WS_BATCH_MAX];
} analysis;

static void free_instance(instance *in, uint32_t sets) {
    for (uint32_t s = 0; in->stacks && s < sets; s++) ws_stack_free(&in->stacks[s]);
    free(in->stacks);
    free(in->position);
    free(in->locals.line);
    free(in->locals.number);
}

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    for (uint32_t i = 0; a->instances && i < a->instance_count; i++) free_instance(&a->instances[i], a->sets);
    free(a->instances);
    free(a->set_of);
    free(a->histogram);
    free(a->ways);
    window_runs_free(a->runs);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const stack_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->local = level_has_many(p->level);
        a->index = (enum ws_set_index)p->index;
        a->sets = (uint32_t)p->sets;
        a->line_B = stream->line_B;
        a->points = points;
        a->ways = malloc(points * sizeof *a->ways);
        a->runs = level_runs_new(stream, p->level, p->ops == OPS_ALL);
        a->instance_count = a->runs ? window_runs_instances(a->runs) : 0;
        a->instances = calloc((size_t)a->instance_count + 1, sizeof *a->instances);
    }
    if (a && a->ways && a->runs && a->instances) {
        for (size_t i = 0; i < points; i++) a->ways[i] = ((const stack_params *)values[i])->ways;
        return a;
    }
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

/* ---- numbers of lines within an instance */

static uint32_t *slot_of(const locals *l, uint32_t line) {
    /* By the upper bits of the hash: lines at a stride of a power of two have equal lower bits. */
    uint32_t at = (uint32_t)((uint64_t)(line * UINT32_C(0x9E3779B1)) * l->room >> 32);
    while (l->line[at] != 0 && l->line[at] != line + 1) at = (at + 1) & (l->room - 1);
    return &l->line[at];
}

static bool grow_locals(locals *l) {
    locals old = *l;
    l->room = old.room ? old.room * 2 : 64;
    l->line = calloc(l->room, sizeof *l->line);
    l->number = malloc(l->room * sizeof *l->number);
    for (uint32_t i = 0; l->line && l->number && i < old.room; i++) {
        if (old.line[i] == 0) continue;
        uint32_t *slot = slot_of(l, old.line[i] - 1);
        *slot = old.line[i];
        l->number[slot - l->line] = old.number[i];
    }
    free(old.line);
    free(old.number);
    return l->line && l->number;
}

static bool local_number(locals *l, uint32_t line, uint32_t *number) {
    if (l->count * 2 >= l->room && !grow_locals(l)) return false;
    uint32_t *slot = slot_of(l, line);
    if (*slot == 0) {
        *slot = line + 1;
        l->number[slot - l->line] = l->count++;
    }
    *number = l->number[slot - l->line];
    return true;
}

/* ---- the stream */

static uint32_t set_of(analysis *a, uint32_t line) {
    uint32_t *set = &a->set_of[line];
    if (*set == 0) *set = ws_set_of(a->index, a->line_address[line], a->sets) + 1;
    return *set - 1;
}

static void clear(analysis *a, instance *in) {
    for (uint32_t s = 0; in->stacks && s < a->sets; s++) ws_stack_clear(&in->stacks[s], in->position);
    if (in->locals.room) memset(in->locals.line, 0, in->locals.room * sizeof *in->locals.line);
    in->locals.count = 0;
}

/* Gives the stack distances of the run's requests, each within its set. */
static bool find_distances(analysis *a, instance *in, const window_run *run) {
    const uint32_t *block = run->line;
    for (size_t i = 0; a->local && i < run->count; i++)
        if (!local_number(&in->locals, run->line[i], &a->block[i])) return false;
    if (a->local) block = a->block;
    if (!in->stacks) in->stacks = calloc(a->sets, sizeof *in->stacks);
    size_t blocks = (size_t)ws_largest(block, run->count) + 1;
    if (!in->stacks || !WS_ZEROED_ROOM_FOR(in->position, in->room, blocks)) return false;
    if (a->sets == 1) return ws_stack_touch(in->stacks, in->position, block, run->count, a->distance);
    size_t lines = (size_t)ws_largest(run->line, run->count) + 1;
    if (!WS_ZEROED_ROOM_FOR(a->set_of, a->set_room, lines)) return false;
    for (size_t i = 0; i < run->count; i++)
        if (!ws_stack_touch(&in->stacks[set_of(a, run->line[i])], in->position, &block[i], 1,
                            &a->distance[i]))
            return false;
    return true;
}

static bool count_distances(analysis *a, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t distance = a->distance[i];
        if (distance == WS_STACK_NEW) {
            a->cold++;
            continue;
        }
        if (!WS_ZEROED_ROOM_FOR(a->histogram, a->histogram_room, (size_t)distance + 1)) return false;
        a->histogram[distance]++;
    }
    return true;
}

static void requests(void *self, const ws_requests *batch) {
    analysis *a = self;
    window_run run;
    a->line_address = batch->line_address;
    window_runs_batch(a->runs, batch);
    while (!a->failed && window_runs_next(a->runs, &run)) {
        instance *in = &a->instances[run.instance];
        if (run.fresh) clear(a, in);
        a->accesses += run.count;
        a->failed = !find_distances(a, in, &run) || !count_distances(a, run.count);
    }
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the stacks");
    for (size_t i = 0; i < a->points; i++) {
        uint64_t hits = 0;
        for (uint32_t d = 0; d < a->histogram_room && d < a->ways[i]; d++) hits += a->histogram[d];
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_int(rows, a->ways[i] * a->sets * a->line_B);
        ws_rows_count(rows, a->accesses);
        ws_rows_count(rows, hits);
        ws_rows_count(rows, a->cold);
    }
    return true;
}

const ws_analysis ws_analysis_stack_distance = {
    .name = "stack_distance",
    .summary = "Hit ratios of LRU caches of every capacity or associativity, by exact stack distances",
    .source = "Mattson et al. 1970; XI 5.2.1",
    .version = 2,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .create = create,
    .requests = requests,
    .finish = finish,
    .destroy = destroy,
};
