/* Reuse-time curves, stack distances and a set-associative cache, on one SM's references. */
#include "bench.h"

#include "analysis/parts/stack.h"
#include "analysis/parts/tags.h"
#include "warpsweep/analysis.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 3, BATCH = 1024, NEIGHBOURHOODS = 4 };

/* Seconds per neighbourhood for reuse times up to a window of 65536 in neighbourhoods of 128 B to 1 KB. A point also
 * counts the next coarser neighbourhood, so that three points have four of them. */
static double time_locality(const uint32_t *line) {
    const ws_analysis *locality = ws_analysis_find("locality", NULL);
    static uint32_t warp[BATCH], cta[BATCH];
    static uint16_t sm[BATCH];
    static uint8_t op[BATCH], slot[BATCH];
    uint64_t *address = malloc(BENCH_LINES * sizeof *address);
    ws_config *config[NEIGHBOURHOODS - 1];
    const void *points[NEIGHBOURHOODS - 1];
    ws_error err = WS_NO_ERROR;
    for (uint32_t i = 0; i < BENCH_LINES; i++) address[i] = i;
    for (int i = 0; i < BATCH; i++) op[i] = WS_MEMORY_LOAD;
    for (int i = 0; i < NEIGHBOURHOODS - 1; i++) {
        config[i] = ws_config_new(&locality->component, 1);
        json_t *window = json_integer(65536), *size = json_integer(128 << i);
        ws_config_set(config[i], "locality.window", window, "$", &err);
        ws_config_set(config[i], "locality.neighbourhood_B", size, "$", &err);
        json_decref(window);
        json_decref(size);
        points[i] = ws_config_get(config[i], locality->component);
    }
    ws_stream_info stream = {
        .sms = 1, .sms_per_cluster = 1, .warps_per_cta = 8, .line_B = 128, .sector_B = 32};
    void *self = locality->create(points, NEIGHBOURHOODS - 1, &stream, &err);
    if (!self) exit(1);
    double start = bench_seconds();
    for (size_t i = 0; i < BENCH_REFERENCES; i += BATCH) {
        size_t n = BENCH_REFERENCES - i < BATCH ? BENCH_REFERENCES - i : BATCH;
        ws_requests batch = {.count = n,
                             .line = line + i,
                             .warp = warp,
                             .cta = cta,
                             .sm = sm,
                             .op = op,
                             .slot = slot,
                             .line_address = address};
        locality->requests(self, &batch);
    }
    ws_rows *rows = ws_rows_new();
    if (!locality->finish(self, 0, rows, &err)) exit(1); /* does what it has put off */
    double seconds = bench_seconds() - start;
    ws_rows_free(rows);
    locality->destroy(self);
    for (int i = 0; i < NEIGHBOURHOODS - 1; i++) ws_config_free(config[i]);
    free(address);
    return seconds / NEIGHBOURHOODS;
}

static double time_stack(const uint32_t *line, ws_stack_touch_fn *touch) {
    ws_stack stack = {0};
    static uint32_t distance[BATCH];
    uint32_t *position = calloc(BENCH_LINES, sizeof *position);
    double start = bench_seconds();
    for (size_t i = 0; i < BENCH_REFERENCES; i += BATCH) {
        size_t n = BENCH_REFERENCES - i < BATCH ? BENCH_REFERENCES - i : BATCH;
        if (!touch(&stack, position, line + i, n, distance)) exit(1);
    }
    double seconds = bench_seconds() - start;
    ws_stack_free(&stack);
    free(position);
    return seconds;
}

static double time_cache(const uint32_t *line, uint32_t sets, uint32_t ways) {
    ws_tags cache;
    uint64_t misses = 0;
    if (!ws_tags_init(&cache, sets, ways, WS_TAGS_LRU, 0)) exit(1);
    double start = bench_seconds();
    for (size_t i = 0; i < BENCH_REFERENCES; i++) {
        uint32_t victim;
        misses += ws_tags_access(&cache, line[i] % sets, line[i], 0, &victim) == WS_TAGS_MISS;
    }
    double seconds = bench_seconds() - start;
    ws_tags_free(&cache);
    return misses ? seconds : 0;
}

static double rate(double *seconds) {
    return BENCH_REFERENCES / bench_median(seconds, REPETITIONS) / 1e6;
}

void bench_caches(void) {
    uint32_t *line = bench_references();
    ws_stack_touch_fn *wide = ws_stack_touch_wide();
    double bound[REPETITIONS], locality[REPETITIONS], portable[REPETITIONS], fast[REPETITIONS];
    double four[REPETITIONS], sixteen[REPETITIONS], linked[REPETITIONS];
    for (int r = 0; r < REPETITIONS; r++) {
        bound[r] = bench_look_ups(line);
        locality[r] = time_locality(line);
        portable[r] = time_stack(line, ws_stack_touch_portable);
        fast[r] = wide ? time_stack(line, wide) : 0;
        four[r] = time_cache(line, 32, 4);
        sixteen[r] = time_cache(line, 64, 16);
        linked[r] = time_cache(line, 8, 64);
    }
    double look_ups = bench_median(bound, REPETITIONS), curve = bench_median(locality, REPETITIONS);
    bench_report("look-ups", look_ups / BENCH_REFERENCES * 1e9, "ns/reference", BENCH_AT_MOST, 0);
    bench_report("reuse times up to 65536, per neighbourhood, over look-ups", curve / look_ups, "x",
                 BENCH_AT_MOST, 2.5);
    bench_report("exact stack distances, portable", rate(portable), "M references/s", BENCH_AT_LEAST, 6);
    if (wide) bench_report("exact stack distances, AVX-512", rate(fast), "M references/s", BENCH_AT_LEAST, 9);
    bench_report("LRU cache, 32 sets of 4 ways", rate(four), "M references/s", BENCH_AT_LEAST, 40);
    bench_report("LRU cache, 64 sets of 16 ways", rate(sixteen), "M references/s", BENCH_AT_LEAST, 40);
    bench_report("LRU cache, 8 sets of 64 ways, linked", rate(linked), "M references/s", BENCH_AT_LEAST, 0);
    free(line);
}
