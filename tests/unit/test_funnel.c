/* The analysis `funnel`, which counts what each stage from lanes to the L1's misses leaves: equal to counting stage by
 * stage on random streams; known answers. */
#include "warpsweep/timed.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("funnel", NULL);
}

static void set(ws_config *config, const char *name, const char *value) {
    char text[64];
    snprintf(text, sizeof text, value[0] >= '0' && value[0] <= '9' ? "%s" : "\"%s\"", value);
    config_set(config, name, text);
}

static const char unknown[] = "fidelity_order_has_no_latencies:_nothing_is_in_flight "
                              "fidelity_order_has_no_L2 fidelity_order_has_no_L2";

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        stream_shape shape = stream_random_shape(&random, 300, 3000);
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {
            .sms = shape.sms, .sms_per_cluster = 1, .warps_per_cta = shape.warps_per_cta, .line_B = 128};
        uint32_t write = random_below(&random, 3);
        bool loads = random_one_in(&random, 2);
        naive_l1 l1 = {.sets = 1 + random_below(&random, 7),
                       .ways = 1 + random_below(&random, 20),
                       .replacement = "lru",
                       .evict = write == 0,
                       .allocate = write == 1};
        bool *missed = calloc(s.count + 1, sizeof *missed), *kept = calloc(s.count + 1, sizeof *kept);
        naive_contention(&s, shape.warps_per_cta, &l1, missed, kept);
        uint64_t lanes = 0, requests = 0, past_l1 = 0;
        for (size_t i = 0; i < s.count; i++) {
            const record *r = &s.records[i];
            bool is_load = r->op == WS_MEMORY_LOAD;
            if (loads && !is_load) continue;
            lanes += r->nth == 0 ? r->lanes : 0;
            requests++;
            past_l1 += missed[i] || (!is_load && !l1.allocate && !kept[i]);
        }
        assert_true(past_l1 <= requests && requests <= lanes);

        ws_config *config = config_for(analysis());
        char number[16], expected[256];
        snprintf(number, sizeof number, "%u", l1.sets);
        set(config, "funnel.sets", number);
        snprintf(number, sizeof number, "%u", l1.ways);
        set(config, "funnel.ways", number);
        set(config, "funnel.write", l1.evict ? "evict" : l1.allocate ? "allocate" : "ignore");
        set(config, "funnel.ops", loads ? "loads" : "all");
        const void *params = ws_config_get(config, analysis()->component);
        snprintf(expected, sizeof expected, "0 0 %llu %llu %llu %s\n", (unsigned long long)lanes,
                 (unsigned long long)requests, (unsigned long long)past_l1, unknown);
        char *got = stream_analyse(&s, analysis(), &params, 1, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        free(missed);
        free(kept);
        ws_config_free(config);
        stream_free(&s);
    }
}

/* Each warp reads lines of its own, lane i word i, and each line twice in a row. */
static uint64_t twice(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return ((uint64_t)(cta * 8 + warp) * 1000 + inst / 2) * 128 + 4 * lane;
}

