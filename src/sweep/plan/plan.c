#include "sweep/plan/plan.h"

#include "sweep/plan/refusals.h"
#include "sweep/spec/product.h"

#include <stdio.h>
#include <stdlib.h>

char *ws_plan_point_key(const ws_inputs *inputs, const ws_grid *grid, size_t kernel, size_t combo) {
    char prefix[64], *key;
    ws_input_kernel_key(inputs, &inputs->kernels[kernel], prefix, sizeof prefix);
    return asprintf(&key, "%s/%s%s", prefix, grid->prefix, grid->combos[combo].key) < 0 ? NULL : key;
}

void ws_plan_describe(const ws_plan *plan, size_t point, char *out, size_t size) {
    const ws_planned_point *p = &plan->points[point];
    const ws_input_kernel *kernel = &plan->inputs->kernels[p->kernel];
    const ws_combo *combo = &plan->grid->combos[p->combo];
    char axes[300];
    if (combo->gpu)
        ws_product_describe(plan->spec, combo->config, combo->gpu, plan->spec->derived_count, axes,
                            sizeof axes);
    const char *text = combo->gpu ? axes : combo->key;
    snprintf(out, size, "trace %s, launch %u (%s)%s%s", plan->inputs->traces[kernel->trace].name,
             kernel->kernel->index, kernel->kernel->short_name, *text ? ", " : "", text);
}

/* ---- points */

static bool is_timed(const ws_plan *plan) {
    return plan->spec->fidelity == WS_FIDELITY_TIMED;
}

static double replay_work(const ws_kernel *kernel) {
    return (double)kernel->counters.warp_instructions + (double)kernel->counters.requests;
}

/* The work of a timed pass, in which all launches up to the last one asked for run. */
static double timed_work(const ws_plan *plan, const ws_pass *pass) {
    size_t end = pass->first + pass->count - pass->refused;
    const ws_input_kernel *last = &plan->inputs->kernels[plan->points[end - 1].kernel];
    double work = 0;
    for (uint32_t launch = 1; launch <= last->kernel->index; launch++)
        work += replay_work(ws_trace_kernel(plan->inputs->traces[last->trace].trace, launch));
    return work;
}

/* The work of a pass: a replay, where there is one, and what its instances do with the stream. */
static double work_of(const ws_plan *plan, const ws_pass *pass) {
    const ws_kernel *first = plan->inputs->kernels[plan->points[pass->first].kernel].kernel;
    if (pass->refused == pass->count) return 1;
    if (is_timed(plan)) return 1 + timed_work(plan, pass);
    const ws_analysis *analysis = plan->spec->analysis;
    if (!ws_analysis_replays(analysis)) return pass->instances;
    double looked_at = (analysis->requests ? (double)first->counters.requests : 0) +
                       (analysis->instructions ? (double)first->counters.warp_instructions : 0);
    return 1 + replay_work(first) + looked_at * pass->instances;
}

/* A plan in the making. */
typedef struct making {
    ws_plan *plan;
    const ws_plan_options *options;
    size_t most; /* points, of all */
    bool *used;  /* by combination: a point to compute has it */
} making;

static void open_pass(ws_plan *plan, uint32_t lot) {
    plan->passes[plan->pass_count++] = (ws_pass){.lot = lot, .first = plan->point_count};
}

/* Appends a point to the open pass. */
static void append(making *m, ws_planned_point point) {
    ws_plan *plan = m->plan;
    const ws_combo *combos = plan->grid->combos;
    ws_pass *pass = &plan->passes[plan->pass_count - 1];
    const ws_planned_point *before = pass->count ? &plan->points[plan->point_count - 1] : NULL;
    pass->instances += !before || before->kernel != point.kernel ||
                       combos[before->combo].instance != combos[point.combo].instance;
    pass->count++;
    plan->points[plan->point_count++] = point;
    plan->combo_count += !m->used[point.combo];
    m->used[point.combo] = true;
}

