/* Specifications: errors name their JSON path; axes give the values that they promise. */
#include "sweep/spec/spec.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "base/array.h"
#include "warpsweep/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

static ws_spec *load(const char *text) {
    err = WS_NO_ERROR;
    return ws_spec_load(folder_write_text("spec.json", text), probe_analyses, NULL, &err);
}

/* Returns the error's message without the path of the file. */
static const char *message(void) {
    const char *path = folder_path("spec.json");
    assert_memory_equal(err.text, path, strlen(path));
    return err.text + strlen(path) + 2;
}

/* Loads a specification of the parts that each one needs, followed by `rest`. */
static ws_spec *load_rest(const char *rest) {
    char text[2048];
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": \"probe\", %s}",
             rest);
    return load(text);
}

static void test_whole(void **state) {
    (void)state;
    ws_spec *spec = load("{\"name\": \"s_1\", \"description\": \"d\", \"traces\": [\"a.wst\", \"b/*.wst\"],"
                         " \"kernels\": [\"1,3\", \"^al\"], \"analysis\": \"probe\", \"fidelity\": \"order\","
                         " \"base\": {\"probe.variant\": 3},"
                         " \"axes\": {\"probe.size\": [1, 2], \"sm.scheduler\": [\"gto\"]}}");
    if (!spec) fail_msg("%s", err.text);
    assert_string_equal(spec->name, "s_1");
    assert_int_equal(spec->pattern_count, 2);
    assert_string_equal(spec->patterns[1], "b/*.wst");
    assert_ptr_equal(spec->analysis, &probe_analysis);
    assert_int_equal(spec->axis_count, 2);
    assert_string_equal(spec->axes[0].name, "probe.size");
    json_t *variant = ws_config_value(spec->gpus[0].base, "probe.variant");
    assert_int_equal(json_integer_value(variant), 3);
    json_decref(variant);
    assert_true(ws_spec_wants(spec, &(ws_kernel){.index = 3, .name = "beta", .short_name = "beta"}));
    assert_true(ws_spec_wants(spec, &(ws_kernel){.index = 2, .name = "alpha", .short_name = "alpha"}));
    assert_false(ws_spec_wants(spec, &(ws_kernel){.index = 2, .name = "beta", .short_name = "beta"}));
    ws_spec_free(spec);
    ws_spec_free(NULL);
}

static void test_least(void **state) {
    (void)state;
    ws_spec *spec = load("{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": \"probe\"}");
    assert_non_null(spec);
    assert_int_equal(spec->axis_count, 0);
    assert_int_equal(spec->fidelity, WS_FIDELITY_ORDER);
    assert_true(ws_spec_wants(spec, &(ws_kernel){.index = 9, .name = "x", .short_name = "x"}));
    ws_spec_free(spec);
}

/* Of a GPU, fidelity order takes what it has itself, and the line of the L1 as that which it coalesces into; what the
 * base says is later. */
static void test_gpu_in_order(void **state) {
    (void)state;
    static const struct {
        const char *gpu, *base;
        int line_B, warps;
    } cases[] = {
        {"gtx480-wp", "{}", 128, 48},
        {"gtx285", "{}", 64, 32},
        {"xi-gpu-i", "{}", 64, 32}, /* as the GPU that it is like is */
        {"gtx285", "{\"coalesce.line_B\": 256}", 256, 32},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char rest[300];
        snprintf(rest, sizeof rest, "\"gpu\": \"sweeps/gpus/%s.json\", \"base\": %s", cases[i].gpu,
                 cases[i].base);
        ws_spec *spec = load_rest(rest);
        if (!spec) fail_msg("%s", err.text);
        const ws_config *base = spec->gpus[0].base;
        const ws_coalesce_params *coalesce = ws_config_get(base, &ws_coalesce_component);
        assert_int_equal(coalesce->line_B, cases[i].line_B);
        assert_int_equal(coalesce->sector_B, 32);
        assert_int_equal(((const ws_sm_params *)ws_config_get(base, &ws_sm_component))->warps,
                         cases[i].warps);
        ws_spec_free(spec);
    }
}

/* ---- axes */

