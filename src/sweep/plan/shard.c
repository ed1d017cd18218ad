#include "sweep/plan/shard.h"

#include "base/random.h"
#include "sweep/plan/plan.h"

#include <stdlib.h>

/* A pass, and its place among those of equal work. In the order of the plan the values of an axis take turns, so that
 * of as many parts each would get one value; with a random place each gets some of those that take longer than their
 * work tells, as a mechanism may. */
typedef struct card {
    const ws_pass *pass;
    uint64_t place;
} card;

/* Most work first. */
static int by_work(const void *a_, const void *b_) {
    const card *a = a_, *b = b_;
    if (a->pass->work != b->pass->work) return a->pass->work < b->pass->work ? 1 : -1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* One of the parts, in a heap: the first of them has the least work. */
typedef struct part {
    double work;
    uint32_t shard;
} part;

static bool has_less(const part *a, const part *b) {
    return a->work != b->work ? a->work < b->work : a->shard < b->shard;
}

/* Moves the first part to its place, after it has got more work. */
static void sift(part *parts, size_t count) {
    for (size_t at = 0, next; (next = 2 * at + 1) < count; at = next) {
        if (next + 1 < count && has_less(&parts[next + 1], &parts[next])) next++;
        if (!has_less(&parts[next], &parts[at])) return;
        const part moved = parts[at];
        parts[at] = parts[next];
        parts[next] = moved;
    }
}

static void take(bool *mine, const ws_plan *plan, const ws_pass *pass) {
    for (uint32_t i = 0; i < pass->count; i++) {
        const ws_planned_point *p = &plan->points[pass->first + i];
        mine[p->kernel * plan->grid->count + p->combo] = true;
    }
}

/* Deals out the passes, the largest first, each to the part that has least work so far. */
static bool deal(bool *mine, const ws_plan *plan, uint32_t shard, uint32_t shards, ws_error *err) {
    card *cards = calloc(plan->pass_count, sizeof *cards);
    part *parts = calloc(shards, sizeof *parts);
    bool ok = (cards && parts) || ws_no_memory(err);
    for (uint32_t s = 0; ok && s < shards; s++) parts[s].shard = s;
    for (size_t i = 0; ok && i < plan->pass_count; i++) cards[i] = (card){&plan->passes[i], ws_random_at(i)};
    if (ok) qsort(cards, plan->pass_count, sizeof *cards, by_work);
    ws_preparing_step(plan->spec->preparing, "dealing out points", "passes", plan->pass_count);
    for (size_t i = 0; ok && i < plan->pass_count; i++) {
        ok = ws_preparing_at(plan->spec->preparing, i, err);
        if (parts->shard == shard) take(mine, plan, cards[i].pass);
        parts->work += cards[i].pass->work;
        sift(parts, shards);
    }
    free(parts);
    free(cards);
    return ok;
}

bool *ws_shard_points(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, uint32_t shard,
                      uint32_t shards, ws_error *err) {
    const ws_plan_options whole = {.jobs = shards};
    ws_plan *plan = ws_plan_new(spec, inputs, grid, &whole, err);
    if (!plan) return NULL;
    bool *mine = calloc(inputs->kernel_count * grid->count, sizeof *mine);
    bool ok = (mine || ws_no_memory(err)) && deal(mine, plan, shard, shards, err);
    ws_plan_free(plan);
    if (ok) return mine;
    free(mine);
    return NULL;
}
