/* The bundled traces compared with closed forms that follow from the loops in the kernels' sources. */
#include "../support/bundled.h"
#include "base/array.h"
#include "warpsweep/trace.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The number of distinct values of addresses[i] / unit, taken modulo `modulus` unless that is 0. */
static uint32_t distinct(const uint64_t *addresses, uint32_t count, uint64_t unit, uint64_t modulus) {
    uint64_t values[WS_LANES_MAX];
    uint32_t found = 0;
    for (uint32_t a = 0; a < count; a++) {
        uint64_t value = addresses[a] / unit;
        if (modulus) value %= modulus;
        uint32_t i = 0;
        while (i < found && values[i] != value) i++;
        if (i == found) values[found++] = value;
    }
    return found;
}

/* One place in a kernel that accesses memory. */
typedef struct access_site {
    uint32_t pc;
    uint64_t executions, lanes; /* warp instructions, and their active lanes */
    uint32_t lines, banks;      /* distinct ones per execution with 32 lanes; 0: they vary */
} access_site;
typedef struct access_sites {
    access_site sites[32];
    size_t count;
} access_sites;

static access_site *site_at(access_sites *found, uint32_t pc) {
    size_t i = 0;
    while (i < found->count && found->sites[i].pc != pc) i++;
    if (i == found->count) {
        assert_true(found->count < WS_COUNT(found->sites));
        found->sites[found->count++] = (access_site){.pc = pc, .lines = UINT32_MAX, .banks = UINT32_MAX};
    }
    return &found->sites[i];
}

static void keep_if_equal(uint32_t *known, uint32_t found) {
    if (*known == UINT32_MAX) *known = found;
    if (*known != found) *known = 0;
}

static void add_execution(access_sites *found, uint32_t pc, uint64_t mask, const uint64_t *addresses) {
    access_site *site = site_at(found, pc);
    site->executions++;
    site->lanes += (uint64_t)__builtin_popcountll(mask);
    if (mask != UINT32_MAX) return;
    keep_if_equal(&site->lines, distinct(addresses, 32, WS_LINE_B, 0));
    keep_if_equal(&site->banks, distinct(addresses, 32, 4, 32));
}

