/* Areas, as a table of energies gives them: of parts that there are, times sizes, in sum and relative to the baseline;
 * and those that XI 4.5 and WP 3.10 print. */
#include "warpsweep/sweep.h"

#include "../support/folder.h"
#include "../support/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static ws_error err;

/* Sweeps three kernels that transpose a matrix, of 8 CTAs each; false with `err`. */
static bool sweep(const char *gpu, const char *more, const char *table, const char *energies) {
    char text[2048], db[300], folder[300];
    ws_sweep_report report;
    err = WS_NO_ERROR;
    snprintf(db, sizeof db, "%s", folder_path("a.db")); /* folder_path() rotates */
    snprintf(folder, sizeof folder, "%s", energies ? energies : folder_path("energy"));
    snprintf(
        text, sizeof text,
        "{\"name\": \"s\", \"traces\": \"traces/transpose.wst\", \"analysis\": \"timed\", \"gpu\": \"%s\", "
        "\"energy\": \"%s\", %s}",
        gpu, table, more);
    ws_sweep_options options = {.db = db, .jobs = 1, .gpus = "sweeps/gpus", .energies = folder};
    remove(db);
    return ws_sweep_run(folder_write_text("spec.json", text), &options, &report, &err);
}

static void write_table(const char *components) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"name\": \"t\", \"summary\": \"s\", \"clock_Hz\": {\"value\": 1e9, \"source\": \"s\"}, "
             "\"components\": {%s}}",
             components);
    folder_write_text("energy/t.json", text);
}

static int setup(void **state) {
    return folder_setup(state) || mkdir(folder_path("energy"), 0755);
}

#define FEW                                                                                                  \
    "\"base\": {\"gpu.clusters\": 2, \"gpu.sms_per_cluster\": 2, \"dram.channels\": 3, \"limit.ctas\": 8}"
#define LINEAR                                                                                               \
    "\"base\": {\"gpu.clusters\": 2, \"dram.channels\": 3, \"limit.ctas\": 8, \"l1.index\": \"linear\"}"
#define WITH_ICC FEW ", \"axes\": {\"mechanism.cluster\": [\"none\", \"icc\"]}"
#define AREA(name, mm2, per)                                                                                 \
    "\"" name "\": {\"area_mm2\": {\"value\": " mm2 ", \"per\": \"" per "\", \"source\": \"s\"}}"
#define DRAWS "\"draws\": {\"static_W\": {\"value\": 1, \"per\": \"SM\", \"source\": \"s\"}}"

/* ---- sums */

static void areas_are_those_of_all_parts(void **state) {
    (void)state;
    write_table(AREA("cores", "0.5", "SM") "," AREA("memory", "2", "partition") "," AREA("rest", "7",
                                                                                         "GPU") "," DRAWS);
    assert_true(sweep("gtx480-wp", FEW ", \"axes\": {\"l1.size_B\": [16384]}", "t", NULL));
    sql_expect_in(
        "a.db",
        "SELECT count(*), sum(cores_mm2 = 2), sum(memory_mm2 = 6), sum(rest_mm2 = 7), sum(area_mm2 = 15), "
        "sum(energy_J = draws_J), sum(energy_J > 0), count(note) FROM s_energy",
        "3|3|3|3|3|3|3|0\n");
    sql_expect_in("a.db",
                  "SELECT count(*) FROM pragma_table_info('s_energy') WHERE name IN ('draws_mm2', 'cores_J', "
                  "'cores_static_J', 'area_ratio')",
                  "0\n");
    sql_expect_in(
        "a.db",
        "SELECT column_name, unit, expression, source FROM metric WHERE table_name = 's_energy' AND "
        "column_name LIKE '%mm2' ORDER BY column_name = 'area_mm2' DESC, column_name LIMIT 2",
        "area_mm2|mm2|sum of COMPONENT_mm2|the table of energies\n"
        "cores_mm2|mm2|0.5 * this.\"sm_cycles\" / nullif(this.cycles, 0)|0.5 mm2 per SM (s)\n");
}

static void storage_that_mechanisms_add_takes_area(void **state) {
    (void)state;
    write_table(AREA("gpu", "100", "GPU") "," AREA("added", "0.01", "bit") "," DRAWS);
    assert_true(sweep("gtx480-wp", WITH_ICC, "t", NULL));
    sql_expect_in(
        "a.db",
        "SELECT mechanism_cluster, sum(abs(area_mm2 - 100 - 0.01 * cost_bits) < 1e-6), min(added_mm2 > 0), "
        "sum(abs(area_ratio - area_mm2 / 100) < 1e-6) FROM s_energy JOIN s_by_kernel USING (kernel, "
        "mechanism_cluster) GROUP BY 1",
        "icc|3|1|3\nnone|3|0|3\n");
}

