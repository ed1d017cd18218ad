/* Passes of fidelity `timed`: a trace on a GPU, launch by launch. */
#ifndef WS_SWEEP_PASS_TIMED_H
#define WS_SWEEP_PASS_TIMED_H

#include "sweep/plan.h"

/* Runs all launches up to the last one that the points are of, and appends the rows of the points, numbered from 0.
 * `*common` is set when the error is that of every point. */
bool ws_pass_timed(const ws_plan *plan, const ws_planned_point *points, uint32_t count, ws_rows *rows,
                   bool *common, ws_error *err);

/* Of points of a pass that is timed: how many of the last ones are known beforehand not to be computable; `reasons` has
 * them. False if out of memory. */
bool ws_pass_timed_refused(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                           ws_failures *reasons, uint32_t *refused, ws_error *err);

#endif
