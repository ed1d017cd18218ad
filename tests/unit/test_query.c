/* Queries: the three formats to the letter, wrong SQL, what cannot be done. */
#include "warpsweep/report.h"
#include "warpsweep/version.h"

#include "../support/folder.h"
#include "base/array.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

static ws_store *open_empty(void) {
    err = WS_NO_ERROR;
    ws_store *store = ws_store_open(folder_path("empty.db"), &err);
    if (!store) fail_msg("%s", err.text);
    ws_store_close(store);
    store = ws_store_open_readonly(folder_path("empty.db"), &err);
    if (!store) fail_msg("%s", err.text);
    return store;
}

/* Returns what a query prints, or NULL with `err` set if it fails. */
static char *ask(const char *sql, ws_query_format format) {
    ws_store *store = open_empty();
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool done = ws_query(store, sql, format, 0, out, &err);
    fclose(out);
    ws_store_close(store);
    if (done) return text;
    free(text);
    return NULL;
}

static void gives(const char *sql, ws_query_format format, const char *expected) {
    char *text = ask(sql, format);
    if (!text) fail_msg("%s", err.text);
    assert_string_equal(text, expected);
    free(text);
}

static void fails(const char *sql, ws_query_format format, ws_error_code code, const char *words) {
    char *text = ask(sql, format);
    if (text) fail_msg("expected an error, found: %s", text);
    assert_int_equal(err.code, code);
    if (!strstr(err.text, words)) fail_msg("expected in the message: %s; found: %s", words, err.text);
}

static const char sample[] = "SELECT 'atax' AS kernel, 32 AS lines, 0.5 AS share, NULL AS note UNION ALL "
                             "SELECT 'a,b \"c\"', -1, 1.0 / 3, ''";

static void test_table(void **state) {
    (void)state;
    gives(sample, WS_QUERY_TABLE,
          "kernel   lines     share  note\n"
          "-------  -----  --------  ----\n"
          "atax        32       0.5  NULL\n"
          "a,b \"c\"     -1  0.333333  \n");
    gives("SELECT 1 AS n WHERE 0", WS_QUERY_TABLE, "n\n-\n");
    gives("SELECT 1234567.25 AS x UNION ALL SELECT 123456.75 UNION ALL SELECT 1e20", WS_QUERY_TABLE,
          "        x\n"
          "---------\n"
          "1234567.2\n"
          " 123456.8\n"
          "    1e+20\n");
    gives("SELECT 2.0 AS whole, 1e300 * 1e10 AS large, x'00ff' AS bytes", WS_QUERY_TABLE,
          "whole  large  bytes\n"
          "-----  -----  -------\n"
          "  2.0  9e999  X'00FF'\n");
}

static void test_table_layout_survives_any_text(void **state) {
    (void)state;
    gives("SELECT 'a' || char(10) || 'b' AS t, 1 AS n UNION ALL SELECT 'µm' || char(27), 2", WS_QUERY_TABLE,
          "t       n\n"
          "------  -\n"
          "a\\nb    1\n"
          "µm\\x1b  2\n");
    gives("SELECT CAST(x'6bc3a4ffc3' AS TEXT) AS t, 1 AS n", WS_QUERY_TABLE,
          "t           n\n"
          "----------  -\n"
          "kä\\xff\\xc3  1\n");
}

static void test_lines(void **state) {
    (void)state;
    gives(sample, WS_QUERY_LINES,
          "kernel  atax\n"
          "lines   32\n"
          "share   0.5\n"
          "note    NULL\n"
          "\n"
          "kernel  a,b \"c\"\n"
          "lines   -1\n"
          "share   0.333333\n"
          "note    \n");
    gives("SELECT 1 AS n WHERE 0", WS_QUERY_LINES, "");
    gives("SELECT 'µm' || char(10) AS \"ä\nb\", 2 AS n", WS_QUERY_LINES, "ä\\nb  µm\\n\nn     2\n");
}

static void test_long_table_keeps_its_columns(void **state) {
    (void)state;
    char *text = ask("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 10000) "
                     "SELECT iif(i = 5000, 'a wide one', 'x') AS name, i FROM c",
                     WS_QUERY_TABLE);
    size_t lines = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) lines++;
    assert_int_equal(lines, 10002);
    assert_non_null(strstr(text, "\nx     4096\n"));
    assert_non_null(strstr(text, "\na wide one  5000\nx     5001\n")); /* it pushes only its own row */
    assert_non_null(strstr(text, "\nx     9999\nx     10000\n"));
    free(text);
}