static int by_pc(const void *a, const void *b) {
    const access_site *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Finds the places with accesses of one operation in one space, in program order. */
static access_sites find_accesses(const ws_trace *trace, uint32_t kernel, ws_memory_op op, ws_space space) {
    access_sites found = {0};
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_non_null(reader);
    for (uint32_t c = 0; c < ws_trace_kernel(trace, kernel)->counters.ctas; c++) {
        assert_true(ws_reader_cta(reader, kernel, c, &cta, &err));
        for (const ws_warp *warp = cta.warps; warp < cta.warps + cta.warp_count; warp++)
            for (uint32_t i = 0; i < warp->inst_count; i++) {
                const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
                if (s->op == op && s->space == space)
                    add_execution(&found, s->pc, warp->mask[i], warp->addresses + warp->address_at[i]);
            }
    }
    ws_reader_free(reader);
    qsort(found.sites, found.count, sizeof *found.sites, by_pc);
    return found;
}

/* Checks that there are `count` sites, each executed `executions` times, and that site i touches lines[i] lines each
 * time. */
static void expect_lines(const access_sites *found, uint64_t executions, const uint32_t *lines,
                         size_t count) {
    assert_int_equal(found->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found->sites[i].executions, executions);
        assert_int_equal(found->sites[i].lines, lines[i]);
    }
}
#define EXPECT_LINES(found, executions, ...)                                                                 \
    expect_lines(found, executions, (const uint32_t[]){__VA_ARGS__},                                         \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* ---- PolyBench */

/* Each thread, per step, loads a matrix element (32 lines per warp where a thread walks its row) and a vector
 * element, and stores the sum; before the first step it sets the sum to 0. */
static void test_atax(void **state) {
    (void)state;
    enum { ROWS = 3840, COLUMNS = 768 };
    ws_trace *trace = bundled_open("atax");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "atax_1",
                                     .grid = {ROWS / 256, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = ROWS / 32,
                                     .memory_instructions = ROWS / 32 * (1 + 3 * COLUMNS),
                                     .requests = ROWS / 32 * (1 + (32 + 1 + 1) * COLUMNS)});
    bundled_expect(trace, 2,
                   &(bundled_launch){.kernel = "atax_2",
                                     .grid = {COLUMNS / 256, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = COLUMNS / 32,
                                     .memory_instructions = COLUMNS / 32 * (1 + 3 * ROWS),
                                     .requests = COLUMNS / 32 * (1 + 3 * ROWS)});
    access_sites loads = find_accesses(trace, 1, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
    EXPECT_LINES(&loads, ROWS / 32 * COLUMNS, 32 /* A */, 1 /* x */);
    loads = find_accesses(trace, 2, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
    EXPECT_LINES(&loads, COLUMNS / 32 * ROWS, 1, 1);
    ws_trace_close(trace);
}

static void test_gemm(void **state) {
    (void)state;
    enum { N = 128 };
    ws_trace *trace = bundled_open("gemm");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "gemm",
                                     .grid = {N / 32, N / 8, 1},
                                     .block = {32, 8, 1},
                                     .warps = N * N / 32,
                                     .memory_instructions = N * N / 32 * (2 + 3 * N),
                                     .requests = N * N / 32 * (2 + 3 * N)});
    ws_trace_close(trace);
}

static void test_bicg(void **state) {
    (void)state;
    enum { ROWS = 2048, COLUMNS = 1536 };
    ws_trace *trace = bundled_open("bicg");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "bicg_1",
                                     .grid = {COLUMNS / 256, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = COLUMNS / 32,
                                     .memory_instructions = COLUMNS / 32 * (1 + 3 * ROWS),
                                     .requests = COLUMNS / 32 * (1 + 3 * ROWS)});
    bundled_expect(trace, 2,
                   &(bundled_launch){.kernel = "bicg_2",
                                     .grid = {ROWS / 256, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = ROWS / 32,
                                     .memory_instructions = ROWS / 32 * (1 + 3 * COLUMNS),
                                     .requests = ROWS / 32 * (1 + (32 + 1 + 1) * COLUMNS)});
    access_sites loads = find_accesses(trace, 2, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
    EXPECT_LINES(&loads, ROWS / 32 * COLUMNS, 32 /* A */, 1 /* p */);
    ws_trace_close(trace);
}

/* The last warp of the last block has no rows. */
static void test_mvt(void **state) {
    (void)state;
    enum { N = 1504, BLOCKS = 6 };
    ws_trace *trace = bundled_open("mvt");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "mvt_1",
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = BLOCKS * 8,
                                     .memory_instructions = N / 32 * (1 + 3 * N),
                                     .requests = N / 32 * (1 + (32 + 1 + 1) * N)});
    bundled_expect(trace, 2,
                   &(bundled_launch){.kernel = "mvt_2",
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = BLOCKS * 8,
                                     .memory_instructions = N / 32 * (1 + 3 * N),
                                     .requests = N / 32 * (1 + 3 * N)});
    ws_trace_close(trace);
}

/* Both sums are stored in each step; since the other store might alias, the compiler loads each sum, and x, again. */
static void test_gesummv(void **state) {
    (void)state;
    enum { ROWS = 7680, COLUMNS = 128 };
    ws_trace *trace = bundled_open("gesummv");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "gesummv",
                                     .grid = {ROWS / 256, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = ROWS / 32,
                                     .memory_instructions = ROWS / 32 * (4 + 8 * COLUMNS),
                                     .requests = ROWS / 32 * (4 + 2 * (32 + 1 + 1 + 1) * COLUMNS)});
    ws_trace_close(trace);
}

static void test_syrk(void **state) {
    (void)state;
    enum { N = 128, M = 192 };
    ws_trace *trace = bundled_open("syrk");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "syrk",
                                     .grid = {N / 32, N / 8, 1},
                                     .block = {32, 8, 1},
                                     .warps = N * N / 32,
                                     .memory_instructions = N * N / 32 * (2 + 3 * M),
                                     .requests = N * N / 32 * (2 + (1 + 32 + 1) * M)});
    ws_trace_close(trace);
}

