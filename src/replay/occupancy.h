/* Residency of CTAs; see ws_occupancy_of(). */
#ifndef WS_REPLAY_OCCUPANCY_H
#define WS_REPLAY_OCCUPANCY_H

#include "warpsweep/replay.h"

/* What residency uses up: an SM has `have` of it, a CTA needs `need`. */
typedef struct ws_residency {
    const char *name; /* of the parameter, without "sm." */
    uint64_t have, need;
} ws_residency;

enum ws_resource {
    WS_RESOURCE_THREADS,
    WS_RESOURCE_WARPS,
    WS_RESOURCE_CTAS,
    WS_RESOURCE_REGISTERS, /* needs 0 where they are unknown */
    WS_RESOURCE_SHARED,
    WS_RESOURCES
};

void ws_residency_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                     ws_residency out[WS_RESOURCES]);

/* How many CTAs fit at once; every CTA needs one of WS_RESOURCE_CTAS. `*limit` (may be NULL): the first resource that
 * allows no more. */
uint32_t ws_residency_ctas(const ws_residency limits[WS_RESOURCES], enum ws_resource *limit);

/* False, with the limit that is too small, when not even one CTA of the kernel fits on an SM. */
bool ws_occupancy_check(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm, ws_error *err);

#endif
