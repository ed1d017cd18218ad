/* The analysis `locality`: equal to looking ahead access by access, monotone, and right where the answer is known. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include "analysis/parts/blocks.h"
#include "analysis/parts/reuse.h"

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

/* The points of a test: all windows times five neighbourhoods, `finest` bytes and then four times as many each. */
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
        stream_shape shape = stream_random_shape(&random, 400, 1200);
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {.sms = shape.sms,
                               .sms_per_cluster = shape.sms % 2 ? shape.sms : 2,
                               .warps_per_cta = shape.warps_per_cta,
                               .line_B = 128,
                               .sector_B = 32};
        const char *level = levels[random_below(&random, 4)];
        bool lanes = random_one_in(&random, 2), loads = random_one_in(&random, 2);
        points p = points_of(level, lanes, loads, lanes ? 1 : 128);
        naive_streams of = {level, lanes, loads, 128};
        char *expected = NULL;
        size_t size;
        FILE *out = open_memstream(&expected, &size);
        for (uint32_t i = 0; i < POINTS; i++) {
            naive_reuse same = naive_locality(&s, &of, p.window[i], p.size_B[i]);
            fprintf(out, "%u 0 %llu %llu ", i, (unsigned long long)same.accesses,
                    (unsigned long long)same.reused);
            if (p.window[i] == 1)
                fprintf(out, "a_window_of_1_has_no_half\n");
            else
                fprintf(out, "%llu\n",
                        (unsigned long long)naive_locality(&s, &of, p.window[i] / 2, 2 * p.size_B[i]).reused);
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

/* ---- what does not affect results: points that share a pass, backlogs, arrays and tables, clocks */

static void points_alone_are_like_points_together(void **state) {
    (void)state;
    stream s = stream_random(3, &(stream_shape){2, 3, 3, 300, 3000});
    ws_stream_info info = {.sms = 2, .sms_per_cluster = 1, .warps_per_cta = 3, .line_B = 128};
    for (int level = 0; level < 4; level++) {
        points p = points_of(levels[level], level % 2 == 1, false, level % 2 ? 1 : 128);
        char *together = stream_analyse(&s, locality(), p.params, POINTS, &info, WS_BATCH_MAX, NULL),
             *line = together;
        for (uint32_t i = 0; i < POINTS; i++, line = strchr(line, '\n') + 1) {
            char *alone = stream_analyse(&s, locality(), &p.params[i], 1, &info, WS_BATCH_MAX, NULL);
            assert_memory_equal(strchr(alone, ' '), strchr(line, ' '), strlen(strchr(alone, ' ')));
            free(alone);
        }
        free(together);
        free_points(&p);
    }
    stream_free(&s);
}

/* With more SMs, even idle ones, each may put off fewer accesses and has smaller arrays. The results stay the same. */
static void idle_sms_do_not_show(void **state) {
    (void)state;
    stream s = stream_random(5, &(stream_shape){2, 3, 3, 40000, 60000});
    points p = points_of("sm", false, false, 128);
    ws_stream_info info = {.sms = 2, .sms_per_cluster = 1, .warps_per_cta = 3, .line_B = 128};
    char *few = stream_analyse(&s, locality(), p.params, POINTS, &info, WS_BATCH_MAX, NULL);
    info.sms = 4096;
    char *many = stream_analyse(&s, locality(), p.params, POINTS, &info, WS_BATCH_MAX, NULL);
    assert_string_equal(many, few);
    free(few);
    free(many);
    free_points(&p);
    stream_free(&s);
}

static void run_reuse(const ws_reuse_setup *setup, uint64_t within[WINDOWS]) {
    uint64_t random = 11;
    uint32_t block[300];
    ws_reuse *reuse = ws_reuse_new(setup);
    assert_non_null(reuse);
    for (int run = 0; run < 600; run++) {
        uint32_t lines = run < 300 ? 500 : 5000; /* more blocks later on */
        for (int i = 0; i < 300; i++) block[i] = random_below(&random, lines);
        assert_true(ws_reuse_run(reuse, (uint32_t)run % 2, run % 50 == 49, block, 300));
    }
    for (size_t i = 0; i < WINDOWS; i++) within[i] = ws_reuse_within(reuse, i);
    ws_reuse_free(reuse);
}

static void clocks_arrays_and_tables_do_not_show(void **state) {
    (void)state;
    static const uint32_t unsorted[WINDOWS] = {64, 1, 1000, 3, 17, 64, 900};
    uint64_t expected[WINDOWS], got[WINDOWS];
    ws_reuse_setup setup = {.windows = unsorted,
                            .window_count = WINDOWS,
                            .instances = 2,
                            .clock_max = 1u << 30,
                            .arrays_B = 1 << 20};
    run_reuse(&setup, expected);
    assert_true(expected[2] > expected[6] && expected[6] > expected[0] && expected[0] == expected[5]);
    assert_true(expected[0] > expected[4] && expected[4] > expected[3] && expected[3] > expected[1]);
    static const uint32_t clocks[] = {1u << 30, 4000};
    static const size_t arrays_B[] = {1 << 20, 0,
                                      16384}; /* the last: arrays of 2048 blocks change to tables */
    for (int c = 0; c < 2; c++)
        for (int a = 0; a < 3; a++) {
            setup.clock_max = clocks[c];
            setup.arrays_B = arrays_B[a];
            run_reuse(&setup, got);
            assert_memory_equal(got, expected, sizeof got);
        }
}

/* In some stretches nearly all accesses come back soon, in others some, or hardly any. This and the number of windows
 * decide whether accesses are counted one by one or window by window; both must agree with the distances. */
static void few_and_many_windows_are_like_naive(void **state) {
    (void)state;
    enum { ACCESSES = 24000, RUN = 200, MOST = 17 };
    static const uint32_t blocks_of[] = {40, 3000, 60000};
    static uint32_t block[ACCESSES], distance[ACCESSES], last[60000];
    memset(last, 0, sizeof last);
    uint64_t random = 23;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        block[i] = random_below(&random, blocks_of[i / 1000 % 3]);
        distance[i] = last[block[i]] ? i + 1 - last[block[i]] : UINT32_MAX;
        last[block[i]] = i + 1;
    }
    static const size_t counts[] = {1, 2, 5, MOST};
    for (int c = 0; c < 4; c++) {
        uint32_t window[MOST];
        for (size_t w = 0; w < counts[c]; w++) window[w] = 1 + random_below(&random, w % 2 ? 5000 : 60);
        ws_reuse_setup setup = {.windows = window,
                                .window_count = counts[c],
                                .instances = 1,
                                .clock_max = 1u << 30,
                                .arrays_B = 1 << 20};
        ws_reuse *reuse = ws_reuse_new(&setup);
        assert_non_null(reuse);
        for (size_t i = 0; i < ACCESSES; i += RUN) assert_true(ws_reuse_run(reuse, 0, false, block + i, RUN));
        for (size_t w = 0; w < counts[c]; w++) {
            uint64_t within = 0;
            for (uint32_t i = 0; i < ACCESSES; i++) within += distance[i] <= window[w];
            assert_int_equal(ws_reuse_within(reuse, w), within);
        }
        ws_reuse_free(reuse);
    }
}

