/* A sweep in parts, for machines that share nothing: each computes one. */
#ifndef WS_SWEEP_PLAN_SHARD_H
#define WS_SWEEP_PLAN_SHARD_H

#include "sweep/grid/grid.h"
#include "sweep/spec/inputs.h"

/* Which points belong to part `shard` of `shards`, by kernel, then combination; free() it. This depends only on the
 * specification and the traces, so the parts agree without communication, and each point is in exactly one of them.
 * Points that one pass answers stay together, and the parts have about the same work. */
bool *ws_shard_points(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, uint32_t shard,
                      uint32_t shards, ws_error *err);

#endif
