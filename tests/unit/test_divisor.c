/* Divisors compared with the processor's division: all small numbers, and large ones around multiples and powers of
 * two. */
#include "base/divisor.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void divides(uint64_t number, ws_divisor by) {
    assert_true(ws_quotient(number, by) == number / by.value);
    assert_true(ws_remainder(number, by) == number % by.value);
}

static void divides_around(uint64_t number, ws_divisor by) {
    for (uint64_t n = number - 2; n != number + 3; n++) divides(n, by);
}

static void small_numbers(void **state) {
    (void)state;
    for (uint64_t value = 1; value < 300; value++)
        for (uint64_t number = 0; number < 3000; number++) divides(number, ws_divisor_of(value));
}

static void large_numbers(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 20000; round++) {
        uint64_t value = random_next(&random) >> random_below(&random, 64);
        ws_divisor by = ws_divisor_of(value ? value : 1);
        divides(random_next(&random), by);
        divides_around(UINT64_C(1) << random_below(&random, 64), by);
        divides_around((random_next(&random) >> random_below(&random, 64)) / by.value * by.value, by);
        divides_around(0, by);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_numbers), cmocka_unit_test(large_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
