/* Residency: how many CTAs of a kernel an SM holds at once, by resource. ws_occupancy_of() in warpsweep/replay.h is the
 * public part. */
#ifndef WS_REPLAY_OCCUPANCY_H
#define WS_REPLAY_OCCUPANCY_H

#include "warpsweep/replay.h"

/* A resource that resident CTAs use up: an SM has `have` of it, a CTA needs `need`. */
typedef struct ws_residency {
    const char *name; /* of the parameter, without "sm." */
    uint64_t have, need;
} ws_residency;

enum ws_resource {
    WS_RESOURCE_THREADS,
    WS_RESOURCE_WARPS,
    WS_RESOURCE_CTAS,
    WS_RESOURCE_REGISTERS, /* need is 0 if the kernel's registers are unknown */
    WS_RESOURCE_SHARED,
    WS_RESOURCES
};

void ws_residency_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                     ws_residency out[WS_RESOURCES]);

/* Returns how many CTAs fit at once; every CTA must need one of WS_RESOURCE_CTAS. `*limit` (may be NULL): the first
 * resource that allows no more. */
uint32_t ws_residency_ctas(const ws_residency limits[WS_RESOURCES], enum ws_resource *limit);

/* False if not even one CTA of the kernel fits on an SM; the error names the limit that is too small. `registers`: the
 * parameter that sets the number of registers of this SM. */
bool ws_occupancy_check(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                        const char *registers, ws_error *err);

#endif