/* Blocks are accessed in turn, so each access comes back after as many accesses as there are blocks: a window finds all
 * or none. */
static void cycles_have_one_reuse_time(void **state) {
    (void)state;
    enum { CYCLE = 100000, LAPS = 5 };
    static const uint32_t beside[] = {1, 65536, CYCLE - 1, CYCLE, CYCLE + 1, 131072, WS_REUSE_WINDOW_MAX};
    ws_reuse_setup setup = {
        .windows = beside, .window_count = 7, .instances = 1, .clock_max = 1u << 30, .arrays_B = 1 << 20};
    for (int tabled = 0; tabled < 2; tabled++) {
        if (tabled) setup.arrays_B = 0;
        ws_reuse *reuse = ws_reuse_new(&setup);
        for (uint32_t i = 0; i < CYCLE * LAPS; i += 1000) {
            uint32_t block[1000];
            for (uint32_t k = 0; k < 1000; k++) block[k] = (i + k) % CYCLE;
            assert_true(ws_reuse_run(reuse, 0, false, block, 1000));
        }
        for (size_t i = 0; i < 7; i++)
            assert_int_equal(ws_reuse_within(reuse, i), beside[i] < CYCLE ? 0 : CYCLE * (LAPS - 1));
        ws_reuse_free(reuse);
    }
}

/* ---- replays of traces */

/* Replays the trace and writes the first three cells of each point's row; -1: unknown. */
static void replay(const ws_trace *trace, const points *p, long long (*rows)[3]) {
    ws_error err = WS_NO_ERROR;
    ws_stream_info info = stream_info(trace, 1, p->configs[0]);
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

/* A warp's lane accesses go from word to word: a block of n bytes is left after n / 4 of them, of which all but the
 * first are reuses. */
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

/* Neighbourhoods of a line and of 8192 lines: half a million lines, each in another region, have different numbers. */
static void numbers_of_far_lines_differ(void **state) {
    (void)state;
    enum { LARGE = 13, LINES = (1 << 19) + 1 };
    ws_blocks b;
    ws_blocks_init(&b, (const unsigned[]){0, LARGE}, 2);
    for (uint64_t i = 0; i < LINES; i++) assert_true(ws_blocks_meet(&b, i << LARGE));
    for (int size = 0; size < 2; size++) {
        const uint32_t *number = b.tier[b.tier_of[size]].number;
        assert_int_not_equal(number[0] >> b.shift[size], number[LINES - 1] >> b.shift[size]);
    }
    ws_blocks_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(points_alone_are_like_points_together),
        cmocka_unit_test(idle_sms_do_not_show),
        cmocka_unit_test(clocks_arrays_and_tables_do_not_show),
        cmocka_unit_test(few_and_many_windows_are_like_naive),
        cmocka_unit_test(cycles_have_one_reuse_time),
        cmocka_unit_test(larger_windows_and_neighbourhoods_never_lose),
        cmocka_unit_test(streaming_lanes_reuse_within_a_block_at_once),
        cmocka_unit_test(requests_are_no_finer_than_lines),
        cmocka_unit_test(neighbourhoods_are_powers_of_two),
        cmocka_unit_test(numbers_of_far_lines_differ),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
