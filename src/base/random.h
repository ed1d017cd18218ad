/* Pseudo-random numbers that are the same everywhere: splitmix64 (Steele, Lea, Flood; OOPSLA 2014). */
#ifndef WS_BASE_RANDOM_H
#define WS_BASE_RANDOM_H

#include <stdint.h>

/* The next number; `*state` is the seed at first. */
static inline uint64_t ws_random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Number `n`, from 0, of those that seed 0 gives. */
static inline uint64_t ws_random_at(uint64_t n) {
    uint64_t state = n * UINT64_C(0x9e3779b97f4a7c15);
    return ws_random_next(&state);
}

#endif
