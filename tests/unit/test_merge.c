/* Sweeps in shards, and merging databases: the result is as if one sweep had computed everything. */
#include "warpsweep/sweep.h"

#include "store/sqlite.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/sql.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static ws_error err;
static ws_sweep_report report;
static ws_merge_report merged;

static const char axes[] =
    "\"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], \"probe.variant\": {\"range\": [20, 39]}, "
    "\"probe.size\": [1, 2]}";
enum { POINTS = 5 * 2 * 20 * 2, PASSES = 5 * 2 * 2, MOST_OF_A_PASS = 16 * 2 };

static void sweep_traces(const char *traces, const char *more, const char *db, uint32_t shard,
                         uint32_t shards) {
    char path[300];
    snprintf(path, sizeof path, "%s", folder_path(db)); /* folder_path()'s buffer rotates */
    const ws_sweep_options options = {
        .db = path, .jobs = 1 + shard % 2, .analyses = probe_analyses, .shard = shard, .shards = shards};
    if (!ws_sweep_run(probe_spec("spec.json", traces, more), &options, &report, &err))
        fail_msg("%s", err.text);
}

static void sweep(const char *more, const char *db, uint32_t shard, uint32_t shards) {
    sweep_traces("*.wst", more, db, shard, shards);
}

/* Merges database `part` into `into`; sets `merged` and `err`, and returns what was logged, to be freed. */
static char *merge(const char *into, const char *part) {
    char path[300], *text = NULL;
    size_t size;
    snprintf(path, sizeof path, "%s", folder_path(part));
    err = WS_NO_ERROR;
    FILE *log = open_memstream(&text, &size);
    ws_store *store = ws_store_open(folder_path(into), &err);
    if (!store) fail_msg("%s", err.text);
    bool ok = ws_store_merge(store, path, log, &merged, &err);
    assert_int_equal(ok, err.code == WS_ERROR_NONE);
    ws_store_close(store);
    fclose(log);
    return text;
}

static void merge_all(const char *into, const char *part) {
    char *told = merge(into, part);
    assert_string_equal(err.text, "");
    assert_string_equal(told, "");
    free(told);
}

static void change(const char *name, const char *sql) {
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(folder_path(name), &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
    sqlite3_close(db);
}

static void copy(const char *from, const char *to) {
    char sql[400];
    unlink(folder_path(to));
    snprintf(sql, sizeof sql, "VACUUM INTO '%s'", folder_path(to));
    change(from, sql);
}

static void expect_same(const char *a, const char *b) {
    char *of_a = sql_dump(folder_path(a)), *of_b = sql_dump(folder_path(b));
    assert_string_equal(of_a, of_b);
    free(of_a);
    free(of_b);
}

static void remove_files(void) {
    static const char *const names[] = {"all.db", "other.db", "part0.db", "part1.db", "part2.db"};
    for (size_t i = 0; i < WS_COUNT(names); i++) unlink(folder_path(names[i]));
}

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 3);
    probe_trace("two.wst", 2, 2);
    sweep(axes, "whole.db", 0, 0);
    return 0;
}

static int each(void **state) {
    (void)state;
    remove_files();
    return 0;
}

/* ---- shards */

/* Each point is in exactly one shard, which has no configurations but those of its points. Merged, here the last one
 * first, the shards are what one sweep gives; a shard that is swept again has nothing left to compute. */
