/* The bundled programs without shared memory, lane by lane against what their kernels' sources say; also the forms of
 * backprop and srad with shared memory that lie beside them. */
#include "../support/bundled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

/* Adds one access of a warp to `count` words of one buffer, or of rows that begin at a line. */
static void add_access(bundled_launch *e, const int64_t *words, int count) {
    if (count == 0) return;
    e->memory_instructions++;
    for (int a = 0; a < count; a++) {
        int before = 0;
        while (before < a && words[before] / 32 != words[a] / 32) before++;
        e->requests += before == a;
    }
}

/* ---- an element for each thread, in blocks of 16 x 16 */

typedef struct image {
    int64_t rows, columns;
} image;

static int64_t clamp(int64_t i, int64_t count) {
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Adds an access of all threads to the elements that lie `down` and `right` of their own, or at the edge. */
static void add_neighbours(bundled_launch *e, const image *of, int64_t down, int64_t right) {
    for (int64_t top = 0; top < of->rows; top += 2)
        for (int64_t left = 0; left < of->columns; left += 16) {
            int64_t words[32];
            for (int64_t lane = 0; lane < 32; lane++)
                words[lane] = clamp(top + lane / 16 + down, of->rows) * of->columns +
                              clamp(left + lane % 16 + right, of->columns);
            add_access(e, words, 32);
        }
}

static bundled_launch blocks_of(const image *of, const char *kernel) {
    return (bundled_launch){.kernel = kernel,
                            .grid = {(uint32_t)of->columns / 16, (uint32_t)of->rows / 16, 1},
                            .block = {16, 16, 1},
                            .warps = (uint64_t)(of->rows * of->columns / 32)};
}

/* A time step reads the power and five temperatures, and stores one. */
static void test_hotspot(void **state) {
    (void)state;
    const image chip = {192, 192};
    bundled_launch e = blocks_of(&chip, "hotspot_unshared");
    for (int access = 0; access < 3; access++) add_neighbours(&e, &chip, 0, 0);
    add_neighbours(&e, &chip, -1, 0), add_neighbours(&e, &chip, 1, 0);
    add_neighbours(&e, &chip, 0, -1), add_neighbours(&e, &chip, 0, 1);
    ws_trace *trace = bundled_open("unshared/hotspot_unshared");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 4);
    for (uint32_t launch = 1; launch <= 4; launch++) {
        bundled_expect(trace, launch, &e);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, 0);
    }
    ws_trace_close(trace);
}

static const image speckled = {64, 1024};

static void expect_srad(const char *name, const bundled_launch *first, uint32_t first_shared_B,
                        const bundled_launch *second, uint32_t second_shared_B) {
    ws_trace *trace = bundled_open(name);
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 4);
    for (uint32_t launch = 1; launch <= 4; launch += 2) {
        bundled_expect(trace, launch, first);
        bundled_expect(trace, launch + 1, second);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, first_shared_B);
        assert_int_equal(ws_trace_kernel(trace, launch + 1)->shared_B, second_shared_B);
    }
    ws_trace_close(trace);
}

/* A warp has two rows of a tile, each in a line of its own. Above and below the tile both read the same row; left and
 * right of it all lanes of a row read one element. */
static void test_srad(void **state) {
    (void)state;
    enum { ABOVE = 1, BELOW = 1, LEFT = 2, RIGHT = 2, OWN = 2, TILE_B = 16 * 16 * 4 };
    bundled_launch first = blocks_of(&speckled, "srad_1"), second = blocks_of(&speckled, "srad_2");
    first.memory_instructions = first.warps * (5 + 5);
    first.requests = first.warps * (ABOVE + BELOW + LEFT + RIGHT + 6 * OWN);
    second.memory_instructions = second.warps * (8 + 1);
    second.requests = second.warps * (BELOW + RIGHT + 7 * OWN);
    expect_srad("unshared/srad", &first, 6 * TILE_B, &second, 5 * TILE_B);
}

/* The first kernel stores four differences and the diffusion; the second reads them again, with the diffusions below
 * and to the right. The image is read and written. */
