/* Runs passes of a plan in this process. */
#ifndef WS_SWEEP_RUN_PASS_H
#define WS_SWEEP_RUN_PASS_H

#include "sweep/plan/plan.h"

/* Keeps what passes of one kernel share, so run the passes of a kernel one after another. It is never freed: it lives
 * as long as its process, a worker. */
typedef struct ws_runner ws_runner;

ws_runner *ws_runner_new(const ws_plan *plan); /* NULL: out of memory */

/* Replays once, and appends the rows of `count` points of the pass, beginning with its point `first`; in the rows they
 * are numbered from 0. `*common` is set if the error lies with the trace, so that every point of the pass has it. */
bool ws_runner_pass(ws_runner *runner, size_t pass, uint32_t first, uint32_t count, ws_rows *rows,
                    bool *common, ws_error *err);

#endif
