/* ws_effects(), which tells which axes of a sweep matter: equal to an analysis of variance by its definition
 * (support/effects_grid.h) on random grids; closed forms; what is left out or refused. */
#include "report/effects/effects.h"

#include "../support/effects_grid.h"
#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_state = 7;

static json_t *ask(const ws_effects_query *query) {
    char *told;
    json_t *answer = grid_ask(query, &told);
    if (!answer) fail_msg("%s", grid_err.text);
    assert_string_equal(told, "");
    free(told);
    return answer;
}

static json_t *effects_of(const char *metric, bool differences) {
    return ask(&(ws_effects_query){.view = "s_by_kernel", .metric = metric, .differences = differences});
}

/* ---- the definition */

/* Checks the table of values: rows of an axis are adjacent, in the order of its values; axes with larger shares come
 * first. */
static void expect_values(const grid *g, const json_t *values, const char *span, bool ratios) {
    static const char *const names[] = {"a", "b", "c.c", "d"};
    size_t at = 0;
    double last = INFINITY;
    for (unsigned axes = 0; axes < g->axes; axes++) {
        const char *name = json_string_value(json_object_get(json_array_get(values, at), "axis"));
        int axis = 0;
        while (strcmp(names[axis], name) != 0) axis++;
        assert_true(grid_naive_share(g, axis, -1) <= last + 1e-9);
        last = grid_naive_share(g, axis, -1);
        for (unsigned level = 0; level < g->levels[axis]; level++, at++) {
            const json_t *row = json_array_get(values, at);
            char text[16], low[20], high[20];
            snprintf(text, sizeof text, "b%02u", 8 + level);
            snprintf(low, sizeof low, "%s_low", span);
            snprintf(high, sizeof high, "%s_high", span);
            double found = grid_value(row, span);
            assert_string_equal(json_string_value(json_object_get(row, "axis")), name);
            if (axis == 1)
                assert_string_equal(json_string_value(json_object_get(row, "value")), text);
            else
                assert_int_equal((int)grid_value(row, "value"), 8 + level);
            expect_near(ratios ? log(found) : found, grid_naive_rise(g, axis, level));
            assert_int_equal((int)grid_value(row, "kernels"), g->kernels);
            if (g->kernels == 1) assert_true(json_is_null(json_object_get(row, low)));
            if (g->kernels > 1)
                assert_true(grid_value(row, low) <= found + 1e-9 && found <= grid_value(row, high) + 1e-9);
        }
    }
    assert_int_equal(json_array_size(values), at);
}

static void expect_definition(const grid *g, const json_t *answer, const char *span, bool ratios) {
    static const char *const names[] = {"a", "b", "c.c", "d"};
    double sum = 0;
    for (unsigned i = 0; i < g->axes; i++) {
        const json_t *row = grid_row(answer, names[i]);
        expect_near(grid_value(row, "share"), grid_naive_share(g, (int)i, -1));
        expect_near(ratios ? log(grid_value(row, span)) : grid_value(row, span), grid_naive_span(g, (int)i));
        assert_int_equal((int)grid_value(row, "kernels"), g->kernels);
        for (unsigned j = i + 1; j < g->axes; j++) {
            char pair[16];
            snprintf(pair, sizeof pair, "%s x %s", names[i], names[j]);
            expect_near(grid_value(grid_row(answer, pair), "share"), grid_naive_share(g, (int)i, (int)j));
        }
    }
    for (size_t i = 0; i < json_array_size(answer); i++) {
        const json_t *row = json_array_get(answer, i);
        double share = grid_value(row, "share");
        sum += share;
        if (g->kernels == 1) assert_true(json_is_null(json_object_get(row, "share_low")));
        if (g->kernels > 1) {
            const double low = grid_value(row, "share_low"), high = grid_value(row, "share_high");
            assert_true(0 <= low && low <= share + 1e-9 && share <= high + 1e-9 && high <= 1);
        }
        if (i) assert_true(share <= grid_value(json_array_get(answer, i - 1), "share"));
    }
    expect_near(sum, 1);
    assert_int_equal(json_array_size(answer), g->axes * (g->axes + 1) / 2 + (g->axes > 2));
}

