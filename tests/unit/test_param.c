/* Parameters: bounds, nearest names, canonical keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/nearest.h"
#include "warpsweep/param.h"

#include <stdlib.h>
#include <string.h>

typedef struct queue_params {
    int64_t size, depth;
    double load;
    bool fence;
    int kind;
} queue_params;

static const char *const kinds[] = {"fifo", "sliding", NULL};

static const ws_param queue_param_list[] = {
    WS_INT(queue_params, size, "queue.size", "requests", 32, 0, 65536, "tags"),
    WS_INT(queue_params, depth, "queue.depth", "", 1, -9007199254740992.0, 9007199254740992.0, "how deep"),
    WS_REAL(queue_params, load, "queue.load", "", 0.5, 0, 1, "share in use"),
    WS_BOOL(queue_params, fence, "queue.fence", false, "stores evict"),
    WS_CHOICE(queue_params, kind, "queue.kind", 0, kinds, "which end leaves"),
};

static bool queue_rules(const void *params, ws_error *err) {
    const queue_params *p = params;
    if (p->kind == 1 && p->fence)
        return ws_fail(err, WS_ERROR_SPEC, "queue.fence needs queue.kind = fifo; found sliding");
    return true;
}

static const ws_need queue_needs[] = {
    {.param = "queue.size", .of = "queue.kind", .value = "sliding"},
    {.param = "queue.depth",
     .of = "lane.width",
     .value = "4",
     .other_than = true,
     .otherwise = "is what the lanes say"},
    {.param = "queue.load", .of = "bank.count", .value = "2"},
    {.param = "queue.fence", .of = "queue.size", .or_of = "lane.width", .value = "8", .or_programs = true},
    {.param = "lane.width", .or_programs = true},
};
static const ws_component queue = {.name = "queue",
                                   .summary = "a queue",
                                   .source = "",
                                   .params = queue_param_list,
                                   .param_count = 5,
                                   .struct_size = sizeof(queue_params),
                                   .needs = queue_needs,
                                   .need_count = 5,
                                   .validate = queue_rules};

typedef struct lane_params {
    int64_t width;
} lane_params;

static const ws_param lane_param_list[] = {WS_INT(lane_params, width, "lane.width", "B", 4, 1, 16, "bytes")};
static const ws_component lane = {.name = "lane",
                                  .summary = "a lane",
                                  .source = "",
                                  .params = lane_param_list,
                                  .param_count = 1,
                                  .struct_size = sizeof(lane_params)};

static const ws_component *const both[] = {&queue, &lane};

static bool set(ws_config *config, const char *name, const char *json, ws_error *err) {
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    bool ok = ws_config_set(config, name, value, "$.base", err);
    json_decref(value);
    return ok;
}

static void must_set(ws_config *config, const char *name, const char *json) {
    ws_error err = WS_NO_ERROR;
    if (!set(config, name, json, &err)) fail_msg("%s", err.text);
}

/* ---- defaults, values */

static void test_defaults(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    const queue_params *q = ws_config_get(config, &queue);
    assert_int_equal(q->size, 32);
    assert_int_equal(q->depth, 1);
    assert_true(q->load == 0.5);
    assert_false(q->fence);
    assert_int_equal(q->kind, 0);
    assert_int_equal(((const lane_params *)ws_config_get(config, &lane))->width, 4);
    ws_component other = lane;
    assert_null(ws_config_get(config, &other));
    ws_config_free(config);
    ws_config_free(NULL);
}

static void test_copy_is_independent(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    ws_config *copy = ws_config_copy(config);
    must_set(copy, "queue.size", "7");
    assert_int_equal(((const queue_params *)ws_config_get(config, &queue))->size, 32);
    assert_int_equal(((const queue_params *)ws_config_get(copy, &queue))->size, 7);
    ws_config_free(config);
    ws_config_free(copy);
}