static void areas_grow_with_sizes(void **state) {
    (void)state;
    write_table(
        "\"l1\": {\"static_W\": {\"value\": 3, \"per\": \"SM\", \"times\": \"l1_size_B / 8192\", \"source\": "
        "\"s\"}, \"area_mm2\": {\"value\": 0.25, \"per\": \"SM\", \"times\": \"l1_size_B / 16384\", "
        "\"source\": "
        "\"s\"}}");
    assert_true(sweep("gtx480-wp", FEW ", \"axes\": {\"l1.size_B\": [16384, 32768]}", "t", NULL));
    sql_expect_in(
        "a.db",
        "SELECT l1_size_B, min(area_mm2), max(area_mm2), sum(round(l1_J * 1e9 / sm_cycles, 6) = l1_size_B / "
        "8192 * 3) FROM s_energy JOIN s_by_kernel USING (kernel, l1_size_B) GROUP BY 1",
        "16384|1|1|3\n32768|2|2|3\n");
}

static void without_areas_there_is_none(void **state) {
    (void)state;
    write_table(DRAWS);
    assert_true(sweep("gtx480-wp", WITH_ICC, "t", NULL));
    sql_expect_in("a.db", "SELECT count(*), count(area_mm2), count(area_ratio), count(note) FROM s_energy",
                  "6|0|0|0\n");
}

/* ---- settings that no other beats */

/* Of all values of two axes, with the area of the L1 as the cost: by definition. */
static void fronts_go_by_area_too(void **state) {
    (void)state;
    write_table(
        "\"l1\": {\"area_mm2\": {\"value\": 1, \"per\": \"SM\", \"times\": \"l1_size_B / 8192\", \"source\": "
        "\"s\"}}," AREA("added", "0.0001", "bit") "," DRAWS);
    assert_true(sweep("gtx480-wp",
                      LINEAR
                      ", \"axes\": {\"l1.size_B\": [8192, 16384, 32768, 65536], \"mechanism.cluster\": "
                      "[\"none\", \"icc\"]}, \"baseline\": {\"l1.size_B\": 16384, \"mechanism.cluster\": "
                      "\"none\"}",
                      "t", NULL));
#define BEATEN                                                                                               \
    "EXISTS (SELECT 1 FROM s_pareto o WHERE o.kernel_class = s.kernel_class AND o.speedup >= s.speedup AND " \
    "o.area_mm2 <= s.area_mm2 AND (o.speedup > s.speedup OR o.area_mm2 < s.area_mm2))"
    sql_expect_in("a.db",
                  "SELECT sum(on_area_front = NOT " BEATEN ") = count(*), sum(on_area_front) > 0, "
                  "sum(on_area_front = 0) > 0, sum(on_area_front IS NOT on_front) > 0 FROM s_pareto s",
                  "1|1|1|1\n");
    sql_expect_in(
        "a.db",
        "SELECT count(*), sum(abs(p.area_mm2 - e.most) < 1e-9) FROM s_pareto p JOIN (SELECT l1_size_B, "
        "mechanism_cluster, max(area_mm2) AS most FROM s_energy GROUP BY 1, 2) e USING (l1_size_B, "
        "mechanism_cluster) WHERE kernel_class = 'all'",
        "8|8\n");
}

/* What an unbounded buffer costs is unknown, but the table knows its area. */
static void an_area_may_be_known_where_storage_is_not(void **state) {
    (void)state;
    write_table(AREA("l1", "1", "SM") "," DRAWS);
    assert_true(sweep("gtx480-wp",
                      FEW ", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mrpb.entries\": [0]}",
                      "t", NULL));
    sql_expect_in(
        "a.db",
        "SELECT mechanism_front, count(on_front), count(on_area_front) = count(*) FROM s_pareto WHERE "
        "kernel_class = 'all' GROUP BY 1",
        "mrpb|0|1\nnone|1|1\n");
}

static void fronts_without_areas_have_no_such_columns(void **state) {
    (void)state;
    write_table(DRAWS);
    assert_true(sweep("gtx480-wp", WITH_ICC, "t", NULL));
    sql_expect_in("a.db", "SELECT count(*), sum(name LIKE '%area%') FROM pragma_table_info('s_pareto')",
                  "7|0\n");
}

/* ---- published areas */

