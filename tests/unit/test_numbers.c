/* Numbers for what is met: dense, in the order of first meetings. */
#include "analysis/parts/numbers.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THINGS = 5000 };

static void numbers_are_dense_and_stay(void **state) {
    (void)state;
    uint32_t *number = calloc(THINGS, sizeof *number); /* + 1; 0: not met */
    uint64_t random = 4;
    ws_numbers n = {0};
    for (uint32_t stride = 1; stride < 1000000; stride *= 16) {
        uint32_t count = 0;
        for (int i = 0; i < 4 * THINGS; i++) {
            uint32_t thing = random_below(&random, THINGS);
            assert_int_equal(ws_numbers_find(&n, thing * stride), number[thing] - 1);
            if (random_one_in(&random, 3)) continue;
            if (!number[thing]) number[thing] = ++count;
            assert_int_equal(ws_numbers_meet(&n, thing * stride), number[thing] - 1);
            assert_int_equal(n.count, count);
            assert_true(2 * count <= n.room);
        }
        assert_true(count > THINGS / 2);
        ws_numbers_clear(&n);
        for (uint32_t thing = 0; thing < THINGS; thing++) {
            assert_int_equal(ws_numbers_find(&n, thing * stride), WS_NUMBERS_NONE);
            number[thing] = 0;
        }
    }
    ws_numbers_free(&n);
    free(number);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_dense_and_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