/* 32 lanes make one request, and of two requests one misses. */
static void each_stage_leaves_its_share(void **state) {
    (void)state;
    enum { CTAS = 6, WARPS = 2, INSTS = 50, ACCESSES = CTAS * WARPS * INSTS * 32 };
    generate_plan plan = generate_loads(CTAS, WARPS, INSTS, twice);
    ws_trace *trace = generate_planned(&plan);
    ws_config *config = config_for(analysis());
    stream s = stream_replayed(trace, 1, config, analysis());
    char *got = stream_rows(&s, analysis(), config, NULL), expected[256];
    snprintf(expected, sizeof expected, "0 0 %d %d %d %s\n", ACCESSES, ACCESSES / 32, ACCESSES / 64, unknown);
    assert_string_equal(got, expected);
    free(got);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* ---- fidelity timed */

/* What a timed replay tells: accesses as they happen, and its counters in the end. */
typedef struct told {
    ws_timed_counters counters;
    ws_kernel kernel;
    uint32_t access_B;
    uint64_t loads[WS_TIMED_STATUSES], stores, kept, atomics;
} told;

static char *timed_row(const told *t, bool loads, uint64_t *random) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(analysis());
    set(config, "funnel.ops", loads ? "loads" : "all");
    const void *params = ws_config_get(config, analysis()->component);
    ws_stream_info info = {.sms = 1,
                           .sms_per_cluster = 1,
                           .line_B = 128,
                           .sector_B = WS_TIMED_SECTOR_B,
                           .access_B = t->access_B,
                           .timed = &t->counters,
                           .kernel = &t->kernel};
    void *self = analysis()->create(&params, 1, &info, &err);
    assert_non_null(self);
    for (int status = 0; status < WS_TIMED_STATUSES; status++)
        for (uint64_t i = 0; i < t->loads[status]; i++)
            analysis()->access(self, &(ws_timed_access){.op = WS_MEMORY_LOAD, .status = status});
    for (uint64_t i = 0; i < t->stores; i++) { /* hits, too, are passed on */
        const int status = random_one_in(random, 2) ? WS_TIMED_HIT : WS_TIMED_MISS;
        analysis()->access(self, &(ws_timed_access){.op = WS_MEMORY_STORE, .status = status});
    }
    for (uint64_t i = 0; i < t->kept; i++)
        analysis()->access(self,
                           &(ws_timed_access){.op = WS_MEMORY_STORE, .status = WS_TIMED_HIT, .kept = true});
    ws_rows *rows = ws_rows_new();
    assert_true(analysis()->finish(self, 0, rows, &err));
    char *text = rows_text(rows);
    ws_rows_free(rows);
    analysis()->destroy(self);
    ws_config_free(config);
    return text;
}

static told draw_told(uint64_t *random) {
    told t = {.access_B = 32u << random_below(random, 3),
              .stores = random_below(random, 20),
              .kept = random_below(random, 20),
              .atomics = random_below(random, 20)};
    for (int status = 0; status < WS_TIMED_STATUSES; status++) t.loads[status] = random_below(random, 20);
    t.counters.l1_bypasses = t.loads[WS_TIMED_BYPASS] + t.atomics; /* nothing else tells of atomics */
    t.counters.l2_misses = random_below(random, 50);
    t.counters.l2_sector_misses = random_below(random, 50);
    t.counters.dram_bytes = (uint64_t)WS_TIMED_SECTOR_B * random_below(random, 50);
    t.counters.ctas = 8;
    t.kernel.counters.ctas = 8 + random_below(random, 2); /* limits may leave one out */
    t.kernel.counters.lane_accesses = random_below(random, 9999);
    return t;
}

/* The number of requests that hold so many sectors. */
static unsigned long long requests_of(uint64_t sectors, const told *t) {
    unsigned long long requests = 0;
    for (uint64_t held = 0; held < sectors; held += t->access_B / WS_TIMED_SECTOR_B) requests++;
    return requests;
}

static void timed_replays_are_counted(void **state) {
    (void)state;
    static const char of_all[] =
        "lane_accesses_are_counted_for_all_operations_together:_take_funnel.ops_=_all",
                      cut[] = "lane_accesses_are_counted_of_whole_launches,_and_limits_cut_this_one",
                      apart[] = "behind_the_L1s_a_timed_replay_does_not_tell_operations_apart";
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        const told t = draw_told(&random);
        const uint64_t *of = t.loads;
        unsigned long long hits = of[WS_TIMED_HIT], merged = of[WS_TIMED_PENDING_HIT],
                           sent = of[WS_TIMED_MISS] + of[WS_TIMED_SECTOR_MISS] + of[WS_TIMED_BYPASS],
                           others = t.stores + t.atomics; /* all are passed on; what is kept is not */
        char expected[512], lanes[128];
        snprintf(lanes, sizeof lanes, "%llu", (unsigned long long)t.kernel.counters.lane_accesses);
        snprintf(expected, sizeof expected, "0 0 %s %llu %llu %llu %llu %llu\n",
                 t.kernel.counters.ctas > t.counters.ctas ? cut : lanes,
                 hits + merged + sent + others + (unsigned long long)t.kept, merged + sent + others,
                 sent + others, requests_of(t.counters.l2_misses + t.counters.l2_sector_misses, &t),
                 requests_of(t.counters.dram_bytes / WS_TIMED_SECTOR_B, &t));
        char *got = timed_row(&t, false, &random);
        assert_string_equal(got, expected);
        free(got);
        snprintf(expected, sizeof expected, "0 0 %s %llu %llu %llu %s %s\n", of_all, hits + merged + sent,
                 merged + sent, sent, apart, apart);
        got = timed_row(&t, true, &random);
        assert_string_equal(got, expected);
        free(got);
    }
}

