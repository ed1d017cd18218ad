/* Which points a specification means: axes that vary together, derived parameters, conditions, samples. */
#include "sweep/grid/grid.h"
#include "sweep/grid/sample.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_errno.h>

static ws_error err;

/* Returns the points' keys in the grid's order, separated by spaces, as a new string; NULL if the grid was refused. */
static char *points_of(const char *more) {
    err = WS_NO_ERROR;
    ws_spec *spec = ws_spec_load(probe_spec("spec.json", "*.wst", more), probe_analyses, NULL, &err);
    if (!spec) fail_msg("%s", err.text);
    ws_grid *grid = ws_grid_new(spec, &err);
    char *text = NULL;
    size_t size = 0;
    FILE *out = grid ? open_memstream(&text, &size) : NULL;
    for (size_t i = 0; grid && i < grid->count; i++)
        fprintf(out, "%s%s", i ? " " : "", *grid->combos[i].key ? grid->combos[i].key : "default");
    if (out) fclose(out);
    ws_grid_free(grid);
    ws_spec_free(spec);
    return text;
}

static void expect_points(const char *more, const char *expected) {
    char *text = points_of(more);
    if (!text) fail_msg("%s: %s", more, err.text);
    assert_string_equal(text, expected);
    free(text);
}

typedef struct refusal {
    const char *more, *message;
} refusal;

static void expect_refusals(const refusal *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_null(points_of(cases[i].more));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        const char *path = folder_path("spec.json");
        assert_memory_equal(err.text, path, strlen(path));
        assert_string_equal(err.text + strlen(path) + 2, cases[i].message);
    }
}

/* ---- zip */

static void test_zip(void **state) {
    (void)state;
    expect_points("\"axes\": {\"zip\": {\"probe.size\": [2, 3, 4], \"probe.variant\": [5, 6, 7]}}",
                  "probe.size=2;probe.variant=5 probe.size=3;probe.variant=6 probe.size=4;probe.variant=7");
    expect_points("\"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], "
                  "\"zip\": {\"probe.size\": {\"log2\": [2, 4]}, \"probe.variant\": {\"range\": [5, 6]}}}",
                  "probe.size=2;probe.variant=5 probe.size=4;probe.variant=6 "
                  "probe.size=2;probe.variant=5;sm.scheduler=lrr "
                  "probe.size=4;probe.variant=6;sm.scheduler=lrr");
}

static void test_zips_are_axes_of_their_own(void **state) {
    (void)state;
    expect_points("\"axes\": {\"zip\": [{\"probe.size\": [2, 3], \"probe.variant\": [5, 6]}, "
                  "{\"sm.ctas\": [4, 8], \"sm.warps\": [24, 48]}]}",
                  "probe.size=2;probe.variant=5 probe.size=3;probe.variant=6 "
                  "probe.size=2;probe.variant=5;sm.ctas=4;sm.warps=24 "
                  "probe.size=3;probe.variant=6;sm.ctas=4;sm.warps=24");
}

/* ---- derived */