/* An axis has the same span, and the same bounds of it, in the table of axes as in the row of its highest value. */
static void expect_same_bounds(const json_t *axes, const json_t *values, const char *span) {
    static const char *const bounds[] = {"low", "high"};
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *value = json_array_get(values, i);
        const json_t *axis = grid_row(axes, json_string_value(json_object_get(value, "axis")));
        if (!json_equal(json_object_get(axis, "highest_at"), json_object_get(value, "value"))) continue;
        expect_near(grid_value(axis, span), grid_value(value, span));
        for (int b = 0; b < 2; b++) {
            char column[24];
            snprintf(column, sizeof column, "%s_%s", span, bounds[b]);
            expect_near(grid_value(axis, column), grid_value(value, column));
        }
    }
}

static void test_definition(void **state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        unsigned levels[AXES], axes = 1 + (unsigned)round % AXES;
        for (unsigned i = 0; i < axes; i++) levels[i] = 2 + random_below(&random_state, LEVELS - 1);
        grid g = grid_make(axes, levels, 1 + random_below(&random_state, KERNELS));
        for (unsigned k = 0; k < g.kernels; k++)
            for (unsigned p = 0; p < g.points; p++) g.metric[k][p] = 10 * random_real(&random_state) - 5;
        grid_store(&g);
        for (int ratios = 0; ratios < 2; ratios++) {
            const char *span = ratios ? "ratio" : "difference";
            ws_effects_query query = {
                .view = "s_by_kernel", .metric = ratios ? "exp(m)" : "m", .differences = !ratios};
            json_t *of_axes = ask(&query);
            query.values = true;
            json_t *values = ask(&query);
            expect_definition(&g, of_axes, span, ratios);
            expect_values(&g, values, span, ratios);
            expect_same_bounds(of_axes, values, span);
            json_decref(of_axes);
            json_decref(values);
        }
    }
}

/* ---- closed forms */

/* Compared by ratios, axes whose effects multiply have no interaction, and kernels that differ by a factor weigh the
 * same. */
static void test_factors(void **state) {
    (void)state;
    grid g = grid_make(2, (unsigned[]){2, 3}, 3);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned p = 0; p < g.points; p++)
            g.metric[k][p] =
                pow(1000, k) * (grid_level(&g, p, 0) ? 4 : 1) * (grid_level(&g, p, 1) == 1 ? 2 : 1);
    grid_store(&g);
    json_t *answer = effects_of("m", false);
    double of_a = 1, of_b = 2.0 / 9; /* variances of ln 4 x {0, 1} and ln 2 x {0, 1, 0}, in (ln 2)^2 */
    expect_near(grid_value(grid_row(answer, "a"), "share"), of_a / (of_a + of_b));
    expect_near(grid_value(grid_row(answer, "b"), "share"), of_b / (of_a + of_b));
    assert_true(grid_value(grid_row(answer, "a x b"), "share") == 0);
    expect_near(grid_value(grid_row(answer, "a"), "ratio"), 4);
    expect_near(grid_value(grid_row(answer, "a"), "ratio_low"), 4);
    expect_near(grid_value(grid_row(answer, "b"), "ratio_high"), 2);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "lowest_at"), 8);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "highest_at"), 9);
    assert_string_equal(json_string_value(json_object_get(grid_row(answer, "b"), "highest_at")), "b09");
    assert_string_equal(json_string_value(json_object_get(grid_row(answer, "b"), "lowest_at")), "b08");
    assert_true(json_is_null(json_object_get(grid_row(answer, "a x b"), "ratio")));
    json_decref(answer);
}

