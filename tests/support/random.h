/* Random numbers for tests: those of the library's generator, brought into ranges. */
#ifndef WS_TESTS_RANDOM_H
#define WS_TESTS_RANDOM_H

#include "base/random.h"

#include <stdbool.h>

static inline uint64_t random_next(uint64_t *state) {
    return ws_random_next(state);
}

/* 0 .. bound - 1. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)(random_next(state) % bound);
}

/* In [0, 1). */
static inline double random_real(uint64_t *state) {
    return (double)(random_next(state) >> 11) / 9007199254740992.0;
}

/* True with probability 1/n. */
static inline bool random_one_in(uint64_t *state, uint32_t n) {
    return random_below(state, n) == 0;
}

#endif
