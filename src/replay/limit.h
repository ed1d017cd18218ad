/* How far a launch is replayed. */
#ifndef WS_REPLAY_LIMIT_H
#define WS_REPLAY_LIMIT_H

#include "warpsweep/replay.h"

/* How many CTAs of kernel `index` a replay under `config` hands out, the first ones of the launch. A configuration
 * without component `limit` has no limits. Decodes CTAs only if warp instructions have to be counted. */
bool ws_limit_ctas(const ws_trace *trace, uint32_t index, const ws_config *config, uint32_t *ctas,
                   ws_error *err);

#endif