static void test_derived(void **state) {
    (void)state;
    static const struct {
        const char *more, *points;
    } cases[] = {
        {"\"axes\": {\"sm.schedulers\": [1, 4]}, \"derived\": {\"probe.size\": \"32 * sm_schedulers\"}",
         "probe.size=32;sm.schedulers=1 probe.size=128;sm.schedulers=4"},
        /* later expressions see the results of earlier ones, and all see defaults and the base */
        {"\"base\": {\"sm.warps\": 16}, \"derived\": {\"probe.size\": \"sm_warps * sm_schedulers\", "
         "\"probe.variant\": \"probe_size + 1\"}",
         "probe.size=32;probe.variant=33;sm.warps=16"},
        {"\"axes\": {\"probe.size\": [2, 3]}, \"derived\": {\"sm.scheduler\": "
         "\"CASE WHEN probe_size = 2 THEN 'lrr' ELSE 'gto' END\", \"order.issue_meta\": \"probe_size = 3\"}",
         "order.issue_meta=true;probe.size=3 probe.size=2;sm.scheduler=lrr"},
        {"\"axes\": {\"probe.size\": [2, 3]}, \"derived\": {\"probe.variant\": "
         "\"(SELECT max(probe_size) FROM point) -- of all points\"}",
         "probe.size=2;probe.variant=3 probe.size=3;probe.variant=3"},
        /* what an expression reads of its own parameter is the values before, of all points */
        {"\"axes\": {\"sm.warps\": [8, 16, 24]}, \"derived\": {\"probe.size\": "
         "\"(SELECT sum(q.probe_size + 1) FROM point q WHERE q.sm_warps <= point.sm_warps)\"}",
         "probe.size=4;sm.warps=16 probe.size=6;sm.warps=24 probe.size=2;sm.warps=8"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) expect_points(cases[i].more, cases[i].points);
}

static void test_derived_refused(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"\"axes\": {\"sm.schedulers\": [1, 4]}, \"derived\": {\"probe.size\": \"400000 * sm_schedulers\"}",
         "$.derived['probe.size']: \"400000 * sm_schedulers\" at sm.schedulers=4: expected an "
         "integer from 0 to 1000000 (lines), found 1600000"},
        {"\"derived\": {\"probe.size\": \"0.5 * sm_warps\"}",
         "$.derived['probe.size']: \"0.5 * sm_warps\": expected an integer from 0 to 1000000 "
         "(lines), found 24.0; CAST(.. AS INTEGER) makes one of it"},
        {"\"derived\": {\"probe.size\": \"1 / 0\"}",
         "$.derived['probe.size']: \"1 / 0\": expected an integer from 0 to 1000000 (lines)"
         ", found null"},
        {"\"derived\": {\"probe.size\": \"9e999\"}",
         "$.derived['probe.size']: \"9e999\": expected a finite number, found another"},
        {"\"derived\": {\"probe.size\": \"CAST(X'ff' AS TEXT)\"}",
         "$.derived['probe.size']: \"CAST(X'ff' AS TEXT)\": expected UTF-8, found other bytes"},
        {"\"derived\": {\"order.issue_meta\": \"2\"}",
         "$.derived['order.issue_meta']: \"2\": expected true or false, found 2"},
        {"\"derived\": {\"sm.scheduler\": \"'fifo'\"}",
         "$.derived['sm.scheduler']: \"'fifo'\": expected one of \"lrr\", \"gto\", \"two_level\", \"swl\""
         ", found \"fifo\""},
        {"\"derived\": {\"probe.size\": \"sm_warp\"}",
         "$.derived['probe.size']: \"sm_warp\": no such column: sm_warp; did you mean 'sm_warps'?"},
        {"\"derived\": {\"probe.size\": \"probe_size + probe_variant\", \"probe.variant\": \"2\"}",
         "$.derived['probe.size']: \"probe_size + probe_variant\": expected parameters that have their "
         "values, "
         "found probe.variant, which 'derived' sets after this one: put probe.variant before it"},
        {"\"derived\": {\"probe.size\": \"1 +\"}",
         "$.derived['probe.size']: \"1 +\": expected an expression, found an incomplete one"},
        {"\"derived\": {\"probe.size\": \"\"}",
         "$.derived['probe.size']: \"\": expected an expression, found an incomplete one"},
        {"\"derived\": {\"probe.size\": \"1), probe_variant = (2\"}",
         "$.derived['probe.size']: \"1), probe_variant = (2\": near \")\": syntax error"},
        {"\"derived\": {\"probe.size\": \"max(1)\"}",
         "$.derived['probe.size']: \"max(1)\": misuse of aggregate function max()"},
        {"\"derived\": {\"probe.size\": \"row_number() OVER ()\"}",
         "$.derived['probe.size']: \"row_number() OVER ()\": misuse of window function row_number()"},
        {"\"derived\": {\"probe.size\": \"medan(sm_warps)\"}", /* median() is none here */
         "$.derived['probe.size']: \"medan(sm_warps)\": no such function: medan"},
        {"\"derived\": {\"probe.size\": \"abs(random()) % 9\"}",
         "$.derived['probe.size']: \"abs(random()) % 9\": not authorized to use function: random"},
        {"\"derived\": {\"probe.size\": \"abs('-9223372036854775808')\"}",
         "$.derived['probe.size']: \"abs('-9223372036854775808')\": expected an integer from "
         "0 to 1000000 (lines), found 9.22337203685478e18"},
        {"\"derived\": {\"probe.size\": \"abs(-9223372036854775807 - 1)\"}",
         "$.derived['probe.size']: \"abs(-9223372036854775807 - 1)\": integer overflow"},
        {"\"axes\": {\"sm.warps\": [8]}, \"derived\": {\"probe.size\": \"5\", \"probe.variant\": \"'x'\"}",
         "$.derived['probe.variant']: \"'x'\" at sm.warps=8, probe.size=5: expected an integer from 0 to "
         "1000000, found \"x\""},
    };
    expect_refusals(cases, WS_COUNT(cases));
}

