/* Analysis `stack_distance`: hit ratios of LRU caches of every capacity, or every associativity, from one pass (Mattson
 * et al., IBM Systems Journal 1970). An access hits in a set of w ways if fewer than w distinct other blocks of the set
 * were accessed since its own block was last accessed (parts/stack.h). Blocks are lines, or neighbourhoods of n bytes:
 * with one set of C ways, the hit ratio is what the locality measure L(w, n) is at a window of C distinct blocks. */
#include "analysis/analyses.h"
#include "analysis/parts/block_stream.h"
#include "analysis/parts/level.h"
#include "analysis/parts/numbers.h"
#include "analysis/parts/ops.h"
#include "analysis/parts/stack.h"
#include "base/array.h"
#include "base/inline.h"
#include "base/room.h"
#include "base/wide.h"
#include "replay/set_index.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS_MAX = 1 << 24, SETS_MAX = 1 << 16, NEIGHBOURHOOD_MAX_B = 1 << 20 };

typedef struct stack_params {
    int64_t ways, sets, neighbourhood_B;
    int index, level, stream, ops; /* enum ws_set_index, level, ws_stream_unit, ops */
} stack_params;

static const ws_param params[] = {
    WS_INT(stack_params, ways, "stack_distance.ways", "blocks", 4, 1, WAYS_MAX,
           "Ways of each set; with one set, the capacity of a fully associative cache in blocks. All come "
           "from one pass."),
    WS_INT(stack_params, sets, "stack_distance.sets", "sets", 32, 1, SETS_MAX,
           "Sets; 1 = fully associative."),
    WS_INT(stack_params, neighbourhood_B, "stack_distance.neighbourhood_B", "B", 0, 0, NEIGHBOURHOOD_MAX_B,
           "Size of a block, the neighbourhood n of the locality measure: 0 = coalesce.line_B, or a power of "
           "two; for requests at least coalesce.line_B."),
    WS_CHOICE(stack_params, index, "stack_distance.index", WS_INDEX_LINEAR, ws_set_index_names,
              "Set of a block, where there are several. " WS_SET_INDEX_HELP),
    WS_CHOICE(stack_params, level, "stack_distance.level", LEVEL_SM, level_names,
              "There is a cache for each warp, CTA, SM, or one for the whole kernel."),
    WS_CHOICE(
        stack_params, stream, "stack_distance.stream", WS_STREAM_REQUESTS, ws_stream_unit_names,
        "requests: lines after coalescing within the warp. lane_accesses: every active lane's access by "
        "itself, lowest lane first, at the address of its first byte."),
    WS_CHOICE(stack_params, ops, "stack_distance.ops", OPS_ALL, ops_names,
              "Which global and local accesses: all (stores allocate as loads do), or loads alone."),
};

static bool validate(const void *values, ws_error *err) {
    const stack_params *p = values;
    if (p->neighbourhood_B & (p->neighbourhood_B - 1))
        return ws_fail(err, WS_ERROR_SPEC,
                       "stack_distance.neighbourhood_B: expected a power of two (1, 2, 4 ..), or 0 for the "
                       "line, found %lld",
                       (long long)p->neighbourhood_B);
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->index, (uint64_t)p->sets);
    return !expected ||
           ws_fail(err, WS_ERROR_SPEC,
                   "stack_distance.sets: expected %s, or stack_distance.index linear, found %lld", expected,
                   (long long)p->sets);
}

static const ws_component component = {.name = "stack_distance",
                                       .summary = "LRU caches by their stack distances",
                                       .source = "Mattson et al. 1970; XI 5.2.1",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(stack_params),
                                       .validate = validate};

static const char *const dims[] = {"stack_distance.ways", NULL};

static const ws_column columns[] = {
    {"capacity_B", WS_TYPE_INT, "B", WS_ADDS_MAX, "Ways times sets times the size of a block."},
    {"accesses", WS_TYPE_INT, "accesses", WS_ADDS_SUM, "Accesses of the stream (stack_distance.stream)."},
    {"hits", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
     "Accesses whose stack distance (distinct blocks of their set since the block's last use) is below the "
     "ways."},
    {"cold_misses", WS_TYPE_INT, "accesses", WS_ADDS_SUM,
     "First accesses to a block: no capacity helps them."},
};