static void test_srad_unshared(void **state) {
    (void)state;
    bundled_launch first = blocks_of(&speckled, "srad_1_unshared");
    bundled_launch second = blocks_of(&speckled, "srad_2_unshared");
    for (int access = 0; access < 1 + 5; access++) add_neighbours(&first, &speckled, 0, 0);
    add_neighbours(&first, &speckled, -1, 0), add_neighbours(&first, &speckled, 0, -1);
    for (int access = 0; access < 1 + 4 + 2; access++) add_neighbours(&second, &speckled, 0, 0);
    add_neighbours(&first, &speckled, 1, 0), add_neighbours(&second, &speckled, 1, 0);
    add_neighbours(&first, &speckled, 0, 1), add_neighbours(&second, &speckled, 0, 1);
    expect_srad("unshared/srad_unshared", &first, 0, &second, 0);
}

/* ---- a weight for each thread, in blocks of 16 x 16 */

enum { NN_BLOCKS = 256, NN_WARPS = 8 * NN_BLOCKS, NN_ROW = 17 };

/* The word that the thread of hidden unit `x` and input node `node` (both from 0 on) accesses; true if it accesses
 * any. */
typedef int64_t word_of(int64_t x, int64_t node);
typedef bool is_active(int64_t x, int64_t node);

static void add_weights(bundled_launch *e, word_of *word, is_active *active) {
    for (int64_t node = 0; node < 16 * NN_BLOCKS; node += 2) {
        int64_t words[32];
        int count = 0;
        for (int64_t lane = 0; lane < 32; lane++)
            if (active(lane % 16, node + lane / 16)) words[count++] = word(lane % 16, node + lane / 16);
        add_access(e, words, count);
    }
}

static int64_t input_word(int64_t x, int64_t node) {
    (void)x;
    return node + 1;
}
static int64_t error_word(int64_t x, int64_t node) {
    (void)node;
    return x + 1;
}
static int64_t weight_word(int64_t x, int64_t node) {
    return (node + 1) * NN_ROW + x + 1;
}
/* A block's sums are in the weights of its first node; the threads of the first column pass them on. */
static int64_t complete_word(int64_t x, int64_t node) {
    (void)x;
    return weight_word(node % 16, node / 16 * 16);
}
static int64_t sum_word(int64_t x, int64_t node) {
    (void)x;
    return node;
}

static bool everyone(int64_t x, int64_t node) {
    (void)x, (void)node;
    return true;
}
static bool first_column(int64_t x, int64_t node) {
    (void)node;
    return x == 0;
}
static bool thresholds(int64_t x, int64_t node) {
    (void)x;
    return node == 0;
}

static int64_t tree_step; /* of the four steps in which the tree sums up: 2, 4, 8, 16 */
static bool sums_up(int64_t x, int64_t node) {
    (void)x;
    return node % tree_step == 0;
}
static int64_t other_word(int64_t x, int64_t node) {
    return weight_word(x, node + tree_step / 2);
}

static bundled_launch weights_of(const char *kernel) {
    return (bundled_launch){
        .kernel = kernel, .grid = {1, NN_BLOCKS, 1}, .block = {16, 16, 1}, .warps = NN_WARPS};
}

static void expect_backprop(const char *name, const bundled_launch *forward, uint32_t shared_B,
                            bundled_launch adjust) {
    add_weights(&adjust, error_word, everyone), add_weights(&adjust, input_word, everyone);
    for (int access = 0; access < 4; access++) add_weights(&adjust, weight_word, everyone); /* two arrays */
    for (int access = 0; access < 5; access++) add_weights(&adjust, error_word, thresholds);
    ws_trace *trace = bundled_open(name);
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    bundled_expect(trace, 1, forward);
    bundled_expect(trace, 2, &adjust);
    assert_int_equal(ws_trace_kernel(trace, 1)->shared_B, shared_B);
    assert_int_equal(ws_trace_kernel(trace, 2)->shared_B, 0);
    ws_trace_close(trace);
}