/* Axis a moves kernel k by +-of_a[k], and b by +-of_b[k]. */
static grid two_axes(unsigned kernels, const double *of_a, const double *of_b) {
    grid g = grid_make(2, (unsigned[]){2, 2}, kernels);
    for (unsigned k = 0; k < kernels; k++)
        for (unsigned p = 0; p < g.points; p++)
            g.metric[k][p] = 100 + (grid_level(&g, p, 0) ? of_a[k] : -of_a[k]) +
                             (grid_level(&g, p, 1) ? of_b[k] : -of_b[k]);
    return g;
}

/* A kernel counts by what it varies: squares of all kernels are added up before shares are taken of their sum. The
 * bounds are those of a ratio of two means. */
static void test_kernels_that_vary_more(void **state) {
    (void)state;
    const double of_a[] = {8, 7, 6}, of_b[] = {3, 3, 2}, student = 4.302652729749464;
    const grid g = two_axes(3, of_a, of_b);
    grid_store(&g);
    json_t *answer = effects_of("m", true);
    const json_t *b = grid_row(answer, "b");
    double share = 22.0 / 171, square = 0;
    for (int k = 0; k < 3; k++)
        square += pow(of_b[k] * of_b[k] - share * (of_a[k] * of_a[k] + of_b[k] * of_b[k]), 2);
    expect_near(grid_value(grid_row(answer, "a"), "share"), 149.0 / 171);
    expect_near(grid_value(b, "share"), share);
    expect_near(grid_value(b, "share_low"), share - student * sqrt(square / 6) / 57);
    expect_near(grid_value(b, "share_high"), share + student * sqrt(square / 6) / 57);
    json_decref(answer);
}

/* A kernel that hardly varies hardly changes a share, even if it does so along another axis, and one that does not vary
 * changes nothing. */
static void test_a_kernel_that_does_not_vary(void **state) {
    (void)state;
    const double of_a[] = {3, 2, 0}, of_b[] = {1, 1, 1e-6};
    for (int varies = 0; varies < 2; varies++) {
        grid g = two_axes(3, of_a, (double[]){1, 1, varies ? of_b[2] : 0});
        char *told;
        g.kernels = 2;
        grid_store(&g);
        json_t *without = effects_of("m", true);
        g.kernels = 3;
        grid_store(&g);
        json_t *with =
            grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m", .differences = true}, &told);
        assert_string_equal(told, varies ? "" : "left out, kernels in which m does not vary: 1\n");
        for (size_t i = 0; i < json_array_size(without); i++) {
            const json_t *row = json_array_get(without, i);
            const char *axis = json_string_value(json_object_get(row, "axis"));
            expect_near(grid_value(grid_row(with, axis), "share"), grid_value(row, "share"));
        }
        assert_int_equal(json_equal(with, without), !varies);
        json_decref(with);
        json_decref(without);
        free(told);
    }
}

/* Without interactions their shares are 0, also where sums are rounded. */
static void test_sums(void **state) {
    (void)state;
    for (int round = 0; round < 10; round++) {
        double of[AXES][LEVELS];
        grid g = grid_make(3, (unsigned[]){2, 3, 4}, 1);
        for (unsigned i = 0; i < g.axes; i++)
            for (unsigned level = 0; level < g.levels[i]; level++) of[i][level] = random_real(&random_state);
        for (unsigned p = 0; p < g.points; p++) {
            g.metric[0][p] = 0;
            for (unsigned i = 0; i < g.axes; i++) g.metric[0][p] += of[i][grid_level(&g, p, i)];
        }
        grid_store(&g);
        json_t *answer = effects_of("m", true);
        for (size_t i = 0; i < json_array_size(answer); i++)
            assert_true(grid_value(json_array_get(answer, i), "share") >= 0);
        assert_true(grid_value(grid_row(answer, "b x c.c"), "share") == 0);
        assert_true(grid_value(grid_row(answer, "(rest)"), "share") == 0);
        json_decref(answer);
    }
}

/* A metric that depends only on whether a and c.c agree is explained by their interaction alone. If b changes its sign
 * as well, only all three axes together explain it, which is in the row (rest). */
