/* Sweeps of the timed replay: launches of a trace share a GPU, points depend on nothing but their key, GPUs are bases
 * and axes, and a configuration or a launch that cannot work is a failed row. */
#include "../support/folder.h"
#include "../support/sql.h"
#include "base/array.h"
#include "store/sqlite.h"
#include "warpsweep/preset.h"
#include "warpsweep/sweep.h"
#include "warpsweep/timed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static ws_error err;
static ws_sweep_report report;
static FILE *log_to; /* NULL: nothing is logged */
static bool dry_run;

static void must(bool ok) {
    if (!ok) fail_msg("%s", err.text);
}

/* ---- a trace: launches 1 and 3 read what launch 2, whose CTAs are larger, reads too */

static void write_launch(ws_writer *writer, const char *name, uint32_t warps, uint32_t load) {
    const ws_kernel kernel = {.name = name, .grid = {3, 1, 1}, .block = {32 * warps, 1, 1}};
    must(ws_writer_kernel(writer, &kernel, &err));
    for (uint32_t cta = 0; cta < 3; cta++) {
        must(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err));
        for (uint32_t warp = 0; warp < warps; warp++) {
            must(ws_writer_warp(writer, warp, &err));
            for (uint32_t i = 0; i < 8; i++) {
                uint64_t addresses[32];
                for (uint32_t lane = 0; lane < 32; lane++)
                    addresses[lane] = 0x10000 + 128 * (8 * (cta + warp) + i) + 4 * lane;
                must(ws_writer_inst(writer, load, UINT32_MAX, addresses, &err));
            }
        }
    }
}

static void write_trace(const char *name) {
    ws_writer *writer = ws_writer_new(folder_path(name), "test", "timed", 32, 0, &err);
    must(writer != NULL);
    ws_static s = {.class_ = WS_CLASS_MEM,
                   .op = WS_MEMORY_LOAD,
                   .space = WS_SPACE_GLOBAL,
                   .width_B = 4,
                   .text_width_B = 4};
    s.opcode = ws_writer_opcode(writer, "LD", 2);
    uint32_t load = ws_writer_static(writer, &s);
    write_launch(writer, "first", 2, load);
    write_launch(writer, "wide", 8, load);
    write_launch(writer, "last", 2, load);
    must(ws_writer_finish(writer, &err));
    ws_writer_free(writer);
}

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    write_trace("t.wst");
    mkdir(folder_path("gpus"), 0755);
    folder_write_text("gpus/small.json", "{\"name\": \"small\", \"summary\": \"s\", \"parameters\": {"
                                         "\"gpu.clusters\": {\"value\": 2, \"source\": \"x\"},"
                                         "\"dram.channels\": {\"value\": 2, \"source\": \"x\"},"
                                         "\"l1.index\": {\"value\": \"linear\", \"source\": \"x\"},"
                                         "\"sm.schedulers\": {\"value\": 1, \"source\": \"x\"}}}");
    folder_write_text("gpus/large.json",
                      "{\"name\": \"large\", \"summary\": \"s\", \"like\": \"small\", \"parameters\": {"
                      "\"l1.size_B\": {\"value\": 65536, \"source\": \"x\"},"
                      "\"l1.latency\": {\"value\": 50, \"source\": \"x\"}}}");
    return 0;
}

/* ---- sweeping */

static bool try_sweep(const char *more, const char *db_name, uint32_t jobs) {
    char text[2048], db[300], folder[300];
    err = WS_NO_ERROR;
    snprintf(db, sizeof db, "%s", folder_path(db_name)); /* folder_path() rotates */
    snprintf(folder, sizeof folder, "%s", folder_path("gpus"));
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"%s\"%s%s}", folder_path("t.wst"),
             *more ? ", " : "", more);
    ws_sweep_options options = {.db = db, .jobs = jobs, .gpus = folder, .log = log_to, .dry_run = dry_run};
    return ws_sweep_run(folder_write_text("spec.json", text), &options, &report, &err);
}

static void sweep(const char *more, const char *db, uint32_t jobs) {
    must(try_sweep(more, db, jobs));
}

#define TIMED "\"analysis\": \"timed\", "
#define SMALL TIMED "\"gpu\": \"small\""

/* ---- results */

/* Returns the counters of launch `index`, after the launches before it, straight from the engine. */
static ws_timed_counters direct(uint32_t index) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    must(ws_preset_apply(config, folder_path("gpus/small.json"), NULL, &err));
    ws_trace *trace = ws_trace_open(folder_path("t.wst"), &err);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    must(timed != NULL);
    ws_timed_counters c;
    for (uint32_t i = 1; i <= index; i++) must(ws_timed_run(timed, i, &c, &err));
    ws_timed_free(timed);
    ws_trace_close(trace);
    ws_config_free(config);
    return c;
}

static void launches_share_a_gpu(void **state) {
    (void)state;
    sweep(SMALL, "results.db", 1);
    assert_int_equal(report.passes, 1);
    assert_int_equal(report.done, 3);
    char expected[300], *at = expected;
    for (uint32_t i = 1; i <= 3; i++) {
        ws_timed_counters c = direct(i);
        at += sprintf(at, "%u|timed|%llu|%llu|%llu|%llu\n", i, (unsigned long long)c.cycles,
                      (unsigned long long)c.l1_misses, (unsigned long long)c.l2_hits,
                      (unsigned long long)c.dram_reads);
    }
    sql_expect_in("results.db",
                  "SELECT launch, fidelity, cycles, l1_misses, l2_hits, dram_reads FROM s ORDER BY launch",
                  expected);
    /* The last launch finds everything in the L2: this is what sharing means. */
    sql_expect_in("results.db", "SELECT launch, l2_misses > 0, dram_reads > 0 FROM s ORDER BY launch",
                  "1|1|1\n2|1|1\n3|0|0\n");
    sql_expect_in(
        "results.db",
        "SELECT ipc = 1.0 * thread_instructions / cycles, l1_hit_rate + l1_pending_rate + l1_miss_rate "
        "FROM s "
        "WHERE launch = 1",
        "1|1\n");
}

