/* The GPU as a whole: whether it works (refusals.c), and why it does not go on (deadlock.c). */
#ifndef WS_TIMED_GPU_H
#define WS_TIMED_GPU_H

#include "timed/engine.h"

/* Check whether the configured GPU works at all, and whether launches 1 .. `last` fit on it (refusals.c). `*culprit` is
 * the first launch that does not, or 0. */
bool ws_engine_fits(const ws_engine *engine, ws_error *err);
bool ws_launches_fit(ws_engine *engine, uint32_t last, uint32_t *culprit, ws_error *err);

/* Fails, for want of progress; `due`: some part still has a turn to come (deadlock.c). Returns false. */
bool ws_fail_deadlock(const ws_engine *engine, bool due, ws_error *err);

#endif
