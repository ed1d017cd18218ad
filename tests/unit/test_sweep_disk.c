/* Sweeps and the disk: how much they say that they will store. */
#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/sql.h"
#include "warpsweep/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
}

/* ---- a table of very many columns */

enum { COLUMNS = 300 };

static bool finish_wide(void *self, uint32_t first_point, ws_rows *rows, ws_error *error) {
    ws_rows_begin(rows, first_point, 2);
    for (int i = 0; i < COLUMNS; i++) ws_rows_int(rows, i);
    return probe_analysis.finish(self, first_point, rows, error);
}

/* A dry run counts the rows of tables of any width. */
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
    const ws_sweep_options options = {.dry_run = true, .jobs = 1, .analyses = analyses};
    if (!ws_sweep_run(probe_spec("spec.json", "*.wst", "\"axes\": {\"probe.size\": [1]}"), &options, &report,
                      &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.planned, 2);
    assert_int_equal(report.rows, 2 * 4);
    assert_in_range(report.bytes, 2 * COLUMNS, 2 * 9 * COLUMNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_space_is_told),
        cmocka_unit_test(wide_rows_are_estimated),
    };
    return cmocka_run_group_tests_name("sweep_disk", tests, setup, folder_teardown);
}
