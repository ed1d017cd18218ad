/* Passes of fidelity `timed`: a trace on a GPU, launch by launch. */
#ifndef WS_SWEEP_RUN_PASS_TIMED_H
#define WS_SWEEP_RUN_PASS_TIMED_H

#include "sweep/plan/plan.h"

/* Runs all launches up to the last one among the points, and appends the rows of the points, numbered from 0. `*common`
 * is set if every point has the error. */
bool ws_pass_timed(const ws_plan *plan, const ws_planned_point *points, uint32_t count, ws_rows *rows,
                   bool *common, ws_error *err);

/* Sets `*refused` to how many points of a timed pass, the last ones, are known beforehand to fail; `reasons` counts
 * why. False if out of memory. */
bool ws_pass_timed_refused(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                           ws_failures *reasons, uint32_t *refused, ws_error *err);

#endif
