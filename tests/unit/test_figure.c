/* Figures, each a query and a gnuplot script: listing them, their data in panels and pages, drawing them, users' own
 * queries, errors. */
#include "report/figure/figure.h"
#include "report/figure/names.h"

#include "../support/folder.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static ws_error err;
static char plots[4096]; /* a folder of figures */

static void put(const char *name, const char *text) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", plots, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Panels p01 .. p14 with the series low and high, of which p02 lacks high. y is NULL at x = 1. */
#define ROWS                                                                                                 \
    "WITH RECURSIVE p(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM p WHERE i < 14), "                         \
    "s(name) AS (VALUES ('low'), ('high')), x(x) AS (VALUES (0), (1), (2)) "                                 \
    "SELECT printf('p%02d', i) AS panel, name AS series, x, iif(x = 1, NULL, i * x) AS y "                   \
    "FROM p, s, x WHERE NOT (i = 2 AND name = 'high') ORDER BY i, name = 'high', x"

/* Rows s(i) from 1 to `last`. */
#define NUMBERED(last) "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < " last ") "

static int setup(void **state) {
    if (folder_setup(state)) return 1;
    snprintf(plots, sizeof plots, "%s", folder_path("plots"));
    mkdir(plots, 0777);
    put("many.sql", "\xef\xbb\xbf-- Many panels\r\n-- and how\n" ROWS); /* as some editors save it */
    put("many.gp", "eval set_page(4, 3)\n"
                   "set multiplot layout 3, 4\n"
                   "set key off\n"
                   "do for [p = 1 : panels] {\n"
                   "    set title sprintf('%s %d/%d', panel[p], page, pages)\n"
                   "    plot for [s = 1 : series] $data index block(p, s) with lines\n"
                   "}\n");
    put("broken.sql", "-- A script with a mistake\n" ROWS);
    put("broken.gp", "eval set_page(4, 3)\nplt sin(x)\n");
    put("barren.sql",
        "-- No rows\n-- Needs sweeps/barren.json.\nSELECT 'a' AS panel, 'b' AS series, 1 AS x WHERE 0");
    put("barren.gp", "");
    put("strange.sql", "-- Other columns\nSELECT 1 AS x, 2 AS y");
    put("strange.gp", "");
    put("crowded.sql",
        "-- Too many series\n" NUMBERED("65") "SELECT 'a' AS panel, i AS series, 1 AS x FROM s");
    put("crowded.gp", "");
    put("kernels.sql", "-- A bar for each\n" NUMBERED("90") "SELECT 'a' AS panel, i AS bar, i AS x FROM s");
    put("kernels.gp",
        "eval set_page(4, 3)\nstats $data nooutput\n"
        "stats $data index block(1, 1) : block(1, series) name 'here' nooutput\n"
        "set title sprintf('%s to %s %d, %g to %g of %g', label[1], label[series], sliced, here_min, "
        "here_max, STATS_max)\nplot $data index first_block(1) : last_block(1) using 1\n");
    put("curves.gp", "eval set_page(4, 3)\nset title 'curves: '.column_name[1].' '.column_name[2]\n"
                     "plot $data index 0\n");
    put("bars.gp",
        "eval set_page(4, 3)\nset title 'bars: '.label[1].' '.label[2].' '.column_name[1].' '.panels\n"
        "plot $data using 1\n");
    put("halved.sql", "-- Without a script\n" ROWS);
    return 0;
}

static ws_store *open_empty(void) {
    err = WS_NO_ERROR;
    ws_store *store = ws_store_open(folder_path("empty.db"), &err);
    if (!store) fail_msg("%s", err.text);
    return store;
}

static void test_list(void **state) {
    (void)state;
    ws_figure *figures;
    size_t count;
    put(".sql", "-- A file without a name");
    assert_true(ws_figures(plots, &figures, &count, &err));
    assert_int_equal(count, 7);
    assert_string_equal(figures[0].name, "barren");
    assert_string_equal(figures[5].name, "many");
    assert_string_equal(figures[5].title, "Many panels");
    ws_figures_free(figures, count);
    assert_false(ws_figures(folder_path("nowhere"), &figures, &count, &err));
    assert_int_equal(err.code, WS_ERROR_IO);
}

static void test_data(void **state) {
    (void)state;
    ws_store *store = open_empty();
    ws_figure_data data;
    if (!ws_figure_data_read(store, ROWS, false, &data, &err)) fail_msg("%s", err.text);
    assert_false(data.bars);
    assert_int_equal(data.panel_count, 14);
    assert_int_equal(data.series_count, 2);
    assert_string_equal(data.series[0], "low");
    assert_string_equal(data.panels[13]->name, "p14");
    assert_string_equal(ws_figure_points(data.panels[2], 1), "0.0 0.0\n1.0 NaN\n2.0 6.0\n");
    assert_null(ws_figure_points(data.panels[1], 1));
    ws_figure_data_free(&data);
    ws_store_close(store);
}