static void test_csv(void **state) {
    (void)state;
    gives(sample, WS_QUERY_CSV,
          "kernel,lines,share,note\n"
          "atax,32,0.5,\n"
          "\"a,b \"\"c\"\"\",-1,0.3333333333333333,\"\"\n");
    gives("SELECT 1 AS n WHERE 0", WS_QUERY_CSV, "n\n");
    gives("SELECT 'two' || char(10) || 'lines' AS t, ' blank' AS b, 'blank ' AS c", WS_QUERY_CSV,
          "t,b,c\n\"two\nlines\",\" blank\",\"blank \"\n");
}

static void test_json(void **state) {
    (void)state;
    gives(sample, WS_QUERY_JSON,
          "[\n"
          "  {\"kernel\": \"atax\", \"lines\": 32, \"share\": 0.5, \"note\": null},\n"
          "  {\"kernel\": \"a,b \\\"c\\\"\", \"lines\": -1, \"share\": 0.3333333333333333, \"note\": \"\"}\n"
          "]\n");
    gives("SELECT 1 AS n WHERE 0", WS_QUERY_JSON, "[]\n");
    fails("SELECT 1 AS n, 2 AS n", WS_QUERY_JSON, WS_ERROR_USAGE, "two columns are called 'n'");
    fails("SELECT CAST(x'ff' AS TEXT) AS t", WS_QUERY_JSON, WS_ERROR_USAGE, "column \"t\": expected UTF-8");
    fails("SELECT -1e999 AS x", WS_QUERY_JSON, WS_ERROR_USAGE,
          "column \"x\": expected a finite number, which JSON");
}

/* What a statement writes before a row fails that JSON cannot hold. */
static void test_no_half_of_a_document(void **state) {
    (void)state;
    static const char *const wrong[] = {"CAST(x'ff41' AS TEXT)", "1e999", "quantile(1, 2)"};
    for (size_t i = 0; i < WS_COUNT(wrong); i++) {
        ws_store *store = open_empty();
        char *text = NULL, sql[160];
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        snprintf(sql, sizeof sql, "SELECT 1 AS a UNION ALL SELECT (SELECT %s FROM (SELECT 1))", wrong[i]);
        assert_false(ws_query(store, sql, WS_QUERY_JSON, 0, out, &err));
        fclose(out);
        assert_string_equal(text, "");
        free(text);
        ws_store_close(store);
    }
}

/* A text goes on behind a NUL, at which strings in C end. */
static void test_nul_in_a_text(void **state) {
    (void)state;
    static const char sql[] = "SELECT 'a' || char(0) || 'bc' AS t, 1 AS n";
    gives(sql, WS_QUERY_TABLE,
          "t        n\n"
          "-------  -\n"
          "a\\x00bc  1\n");
    gives(sql, WS_QUERY_JSON, "[\n  {\"t\": \"a\\u0000bc\", \"n\": 1}\n]\n");
    gives(sql, WS_QUERY_HTML, "<table>\n<tr><th>t<th>n\n<tr><td>a\\x00bc<td class=\"number\">1\n</table>\n");
    fails("SELECT 'a' || char(0) || CAST(x'ff' AS TEXT) AS t", WS_QUERY_JSON, WS_ERROR_USAGE,
          "expected UTF-8");
    char *text = ask(sql, WS_QUERY_CSV);
    assert_non_null(text);
    assert_memory_equal(text, "t,n\n\"a\0bc\",1\n", 14);
    free(text);
}

/* No control character, which a page must not have, gets into it. */
static void test_html_of_any_text(void **state) {
    (void)state;
    gives("SELECT 'a' || char(27) || '<b>' || char(10) AS t", WS_QUERY_HTML,
          "<table>\n<tr><th>t\n<tr><td>a &lt;b&gt; \n</table>\n");
}

static void test_reals_read_back_equal(void **state) {
    (void)state;
    static const char *const values[] = {"0.1", "1e22", "1e-310", "123456789.123456789", "3.0", "-0.0"};
    for (size_t i = 0; i < WS_COUNT(values); i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT %s AS x", values[i]);
        char *text = ask(sql, WS_QUERY_CSV);
        assert_true(strtod(text + 2, NULL) == strtod(values[i], NULL));
        free(text);
    }
}