/* A point does not depend on whether the launches before it are asked for; and what is stored is not computed again. */
static void selection_is_irrelevant(void **state) {
    (void)state;
    static const char rows[] = "SELECT * FROM s WHERE launch = 3";
    sweep(SMALL, "all.db", 1);
    sweep(SMALL ", \"kernels\": \"3\"", "last.db", 1);
    assert_int_equal(report.points, 1);
    char *expected = sql_text_in("all.db", rows);
    sql_expect_in("last.db", rows, expected);
    sweep(SMALL, "last.db", 2);
    assert_int_equal(report.stored, 1);
    assert_int_equal(report.done, 2);
    sql_expect_in("last.db", rows, expected);
    sweep(SMALL, "last.db", 2);
    assert_int_equal(report.planned, 0);
    free(expected);
}

static void workers_are_irrelevant(void **state) {
    (void)state;
    static const char axes[] =
        SMALL ", \"axes\": {\"l1.size_B\": {\"log2\": [8192, 65536]}, \"l1.mshr_entries\": "
              "[1, 8], \"sm.scheduler\": [\"lrr\", \"gto\"]}";
    sweep(axes, "one.db", 1);
    assert_int_equal(report.passes, 16);
    sweep(axes, "two.db", 2);
    assert_int_equal(report.done, 48);
    char *one = sql_dump(folder_path("one.db")), *two = sql_dump(folder_path("two.db"));
    assert_string_equal(one, two);
    free(one);
    free(two);
    sql_expect_in("one.db", "SELECT count(DISTINCT cycles) > 1 FROM s WHERE launch = 1", "1\n");
}

/* The key of a point names the version of the replay, so results of an older one are computed again. */
static void version_is_part_of_the_key(void **state) {
    (void)state;
    sweep(TIMED "\"base\": {\"dram.channels\": 2}", "key.db", 1);
    char text[200], sql[100], *digest = sql_text_in("key.db", "SELECT digest FROM trace");
    snprintf(text, sizeof text, "%.*s/1/timed@%u/timed@%d/dram.channels=2", (int)strcspn(digest, "\n"),
             digest, ws_analysis_find("timed", NULL)->version, WS_TIMED_VERSION);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM point WHERE id = %lld", (long long)ws_store_id(text));
    sql_expect_in("key.db", sql, "1\n");
    free(digest);
}

/* ---- analyses that the timed replay feeds */

enum { HEARD_MAX = 4096, CTAS = 3, WARPS_MAX = 8 };

typedef struct heard {
    ws_timed_access miss[HEARD_MAX]; /* loads that leave their SM */
    size_t misses, reads;
    uint64_t life[CTAS][WARPS_MAX], instructions;
} heard;

static void hear_access(void *self, const ws_timed_access *access) {
    heard *h = self;
    bool leaves = access->status == WS_TIMED_MISS || access->status == WS_TIMED_SECTOR_MISS;
    h->reads += access->op == WS_MEMORY_LOAD;
    if (access->op == WS_MEMORY_LOAD && leaves) h->miss[h->misses++] = *access;
}

static void hear_life(void *self, const ws_timed_warp_life *life) {
    heard *h = self;
    h->life[life->cta][life->warp] = life->end - life->start;
    h->instructions += life->instructions;
}

/* Returns what the taps hear of the first launch, on the GPU "small" with two SMs in one cluster. */
static heard *hear_first_launch(void) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    must(ws_preset_apply(config, folder_path("gpus/small.json"), NULL, &err));
    json_t *one = json_integer(1), *two = json_integer(2);
    must(ws_config_set(config, "gpu.clusters", one, "$", &err));
    must(ws_config_set(config, "gpu.sms_per_cluster", two, "$", &err));
    json_decref(one);
    json_decref(two);
    ws_trace *trace = ws_trace_open(folder_path("t.wst"), &err);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    must(timed != NULL);
    heard *h = calloc(1, sizeof *h);
    ws_timed_counters c;
    ws_timed_tap(timed, &(ws_timed_taps){.self = h, .access = hear_access, .warp_end = hear_life});
    must(ws_timed_run(timed, 1, &c, &err));
    ws_timed_free(timed);
    ws_trace_close(trace);
    ws_config_free(config);
    return h;
}

#define ONE_CLUSTER                                                                                          \
    "\"fidelity\": \"timed\", \"kernels\": \"1\", \"gpu\": \"small\", \"base\": {\"gpu.clusters\": 1, "      \
    "\"gpu.sms_per_cluster\": 2"

/* RTRU from lifetimes (XI 3.3.2): wasted is the time by which each warp of a CTA is shorter than the longest. */
static void lifetimes_feed_rtru(void **state) {
    (void)state;
    heard *h = hear_first_launch();
    uint64_t wasted = 0, held = 0;
    for (int cta = 0; cta < CTAS; cta++) {
        uint64_t a = h->life[cta][0], b = h->life[cta][1], longest = a > b ? a : b;
        wasted += 2 * longest - a - b;
        held += 2 * longest;
    }
    assert_true(wasted > 0);
    assert_int_equal(h->instructions, CTAS * 2 * 8);
    char expected[100];
    snprintf(expected, sizeof expected, "3|%llu|%llu\n", (unsigned long long)wasted,
             (unsigned long long)held);
    sweep("\"analysis\": \"rtru\", " ONE_CLUSTER ", \"rtru.source\": \"replay\"}", "rtru.db", 1);
    sql_expect_in("rtru.db", "SELECT ctas, wasted_time, held_time FROM s", expected);
    sweep("\"analysis\": \"rtru\", " ONE_CLUSTER ", \"rtru.source\": \"instructions\"}", "rtru.db", 1);
    sql_expect_in("rtru.db", "SELECT wasted_time, held_time FROM s", "0|48\n");
    free(h);
}

