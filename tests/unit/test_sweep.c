/* Whole sweeps: what is stored, what a second run does, what a fault costs, and that neither the number of workers nor
 * the order of points matters. */
#include "warpsweep/sweep.h"

#include "store/sqlite.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/sql.h"
#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static ws_error err;
static ws_sweep_report report;

static ws_sweep_options options_for(const char *db, uint32_t jobs) {
    return (ws_sweep_options){.db = folder_path(db), .jobs = jobs, .analyses = probe_analyses};
}

static bool sweep_traces(const char *traces, const char *more, ws_sweep_options options) {
    err = WS_NO_ERROR;
    char db[300];
    snprintf(db, sizeof db, "%s", options.db ? options.db : ""); /* folder_path() rotates */
    if (options.db) options.db = db;
    return ws_sweep_run(probe_spec("spec.json", traces, more), &options, &report, &err);
}

static bool sweep_with(const char *more, ws_sweep_options options) {
    return sweep_traces("*.wst", more, options);
}

static void sweep(const char *more, const char *db, uint32_t jobs) {
    if (!sweep_with(more, options_for(db, jobs))) fail_msg("%s", err.text);
}

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 3);
    probe_trace("two.wst", 2, 2);
    return 0;
}

/* One SM with one scheduler, so that lrr and gto lead to different orders. */
#define ONE_SM                                                                                               \
    "\"base\": {\"gpu.clusters\": 1, \"gpu.sms_per_cluster\": 1, \"sm.schedulers\": 1, "                     \
    "\"order.load_delay_issues\": 0}, "

static const char axes[] =
    ONE_SM "\"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], \"probe.variant\": [1, 2], "
           "\"probe.size\": {\"log2\": [1, 8]}}";

static void test_results(void **state) {
    (void)state;
    sweep(axes, "results.db", 2);
    assert_int_equal(report.traces, 2);
    assert_int_equal(report.kernels, 5);
    assert_int_equal(report.points, 5 * 16);
    assert_int_equal(report.planned, 5 * 16);
    assert_int_equal(report.passes, 5 * 2);
    assert_int_equal(report.done, 5 * 16);
    assert_int_equal(report.failed, 0);
    sql_expect_in("results.db", "SELECT count(*), sum(status = 'done') FROM point", "80|80\n");
    sql_expect_in(
        "results.db", "SELECT group_concat(name) FROM pragma_table_info('s')",
        "trace,kernel,launch,fidelity,truncated,sm_scheduler,probe_variant,probe_size,requests,residues,"
        "order_hash,"
        "mean_residue,note\n");
    sql_expect_in(
        "results.db",
        "SELECT count(DISTINCT probe_size), count(DISTINCT order_hash) FROM s WHERE kernel = 'alpha' AND "
        "launch = 1 "
        "AND trace = 'one'",
        "4|16\n");
    sql_expect_in(
        "results.db",
        "SELECT DISTINCT s.requests = k.requests FROM s JOIN kernel k USING (launch) JOIN trace t ON t.id "
        "= k.trace "
        "AND t.name = s.trace",
        "1\n");
    sql_expect_in("results.db", "SELECT sum(launches), count(*) FROM s_by_kernel", "80|64\n");
    sql_expect_in("results.db",
                  "SELECT count(*), sum(bin_requests) = (SELECT sum(requests) FROM s) FROM s_probe_bin",
                  "160|1\n");
    sql_expect_in("results.db",
                  "SELECT sweep, jobs, outcome, points_done, points_failed, length(spec) > 100 FROM run",
                  "s|2|done|80|0|1\n");
    sql_expect_in("results.db", "SELECT axes FROM sweep",
                  "[\"sm.scheduler\",\"probe.variant\",\"probe.size\"]\n");
}

