/* How many CTAs of a kernel an SM holds at once, and which limit says so. */
#include "replay/occupancy.h"

static uint32_t warps_per_cta(const ws_kernel *kernel, uint32_t warp_size) {
    uint64_t threads = (uint64_t)kernel->block.x * kernel->block.y * kernel->block.z;
    return (uint32_t)((threads + warp_size - 1) / warp_size);
}

/* Returns what a CTA takes of registers or shared memory if it needs `need` and an SM has `have`. */
static uint64_t taken(const ws_sm_params *sm, uint64_t need, int64_t have) {
    return sm->oversized_ctas && need > (uint64_t)have ? (uint64_t)have : need;
}

void ws_residency_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                     ws_residency out[WS_RESOURCES]) {
    uint64_t warps = warps_per_cta(kernel, warp_size);
    uint64_t threads = warps * warp_size; /* whole warps are allocated */
    out[WS_RESOURCE_THREADS] = (ws_residency){"threads", (uint64_t)sm->threads, threads};
    out[WS_RESOURCE_WARPS] = (ws_residency){"warps", (uint64_t)sm->warps, warps};
    out[WS_RESOURCE_CTAS] = (ws_residency){"ctas", (uint64_t)sm->ctas, 1};
    uint64_t unit = sm->register_unit ? (uint64_t)sm->register_unit : 1,
             registers = (kernel->registers_per_thread + unit - 1) / unit * unit;
    out[WS_RESOURCE_REGISTERS] =
        (ws_residency){"registers", (uint64_t)sm->registers, taken(sm, threads * registers, sm->registers)};
    out[WS_RESOURCE_SHARED] =
        (ws_residency){"shared_B", (uint64_t)sm->shared_B, taken(sm, kernel->shared_B, sm->shared_B)};
}

uint32_t ws_residency_ctas(const ws_residency limits[WS_RESOURCES], enum ws_resource *limit) {
    uint64_t fewest = UINT64_MAX;
    for (int i = 0; i < WS_RESOURCES; i++) {
        if (limits[i].need == 0 || limits[i].have / limits[i].need >= fewest) continue;
        fewest = limits[i].have / limits[i].need;
        if (limit) *limit = (enum ws_resource)i;
    }
    return (uint32_t)fewest;
}

static uint32_t least_room(const ws_residency limits[WS_RESOURCES], const enum ws_resource *which, int count,
                           uint64_t parts) {
    uint64_t least = UINT32_MAX;
    for (int i = 0; i < count; i++) {
        const ws_residency *l = &limits[which[i]];
        if (l->need && l->have * parts / l->need < least) least = l->have * parts / l->need;
    }
    return (uint32_t)least;
}

ws_occupancy ws_occupancy_of(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm) {
    ws_residency limits[WS_RESOURCES];
    enum ws_resource limit = WS_RESOURCE_CTAS;
    ws_residency_of(kernel, warp_size, sm, limits);
    uint32_t ctas = ws_residency_ctas(limits, &limit);
    uint32_t warps = warps_per_cta(kernel, warp_size);
    const enum ws_resource of_warps[] = {WS_RESOURCE_THREADS, WS_RESOURCE_WARPS, WS_RESOURCE_REGISTERS},
                           of_ctas[] = {WS_RESOURCE_CTAS, WS_RESOURCE_SHARED};
    return (ws_occupancy){.ctas_per_sm = ctas,
                          .warps_per_cta = warps,
                          .limit = limits[limit].name,
                          .warp_room = least_room(limits, of_warps, 3, warps),
                          .cta_room = least_room(limits, of_ctas, 2, 1)};
}

bool ws_occupancy_check(const ws_kernel *kernel, uint32_t warp_size, const ws_sm_params *sm,
                        const char *registers, ws_error *err) {
    ws_residency limits[WS_RESOURCES];
    ws_residency_of(kernel, warp_size, sm, limits);
    for (int i = 0; i < WS_RESOURCES; i++) {
        if (limits[i].need <= limits[i].have) continue;
        bool of_registers = i == WS_RESOURCE_REGISTERS, may_exceed = of_registers || i == WS_RESOURCE_SHARED;
        return ws_fail(err, WS_ERROR_SPEC, "a CTA needs %llu %s, an SM has %llu: raise %s%s%s",
                       (unsigned long long)limits[i].need, limits[i].name, (unsigned long long)limits[i].have,
                       of_registers ? "" : "sm.", of_registers ? registers : limits[i].name,
                       may_exceed ? ", or set sm.oversized_ctas=true" : "");
    }
    return true;
}