/* Each warp's misses in the L1, beside what it executes (XI Fig. 27). */
static void misses_of_warps(void **state) {
    (void)state;
    heard *h = hear_first_launch();
    char expected[400], *at = expected;
    for (uint32_t cta = 0; cta < CTAS; cta++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            unsigned misses = 0;
            for (size_t i = 0; i < h->misses; i++) misses += h->miss[i].cta == cta && h->miss[i].warp == warp;
            at += sprintf(at, "%u|%u|8|%u|1\n", cta, warp, misses);
        }
    sweep("\"analysis\": \"rtru\", " ONE_CLUSTER "}, \"axes\": {\"rtru.cta\": [0, 1, 2]}", "warps.db", 1);
    sql_expect_in(
        "warps.db",
        "SELECT cta, warp, instructions, l1_misses, l1_mpki = 1000.0 * l1_misses / 8 FROM s_rtru_warp "
        "ORDER BY cta, warp",
        expected);
    free(h);
}

/* ICL in cycles (ICC 3.3.1): a miss is redundant if its cluster asked for the line at most icl.window cycles ago. */
static void misses_feed_icl(void **state) {
    (void)state;
    heard *h = hear_first_launch();
    char expected[200], *at = expected;
    for (uint64_t window = 50; window <= 800; window *= 4) {
        size_t redundant = 0;
        for (size_t i = 0; i < h->misses; i++) {
            bool recent = false;
            for (size_t j = 0; j < i; j++)
                recent = recent || (h->miss[j].line == h->miss[i].line &&
                                    h->miss[i].cycle - h->miss[j].cycle <= window);
            redundant += recent;
        }
        assert_true(window < 800 || redundant > 0);
        at += sprintf(at, "%llu|cycles|%zu|%zu|%zu\n", (unsigned long long)window, h->reads, h->misses,
                      redundant);
    }
    sweep("\"analysis\": \"icl\", " ONE_CLUSTER "}, \"axes\": {\"icl.window\": [50, 200, 800]}", "icl.db", 1);
    sql_expect_in(
        "icl.db",
        "SELECT icl_window, window_unit, reads, requests, data_same_sm + data_other_sm + line_same_sm + "
        "line_other_sm FROM s ORDER BY icl_window",
        expected);
    free(h);
}

/* What a mechanism sends past the L1 leaves the SM as well, and counts for icl and funnel. */
static void bypasses_leave(void **state) {
    (void)state;
    static const char
        past[] = "\"fidelity\": \"timed\", \"gpu\": \"small\", \"base\": {\"mechanism.front\": \"mrpb\", "
                 "\"mrpb.bypass\": \"all_stalls\", \"l1.mshr_entries\": 1",
        leaving[] = "SELECT sum(l1_misses + l1_sector_misses + l1_bypasses), sum(l1_bypasses) > 0 FROM s",
        looked_at[] = "SELECT sum(l1_accesses + l1_bypasses) FROM s";
    char spec[500];
    snprintf(spec, sizeof spec, "\"analysis\": \"timed\", %s}", past);
    sweep(spec, "past.db", 1);
    char *leave = sql_text_in("past.db", leaving), *reads = sql_text_in("past.db", looked_at);
    snprintf(spec, sizeof spec, "\"analysis\": \"icl\", %s}", past);
    sweep(spec, "past_icl.db", 1);
    sql_expect_in("past_icl.db", "SELECT sum(requests), 1 FROM s", leave);
    sql_expect_in("past_icl.db", "SELECT sum(reads) FROM s", reads);
    for (int loads = 0; loads < 2; loads++) {
        snprintf(spec, sizeof spec, "\"analysis\": \"funnel\", %s, \"funnel.ops\": \"%s\"}", past,
                 loads ? "loads" : "all");
        sweep(spec, "past_funnel.db", 1);
        sql_expect_in("past_funnel.db", "SELECT sum(past_mshr), 1 FROM s", leave);
        sql_expect_in("past_funnel.db", "SELECT sum(requests) FROM s", reads);
    }
    free(leave);
    free(reads);
}