/* ---- where */

static void test_where(void **state) {
    (void)state;
    static const struct {
        const char *more, *points;
    } cases[] = {
        {"\"axes\": {\"probe.size\": {\"range\": [2, 9]}}, \"where\": \"probe_size % 3 = 0\"",
         "probe.size=3 probe.size=6 probe.size=9"},
        {"\"axes\": {\"probe.size\": [2, 3], \"probe.variant\": [2, 3]}, \"where\": "
         "\"probe_size <> probe_variant AND sm_scheduler = 'gto'\"",
         "probe.size=3;probe.variant=2 probe.size=2;probe.variant=3"},
        /* in whatever order SQLite looks for them */
        {"\"axes\": {\"probe.size\": {\"range\": [2, 9]}}, \"where\": \"number > 5 OR number < 1 OR number = "
         "3\"",
         "probe.size=2 probe.size=5 probe.size=8 probe.size=9"},
        /* NULL is not true */
        {"\"axes\": {\"probe.size\": [2, 3]}, \"where\": \"nullif(probe_size, 2)\"", "probe.size=3"},
        /* points that a component would refuse, or with derived values out of bounds, may be left out */
        {"\"axes\": {\"probe.variant\": [12, 13, 14]}, \"where\": \"probe_variant <> 13\"",
         "probe.variant=12 probe.variant=14"},
        {"\"axes\": {\"probe.variant\": [1, 2]}, \"derived\": {\"probe.size\": \"600000 * probe_variant\"}, "
         "\"where\": \"probe_size < 1000000\"",
         "probe.size=600000;probe.variant=1"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) expect_points(cases[i].more, cases[i].points);
}

static void test_where_refused(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"\"axes\": {\"probe.size\": [2, 3]}, \"where\": \"probe_size > 3\"",
         "$.where: \"probe_size > 3\": expected some of the 2 combinations to stay, found none"},
        {"\"where\": \"probe_size > ?1\"", "$.where: \"probe_size > ?1\": expected values, found the "
                                           "variable ?1, to which nothing gives one: write "
                                           "its value"},
        {"\"where\": \"probe_sise > 3\"",
         "$.where: \"probe_sise > 3\": no such column: probe_sise; did you mean 'probe_size'?"},
        {"\"where\": \"probe.size > 3\"",
         "$.where: \"probe.size > 3\": no such column: probe.size; did you mean 'probe_size'?"},
        {"\"where\": \"sm_scheduler = \\\"gto\\\"\"",
         "$.where: \"sm_scheduler = \"gto\"\": no such column: gto; a text is written 'gto'"},
        {"\"where\": \"1) UNION ALL SELECT 99 WHERE (1\"",
         "$.where: \"1) UNION ALL SELECT 99 WHERE (1\": near \")\": syntax error"},
        {"\"axes\": {\"probe.size\": [2, 3]}, \"where\": \"1) OR (0\"",
         "$.where: \"1) OR (0\": near \")\": syntax error"},
        {"\"where\": \"1); DROP TABLE point; --\"",
         "$.where: \"1); DROP TABLE point; --\": near \")\": syntax error"},
        {"\"where\": \"1) THEN 1 END; --\"", "$.where: \"1) THEN 1 END; --\": near \"THEN\": syntax error"},
        {"\"where\": \"EXISTS (SELECT 1 FROM sqlite_schema WHERE name = current_date)\"",
         "$.where: \"EXISTS (SELECT 1 FROM sqlite_schema WHERE name = current_date)\": not authorized to use "
         "function: current_date"},
        {"\"where\": \"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)\"",
         "$.where: \"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)\": "
         "not "
         "authorized"},
        {"\"axes\": {\"probe.variant\": [12, 13]}, \"where\": \"probe_variant > 12\"",
         "$.axes at probe.variant=13: probe.variant must not be 13, or leave such combinations out by "
         "$.where"},
    };
    expect_refusals(cases, WS_COUNT(cases));
}

