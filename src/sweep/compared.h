/* What the points of a sweep are compared with. */
#ifndef WS_SWEEP_COMPARED_H
#define WS_SWEEP_COMPARED_H

#include "sweep/plan.h"

/* Says it, and how many have no baseline, once all points are there that can be; of a part of a sweep, of points that
 * are not compared, and without a log nothing. */
bool ws_tell_baseline(ws_store *store, const ws_plan *plan, FILE *log, ws_error *err);

#endif
