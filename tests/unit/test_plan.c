/* From a specification to passes: which points there are, which go together, what comes back after a failure. */
#include "sweep/plan/plan.h"
#include "sweep/plan/shard.h"
#include "sweep/run/schedule.h"
#include "sweep/spec/product.h"

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

static ws_analysis both; /* the probe, of either fidelity */
static const ws_analysis *const analyses[] = {&both, NULL};

static bool open_inputs(scene *s, const char *traces, const char *more) {
    return scene_inputs(s, analyses, traces, more, &err);
}

static bool open_grid(scene *s, const char *more) {
    return scene_grid(s, analyses, more, &err);
}

static scene open_plan(const char *more, uint32_t jobs) {
    return scene_plan(analyses, more, &(ws_plan_options){.jobs = jobs});
}

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 3);
    probe_trace("two.wst", 2, 2);
    both = probe_analysis;
    both.fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED;
    return 0;
}

/* ---- inputs */

static void test_inputs(void **state) {
    (void)state;
    scene s;
    assert_true(open_inputs(&s, "*.wst", "\"kernels\": \"beta\""));
    assert_int_equal(s.inputs->trace_count, 2);
    assert_string_equal(s.inputs->traces[0].name, "one");
    assert_int_equal(s.inputs->kernel_count, 2);
    assert_int_equal(s.inputs->kernels[0].kernel->index, 2);
    assert_int_equal(s.inputs->kernels[1].trace, 1);
    scene_close(&s);
}

static void test_equal_traces_count_once(void **state) {
    (void)state;
    probe_trace("one-again.txt", 1, 3); /* another name, the same content */
    scene s;
    assert_true(open_inputs(&s, "one*", ""));
    assert_int_equal(s.inputs->trace_count, 1);
    assert_int_equal(s.inputs->kernel_count, 3);
    scene_close(&s);
}

static void test_nothing_selected(void **state) {
    (void)state;
    scene s;
    assert_false(open_inputs(&s, "none*.wst", ""));
    assert_non_null(strstr(err.text, ": $.traces[0]: expected .wst files, found nothing that matches \""));
    assert_non_null(strstr(err.text, "/none*.wst\" from /"));
    assert_int_equal(err.code, WS_ERROR_IO);
    scene_close(&s);
    assert_false(open_inputs(&s, "nowhere/*.wst", ""));
    assert_non_null(strstr(err.text, "found nothing that matches \""));
    assert_int_equal(err.code, WS_ERROR_IO);
    scene_close(&s);
    assert_false(open_inputs(&s, "*.wst", "\"kernels\": \"gamma\""));
    assert_non_null(
        strstr(err.text, ": $.kernels: expected to select some of the 5 launches in 2 traces, found none"));
    scene_close(&s);
}

static void test_no_launches(void **state) {
    (void)state;
    probe_trace("idle.wst0", 1, 0);
    char expected[400];
    scene s;
    assert_false(open_inputs(&s, "idle.wst0", "\"kernels\": \"alpha\""));
    snprintf(expected, sizeof expected, ": expected launches, found none in %s", folder_path("idle.wst0"));
    assert_string_equal(err.text + strlen(folder_path("spec.json")), expected);
    assert_int_equal(err.code, WS_ERROR_SPEC);
    scene_close(&s);
}

static void test_bad_trace(void **state) {
    (void)state;
    folder_write_text("bad.wstx", "no trace");
    scene s;
    assert_false(open_inputs(&s, "bad.wstx", ""));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(strstr(err.text, "bad.wstx"));
    scene_close(&s);
}

/* ---- grid */