static void expect_points(const char *sql, const char *expected) {
    ws_store *store = open_empty();
    ws_figure_data data;
    const bool ok = ws_figure_data_read(store, sql, false, &data, &err);
    if (expected) {
        assert_true(ok);
        assert_string_equal(ws_figure_points(data.panels[0], 0), expected);
    } else {
        assert_false(ok);
        assert_non_null(strstr(err.text, "column x: expected numbers, found"));
    }
    ws_figure_data_free(&data);
    ws_store_close(store);
}

/* A label is the last of several columns, and stays in its line and its quotes. */
static void test_cells(void **state) {
    (void)state;
    expect_points("SELECT 'p' AS panel, 's' AS series, 1 AS x, 'a\"b' || char(10) || 'c' AS label",
                  "1.0 \"a'b c\"\n");
    expect_points("SELECT 'p' AS panel, 's' AS series, 5 AS label", "5.0\n");
    expect_points("SELECT 'p' AS panel, 's' AS series, 1 AS x, 7 AS label, 2 AS y", "1.0 7.0 2.0\n");
    expect_points("SELECT 'p' AS panel, 's' AS series, 9e999 AS x, -9e999 AS y", "NaN NaN\n");
    expect_points("SELECT 'p' AS panel, 's' AS series, '1' AS x", NULL);
    expect_points("SELECT 'p' AS panel, 's' AS series, x'31' AS x", NULL);
}

/* ---- pages of many series */

typedef struct spread {
    ws_figure_data data;
    ws_figure_spread s;
    ws_figure_part part;
} spread;

static void spread_out(spread *f, const char *sql, bool bars) {
    ws_store *store = open_empty();
    if (!ws_figure_data_read(store, sql, true, &f->data, &err)) fail_msg("%s", err.text);
    if (!ws_figure_spread_of(&f->data, bars, &f->s, &err)) fail_msg("%s", err.text);
    f->part.series = calloc(f->data.series_count, sizeof *f->part.series);
    assert_non_null(f->part.series);
    ws_store_close(store);
}

static void spread_end(spread *f) {
    free(f->part.series);
    ws_figure_data_free(&f->data);
}

/* Expects the panels and the series from `first` to `last` on a page. */
static void page_has(spread *f, size_t page, size_t first_panel, size_t panels, size_t first, size_t last) {
    ws_figure_part_of(&f->data, &f->s, page, &f->part);
    assert_int_equal(f->part.first_panel, first_panel);
    assert_int_equal(f->part.panels, panels);
    assert_int_equal(f->part.series[0], first);
    assert_int_equal(f->part.series_count, last - first + 1);
    assert_int_equal(f->part.series[last - first], last);
}

static void test_bars_go_on(void **state) {
    (void)state;
    spread f;
    spread_out(&f, NUMBERED("40") "SELECT i AS kernel, 1 AS x FROM s", true);
    assert_int_equal(f.s.count, 1);
    page_has(&f, 0, 0, 1, 0, 39);
    spread_end(&f);
    spread_out(&f,
               NUMBERED("115") "SELECT p AS panel, i AS kernel, 1 AS x FROM s, "
                               "(SELECT i AS p FROM s WHERE i < 14) ORDER BY p, i",
               true);
    assert_int_equal(f.s.count, 6); /* 3 times for 7 panels, then for 6 */
    page_has(&f, 0, 0, 7, 0, 38);
    page_has(&f, 2, 0, 7, 78, 114);
    page_has(&f, 4, 7, 6, 39, 77);
    spread_end(&f);
    spread_out(
        &f,
        NUMBERED("115") "SELECT p AS panel, i AS kernel, 1 AS x FROM s, (SELECT i AS p FROM s WHERE i < 14) "
                        "WHERE NOT (p > 7 AND i = 5) ORDER BY p, i",
        true);
    page_has(&f, 3, 7, 6, 0, 38); /* with the place of a bar that they lack */
    spread_end(&f);
}

