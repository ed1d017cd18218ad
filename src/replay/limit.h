/* How far a launch is replayed. */
#ifndef WS_REPLAY_LIMIT_H
#define WS_REPLAY_LIMIT_H

#include "warpsweep/replay.h"

/* Sets `*ctas` to the number of CTAs of kernel `index` that a replay under `config` runs: the first ones of the launch.
 * A configuration without component `limit` has no limits. Decodes CTAs only if warp instructions have to be counted,
 * with `*counting`, which it then makes if it is NULL, for the caller to free: a reader that goes on from launch to
 * launch decodes what many launches have in one block once. False with an error. */
bool ws_limit_ctas(const ws_trace *trace, ws_reader **counting, uint32_t index, const ws_config *config,
                   uint32_t *ctas, ws_error *err);

#endif
