/* The aggregate functions in SQL (geometric mean, quantiles, intervals of means, correlations): closed forms, and sums
 * written out. And how values come to the parameters of a statement. */
#include "store/functions.h"

#include "../support/sql.h"
#include "store/bind.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static sqlite3 *db;

static int setup(void **state) {
    (void)state;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return -1;
    if (ws_store_functions(db) != SQLITE_OK) return -1;
    return sqlite3_exec(db, "CREATE TABLE t (g TEXT, x)", NULL, NULL, NULL);
}

static int teardown(void **state) {
    (void)state;
    return sqlite3_close(db);
}

static void values(const char *list) {
    char *sql = sqlite3_mprintf("DELETE FROM t; INSERT INTO t VALUES %s", list);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sql);
}

static void test_geomean(void **state) {
    (void)state;
    values("('a', 1), ('a', 4), ('a', 16), ('b', 0.25), ('b', 0), ('b', -3), ('b', NULL), ('c', 0), ('d', "
           "NULL)");
    sql_expect(db, "SELECT g, round(geomean(x), 12), geomean_left_out(x) FROM t GROUP BY g ORDER BY g",
               "a|4|0\nb|0.25|2\nc|NULL|1\nd|NULL|0\n");
    sql_expect(db, "SELECT geomean(x), geomean_left_out(x) FROM t WHERE g = 'none'", "NULL|0\n");
}

/* geomean() returns the same bits in whatever order the rows come, although the sum of logarithms that it takes is
 * rounded. */
static void test_row_order_is_irrelevant(void **state) {
    (void)state;
    values("('a', 0.1), ('a', 7), ('a', 1e-9), ('a', 3e11), ('a', 0.3), ('a', 11)");
    sql_expect(db,
               "SELECT (SELECT geomean(x) FROM (SELECT x FROM t ORDER BY x)) ="
               " (SELECT geomean(x) FROM (SELECT x FROM t ORDER BY x DESC))",
               "1\n");
}

static void test_no_overflow(void **state) {
    (void)state;
    values("('a', 1e300), ('a', 1e300), ('a', 1e-300), ('a', 1e-300)");
    sql_expect(db, "SELECT round(geomean(x), 9) FROM t", "1\n");
}

static void test_quantile(void **state) {
    (void)state;
    values("('a', 40), ('a', 10), ('a', NULL), ('a', 30), ('a', 20), ('b', 5)");
    sql_expect(db,
               "SELECT quantile(x, 0), quantile(x, 0.5), quantile(x, 1), quantile(x, 0.25), median(x) FROM t "
               "WHERE g = 'a'",
               "10|25|40|17.5|25\n");
    sql_expect(db, "SELECT quantile(x, 0.9), median(x) FROM t WHERE g = 'b'", "5|5\n");
    sql_expect(db, "SELECT quantile(x, 0.9), median(x) FROM t WHERE g = 'none'", "NULL|NULL\n");
}

/* Nothing lies between equal values, nor does rounding. */
static void test_quantile_of_equal_values(void **state) {
    (void)state;
    values("('a', 0.1), ('a', 0.1)");
    sql_expect(db, "SELECT quantile(x, 0.2) = 0.1, quantile(x, 0.3) = 0.1 FROM t", "1|1\n");
}

/* Infinity counts as a value, and matters only to quantiles between it and another one. */
static void test_quantile_beside_infinity(void **state) {
    (void)state;
    values("('a', 9e999), ('a', 1), ('a', 2), ('b', -9e999), ('b', 9e999), ('b', 9e999), ('b', 3)");
    sql_expect(db,
               "SELECT quantile(x, 0), median(x), quantile(x, 1) = 9e999, quantile(x, 0.75) = 9e999 FROM t "
               "WHERE g = 'a'",
               "1|2|1|1\n");
    sql_expect(db,
               "SELECT quantile(x, 0) = -9e999, median(x) = 9e999, quantile(x, 0.8) = 9e999, "
               "quantile(x, 0.25) = -9e999 FROM t WHERE g = 'b'",
               "1|1|1|1\n");
}