/* Legends name what their page has, if all series together are too many for one. */
static void test_curves_of_a_page(void **state) {
    (void)state;
    spread f;
    spread_out(&f, NUMBERED("64") "SELECT (i + 4) / 5 AS panel, i AS series, 1 AS x, 1 AS y FROM s", false);
    assert_int_equal(f.s.count, 2);
    page_has(&f, 1, 7, 6, 0, 63);
    spread_end(&f);
    spread_out(&f, NUMBERED("115") "SELECT (i + 7) / 8 AS panel, i AS series, 1 AS x, 1 AS y FROM s", false);
    assert_int_equal(f.s.count, 2); /* of 15 panels */
    page_has(&f, 0, 0, 8, 0, 63);
    page_has(&f, 1, 8, 7, 64, 114);
    spread_end(&f);
    spread_out(&f, NUMBERED("150") "SELECT (i + 49) / 50 AS panel, i AS series, 1 AS x, 1 AS y FROM s",
               false);
    assert_int_equal(f.s.count, 3);
    page_has(&f, 2, 2, 1, 100, 149);
    spread_end(&f);
    spread_out(&f, NUMBERED("140") "SELECT (i + 6) / 7 AS panel, i AS series, 1 AS x, 1 AS y FROM s", false);
    assert_int_equal(f.s.count, 3); /* of 20 panels: 7, 7, 6 rather than 9, 9, 2 */
    page_has(&f, 0, 0, 7, 0, 48);
    page_has(&f, 2, 14, 6, 98, 139);
    spread_end(&f);
}

/* ---- names that look alike when their middle is cut out */

/* Compares those that do with `expected`: "2:8/1 " if the second name has 8 letters before the word in which it
 * differs, and 1 tells it from the others. */
static void expect_long_names(const char *expected, const char *a, const char *b, const char *c) {
    char *names[] = {strdup(a), strdup(b), strdup(c ? c : "")}, found[100] = "";
    const ws_figure_data data = {.series = names, .series_count = c ? 3 : 2};
    ws_long_names alike;
    assert_true(ws_long_names_of(&data, &alike));
    for (size_t i = 0; i < alike.count; i++) {
        size_t number = 0;
        while (names[number] != alike.names[i].text) number++;
        snprintf(found + strlen(found), sizeof found - strlen(found), "%zu:%zu/%zu ", number + 1,
                 alike.names[i].begin, alike.names[i].word);
    }
    assert_string_equal(found, expected);
    free(alike.names);
    for (size_t i = 0; i < 3; i++) free(names[i]);
}

static void test_names_that_look_alike(void **state) {
    (void)state;
    expect_long_names("1:8/1 2:8/1 ", "abcdefg_X_hijklmn", "abcdefg_Y_hijklmn", NULL);
    /* seven letters at the beginning, and at the end */
    expect_long_names("1:0/8 2:0/8 ", "abcdefgXhijklmn", "abcdefgYhijklmn", NULL);
    expect_long_names("", "abcdefXhijklmn", "abcdefYhijklmn", NULL);
    expect_long_names("", "abcdefgXhijklm", "abcdefgYhijklm", NULL);
    /* the word in which they differ, up to 20 letters of it, and what is worth a cut before it */
    expect_long_names("1:7/20 2:7/20 ", "abcdef_0123456789012345678X_hijklmn",
                      "abcdef_0123456789012345678Y_hijklmn", NULL);
    expect_long_names("1:27/1 2:27/1 ", "abcdef_01234567890123456789X_hijklmn",
                      "abcdef_01234567890123456789Y_hijklmn", NULL);
    expect_long_names("1:6/2 2:6/2 ", "abcde_wX_hijklmn", "abcde_wY_hijklmn", NULL);
    expect_long_names("1:0/8 2:0/8 ", "abcd_wwX_hijklmn", "abcd_wwY_hijklmn", NULL);
    /* letters of several bytes */
    expect_long_names("1:8/1 2:8/1 ", "abcdefg_\u00e9_hijklmn", "abcdefg_\u00e8_hijklmn", NULL);
    expect_long_names("", "abcdefg_X_\u00e9\u00e9\u00e9\u00e9", "abcdefg_Y_\u00e9\u00e9\u00e9\u00e9", NULL);
    /* of each from all others */
    expect_long_names("1:8/5 2:8/1 3:8/5 ", "abcdefg_1_x_1_hijklmn", "abcdefg_2_x_1_hijklmn",
                      "abcdefg_1_x_2_hijklmn");
    expect_long_names("1:8/1 2:8/1 ", "abcdefg_X_hijklmn", "abcdefg_Y_hijklmn", "abcdefg_X_hijklmn");
}

static bool plot_of(const char *subject, const char *name, const char *path) {
    ws_store *store = open_empty();
    bool done = ws_plot(store, plots, name, subject, path, NULL, NULL, NULL, &err);
    ws_store_close(store);
    return done;
}