/* Each stage of the funnel (WP Fig. 2) is a counter of the replay, since all accesses are loads of whole lines. */
static void counters_feed_the_funnel(void **state) {
    (void)state;
    ws_timed_counters c = direct(2);
    char expected[200];
    snprintf(expected, sizeof expected, "%d|%llu|%llu|%llu|%llu|%llu\n", CTAS * 8 * 8 * 32,
             (unsigned long long)c.l1_accesses, (unsigned long long)(c.l1_accesses - c.l1_hits),
             (unsigned long long)c.l1_misses, (unsigned long long)(c.l2_misses + c.l2_sector_misses + 3) / 4,
             (unsigned long long)(c.dram_bytes + 127) / 128);
    sweep("\"analysis\": \"funnel\", \"fidelity\": \"timed\", \"kernels\": \"2\", \"gpu\": \"small\"",
          "funnel.db", 1);
    sql_expect_in("funnel.db", "SELECT lane_accesses, requests, past_l1, past_mshr, past_l2, at_dram FROM s",
                  expected);
    sql_expect_in("funnel.db",
                  "SELECT requests >= past_l1, past_l1 > past_mshr, past_mshr > past_l2, at_dram > 0 FROM s",
                  "1|1|1|1\n");
    sweep("\"analysis\": \"funnel\", \"fidelity\": \"timed\", \"kernels\": \"2\", \"gpu\": \"small\", "
          "\"base\": {\"funnel.ops\": \"loads\"}",
          "funnel.db", 1);
    snprintf(expected, sizeof expected, "NULL|%llu|NULL\n", (unsigned long long)c.l1_misses);
    sql_expect_in("funnel.db", "SELECT lane_accesses, past_mshr, past_l2 FROM s", expected);
    /* With a limit, only part of the requests are seen. A share of all lane accesses would be wrong, so it is NULL. */
    sweep("\"analysis\": \"funnel\", \"fidelity\": \"timed\", \"kernels\": \"2\", \"gpu\": \"small\", "
          "\"base\": {\"limit.ctas\": 1}",
          "funnel.db", 1);
    sql_expect_in("funnel.db",
                  "SELECT lane_accesses, share_requests, requests > 0, truncated, note LIKE "
                  "'lane_accesses: %limits%' FROM s",
                  "NULL|NULL|1|1|1\n");
}

/* Periods are cut at their multiples, whatever other periods are recorded in the same pass, and add up to the
 * launch. */
static void periods_add_up(void **state) {
    (void)state;
    ws_timed_counters c = direct(1);
    sweep("\"analysis\": \"timeline\", \"kernels\": \"1\", \"gpu\": \"small\", "
          "\"axes\": {\"timeline.period\": [6, 100, 1000000]}",
          "time.db", 1);
    assert_int_equal(report.passes, 1);
    char expected[300], *at = expected;
    for (uint64_t period = 6; period <= 1000000; period = period == 6 ? 100 : period * 10000)
        at += sprintf(at, "%llu|%llu|%llu|%llu|%llu|%llu|%llu|%d\n", (unsigned long long)period,
                      (unsigned long long)((c.cycles + period - 1) / period), (unsigned long long)c.cycles,
                      (unsigned long long)c.warp_instructions, (unsigned long long)c.arithmetic_instructions,
                      (unsigned long long)c.warp_cycles, (unsigned long long)c.noc_bytes_to_sm,
                      c.cycles % period != 0);
    sql_expect_in("time.db",
                  "SELECT timeline_period, count(*), sum(cycles), sum(warp_instructions), "
                  "sum(arithmetic_instructions), sum(warp_cycles), sum(noc_bytes_to_sm), sum(cycle % "
                  "timeline_period <> 0) FROM s_timeline_period GROUP BY 1 ORDER "
                  "BY 1",
                  expected);
    sql_expect_in("time.db",
                  "SELECT count(*) FROM s_timeline_period WHERE cycles > timeline_period OR cycle < cycles",
                  "0\n");
}

/* ---- GPUs */

static void gpus_are_bases_and_axes(void **state) {
    (void)state;
    sweep(TIMED
          "\"kernels\": \"1\", \"base\": {\"l1.latency\": 60}, \"axes\": {\"gpu\": [\"small\", \"large\"]}",
          "gpus.db", 1);
    assert_int_equal(report.alike, 0);
    sql_expect_in("gpus.db", "SELECT gpu, cycles > 0 FROM s ORDER BY gpu", "large|1\nsmall|1\n");
    sql_expect_in(
        "gpus.db",
        "SELECT s.gpu, l1_size_B, l1_latency, sm_schedulers, json ->> '$.\"l1.size_B\"' FROM timed_config c "
        "JOIN point "
        "p ON p.config = c.id JOIN sweep_point s ON s.point = p.id ORDER BY s.gpu",
        "large|65536|60|1|65536\nsmall|16384|60|1|16384\n");
    /* Two names for one configuration are one point, whatever the order of the names. */
    folder_write_text("gpus/twin.json",
                      "{\"name\": \"twin\", \"summary\": \"s\", \"like\": \"small\", \"parameters\": {}}");
    sweep(TIMED "\"kernels\": \"1\", \"axes\": {\"gpu\": [\"twin\", \"small\"]}", "twins.db", 1);
    assert_int_equal(report.points, 1);
    assert_int_equal(report.alike, 1);
    assert_int_equal(report.of_axes - report.combinations, 1);
    sql_expect_in("twins.db", "SELECT gpu FROM s", "small\n");
    /* A baseline finds its GPU. */
    sweep(TIMED "\"kernels\": \"1\", \"axes\": {\"gpu\": [\"small\", \"large\", \"twin\"]}, "
                "\"baseline\": {\"gpu\": \"twin\"}",
          "named.db", 1);
    sql_expect_in("named.db", "SELECT gpu FROM s_speedup WHERE speedup ORDER BY 1", "large\ntwin\n");
    /* GPUs may be zipped, and left out by a condition; derived parameters depend on other axes. */
    sweep(
        TIMED
        "\"kernels\": \"1\", \"axes\": {\"zip\": {\"gpu\": [\"small\", \"large\"], \"sm.warps\": [16, 24]}, "
        "\"l1.ways\": [4, 8]}, \"derived\": {\"sm.threads\": \"32 * sm_warps\"}, "
        "\"where\": \"NOT (gpu = 'large' AND l1_ways = 4)\"",
        "zip.db", 1);
    sql_expect_in("zip.db", "SELECT gpu, sm_warps, l1_ways, sm_threads FROM s ORDER BY gpu, l1_ways",
                  "large|24|8|768\nsmall|16|4|512\nsmall|16|8|512\n");
}

