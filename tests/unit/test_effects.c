/* Which axes matter: equal to the definition of an analysis of variance on random grids, closed forms, and what is left
 * out or refused. */
#include "base/random.h"
#include "store/sqlite.h"
#include "warpsweep/report.h"

#include "../support/folder.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 4, LEVELS = 4, KERNELS = 4, POINTS = LEVELS * LEVELS * LEVELS * LEVELS };

static ws_error err;
static uint64_t random_state = 7;

static double random_real(void) {
    return (double)(ws_random_next(&random_state) >> 11) / 9007199254740992.0;
}

/* A complete grid of `axes` axes; metric[kernel][combination], the last axis runs fastest. */
typedef struct grid {
    unsigned axes, levels[AXES], kernels, points;
    double metric[KERNELS][POINTS];
} grid;

static unsigned level_of(const grid *g, unsigned point, unsigned axis) {
    for (unsigned i = g->axes - 1; i > axis; i--) point /= g->levels[i];
    return point % g->levels[axis];
}

static grid make_grid(unsigned axes, const unsigned *levels, unsigned kernels) {
    grid g = {.axes = axes, .kernels = kernels, .points = 1};
    for (unsigned i = 0; i < axes; i++) g.points *= g.levels[i] = levels[i];
    return g;
}

/* ---- a database with a view as a sweep has */

static ws_store *store;

