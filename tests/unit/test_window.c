/* The analysis `window`: equal to looking back request by request, and right where the answer is known. */
#include "analysis/parts/window.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 13 };
static const uint32_t sizes[SIZES] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 64, 100, 256, 3000};

static const ws_analysis *window(void) {
    return ws_analysis_find("window", NULL);
}

typedef struct variant {
    const char *kind, *scope, *stream, *merges_max, *fences;
} variant;

static ws_config *config_of(const variant *v) {
    ws_config *config = config_for(window());
    config_set(config, "window.kind", v->kind);
    config_set(config, "window.scope", v->scope);
    config_set(config, "window.stream", v->stream);
    config_set(config, "window.merges_max", v->merges_max);
    config_set(config, "window.fences", v->fences);
    return config;
}

/* A point per size, all of one configuration. */
typedef struct points {
    ws_config *configs[SIZES];
    const void *params[SIZES];
} points;

static points points_of(const ws_config *config) {
    points p;
    for (int i = 0; i < SIZES; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", sizes[i]);
        p.configs[i] = ws_config_copy(config);
        config_set(p.configs[i], "window.size", text);
        p.params[i] = ws_config_get(p.configs[i], window()->component);
    }
    return p;
}

static void free_points(points *p) {
    for (int i = 0; i < SIZES; i++) ws_config_free(p->configs[i]);
}

/* Returns the rows that the naive twin gives. */
static char *naive_rows(const stream *s, const ws_config *config, const ws_stream_info *info) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < SIZES; i++) {
        naive_merges m = naive_window(s, config, info, sizes[i]);
        fprintf(out, "%d 0 %llu %llu %llu %llu %llu\n", i, (unsigned long long)m.requests,
                (unsigned long long)(m.requests - m.same_warp - m.same_cta - m.other_cta),
                (unsigned long long)m.same_warp, (unsigned long long)m.same_cta,
                (unsigned long long)m.other_cta);
    }
    fclose(out);
    return text;
}

static variant random_variant(uint64_t *random) {
    static const char *const scopes[] = {"\"warp\"", "\"cta\"", "\"sm\"", "\"cluster\""};
    static const char *const limits[] = {"0", "1", "2", "4"};
    bool fifo = !random_one_in(random, 3);
    return (variant){.kind = fifo ? "\"fifo\"" : "\"sliding\"",
                     .scope = scopes[random_below(random, 4)],
                     .stream = random_one_in(random, 2) ? "\"loads\"" : "\"all\"",
                     .merges_max = fifo ? limits[random_below(random, 4)] : "0",
                     .fences = fifo && random_one_in(random, 2) ? "true" : "false"};
}

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        uint64_t random = seed;
        stream_shape shape = stream_random_shape(&random, 800, 2500);
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {.sms = shape.sms,
                               .sms_per_cluster = shape.sms % 2 ? shape.sms : 2,
                               .warps_per_cta = shape.warps_per_cta,
                               .line_B = 128,
                               .sector_B = 32};
        variant v = random_variant(&random);
        ws_config *config = config_of(&v);
        points p = points_of(config);
        char *expected = naive_rows(&s, config, &info);
        char *got = stream_analyse(&s, window(), p.params, SIZES, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        free(expected);
        free_points(&p);
        ws_config_free(config);
        stream_free(&s);
    }
}

/* ---- what must not show in the result: clocks that are set back, arrays that grow too long */

static void run_model(const window_model *model, const window_setup *setup, const stream *s,
                      uint64_t (*merged)[3]) {
    static uint32_t line[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX];
    static uint16_t sm[WS_BATCH_MAX];
    static uint8_t op[WS_BATCH_MAX], slot[WS_BATCH_MAX];
    void *self = model->create(setup);
    assert_non_null(self);
    for (size_t at = 0; at < s->count;) {
        size_t count = s->count - at < 300 ? s->count - at : 300;
        for (size_t i = 0; i < count; i++) {
            const record *r = &s->records[at + i];
            line[i] = (uint32_t)r->line, warp[i] = r->warp, cta[i] = r->cta;
            sm[i] = 0, op[i] = r->op, slot[i] = r->slot;
        }
        window_run run = {.fresh = at % 9000 == 0,
                          .count = count,
                          .line = line,
                          .warp = warp,
                          .cta = cta,
                          .op = op,
                          .sm = sm,
                          .slot = slot};
        assert_true(model->run(self, &run));
        at += count;
    }
    for (uint32_t i = 0; i < setup->size_count; i++) model->merged(self, i, merged[i]);
    model->destroy(self);
}

