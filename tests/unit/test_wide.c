/* Loops over eight numbers at a time, against one number at a time, for counts that leave every remainder. */
#include "base/random.h"
#include "base/wide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 40 };

static void the_largest_is_found_wherever_it_lies(void **state) {
    (void)state;
    uint32_t number[MOST];
    for (size_t count = 0; count <= MOST; count++) {
        for (size_t i = 0; i < MOST; i++) number[i] = i < count ? (uint32_t)i % 5 : UINT32_MAX;
        assert_int_equal(ws_largest(number, count), count < 5 ? count - (count > 0) : 4);
        for (size_t at = 0; at < count; at++) {
            uint32_t before = number[at];
            number[at] = UINT32_C(0x80000000) + (uint32_t)at; /* numbers have no sign */
            assert_int_equal(ws_largest(number, count), number[at]);
            number[at] = before;
        }
    }
}

static void all_are_shifted_and_none_beyond(void **state) {
    (void)state;
    uint64_t random = 1;
    uint32_t number[MOST], to[MOST];
    for (size_t i = 0; i < MOST; i++) number[i] = (uint32_t)ws_random_next(&random) | 1;
    for (unsigned bits = 0; bits < 32; bits++)
        for (size_t count = 0; count < MOST; count++) {
            for (size_t i = 0; i < MOST; i++) to[i] = UINT32_MAX;
            ws_shift_right(number, count, bits, to);
            for (size_t i = 0; i < count; i++) assert_int_equal(to[i], number[i] >> bits);
            assert_int_equal(to[count], UINT32_MAX);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_is_found_wherever_it_lies),
        cmocka_unit_test(all_are_shifted_and_none_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