/* ---- sampling */

/* The sample of a grid of `side` x `side` points, in which probe.size and probe.variant count from FIRST on: which
 * points are in it. */
enum { SIDE = 16, FIRST = 100 };
typedef struct sample {
    bool there[SIDE][SIDE];
    size_t count;
} sample;

static sample sample_of(unsigned side, const char *where, const char *method, unsigned points,
                        unsigned seed) {
    char more[400];
    snprintf(more, sizeof more,
             "\"axes\": {\"probe.size\": {\"range\": [%d, %d]}, \"probe.variant\": {\"range\": [%d, %d]}}, "
             "\"where\": \"%s\", \"sampling\": {\"method\": \"%s\", \"points\": %u, \"seed\": %u}",
             FIRST, FIRST + (int)side - 1, FIRST, FIRST + (int)side - 1, where, method, points, seed);
    char *text = points_of(more);
    if (!text) fail_msg("%s", err.text);
    sample s = {0};
    unsigned size, variant;
    for (char *save, *key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save), s.count++) {
        assert_int_equal(sscanf(key, "probe.size=%u;probe.variant=%u", &size, &variant), 2);
        s.there[size - FIRST][variant - FIRST] = true;
    }
    free(text);
    return s;
}

static void test_samples_are_reproducible(void **state) {
    (void)state;
    static const char *const methods[] = {"random", "sobol"};
    for (size_t m = 0; m < 2; m++) {
        sample a = sample_of(SIDE, "1", methods[m], 20, 3), b = sample_of(SIDE, "1", methods[m], 20, 3),
               c = sample_of(SIDE, "1", methods[m], 20, 4);
        assert_int_equal(a.count, 20);
        assert_memory_equal(a.there, b.there, sizeof a.there);
        assert_memory_not_equal(a.there, c.there, sizeof a.there);
    }
}

/* GSL's own handler would, and once a sample has been drawn it is off for good. */
static void test_no_error_of_gsl_aborts(void **state) {
    (void)state;
    sample_of(SIDE, "1", "random", 1, 3);
    gsl_error("no memory", __FILE__, __LINE__, GSL_ENOMEM);
}

/* A sample has as many points as asked for, up to all, and only points that `where` has left. */
static void test_samples_stay_within(void **state) {
    (void)state;
    static const char *const methods[] = {"random", "sobol"};
    for (size_t m = 0; m < 2; m++)
        for (unsigned points = 1; points <= 20; points++) {
            sample s = sample_of(5, "probe_size <> 102", methods[m], points, 7);
            assert_int_equal(s.count, points);
            for (unsigned variant = 0; variant < SIDE; variant++) assert_false(s.there[2][variant]);
        }
}

/* 15 points of Sobol's sequence, with any shift: no two lie in the same one of the 16 rows, or of the 16 columns. */
static void test_sobol_is_even(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 50; seed++) {
        sample s = sample_of(SIDE, "1", "sobol", 15, seed);
        for (unsigned i = 0; i < SIDE; i++) {
            unsigned row = 0, column = 0;
            for (unsigned j = 0; j < SIDE; j++) row += s.there[i][j], column += s.there[j][i];
            assert_in_range(row, 0, 1);
            assert_in_range(column, 0, 1);
        }
    }
}

/* All of 25 points, with any shift: where the sequence meets a point again, the next one that is left is taken, behind
 * the last the first. */