/* Finds each pass's refused points and its work, once the passes have their points. */
static bool weigh_passes(ws_plan *plan, ws_error *err) {
    ws_preparing_step(plan->spec->preparing, "checking points", "points", plan->point_count);
    for (size_t i = 0; i < plan->pass_count; i++) {
        ws_pass *pass = &plan->passes[i];
        if (!ws_preparing_at(plan->spec->preparing, pass->first, err)) return false;
        if (!ws_pass_refused(plan, pass, &plan->refusals, &pass->refused, err)) return false;
        plan->refused += pass->refused;
        pass->work = work_of(plan, pass);
        plan->work += pass->work;
    }
    return true;
}

/* A point that failed before and is not to be computed again: these fill the list of points from its end. */
static ws_planned_point *left_failed(const making *m, size_t i) {
    return &m->plan->points[m->most - 1 - i];
}

/* Counts those that nothing but another specification would help. */
static bool count_stored_refused(const making *m, ws_error *err) {
    ws_plan *plan = m->plan;
    ws_failures reasons = {0};
    bool ok = true;
    ws_preparing_step(plan->spec->preparing, "checking failed points", "points", plan->stored_failed);
    for (size_t i = 0; ok && i < plan->stored_failed; i++) {
        ws_pass alone = {.first = (size_t)(left_failed(m, i) - plan->points), .count = 1};
        ok = ws_preparing_at(plan->spec->preparing, i, err) &&
             ws_pass_refused(plan, &alone, &reasons, &alone.refused, err);
        plan->stored_refused += alone.refused;
    }
    ws_failures_free(&reasons);
    return ok;
}

/* Sets `*want` if the point is to be computed; otherwise counts it by the reason why not. */
static bool wanted(making *m, const ws_planned_point *point, bool *want, ws_error *err) {
    ws_plan *plan = m->plan;
    const ws_plan_options *o = m->options;
    ws_point_status status = WS_POINT_ABSENT;
    if (o->store && !ws_store_status(o->store, point->id, &status, err)) return false;
    bool lacks = status == WS_POINT_ABSENT || status == WS_POINT_DAMAGED ||
                 (status == WS_POINT_FAILED && o->retry_failed);
    if (status == WS_POINT_FAILED && !lacks) *left_failed(m, plan->stored_failed) = *point;
    *want = lacks && (!o->ours || o->ours[point->kernel * plan->grid->count + point->combo]);
    plan->stored += status == WS_POINT_DONE;
    plan->stored_failed += status == WS_POINT_FAILED && !lacks;
    plan->elsewhere += lacks && !*want;
    return true;
}

/* Makes a point of the specification; `*want` is set if it is to be computed. */
static bool make_point(making *m, size_t kernel, size_t combo, ws_planned_point *point, bool *want,
                       ws_error *err) {
    if (!ws_preparing_at(m->plan->spec->preparing, m->plan->all_count, err)) return false;
    char *key = ws_plan_point_key(m->plan->inputs, m->plan->grid, kernel, combo);
    if (!key) return ws_no_memory(err);
    *point = (ws_planned_point){ws_store_id(key), (uint32_t)kernel, (uint32_t)combo};
    free(key);
    m->plan->all_gpus[m->plan->all_count] = m->plan->grid->combos[combo].gpu;
    m->plan->all[m->plan->all_count++] = point->id;
    return wanted(m, point, want, err);
}

/* ---- fidelity order: passes of a kernel */

/* True if the point can go into the open pass. */
static bool joins_last_pass(const ws_plan *plan, const ws_planned_point *point) {
    if (plan->pass_count == 0) return false;
    const ws_combo *combos = plan->grid->combos, *combo = &combos[point->combo];
    const ws_pass *pass = &plan->passes[plan->pass_count - 1];
    const ws_combo *before = &combos[plan->points[plan->point_count - 1].combo];
    return pass->lot == point->kernel && before->replay == combo->replay &&
           (before->instance == combo->instance || pass->instances < plan->instances_per_pass);
}

static bool add_kernel(making *m, size_t kernel, ws_error *err) {
    for (size_t combo = 0; combo < m->plan->grid->count; combo++) {
        ws_planned_point point;
        bool want;
        if (!make_point(m, kernel, combo, &point, &want, err)) return false;
        if (!want) continue;
        if (!joins_last_pass(m->plan, &point)) open_pass(m->plan, point.kernel);
        append(m, point);
    }
    return true;
}