static void test_json_round_trip(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    must_set(config, "queue.size", "65536");
    must_set(config, "queue.depth", "-9007199254740992");
    must_set(config, "queue.load", "0.1");
    must_set(config, "queue.fence", "true");
    must_set(config, "queue.kind", "\"sliding\"");
    must_set(config, "lane.width", "16");
    json_t *object = ws_config_json(config);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"queue.size\":65536,\"queue.depth\":-9007199254740992,\"queue.load\":"
                              "0.10000000000000001,\"queue.fence\":true,"
                              "\"queue.kind\":\"sliding\",\"lane.width\":16}");
    free(text);

    ws_config *again = ws_config_new(both, 2);
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        ws_error err = WS_NO_ERROR;
        assert_true(ws_config_set(again, name, value, "$", &err));
        json_t *one = ws_config_value(config, name);
        assert_true(json_equal(one, value));
        json_decref(one);
    }
    json_t *object_again = ws_config_json(again);
    assert_true(json_equal(object, object_again));
    assert_null(ws_config_value(config, "queue.nothing"));
    json_decref(object);
    json_decref(object_again);
    ws_config_free(config);
    ws_config_free(again);
}

/* ---- errors */

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *name, *json, *text;
    } cases[] = {
        {"queue.size", "65537",
         "$.base: expected an integer from 0 to 65536 (requests) for queue.size, found 65537"},
        {"queue.size", "-1",
         "$.base: expected an integer from 0 to 65536 (requests) for queue.size, found -1"},
        {"queue.size", "1.5",
         "$.base: expected an integer from 0 to 65536 (requests) for queue.size, found 1.5"},
        {"queue.size", "\"8\"",
         "$.base: expected an integer from 0 to 65536 (requests) for queue.size, found \"8\""},
        {"queue.size", "null",
         "$.base: expected an integer from 0 to 65536 (requests) for queue.size, found null"},
        {"queue.depth", "9007199254740993",
         "$.base: expected an integer from -9007199254740992 to 9007199254740992 for queue.depth, found "
         "9007199254740993"},
        {"queue.load", "1.01", "$.base: expected a number from 0 to 1 for queue.load, found 1.01"},
        {"queue.load", "false", "$.base: expected a number from 0 to 1 for queue.load, found false"},
        {"queue.fence", "1", "$.base: expected true or false for queue.fence, found 1"},
        {"queue.kind", "\"slidng\"",
         "$.base: expected one of \"fifo\", \"sliding\" for queue.kind, found \"slidng\"; did you mean "
         "\"sliding\"?"},
        {"queue.kind", "\"lru\"",
         "$.base: expected one of \"fifo\", \"sliding\" for queue.kind, found \"lru\""},
        {"queue.kind", "0", "$.base: expected one of \"fifo\", \"sliding\" for queue.kind, found 0"},
        {"queue.sise", "1",
         "$.base: expected a parameter, found \"queue.sise\"; did you mean \"queue.size\"?"},
        {"queue_size", "1",
         "$.base: expected a parameter, found \"queue_size\"; did you mean \"queue.size\"?"},
        {"width", "1", "$.base: expected a parameter, found \"width\"; did you mean \"lane.width\"?"},
        {"lane.queue", "1",
         "$.base: expected a parameter of lane, found \"lane.queue\"; 'warpsweep help lane' lists them"},
        {"l1.assoc", "1",
         "$.base: expected a parameter of queue, lane, found \"l1.assoc\"; "
         "'warpsweep help l1.assoc' tells whether others have it"},
    };
    ws_config *config = ws_config_new(both, 2);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        assert_false(set(config, cases[i].name, cases[i].json, &err));
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(err.code, WS_ERROR_SPEC);
    }
    /* A refused value changes nothing. */
    char *key = ws_config_key(config, NULL, NULL, 0);
    assert_string_equal(key, "");
    free(key);
    ws_config_free(config);
}

/* ---- values that another parameter has */

typedef struct slot_params {
    int front, core;
} slot_params;

