/* A clock for durations: it never goes back. */
#ifndef WS_BASE_CLOCK_H
#define WS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ws_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double ws_clock_s(void) {
    return 1e-9 * (double)ws_clock_ns();
}

#endif
