/* The level of the GPU whose accesses make one stream: a parameter of the measures of locality. */
#ifndef WS_ANALYSIS_PARTS_LEVEL_H
#define WS_ANALYSIS_PARTS_LEVEL_H

#include "analysis/parts/window_runs.h"

enum level { LEVEL_WARP, LEVEL_CTA, LEVEL_SM, LEVEL_KERNEL };
extern const char *const level_names[]; /* NULL-terminated */

/* True if an SM runs many instances of the level, one after the other. */
bool level_has_many(int level);

/* Cuts batches into runs of one instance of the level; `all` as in window_runs_new(). NULL if out of memory. */
window_runs *level_runs_new(const ws_stream_info *stream, int level, bool all);

#endif