static void test_grid(void **state) {
    (void)state;
    scene s;
    assert_true(open_grid(&s, "\"base\": {\"probe.pause_ms\": 2}, \"axes\": {\"probe.variant\": [1, 2],"
                              " \"coalesce.line_B\": [64, 128], \"probe.size\": [1, 5, 1]}"));
    static const char *const keys[] = {
        /* 128 is the default of line_B, 1 that of probe.size; sorted by coalescing, replay, instance, key */
        "probe.pause_ms=2;probe.size=5;probe.variant=1",
        "probe.pause_ms=2;probe.variant=1",
        "probe.pause_ms=2;probe.size=5;probe.variant=2",
        "probe.pause_ms=2;probe.variant=2",
        "coalesce.line_B=64;probe.pause_ms=2;probe.size=5;probe.variant=1",
        "coalesce.line_B=64;probe.pause_ms=2;probe.variant=1",
        "coalesce.line_B=64;probe.pause_ms=2;probe.size=5;probe.variant=2",
        "coalesce.line_B=64;probe.pause_ms=2;probe.variant=2",
    };
    assert_int_equal(s.grid->count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_string_equal(s.grid->combos[i].key, keys[i]);
        assert_int_equal(s.grid->combos[i].replay, i / 4);
        assert_int_equal(s.grid->combos[i].instance, i / 2);
        char text[200];
        snprintf(text, sizeof text, "probe@1/order@%d/%s", WS_ORDER_VERSION, keys[i]);
        assert_true(s.grid->combos[i].id == ws_store_id(text));
    }
    scene_close(&s);
}

/* Specifications that mean the same points have the same grid, however they are written. */
static void test_grid_is_canonical(void **state) {
    (void)state;
    scene a, b;
    assert_true(open_grid(&a, "\"base\": {\"sm.scheduler\": \"gto\"}, \"axes\": {\"probe.size\": [4, 1, 2], "
                              "\"probe.variant\": [0, 7]}"));
    assert_true(open_grid(&b, "\"axes\": {\"probe.variant\": [7, 0], \"sm.scheduler\": [\"gto\"], "
                              "\"probe.size\": {\"log2\": [1, 4]}}"));
    assert_int_equal(a.grid->count, b.grid->count);
    for (size_t i = 0; i < a.grid->count; i++)
        assert_string_equal(a.grid->combos[i].key, b.grid->combos[i].key);
    scene_close(&a);
    scene_close(&b);
}

static void test_grid_refuses(void **state) {
    (void)state;
    scene s;
    assert_false(open_grid(&s, "\"axes\": {\"probe.size\": [3], \"probe.variant\": [12, 13]}"));
    assert_non_null(strstr(
        err.text, "spec.json: $.axes at probe.size=3, probe.variant=13: probe.variant must not be 13"));
    scene_close(&s);
    assert_false(open_grid(&s, "\"base\": {\"probe.variant\": 13}"));
    assert_non_null(strstr(err.text, "spec.json: $.base: probe.variant must not be 13"));
    scene_close(&s);
    assert_false(open_grid(
        &s,
        "\"axes\": {\"probe.size\": {\"range\": [0, 5000]}, \"probe.variant\": {\"range\": [20, 5000]}}"));
    assert_non_null(
        strstr(err.text, "$.axes: expected at most 1000000 combinations, or \"sampling\", found "));
    scene_close(&s);
}

/* ---- plan */

static void test_passes(void **state) {
    (void)state;
    scene s = open_plan("\"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], \"probe.variant\": [1, 2], "
                        "\"probe.size\": {\"log2\": [1, 512]}}",
                        1);
    assert_int_equal(s.plan->all_count, 5 * 40);
    assert_int_equal(s.plan->point_count, 5 * 40);
    assert_int_equal(s.plan->pass_count, 5 * 2); /* kernels x schedulers */
    size_t next = 0;
    for (size_t i = 0; i < s.plan->pass_count; i++) {
        const ws_pass *pass = &s.plan->passes[i];
        assert_int_equal(pass->first, next);
        assert_int_equal(pass->count, 20);
        assert_int_equal(pass->instances, 2);
        assert_int_equal(pass->lot, i / 2);
        next += pass->count;
    }
    for (size_t i = 0; i < s.plan->point_count; i++) assert_true(s.plan->points[i].id == s.plan->all[i]);
    scene_close(&s);
}

static void test_many_instances(void **state) {
    (void)state;
    scene s = open_plan(
        "\"kernels\": \"1\", \"axes\": {\"probe.variant\": {\"range\": [20, 59]}, \"probe.size\": [1, 2]}",
        1);
    assert_int_equal(s.plan->pass_count, 2 * 3); /* 40 instances: 16 + 16 + 8 */
    assert_int_equal(s.plan->passes[0].instances, 16);
    assert_int_equal(s.plan->passes[2].instances, 8);
    assert_int_equal(s.plan->passes[2].count, 16);
    scene_close(&s);
}