static bool add_kernels(making *m, ws_error *err) {
    for (size_t kernel = 0; kernel < m->plan->inputs->kernel_count; kernel++)
        if (!add_kernel(m, kernel, err)) return false;
    return true;
}

/* The most instances in a pass. One replay for many instances is cheap, but no worker should be idle. */
static uint32_t instances_per_pass(const ws_inputs *inputs, const ws_grid *grid, uint32_t jobs) {
    const ws_combo *last = &grid->combos[grid->count - 1];
    size_t replays = inputs->kernel_count * (last->replay + 1),
           instances = inputs->kernel_count * (last->instance + 1);
    size_t share = (instances + jobs - 1) / jobs;
    return replays >= jobs || share > WS_PASS_INSTANCES ? WS_PASS_INSTANCES : (uint32_t)share;
}

/* ---- fidelity timed: passes of a trace */

/* The end of the combinations from `first` on that one run can answer. */
static size_t end_of_run(const ws_plan *plan, size_t first) {
    const ws_combo *combos = plan->grid->combos;
    size_t end = first + 1;
    for (uint32_t instances = 1; end < plan->grid->count; end++) {
        if (combos[end].replay != combos[first].replay || !combos[end].refusal != !combos[first].refusal)
            break;
        instances += combos[end].instance != combos[end - 1].instance;
        if (instances > plan->instances_per_pass) break;
    }
    return end;
}

static bool add_run(making *m, size_t first_kernel, size_t end_kernel, size_t first, size_t end,
                    ws_error *err) {
    bool opened = false;
    for (size_t kernel = first_kernel; kernel < end_kernel; kernel++)
        for (size_t combo = first; combo < end; combo++) {
            ws_planned_point point;
            bool want;
            if (!make_point(m, kernel, combo, &point, &want, err)) return false;
            if (!want) continue;
            if (!opened) open_pass(m->plan, m->plan->inputs->kernels[kernel].trace);
            opened = true;
            append(m, point);
        }
    return true;
}

static bool add_traces(making *m, ws_error *err) {
    const ws_inputs *inputs = m->plan->inputs;
    for (size_t kernel = 0, next; kernel < inputs->kernel_count; kernel = next) {
        for (next = kernel + 1; next < inputs->kernel_count; next++)
            if (inputs->kernels[next].trace != inputs->kernels[kernel].trace) break;
        for (size_t combo = 0, end; combo < m->plan->grid->count; combo = end) {
            end = end_of_run(m->plan, combo);
            if (!add_run(m, kernel, next, combo, end, err)) return false;
        }
    }
    return true;
}

/* ---- the plan */

ws_plan *ws_plan_new(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid,
                     const ws_plan_options *options, ws_error *err) {
    size_t most = inputs->kernel_count * grid->count;
    ws_plan *plan = calloc(1, sizeof *plan);
    making m = {plan, options, most, calloc(grid->count, sizeof *m.used)};
    bool ok = plan && m.used && (plan->all = calloc(most, sizeof *plan->all)) &&
              (plan->all_gpus = calloc(most, sizeof *plan->all_gpus)) &&
              (plan->points = calloc(most, sizeof *plan->points)) &&
              (plan->passes = calloc(most, sizeof *plan->passes));
    if (!ok) {
        ws_fail(err, WS_ERROR_MEMORY, "%zu points: out of memory", most);
        free(m.used);
        ws_plan_free(plan);
        return NULL;
    }
    plan->spec = spec;
    plan->inputs = inputs;
    plan->grid = grid;
    plan->instances_per_pass =
        is_timed(plan) ? WS_PASS_INSTANCES : instances_per_pass(inputs, grid, options->jobs);
    ws_preparing_step(spec->preparing, "planning", "points", most);
    ok = (is_timed(plan) ? add_traces(&m, err) : add_kernels(&m, err)) && weigh_passes(plan, err) &&
         count_stored_refused(&m, err);
    free(m.used);
    if (ok) return plan;
    ws_plan_free(plan);
    return NULL;
}

void ws_plan_free(ws_plan *plan) {
    if (!plan) return;
    free(plan->all);
    free(plan->all_gpus);
    free(plan->points);
    free(plan->passes);
    ws_failures_free(&plan->refusals);
    free(plan);
}
