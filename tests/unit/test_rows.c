/* Result rows: what is written is read back; damage is seen, never followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "warpsweep/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void sample(ws_rows *rows) {
    ws_rows_begin(rows, 7, 0);
    ws_rows_int(rows, INT64_MIN);
    ws_rows_real(rows, 0.1);
    ws_rows_text(rows, "fifo");
    ws_rows_begin(rows, 8, 1);
    ws_rows_begin(rows, 9, 2);
    ws_rows_unknown(rows, "the trace has no registers");
    ws_rows_text(rows, "");
}

static void test_round_trip(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    sample(rows);
    const void *bytes;
    size_t size, at = 0, count;
    assert_true(ws_rows_bytes(rows, &bytes, &size));

    uint32_t point, table;
    ws_cell cells[3];
    assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 3, &count));
    assert_int_equal(point, 7);
    assert_int_equal(table, 0);
    assert_int_equal(count, 3);
    assert_int_equal(cells[0].kind, WS_CELL_INT);
    assert_true(cells[0].integer == INT64_MIN);
    assert_int_equal(cells[1].kind, WS_CELL_REAL);
    assert_true(cells[1].real == 0.1);
    assert_int_equal(cells[2].kind, WS_CELL_TEXT);
    assert_string_equal(cells[2].text, "fifo");

    assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 3, &count));
    assert_int_equal(point, 8);
    assert_int_equal(table, 1);
    assert_int_equal(count, 0);

    assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 3, &count));
    assert_int_equal(count, 2);
    assert_int_equal(cells[0].kind, WS_CELL_UNKNOWN);
    assert_string_equal(cells[0].text, "the trace has no registers");
    assert_string_equal(cells[1].text, "");

    assert_false(ws_rows_next(bytes, size, &at, &point, &table, cells, 3, &count));
    assert_int_equal(at, size);
    ws_rows_free(rows);
    ws_rows_free(NULL);
}

static void test_clear(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    sample(rows);
    ws_rows_clear(rows);
    const void *bytes;
    size_t size;
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    assert_int_equal(size, 0);
    ws_rows_free(rows);
}

static void test_what_is_none_is_unknown(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    ws_rows_begin(rows, 0, 0);
    ws_rows_real(rows, NAN);
    ws_rows_real(rows, INFINITY);
    ws_rows_text(rows, NULL);
    ws_rows_unknown(rows, NULL);
    ws_rows_count(rows, UINT64_MAX); /* one less than 0 */
    static const char *const reasons[] = {"the computed value is not finite",
                                          "the computed value is not finite", "the computed text is NULL",
                                          "no reason is given", "the computed count is not below 2^63"};
    const void *bytes;
    size_t size, at = 0, count;
    uint32_t point, table;
    ws_cell cells[5];
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 5, &count));
    assert_int_equal(count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(cells[i].kind, WS_CELL_UNKNOWN);
        assert_string_equal(cells[i].text, reasons[i]);
    }
    ws_rows_free(rows);
}

static void test_cell_outside_a_row(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    ws_rows_int(rows, 1);
    const void *bytes;
    size_t size;
    assert_false(ws_rows_bytes(rows, &bytes, &size));
    ws_rows_free(rows);
}

static void test_too_little_room(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    sample(rows);
    const void *bytes;
    size_t size, at = 0, count;
    uint32_t point, table;
    ws_cell cells[2];
    ws_rows_bytes(rows, &bytes, &size);
    assert_false(ws_rows_next(bytes, size, &at, &point, &table, cells, 2, &count));
    assert_int_equal(at, 0);
    ws_rows_free(rows);
}

/* Walks `size` bytes of `bytes`; true when the walk ends cleanly. Each byte is reached through a buffer of
 * exactly this size, so a sanitizer sees any step outside. */
static bool walk(const void *bytes, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    ws_cell cells[4];
    size_t at = 0, count, letters = 0;
    uint32_t point, table;
    while (ws_rows_next(copy, size, &at, &point, &table, cells, 4, &count))
        for (size_t i = 0; i < count; i++)
            if (cells[i].text) letters += strlen(cells[i].text);
    free(copy);
    assert_true(letters <= size);
    return at == size;
}

static void test_truncation_is_seen(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    sample(rows);
    const void *bytes;
    size_t size, clean = 0;
    ws_rows_bytes(rows, &bytes, &size);
    for (size_t cut = 0; cut <= size; cut++) clean += walk(bytes, cut);
    assert_int_equal(clean, 4); /* only between rows: after none, one, two, three */
    ws_rows_free(rows);
}

static void test_flipped_bits_are_not_followed(void **state) {
    (void)state;
    ws_rows *rows = ws_rows_new();
    sample(rows);
    const void *bytes;
    size_t size;
    ws_rows_bytes(rows, &bytes, &size);
    unsigned char *copy = malloc(size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        memcpy(copy, bytes, size);
        copy[bit / 8] ^= (unsigned char)(1u << (bit % 8));
        walk(copy, size);
    }
    free(copy);
    ws_rows_free(rows);
}

/* Rows as other programs may write them: what is no row is refused, also where all bytes are there. */
static void test_damage_is_seen(void **state) {
    (void)state;
    enum { HEADER = 16 }; /* bytes of a row's header */
    ws_rows *rows = ws_rows_new();
    ws_rows_begin(rows, 1, 0);
    ws_rows_real(rows, 0.5);
    const void *bytes;
    size_t size;
    ws_rows_bytes(rows, &bytes, &size);
    assert_true(walk(bytes, size));
    unsigned char *copy = malloc(size + 1);
    const double worse[] = {NAN, INFINITY};
    for (int i = 0; i < 2; i++) { /* no number that SQL holds */
        memcpy(copy, bytes, size);
        memcpy(copy + HEADER + 1, &worse[i], sizeof worse[i]);
        assert_false(walk(copy, size));
    }
    memcpy(copy, bytes, size); /* a byte behind the last cell */
    memmove(copy + HEADER + 10, copy + HEADER + 9, size - HEADER - 9);
    copy[0]++;
    assert_false(walk(copy, size + 1));
    free(copy);
    ws_rows_free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_what_is_none_is_unknown),
        cmocka_unit_test(test_cell_outside_a_row),
        cmocka_unit_test(test_too_little_room),
        cmocka_unit_test(test_truncation_is_seen),
        cmocka_unit_test(test_flipped_bits_are_not_followed),
        cmocka_unit_test(test_damage_is_seen),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
