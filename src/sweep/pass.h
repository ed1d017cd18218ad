/* Runs passes of a plan in this process. */
#ifndef WS_SWEEP_PASS_H
#define WS_SWEEP_PASS_H

#include "sweep/plan.h"

/* Keeps what passes of one kernel share; so run passes of a kernel one after the other. It lives as long as its
 * process, a worker. */
typedef struct ws_runner ws_runner;

ws_runner *ws_runner_new(const ws_plan *plan); /* NULL: out of memory */

/* Replays once, and appends the rows of `count` points of the pass, from its point `first` on; they are numbered
 * from 0 in the rows. `*common` is set when the error is the trace's, and so that of every point of the pass. */
bool ws_runner_pass(ws_runner *runner, size_t pass, uint32_t first, uint32_t count, ws_rows *rows,
                    bool *common, ws_error *err);

#endif