static void test_sobol_takes_all(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 60; seed++)
        assert_int_equal(sample_of(5, "1", "sobol", 25, seed).count, 25);
}

static void test_sobol_grows(void **state) {
    (void)state;
    sample all = sample_of(SIDE, "1", "sobol", 200, 5);
    for (unsigned points = 1; points < 200; points += 13) {
        sample s = sample_of(SIDE, "1", "sobol", points, 5);
        for (unsigned i = 0; i < SIDE; i++)
            for (unsigned j = 0; j < SIDE; j++) assert_true(all.there[i][j] || !s.there[i][j]);
    }
}

/* Sampling 4 of 16 points a thousand times takes each point 250 times, give or take 5 standard deviations (of 13.7). */
static void test_random_is_fair(void **state) {
    (void)state;
    unsigned seen[4][4] = {0};
    for (unsigned seed = 1; seed <= 1000; seed++) {
        sample s = sample_of(4, "1", "random", 4, seed);
        for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 0; j < 4; j++) seen[i][j] += s.there[i][j];
    }
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++) assert_in_range(seen[i][j], 250 - 68, 250 + 68);
}

/* A sample of 10^8 combinations, of which only a few are ever made: of some that `where` leaves, too. */
static char *sample_of_many(const char *method, const char *where, unsigned points) {
    char more[400];
    snprintf(more, sizeof more,
             "\"axes\": {\"probe.size\": {\"range\": [1, 10000]}, \"probe.variant\": {\"range\": [1, "
             "10000]}}, "
             "%s\"sampling\": {\"method\": \"%s\", \"points\": %u, \"seed\": 3}",
             where, method, points);
    char *text = points_of(more);
    if (!text) fail_msg("%s", err.text);
    return text;
}

static void test_samples_of_many(void **state) {
    (void)state;
    static const char *const methods[] = {"random", "sobol"}, *const wheres[] = {
                                                                  "", "\"where\": \"probe_size % 5 = 2\", "};
    enum { POINTS = 40 };
    for (size_t m = 0; m < 2; m++)
        for (size_t w = 0; w < 2; w++) {
            char *text = sample_of_many(methods[m], wheres[w], POINTS),
                 *again = sample_of_many(methods[m], wheres[w], POINTS),
                 *fewer = sample_of_many(methods[m], wheres[w], POINTS / 4), *save, *saved_fewer;
            assert_string_equal(text, again);
            for (char *key = strtok_r(fewer, " ", &saved_fewer); key; key = strtok_r(NULL, " ", &saved_fewer))
                assert_non_null(strstr(text, key)); /* the longer sample contains the shorter */
            unsigned count = 0, size, variant, halves[2] = {0};
            for (char *key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save), count++) {
                assert_int_equal(sscanf(key, "probe.size=%u;probe.variant=%u", &size, &variant), 2);
                assert_true(size >= 1 && size <= 10000 && (!w || size % 5 == 2));
                halves[variant > 5000]++;
            }
            assert_int_equal(count, POINTS);
            assert_true(halves[0] >= POINTS / 4 && halves[1] >= POINTS / 4);
            free(text);
            free(again);
            free(fewer);
        }
}

/* Of a thousand times as many drawn, some would come twice. */
static void test_drawn_ones_differ(void **state) {
    (void)state;
    char *text = points_of(
        "\"axes\": {\"probe.size\": {\"range\": [1, 1001]}, \"probe.variant\": {\"range\": [20, 1019]}}, "
        "\"sampling\": {\"method\": \"random\", \"points\": 4000}");
    if (!text) fail_msg("%s", err.text);
    size_t count = 0;
    for (char *save, *key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save)) count++;
    assert_int_equal(count, 4000);
    free(text);
}