static void clocks_and_arrays_do_not_show(void **state) {
    (void)state;
    static const window_model *const models[] = {&window_sliding, &window_fifo};
    stream s = stream_random(5, &(stream_shape){1, 4, 4, 5000, 60000});
    for (size_t i = 0; i < 31000; i++) s.records[i].line %= 500; /* more lines are met later on */
    for (int m = 0; m < 2; m++)
        for (uint32_t limit = 0; limit < 3; limit += 2) {
            window_setup setup = {.sizes = sizes,
                                  .size_count = SIZES - 1,
                                  .instances = 1,
                                  .warps_per_cta = 4,
                                  .sms_per_cluster = 1,
                                  .merges_max = limit,
                                  .stream_all = true,
                                  .clock_max = 1u << 30,
                                  .arrays_B = 1 << 20};
            uint64_t expected[SIZES][3], got[SIZES][3];
            run_model(models[m], &setup, &s, expected);
            assert_true(expected[SIZES - 2][2] > 3000);
            setup.clock_max = 4000;
            memset(got, 0xff, sizeof got);
            run_model(models[m], &setup, &s, got);
            assert_memory_equal(got, expected, (SIZES - 1) * sizeof *got);
            setup.arrays_B = 0; /* tables from the start */
            run_model(models[m], &setup, &s, got);
            assert_memory_equal(got, expected, (SIZES - 1) * sizeof *got);
            setup.arrays_B = 8192; /* arrays of 2048 lines change to tables */
            run_model(models[m], &setup, &s, got);
            assert_memory_equal(got, expected, (SIZES - 1) * sizeof *got);
        }
    stream_free(&s);
}

static void a_table_takes_over_the_whole_window(void **state) {
    (void)state;
    enum { WINDOW = 256 };
    const uint32_t size = WINDOW;
    uint32_t line[WINDOW], zero[WINDOW] = {0}, far[] = {1000000, 1};
    for (uint32_t i = 0; i < WINDOW; i++) line[i] = i;
    window_setup setup = {.sizes = &size,
                          .size_count = 1,
                          .instances = 1,
                          .warps_per_cta = 1,
                          .sms_per_cluster = 1,
                          .clock_max = 1u << 30,
                          .arrays_B = 8192};
    void *self = window_sliding.create(&setup);
    assert_true(
        window_sliding.run(self, &(window_run){.count = WINDOW, .line = line, .warp = zero, .cta = zero}));
    assert_true(window_sliding.run(self, &(window_run){.count = 2, .line = far, .warp = zero, .cta = zero}));
    uint64_t merged[WINDOW_LABELS];
    window_sliding.merged(self, 0, merged);
    assert_int_equal(merged[WINDOW_SAME_WARP], 1); /* line 1, exactly 256 requests back */
    window_sliding.destroy(self);
}

/* ---- known answers */

enum { ROWS = 32, STEPS = 64 };

/* Each lane walks along its own row, 4 bytes a step. */
static uint64_t row_walk(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return ((uint64_t)(cta * 64 + warp * ROWS + lane) << 20) + 4 * inst;
}
/* Every access of every warp goes to one line. */
static uint64_t one_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return 4 * lane;
}
/* No line comes twice. */
static uint64_t stream_through(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return (((uint64_t)cta * 64 + warp) * STEPS + inst) * 128 + 4 * lane;
}
/* All warps of a CTA read the same lines, one after another. */
static uint64_t shared_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp;
    return ((uint64_t)cta * STEPS + inst) * 128 + 4 * lane;
}

