/* A mix of references to lines such as kernels make, and the bound: the time of the table lookups that no pass over the
 * references can do without. */
#include "bench.h"

#include "base/random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { REFERENCES = BENCH_REFERENCES, LINES = BENCH_LINES, AHEAD = 24 };

/* A third each of strided, Zipf (exponent 1) and uniform lines, in stretches as warps make them. */
uint32_t *bench_references(void) {
    uint32_t *line = malloc(REFERENCES * sizeof *line);
    double *weight = malloc(LINES * sizeof *weight);
    for (size_t i = 0; i < LINES; i++) weight[i] = 1.0 / (double)(i + 1);
    gsl_ran_discrete_t *zipf = gsl_ran_discrete_preproc(LINES, weight);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t random = 1, position = 0;
    for (size_t i = 0; i < REFERENCES;) {
        unsigned kind = ws_random_next(&random) % 3;
        uint64_t stride = 1 + ws_random_next(&random) % 40;
        for (unsigned n = 0; n < 32 && i < REFERENCES; n++, i++) {
            if (kind == 0) line[i] = (uint32_t)((position += stride) % LINES);
            if (kind == 1) /* ranks scattered over the lines */
                line[i] = (uint32_t)(gsl_ran_discrete(rng, zipf) * UINT64_C(0x9e3779b1) % LINES);
            if (kind == 2) line[i] = (uint32_t)(ws_random_next(&random) % LINES);
        }
    }
    gsl_rng_free(rng);
    gsl_ran_discrete_free(zipf);
    free(weight);
    return line;
}

/* ---- the bound */

static uint64_t look_up_plain(const uint32_t *line, uint32_t *last) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        sum += i - last[line[i]];
        last[line[i]] = i;
    }
    return sum;
}

static uint64_t look_up_prefetched(const uint32_t *line, uint32_t *last) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        if (i + AHEAD < REFERENCES) __builtin_prefetch(&last[line[i + AHEAD]], 1);
        sum += i - last[line[i]];
        last[line[i]] = i;
    }
    return sum;
}

static double time_look_ups(uint64_t (*look_up)(const uint32_t *, uint32_t *), const uint32_t *line,
                            bool huge) {
    size_t size = LINES * sizeof(uint32_t) + (4 << 20);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1e9;
    uint32_t *last = (uint32_t *)(((uintptr_t)memory + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
    madvise(last, LINES * sizeof *last, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    memset(last, 0, LINES * sizeof *last);
    double start = bench_seconds();
    volatile uint64_t sum = look_up(line, last);
    (void)sum;
    double seconds = bench_seconds() - start;
    munmap(memory, size);
    return seconds;
}

double bench_look_ups(const uint32_t *line) {
    double best = 1e9;
    for (int huge = 0; huge < 2; huge++) {
        double plain = time_look_ups(look_up_plain, line, huge);
        double prefetched = time_look_ups(look_up_prefetched, line, huge);
        if (plain < best) best = plain;
        if (prefetched < best) best = prefetched;
    }
    return best;
}
