/* The sliding window, all sizes in one pass, against the look-ups that no such pass can do without: for each
 * reference, the time its line was used last. */
#include "bench.h"

#include "warpsweep/analysis.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { REFERENCES = 50 * 1000 * 1000, LINES = 1 << 20, REPETITIONS = 5, BATCH = 1024, AHEAD = 24 };

/* A third each of strided, Zipf (exponent 1) and uniform lines, in stretches as warps make them. */
static uint32_t *make_references(void) {
    uint32_t *line = malloc(REFERENCES * sizeof *line);
    double *weight = malloc(LINES * sizeof *weight);
    for (size_t i = 0; i < LINES; i++) weight[i] = 1.0 / (double)(i + 1);
    gsl_ran_discrete_t *zipf = gsl_ran_discrete_preproc(LINES, weight);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t random = 1, position = 0;
    for (size_t i = 0; i < REFERENCES;) {
        unsigned kind = bench_random(&random) % 3;
        uint64_t stride = 1 + bench_random(&random) % 40;
        for (unsigned n = 0; n < 32 && i < REFERENCES; n++, i++) {
            if (kind == 0) line[i] = (uint32_t)((position += stride) % LINES);
            if (kind == 1) /* ranks scattered over the lines */
                line[i] = (uint32_t)(gsl_ran_discrete(rng, zipf) * UINT64_C(0x9e3779b1) % LINES);
            if (kind == 2) line[i] = (uint32_t)(bench_random(&random) % LINES);
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

static double best_bound(const uint32_t *line) {
    double best = 1e9;
    for (int huge = 0; huge < 2; huge++) {
        double plain = time_look_ups(look_up_plain, line, huge);
        double prefetched = time_look_ups(look_up_prefetched, line, huge);
        if (plain < best) best = plain;
        if (prefetched < best) best = prefetched;
    }
    return best;
}

/* ---- the pass */

/* The columns that the analysis reads besides the line: constant for one SM's loads, but read all the same.
 */
typedef struct columns {
    uint32_t warp[BATCH], cta[BATCH];
    uint16_t sm[BATCH];
    uint8_t op[BATCH];
} columns;

static double time_pass(const ws_analysis *window, const void *const *points, size_t count,
                        const uint32_t *line, const columns *c, int64_t *sent) {
    ws_kernel kernel = {.name = "bench", .short_name = "bench", .grid = {64, 1, 1}, .block = {256, 1, 1}};
    ws_stream_info stream = {
        .kernel = &kernel, .sms = 1, .sms_per_cluster = 1, .warps_per_cta = 8, .line_B = 128, .sector_B = 32};
    ws_error err = WS_NO_ERROR;
    void *self = window->create(points, count, &stream, &err);
    if (!self) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    double start = bench_seconds();
    for (size_t i = 0; i < REFERENCES; i += BATCH) {
        size_t n = REFERENCES - i < BATCH ? REFERENCES - i : BATCH;
        ws_requests batch = {
            .count = n, .line = line + i, .warp = c->warp, .cta = c->cta, .sm = c->sm, .op = c->op};
        window->requests(self, &batch);
    }
    double seconds = bench_seconds() - start;
    ws_rows *rows = ws_rows_new();
    const void *bytes;
    size_t size, at = 0, cells;
    uint32_t point, table;
    ws_cell cell[32];
    window->finish(self, 0, rows, &err);
    if (ws_rows_bytes(rows, &bytes, &size) &&
        ws_rows_next(bytes, size, &at, &point, &table, cell, 32, &cells))
        *sent = cell[1].integer;
    ws_rows_free(rows);
    window->destroy(self);
    return seconds;
}

void bench_window(void) {
    const ws_analysis *window = ws_analysis_find("window", NULL);
    enum { SIZES = 10 };
    ws_config *config[SIZES];
    const void *points[SIZES];
    ws_error err = WS_NO_ERROR;
    json_t *sliding = json_string("sliding");
    for (int i = 0; i < SIZES; i++) { /* 0, 1, 2, 4 .. 256 */
        config[i] = ws_config_new(&window->component, 1);
        json_t *size = json_integer(i == 0 ? 0 : 1 << (i - 1));
        ws_config_set(config[i], "window.kind", sliding, "$", &err);
        ws_config_set(config[i], "window.size", size, "$", &err);
        json_decref(size);
        points[i] = ws_config_get(config[i], window->component);
    }
    json_decref(sliding);

    uint32_t *line = make_references();
    static columns c;
    for (size_t i = 0; i < BATCH; i++) {
        c.warp[i] = (uint32_t)(i / 16 % 512);
        c.cta[i] = c.warp[i] / 8;
        c.op[i] = WS_MEMORY_LOAD;
    }
    double bound[REPETITIONS], pass[REPETITIONS];
    int64_t sent = 0;
    for (int r = 0; r < REPETITIONS; r++) {
        bound[r] = best_bound(line);
        pass[r] = time_pass(window, points, SIZES, line, &c, &sent);
    }
    double look_ups = bench_median(bound, REPETITIONS), all_sizes = bench_median(pass, REPETITIONS);
    bench_report("look-ups, best of plain, prefetched, huge pages", look_ups / REFERENCES * 1e9,
                 "ns/reference", BENCH_AT_MOST, 0);
    bench_report("sliding window, 10 sizes in one pass", all_sizes / REFERENCES * 1e9, "ns/reference",
                 BENCH_AT_MOST, 0);
    bench_report("sliding window over look-ups", all_sizes / look_ups, "x", BENCH_AT_MOST, 2);
    for (int i = 0; i < SIZES; i++) ws_config_free(config[i]);
    free(line);
}