static const ws_ratio ratios[] = {
    {"hit_ratio", "", "1.0 * hits / nullif(accesses, 0)", "Hit ratio of LRU caches of this shape."},
    {"cold_ratio", "", "1.0 * cold_misses / nullif(accesses, 0)", "Share of first accesses to a block."},
};

static const ws_table table = {.name = "stack_distance",
                               .summary = "Hits of LRU caches, by ways and sets",
                               .columns = columns,
                               .column_count = WS_COUNT(columns),
                               .ratios = ratios,
                               .ratio_count = WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- instances */

/* What an instance keeps per block is for the blocks that it touches, by their numbers within the instance. Where
 * instances live as long as the kernel, its first blocks need none: quicker, and no more than 256 KiB for each. */
enum { DIRECT = 1 << 16 };

typedef struct instance {
    ws_numbers numbers; /* of its blocks that are not direct */
    uint32_t *position; /* per direct block, then per number */
    size_t room;
    ws_numbers sets;    /* of those that it has touched; unless it lives as long as the kernel */
    ws_stack *stacks;   /* per number of a set, or per set */
    size_t stack_count; /* those beyond the sets touched are empty */
} instance;

typedef struct analysis {
    bool failed;
    bool too_fine; /* blocks would be smaller than what a request is for */
    enum ws_set_index index;
    uint32_t sets, block_B, instance_count;
    uint32_t direct; /* blocks below this one are direct: with one instance, all */
    ws_block_stream stream;
    window_runs *runs;
    instance *instances;
    uint32_t *set_of; /* per block: its set + 1, 0 = not yet known */
    size_t set_room;
    const uint64_t *block_address;
    size_t points;
    int64_t *ways;
    uint64_t accesses, cold;
    uint64_t *histogram; /* per distance */
    size_t histogram_room;
    uint32_t number[WS_BATCH_MAX], distance[WS_BATCH_MAX];
} analysis;

static void free_instance(instance *in) {
    for (size_t s = 0; s < in->stack_count; s++) ws_stack_free(&in->stacks[s]);
    free(in->stacks);
    free(in->position);
    ws_numbers_free(&in->numbers);
    ws_numbers_free(&in->sets);
}

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    for (uint32_t i = 0; a->instances && i < a->instance_count; i++) free_instance(&a->instances[i]);
    free(a->instances);
    free(a->set_of);
    free(a->histogram);
    free(a->ways);
    ws_block_stream_free(&a->stream);
    window_runs_free(a->runs);
    free(a);
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    const stack_params *p = values[0];
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->index = (enum ws_set_index)p->index;
        a->sets = (uint32_t)p->sets;
        a->block_B = p->neighbourhood_B ? (uint32_t)p->neighbourhood_B : stream->line_B;
        a->too_fine = p->stream == WS_STREAM_REQUESTS && a->block_B < stream->line_B;
        ws_block_stream_init(&a->stream, (enum ws_stream_unit)p->stream,
                             a->too_fine ? stream->line_B : a->block_B, stream->line_B);
        a->points = points;
        a->ways = malloc(points * sizeof *a->ways);
        a->runs = level_runs_new(stream, p->level, p->ops == OPS_ALL);
        a->instance_count = a->runs ? window_runs_instances(a->runs) : 0;
        a->direct = level_has_many(p->level) ? 0 : a->instance_count > 1 ? DIRECT : UINT32_MAX;
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

/* ---- the stream */

static uint32_t set_of(analysis *a, uint32_t block) {
    uint32_t *set = &a->set_of[block];
    if (*set == 0) *set = ws_set_of(a->index, a->block_address[block], a->sets) + 1;
    return *set - 1;
}

static bool add_stacks(instance *in, size_t need) {
    size_t count = need > 2 * in->stack_count ? need : 2 * in->stack_count;
    ws_stack *stacks = realloc(in->stacks, count * sizeof *stacks);
    if (!stacks) return false;
    memset(stacks + in->stack_count, 0, (count - in->stack_count) * sizeof *stacks);
    in->stacks = stacks;
    in->stack_count = count;
    return true;
}

/* The stack of a set; NULL if out of memory. */
WS_INLINE ws_stack *stack_of(const analysis *a, instance *in, uint32_t set) {
    uint32_t number = a->direct ? set : ws_numbers_meet(&in->sets, set);
    if (number == WS_NUMBERS_NONE) return NULL;
    return number < in->stack_count || add_stacks(in, (size_t)number + 1) ? &in->stacks[number] : NULL;
}

WS_INLINE bool touch(const analysis *a, instance *in, uint32_t set, const uint32_t *number, size_t count,
                     uint32_t *distance) {
    ws_stack *stack = stack_of(a, in, set);
    return stack && ws_stack_touch(stack, in->position, number, count, distance);
}

static void clear(instance *in) {
    for (uint32_t s = 0; s < in->sets.count; s++) ws_stack_clear(&in->stacks[s], in->position);
    ws_numbers_clear(&in->sets);
    ws_numbers_clear(&in->numbers);
}

/* Gives the indexes of the run's blocks into what the instance keeps per block. */
static bool number_blocks(analysis *a, instance *in, const window_run *run) {
    const uint32_t direct = a->direct;
    for (size_t i = 0; i < run->count; i++) {
        a->number[i] = run->line[i];
        if (run->line[i] < direct) continue;
        uint32_t number = ws_numbers_meet(&in->numbers, run->line[i]);
        if (number == WS_NUMBERS_NONE) return false;
        a->number[i] = direct + number;
    }
    return true;
}

/* Gives the stack distances of the run's accesses, each within its set. */
static bool find_distances(analysis *a, instance *in, const window_run *run) {
    const uint32_t last = ws_largest(run->line, run->count);
    const bool direct = last < a->direct;
    if (!direct && !number_blocks(a, in, run)) return false;
    const uint32_t *number = direct ? run->line : a->number;
    size_t numbers = direct ? (size_t)last + 1 : (size_t)a->direct + in->numbers.count;
    if (!WS_ZEROED_ROOM_FOR(in->position, in->room, numbers)) return false;
    if (a->sets == 1) return touch(a, in, 0, number, run->count, a->distance);
    if (!WS_ZEROED_ROOM_FOR(a->set_of, a->set_room, (size_t)last + 1)) return false;
    for (size_t i = 0; i < run->count; i++)
        if (!touch(a, in, set_of(a, run->line[i]), &number[i], 1, &a->distance[i])) return false;
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

static bool take(void *self, const ws_requests *batch) {
    analysis *a = self;
    window_run run;
    a->block_address = batch->line_address;
    window_runs_batch(a->runs, batch);
    while (window_runs_next(a->runs, &run)) {
        instance *in = &a->instances[run.instance];
        if (run.fresh) clear(in);
        a->accesses += run.count;
        if (!a->too_fine && !(find_distances(a, in, &run) && count_distances(a, run.count))) return false;
    }
    return true;
}

static void requests(void *self, const ws_requests *batch) {
    analysis *a = self;
    a->failed = a->failed || !ws_block_stream_batch(&a->stream, batch, take, a);
}

static void put_hits(const analysis *a, int64_t ways, ws_rows *rows) {
    uint64_t hits = 0;
    for (uint32_t d = 0; d < a->histogram_room && d < ways; d++) hits += a->histogram[d];
    ws_rows_count(rows, hits);
    ws_rows_count(rows, a->cold);
}

static void put_unknown(ws_rows *rows) {
    static const char reason[] =
        "requests are whole lines: stack_distance.neighbourhood_B is below coalesce.line_B";
    ws_rows_unknown(rows, reason);
    ws_rows_unknown(rows, reason);
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory in the stacks");
    for (size_t i = 0; i < a->points; i++) {
        ws_rows_begin(rows, first_point + (uint32_t)i, 0);
        ws_rows_int(rows, a->ways[i] * a->sets * a->block_B);
        ws_rows_count(rows, a->accesses);
        if (a->too_fine)
            put_unknown(rows);
        else
            put_hits(a, a->ways[i], rows);
    }
    return true;
}

static uint32_t wants(const void *values) {
    const stack_params *p = values;
    return p->stream == WS_STREAM_LANES ? WS_WANT_LANES : 0;
}

const ws_analysis ws_analysis_stack_distance = {
    .name = "stack_distance",
    .summary = "Hit ratios of LRU caches of every capacity or associativity, by exact stack distances",
    .source = "Mattson et al. 1970; XI 5.2.1",
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
