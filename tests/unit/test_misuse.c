/* Mistakes that a program may make in its calls of the library are told in an error, or get an empty answer; none is a
 * crash. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "../support/generate.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/preset.h"
#include "warpsweep/report.h"
#include "warpsweep/sweep.h"
#include "warpsweep/timed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static ws_trace *small_trace(void) {
    generate_plan plan = generate_loads(2, 1, 2, generate_one_line);
    return generate_planned(&plan);
}

static void expect_error(ws_error *err, ws_error_code code, const char *words) {
    assert_int_equal(err->code, code);
    if (!strstr(err->text, words)) fail_msg("expected in it: %s; found: %s", words, err->text);
    *err = WS_NO_ERROR;
}

/* ---- configurations */

/* Returns a configuration with all components of a fidelity but one. `components` is room for them. */
static ws_config *config_without(enum ws_fidelity fidelity, const ws_component *one,
                                 const ws_component **components) {
    size_t count, left = 0;
    const ws_component *const *all = ws_fidelity_components(fidelity, &count);
    for (size_t i = 0; i < count; i++)
        if (all[i] != one) components[left++] = all[i];
    return ws_config_new(components, left);
}

static void a_replay_in_order_names_what_the_configuration_lacks(void **state) {
    (void)state;
    const ws_component *const needed[] = {&ws_gpu_component, &ws_sm_component, &ws_coalesce_component,
                                          &ws_order_component};
    const ws_component *components[WS_COMPONENTS_MAX];
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = small_trace();
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        ws_config *config = config_without(WS_FIDELITY_ORDER, needed[i], components);
        assert_false(ws_replay_order(replayer, 1, config, NULL, 0, NULL, &err));
        char words[64];
        snprintf(words, sizeof words, "expected one with the component %s, found none", needed[i]->name);
        expect_error(&err, WS_ERROR_INTERNAL, words);
        ws_config_free(config);
    }
    ws_config *config = config_without(WS_FIDELITY_ORDER, &ws_limit_component, components);
    assert_true(ws_replay_order(replayer, 1, config, NULL, 0, NULL, &err));
    ws_config_free(config);
    ws_replayer_free(replayer);
    ws_trace_close(trace);
}

