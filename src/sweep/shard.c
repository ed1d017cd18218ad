#include "sweep/shard.h"

#include "sweep/plan.h"

#include <stdlib.h>

/* Most work first; the order of the plan where it is equal. */
static int by_work(const void *a_, const void *b_) {
    const ws_pass *a = *(const ws_pass *const *)a_, *b = *(const ws_pass *const *)b_;
    if (a->work != b->work) return a->work < b->work ? 1 : -1;
    return a < b ? -1 : a > b;
}

static uint32_t least(const double *loads, uint32_t shards) {
    uint32_t best = 0;
    for (uint32_t s = 1; s < shards; s++)
        if (loads[s] < loads[best]) best = s;
    return best;
}

static void take(bool *mine, const ws_plan *plan, const ws_pass *pass) {
    for (uint32_t i = 0; i < pass->count; i++) {
        const ws_planned_point *p = &plan->points[pass->first + i];
        mine[p->kernel * plan->grid->count + p->combo] = true;
    }
}

/* Deals out the passes, the largest first, each to the part that has least work so far. */
static bool deal(bool *mine, const ws_plan *plan, uint32_t shard, uint32_t shards) {
    const ws_pass **passes = calloc(plan->pass_count, sizeof *passes);
    double *loads = calloc(shards, sizeof *loads);
    bool ok = passes && loads;
    for (size_t i = 0; ok && i < plan->pass_count; i++) passes[i] = &plan->passes[i];
    if (ok) qsort(passes, plan->pass_count, sizeof *passes, by_work);
    for (size_t i = 0; ok && i < plan->pass_count; i++) {
        uint32_t to = least(loads, shards);
        loads[to] += passes[i]->work;
        if (to == shard) take(mine, plan, passes[i]);
    }
    free(loads);
    free(passes);
    return ok;
}

bool *ws_shard_points(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, uint32_t shard,
                      uint32_t shards, ws_error *err) {
    const ws_plan_options whole = {.jobs = shards};
    ws_plan *plan = ws_plan_new(spec, inputs, grid, &whole, err);
    if (!plan) return NULL;
    bool *mine = calloc(inputs->kernel_count * grid->count, sizeof *mine);
    if (!mine || !deal(mine, plan, shard, shards)) {
        ws_no_memory(err);
        free(mine);
        mine = NULL;
    }
    ws_plan_free(plan);
    return mine;
}