static void test_shards(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 7, PASSES + 5};
    for (size_t i = 0; i < WS_COUNT(counts); i++) {
        uint64_t done = 0, most = 0;
        unlink(folder_path("all.db"));
        for (uint32_t s = counts[i]; s-- > 0;) {
            unlink(folder_path("part0.db"));
            sweep(axes, "part0.db", s, counts[i]);
            assert_int_equal(report.points, POINTS);
            assert_int_equal(report.done + report.elsewhere, POINTS);
            done += report.done;
            if (report.done > most) most = report.done;
            merge_all("all.db", "part0.db");
            assert_int_equal(merged.points, report.done);
            assert_int_equal(merged.added, report.done);
            sweep(axes, "part0.db", s, counts[i]);
            assert_int_equal(report.planned, 0);
            sql_expect_in("part0.db",
                          "SELECT count(*) FROM probe_config WHERE id NOT IN (SELECT config FROM point)",
                          "0\n");
        }
        assert_int_equal(done, POINTS);
        assert_true(most <= POINTS / counts[i] + MOST_OF_A_PASS);
        expect_same("all.db", "whole.db");
    }
}

/* One pass could answer all points; then each shard runs it, for an equal number of them. */
static void test_shards_of_one_pass(void **state) {
    (void)state;
    for (uint32_t s = 0; s < 4; s++) {
        sweep("\"kernels\": \"3\", \"axes\": {\"probe.variant\": {\"range\": [20, 27]}}", "part0.db", s, 4);
        assert_int_equal(report.done, 2);
    }
    assert_int_equal(report.points, report.stored + report.done);
}

/* As many shards as an axis has values: each has points of both, for one may take longer than its work tells. */
static void test_shards_of_an_axis(void **state) {
    (void)state;
    for (uint32_t s = 0; s < 2; s++) {
        sweep("\"kernels\": \"3\", \"axes\": {\"order.load_delay_issues\": {\"range\": [1, 32]}, "
              "\"sm.scheduler\": [\"lrr\", \"gto\"]}",
              s ? "part1.db" : "part0.db", s, 2);
        assert_int_equal(report.done, 32);
        sql_expect_in(
            s ? "part1.db" : "part0.db",
            "SELECT count(*) FROM (SELECT sm_scheduler FROM s GROUP BY sm_scheduler HAVING count(*) >= 12)",
            "2\n");
    }
}

/* Which points a shard has does not depend on points that the database has already, be they its own or another
 * shard's. */
static void test_shard_goes_on(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 3);
    sweep(axes, "part1.db", 1, 3);
    copy("part0.db", "all.db");
    change("all.db", "CREATE TEMP TABLE gone AS SELECT id FROM point WHERE id % 2;"
                     "DELETE FROM probe WHERE point IN gone; DELETE FROM probe_bin WHERE point IN gone;"
                     "DELETE FROM point_run WHERE point IN gone; DELETE FROM point WHERE id IN gone");
    uint64_t of_0 = 0;
    merge_all("other.db", "part0.db");
    of_0 = merged.points;
    sweep(axes, "all.db", 0, 3);
    assert_in_range(report.done, 1, of_0 - 1);
    expect_same("all.db", "part0.db");
    merge_all("all.db", "part1.db");
    sweep(axes, "all.db", 0, 3);
    assert_int_equal(report.planned, 0);
    assert_int_equal(report.stored + report.elsewhere, POINTS);
    sweep(axes, "all.db", 0, 0);
    expect_same("all.db", "whole.db");
}

/* ---- merging */

static void test_again(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 2);
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part0.db");
    assert_int_equal(merged.added, 0);
    assert_int_equal(merged.points, report.done);
    expect_same("all.db", "part0.db");
    sql_expect_in("all.db", "SELECT count(*), min(points_done) = (SELECT count(*) FROM point) FROM run",
                  "1|1\n");
    sql_expect_in("all.db", "SELECT count(DISTINCT run) FROM point_run", "1\n");
}

/* A point belongs to the run that computed it, whatever number that run has in the merged database. A run's outcome is
 * taken over once it is there, and stays when an older copy of the part is merged. */
