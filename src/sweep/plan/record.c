#include "sweep/plan/record.h"

#include "base/array.h"
#include "sweep/grid/baselines.h"

#include <stdlib.h>

static const ws_column kernel_counters[] = {
#define X(name, unit, help) {#name, WS_TYPE_INT, unit, WS_ADDS_SUM, help "."},
    WS_COUNTERS(X)
#undef X
};
enum { COUNTERS = WS_COUNT(kernel_counters) };
const ws_table ws_kernel_counters = {"kernel", "launches of the traces", kernel_counters, COUNTERS, NULL, 0};

ws_experiment ws_experiment_of(const ws_analysis *a, const ws_component *const *components, size_t count) {
    return (ws_experiment){a->name, a->summary, a->source,     a->version, components,
                           count,   a->tables,  a->comparison, a->front};
}

static bool record_traces(ws_store *store, const ws_inputs *inputs, FILE *log, ws_error *err) {
    for (size_t i = 0; i < inputs->trace_count; i++) {
        const ws_input_trace *t = &inputs->traces[i];
        const ws_trace_info *info = ws_trace_get_info(t->trace);
        const ws_trace_row row = {t->id,     info->digest, t->name,         ws_trace_path(t->trace),
                                  info->isa, info->tracer, info->warp_size, info->kernel_count};
        if (!ws_store_trace(store, &row, log, err)) return false;
    }
    return true;
}

static bool record_kernels(ws_store *store, const ws_inputs *inputs, ws_error *err) {
    if (!ws_store_kernel_counters(store, kernel_counters, COUNTERS, err)) return false;
    for (size_t i = 0; i < inputs->kernel_count; i++) {
        const ws_kernel *k = inputs->kernels[i].kernel;
        const int64_t counters[COUNTERS] = {
#define X(name, unit, help) (int64_t) k->counters.name,
            WS_COUNTERS(X)
#undef X
        };
        const ws_kernel_row row = {inputs->kernels[i].id,
                                   inputs->traces[inputs->kernels[i].trace].id,
                                   k->index,
                                   k->name,
                                   k->short_name,
                                   {k->grid.x, k->grid.y, k->grid.z},
                                   {k->block.x, k->block.y, k->block.z},
                                   k->registers_per_thread,
                                   k->shared_B,
                                   counters};
        if (!ws_store_kernel(store, &row, err)) return false;
    }
    return true;
}

/* The names of a sweep's axes, and how its points are compared. */
typedef struct sweep_axes {
    const char **all, **compared_at;
    ws_baseline_axis *baseline;
} sweep_axes;

static bool name_axes(const ws_spec *spec, const ws_grid *grid, sweep_axes *axes) {
    size_t room = spec->axis_count + spec->derived_count + 1, compared = 0, baseline = 0;
    axes->all = calloc(room, sizeof *axes->all);
    axes->compared_at = calloc(room, sizeof *axes->compared_at);
    axes->baseline = calloc(room, sizeof *axes->baseline);
    if (!axes->all || !axes->compared_at || !axes->baseline) return false;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const ws_axis *axis = &spec->axes[i];
        axes->all[i] = axis->name;
        if (axis->baseline) axes->baseline[baseline++] = (ws_baseline_axis){axis->name, axis->baseline};
        if (ws_grid_compares_equals(spec, grid, i)) axes->compared_at[compared++] = axis->name;
    }
    for (size_t i = 0; i < spec->derived_count; i++) {
        axes->all[spec->axis_count + i] = spec->derived[i].name;
        if (ws_grid_compares_derived(spec, grid, i)) axes->compared_at[compared++] = spec->derived[i].name;
    }
    return true;
}

static bool record_sweep(ws_store *store, const ws_plan *plan, FILE *log, ws_error *err) {
    const ws_spec *spec = plan->spec;
    sweep_axes axes = {0};
    bool ok = name_axes(spec, plan->grid, &axes) || ws_no_memory(err);
    if (ok) {
        const ws_sweep_row row = {.name = spec->name,
                                  .axes = axes.all,
                                  .points = plan->all,
                                  .gpus = plan->all_gpus,
                                  .point_count = plan->all_count,
                                  .baseline = axes.baseline[0].axis ? axes.baseline : NULL,
                                  .compared_at = axes.compared_at,
                                  .energy = spec->energy,
                                  .together = spec->analysis->together,
                                  .programs = spec->with};
        ok = ws_store_sweep(store, &row, err);
        if (ok && ws_store_unshown(store)) fputs(ws_store_unshown(store), log);
        if (!ok && err && err->code == WS_ERROR_SPEC) ws_fail_prefix(err, "%s: $.name", spec->path);
    }
    free(axes.all);
    free(axes.compared_at);
    free(axes.baseline);
    return ok;
}

/* A trace that an earlier sweep knows by another name has got this sweep's name for it. */
static bool check_names(ws_store *store, const ws_plan *plan, ws_error *err) {
    for (size_t i = 0; i < plan->inputs->trace_count; i++)
        if (!ws_store_check_name(store, plan->inputs->traces[i].id, err))
            return ws_fail_prefix(err, "%s: $.traces", plan->spec->path);
    return true;
}

bool ws_record_plan(ws_store *store, const ws_plan *plan, const ws_experiment *experiment,
                    const ws_sweep_options *options, uint32_t jobs, ws_error *err) {
    const ws_run_row run = {plan->spec->name, plan->spec->path, plan->spec->text, options->argv, jobs};
    char *notes = NULL; /* told when the plan stands */
    size_t size;
    FILE *log = open_memstream(&notes, &size);
    if (!log) return ws_no_memory(err);
    bool ok = ws_store_begin(store, err) && ws_store_begin_run(store, &run, err) &&
              ws_store_use(store, experiment, err) && record_traces(store, plan->inputs, log, err) &&
              record_kernels(store, plan->inputs, err) && record_sweep(store, plan, log, err) &&
              check_names(store, plan, err) && ws_store_commit(store, err);
    fclose(log);
    ws_preparing_clear(plan->spec->preparing);
    if (ok && options->log && notes) fputs(notes, options->log);
    free(notes);
    return ok;
}

bool ws_record_config(ws_store *store, const ws_plan *plan, size_t combo, ws_error *err) {
    const ws_config_row row = {plan->grid->combos[combo].id, ws_fidelity_name(plan->spec->fidelity),
                               plan->grid->combos[combo].config};
    return ws_store_config(store, &row, err);
}