static void test_syr2k(void **state) {
    (void)state;
    enum { N = 128, M = 96 };
    ws_trace *trace = bundled_open("syr2k");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "syr2k",
                                     .grid = {N / 32, N / 8, 1},
                                     .block = {32, 8, 1},
                                     .warps = N * N / 32,
                                     .memory_instructions = N * N / 32 * (2 + 5 * M),
                                     .requests = N * N / 32 * (2 + (2 * (1 + 32) + 1) * M)});
    ws_trace_close(trace);
}

/* ---- transposition */

enum { TRANSPOSE_N = 512, TRANSPOSE_WARPS = TRANSPOSE_N * TRANSPOSE_N / 4 / 32 };

static void expect_transpose(const ws_trace *trace, uint32_t index, const char *kernel, uint64_t lines_loaded,
                             uint64_t lines_stored, uint32_t shared_B) {
    bundled_expect(trace, index,
                   &(bundled_launch){.kernel = kernel,
                                     .grid = {TRANSPOSE_N / 32, TRANSPOSE_N / 32, 1},
                                     .block = {32, 8, 1},
                                     .warps = TRANSPOSE_WARPS,
                                     .memory_instructions = TRANSPOSE_WARPS * 4 * 2,
                                     .requests = TRANSPOSE_WARPS * 4 * (lines_loaded + lines_stored)});
    assert_int_equal(ws_trace_kernel(trace, index)->shared_B, shared_B);
    access_sites loads = find_accesses(trace, index, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
    for (size_t i = 0; i < loads.count; i++) assert_int_equal(loads.sites[i].lines, lines_loaded);
    access_sites stores = find_accesses(trace, index, WS_MEMORY_STORE, WS_SPACE_GLOBAL);
    for (size_t i = 0; i < stores.count; i++) assert_int_equal(stores.sites[i].lines, lines_stored);
}

static void expect_banks(const ws_trace *trace, uint32_t index, ws_memory_op op, uint32_t banks) {
    access_sites found = find_accesses(trace, index, op, WS_SPACE_SHARED);
    assert_int_equal(found.count, 4);
    for (size_t i = 0; i < found.count; i++) assert_int_equal(found.sites[i].banks, banks);
}

static void test_transpose(void **state) {
    (void)state;
    ws_trace *trace = bundled_open("transpose");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 3);
    expect_transpose(trace, 1, "transpose_naive", 1, 32, 0);
    expect_transpose(trace, 2, "transpose_shared", 1, 1, 32 * 32 * 4);
    expect_transpose(trace, 3, "transpose_padded", 1, 1, 32 * 33 * 4);
    expect_banks(trace, 2, WS_MEMORY_STORE, 32);
    expect_banks(trace, 2, WS_MEMORY_LOAD, 1);
    expect_banks(trace, 3, WS_MEMORY_STORE, 32);
    expect_banks(trace, 3, WS_MEMORY_LOAD, 32);
    ws_trace_close(trace);
    trace = bundled_open("columns/transpose_columns");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    expect_transpose(trace, 1, "transpose_columns", 32, 1, 0);
    ws_trace_close(trace);
}

/* ---- stencils and grids */

/* Rows have 512 words, so each begins a line. From each of three rows a warp reads its own words and those shifted
 * by one to the left and to the right; the first and last thread of a row do nothing. */
static void test_conv2d(void **state) {
    (void)state;
    enum { N = 512, INSIDE = N - 2 };
    ws_trace *trace = bundled_open("conv2d");
    uint64_t lines = 0;
    for (uint64_t left = 0; left < N; left += 32) {
        const uint64_t first = left ? left : 1, count = left && left + 32 < N ? 32 : 31;
        lines += 3 * (bundled_lines(first - 1, count) + bundled_lines(first, count) +
                      bundled_lines(first + 1, count));
        lines += bundled_lines(first, count); /* the result */
    }
    assert_int_equal(lines, 14 * (3 * 5 + 1) + 2 * (3 * 4 + 1));
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "conv2d",
                                     .grid = {N / 32, N / 8, 1},
                                     .block = {32, 8, 1},
                                     .warps = N * N / 32,
                                     .memory_instructions = INSIDE * (N / 32) * 10,
                                     .requests = INSIDE * lines});
    ws_trace_close(trace);
}

