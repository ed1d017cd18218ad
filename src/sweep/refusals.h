/* What is known against points before anything runs: from configurations and from the heads of traces and launches. */
#ifndef WS_SWEEP_REFUSALS_H
#define WS_SWEEP_REFUSALS_H

#include "sweep/plan.h"

/* The last `*refused` of the pass's points cannot be computed; `reasons` counts them by the words with which they would
 * fail. False if out of memory. */
bool ws_pass_refused(const ws_plan *plan, const ws_pass *pass, ws_failures *reasons, uint32_t *refused,
                     ws_error *err);

#endif
