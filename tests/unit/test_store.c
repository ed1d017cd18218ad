/* The database: what it holds, how it grows. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "../support/random.h"
#include "../support/sql.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- results */

static void test_rows(void **state) {
    (void)state;
    ws_store *store = forest_open("rows.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &forest);
    forest_fill(store);
    sql_expect(db, "SELECT id, kernel, analysis, version, config, status, reason FROM point ORDER BY id",
               "1001|11|forest|3|101|done|NULL\n1002|11|forest|3|102|done|NULL\n"
               "2001|12|forest|3|101|done|NULL\n2002|12|forest|3|102|done|NULL\n");
    sql_expect(db, "SELECT * FROM leaf ORDER BY point",
               "1001|100|0.5|0|NULL|colour: it is night\n1002|101|1.5|1|NULL|colour: it is night\n"
               "2001|102|2.5|2|NULL|colour: it is night\n2002|103|3.5|3|NULL|colour: it is night\n");
    sql_expect(db, "SELECT point, year, width, note FROM ring WHERE point = 1002",
               "1002|1998|0.25|NULL\n1002|1999|1.25|NULL\n");
    sql_expect(db, "SELECT * FROM forest_config WHERE id = 102",
               "102|3|order|{\"tree.height\":2,\"tree.slope\":0.10000000000000001,\"tree.green\":true,\"tree."
               "kind\":\"beech\"}|"
               "2|0.10000000000000001|1|beech\n");
    sql_expect(db, "SELECT launch, name, short_name, grid_x, block_x, ctas FROM kernel ORDER BY id",
               "1|_Z4growv|grow|1|32|12\n2|_Z4growv|grow|2|32|12\n");
    sql_expect(db, "SELECT count(*) FROM point_run JOIN run ON run.id = run", "4\n");
    sql_expect(db, "SELECT kind, adds FROM metric WHERE (table_name, column_name) = ('point', 'truncated')",
               "metric|max\n");
    /* Every column is described, and nothing else is but ratios. */
    sql_expect(
        db,
        "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c LEFT JOIN metric m ON "
        "(m.table_name, m.column_name) = (t.name, c.name) WHERE t.type = 'table' AND t.name NOT IN "
        "('forest_config', 'leaf', 'ring') AND (m.help IS NULL OR m.help = '')",
        "");
    sql_expect(
        db,
        "SELECT table_name, column_name FROM metric WHERE kind <> 'ratio' EXCEPT SELECT t.name, c.name "
        "FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'",
        "");
    sql_expect(
        db,
        "SELECT table_name, column_name, kind, unit, adds FROM metric WHERE kind = 'counter' OR table_name "
        "IN ('forest_config', 'leaf', 'ring') ORDER BY 1, 2",
        "forest_config|tree_green|parameter||key\nforest_config|tree_height|parameter|m|key\n"
        "forest_config|tree_kind|parameter||key\nforest_config|tree_slope|parameter||key\n"
        "kernel|ctas|counter||sum\n"
        "leaf|colour|metric||same\nleaf|fallen|metric|leaves|sum\nleaf|fallen_share|ratio||not\n"
        "leaf|leaves|metric|leaves|sum\nleaf|longest|metric|cm|max\n"
        "ring|width|metric|mm|sum\nring|year|key||key\n");
    ws_store_close(store);
}

static void test_views(void **state) {
    (void)state;
    ws_store *store = forest_open("views.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &forest);
    forest_must(forest_sweep(store, "heights"));
    sql_expect(db, "SELECT count(*) FROM heights", "0\n"); /* asked for, not computed */
    forest_fill(store);
    sql_expect(db, "SELECT group_concat(name) FROM pragma_table_info('heights')",
               "trace,kernel,launch,fidelity,truncated,tree_height,leaves,longest,fallen,colour,fallen_share,"
               "note\n");
    sql_expect(
        db,
        "SELECT trace, kernel, launch, fidelity, tree_height, leaves, fallen_share FROM heights ORDER BY "
        "launch, tree_height",
        "wood|grow|1|order|1|100|0\nwood|grow|1|order|2|101|0.0098039215686274508\n"
        "wood|grow|2|order|1|102|0.019230769230769232\nwood|grow|2|order|2|103|0.028301886792452831\n");
    sql_expect(
        db,
        "SELECT kernel, launches, tree_height, leaves, longest, fallen, colour, fallen_share FROM "
        "heights_by_kernel ORDER BY tree_height",
        "grow|2|1|202|2.5|2|NULL|0.0098039215686274508\ngrow|2|2|204|3.5|4|NULL|0.019230769230769232\n");
    sql_expect(db,
               "SELECT kernel, launch, tree_height, year, width FROM heights_ring WHERE year = 1998 ORDER BY "
               "launch, tree_height",
               "grow|1|1|1998|0\ngrow|1|2|1998|0.25\ngrow|2|1|1998|0.5\ngrow|2|2|1998|0.75\n");

    /* If one of the launches of a name is truncated, the row of all of them is marked. */
    forest_must(sqlite3_exec(db, "UPDATE point SET truncated = 1 WHERE id = 2001", NULL, NULL, NULL) ==
                SQLITE_OK);
    sql_expect(db, "SELECT launch, tree_height, truncated FROM heights ORDER BY launch, tree_height",
               "1|1|0\n1|2|0\n2|1|1\n2|2|0\n");
    sql_expect(db, "SELECT tree_height, truncated FROM heights_by_kernel ORDER BY tree_height", "1|1\n2|0\n");

    /* The sweep of that name asks for something else now: the views follow, the results stay. */
    static const char *const none[] = {NULL};
    const int64_t one[] = {1002};
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(ws_store_sweep(
        store, &(ws_sweep_row){"heights", none, one, NULL, 1, NULL, NULL, NULL, NULL, false}, &forest_err));
    forest_must(ws_store_commit(store, &forest_err));
    assert_string_equal(ws_store_unshown(store),
                        "heights: its views show 1 point now; 3 that they showed before are stored, but not "
                        "shown (run the former specification again, or choose another name)\n");
    sql_expect(db, "SELECT * FROM heights",
               "wood|grow|1|order|0|101|1.5|1|NULL|0.0098039215686274508|colour: it is night\n");

    /* Another run of the same specification, which asks for other points. */
    const int64_t other[] = {1001};
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(
        ws_store_begin_run(store, &(ws_run_row){"heights", "heights.json", "{}", NULL, 1}, &forest_err));
    forest_must(ws_store_sweep(
        store, &(ws_sweep_row){"heights", none, other, NULL, 1, NULL, NULL, NULL, NULL, false}, &forest_err));
    assert_string_equal(ws_store_unshown(store),
                        "heights: its views show 1 point now; 1 that they showed before is stored, but not "
                        "shown (of the same specification, but with other --kernels, other traces or another "
                        "version of warpsweep)\n");
    forest_must(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);

    /* A GPU is no part of the configuration: each sweep keeps its own name for the GPU that a point started from. */
    static const char *const by_gpu[] = {"gpu", "tree.height", NULL}, *const gpus[] = {"oak"};
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(ws_store_sweep(
        store, &(ws_sweep_row){"heights", by_gpu, one, gpus, 1, NULL, NULL, NULL, NULL, false}, &forest_err));
    forest_must(ws_store_commit(store, &forest_err));
    assert_null(ws_store_unshown(store));
    sql_expect(db, "SELECT gpu, tree_height, leaves FROM heights", "oak|2|101\n");
    sql_expect(db, "SELECT gpu, launches, leaves FROM heights_by_kernel", "oak|1|101\n");
    sql_expect(db, "SELECT count(*) FROM leaf", "4\n");
    ws_store_close(store);
}

/* A ratio over a column that does not exist, or that is no SQL, is reported before anything is computed. */
static void test_wrong_ratio(void **state) {
    (void)state;
    static const char *const wrong_sql[] = {"1.0 * fallen / nullif(leafs, 0)", "fallen leaves"},
                             *const told[] = {"no such column: leafs", "near \"leaves\": syntax error"};
    for (int i = 0; i < 2; i++) {
        const ws_ratio ratios[] = {{"share", "", wrong_sql[i], "of all leaves"}};
        const ws_table table = {"leaf", "", forest_tables[0]->columns, forest_tables[0]->column_count,
                                ratios, 1};
        const ws_table *const tables[] = {&table, NULL};
        const ws_experiment wrong = {"forest", "", "", 3, forest_components, 1, tables, NULL, NULL};
        ws_store *store = forest_open(i ? "no_sql.db" : "no_column.db");
        forest_describe(store, &wrong);
        assert_false(forest_sweep(store, "heights"));
        assert_int_equal(strncmp(forest_err.text, "view heights: ", 14), 0);
        assert_non_null(strstr(forest_err.text, told[i]));
        ws_store_close(store);
    }
}

/* A sum with an unknown term is unknown. */
static void test_unknown_in_sums(void **state) {
    (void)state;
    ws_store *store = forest_open("sums.db");
    forest_describe(store, &forest);
    forest_must(forest_sweep(store, "heights"));
    const ws_point_row points[] = {forest_point(1, 1), forest_point(2, 1), forest_point(1, 2)};
    ws_rows *rows = ws_rows_new();
    forest_put_leaf(rows, 0, 5, 1, 1);
    ws_rows_begin(rows, 1, 0);
    ws_rows_unknown(rows, "too dark");
    ws_rows_unknown(rows, "too dark");
    ws_rows_int(rows, 3);
    ws_rows_text(rows, "red");
    ws_rows_begin(rows, 2, 0);
    ws_rows_unknown(rows, "too dark");
    ws_rows_unknown(rows, "too far");
    ws_rows_unknown(rows, "too dark");
    ws_rows_text(rows, "red");
    forest_must(forest_store_rows(store, points, 3, rows));
    ws_rows_free(rows);
    sql_expect(ws_store_sqlite(store), "SELECT note FROM leaf WHERE note LIKE 'leaves%' ORDER BY point",
               "leaves, fallen: too dark; longest: too far\nleaves, longest: too dark\n");
    sql_expect(
        ws_store_sqlite(store),
        "SELECT leaves, longest, fallen, fallen_share, note FROM heights_by_kernel WHERE tree_height = 1",
        "NULL|NULL|4|NULL|colour: it is night,leaves, longest: too dark\n");
    ws_store_close(store);
}

/* A kernel has the colour that all its launches have, if they have the same. */
static void test_what_launches_share(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *common;
    } cases[] = {
        {"red", "red", "red\n"}, {"red", "green", "NULL\n"}, {"red", NULL, "NULL\n"}, {NULL, NULL, "NULL\n"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char name[32];
        snprintf(name, sizeof name, "shared%zu.db", i);
        ws_store *store = forest_open(name);
        forest_describe(store, &forest);
        forest_must(forest_sweep(store, "heights"));
        const ws_point_row points[] = {forest_point(1, 1), forest_point(2, 1)};
        ws_rows *rows = ws_rows_new();
        for (uint32_t launch = 0; launch < 2; launch++) {
            const char *colour = launch == 0 ? cases[i].first : cases[i].second;
            ws_rows_begin(rows, launch, 0);
            ws_rows_int(rows, 1);
            ws_rows_real(rows, 1);
            ws_rows_int(rows, 1);
            if (colour)
                ws_rows_text(rows, colour);
            else
                ws_rows_unknown(rows, "too dark");
        }
        forest_must(forest_store_rows(store, points, 2, rows));
        ws_rows_free(rows);
        sql_expect(ws_store_sqlite(store), "SELECT colour FROM heights_by_kernel", cases[i].common);
        ws_store_close(store);
    }
}

static void test_names_of_sweeps(void **state) {
    (void)state;
    ws_store *store = forest_open("names.db");
    forest_describe(store, &forest);
    assert_false(forest_sweep(store, "point"));
    assert_string_equal(forest_err.text,
                        "expected a name that is free in the database, found \"point\", the name of a table");
    assert_int_equal(forest_err.code, WS_ERROR_SPEC);
    forest_must(forest_sweep(store, "heights"));
    assert_false(forest_sweep(store, "HEIGHTS_by_kernel"));
    assert_string_equal(
        forest_err.text,
        "expected a name that is free in the database, found \"HEIGHTS_by_kernel\", the name of a view");
    forest_must(forest_sweep(store, "heights"));
    ws_store_close(store);
}

static bool store_failed(ws_store *store, const ws_point_row *point, ws_error_code code, const char *reason) {
    ws_error why;
    ws_fail(&why, code, "%s", reason);
    return ws_store_failed(store, point, &why, &forest_err);
}

static void expect_status(ws_store *store, const ws_point_row *point, ws_point_status expected) {
    ws_point_status status;
    forest_must(ws_store_status(store, point->id, &status, &forest_err));
    assert_int_equal(status, expected);
}

static void test_failed_points(void **state) {
    (void)state;
    ws_store *store = forest_open("failed.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &forest);
    forest_must(forest_sweep(store, "heights"));
    const ws_point_row point = forest_point(1, 1);
    expect_status(store, &point, WS_POINT_ABSENT);
    forest_must(store_failed(store, &point, WS_ERROR_INTERNAL, "killed by signal 11"));
    expect_status(store, &point, WS_POINT_FAILED);
    sql_expect(db, "SELECT status, reason FROM point", "failed|killed by signal 11\n");
    /* again, for another reason */
    forest_must(store_failed(store, &point, WS_ERROR_INTERNAL, "killed by signal 9"));
    sql_expect(db, "SELECT status, reason FROM point", "failed|killed by signal 9\n");
    sql_expect(db, "SELECT count(*) FROM heights", "0\n");
    /* Names in it may have been cut within a character. */
    forest_must(store_failed(store, &point, WS_ERROR_TRACE, "in (b\u00e4\xc3), by \xe2\x82"));
    sql_expect(db, "SELECT reason FROM point", "in (b\u00e4), by \n");

    /* Damage to a file, which is no property of the point, is told from other reasons. */
    forest_must(store_failed(store, &point, WS_ERROR_DAMAGED, "eaten by mice"));
    expect_status(store, &point, WS_POINT_DAMAGED);
    forest_must(store_failed(store, &point, WS_ERROR_TRACE, "no lines"));
    expect_status(store, &point, WS_POINT_FAILED);
    forest_must(store_failed(store, &point, WS_ERROR_DAMAGED, "eaten by mice"));
    sql_expect(db, "SELECT status, reason, damaged FROM point", "failed|eaten by mice|1\n");

    ws_rows *rows = ws_rows_new();
    forest_put_leaf(rows, 0, 1, 1, 1);
    forest_must(forest_store_rows(store, &point, 1, rows));
    expect_status(store, &point, WS_POINT_DONE);
    sql_expect(db, "SELECT status, reason, damaged FROM point", "done|NULL|0\n");
    /* A point that is done stays done. */
    assert_false(forest_store_rows(store, &point, 1, rows));
    assert_false(store_failed(store, &point, WS_ERROR_TRACE, "no"));
    sql_expect(db, "SELECT status FROM point", "done\n");
    sql_expect(db, "SELECT count(*) FROM heights", "1\n");
    ws_rows_free(rows);
    ws_store_close(store);
}

static void expect_too_big(bool stored, const char *what) {
    assert_false(stored);
    assert_int_equal(forest_err.code, WS_ERROR_DATABASE);
    if (!strstr(forest_err.text, what) || !strstr(forest_err.text, "string or blob too big"))
        fail_msg("%s: %s", what, forest_err.text);
}

/* A value that SQLite does not take is an error; it is not stored as NULL. */
static void test_values_too_long(void **state) {
    (void)state;
    static const char why[] =
        "it is night, and the lantern that hangs beside the door was blown out by the wind";
    ws_store *store = forest_open("long.db");
    sqlite3 *db = ws_store_sqlite(store);
    forest_describe(store, &forest);
    const ws_point_row points[] = {forest_point(1, 1), forest_point(1, 2)};
    ws_rows *rows = ws_rows_new();
    ws_rows_begin(rows, 0, 0);
    ws_rows_int(rows, 1);
    ws_rows_real(rows, 1);
    ws_rows_int(rows, 1);
    ws_rows_unknown(rows, why);
    forest_must(forest_store_rows(store, &points[0], 1, rows)); /* prepares the statements */
    const int usual = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 60);
    expect_too_big(store_failed(store, &points[1], WS_ERROR_TRACE, why), "storing a point");
    expect_too_big(forest_store_rows(store, &points[1], 1, rows), "storing a result");
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, usual);
    sql_expect(db, "SELECT id FROM point", "1001\n");
    forest_must(forest_store_rows(store, &points[1], 1, rows));
    sql_expect(db, "SELECT count(*) FROM leaf WHERE note LIKE 'colour: it is night, %'", "2\n");
    ws_rows_free(rows);
    ws_store_close(store);
}

/* Rows that do not fit are refused as a whole, with the reason. */
static void test_bad_rows(void **state) {
    (void)state;
    ws_store *store = forest_open("bad.db");
    forest_describe(store, &forest);
    const ws_point_row points[] = {forest_point(1, 1), forest_point(1, 2)};
    static const char *const reasons[] = {
        "analysis forest: table leaf: no row for a point",
        "analysis forest: table leaf: a second row of one point",
        "analysis forest: row of point 2, expected below 2",
        "analysis forest: row of table 2, expected below 2",
        "analysis forest: table ring: expected 2 cells, found 1",
        "analysis forest: table ring: expected 2 cells, found 3",
        "analysis forest: table ring: a cell of column year is of another type",
        "analysis forest: table ring: a cell of column year is of another type",
        "analysis forest: table ring: a cell of column width is of another type",
        "analysis forest: table ring: a second row of one point with the same year",
    };
    for (size_t i = 0; i < WS_COUNT(reasons); i++) {
        ws_rows *rows = ws_rows_new();
        forest_put_leaf(rows, 0, 1, 1, 1);
        if (i > 0) forest_put_leaf(rows, 1, 1, 1, 1);
        switch (i) {
        case 1:
            forest_put_leaf(rows, 0, 1, 1, 1);
            break;
        case 2:
            forest_put_ring(rows, 2, 1, 1);
            break;
        case 3:
            ws_rows_begin(rows, 0, 2);
            break;
        case 4:
            ws_rows_begin(rows, 0, 1), ws_rows_int(rows, 1);
            break;
        case 5:
            forest_put_ring(rows, 0, 1, 1), ws_rows_int(rows, 1);
            break;
        case 6:
            ws_rows_begin(rows, 0, 1), ws_rows_real(rows, 1), ws_rows_real(rows, 1);
            break;
        case 7:
            ws_rows_begin(rows, 0, 1), ws_rows_unknown(rows, "lost"), ws_rows_real(rows, 1);
            break;
        case 8:
            ws_rows_begin(rows, 0, 1), ws_rows_int(rows, 1), ws_rows_text(rows, "wide");
            break;
        case 9:
            forest_put_ring(rows, 0, 1999, 1), forest_put_ring(rows, 0, 1999, 2);
            break;
        default:
            break;
        }
        assert_false(forest_store_rows(store, points, 2, rows));
        assert_string_equal(forest_err.text, reasons[i]);
        assert_int_equal(forest_err.code, WS_ERROR_INTERNAL);
        ws_rows_free(rows);
    }
    ws_rows *rows = ws_rows_new();
    forest_put_leaf(rows, 0, 1, 1, 1);
    const void *bytes;
    size_t size;
    ws_rows_bytes(rows, &bytes, &size);
    assert_false(ws_store_done(store, points, 1, bytes, size - 1, &forest_err));
    assert_string_equal(forest_err.text, "analysis forest: the encoded rows are damaged");
    ws_rows_free(rows);
    sql_expect(ws_store_sqlite(store), "SELECT (SELECT count(*) FROM point), (SELECT count(*) FROM leaf)",
               "0|0\n");
    forest_fill(store); /* and the store is as good as before */
    ws_store_close(store);
}

/* A later program knows more parameters and columns: old rows show the default, or nothing. */
static void test_growing_tables(void **state) {
    (void)state;
    ws_store *store = forest_open("grow.db");
    forest_describe(store, &young_forest);
    ws_rows *rows = ws_rows_new();
    const ws_point_row points[] = {forest_point(1, 1)};
    ws_rows_begin(rows, 0, 0);
    ws_rows_int(rows, 5);
    ws_rows_real(rows, 0.5);
    forest_must(forest_store_rows(store, points, 1, rows));
    ws_rows_free(rows);
    ws_store_close(store);

    store = forest_open("grow.db");
    forest_describe(store, &forest);
    sql_expect(ws_store_sqlite(store),
               "SELECT tree_height, tree_slope, tree_green, tree_kind FROM forest_config ORDER BY id",
               "1|0.10000000000000001|1|beech\n2|0.10000000000000001|1|beech\n");
    sql_expect(ws_store_sqlite(store),
               "SELECT dflt_value FROM pragma_table_info('forest_config') WHERE name = 'tree_slope'",
               "0.1\n");
    sql_expect(ws_store_sqlite(store), "SELECT leaves, fallen FROM leaf", "5|NULL\n");
    ws_store_close(store);
}

/* A counter that is new to the database, but not the last that is declared. A launch that is stored already gets it
 * when it is swept again. Views stay as they were. */
static void test_growing_counters(void **state) {
    (void)state;
    static const ws_column counters[] = {{"needles", WS_TYPE_INT, "", WS_ADDS_SUM, "how many"},
                                         {"ctas", WS_TYPE_INT, "", WS_ADDS_SUM, "how many"}};
    static const int64_t counts[] = {7, 13};
    ws_kernel_row kernel = {99, 1, 3, "_Z4growv", "grow", {1, 1, 1}, {32, 1, 1}, 8, 0, counts};
    static const char view_list[] = "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name";
    ws_store *store = forest_open("counters.db");
    forest_describe(store, &forest);
    forest_must(forest_sweep(store, "heights"));
    assert_int_equal(
        sqlite3_exec(ws_store_sqlite(store), "CREATE VIEW own AS SELECT * FROM heights", NULL, NULL, NULL),
        SQLITE_OK);
    char *views = sql_text(ws_store_sqlite(store), view_list);
    ws_store_close(store);
    store = forest_open("counters.db");
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(ws_store_kernel_counters(store, counters, 2, &forest_err));
    forest_must(ws_store_kernel(store, &kernel, &forest_err));
    forest_must(ws_store_commit(store, &forest_err));
    assert_non_null(strstr(views, "heights_by_kernel|CREATE VIEW"));
    sql_expect(ws_store_sqlite(store), view_list, views);
    free(views);
    sql_expect(ws_store_sqlite(store), "SELECT launch, ctas, needles FROM kernel ORDER BY launch",
               "1|12|NULL\n2|12|NULL\n3|13|7\n");
    kernel.id = 12, kernel.launch = 2;
    forest_must(ws_store_kernel(store, &kernel, &forest_err));
    sql_expect(ws_store_sqlite(store), "SELECT launch, ctas, needles FROM kernel ORDER BY launch",
               "1|12|NULL\n2|13|7\n3|13|7\n");
    ws_store_close(store);
}

/* An analysis may have any number of tables; that of the timed replay has one for each mechanism. */
static void test_many_tables(void **state) {
    (void)state;
    enum { TABLES = 40 };
    static const ws_column width[] = {{"width", WS_TYPE_INT, "mm", WS_ADDS_SUM, "of the ring"}};
    char names[TABLES][16];
    ws_table list[TABLES];
    const ws_table *tables[TABLES + 1] = {NULL};
    for (int i = 0; i < TABLES; i++) {
        snprintf(names[i], sizeof names[i], "ring%d", i);
        list[i] = (ws_table){names[i], "rings of a year", width, 1, NULL, 0};
        tables[i] = &list[i];
    }
    const ws_experiment e = {"forest", "", "", 3, forest_components, 1, tables, NULL, NULL};
    ws_store *store = forest_open("many.db");
    forest_describe(store, &e);
    const ws_point_row points[] = {forest_point(1, 1)};
    ws_rows *rows = ws_rows_new();
    for (uint32_t i = 0; i < TABLES; i++) {
        ws_rows_begin(rows, 0, i);
        ws_rows_int(rows, i);
    }
    forest_must(forest_store_rows(store, points, 1, rows));
    ws_rows_free(rows);
    sql_expect(ws_store_sqlite(store),
               "SELECT ring0.width, ring39.width FROM ring0 JOIN ring39 USING (point)", "0|39\n");
    ws_store_close(store);
}

static void test_column_of_another_type(void **state) {
    (void)state;
    static const ws_column changed[] = {{"leaves", WS_TYPE_REAL, "leaves", WS_ADDS_SUM, "on the tree"}};
    static const ws_table changed_table = {"leaf", "", changed, 1, NULL, 0};
    static const ws_table *const changed_tables[] = {&changed_table, NULL};
    const ws_experiment changed_forest = {"forest",       "",   "",  4, forest_components, 1,
                                          changed_tables, NULL, NULL};
    ws_store *store = forest_open("changed.db");
    forest_describe(store, &forest);
    ws_store_close(store);
    store = forest_open("changed.db");
    forest_must(ws_store_begin(store, &forest_err));
    assert_false(ws_store_use(store, &changed_forest, &forest_err));
    assert_non_null(strstr(forest_err.text, "expected column leaf.leaves to be REAL, found INTEGER"));
    ws_store_close(store);
}

static void test_ambiguous_names(void **state) {
    (void)state;
    static const char *const names[] = {"kernel", "tree_height", "Leaves"};
    ws_store *store = forest_open("ambiguous.db");
    for (size_t i = 0; i < 3; i++) {
        const ws_column columns[] = {forest_tables[0]->columns[0],
                                     {names[i], WS_TYPE_INT, "", WS_ADDS_SUM, ""}};
        const ws_table table = {"ambiguous", "", columns, 2, NULL, 0};
        const ws_table *const list[] = {&table, NULL};
        const ws_experiment e = {"forest", "", "", 1, forest_components, 1, list, NULL, NULL};
        forest_must(ws_store_begin(store, &forest_err));
        assert_false(ws_store_use(store, &e, &forest_err));
        assert_non_null(strstr(forest_err.text, "stands for two things"));
        forest_must(ws_store_commit(store, &forest_err));
    }
    ws_store_close(store);
}

/* Equal results make equal dumps, in whatever order they are stored. */
static void test_order_is_irrelevant(void **state) {
    (void)state;
    char *dumps[2];
    for (uint32_t way = 0; way < 2; way++) {
        const char *name = way ? "second.db" : "first.db";
        ws_store *store = forest_open(name);
        forest_describe(store, &forest);
        forest_must(forest_sweep(store, "heights"));
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t which = way ? 3 - i : i;
            const ws_point_row point = forest_point(1 + which / 2, 1 + which % 2);
            ws_rows *rows = ws_rows_new();
            forest_put_leaf(rows, 0, which, which, which);
            forest_put_ring(rows, 0, which, which);
            forest_must(forest_store_rows(store, &point, 1, rows));
            ws_rows_free(rows);
        }
        forest_must(ws_store_end_run(store, "done", 4, 0, &forest_err));
        ws_store_close(store);
        dumps[way] = sql_dump(folder_path(name));
    }
    assert_non_null(strstr(dumps[0], "-- heights_ring: "));
    assert_string_equal(dumps[0], dumps[1]);
    free(dumps[0]);
    free(dumps[1]);
}

