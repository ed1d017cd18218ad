/* How fast the processor itself is just now: hosts differ by a factor of two, and so do the other results. */
#include "bench.h"

enum { STEPS = 100 * 1000 * 1000, REPETITIONS = 5 };

/* Each step waits for the one before it, whatever the processor does side by side. */
static uint64_t chain(uint64_t x) {
    for (uint32_t i = 0; i < STEPS; i++)
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return x;
}

void bench_host(void) {
    double rates[REPETITIONS];
    volatile uint64_t seed = 1;
    for (int r = 0; r < REPETITIONS; r++) {
        double start = bench_seconds();
        seed = chain(seed);
        rates[r] = STEPS / (bench_seconds() - start) / 1e9;
    }
    bench_report("dependent multiply-adds", bench_median(rates, REPETITIONS), "G/s", BENCH_AT_LEAST, 0);
}