static void test_runs(void **state) {
    (void)state;
    sweep("\"kernels\": \"1\"", "part0.db", 0, 0);
    sweep("\"kernels\": \"2\"", "part0.db", 0, 0);
    sweep("\"kernels\": \"3\"", "part1.db", 0, 0);
    change("part0.db", "UPDATE run SET host = 'h' || id");
    change("part1.db", "UPDATE run SET host = 'other', ended = NULL, outcome = NULL, points_done = NULL");
    merge_all("all.db", "part1.db");
    merge_all("all.db", "part0.db");
    static const char who[] =
        "SELECT host, group_concat(DISTINCT launch), outcome FROM run JOIN point_run p ON p.run = run.id "
        "JOIN point ON "
        "point.id = p.point JOIN kernel k ON k.id = point.kernel GROUP BY host ORDER BY 1";
    sql_expect_in("all.db", who, "h1|1|done\nh2|2|done\nother|3|NULL\n");
    change("part1.db", "UPDATE run SET ended = started, outcome = 'done', points_done = 1");
    merge_all("all.db", "part1.db");
    sql_expect_in("all.db", who, "h1|1|done\nh2|2|done\nother|3|done\n");
    change("part1.db",
           "UPDATE run SET ended = NULL, outcome = NULL, points_done = NULL"); /* a copy of before */
    merge_all("all.db", "part1.db");
    sql_expect_in("all.db", who, "h1|1|done\nh2|2|done\nother|3|done\n");
}

/* The containers of a job array may have the same name, and run the same process in the same second. */
static void test_runs_of_a_job_array(void **state) {
    (void)state;
    for (uint32_t shard = 0; shard < 3; shard++) {
        char name[20], sql[200];
        snprintf(name, sizeof name, "part%u.db", shard);
        sweep(shard < 2 ? "\"kernels\": \"1\"" : "\"kernels\": \"2\"", name, shard % 2, shard < 2 ? 2 : 1);
        snprintf(sql, sizeof sql,
                 "UPDATE run SET host = 'node', pid = 7, started = 'noon', argv = '[\"--shard\", \"%u/2\"]'",
                 shard % 2 + 1);
        change(name, sql);
        merge_all("all.db", name);
    }
    sql_expect_in("all.db",
                  "SELECT argv, count(*) = points_done FROM run JOIN point_run p ON p.run = run.id GROUP BY "
                  "run.id ORDER BY run.id",
                  "[\"--shard\", \"1/2\"]|1\n[\"--shard\", \"2/2\"]|1\n[\"--shard\", \"1/2\"]|1\n");
}

/* A table of the user's that has results of points is merged as ours are, whatever its name. */
static void test_table_of_any_name(void **state) {
    (void)state;
    static const char make[] = "CREATE TABLE \"it's 100%d \"\"mine\"\"\" (point INTEGER, \"a'%s\" INTEGER);"
                               "INSERT INTO \"it's 100%d \"\"mine\"\"\" SELECT id, 1 FROM point";
    sweep("\"kernels\": \"1\"", "part0.db", 0, 0);
    copy("part0.db", "part1.db");
    change("part0.db", make);
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part0.db");
    expect_same("all.db", "part0.db");
    change("part1.db", make);
    change("part1.db", "UPDATE \"it's 100%d \"\"mine\"\"\" SET \"a'%s\" = 2");
    free(merge("all.db", "part1.db"));
    if (!strstr(err.text, ", table it's 100%d \"mine\"; ")) fail_msg("%s", err.text);
}

/* A point that is done takes precedence over one that failed, whichever comes first; of two failures the first
 * stays. */
