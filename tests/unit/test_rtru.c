/* The analysis `rtru`: equal to counting the trace's instructions; the published CTA of XI Fig. 21; laws. */
#include "analysis/parts/lifetimes.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("rtru", NULL);
}

/* Returns the analysis's rows for kernel `index`, after a replay. */
static char *rows_of(const ws_trace *trace, uint32_t index, const ws_config *config) {
    stream s = stream_replayed(trace, index, config, analysis());
    char *rows = stream_rows(&s, analysis(), config, NULL);
    stream_free(&s);
    return rows;
}

/* ---- CTAs */

static lifetimes_cta cta_of(const uint64_t *times, uint32_t warps, double *rtru) {
    lifetimes l;
    assert_true(lifetimes_init(&l, 1, warps));
    for (uint32_t w = 0; w < warps; w++) l.start[w] = 1000, l.end[w] = 1000 + times[w];
    lifetimes_cta c = lifetimes_of_cta(&l, 0);
    *rtru = lifetimes_rtru(&c);
    lifetimes_free(&l);
    return c;
}

/* XI Fig. 21: CTA 0 of RAY. The text gives five of the six times; the published 49.7 % needs a second warp that ends
 * last. */
static void published_cta(void **state) {
    (void)state;
    const uint64_t ray[] = {5645, 5646, 6731, 6762, 24332, 24332};
    double rtru;
    lifetimes_cta c = cta_of(ray, 6, &rtru);
    assert_float_equal(100 * rtru, 49.7, 0.05);
    assert_int_equal(c.longest, 24332);
    assert_int_equal(c.wasted, 4 * 24332 - 5645 - 5646 - 6731 - 6762);
    assert_int_equal(c.held, 6 * 24332);
}

static void closed_forms(void **state) {
    (void)state;
    double rtru;
    const uint64_t even[] = {7, 7, 7}, alone[] = {9}, nothing[] = {0, 0}, one_of_four[] = {0, 0, 12, 0};
    cta_of(even, 3, &rtru);
    assert_true(rtru == 0);
    cta_of(alone, 1, &rtru);
    assert_true(rtru == 0);
    assert_int_equal(cta_of(nothing, 2, &rtru).held, 0);
    assert_true(rtru == 0);
    cta_of(one_of_four, 4, &rtru);
    assert_true(rtru == 0.75);
}

/* Laws for the times of a random CTA: scaling all of them does not change RTRU, a longer longest warp does not lower
 * it, and a longer short warp does. It is at most 1 - 1/N. */
static void laws_of_a_cta(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed, times[32];
        uint32_t warps = 2 + random_below(&random, 31), longest = 0;
        for (uint32_t w = 0; w < warps; w++) {
            times[w] = random_below(&random, 1000);
            if (times[w] > times[longest]) longest = w;
        }
        times[longest]++;
        double rtru, scaled, worse, better;
        cta_of(times, warps, &rtru);
        assert_float_equal(rtru, naive_rtru_of(times, warps), 1e-12);
        assert_true(rtru >= 0 && rtru <= 1 - 1.0 / warps + 1e-12);
        for (uint32_t w = 0; w < warps; w++) times[w] *= 3;
        cta_of(times, warps, &scaled);
        assert_true(scaled == rtru);
        times[longest]++;
        cta_of(times, warps, &worse);
        assert_true(worse >= rtru);
        times[(longest + 1) % warps]++;
        cta_of(times, warps, &better);
        assert_true(better < worse);
    }
}

/* ---- kernels */

static void random_traces_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        uint32_t warp_size = random_one_in(&random, 3) ? 64 : 32;
        ws_trace *trace = generate_random(seed, warp_size);
        for (uint32_t kernel = 1; kernel <= 2; kernel++) {
            bool meta = random_one_in(&random, 3);
            int64_t bin = 1 + random_below(&random, random_one_in(&random, 2) ? 4 : 40);
            int64_t cta = (int64_t)random_below(&random, 30) - 1;
            uint32_t all = (uint32_t)ws_trace_kernel(trace, kernel)->counters.ctas,
                     limit = random_one_in(&random, 2) ? 1 + random_below(&random, 20) : all;
            ws_config *config = config_for(analysis());
            config_set_number(config, "limit.ctas", limit);
            config_set_number(config, "rtru.bin", bin);
            config_set_number(config, "rtru.cta", cta);
            config_set(config, "order.issue_meta", meta ? "true" : "false");
            uint32_t warps = stream_info(trace, kernel, config).warps_per_cta;
            naive_divergence expected =
                naive_rtru(trace, kernel, limit < all ? limit : all, warps, meta, bin, cta);
            char *got = rows_of(trace, kernel, config), *rest = strchr(got, '\n') + 1;
            assert_string_equal(rest, expected.rows);
            unsigned long long ctas, even, wasted, held;
            double sum, log_sum, most;
            assert_int_equal(sscanf(got, "0 0 %llu %llu %lf %lf %lf %llu %llu", &ctas, &even, &sum, &log_sum,
                                    &most, &wasted, &held),
                             7);
            assert_int_equal(ctas, expected.ctas);
            assert_int_equal(even, expected.even);
            if (ctas > 0) {
                assert_float_equal(sum / (double)ctas, expected.mean, 1e-9);
                assert_float_equal((double)wasted / (double)held, expected.weighted, 1e-12);
            }
            if (ctas > even)
                assert_float_equal(exp(log_sum / (double)(ctas - even)), expected.geomean, 1e-9);
            else
                assert_true(log_sum == 0);
            assert_true(most == expected.most);
            free(got);
            free(expected.rows);
            ws_config_free(config);
        }
        ws_trace_close(trace);
    }
}

/* The order in which warps issue, and the SMs that they run on, do not change how much a warp executes. */
static void the_order_does_not_matter(void **state) {
    (void)state;
    ws_trace *trace = generate_random(3, 32);
    ws_config *config = config_for(analysis());
    char *rows = rows_of(trace, 1, config);
    config_set(config, "sm.scheduler", "\"lrr\"");
    config_set_number(config, "gpu.clusters", 2);
    config_set_number(config, "order.load_delay_issues", 0);
    char *other = rows_of(trace, 1, config);
    assert_string_equal(rows, other);
    free(rows);
    free(other);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void order_has_no_times_and_says_so(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    ws_config *config = config_for(analysis());
    config_set(config, "rtru.source", "\"replay\"");
    char *rows = rows_of(trace, 1, config);
    assert_non_null(strstr(rows, "0 0 fidelity_order_has_no_cycles,_which_rtru.source_=_replay_needs"));
    assert_null(strstr(rows, "\n0 1 ")); /* no row of a CTA */
    assert_non_null(strstr(rows, "\n0 2 "));
    free(rows);
    ws_config_free(config);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_cta),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(laws_of_a_cta),
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(order_has_no_times_and_says_so),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
