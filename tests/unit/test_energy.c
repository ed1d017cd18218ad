/* Energies of timed sweeps: counters times joules and watts times time, in static and dynamic parts, and their ratios
 * to the baseline. Tables of energies: how one is "like" another, how they are found by name, and what is refused. */
#include "warpsweep/sweep.h"

#include "sweep/energy/tables.h"

#include "../support/every.h"
#include "../support/folder.h"
#include "../support/sql.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static ws_error err;

static void must(bool ok) {
    if (!ok) fail_msg("%s", err.text);
}

/* ---- sweeping: three kernels that transpose a matrix, on two clusters of two SMs and two memory partitions */

#define TIMED                                                                                                \
    "\"traces\": \"traces/transpose.wst\", \"analysis\": \"timed\", \"gpu\": \"gtx480-wp\", \"base\": "      \
    "{\"gpu.clusters\": 2, \"gpu.sms_per_cluster\": 2, \"dram.channels\": 2, \"limit.ctas\": 8}"
#define WITH_ICC TIMED ", \"axes\": {\"mechanism.cluster\": [\"none\", \"icc\"]}"

static bool try_sweep(const char *more, const char *table, const char *db_name) {
    char text[2048], db[300], energies[300];
    ws_sweep_report report;
    err = WS_NO_ERROR;
    snprintf(db, sizeof db, "%s", folder_path(db_name)); /* folder_path() rotates */
    snprintf(energies, sizeof energies, "%s", folder_path("energy"));
    snprintf(text, sizeof text, "{\"name\": \"s\", %s, \"energy\": \"%s\"}", more, table);
    ws_sweep_options options = {.db = db, .jobs = 1, .gpus = "sweeps/gpus", .energies = energies};
    return ws_sweep_run(folder_write_text("spec.json", text), &options, &report, &err);
}

static void sweep(const char *more, const char *table, const char *db) {
    must(try_sweep(more, table, db));
}

/* Numbers of 17 digits, of which none may be lost. */
#define HZ     "1000000000.0000001"
#define CORE_W "2.0000000000000004"
#define L1_J   "0.30000000000000004"

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    mkdir(folder_path("energy"), 0755);
    folder_write_text(
        "energy/three.json",
        "{\"name\": \"three\", \"summary\": \"s\", \"clock_Hz\": {\"value\": " HZ ", \"source\": "
        "\"s\"}, \"components\": {"
        "\"cores\": {\"static_W\": {\"value\": " CORE_W ", \"per\": \"SM\", \"source\": \"s\"}},"
        "\"caches\": {\"events\": {\"l1_accesses\": {\"J\": " L1_J ", \"source\": \"s\"}, "
        "\"l2_accesses\": {\"J\": 0.25, \"assumption\": \"half\"}}},"
        "\"rest\": {\"static_W\": {\"value\": 3, \"per\": \"GPU\", \"source\": \"s\", "
        "\"assumption\": \"a\"}, "
        "\"events\": {\"icc_counters.reads\": {\"J\": 7, \"source\": \"read off\"}}}}}");
    folder_write_text(
        "energy/slow.json",
        "{\"like\": \"three\", \"clock_Hz\": {\"value\": 5e8, \"source\": \"s\"}, \"components\": {"
        "\"caches\": {\"events\": {\"l1_accesses\": {\"J\": 4, \"source\": \"s\"}}},"
        "\"tags\": {\"static_W\": {\"value\": 6, \"per\": \"l1_busy_cycles\", \"source\": \"s\"}}}}");
    return 0;
}

/* ---- what the view has */

#define CLOCK "\"clock_Hz\": {\"value\": 1e9, \"source\": \"s\"}"
#define WATTS(name, per)                                                                                     \
    "\"" name "\": {\"static_W\": {\"value\": 1, \"per\": \"" per "\", \"source\": \"s\"}}"

static void energies_are_events_and_time(void **state) {
    (void)state;
    sweep(WITH_ICC, "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT count(*), sum(cores_J = " CORE_W " * sm_cycles / " HZ "), sum(caches_J = " L1_J
        " * l1_accesses + 0.25 * l2_accesses), sum(seconds = cycles / " HZ "), sum(energy_J = cores_J "
        "+ caches_J + rest_J), sum(edp_Js = energy_J * seconds), sum(power_W = energy_J / seconds), "
        "count(s_energy.note) FROM s_energy JOIN s_by_kernel USING (kernel, mechanism_cluster)",
        "6|6|6|6|6|6|6|0\n");
    sql_expect_in("e.db",
                  "SELECT mechanism_cluster, sum(rest_J = 3.0 * cycles / " HZ " + 7 * coalesce(reads, 0)), "
                  "count(reads) FROM s_energy JOIN s_by_kernel USING (kernel, mechanism_cluster) LEFT JOIN "
                  "s_icc_counters USING (kernel, mechanism_cluster) GROUP BY 1",
                  "icc|3|3\nnone|3|0\n");
}

static void what_is_drawn_all_the_time_stands_apart(void **state) {
    (void)state;
    sweep(WITH_ICC, "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT sum(cores_static_J = cores_J AND cores_dynamic_J = 0), sum(caches_static_J = 0 AND "
        "caches_dynamic_J = caches_J), sum(rest_static_J = 3.0 * cycles / " HZ
        "), sum(rest_J = rest_static_J "
        "+ rest_dynamic_J), sum(static_J = cores_static_J + caches_static_J + rest_static_J), sum(dynamic_J "
        "= "
        "cores_dynamic_J + caches_dynamic_J + rest_dynamic_J), sum(abs(static_J + dynamic_J - energy_J) <= "
        "1e-12 * energy_J), sum(rest_dynamic_J > 0) FROM s_energy JOIN s_by_kernel USING (kernel, "
        "mechanism_cluster)",
        "6|6|6|6|6|6|6|3\n");
}

