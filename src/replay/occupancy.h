/* Residency of CTAs; see ws_occupancy_of(). */
#ifndef WS_REPLAY_OCCUPANCY_H
#define WS_REPLAY_OCCUPANCY_H

#include "warpsweep/replay.h"

/* False, with the limit that is too small, when not even one CTA of the kernel fits on an SM. */
bool ws_occupancy_check(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm, ws_error *err);

#endif
