/* Warp-level dispatch, the plain way: how long each warp takes is known; cycle by cycle, all that is there is counted
 * anew for every question. */
#ifndef WS_TESTS_NAIVE_WARPMAN_H
#define WS_TESTS_NAIVE_WARPMAN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct naive_warpman_life {
    uint32_t sm;
    uint64_t start, end; /* cycles; end: given, as the time that it takes */
} naive_warpman_life;

typedef struct naive_warpman {
    uint32_t sms, ctas, warps_per_cta;
    uint32_t warp_registers, cta_shared_B;                 /* of one */
    uint32_t sm_warps, sm_registers, sm_shared_B, sm_ctas; /* of an SM */
    bool temporal, spatial;
    uint32_t threshold; /* 0: none */
} naive_warpman;

/* Puts in where and when each warp runs; `lives`: [ctas * warps_per_cta]. CTAs go round robin over the SMs, one a cycle
 * to each. */
void naive_warpman_dispatch(const naive_warpman *n, naive_warpman_life *lives);

#endif
