/* What the points of a sweep are compared with. */
#ifndef WS_SWEEP_PLAN_COMPARED_H
#define WS_SWEEP_PLAN_COMPARED_H

#include "sweep/plan/plan.h"

/* To be called once no more points will come: writes to `log` what the points are compared with, and how many have no
 * baseline. Writes nothing without a log, for a shard, or if points are not compared. */
bool ws_tell_baseline(ws_store *store, const ws_plan *plan, FILE *log, ws_error *err);

#endif