/* The row of a timed replay of a trace in CSV; `*counters`: what it counted. */
static char *replayed_row(const char *csv, const char *settings, bool loads, ws_timed_counters *counters) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = sample_import_good(folder_write_text("t.csv", csv), NULL);
    ws_config *gpu_config = mechanism_config(settings), *config = config_for(analysis());
    ws_timed *gpu = mechanism_gpu(trace, settings);
    set(config, "funnel.ops", loads ? "loads" : "all");
    const void *params = ws_config_get(config, analysis()->component);
    ws_stream_info info;
    assert_true(ws_stream_info_of(trace, 1, gpu_config, &info, &err));
    info.timed = counters;
    info.gpu = gpu;
    void *self = analysis()->create(&params, 1, &info, &err);
    assert_non_null(self);
    ws_timed_tap(gpu, &(ws_timed_taps){.self = self, .access = analysis()->access});
    assert_true(ws_timed_run(gpu, 1, counters, &err));
    ws_rows *rows = ws_rows_new();
    assert_true(analysis()->finish(self, 0, rows, &err));
    char *text = rows_text(rows);
    ws_rows_free(rows);
    analysis()->destroy(self);
    ws_timed_free(gpu);
    ws_config_free(gpu_config);
    ws_config_free(config);
    ws_trace_close(trace);
    return text;
}

static const char local_and_global[] = "pc,op,space,addresses\n"
                                       "1,load,local,0x100\n"
                                       "2,store,local,0x100\n"
                                       "3,store,local,0x100\n"
                                       "4,store,local,0x900\n"
                                       "5,load,global,0x10000\n"
                                       "6,store,global,0x10000\n";

/* What a store writes to a line of local memory that is there stays in an L1 with l1.write = evict, and goes on from
 * one that writes through; global stores go on from both. So what the L1s leave is what comes to the network. */
static void stores_that_the_l1_keeps_are_not_left_by_it(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int left;
    } cases[] = {{"gpu=gtx480-wp", 4}, {"gpu=v100", 6}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_timed_counters c;
        char *got = replayed_row(local_and_global, cases[i].settings, false, &c), expected[64];
        assert_int_equal(c.noc_packets_to_memory, cases[i].left);
        snprintf(expected, sizeof expected, "0 0 6 6 %d %d ", cases[i].left, cases[i].left);
        assert_memory_equal(got, expected, strlen(expected));
        free(got);
    }
}

/* Loads that bypass the L1 by themselves are requests, too. They cannot be told from atomics, so that loads alone are
 * unknown where there are any; a trace without them, or a GPU that sends none past its L1, has known ones. */
