/* Loops over eight numbers at a time, against one number at a time, for counts that leave every remainder; and the
 * lanes of four numbers. */
#include "analysis/parts/lanes.h"
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

static void a_condition_of_any_lane_counts(void **state) {
    (void)state;
    for (unsigned set = 0; set < 1u << WS_LANES; set++) {
        ws_lanes condition, yes, no;
        for (unsigned i = 0; i < WS_LANES; i++) {
            condition[i] = set >> i & 1 ? -1 : 0;
            yes[i] = 5 + (int32_t)i;
            no[i] = -(int32_t)i;
        }
        assert_int_equal(ws_lanes_any(condition), set != 0);
        ws_lanes chosen = ws_lanes_choose(condition, yes, no);
        for (unsigned i = 0; i < WS_LANES; i++) assert_int_equal(chosen[i], set >> i & 1 ? yes[i] : no[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_is_found_wherever_it_lies),
        cmocka_unit_test(all_are_shifted_and_none_beyond),
        cmocka_unit_test(a_condition_of_any_lane_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
