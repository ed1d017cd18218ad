/* The presets in sweeps/gpus: each loads, is a valid configuration, and runs. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/trace.h"
#include "base/array.h"
#include "warpsweep/analysis.h"
#include "warpsweep/preset.h"
#include "warpsweep/timed.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char folder[] = "sweeps/gpus";
static const ws_component *const components[] = {&ws_gpu_component,  &ws_sm_component,  &ws_order_component,
                                                 &ws_core_component, &ws_l1_component,  &ws_noc_component,
                                                 &ws_l2_component,   &ws_dram_component};
enum { COMPONENTS = WS_COUNT(components) };

static ws_config *load(const char *name) {
    ws_error err = WS_NO_ERROR;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    size_t all;
    const ws_component *const *timed = ws_fidelity_components(WS_FIDELITY_TIMED, &all);
    ws_config *config = ws_config_new(timed, all);
    if (!ws_preset_apply(config, path, NULL, &err) || !ws_config_validate(config, &err))
        fail_msg("%s: %s", name, err.text);
    return config;
}

/* Loads of lines that are shared and of lines that are not. */
static uint64_t address(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * (inst % 5 + (inst % 2 ? 8 * warp + 64 * (uint64_t)cta : 0)) + 4 * lane;
}

static void each_preset_runs(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_preset_info *presets;
    size_t count;
    if (!ws_presets(folder, &presets, &count, &err)) fail_msg("%s", err.text);
    assert_true(count >= 20);
    generate_plan plan = generate_loads(6, 4, 12, address);
    ws_trace *trace = generate_planned(&plan);
    for (size_t i = 0; i < count; i++) {
        assert_true(*presets[i].summary);
        ws_config *config = load(presets[i].name);
        ws_timed *timed = ws_timed_new(trace, config, &err);
        ws_timed_counters c;
        if (!timed || !ws_timed_run(timed, 1, &c, &err)) fail_msg("%s: %s", presets[i].name, err.text);
        assert_int_equal(c.warp_instructions, 6 * 4 * 12);
        assert_true(c.l1_accesses >= 6 * 4 * 12);
        ws_timed_free(timed);
        ws_config_free(config);
    }
    ws_presets_free(presets, count);
    ws_trace_close(trace);
}

/* Each preset runs a bundled kernel: the instructions are the same on every GPU, the time that they take is not. */
static void each_preset_runs_a_real_kernel(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_preset_info *presets;
    size_t count;
    if (!ws_presets(folder, &presets, &count, &err)) fail_msg("%s", err.text);
    ws_trace *trace = trace_open("traces/transpose.wst");
    const ws_kernel *kernel = ws_trace_kernel(trace, 2); /* with shared memory and barriers */
    assert_string_equal(kernel->short_name, "transpose_shared");
    uint64_t fastest = UINT64_MAX, slowest = 0;
    for (size_t i = 0; i < count; i++) {
        ws_config *config = load(presets[i].name);
        ws_timed *timed = ws_timed_new(trace, config, &err);
        ws_timed_counters c;
        if (!timed || !ws_timed_run(timed, 2, &c, &err)) fail_msg("%s: %s", presets[i].name, err.text);
        assert_int_equal(c.warp_instructions, kernel->counters.warp_instructions);
        assert_true(c.l1_accesses >= kernel->counters.requests);
        assert_true(c.l2_accesses >= c.l1_misses);
        fastest = c.cycles < fastest ? c.cycles : fastest;
        slowest = c.cycles > slowest ? c.cycles : slowest;
        ws_timed_free(timed);
        ws_config_free(config);
    }
    assert_true(slowest > 2 * fastest);
    ws_presets_free(presets, count);
    ws_trace_close(trace);
}

/* The validation presets give every parameter that the timed replay reads, so that no default hides in a result. */
static void note(void *seen, const char *preset, const char *parameter, const json_t *value,
                 const char *source) {
    (void)preset, (void)value;
    assert_true(*source);
    json_object_set_new(seen, parameter, json_true());
}