/* Tiles of 16 x 16 start every 12 cells, the first one 2 cells outside of the chip; a warp has two rows of a tile. */
static void test_hotspot(void **state) {
    (void)state;
    enum { N = 192, TILES = N / 12 };
    ws_trace *trace = bundled_open("hotspot");
    uint64_t memory_instructions = 0, requests = 0;
    for (int64_t tile = 0; tile < TILES * TILES; tile++)
        for (int64_t row = tile / TILES * 12 - 2; row < tile / TILES * 12 + 14; row++) {
            const int64_t left = tile % TILES * 12, top = tile / TILES * 12;
            const int64_t first = left < 2 ? 0 : left - 2, last = left + 13 < N ? left + 13 : N - 1;
            if (row < 0 || row >= N) continue;
            requests += 2 * bundled_lines((uint64_t)(row * N + first), (uint64_t)(last - first + 1));
            memory_instructions += row % 2 == 0 ? 2 : 0;
            if (row < top || row >= top + 12) continue;
            requests += bundled_lines((uint64_t)(row * N + left), 12);
            memory_instructions += row % 2 == 0 ? 1 : 0;
        }
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    for (uint32_t launch = 1; launch <= 2; launch++)
        bundled_expect(trace, launch,
                       &(bundled_launch){.kernel = "hotspot",
                                         .grid = {TILES, TILES, 1},
                                         .block = {16, 16, 1},
                                         .warps = TILES * TILES * 8,
                                         .memory_instructions = memory_instructions,
                                         .requests = requests});
    assert_int_equal(ws_trace_kernel(trace, 1)->shared_B, 3 * 16 * 16 * 4);
    ws_trace_close(trace);
}

/* Adds the accesses by threads `from` to `to` of a block of 256, where thread 0 would access `word`. */
static void add_pieces(int64_t from, int64_t to, int64_t word, bundled_launch *e) {
    for (int64_t warp = 0; warp < 256; warp += 32) {
        const int64_t first = from > warp ? from : warp, last = to < warp + 31 ? to : warp + 31;
        if (first > last) continue;
        e->memory_instructions++;
        e->requests += bundled_lines((uint64_t)(word + first), (uint64_t)(last - first + 1));
    }
}

/* Pieces of 256 columns start every 216 columns, the first one 20 columns outside of the grid. */
static void test_pathfinder(void **state) {
    (void)state;
    enum { COLUMNS = 10000, PIECES = (COLUMNS + 215) / 216, ROWS = 20 };
    ws_trace *trace = bundled_open("pathfinder");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    for (uint32_t launch = 1; launch <= 2; launch++) {
        bundled_launch e = {
            .kernel = "pathfinder", .grid = {PIECES, 1, 1}, .block = {256, 1, 1}, .warps = PIECES * 8};
        for (int64_t left = -20; left < COLUMNS - 20; left += 216) {
            const int64_t first = left < 0 ? -left : 0,
                          last = left + 255 < COLUMNS ? 255 : COLUMNS - 1 - left;
            add_pieces(first, last, left, &e); /* the previous row */
            for (int64_t row = 0; row < ROWS; row++)
                add_pieces(first > row ? first : row + 1, last < 254 - row ? last : 254 - row,
                           ((launch - 1) * ROWS + 1 + row) * COLUMNS + left, &e);
            add_pieces(first > ROWS ? first : ROWS, last < 255 - ROWS ? last : 255 - ROWS, left, &e);
        }
        bundled_expect(trace, launch, &e);
    }
    ws_trace_close(trace);
}

/* ---- Rodinia's matrices */