static void test_backprop(void **state) {
    (void)state;
    bundled_launch forward = weights_of("backprop_forward");
    add_weights(&forward, input_word, first_column);
    add_weights(&forward, weight_word, everyone), add_weights(&forward, weight_word, everyone);
    add_weights(&forward, sum_word, first_column);
    expect_backprop("unshared/backprop", &forward, (16 + 16 * 16) * 4, weights_of("backprop_adjust"));
}

static void test_backprop_unshared(void **state) {
    (void)state;
    bundled_launch forward = weights_of("backprop_forward_unshared");
    add_weights(&forward, input_word, everyone);
    add_weights(&forward, weight_word, everyone), add_weights(&forward, weight_word, everyone);
    for (tree_step = 2; tree_step <= 16; tree_step *= 2) {
        add_weights(&forward, weight_word, sums_up), add_weights(&forward, other_word, sums_up);
        add_weights(&forward, weight_word, sums_up); /* stored */
    }
    add_weights(&forward, complete_word, first_column), add_weights(&forward, sum_word, first_column);
    expect_backprop("unshared/backprop_unshared", &forward, 0, weights_of("backprop_adjust_unshared"));
}

/* ---- a row for each launch */

enum { PATH_COLUMNS = 10000, PATH_BLOCKS = (PATH_COLUMNS + 255) / 256 };

/* Adds an access of all threads to the elements `right` of their own, or at the edge, of a row that begins at word
 * `first`. */
static void add_row(bundled_launch *e, int64_t first, int64_t right) {
    for (int64_t left = 0; left < PATH_COLUMNS; left += 32) {
        int64_t words[32];
        int count = 0;
        for (int64_t column = left; column < left + 32 && column < PATH_COLUMNS; column++)
            words[count++] = first + clamp(column + right, PATH_COLUMNS);
        add_access(e, words, count);
    }
}

static void test_pathfinder(void **state) {
    (void)state;
    enum { ROWS = 41 };
    ws_trace *trace = bundled_open("unshared/pathfinder_unshared");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, ROWS - 1);
    for (uint32_t row = 1; row < ROWS; row++) {
        bundled_launch e = {.kernel = "pathfinder_unshared",
                            .grid = {PATH_BLOCKS, 1, 1},
                            .block = {256, 1, 1},
                            .warps = PATH_BLOCKS * 8};
        add_row(&e, 0, -1), add_row(&e, 0, 0), add_row(&e, 0, 1);
        add_row(&e, (int64_t)row * PATH_COLUMNS, 0);
        add_row(&e, 0, 0); /* stored */
        bundled_expect(trace, row, &e);
        assert_int_equal(ws_trace_kernel(trace, row)->shared_B, 0);
    }
    ws_trace_close(trace);
}

/* ---- Rodinia's matrices */

/* The lines of half a warp's access to one element of a block, or to a row. The elements of a column lie in a line
 * each. */
enum { LUD_BLOCKS = 16, ELEMENT = 1, ROW = 1 };

static void add(bundled_launch *e, uint64_t times, uint64_t lines) {
    e->memory_instructions += times;
    e->requests += times * lines;
}

/* In each step a column below the diagonal is divided and the next row is completed. Each sum reads its element and
 * pairs of factors, and is stored. */
static bundled_launch lud_diagonal(void) {
    bundled_launch e = {
        .kernel = "lud_diagonal_unshared", .grid = {1, 1, 1}, .block = {16, 1, 1}, .warps = 1};
    for (uint64_t i = 0; i < 15; i++) {
        const uint64_t column = 15 - i;
        add(&e, 1 + i + 1, column), add(&e, i, ELEMENT);
        add(&e, 1, ELEMENT); /* the divisor */
        add(&e, 1 + (i + 1) + 1, ROW), add(&e, i + 1, ELEMENT);
    }
    return e;
}

