/* Random numbers of the kernels' data: the same everywhere. */
#ifndef WARPSWEEP_CAPTURE_RANDOM_H
#define WARPSWEEP_CAPTURE_RANDOM_H

#include "base/random.h"

/* A uniform number below `bound`. */
static inline uint32_t host_random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((ws_random_next(state) >> 32) * bound >> 32);
}

#endif