static void test_failures(void **state) {
    (void)state;
    static const char hosts[] = "SELECT host, count(*) FROM point_run JOIN run ON run.id = run GROUP BY 1";
    sweep("\"axes\": {\"limit.ctas\": [0, 1]}", "done.db", 0, 0);
    change("done.db", "UPDATE run SET host = 'done'");
    static const char fail_all[] = "DELETE FROM probe; DELETE FROM probe_bin;"
                                   "UPDATE point SET status = 'failed', reason = 'part ";
    char sql[200];
    for (int i = 0; i < 2; i++) {
        char name[20];
        snprintf(name, sizeof name, "part%d.db", i);
        copy("done.db", name);
        snprintf(sql, sizeof sql, "%s%d', truncated = 0; UPDATE run SET host = 'h%d'", fail_all, i, i);
        change(name, sql);
    }
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part1.db");
    assert_int_equal(merged.added, 0);
    sql_expect_in("all.db", "SELECT DISTINCT reason FROM point", "part 0\n");
    sql_expect_in("all.db", hosts, "h0|10\n");
    merge_all("all.db", "done.db");
    sql_expect_in("all.db", hosts, "done|10\n");
    sql_expect_in("all.db", "SELECT sum(truncated) FROM point", "5\n");
    assert_int_equal(merged.added, 10);
    expect_same("all.db", "done.db");
    merge_all("all.db", "part1.db");
    assert_int_equal(merged.added, 0);
    expect_same("all.db", "done.db");
}

/* Parts that have swept different launches become one sweep; points of other analyses come beside it. */
static void test_further_points(void **state) {
    (void)state;
    char more[200], path[300];
    snprintf(more, sizeof more, "\"kernels\": \"1\", %s", axes);
    sweep(more, "part0.db", 0, 0);
    snprintf(more, sizeof more, "\"kernels\": \"2-3\", %s", axes);
    sweep(more, "part1.db", 0, 0);
    char text[400], spec[300];
    snprintf(text, sizeof text, "{\"name\": \"w\", \"traces\": \"%s\", \"analysis\": \"window\"}",
             folder_path("one.wst"));
    snprintf(spec, sizeof spec, "%s", folder_write_text("window.json", text));
    snprintf(path, sizeof path, "%s", folder_path("part2.db"));
    const ws_sweep_options options = {.db = path, .jobs = 1};
    assert_true(ws_sweep_run(spec, &options, &report, &err));
    merge_all("all.db", "part2.db");
    merge_all("all.db", "part1.db");
    merge_all("all.db", "part0.db");
    char *whole = sql_text_in("whole.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8");
    sql_expect_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8", whole);
    free(whole);
    sql_expect_in("all.db", "SELECT count(*) > 0, min(requests) > 0 FROM w", "1|1\n");
    static const char described[] = "SELECT * FROM metric WHERE table_name LIKE 'window%' ORDER BY 1, 2";
    char *help = sql_text_in("part2.db", described);
    sql_expect_in("all.db", described, help);
    free(help);
}

/* Of a part whose sweep has the same name but other axes, the points are merged, but not the views. */
static void test_other_sweep(void **state) {
    (void)state;
    sweep("\"axes\": {\"probe.size\": [1, 2, 30]}", "part0.db", 0, 0);
    sweep(axes, "all.db", 0, 2);
    char *before = sql_text_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8");
    char *told = merge("all.db", "part0.db");
    assert_int_equal(err.code, WS_ERROR_NONE);
    assert_non_null(strstr(told, "because "));
    assert_non_null(strstr(
        told,
        "all.db are others, or have views of another version of warpsweep: s; the command 'sweep' renews"));
    free(told);
    sql_expect_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8", before);
    free(before);
    sweep("\"axes\": {\"probe.size\": [1, 2, 30]}", "all.db", 0, 0);
    assert_int_equal(report.planned, 0);
    sql_expect_in("all.db", "SELECT count(*) FROM s", "15\n");
}

/* Merges a part whose points differ from those of all.db only in something that is no axis. In a view they would be one
 * row, added up, so the part's views are not merged. */
static void expect_apart(const char *part) {
    char *before = sql_text_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8");
    char *told = merge("all.db", part);
    assert_int_equal(err.code, WS_ERROR_NONE);
    assert_non_null(strstr(
        told,
        "all.db are others, or have views of another version of warpsweep: s; the command 'sweep' renews"));
    free(told);
    sql_expect_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8", before);
    free(before);
}