/* Accesses of each kernel to blocks of 16 x 16. lud_diagonal reads the diagonal block and writes all but its first
 * row. In lud_perimeter each half warp reads half of the diagonal block, and handles one block to its right, whose
 * first row is not written, or one below it. lud_internal reads a block and those of its column and row in the
 * perimeter, and writes it. */
static void test_lud(void **state) {
    (void)state;
    enum { BLOCKS = 16 };
    ws_trace *trace = bundled_open("lud");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 3 * BLOCKS - 2);
    uint32_t launch = 0;
    for (uint32_t b = BLOCKS; b-- > 0;) {
        bundled_expect(trace, ++launch,
                       &(bundled_launch){.kernel = "lud_diagonal",
                                         .grid = {1, 1, 1},
                                         .block = {16, 1, 1},
                                         .warps = 1,
                                         .memory_instructions = 16 + 15,
                                         .requests = 16 + 15});
        if (b == 0) break;
        bundled_expect(trace, ++launch,
                       &(bundled_launch){.kernel = "lud_perimeter",
                                         .grid = {b, 1, 1},
                                         .block = {32, 1, 1},
                                         .warps = b,
                                         .memory_instructions = b * (8 + 16 + 15 + 8 + 16 + 16),
                                         .requests = b * (8 + 16 + 15 + 8 + 16 + 16)});
        bundled_expect(trace, ++launch,
                       &(bundled_launch){.kernel = "lud_internal",
                                         .grid = {b, b, 1},
                                         .block = {16, 16, 1},
                                         .warps = 8 * b * b,
                                         .memory_instructions = 8 * b * b * 4,
                                         .requests = 8 * b * b * 4 * 2});
    }
    ws_trace_close(trace);
}

enum { NW_COLUMNS = 257 };

/* Requests of the tile in tile row `by` and tile column `bx`. */
static uint64_t nw_requests(uint64_t by, uint64_t bx) {
    const uint64_t first = (1 + 16 * by) * NW_COLUMNS + 1 + 16 * bx;
    /* corner, column to the left, row above */
    uint64_t lines = 1 + 16 + bundled_lines(first - NW_COLUMNS, 16);
    for (uint64_t row = 0; row < 16; row++) lines += 2 * bundled_lines(first + row * NW_COLUMNS, 16);
    return lines;
}

static void test_nw(void **state) {
    (void)state;
    enum { WIDTH = 16 };
    ws_trace *trace = bundled_open("nw");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2 * WIDTH - 1);
    for (uint32_t launch = 1; launch < 2 * WIDTH; launch++) {
        const uint32_t tiles = launch <= WIDTH ? launch : 2 * WIDTH - launch;
        bundled_launch e = {.kernel = launch <= WIDTH ? "nw_1" : "nw_2",
                            .grid = {tiles, 1, 1},
                            .block = {16, 1, 1},
                            .warps = tiles,
                            .memory_instructions = tiles * (1 + 1 + 1 + 16 + 16)};
        for (uint64_t by = 0; by < WIDTH; by++) /* the tiles of one diagonal */
            if (launch - 1 >= by && launch - 1 - by < WIDTH) e.requests += nw_requests(by, launch - 1 - by);
        bundled_expect(trace, launch, &e);
    }
    ws_trace_close(trace);
}

/* ---- clusters, sums, counts */

static void test_kmeans(void **state) {
    (void)state;
    enum { POINTS = 8000, FEATURES = 34, CLUSTERS = 5, BLOCKS = 32 };
    ws_trace *trace = bundled_open("kmeans");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "kmeans",
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = BLOCKS * 8,
                                     .memory_instructions = POINTS / 32 * (2 * FEATURES * CLUSTERS + 1),
                                     .requests = POINTS / 32 * (2 * FEATURES * CLUSTERS + 1)});
    ws_trace_close(trace);
}

static uint64_t executions(const access_sites *found) {
    uint64_t sum = 0;
    for (size_t i = 0; i < found->count; i++) sum += found->sites[i].executions;
    return sum;
}

/* A block's 8 warps each store what they have loaded; then 4, 2 and 1 warps add, and in five more steps one warp
 * with half of the lanes each time. */