/* A kernel's instances are split over more passes, each of them a replay, rather than leaving workers idle. */
static void test_few_kernels_many_workers(void **state) {
    (void)state;
    static const struct {
        uint32_t jobs, passes;
    } cases[] = {{1, 2}, {2, 2}, {3, 4}, {4, 4}, {8, 6}, {11, 6}, {12, 12}, {100, 12}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) { /* 2 replays of 6 instances */
        scene s = open_plan("\"kernels\": \"1\", \"axes\": {\"probe.variant\": {\"range\": [20, 25]}, "
                            "\"probe.size\": [1, 2]}",
                            cases[i].jobs);
        assert_int_equal(s.plan->pass_count, cases[i].passes);
        assert_int_equal(s.plan->point_count, 24);
        scene_close(&s);
    }
}

static void test_point_identity(void **state) {
    (void)state;
    scene s = open_plan("\"kernels\": \"2\", \"axes\": {\"probe.size\": [9]}", 1);
    char expected[200];
    snprintf(expected, sizeof expected, "%s/2/probe@1/order@%d/probe.size=9",
             ws_trace_get_info(s.inputs->traces[0].trace)->digest, WS_ORDER_VERSION);
    char *key = ws_plan_point_key(s.inputs, s.grid, 0, 0);
    assert_string_equal(key, expected);
    assert_true(s.plan->points[0].id == ws_store_id(expected));
    free(key);
    char text[200];
    ws_plan_describe(s.plan, 0, text, sizeof text);
    assert_string_equal(text, "trace one, launch 2 (beta), probe.size=9");
    scene_close(&s);
}

/* With a replay for each worker none is split, though one may have most of the instances. */
static void test_uneven_replays(void **state) {
    (void)state;
    static const uint32_t passes_of[] = {[4] = 4, [5] = 8}; /* by workers */
    for (uint32_t jobs = 4; jobs <= 5; jobs++) {            /* on 4 replays, of 1, 15, 1 and 15 instances */
        scene s = open_plan(
            "\"kernels\": \"1\", \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], \"probe.variant\": "
            "{\"range\": [20, 34]}}, \"where\": \"sm_scheduler = 'gto' OR probe_variant = 20\"",
            jobs);
        assert_int_equal(s.plan->pass_count, passes_of[jobs]);
        scene_close(&s);
    }
}

#define TIMED "\"fidelity\": \"timed\", "

/* A run of a trace answers all its launches, however many workers there are. */
static void test_timed_passes(void **state) {
    (void)state;
    scene s =
        open_plan(TIMED "\"axes\": {\"probe.variant\": {\"range\": [20, 59]}, \"probe.size\": [1, 2]}", 100);
    assert_int_equal(s.plan->pass_count, 2 * 3); /* 40 instances: 16 + 16 + 8 */
    assert_int_equal(s.plan->passes[0].count, 3 * 16 * 2);
    assert_int_equal(s.plan->passes[0].instances, 3 * 16);
    assert_int_equal(s.plan->passes[2].count, 3 * 8 * 2);
    assert_int_equal(s.plan->passes[5].count, 2 * 8 * 2);
    assert_int_equal(s.plan->passes[5].lot, 1);
    scene_close(&s);
    s = open_plan(TIMED "\"base\": {\"probe.size\": 2}", 100);
    assert_int_equal(s.plan->pass_count, 2);
    assert_int_equal(s.plan->passes[0].instances, 3); /* one for each kernel */
    scene_close(&s);
}

/* What is known to fail has a run of its own, which does not start. */
static void test_refused_instances(void **state) {
    (void)state;
    scene s = open_plan(TIMED "\"axes\": {\"probe.variant\": [12, 13, 14]}", 1);
    assert_int_equal(s.plan->pass_count, 2 * 3);
    assert_int_equal(s.plan->refused, 5);
    for (size_t i = 0; i < 6; i++) {
        const ws_pass *pass = &s.plan->passes[i];
        assert_int_equal(pass->count, i < 3 ? 3 : 2);
        assert_int_equal(pass->refused, i % 3 == 1 ? pass->count : 0);
    }
    scene_close(&s);
}

static void look_at_instructions(void *self, const ws_instructions *batch) {
    (void)self, (void)batch;
}

static double work_of_first(const char *more) {
    scene s = open_plan(more, 1);
    const double work = s.plan->passes[0].work;
    scene_close(&s);
    return work;
}

