/* How far a launch is replayed. */
#ifndef WS_REPLAY_LIMIT_H
#define WS_REPLAY_LIMIT_H

#include "warpsweep/replay.h"

/* Sets `*ctas` to the number of CTAs of kernel `index` that a replay under `config` runs: the first ones of the launch.
 * A configuration without component `limit` has no limits. Decodes CTAs only if warp instructions have to be counted.
 * False with an error. */
bool ws_limit_ctas(const ws_trace *trace, uint32_t index, const ws_config *config, uint32_t *ctas,
                   ws_error *err);

#endif
