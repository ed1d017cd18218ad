/* Clocks for durations: they never go back. */
#ifndef WS_BASE_CLOCK_H
#define WS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ws_clock_read_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t ws_clock_ns(void) {
    return ws_clock_read_ns(CLOCK_MONOTONIC);
}

/* The time that this process has had a processor. */
static inline uint64_t ws_clock_cpu_ns(void) {
    return ws_clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double ws_clock_s(void) {
    return 1e-9 * (double)ws_clock_ns();
}

#endif