static void test_reduction(void **state) {
    (void)state;
    enum { BLOCKS = 1024, ADDING = 4 + 2 + 1 + 5 };
    ws_trace *trace = bundled_open("reduction");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "reduction",
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = BLOCKS * 8,
                                     .memory_instructions = BLOCKS * (8 * 2 + 1),
                                     .requests = BLOCKS * (8 * 2 + 1)});
    access_sites stores = find_accesses(trace, 1, WS_MEMORY_STORE, WS_SPACE_SHARED);
    assert_int_equal(executions(&stores), BLOCKS * (8 + ADDING));
    ws_trace_close(trace);
}

/* One load of a word and four atomic additions, to global memory or to shared memory, which is added to global
 * memory at the end. */
static void test_histogram(void **state) {
    (void)state;
    enum { WORDS = 1 << 16, BLOCKS = 32, WARPS = BLOCKS * 8 };
    ws_trace *trace = bundled_open("histogram");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    access_sites counts = find_accesses(trace, 1, WS_MEMORY_REDUCTION, WS_SPACE_GLOBAL);
    assert_int_equal(counts.count, 4);
    for (size_t i = 0; i < counts.count; i++) assert_int_equal(counts.sites[i].lanes, WORDS);
    const ws_counters *c = &ws_trace_kernel(trace, 1)->counters;
    assert_string_equal(ws_trace_kernel(trace, 1)->name, "histogram");
    assert_int_equal(c->memory_instructions, WORDS / 32 * (1 + 4));
    /* each addition touches 2 to 8 of the lines with bins */
    assert_in_range(c->requests, WORDS / 32 * (1 + 4 * 2), WORDS / 32 * (1 + 4 * 8));
    bundled_expect(trace, 2,
                   &(bundled_launch){.kernel = "histogram_shared",
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {256, 1, 1},
                                     .warps = WARPS,
                                     .memory_instructions = WORDS / 32 + WARPS,
                                     .requests = WORDS / 32 + WARPS});
    counts = find_accesses(trace, 2, WS_MEMORY_REDUCTION, WS_SPACE_SHARED);
    assert_int_equal(executions(&counts), WORDS / 32 * 4);
    ws_trace_close(trace);
}

/* ---- irregular */

/* Per row, its two bounds are loaded and its sum stored; per entry, value, column and the element of x are loaded.
 * The number of entries is that of the values copied to the device. */
static void test_spmv(void **state) {
    (void)state;
    enum { ROWS = 16384 };
    ws_trace *trace = bundled_open("spmv");
    const ws_kernel *k = ws_trace_kernel(trace, 1);
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    assert_string_equal(k->name, "spmv");
    assert_int_equal(k->grid.x, ROWS / 128);
    assert_int_equal(k->block.x, 128);
    const uint64_t entries = ws_trace_memcpy(trace, 0)->bytes / 4;
    assert_in_range(entries, 4 * ROWS, 16 * ROWS);
    assert_int_equal(k->counters.lane_accesses, 3 * ROWS + 3 * entries);
    ws_trace_close(trace);
}

static const access_site *site(const access_sites *found, size_t nth) {
    assert_true(nth < found->count);
    return &found->sites[nth];
}

/* Each node enters the frontier once: a level visits as many nodes as the level before found. The second kernel
 * flags the nodes found. */
