/* The analysis `locality`: equal to looking ahead access by access, monotone, and right where the answer is known. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WINDOWS = 7, SIZES = 5, POINTS = WINDOWS * SIZES };
static const uint32_t windows[WINDOWS] = {1, 2, 3, 8, 17, 64, 1000};

static const ws_analysis *locality(void) {
    return ws_analysis_find("locality", NULL);
}

/* All windows times five neighbourhoods from `finest` on. */
typedef struct points {
    ws_config *configs[POINTS];
    const void *params[POINTS];
    uint32_t window[POINTS], size_B[POINTS];
} points;

static points points_of(const char *level, bool lanes, bool loads, uint32_t finest) {
    points p;
    for (uint32_t i = 0; i < POINTS; i++) {
        char text[32];
        ws_config *config = p.configs[i] = config_for(locality());
        p.window[i] = windows[i % WINDOWS];
        p.size_B[i] = finest << i / WINDOWS * 2;
        snprintf(text, sizeof text, "%u", p.window[i]);
        config_set(config, "locality.window", text);
        snprintf(text, sizeof text, "%u", p.size_B[i]);
        config_set(config, "locality.neighbourhood_B", text);
        snprintf(text, sizeof text, "\"%s\"", level);
        config_set(config, "locality.level", text);
        config_set(config, "locality.stream", lanes ? "\"lane_accesses\"" : "\"requests\"");
        config_set(config, "locality.ops", loads ? "\"loads\"" : "\"all\"");
        p.params[i] = ws_config_get(config, locality()->component);
    }
    return p;
}

static void free_points(points *p) {
    for (int i = 0; i < POINTS; i++) ws_config_free(p->configs[i]);
}

static const char *const levels[] = {"warp", "cta", "sm", "kernel"};

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        stream_shape shape = {.sms = 1 + random_below(&random, 4),
                              .warps_per_cta = 1 + random_below(&random, 4),
                              .ctas_per_sm = 1 + random_below(&random, 4),
                              .lines = 1 + random_below(&random, random_one_in(&random, 3) ? 20 : 400),
                              .requests = random_below(&random, 1200)};
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {.sms = shape.sms,
                               .sms_per_cluster = shape.sms % 2 ? shape.sms : 2,
                               .warps_per_cta = shape.warps_per_cta,
                               .line_B = 128,
                               .sector_B = 32};
        const char *level = levels[random_below(&random, 4)];
        bool lanes = random_one_in(&random, 2), loads = random_one_in(&random, 2);
        points p = points_of(level, lanes, loads, lanes ? 1 : 128);
        char *expected = NULL;
        size_t size;
        FILE *out = open_memstream(&expected, &size);
        for (uint32_t i = 0; i < POINTS; i++) {
            naive_reuse same = naive_locality(&s, level, lanes, loads, 128, p.window[i], p.size_B[i]);
            fprintf(out, "%u 0 %llu %llu ", i, (unsigned long long)same.accesses,
                    (unsigned long long)same.reused);
            if (p.window[i] == 1)
                fprintf(out, "a_window_of_1_has_no_half\n");
            else
                fprintf(out, "%llu\n",
                        (unsigned long long)naive_locality(&s, level, lanes, loads, 128, p.window[i] / 2,
                                                           2 * p.size_B[i])
                            .reused);
        }
        fclose(out);
        char *got = stream_analyse(&s, locality(), p.params, POINTS, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        free(expected);
        free_points(&p);
        stream_free(&s);
    }
}

/* ---- replays of traces */