/* Each point is compared with the one without mechanisms on the same GPU, to which a mechanism's own parameters mean
 * nothing. */
static void points_are_compared(void **state) {
    (void)state;
#define COMPARED                                                                                             \
    TIMED "\"gpu\": \"small\", \"axes\": {\"mechanism.cluster\": [\"none\", \"icc\"], "                      \
          "\"icc.table_cycles\": [1, 30], "                                                                  \
          "\"l1.size_B\": [4096, 16384]}"
    sweep(COMPARED, "compared.db", 1);
    sql_expect_in("compared.db", "SELECT count(*), count(speedup), count(note) FROM s_speedup", "24|24|0\n");
    sql_expect_in("compared.db",
                  "SELECT count(*) FROM s_speedup WHERE mechanism_cluster = 'none' AND (speedup, mpki_ratio, "
                  "l1_throughput_ratio, noc_reads_ratio, noc_requests_ratio, noc_bytes_ratio, cost_bits) = "
                  "(1, 1, 1, 1, 1, "
                  "1, 0)",
                  "12\n");
    sql_expect_in(
        "compared.db",
        "SELECT count(*) FROM s_speedup v JOIN s_by_kernel p USING (kernel, mechanism_cluster, "
        "icc_table_cycles, "
        "l1_size_B) JOIN s_by_kernel b USING (kernel, l1_size_B) WHERE b.mechanism_cluster = 'none' AND "
        "b.icc_table_cycles = 1 AND v.speedup = 1.0 * b.cycles / p.cycles AND v.noc_requests_ratio = 1.0 * "
        "p.noc_packets_to_memory / b.noc_packets_to_memory AND v.noc_reads_ratio = 1.0 * p.noc_reads / "
        "b.noc_reads",
        "24\n");
    sql_expect_in(
        "compared.db",
        "SELECT count(*) FROM s_speedup a JOIN s_speedup b USING (kernel, mechanism_cluster, l1_size_B) "
        "WHERE "
        "mechanism_cluster = 'icc' AND a.icc_table_cycles = 1 AND b.icc_table_cycles = 30 AND a.speedup > "
        "b.speedup",
        "6\n");
    sql_expect_in("compared.db",
                  "SELECT DISTINCT cost_bits = (SELECT sum(cost_bits * 2) FROM (SELECT DISTINCT structure, "
                  "cost_bits FROM "
                  "s_mechanism_cost)), cost_bits_per_sm = 1.0 * cost_bits / 2 FROM s_speedup WHERE "
                  "mechanism_cluster = 'icc'",
                  "1|1\n");
    sweep(TIMED "\"gpu\": \"small\", \"axes\": {\"l1.size_B\": [4096, 16384]}", "compared.db", 1);
    sql_expect_in("compared.db", "SELECT count(*) FROM sqlite_schema WHERE name = 's_speedup'", "0\n");
}