static void test_interaction_alone(void **state) {
    (void)state;
    grid g = grid_make(3, (unsigned[]){2, 2, 2}, 1);
    for (unsigned p = 0; p < g.points; p++)
        g.metric[0][p] = grid_level(&g, p, 0) == grid_level(&g, p, 2) ? 1 : -1;
    grid_store(&g);
    json_t *answer = effects_of("m", true);
    expect_near(grid_value(grid_row(answer, "a x c.c"), "share"), 1);
    for (unsigned p = 0; p < g.points; p++) g.metric[0][p] *= grid_level(&g, p, 1) ? 1 : -1;
    grid_store(&g);
    json_decref(answer);
    answer = effects_of("m", true);
    expect_near(grid_value(grid_row(answer, "(rest)"), "share"), 1);
    json_decref(answer);
}

/* Of values with the same mean the first one counts. */
static void test_equal_means(void **state) {
    (void)state;
    grid g = grid_make(1, (unsigned[]){4}, 1);
    for (unsigned p = 0; p < g.points; p++) g.metric[0][p] = p < 2 ? 1 : 3;
    grid_store(&g);
    json_t *answer = effects_of("m", false);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "lowest_at"), 8);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "highest_at"), 10);
    json_decref(answer);
}

/* NULL is a value as any other: a parameter has it in points that were stored before there was the parameter. */
static void test_null_is_a_value(void **state) {
    (void)state;
    static const char *const values[] = {"8", "10"};
    for (int highest = 0; highest < 2; highest++) {
        grid g = grid_make(1, (unsigned[]){3}, 2);
        for (unsigned k = 0; k < 2; k++)
            for (unsigned p = 0; p < g.points; p++) g.metric[k][p] = p + 1;
        grid_store(&g);
        grid_sql(sqlite3_mprintf("UPDATE t SET a = NULL WHERE a = %s", values[highest]));
        json_t *answer = effects_of("m", false);
        const json_t *a = grid_row(answer, "a");
        assert_true(json_is_null(json_object_get(a, highest ? "highest_at" : "lowest_at")));
        expect_near(grid_value(a, "ratio"), 3);
        json_decref(answer);
        answer = ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m", .values = true});
        assert_int_equal(json_array_size(answer), 3);
        json_decref(answer);
    }
}

/* Rows of the figure of values, by the shares of their axes: small shares are rounded, long labels are cut. */
static void test_points_of_a_figure(void **state) {
    (void)state;
    grid g = grid_make(2, (unsigned[]){2, 4}, 1);
    for (unsigned p = 0; p < g.points; p++)
        g.metric[0][p] = 0.14 * grid_level(&g, p, 0) + grid_level(&g, p, 1);
    grid_store(&g);
    grid_sql(sqlite3_mprintf(
        "UPDATE t SET a = iif(a = 8, 0.5, NULL), b = iif(b = 'b08', 'abcdefghijklmn', iif(b = 'b09', "
        "'abcdefghijklmno', b))"));
    const ws_effects_query query = {.view = "s_by_kernel", .metric = "m", .differences = true};
    ws_store *store = ws_store_open_readonly(folder_path("effects.db"), &grid_err);
    if (!store) fail_msg("%s", grid_err.text);
    effects f = {.store = store, .db = ws_store_sqlite(store), .query = &query};
    if (!ws_effects_find(&f, &grid_err)) fail_msg("%s", grid_err.text);
    assert_int_equal(f.kernels, 1);
    char *points = ws_effects_points(&f), found[400] = "", *sql = NULL;
    sql = sqlite3_mprintf("SELECT group_concat(panel || place || is_number || ' ' || label, ', ') FROM (%s)",
                          points);
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_prepare_v2(f.db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    snprintf(found, sizeof found, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_free(sql);
    sqlite3_free(points);
    ws_effects_drop(&f);
    ws_store_close(store);
    assert_string_equal(
        found, "b (100 %)10 abcdefghijklmn, b (100 %)20 abcdef..jklmno, b (100 %)30 b10, b (100 %)40 b11, "
               "a (< 1 %)10 NULL, a (< 1 %)21 0.5");
}

/* ---- what is left out */

static grid simple_grid(void) {
    grid g = grid_make(2, (unsigned[]){2, 3}, 3);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned p = 0; p < g.points; p++) g.metric[k][p] = 1 + p;
    return g;
}

static void expect_told(const char *sql, const char *where, const char *text, int kernels) {
    char *told;
    const grid g = simple_grid();
    grid_store(&g);
    grid_sql(sqlite3_mprintf("%s", sql));
    json_t *answer =
        grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = where}, &told);
    if (!answer) fail_msg("%s", grid_err.text);
    assert_string_equal(told, text);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "kernels"), kernels);
    json_decref(answer);
    free(told);
}