/* What an instance adds to the work of a pass is what it looks at; the replay is there once. */
static void test_work_of_replays(void **state) {
    (void)state;
    static const char one[] = "\"kernels\": \"3\"",
                      three[] = "\"kernels\": \"3\", \"axes\": {\"probe.variant\": [1, 2, 3]}";
    scene s = open_plan(one, 1);
    const ws_counters counters = s.inputs->kernels[0].kernel->counters;
    const double requests = (double)counters.requests, instructions = (double)counters.warp_instructions;
    scene_close(&s);
    assert_true(work_of_first(one) > requests + instructions);
    assert_true(work_of_first(three) - work_of_first(one) == 2 * requests);
    both.requests = NULL;
    assert_true(work_of_first(three) == 3); /* without a replay */
    both.instructions = look_at_instructions;
    assert_true(work_of_first(three) - work_of_first(one) == 2 * instructions);
    both.instructions = NULL;
    both.requests = probe_analysis.requests;
}

/* A timed run has the work of the launches up to the last one that is asked for. */
static void test_work_of_timed_passes(void **state) {
    (void)state;
    const double first = work_of_first(TIMED "\"kernels\": \"1\""),
                 third = work_of_first(TIMED "\"kernels\": \"1,3\"");
    assert_true(third > 1.5 * first && third < 5 * first);
    assert_true(work_of_first(TIMED "\"kernels\": \"1-3\"") == third);
    assert_true(work_of_first(TIMED "\"kernels\": \"2-3\"") == third);
}

static void expect_described(const char *more, const char *expected) {
    scene s = open_plan(more, 1);
    char text[400];
    ws_plan_describe(s.plan, 0, text, sizeof text);
    assert_string_equal(text, expected);
    scene_close(&s);
}

/* Of a point that starts from a GPU not all that the GPU sets is named. */
static void test_descriptions(void **state) {
    (void)state;
    folder_write_text("tiny.json", "{\"name\": \"tiny\", \"summary\": \"s\", \"parameters\": {"
                                   "\"sm.warps\": {\"value\": 8, \"source\": \"x\"}}}");
    char more[600], expected[600];
    const char *gpu = folder_path("tiny.json");
    snprintf(more, sizeof more, "\"gpu\": \"%s\", \"kernels\": \"2\", \"axes\": {\"probe.size\": [9]}", gpu);
    snprintf(expected, sizeof expected, "trace one, launch 2 (beta), gpu=%s, probe.size=9", gpu);
    expect_described(more, expected);
    expect_described("\"kernels\": \"2\", \"base\": {\"sm.warps\": 8}, \"axes\": {\"probe.size\": [9]}",
                     "trace one, launch 2 (beta), probe.size=9;sm.warps=8");
    expect_described("\"kernels\": \"2\"", "trace one, launch 2 (beta)");
}

/* ---- reasons of failures */

static void expect_told(const ws_failures *failures, uint64_t least, const char *expected) {
    char *text = NULL;
    size_t size;
    FILE *log = open_memstream(&text, &size);
    ws_failures_tell(failures, "failed", least, log);
    fclose(log);
    assert_string_equal(text, expected);
    free(text);
}

static void test_reasons_are_counted(void **state) {
    (void)state;
    ws_failures failures = {0};
    char reason[20];
    for (int i = 1; i <= WS_FAILURES_REASONS; i++) {
        snprintf(reason, sizeof reason, "reason %d", i);
        assert_true(ws_failures_add(&failures, reason));
    }
    assert_false(ws_failures_add(&failures, "reason 3"));
    expect_told(&failures, 2, "failed: 2 points: reason 3\n");
    assert_true(ws_failures_know(&failures, reason));
    assert_false(ws_failures_add(&failures, "one more"));
    assert_false(ws_failures_know(&failures, "one more"));
    expect_told(&failures, 2,
                "failed: 2 points: reason 3\n"
                "failed: 1 point for further reasons (of stored points: results/failures.sql)\n");
    assert_false(ws_failures_add(&failures, "another"));
    expect_told(&failures, 3,
                "failed: 2 points for further reasons (of stored points: results/failures.sql)\n");
    ws_failures_free(&failures);
    expect_told(&failures, 0, "");
}

/* ---- schedule */

