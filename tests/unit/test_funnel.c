/* The analysis `funnel`, which counts what each stage from lanes to the L1's misses leaves: equal to counting stage by
 * stage on random streams; known answers. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

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
        bool *missed = calloc(s.count + 1, sizeof *missed);
        naive_contention(&s, shape.warps_per_cta, &l1, missed);
        uint64_t lanes = 0, requests = 0, past_l1 = 0;
        for (size_t i = 0; i < s.count; i++) {
            const record *r = &s.records[i];
            bool is_load = r->op == WS_MEMORY_LOAD;
            if (loads && !is_load) continue;
            lanes += r->nth == 0 ? r->lanes : 0;
            requests++;
            past_l1 += missed[i] || (!is_load && !l1.allocate);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(each_stage_leaves_its_share),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