/* Replays a plan on one SM; `rows` gets the results for the sizes above. */
static void replay_plan(const generate_plan *plan, const variant *v, uint64_t rows[SIZES][5]) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_planned(plan);
    ws_config *config = config_of(v);
    config_set(config, "gpu.clusters", "1");
    points p = points_of(config);
    ws_stream_info info = stream_info(trace, 1, config);
    void *self = window()->create(p.params, SIZES, &info, &err);
    assert_non_null(self);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    assert_true(
        ws_replay_order(replayer, 1, config, &(ws_tap){self, window()->requests, NULL}, 1, NULL, &err));
    ws_rows *out = ws_rows_new();
    assert_true(window()->finish(self, 0, out, &err));
    const void *bytes;
    size_t size, at = 0, count;
    uint32_t point, table;
    ws_cell cells[5];
    assert_true(ws_rows_bytes(out, &bytes, &size));
    for (uint32_t i = 0; i < SIZES; i++) {
        assert_true(ws_rows_next(bytes, size, &at, &point, &table, cells, 5, &count));
        assert_int_equal(point, i);
        for (int c = 0; c < 5; c++) rows[i][c] = (uint64_t)cells[c].integer;
    }
    ws_rows_free(out);
    ws_replayer_free(replayer);
    window()->destroy(self);
    free_points(&p);
    ws_config_free(config);
    ws_trace_close(trace);
}

enum { REQUESTS, SENT, SAME_WARP, SAME_CTA, OTHER_CTA };

static const variant kinds[] = {{"\"fifo\"", "\"sm\"", "\"loads\"", "0", "false"},
                                {"\"sliding\"", "\"sm\"", "\"loads\"", "0", "false"},
                                {"\"fifo\"", "\"sm\"", "\"loads\"", "0", "true"}};

static void walking_along_rows_needs_a_window_of_rows(void **state) {
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        generate_plan plan = generate_loads(1, 1, STEPS, row_walk);
        uint64_t rows[SIZES][5];
        replay_plan(&plan, &kinds[k], rows);
        for (int i = 0; i < SIZES; i++) {
            assert_int_equal(rows[i][REQUESTS], ROWS * STEPS);
            /* A line serves 32 steps; between two of them lie the other 31 rows. */
            bool reaches = sizes[i] >= ROWS;
            assert_int_equal(rows[i][SENT], reaches ? ROWS * STEPS / 32 : ROWS * STEPS);
            assert_int_equal(rows[i][SAME_WARP], rows[i][REQUESTS] - rows[i][SENT]);
        }
    }
}

static void one_line_is_sent_once(void **state) {
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        generate_plan plan = generate_loads(2, 2, STEPS, one_line);
        uint64_t rows[SIZES][5];
        replay_plan(&plan, &kinds[k], rows);
        for (int i = 0; i < SIZES; i++) assert_int_equal(rows[i][SENT], sizes[i] == 0 ? 4 * STEPS : 1);
        if (k == 0) { /* fifo: all merge with the first member, a warp of CTA 0 */
            assert_int_equal(rows[1][SAME_WARP], STEPS - 1);
            assert_int_equal(rows[1][SAME_CTA], STEPS);
            assert_int_equal(rows[1][OTHER_CTA], 2 * STEPS);
        }
    }
}

static void limits_cut_one_line_into_tags(void **state) {
    (void)state;
    variant v = {"\"fifo\"", "\"sm\"", "\"loads\"", "4", "false"};
    generate_plan plan = generate_loads(2, 2, STEPS, one_line);
    uint64_t rows[SIZES][5];
    replay_plan(&plan, &v, rows);
    for (int i = 1; i < SIZES; i++) assert_int_equal(rows[i][SENT], 4 * STEPS / 4);
}

static void what_comes_once_never_merges(void **state) {
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        generate_plan plan = generate_loads(3, 4, STEPS, stream_through);
        uint64_t rows[SIZES][5];
        replay_plan(&plan, &kinds[k], rows);
        for (int i = 0; i < SIZES; i++) assert_int_equal(rows[i][SENT], 3 * 4 * STEPS);
    }
}