static void must(char *sql) {
    char *message = NULL;
    if (sqlite3_exec(ws_store_sqlite(store), sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", message, sql);
    sqlite3_free(sql);
}

static int open_store(void **state) {
    if (folder_setup(state) != 0) return -1;
    store = ws_store_open(folder_path("effects.db"), &err);
    if (!store) return -1;
    must(sqlite3_mprintf("CREATE TABLE t (trace, kernel, a, b, c_c, d, m, launch DEFAULT 1);"
                         "CREATE VIEW s_by_kernel AS SELECT trace, kernel, a, b, c_c, d, m FROM t; CREATE "
                         "VIEW s AS SELECT * FROM t; CREATE VIEW s_speedup AS SELECT a, m FROM t;"
                         "INSERT INTO sweep VALUES (1, 's', 'x', '[]');"
                         "INSERT INTO sweep_view VALUES ('s_by_kernel', 1), ('s', 1), ('s_speedup', 1)"));
    return 0;
}

static int close_store(void **state) {
    ws_store_close(store);
    return folder_teardown(state);
}

static void use_axes(unsigned axes) {
    static const char *const lists[] = {"[\"a\"]", "[\"a\",\"b\"]", "[\"a\",\"b\",\"c.c\"]",
                                        "[\"a\",\"b\",\"c.c\",\"d\"]"};
    must(sqlite3_mprintf("DELETE FROM t; UPDATE sweep SET axes = %Q", lists[axes - 1]));
}

/* Levels of a are numbers, those of b texts; values of 10, 11 .. come before 9 as texts. */
static void store_grid(const grid *g) {
    use_axes(g->axes);
    must(sqlite3_mprintf("BEGIN"));
    for (unsigned k = 0; k < g->kernels; k++)
        for (unsigned p = g->points; p-- > 0;) {
            unsigned at[AXES] = {0};
            for (unsigned i = 0; i < g->axes; i++) at[i] = 8 + level_of(g, p, i);
            must(sqlite3_mprintf("INSERT INTO t VALUES ('trace', 'k%u', %u, 'b%02u', %u, %u, %.17g, 1)", k,
                                 at[0], at[1], at[2], at[3], g->metric[k][p]));
        }
    must(sqlite3_mprintf("COMMIT"));
}

/* The answer as JSON; NULL after an error. `told`: to be freed. */
static json_t *ask(const ws_effects_query *query, char **told) {
    char *text = NULL;
    size_t size, told_size;
    err = WS_NO_ERROR;
    FILE *out = open_memstream(&text, &size), *log = open_memstream(told, &told_size);
    bool ok = ws_effects(store, query, WS_QUERY_JSON, out, log, &err);
    fclose(out);
    fclose(log);
    json_t *answer = ok ? json_loads(text, 0, NULL) : NULL;
    assert_int_equal(ok, answer != NULL);
    free(text);
    return answer;
}

static json_t *effects(const char *metric, bool differences) {
    char *told;
    json_t *answer =
        ask(&(ws_effects_query){.view = "s_by_kernel", .metric = metric, .differences = differences}, &told);
    if (!answer) fail_msg("%s", err.text);
    assert_string_equal(told, "");
    free(told);
    return answer;
}

static const json_t *row_of(const json_t *answer, const char *axis) {
    for (size_t i = 0; i < json_array_size(answer); i++) {
        const json_t *row = json_array_get(answer, i);
        if (strcmp(json_string_value(json_object_get(row, "axis")), axis) == 0) return row;
    }
    fail_msg("no row of %s", axis);
    return NULL;
}

static double value(const json_t *row, const char *column) {
    return json_number_value(json_object_get(row, column));
}

/* ---- the definition */

/* The mean of those points of the kernel that agree with this one on axes a and b; -1: none that they must agree on. */
static double mean_of(const grid *g, unsigned kernel, unsigned point, int a, int b) {
    double sum = 0;
    unsigned count = 0;
    for (unsigned p = 0; p < g->points; p++) {
        if (a >= 0 && level_of(g, p, (unsigned)a) != level_of(g, point, (unsigned)a)) continue;
        if (b >= 0 && level_of(g, p, (unsigned)b) != level_of(g, point, (unsigned)b)) continue;
        sum += g->metric[kernel][p];
        count++;
    }
    return sum / count;
}

static double naive_share(const grid *g, int a, int b) {
    double sum = 0;
    for (unsigned k = 0; k < g->kernels; k++) {
        double of_term = 0, total = 0, mean = mean_of(g, k, 0, -1, -1);
        for (unsigned p = 0; p < g->points; p++) {
            double effect = mean_of(g, k, p, a, -1) - mean;
            if (b >= 0)
                effect = mean_of(g, k, p, a, b) - mean_of(g, k, p, a, -1) - mean_of(g, k, p, b, -1) + mean;
            of_term += effect * effect;
            total += (g->metric[k][p] - mean) * (g->metric[k][p] - mean);
        }
        sum += of_term / total / g->kernels;
    }
    return sum;
}

static double naive_span(const grid *g, int axis) {
    double lowest = INFINITY, highest = -INFINITY;
    for (unsigned p = 0; p < g->points; p++) {
        double mean = 0;
        for (unsigned k = 0; k < g->kernels; k++) mean += mean_of(g, k, p, axis, -1) / g->kernels;
        lowest = fmin(lowest, mean);
        highest = fmax(highest, mean);
    }
    return highest - lowest;
}

static void expect_near(double found, double expected) {
    if (!(fabs(found - expected) < 1e-9)) fail_msg("expected %.12g, found %.12g", expected, found);
}

static void expect_definition(const grid *g, const json_t *answer, const char *span, bool ratios) {
    static const char *const names[] = {"a", "b", "c.c", "d"};
    double sum = 0;
    for (unsigned i = 0; i < g->axes; i++) {
        const json_t *row = row_of(answer, names[i]);
        expect_near(value(row, "share"), naive_share(g, (int)i, -1));
        expect_near(ratios ? log(value(row, span)) : value(row, span), naive_span(g, (int)i));
        assert_int_equal((int)value(row, "kernels"), g->kernels);
        for (unsigned j = i + 1; j < g->axes; j++) {
            char pair[16];
            snprintf(pair, sizeof pair, "%s x %s", names[i], names[j]);
            expect_near(value(row_of(answer, pair), "share"), naive_share(g, (int)i, (int)j));
        }
    }
    for (size_t i = 0; i < json_array_size(answer); i++) {
        const json_t *row = json_array_get(answer, i);
        double share = value(row, "share");
        sum += share;
        if (g->kernels == 1) assert_true(json_is_null(json_object_get(row, "share_low")));
        if (g->kernels > 1)
            assert_true(value(row, "share_low") <= share && share <= value(row, "share_high"));
        if (i) assert_true(share <= value(json_array_get(answer, i - 1), "share"));
    }
    expect_near(sum, 1);
    assert_int_equal(json_array_size(answer), g->axes * (g->axes + 1) / 2 + (g->axes > 2));
}

static void test_definition(void **state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        unsigned levels[AXES], axes = 1 + (unsigned)round % AXES;
        for (unsigned i = 0; i < axes; i++)
            levels[i] = 2 + (unsigned)(ws_random_next(&random_state) % (LEVELS - 1));
        grid g = make_grid(axes, levels, 1 + (unsigned)(ws_random_next(&random_state) % KERNELS));
        for (unsigned k = 0; k < g.kernels; k++)
            for (unsigned p = 0; p < g.points; p++) g.metric[k][p] = 10 * random_real() - 5;
        store_grid(&g);
        json_t *answer = effects("m", true);
        expect_definition(&g, answer, "difference", false);
        json_decref(answer);
        answer = effects("exp(m)", false);
        expect_definition(&g, answer, "ratio", true);
        json_decref(answer);
    }
}

/* ---- closed forms */

/* Factors that multiply have no interaction; kernels that differ by a factor count the same. */
static void test_factors(void **state) {
    (void)state;
    grid g = make_grid(2, (unsigned[]){2, 3}, 3);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned p = 0; p < g.points; p++)
            g.metric[k][p] = pow(1000, k) * (level_of(&g, p, 0) ? 4 : 1) * (level_of(&g, p, 1) == 1 ? 2 : 1);
    store_grid(&g);
    json_t *answer = effects("m", false);
    double of_a = 1, of_b = 2.0 / 9; /* variances of ln 4 x {0, 1} and ln 2 x {0, 1, 0}, in (ln 2)^2 */
    expect_near(value(row_of(answer, "a"), "share"), of_a / (of_a + of_b));
    expect_near(value(row_of(answer, "b"), "share"), of_b / (of_a + of_b));
    expect_near(value(row_of(answer, "a x b"), "share"), 0);
    expect_near(value(row_of(answer, "a"), "ratio"), 4);
    expect_near(value(row_of(answer, "a"), "ratio_low"), 4);
    expect_near(value(row_of(answer, "b"), "ratio_high"), 2);
    assert_int_equal((int)value(row_of(answer, "a"), "lowest_at"), 8);
    assert_int_equal((int)value(row_of(answer, "a"), "highest_at"), 9);
    assert_string_equal(json_string_value(json_object_get(row_of(answer, "b"), "highest_at")), "b09");
    assert_true(json_is_null(json_object_get(row_of(answer, "a x b"), "ratio")));
    json_decref(answer);
}