static void test_bfs(void **state) {
    (void)state;
    enum { NODES = 1 << 15 };
    ws_trace *trace = bundled_open("bfs");
    const uint32_t launches = ws_trace_get_info(trace)->kernel_count;
    assert_true(launches >= 8 && launches % 2 == 0);
    const uint64_t edges = ws_trace_memcpy(trace, 1)->bytes / 4;
    uint64_t found = 1, reached = 1, edges_read = 0;
    for (uint32_t launch = 1; launch <= launches; launch += 2) {
        assert_string_equal(ws_trace_kernel(trace, launch)->name, "bfs_1");
        assert_string_equal(ws_trace_kernel(trace, launch + 1)->name, "bfs_2");
        access_sites loads = find_accesses(trace, launch, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
        access_sites stores = find_accesses(trace, launch, WS_MEMORY_STORE, WS_SPACE_GLOBAL);
        assert_int_equal(site(&loads, 0)->lanes, NODES); /* frontier */
        assert_int_equal(site(&loads, 0)->lines, 1);
        assert_int_equal(site(&stores, 0)->lanes, found);
        /* after the loads of the node's first edge and edge count */
        if (loads.count > 3) edges_read += site(&loads, 3)->lanes;
        loads = find_accesses(trace, launch + 1, WS_MEMORY_LOAD, WS_SPACE_GLOBAL);
        stores = find_accesses(trace, launch + 1, WS_MEMORY_STORE, WS_SPACE_GLOBAL);
        assert_int_equal(loads.count, 1);
        assert_int_equal(site(&loads, 0)->lanes, NODES);
        found = stores.count ? site(&stores, 0)->lanes : 0;
        reached += found;
    }
    assert_int_equal(found, 0);
    assert_in_range(reached, NODES / 2, NODES);
    assert_in_range(edges_read, edges * 9 / 10, edges);
    ws_trace_close(trace);
}

/* ---- warps that differ */

/* 8 of a block's 32 rows lie within the plate. Their warps read two planes first, then, per plane, five elements and
 * the plane above; the left and right neighbours touch one line more, except at the plate's ends. */
static void test_stencil(void **state) {
    (void)state;
    enum { PLATES = 4, ROW_BLOCKS = 16, ROWS = 8, STEPS = 22, WORKING = PLATES * ROW_BLOCKS * ROWS };
    ws_trace *trace = bundled_open("divergent/stencil");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    bundled_expect(trace, 1,
                   &(bundled_launch){.kernel = "stencil",
                                     .grid = {ROW_BLOCKS, PLATES, 1},
                                     .block = {32, 32, 1},
                                     .warps = PLATES * ROW_BLOCKS * 32,
                                     .memory_instructions = WORKING * (2 + STEPS * 6),
                                     .requests = WORKING * (2 + STEPS * 8) - 2 * PLATES * ROWS * STEPS});
    ws_trace_close(trace);
}

enum { RAY_WIDTH = 128, RAY_HEIGHT = 96, RAY_ROW = RAY_WIDTH + 2, RAY_PLANE = RAY_ROW * (RAY_HEIGHT + 2) };

/* A ray goes from cell to cell along an axis, and turns at most five times. */
typedef struct ray_path {
    int64_t at, step;
    uint32_t cells, turns;
} ray_path;

static void go_to(ray_path *ray, int64_t cell) {
    const int64_t step = cell - ray->at, length = step < 0 ? -step : step;
    if (ray->cells++) {
        assert_true(length == 1 || length == RAY_ROW || length == RAY_PLANE);
        ray->turns += ray->cells > 2 && step != ray->step;
        assert_true(ray->turns <= 5);
        ray->step = step;
    }
    ray->at = cell;
}

static void walk_rays(const ws_trace *trace, const ws_cta *cta, uint32_t *stores) {
    const uint64_t volume = ws_trace_memcpy(trace, 0)->address, image = ws_trace_memcpy(trace, 1)->address;
    for (const ws_warp *warp = cta->warps; warp < cta->warps + cta->warp_count; warp++) {
        ray_path rays[32] = {0};
        for (uint32_t i = 0; i < warp->inst_count; i++) {
            const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
            const uint64_t *address = warp->addresses + warp->address_at[i];
            for (uint32_t lane = 0; s->space == WS_SPACE_GLOBAL && lane < 32; lane++) {
                if (!(warp->mask[i] >> lane & 1)) continue;
                if (s->op == WS_MEMORY_LOAD)
                    go_to(&rays[lane], (int64_t)(*address - volume));
                else
                    stores[(*address - image) / 4]++;
                address++;
            }
        }
        for (uint32_t lane = 0; lane < 32; lane++) assert_true(rays[lane].cells > 0);
    }
}

static void test_ray(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = bundled_open("divergent/ray");
    const ws_kernel *k = ws_trace_kernel(trace, 1);
    static uint32_t stores[RAY_WIDTH * RAY_HEIGHT];
    assert_memory_equal(&k->grid, &((ws_dim3){8, 8, 1}), sizeof k->grid);
    assert_memory_equal(&k->block, &((ws_dim3){16, 12, 1}), sizeof k->block);
    assert_int_equal(k->counters.warps, 64 * 6);
    ws_reader *reader = ws_reader_new(trace, &err);
    for (uint32_t c = 0; c < 64; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, 1, c, &cta, &err));
        walk_rays(trace, &cta, stores);
    }
    for (int pixel = 0; pixel < RAY_WIDTH * RAY_HEIGHT; pixel++) assert_int_equal(stores[pixel], 1);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* ---- all of them */

