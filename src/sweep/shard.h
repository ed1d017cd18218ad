/* A sweep in parts, for machines that share nothing: each computes one. */
#ifndef WS_SWEEP_SHARD_H
#define WS_SWEEP_SHARD_H

#include "sweep/grid.h"
#include "sweep/inputs.h"

/* Which of the points are those of part `shard` of `shards`: by kernel, then combination; new. It hangs on the
 * specification and the traces alone, so the parts agree without a word, and each point is in one of them. Points that
 * one pass answers stay together, and the parts have about the same work. */
bool *ws_shard_points(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, uint32_t shard,
                      uint32_t shards, ws_error *err);

#endif