#define PUBLISHED(sql, expected)                                                                             \
    sql_expect_in("a.db", "SELECT DISTINCT " sql " FROM s_energy ORDER BY 1", expected)

/* GPU-T, GPU-H, GPU-I (the text has 467.812 for GPU-H, from 234.46 for 20 x 11.823); an SM with half the registers. */
static void areas_of_xi_4_5(void **state) {
    (void)state;
    assert_true(
        sweep("xi-gpu-t",
              "\"base\": {\"limit.ctas\": 8}, \"axes\": {\"zip\": {\"gpu.clusters\": [40, 38, 36, 1], "
              "\"mechanism.core\": [\"none\", \"ilp\", \"ilp\", \"ilp\"], \"ilp.sms\": [0, 18, 0, 0], "
              "\"ilp.registers\": [0, 0, 0, 8192]}}, \"baseline\": {\"gpu.clusters\": 40}",
              "xi", "sweeps/energy"));
    PUBLISHED("-gpu_clusters, printf('%.3f %.3f', area_mm2, area_ratio)",
              "-40|472.920 1.000\n-38|469.812 0.993\n-36|466.704 0.987\n-1|12.026 0.025\n");
}

#define ADDED "printf('%.3f', area_mm2 - min(area_mm2) OVER ())"

/* 0.36 mm2 in each of 15 SMs (WP 3.10), 0.0126 (MRPB 6), 0.026 (there, of CCWS). */
static void areas_of_memory_mechanisms(void **state) {
    (void)state;
    assert_true(
        sweep("gtx480-wp",
              "\"base\": {\"limit.ctas\": 8}, \"axes\": {\"mechanism.front\": [\"none\", \"warppool\", "
              "\"mrpb\"], \"mechanism.core\": [\"none\", \"ccws\"]}",
              "xi", "sweeps/energy"));
    PUBLISHED("mechanism_front, mechanism_core, " ADDED,
              "mrpb|none|0.189\nnone|ccws|0.390\nnone|none|0.000\nwarppool|ccws|5.790\n"
              "warppool|none|5.400\n");
}

/* 5.98 mm2 in each of four partitions (IRU 6.4). */
static void area_of_the_reorder_unit(void **state) {
    (void)state;
    assert_true(sweep("gtx980",
                      "\"base\": {\"limit.ctas\": 8}, \"axes\": {\"mechanism.partition\": [\"none\", "
                      "\"reorder\"]}",
                      "gtx980", "sweeps/energy"));
    PUBLISHED("mechanism_partition, " ADDED, "none|0.000\nreorder|23.920\n");
}

/* ---- refused */

static const struct {
    const char *components, *error;
} refused[] = {
    {AREA("l1", "1", "l1_hits") "," DRAWS,
     "$.components['l1'].area_mm2.per: expected \"SM\", \"partition\", "},
    {AREA("l1", "\"1\"", "SM") "," DRAWS,
     "$.components['l1'].area_mm2.value: expected a number, found a string"},
    {"\"l1\": {\"area_mm2\": {\"value\": 1, \"per\": \"SM\"}}," DRAWS,
     "$.components['l1'].area_mm2: expected \"source\" "},
    {AREA("area", "1", "SM") "," DRAWS,
     "$.components['area']: expected a name of small letters, digits and _, other than "
     "energy and area, "},
    {AREA("l1", "1", "SM"), "$.components: expected one with \"static_W\" or \"events\", found only areas"},
};

static void areas_are_refused_as_powers_are(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_table(refused[i].components);
        assert_false(sweep("gtx480-wp", FEW, "t", NULL));
        if (!strstr(err.text, refused[i].error)) fail_msg("%s\ninstead of %s", err.text, refused[i].error);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(areas_are_those_of_all_parts),
                                       cmocka_unit_test(storage_that_mechanisms_add_takes_area),
                                       cmocka_unit_test(areas_grow_with_sizes),
                                       cmocka_unit_test(without_areas_there_is_none),
                                       cmocka_unit_test(fronts_go_by_area_too),
                                       cmocka_unit_test(an_area_may_be_known_where_storage_is_not),
                                       cmocka_unit_test(fronts_without_areas_have_no_such_columns),
                                       cmocka_unit_test(areas_of_xi_4_5),
                                       cmocka_unit_test(areas_of_memory_mechanisms),
                                       cmocka_unit_test(area_of_the_reorder_unit),
                                       cmocka_unit_test(areas_are_refused_as_powers_are)};
    return cmocka_run_group_tests(tests, setup, folder_teardown);
}
