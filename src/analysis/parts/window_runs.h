/* Cuts a batch into runs, each of one instance of the scope (a warp, a CTA, an SM, a cluster). Instances are
 * independent of each other, so a model can work through the requests of one while its state is in the caches. */
#ifndef WS_ANALYSIS_PARTS_WINDOW_RUNS_H
#define WS_ANALYSIS_PARTS_WINDOW_RUNS_H

#include "analysis/parts/window.h"

typedef struct window_runs window_runs;

/* `all`: runs have stores and atomics, too; false: loads only. NULL if out of memory. */
window_runs *window_runs_new(const ws_stream_info *stream, enum window_scope scope, bool all);
void window_runs_free(window_runs *runs); /* accepts NULL */

uint32_t window_runs_instances(const window_runs *runs);

/* Takes a batch of at most WS_BATCH_MAX requests; window_runs_next() then gives its runs one by one, until it returns
 * false. They are valid until the next batch. */
void window_runs_batch(window_runs *runs, const ws_requests *batch);
bool window_runs_next(window_runs *runs, window_run *run);

#endif