/* Each CTA computes the columns of a block to the right of the diagonal one and the rows of a block below it. */
static bundled_launch lud_perimeter(uint32_t blocks) {
    bundled_launch e = {
        .kernel = "lud_perimeter_unshared", .grid = {blocks, 1, 1}, .block = {32, 1, 1}, .warps = blocks};
    for (uint64_t i = 1; i < 16; i++) add(&e, blocks * (1 + i + 1), ROW), add(&e, blocks * i, ELEMENT);
    for (uint64_t i = 0; i < 16; i++) {
        add(&e, blocks * (1 + i + 1), 16), add(&e, blocks * i, ELEMENT);
        add(&e, blocks, ELEMENT); /* the divisor */
    }
    return e;
}

/* A warp has two rows: it reads elements from two lines and a row from one, which both share; at last the sums'
 * elements. */
static bundled_launch lud_internal(uint32_t blocks) {
    const uint64_t warps = 8 * (uint64_t)blocks * blocks;
    bundled_launch e = {
        .kernel = "lud_internal_unshared", .grid = {blocks, blocks, 1}, .block = {16, 16, 1}, .warps = warps};
    add(&e, warps * 16, 2 * ELEMENT), add(&e, warps * 16, ROW), add(&e, warps * 2, 2 * ROW);
    return e;
}

static void test_lud(void **state) {
    (void)state;
    ws_trace *trace = bundled_open("unshared/lud_unshared");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 3 * LUD_BLOCKS - 2);
    uint32_t launch = 0;
    for (uint32_t blocks = LUD_BLOCKS; blocks-- > 0;) {
        const bundled_launch diagonal = lud_diagonal(), perimeter = lud_perimeter(blocks),
                             internal = lud_internal(blocks);
        bundled_expect(trace, ++launch, &diagonal);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, 0);
        if (blocks == 0) break;
        bundled_expect(trace, ++launch, &perimeter);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, 0);
        bundled_expect(trace, ++launch, &internal);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, 0);
    }
    ws_trace_close(trace);
}

enum { NW_WIDTH = 16, NW_COLUMNS = 257 };

/* Half a warp fills the tile in row `by` and column `bx` of tiles, diagonal by diagonal: it reads three scores and a
 * similarity, and stores a score. */
static void add_tile(bundled_launch *e, int64_t by, int64_t bx) {
    const int64_t to[] = {-NW_COLUMNS - 1, 0, -1, -NW_COLUMNS, 0};
    for (int64_t diagonal = 0; diagonal < 31; diagonal++)
        for (size_t access = 0; access < sizeof to / sizeof *to; access++) {
            int64_t words[16];
            int count = 0;
            for (int64_t x = 0; x < 16; x++)
                if (diagonal - x >= 0 && diagonal - x < 16)
                    words[count++] = (1 + 16 * by + diagonal - x) * NW_COLUMNS + 1 + 16 * bx + x + to[access];
            add_access(e, words, count);
        }
}

static void test_nw(void **state) {
    (void)state;
    ws_trace *trace = bundled_open("unshared/nw_unshared");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2 * NW_WIDTH - 1);
    for (uint32_t launch = 1; launch < 2 * NW_WIDTH; launch++) {
        const uint32_t tiles = launch <= NW_WIDTH ? launch : 2 * NW_WIDTH - launch;
        bundled_launch e = {.kernel = launch <= NW_WIDTH ? "nw_1_unshared" : "nw_2_unshared",
                            .grid = {tiles, 1, 1},
                            .block = {16, 1, 1},
                            .warps = tiles};
        for (int64_t by = 0; by < NW_WIDTH; by++) {
            const int64_t bx = (int64_t)launch - 1 - by;
            if (bx >= 0 && bx < NW_WIDTH) add_tile(&e, by, bx);
        }
        bundled_expect(trace, launch, &e);
        assert_int_equal(ws_trace_kernel(trace, launch)->shared_B, 0);
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hotspot),
        cmocka_unit_test(test_srad),
        cmocka_unit_test(test_srad_unshared),
        cmocka_unit_test(test_backprop),
        cmocka_unit_test(test_backprop_unshared),
        cmocka_unit_test(test_pathfinder),
        cmocka_unit_test(test_lud),
        cmocka_unit_test(test_nw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
