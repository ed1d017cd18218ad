/* What a dry run says a plan would cost. */
#include "sweep/plan/plan.h"
#include "sweep/run/draws.h"
#include "sweep/run/estimate.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/scene.h"
#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

static const ws_analysis *analyses[] = {&probe_analysis, NULL};

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 3);
    return 0;
}

/* ---- bytes, without running anything */

/* The estimate for `points` points of these tables. */
static uint64_t bytes_of(const ws_table *const *tables, size_t points) {
    const ws_analysis analysis = {.tables = tables};
    ws_spec spec = {.analysis = &analysis};
    ws_plan plan = {.spec = &spec, .point_count = points};
    return ws_estimate_bytes(&plan);
}

/* The estimate by which a sweep warns of a full disk knows nothing of further tables, which may stay empty. */
static void rows_of_first_table(void **state) {
    (void)state;
    const ws_column values[40] = {{.name = "a"}}, keyed[40] = {{.name = "key", .adds = WS_ADDS_KEY}};
    const ws_table narrow = {.columns = values, .column_count = 1},
                   wide = {.columns = values, .column_count = 40},
                   several = {.columns = keyed, .column_count = 40};
    const ws_table *const one[] = {&narrow, NULL}, *const wider[] = {&wide, NULL},
                          *const more[] = {&narrow, &wide, &several, NULL};
    uint64_t columns = bytes_of(wider, 100) - bytes_of(one, 100);
    assert_in_range(columns, 39 * 100, 9 * 39 * 100); /* an integer of SQLite takes one to nine bytes */
    assert_int_equal(bytes_of(more, 100), bytes_of(one, 100));
    assert_int_equal(bytes_of(one, 1000), 10 * bytes_of(one, 100));
}

/* Configurations count if a point to compute has them: not those of other shards. */
static void configurations_of_a_part(void **state) {
    (void)state;
    bool ours[3 * 100] = {[7] = true, [100 + 7] = true};
    const char *axes = "\"axes\": {\"probe.size\": {\"range\": [1, 100]}}";
    scene s = scene_plan(analyses, axes, &(ws_plan_options){.jobs = 1});
    assert_int_equal(s.plan->combo_count, 100);
    const uint64_t whole = ws_estimate_bytes(s.plan);
    scene_close(&s);
    s = scene_plan(analyses, axes, &(ws_plan_options){.jobs = 1, .ours = ours});
    assert_int_equal(s.plan->point_count, 2);
    assert_int_equal(s.plan->combo_count, 1);
    assert_in_range(ws_estimate_bytes(s.plan), 1, whole / 100);
    scene_close(&s);
}

/* ---- draws */

enum { PASSES = 30 };

/* Whether each pass is drawn as often as its part of the work says, and those that cannot run never: of `draws` draws,
 * but for a few. */
static void expect_shares(ws_plan *plan, uint32_t draws) {
    uint32_t times[PASSES] = {0};
    double work = 0;
    ws_draws d;
    assert_true(ws_draws_init(&d, plan, &err));
    for (uint32_t k = 0; k < draws; k++) times[d.passes[ws_draw(&d, k)]]++;
    for (size_t i = 0; i < d.count; i++) work += plan->passes[d.passes[i]].work;
    for (size_t i = 0; i < plan->pass_count; i++) {
        const ws_pass *pass = &plan->passes[i];
        double share = pass->refused < pass->count ? pass->work / work : 0;
        if (!share) assert_int_equal(times[i], 0);
        if (fabs(times[i] - share * draws) > 3)
            fail_msg("pass %zu: %u of %u draws, expected %.2f of them", i, times[i], draws, share);
    }
    ws_draws_free(&d);
}

static void passes_are_drawn_by_work(void **state) {
    (void)state;
    ws_pass passes[PASSES];
    ws_plan plan = {.passes = passes, .pass_count = PASSES};
    for (uint32_t i = 0; i < PASSES; i++)
        passes[i] = (ws_pass){.count = 2, .refused = i % 7 == 3 ? 2 : i % 2, .work = 1 + i * 37 % PASSES};
    for (uint32_t draws = 1; draws < 400; draws++) expect_shares(&plan, draws);
    passes[11].work = 1e9; /* all others together are nothing beside it */
    expect_shares(&plan, 400);
    plan.pass_count = 1;
    expect_shares(&plan, 10);
}

/* ---- samples */