static bool plot(const char *name, const char *path) {
    return plot_of(NULL, name, path);
}

static bool have_gnuplot(void) {
    return system("command -v gnuplot >/dev/null") == 0;
}

/* Returns whether the first MiB of the file has these words, before any NUL byte. */
static bool file_has(const char *path, const char *words) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char *text = calloc(1, 1 << 20);
    fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    bool found = strstr(text, words) != NULL;
    free(text);
    return found;
}

static void test_pages(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    ws_store_close(open_empty());
    size_t before = folder_count();
    if (!plot("many", folder_path("many.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("many.svg"), "p01 1/2"));
    assert_true(file_has(folder_path("many.svg"), "p07 1/2"));
    assert_false(file_has(folder_path("many.svg"), "p08"));
    assert_true(file_has(folder_path("many-2.svg"), "p08 2/2"));
    assert_true(file_has(folder_path("many-2.svg"), "p14 2/2"));
    assert_int_equal(folder_count(), before + 2);
    if (!plot("kernels", folder_path("kernels.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("kernels.svg"), "1 to 30 1, 1 to 30 of 90"));
    assert_true(file_has(folder_path("kernels-3.svg"), "61 to 90 1, 61 to 90 of 90"));
}

static void test_formats(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    if (!plot("many", folder_path("many.png"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("many.png"), "\x89PNG"));
    if (!plot("many", folder_path("many.pdf"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("many.pdf"), "%PDF"));
    if (!plot("many", folder_path("it's.svg"))) fail_msg("%s", err.text);
    assert_true(folder_has("it's-2.svg"));
}

static void fails(const char *figure, const char *file, ws_error_code code, const char *words) {
    size_t before = folder_count();
    assert_false(plot(figure, folder_path(file)));
    if (!strstr(err.text, words)) fail_msg("expected in the message: %s; found: %s", words, err.text);
    assert_int_equal(err.code, code);
    assert_int_equal(folder_count(), before); /* nothing half-written stays */
}

static void test_errors(void **state) {
    (void)state;
    ws_store_close(open_empty());
    fails("mnay", "x.svg", WS_ERROR_USAGE, "unknown figure 'mnay': did you mean 'many'?");
    fails("zzz", "x.svg", WS_ERROR_USAGE, "'warpsweep plot DB' lists those");
    fails("../plots/many", "x.svg", WS_ERROR_IO, "../plots/many: No such file");
    fails("halved", "x.svg", WS_ERROR_IO, "cannot read both halved.sql and halved.gp");
    fails("many", "x.jpg", WS_ERROR_USAGE, "expected a file name that ends in .svg, .png or .pdf");
    fails("many", "x", WS_ERROR_USAGE, "expected a file name that ends in .svg, .png or .pdf");
    fails("many", "nowhere/x.svg", WS_ERROR_IO, "nowhere/x.svg: cannot write: No such file");
    fails("barren", "x.svg", WS_ERROR_USAGE,
          "figure barren: the database holds no rows for it; they come from 'warpsweep sweep "
          "sweeps/barren.json --db DB'");
    put("barren2.sql",
        "-- As sweeps/README.md says, needs sweeps/barren.json.\nSELECT 'a' AS panel, 'b' AS series, 1 AS x "
        "WHERE 0");
    put("barren2.gp", "");
    fails("barren2", "x.svg", WS_ERROR_USAGE,
          "; they come from 'warpsweep sweep sweeps/barren.json --db DB'");
    fails("strange", "x.svg", WS_ERROR_USAGE, "figure strange: expected the columns panel, series");
    fails("crowded", "x.svg", WS_ERROR_USAGE,
          "figure crowded: expected at most 64 series in a panel, found 65 in panel 'a': choose some with "
          "WHERE");
    put("crowded.sql", NUMBERED("129") "SELECT iif(i < 65, 'a', 'b') AS panel, i AS series, 1 AS x FROM s");
    fails("crowded", "x.svg", WS_ERROR_USAGE, "at most 64 series in a panel, found 65 in panel 'b': choose");
    if (!have_gnuplot()) return;
    fails("broken", "x.svg", WS_ERROR_IO, "gnuplot failed");
    assert_int_not_equal(err.text[strlen(err.text) - 1], '\n');
    put("killed.sql", ROWS);
    put("killed.gp", "print system('kill -9 $PPID')\n");
    fails("killed", "x.svg", WS_ERROR_IO, "gnuplot failed (status 137)");
}

/* ---- users' own queries */

/* Writes a query into the folder of figures and returns its path. Static memory. */
static const char *own(const char *name, const char *sql) {
    static char path[4200];
    put(name, sql);
    snprintf(path, sizeof path, "%s/%s", plots, name);
    return path;
}

static void test_own_queries(void **state) {
    (void)state;
    ws_store_close(open_empty());
    fails(own("mine.sql", "SELECT 'p' AS panel, 's' AS series, 1 AS x"), "x.svg", WS_ERROR_USAGE,
          "mine.sql: expected the columns panel, series, and two numbers");
    fails(own("mine.sql", "SELECT 'p' AS panel, 's' AS series, 1 AS x, 2 AS y, 3 AS z"), "x.svg",
          WS_ERROR_USAGE, "mine.sql: expected the columns panel, series, and two numbers");
    put("labels.gp", "");
    fails(own("labels.sql", "SELECT 'p' AS panel, 's' AS series, NULL AS x, NULL AS y, '1 2' AS label"),
          "x.svg", WS_ERROR_USAGE,
          "labels.sql: expected rows with numbers, found NULL, or infinity, in all of them");
    fails(own("mine.sql", "SELECT 'p' AS panel, 's' AS series, 1 AS x, 'gto' AS y"), "x.svg", WS_ERROR_USAGE,
          "mine.sql: column y: expected numbers, found 'gto'");
    fails(own("mine.sql",
              "SELECT 'p' AS panel, 's' AS series, 1 AS x, NULL AS y UNION SELECT 'p', 's', NULL, 2"),
          "x.svg", WS_ERROR_USAGE,
          "mine.sql: expected rows with two numbers, found NULL, or infinity, in all of them");
    if (!have_gnuplot()) skip();
    static const char sql[] = "SELECT 'p' AS panel, 's' AS series, 1 AS along, 2 AS upward UNION "
                              "SELECT 'p', 's', 2, NULL";
    if (!plot(own("mine.sql", sql), folder_path("mine.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("mine.svg"), "curves: along upward"));
    put("mine.gp", "eval set_page(4, 3)\nset title 'mine: '.title\nplot $data index 0\n");
    if (!plot(own("mine.sql", "-- Three\nSELECT 'p' AS panel, 's' AS series, 1 AS a, 2 AS b, 3 AS c"),
              folder_path("mine.svg")))
        fail_msg("%s", err.text);
    assert_true(file_has(folder_path("mine.svg"), "mine: Three"));
}

static void test_subject(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    put("of.gp", "eval set_page(4, 3)\nset title '<'.title.'>'\nplot $data index 0\n");
    const char *path = own("of.sql", "-- Points\n" ROWS);
    if (!plot_of("spmv", path, folder_path("of.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("of.svg"), "&lt;spmv: Points><"));
    if (!plot_of(NULL, path, folder_path("of.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("of.svg"), "&lt;Points><"));
    if (!plot_of("spmv", own("of.sql", ROWS), folder_path("of.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("of.svg"), "&lt;spmv><"));
}

static void test_own_bars(void **state) {
    (void)state;
    ws_store_close(open_empty());
    fails(own("rows.sql", "SELECT 'atax' AS kernel"), "x.svg", WS_ERROR_USAGE,
          "rows.sql: expected the columns panel, series and numbers, or a name and numbers");
    fails(own("rows.sql", "SELECT 'one' AS panel, 'atax' AS kernel"), "x.svg", WS_ERROR_USAGE,
          "or a name and numbers");
    fails(own("rows.sql", "SELECT 'atax' AS kernel, 'gto' AS scheduler, 1 AS ipc"), "x.svg", WS_ERROR_USAGE,
          "rows.sql: column scheduler: expected numbers, found 'gto'");
    fails(own("rows.sql", "SELECT 'atax' AS kernel, 1 AS ipc UNION SELECT 'atax', 2"), "x.svg",
          WS_ERROR_USAGE, "rows.sql: expected one row for 'atax', found more");
    fails(own("rows.sql", "SELECT 'atax' AS kernel, NULL AS ipc, NULL AS cycles"), "x.svg", WS_ERROR_USAGE,
          "rows.sql: expected rows with numbers, found NULL, or infinity, in all of them");
    fails(own("rows.sql", "-- Rows\n-- x: log\nSELECT 'atax' AS kernel, 1 AS ipc"), "x.svg", WS_ERROR_USAGE,
          "rows.sql: '-- x: log' is of curves: expected the columns panel, series, and two numbers");
    fails(own("rows.sql", NUMBERED("1025") "SELECT i AS kernel, 1 AS ipc FROM s"), "x.svg", WS_ERROR_USAGE,
          "rows.sql: expected at most 1024 rows, found '1025' beside them: choose some with WHERE");
    if (!have_gnuplot()) skip();
    static const char *const queries[] = {
        "SELECT 'atax' AS kernel, NULL AS ipc, 7 AS cycles UNION SELECT 'bicg', 2, NULL",
        "SELECT 'one' AS panel, 'atax' AS kernel, 1 AS ipc, 7 AS cycles UNION SELECT 'one', 'bicg', 2, NULL",
    };
    for (size_t i = 0; i < WS_COUNT(queries); i++) {
        if (!plot(own("rows.sql", queries[i]), folder_path("rows.svg"))) fail_msg("%s", err.text);
        assert_true(file_has(folder_path("rows.svg"), "bars: atax bicg ipc 1"));
    }
    put("rows.gp", "eval set_page(4, 3)\nset title 'own: '.label[2]\nplot $data index 1 using 1\n");
    if (!plot(own("rows.sql", queries[0]), folder_path("rows.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("rows.svg"), "own: bicg"));
}

/* ---- what is told of a figure that is drawn */

static void expect_noted(const char *name, const char *file, const char *expected) {
    char *text = NULL;
    size_t size;
    FILE *log = open_memstream(&text, &size);
    ws_store *store = open_empty();
    if (!ws_plot(store, plots, name, NULL, folder_path(file), log, NULL, NULL, &err))
        fail_msg("%s", err.text);
    ws_store_close(store);
    fclose(log);
    if (!*expected) assert_string_equal(text, "");
    if (!strstr(text, expected)) fail_msg("expected \"%s\" in: %s", expected, text);
    free(text);
}

static const char *curve_of(const char *points) {
    static char sql[600];
    snprintf(sql, sizeof sql,
             "SELECT 'p' AS panel, column1 AS series, column2 AS x, column3 AS y FROM (VALUES %s)", points);
    return own("curve.sql", sql);
}

static void test_notes(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    static const struct {
        const char *points, *note;
    } cases[] = {
        {"('s', 1, 2), ('s', 1, 3), ('s', 5, 1)",
         ": 2 rows for one x, of series 's' in panel 'p': a curve has one"},
        {"('s', 1, 2), ('s', 1, 3), ('t', 1, 2), ('t', 1, 3)", "of series 's'"},
        {"('s', 1, 2), ('s', 1.05, 3)", ""},
        {"('s', 1, 2), ('s', 1, NULL)", ""},
        {"('s', 1, 2), ('s', NULL, NULL)", ""},
        {"('s', 1, 2), ('s', NULL, NULL), ('s', 3, NULL)", ""},
        {"('s', 1, 2), ('s', NULL, NULL), ('s', NULL, NULL)", ": 4 of its 6 numbers are NULL, and not drawn"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        expect_noted(curve_of(cases[i].points), "curve.svg", cases[i].note);
    expect_noted("many", "old.svg", "");
    expect_noted(curve_of("('s', 1, 2)"), "old.svg",
                 "/old-2.svg is not of this figure, which has 1 page: left from an earlier one?\n");
    expect_noted("kernels", "old.svg", "");
    expect_noted(curve_of("('s', 1, 2)"), "old.svg",
                 "/old-3.svg are not of this figure, which has 1 page: left from an earlier one?\n");
    expect_noted("many", "old.svg",
                 "/old-3.svg is not of this figure, which has 2 pages: left from an earlier one?\n");
}

/* Names that are in the legend, but of which nothing is drawn. */
static void test_undrawn(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    static const char bars[] =
        "-- Bars\n-- axis: rate\nSELECT column1 AS kernel, column2 AS a, column3 AS b, "
        "column4 AS c FROM (VALUES ('k', 1, %s, %s), ('l', 2, %s, 4))";
    static const struct {
        const char *b, *c, *last_b, *note;
    } cases[] = {{"NULL", "3", "NULL", "nothing is drawn of 'b', whose numbers are NULL\n"},
                 {"NULL", "3", "5", ""},
                 {"3", "NULL", "NULL", ""}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char sql[400];
        snprintf(sql, sizeof sql, bars, cases[i].b, cases[i].c, cases[i].last_b);
        expect_noted(own("undrawn.sql", sql), "bars.svg", cases[i].note);
    }
    expect_noted(curve_of("('s', 1, 2), ('s', 2, 3), ('t', 1, NULL), ('s', 4, 4)"), "curve.svg",
                 "nothing is drawn of 't', whose numbers are NULL\n");
    expect_noted(curve_of("('s', 1, 2), ('s', 2, 3), ('t', 1, NULL), ('u', 4, NULL)"), "curve.svg",
                 "nothing is drawn of 't' and 1 other, whose numbers are NULL\n");
}

/* Quotes, per cents and ends of lines in names, and in the path. */
static void test_strange_names(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    char path[4600];
    ws_store_close(open_empty());
    put("named.gp", "eval set_page(4, 3)\nset title sprintf(tic[1]).'|'.label[1].'|'.panel[1].'|'.sliced\n"
                    "plot $data index 0\n");
    if (!plot(own("named.sql",
                  "SELECT 'it''s' || char(10) || 'p' AS panel, '50 %%' || char(10) || 'o''f' AS series, "
                  "1 AS x, 2 AS y"),
              folder_path("new\nline's.svg")))
        fail_msg("%s", err.text);
    assert_true(file_has(folder_path("new\nline's.svg"), "50 %% o'f|50 %% o'f|it's p|0<"));
    char part[202] = "/";
    memset(part + 1, 'n', 200);
    snprintf(path, sizeof path, "%s%s", plots, part);
    mkdir(path, 0777);
    strcat(strcat(path, part), ".svg");
    if (!plot("many", path)) fail_msg("%s", err.text);
}

/* A script is told of names that look alike, with letters counted from 1, and of the empty one behind them. */
static void test_long_names_of_a_script(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    ws_store_close(open_empty());
    put("long.gp",
        "eval set_page(4, 3)\nset title sprintf('%s %d %d of %d', fit_name[2], fit_from[2], fit_word[2], "
        "|fit_name|)\nplot $data index 0\n");
    if (!plot(own("long.sql", "SELECT 'p' AS panel, column1 AS series, 1 AS x, 2 AS y FROM (VALUES "
                              "('abcdefg_1_hijklmn'), ('abcdefg_2_hijklmn'))"),
              folder_path("long.svg")))
        fail_msg("%s", err.text);
    assert_true(file_has(folder_path("long.svg"), "abcdefg_2_hijklmn 9 1 of 3"));
}

/* Bars in groups, whose series go on over pages as bars do. */
static void test_groups(void **state) {
    (void)state;
    if (!have_gnuplot()) skip();
    ws_store_close(open_empty());
    put("groups.sql",
        "-- Groups\n" NUMBERED("90") "SELECT 'a' AS panel, i AS series, 1 AS bar, i AS x FROM s");
    put("groups.gp",
        "eval set_page(4, 3)\nset title sprintf('%s to %s of %d', label[1], label[series], pages)\n"
        "plot $data index 0 using 1\n");
    if (!plot("groups", folder_path("groups.svg"))) fail_msg("%s", err.text);
    assert_true(file_has(folder_path("groups-3.svg"), "61 to 90 of 3"));
}

/* ws_figure_fits() tells whether the database has the tables and columns that a figure's query names. */
static void test_fits(void **state) {
    (void)state;
    ws_store *store = open_empty();
    put("elsewhere.sql", "-- Of another sweep\nSELECT panel, series, x FROM elsewhere");
    assert_true(ws_figure_fits(store, plots, "many"));
    assert_false(ws_figure_fits(store, plots, "elsewhere"));
    assert_false(ws_figure_fits(store, plots, "nothing"));
    put("absent.sql", "-- Of yet another\nSELECT panel, series, x FROM absent");
    put("yes.sql", "-- Of none\n" ROWS);
    ws_figure *figures;
    size_t count;
    assert_true(ws_figures(plots, &figures, &count, &err));
    const size_t fitting = ws_figures_fitting(store, plots, figures, count);
    assert_int_equal(fitting, count - 2);
    for (size_t i = 1; i < fitting; i++) assert_true(strcmp(figures[i - 1].name, figures[i].name) < 0);
    assert_string_equal(figures[fitting].name, "absent");
    assert_string_equal(figures[fitting + 1].name, "elsewhere");
    ws_figures_free(figures, count);
    ws_store_close(store);
}

/* A figure's script is the file beside its query, whose name may lack an ending, though that of its folder has one. */
static void test_scripts(void **state) {
    (void)state;
    char folder[4200], path[4300], *sql, *script;
    bool of_user;
    snprintf(folder, sizeof folder, "%s/with.dots", plots);
    mkdir(folder, 0777);
    put("with.dots/mine", "SELECT 1");
    put("with.dots/mine.gp", "plot 1");
    put("with.gp", "plot 2");
    snprintf(path, sizeof path, "%s/mine", folder);
    assert_true(ws_figure_read(plots, path, &sql, &script, &of_user, &err));
    assert_true(of_user);
    assert_string_equal(script, "plot 1");
    free(sql);
    free(script);
    assert_null(ws_figure_script(plots, "none", &err));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    assert_null(ws_figure_script(folder, "mine.gp/x", &err)); /* it cannot be looked for there */
    assert_int_equal(err.code, WS_ERROR_IO);
}

static void test_without_gnuplot(void **state) {
    (void)state;
    ws_store_close(open_empty());
    char *path = strdup(getenv("PATH"));
    setenv("PATH", plots, 1);
    fails("many", "x.svg", WS_ERROR_IO, "install the package gnuplot-nox");
    setenv("PATH", path, 1);
    free(path);
}

static void assert_value(const char *value, const char *expected) {
    if (!expected || !value)
        assert_ptr_equal(value, expected);
    else
        assert_string_equal(value, expected);
}

static void test_texts_of_the_query(void **state) {
    (void)state;
    static const struct {
        const char *sql, *title, *axis, *x, *style;
    } queries[] = {
        {"-- A title\n-- axis: cycles (1000)\nSELECT 1", "A title", "cycles (1000)", NULL, NULL},
        {"\xef\xbb\xbf-- A title\r\n-- axis:\tcycles\r\nSELECT 1", "A title", "cycles", NULL,
         NULL}, /* as some editors save it */
        {"-- A title\n-- of two lines\n--x:log\n-- style: points \nSELECT 1", "A title", NULL, "log",
         "points"},
        {"--\n-- x: linear\n-- style: lines", "", NULL, "linear", "lines"},
        {"--\n-- x: linear\n-- x: log\n", "", NULL, "log", NULL},
        {"-- y: misses over x\n-- x: log\n", "y: misses over x", NULL, "log", NULL},
        {"-- axis: by kernels\n", "axis: by kernels", NULL, NULL, NULL},
        {"-- A title\n-- xy: no\n-- no x: log\n", "A title", NULL, NULL, NULL},
        {"-- A title\nSELECT 1 -- axis: no\n", "A title", NULL, NULL, NULL},
        {"-- A title\n\n-- axis: cycles\n \r\n-- x: log\n\nSELECT 1", "A title", "cycles", "log", NULL},
        {"\n-- A title\n-- x: log\n", "A title", NULL, "log", NULL},
        {"-- A title\n\nSELECT 1\n-- axis: no\n", "A title", NULL, NULL, NULL},
        {"SELECT 1\n-- axis: no\n", "", NULL, NULL, NULL},
        {"-- A title", "A title", NULL, NULL, NULL},
        {"", "", NULL, NULL, NULL}};
    for (size_t i = 0; i < WS_COUNT(queries); i++) {
        ws_figure_head head;
        char *title = ws_figure_title(queries[i].sql);
        assert_string_equal(title, queries[i].title);
        assert_true(ws_figure_head_read(queries[i].sql, &head, &err));
        assert_value(head.values[WS_FIGURE_AXIS], queries[i].axis);
        assert_value(head.values[WS_FIGURE_X], queries[i].x);
        assert_value(head.values[WS_FIGURE_Y], NULL);
        assert_value(head.values[WS_FIGURE_STYLE], queries[i].style);
        ws_figure_head_free(&head);
        free(title);
    }
}

static void test_wrong_settings(void **state) {
    (void)state;
    static const struct {
        const char *sql, *message;
    } queries[] = {
        {"-- A title\n\n-- x: logarithmic",
         "expected '-- x: linear' or '-- x: log', found 'logarithmic' there"},
        {"-- A title\n-- y:\n", "expected '-- y: shared' or '-- y: free', found '' there"},
        {"--\n-- style: Lines\n", "expected '-- style: lines' or '-- style: points', found 'Lines' there"}};
    for (size_t i = 0; i < WS_COUNT(queries); i++) {
        ws_figure_head head;
        assert_false(ws_figure_head_read(queries[i].sql, &head, &err));
        assert_int_equal(err.code, WS_ERROR_USAGE);
        assert_string_equal(err.text, queries[i].message);
        ws_figure_head_free(&head);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_of_the_query),
        cmocka_unit_test(test_wrong_settings),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_undrawn),
        cmocka_unit_test(test_strange_names),
        cmocka_unit_test(test_long_names_of_a_script),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_own_queries),
        cmocka_unit_test(test_own_bars),
        cmocka_unit_test(test_bars_go_on),
        cmocka_unit_test(test_curves_of_a_page),
        cmocka_unit_test(test_names_that_look_alike),
        cmocka_unit_test(test_subject),
        cmocka_unit_test(test_without_gnuplot),
    };
    return cmocka_run_group_tests(tests, setup, folder_teardown);
}