static void test_functions_of_the_store(void **state) {
    (void)state;
    gives("SELECT geomean(x) AS g FROM (SELECT 1 AS x UNION ALL SELECT 4)", WS_QUERY_CSV, "g\n2.0\n");
}

static void test_one_statement_that_reads(void **state) {
    (void)state;
    gives("SELECT 1 AS n; -- and a remark\n /* another */ ;", WS_QUERY_CSV, "n\n1\n");
    fails("SELECT 1; SELECT 2", WS_QUERY_CSV, WS_ERROR_USAGE, "expected one statement");
    fails("SELECT 1; nonsense", WS_QUERY_CSV, WS_ERROR_USAGE, "expected one statement");
    fails("SELECT 1 WHERE 1 = :t AND 2 = ?", WS_QUERY_CSV, WS_ERROR_USAGE,
          "SQL: expected values, found the variable :t, to which nothing gives one");
    fails("SELECT ?", WS_QUERY_CSV, WS_ERROR_USAGE, "found the variable ?,");
    fails("", WS_QUERY_CSV, WS_ERROR_USAGE, "expected a statement, found nothing");
    fails("-- only a remark", WS_QUERY_CSV, WS_ERROR_USAGE, "expected a statement, found nothing");
    fails("DELETE FROM point", WS_QUERY_CSV, WS_ERROR_USAGE, "only reads");
    fails("CREATE TABLE t (a)", WS_QUERY_CSV, WS_ERROR_USAGE, "only reads");
    fails("VACUUM INTO 'copy.db'", WS_QUERY_CSV, WS_ERROR_USAGE, "only reads");
    fails("ATTACH 'other.db' AS other", WS_QUERY_JSON, WS_ERROR_USAGE,
          "expected a statement that gives rows");
}