static ws_sweep_report estimate(const ws_plan *plan, uint32_t jobs) {
    const ws_sweep_options options = {.jobs = jobs};
    ws_sweep_report report = {0};
    if (!ws_estimate(plan, &options, jobs, &report, &err)) fail_msg("%s", err.text);
    return report;
}

/* No pass is done by two workers, each of which takes the memory of one. Measured times vary, but not by that much. */
static void many_workers(void **state) {
    (void)state;
    scene s = scene_plan(analyses, "\"kernels\": \"3\"", &(ws_plan_options){.jobs = 1});
    assert_int_equal(s.plan->pass_count, 1);
    const ws_sweep_report alone = estimate(s.plan, 1), many = estimate(s.plan, 1000000);
    assert_true(many.seconds > alone.seconds / 1000);
    assert_in_range(many.peak_memory_B, 500000 * alone.peak_memory_B, 2000000 * alone.peak_memory_B);
    scene_close(&s);
}

/* The probe, with 59 further rows for variant 101. */
static bool is_wide;
static void *create_uneven(const void *const *list, size_t count, const ws_stream_info *stream,
                           ws_error *error) {
    const int64_t *size_and_variant = list[0];
    is_wide = size_and_variant[1] == 101;
    return probe_analysis.create(list, count, stream, error);
}
static bool finish_uneven(void *self, uint32_t first_point, ws_rows *rows, ws_error *error) {
    for (int i = 0; is_wide && i < 59; i++) {
        ws_rows_begin(rows, first_point, 1);
        ws_rows_int(rows, 2 + i);
        ws_rows_int(rows, 0);
    }
    return probe_analysis.finish(self, first_point, rows, error);
}

/* A pass with nearly all work is drawn nearly always, but has only its own part of the rows. */
static void large_pass_has_its_own_rows(void **state) {
    (void)state;
    enum { VARIANTS = 60 };
    ws_analysis uneven = probe_analysis;
    uneven.create = create_uneven;
    uneven.finish = finish_uneven;
    analyses[0] = &uneven;
    scene s =
        scene_plan(analyses, "\"kernels\": \"3\", \"axes\": {\"probe.variant\": {\"range\": [101, 160]}}",
                   &(ws_plan_options){.jobs = VARIANTS});
    analyses[0] = &probe_analysis;
    assert_int_equal(s.plan->pass_count, VARIANTS);
    assert_int_equal(s.plan->passes[0].first, 0);
    s.plan->passes[0].work *= 3 * VARIANTS;
    const ws_sweep_report report = estimate(s.plan, 1);
    const uint64_t rows = 3 * VARIANTS + 59;
    assert_in_range(report.rows, rows - 59, rows + 59);
    scene_close(&s);
}

/* Why a sample failed is told, whether others give an estimate or none does. */
static void failed_samples(void **state) {
    (void)state;
    const ws_plan_options apart = {.jobs = 100};
    static const char axes[] =
        "\"axes\": {\"zip\": {\"probe.size\": [1, 2, 3, 4], \"probe.variant\": [1, 2, 3, 4]}}, "
        "\"kernels\": \"3\", \"base\": {\"probe.fault\": \"refuse\", \"probe.guilty\": ";
    char more[300];
    snprintf(more, sizeof more, "%s4}", axes);
    scene s = scene_plan(analyses, more, &apart);
    assert_int_equal(s.plan->pass_count, 4);
    ws_sweep_report report = estimate(s.plan, 1);
    assert_false(report.unknown);
    assert_string_equal(report.sample_error.text, "probe.size 4 is refused");
    scene_close(&s);
    snprintf(more, sizeof more, "%s0}", axes); /* each */
    s = scene_plan(analyses, more, &apart);
    report = estimate(s.plan, 1);
    assert_true(report.unknown);
    assert_int_equal(report.sample_error.code, WS_ERROR_TRACE);
    assert_non_null(strstr(report.sample_error.text, " is refused"));
    scene_close(&s);
    s = scene_plan(analyses, "\"kernels\": \"3\"", &apart);
    assert_int_equal(estimate(s.plan, 1).sample_error.code, WS_ERROR_NONE);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_first_table),         cmocka_unit_test(configurations_of_a_part),
        cmocka_unit_test(passes_are_drawn_by_work),    cmocka_unit_test(many_workers),
        cmocka_unit_test(large_pass_has_its_own_rows), cmocka_unit_test(failed_samples),
    };
    return cmocka_run_group_tests_name("estimate", tests, setup, folder_teardown);
}