/* The class of a kernel is that of the sweep's own launches, whatever others the database has under that name. */
static void classes_are_of_the_sweeps_launches(void **state) {
    (void)state;
    static const char classes[] = "SELECT DISTINCT kernel, kernel_class FROM s_speedup ORDER BY 1";
    sqlite3 *db;
    sweep(COMPARED, "classes.db", 1);
    must(sqlite3_open(folder_path("classes.db"), &db) == SQLITE_OK);
    must(sqlite3_exec(db, "UPDATE timed SET memory_waiting_cycles = sm_busy_cycles", NULL, NULL, NULL) ==
         SQLITE_OK);
    sql_expect(db, classes, "first|bandwidth-limited\nlast|bandwidth-limited\nwide|bandwidth-limited\n");
    must(sqlite3_exec(db,
                      "INSERT INTO trace SELECT 1, 'other', name, path, isa, tracer, warp_size, kernels FROM "
                      "trace; CREATE TEMP TABLE other AS SELECT * FROM kernel; UPDATE other SET id = launch, "
                      "trace = 1, requests = 100 * requests; INSERT INTO kernel SELECT * FROM other",
                      NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, classes, "first|bandwidth-limited\nlast|bandwidth-limited\nwide|bandwidth-limited\n");
    sqlite3_close(db);
}

#define SPEEDUP_OVER(condition)                                                                              \
    "SELECT count(*), count(speedup) FROM s_speedup v JOIN s_by_kernel p USING (kernel, mechanism_cluster, " \
    "icc_table_cycles, l1_size_B) JOIN s_by_kernel b USING (kernel) WHERE v.speedup = 1.0 * b.cycles / "     \
    "p.cycles AND " condition

/* A baseline that names other axes has no mechanism either, unless it says with null that mechanisms are to be equal.
 * If it names a mechanism, that mechanism's parameters have to be equal. */
static void baselines_are_named(void **state) {
    (void)state;
    sweep(COMPARED ", \"baseline\": {\"l1.size_B\": 4096}", "named.db", 1);
    sql_expect_in("named.db",
                  SPEEDUP_OVER("(b.l1_size_B, b.mechanism_cluster, b.icc_table_cycles) = (4096, 'none', 1)"),
                  "24|24\n");
    sweep(COMPARED ", \"baseline\": {\"l1.size_B\": 4096, \"mechanism.cluster\": null}", "named.db", 1);
    sql_expect_in("named.db",
                  SPEEDUP_OVER("(b.l1_size_B, b.mechanism_cluster, b.icc_table_cycles) = (4096, "
                               "p.mechanism_cluster, p.icc_table_cycles)"),
                  "24|24\n");
    sweep(COMPARED ", \"baseline\": {\"mechanism.cluster\": \"icc\"}", "named.db", 1);
    sql_expect_in("named.db",
                  SPEEDUP_OVER("(b.l1_size_B, b.mechanism_cluster, b.icc_table_cycles) = (p.l1_size_B, "
                               "'icc', p.icc_table_cycles)"),
                  "24|24\n");
}

/* A parameter that means nothing to the baseline need not be equal: core.swl_warps means something to swl alone.
 * l1.size_B has to be equal even with l1.unified_B, where the L1 is what shared memory leaves, as it still gives the
 * number of sets. A value may be written as another kind of number. */
static void what_means_nothing_to_the_baseline_is_not_compared(void **state) {
    (void)state;
#define LIMITED                                                                                              \
    TIMED "\"kernels\": \"1\", \"gpu\": \"small\", \"axes\": {\"sm.scheduler\": [\"gto\", \"swl\"], "        \
          "\"core.swl_warps\": [2, 1, 4], \"l1.spare_dirty_percent\": [0, 50]}, "                            \
          "\"where\": \"sm_scheduler = 'swl' OR core_swl_warps = 1\", "
    sweep(LIMITED "\"baseline\": {\"sm.scheduler\": \"gto\", \"l1.spare_dirty_percent\": 0}", "limited.db",
          1);
    sql_expect_in("limited.db",
                  "SELECT count(*), count(speedup), sum(speedup < 1 AND sm_scheduler = 'swl' AND "
                  "core_swl_warps = 1) FROM s_speedup",
                  "8|8|2\n");
    sweep(LIMITED "\"baseline\": {\"l1.spare_dirty_percent\": 0}", "limited.db", 1);
    sql_expect_in("limited.db", "SELECT count(*), sum(speedup = 1) FROM s_speedup", "8|8\n");
    sweep(COMPARED ", \"where\": \"mechanism_cluster = 'icc' OR icc_table_cycles = 30\"", "limited.db", 1);
    sql_expect_in("limited.db", "SELECT count(*), count(speedup) FROM s_speedup", "18|18\n");
    sweep(TIMED
          "\"kernels\": \"1\", \"gpu\": \"small\", \"base\": {\"l1.unified_B\": 65536}, \"axes\": "
          "{\"l1.size_B\": [4096, 8192], \"l1.latency\": [10, 20]}, \"baseline\": {\"l1.latency\": 10}, "
          "\"where\": \"l1_latency = 20 OR l1_size_B = 4096\"",
          "limited.db", 1);
    sql_expect_in("limited.db", "SELECT l1_size_B, l1_latency, count(speedup) FROM s_speedup GROUP BY 1, 2",
                  "4096|10|1\n4096|20|1\n8192|20|0\n");
}

/* Runs a sweep and returns what it logs. */
static char *log_of(const char *more, const char *db, bool dry) {
    char *text = NULL;
    size_t size;
    log_to = open_memstream(&text, &size);
    dry_run = dry;
    sweep(more, db, 1);
    fclose(log_to);
    log_to = NULL, dry_run = false;
    return text;
}

static void expect_logged(const char *more, const char *db, const char *line) {
    char *log = log_of(more, db, false);
    if (!strstr(log, line)) fail_msg("expected \"%s\" in: %s", line, log);
    free(log);
}

/* A sweep says once what its speedups are over; without a comparison, or as a part, it does not. */
static void what_speedups_are_over_is_told(void **state) {
    (void)state;
    expect_logged(
        COMPARED, "over.db",
        "s_speedup: over mechanism.cluster none, at equal l1.size_B; all 24 rows have a baseline\n");
    expect_logged(
        COMPARED ", \"where\": \"mechanism_cluster = 'icc' OR l1_size_B = 4096\"", "over.db",
        "s_speedup: over mechanism.cluster none, at equal l1.size_B; 6 of 18 rows have no baseline\n");
    sql_expect_in("over.db", "SELECT baseline, compared_at FROM sweep",
                  "{\"mechanism.cluster\":\"none\"}|[\"l1.size_B\"]\n");
    expect_logged(
        COMPARED ", \"baseline\": {\"mechanism.cluster\": \"icc\", \"icc.table_cycles\": 1, "
                 "\"l1.size_B\": 4096}",
        "over.db",
        "s_speedup: over mechanism.cluster icc, icc.table_cycles 1, l1.size_B 4096; all 24 rows have "
        "a baseline\n");
    char *log =
        log_of(TIMED "\"gpu\": \"small\", \"axes\": {\"l1.size_B\": [4096, 16384]}", "over.db", false);
    assert_null(strstr(log, "baseline"));
    free(log);
    sql_expect_in("over.db", "SELECT baseline, compared_at FROM sweep", "NULL|NULL\n");
}

/* Where a zip has several points without a mechanism, a point is compared with the one that is equal in what counts. */
static void zips_with_several_baselines(void **state) {
    (void)state;
    static const char zip[] =
        SMALL ", \"axes\": {\"zip\": {\"mrpb.entries\": [4, 8, 8, 8], \"l1.size_B\": [4096, 8192, 8192, "
              "16384], \"mechanism.front\": [\"none\", \"none\", \"mrpb\", \"mrpb\"]}}";
    expect_logged(zip, "zips.db", "s_speedup: over mechanism.front none, at equal l1.size_B; ");
    sql_expect_in(
        "zips.db",
        "SELECT p.l1_size_B, p.mechanism_front, sum(abs(t.speedup - 1.0 * b.cycles / p.cycles) < 1e-9) > 0 "
        "FROM s_by_kernel p JOIN s_speedup t USING (trace, kernel, l1_size_B, mechanism_front) LEFT JOIN "
        "s_by_kernel b ON b.kernel = p.kernel AND b.l1_size_B = p.l1_size_B AND b.mechanism_front = 'none' "
        "GROUP BY 1, 2",
        "4096|none|1\n8192|mrpb|1\n8192|none|1\n16384|mrpb|NULL\n");
}

/* A note names what the nearest of the baselines lacks, and nothing else. */
static void notes_say_what_baselines_lack(void **state) {
    (void)state;
    sweep(TIMED "\"kernels\": \"1\", \"gpu\": \"small\", \"energy\": \"sweeps/energy/xi.json\", \"axes\": "
                "{\"l1.latency\": [10, 20], "
                "\"noc.latency\": [30, 40], \"l2.latency\": [50, 60]}, \"baseline\": {\"l1.latency\": 10}, "
                "\"where\": \"l1_latency = 20 OR noc_latency = 30 AND l2_latency = 50\"",
          "notes.db", 1);
#define NEAREST "no baseline: of this kernel no point with \"l1_latency\" = 10 has "
    static const char *const views[] = {
        "SELECT noc_latency, l2_latency, note FROM s_speedup ORDER BY 1, 2, note",
        "SELECT noc_latency, l2_latency, note FROM s_energy ORDER BY 1, 2, note"};
    for (size_t i = 0; i < WS_COUNT(views); i++)
        sql_expect_in("notes.db", views[i],
                      "30|50|NULL\n30|50|NULL\n30|60|" NEAREST "l2_latency = 60\n40|50|" NEAREST
                      "noc_latency = 40\n40|60|" NEAREST "noc_latency = 40, l2_latency = 60\n");
    sweep(TIMED "\"kernels\": \"1\", \"gpu\": \"small\", \"axes\": {\"l1.latency\": [10, 20], "
                "\"noc.latency\": [30, 40], \"l2.latency\": [50, 60]}, \"baseline\": {\"l1.latency\": 10}, "
                "\"where\": \"l1_latency = 20 OR noc_latency = 30\"",
          "notes.db", 1);
    sql_expect_in("notes.db", "SELECT note FROM s_speedup WHERE noc_latency = 40",
                  NEAREST "noc_latency = 40\n" NEAREST "noc_latency = 40\n");
}

/* Fidelity order, too, takes from a GPU's preset the parameters that it knows, here SMs and schedulers. */
static void gpus_serve_the_order_too(void **state) {
    (void)state;
    sweep("\"analysis\": \"window\", \"gpu\": \"large\", \"axes\": {\"window.size\": [1, 2]}", "order.db", 1);
    assert_int_equal(report.done, 6);
    sql_expect_in("order.db", "SELECT DISTINCT gpu_clusters, sm_schedulers, fidelity FROM window_config",
                  "2|1|order\n");
}

/* ---- what cannot work */

static void wrong_configurations_fail_alone(void **state) {
    (void)state;
    static const char spec[] =
        SMALL ", \"axes\": {\"l1.size_B\": [16384, 10000], \"l2.partition\": [\"linear\", \"ipoly\"]}";
    sweep(spec, "bad.db", 2);
    assert_int_equal(report.done, 3);
    assert_int_equal(report.failed, 9);
    sql_expect_in(
        "bad.db",
        "SELECT l1_size_B, l2_partition, count(*), min(reason) LIKE 'l1.size_B: expected a multiple of%', "
        "min(reason) LIKE 'l2.partition: ipoly expects 16, 32%' FROM point p JOIN timed_config c ON c.id = "
        "p.config WHERE status = 'failed' GROUP BY 1, 2 ORDER BY 1, 2",
        "10000|ipoly|3|1|0\n10000|linear|3|1|0\n16384|ipoly|3|0|1\n");
    sweep(spec, "bad.db", 1);
    assert_int_equal(report.planned, 0);
    assert_int_equal(report.stored_failed, 9);
    assert_int_equal(report.stored_refused, 9);
}

static size_t occurrences(const char *text, const char *words) {
    size_t count = 0;
    for (; (text = strstr(text, words)); text++) count++;
    return count;
}

/* A dry run and the sweep itself announce each reason for failing, with the number of its points; those points then
 * have it. */
static void expect_told(const char *more, uint64_t failed, size_t reasons) {
    static int number;
    char db[32];
    snprintf(db, sizeof db, "told-%d.db", number++);
    char *before = log_of(more, db, true);
    assert_int_equal(report.refused, failed);
    char *meanwhile = log_of(more, db, false);
    assert_int_equal(report.refused, failed);
    assert_int_equal(report.failed, failed);
    assert_int_equal(occurrences(before, "would fail: "), reasons);
    assert_int_equal(occurrences(meanwhile, "will fail: "), reasons);
    assert_int_equal(occurrences(meanwhile, "failed: "), 0);
    char *stored =
        sql_text_in(db, "SELECT printf('%d point%s: %s', count(*), iif(count(*) = 1, '', 's'), reason) "
                        "FROM point WHERE status = 'failed' GROUP BY reason");
    size_t lines = 0;
    for (char *rest = stored, *line; (line = strsep(&rest, "\n")) && *line; lines++)
        if (occurrences(before, line) != 1 || occurrences(meanwhile, line) != 1)
            fail_msg("%s\n%s\n%s", line, before, meanwhile);
    assert_int_equal(lines, reasons);
    free(before), free(meanwhile), free(stored);
}

static void what_will_fail_is_told_before(void **state) {
    (void)state;
    expect_told(
        SMALL ", \"axes\": {\"l1.size_B\": [16384, 10000], \"l2.partition\": [\"linear\", \"ipoly\"]}", 9, 2);
    expect_told(SMALL ", \"axes\": {\"core.coalesce_B\": [0, 48], \"core.icache_B\": [0, 100]}", 9, 2);
    expect_told(SMALL ", \"axes\": {\"sm.threads\": [32, 128, 1024]}", 5,
                4); /* the second launch, or the first */
    expect_told(SMALL ", \"kernels\": \"3\", \"axes\": {\"sm.threads\": [128, 1024]}", 1, 1);
    expect_told(SMALL ", \"axes\": {\"mechanism.core\": [\"none\", \"ilp\"]}", 3, 1); /* no registers */
    expect_told("\"analysis\": \"window\", \"axes\": {\"sm.threads\": [128, 1024], \"sm.scheduler\": "
                "[\"lrr\", \"swl\"]}",
                7, 2);
    expect_told("\"analysis\": \"spatial\", \"base\": {\"sm.threads\": 128}", 0, 0); /* replays nothing */
}

static void all_configurations_wrong(void **state) {
    (void)state;
    assert_false(try_sweep(SMALL ", \"axes\": {\"l1.size_B\": [10000, 20000]}", "none.db", 1));
    assert_non_null(strstr(err.text, ": none of its 2 configurations can work: l1.size_B: expected"));
    assert_false(try_sweep(SMALL ", \"base\": {\"l1.size_B\": 10000}", "none.db", 1));
    assert_non_null(strstr(err.text, ": its configuration cannot work: l1.size_B: expected"));
    assert_int_equal(err.code, WS_ERROR_SPEC);
}

/* A dry run takes its samples from the points that can run. */
static void what_can_run_is_timed(void **state) {
    (void)state;
    free(log_of(SMALL ", \"base\": {\"sm.threads\": 128}", "timed.db", true));
    assert_int_equal(report.refused, 2);
    assert_false(report.unknown);
    assert_int_equal(report.rows, 1);
}

/* Launch 2 does not fit: launch 1 has its result, launch 3 none, because the L2 that it would find is unknown. */
static void launch_that_does_not_fit(void **state) {
    (void)state;
    sweep(SMALL ", \"base\": {\"sm.threads\": 128}", "fit.db", 2);
    assert_int_equal(report.done, 1);
    sql_expect_in(
        "fit.db",
        "SELECT launch, status, reason FROM point p JOIN kernel k ON k.id = p.kernel ORDER BY launch",
        "1|done|NULL\n"
        "2|failed|launch 2 (wide): a CTA needs 256 threads, an SM has 128: raise sm.threads\n"
        "3|failed|launch 2 (wide), which comes before it, cannot run: launch 2 (wide): a CTA needs 256 "
        "threads, "
        "an SM has 128: raise sm.threads\n");
}

/* ---- what is no specification */

static void errors(void **state) {
    (void)state;
    static const struct {
        const char *more, *message;
    } cases[] = {
        {TIMED "\"fidelity\": \"order\"",
         "$.fidelity: expected \"timed\" for analysis timed, found \"order\""},
        {"\"analysis\": \"window\", \"fidelity\": \"timed\"",
         "$.fidelity: expected \"order\" for analysis window, found \"timed\""},
        {TIMED "\"fidelity\": \"exact\"",
         "$.fidelity: expected \"timed\" for analysis timed, found \"exact\""},
        {TIMED "\"gpu\": \"smal\"", "$.gpu: no GPU is called 'smal': did you mean 'small'?"},
        {TIMED "\"gpu\": 7", "$.gpu: expected the name of a GPU, found 7"},
        {SMALL ", \"axes\": {\"gpu\": [\"large\"]}", "$.axes['gpu']: expected no $.gpu beside it, found one"},
        {TIMED "\"axes\": {\"gpu\": \"small\"}",
         "$.axes['gpu']: expected an array of names of GPUs, found a string"},
        {TIMED "\"axes\": {\"gpu\": []}", "$.axes['gpu']: expected at least one GPU, found none"},
        {TIMED "\"axes\": {\"gpu\": [\"small\", \"lage\"]}",
         "$.axes['gpu'][1]: no GPU is called 'lage': did you mean 'large'?"},
        {TIMED "\"base\": {\"l1.size\": 1}", "did you mean \"l1.size_B\"?"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        assert_false(try_sweep(cases[i].more, "errors.db", 1));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        if (!strstr(err.text, cases[i].message)) fail_msg("%s\n%s", cases[i].message, err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_share_a_gpu),
        cmocka_unit_test(selection_is_irrelevant),
        cmocka_unit_test(workers_are_irrelevant),
        cmocka_unit_test(version_is_part_of_the_key),
        cmocka_unit_test(lifetimes_feed_rtru),
        cmocka_unit_test(misses_of_warps),
        cmocka_unit_test(misses_feed_icl),
        cmocka_unit_test(bypasses_leave),
        cmocka_unit_test(counters_feed_the_funnel),
        cmocka_unit_test(periods_add_up),
        cmocka_unit_test(gpus_are_bases_and_axes),
        cmocka_unit_test(points_are_compared),
        cmocka_unit_test(classes_are_of_the_sweeps_launches),
        cmocka_unit_test(baselines_are_named),
        cmocka_unit_test(what_means_nothing_to_the_baseline_is_not_compared),
        cmocka_unit_test(zips_with_several_baselines),
        cmocka_unit_test(notes_say_what_baselines_lack),
        cmocka_unit_test(what_speedups_are_over_is_told),
        cmocka_unit_test(gpus_serve_the_order_too),
        cmocka_unit_test(wrong_configurations_fail_alone),
        cmocka_unit_test(what_will_fail_is_told_before),
        cmocka_unit_test(all_configurations_wrong),
        cmocka_unit_test(what_can_run_is_timed),
        cmocka_unit_test(launch_that_does_not_fit),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests_name("sweep timed", tests, setup, folder_teardown);
}
