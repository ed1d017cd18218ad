/* L1s that divide an array with shared memory. */
#include "timed/l1/l1.h"

uint32_t ws_l1_ways(const ws_engine *e, uint32_t sm) {
    static const int64_t carveouts[][12] = {
        [WS_CARVEOUT_TURING] = {32, 64, -1},
        [WS_CARVEOUT_VOLTA] = {0, 8, 16, 32, 64, 96, -1},
        [WS_CARVEOUT_AMPERE] = {0, 8, 16, 32, 64, 100, -1},
        [WS_CARVEOUT_A100] = {0, 8, 16, 32, 64, 100, 132, 164, -1},
        [WS_CARVEOUT_A100_ACCELSIM] = {0, 8, 16, 32, 64, 164, -1},
        [WS_CARVEOUT_HOPPER] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1},
        [WS_CARVEOUT_HOPPER_ACCELSIM] = {0, 8, 16, 32, 64, 228, -1},
    };
    const ws_l1_params *l1 = e->l1;
    if (l1->unified_B == 0) return (uint32_t)l1->ways;
    int64_t unified_ways = l1->unified_B * l1->ways / l1->size_B, shared_B = ws_launches_shared_B(e, sm);
    for (const int64_t *kib = carveouts[l1->carveouts]; *kib >= 0; kib++) {
        int64_t left = l1->unified_B - *kib * 1024;
        if (*kib * 1024 < shared_B || left <= 0) continue;
        uint32_t ways = (uint32_t)((unified_ways * left + l1->unified_B / 2) / l1->unified_B);
        return ways ? ways : 1;
    }
    return 1;
}