static void loads_past_the_l1_are_not_left_out(void **state) {
    (void)state;
    static const char with_strong[] = "pc,opcode,space,width,addresses\n"
                                      "1,LDG.E.STRONG.GPU,global,4,0x10000\n"
                                      "2,LDG.E,global,4,0x20000\n"
                                      "3,RED.E.ADD,global,4,0x30000\n",
                      plain[] = "pc,opcode,space,width,addresses\n"
                                "2,LDG.E,global,4,0x20000\n"
                                "3,RED.E.ADD,global,4,0x30000\n",
                      unknown_loads[] =
                          "loads_bypass_the_L1_by_themselves,_which_is_counted_for_all_operations_"
                          "together:_take_funnel.ops_=_all";
    static const struct {
        const char *csv, *settings;
        int all, loads; /* 0: unknown */
    } cases[] = {{with_strong, "core.strong_past_l1=true", 3, 0},
                 {with_strong, "core.strong_past_l1=false", 3, 2},
                 {with_strong, "core.global_past_l1=true", 3, 0},
                 {plain, "core.strong_past_l1=true", 2, 1},
                 {plain, "core.global_past_l1=true", 2, 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_timed_counters c;
        char expected[512], *got = replayed_row(cases[i].csv, cases[i].settings, false, &c);
        snprintf(expected, sizeof expected, "0 0 %d %d %d %d ", cases[i].all, cases[i].all, cases[i].all,
                 cases[i].all);
        assert_memory_equal(got, expected, strlen(expected));
        free(got);
        got = replayed_row(cases[i].csv, cases[i].settings, true, &c);
        if (cases[i].loads)
            snprintf(expected, sizeof expected, "_=_all %d %d %d ", cases[i].loads, cases[i].loads,
                     cases[i].loads);
        else
            snprintf(expected, sizeof expected, "_=_all %s %s %s ", unknown_loads, unknown_loads,
                     unknown_loads);
        if (!strstr(got, expected)) fail_msg("case %zu: expected %s, found %s", i, expected, got);
        free(got);
    }
}

/* Fidelity order says the same of an L1 with funnel.write = evict. */
static void order_keeps_stores_as_timed_does(void **state) {
    (void)state;
    static const struct {
        const char *write;
        int left;
    } cases[] = {{"evict", 4}, {"ignore", 6}, {"allocate", 3}};
    ws_trace *trace = sample_import_good(folder_write_text("t.csv", local_and_global), NULL);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_config *config = config_for(analysis());
        set(config, "funnel.write", cases[i].write);
        stream s = stream_replayed(trace, 1, config, analysis());
        char *got = stream_rows(&s, analysis(), config, NULL), expected[256];
        snprintf(expected, sizeof expected, "0 0 6 6 %d %s\n", cases[i].left, unknown);
        assert_string_equal(got, expected);
        free(got);
        stream_free(&s);
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

/* A program of one warp, in which a few lanes load and store words of 8 lines each of global and local memory. */
static char *random_program(uint64_t *random) {
    char *csv = NULL;
    size_t size;
    FILE *out = open_memstream(&csv, &size);
    fputs("pc,op,space,addresses\n", out);
    for (unsigned pc = 1; pc <= 60; pc++) {
        bool local = random_one_in(random, 2);
        fprintf(out, "%u,%s,%s", pc, random_one_in(random, 3) ? "store" : "load", local ? "local" : "global");
        for (unsigned lane = 0, lanes = 1 + random_below(random, 4); lane < lanes; lane++)
            fprintf(out, "%c0x%x", lane ? ' ' : ',',
                    local ? 4 * random_below(random, 8) : 0x10000 + 4 * random_below(random, 256));
        fputc('\n', out);
    }
    fclose(out);
    return csv;
}

/* A warp that runs alone, and waits for each load, has no two misses on their way to one line: the same L1 leaves as
 * much in both fidelities. */
static void a_lone_warp_leaves_as_much_in_both_fidelities(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        char *csv = random_program(&random);
        ws_timed_counters c;
        char *timed = replayed_row(csv,
                                   "gpu=gtx480-wp,l1.size_B=512,l1.ways=4,l1.index=linear,"
                                   "core.dependences=one_in_flight,core.coalesce_order=ascending",
                                   false, &c);
        ws_trace *trace = sample_import_good(folder_write_text("t.csv", csv), NULL);
        ws_config *config = config_for(analysis());
        set(config, "funnel.sets", "1");
        stream s = stream_replayed(trace, 1, config, analysis());
        char *order = stream_rows(&s, analysis(), config, NULL);
        *strstr(order, unknown) = '\0';
        assert_memory_equal(timed, order, strlen(order));
        free(timed);
        free(order);
        free(csv);
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(each_stage_leaves_its_share),
        cmocka_unit_test(timed_replays_are_counted),
        cmocka_unit_test(stores_that_the_l1_keeps_are_not_left_by_it),
        cmocka_unit_test(order_keeps_stores_as_timed_does),
        cmocka_unit_test(a_lone_warp_leaves_as_much_in_both_fidelities),
        cmocka_unit_test(loads_past_the_l1_are_not_left_out),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