static void test_axis_values(void **state) {
    (void)state;
    static const struct {
        const char *axis, *values;
    } cases[] = {
        {"[3, 1, 2]", "[3,1,2]"},
        {"{\"log2\": [1, 256]}", "[1,2,4,8,16,32,64,128,256]"},
        {"{\"log2\": [3, 30]}", "[3,6,12,24]"},
        {"{\"range\": [2, 5]}", "[2,3,4,5]"},
        {"{\"range\": [0, 10, 4]}", "[0,4,8]"},
        {"{\"range\": [7, 7, 100]}", "[7]"},
        {"[0, {\"log2\": [1, 8]}, 12]", "[0,1,2,4,8,12]"},
        {"{\"values\": [0, {\"range\": [10, 30, 10]}, [5]]}", "[0,10,20,30,5]"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char rest[300];
        snprintf(rest, sizeof rest, "\"axes\": {\"probe.size\": %s}", cases[i].axis);
        ws_spec *spec = load_rest(rest);
        if (!spec) fail_msg("%s", err.text);
        char *values = json_dumps(spec->axes[0].values, JSON_COMPACT);
        assert_string_equal(values, cases[i].values);
        free(values);
        ws_spec_free(spec);
    }
}

/* Integers that no double, or no 15 digits, tell apart. */
static void test_ranges_of_large_integers(void **state) {
    (void)state;
    static const struct {
        const char *axis, *values, *message;
    } cases[] = {
        {"{\"range\": [1000000000000001, 1000000000000003]}",
         "[1000000000000001,1000000000000002,1000000000000003]", NULL},
        {"{\"range\": [3, 8999999999999999, 4499999999999998]}", "[3,4500000000000001,8999999999999999]",
         NULL},
        {"{\"range\": [0, 9223372036854775807, 9223372036854775807]}", NULL,
         ".range: expected an integer from 0 to 9000000000000000 (instructions), found 9223372036854775807"},
        {"{\"range\": [-9223372036854775807, 9223372036854775807]}", NULL,
         ".range: expected an integer from 0 to 9000000000000000 (instructions), found -9223372036854775807"},
        {"{\"range\": [9007199254740993, 9007199254740992]}", NULL,
         ".range: expected from <= to, found 9007199254740993 and 9007199254740992"},
        {"{\"range\": [1, 2, -9007199254740993]}", NULL,
         ".range[2]: expected a step above 0, found -9007199254740993"},
        {"{\"log2\": [4499999999999999, 9223372036854775807]}", NULL,
         ".log2: expected an integer from 0 to 9000000000000000 (instructions), found 17999999999999996"},
        {"{\"log2\": [4611686018427387905, 9223372036854775807]}", NULL,
         ".log2: expected an integer from 0 to 9000000000000000 (instructions), found 4611686018427387905"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char rest[300], expected[300];
        snprintf(rest, sizeof rest, "\"axes\": {\"limit.warp_instructions\": %s}", cases[i].axis);
        ws_spec *spec = load_rest(rest);
        snprintf(expected, sizeof expected, "$.axes['limit.warp_instructions']%s", cases[i].message);
        if (cases[i].message) {
            assert_null(spec);
            assert_string_equal(message(), expected);
            continue;
        }
        if (!spec) fail_msg("%s", err.text);
        char *values = json_dumps(spec->axes[0].values, JSON_COMPACT);
        assert_string_equal(values, cases[i].values);
        free(values);
        ws_spec_free(spec);
    }
}

/* A step that no binary fraction equals gives the numbers that users write, and ask for in SQL. */
static void test_ranges_of_fractions(void **state) {
    (void)state;
    const char *path =
        folder_write_text("spec.json", "{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": "
                                       "\"timed\", \"axes\": {\"dram.clock_ratio\": "
                                       "{\"range\": [0.1, 0.7, 0.1]}}}");
    ws_spec *spec = ws_spec_load(path, ws_analyses(), NULL, &err);
    if (!spec) fail_msg("%s", err.text);
    static const double values[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
    assert_int_equal(json_array_size(spec->axes[0].values), WS_COUNT(values));
    for (size_t i = 0; i < WS_COUNT(values); i++)
        assert_true(json_real_value(json_array_get(spec->axes[0].values, i)) == values[i]);
    ws_spec_free(spec);
}

/* 1.0 is the axis' value 1. */
static void test_baseline_in_another_form(void **state) {
    (void)state;
    ws_spec *spec = load_rest("\"axes\": {\"probe.size\": [1, 2]}, \"baseline\": {\"probe.size\": 1.0}");
    if (!spec) fail_msg("%s", err.text);
    assert_ptr_equal(spec->axes[0].baseline, json_array_get(spec->axes[0].values, 0));
    ws_spec_free(spec);
}

/* ---- errors */

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[]", "$: expected an object, found an empty array"},
        {"{\"trace\": \"a.wst\"}",
         "$: expected a key of a sweep (`warpsweep help sweep`), found \"trace\"; did you mean \"traces\"?"},
        {"{\"parts\": [], \"pictures\": []}",
         "$: expected a sweep, found the measures of 'warpsweep characterize', which reads them itself"},
        {"{\"seeds\": 3}", "$: expected a key of a sweep (`warpsweep help sweep`), found \"seeds\""},
        {"{\"traces\": \"a\"}", "$.name: expected a string (the view is called so), found nothing"},
        {"{\"name\": 3}", "$.name: expected a string (the view is called so), found 3"},
        {"{\"name\": \"a b\"}",
         "$.name: expected at most 64 letters, digits and _, a letter first, found \"a b\""},
        {"{\"name\": \"1a\"}",
         "$.name: expected at most 64 letters, digits and _, a letter first, found \"1a\""},
        {"{\"name\": \"\"}", "$.name: expected at most 64 letters, digits and _, a letter first, found \"\""},
        {"{\"name\": \"Order\"}",
         "$.name: expected a name that queries can use without quotes, found \"Order\", a word of SQL"},
        {"{\"name\": \"SQLite_s\"}",
         "$.name: expected a name that views may have, found \"SQLite_s\": SQLite keeps sqlite_ for itself"},
        {"{\"name\": \"s\", \"description\": 1}", "$.description: expected a string, found 1"},
        {"{\"name\": \"s\"}",
         "$.traces: expected a path or a pattern of .wst files, or an array of them, found nothing"},
        {"{\"name\": \"s\", \"traces\": []}",
         "$.traces: expected a path or a pattern of .wst files, or an array of them, found an empty array"},
        {"{\"name\": \"s\", \"traces\": [\"a\", null]}", "$.traces[1]: expected a string, found null"},
        {"{\"name\": \"s\", \"traces\": \"a\", \"kernels\": 1}",
         "$.kernels: expected launch numbers \"1,3-5\", a regular expression, or an array of these, found "
         "1"},
        {"{\"name\": \"s\", \"traces\": \"a\", \"kernels\": [\"1\", \"3-1\"]}",
         "$.kernels[1]: expected launch numbers such as 1,3-5 (from 1, ranges ascending), found '3-1'"},
        {"{\"name\": \"s\", \"traces\": \"a\"}",
         "$.analysis: expected the name of an analysis, found nothing"},
        {"{\"name\": \"Point\", \"traces\": \"a\", \"analysis\": \"probe\"}",
         "$.name: expected a name that no table of the database has, found \"Point\""},
        {"{\"name\": \"Probe\", \"traces\": \"a\", \"analysis\": \"probe\"}",
         "$.name: expected a name that no table of analysis probe has, found \"Probe\""},
        {"{\"name\": \"probe_Config\", \"traces\": \"a\", \"analysis\": \"probe\"}",
         "$.name: expected a name that no table of analysis probe has, found \"probe_Config\""},
        {"{\"name\": \"Window\", \"traces\": \"a\", \"analysis\": \"probe\"}",
         "$.name: expected a name that no table of analysis window has, found \"Window\""},
        {"{\"name\": \"timed_config\", \"traces\": \"a\", \"analysis\": \"probe\"}",
         "$.name: expected a name that no table of analysis timed has, found \"timed_config\""},
        {"{\"name\": \"s\", \"traces\": \"a\", \"analysis\": \"prob\"}",
         "$.analysis: expected the name of an analysis that this program has (ws_sweep_options.analyses), "
         "found "
         "\"prob\"; did you mean \"probe\"?"},
        {"{\"name\": \"s\", \"traces\": \"a\", \"analysis\": \"window\"}",
         "$.analysis: expected the name of an analysis that this program has (ws_sweep_options.analyses), "
         "found "
         "\"window\""},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        assert_null(load(cases[i].text));
        assert_string_equal(message(), cases[i].message);
        assert_int_equal(err.code, WS_ERROR_SPEC);
    }
}

static void test_errors_of_parameters(void **state) {
    (void)state;
    static const struct {
        const char *rest, *message;
    } cases[] = {
        {"\"fidelity\": \"timed\"", "$.fidelity: expected \"order\" for analysis probe, found \"timed\""},
        {"\"fidelity\": 1", "$.fidelity: expected \"order\" or \"timed\", found 1"},
        {"\"baseline\": 1", "$.baseline: expected an object of axes, each with one of its values, found 1"},
        {"\"baseline\": {}",
         "$.baseline: expected an object of axes, each with one of its values, found an empty object"},
        {"\"axes\": {\"probe.size\": [1, 2]}, \"baseline\": {\"probe.sise\": 1}",
         "$.baseline['probe.sise']: expected an axis of the sweep, found \"probe.sise\"; did you mean "
         "\"probe.size\"?"},
        {"\"axes\": {\"probe.size\": [1, 2]}, \"baseline\": {\"probe.size\": 3}",
         "$.baseline['probe.size']: expected one of the values of that axis, [1, 2], or null, found 3"},
        {"\"base\": 1", "$.base: expected an object of parameters, found 1"},
        {"\"base\": {\"probe.sise\": 1}",
         "$.base['probe.sise']: expected a parameter, found \"probe.sise\"; did you mean \"probe.size\"?"},
        {"\"base\": {\"sm.scheduler\": \"fcfs\"}",
         "$.base['sm.scheduler']: expected one of \"lrr\", \"gto\", \"two_level\", \"swl\", "
         "found \"fcfs\""},
        {"\"axes\": [1]", "$.axes: expected an object of parameters and their values, found an array"},
        {"\"axes\": {\"l1.size_B\": [1]}", "$.axes['l1.size_B']: expected a parameter that is read here, "
                                           "found \"l1.size_B\"; 'warpsweep help l1.size_B' tells which "
                                           "others have it"},
        {"\"base\": {\"ilp.registers\": 1}",
         "$.base['ilp.registers']: expected a parameter that is read here, "
         "found \"ilp.registers\"; 'warpsweep help ilp.registers' tells which others have it"},
        {"\"derived\": {\"ilp.registers\": \"1\"}",
         "$.derived['ilp.registers']: expected a parameter that is read here, "
         "found \"ilp.registers\"; 'warpsweep help ilp.registers' tells which others have it"},
        {"\"axes\": {\"l1.assoc\": [1]}", "$.axes['l1.assoc']: expected a parameter of gpu, sm, coalesce, "
                                          "order, limit, probe, found \"l1.assoc\"; "
                                          "'warpsweep help l1.assoc' tells whether others have it"},
        {"\"axes\": {\"probe.size\": 1}", "$.axes['probe.size']: expected an array of values, or {\"range\": "
                                          "..}, {\"log2\": ..}, found 1"},
        {"\"axes\": {\"probe.size\": []}", "$.axes['probe.size']: expected at least one value, found none"},
        {"\"axes\": {\"probe.size\": [1, 2, \"3\"]}", "$.axes['probe.size'][2]: expected an integer from 0 "
                                                      "to 1000000 (lines), found \"3\""},
        {"\"axes\": {\"probe.size\": [1, {\"log2\": [1, 2000000]}]}",
         "$.axes['probe.size'][1].log2: expected an integer from 0 to 1000000 (lines), found "
         "1048576"},
        {"\"axes\": {\"probe.size\": {\"log2\": [0, 8]}}",
         "$.axes['probe.size'].log2[0]: expected a number above 0, found 0"},
        {"\"axes\": {\"probe.size\": {\"log2\": [8, 1]}}",
         "$.axes['probe.size'].log2: expected from <= to, found 8 and 1"},
        {"\"axes\": {\"probe.size\": {\"log2\": [1, 2, 3]}}",
         "$.axes['probe.size'].log2: expected numbers [from, to], found another list"},
        {"\"axes\": {\"probe.size\": {\"log2\": 8}}",
         "$.axes['probe.size'].log2: expected numbers [from, to], found 8"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, 5, 0]}}",
         "$.axes['probe.size'].range[2]: expected a step above 0, found 0"},
        {"\"axes\": {\"probe.size\": {\"range\": [5, 1]}}",
         "$.axes['probe.size'].range: expected from <= to, found 5 and 1"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, \"x\"]}}",
         "$.axes['probe.size'].range: expected numbers [from, to] or [from, to, step], found another list"},
        {"\"axes\": {\"probe.size\": {\"rang\": [1, 2]}}",
         "$.axes['probe.size']: expected \"range\", \"log2\" or \"values\", found \"rang\"; did you mean "
         "\"range\"?"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, 2], \"log2\": [1, 2]}}",
         "$.axes['probe.size']: expected one key, \"range\", \"log2\" or \"values\", found 2"},
        {"\"axes\": {\"probe.size\": {}}",
         "$.axes['probe.size']: expected one key, \"range\", \"log2\" or \"values\", found 0"},
        {"\"axes\": {\"probe.size\": {\"values\": 3}}",
         "$.axes['probe.size'].values: expected an array of values, found 3"},
        {"\"base\": {\"probe.size\": 1}, \"axes\": {\"probe.size\": [1]}",
         "$.axes['probe.size']: expected a parameter that $.base leaves alone, found one that it sets"},
        {"\"axes\": {\"zip\": 3}",
         "$.axes.zip: expected an object of parameters and their values, which vary "
         "together, found 3"},
        {"\"axes\": {\"zip\": {}}", "$.axes.zip: expected an object of parameters and their values, which "
                                    "vary together, found an empty one"},
        {"\"axes\": {\"zip\": []}", "$.axes.zip: expected at least one zip, found none"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, 1.5]}}",
         "$.axes['probe.size'].range[1]: expected an integer, as the parameter is one, found 1.5"},
        {"\"axes\": {\"probe.size\": {\"range\": [1, 3, 0.5]}}",
         "$.axes['probe.size'].range[2]: expected an integer, as the parameter is one, found 0.5"},
        {"\"axes\": {\"probe.size\": {\"log2\": [1.0, 4]}}",
         "$.axes['probe.size'].log2[0]: expected an integer, as the parameter is one, found 1.0"},
        {"\"axes\": {\"zip\": [{\"probe.size\": [1]}, null]}",
         "$.axes.zip[1]: expected an object of parameters and their values, which vary together, found null"},
        {"\"axes\": {\"zip\": {\"probe.size\": [1, 2, 3], \"probe.variant\": [1, 2]}}",
         "$.axes.zip['probe.variant']: expected 3 values, as many as probe.size has, found 2"},
        {"\"axes\": {\"zip\": [{\"probe.size\": [1, 2], \"probe.variant\": {\"log2\": [1, 8]}}]}",
         "$.axes.zip[0]['probe.variant']: expected 2 values, as many as probe.size has, found 4"},
        {"\"axes\": {\"zip\": {\"probe.size\": [1, \"x\"]}}",
         "$.axes.zip['probe.size'][1]: expected an integer from 0 to 1000000 (lines), found "
         "\"x\""},
        {"\"axes\": {\"zip\": {\"probe.sise\": [1]}}", "$.axes.zip['probe.sise']: expected a parameter, "
                                                       "found \"probe.sise\"; did you mean \"probe.size\"?"},
        {"\"axes\": {\"probe.size\": [1], \"zip\": {\"probe.size\": [1]}}",
         "$.axes.zip['probe.size']: expected a parameter that no other axis sets, found one that is set"},
        {"\"axes\": {\"zip\": [{\"probe.size\": [1]}, {\"probe.size\": [1]}]}",
         "$.axes.zip[1]['probe.size']: expected a parameter that no other axis sets, found one that is set"},
        {"\"base\": {\"probe.size\": 1}, \"axes\": {\"zip\": {\"probe.size\": [1]}}",
         "$.axes.zip['probe.size']: expected a parameter that $.base leaves alone, found one that it sets"},
        {"\"derived\": []",
         "$.derived: expected an object of parameters and SQL expressions, found an empty array"},
        {"\"derived\": {\"probe.size\": 3}",
         "$.derived['probe.size']: expected an SQL expression, a string, found 3"},
        {"\"derived\": {\"probe.sise\": \"3\"}",
         "$.derived['probe.sise']: expected a parameter, found \"probe.sise\"; did you mean \"probe.size\"?"},
        {"\"axes\": {\"probe.size\": [1]}, \"derived\": {\"probe.size\": \"3\"}",
         "$.derived['probe.size']: expected a parameter that no other axis sets, found one that is set"},
        {"\"base\": {\"probe.size\": 1}, \"derived\": {\"probe.size\": \"3\"}",
         "$.derived['probe.size']: expected a parameter that $.base leaves alone, found one that it sets"},
        {"\"sampling\": \"random\"", "$.sampling: expected an object, found a string"},
        {"\"sampling\": {}", "$.sampling.method: expected \"grid\", \"random\" or \"sobol\", found nothing"},
        {"\"sampling\": {\"method\": \"sobel\", \"points\": 3}",
         "$.sampling.method: expected \"grid\", \"random\" or \"sobol\", found \"sobel\"; did you mean "
         "\"sobol\"?"},
        {"\"sampling\": {\"method\": \"grid\", \"points\": 3}",
         "$.sampling: expected nothing but \"method\" with \"grid\", found \"points\""},
        {"\"sampling\": {\"method\": \"random\", \"point\": 3}",
         "$.sampling: expected \"method\", \"points\" or \"seed\", found \"point\"; did you mean "
         "\"points\"?"},
        {"\"sampling\": {\"method\": \"random\"}",
         "$.sampling.points: expected an integer from 1 to 1000000, found nothing"},
        {"\"sampling\": {\"method\": \"random\", \"points\": 0}",
         "$.sampling.points: expected an integer from 1 to 1000000, found 0"},
        {"\"sampling\": {\"method\": \"random\", \"points\": 3, \"seed\": 0}",
         "$.sampling.seed: expected an integer from 1 to 4294967295, found 0"},
        {"\"sampling\": {\"method\": \"random\", \"points\": 3, \"seed\": 1.5}",
         "$.sampling.seed: expected an integer from 1 to 4294967295, found 1.5"},
        {"\"where\": true", "$.where: expected an SQL condition, a string, found a boolean"},
        {"\"axes\": {\"probe.size\": {\"range\": [0, 1000000]}, \"probe.variant\": {\"range\": [0, "
         "2000000]}}",
         "$.axes['probe.size'].range: expected at most 1000000 values, found more"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        assert_null(load_rest(cases[i].rest));
        assert_string_equal(message(), cases[i].message);
    }
}

/* What the command has can be listed. */
static void test_built_in_analyses(void **state) {
    (void)state;
    const char *path =
        folder_write_text("spec.json", "{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": \"probe\"}");
    assert_null(ws_spec_load(path, ws_analyses(), NULL, &err));
    assert_string_equal(message(),
                        "$.analysis: expected the name of an analysis (`warpsweep list`), found \"probe\"");
}

static void test_no_file(void **state) {
    (void)state;
    assert_null(ws_spec_load("/nowhere/spec.json", probe_analyses, NULL, &err));
    assert_string_equal(err.text, "/nowhere/spec.json: cannot be read: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_least),
        cmocka_unit_test(test_gpu_in_order),
        cmocka_unit_test(test_axis_values),
        cmocka_unit_test(test_ranges_of_large_integers),
        cmocka_unit_test(test_ranges_of_fractions),
        cmocka_unit_test(test_baseline_in_another_form),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_errors_of_parameters),
        cmocka_unit_test(test_built_in_analyses),
        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests_name("spec", tests, folder_setup, folder_teardown);
}