static void columns_say_where_they_come_from(void **state) {
    (void)state;
    sweep(WITH_ICC, "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT column_name, unit, source FROM metric WHERE table_name = 's_energy' AND column_name IN "
        "('seconds', "
        "'rest_static_J', 'rest_dynamic_J', 'caches_dynamic_J', 'caches_static_J', 'edp_Js') ORDER BY 1",
        "caches_dynamic_J|J|0.3 J per l1_accesses (s); 0.25 J per l2_accesses (assumption: half)\n"
        "caches_static_J|J|the table gives no static power\n"
        "edp_Js|J s|the table of energies\n"
        "rest_dynamic_J|J|7 J per icc_counters.reads (read off)\n"
        "rest_static_J|J|3 W per GPU (s; assumption: a)\n"
        "seconds|s|clock of 1e+09 Hz (s)\n");
    sql_expect_in(
        "e.db",
        "SELECT count(*), sum(m.help IS NULL) FROM pragma_table_info('s_energy') v LEFT JOIN metric m ON "
        "(m.table_name, m.column_name) = ('s_energy', v.name) WHERE v.name NOT IN ('trace', 'kernel', "
        "'launches', 'launch_set', 'fidelity', 'truncated', 'mechanism_cluster', 'note')",
        "20|0\n");
}

