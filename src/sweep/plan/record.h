/* Puts into the database what a plan knows before it runs: run, traces, kernels, the sweep and its views; and, when a
 * point is stored, its configuration. */
#ifndef WS_SWEEP_PLAN_RECORD_H
#define WS_SWEEP_PLAN_RECORD_H

#include "sweep/plan/plan.h"
#include "warpsweep/sweep.h"

/* The counters of a launch, which are columns of the table `kernel`. */
extern const ws_table ws_kernel_counters;

/* What the store must know of an analysis whose configurations consist of `components`. */
ws_experiment ws_experiment_of(const ws_analysis *analysis, const ws_component *const *components,
                               size_t count);

/* Everything goes into one transaction. `experiment` must outlive the store. */
bool ws_record_plan(ws_store *store, const ws_plan *plan, const ws_experiment *experiment,
                    const ws_sweep_options *options, uint32_t jobs, ws_error *err);

/* Comes before the first point that has the combination: so a database has no configurations of points that it lacks,
 * such as those of other shards. */
bool ws_record_config(ws_store *store, const ws_plan *plan, size_t combo, ws_error *err);

#endif