static void test_left_out(void **state) {
    (void)state;
    expect_told("SELECT 1", NULL, "", 3);
    expect_told("DELETE FROM t WHERE kernel = 'k1' AND a = 8 AND b = 'b09'", NULL,
                "left out, kernels that lack some of the 6 combinations: 1 (trace: k1 lacks 1: a 8, b b09)\n",
                2);
    expect_told("UPDATE t SET m = NULL WHERE kernel = 'k1' AND a = 8", NULL,
                "left out, kernels that lack some of the 6 combinations: 1 (trace: k1 lacks 3: a 8, b b08; a "
                "8, b b09; a 8, b b10)\n",
                2);
    expect_told("UPDATE t SET m = 3 WHERE kernel = 'k2'", NULL,
                "left out, kernels in which m does not vary: 1\n", 2);
    expect_told("DELETE FROM t WHERE b <> 'b08'; UPDATE t SET b = a * 2", NULL,
                "left out, axes that follow from others: b\n", 3);
    expect_told("SELECT 1", "b = 'b09'", "left out, axes of one value: b\n", 3);
#define FOUR_AXES "UPDATE sweep SET axes = '[\"a\", \"b\", \"c.c\", \"d\"]';"
    expect_told(FOUR_AXES, NULL, "left out, axes of one value: c.c, d\n", 3);
    expect_told(FOUR_AXES "UPDATE t SET d = a + 1", NULL,
                "left out, axes of one value: c.c\nleft out, axes that follow from others: d\n", 3);
    expect_told("SELECT 1", "kernel <> 'k0' -- not that one", "", 2);
}

/* Points that lack launches which others of their kernel have, as the view's column says. */
static void test_partial(void **state) {
    (void)state;
#define BY_KERNEL "DROP VIEW s_by_kernel; CREATE VIEW s_by_kernel AS SELECT trace, kernel, a, b, c_c, d, m"
    expect_told(BY_KERNEL ", 5 - (kernel = 'k1' AND a = 8 AND b = 'b09') AS launches FROM t", NULL,
                "left out, points without all launches that their kernel has at others: 1\n"
                "left out, kernels that lack some of the 6 combinations: 1 (trace: k1 lacks 1: a 8, b b09)\n",
                2);
    expect_told(BY_KERNEL ", 5 - (kernel = 'k1') AS launches FROM t", NULL, "", 3);
    /* As many, but not the same: none of them has all. */
    expect_told(BY_KERNEL ", 4 AS launches, 7 + (kernel = 'k1' AND a = 8) AS launch_set FROM t", NULL,
                "left out, points without all launches that their kernel has at others: 6\n", 2);
    expect_told(BY_KERNEL ", 5 - (kernel = 'k1' AND a = 8 AND b = 'b09') AS launches, 7 + (kernel = 'k1' AND "
                          "a = 8 AND b = 'b09') AS launch_set FROM t",
                NULL,
                "left out, points without all launches that their kernel has at others: 1\n"
                "left out, kernels that lack some of the 6 combinations: 1 (trace: k1 lacks 1: a 8, b b09)\n",
                2);
    grid_sql(sqlite3_mprintf(BY_KERNEL " FROM t"));
}