static void test_wrong_sql(void **state) {
    (void)state;
    fails("SELECT *\nFRM point", WS_QUERY_CSV, WS_ERROR_USAGE, "SQL line 2 at 'FRM point': ");
    fails("SELECT * FROM pont", WS_QUERY_CSV, WS_ERROR_USAGE, "no such table: pont; did you mean 'point'?");
    fails("SELECT * FROM rnu", WS_QUERY_CSV, WS_ERROR_USAGE, "no such table: rnu; did you mean 'run'?");
    fails("SELECT absent FROM point", WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: absent");
    fails("SELECT s.naem FROM sweep s", WS_QUERY_CSV, WS_ERROR_USAGE,
          "no such column: s.naem; did you mean 'name'?");
    fails("SELECT point FROM sweep_view", WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: point");
    assert_null(strstr(err.text, "did you mean")); /* sweep_point has it, and is not asked; nor is sweep */
    fails("SELECT axes FROM sweep_view", WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: axes");
    assert_null(strstr(err.text, "did you mean"));
    fails("SELECT geomaen(id) FROM point", WS_QUERY_CSV, WS_ERROR_USAGE,
          "no such function: geomaen; did you mean 'geomean'?");
    fails("SELECT column.name FROM metric", WS_QUERY_CSV, WS_ERROR_USAGE, "did you mean 'column_name'?");
    fails("SELECT abs(-9223372036854775808)", WS_QUERY_CSV, WS_ERROR_USAGE, "integer overflow");
}

/* SQLite allows it; no query mentions it. */
static void test_table_without_a_name(void **state) {
    (void)state;
    sqlite3 *db;
    ws_store_close(open_empty());
    assert_int_equal(sqlite3_open(folder_path("empty.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE \"\" (absence)", NULL, NULL, NULL), SQLITE_OK);
    static const char *const queries[] = {"SELECT absenc FROM point", "SELECT absenc FROM point  "};
    for (size_t i = 0; i < WS_COUNT(queries); i++) {
        fails(queries[i], WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: absenc");
        assert_null(strstr(err.text, "did you mean"));
    }
    sqlite3_exec(db, "DROP TABLE \"\"", NULL, NULL, NULL);
    sqlite3_close(db);
}

/* A column that views of this version may have, and those in the database lack. */
static void test_views_of_another_version(void **state) {
    (void)state;
    static const char made[] =
        "CREATE VIEW s_by_kernel AS SELECT 1 AS cycles; INSERT INTO sweep (id, name, analysis, axes) VALUES "
        "(1, 's', 'timed', '[]'); INSERT INTO sweep_view VALUES ('s_by_kernel', 1); INSERT INTO run (sweep, "
        "argv, spec_path, spec, jobs, version, revision, compiler, libraries, host, pid, started) VALUES "
        "('s', "
        "'', '', '', 1, %Q, %Q, '', '', '', 1, ''), ('s', '', '', '', 1, '', 'merged later', '', '', '', 1, "
        "'')",
                      undone[] =
                          "DROP VIEW s_by_kernel; DELETE FROM sweep_view; DELETE FROM sweep; DELETE FROM run";
    for (int other = 0; other < 2; other++) {
        sqlite3 *db;
        ws_store_close(open_empty());
        assert_int_equal(sqlite3_open(folder_path("empty.db"), &db), SQLITE_OK);
        char *sql = sqlite3_mprintf(made, ws_version(), other ? "older" : ws_revision());
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(sql);
        fails("SELECT new FROM s_by_kernel", WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: new");
        assert_true(other == !!strstr(err.text, "new (s_by_kernel is of another version of warpsweep: "));
        fails("SELECT new FROM run", WS_QUERY_CSV, WS_ERROR_USAGE, "no such column: new");
        assert_null(strstr(err.text, "of another version"));
        assert_int_equal(sqlite3_exec(db, undone, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
    }
}

/* A table whose page is damaged; what else the database holds can be read. */
static void test_damaged_page(void **state) {
    (void)state;
    static const char bytes[16];
    const char *path = folder_path("damaged.db");
    ws_store_close(ws_store_open(path, &err));
    ws_store *store = ws_store_open_readonly(path, &err);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_true(ws_query(store,
                         "SELECT page_size * (rootpage - 1) AS b FROM sqlite_schema, pragma_page_size "
                         "WHERE name = 'point'",
                         WS_QUERY_CSV, 0, out, &err));
    fflush(out);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, strtol(strchr(text, '\n'), NULL, 10), SEEK_SET);
    fwrite(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(ws_query(store, "SELECT count(*) AS n FROM sweep", WS_QUERY_CSV, 0, out, &err));
    assert_false(ws_query(store, "SELECT * FROM point", WS_QUERY_CSV, 0, out, &err));
    assert_int_equal(err.code, WS_ERROR_DATABASE);
    assert_non_null(strstr(
        err.text,
        "damaged.db: database disk image is malformed; the file is damaged, or lacks its write-ahead log"));
    fclose(out);
    free(text);
    ws_store_close(store);
}

static void test_timeout(void **state) {
    (void)state;
    static const char endless[] = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) "
                                  "SELECT max(i) AS n FROM c";
    ws_store *store = open_empty();
    FILE *out = tmpfile();
    assert_false(ws_query(store, endless, WS_QUERY_CSV, 0.05, out, &err));
    assert_int_equal(err.code, WS_ERROR_DATABASE);
    assert_non_null(strstr(err.text, "given up after 0.05 s"));
    assert_int_equal(ftell(out), 0); /* not even the columns' names */
    assert_true(ws_query(store, "SELECT 1 AS n", WS_QUERY_CSV, 0, out, &err));
    fclose(out);
    ws_store_close(store);
}

static void test_full_disk(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    ws_store *store = open_empty();
    setvbuf(full, NULL, _IONBF, 0);
    assert_false(ws_query(store, sample, WS_QUERY_CSV, 0, full, &err));
    assert_int_equal(err.code, WS_ERROR_IO);
    fclose(full);
    ws_store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_table_layout_survives_any_text),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_table_keeps_its_columns),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_no_half_of_a_document),
        cmocka_unit_test(test_nul_in_a_text),
        cmocka_unit_test(test_html_of_any_text),
        cmocka_unit_test(test_reals_read_back_equal),
        cmocka_unit_test(test_functions_of_the_store),
        cmocka_unit_test(test_one_statement_that_reads),
        cmocka_unit_test(test_wrong_sql),
        cmocka_unit_test(test_table_without_a_name),
        cmocka_unit_test(test_views_of_another_version),
        cmocka_unit_test(test_damaged_page),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