/* A value that appears twice counts once, for conditions and samples, too: one of all points has all points. */
static void test_values_that_appear_twice(void **state) {
    (void)state;
    static const char *const rests[] = {
        "", "\"where\": \"(SELECT count(*) FROM point) = 6\"",
        "\"sampling\": {\"method\": \"random\", \"points\": 6}",
        "\"where\": \"probe_size\", \"sampling\": {\"method\": \"sobol\", \"points\": 6}"};
    for (size_t i = 0; i < WS_COUNT(rests); i++) {
        char more[400];
        snprintf(more, sizeof more,
                 "\"axes\": {\"probe.size\": [3, 4, {\"range\": [2, 4]}, 3], \"zip\": {\"probe.variant\": "
                 "[7, 5, 7, 5], \"probe.guilty\": [8, 6, 8, 6]}}%s%s",
                 *rests[i] ? ", " : "", rests[i]);
        expect_points(
            more, "probe.guilty=6;probe.size=2;probe.variant=5 probe.guilty=6;probe.size=3;probe.variant=5 "
                  "probe.guilty=6;probe.size=4;probe.variant=5 probe.guilty=8;probe.size=2;probe.variant=7 "
                  "probe.guilty=8;probe.size=3;probe.variant=7 probe.guilty=8;probe.size=4;probe.variant=7");
    }
}

/* Axes that vary together have a value twice only if all of them have. */
static void test_zips_that_differ_in_part(void **state) {
    (void)state;
    expect_points("\"axes\": {\"zip\": {\"probe.variant\": [7, 7, 7, 5], \"probe.guilty\": [8, 6, 8, 6]}}",
                  "probe.guilty=6;probe.variant=5 probe.guilty=6;probe.variant=7 "
                  "probe.guilty=8;probe.variant=7");
}

static void test_sampling_refused(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"\"axes\": {\"probe.size\": {\"range\": [1, 1001]}, \"probe.variant\": {\"range\": [1, 1000]}}",
         "$.axes: expected at most 1000000 combinations, or \"sampling\", found 1001000"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, 1001]}, \"probe.variant\": {\"range\": [1, 1000]}}, "
         "\"where\": \"probe_size = 7\", \"sampling\": {\"method\": \"random\", \"points\": 100}",
         "$.sampling.points: expected at most the 7 combinations that are left of 6400 drawn ones, found "
         "100"},
        {"\"axes\": {\"probe.size\": [1, 2, 3]}, \"where\": \"probe_size < 3\", "
         "\"sampling\": {\"method\": \"sobol\", \"points\": 3}",
         "$.sampling.points: expected at most the 2 combinations that there are, found 3"},
    };
    expect_refusals(cases, WS_COUNT(cases));
    expect_points("\"sampling\": {\"method\": \"sobol\", \"points\": 1}", "default"); /* no axes */
    expect_points("\"axes\": {\"probe.size\": [2, 3]}, \"sampling\": {\"method\": \"grid\"}",
                  "probe.size=2 probe.size=3");
}

/* Each value can be drawn, the last one, too. */
static void test_drawn_values(void **state) {
    (void)state;
    char *text = points_of("\"axes\": {\"probe.guilty\": [1, 2], \"probe.size\": {\"range\": [2, 1001]}, "
                           "\"probe.variant\": {\"range\": [20, 1019]}}, "
                           "\"sampling\": {\"method\": \"random\", \"points\": 40}");
    if (!text) fail_msg("%s", err.text);
    assert_non_null(strstr(text, "probe.guilty=1;"));
    assert_non_null(strstr(text, "probe.guilty=2;"));
    free(text);
}

/* An expression that looks at other points sees those, too, that the sample leaves out. */
static void test_derived_of_a_sample(void **state) {
    (void)state;
    char *text =
        points_of("\"axes\": {\"probe.size\": {\"range\": [2, 9]}}, \"derived\": {\"probe.variant\": "
                  "\"(SELECT count(*) FROM point)\"}, \"sampling\": {\"method\": \"random\", \"points\": 1}");
    if (!text) fail_msg("%s", err.text);
    assert_non_null(strstr(text, ";probe.variant=8"));
    free(text);
}

/* How many of `all` combinations a specification looks at; 0 if it refuses to. */
static size_t looked_at(const char *sampling, uint64_t all) {
    char more[300];
    snprintf(more, sizeof more,
             "\"axes\": {\"probe.size\": {\"range\": [1, 1001]}, \"probe.variant\": "
             "{\"range\": [20, 1019]}}%s",
             sampling);
    ws_spec *spec = ws_spec_load(probe_spec("spec.json", "*.wst", more), probe_analyses, NULL, &err);
    if (!spec) fail_msg("%s", err.text);
    uint64_t *positions;
    size_t count;
    bool ok = ws_sample_positions(spec, all, &positions, &count, &err);
    free(positions);
    ws_spec_free(spec);
    return ok ? count : 0;
}