/* In a view with a row for each launch, two launches of a kernel count as two kernels. */
static void test_launches(void **state) {
    (void)state;
    char *told;
    const grid g = simple_grid();
    grid_store(&g);
    grid_sql(sqlite3_mprintf(
        "INSERT INTO t SELECT trace, kernel, a, b, c_c, d, m * m, 2 FROM t WHERE kernel = 'k1'"));
    json_t *answer = grid_ask(&(ws_effects_query){.view = "s", .metric = "m"}, &told);
    if (!answer) fail_msg("%s", grid_err.text);
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "kernels"), 4);
    json_decref(answer);
    free(told);
}

/* ---- what is refused */

static void expect_refused(ws_effects_query query, const char *sql, const char *text) {
    char *told;
    const grid g = simple_grid();
    grid_store(&g);
    grid_sql(sqlite3_mprintf("%s", sql));
    assert_null(grid_ask(&query, &told));
    assert_int_equal(grid_err.code, WS_ERROR_USAGE);
    if (!strstr(grid_err.text, text)) fail_msg("expected \"%s\" in: %s", text, grid_err.text);
    assert_string_equal(told, "");
    free(told);
}

static void expect_views(const char *where, const char *views) {
    char *told, expected[400];
    snprintf(expected, sizeof expected, "metric: SQL line 1 at 'launch': no such column: launch; see view %s",
             views);
    assert_null(
        grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "launch", .where = where}, &told));
    free(told);
    assert_string_equal(grid_err.text, expected);
}

/* The metric names a column that the view lacks: the message lists other views of the sweep that have it, as many as
 * there is room for. Not listed are z, a view of another sweep, and the table `kernel`, which has the column and which
 * the SQL seems to name. */
static void test_column_of_another_view(void **state) {
    (void)state;
    const grid g = simple_grid();
    grid_store(&g);
    grid_sql(
        sqlite3_mprintf("CREATE VIEW s_more AS SELECT launch FROM t; CREATE VIEW z AS SELECT launch FROM t; "
                        "INSERT INTO sweep (id, name, analysis, axes) VALUES (2, 'z', 'x', '[]'); INSERT "
                        "INTO sweep_view VALUES "
                        "('s_more', 1), ('z', 2)"));
    expect_views("1", "s, s_more");
    expect_views("a IN (SELECT a FROM s_speedup)", "s, s_more");
    char longest[250];
    snprintf(longest, sizeof longest, "s, s_%0230d", 1);
    grid_sql(
        sqlite3_mprintf("CREATE VIEW %s AS SELECT launch FROM t; INSERT INTO sweep_view VALUES ('%s', 1)",
                        longest + 3, longest + 3));
    expect_views("1", longest);
    grid_sql(sqlite3_mprintf("DROP VIEW s_more; DROP VIEW z; DROP VIEW %s; DELETE FROM sweep_view WHERE "
                             "name NOT IN ('s', 's_by_kernel', 's_speedup'); DELETE FROM sweep WHERE id = 2",
                             longest + 3));
}

/* A view with forty axes: `each` points differ from point 0 in the first of them, in different values, as many in the
 * second, and so on; axes after the last point are constant. */
static json_t *ask_of_many(int points, int each, char **told) {
    char columns[2000] = "", axes[1000] = "";
    for (int i = 1; i <= 40; i++) {
        sprintf(columns + strlen(columns), ", iif(i / %d = %d, i + 1, 0) AS p%d", each, i - 1, i);
        sprintf(axes + strlen(axes), "%s\"p%d\"", i > 1 ? ", " : "", i);
    }
    grid_sql(sqlite3_mprintf("CREATE TEMP VIEW many AS WITH RECURSIVE n (i) AS (VALUES (-%d) UNION ALL "
                             "SELECT max(0, i + 1) FROM n WHERE "
                             "i < %d) SELECT 't' AS trace, 'k' AS kernel, i%s FROM n;"
                             "INSERT INTO sweep (id, name, analysis, axes) VALUES (2, 'many', 'x', '[%s]');"
                             "INSERT INTO sweep_view VALUES ('many', 2)",
                             each, points - 1, columns, axes));
    json_t *answer = grid_ask(&(ws_effects_query){.view = "many", .metric = "100 + i"}, told);
    grid_sql(sqlite3_mprintf(
        "DROP VIEW many; DELETE FROM sweep_view WHERE sweep = 2; DELETE FROM sweep WHERE id = 2"));
    return answer;
}

