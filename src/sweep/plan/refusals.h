/* Finds the points that are known to fail before anything runs, from configurations and from the headers of traces and
 * launches. */
#ifndef WS_SWEEP_PLAN_REFUSALS_H
#define WS_SWEEP_PLAN_REFUSALS_H

#include "sweep/plan/plan.h"

/* Sets `*refused` to how many points of the pass, the last ones, would fail; `reasons` counts them by the error that
 * they would have. False if out of memory. */
bool ws_pass_refused(const ws_plan *plan, const ws_pass *pass, ws_failures *reasons, uint32_t *refused,
                     ws_error *err);

#endif
