/* Views that compare a sweep's points with their baselines, and the front of settings. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "../support/sql.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect_compared(ws_store *store, int64_t rows, int64_t with_baseline) {
    int64_t found = -1, with = -1;
    forest_must(ws_store_count_compared(store, &found, &with, &forest_err));
    assert_int_equal(found, rows);
    assert_int_equal(with, with_baseline);
}

/* Growth of trees, as the leaves of one over those of its baseline. */
static const ws_ratio ratio[] = {{"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"}};
static const ws_table growth = {"growth", "trees and the first", NULL, 0, ratio, 1};
static const ws_experiment growing = {"forest", "trees",       "a book", 3,   forest_components,
                                      1,        forest_tables, &growth,  NULL};

/* Stores a sweep over the height; one that is `compared` has height 1 as its baseline. */
static void sweep_heights(ws_store *store, bool compared) {
    static const char *const axes[] = {"tree.height", NULL}, *const none[] = {NULL};
    static const int64_t ids[] = {1001, 1002, 2001, 2002};
    json_t *one = json_integer(1);
    const ws_baseline_axis baseline[] = {{"tree.height", one}, {NULL, NULL}};
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(ws_store_sweep(store,
                               &(ws_sweep_row){.name = "heights",
                                               .axes = axes,
                                               .points = ids,
                                               .point_count = 4,
                                               .baseline = compared ? baseline : NULL,
                                               .compared_at = none},
                               &forest_err));
    forest_must(ws_store_commit(store, &forest_err));
    json_decref(one);
}

/* Each height is compared with height 1. Where the two have different launches, or there is no height 1, the ratio is
 * unknown. */
