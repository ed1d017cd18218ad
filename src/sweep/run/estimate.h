/* Estimates what a plan would cost, from samples. */
#ifndef WS_SWEEP_RUN_ESTIMATE_H
#define WS_SWEEP_RUN_ESTIMATE_H

#include "sweep/plan/plan.h"
#include "warpsweep/sweep.h"

/* What the database grows by at least, in bytes, without running anything: configurations, points, and their rows in
 * the analysis' first table. Further tables have as many rows as the replay finds, or none. */
uint64_t ws_estimate_bytes(const ws_plan *plan);

/* The size of a new database before it has any points. */
uint64_t ws_estimate_empty_bytes(const ws_plan *plan);

/* Runs a few passes in a worker (within the limits of `options`) and fills the estimates of the report. */
bool ws_estimate(const ws_plan *plan, const ws_sweep_options *options, uint32_t jobs, ws_sweep_report *report,
                 ws_error *err);

#endif
