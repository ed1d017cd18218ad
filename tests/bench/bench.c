#include "bench.h"

#include "base/array.h"
#include "base/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

void bench_report(const char *what, double result, const char *unit, enum bench_sense sense, double target) {
    printf("  %-58s %10.3f %-22s", what, result, unit);
    if (target > 0) {
        bool kept = sense == BENCH_AT_LEAST ? result >= target : result <= target;
        printf(" %s %g: %s", sense == BENCH_AT_LEAST ? "at least" : "at most", target,
               kept ? "kept" : "MISSED");
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } benches[] = {{"host", bench_host},
                   {"window", bench_window},
                   {"caches", bench_caches},
                   {"fusion", bench_fusion},
                   {"trace", bench_trace},
                   {"timed", bench_timed},
                   {"mechanisms", bench_mechanisms}};
    ws_pages_keep(); /* as the command does */
    for (size_t i = 0; i < WS_COUNT(benches); i++) {
        if (argc > 1 && strcmp(argv[1], benches[i].name) != 0) continue;
        printf("%s\n", benches[i].name);
        benches[i].run();
    }
    return 0;
}