static void test_other_base(void **state) {
    (void)state;
    char more[300];
    snprintf(more, sizeof more, "\"base\": {\"sm.ctas\": 3}, %s", axes);
    sweep(more, "part0.db", 0, 2);
    sweep(axes, "all.db", 1, 2);
    expect_apart("part0.db");
    expect_apart("part0.db");
    sweep(axes, "part1.db", 0, 2);
    merge_all("all.db", "part1.db"); /* part of the sweep that the views show, whatever else was merged */
    char *whole = sql_text_in("whole.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8");
    sql_expect_in("all.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8", whole);
    free(whole);
}

static void test_other_version(void **state) {
    (void)state;
    sweep("\"kernels\": \"1\"", "part0.db", 0, 0);
    change("part0.db", "UPDATE probe_config SET version = version - 1");
    sweep("\"kernels\": \"2\"", "all.db", 0, 0);
    expect_apart("part0.db");
}

static void test_other_trace(void **state) {
    (void)state;
    sweep_traces("one.wst", "", "part0.db", 0, 0);
    change("part0.db", "UPDATE trace SET name = 'two'");
    sweep_traces("two.wst", "", "all.db", 0, 0);
    expect_apart("part0.db");
}

/* Removes the sweep from all.db, and changes it by `more`; no view of the part's sweep is merged then. */
static void expect_no_views(const char *more) {
    char sql[300];
    snprintf(sql, sizeof sql,
             "DROP VIEW s; DROP VIEW s_by_kernel; DROP VIEW s_probe_bin; DELETE FROM sweep_view;"
             "DELETE FROM sweep_point; DELETE FROM sweep; %s",
             more);
    change("all.db", sql);
    char *told = merge("all.db", "part0.db");
    assert_int_equal(err.code, WS_ERROR_NONE);
    assert_non_null(strstr(told, "warpsweep: s;"));
    free(told);
    sql_expect_in("all.db", "SELECT count(*) FROM sqlite_schema WHERE type = 'view'", "0\n");
}

/* Two traces that the part's sweep tells apart by name have the same name in all.db: it has seen one of them under
 * another. */
static void test_traces_of_one_name(void **state) {
    (void)state;
    sweep("\"kernels\": \"1\"", "part0.db", 0, 0);
    copy("part0.db", "all.db");
    expect_no_views("UPDATE trace SET name = 'one'");
}

/* If the GPU is an axis, values that follow from it may differ from one GPU to the other, but not for the same GPU in
 * two parts. */
static void test_gpu_axis(void **state) {
    (void)state;
    char more[700], base[300];
    folder_write_text("a.json", "{\"name\": \"a\", \"summary\": \"\", \"parameters\": {}}");
    snprintf(base, sizeof base, "%s",
             folder_write_text("b.json", "{\"name\": \"b\", \"summary\": \"\", \"parameters\": "
                                         "{\"sm.ctas\": {\"value\": 3, \"source\": \"-\"}}}"));
    snprintf(more, sizeof more, "\"axes\": {\"gpu\": [\"%s\", \"%s\"]}", folder_path("a.json"), base);
    sweep(more, "part0.db", 0, 2);
    sweep(more, "part1.db", 1, 2);
    sweep(more, "other.db", 0, 0);
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part1.db");
    expect_same("all.db", "other.db");
    folder_write_text("b.json", "{\"name\": \"b\", \"summary\": \"\", \"parameters\": "
                                "{\"sm.ctas\": {\"value\": 4, \"source\": \"-\"}}}");
    unlink(folder_path("part0.db"));
    sweep(more, "part0.db", 0, 0);
    expect_apart("part0.db");
}

/* A table of all.db has the name of one of the part's views: none of them is merged. */
static void test_taken_name(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 2);
    merge_all("all.db", "part0.db");
    expect_no_views("CREATE TABLE S_PROBE_BIN (x INTEGER) STRICT");
}

/* ---- programs that differ */