static void validation_presets_are_complete(void **state) {
    (void)state;
    static const char *const names[] = {"accelsim-gtx480s", "accelsim-rtx3070s", "accelsim-qv100s"};
    static const char *const inner[] = {"gpu.dispatch",
                                        "order.load_delay_issues",
                                        "order.issue_meta",
                                        "core.pipeline_cycles",
                                        "core.unit_queue",
                                        "core.fetch_insts",
                                        "core.fetch_cycles",
                                        "core.shared_banks",
                                        "l1.carveouts",
                                        "core.stall_on_use",
                                        "core.deadlock_cycles",
                                        "core.active_warps",
                                        "core.swl_warps",
                                        "core.swl_scope",
                                        "core.swl_base",
                                        "core.concurrent_launches",
                                        "core.first_launch_sms",
                                        "core.loop_programs",
                                        "core.perfect_memory",
                                        "l2.flush",
                                        "core.simd_width",
                                        "core.dependences",
                                        "l2.lrc_merges",
                                        "dram.write_high",
                                        "dram.write_low",
                                        "l1.seed",
                                        "l2.seed"}; /* about inner workings, or for what is not chosen here */
    ws_error err = WS_NO_ERROR;
    for (size_t n = 0; n < WS_COUNT(names); n++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.json", folder, names[n]);
        json_t *seen = json_object();
        if (!ws_preset_walk(path, NULL, note, seen, &err)) fail_msg("%s", err.text);
        for (size_t i = 0; i < WS_COUNT(inner); i++) json_object_set_new(seen, inner[i], json_true());
        for (size_t c = 0; c < COMPONENTS; c++)
            for (size_t i = 0; i < components[c]->param_count; i++)
                if (!json_object_get(seen, components[c]->params[i].name))
                    fail_msg("%s does not say %s", names[n], components[c]->params[i].name);
        json_decref(seen);
    }
}

/* A preset's own values replace those of the preset it is like; the others are inherited. */
static void later_values_win(void **state) {
    (void)state;
    ws_config *base = load("accelsim-gtx480"), *wp = load("gtx480-wp");
    const ws_l1_params *a = ws_config_get(base, &ws_l1_component), *b = ws_config_get(wp, &ws_l1_component);
    assert_int_equal(a->size_B, 16384);
    assert_int_equal(b->size_B, 32768);
    assert_int_equal(a->mshr_entries, 64);
    assert_int_equal(b->mshr_entries, 32);
    assert_int_equal(a->latency, b->latency);
    ws_config_free(base);
    ws_config_free(wp);
}