static void assert_next(ws_schedule *schedule, int worker, uint32_t pass, uint32_t first, uint32_t count,
                        uint32_t attempt) {
    ws_item item;
    assert_true(ws_schedule_next(schedule, worker, &item));
    assert_int_equal(item.pass, pass);
    assert_int_equal(item.first, first);
    assert_int_equal(item.count, count);
    assert_int_equal(item.attempt, attempt);
}

/* Three kernels of trace one, each with two passes of four points. */
static scene small_plan(void) {
    scene s = open_plan("\"kernels\": \"1-3\", \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], "
                        "\"probe.size\": {\"log2\": [1, 8]}}",
                        1);
    assert_int_equal(s.plan->pass_count, 10);
    s.plan->pass_count = 6;
    return s;
}

static void test_workers_stay_with_a_kernel(void **state) {
    (void)state;
    scene s = small_plan();
    ws_schedule *schedule = ws_schedule_new(s.plan, 2, &err);
    assert_next(schedule, 0, 0, 0, 4, 0);
    assert_next(schedule, 1, 2, 0, 4, 0);
    assert_next(schedule, 1, 3, 0, 4, 0);
    assert_next(schedule, 1, 4, 0, 4, 0);
    assert_next(schedule, 0, 1, 0, 4, 0);
    assert_next(schedule, 0, 5, 0, 4, 0); /* helps with the other worker's kernel */
    ws_item item;
    assert_false(ws_schedule_next(schedule, 0, &item));
    assert_false(ws_schedule_next(schedule, 1, &item));
    ws_schedule_free(schedule);
    ws_schedule_free(NULL);
    scene_close(&s);
}

/* A pass that fails is cut into halves until the point to blame is found; the other points are still computed. */
static void test_halves(void **state) {
    (void)state;
    scene s = small_plan();
    s.plan->pass_count = 1;
    ws_schedule *schedule = ws_schedule_new(s.plan, 1, &err);
    ws_item item;
    bool last;
    assert_true(ws_schedule_next(schedule, 0, &item));
    assert_true(ws_schedule_failed(schedule, &item, false, &last, &err));
    assert_false(last);
    assert_true(ws_schedule_next(schedule, 0, &item)); /* 0, 1: fails again */
    assert_int_equal(item.first, 0);
    assert_int_equal(item.count, 2);
    assert_true(ws_schedule_failed(schedule, &item, false, &last, &err));
    assert_next(schedule, 0, 0, 0, 1, 0);
    assert_true(ws_schedule_next(schedule, 0, &item));
    assert_int_equal(item.first, 1);
    assert_int_equal(item.count, 1);
    assert_true(ws_schedule_failed(schedule, &item, false, &last, &err));
    assert_true(last); /* this point is to blame */
    assert_next(schedule, 0, 0, 2, 2, 0);
    assert_false(ws_schedule_next(schedule, 0, &item));
    ws_schedule_free(schedule);
    scene_close(&s);
}

/* What lies behind a point is given up: what waits is taken out, what a worker has is known to be given up. */
static void test_giving_up(void **state) {
    (void)state;
    scene s = small_plan();
    s.plan->pass_count = 2;
    ws_schedule *schedule = ws_schedule_new(s.plan, 2, &err);
    ws_item item, other, behind;
    bool last;
    assert_true(ws_schedule_next(schedule, 0, &other));
    assert_true(ws_schedule_next(schedule, 1, &item));
    assert_int_equal(item.pass, 1);
    assert_true(ws_schedule_failed(schedule, &other, false, &last, &err));
    assert_true(ws_schedule_failed(schedule, &item, false, &last, &err));
    assert_next(schedule, 0, 1, 0, 2, 0);
    assert_true(ws_schedule_next(schedule, 1, &item)); /* a worker has 2 and 3 of pass 1 */
    assert_true(ws_schedule_failed(schedule, &item, false, &last, &err));
    assert_next(schedule, 1, 1, 2, 1, 0); /* .. and now 2 only */
    assert_false(ws_schedule_is_given_up(schedule, &item));
    assert_true(ws_schedule_give_up(schedule, &(ws_item){1, 1, 1, 0}, &behind));
    assert_int_equal(behind.first, 3);
    assert_int_equal(behind.count, 1);
    assert_false(ws_schedule_give_up(schedule, &(ws_item){1, 1, 1, 0}, &behind));
    assert_true(ws_schedule_is_given_up(schedule, &item));
    assert_false(ws_schedule_is_given_up(schedule, &(ws_item){1, 0, 1, 0}));
    assert_false(ws_schedule_is_given_up(schedule, &(ws_item){0, 2, 1, 0}));
    assert_next(schedule, 0, 0, 0, 2, 0); /* the other pass goes on */
    assert_next(schedule, 0, 0, 2, 2, 0);
    assert_false(ws_schedule_next(schedule, 0, &item));
    ws_schedule_free(schedule);
    scene_close(&s);
}