static void test_interaction_alone(void **state) {
    (void)state;
    grid g = make_grid(3, (unsigned[]){2, 2, 2}, 1);
    for (unsigned p = 0; p < g.points; p++)
        g.metric[0][p] = level_of(&g, p, 0) == level_of(&g, p, 2) ? 1 : -1;
    store_grid(&g);
    json_t *answer = effects("m", true);
    expect_near(value(row_of(answer, "a x c.c"), "share"), 1);
    for (unsigned p = 0; p < g.points; p++) g.metric[0][p] *= level_of(&g, p, 1) ? 1 : -1;
    store_grid(&g);
    json_decref(answer);
    answer = effects("m", true);
    expect_near(value(row_of(answer, "(rest)"), "share"), 1);
    json_decref(answer);
}

/* ---- what is left out */

static grid simple_grid(void) {
    grid g = make_grid(2, (unsigned[]){2, 3}, 3);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned p = 0; p < g.points; p++) g.metric[k][p] = 1 + p;
    return g;
}

static void expect_told(const char *sql, const char *where, const char *text, int kernels) {
    char *told;
    const grid g = simple_grid();
    store_grid(&g);
    must(sqlite3_mprintf("%s", sql));
    json_t *answer = ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = where}, &told);
    if (!answer) fail_msg("%s", err.text);
    assert_string_equal(told, text);
    assert_int_equal((int)value(row_of(answer, "a"), "kernels"), kernels);
    json_decref(answer);
    free(told);
}