static void expect_many_refused(int points, int each, const char *text) {
    char *told;
    assert_null(ask_of_many(points, each, &told));
    if (!strstr(grid_err.text, text)) fail_msg("expected \"%s\" in: %s", text, grid_err.text);
    free(told);
}

/* A sweep may have many axes, if few of them vary of their own. */
static void test_many_axes(void **state) {
    (void)state;
    char *told;
    json_t *answer = ask_of_many(1, 1, &told);
    if (!answer) fail_msg("%s", grid_err.text);
    expect_near(grid_value(grid_row(answer, "p1"), "share"), 1);
    assert_non_null(strstr(told, "left out, axes of one value: p2, p3, p4"));
    assert_non_null(strstr(told, ", p39, p40\n"));
    json_decref(answer);
    free(told);
    expect_many_refused(
        33, 1,
        "view many: expected at most 32 axes that vary and do not follow from others, found 33: "
        "choose a part");
    expect_many_refused(32, 1, "view many: expected kernels with all 4294967296 combinations");
    expect_many_refused(
        96, 3, "view many: expected kernels with all 9223372036854775807 combinations"); /* or 2^64 */
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
                   "SELECT 1", "where: SQL line 1 at '); SELECT (1': near \")\": syntax error");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "1) OR (0"}, "SELECT 1",
                   "where: SQL line 1 at ') OR (0': near \")\": syntax error");
    static const char *const wrong[][2] = {
        {"1 =", "where: SQL: incomplete input"},
        {"'a", "where: SQL line 1 at ''a': unrecognized token: \"'a\""},
        {"1 /* all", "where: SQL: incomplete input"},
        {"m DESC", "where: SQL line 1 at 'DESC': near \"DESC\": syntax error"},
        {"1, 2", "where: SQL line 1 at ', 2': near \",\": syntax error"},
    };
    for (size_t i = 0; i < WS_COUNT(wrong); i++) /* and nothing of the query that it becomes part of */
        expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = wrong[i][0]},
                       "SELECT 1", wrong[i][1]);
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m\n) + (m"}, "SELECT 1",
                   "metric: SQL line 2 at ') + (m'");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "sum(m)"}, "SELECT 1",
                   "metric: SQL line 1 at 'sum(m)': misuse of aggregate: sum()");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "0"}, "SELECT 1",
                   "expected rows with m, found none");
    expect_refused(
        good, "DELETE FROM t WHERE a = 8 AND b = 'b09'",
        "expected kernels with all 6 combinations of the axes' values, found none; samples, conditions, "
        "parameters that are zipped, and points that failed or are still to be computed leave holes: fit a "
        "surface to the others (--surface), or choose a part without them with a condition (--where); trace: "
        "k0 "
        "lacks 1: a 8, b b09");
    expect_refused(good,
                   "DELETE FROM t WHERE (a = 9) <> (b = 'b08') AND kernel <> 'k0' OR a = 8 AND b > 'b08'",
                   "trace: k0 lacks 2: a 8, b b09; a 8, b b10");
    expect_refused(good, "DELETE FROM t WHERE a = 8 AND b <> 'b10'",
                   "trace: k0 lacks 2: a 8, b b08; a 8, b b09");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "kernel"}, "SELECT 1",
                   "kernel: expected numbers, found texts");
    expect_refused(
        good, "UPDATE t SET m = 0 WHERE a = 8 AND kernel = 'k0'",
        "m: expected positive values, found 3 others of 18: compare differences instead of ratios, or");
    static const char infinite[] =
        "m: expected finite values, found 3 others of 18: leave them out with a condition (--where)";
    expect_refused(good, "UPDATE t SET m = 9e999 WHERE a = 8 AND kernel = 'k0'", infinite);
    expect_refused(
        (ws_effects_query){.view = "s_by_kernel", .metric = "m", .differences = true, .surface = true},
        "UPDATE t SET m = -9e999 WHERE a = 8 AND kernel = 'k0'", infinite);
    expect_refused(good, "INSERT INTO t SELECT * FROM t WHERE a = 8 AND kernel = 'k0'",
                   "found 3 more: choose one");
    expect_refused(good, "UPDATE sweep SET axes = '[]'", "expected a sweep with axes, found none");
    expect_refused(good, "DELETE FROM t WHERE a = 8 AND b = 'b09'",
                   "expected kernels with all 6 combinations of the axes' values, found none");
    expect_refused(good,
                   "DELETE FROM t WHERE b <> substr('b08b09b10', 1 + 3 * substr(kernel, 2), 3) OR "
                   "(a = 8) <> (b = 'b08')", /* a follows from b, as it happens */
                   "fit a surface to the others (--surface), or choose a part without them with a condition "
                   "(--where); trace: k0 has 1");
    expect_refused(good, "UPDATE t SET m = 5", "m does not vary in any kernel");
    expect_refused((ws_effects_query){.view = "s_by_kernel", .metric = "m", .where = "a = 8 AND b = 'b09'"},
                   "SELECT 1", "expected axes that vary, found one combination");
}