/* A point whose failure may be nobody's fault comes back until its attempts are used up. */
static void test_attempts(void **state) {
    (void)state;
    scene s = small_plan();
    s.plan->pass_count = 0;
    ws_schedule *schedule = ws_schedule_new(s.plan, 1, &err);
    bool last;
    ws_item item = {0, 3, 1, 0};
    for (uint32_t attempt = 1; attempt < WS_ATTEMPTS; attempt++) {
        assert_true(ws_schedule_failed(schedule, &item, true, &last, &err));
        assert_false(last);
        assert_true(ws_schedule_next(schedule, 0, &item));
        assert_int_equal(item.attempt, attempt);
        assert_int_equal(item.first, 3);
    }
    assert_true(ws_schedule_failed(schedule, &item, true, &last, &err));
    assert_true(last);
    assert_false(ws_schedule_next(schedule, 0, &item));
    ws_schedule_free(schedule);
    scene_close(&s);
}

/* ---- shards */

static double work_of_shard(const scene *s, uint32_t shard, uint32_t shards) {
    bool *ours = ws_shard_points(s->spec, s->inputs, s->grid, shard, shards, &err);
    assert_non_null(ours);
    ws_plan *part =
        ws_plan_new(s->spec, s->inputs, s->grid, &(ws_plan_options){.jobs = 1, .ours = ours}, &err);
    const double work = part->work;
    ws_plan_free(part);
    free(ours);
    return work;
}

/* Two shards of three passes, one of which has about as much work as both others. */
static void test_shards_have_about_the_same_work(void **state) {
    (void)state;
    scene s = open_plan("\"kernels\": \"3\", \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], "
                        "\"sm.warps\": [2, 4], \"probe.variant\": {\"range\": [20, 35]}}, \"where\": "
                        "\"iif(sm_scheduler = 'lrr', sm_warps = 2, probe_variant < 28)\"",
                        2);
    assert_int_equal(s.plan->pass_count, 3);
    const double first = work_of_shard(&s, 0, 2), second = work_of_shard(&s, 1, 2);
    assert_true(first + second == s.plan->work);
    assert_true(fmax(first, second) < 1.2 * fmin(first, second));
    scene_close(&s);
}

/* Many passes of unequal work: as each goes to the shard that has least until then, the largest first, no shard has
 * more than an equal share and the largest pass together. */
static void expect_even(const scene *s, uint32_t shards) {
    double largest = 0, all = 0, most = 0;
    for (size_t i = 0; i < s->plan->pass_count; i++) largest = fmax(largest, s->plan->passes[i].work);
    for (uint32_t shard = 0; shard < shards; shard++) {
        const double work = work_of_shard(s, shard, shards);
        all += work;
        most = fmax(most, work);
    }
    assert_true(fabs(all - s->plan->work) < 1e-9 * all);
    assert_true(most < all / shards + largest);
}

static void test_many_passes_are_shared_evenly(void **state) {
    (void)state;
    enum { SHARDS = 4 };
    scene s = open_plan(
        "\"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], \"sm.warps\": {\"range\": [2, 9]}, "
        "\"probe.variant\": {\"range\": [20, 49]}}, \"where\": \"probe_variant < 20 + 3 * sm_warps\"",
        SHARDS);
    assert_true(s.plan->pass_count > 5 * SHARDS);
    expect_even(&s, SHARDS);
    expect_even(&s, SHARDS - 1);
    scene_close(&s);
}

static void test_one_replay_is_shared(void **state) {
    (void)state;
    scene s = open_plan("\"kernels\": \"3\", \"axes\": {\"probe.variant\": {\"range\": [20, 31]}}", 1);
    assert_int_equal(s.plan->pass_count, 1);
    for (uint32_t shard = 0; shard < 4; shard++) assert_true(work_of_shard(&s, shard, 4) > 0);
    scene_close(&s);
}