static void test_comparison(void **state) {
    (void)state;
    ws_store *store = forest_open("comparison.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &growing);
    sweep_heights(store, true);
    forest_fill(store);
    forest_must(sqlite3_exec(db, "UPDATE leaf SET note = NULL", NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(
        db,
        "SELECT trace, kernel, launches, tree_height, growth, note FROM heights_growth ORDER BY tree_height",
        "wood|grow|2|1|1|NULL\nwood|grow|2|2|1.0099009900990099|NULL\n");
    sql_expect(db, "SELECT kind, help FROM metric WHERE table_name = 'growth'", "ratio|of leaves\n");
    expect_compared(store, 2, 2);
    forest_must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point = 2001", NULL, NULL, NULL) ==
                SQLITE_OK);
    sql_expect(db, "SELECT tree_height, growth, note FROM heights_growth ORDER BY tree_height",
               "1|1|NULL\n2|NULL|no baseline: of this kernel no point with \"tree_height\" = 1 has these 2 "
               "launches\n");
    expect_compared(store, 2, 1);
    forest_must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point = 1002", NULL, NULL, NULL) ==
                SQLITE_OK);
    sql_expect(db, "SELECT tree_height, launches, growth, note FROM heights_growth ORDER BY tree_height",
               "1|1|1|NULL\n2|1|NULL|no baseline: of this kernel no point with \"tree_height\" = 1 has this "
               "launch\n");
    expect_compared(store, 2, 1);
    forest_must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point = 1001", NULL, NULL, NULL) ==
                SQLITE_OK);
    sql_expect(db, "SELECT tree_height, growth, note FROM heights_growth",
               "2|NULL|no baseline: of this kernel there is no point with \"tree_height\" = 1\n");
    expect_compared(store, 1, 0);
    sweep_heights(store, false);
    sql_expect(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'heights_growth'", "0\n");
    expect_compared(store, 0, 0);
    assert_string_equal(ws_store_unshown(store),
                        "heights: the view heights_growth is gone (run the former specification again, or "
                        "choose another name)\n");
    ws_store_close(store);
}

/* A baseline may be where something is off. */
static void test_baseline_without(void **state) {
    (void)state;
    static const char *const axes[] = {"tree.green", NULL}, *const none[] = {NULL};
    ws_store *store = forest_open("without.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &growing);
    const ws_baseline_axis baseline[] = {{"tree.green", json_false()}, {NULL, NULL}};
    const ws_sweep_row sweep = {.name = "greens", .axes = axes, .baseline = baseline, .compared_at = none};
    forest_must(ws_store_begin(store, &forest_err) && ws_store_sweep(store, &sweep, &forest_err) &&
                ws_store_commit(store, &forest_err));
    forest_must(
        sqlite3_exec(db,
                     "DROP VIEW greens_by_kernel; CREATE TABLE greens_by_kernel (trace, kernel, "
                     "launches, launch_set, fidelity, truncated, tree_green, leaves, note); "
                     "INSERT INTO greens_by_kernel VALUES ('w', 'oak', 1, 1, 'order', 0, 0, 4, NULL), "
                     "('w', 'oak', 1, 1, 'order', 0, 1, 6, NULL)",
                     NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, "SELECT tree_green, growth FROM greens_growth ORDER BY 1", "0|1\n1|1.5\n");
    ws_store_close(store);
}

/* What is unknown of a point is told where it is compared, too, with or without a baseline. */
static void test_notes(void **state) {
    (void)state;
    static const ws_ratio ratios[] = {{"fallen", "", "this.fallen - base.fallen", "leaves"}};
    static const ws_table against = {"growth", "trees and the first", NULL, 0, ratios, 1};
    static const ws_experiment compared = {"forest", "trees",       "a book", 3,   forest_components,
                                           1,        forest_tables, &against, NULL};
    static const char notes[] = "SELECT tree_height, fallen, note FROM heights_growth ORDER BY tree_height";
    ws_store *store = forest_open("notes.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &compared);
    sweep_heights(store, true);
    forest_fill(store);
    forest_must(sqlite3_exec(db,
                             "UPDATE leaf SET note = NULL; "
                             "UPDATE leaf SET fallen = NULL, note = 'fallen: a storm' WHERE point % 10 = 2",
                             NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, notes, "1|0|NULL\n2|NULL|fallen: a storm\n");
    forest_must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point % 10 = 1", NULL, NULL, NULL) ==
                SQLITE_OK);
    sql_expect(db, notes,
               "2|NULL|no baseline: of this kernel there is no point with \"tree_height\" = 1; fallen: a "
               "storm\n");
    ws_store_close(store);
}

/* No two sets of as many of the first 12 launches have the same number. */
static void test_launch_sets(void **state) {
    (void)state;
    ws_store *store = forest_open("launch_sets.db");
    sql_expect(ws_store_sqlite(store),
               "WITH RECURSIVE mask(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM mask WHERE m < 4095), "
               "bit(launch) AS (SELECT 1 UNION ALL SELECT launch + 1 FROM bit WHERE launch < 12), "
               "sets AS (SELECT m, " WS_STORE_LAUNCHES " FROM mask JOIN bit ON m >> (launch - 1) & 1 "
               "GROUP BY m) "
               "SELECT count(*), count(DISTINCT launches || ' ' || launch_set) FROM sets",
               "4095|4095\n");
    ws_store_close(store);
}

/* Height 2 has more leaves. If it costs less, it is the better choice; if it costs more, neither height is better than
 * the other; if its cost is unknown, nobody can tell. Without one of its two kernels, height 2 is no rival. A launch of
 * height 1 is truncated. */
static void test_front(void **state) {
    (void)state;
    static const char *const prices[] = {"3 - this.tree_height", "this.tree_height",
                                         "nullif(this.tree_height, 2)"},
                             *const expected[] = {
                                 "tree|1|1|1|1|2|0\ntree|0|2|1|1.0099009900990099|1|1\n",
                                 "tree|1|1|1|1|1|1\ntree|0|2|1|1.0099009900990099|2|1\n",
                                 "tree|1|1|1|1|1|1\ntree|0|2|1|1.0099009900990099|NULL|NULL\n"};
    static const ws_front front = {"best", "sort", "growth", "price"};
    for (int i = 0; i < 3; i++) {
        const ws_ratio ratios[] = {{"sort", "", "CASE WHEN base.leaves THEN 'tree' END", "of kernel"},
                                   {"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"},
                                   {"price", "", prices[i], "to pay"}};
        const ws_table against = {"growth", "trees and the first", NULL, 0, ratios, 3};
        const ws_experiment compared = {"forest", "trees",       "a book", 3,     forest_components,
                                        1,        forest_tables, &against, &front};
        static const char *const names[] = {"front0.db", "front1.db", "front2.db"};
        ws_store *store = forest_open(names[i]);
        forest_describe(store, &compared);
        sweep_heights(store, true);
        forest_fill(store);
        forest_must(sqlite3_exec(ws_store_sqlite(store), "UPDATE point SET truncated = 1 WHERE id = 2001",
                                 NULL, NULL, NULL) == SQLITE_OK);
        sql_expect(ws_store_sqlite(store),
                   "SELECT column_name, unit FROM metric WHERE table_name = 'best' ORDER BY 1",
                   "area_mm2|mm2\nkernels|kernels\non_area_front|\non_front|\n");
        sql_expect(ws_store_sqlite(store),
                   "SELECT * FROM heights_best WHERE sort = 'tree' ORDER BY tree_height", expected[i]);
        sql_expect(ws_store_sqlite(store),
                   "SELECT count(*) FROM heights_best a JOIN heights_best t USING (tree_height, kernels, "
                   "growth) WHERE a.sort = 'all' AND t.sort = 'tree' AND (a.price, a.on_front) IS (t.price, "
                   "t.on_front)",
                   "2\n");
        forest_must(sqlite3_exec(ws_store_sqlite(store),
                                 "UPDATE kernel SET short_name = 'bloom' WHERE launch = 2;"
                                 "DELETE FROM sweep_point WHERE point = 2002",
                                 NULL, NULL, NULL) == SQLITE_OK);
        sql_expect(ws_store_sqlite(store),
                   "SELECT tree_height, kernels, truncated, on_front FROM heights_best ORDER BY sort, "
                   "tree_height",
                   "1|2|1|1\n2|1|0|NULL\n1|2|1|1\n2|1|0|NULL\n");
        ws_store_close(store);
    }
}

/* ---- comparisons and fronts of many settings, whose rows are made up */

static const ws_ratio many_ratios[] = {{"sort", "", "'tree'", "of kernel"},
                                       {"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"},
                                       {"price", "", "this.tree_height", "to pay"}};

/* Stores a sweep with a front, and replaces the view of that name, which others read, by an empty table. */
static ws_store *open_many(const char *name, const char *view, const char *columns) {
    static const ws_front front = {"best", "sort", "growth", "price"};
    static const ws_table against = {"growth", "trees and the first", NULL, 0, many_ratios, 3};
    static const ws_experiment compared = {"forest", "trees",       "a book", 3,     forest_components,
                                           1,        forest_tables, &against, &front};
    static const char *const axes[] = {"tree.height", "tree.slope", NULL}, *const at[] = {"tree.slope", NULL};
    ws_store *store = forest_open(name);
    forest_describe(store, &compared);
    json_t *one = json_integer(1);
    const ws_baseline_axis baseline[] = {{"tree.height", one}, {NULL, NULL}};
    const ws_sweep_row sweep = {"heights", axes, NULL, NULL, 0, baseline, at, NULL, NULL, false};
    forest_must(ws_store_begin(store, &forest_err) && ws_store_sweep(store, &sweep, &forest_err) &&
                ws_store_commit(store, &forest_err));
    char *replace = sqlite3_mprintf("DROP VIEW %s; CREATE TABLE %s (%s)", view, view, columns);
    forest_must(sqlite3_exec(ws_store_sqlite(store), replace, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(replace);
    json_decref(one);
    return store;
}

static ws_store *open_settings(const char *name) {
    return open_many(name, "heights_growth",
                     "kernel, sort, tree_height, tree_slope, growth, price, truncated");
}

/* Whether a setting is on the front, by its definition: a look at all its rivals. */
#define RIVALS " FROM best o WHERE o.sort = s.sort AND o.tree_slope IS s.tree_slope"
#define BY_DEFINITION                                                                                        \
    "CASE WHEN s.price IS NOT NULL AND s.kernels = (SELECT max(o.kernels)" RIVALS                            \
    ") THEN NOT EXISTS (SELECT 1" RIVALS                                                                     \
    " AND o.kernels = s.kernels AND o.growth >= s.growth AND o.price <= s.price AND (o.growth > s.growth "   \
    "OR o.price < s.price)) END"

/* Four kernels of two sorts and of none, with ties in growth and price, unknown values, and kernels that are missing
 * in some settings. */
static void test_front_by_definition(void **state) {
    (void)state;
    ws_store *store = open_settings("front_many.db");
    sqlite3 *db = ws_store_sqlite(store);
    for (int round = 0; round < 20; round++) {
        sqlite3_int64 seed = 7919 * round;
        char *fill = sqlite3_mprintf(
            "DROP TABLE IF EXISTS temp.best; DELETE FROM heights_growth;"
            "WITH RECURSIVE r(i, x) AS (SELECT 1, %lld UNION ALL SELECT i + 1, (x * 1103515245 + 12345) %% "
            "2147483648 FROM r WHERE i < 400), d AS (SELECT i, x / 65536 AS x FROM r) INSERT INTO "
            "heights_growth SELECT k.column1, k.column2, i / 4, nullif(i / 4 %% 3, 2), "
            "nullif(1.0 + x %% 7, 1.0), nullif((x / 7) %% 5, x %% 11), 0 FROM d JOIN (VALUES (0, 'oak'), "
            "(1, 'oak'), (2, 'fir'), (3, NULL)) k ON k.column1 = i %% 4;"
            "CREATE TEMP TABLE best AS SELECT * FROM heights_best",
            seed);
        forest_must(sqlite3_exec(db, fill, NULL, NULL, NULL) == SQLITE_OK);
        sqlite3_free(fill);
        sql_expect(
            db, "SELECT s.*, " BY_DEFINITION " AS defined FROM best s WHERE s.on_front IS NOT " BY_DEFINITION,
            "");
        sql_expect(db,
                   "SELECT sort, count(*) > 70, sum(on_front) > 1, sum(on_front = 0) > 1, sum(on_front IS "
                   "NULL) > 1 FROM best GROUP BY sort",
                   "NULL|1|NULL|NULL|1\nall|1|1|1|1\nfir|1|1|1|1\noak|1|1|1|1\n");
    }
    ws_store_close(store);
}

/* The steps of SQLite's machine that the front of so many settings takes. */
static int steps_of_front(sqlite3 *db, int settings) {
    sqlite3_stmt *query = NULL;
    char *fill = sqlite3_mprintf("DELETE FROM heights_growth; WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL "
                                 "SELECT i + 1 FROM r WHERE i < "
                                 "%d) INSERT INTO heights_growth SELECT 1, 'oak', i, 0, i, i, 0 FROM r",
                                 settings);
    forest_must(sqlite3_exec(db, fill, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(fill);
    forest_must(sqlite3_prepare_v2(db, "SELECT sum(on_front) FROM heights_best", -1, &query, NULL) ==
                SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(query, 0), 2 * settings);
    int steps = sqlite3_stmt_status(query, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(query);
    return steps;
}

/* Twice as many settings take about twice as many steps, also where none beats another. */
static void test_front_grows_with_settings(void **state) {
    (void)state;
    ws_store *store = open_settings("front_steps.db");
    sqlite3 *db = ws_store_sqlite(store);
    int few = steps_of_front(db, 300), twice = steps_of_front(db, 600);
    assert_in_range(twice, few, 5 * (few / 2));
    ws_store_close(store);
}

static int count_call(void *calls) {
    ++*(int *)calls;
    return 0;
}

/* The hundreds of steps that it takes to count what is compared, among so many baselines and as many trees that have
 * none. */
static int steps_of_count(ws_store *store, int baselines) {
    char *fill = sqlite3_mprintf(
        "DELETE FROM heights_by_kernel; WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE "
        "i < %d) INSERT INTO heights_by_kernel SELECT 'wood', 'oak', 1, 1, 'order', 0, 1 + i %% 2, i, 5 FROM "
        "r",
        2 * baselines - 1);
    forest_must(sqlite3_exec(ws_store_sqlite(store), fill, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(fill);
    int steps = 0;
    sqlite3_progress_handler(ws_store_sqlite(store), 100, count_call, &steps);
    expect_compared(store, 2 * baselines, baselines);
    sqlite3_progress_handler(ws_store_sqlite(store), 0, NULL, NULL);
    return steps;
}

static void test_count_grows_with_rows(void **state) {
    (void)state;
    ws_store *store = open_many(
        "count_steps.db", "heights_by_kernel",
        "trace, kernel, launches, launch_set, fidelity, truncated, tree_height, tree_slope, leaves");
    int few = steps_of_count(store, 300), twice = steps_of_count(store, 600);
    assert_in_range(twice, few, 5 * (few / 2));
    ws_store_close(store);
}

/* Parameters that mean nothing to a baseline may vary there: the one with the most launches is taken. */
static void test_several_baselines(void **state) {
    (void)state;
    ws_store *store = open_many(
        "several.db", "heights_by_kernel",
        "trace, kernel, launches, launch_set, fidelity, truncated, tree_height, tree_slope, leaves, note");
    sqlite3 *db = ws_store_sqlite(store);
    forest_must(sqlite3_exec(db,
                             "INSERT INTO heights_by_kernel VALUES "
                             "('w', 'oak', 2, 2, 'order', 0, 1, 5, 2, NULL), "
                             "('w', 'oak', 3, 3, 'order', 0, 1, 5, 4, NULL), "
                             "('w', 'oak', 1, 1, 'order', 0, 1, 5, 1, NULL), "
                             "('w', 'oak', 3, 3, 'order', 0, 2, 5, 6, NULL), "
                             "('w', 'oak', 2, 2, 'order', 0, 3, 5, 6, NULL)",
                             NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, "SELECT tree_height, growth FROM heights_growth WHERE tree_height > 1 ORDER BY 1",
               "2|1.5\n3|NULL\n");
    ws_store_close(store);
}

/* Of several baselines that lack as much, the note takes those of the axes in their order; launches come first. A point
 * without a value on an axis has the baseline without one. */
static void test_notes_of_ties(void **state) {
    (void)state;
    ws_store *store = open_many(
        "ties.db", "heights_by_kernel",
        "trace, kernel, launches, launch_set, fidelity, truncated, tree_height, tree_slope, leaves, note");
    sqlite3 *db = ws_store_sqlite(store);
    forest_must(
        sqlite3_exec(
            db,
            "INSERT INTO heights_by_kernel VALUES ('w', 'oak', 2, 2, 'order', 0, 1, NULL, 5, NULL), "
            "('w', 'oak', 3, 3, 'order', 0, 1, 7, 5, NULL), ('w', 'oak', 2, 2, 'order', 0, 2, 7, 5, NULL), "
            "('w', 'oak', 2, 2, 'order', 0, 2, 8, 5, NULL), ('w', 'oak', 4, 4, 'order', 0, 2, 9, 5, NULL), "
            "('w', 'oak', 3, 3, 'order', 0, 2, NULL, 5, NULL), ('w', 'fir', 2, 2, 'order', 0, 2, 7, 5, "
            "NULL), "
            "('w', 'oak', 2, 2, 'order', 0, 2, NULL, 5, NULL)",
            NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db,
               "SELECT kernel, launches, tree_slope, replace(note, 'no baseline: of this kernel ', '') FROM "
               "heights_growth WHERE tree_height = 2 ORDER BY 1, 2, 3",
               "fir|2|7|there is no point with \"tree_height\" = 1\n"
               "oak|2|NULL|NULL\n"
               "oak|2|7|no point with \"tree_height\" = 1 has these 2 launches\n"
               "oak|2|8|no point with \"tree_height\" = 1 has tree_slope = 8\n"
               "oak|3|NULL|no point with \"tree_height\" = 1 has these 3 launches\n"
               "oak|4|9|no point with \"tree_height\" = 1 has these 4 launches, tree_slope = 9\n");
    ws_store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_baseline_without),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_launch_sets),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_front_by_definition),
        cmocka_unit_test(test_front_grows_with_settings),
        cmocka_unit_test(test_count_grows_with_rows),
        cmocka_unit_test(test_several_baselines),
        cmocka_unit_test(test_notes_of_ties),
    };
    return cmocka_run_group_tests_name("store_compared", tests, folder_setup, folder_teardown);
}