/* Of many combinations, what they have in common is told, or else the first. */
static void expect_lacking(const char *where, const char *text) {
    char *told;
    grid g = grid_make(3, (unsigned[]){2, 3, 4}, 1);
    for (unsigned p = 0; p < g.points; p++) g.metric[0][p] = 1 + p;
    grid_store(&g);
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE %s", where));
    assert_null(grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m"}, &told));
    if (!strstr(grid_err.text, text)) fail_msg("expected %s, found %s", text, grid_err.text);
    free(told);
}

static void test_lacking(void **state) {
    (void)state;
    expect_lacking("a = 8 AND b = 'b09' AND c_c > 9",
                   "; trace: k0 lacks 2: a 8, b b09, c.c 10; a 8, b b09, c.c 11");
    expect_lacking("a = 8 AND b > 'b08' AND c_c > 8", "; trace: k0 lacks 6, all with a 8");
    expect_lacking("a = 8 AND c_c = 9 AND b < 'b10' OR a = 9 AND c_c > 9 AND b > 'b08'",
                   "; trace: k0 lacks 6, such as a 8, b b08, c.c 9");
    expect_lacking("c_c > 8 AND (a = 8 OR b > 'b08')", "; trace: k0 has 9");
}

/* What no sweep stores as its list of axes. */
static void test_damaged_axes(void **state) {
    (void)state;
    static const char *const lists[] = {"null", "{}", "[1]", "[\"a\""};
    for (size_t i = 0; i < WS_COUNT(lists); i++) {
        char *told, expected[160];
        const grid g = simple_grid();
        grid_store(&g);
        grid_sql(sqlite3_mprintf("UPDATE sweep SET axes = %Q", lists[i]));
        assert_null(grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m"}, &told));
        free(told);
        assert_int_equal(grid_err.code, WS_ERROR_DATABASE);
        snprintf(expected, sizeof expected,
                 "effects.db: view s_by_kernel: expected a list of its sweep's axes, found '%s'; the file is "
                 "damaged",
                 lists[i]);
        if (!strstr(grid_err.text, expected)) fail_msg("expected \"%s\" in: %s", expected, grid_err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_kernels_that_vary_more),
        cmocka_unit_test(test_a_kernel_that_does_not_vary),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_interaction_alone),
        cmocka_unit_test(test_equal_means),
        cmocka_unit_test(test_null_is_a_value),
        cmocka_unit_test(test_points_of_a_figure),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_column_of_another_view),
        cmocka_unit_test(test_many_axes),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lacking),
        cmocka_unit_test(test_damaged_axes),
    };
    return cmocka_run_group_tests_name("effects", tests, grid_open, grid_close);
}