static void test_other_results(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 2);
    sweep(axes, "part1.db", 1, 2);
    copy("whole.db", "other.db");
    change("other.db",
           "UPDATE probe_bin SET bin_requests = bin_requests + 1 WHERE point = "
           "(SELECT point FROM probe_bin JOIN point p ON p.id = point JOIN kernel k ON k.id = p.kernel JOIN "
           "trace t ON t.id = k.trace WHERE launch = 2 AND t.name = 'two' LIMIT 1)");
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part1.db");
    char *told = merge("all.db", "other.db");
    assert_int_equal(err.code, WS_ERROR_DATABASE);
    assert_non_null(strstr(err.text, "other.db: expected the results that "));
    assert_non_null(
        strstr(err.text, "found others for launch 2 (beta) of trace two, table probe_bin; the programs"));
    free(told);
    expect_same("all.db", "whole.db");
    copy("whole.db", "words.db"); /* notes may be worded anew */
    change("words.db", "UPDATE probe SET note = 'size: in other words'; UPDATE probe_bin SET note = 'else'");
    merge_all("all.db", "words.db");
    expect_same("all.db", "whole.db");
}

/* Rows that only one of the databases has are other results whichever is merged into which; so is a part of a launch
 * instead of the whole. */
static void test_missing_results(void **state) {
    (void)state;
    static const char one_point[] = "(SELECT min(point) FROM probe_bin)";
    static const char *const changes[] = {"DELETE FROM probe_bin WHERE point = ",
                                          "UPDATE point SET truncated = 1 WHERE id = "};
    for (size_t i = 0; i < WS_COUNT(changes); i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "%s%s", changes[i], one_point);
        copy("whole.db", "other.db");
        change("other.db", sql);
        for (int reversed = 0; reversed < 2; reversed++) {
            free(merge(reversed ? "other.db" : "whole.db", reversed ? "whole.db" : "other.db"));
            assert_int_equal(err.code, WS_ERROR_DATABASE);
            assert_non_null(
                strstr(err.text, i ? ", table point; the programs" : ", table probe_bin; the programs"));
        }
    }
}

/* A part written by an older program lacks columns and has an older schema. It can be merged before a newer one or
 * after it. */
static void test_older_programs(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 2);
    sweep(axes, "part1.db", 1, 2);
    static const char drop_views[] =
        "DROP VIEW s_by_kernel; DROP VIEW s; DROP VIEW s_probe_bin; DELETE FROM sweep_view; "
        "DELETE FROM sweep_point; DELETE FROM sweep;";
    char sql[500];
    snprintf(sql, sizeof sql,
             "%s ALTER TABLE probe DROP COLUMN residues; ALTER TABLE probe_config DROP COLUMN probe_pause_ms;"
             "ALTER TABLE sweep_point DROP COLUMN gpu; ALTER TABLE point DROP COLUMN truncated;"
             "ALTER TABLE kernel DROP COLUMN requests; ALTER TABLE sweep DROP COLUMN baseline; ALTER TABLE "
             "sweep DROP COLUMN compared_at;"
             "PRAGMA user_version = 1",
             drop_views);
    change("part0.db", sql);
    static const char newer[] = "SELECT count(*), count(residues) FROM probe";
    merge_all("all.db", "part0.db");
    merge_all("all.db", "part1.db");
    sql_expect_in("all.db",
                  "SELECT (SELECT count(*) FROM point) = (SELECT count(*) FROM probe), "
                  "(SELECT sum(truncated) FROM point)",
                  "1|0\n");
    char *of_1 = sql_text_in("part1.db", newer), answer[64];
    snprintf(answer, sizeof answer, "%d|%s", POINTS, strchr(of_1, '|') + 1);
    sql_expect_in("all.db", newer, answer);
    static const char counters[] = "SELECT id, launch, requests FROM kernel ORDER BY id";
    char *known = sql_text_in("part1.db", counters);
    sql_expect_in("all.db", counters, known);
    free(of_1);
    merge_all("other.db", "part1.db");
    merge_all("other.db", "part0.db");
    sql_expect_in("other.db", newer, answer);
    sql_expect_in("other.db", counters, known);
    free(known);
    sql_expect_in("other.db", "SELECT DISTINCT probe_pause_ms FROM probe_config", "0\n");
}