static double read_back(sqlite3 *db, const char *literal) {
    sqlite3_stmt *row = NULL;
    char *sql = sqlite3_mprintf("SELECT %s WHERE typeof(%s) = 'real'", literal, literal);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    double value = sqlite3_column_double(row, 0);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return value;
}

/* Of 0.002877 SQLite 3.40 reads another number than C. */
static void test_real_literals(void **state) {
    (void)state;
    static const double values[] = {0.002877, 716.896276913186, 0,    -0.1,
                                    1e300,    5e-324,           1e15, 1.2345678901234568e17};
    ws_store *store = ws_store_open_memory("literals", &forest_err);
    sqlite3 *db = ws_store_sqlite(store);
    char text[WS_SQL_REAL_SIZE];
    uint64_t random = 1;
    assert_string_equal(ws_sql_real(db, 0.1, text), "0.1");
    assert_string_equal(ws_sql_real(db, 3, text), "3.0");
    assert_string_equal(ws_sql_real(db, 2.5e-12, text), "2.5e-12");
    assert_string_equal(ws_sql_real(db, 1.0 / 3, text), "0.33333333333333331");
    for (size_t i = 0; i < WS_COUNT(values); i++)
        assert_true(read_back(db, ws_sql_real(db, values[i], text)) == values[i]);
    for (int i = 0; i < 1000; i++) {
        double value = i % 2 ? random_real(&random) : random_below(&random, 1000000) / 1e9;
        assert_true(read_back(db, ws_sql_real(db, value, text)) == value);
    }
    ws_store_close(store);
}

static void test_ids(void **state) {
    (void)state;
    assert_true(ws_store_id("") >= 0);
    assert_true(ws_store_id("a") >= 0 && ws_store_id("a") != ws_store_id("b"));
    assert_true(ws_store_id("a") == INT64_C(7405662395035962911)); /* fixed: resuming depends on it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_wrong_ratio),
        cmocka_unit_test(test_unknown_in_sums),
        cmocka_unit_test(test_what_launches_share),
        cmocka_unit_test(test_names_of_sweeps),
        cmocka_unit_test(test_failed_points),
        cmocka_unit_test(test_values_too_long),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_growing_tables),
        cmocka_unit_test(test_growing_counters),
        cmocka_unit_test(test_many_tables),
        cmocka_unit_test(test_column_of_another_type),
        cmocka_unit_test(test_ambiguous_names),
        cmocka_unit_test(test_order_is_irrelevant),
        cmocka_unit_test(test_real_literals),
        cmocka_unit_test(test_ids),
    };
    return cmocka_run_group_tests_name("store", tests, folder_setup, folder_teardown);
}
