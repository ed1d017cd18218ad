/* Sweeps and what may keep them from storing: a disk that is too small, other programs. */
#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/sql.h"
#include "store/sqlite.h"
#include "warpsweep/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cmocka.h>

/* In the place of the C library's: the disk has this much free space. */
static unsigned long free_KiB;

int statvfs(const char *path, struct statvfs *fs) {
    (void)path;
    *fs = (struct statvfs){.f_frsize = 1024, .f_bavail = free_KiB};
    return 0;
}

static ws_error err;
static ws_sweep_report report;

static const char axes[] = "\"axes\": {\"probe.size\": {\"range\": [1, 500]}}";

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 2);
    return 0;
}

/* Runs the sweep; returns what it logs, for free(). */
static char *log_of(ws_sweep_options options) {
    char *text = NULL, db[300];
    size_t size;
    snprintf(db, sizeof db, "%s", options.db); /* folder_path() rotates */
    options.db = db;
    options.log = open_memstream(&text, &size);
    err = WS_NO_ERROR;
    if (!ws_sweep_run(probe_spec("spec.json", "*.wst", axes), &options, &report, &err))
        fail_msg("%s", err.text);
    fclose(options.log);
    return text;
}

/* A sweep that may not fit is not refused, since nobody knows what others free or fill meanwhile; it is told. */
static void little_space_is_told(void **state) {
    (void)state;
    ws_sweep_options options = {.db = folder_path("little.db"), .jobs = 1, .analyses = probe_analyses};
    free_KiB = 20;
    char *log = log_of(options);
    if (!strstr(
            log,
            ": 0.0 MiB are free, but 1000 points need 0.4 MiB or more; if they do not fit, what is stored by "
            "then stays: free some space, and the same command resumes\n"))
        fail_msg("found: %s", log);
    free(log);
    assert_int_equal(report.done, 1000);

    /* The rows of further tables, of which there may be none, are not counted; nor is what is stored already. */
    free_KiB = 800;
    options.db = folder_path("enough.db");
    log = log_of(options);
    assert_null(strstr(log, "are free"));
    free(log);
    free_KiB = 20;
    options.db = folder_path("little.db");
    log = log_of(options);
    assert_null(strstr(log, "are free"));
    free(log);

    /* Of one that is removed afterwards nothing stays. */
    options.db = folder_path("temporary.db");
    options.temporary = true;
    log = log_of(options);
    assert_non_null(strstr(log, ": 0.0 MiB are free, but 1000 points need 0.4 MiB or more\n"));
    free(log);
}

/* ---- a table of very many columns */

enum { COLUMNS = 300 };

static bool finish_wide(void *self, uint32_t first_point, ws_rows *rows, ws_error *error) {
    ws_rows_begin(rows, first_point, 2);
    for (int i = 0; i < COLUMNS; i++) ws_rows_int(rows, i);
    return probe_analysis.finish(self, first_point, rows, error);
}

/* A dry run counts the rows of tables of any width, and knows how large a database is that has them. */
static void wide_rows_are_estimated(void **state) {
    (void)state;
    static ws_column columns[COLUMNS];
    static char names[COLUMNS][16];
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(names[i], sizeof names[i], "wide%d", i);
        columns[i] = (ws_column){names[i], WS_TYPE_INT, "", WS_ADDS_SUM, "a number"};
    }
    const ws_table wide_table = {"wide", "for tests", columns, COLUMNS, NULL, 0};
    const ws_table *const tables[] = {probe_analysis.tables[0], probe_analysis.tables[1], &wide_table, NULL};
    ws_analysis wide = probe_analysis;
    wide.tables = tables;
    wide.finish = finish_wide;
    const ws_analysis *const analyses[] = {&wide, NULL};
    ws_sweep_options options = {.dry_run = true, .jobs = 1, .analyses = analyses};
    char spec[200], db[200];
    snprintf(spec, sizeof spec, "%s", probe_spec("spec.json", "*.wst", "\"axes\": {\"probe.size\": [1]}"));
    if (!ws_sweep_run(spec, &options, &report, &err)) fail_msg("%s", err.text);
    assert_int_equal(report.planned, 2);
    assert_int_equal(report.rows, 2 * 4);
    const uint64_t bytes = report.bytes;
    options = (ws_sweep_options){.db = db, .jobs = 1, .analyses = analyses};
    snprintf(db, sizeof db, "%s", folder_path("wide.db"));
    if (!ws_sweep_run(spec, &options, &report, &err)) fail_msg("%s", err.text);
    struct stat there;
    assert_int_equal(stat(db, &there), 0);
    assert_in_range(bytes, there.st_size / 2, 2 * there.st_size);
}