/* Of Student's t distribution with one and with two degrees of freedom, the 97.5 % quantiles have closed forms: the
 * tangent of 0.475 pi, and 0.95 / sqrt(2 * 0.975 * 0.025). With one value there is no interval. */
static void test_bounds(void **state) {
    (void)state;
    values("('a', 1), ('a', 4), ('b', 7), ('b', 7), ('b', 7), ('c', 5), ('d', 1), ('d', 4), ('d', -9), ('d', "
           "NULL)");
    sql_expect(db, "SELECT g, avg_low(x), avg_high(x) FROM t WHERE g IN ('b', 'c') GROUP BY g ORDER BY g",
               "b|7|7\nc|NULL|NULL\n");
    sql_expect(db,
               "SELECT abs(avg_low(x) - (2.5 - 1.5 * tan(0.475 * pi()))) < 1e-9, "
               "abs(avg_high(x) - (2.5 + 1.5 * tan(0.475 * pi()))) < 1e-9 FROM t WHERE g = 'a'",
               "1|1\n");
    sql_expect(db,
               "SELECT g, round(geomean_low(x) / pow(2, 1 - tan(0.475 * pi())), 9), "
               "round(geomean_high(x) / pow(2, 1 + tan(0.475 * pi())), 9) FROM t "
               "WHERE g IN ('a', 'd') GROUP BY g ORDER BY g",
               "a|1|1\nd|1|1\n");
    sql_expect(db,
               "SELECT round(geomean_low(x), 12), round(geomean_high(x), 12) FROM t WHERE g IN ('b', 'none')",
               "7|7\n");
    sql_expect(db, "SELECT avg_low(x), geomean_high(x) FROM t WHERE g = 'none'", "NULL|NULL\n");
    values("('a', 1), ('a', 2), ('a', 3)");
    sql_expect(db,
               "SELECT round((2 - avg_low(x)) * sqrt(3 * 2 * 0.975 * 0.025), 12), "
               "round((avg_high(x) - 2) * sqrt(3 * 2 * 0.975 * 0.025), 12) FROM t",
               "0.94999999999999996|0.94999999999999996\n");
}

/* The probability that Student's t with `freedom` degrees is less than `t` off from 0: with t = sqrt(freedom) tan(a),
 * the density is proportional to cos(a)^(freedom - 1). Simpson's rule. */
static double within(double t, int freedom) {
    enum { PARTS = 2000 };
    const double ends[] = {atan(t / sqrt(freedom)), M_PI / 2};
    double area[] = {0, 0};
    for (int which = 0; which < 2; which++)
        for (int i = 0; i <= PARTS; i++)
            area[which] += ends[which] *
                           (i == 0 || i == PARTS ? 1
                            : i % 2              ? 4
                                                 : 2) *
                           pow(cos(ends[which] * i / PARTS), freedom - 1);
    return area[0] / area[1];
}

/* Both bounds are equally far off, as many standard errors as hold 95 % of Student's distribution, however few values
 * there are. */
static void test_bounds_of_few(void **state) {
    (void)state;
    for (int count = 2; count <= 40; count++) {
        sqlite3_stmt *row = NULL;
        char sql[300];
        snprintf(sql, sizeof sql,
                 "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d), "
                 "v(x) AS (SELECT (i * 7919 %% 1009) * 0.01 FROM n) "
                 "SELECT avg(x), sum(x * x), avg_low(x), avg_high(x) FROM v",
                 count);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        const double mean = sqlite3_column_double(row, 0), squares = sqlite3_column_double(row, 1);
        const double error = sqrt((squares - count * mean * mean) / (count - 1) / count);
        const double below = (mean - sqlite3_column_double(row, 2)) / error,
                     above = (sqlite3_column_double(row, 3) - mean) / error;
        assert_float_equal(below, above, 1e-6);
        assert_float_equal(within(below, count - 1), 0.95, 1e-6);
        sqlite3_finalize(row);
    }
}

/* With many values the interval is nearly that of the normal distribution: 1.9623 standard errors, here 17.9226, on
 * both sides of the mean. */
