/* How far a launch is replayed. */
#ifndef WS_REPLAY_LIMIT_H
#define WS_REPLAY_LIMIT_H

#include "warpsweep/replay.h"

/* CTAs of kernel `index` that a replay under `config` hands out: all, or the first so many. A configuration without
 * component `limit` has no limits. Decodes the CTAs as far as warp instructions are to be counted. */
bool ws_limit_ctas(const ws_trace *trace, uint32_t index, const ws_config *config, uint32_t *ctas,
                   ws_error *err);

#endif