static void warps_that_share_lines_merge_across(void **state) {
    (void)state;
    variant v = kinds[1];
    generate_plan plan = generate_loads(1, 4, STEPS, shared_lines);
    uint64_t rows[SIZES][5];
    replay_plan(&plan, &v, rows); /* the window reaches over everything */
    assert_int_equal(rows[SIZES - 1][SENT], STEPS);
    assert_int_equal(rows[SIZES - 1][SAME_CTA], 3 * STEPS);
    v.scope = "\"warp\"";
    replay_plan(&plan, &v, rows);
    assert_int_equal(rows[SIZES - 1][SENT], 4 * STEPS);
}

static void larger_sliding_windows_never_send_more(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        stream s = stream_random(seed, &(stream_shape){2, 3, 3, 300, 4000});
        ws_stream_info info = {.sms = 2, .sms_per_cluster = 1, .warps_per_cta = 3};
        ws_config *config = config_of(&kinds[1]);
        points p = points_of(config);
        char *text = stream_analyse(&s, window(), p.params, SIZES, &info, WS_BATCH_MAX, NULL), *line = text;
        unsigned long long before = 0, requests, sent;
        for (int i = 0; i < SIZES; i++, line = strchr(line, '\n') + 1) {
            assert_int_equal(sscanf(line, "%*u %*u %llu %llu", &requests, &sent), 2);
            if (i == 0) assert_int_equal(sent, requests);
            if (i > 0) assert_true(sent <= before);
            before = sent;
        }
        free(text);
        free_points(&p);
        ws_config_free(config);
        stream_free(&s);
    }
}

/* Stores between the loads of the only SM change nothing in a window of loads, wherever batches end. */
static void stores_between_loads_do_not_show(void **state) {
    (void)state;
    static const uint8_t ops[] = {WS_MEMORY_LOAD, WS_MEMORY_LOAD, WS_MEMORY_STORE, WS_MEMORY_LOAD};
    stream s = {0};
    for (int i = 0; i < 4; i++) stream_add(&s, (record){.line = 7, .op = ops[i]});
    ws_stream_info info = {.sms = 1, .sms_per_cluster = 1, .warps_per_cta = 1};
    for (size_t k = 0; k < 2; k++)
        for (size_t batch = 1; batch <= 4; batch++) {
            ws_config *config = config_of(&kinds[k]);
            config_set(config, "window.size", "1");
            const void *params = ws_config_get(config, window()->component);
            char *text = stream_analyse(&s, window(), &params, 1, &info, batch, NULL);
            assert_string_equal(text, "0 0 3 1 2 0 0\n");
            free(text);
            ws_config_free(config);
        }
    stream_free(&s);
}

static void sliding_windows_have_no_tags(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"window.merges_max", "4"}, {"window.fences", "true"}};
    for (int i = 0; i < 2; i++) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = config_of(&kinds[1]);
        assert_true(ws_config_validate(config, &err));
        config_set(config, cases[i][0], cases[i][1]);
        assert_false(ws_config_validate(config, &err));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        assert_non_null(strstr(err.text, cases[i][0]));
        config_set(config, "window.kind", "\"fifo\"");
        assert_true(ws_config_validate(config, &err));
        ws_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(clocks_and_arrays_do_not_show),
        cmocka_unit_test(a_table_takes_over_the_whole_window),
        cmocka_unit_test(walking_along_rows_needs_a_window_of_rows),
        cmocka_unit_test(one_line_is_sent_once),
        cmocka_unit_test(limits_cut_one_line_into_tags),
        cmocka_unit_test(what_comes_once_never_merges),
        cmocka_unit_test(warps_that_share_lines_merge_across),
        cmocka_unit_test(larger_sliding_windows_never_send_more),
        cmocka_unit_test(stores_between_loads_do_not_show),
        cmocka_unit_test(sliding_windows_have_no_tags),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
