/* The columns of a period, from counters that all differ. */
#include "analysis/timeline.h"

#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define X(name, unit, help, value) #name,
static const char *const columns[] = {WS_TIMELINE(X)}, *const ratios[] = {WS_TIMELINE_RATIOS(X)};
#undef X

/* The n-th counter counts 1000 + n, so that none is taken for another. */
static void count(ws_timed_counters *before, ws_timed_counters *after) {
    uint64_t n = 0;
#define X(name, unit, help)                                                                                  \
    before->name = n;                                                                                        \
    after->name = 1000 + 2 * n;                                                                              \
    n++;
    WS_TIMED_COUNTERS(X)
#undef X
}

static size_t place_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    fail_msg("no column %s", name);
    return 0;
}

static int64_t value_of(const char *column, const ws_timed_sample *sample, const ws_timed_counters *before) {
    int64_t values[WS_TIMELINE_COLUMNS];
    ws_timeline_values(sample, before, values);
    return values[place_of(column, columns, WS_COUNT(columns))];
}

static void columns_are_what_came_in_the_period(void **state) {
    (void)state;
    ws_timed_counters before, after, d;
    count(&before, &after);
#define X(name, unit, help) d.name = after.name - before.name;
    WS_TIMED_COUNTERS(X)
#undef X
    const ws_timed_sample sample = {
        .cycle = 11, .ctas = 12, .warps = 13, .mshr_entries = 14, .counters = &after};
    const struct {
        const char *column;
        uint64_t value;
    } cases[] = {{"cycle", 11},
                 {"cycles", d.cycles},
                 {"ctas", 12},
                 {"warps", 13},
                 {"mshr_entries", 14},
                 {"sm_cycles", d.sm_cycles},
                 {"warp_cycles", d.warp_cycles},
                 {"l1_accesses", d.l1_accesses},
                 {"l1_misses", d.l1_misses + d.l1_sector_misses},
                 {"l1_retries", d.l1_retries_set_full + d.l1_retries_mshr_full + d.l1_retries_merge_full +
                                    d.l1_retries_miss_queue_full},
                 {"dram_bursts", d.dram_reads + d.dram_writes}};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        assert_int_equal(value_of(cases[i].column, &sample, &before), cases[i].value);
}

static double ratio_of(const char *name, const int64_t values[WS_TIMELINE_COLUMNS]) {
    double all[WS_TIMELINE_RATIO_COUNT];
    ws_timeline_ratios(values, all);
    return all[place_of(name, ratios, WS_COUNT(ratios))];
}

static void ratios_are_unknown_without_cycles(void **state) {
    (void)state;
    int64_t values[WS_TIMELINE_COLUMNS] = {0};
    for (size_t i = 0; i < WS_COUNT(ratios); i++)
        if (strcmp(ratios[i], "l1_stalled") != 0) assert_true(isnan(ratio_of(ratios[i], values)));
    values[place_of("sm_cycles", columns, WS_COUNT(columns))] = 8;
    values[place_of("l1_retries", columns, WS_COUNT(columns))] = 4;
    assert_true(ratio_of("l1_stalled", values) == 0.5);
    values[place_of("l1_retries", columns, WS_COUNT(columns))] = 12; /* several banks are stalled at a time */
    assert_true(ratio_of("l1_stalled", values) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_what_came_in_the_period),
        cmocka_unit_test(ratios_are_unknown_without_cycles),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
