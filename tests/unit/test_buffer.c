/* Bytes that are written to a buffer and read again: varints of every length and size, and nothing beyond the end. */
#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef uint64_t read_varint(ws_cursor *);
static read_varint *const readers[] = {ws_cursor_varint, ws_cursor_varint_of_any_size, ws_cursor_varint_slow,
                                       ws_cursor_varint_by_copy};
enum { READERS = sizeof readers / sizeof *readers, VARINT_B = 10 };

/* Seven bits a byte, as few bytes as hold the number. */
static size_t bytes_of(uint64_t value) {
    size_t bytes = 1;
    while (value >>= 7) bytes++;
    return bytes;
}

static void check_varint(uint64_t value) {
    ws_buffer b = {0};
    ws_buffer_put_varint(&b, value);
    assert_int_equal(b.size, bytes_of(value));
    const uint8_t zeros[4] = {0};
    for (size_t behind = 0; behind <= sizeof zeros; behind++) {
        b.size = bytes_of(value);
        ws_buffer_put(&b, zeros, behind);
        for (size_t i = 0; i < READERS; i++) {
            ws_cursor c = ws_cursor_over(b.data, b.size);
            assert_true(readers[i](&c) == value);
            assert_int_equal(ws_cursor_left(&c), behind);
            assert_false(c.failed);
        }
    }
    /* What lies behind the end is not read. */
    for (size_t i = 0; i < READERS; i++)
        for (size_t size = 0; size < bytes_of(value); size++) {
            ws_cursor c = ws_cursor_over(b.data, size);
            readers[i](&c);
            assert_true(c.failed);
            assert_int_equal(ws_cursor_left(&c), 0);
        }
    ws_buffer_free(&b);
}

static void varints_of_every_length(void **state) {
    (void)state;
    for (unsigned shift = 0; shift < 64; shift++)
        for (int d = -1; d <= 1; d++) check_varint((UINT64_C(1) << shift) + (uint64_t)d);
}

static void varints_have_64_bits(void **state) {
    (void)state;
    const uint8_t too_long[VARINT_B] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    for (size_t i = 0; i < READERS; i++) {
        ws_cursor c = ws_cursor_over(too_long, sizeof too_long);
        readers[i](&c);
        assert_true(c.failed);
    }
}

static void signs_are_the_lowest_bit(void **state) {
    (void)state;
    for (int64_t v = -3; v <= 3; v++) {
        assert_int_equal(ws_zigzag(v), v < 0 ? -2 * v - 1 : 2 * v);
        assert_int_equal(ws_unzigzag(ws_zigzag(v)), v);
    }
    assert_int_equal(ws_unzigzag(ws_zigzag(INT64_MIN)), INT64_MIN);
}

/* There is room for what is written, however full the buffer is. */
static void buffers_grow_in_time(void **state) {
    (void)state;
    for (size_t full = 0; full < 300; full++) {
        ws_buffer b = {0};
        for (size_t i = 0; i < full; i++) ws_buffer_put(&b, "", 1);
        ws_buffer_put_varint(&b, UINT64_MAX);
        assert_int_equal(b.size, full + VARINT_B);
        assert_true(b.size <= b.capacity);
        do ws_buffer_put(&b, "x", 1);
        while (b.size < b.capacity);
        ws_buffer_put(&b, "yz", 2);
        assert_true(b.size <= b.capacity);
        assert_memory_equal(b.data + b.size - 3, "xyz", 3);
        ws_buffer_free(&b);
    }
}

static void a_cursor_takes_what_is_left(void **state) {
    (void)state;
    const char *text = "abcd";
    ws_cursor c = ws_cursor_over(text, 3);
    assert_ptr_equal(ws_cursor_take(&c, 1), text);
    assert_null(ws_cursor_take(&c, 3));
    assert_true(c.failed);
    assert_ptr_equal(ws_cursor_take(&c, 2), text + 1);
    assert_int_equal(ws_cursor_left(&c), 0);
    c = ws_cursor_over(NULL, 0);
    assert_int_equal(ws_cursor_left(&c), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_of_every_length),     cmocka_unit_test(varints_have_64_bits),
        cmocka_unit_test(signs_are_the_lowest_bit),    cmocka_unit_test(buffers_grow_in_time),
        cmocka_unit_test(a_cursor_takes_what_is_left),
    };
    return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
