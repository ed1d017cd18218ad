/* Which worker computes what next. A worker stays with a kernel while that has passes left, because the kernel's
 * prepared stream is in its memory; when every kernel has a worker, it helps where most is left. What failed comes
 * back in halves, until the point that is to blame stands alone. */
#ifndef WS_SWEEP_RUN_SCHEDULE_H
#define WS_SWEEP_RUN_SCHEDULE_H

#include "sweep/plan/plan.h"
#include "sweep/run/frame.h"

enum { WS_ATTEMPTS = 3 }; /* of a point whose worker is killed from outside */

typedef struct ws_schedule ws_schedule;

ws_schedule *ws_schedule_new(const ws_plan *plan, uint32_t workers, ws_error *err);
void ws_schedule_free(ws_schedule *schedule); /* accepts NULL */

/* Chooses the worker's next item; false if nothing is left to be given out. */
bool ws_schedule_next(ws_schedule *schedule, int worker, ws_item *item);

/* To be called for an item that failed. It comes back if it has more than one point, or if it is `blameless` and has
 * attempts left. Otherwise `*last` is set: its only point has failed for good. */
bool ws_schedule_failed(ws_schedule *schedule, const ws_item *item, bool blameless, bool *last,
                        ws_error *err);

/* Gives up the points of the pass behind `item`. Returns whether some of them wait to be given out, and takes these out
 * as `*behind`: to be called until it returns false. */
bool ws_schedule_give_up(ws_schedule *schedule, const ws_item *item, ws_item *behind);
/* Returns whether an item's points were given up while a worker had it. */
bool ws_schedule_is_given_up(const ws_schedule *schedule, const ws_item *item);

#endif
