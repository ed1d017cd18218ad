/* Analyses that a program runs by itself, without a sweep and a database, as warpsweep/analysis.h says; and that
 * replays refuse configurations that nobody has validated. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/stream.h"

#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/timed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

static void must(bool done) {
    if (!done) fail_msg("%s", err.text);
}

static ws_config *config_of(const ws_analysis *a, enum ws_fidelity fidelity) {
    static const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    ws_analysis_components(a, fidelity, components, &count);
    ws_config *config = ws_config_new(components, count);
    must(ws_config_validate(config, &err));
    return config;
}

/* ---- the recipe */

static void replay_in_order(const ws_analysis *a, void *self, const ws_trace *trace, const ws_config *config,
                            const void *params, ws_order_counters *counters) {
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    must(replayer != NULL);
    ws_replayer_want(replayer, a->wants ? a->wants(params) : 0);
    must(ws_replay_order(replayer, 1, config, &(ws_tap){self, a->requests, a->instructions}, 1, counters,
                         &err));
    ws_replayer_free(replayer);
}

static void replay_timed(const ws_analysis *a, void *self, ws_timed *gpu, const void *params,
                         ws_timed_counters *counters) {
    ws_timed_taps taps = {.self = self,
                          .access = a->access,
                          .issue = a->issue,
                          .load_end = a->load_end,
                          .warp_end = a->warp_end,
                          .sample = a->sample,
                          .sample_cycles = a->sample ? a->sample_cycles(params) : 0};
    ws_timed_tap(gpu, &taps);
    must(ws_timed_run(gpu, 1, counters, &err));
}

/* Returns the rows of the trace's first launch. */
static char *rows_of(const ws_analysis *a, enum ws_fidelity fidelity, const ws_trace *trace) {
    ws_config *config = config_of(a, fidelity);
    const void *params = a->component ? ws_config_get(config, a->component) : NULL;
    bool timed = fidelity == WS_FIDELITY_TIMED;
    ws_timed *gpu = timed ? ws_timed_new(trace, config, &err) : NULL;
    ws_order_counters ordered = {0};
    ws_timed_counters counted;
    ws_stream_info info;
    must((gpu || !timed) && ws_stream_info_of(trace, 1, config, &info, &err));
    info.counters = timed ? NULL : &ordered;
    info.timed = timed ? &counted : NULL;
    info.gpu = gpu;
    void *self = a->create(&params, 1, &info, &err);
    must(self != NULL);
    if (timed)
        replay_timed(a, self, gpu, params, &counted);
    else
        replay_in_order(a, self, trace, config, params, &ordered);
    ws_rows *rows = ws_rows_new();
    must(a->finish(self, 0, rows, &err));
    char *text = rows_text(rows);
    ws_rows_free(rows);
    a->destroy(self);
    ws_timed_free(gpu);
    ws_config_free(config);
    return text;
}

static void every_analysis_runs_by_itself(void **state) {
    (void)state;
    static const enum ws_fidelity fidelities[] = {WS_FIDELITY_ORDER, WS_FIDELITY_TIMED};
    ws_trace *trace = generate_random(2, 32);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        for (size_t f = 0; f < 2; f++) {
            if (!ws_analysis_takes(*a, fidelities[f])) continue;
            char *rows = rows_of(*a, fidelities[f], trace);
            if (strncmp(rows, "0 ", 2) != 0) fail_msg("%s: no row: %s", (*a)->name, rows);
            free(rows);
        }
    ws_trace_close(trace);
}

/* ---- what a stream is said to be */

static void the_l1_says_what_a_timed_stream_has(void **state) {
    (void)state;
    ws_trace *trace = generate_random(2, 32);
    const ws_analysis *icl = ws_analysis_find("icl", NULL);
    ws_config *config = config_of(icl, WS_FIDELITY_TIMED);
    config_set(config, "l1.line_B", "64");
    config_set(config, "l1.access", "\"sector\"");
    ws_stream_info info = stream_info(trace, 1, config);
    assert_int_equal(info.line_B, 64);
    assert_int_equal(info.sector_B, 32);
    assert_int_equal(info.access_B, 32);
    config_set(config, "l1.access", "\"line\"");
    assert_int_equal(stream_info(trace, 1, config).access_B, 64);
    ws_config_free(config);
    config = config_of(icl, WS_FIDELITY_ORDER);
    config_set(config, "coalesce.line_B", "256");
    config_set(config, "coalesce.sector_B", "64");
    info = stream_info(trace, 1, config);
    assert_int_equal(info.line_B, 256);
    assert_int_equal(info.sector_B, 64);
    assert_int_equal(info.access_B, 0);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void a_stream_needs_a_launch_and_a_gpu(void **state) {
    (void)state;
    ws_error no_launch = WS_NO_ERROR, no_l1 = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    ws_config *config = config_of(ws_analysis_find("icl", NULL), WS_FIDELITY_TIMED);
    ws_stream_info info;
    assert_false(ws_stream_info_of(trace, 1000, config, &info, &no_launch));
    assert_non_null(strstr(no_launch.text, "1000"));
    const ws_component *without[] = {&ws_gpu_component, &ws_sm_component};
    ws_config *bare = ws_config_new(without, 2);
    assert_false(ws_stream_info_of(trace, 1, bare, &info, &no_l1));
    assert_non_null(strstr(no_l1.text, "l1"));
    ws_config_free(bare);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* ---- configurations that do not fit together */

static void replays_refuse_what_was_not_validated(void **state) {
    (void)state;
    ws_error size = WS_NO_ERROR, line = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    ws_config *config = config_of(ws_analysis_find("icl", NULL), WS_FIDELITY_TIMED);
    config_set(config, "l1.size_B", "1000");
    assert_null(ws_timed_new(trace, config, &size));
    assert_non_null(strstr(size.text, "l1.size_B"));
    ws_config_free(config);
    config = config_of(ws_analysis_find("icl", NULL), WS_FIDELITY_ORDER);
    config_set(config, "coalesce.line_B", "48");
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    assert_false(ws_replay_order(replayer, 1, config, NULL, 0, NULL, &line));
    assert_non_null(strstr(line.text, "coalesce.line_B"));
    ws_replayer_free(replayer);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void a_mechanism_needs_its_parameters(void **state) {
    (void)state;
    const ws_component *const components[] = {&ws_mechanism_component};
    ws_config *config = ws_config_new(components, 1);
    config_set(config, "mechanism.front", "\"mrpb\"");
    ws_error missing = WS_NO_ERROR;
    ws_mechanism_set set;
    assert_false(ws_mechanisms_of(config, &set, &missing));
    assert_non_null(strstr(missing.text, "mrpb"));
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_analysis_runs_by_itself),
        cmocka_unit_test(the_l1_says_what_a_timed_stream_has),
        cmocka_unit_test(a_stream_needs_a_launch_and_a_gpu),
        cmocka_unit_test(replays_refuse_what_was_not_validated),
        cmocka_unit_test(a_mechanism_needs_its_parameters),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
