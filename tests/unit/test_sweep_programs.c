/* Sweeps of two programs at the same time: "with" in a specification. */
#include "warpsweep/sweep.h"

#include "../support/folder.h"
#include "../support/mechanism_run.h"
#include "../support/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Traces of two launches each. */
static const char *const traces[] = {"traces/histogram.wst", "traces/hotspot.wst", "traces/pathfinder.wst"};

static ws_sweep_report report;
static ws_error err;

static bool try_sweep(const char *more, const char *db_name) {
    char text[2048], db[300];
    err = WS_NO_ERROR;
    snprintf(db, sizeof db, "%s", folder_path(db_name));
    snprintf(text, sizeof text,
             "{\"name\": \"p\", \"base\": {\"gpu.clusters\": 3, \"dram.channels\": 2, "
             "\"limit.warp_instructions\": 300}, %s}",
             more);
    ws_sweep_options options = {.db = db, .jobs = 2};
    return ws_sweep_run(folder_write_text("spec.json", text), &options, &report, &err);
}

static void sweep(const char *more, const char *db) {
    if (!try_sweep(more, db)) fail_msg("%s", err.text);
}

static const char *all_with_all(const char *more) {
    static char text[2048];
    snprintf(text, sizeof text,
             "\"analysis\": \"timed\", \"traces\": [\"%s\", \"%s\", \"%s\"], \"with\": [\"%s\", \"%s\"]%s",
             traces[0], traces[1], traces[2], traces[1], traces[0], more);
    return text;
}

/* ---- which pairs */

static void each_pair_is_there_once(void **state) {
    (void)state;
    sweep(all_with_all(", \"axes\": {\"core.first_launch_sms\": [0, 1]}"), "pairs.db");
    /* Three traces with two are six pairs, of which one is the reverse of another. Each of the five has four launches,
     * at two settings. */
    assert_int_equal(report.traces, 5);
    assert_int_equal(report.points, 5 * 4 * 2);
    assert_int_equal(report.failed, 0);
    sql_expect_in("pairs.db", "SELECT count(DISTINCT trace), count(*), min(together), max(together) FROM p",
                  "5|40|4|4\n");
    sql_expect_in(
        "pairs.db",
        "SELECT count(*) FROM p_timed_program WHERE trace = iif(program = 1, program_trace || '+' || beside, "
        "beside || '+' || program_trace)",
        "40\n");
    sql_expect_in("pairs.db",
                  "SELECT min(runs), max(fewest) FROM (SELECT runs, min(runs) AS fewest FROM p_timed_program "
                  "GROUP BY trace, core_first_launch_sms)",
                  "1|1\n");
    sweep(all_with_all(", \"axes\": {\"core.first_launch_sms\": [0, 1]}"), "pairs.db");
    assert_int_equal(report.stored, 40);
    assert_int_equal(report.done, 0);
}

/* ---- what is stored */