static void unknown_counters_make_unknown_energies(void **state) {
    (void)state;
    sqlite3 *db;
    sweep(WITH_ICC, "three", "unknown.db");
    assert_int_equal(sqlite3_open(folder_path("unknown.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE timed SET l2_accesses = NULL", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    sql_expect_in(
        "unknown.db",
        "SELECT DISTINCT caches_J, energy_J, edp_Js, dynamic_J, energy_ratio, static_J > 0, rest_J > 0, "
        "note FROM "
        "s_energy",
        "NULL|NULL|NULL|NULL|NULL|1|1|a counter that the energy of caches needs is unknown\n");
}

/* A launch for which a mechanism is off has no row of that mechanism's counters, and they are 0. A row with an empty
 * cell, as of a launch that is older than the counter, is another thing: its energy is unknown, also in the sum. */
static void unknown_counters_of_mechanisms_are_not_zero(void **state) {
    (void)state;
    sqlite3 *db;
    sweep(WITH_ICC, "three", "partly.db");
    assert_int_equal(sqlite3_open(folder_path("partly.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "UPDATE icc_counters SET reads = NULL WHERE point IN (SELECT p.id FROM point p JOIN "
                     "kernel k ON k.id = p.kernel WHERE launch = 1); "
                     "UPDATE kernel SET short_name = 'both' WHERE launch < 3",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    sql_expect_in("partly.db",
                  "SELECT mechanism_cluster, launches, rest_J > 0, caches_J > 0, note FROM s_energy ORDER BY "
                  "1, 2",
                  "icc|1|1|1|NULL\nicc|2|NULL|1|a counter that the energy of rest needs is unknown\n"
                  "none|1|1|1|NULL\nnone|2|1|1|NULL\n");
}

/* ---- against the baseline */

static void points_are_compared(void **state) {
    (void)state;
    sweep(WITH_ICC, "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT mechanism_cluster, count(*), sum(energy_ratio = 1 AND edp_ratio = 1) FROM s_energy GROUP "
        "BY 1",
        "icc|3|0\nnone|3|3\n");
    sql_expect_in(
        "e.db",
        "SELECT count(*) FROM s_energy p JOIN s_energy b USING (kernel) JOIN s_speedup s ON (s.kernel, "
        "s.mechanism_cluster) = (p.kernel, p.mechanism_cluster) WHERE b.mechanism_cluster = 'none' AND "
        "p.energy_ratio = p.energy_J / b.energy_J AND p.edp_ratio = p.edp_Js / b.edp_Js AND p.kernel_class = "
        "s.kernel_class",
        "6\n");
    sweep(TIMED, "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT group_concat(name) FROM pragma_table_info('s_energy') WHERE name LIKE '%ratio' OR name LIKE "
        "'kernel_%'",
        "NULL\n");
    sql_expect_in("e.db", "SELECT count(*), count(note), count(energy_J) FROM s_energy", "3|0|3\n");
}

/* `where` leaves out the baseline: points have energies but no ratios, and the note says why. */
static void points_without_baseline_say_so(void **state) {
    (void)state;
    sweep(WITH_ICC ", \"where\": \"mechanism_cluster = 'icc'\"", "three", "e.db");
    sql_expect_in(
        "e.db",
        "SELECT count(*), count(energy_J), count(energy_ratio), sum(note LIKE 'no baseline: of this "
        "kernel there is "
        "no point with %') FROM s_energy",
        "3|3|0|3\n");
}

/* ---- what static power is proportional to */

#define ABOUT(value, expected) "sum(abs(" value " - " expected ") <= 1e-12 * " value ")"

static void power_grows_with_what_draws_it(void **state) {
    (void)state;
    folder_write_text(
        "energy/per.json",
        "{" CLOCK ", \"components\": {" WATTS("sm", "SM") ", " WATTS("partition", "partition") ", " WATTS(
            "gpu", "GPU") ", " WATTS("storage", "bit") ", " WATTS("ilp", "ilp_counters.ilp_sm_cycles") "}}");
    sweep("\"traces\": \"traces/transpose.wst\", \"analysis\": \"timed\", \"gpu\": \"xi-gpu-h\", \"base\": "
          "{\"limit.ctas\": 8}, \"axes\": {\"dram.channels\": [8, 24], \"zip\": {\"gpu.clusters\": [20, 38, "
          "38], "
          "\"mechanism.core\": [\"none\", \"ilp\", \"ilp\"], \"ilp.sms\": [0, 0, 18]}}",
          "per", "per.db");
    sql_expect_in(
        "per.db",
        "SELECT count(*), " ABOUT("sm_J", "gpu_clusters * seconds") ", " ABOUT(
            "partition_J",
            "dram_"
            "channels * "
            "seconds") ", " ABOUT("gpu_J",
                                  "seconds") ", " ABOUT("ilp_J",
                                                        "iif(mechanism_core = 'ilp', iif(ilp_sms, 18, 38), "
                                                        "0) * "
                                                        "seconds") ", " ABOUT("storage_J",
                                                                              "cost_bits * seconds") ", "
                                                                                                     "sum("
                                                                                                     "storage"
                                                                                                     "_J "
                                                                                                     "> 0) "
                                                                                                     "FROM "
                                                                                                     "s_"
                                                                                                     "energy "
                                                                                                     "JOIN "
                                                                                                     "s_by_"
                                                                                                     "kernel "
                                                                                                     "USING "
                                                                                                     "(kernel"
                                                                                                     ", "
                                                                                                     "dram_"
                                                                                                     "channel"
                                                                                                     "s, "
                                                                                                     "gpu_"
                                                                                                     "cluster"
                                                                                                     "s, "
                                                                                                     "mechani"
                                                                                                     "sm_"
                                                                                                     "core, "
                                                                                                     "ilp_"
                                                                                                     "sms)",
        "18|18|18|18|18|18|12\n");
}

#define SIZED(name, per, times)                                                                              \
    "\"" name "\": {\"static_W\": {\"value\": 2, \"per\": \"" per "\", \"times\": \"" times                  \
    "\", \"source\": \"s\"}}"

#define SIZED_REGISTERS SIZED("registers", "SM", "sm_registers / 16384.0")
#define SIZED_L2        SIZED("l2", "partition", "l2_slices_per_channel * l2_size_B / 65536.0")
#define SIZED_PARTS                                                                                          \
    SIZED_REGISTERS ", " SIZED_L2 ", " SIZED("ilp", "GPU", "iif(ilp_bypass, 3, 5)") ", " WATTS("gpu", "GPU")

/* `times` is computed from the parameters of each point, be they axes, of its GPU, or set for all. */
static void power_grows_with_sizes(void **state) {
    (void)state;
    folder_write_text("energy/sized.json", "{" CLOCK ", \"components\": {" SIZED_PARTS "}}");
    static const char energies[] =
        "SELECT count(*), sum(registers_J = 2.0 * sm_cycles / 1e9 * registers / 16384.0), sum(l2_J = 2.0 * "
        "partition_cycles / 1e9 * l2 / 65536.0), sum(ilp_J = 6.0 * cycles / 1e9), sum(gpu_J = cycles / 1e9) "
        "FROM ";
    char sql[900];
    sweep(TIMED ", \"axes\": {\"sm.registers\": [8192, 32768], \"l2.size_B\": [65536, 131072]}", "sized",
          "sized.db");
    snprintf(
        sql, sizeof sql,
        "%s(SELECT *, sm_registers AS registers, 2 * l2_size_B AS l2 FROM s_energy JOIN s_by_kernel USING "
        "(kernel, sm_registers, l2_size_B))",
        energies);
    sql_expect_in("sized.db", sql, "12|12|12|12|12\n");
    sweep("\"traces\": \"traces/transpose.wst\", \"analysis\": \"timed\", \"base\": {\"limit.ctas\": 4}, "
          "\"axes\": {\"gpu\": [\"gtx285\", \"gtx980\"]}",
          "sized", "gpus.db");
    snprintf(sql, sizeof sql,
             "%s(SELECT *, iif(gpu = 'gtx285', 16384, 65536) AS registers, iif(gpu = 'gtx285', 262144, "
             "524288) AS l2 "
             "FROM s_energy JOIN s_by_kernel USING (kernel, gpu))",
             energies);
    sql_expect_in("gpus.db", sql, "6|6|6|6|6\n");
    sweep(TIMED, "sized", "alone.db");
    snprintf(sql, sizeof sql,
             "%s(SELECT *, 32768 AS registers, 131072 AS l2 FROM s_energy JOIN s_by_kernel USING (kernel))",
             energies);
    sql_expect_in("alone.db", sql, "3|3|3|3|3\n");
    sql_expect_in(
        "alone.db",
        "SELECT expression, source FROM metric WHERE (table_name, column_name) = ('s_energy', "
        "'registers_static_J')",
        "2.0 * this.\"sm_cycles\" * (sm_registers / 16384.0) / 1000000000.0|2 W per SM, times sm_registers "
        "/ 16384.0 (s)\n");
}

/* ---- tables like others */

static void tables_take_over_what_they_lack(void **state) {
    (void)state;
    sweep(WITH_ICC, "slow", "slow.db");
    sql_expect_in(
        "slow.db",
        "SELECT sum(seconds = cycles / 5e8), sum(cores_J = " CORE_W
        " * sm_cycles / 5e8), sum(caches_J = 4.0 * "
        "l1_accesses), sum(rest_static_J = 3.0 * cycles / 5e8), sum(tags_J = 6.0 * l1_busy_cycles / 5e8), "
        "sum(tags_J > 0) FROM s_energy JOIN s_by_kernel USING (kernel, mechanism_cluster)",
        "6|6|6|6|6|6\n");
}

static void a_clock_alone_is_a_table(void **state) {
    (void)state;
    folder_write_text("energy/slower.json",
                      "{\"like\": \"slow\", \"clock_Hz\": {\"value\": 1e8, \"source\": \"s\"}}");
    folder_write_text("energy/same.json", "{\"like\": \"slower\"}");
    sweep(WITH_ICC, "same", "slow.db");
    sql_expect_in("slow.db",
                  "SELECT sum(seconds = cycles / 1e8), sum(caches_J = 4.0 * l1_accesses), sum(tags_J = 6.0 * "
                  "l1_busy_cycles / 1e8) FROM s_energy JOIN s_by_kernel USING (kernel, mechanism_cluster)",
                  "6|6|6\n");
}

/* A user's own table may be like one of the project's. A table of that name in the user's folder takes precedence. */
static void tables_elsewhere(void **state) {
    (void)state;
    static const char seconds[] = "SELECT DISTINCT round(cycles / seconds) FROM s_energy JOIN s_by_kernel "
                                  "USING (kernel, mechanism_cluster)";
    char mine[300];
    mkdir(folder_path("own"), 0755);
    snprintf(mine, sizeof mine, "%s", folder_write_text("own/mine.json", "{\"like\": \"slow\"}"));
    sweep(WITH_ICC, mine, "mine.db");
    sql_expect_in("mine.db", seconds, "500000000\n");
    folder_write_text("own/slow.json",
                      "{\"like\": \"three\", \"clock_Hz\": {\"value\": 7, \"source\": \"s\"}}");
    sweep(WITH_ICC, mine, "mine.db");
    sql_expect_in("mine.db", seconds, "7\n");
}

/* ---- what is wrong with tables */

#define TIMES(sql)                                                                                           \
    L1("\"static_W\": {\"value\": 1, \"source\": \"s\", \"per\": \"SM\", \"times\": \"" sql "\"}")
#define L1(content) "{" CLOCK ", \"components\": {\"l1\": {" content "}}}"

static const struct {
    const char *table, *message;
} wrong[] = {
    {"{", "wrong.json:1:1: not JSON: string or '}' expected"},
    {"[]", "$: expected an object, found an empty array"},
    {"{}", "$.clock_Hz: expected an object with a number and its source, found nothing"},
    {"{\"clock_Hz\": {\"value\": 0, \"source\": \"s\"}}",
     "$.clock_Hz.value: expected a number above 0, found 0"},
    {"{\"summary\": 1, " CLOCK "}", "$.summary: expected a text that says something, found 1"},
    {"{" CLOCK "}", "$.components: expected an object of components, found nothing"},
    {"{" CLOCK ", \"parts\": {}}",
     "$: expected a key of a table of energies (`warpsweep help energy`), found \"parts\""},
    {"{" CLOCK ", \"components\": {\"L1\": {}}}", "$.components['L1']: expected a name of small letters"},
    {"{" CLOCK ", \"components\": {\"energy\": {}}}",
     "$.components['energy']: expected a name of small letters"},
    {"{" CLOCK ", \"components\": {\"l1_static\": {}}}",
     "$.components['l1_static']: expected a name of small letters"},
    {"{" CLOCK ", \"components\": {\"dynamic\": {}}}",
     "$.components['dynamic']: expected a name of small letters"},
    {L1(""), "$.components['l1']: expected \"static_W\", \"events\" or \"area_mm2\", found none"},
    {L1("\"events\": {}"), "$.components['l1'].events: expected an object of counters"},
    {L1("\"events\": {\"l1_acesses\": {\"J\": 1, \"source\": \"s\"}}"),
     "$.components['l1'].events['l1_acesses']: expected a counter of analysis timed (`warpsweep help "
     "energy`), found "
     "\"l1_acesses\"; did you mean \"l1_accesses\"?"},
    {L1("\"events\": {\"cost_bits\": {\"J\": 1, \"source\": \"s\"}}"), /* no event: its values are the same */
     "$.components['l1'].events['cost_bits']: expected a counter"},
    {L1("\"events\": {\"icc_counters.l1_accesses\": {\"J\": 1, \"source\": \"s\"}}"),
     "$.components['l1'].events['icc_counters.l1_accesses']: expected a counter"},
    {L1("\"events\": {\"timed.l1_accesses\": {\"J\": 1, \"source\": \"s\"}}"),
     "$.components['l1'].events['timed.l1_accesses']: expected a counter"},
    {L1("\"events\": {\"ipc\": {\"J\": 1, \"source\": \"s\"}}"),
     "$.components['l1'].events['ipc']: expected a counter"},
    {L1("\"events\": {\"l1_hits\": {\"J\": 1, \"source\": \"s\"}, \"l1_hits\": {\"J\": 1, \"source\": "
        "\"s\"}}"),
     "duplicate object key near '\"l1_hits\"'"},
    {L1("\"events\": {\"l1_accesses\": {\"source\": \"s\"}}"),
     "$.components['l1'].events['l1_accesses'].J: expected a number, found nothing"},
    {L1("\"events\": {\"l1_accesses\": {\"J\": 1}}"),
     "$.components['l1'].events['l1_accesses']: expected \"source\" (where the number comes from), "
     "\"assumption\""},
    {L1("\"events\": {\"l1_accesses\": {\"J\": 1, \"assumption\": \"\"}}"),
     "$.components['l1'].events['l1_accesses'].assumption: expected a text that says something"},
    {L1("\"events\": {\"l1_accesses\": {\"J\": 1, \"why\": \"s\"}}"),
     "$.components['l1'].events['l1_accesses']: expected a number, its \"source\" and \"assumption\", found "
     "\"why\""},
    {L1("\"static_W\": {\"value\": 1, \"source\": \"s\"}"),
     "$.components['l1'].static_W.per: expected \"SM\", \"partition\", "},
    {L1("\"static_W\": {\"value\": 1, \"source\": \"s\", \"per\": \"l1_hits\"}"),
     "\"GPU\", \"bit\" or a counter of cycles (`warpsweep help energy`), found \"l1_hits\""},
    {L1("\"static_W\": {\"value\": 1, \"source\": \"s\", \"per\": \"l1_busy_cycle\"}"),
     "found \"l1_busy_cycle\"; did you mean \"l1_busy_cycles\"?"},
    {L1("\"static_W\": {\"value\": 1, \"source\": \"s\", \"per\": \"SM\", \"times\": 2}"),
     "$.components['l1'].static_W.times: expected an SQL expression of parameters, a string, found 2"},
    {TIMES("l1_size"), "static_W.times: \"l1_size\": no such column: l1_size; did you mean 'l1_size_B'?"},
    {TIMES("sm_registers / "), "static_W.times: \"sm_registers / \": "},
    {TIMES(""), "static_W.times: \"\": "},
    {TIMES("1), (1"), "static_W.times: \"1), (1\": "},
    {TIMES("sum(sm_registers)"), "static_W.times: \"sum(sm_registers)\": "},
    {TIMES("(SELECT 1)"), "static_W.times: \"(SELECT 1)\": "},
    {TIMES("random()"), "static_W.times: \"random()\": "},
    {TIMES("1 / 0"), "static_W.times: \"1 / 0\": expected a number for each GPU, found another value"},
    {TIMES("gpu_dispatch"), "expected a number for each GPU, found another value"},
    {"{\"like\": \"nobody\"}", "$.like: expected another table, of its folder or of "},
    {"{\"like\": \"energy/three\"}", "$.like: expected the name of another table of the folder"},
    {"{\"like\": \"wrong\"}", "$.like: expected another table, of its folder or of "},
    {"{\"like\": \"likewise\"}", "found a circle: \"wrong\" like \"likewise\" like \"wrong\""},
    {"{\"like\": \"three\", \"components\": []}",
     "$.components: expected an object of components, found an empty array"},
};

static void wrong_tables_say_where(void **state) {
    (void)state;
    folder_write_text("energy/likewise.json", "{\"like\": \"wrong\"}");
    for (size_t i = 0; i < WS_COUNT(wrong); i++) {
        folder_write_text("energy/wrong.json", wrong[i].table);
        assert_false(try_sweep(TIMED, "wrong", "wrong.db"));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        if (!strstr(err.text, "$.energy: ") || !strstr(err.text, "energy/wrong.json:") ||
            !strstr(err.text, wrong[i].message))
            fail_msg("expected \"%s\" in: %s", wrong[i].message, err.text);
        if (strstr(wrong[i].message, "found \"l1_hits\"")) assert_null(strstr(err.text, "did you mean"));
    }
}

/* An error in a table that another one is like is reported with the name of its own file. */
static void wrong_models_are_named(void **state) {
    (void)state;
    folder_write_text("energy/wrong.json", L1("\"events\": 1"));
    folder_write_text("energy/child.json", "{\"like\": \"wrong\"}");
    assert_false(try_sweep(TIMED, "child", "wrong.db"));
    assert_non_null(strstr(err.text, "energy/child.json: $.like: "));
    assert_non_null(
        strstr(err.text, "energy/wrong.json: $.components['l1'].events: expected an object of counters"));
}

static void wrong_names(void **state) {
    (void)state;
    assert_false(try_sweep(TIMED, "tree", "wrong.db"));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(
        strstr(err.text, "$.energy: no table of energies is called 'tree': did you mean 'three'?"));
    assert_false(try_sweep(TIMED, "nowhere.json", "wrong.db"));
    assert_non_null(strstr(err.text, "nowhere.json"));
    assert_false(
        try_sweep("\"traces\": \"traces/transpose.wst\", \"analysis\": \"window\"", "three", "wrong.db"));
    assert_non_null(strstr(err.text, "expected an analysis that counts cycles (timed), found window"));
}

/* ---- the tables of the project */

static void the_published_register_files(void **state) {
    (void)state;
    sweep(TIMED, "sweeps/energy/xi.json", "xi.db");
    sql_expect_in(
        "xi.db",
        "SELECT " ABOUT(
            "vector_registers_static_J",
            "0.09 * (0.231 + 0.769 * 2) * sm_cycles / "
            "1.4e9") ", " ABOUT("vector_registers_dynamic_J",
                                "(2 * 2.46e-12 + 5.82e-12) * thread_instructions") ", sum(energy_J > 0) FROM "
                                                                                   "s_energy "
                                                                                   "JOIN "
                                                                                   "s_by_kernel USING "
                                                                                   "(kernel)",
        "3|3|3\n");
}

/* A number of sweeps/energy/xi.json: joules of an event, or the static power (event NULL). */
static double number_of(const json_t *root, const char *component, const char *event) {
    const json_t *c = json_object_get(json_object_get(root, "components"), component),
                 *n = event ? json_object_get(json_object_get(c, "events"), event)
                            : json_object_get(c, "static_W");
    const json_t *value = json_object_get(n, event ? "J" : "value");
    if (!value) fail_msg("xi.json has no %s of %s", event ? event : "static_W", component);
    return json_number_value(value);
}

static void about(double value, double expected) {
    if (!(value > 0.99 * expected && value < 1.01 * expected))
        fail_msg("expected about %g, found %g", expected, value);
}

/* The numbers of xi.json that are said to follow from published ones do: XI tab. 2 (0.09 W, 2.44 mm2; 2.46 and 5.82,
 * 0.176 and 0.162 pJ), XI 4.5 (11.823 mm2, 1.141 more with ILP), WP tab. 1 (139 mW at 1.2 GHz). */
static void derived_numbers_follow(void **state) {
    (void)state;
    const double W_per_mm2 = 0.09 / 2.44, W_per_bit = 0.09 / (64 * 1024 * 8), lane = 2 * 2.46e-12 + 5.82e-12,
                 op = 10e-12, file = 2 * 0.176e-12 + 0.162e-12;
    json_t *x = json_load_file("sweeps/energy/xi.json", 0, NULL);
    about(number_of(x, "execution", NULL) + number_of(x, "l1", NULL) + number_of(x, "vector_registers", NULL),
          11.823 * W_per_mm2);
    about(number_of(x, "l1", NULL), 48 * 1024 * 8 * W_per_bit);
    about(number_of(x, "l2", NULL), 256 * 1024 * 8 * W_per_bit);
    about(number_of(x, "added_storage", NULL), W_per_bit);
    about(number_of(x, "ilp", NULL), W_per_mm2);
    about(-number_of(x, "ilp_registers", NULL), W_per_mm2);
    about(number_of(x, "ilp", "ilp_counters.boarded"), 32 * (0.176e-12 + 0.162e-12));
    about(number_of(x, "vector_registers", "thread_instructions"), lane);
    about(-number_of(x, "vector_registers", "scalar_counters.converted"), 31 * lane);
    about(-number_of(x, "vector_registers", "scalar_counters.reused"), 31 * lane);
    about(-number_of(x, "vector_registers", "scalar_counters.in_file"), lane);
    about(number_of(x, "vector_registers", "scalar_counters.checks"), 5.82e-12);
    about(number_of(x, "scalar_registers", "scalar_counters.in_file"), file);
    about(number_of(x, "scalar_registers", NULL), 0.001 - 128 * 32 * W_per_bit);
    about(number_of(x, "execution", "thread_instructions"), op);
    about(-number_of(x, "execution", "scalar_counters.converted"), 31 * op);
    about(-number_of(x, "execution", "scalar_counters.reused"), 32 * op);
    about(number_of(x, "execution", "scalar_counters.checks"), op);
    about(number_of(x, "execution", "scalar_counters.copies"),
          32 * op + number_of(x, "execution", "warp_instructions"));
    about(number_of(x, "vector_registers", "scalar_counters.copies"), 2.46e-12 + 32 * 5.82e-12);
    about(-number_of(x, "vector_registers", "scalar_counters.spared_reads"), 2.46e-12);
    about(number_of(x, "execution", "scalar_counters.lookups"), 7 * 0.176e-12);
    about(number_of(x, "added_storage", "mrpb_counters.queued"), 2 * (0.176e-12 + 0.162e-12));
    about(number_of(x, "added_storage", "icc_counters.cached"), 32 * 0.176e-12);
    about(number_of(x, "added_storage", "warppool_counters.requests"), 0.139 / 1.2e9);
    about(number_of(x, "added_storage", "reorder_counters.elements"), 2.5 * (2.46e-12 + 5.82e-12));
    json_decref(x);
}

/* What an SM of each GPU draws all the time, as the area that draws as much as the registers do (XI tab. 2), is the
 * area published for it (XI 4.5): 11.823 mm2, with ILP 12.964, with half the registers 12.026. The L2 draws as much per
 * byte. */
static void static_power_follows_sizes(void **state) {
    (void)state;
    sweep("\"traces\": \"traces/nw.wst\", \"kernels\": \"1\", \"analysis\": \"timed\", \"axes\": {\"gpu\": "
          "[\"gtx280-ilp\", \"xi-gpu-t\", \"xi-gpu-i\", \"xi-gpu-i30\", \"xi-gpu-h30\", \"gtx480-warpman\", "
          "\"gtx980\"]}",
          "sweeps/energy/gtx280-ilp.json", "sizes.db");
    sql_expect_in(
        "sizes.db",
        "SELECT gpu, printf('%.1f|%.2f|%.3f', (execution_static_J + vector_registers_static_J + l1_static_J "
        "+ ilp_static_J + ilp_registers_static_J + added_storage_static_J) / seconds / (sm_cycles / cycles) "
        "/ (0.09 / 2.44), l2_static_J / seconds, vector_registers_static_J / seconds / (sm_cycles / cycles)) "
        "FROM s_energy JOIN s_by_kernel USING (kernel, gpu) ORDER BY 1",
        "gtx280-ilp|11.8|5.76|0.090\ngtx480-warpman|12.5|2.16|0.159\ngtx980|16.8|2.88|0.298\nxi-gpu-h30|11.9|"
        "5.76|0.090\nxi-gpu-i|13.0|5.75|0.090\nxi-gpu-i30|12.0|5.76|0.090\nxi-gpu-t|11.8|5.75|0.090\n");
}

/* Bypassing and the scoreboard draw power where they are switched on: 0.224 and 0.917 mm2 (XI 4.5). */
static void techniques_draw_where_they_are_on(void **state) {
    (void)state;
    sweep("\"traces\": \"traces/nw.wst\", \"kernels\": \"1\", \"analysis\": \"timed\", \"gpu\": "
          "\"gtx280-ilp\", \"base\": {\"ilp.prediction\": \"none\"}, \"axes\": {\"zip\": "
          "{\"mechanism.core\": [\"none\", \"ilp\", \"ilp\", \"ilp\", \"ilp\"], \"ilp.bypass\": [false, "
          "false, true, false, true], \"ilp.scoreboard_entries\": [0, 0, 0, 8, 8]}}",
          "sweeps/energy/gtx280-ilp.json", "on.db");
    sql_expect_in(
        "on.db",
        "SELECT mechanism_core, ilp_bypass, ilp_scoreboard_entries, printf('%.2f', (ilp_static_J + "
        "added_storage_static_J) / seconds / 30 / (0.09 / 2.44)) FROM s_energy ORDER BY 1 DESC, 3, 2",
        "none|0|0|0.00\nilp|0|0|0.00\nilp|1|0|0.22\nilp|0|8|0.92\nilp|1|8|1.14\n");
    sql_expect_in(
        "on.db",
        "SELECT count(DISTINCT energy_J) FROM s_energy WHERE (ilp_bypass, ilp_scoreboard_entries) = (0, 0)",
        "1\n");
}

/* A scalar register file draws 1 mW with 128 registers (XI tab. 2), with its bits, which added_storage has. The rename
 * table draws 0.53 and 0.62 mW more: 512 numbers of 6 and of 7 bits. */
static void a_scalar_register_file_draws_once(void **state) {
    (void)state;
    sweep("\"traces\": \"traces/nw.wst\", \"kernels\": \"1\", \"analysis\": \"timed\", \"gpu\": "
          "\"gtx285\", \"base\": {\"mechanism.core\": \"scalar\", \"scalar.design\": \"srf\", "
          "\"scalar.irb_entries\": 0}, \"axes\": {\"scalar.srf_entries\": [64, 128]}",
          "sweeps/energy/gtx285.json", "file.db");
    sql_expect_in("file.db",
                  "SELECT scalar_srf_entries, printf('%.2f', 1000 * (scalar_registers_static_J + "
                  "added_storage_static_J) / seconds / 30) FROM s_energy ORDER BY 1",
                  "64|1.03\n128|1.62\n");
}

/* Each mechanism alone. Some of its events do not occur on this trace; do_what_was_not_done() writes counts for
 * them. */
#define ALL_MECHANISMS                                                                                       \
    "\"traces\": \"traces/graphs/bfs_push-kron.wst\", \"kernels\": \"bfs_contract\", \"analysis\": "         \
    "\"timed\", "                                                                                            \
    "\"gpu\": \"gtx980\", \"base\": {\"limit.ctas\": 4, \"core.dependences\": \"one_in_flight\", "           \
    "\"scalar.design\": \"srf\", \"ilp.registers\": 32768}, \"axes\": {\"zip\": {"                           \
    "\"mechanism.core\": [\"none\", \"scalar\", \"ilp\", \"none\", \"none\", \"none\", \"none\", "           \
    "\"none\"], "                                                                                            \
    "\"mechanism.front\": [\"none\", \"none\", \"none\", \"mrpb\", \"warppool\", \"none\", \"none\", "       \
    "\"none\"], "                                                                                            \
    "\"mechanism.fetch\": [\"none\", \"none\", \"none\", \"none\", \"none\", \"coarse\", \"none\", "         \
    "\"none\"], "                                                                                            \
    "\"mechanism.cluster\": [\"none\", \"none\", \"none\", \"none\", \"none\", \"none\", \"icc\", "          \
    "\"none\"], "                                                                                            \
    "\"mechanism.partition\": [\"none\", \"none\", \"none\", \"none\", \"none\", \"none\", \"none\", "       \
    "\"reorder\"]}}"

static void do_what_was_not_done(const char *db_name) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(folder_path(db_name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE icc_counters SET cached = 5; UPDATE "
                                  "scalar_counters SET converted = 11, reused = 5, lookups = 7, in_file = "
                                  "16, checks = 11, copies = 3, spared_reads = 900",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
}

static double total(const char *db) {
    char *text = sql_text_in(db, "SELECT total(energy_J) FROM s_energy");
    double value = strtod(text, NULL);
    free(text);
    return value;
}

/* Fails unless the total energy changes when the number is doubled. */
static void expect_to_matter(json_t *root, json_t *number, const char *key, const char *what, double before) {
    json_t *old = json_incref(json_object_get(number, key));
    json_object_set_new(number, key, json_real(2 * json_number_value(old)));
    assert_int_equal(json_dump_file(root, folder_path("energy/twice.json"), 0), 0);
    sweep(ALL_MECHANISMS, "twice", "all.db");
    if (total("all.db") == before) fail_msg("%s: no energy depends on it", what);
    json_object_set_new(number, key, old);
}

static void every_number_matters(void **state) {
    (void)state;
    const char *component, *event;
    int numbers = 0;
    json_t *root = json_load_file("sweeps/energy/xi.json", 0, NULL),
           *parts = json_object_get(root, "components"), *part, *number;
    assert_non_null(parts);
    sweep(ALL_MECHANISMS, "sweeps/energy/xi.json", "all.db");
    do_what_was_not_done("all.db");
    double before = total("all.db");
    assert_true(before > 0);
    expect_to_matter(root, json_object_get(root, "clock_Hz"), "value", "clock_Hz", before);
    json_object_foreach(parts, component, part) {
        json_t *watts = json_object_get(part, "static_W");
        if (watts && numbers++ % EVERY == 0) expect_to_matter(root, watts, "value", component, before);
        json_object_foreach(json_object_get(part, "events"), event, number) if (numbers++ % EVERY == 0)
            expect_to_matter(root, number, "J", event, before);
    }
    json_decref(root);
}

/* ---- which setting has the least energy-delay product: one query */

/* Returns the text of a file with one query, without its semicolon. Static memory. */
static const char *query_of(const char *path) {
    static char text[4000];
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    assert_true(size < sizeof text - 1 && strrchr(text, ';'));
    *strrchr(text, ';') = 0;
    return text;
}

/* Runs the query on the sweep that it is written for, reduced to a small part of two traces, and compares the least
 * energy-delay product that it finds with the minimum over the sweep's energies. */
static void least_edp(void **state) {
    (void)state;
    ws_sweep_report report;
    char db[300];
    json_t *root = json_load_file("sweeps/all_mechanisms.json", 0, NULL);
    assert_non_null(root);
    json_object_set_new(root, "traces", json_pack("[s, s]", "traces/transpose.wst", "traces/kmeans.wst"));
    json_object_set_new(json_object_get(root, "base"), "limit.warp_instructions", json_integer(500));
    snprintf(db, sizeof db, "%s", folder_path("least.db"));
    assert_int_equal(json_dump_file(root, folder_path("least.json"), 0), 0);
    json_decref(root);
    ws_sweep_options options = {.db = db, .jobs = 1, .gpus = "sweeps/gpus", .energies = "sweeps/energy"};
    must(ws_sweep_run(folder_path("least.json"), &options, &report, &err));
    assert_int_equal(report.failed, 0);

    const char *query = query_of("sweeps/least_edp.sql");
    char sql[6000];
    snprintf(sql, sizeof sql,
             "SELECT sum(place = 1 AND kernel_class = 'all'), sum(place > 3), min(kernels) > 0, count(*) > 6 "
             "FROM (%s)",
             query);
    sql_expect_in("least.db", sql, "2|0|1|1\n");
    snprintf(sql, sizeof sql,
             "SELECT abs(edp_ratio - (SELECT min(edp) FROM (SELECT geomean(edp_ratio) AS edp FROM "
             "all_mechanisms_energy WHERE core_dependences = 'registers' GROUP BY mechanism_dispatch, "
             "mechanism_core, "
             "mechanism_front, mechanism_fetch, mechanism_cluster, mechanism_partition, reorder_hash_sets, "
             "l1_bank_by, "
             "core_coalescers, sm_scheduler, core_swl_warps))) < 1e-12 FROM (%s) WHERE (place, kernel_class, "
             "core_dependences) = (1, 'all', 'registers')",
             query);
    sql_expect_in("least.db", sql, "1\n");
}

/* ---- all tables of the project */

/* A table of the project loads, gives each point an energy, and names a source for every column. */
static void visit(void *count, const char *name, const char *summary) {
    char path[300];
    snprintf(path, sizeof path, "sweeps/energy/%s.json", name);
    assert_true(*summary != 0);
    sweep(WITH_ICC, path, "each.db");
    sql_expect_in(
        "each.db",
        "SELECT count(*) > 20, sum(source = '' OR source LIKE '%()%') FROM metric WHERE table_name = "
        "'s_energy'",
        "1|0\n");
    sql_expect_in("each.db", "SELECT count(energy_J), count(*) FROM s_energy", "6|6\n");
    ++*(int *)count;
}

static void all_tables_serve(void **state) {
    (void)state;
    int count = 0;
    must(ws_energy_tables("sweeps/energy", visit, &count, &err));
    assert_true(count >= 4);
}

/* A spec in which each parameter is an axis: of its default alone, but for the mechanism and the limit. */
static char *spec_of_all_axes(void) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    json_t *axes = ws_config_json(config), *value;
    const char *name;
    json_object_foreach(axes, name, value)
        assert_int_equal(json_object_set_new(axes, name, json_pack("[O]", value)), 0);
    assert_int_equal(json_object_update_new(axes, json_pack("{s[i], s[ss]}", "limit.ctas", 1,
                                                            "mechanism.front", "none", "mrpb")),
                     0);
    json_t *spec = json_pack("{ss, ss, ss, so, ss}", "name", "s", "traces", "traces/transpose.wst",
                             "analysis", "timed", "axes", axes, "energy", "sweeps/energy/xi.json");
    char *text = json_dumps(spec, 0);
    json_decref(spec);
    ws_config_free(config);
    return text;
}

/* SQLite takes expressions 1000 deep; the view joins many tables at equal axes. */
static void any_number_of_axes(void **state) {
    (void)state;
    char *text = spec_of_all_axes(), db[300];
    snprintf(db, sizeof db, "%s", folder_path("axes.db"));
    ws_sweep_options options = {.db = db, .jobs = 1};
    ws_sweep_report report;
    must(ws_sweep_run(folder_write_text("axes.json", text), &options, &report, &err));
    free(text);
    sql_expect_in("axes.db",
                  "SELECT count(energy_J), count(energy_ratio), count(note), json_array_length(axes) > 200 "
                  "FROM s_energy, sweep",
                  "6|6|0|1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_events_and_time),
        cmocka_unit_test(what_is_drawn_all_the_time_stands_apart),
        cmocka_unit_test(columns_say_where_they_come_from),
        cmocka_unit_test(unknown_counters_make_unknown_energies),
        cmocka_unit_test(unknown_counters_of_mechanisms_are_not_zero),
        cmocka_unit_test(points_are_compared),
        cmocka_unit_test(points_without_baseline_say_so),
        cmocka_unit_test(power_grows_with_what_draws_it),
        cmocka_unit_test(power_grows_with_sizes),
        cmocka_unit_test(tables_take_over_what_they_lack),
        cmocka_unit_test(a_clock_alone_is_a_table),
        cmocka_unit_test(tables_elsewhere),
        cmocka_unit_test(wrong_tables_say_where),
        cmocka_unit_test(wrong_models_are_named),
        cmocka_unit_test(wrong_names),
        cmocka_unit_test(the_published_register_files),
        cmocka_unit_test(derived_numbers_follow),
        cmocka_unit_test(static_power_follows_sizes),
        cmocka_unit_test(techniques_draw_where_they_are_on),
        cmocka_unit_test(a_scalar_register_file_draws_once),
        cmocka_unit_test(every_number_matters),
        cmocka_unit_test(least_edp),
        cmocka_unit_test(all_tables_serve),
        cmocka_unit_test(any_number_of_axes),
    };
    return cmocka_run_group_tests_name("energy", tests, setup, folder_teardown);
}