static void test_bounds_of_many(void **state) {
    (void)state;
    static const char many[] =
        "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 999) ";
    char sql[400];
    snprintf(sql, sizeof sql,
             "%sSELECT abs((avg(i) - avg_low(i)) - 17.9226) < 0.001, abs((avg_high(i) - avg(i)) - 17.9226) "
             "< 0.001, "
             "avg_low(i) = (SELECT avg_low(i) FROM (SELECT i FROM n ORDER BY i DESC)) FROM n",
             many);
    sql_expect(db, sql, "1|1|1\n");
}

static void test_many_values(void **state) {
    (void)state;
    sql_expect(db,
               "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
               "SELECT median(i), quantile(i, 0.99), quantile(10000 - i, 0.99) FROM n",
               "5000|9900|9900\n");
}

/* y = x^2 grows with x: the ranks agree, the values nearly. In the second set ties share ranks: 1, 2.5, 2.5, 4 and 1.5,
 * 1.5, 3, 4. */
static void test_correlations(void **state) {
    (void)state;
    static const char both[] = "SELECT CAST(round(1e6 * pearson(x, y)) AS INTEGER), CAST(round(1e6 * "
                               "spearman(x, y)) AS INTEGER) FROM ";
    char sql[300];
    snprintf(sql, sizeof sql,
             "%s(SELECT 1 AS x, 1 AS y UNION SELECT 3, 9 UNION SELECT 2, 4 UNION SELECT NULL, 1 UNION "
             "SELECT 7, NULL)",
             both);
    sql_expect(db, sql, "989743|1000000\n"); /* 8 / sqrt(2 x 98 / 3) */
    snprintf(sql, sizeof sql,
             "%s(SELECT 1 AS x, -5 AS y UNION SELECT 5, -5 UNION SELECT 5, 0 UNION SELECT 9, 1)", both);
    sql_expect(db, sql, "765092|833333\n"); /* 24 / sqrt(32 x 30.75), 3.75 / 4.5 */
    snprintf(sql, sizeof sql,
             "%s(SELECT 1 AS x, 4 AS y UNION SELECT 2, 3 UNION SELECT 3, 2 UNION SELECT 4, 1)", both);
    sql_expect(db, sql, "-1000000|-1000000\n");
    snprintf(sql, sizeof sql, "%s(SELECT 1 AS x, 4 AS y UNION SELECT 1, 3)", both);
    sql_expect(db, sql, "NULL|NULL\n");
    snprintf(sql, sizeof sql, "%s(SELECT 1 AS x, 4 AS y)", both);
    sql_expect(db, sql, "NULL|NULL\n");
    snprintf(sql, sizeof sql, "%s(SELECT 1 AS x, 4 AS y LIMIT 0)", both);
    sql_expect(db, sql, "NULL|NULL\n");
}

/* Rounding does not lead out of -1 to 1. */
static void test_correlations_stay_within(void **state) {
    (void)state;
    for (int i = 1; i <= 200; i++) {
        char sql[300];
        snprintf(
            sql, sizeof sql,
            "WITH v(x) AS (VALUES (0.1), (%d / 7.0), (%d * 1.3), (5)) SELECT abs(pearson(x, 0.3 * x)) <= 1, "
            "abs(pearson(x, -x)) <= 1, abs(spearman(x, 0.3 * x)) <= 1, abs(spearman(x, -x)) <= 1 FROM v",
            i, i % 17);
        sql_expect(db, sql, "1|1|1|1\n");
    }
    sql_expect(db,
               "SELECT abs(spearman(x, y)) <= 1 FROM (SELECT -1 AS x, 7 AS y UNION ALL SELECT 3, 9 UNION ALL "
               "SELECT -1, 7 UNION ALL SELECT 0, 8)",
               "1\n");
}

/* Values whose squares are too large or too small for a number do not vanish. */
static void test_squares_out_of_range(void **state) {
    (void)state;
    static const char *const scales[] = {"1", "1e200", "1e-200", "1e-310"};
    for (size_t i = 0; i < 4; i++) {
        char sql[500];
        snprintf(sql, sizeof sql,
                 "WITH v(x, y) AS (VALUES (1 * %s, 1), (4 * %s, 2), (9 * %s, 3)) SELECT "
                 "CAST(round(1e6 * pearson(x, y)) AS INTEGER), CAST(round(1e6 * pearson(y, x)) AS INTEGER), "
                 "round(avg_low(x) / %s, 2), round(avg_high(x) / %s, 2) FROM v",
                 scales[i], scales[i], scales[i], scales[i], scales[i]);
        sql_expect(db, sql, "989743|989743|-5.3700000000000001|14.710000000000001\n");
    }
}