/* ---- another program holds the database */

static sqlite3 *other;
static volatile bool interrupted;
static bool told;

static void other_must(const char *sql) {
    if (sqlite3_exec(other, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(other));
}

/* Called when the first point is stored, with which the database stands. */
static void take_database(void *db, const ws_error *why) {
    (void)why;
    assert_int_equal(sqlite3_open(db, &other), SQLITE_OK);
    other_must("BEGIN IMMEDIATE");
}

/* The sweep's log: once it says that it waits, the database is released, or the user gives up. */
static ssize_t take_line(void *stop, const char *text, size_t size) {
    if (!memmem(text, size, "another program holds the database; waiting for it\n", 51)) return (ssize_t)size;
    if (told) fail_msg("told twice");
    told = true;
    if (stop)
        interrupted = true;
    else
        other_must("ROLLBACK");
    return (ssize_t)size;
}

/* Three points, the second of which fails, so that somebody takes the database when it is stored. */
static bool sweep_held(const char *name, bool stop) {
    char db[300];
    snprintf(db, sizeof db, "%s", folder_path(name));
    ws_sweep_options options = {.db = db,
                                .jobs = 1,
                                .analyses = probe_analyses,
                                .failed = take_database,
                                .failed_context = db,
                                .interrupted = &interrupted};
    options.log = fopencookie(stop ? &told : NULL, "w", (cookie_io_functions_t){.write = take_line});
    setvbuf(options.log, NULL, _IOLBF, 1000);
    told = interrupted = false;
    free_KiB = 1 << 30;
    err = WS_NO_ERROR;
    bool ok = ws_sweep_run(probe_spec("spec.json", "*.wst",
                                      "\"kernels\": \"1\", \"base\": {\"probe.fault\": \"refuse\", "
                                      "\"probe.guilty\": 1}, \"axes\": {\"probe.size\": [1, 2, 3]}"),
                           &options, &report, &err);
    fclose(options.log);
    assert_true(told);
    sqlite3_close(other);
    return ok;
}

static void held_databases_are_waited_for(void **state) {
    (void)state;
    if (!sweep_held("held.db", false)) fail_msg("%s", err.text);
    assert_int_equal(report.done, 2);
    sql_expect_in("held.db", "SELECT count(*), sum(status = 'done') FROM point", "3|2\n");
}

static void waiting_can_be_interrupted(void **state) {
    (void)state;
    assert_false(sweep_held("given_up.db", true));
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_non_null(strstr(err.text, " of 3 points; the same command resumes"));
    sql_expect_in("given_up.db", "SELECT count(*) FROM point", "1\n");
}

/* The database is locked, or its disk is full; the error ends so. */
static void expect_remedies(ws_store *store, char *db, const char *end) {
    char expected[200];
    take_database(db, NULL);
    assert_false(ws_store_begin(store, &err));
    snprintf(expected, sizeof expected, "locked; another program holds the database: close it%s", end);
    assert_string_equal(strstr(err.text, "locked"), expected);
    other_must("ROLLBACK");
    sqlite3_close(other);
    assert_false(ws_store_run(store, sqlite3_mprintf("CREATE TABLE big AS SELECT zeroblob(1000000)"),
                              "filling", &err));
    snprintf(expected, sizeof expected, "full; free some space%s", end);
    assert_string_equal(strstr(err.text, "full"), expected);
}

/* A store that does not wait says what to do; that the same command resumes only if it is told so: a merge does not. */
static void errors_say_what_to_do(void **state) {
    (void)state;
    char db[300];
    snprintf(db, sizeof db, "%s", folder_path("busy.db"));
    ws_store *store = ws_store_open(db, &err);
    assert_non_null(store);
    sqlite3_busy_timeout(ws_store_sqlite(store), 0);
    assert_int_equal(sqlite3_exec(ws_store_sqlite(store), "PRAGMA max_page_count = 1", NULL, NULL, NULL),
                     SQLITE_OK);
    expect_remedies(store, db, "");
    ws_store_will_resume(store);
    expect_remedies(store, db, "; what is stored stays, and the same command resumes");
    ws_store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_space_is_told),          cmocka_unit_test(wide_rows_are_estimated),
        cmocka_unit_test(held_databases_are_waited_for), cmocka_unit_test(waiting_can_be_interrupted),
        cmocka_unit_test(errors_say_what_to_do),
    };
    return cmocka_run_group_tests_name("sweep_disk", tests, setup, folder_teardown);
}
