/* A naive twin of warp-level dispatch: the time that each warp takes is given; in every cycle, the warps and CTAs on an
 * SM are counted anew for every question. */
#ifndef WS_TESTS_NAIVE_WARPMAN_H
#define WS_TESTS_NAIVE_WARPMAN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct naive_warpman_life {
    uint32_t sm;
    uint64_t start, end; /* cycles; on entry, end - start is the time that the warp takes */
} naive_warpman_life;

typedef struct naive_warpman {
    uint32_t sms, ctas, warps_per_cta;
    uint32_t warp_registers, cta_shared_B;                 /* needs of a warp, of a CTA */
    uint32_t sm_warps, sm_registers, sm_shared_B, sm_ctas; /* what an SM has */
    bool temporal, spatial;
    uint32_t threshold; /* 0: none */
} naive_warpman;

/* Fills in where and when each warp runs; `lives`: [ctas * warps_per_cta]. CTAs are sent to the SMs round robin, to
 * each SM at most one per cycle. */
void naive_warpman_dispatch(const naive_warpman *n, naive_warpman_life *lives);

#endif
