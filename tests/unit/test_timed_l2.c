/* A slice of the L2: what its tags, its data port and its miss queue hold up. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* One slice of eight lines in one set. */
#define SLICE "gpu.clusters=1,dram.channels=1,l2.slices_per_channel=1,l2.size_B=1024,l2.ways=8"

/* One warp: stores to so many lines, then loads of so many others. */
static ws_timed_counters play(uint32_t stores, uint32_t loads, const char *settings) {
    char script[2000], *end = script;
    for (uint32_t i = 0; i < stores; i++) end += sprintf(end, "S%u ", i);
    for (uint32_t i = 0; i < loads; i++) end += sprintf(end, "L%u ", 1000 + i);
    const char *warps[] = {script, NULL};
    ws_trace *trace = generate_script(warps);
    ws_timed_counters counters = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return counters;
}

/* The tags take a line's four sectors in four cycles; to write a line back its four are read first, while no other
 * sector is served. */
static void stores_wait_for_what_they_evict(void **state) {
    (void)state;
    const char *no_waits = SLICE ",noc.flit_B=0";
    assert_int_equal(play(8, 0, no_waits).cycles - play(6, 0, no_waits).cycles, 2 * 4);
    assert_int_equal(play(40, 0, no_waits).cycles - play(30, 0, no_waits).cycles, 10 * (4 + 3));
    assert_int_equal(play(40, 0, no_waits).l2_retries, 0);
}

/* A load that evicts does not wait for its data port. It gives the miss queue four sectors in four cycles, as many as
 * leave it, and what it writes back. */
static void loads_that_evict_fill_the_miss_queue(void **state) {
    (void)state;
    const char *wide = SLICE ",noc.flit_B=0,l2.miss_queue=64",
               *narrow = SLICE ",noc.flit_B=0,l2.miss_queue=2";
    assert_int_equal(play(8, 8, wide).l2_retries, 0);
    assert_int_equal(play(8, 1, narrow).l2_retries, 0);
    assert_int_equal(play(8, 8, narrow).l2_retries, 7);
    assert_int_equal(play(8, 8, SLICE ",noc.flit_B=0,l2.miss_queue=4").l2_retries, 5);
    assert_int_equal(play(0, 8, narrow).l2_retries, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_wait_for_what_they_evict),
        cmocka_unit_test(loads_that_evict_fill_the_miss_queue),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