/* ---- wrong files */

static void expect_error(const char *into, const char *part, ws_error_code code, const char *text) {
    free(merge(into, part));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, text)) fail_msg("expected \"%s\" in: %s", text, err.text);
}

static void test_wrong_files(void **state) {
    (void)state;
    sweep(axes, "part0.db", 0, 2);
    merge_all("all.db", "part0.db");
    folder_write_text("notes.txt", "This is no database, but it is long enough to have a header of one.");
    expect_error("all.db", "nowhere.db", WS_ERROR_IO, "nowhere.db: No such file");
    assert_false(folder_has("nowhere.db"));
    expect_error("all.db", "notes.txt", WS_ERROR_DATABASE, "found a file that is not SQLite's");
    expect_error("all.db", "all.db", WS_ERROR_USAGE, "expected another database than the one");
    mkfifo(folder_path("pipe"), 0666);
    expect_error("all.db", "pipe", WS_ERROR_DATABASE,
                 "expected a results database, found something that is no file");
    assert_null(ws_store_open(folder_path("pipe"), &err));
    assert_non_null(strstr(err.text, "found something that is no file"));
    expect_same("all.db", "part0.db");
}

/* Overwrites the beginning of the root page of table `point`. */
static void damage(const char *name) {
    char *page = sql_text_in(name, "SELECT rootpage FROM sqlite_schema WHERE name = 'point'"),
         zeros[512] = "";
    FILE *file = fopen(folder_path(name), "r+");
    fseek(file, 4096 * (strtol(page, NULL, 10) - 1), SEEK_SET);
    fwrite(zeros, 1, sizeof zeros, file);
    fclose(file);
    free(page);
}

static void test_damaged_files(void **state) {
    (void)state;
    for (int damaged = 0; damaged < 2; damaged++) {
        remove_files();
        sweep(axes, "part0.db", 0, 2);
        sweep(axes, "part1.db", 1, 2);
        copy("part0.db", "all.db");
        damage(damaged ? "all.db" : "part1.db");
        expect_error("all.db", "part1.db", WS_ERROR_DATABASE,
                     damaged ? "/all.db: merging stopped; the file is damaged"
                             : "/part1.db: merging stopped; the file is damaged");
        if (!damaged) expect_same("all.db", "part0.db");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_shards, each),
        cmocka_unit_test_setup(test_shards_of_one_pass, each),
        cmocka_unit_test_setup(test_shards_of_an_axis, each),
        cmocka_unit_test_setup(test_shard_goes_on, each),
        cmocka_unit_test_setup(test_again, each),
        cmocka_unit_test_setup(test_runs, each),
        cmocka_unit_test_setup(test_runs_of_a_job_array, each),
        cmocka_unit_test_setup(test_table_of_any_name, each),
        cmocka_unit_test_setup(test_failures, each),
        cmocka_unit_test_setup(test_further_points, each),
        cmocka_unit_test_setup(test_other_sweep, each),
        cmocka_unit_test_setup(test_other_base, each),
        cmocka_unit_test_setup(test_other_version, each),
        cmocka_unit_test_setup(test_other_trace, each),
        cmocka_unit_test_setup(test_traces_of_one_name, each),
        cmocka_unit_test_setup(test_gpu_axis, each),
        cmocka_unit_test_setup(test_taken_name, each),
        cmocka_unit_test_setup(test_other_results, each),
        cmocka_unit_test_setup(test_missing_results, each),
        cmocka_unit_test_setup(test_older_programs, each),
        cmocka_unit_test_setup(test_wrong_files, each),
        cmocka_unit_test_setup(test_damaged_files, each),
    };
    return cmocka_run_group_tests_name("merge", tests, setup, folder_teardown);
}
