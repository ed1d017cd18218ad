/* Random numbers of the kernels' data: the same everywhere. */
#ifndef WARPSWEEP_CAPTURE_RANDOM_H
#define WARPSWEEP_CAPTURE_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t host_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A uniform number below `bound`. */
static inline uint32_t host_random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((host_random(state) >> 32) * bound >> 32);
}

#endif