static void rows_are_what_the_replay_gives(void **state) {
    (void)state;
    char more[1000];
    snprintf(more, sizeof more, "\"analysis\": \"timed\", \"traces\": \"%s\", \"with\": \"%s\"", traces[0],
             traces[1]);
    sweep(more, "rows.db");
    ws_trace *a = ws_trace_open(traces[0], &err), *b = ws_trace_open(traces[1], &err),
             *joined = ws_trace_join(a, b, &err);
    ws_timed *timed = mechanism_gpu(joined, "gpu.clusters=3,dram.channels=2,limit.warp_instructions=300");
    ws_timed_counters all;
    assert_true(ws_timed_run(timed, 1, &all, &err) && ws_timed_run_alone(timed, &err));
    for (uint32_t i = 1; i <= 4; i++) {
        ws_timed_share share = ws_timed_share_of(timed, i), alone = ws_timed_alone_of(timed, i);
        ws_timed_runs runs = ws_timed_runs_of(timed, i);
        char sql[200], expected[300];
        snprintf(sql, sizeof sql,
                 "SELECT program, runs, cycles, warp_instructions, run_cycles, alone_cycles, "
                 "alone_warp_instructions FROM p_timed_program WHERE launch = %u",
                 i);
        snprintf(expected, sizeof expected, "%u|%llu|%llu|%llu|%llu|%llu|%llu\n", 1 + (i > 2),
                 (unsigned long long)runs.runs, (unsigned long long)share.cycles,
                 (unsigned long long)share.warp_instructions, (unsigned long long)runs.cycles,
                 (unsigned long long)alone.cycles, (unsigned long long)alone.warp_instructions);
        sql_expect_in("rows.db", sql, expected);
        snprintf(sql, sizeof sql, "SELECT cycles, l1_hits, l2_hits FROM p WHERE launch = %u", i);
        snprintf(expected, sizeof expected, "%llu|%llu|NULL\n", (unsigned long long)share.cycles,
                 (unsigned long long)share.l1_hits);
        sql_expect_in("rows.db", sql, expected);
    }
    char expected[100];
    snprintf(expected, sizeof expected, "%llu|%llu\n", (unsigned long long)all.cycles,
             (unsigned long long)all.l2_hits);
    sql_expect_in("rows.db", "SELECT DISTINCT cycles, l2_hits FROM p_timed_together", expected);
    ws_timed_free(timed);
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

static void limits_mark_each_program(void **state) {
    (void)state;
    sweep(all_with_all(", \"axes\": {\"limit.ctas\": [1, 2]}"), "limits.db");
    sql_expect_in(
        "limits.db",
        "SELECT count(*) FROM p JOIN trace t ON t.name = p.trace JOIN kernel k ON k.trace = t.id AND "
        "k.launch = "
        "p.launch WHERE truncated <> (k.ctas > limit_ctas)",
        "0\n");
}

/* ---- energy: that of the GPU on which both programs ran, once for each pair */

static void energy_is_that_of_both(void **state) {
    (void)state;
    char more[1200], table[300];
    snprintf(table, sizeof table, "%s",
             folder_write_text(
                 "joules.json",
                 "{\"name\": \"joules\", \"summary\": \"s\", \"clock_Hz\": {\"value\": 1e9, "
                 "\"source\": \"s\"}, \"components\": {"
                 "\"cores\": {\"static_W\": {\"value\": 0.25, \"per\": \"SM\", \"times\": \"mrpb_entries\", "
                 "\"source\": \"s\"}}, "
                 "\"l2\": {\"events\": {\"l2_accesses\": {\"J\": 1e-9, \"source\": \"s\"}}}, "
                 "\"queues\": {\"events\": {\"mrpb_counters.queued\": {\"J\": 1e-9, \"source\": "
                 "\"s\"}}}}}"));
    snprintf(more, sizeof more, ", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"]}, \"energy\": \"%s\"",
             table);
    sweep(all_with_all(more), "energy.db");
    sql_expect_in("energy.db",
                  "SELECT count(*), count(energy_J), min(kernel = trace), min(launches) FROM p_energy",
                  "10|10|1|4\n");
    /* 3 SMs at 2 W: 0.25 W for each of 8 mrpb.entries. The rows of all launches hold the GPU's counters, which are
     * counted once. */
    sql_expect_in(
        "energy.db",
        "SELECT count(*) FROM p_energy e JOIN (SELECT DISTINCT trace, mechanism_front, cycles, l2_accesses "
        "FROM p_timed_together) t USING (trace, mechanism_front) WHERE abs(cores_J - 6e-9 * t.cycles) < "
        "1e-15 "
        "AND abs(l2_J - 1e-9 * t.l2_accesses) < 1e-15",
        "10\n");
    sql_expect_in(
        "energy.db",
        "SELECT count(*) FROM p_energy e LEFT JOIN (SELECT trace, mechanism_front, min(queued) AS least, "
        "max(queued) AS most FROM p_mrpb_counters GROUP BY trace, mechanism_front) t USING (trace, "
        "mechanism_front) WHERE coalesce(least, 0) = coalesce(most, 0) AND abs(queues_J - 1e-9 * "
        "coalesce(most, 0)) < "
        "1e-15 AND (mechanism_front = 'none') = (queues_J = 0)",
        "10\n");
}

/* Rows about a launch's program are its own, and add up. */
static void counters_of_programs_add_up_in_energies(void **state) {
    (void)state;
    char more[1200], table[300];
    snprintf(table, sizeof table, "%s",
             folder_write_text("issues.json",
                               "{\"name\": \"issues\", \"summary\": \"s\", \"clock_Hz\": {\"value\": 1e9, "
                               "\"source\": \"s\"}, \"components\": {\"issue\": {\"events\": "
                               "{\"timed_program.warp_instructions\": {\"J\": 1e-9, \"source\": \"s\"}}}}}"));
    snprintf(more, sizeof more, ", \"energy\": \"%s\"", table);
    sweep(all_with_all(more), "issues.db");
    sql_expect_in(
        "issues.db",
        "SELECT count(*), sum(abs(issue_J - 1e-9 * all_) < 1e-15) FROM p_energy JOIN (SELECT trace, "
        "sum(warp_instructions) AS all_ FROM p_timed_program GROUP BY trace) USING (trace)",
        "5|5\n");
}