/* Limits are parameters like others. Points whose replay they cut short are marked, other points are not. */
static void test_limits(void **state) {
    (void)state;
    sweep("\"axes\": {\"limit.ctas\": [0, 1, 1000]}", "limits.db", 2);
    assert_int_equal(report.points, 5 * 3);
    sql_expect_in("limits.db",
                  "SELECT limit_ctas, min(truncated), max(truncated), count(*) FROM s GROUP BY 1",
                  "0|0|0|5\n1|1|1|5\n1000|0|0|5\n");
    sql_expect_in(
        "limits.db",
        "SELECT count(*) FROM s a JOIN s b USING (trace, launch) WHERE a.limit_ctas = 0 AND (b.limit_ctas "
        "= 1 "
        "AND b.requests < a.requests OR b.limit_ctas = 1000 AND b.requests = a.requests)",
        "10\n");
    sql_expect_in("limits.db", "SELECT limit_ctas, max(truncated) FROM s_by_kernel GROUP BY 1",
                  "0|0\n1|1\n1000|0\n");
    sql_expect_in("limits.db", "SELECT DISTINCT truncated FROM s_probe_bin WHERE limit_ctas = 1", "1\n");
    sweep("\"axes\": {\"limit.warp_instructions\": [0, 1]}", "limits.db", 2);
    assert_int_equal(report.stored, 5); /* the points without limits */
    sql_expect_in("limits.db", "SELECT limit_warp_instructions, sum(truncated) FROM s GROUP BY 1",
                  "0|0\n1|5\n");
}

/* Zipped and derived parameters are columns of the views. A sweep with another condition adds to what is stored. */
static void test_which_points(void **state) {
    (void)state;
    static const char common[] =
        "\"kernels\": \"1\", \"axes\": {\"zip\": {\"probe.variant\": [1, 2, 3], "
        "\"sm.warps\": [16, 32, 48]}}, \"derived\": {\"probe.size\": \"sm_warps / 8\"}";
    char narrow[400];
    snprintf(narrow, sizeof narrow, "%s, \"where\": \"probe_size > 2\"", common);
    sweep(narrow, "which.db", 1);
    assert_int_equal(report.points, 2 * 2);
    sql_expect_in("which.db", "SELECT DISTINCT probe_variant, sm_warps, probe_size FROM s ORDER BY 1",
                  "2|32|4\n3|48|6\n");
    sweep(common, "which.db", 1);
    assert_int_equal(report.points, 2 * 3);
    assert_int_equal(report.stored, 2 * 2);
    sql_expect_in("which.db", "SELECT DISTINCT probe_variant, sm_warps, probe_size FROM s ORDER BY 1",
                  "1|16|2\n2|32|4\n3|48|6\n");
}

static void test_workers_are_irrelevant(void **state) {
    (void)state;
    char *dumps[3];
    for (uint32_t jobs = 1; jobs <= 3; jobs++) {
        char db[32];
        snprintf(db, sizeof db, "jobs%u.db", jobs);
        sweep(axes, db, jobs);
        dumps[jobs - 1] = sql_dump(folder_path(db));
    }
    assert_string_equal(dumps[0], dumps[1]);
    assert_string_equal(dumps[0], dumps[2]);
    for (int i = 0; i < 3; i++) free(dumps[i]);
}

/* A sweep in pieces, overlapping and in another order, gives the same points with the same results. */
static void test_pieces_are_irrelevant(void **state) {
    (void)state;
    sweep(ONE_SM "\"axes\": {\"probe.size\": [8], \"probe.variant\": [2, 1], \"sm.scheduler\": [\"gto\"]}",
          "pieces.db", 1);
    assert_int_equal(report.done, 10);
    sweep(ONE_SM "\"kernels\": \"beta\", \"axes\": {\"probe.size\": [4, 8, 16], \"probe.variant\": [1], "
                 "\"sm.scheduler\": [\"gto\", \"lrr\"]}",
          "pieces.db", 2);
    assert_int_equal(report.points, 12);
    assert_int_equal(report.stored, 2);
    assert_int_equal(report.done, 10);
    sweep(axes, "pieces.db", 1);
    assert_int_equal(report.points, 80);
    assert_int_equal(report.stored, 10 + 6);
    assert_int_equal(report.done, 80 - 16);
    sweep(axes, "pieces.db", 1);
    assert_int_equal(report.stored, 80);
    assert_int_equal(report.planned, 0);

    sweep(axes, "whole.db", 1);
    char *pieces = sql_text_in("pieces.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7");
    sql_expect_in("whole.db", "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7", pieces);
    free(pieces);
}

/* ---- faults */