static void a_timed_replay_names_what_the_configuration_lacks(void **state) {
    (void)state;
    const ws_component *const needed[] = {&ws_gpu_component,  &ws_sm_component,  &ws_order_component,
                                          &ws_core_component, &ws_l1_component,  &ws_noc_component,
                                          &ws_l2_component,   &ws_dram_component};
    const ws_component *components[WS_COMPONENTS_MAX];
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = small_trace();
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        uint32_t culprit = 1;
        ws_config *config = config_without(WS_FIDELITY_TIMED, needed[i], components);
        char words[64];
        snprintf(words, sizeof words, "expected one with the component %s, found none", needed[i]->name);
        assert_null(ws_timed_new(trace, config, &err));
        expect_error(&err, WS_ERROR_INTERNAL, words);
        assert_false(ws_timed_check(trace, config, 1, &culprit, &err));
        assert_int_equal(culprit, 0);
        expect_error(&err, WS_ERROR_INTERNAL, words);
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

/* ---- results of a timed replay */

static void assert_no_share(ws_timed_share share) {
    const ws_timed_share none = {0};
    assert_memory_equal(&share, &none, sizeof none);
}

static void assert_not_run(const ws_timed *timed, uint32_t launch) {
    assert_no_share(ws_timed_share_of(timed, launch));
    assert_no_share(ws_timed_alone_of(timed, launch));
    assert_int_equal(ws_timed_runs_of(timed, launch).runs, 0);
}

/* Counters are zero before a run, and for launches that were not part of it. */
static void launches_that_did_not_run_have_done_nothing(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    ws_trace *trace = small_trace(), *joined = ws_trace_join(trace, trace, &err);
    const ws_trace *const traces[] = {trace, joined};
    const uint32_t launches[] = {1, 2};
    for (size_t i = 0; i < 2; i++) {
        ws_timed *timed = ws_timed_new(traces[i], config, &err);
        for (uint32_t launch = 0; launch < 4; launch++) assert_not_run(timed, launch);
        assert_true(ws_timed_run(timed, 1, NULL, &err));
        assert_not_run(timed, 0);
        for (uint32_t launch = 1; launch <= launches[i]; launch++) {
            assert_true(ws_timed_share_of(timed, launch).cycles > 0);
            assert_no_share(ws_timed_alone_of(timed, launch));
        }
        assert_not_run(timed, launches[i] + 1);
        assert_not_run(timed, UINT32_MAX);
        ws_timed_free(timed);
    }
    ws_trace_close(joined);
    ws_trace_close(trace);
    ws_config_free(config);
}

/* ---- the store */

static void the_store_names_the_call_that_is_missing(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    const ws_error reason = {WS_ERROR_TRACE, "reason"};
    ws_store *store = forest_open("order.db");
    ws_config *config = ws_config_new(forest_components, 1);
    const ws_point_row point = forest_point(1, 1);
    assert_true(ws_store_begin(store, &err));
    assert_false(ws_store_config(store, &(ws_config_row){101, "order", config}, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_use() before");
    assert_false(
        ws_store_sweep(store, &(ws_sweep_row){.name = "s", .axes = (const char *const[]){NULL}}, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_use() before");
    assert_true(ws_store_commit(store, &err));
    assert_false(ws_store_done(store, &point, 1, NULL, 0, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_use() before");
    assert_false(ws_store_failed(store, &point, &reason, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_use() before");

    assert_true(ws_store_begin(store, &err) && ws_store_use(store, &forest, &err));
    assert_false(ws_store_use(store, &young_forest, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected one experiment, found forest and forest");
    assert_true(ws_store_commit(store, &err));
    assert_false(ws_store_done(store, &point, 1, NULL, 0, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_begin_run() before");
    assert_false(ws_store_failed(store, &point, &reason, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_begin_run() before");
    assert_false(ws_store_failed(store, &point, NULL, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "ws_store_failed(): expected a reason, found NULL");
    assert_false(ws_store_end_run(store, "done", 0, 0, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "order.db: expected ws_store_begin_run() before");
    ws_config_free(config);
    ws_store_close(store);
}

/* ---- the writer of traces */

typedef struct written {
    ws_writer *writer;
    ws_static load;
    uint32_t static_id;
    uint64_t addresses[32];
} written;

static const ws_kernel launch = {.name = "k", .grid = {2, 1, 1}, .block = {32, 1, 1}};

/* A trace with one instruction, a load, of CTA 0. */
static written begin_trace(const char *path, const ws_static *load) {
    ws_error err = WS_NO_ERROR;
    written t = {.writer = ws_writer_new(path, "sass", "test", 32, 0, &err), .load = *load};
    t.load.opcode = ws_writer_opcode(t.writer, "LD", 2);
    t.static_id = ws_writer_static(t.writer, &t.load);
    for (uint64_t i = 0; i < 32; i++) t.addresses[i] = 4 * i;
    assert_true(ws_writer_kernel(t.writer, &launch, &err) &&
                ws_writer_cta(t.writer, (ws_dim3){0, 0, 0}, &err) && ws_writer_warp(t.writer, 0, &err) &&
                ws_writer_inst(t.writer, t.static_id, 0xffffffff, t.addresses, &err));
    return t;
}

static const ws_static clean_load = {.dst = {4},
                                     .dst_count = 1,
                                     .src = {2},
                                     .src_count = 1,
                                     .class_ = WS_CLASS_MEM,
                                     .op = WS_MEMORY_LOAD,
                                     .space = WS_SPACE_GLOBAL,
                                     .width_B = 4,
                                     .text_width_B = 4};

static void finish_trace(written *t) {
    ws_error err = WS_NO_ERROR;
    if (!ws_writer_finish(t->writer, &err)) fail_msg("%s", err.text);
    ws_writer_free(t->writer);
}

/* Elements of a static instruction's arrays beyond its counts do not matter: the trace is the same as with zeros
 * there. */
static void what_stands_beyond_the_counts_is_not_written(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_static dirty = clean_load;
    dirty.dst[1] = dirty.src[7] = 9;
    dirty.index_pc[0] = 7;
    dirty.reserved[1] = 1;
    written clean = begin_trace(folder_path("clean.wst"), &clean_load);
    written other = begin_trace(folder_path("dirty.wst"), &dirty);
    assert_int_equal(ws_writer_static(other.writer, &other.load), other.static_id);
    finish_trace(&clean);
    finish_trace(&other);
    ws_trace *a = ws_trace_open(folder_path("clean.wst"), &err);
    ws_trace *b = ws_trace_open(folder_path("dirty.wst"), &err);
    if (!ws_trace_check(b, &err)) fail_msg("%s", err.text);
    assert_string_equal(ws_trace_get_info(a)->digest, ws_trace_get_info(b)->digest);
    ws_trace_close(a);
    ws_trace_close(b);
}

static void joined_traces_are_checked_one_by_one(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = small_trace(), *joined = ws_trace_join(trace, trace, &err);
    assert_false(ws_trace_check(joined, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "joined traces are checked one by one");
    ws_trace_close(joined);
    ws_trace_close(trace);
}

static void calls_of_the_writer_that_are_out_of_place(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    written t = begin_trace(folder_path("calls.wst"), &clean_load);
    assert_false(ws_writer_inst(t.writer, 1, 1, t.addresses, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "calls.wst: static instruction 1: expected one of 1, from 0 on");
    assert_false(ws_writer_kernel(t.writer, &(ws_kernel){.grid = {1, 1, 1}, .block = {1, 1, 1}}, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "calls.wst: a kernel without a name");
    assert_true(ws_writer_kernel(t.writer, &launch, &err));
    assert_false(ws_writer_inst(t.writer, 0, 1, t.addresses, &err)); /* that warp was of the launch before */
    expect_error(&err, WS_ERROR_INTERNAL, "an instruction before any warp");
    assert_true(ws_writer_finish(t.writer, &err));

    static const char *const late = "calls.wst: nothing can be written after ws_writer_finish()";
    assert_false(ws_writer_finish(t.writer, &err));
    expect_error(&err, WS_ERROR_INTERNAL, late);
    assert_false(ws_writer_kernel(t.writer, &launch, &err));
    expect_error(&err, WS_ERROR_INTERNAL, late);
    assert_false(ws_writer_cta(t.writer, (ws_dim3){0, 0, 0}, &err));
    expect_error(&err, WS_ERROR_INTERNAL, late);
    ws_writer_free(t.writer);
    ws_trace *trace = ws_trace_open(folder_path("calls.wst"), &err);
    if (!trace || !ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    ws_trace_close(trace);
}

/* A feature that readers do not know is told when the trace is finished, and leaves no file. */
static void a_feature_that_is_none(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    written t = begin_trace(folder_path("feature.wst"), &clean_load);
    ws_writer_add_features(t.writer, WS_FEATURE_REGISTERS | 1u << 31);
    assert_false(ws_writer_finish(t.writer, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "feature.wst: features 0x80000001: expected bits of WS_FEATURE_");
    ws_writer_free(t.writer);
    assert_false(folder_has("feature.wst"));
}

/* CTAs of a large grid, near to each other and far, in no order, are each accepted once. A refused one leaves the trace
 * as it was. */
static void a_cta_comes_once(void **state) {
    (void)state;
    enum { CTAS = 3000 };
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(folder_path("once.wst"), "sass", "test", 32, 0, &err);
    const ws_kernel large = {.name = "large", .grid = {1 << 20, 1 << 18, 2}, .block = {32, 1, 1}};
    for (uint32_t launch_ = 0; launch_ < 2; launch_++) {
        assert_true(ws_writer_kernel(w, &large, &err));
        for (uint32_t i = 0; i < 2 * CTAS; i++) {
            const uint32_t n = i * 7 % CTAS;
            const ws_dim3 id = {n < CTAS / 2 ? n : n << 8, n % 3 << 16, n % 2};
            assert_int_equal(ws_writer_cta(w, id, &err), i < CTAS);
        }
    }
    assert_true(ws_writer_kernel(w, &launch, &err) && ws_writer_cta(w, (ws_dim3){1, 0, 0}, &err));
    assert_false(ws_writer_cta(w, (ws_dim3){1, 0, 0}, &err));
    expect_error(&err, WS_ERROR_TRACE, "kernel k: CTA 1,0,0: expected each CTA once, found it again");
    assert_false(ws_writer_warp(w, 0, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "a warp before any CTA");
    assert_true(ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err) && ws_writer_finish(w, &err));
    ws_writer_free(w);
    ws_trace *trace = ws_trace_open(folder_path("once.wst"), &err);
    if (!trace || !ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    assert_int_equal(ws_trace_kernel(trace, 2)->counters.ctas, CTAS);
    assert_int_equal(ws_trace_kernel(trace, 3)->counters.ctas, 2);
    ws_trace_close(trace);
}

static void beyond_the_end_there_is_none(void **state) {
    (void)state;
    ws_trace *trace = small_trace();
    assert_null(ws_trace_kernel(trace, 0));
    assert_null(ws_trace_kernel(trace, 2));
    assert_null(ws_trace_memcpy(trace, 0));
    uint32_t opcodes = 0;
    while (ws_trace_opcode(trace, opcodes)) opcodes++;
    assert_true(opcodes > 0 && opcodes <= ws_trace_get_info(trace)->static_count);
    assert_null(ws_trace_opcode(trace, UINT32_MAX));
    ws_trace_close(trace);
}

static void a_format_that_is_none(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_store *store = forest_open("format.db");
    const int formats[] = {-1, WS_QUERY_HTML + 1};
    for (int i = 0; i < 2; i++) {
        assert_false(ws_query(store, "SELECT 1", (ws_query_format)formats[i], 0, stderr, &err));
        expect_error(&err, WS_ERROR_INTERNAL, "ws_query(): expected a format of WS_QUERY_, found ");
    }
    ws_store_close(store);
}

/* ---- NULL */

/* Fails unless `call` returns false or NULL, with an error that names the function and says that it expected `what`. */
#define EXPECT_NULL_TOLD(call, what)                                                                         \
    do {                                                                                                     \
        if (call) fail_msg("expected a refusal of " #call);                                                  \
        const char *name = #call;                                                                            \
        if (strncmp(err.text, name, strcspn(name, "(")) != 0) fail_msg("%s: %s", name, err.text);            \
        expect_error(&err, WS_ERROR_INTERNAL, "(): expected " what ", found NULL");                          \
    } while (0)

static void null_for_a_path_or_a_name_is_told(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    char path[100];
    size_t count;
    ws_preset_info *presets;
    ws_figure *figures;
    ws_merge_report report;
    ws_store *store = forest_open("null.db");
    ws_config *config = ws_config_new(forest_components, 1);
    const ws_sweep_options options = {.dry_run = true};
    const ws_effects_query query = {.view = "v"};
    const char *const no_name = NULL;
    const ws_report_figures nowhere = {NULL, NULL, 0}, unnamed = {"plots", &no_name, 1};
    char *text;
    EXPECT_NULL_TOLD(ws_trace_open(NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_writer_new(NULL, "sass", "test", 32, 0, &err), "a path");
    EXPECT_NULL_TOLD(ws_writer_new(folder_path("null.wst"), NULL, "test", 32, 0, &err), "an instruction set");
    EXPECT_NULL_TOLD(ws_writer_new(folder_path("null.wst"), "sass", NULL, 32, 0, &err), "a tracer");
    EXPECT_NULL_TOLD(ws_import(NULL, folder_path("null.wst"), NULL, &err), "a source");
    EXPECT_NULL_TOLD(ws_import("/dev/null", NULL, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_selection_new("1", NULL, &err), "the origin of the text");
    EXPECT_NULL_TOLD(ws_store_open(NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_store_open_readonly(NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_store_merge(store, NULL, NULL, &report, &err), "a path");
    EXPECT_NULL_TOLD(ws_sweep_run(NULL, &options, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_sweep_run("nowhere.json", NULL, NULL, &err), "options");
    EXPECT_NULL_TOLD(ws_query(store, NULL, WS_QUERY_CSV, 0, stderr, &err), "SQL");
    EXPECT_NULL_TOLD(ws_figures(NULL, &figures, &count, &err), "a folder");
    EXPECT_NULL_TOLD(ws_plot(store, NULL, "f", NULL, "f.svg", NULL, NULL, NULL, &err), "a folder");
    EXPECT_NULL_TOLD(ws_plot(store, "plots", NULL, NULL, "f.svg", NULL, NULL, NULL, &err), "a figure");
    EXPECT_NULL_TOLD(ws_plot(store, "plots", "f", NULL, NULL, NULL, NULL, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_plot_rows(store, NULL, "f", "s", NULL, NULL, &text, &err), "a folder");
    EXPECT_NULL_TOLD(ws_plot_rows(store, "plots", NULL, "s", NULL, NULL, &text, &err), "a figure");
    EXPECT_NULL_TOLD(ws_plot_effects(store, NULL, &query, "f.svg", NULL, NULL, NULL, &err), "a folder");
    EXPECT_NULL_TOLD(ws_plot_effects(store, "plots", &query, NULL, NULL, NULL, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_report(store, NULL, NULL, stderr, NULL, NULL, &err), "a title");
    EXPECT_NULL_TOLD(ws_report(store, "t", &nowhere, stderr, NULL, NULL, &err), "a folder");
    EXPECT_NULL_TOLD(ws_report(store, "t", &unnamed, stderr, NULL, NULL, &err), "a figure");
    EXPECT_NULL_TOLD(ws_presets(NULL, &presets, &count, &err), "a folder");
    EXPECT_NULL_TOLD(ws_preset_find(NULL, "gpu", path, sizeof path, &err), "a folder");
    EXPECT_NULL_TOLD(ws_preset_find("gpus", NULL, path, sizeof path, &err), "a preset");
    EXPECT_NULL_TOLD(ws_preset_apply(config, NULL, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_preset_walk(NULL, NULL, NULL, NULL, &err), "a path");
    EXPECT_NULL_TOLD(ws_config_set(config, NULL, NULL, "$", &err), "a parameter");
    EXPECT_NULL_TOLD(ws_config_set(config, "tree.height", NULL, "$", &err), "a value");
    EXPECT_NULL_TOLD(ws_config_set(config, "tree.height", json_null(), NULL, &err), "a JSON path");
    EXPECT_NULL_TOLD(ws_experiment_check(&(ws_experiment){.name = "e"}, &err), "a table");
    EXPECT_NULL_TOLD(ws_experiment_check(&(ws_experiment){.tables = forest_tables}, &err), "a name");
    EXPECT_NULL_TOLD(ws_store_begin_run(store, &(ws_run_row){NULL, "s.json", "{}", NULL, 1}, &err), "a name");
    EXPECT_NULL_TOLD(ws_store_begin_run(store, &(ws_run_row){"s", NULL, "{}", NULL, 1}, &err), "a path");
    EXPECT_NULL_TOLD(ws_store_begin_run(store, &(ws_run_row){"s", "s.json", NULL, NULL, 1}, &err),
                     "a specification");
    EXPECT_NULL_TOLD(ws_store_sweep(store, &(ws_sweep_row){.name = NULL}, &err), "a name");
    EXPECT_NULL_TOLD(ws_store_end_run(store, NULL, 0, 0, &err), "an outcome");
    assert_false(ws_effects(store, &query, WS_QUERY_CSV, stderr, NULL, &err));
    expect_error(&err, WS_ERROR_INTERNAL, "effects: expected a view and a metric, found NULL");
    ws_config_free(config);
    ws_store_close(store);
}

static void null_for_an_opcode_is_told_by_its_execution(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    written t = begin_trace(folder_path("opcode.wst"), &clean_load);
    for (size_t length = 0; length < 2; length++) {
        ws_static load = clean_load;
        load.opcode = ws_writer_opcode(t.writer, NULL, length);
        const uint32_t id = ws_writer_static(t.writer, &load);
        assert_int_equal(id, UINT32_MAX);
        assert_false(ws_writer_inst(t.writer, id, 1, t.addresses, &err));
        expect_error(&err, WS_ERROR_INTERNAL, "or an opcode that is not text in UTF-8");
    }
    ws_writer_free(t.writer);
}

static void no_pattern_matches_null(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_selection *pattern = ws_selection_new(".*", "test", &err);
    assert_false(ws_selection_has(pattern, 1, NULL, NULL));
    assert_true(ws_selection_has(pattern, 1, "k", NULL));
    assert_true(ws_selection_has(pattern, 1, NULL, "k"));
    ws_selection_free(pattern);
    ws_selection *list = ws_selection_new("1", "test", &err);
    assert_true(ws_selection_has(list, 1, NULL, NULL));
    ws_selection_free(list);
}

static void nothing_has_no_name(void **state) {
    (void)state;
    char name[8] = "before";
    const char *nearest = "";
    ws_store *store = forest_open("null.db");
    ws_config *config = ws_config_new(forest_components, 1);
    assert_null(ws_analysis_find(NULL, &nearest));
    assert_null(nearest);
    assert_null(ws_mechanism_of_param(NULL));
    assert_null(ws_config_param(config, NULL));
    assert_null(ws_config_value(config, NULL));
    assert_null(ws_config_unmet(config, NULL, false));
    assert_false(ws_preset_is_file(NULL));
    assert_false(ws_preset_name(NULL, name, sizeof name));
    assert_string_equal(name, "");
    assert_int_equal(ws_store_id(NULL), 0);
    assert_false(ws_figure_fits(store, NULL, "f"));
    assert_false(ws_figure_fits(store, "plots", NULL));
    assert_false(ws_store_is_file(store, NULL));
    ws_config_free(config);
    ws_store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_in_order_names_what_the_configuration_lacks),
        cmocka_unit_test(a_timed_replay_names_what_the_configuration_lacks),
        cmocka_unit_test(launches_that_did_not_run_have_done_nothing),
        cmocka_unit_test(the_store_names_the_call_that_is_missing),
        cmocka_unit_test(what_stands_beyond_the_counts_is_not_written),
        cmocka_unit_test(joined_traces_are_checked_one_by_one),
        cmocka_unit_test(calls_of_the_writer_that_are_out_of_place),
        cmocka_unit_test(a_feature_that_is_none),
        cmocka_unit_test(a_cta_comes_once),
        cmocka_unit_test(beyond_the_end_there_is_none),
        cmocka_unit_test(a_format_that_is_none),
        cmocka_unit_test(null_for_a_path_or_a_name_is_told),
        cmocka_unit_test(null_for_an_opcode_is_told_by_its_execution),
        cmocka_unit_test(no_pattern_matches_null),
        cmocka_unit_test(nothing_has_no_name),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