/* ---- comparison with the baseline */

#define OF_KERNELS                                                                                           \
    "(SELECT trace, kernel, mechanism_front, sum(warp_instructions) AS work, sum(cycles) AS cycles FROM "    \
    "p_timed_program GROUP BY trace, kernel, mechanism_front)"

/* A program that starts over does more work, in as many cycles as the other one takes. */
static void speedup_is_that_of_the_work_per_cycle(void **state) {
    (void)state;
    sweep(all_with_all(", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"]}"), "speedup.db");
    sql_expect_in("speedup.db", "SELECT count(*), count(kernel_class) FROM p_speedup", "28|0\n");
    sql_expect_in(
        "speedup.db",
        "SELECT count(*), sum(abs(s.speedup - (1.0 * o.work / o.cycles) / (1.0 * b.work / b.cycles)) < "
        "1e-12), sum(o.work <> b.work) > 0 FROM p_speedup s JOIN " OF_KERNELS " o USING (trace, "
        "kernel, mechanism_front) JOIN " OF_KERNELS " b ON (b.trace, b.kernel, b.mechanism_front) = "
        "(s.trace, s.kernel, 'none')",
        "28|28|1\n");
    sweep(all_with_all(
              ", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"core.loop_programs\": [false]}"),
          "once.db");
    sql_expect_in("once.db",
                  "SELECT count(*), sum(abs(s.speedup - 1.0 * b.cycles / o.cycles) < 1e-12) FROM p_speedup s "
                  "JOIN " OF_KERNELS " o USING (trace, kernel, mechanism_front) JOIN " OF_KERNELS
                  " b ON (b.trace, b.kernel, b.mechanism_front) = (s.trace, s.kernel, 'none')",
                  "28|28\n");
}

/* ---- refusals */

static void fails(const char *more, ws_error_code code, const char *why) {
    assert_false(try_sweep(more, "refused.db"));
    if (!strstr(err.text, why)) fail_msg("expected \"%s\", found \"%s\"", why, err.text);
    assert_int_equal(err.code, code);
}

static void refuses(const char *more, const char *why) {
    fails(more, WS_ERROR_SPEC, why);
}

static void refusals(void **state) {
    (void)state;
    char more[1000];
    snprintf(more, sizeof more, "\"analysis\": \"window\", \"traces\": \"%s\", \"with\": \"%s\"", traces[0],
             traces[1]);
    refuses(more, "$.with: expected an analysis in fidelity timed");
    snprintf(more, sizeof more, "\"analysis\": \"timed\", \"traces\": \"%s\", \"with\": \"nowhere.wst\"",
             traces[0]);
    fails(more, WS_ERROR_IO, "$.with[0]: expected .wst files, found nothing that matches \"nowhere.wst\"");
    snprintf(more, sizeof more, "\"analysis\": \"timed\", \"traces\": \"%s\", \"with\": 3", traces[0]);
    refuses(more, "$.with: expected a path or a pattern");
    sweep(all_with_all(", \"axes\": {\"mechanism.dispatch\": [\"none\", \"warpman\"]}"), "refused.db");
    assert_int_equal(report.failed, 20);
    assert_int_equal(report.refused, 20);
    sweep(all_with_all(", \"axes\": {\"sm.threads\": [32]}"), "refused.db");
    assert_int_equal(report.failed, 20);
    assert_int_equal(report.refused, 20);
    sql_expect_in("refused.db",
                  "SELECT min(reason LIKE '%.wst: launch _ (%): a CTA needs % threads, an SM has 32: %') "
                  "FROM point JOIN timed_config c ON c.id = config WHERE sm_threads = 32",
                  "1\n");
    snprintf(more, sizeof more,
             "\"analysis\": \"icl\", \"fidelity\": \"timed\", \"traces\": \"%s\", \"with\": \"%s\"",
             traces[0], traces[1]);
    sweep(more, "icl.db");
    assert_int_equal(report.failed, 4);
    assert_int_equal(report.refused, 4);
    sql_expect_in(
        "icl.db",
        "SELECT DISTINCT reason LIKE '%$.with: analysis icl follows one launch at a time%' FROM point",
        "1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_is_there_once),
        cmocka_unit_test(rows_are_what_the_replay_gives),
        cmocka_unit_test(limits_mark_each_program),
        cmocka_unit_test(energy_is_that_of_both),
        cmocka_unit_test(counters_of_programs_add_up_in_energies),
        cmocka_unit_test(speedup_is_that_of_the_work_per_cycle),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