/* Cells of the first row of each point; -1 where unknown. */
static void replay(const ws_trace *trace, const points *p, long long (*rows)[3]) {
    ws_error err = WS_NO_ERROR;
    ws_stream_info info = ws_stream_info_of(trace, 1, p->configs[0]);
    void *self = locality()->create(p->params, POINTS, &info, &err);
    assert_non_null(self);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    ws_replayer_want(replayer, locality()->wants(p->params[0]));
    assert_true(ws_replay_order(replayer, 1, p->configs[0], &(ws_tap){self, locality()->requests, NULL}, 1,
                                NULL, &err));
    ws_rows *out = ws_rows_new();
    assert_true(locality()->finish(self, 0, out, &err));
    const void *bytes;
    size_t size, at = 0, count;
    uint32_t point, table;
    ws_cell cells[3];
    assert_true(ws_rows_bytes(out, &bytes, &size));
    for (uint32_t i = 0; i < POINTS; i++) {
        assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 3, &count));
        for (int c = 0; c < 3; c++)
            rows[i][c] = cells[c].kind == WS_CELL_INT ? (long long)cells[c].integer : -1;
    }
    ws_rows_free(out);
    ws_replayer_free(replayer);
    locality()->destroy(self);
}

static void larger_windows_and_neighbourhoods_never_lose(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        points p = points_of(levels[seed % 4], seed % 3 != 0, false, seed % 3 ? 1 : 128);
        long long rows[POINTS][3];
        replay(trace, &p, rows);
        for (int i = 0; i < POINTS; i++) {
            assert_int_equal(rows[i][0], rows[0][0]);
            assert_in_range(rows[i][1], 0, rows[i][0]);
            if (i % WINDOWS > 0) assert_true(rows[i][1] >= rows[i - 1][1]);
            if (i >= WINDOWS) assert_true(rows[i][1] >= rows[i - WINDOWS][1]);
        }
        free_points(&p);
        ws_trace_close(trace);
    }
}

enum { STEPS = 64, LANES = 32 };

/* Lane l of a warp reads word l of a line that comes once. */
static uint64_t stream_through(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return (((uint64_t)cta * 64 + warp) * STEPS + inst) * 128 + 4 * lane;
}

/* In one warp's lane accesses the next word comes next: a block of n bytes is left after n / 4 accesses. */
static void streaming_lanes_reuse_within_a_block_at_once(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, STEPS, stream_through);
    ws_trace *trace = generate_planned(&plan);
    points p = points_of("warp", true, false, 1); /* 1, 4, 16, 64, 256 B */
    long long rows[POINTS][3];
    replay(trace, &p, rows);
    for (int i = 0; i < POINTS; i++) {
        long long words = p.size_B[i] < 4 ? 1 : p.size_B[i] / 4, accesses = STEPS * LANES;
        assert_int_equal(rows[i][0], accesses);
        assert_int_equal(rows[i][1], accesses - accesses / words);
        if (p.window[i] == 1) assert_int_equal(rows[i][2], -1);
    }
    free_points(&p);
    ws_trace_close(trace);
}

static void requests_are_no_finer_than_lines(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, STEPS, stream_through);
    ws_trace *trace = generate_planned(&plan);
    points p = points_of("sm", false, false, 32); /* 32, 128, 512 B .. */
    long long rows[POINTS][3];
    replay(trace, &p, rows);
    for (int i = 0; i < POINTS; i++) {
        assert_int_equal(rows[i][0], STEPS);
        if (p.size_B[i] < 128) {
            assert_int_equal(rows[i][1], -1);
            assert_int_equal(rows[i][2], -1);
        } else {
            long long lines = p.size_B[i] / 128;
            assert_int_equal(rows[i][1], STEPS - STEPS / lines);
        }
    }
    free_points(&p);
    ws_trace_close(trace);
}

static void neighbourhoods_are_powers_of_two(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(locality());
    config_set(config, "locality.neighbourhood_B", "96");
    assert_false(ws_config_validate(config, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(strstr(err.text, "locality.neighbourhood_B"));
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(larger_windows_and_neighbourhoods_never_lose),
        cmocka_unit_test(streaming_lanes_reuse_within_a_block_at_once),
        cmocka_unit_test(requests_are_no_finer_than_lines),
        cmocka_unit_test(neighbourhoods_are_powers_of_two),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
