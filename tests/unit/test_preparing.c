/* How a sweep's preparation tells how far it is, and that it can be stopped. */
#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/sql.h"
#include "base/clock.h"
#include "sweep/preparing.h"
#include "warpsweep/sweep.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static volatile bool interrupted;
static ws_error err;

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 2);
    return 0;
}

static int each(void **state) {
    (void)state;
    interrupted = false;
    err = WS_NO_ERROR;
    return 0;
}

/* ---- how far it is */

/* What a preparation prints that has been going on for some seconds; to be freed. */
static char *printed_after(double seconds) {
    char *text = NULL;
    size_t size;
    FILE *log = open_memstream(&text, &size);
    ws_preparing preparing = ws_preparing_start(NULL, log);
    preparing.progress.last -= seconds;
    for (int step = 0; step < 3; step++) {
        ws_preparing_step(&preparing, step == 0 ? "counting" : "planning", "combinations", 120);
        for (uint64_t i = 30 * (step > 0); i < 120; i++) assert_true(ws_preparing_at(&preparing, i, NULL));
    }
    ws_preparing_clear(&preparing);
    fclose(log);
    return text;
}

static void short_preparations_are_silent(void **state) {
    (void)state;
    char *text = printed_after(10); /* the lines of a log are ten seconds apart, after the first second */
    assert_string_equal(text, "");
    free(text);
}

static void long_ones_tell_how_far_they_are(void **state) {
    (void)state;
    char *text = printed_after(12);
    assert_int_equal(strncmp(text, "counting: 0/120 combinations", 28), 0);
    assert_ptr_equal(strchr(text, '\n'),
                     text + strlen(text) - 1); /* once in ten seconds, whatever the step */
    free(text);
}

/* A statement of SQLite that takes long tells it, too. */
static void statements_tell_it(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    sqlite3 *db;
    FILE *log = open_memstream(&text, &size);
    ws_preparing preparing = ws_preparing_start(NULL, log);
    ws_preparing_step(&preparing, "choosing", "combinations", 100);
    ws_preparing_at(&preparing, 25, NULL);
    preparing.progress.last -= 12;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    ws_preparing_watch(&preparing, db);
    sql_expect(db,
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) SELECT "
               "count(*) FROM n",
               "99999\n");
    sqlite3_close(db);
    fclose(log);
    assert_int_equal(strncmp(text, "choosing: 25/100 combinations", 29), 0);
    assert_non_null(strstr(text, ", 25 % of the work, ETA "));
    free(text);
}

/* ---- stopping */

static void on_alarm(int number) {
    (void)number;
    interrupted = true;
}

static bool sweep(const char *more, const char *db, bool dry) {
    char path[300];
    snprintf(path, sizeof path, "%s", folder_path(db));
    const ws_sweep_options options = {
        .db = path, .jobs = 1, .dry_run = dry, .analyses = probe_analyses, .interrupted = &interrupted};
    ws_sweep_report report;
    return ws_sweep_run(probe_spec("spec.json", "*.wst", more), &options, &report, &err);
}

static void expect_stopped(const char *more, const char *db, bool dry) {
    assert_false(sweep(more, db, dry));
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_string_equal(err.text, "stopped before the first point; the same command starts anew");
}

/* A condition that looks at all pairs of points, and so at 10^12. */
static void a_slow_condition_is_stopped(void **state) {
    (void)state;
    static const char slow[] =
        "\"axes\": {\"probe.size\": {\"range\": [1, 10000]}}, \"where\": \"probe_size > 1 AND (SELECT "
        "count(*) FROM point a, point b, point c WHERE a.probe_size > b.probe_size) > 1\"";
    signal(SIGALRM, on_alarm);
    ualarm(300000, 0);
    const double start = ws_clock_s();
    expect_stopped(slow, "slow.db", false);
    assert_true(ws_clock_s() - start < 30);
    assert_false(folder_has("slow.db"));
    interrupted = false;
    ualarm(300000, 0);
    expect_stopped(slow, "slow.db", true);
    signal(SIGALRM, SIG_DFL);
}

static const char axes[] = "\"axes\": {\"probe.size\": {\"range\": [1, 1000]}}";

/* The log of a sweep that is stopped when it has been planned: then it tells of stored points that lack a column. */
static ssize_t stop(void *unused, const char *text, size_t size) {
    (void)unused;
    (void)text;
    interrupted = true;
    return (ssize_t)size;
}

/* Recording is stopped as a whole: nothing is there but what an earlier sweep stored. */
static void recording_is_stopped(void **state) {
    (void)state;
    if (!sweep("\"axes\": {\"probe.size\": [1, 2]}", "kept.db", false)) fail_msg("%s", err.text);
    char db[300];
    snprintf(db, sizeof db, "%s", folder_path("kept.db"));
    sqlite3 *handle;
    assert_int_equal(sqlite3_open(db, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, "UPDATE probe SET residues = NULL", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(handle);
    FILE *log = fopencookie(NULL, "w", (cookie_io_functions_t){.write = stop});
    setvbuf(log, NULL, _IONBF, 0);
    const ws_sweep_options options = {
        .db = db, .jobs = 1, .analyses = probe_analyses, .log = log, .interrupted = &interrupted};
    ws_sweep_report report;
    assert_false(ws_sweep_run(probe_spec("spec.json", "*.wst", axes), &options, &report, &err));
    assert_string_equal(err.text, "stopped before the first point; the same command starts anew");
    fclose(log);
    sql_expect_in("kept.db", "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM sweep_point)",
                  "1|4\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(short_preparations_are_silent, each),
        cmocka_unit_test_setup(long_ones_tell_how_far_they_are, each),
        cmocka_unit_test_setup(statements_tell_it, each),
        cmocka_unit_test_setup(a_slow_condition_is_stopped, each),
        cmocka_unit_test_setup(recording_is_stopped, each),
    };
    return cmocka_run_group_tests_name("preparing", tests, setup, folder_teardown);
}
