/* The precomputed clocks of cores and DRAM compared with their definition: sums of periods, cycle by cycle. */
#include "timed/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CYCLES = 30000 };

/* A DRAM cycle belongs to the turn of the first core cycle that does not begin before it. */
static void check(uint64_t core_kHz, uint64_t dram_kHz) {
    ws_clocks *clocks = malloc(sizeof *clocks);
    assert_non_null(clocks);
    ws_clocks_init(clocks, core_kHz, dram_kHz);
    double core_period = 1 / ((double)core_kHz / 1000 * 1000000), core = 0;
    double dram_period = 1 / ((double)dram_kHz / 1000 * 1000000), dram = 0;
    for (uint64_t cycle = 0, tick = 0; cycle < CYCLES; cycle++, core += core_period) {
        for (; dram <= core; dram += dram_period) assert_int_equal(ws_clocks_cycle_of(clocks, tick++), cycle);
        assert_int_equal(ws_clocks_ticks_through(clocks, cycle), tick);
    }
    free(clocks);
}

static void equal_to_their_definition(void **state) {
    (void)state;
    check(700000, 924000);
    check(1132000, 850000);
    check(1132000, 3500500);
    check(1000000, 1000000);
    check(650000, 325000);
    check(325000, 800000);
}

/* 25 cycles of one clock last as long as 33 of the other, so that they should always begin together; rounding makes
 * DRAM late now and then. */
static void rounding_tells_who_goes_first(void **state) {
    (void)state;
    ws_clocks *clocks = malloc(sizeof *clocks);
    assert_non_null(clocks);
    ws_clocks_init(clocks, 700000, 924000);
    unsigned late = 0, meetings = 1000;
    for (uint64_t n = 0; n < meetings; n++) {
        uint64_t cycle = ws_clocks_cycle_of(clocks, 33 * n);
        assert_in_range(cycle, 25 * n, 25 * n + 1);
        late += cycle != 25 * n;
    }
    assert_in_range(late, 1, meetings - 1);
    free(clocks);
}

/* DRAM may stay idle for longer than the clocks' meetings are remembered. */
static void nobody_has_to_ask_all_the_time(void **state) {
    (void)state;
    ws_clocks *always = malloc(sizeof *always), *seldom = malloc(sizeof *seldom);
    assert_true(always && seldom);
    ws_clocks_init(always, 700000, 350000);
    ws_clocks_init(seldom, 700000, 350000);
    for (uint64_t cycle = 0; cycle < 2000000; cycle++) {
        uint64_t ticks = ws_clocks_ticks_through(always, cycle);
        if (cycle % 300000 < 1000) assert_int_equal(ws_clocks_ticks_through(seldom, cycle), ticks);
    }
    free(always);
    free(seldom);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_their_definition),
                                       cmocka_unit_test(rounding_tells_who_goes_first),
                                       cmocka_unit_test(nobody_has_to_ask_all_the_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
