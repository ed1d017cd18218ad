/* In which axes and derived parameters a point agrees with its baseline. */
#include "sweep/grid/baselines.h"

#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

typedef struct scene {
    ws_spec *spec;
    ws_grid *grid;
} scene;

static scene open_scene(const char *more) {
    char text[1000];
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": \"timed\", %s}",
             more);
    scene s = {.spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err)};
    s.grid = s.spec ? ws_grid_new(s.spec, &err) : NULL;
    if (!s.grid) fail_msg("%s", err.text);
    return s;
}

static void close_scene(scene *s) {
    ws_grid_free(s->grid);
    ws_spec_free(s->spec);
}

static void expect_compared(const char *more, const char *names) {
    scene s = open_scene(more);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < s.spec->axis_count; i++)
        if (ws_grid_compares_equals(s.spec, s.grid, i)) fprintf(out, "%s ", s.spec->axes[i].name);
    for (size_t i = 0; i < s.spec->derived_count; i++)
        if (ws_grid_compares_derived(s.spec, s.grid, i)) fprintf(out, "%s ", s.spec->derived[i].name);
    fclose(out);
    assert_string_equal(text, names);
    free(text);
    close_scene(&s);
}

static void axes_of_their_own(void **state) {
    (void)state;
    expect_compared("\"axes\": {\"l1.size_B\": [16384, 32768], \"l1.latency\": [1, 2]}, \"baseline\": "
                    "{\"l1.latency\": 1}",
                    "l1.size_B ");
    expect_compared("\"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mrpb.entries\": [4, 8]}", "");
}

/* In a zip with a named axis the others follow from it, unless several of its baselines differ in them. */
static void zips(void **state) {
    (void)state;
    expect_compared("\"axes\": {\"zip\": {\"l1.size_B\": [16384, 32768], \"l1.latency\": [1, 2]}}, "
                    "\"baseline\": {\"l1.size_B\": 16384}",
                    "");
    expect_compared("\"axes\": {\"zip\": {\"l1.latency\": [1, 2], \"l1.size_B\": [16384, 32768]}, "
                    "\"l2.latency\": [3, 4]}, "
                    "\"baseline\": {\"l1.size_B\": 16384}",
                    "l2.latency ");
    expect_compared("\"axes\": {\"zip\": {\"l1.size_B\": [16384, 16384, 32768], \"l1.latency\": [1, 2, 1]}}, "
                    "\"baseline\": {\"l1.size_B\": 16384}",
                    "l1.latency ");
    /* the first of three baselines, and the last, have the same latency */
    expect_compared("\"axes\": {\"zip\": {\"l1.size_B\": [16384, 16384, 16384], \"l1.latency\": [5, 6, 5], "
                    "\"dram.channels\": "
                    "[1, 1, 2]}}, \"baseline\": {\"l1.size_B\": 16384}",
                    "l1.latency dram.channels ");
}

/* What the baselines differ in need not have an effect in each of them. */
static void zips_with_mechanisms(void **state) {
    (void)state;
    static const char zip[] =
        "\"axes\": {\"zip\": {\"l1.size_B\": [16384, 16384, 32768], \"mechanism.front\": [\"mrpb\", "
        "\"none\", "
        "\"mrpb\"], "
        "\"dram.channels\": [%d, %d, 1], \"mrpb.entries\": [4, 8, 4]}}, \"baseline\": {\"l1.size_B\": 16384, "
        "\"mechanism.front\": null}";
    char more[400];
    for (int channels = 1; channels <= 2; channels++) { /* the one with the mechanism comes first, or last */
        snprintf(more, sizeof more, zip, channels, 3 - channels);
        expect_compared(more, "mechanism.front dram.channels mrpb.entries ");
    }
}

static void derived_parameters(void **state) {
    (void)state;
    static const char axes[] =
        "\"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mrpb.entries\": [4, 8]}, ";
    char more[500];
    snprintf(more, sizeof more,
             "%s\"derived\": {\"l1.latency\": \"mrpb_entries\", \"l2.latency\": \"l1_ways\"}", axes);
    expect_compared(more, "l1.latency ");
    snprintf(more, sizeof more, "%s\"derived\": {\"l1.latency\": \"iif(mechanism_front = 'none', 1, 2)\"}",
             axes);
    expect_compared(more, ""); /* it follows from the axis that is named */
}

static void whether_there_is_one(void **state) {
    (void)state;
    static const struct {
        const char *where;
        bool has;
    } cases[] = {{"1", true}, {"l1_size_B > 16384", false}, {"l1_latency > 1", true}};
    for (size_t i = 0; i < 3; i++) {
        char more[300];
        snprintf(more, sizeof more,
                 "\"axes\": {\"l1.size_B\": [16384, 32768], \"l1.latency\": [1, 2]}, \"where\": \"%s\", "
                 "\"baseline\": {\"l1.size_B\": 16384}",
                 cases[i].where);
        scene s = open_scene(more);
        assert_int_equal(ws_grid_has_baseline(s.spec, s.grid), cases[i].has);
        close_scene(&s);
    }
}

static void gpus(void **state) {
    (void)state;
    char one[200], two[200], more[1000];
    snprintf(one, sizeof one, "%s",
             folder_write_text("one.json", "{\"name\": \"one\", \"summary\": \"s\", \"parameters\": {}}"));
    snprintf(two, sizeof two, "%s",
             folder_write_text("two.json",
                               "{\"name\": \"two\", \"summary\": \"s\", \"parameters\": {\"l1.latency\": "
                               "{\"value\": 9, \"source\": \"x\"}}}"));
    for (int named = 0; named < 2; named++) {
        snprintf(more, sizeof more,
                 "\"axes\": {\"gpu\": [\"%s\", \"%s\"]}, \"baseline\": {\"gpu\": \"%s\"}, "
                 "\"where\": \"l1_latency = 9\"",
                 one, two, named ? two : one);
        scene s = open_scene(more);
        assert_int_equal(ws_grid_has_baseline(s.spec, s.grid), named);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_of_their_own),    cmocka_unit_test(zips),
        cmocka_unit_test(zips_with_mechanisms), cmocka_unit_test(derived_parameters),
        cmocka_unit_test(whether_there_is_one), cmocka_unit_test(gpus),
    };
    return cmocka_run_group_tests_name("baselines", tests, folder_setup, folder_teardown);
}