static void test_most_combinations(void **state) {
    (void)state;
    assert_int_equal(looked_at("", WS_COMBOS_MAX), WS_COMBOS_MAX);
    assert_int_equal(looked_at("", WS_COMBOS_MAX + 1), 0);
    assert_int_equal(looked_at(", \"sampling\": {\"method\": \"random\", \"points\": 600000}", 1001000),
                     600000);
}

/* ---- GPUs that the analysis does not tell apart */

static const char *gpu_file(char name, int warps) {
    char file[] = "?.json", text[200];
    file[0] = name;
    snprintf(
        text, sizeof text,
        "{\"name\": \"%c\", \"summary\": \"s\", \"parameters\": {\"sm.warps\": {\"value\": %d, \"source\": "
        "\"x\"}}}",
        name, warps);
    return folder_write_text(file, text);
}

/* Compares the pairs that are alike, as "b=a*2 ", with the first letters of the files' names. */
static void expect_alike(const char *gpus, const char *more, const char *expected) {
    char text[1000], found[200] = "";
    const size_t folder = strlen(folder_path(""));
    snprintf(text, sizeof text, "%s, %s", gpus, more);
    ws_spec *spec = ws_spec_load(probe_spec("spec.json", "*.wst", text), probe_analyses, NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    for (size_t i = 0; i < grid->alike_count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%c=%c*%zu ",
                 grid->alike[i].gpu[folder], grid->alike[i].as[folder], grid->alike[i].count);
    assert_string_equal(found, expected);
    ws_grid_free(grid);
    ws_spec_free(spec);
}

static void test_gpus_that_are_alike(void **state) {
    (void)state;
    static const char sizes[] = "\"axes\": {\"probe.size\": [2, 3], \"gpu\": [\"%s\", \"%s\", \"%s\"]}";
    char a[200], b[200], c[200], gpus[900];
    snprintf(a, sizeof a, "%s", gpu_file('a', 8));
    snprintf(b, sizeof b, "%s", gpu_file('b', 9));
    snprintf(c, sizeof c, "%s", gpu_file('c', 10));
    snprintf(gpus, sizeof gpus, sizes, a, b, c);
    expect_alike(gpus, "\"where\": \"1\"", "");
    expect_alike(gpus, "\"derived\": {\"sm.warps\": \"8\"}", "b=a*2 c=a*2 ");
    expect_alike(gpus, "\"derived\": {\"sm.warps\": \"iif(sm_warps = 10, 6 + probe_size, sm_warps)\"}",
                 "c=a*1 c=b*1 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zip),
        cmocka_unit_test(test_zips_are_axes_of_their_own),
        cmocka_unit_test(test_derived),
        cmocka_unit_test(test_derived_refused),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_where_refused),
        cmocka_unit_test(test_samples_are_reproducible),
        cmocka_unit_test(test_no_error_of_gsl_aborts),
        cmocka_unit_test(test_samples_stay_within),
        cmocka_unit_test(test_sobol_is_even),
        cmocka_unit_test(test_sobol_takes_all),
        cmocka_unit_test(test_sobol_grows),
        cmocka_unit_test(test_random_is_fair),
        cmocka_unit_test(test_samples_of_many),
        cmocka_unit_test(test_drawn_ones_differ),
        cmocka_unit_test(test_values_that_appear_twice),
        cmocka_unit_test(test_zips_that_differ_in_part),
        cmocka_unit_test(test_sampling_refused),
        cmocka_unit_test(test_drawn_values),
        cmocka_unit_test(test_derived_of_a_sample),
        cmocka_unit_test(test_most_combinations),
        cmocka_unit_test(test_gpus_that_are_alike),
    };
    return cmocka_run_group_tests_name("points", tests, folder_setup, folder_teardown);
}