static void test_one_guilty_point(void **state) {
    (void)state;
    static const struct {
        const char *fault, *reason;
    } cases[] = {
        {"refuse", "probe.size 4 is refused"},
        {"abort", "the worker was killed by signal 6 (Aborted)"},
        {"exit", "the worker ended by itself, with status 7"},
        {"misfit", "analysis probe: table probe: expected 3 cells, found 4"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char more[300], db[32], answer[200];
        snprintf(db, sizeof db, "%s.db", cases[i].fault);
        snprintf(more, sizeof more,
                 "\"kernels\": \"1\", \"base\": {\"probe.fault\": \"%s\", \"probe.guilty\": 4}, "
                 "\"axes\": {\"probe.size\": {\"range\": [1, 9]}}",
                 cases[i].fault);
        sweep(more, db, 2);
        assert_int_equal(report.points, 18);
        assert_int_equal(report.done, 16);
        assert_int_equal(report.failed, 2); /* one of each trace */
        snprintf(answer, sizeof answer, "4|%s\n4|%s\n", cases[i].reason, cases[i].reason);
        sql_expect_in(
            db,
            "SELECT probe_size, reason FROM point JOIN probe_config c ON c.id = config WHERE status = "
            "'failed'",
            answer);
        sql_expect_in(db, "SELECT count(*), sum(probe_size = 4) FROM s", "16|0\n");
        sql_expect_in(db, "SELECT outcome, points_done, points_failed FROM run", "done|16|2\n");

        sweep(more, db, 1); /* failed points are left alone .. */
        assert_int_equal(report.stored, 16);
        assert_int_equal(report.stored_failed, 2);
        assert_int_equal(report.stored_refused, 0); /* who knows */
        assert_int_equal(report.planned, 0);
        ws_sweep_options again = options_for(db, 1);
        again.retry_failed = true; /* .. unless asked for */
        assert_true(sweep_with(more, again));
        assert_int_equal(report.stored_failed, 0);
        assert_int_equal(report.planned, 2);
        assert_int_equal(report.failed, 2);
    }
}

/* What fails in a pass of several points, but at none of them alone, leaves all results, and is told. */
static void test_guilty_together(void **state) {
    (void)state;
    static const char *const faults[] = {"together", "misfit", "none"};
    for (size_t i = 0; i < WS_COUNT(faults); i++) {
        char more[200], db[32], *told = NULL;
        size_t size;
        snprintf(db, sizeof db, "among-%s.db", faults[i]);
        snprintf(more, sizeof more,
                 "\"base\": {\"probe.fault\": \"%s\", \"probe.guilty\": 4}, "
                 "\"axes\": {\"probe.size\": {\"range\": [1, 4]}}",
                 faults[i]);
        ws_sweep_options options = options_for(db, 2);
        options.log = open_memstream(&told, &size);
        assert_true(sweep_with(more, options));
        fclose(options.log);
        assert_int_equal(report.failed, i == 1 ? 5 : 0);
        assert_int_equal(report.done + report.failed, 5 * 4);
        const char *note = strstr(told, "points of one pass failed together, but not alone: analysis probe: "
                                        "table probe: expected 3 cells, found 4\n");
        assert_int_equal(note != NULL, i == 0);
        free(told);
    }
}

static void test_time_limit(void **state) {
    (void)state;
    ws_sweep_options options = options_for("hang.db", 2);
    options.time_limit_s = 0.4;
    assert_true(sweep_with("\"kernels\": \"1\", \"base\": {\"probe.fault\": \"hang\", \"probe.guilty\": 2}, "
                           "\"axes\": {\"probe.size\": [1, 2]}",
                           options));
    assert_int_equal(report.done, 2);
    assert_int_equal(report.failed, 2);
    sql_expect_in("hang.db", "SELECT DISTINCT reason FROM point WHERE status = 'failed'",
                  "exceeded the time limit of 0.4 s\n");
}

static void test_no_time_limit(void **state) {
    (void)state;
    const double limits[] = {-1, NAN};
    for (size_t i = 0; i < WS_COUNT(limits); i++) {
        ws_sweep_options options = options_for("never.db", 1);
        options.time_limit_s = limits[i];
        assert_false(sweep_with(axes, options));
        assert_int_equal(err.code, WS_ERROR_USAGE);
        assert_non_null(strstr(err.text, "the time limit of a pass: expected 0 or more seconds, found "));
        assert_false(folder_has("never.db"));
    }
}

#ifndef __SANITIZE_ADDRESS__ /* its shadow counts as data */
static void test_memory_limit(void **state) {
    (void)state;
    ws_sweep_options options = options_for("eat.db", 1);
    options.memory_limit_B = 512 << 20;
    assert_true(sweep_with("\"kernels\": \"1\", \"base\": {\"probe.fault\": \"eat\", \"probe.guilty\": 2}, "
                           "\"axes\": {\"probe.size\": [1, 2]}",
                           options));
    assert_int_equal(report.done, 2);
    sql_expect_in("eat.db", "SELECT DISTINCT reason FROM point WHERE status = 'failed'",
                  "out of memory (memory limit 512 MiB)\n");
}
#endif

/* ---- before anything runs */

static void test_dry_run(void **state) {
    (void)state;
    ws_sweep_options options = options_for("dry.db", 2);
    options.dry_run = true;
    assert_true(sweep_with(axes, options));
    assert_false(folder_has("dry.db"));
    assert_int_equal(report.planned, 80);
    assert_int_equal(report.passes, 10);
    assert_int_equal(report.points_of_pass, 8);
    assert_int_equal(report.done, 0);
    assert_int_equal(report.rows, 3 * 80);
    assert_true(report.seconds > 0 && report.bytes > 80 * 100 && report.peak_memory_B > 0);
    options.db = folder_write_text("dry.db", ""); /* a sweep would take it for a new database */
    if (!sweep_with(axes, options)) fail_msg("%s", err.text);
    assert_int_equal(report.planned, 80);

    sweep(ONE_SM
          "\"kernels\": \"beta\", \"axes\": {\"probe.size\": [1], \"probe.variant\": [1], \"sm.scheduler\": "
          "[\"gto\"]}",
          "dry.db", 1);
    char *before = sql_dump(folder_path("dry.db"));
    options.db = folder_path("dry.db");
    assert_true(sweep_with(axes, options));
    assert_int_equal(report.stored, 2);
    assert_int_equal(report.planned, 78);
    char *after = sql_dump(folder_path("dry.db"));
    assert_string_equal(before, after);
    free(before);
    free(after);

    options.db = NULL;
    assert_true(sweep_with(axes, options));
    assert_int_equal(report.stored, 0);
    assert_int_equal(report.planned, 80);
    assert_int_equal(report.rows, 3 * 80);
    options.dry_run = false;
    assert_false(sweep_with(axes, options));
    assert_int_equal(err.code, WS_ERROR_USAGE);
}

static void test_wrong_specification(void **state) {
    (void)state;
    assert_false(sweep_with("\"axes\": {\"probe.size\": [-1]}", options_for("wrong.db", 1)));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_false(sweep_with("\"axes\": {\"probe.variant\": [13]}", options_for("wrong.db", 1)));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_false(folder_has("wrong.db"));
}

static bool sweep_named(const char *name, const char *traces) {
    char text[400], spec[300];
    snprintf(text, sizeof text, "{\"name\": \"%s\", \"traces\": \"%s\", \"analysis\": \"probe\"}", name,
             folder_path(traces));
    snprintf(spec, sizeof spec, "%s", folder_write_text("named.json", text));
    const ws_sweep_options options = options_for("named.db", 1);
    return ws_sweep_run(spec, &options, &report, &err);
}

/* What has no meaning over several launches of a kernel is known of a single one; else a note says why not. */
/* A launch is stored as its trace has it. */
static void test_a_launch_as_recorded(void **state) {
    (void)state;
    const ws_kernel kernel = {.name = "shaped(int*)",
                              .short_name = "shaped",
                              .grid = {3, 5, 2},
                              .block = {4, 8, 6},
                              .registers_per_thread = 21,
                              .shared_B = 700};
    ws_writer *writer = ws_writer_new(folder_path("shaped.wst0"), "test", "probe", 32, 0, &err);
    assert_true(ws_writer_kernel(writer, &kernel, &err));
    assert_true(ws_writer_finish(writer, &err));
    ws_writer_free(writer);
    if (!sweep_traces("shaped.wst0", "", options_for("shaped.db", 1))) fail_msg("%s", err.text);
    sql_expect_in(
        "shaped.db",
        "SELECT launch, k.name, short_name, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
        "registers_per_thread, shared_B, t.name, warp_size FROM kernel k JOIN trace t ON t.id = trace",
        "1|shaped(int*)|shaped|3|5|2|4|8|6|21|700|shaped.wst0|32\n");
}

static void test_launches_together(void **state) {
    (void)state;
    mkdir(folder_path("thrice"), 0755);
    probe_trace("thrice/three.wst", 5, 3); /* alpha, beta, alpha */
    unlink(folder_path("named.db"));
    if (!sweep_named("together", "thrice/three.wst")) fail_msg("%s", err.text);
    sql_expect_in("named.db",
                  "SELECT k.kernel, launches, k.order_hash = t.order_hash, k.note FROM together_by_kernel k "
                  "JOIN together t "
                  "USING (trace, kernel) GROUP BY 1 ORDER BY 1",
                  "alpha|2|NULL|order_hash: of a single launch only\nbeta|1|1|NULL\n");
}

/* Of 6 combinations the condition leaves 4, and the sample 3. */
static void test_points_left_out(void **state) {
    (void)state;
    const ws_sweep_options options = {.jobs = 1, .analyses = probe_analyses, .dry_run = true};
#define LEFT "\"kernels\": \"beta\", \"axes\": {\"probe.size\": [1, 2, 3], \"probe.variant\": [1, 2]}"
    assert_true(sweep_with(LEFT, options));
    assert_int_equal(report.outside + report.unsampled, 0);
    const uint64_t kernels = report.kernels;
    assert_int_equal(report.points, 6 * kernels);
    assert_true(sweep_with(LEFT ", \"where\": \"probe_size < 3\"", options));
    assert_int_equal(report.points, 4 * kernels);
    assert_int_equal(report.outside, 2);
    assert_int_equal(report.unsampled, 0);
    if (!sweep_with(LEFT
                    ", \"where\": \"probe_size < 3\", \"sampling\": {\"method\": \"random\", \"points\": 3}",
                    options))
        fail_msg("%s", err.text);
    assert_int_equal(report.points, 3 * kernels);
    assert_int_equal(report.outside, 2);
    assert_int_equal(report.unsampled, 1);
    assert_int_equal(report.of_axes, 6);
    assert_int_equal(report.combinations, 3);
}

/* 10^18 combinations, of 19 launches: their points would be too many to count. */
static void test_points_beyond_counting(void **state) {
    (void)state;
    const ws_sweep_options options = {.jobs = 1, .analyses = probe_analyses, .dry_run = true};
    mkdir(folder_path("many"), 0755);
    probe_trace("many/many.wst", 6, 19);
    static const char *const axes_of_1000[] = {"probe.variant", "probe.size",  "sm.threads",
                                               "sm.registers",  "sm.shared_B", "order.load_delay_issues"};
    char more[1000] = "\"sampling\": {\"method\": \"random\", \"points\": 1}, \"axes\": {";
    for (size_t i = 0; i < WS_COUNT(axes_of_1000); i++)
        snprintf(more + strlen(more), sizeof more - strlen(more), "%s\"%s\": {\"range\": [1, 1000]}",
                 i ? ", " : "", axes_of_1000[i]);
    strcat(more, "}");
    if (!ws_sweep_run(probe_spec("spec.json", "many/many.wst", more), &options, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.points, 19);
    assert_true(report.unsampled == 1000000000000000000 - 1);
}

static void test_name_of_a_view(void **state) {
    (void)state;
    if (!sweep_named("first", "one.wst")) fail_msg("%s", err.text);
    assert_false(sweep_named("first_by_kernel", "one.wst"));
    assert_non_null(strstr(err.text, "named.json: $.name: expected a name that is free in the database, "
                                     "found \"first_by_kernel\""));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    sql_expect_in("named.db", "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM sweep)", "1|1\n");
}

/* Views tell traces apart by name. A trace that comes back under another name is refused where a stored sweep would
 * then have two traces of that name, and nothing changes; a sweep over both traces may name them anew. */
static void test_name_of_a_trace(void **state) {
    (void)state;
    static const char rows[] = "SELECT trace, count(*) FROM both GROUP BY 1";
    mkdir(folder_path("again"), 0755);
    mkdir(folder_path("swapped"), 0755);
    probe_trace("again/one.wst", 2, 2);
    probe_trace("swapped/one.wst", 2, 2);
    probe_trace("swapped/two.wst", 1, 3);
    unlink(folder_path("named.db"));
    if (!sweep_named("both", "*.wst")) fail_msg("%s", err.text);
    sql_expect_in("named.db", rows, "one|3\ntwo|2\n");
    assert_false(sweep_named("again", "again/one.wst"));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(strstr(err.text, "named.json: $.traces: expected traces of different names in the stored "
                                     "sweep both, found two called one, "));
    assert_non_null(strstr(err.text, "/again/one.wst and "));
    assert_non_null(strstr(err.text, ": rename the first, or sweep it into another database"));
    sql_expect_in("named.db", rows, "one|3\ntwo|2\n");
    sql_expect_in("named.db", "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM sweep)", "1|1\n");
    if (!sweep_named("both", "swapped/*.wst")) fail_msg("%s", err.text);
    sql_expect_in("named.db", rows, "one|2\ntwo|3\n");
    if (!sweep_named("again", "again/one.wst")) fail_msg("%s", err.text);
}

static void test_two_analyses_of_one_name(void **state) {
    (void)state;
    ws_analysis twin = probe_analysis;
    const ws_analysis *const list[] = {&probe_analysis, &twin, NULL};
    const ws_sweep_options options = {.dry_run = true, .analyses = list};
    assert_false(ws_sweep_run("nowhere.json", &options, NULL, &err));
    assert_string_equal(err.text, "analysis probe: it is there twice");
}

static void test_missing_feature(void **state) {
    (void)state;
    static ws_analysis needy;
    needy = probe_analysis;
    needy.needs = WS_FEATURE_REGISTERS;
    static const ws_analysis *const needy_list[] = {&needy, NULL};
    ws_sweep_options options = options_for("needy.db", 1);
    options.analyses = needy_list;
    assert_true(sweep_with("\"kernels\": \"1\"", options));
    assert_int_equal(report.failed, 2);
    assert_int_equal(report.refused, 2);
    sql_expect_in("needy.db", "SELECT DISTINCT reason FROM point",
                  "the trace has no registers, which analysis probe needs\n");
}

/* ---- functions of an analysis that fail and do not say why */

static void *mute_create(const void *const *params, size_t points, const ws_stream_info *stream,
                         ws_error *no_reason) {
    (void)params, (void)points, (void)stream, (void)no_reason;
    return NULL;
}

static bool mute_finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *no_reason) {
    (void)self, (void)first_point, (void)rows, (void)no_reason;
    return false;
}

static bool cell_without_row(void *self, uint32_t first_point, ws_rows *rows, ws_error *no_reason) {
    (void)self, (void)first_point, (void)no_reason;
    ws_rows_int(rows, 1);
    return true;
}

static void expect_reason(const ws_analysis *analysis, const char *db, const char *reason) {
    const ws_analysis *const list[] = {analysis, NULL};
    ws_sweep_options options = options_for(db, 1);
    options.analyses = list;
    assert_true(sweep_with("\"kernels\": \"1\"", options));
    assert_int_equal(report.failed, 2);
    sql_expect_in(db, "SELECT DISTINCT reason FROM point", reason);
}

static void test_no_reason(void **state) {
    (void)state;
    ws_analysis mute = probe_analysis;
    mute.create = mute_create;
    expect_reason(&mute, "mute_create.db", "analysis probe: create() failed without a reason\n");
    mute.create = probe_analysis.create;
    mute.finish = mute_finish;
    expect_reason(&mute, "mute_finish.db", "analysis probe: finish() failed without a reason\n");
    mute.finish = cell_without_row;
    expect_reason(&mute, "no_row.db",
                  "the rows could not be encoded: out of memory, or a cell came before any row\n");
}

static void test_wrong_part(void **state) {
    (void)state;
    ws_sweep_options options = options_for("part.db", 1);
    options.shard = options.shards = 2;
    assert_false(sweep_with("\"kernels\": \"1\"", options));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    assert_string_equal(err.text, "a part of a sweep in 2: expected one from 0 to 1, found 2");
}

/* Flips a bit in some block of the trace, where opening it does not notice. */
static void damage(const char *name) {
    char bytes[1 << 16];
    FILE *file = fopen(probe_trace(name, 3, 2), "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t at = size / 4; at < size; at++) {
        bytes[at] ^= 1;
        ws_trace *trace = ws_trace_open(folder_write(name, bytes, size), &err);
        bool bad = trace && !ws_trace_check(trace, &err);
        ws_trace_close(trace);
        if (bad) return;
        bytes[at] ^= 1;
    }
    fail_msg("no byte of %zu is in a block", size);
}

/* The damage is found only while the pass runs: all points of that kernel fail at once; those of other kernels do
 * not. As long as the file is damaged, they fail again; once it is whole, they are computed. */
static void test_damaged_trace(void **state) {
    (void)state;
    damage("bad.trace");
    assert_true(sweep_traces("bad.trace", axes, options_for("damaged.db", 2)));
    assert_int_equal(report.points, 32);
    assert_in_range(report.failed, 16, 32);
    const uint64_t failed = report.failed;
    assert_true(sweep_traces("bad.trace", axes, options_for("damaged.db", 2)));
    assert_int_equal(report.stored, 32 - failed);
    assert_int_equal(report.failed, failed);
    sql_expect_in("damaged.db",
                  "SELECT count(DISTINCT reason), min(reason LIKE '%bad.trace: damaged block%') FROM point "
                  "WHERE status = 'failed'",
                  "1|1\n");
    probe_trace("bad.trace", 3, 2);
    assert_true(sweep_traces("bad.trace", axes, options_for("damaged.db", 2)));
    assert_int_equal(report.done, failed);
    sql_expect_in("damaged.db", "SELECT count(*), sum(status = 'done'), sum(damaged) FROM point",
                  "32|32|0\n");
}

/* If the disk is full, or a limit on the size of files is met, the sweep fails with an error and leaves nothing
 * half-written; once there is room, it gives the same results. */
static void test_full_disk(void **state) {
    (void)state;
    sweep(axes, "room.db", 1);
    char *expected = sql_dump(folder_path("room.db"));
    for (rlim_t KiB = 40; KiB < 400; KiB += 60) {
        unlink(folder_path("full.db"));
        pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){KiB << 10, KiB << 10});
            bool ok = sweep_with(axes, options_for("full.db", 2));
            _exit(ok || err.code == WS_ERROR_DATABASE ? 0 : 1);
        }
        int status;
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
        sweep(axes, "full.db", 2);
        char *found = sql_dump(folder_path("full.db"));
        assert_string_equal(found, expected);
        free(found);
    }
    free(expected);
}

