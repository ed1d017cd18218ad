/* Draws passes of a plan as samples, so that the mean of what draws cost per work is that of all passes: each is drawn
 * with a chance in proportion to its work. */
#ifndef WS_SWEEP_RUN_DRAWS_H
#define WS_SWEEP_RUN_DRAWS_H

#include "sweep/plan/plan.h"

typedef struct ws_draws {
    /* [count]: indexes of the passes that can run, from the least work up, and the work of each with all before it */
    size_t *passes;
    double *sums;
    size_t count;
} ws_draws;

/* False without memory. To be freed in either case. */
bool ws_draws_init(ws_draws *draws, const ws_plan *plan, ws_error *err);
void ws_draws_free(ws_draws *draws);

/* Returns the place in `passes` of the pass that is drawn as number `k`, from 0. The first draws are spread evenly over
 * the work, however many there are; a pass may be drawn again. There must be one that can run. */
size_t ws_draw(const ws_draws *draws, uint32_t k);

#endif
