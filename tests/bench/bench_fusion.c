/* What one pass for many points saves over one plain simulation per point, on the same references; their results must
 * be equal. */
#include "bench.h"

#include "analysis/parts/reuse.h"
#include "analysis/parts/stack.h"
#include "analysis/parts/tags.h"

#include <stdio.h>
#include <stdlib.h>

enum { REFERENCES = 4 << 20, RUN = 1024, SIZES = 6, WINDOWS = 17, CAPACITIES = 16 };

static void no_memory(void) {
    fprintf(stderr, "out of memory\n");
    exit(1);
}

/* ---- reuse times: windows of 1 to 65536, neighbourhoods of 1 to 32 lines */

static double time_fused_curves(const uint32_t *line, uint64_t within[SIZES][WINDOWS]) {
    uint32_t windows[WINDOWS], block[RUN];
    for (uint32_t w = 0; w < WINDOWS; w++) windows[w] = 1u << w;
    ws_reuse_setup setup = {.windows = windows,
                            .window_count = WINDOWS,
                            .instances = 1,
                            .clock_max = 1u << 30,
                            .arrays_B = 256 << 20};
    double start = bench_seconds();
    for (unsigned size = 0; size < SIZES; size++) {
        ws_reuse *reuse = ws_reuse_new(&setup);
        if (!reuse) no_memory();
        for (size_t i = 0; i < REFERENCES; i += RUN) {
            for (size_t k = 0; k < RUN; k++) block[k] = line[i + k] >> size;
            if (!ws_reuse_run(reuse, 0, false, block, RUN)) no_memory();
        }
        for (size_t w = 0; w < WINDOWS; w++) within[size][w] = ws_reuse_within(reuse, w);
        ws_reuse_free(reuse);
    }
    return bench_seconds() - start;
}

/* One point, a window and a size of blocks: counts the accesses whose block was last accessed within the window. */
static uint64_t plain_curve_point(const uint32_t *line, unsigned size, uint32_t window) {
    uint32_t *last = calloc(BENCH_LINES, sizeof *last);
    if (!last) no_memory();
    uint64_t within = 0;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        uint32_t *seen = &last[line[i] >> size];
        within += *seen != 0 && i + 1 - *seen <= window;
        *seen = i + 1;
    }
    free(last);
    return within;
}

static double time_plain_curves(const uint32_t *line, uint64_t within[SIZES][WINDOWS]) {
    double start = bench_seconds();
    for (unsigned size = 0; size < SIZES; size++)
        for (unsigned w = 0; w < WINDOWS; w++) within[size][w] = plain_curve_point(line, size, 1u << w);
    return bench_seconds() - start;
}

/* ---- fully associative LRU caches of 8 to 262144 lines */

static double time_fused_caches(const uint32_t *line, uint64_t hits[CAPACITIES]) {
    static uint64_t histogram[BENCH_LINES];
    uint32_t distance[RUN], *position = calloc(BENCH_LINES, sizeof *position);
    ws_stack stack = {0};
    if (!position) no_memory();
    double start = bench_seconds();
    for (size_t i = 0; i < REFERENCES; i += RUN) {
        if (!ws_stack_touch(&stack, position, line + i, RUN, distance)) no_memory();
        for (size_t k = 0; k < RUN; k++)
            if (distance[k] != WS_STACK_NEW) histogram[distance[k]]++;
    }
    for (unsigned c = 0; c < CAPACITIES; c++) {
        hits[c] = 0;
        for (uint32_t d = 0; d < 8u << c; d++) hits[c] += histogram[d];
    }
    double seconds = bench_seconds() - start;
    ws_stack_free(&stack);
    free(position);
    return seconds;
}

static double time_plain_caches(const uint32_t *line, uint64_t hits[CAPACITIES]) {
    double start = bench_seconds();
    for (unsigned c = 0; c < CAPACITIES; c++) {
        ws_tags tags;
        if (!ws_tags_init(&tags, 1, 8u << c, WS_TAGS_LRU, 0)) no_memory();
        hits[c] = 0;
        for (size_t i = 0; i < REFERENCES; i++) {
            uint32_t victim;
            hits[c] += ws_tags_access(&tags, 0, line[i], 0, &victim) == WS_TAGS_HIT;
        }
        ws_tags_free(&tags);
    }
    return bench_seconds() - start;
}

static void expect_equal(const uint64_t *a, const uint64_t *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i]) {
            fprintf(stderr, "one pass and a simulation of point %zu disagree\n", i);
            exit(1);
        }
}

void bench_fusion(void) {
    uint32_t *line = bench_references();
    uint64_t within[2][SIZES][WINDOWS], hits[2][CAPACITIES];
    double fused = time_fused_curves(line, within[0]), plain = time_plain_curves(line, within[1]);
    expect_equal(within[0][0], within[1][0], (size_t)SIZES * WINDOWS);
    bench_report("102 points of L(w, n), a simulation each over one pass", plain / fused, "x", BENCH_AT_LEAST,
                 0);
    fused = time_fused_caches(line, hits[0]), plain = time_plain_caches(line, hits[1]);
    expect_equal(hits[0], hits[1], CAPACITIES);
    bench_report("16 LRU capacities, a simulation each over one pass", plain / fused, "x", BENCH_AT_LEAST, 0);
    free(line);
}