static void test_left_out(void **state) {
    (void)state;
    expect_told("SELECT 1", NULL, "", 3);
    expect_told("DELETE FROM t WHERE kernel = 'k1' AND a = 8 AND b = 'b09'", NULL,
                "left out, kernels that lack some of the 6 combinations: 1\n", 2);
    expect_told("UPDATE t SET m = NULL WHERE kernel = 'k1' AND a = 8", NULL,
                "left out, kernels that lack some of the 6 combinations: 1\n", 2);
    expect_told("UPDATE t SET m = 3 WHERE kernel = 'k2'", NULL,
                "left out, kernels in which m does not vary: 1\n", 2);
    expect_told("DELETE FROM t WHERE b <> 'b08'; UPDATE t SET b = a * 2", NULL,
                "b follows from the other axes, and is left out\n", 3);
    expect_told("SELECT 1", "b = 'b09'", "b follows from the other axes, and is left out\n", 3);
    expect_told("SELECT 1", "kernel <> 'k0' -- not that one", "", 2);
}

/* Where launches stand one by one each is told apart. */
static void test_launches(void **state) {
    (void)state;
    char *told;
    const grid g = simple_grid();
    store_grid(&g);
    must(sqlite3_mprintf(
        "INSERT INTO t SELECT trace, kernel, a, b, c_c, d, m * m, 2 FROM t WHERE kernel = 'k1'"));
    json_t *answer = ask(&(ws_effects_query){.view = "s", .metric = "m"}, &told);
    if (!answer) fail_msg("%s", err.text);
    assert_int_equal((int)value(row_of(answer, "a"), "kernels"), 4);
    json_decref(answer);
    free(told);
}

/* ---- what is refused */

static void expect_refused(ws_effects_query query, const char *sql, const char *text) {
    char *told;
    const grid g = simple_grid();
    store_grid(&g);
    must(sqlite3_mprintf("%s", sql));
    assert_null(ask(&query, &told));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    if (!strstr(err.text, text)) fail_msg("expected \"%s\" in: %s", text, err.text);
    free(told);
}

static void test_refused(void **state) {
    (void)state;
    const ws_effects_query good = {.view = "s_by_kernel", .metric = "m"};
    expect_refused((ws_effects_query){.view = "s_by_kernl", .metric = "m"}, "SELECT 1",
                   "expected a sweep's view, found 's_by_kernl': did you mean 's_by_kernel'?");
    expect_refused((ws_effects_query){.view = "something", .metric = "m"}, "SELECT 1",
                   "'SELECT name FROM sweep_view' has them");
    expect_refused((ws_effects_query){.view = "s_speedup", .metric = "m"}, "SELECT 1",
                   "view s_speedup: expected rows of kernels, as NAME_by_kernel has");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "mm"}, "SELECT 1",
                   "no such column: mm");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "n = 1"}, "SELECT 1",
                   "no such column: n");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "1); SELECT (1"},
                   "SELECT 1", "expected one statement");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "0"}, "SELECT 1",
                   "expected rows with m, found none");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "kernel"}, "SELECT 1",
                   "kernel: expected numbers, found texts");
    expect_refused(good, "UPDATE t SET m = 0 WHERE a = 8 AND kernel = 'k0'",
                   "m: expected positive values, found 3 others of 18: use --differences");
    expect_refused(good, "INSERT INTO t SELECT * FROM t WHERE a = 8 AND kernel = 'k0'",
                   "found 3 more: choose one");
    expect_refused(good, "UPDATE sweep SET axes = '[]'", "expected a sweep of 1 to 32 axes, found 0");
    expect_refused(
        good,
        "UPDATE sweep SET axes = (WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 33) SELECT json_group_array('a') FROM n)",
        "expected a sweep of 1 to 32 axes, found 33");
    expect_refused(good, "DELETE FROM t WHERE a = 8 AND b = 'b09'",
                   "expected kernels with all 6 combinations of the axes' values, found none");
    expect_refused(good, "UPDATE t SET m = 5", "m does not vary in any kernel");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "a = 8 AND b = 'b09'"},
                   "SELECT 1", "expected axes that vary, found one combination");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_interaction_alone), cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_launches),          cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("effects", tests, open_store, close_store);
}