static void test_log(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    ws_sweep_options options = options_for("log.db", 1);
    options.log = open_memstream(&text, &size);
    assert_true(
        sweep_with("\"kernels\": \"1\", \"base\": {\"probe.fault\": \"refuse\", \"probe.guilty\": 2}, "
                   "\"axes\": {\"probe.size\": [1, 2, 3]}",
                   options));
    fclose(options.log);
    assert_non_null(
        strstr(text, "failed: trace one, launch 1 (alpha), probe.fault=refuse;probe.guilty=2;probe.size=2: "
                     "probe.size 2 is refused\n"));
    assert_non_null(strstr(text, "s: 6/6 points"));
    free(text);
}

/* ---- interruption */

static volatile bool interrupted;

/* Sends the signal of Ctrl-C once some points are done, to every process of the group, workers included. */
static void on_alarm(int number) {
    (void)number;
    if (report.done > 0 && !interrupted) kill(0, SIGINT);
}

static void on_interrupt(int number) {
    (void)number;
    interrupted = true;
}

/* After an interrupt, what is being computed is finished and stored; the rest is left for the next time. */
static void test_interruption(void **state) {
    (void)state;
    static const char slow[] =
        "\"base\": {\"probe.pause_ms\": 20}, \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], "
        "\"probe.variant\": {\"range\": [20, 29]}, \"probe.size\": [1, 2]}";
    interrupted = false;
    setpgid(0, 0); /* the signal must not reach whoever started the tests */
    signal(SIGALRM, on_alarm);
    signal(SIGINT, on_interrupt);
    ws_sweep_options options = options_for("stopped.db", 2);
    options.interrupted = &interrupted;
    ualarm(20000, 20000);
    assert_false(sweep_with(slow, options));
    ualarm(0, 0);
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_in_range(report.done, 1, 199);
    char text[200];
    snprintf(text, sizeof text, "stopped after %d of 200 points; the same command resumes", (int)report.done);
    assert_string_equal(err.text, text);
    snprintf(text, sizeof text, "%d|interrupted\n", (int)report.done);
    sql_expect_in("stopped.db", "SELECT (SELECT count(*) FROM point WHERE status = 'done'), outcome FROM run",
                  text);
    assert_false(folder_has("stopped.db-wal"));

    uint64_t stored = report.done;
    signal(SIGALRM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sweep(slow, "stopped.db", 2);
    assert_int_equal(report.stored, stored);
    assert_int_equal(report.done, 200 - stored);
    sweep(slow, "straight.db", 2);
    char *stopped = sql_dump(folder_path("stopped.db")), *straight = sql_dump(folder_path("straight.db"));
    assert_string_equal(stopped, straight);
    free(stopped);
    free(straight);
}

static void test_second_sweep_is_refused(void **state) {
    (void)state;
    ws_store *store = ws_store_open(folder_path("locked.db"), &err);
    pid_t child = fork();
    if (child == 0) {
        bool ok = sweep_with(axes, options_for("locked.db", 1));
        _exit(!ok && err.code == WS_ERROR_IO && strstr(err.text, "another sweep writes to this database")
                  ? 0
                  : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    ws_store_close(store);
}

static void expect_told(const char *db, bool dry, const char *expected) {
    char *text = NULL;
    size_t size;
    ws_sweep_options options = options_for(db, 1);
    options.dry_run = dry;
    options.log = open_memstream(&text, &size);
    if (!sweep_with(axes, options)) fail_msg("%s", err.text);
    fclose(options.log);
    assert_string_equal(text, expected);
    free(text);
}

static void change(const char *db, const char *sql) {
    sqlite3 *handle;
    assert_int_equal(sqlite3_open(folder_path(db), &handle), SQLITE_OK);
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

/* Columns that an analysis has got without a new version: the sweep tells how many stored points lack them, before they
 * are added and ever after. A cell that is NULL for a stated reason does not count. */
static void test_later_columns(void **state) {
    (void)state;
#define DROP_VIEWS "DROP VIEW s_by_kernel; DROP VIEW s; DROP VIEW s_probe_bin; DELETE FROM sweep_view;"
#define LATER      ": raise its version, or sweep into another file\n"
    static const char *const all = "80 stored points of probe lack the columns residues, order_hash" LATER
                                   "80 stored points of probe_bin lack the column bin_requests" LATER;
    sweep(axes, "later.db", 1);
    expect_told("later.db", true, "");
    expect_told("later.db", false, "");
    change("later.db",
           DROP_VIEWS "ALTER TABLE probe DROP COLUMN residues; ALTER TABLE probe DROP COLUMN order_hash;"
                      "ALTER TABLE probe_bin DROP COLUMN bin_requests");
    expect_told("later.db", true, all);
    expect_told("later.db", false, all);
    expect_told("later.db", false, all);
    change("later.db", "UPDATE probe_bin SET bin_requests = 0;"
                       "UPDATE probe SET note = 'requests: why; order_hash: why; residues: why not' "
                       "WHERE point <> (SELECT min(point) FROM probe)");
    expect_told("later.db", true, "1 stored point of probe lacks the columns residues, order_hash" LATER);
    change("later.db", "UPDATE probe SET note = 'requests: order_hash; residues: why'");
    expect_told("later.db", true, "80 stored points of probe lack the column order_hash" LATER);
    change("later.db", "UPDATE probe SET note = 'order_hash, requests, residues: why; colour: other'");
    expect_told("later.db", true, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_which_points),
        cmocka_unit_test(test_workers_are_irrelevant),
        cmocka_unit_test(test_pieces_are_irrelevant),
        cmocka_unit_test(test_one_guilty_point),
        cmocka_unit_test(test_guilty_together),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_no_time_limit),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_memory_limit),
#endif
        cmocka_unit_test(test_dry_run),
        cmocka_unit_test(test_wrong_specification),
        cmocka_unit_test(test_points_left_out),
        cmocka_unit_test(test_points_beyond_counting),
        cmocka_unit_test(test_name_of_a_view),
        cmocka_unit_test(test_name_of_a_trace),
        cmocka_unit_test(test_a_launch_as_recorded),
        cmocka_unit_test(test_launches_together),
        cmocka_unit_test(test_two_analyses_of_one_name),
        cmocka_unit_test(test_missing_feature),
        cmocka_unit_test(test_no_reason),
        cmocka_unit_test(test_wrong_part),
        cmocka_unit_test(test_damaged_trace),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_interruption),
        cmocka_unit_test(test_second_sweep_is_refused),
        cmocka_unit_test(test_later_columns),
    };
    return cmocka_run_group_tests_name("sweep", tests, setup, folder_teardown);
}
