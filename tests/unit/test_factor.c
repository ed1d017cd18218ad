/* Multiplication by ratios compared with the processor's division: all small ratios, and the largest numbers that are
 * exact. */
#include "base/factor.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void multiplies(uint64_t number, uint64_t of, uint64_t to) {
    ws_factor ratio = ws_factor_of(of, to);
    ws_uint128 product = (ws_uint128)number * of;
    assert_true(ws_times_down(number, &ratio) == (uint64_t)(product / to));
    assert_true(ws_times_up(number, &ratio) == (uint64_t)((product + to - 1) / to));
}

static void small_ratios(void **state) {
    (void)state;
    for (uint64_t of = 1; of < 60; of++)
        for (uint64_t to = 1; to < 60; to++)
            for (uint64_t number = 0; number < 300; number++) multiplies(number, of, to);
}

static void large_numbers(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 100000; round++) {
        uint64_t of = 1 + random_below(&random, 4000000000), to = 1 + random_below(&random, 4000000000),
                 last = UINT64_MAX / to;
        multiplies(last, of, to);
        multiplies(last / to * to, of, to);
        multiplies(random_next(&random) % last, of, to);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_ratios), cmocka_unit_test(large_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