/* As many shards as an axis has values: each gets several, for one of them may take longer than its work tells. */
static void test_shards_mix_values(void **state) {
    (void)state;
    scene s =
        open_plan("\"kernels\": \"1\", \"axes\": {\"sm.ctas\": {\"range\": [17, 31]}, \"sm.scheduler\": "
                  "[\"lrr\", \"gto\"]}",
                  2);
    bool *ours = ws_shard_points(s.spec, s.inputs, s.grid, 0, 2, &err);
    const json_t *lrr = json_array_get(s.spec->axes[1].values, 0);
    size_t points = 0, of_lrr = 0;
    for (size_t i = 0; i < s.inputs->kernel_count * s.grid->count; i++) {
        points += ours[i];
        of_lrr += ours[i] && ws_config_is(s.grid->combos[i % s.grid->count].config, "sm.scheduler", lrr);
    }
    assert_in_range(of_lrr, points / 4, points - points / 4);
    free(ours);
    scene_close(&s);
}

/* ---- combinations, of which there may be 2^60 */

static void test_as_many_combinations_as_may_be(void **state) {
    (void)state;
    json_t *values = json_array(), *two = json_array();
    for (int i = 0; i < 1024; i++) json_array_append_new(i < 2 ? two : values, json_integer(i));
    for (int i = 0; i < 2; i++) json_array_append_new(values, json_integer(i));
    ws_axis axes[] = {{.name = "a", .values = values}, {.name = "b", .values = values},
                      {.name = "c", .values = values}, {.name = "d", .values = values},
                      {.name = "e", .values = values}, {.name = "f", .values = values},
                      {.name = "g", .values = two}};
    char path[] = "s.json";
    ws_spec spec = {.path = path, .axes = axes, .axis_count = 6};
    uint64_t count;
    assert_true(ws_product_count(&spec, &count, &err));
    assert_true(count == UINT64_C(1) << 60);
    spec.axis_count = 7;
    assert_false(ws_product_count(&spec, &count, &err));
    assert_string_equal(err.text, "s.json: $.axes: expected at most 2^60 combinations, found more");
    json_decref(values);
    json_decref(two);
}

/* ---- how far it is, and stopping */

static void expect_stopped(const void *made) {
    assert_null(made);
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_string_equal(err.text, "stopped before the first point; the same command starts anew");
    err = WS_NO_ERROR;
}

static void test_each_step_can_be_stopped(void **state) {
    (void)state;
    const volatile bool interrupted = true;
    static const char where[] =
        "\"axes\": {\"probe.size\": {\"range\": [1, 100]}}, \"where\": \"probe_size > 1\"";
    ws_preparing preparing = ws_preparing_start(&interrupted, NULL);
    scene s = open_plan(where, 1);
    s.spec->preparing = &preparing;
    expect_stopped(ws_grid_new(s.spec, &err));
    expect_stopped(ws_plan_new(s.spec, s.inputs, s.grid, &(ws_plan_options){.jobs = 1}, &err));
    expect_stopped(ws_shard_points(s.spec, s.inputs, s.grid, 0, 3, &err));
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_equal_traces_count_once),
        cmocka_unit_test(test_nothing_selected),
        cmocka_unit_test(test_no_launches),
        cmocka_unit_test(test_bad_trace),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_grid_is_canonical),
        cmocka_unit_test(test_grid_refuses),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_many_instances),
        cmocka_unit_test(test_few_kernels_many_workers),
        cmocka_unit_test(test_uneven_replays),
        cmocka_unit_test(test_timed_passes),
        cmocka_unit_test(test_refused_instances),
        cmocka_unit_test(test_work_of_replays),
        cmocka_unit_test(test_work_of_timed_passes),
        cmocka_unit_test(test_point_identity),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_reasons_are_counted),
        cmocka_unit_test(test_workers_stay_with_a_kernel),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_shards_have_about_the_same_work),
        cmocka_unit_test(test_many_passes_are_shared_evenly),
        cmocka_unit_test(test_one_replay_is_shared),
        cmocka_unit_test(test_shards_mix_values),
        cmocka_unit_test(test_as_many_combinations_as_may_be),
        cmocka_unit_test(test_each_step_can_be_stopped),
    };
    return cmocka_run_group_tests_name("plan", tests, setup, folder_teardown);
}