static const char *const fronts[] = {"none", "mrpb", NULL};
static const char *const cores[] = {"none", "slide", "fifo", NULL};
static const ws_param slot_param_list[] = {
    WS_CHOICE(slot_params, front, "slot.front", 0, fronts, "before the L1"),
    WS_CHOICE(slot_params, core, "slot.core", 0, cores, "in the core"),
};
static const ws_component slot = {.name = "slot",
                                  .summary = "slots",
                                  .source = "",
                                  .params = slot_param_list,
                                  .param_count = 2,
                                  .struct_size = sizeof(slot_params)};

static void test_values_of_others(void **state) {
    (void)state;
    static const struct {
        const char *name, *json, *hint;
    } cases[] = {
        {"slot.core", "\"mrpb\"", "found \"mrpb\"; it is a value of slot.front"},
        {"slot.front", "\"slide\"", "found \"slide\"; it is a value of slot.core"},
        {"slot.front", "\"fifo\"", "found \"fifo\"; it is a value of slot.core"}, /* of queue.kind, too */
        {"slot.front", "\"sliding\"", "found \"sliding\"; it is a value of queue.kind"},
        {"queue.kind", "\"mrpb\"", "found \"mrpb\"; it is a value of slot.front"},
        {"queue.kind", "\"slide\"",
         "found \"slide\"; it is a value of slot.core"}, /* although near to sliding */
        {"slot.front", "\"mrpc\"", "found \"mrpc\"; did you mean \"mrpb\"?"},
    };
    static const ws_component *const components[] = {&queue, &lane, &slot};
    ws_config *config = ws_config_new(components, 3);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        assert_false(set(config, cases[i].name, cases[i].json, &err));
        assert_string_equal(strstr(err.text, "found"), cases[i].hint);
    }
    ws_config_free(config);
}

static void test_long_values_are_cut(void **state) {
    (void)state;
    char json[3000] = "\"";
    memset(json + 1, 'x', sizeof json - 3);
    json[sizeof json - 2] = '"';
    ws_config *config = ws_config_new(both, 2);
    ws_error err = WS_NO_ERROR;
    assert_false(set(config, "queue.kind", json, &err));
    assert_true(strlen(err.text) < 200);
    for (size_t shown = 60; shown <= 61; shown++) { /* of the value, with its quotes */
        strcpy(json + shown - 1, "\"");
        assert_false(set(config, "queue.kind", json, &err));
        assert_int_equal(strstr(err.text, shown > 60 ? "x.." : "x\"..") != NULL, shown > 60);
        memset(json + shown - 1, 'x', 2);
    }
    ws_config_free(config);
}

static void test_validate(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    ws_error err = WS_NO_ERROR;
    must_set(config, "queue.fence", "true");
    assert_true(ws_config_validate(config, &err));
    must_set(config, "queue.kind", "\"sliding\"");
    assert_false(ws_config_validate(config, &err));
    assert_string_equal(err.text, "queue.fence needs queue.kind = fifo; found sliding");
    ws_config_free(config);
}

/* ws_config_unmet() returns the first need that is not met. A need for a parameter that the configuration lacks counts
 * as met. */
static void test_needs(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    assert_string_equal(ws_config_unmet(config, "queue.size", false)->of, "queue.kind");
    assert_string_equal(ws_config_unmet(config, "queue.size", true)->of, "queue.kind");
    assert_string_equal(ws_config_unmet(config, "queue.depth", false)->otherwise, "is what the lanes say");
    assert_null(ws_config_unmet(config, "queue.load", false));
    assert_null(ws_config_unmet(config, "queue.kind", false));
    must_set(config, "queue.kind", "\"sliding\"");
    must_set(config, "lane.width", "2");
    assert_null(ws_config_unmet(config, "queue.size", false));
    assert_null(ws_config_unmet(config, "queue.depth", false));
    assert_string_equal(ws_config_unmet(config, "queue.fence", false)->of, "queue.size");
    assert_null(ws_config_unmet(config, "queue.fence", true));
    assert_null(ws_config_unmet(config, "lane.width", false)->of);
    assert_null(ws_config_unmet(config, "lane.width", true));
    must_set(config, "lane.width", "8");
    assert_null(ws_config_unmet(config, "queue.fence", false));
    must_set(config, "lane.width", "2");
    must_set(config, "queue.size", "8");
    assert_null(ws_config_unmet(config, "queue.fence", false));
    ws_config_free(config);
}