static void test_correlations_in_any_order(void **state) {
    (void)state;
    sql_expect(
        db,
        "WITH RECURSIVE n(i, x, y) AS (VALUES (0, 0.1, 0.7) UNION ALL SELECT i + 1, i * 0.37 % 7.1, i * 1.3 "
        "% 5.3 "
        "FROM n WHERE i < 500) SELECT pearson(x, y) = (SELECT pearson(x, y) FROM (SELECT * FROM n ORDER BY i "
        "DESC)), spearman(x, y) = (SELECT spearman(x, y) FROM (SELECT * FROM n ORDER BY y)) FROM n",
        "1|1\n");
}

static void test_errors(void **state) {
    (void)state;
    values("('a', 1), ('a', 'two')");
    sql_expect(db, "SELECT geomean(x) FROM t", "error: expected numbers to aggregate, found a text\n");
    sql_expect(db, "SELECT median(x) FROM t", "error: expected numbers to aggregate, found a text\n");
    sql_expect(db, "SELECT spearman(1, x) FROM t", "error: expected numbers to aggregate, found a text\n");
    sql_expect(db, "SELECT spearman(1, 'one')", "error: expected numbers to aggregate, found a text\n");
    sql_expect(db, "SELECT pearson(1, 'one')", "error: expected numbers to aggregate, found a text\n");
    values("('a', 1), ('a', 2)");
    sql_expect(db, "SELECT quantile(x, 1.5) FROM t", "error: quantile(x, p): expected p from 0 to 1\n");
    sql_expect(db, "SELECT quantile(x, 0.1 * row) FROM (SELECT x, row_number() OVER () AS row FROM t)",
               "error: quantile(x, p): expected the same p in all rows of a group\n");
    sql_expect(db, "SELECT quantile(x, 'p') FROM t", "error: quantile(x, p): expected p from 0 to 1\n");
    sql_expect(db, "SELECT quantile(x, NULL) FROM t", "error: quantile(x, p): expected p from 0 to 1\n");
}

static void json_is_bound_by_its_type(void **state) {
    (void)state;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT ?, ?, ?, ?, ?", -1, &stmt, NULL), SQLITE_OK);
    json_t *values = json_pack("[I, f, s, b, b]", (json_int_t)-7, 0.5, "7", 1, 0), *value;
    ws_bound bound = ws_bind(stmt);
    size_t i;
    json_array_foreach(values, i, value) ws_bind_json(&bound, value);
    json_decref(values);
    assert_int_equal(bound.code, SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    static const struct {
        int type;
        const char *text;
    } expected[] = {{SQLITE_INTEGER, "-7"},
                    {SQLITE_FLOAT, "0.5"},
                    {SQLITE_TEXT, "7"},
                    {SQLITE_INTEGER, "1"},
                    {SQLITE_INTEGER, "0"}};
    for (int c = 0; c < 5; c++) {
        assert_int_equal(sqlite3_column_type(stmt, c), expected[c].type);
        assert_string_equal(sqlite3_column_text(stmt, c), expected[c].text);
    }
    sqlite3_reset(stmt);
    ws_bind_int(&bound, 1); /* there is no sixth parameter */
    assert_int_equal(bound.code, SQLITE_RANGE);
    sqlite3_finalize(stmt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geomean),
        cmocka_unit_test(test_row_order_is_irrelevant),
        cmocka_unit_test(test_no_overflow),
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_quantile_of_equal_values),
        cmocka_unit_test(test_quantile_beside_infinity),
        cmocka_unit_test(test_correlations_stay_within),
        cmocka_unit_test(test_squares_out_of_range),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bounds_of_few),
        cmocka_unit_test(test_bounds_of_many),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_correlations_in_any_order),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(json_is_bound_by_its_type),
    };
    return cmocka_run_group_tests_name("functions", tests, setup, teardown);
}
