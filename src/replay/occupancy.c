/* How many CTAs of a kernel an SM holds at once, and which limit says so. */
#include "replay/occupancy.h"

/* One limit: an SM has `have`, a CTA needs `need` of it. */
typedef struct ws_limit {
    const char *name;
    uint64_t have, need;
} ws_limit;

enum { LIMITS = 5 };

static uint32_t warps_per_cta(const ws_kernel *kernel, uint32_t warp_size) {
    uint64_t threads = (uint64_t)kernel->block.x * kernel->block.y * kernel->block.z;
    return (uint32_t)((threads + warp_size - 1) / warp_size);
}

static void limits_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                      ws_limit out[LIMITS]) {
    uint64_t warps = warps_per_cta(kernel, warp_size);
    uint64_t threads = warps * warp_size; /* whole warps are allocated */
    out[0] = (ws_limit){"threads", (uint64_t)sm->threads, threads};
    out[1] = (ws_limit){"warps", (uint64_t)sm->warps, warps};
    out[2] = (ws_limit){"ctas", (uint64_t)sm->ctas, 1};
    out[3] = (ws_limit){"registers", (uint64_t)sm->registers, threads * kernel->registers_per_thread};
    out[4] = (ws_limit){"shared_B", (uint64_t)sm->shared_B, kernel->shared_B};
}

ws_occupancy ws_occupancy_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm) {
    ws_limit limits[LIMITS];
    limits_of(kernel, warp_size, sm, limits);
    ws_occupancy occupancy = {UINT32_MAX, warps_per_cta(kernel, warp_size), NULL};
    for (int i = 0; i < LIMITS; i++) {
        if (limits[i].need == 0) continue;
        uint64_t fit = limits[i].have / limits[i].need;
        if (fit < occupancy.ctas_per_sm) {
            occupancy.ctas_per_sm = (uint32_t)fit;
            occupancy.limit = limits[i].name;
        }
    }
    return occupancy;
}

bool ws_occupancy_check(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm, ws_error *err) {
    ws_limit limits[LIMITS];
    limits_of(kernel, warp_size, sm, limits);
    for (int i = 0; i < LIMITS; i++)
        if (limits[i].need > limits[i].have)
            return ws_fail(err, WS_ERROR_SPEC,
                           "kernel %u (%s): a CTA needs %llu %s, an SM has %llu: raise sm.%s", kernel->index,
                           kernel->short_name, (unsigned long long)limits[i].need, limits[i].name,
                           (unsigned long long)limits[i].have, limits[i].name);
    return true;
}
