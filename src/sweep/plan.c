#include "sweep/plan.h"

#include <stdio.h>
#include <stdlib.h>

char *ws_plan_point_key(const ws_inputs *inputs, const ws_grid *grid, size_t kernel, size_t combo) {
    char prefix[64], *key;
    ws_input_kernel_key(inputs, &inputs->kernels[kernel], prefix, sizeof prefix);
    return asprintf(&key, "%s/%s%s", prefix, grid->prefix, grid->combos[combo].key) < 0 ? NULL : key;
}

void ws_plan_describe(const ws_plan *plan, const ws_pass *pass, size_t point, char *out, size_t size) {
    const ws_input_kernel *kernel = &plan->inputs->kernels[pass->kernel];
    const char *key = plan->grid->combos[plan->points[point].combo].key;
    snprintf(out, size, "trace %s, kernel %u (%s)%s%s", plan->inputs->traces[kernel->trace].name,
             kernel->kernel->index, kernel->kernel->short_name, *key ? ", " : "", key);
}

/* ---- points */

/* Is the point to be computed? Counts it where it is stored. */
static bool wanted(ws_plan *plan, ws_store *store, int64_t id, bool retry_failed, bool *want, ws_error *err) {
    ws_point_status status = WS_POINT_ABSENT;
    if (store && !ws_store_status(store, id, &status, err)) return false;
    *want = status == WS_POINT_ABSENT || (status == WS_POINT_FAILED && retry_failed);
    plan->stored += status == WS_POINT_DONE;
    plan->stored_failed += status == WS_POINT_FAILED && !*want;
    return true;
}

/* A pass costs a replay, where there is one, and what its instances make of the stream. */
static double work_of(const ws_analysis *analysis, const ws_kernel *kernel, uint32_t instances) {
    if (!ws_analysis_replays(analysis)) return instances;
    double insts = (double)kernel->counters.warp_instructions, requests = (double)kernel->counters.requests;
    double looked_at = (analysis->requests ? requests : 0) + (analysis->instructions ? insts : 0);
    return 1 + insts + requests + looked_at * instances;
}

static void close_pass(ws_plan *plan, ws_pass *pass) {
    pass->work = work_of(plan->spec->analysis, plan->inputs->kernels[pass->kernel].kernel, pass->instances);
    plan->work += pass->work;
}

/* Appends the point to the open pass (the last one), or to a new one when they do not go together. */
static void append(ws_plan *plan, uint32_t kernel, ws_planned_point point) {
    const ws_combo *combos = plan->grid->combos, *combo = &combos[point.combo];
    ws_pass *pass = plan->pass_count ? &plan->passes[plan->pass_count - 1] : NULL;
    const ws_combo *before = pass ? &combos[plan->points[plan->point_count - 1].combo] : NULL;
    bool same_replay = pass && pass->kernel == kernel && before->replay == combo->replay;
    bool same_instance = same_replay && before->instance == combo->instance;
    if (!same_replay || (!same_instance && pass->instances == plan->instances_per_pass)) {
        if (pass) close_pass(plan, pass);
        pass = &plan->passes[plan->pass_count++];
        *pass = (ws_pass){kernel, plan->point_count, 0, 0, 0};
        same_instance = false;
    }
    pass->instances += !same_instance;
    pass->count++;
    plan->points[plan->point_count++] = point;
}

static bool add_kernel(ws_plan *plan, size_t kernel, ws_store *store, bool retry_failed, ws_error *err) {
    for (size_t combo = 0; combo < plan->grid->count; combo++) {
        char *key = ws_plan_point_key(plan->inputs, plan->grid, kernel, combo);
        if (!key) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        int64_t id = ws_store_id(key);
        free(key);
        plan->all[plan->all_count++] = id;
        bool want;
        if (!wanted(plan, store, id, retry_failed, &want, err)) return false;
        if (want) append(plan, (uint32_t)kernel, (ws_planned_point){id, (uint32_t)combo});
    }
    return true;
}

/* One replay for many instances is cheap, but no worker shall stand idle. */
static uint32_t instances_per_pass(const ws_inputs *inputs, const ws_grid *grid, uint32_t jobs) {
    const ws_combo *last = &grid->combos[grid->count - 1];
    size_t replays = inputs->kernel_count * (last->replay + 1),
           instances = inputs->kernel_count * (last->instance + 1);
    size_t share = (instances + jobs - 1) / jobs;
    return replays >= jobs || share > WS_PASS_INSTANCES ? WS_PASS_INSTANCES : (uint32_t)share;
}

ws_plan *ws_plan_new(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, ws_store *store,
                     bool retry_failed, uint32_t jobs, ws_error *err) {
    size_t most = inputs->kernel_count * grid->count;
    ws_plan *plan = calloc(1, sizeof *plan);
    bool ok = plan && (plan->all = calloc(most, sizeof *plan->all)) &&
              (plan->points = calloc(most, sizeof *plan->points)) &&
              (plan->passes = calloc(most, sizeof *plan->passes));
    if (!ok) {
        ws_fail(err, WS_ERROR_MEMORY, "%zu points: out of memory", most);
        ws_plan_free(plan);
        return NULL;
    }
    plan->spec = spec;
    plan->inputs = inputs;
    plan->grid = grid;
    plan->instances_per_pass = instances_per_pass(inputs, grid, jobs);
    for (size_t i = 0; ok && i < inputs->kernel_count; i++)
        ok = add_kernel(plan, i, store, retry_failed, err);
    if (plan->pass_count) close_pass(plan, &plan->passes[plan->pass_count - 1]);
    if (ok) return plan;
    ws_plan_free(plan);
    return NULL;
}

void ws_plan_free(ws_plan *plan) {
    if (!plan) return;
    free(plan->all);
    free(plan->points);
    free(plan->passes);
    free(plan);
}