/* ---- keys */

static void assert_key(const ws_config *config, const char *const *skip, const ws_component *const *only,
                       size_t only_count, const char *expected) {
    char *key = ws_config_key(config, skip, only, only_count);
    assert_string_equal(key, expected);
    free(key);
}

static void test_key(void **state) {
    (void)state;
    static const char *const skip[] = {"queue.size", "lane.width", NULL};
    const ws_component *const only[] = {&lane};
    ws_config *config = ws_config_new(both, 2);
    assert_key(config, NULL, NULL, 0, "");
    must_set(config, "queue.size", "32"); /* its default */
    assert_key(config, NULL, NULL, 0, "");
    must_set(config, "queue.size", "64");
    must_set(config, "queue.load", "0.1");
    must_set(config, "queue.kind", "\"sliding\"");
    must_set(config, "lane.width", "2");
    must_set(config, "queue.fence", "true");
    assert_key(config, NULL, NULL, 0,
               "lane.width=2;queue.fence=true;queue.kind=sliding;queue.load=0.1;queue.size=64");
    assert_key(config, skip, NULL, 0, "queue.fence=true;queue.kind=sliding;queue.load=0.1");
    assert_key(config, NULL, only, 1, "lane.width=2");
    assert_key(config, skip, only, 1, "");
    ws_config_free(config);
}

/* Reals that differ in their last bit have different keys; equal ones the same, also zero and minus zero. */
static void test_key_of_reals(void **state) {
    (void)state;
    ws_config *config = ws_config_new(both, 2);
    must_set(config, "queue.load", "0.30000000000000004");
    assert_key(config, NULL, NULL, 0, "queue.load=0.30000000000000004");
    must_set(config, "queue.load", "0.3");
    assert_key(config, NULL, NULL, 0, "queue.load=0.3");
    must_set(config, "queue.load", "-0.0");
    assert_key(config, NULL, NULL, 0, "queue.load=0");
    must_set(config, "queue.load", "1");
    assert_key(config, NULL, NULL, 0, "queue.load=1");
    ws_config_free(config);
}

static void test_columns(void **state) {
    (void)state;
    char column[64];
    ws_param_column("window.size", column, sizeof column);
    assert_string_equal(column, "window_size");
    ws_param_column("a.b.c", column, 4);
    assert_string_equal(column, "a_b");
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const names[] = {"traces", "kernels", "analysis", "axes", "base", "baseline"};
    static const struct {
        const char *asked, *answer;
    } cases[] = {
        {"trace", "traces"},
        {"Kernels", "kernels"},
        {"anaylsis", "analysis"},
        {"axis", "axes"},
        {"bsae", "base"},
        {"zzz", NULL},
        {"", NULL},
        {"ker", "kernels"},
        {"bas", "base"},
        {"baselin", "baseline"},
        {"ke", NULL},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_nearest nearest = ws_nearest_to(cases[i].asked);
        for (size_t j = 0; j < 6; j++) ws_nearest_offer(&nearest, names[j]);
        if (cases[i].answer)
            assert_string_equal(nearest.best, cases[i].answer);
        else
            assert_null(nearest.best);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_copy_is_independent),
        cmocka_unit_test(test_json_round_trip),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_values_of_others),
        cmocka_unit_test(test_long_values_are_cut),
        cmocka_unit_test(test_validate),
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_key_of_reals),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests_name("param", tests, NULL, NULL);
}
