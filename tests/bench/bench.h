/* Measurements of speed and size. Each has a bound and a result, measured in the same run on the same data,
 * and a target for one of them or for their ratio; medians over several repetitions, since machines are
 * noisy. */
#ifndef WS_BENCH_H
#define WS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Processor time of this process: what else the machine does counts only in so far as it takes caches away. */
double bench_seconds(void);

/* Median of `count` values; reorders them. */
double bench_median(double *values, size_t count);

/* Prints one line: what, the result with its unit, and whether it keeps its target ("at least" or "at most").
 * A target of 0 prints the result alone. */
enum bench_sense { BENCH_AT_LEAST, BENCH_AT_MOST };
void bench_report(const char *what, double result, const char *unit, enum bench_sense sense, double target);

/* A mix of strided, Zipf and uniform references to lines. Free it. */
enum { BENCH_REFERENCES = 50 * 1000 * 1000, BENCH_LINES = 1 << 20 };
uint32_t *bench_references(void);

/* Seconds of looking each reference's line up in an array: the best of plain, prefetched, and huge pages. */
double bench_look_ups(const uint32_t *line);

void bench_host(void);
void bench_caches(void);
void bench_fusion(void);
void bench_window(void);
void bench_trace(void);
void bench_timed(void);
void bench_mechanisms(void);

#endif