/* The error names the preset that is like one that does not exist, and says where that was looked for. */
static void like_none(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    const char *path = folder_write_text(
        "one.json", "{\"name\": \"one\", \"summary\": \"s\", \"like\": \"two\", \"parameters\": {}}");
    assert_false(ws_preset_apply(config, path, NULL, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(
        strstr(err.text, "one.json: $.like: expected another preset, of its folder, found \"two\""));
    ws_config_free(config);
}

/* What is suggested is another preset that a user may name: neither the file itself, nor one that is hidden. */
static void like_a_misspelt_one(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    static const char text[] =
        "{\"name\": \"mine1\", \"summary\": \"s\", \"like\": \"mine2\", \"parameters\": {}}";
    const char *path = folder_write_text("mine1.json", text);
    folder_write_text(".mine2.json", text);
    assert_false(ws_preset_apply(config, path, NULL, &err));
    assert_null(strstr(err.text, "did you mean"));
    folder_write_text("mine3.json", text);
    assert_false(ws_preset_apply(config, path, NULL, &err));
    assert_non_null(strstr(err.text, "found \"mine2\"; did you mean \"mine3\"?"));
    ws_config_free(config);
}

/* A user's own GPU may have the name of the one that it is like; but no GPU is like itself. */
static void like_its_own_name(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    const char *path = folder_write_text(
        "gtx480-wp.json",
        "{\"name\": \"gtx480-wp\", \"summary\": \"s\", \"like\": \"gtx480-wp\", \"parameters\": {}}");
    assert_true(ws_preset_apply(config, path, folder, &err));
    assert_int_equal(((const ws_l1_params *)ws_config_get(config, &ws_l1_component))->size_B, 32768);
    assert_false(ws_preset_apply(config, path, NULL, &err));
    assert_non_null(strstr(err.text, "$.like: expected another preset, of its folder, found \"gtx480-wp\": a "
                                     "preset cannot be like itself"));
    ws_config_free(config);
}

/* Writes a preset that is like another; returns its path. */
static const char *write_like(const char *name, const char *like) {
    char file[40], text[200];
    snprintf(file, sizeof file, "%s.json", name);
    snprintf(text, sizeof text,
             "{\"name\": \"%s\", \"summary\": \"s\", \"like\": \"%s\", \"parameters\": {}}", name, like);
    return folder_write_text(file, text);
}

static void expect_like_error(const char *path, const char *text) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    assert_false(ws_preset_apply(config, path, NULL, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    if (!strstr(err.text, text)) fail_msg("%s", err.text);
    ws_config_free(config);
}

/* A circle is shown from where it begins, which need not be the preset that is asked for. */
static void like_in_a_circle(void **state) {
    (void)state;
    write_like("ring1", "ring2");
    write_like("ring2", "ring3");
    write_like("ring3", "ring1");
    expect_like_error(
        write_like("chain", "ring1"),
        "ring3.json: $.like: expected a preset that is not like this one in turn, found a circle: "
        "\"ring1\" like \"ring2\" like \"ring3\" like \"ring1\"");
}

static void like_too_many(void **state) {
    (void)state;
    char name[8] = "row0", next[8] = "row1";
    for (; name[3] < '9'; name[3]++, next[3]++) write_like(name, next);
    folder_write_text("row9.json", "{\"name\": \"row9\", \"summary\": \"s\", \"parameters\": {}}");
    expect_like_error(folder_path("row0.json"),
                      "row8.json: $.like: expected at most 8 presets one like another");
    ws_config *config = ws_config_new(components, COMPONENTS);
    assert_true(ws_preset_apply(config, folder_path("row1.json"), NULL, NULL));
    ws_config_free(config);
}

/* Another preset is named, not a path: that of a folder would look for what it is like beside itself. And a key that is
 * misspelt is named with the nearest one. */
static void wrong_presets(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"{\"name\": \"own\", \"summary\": \"s\", \"like\": \"sub/b\", \"parameters\": {}}",
         "own.json: $.like: expected the name of another preset of the folder, found \"sub/b\""},
        {"{\"name\": \"own\", \"summary\": \"s\", \"like\": \"\", \"parameters\": {}}",
         "own.json: $.like: expected the name of another preset of the folder, found \"\""},
        {"{\"name\": \"own\", \"summary\": \"s\", \"like\": 3, \"parameters\": {}}",
         "own.json: $.like: expected the name of another preset of the folder, found 3"},
        {"{\"name\": \"own\", \"sumary\": \"s\", \"parameters\": {}}",
         "own.json: $: expected name, summary, like or parameters, found \"sumary\"; did you mean "
         "\"summary\"?"},
        {"{\"name\": \"own\", \"summary\": \"s\"}",
         "own.json: $.parameters: expected an object, found nothing"},
        {"{\"name\": \"own\", \"summary\": \"s\", \"parameters\": {\"l1.ways\": {\"value\": 4, \"source\": "
         "\"s\", "
         "\"note\": \"n\"}}}",
         "own.json: $.parameters['l1.ways']: expected {\"value\": .., \"source\": \"..\"}"},
        {"[]", "own.json: $: expected an object, found an empty array"},
    };
    mkdir(folder_path("sub"), 0777);
    folder_write_text("sub/b.json", "{\"name\": \"b\", \"summary\": \"s\", \"parameters\": {}}");
    folder_write_text(".json", "{\"name\": \"\", \"summary\": \"s\", \"parameters\": {}}");
    ws_config *config = ws_config_new(components, COMPONENTS);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        const char *path = folder_write_text("own.json", cases[i].text);
        assert_false(ws_preset_apply(config, path, NULL, &err));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        if (!strstr(err.text, cases[i].error)) fail_msg("%s", err.text);
    }
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_preset_runs),
        cmocka_unit_test(each_preset_runs_a_real_kernel),
        cmocka_unit_test(validation_presets_are_complete),
        cmocka_unit_test(later_values_win),
        cmocka_unit_test(like_none),
        cmocka_unit_test(like_a_misspelt_one),
        cmocka_unit_test(like_its_own_name),
        cmocka_unit_test(like_in_a_circle),
        cmocka_unit_test(like_too_many),
        cmocka_unit_test(wrong_presets),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