enum { FIRST_ADDRESS = 0x10000000, LINES_MAX = 1 << 18, L1_B = 16 * 1024, ALL_FILES_B = 8 << 20 };

/* Marks the lines that a launch touches in global memory; returns how many were not marked before. */
static uint32_t touch_lines(const ws_trace *trace, ws_reader *reader, uint32_t launch, bool *touched) {
    ws_error err = WS_NO_ERROR;
    ws_cta cta;
    uint32_t lines = 0;
    for (uint32_t c = 0; c < ws_trace_kernel(trace, launch)->counters.ctas; c++) {
        assert_true(ws_reader_cta(reader, launch, c, &cta, &err));
        for (const ws_warp *warp = cta.warps; warp < cta.warps + cta.warp_count; warp++)
            for (uint32_t i = 0; i < warp->inst_count; i++) {
                if (ws_trace_statics(trace)[warp->static_id[i]].space != WS_SPACE_GLOBAL) continue;
                for (uint32_t a = warp->address_at[i]; a < warp->address_at[i + 1]; a++) {
                    uint64_t line = (warp->addresses[a] - FIRST_ADDRESS) / WS_LINE_B;
                    assert_true(line < LINES_MAX);
                    lines += !touched[line];
                    touched[line] = true;
                }
            }
    }
    return lines;
}

/* Counts the lines touched by all launches of the kernel whose first launch is `first`; 0 if `first` is a later
 * launch of it. */
static uint32_t footprint(const ws_trace *trace, ws_reader *reader, uint32_t first) {
    static bool touched[LINES_MAX];
    memset(touched, 0, sizeof touched);
    const char *name = ws_trace_kernel(trace, first)->name;
    uint32_t lines = 0;
    for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
        if (strcmp(ws_trace_kernel(trace, k)->name, name) != 0) continue;
        if (k < first) return 0;
        lines += touch_lines(trace, reader, k, touched);
    }
    return lines;
}

static void test_every_kernel_overflows_a_small_cache(void **state) {
    (void)state;
    glob_t found;
    uint64_t bytes = 0;
    assert_int_equal(glob("traces/*.wst", 0, NULL, &found), 0);
    assert_int_equal(glob("traces/*/*.wst", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = ws_trace_open(found.gl_pathv[i], &err);
        ws_reader *reader = ws_reader_new(trace, &err);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            const uint32_t lines = footprint(trace, reader, k);
            assert_true(lines == 0 || lines * WS_LINE_B >= 2 * L1_B);
        }
        bytes += ws_trace_get_info(trace)->file_bytes;
        ws_reader_free(reader);
        ws_trace_close(trace);
    }
    globfree(&found);
    assert_true(bytes <= ALL_FILES_B);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atax),
        cmocka_unit_test(test_gemm),
        cmocka_unit_test(test_bicg),
        cmocka_unit_test(test_mvt),
        cmocka_unit_test(test_gesummv),
        cmocka_unit_test(test_syrk),
        cmocka_unit_test(test_syr2k),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_conv2d),
        cmocka_unit_test(test_hotspot),
        cmocka_unit_test(test_pathfinder),
        cmocka_unit_test(test_lud),
        cmocka_unit_test(test_nw),
        cmocka_unit_test(test_kmeans),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_spmv),
        cmocka_unit_test(test_bfs),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_ray),
        cmocka_unit_test(test_every_kernel_overflows_a_small_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
