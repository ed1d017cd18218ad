/* Which combinations share a replay, those that differ in nothing that has an effect; and what is told of such. */
#include "sweep/grid/grid.h"
#include "sweep/grid/idle.h"
#include "sweep/grid/repeats.h"
#include "warpsweep/mechanism.h"

#include "../support/folder.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;

static void expect_replays(size_t combinations, uint32_t replays, const char *more) {
    char text[1000];
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": %s}", more);
    ws_spec *spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    assert_int_equal(grid->count, combinations);
    assert_int_equal(grid->combos[grid->count - 1].replay + 1, replays);
    ws_grid_free(grid);
    ws_spec_free(spec);
}

static void what_has_no_effect_shares_a_replay(void **state) {
    (void)state;
    expect_replays(
        4, 3, "\"timed\", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mrpb.entries\": [4, 8]}");
    expect_replays(
        4, 3,
        "\"timed\", \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mrpb.entries\": [4, 8]}, "
        "\"derived\": {\"mrpb.latency\": \"mrpb_entries\"}");
}

/* Whether a program runs again and again matters beside another one. */
static void what_has_an_effect_beside_another_program(void **state) {
    (void)state;
    expect_replays(2, 1, "\"timed\", \"axes\": {\"core.loop_programs\": [false, true]}");
    expect_replays(2, 2, "\"timed\", \"with\": \"*.wst\", \"axes\": {\"core.loop_programs\": [false, true]}");
}

/* What is refused has its own, for the reason may be what otherwise has no effect. */
static void what_is_refused_shares_none(void **state) {
    (void)state;
    expect_replays(4, 3, "\"timed\", \"axes\": {\"l1.size_B\": [16384, 10000], \"mrpb.entries\": [4, 8]}");
}

static void expect_keys(const char *more, const char *const keys[4]) {
    char text[1000];
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": %s}", more);
    ws_spec *spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    assert_int_equal(grid->count, 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(grid->combos[i].key, keys[i]);
    ws_grid_free(grid);
    ws_spec_free(spec);
}

/* Those that share the stream are next to each other: with the default lines, then with others. */
static void streams_are_adjacent(void **state) {
    (void)state;
    static const char *const keys[] = {"", "sm.scheduler=lrr", "coalesce.line_B=64",
                                       "coalesce.line_B=64;sm.scheduler=lrr"};
    expect_keys(
        "\"window\", \"axes\": {\"coalesce.line_B\": [64, 128], \"sm.scheduler\": [\"lrr\", \"gto\"]}", keys);
}

/* ---- what is told of axes without effect */

static void expect_told(void (*tell)(const ws_spec *spec, const ws_grid *grid, FILE *out), const char *more,
                        const char *expected) {
    char text[1000], *told = NULL;
    size_t size;
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": %s}", more);
    ws_spec *spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    FILE *out = open_memstream(&told, &size);
    tell(spec, grid, out);
    fclose(out);
    assert_string_equal(told, expected);
    free(told);
    ws_grid_free(grid);
    ws_spec_free(spec);
}

static void what_no_replay_needs(void **state) {
    (void)state;
    static const char *const axes[][2] = {{"gpu.clusters", "[1, 2]"},
                                          {"order.issue_meta", "[false, true]"},
                                          {"limit.ctas", "[1, 2]"},
                                          {"sm.scheduler", "[\"lrr\", \"gto\"]"}};
    for (size_t i = 0; i < WS_COUNT(axes); i++) {
        char more[200], expected[200];
        snprintf(more, sizeof more, "\"spatial\", \"axes\": {\"%s\": %s}", axes[i][0], axes[i][1]);
        snprintf(expected, sizeof expected,
                 "s: $.axes['%s'] changes nothing: the analysis spatial needs no replay\n", axes[i][0]);
        expect_told(ws_tell_idle, more, expected);
    }
    expect_told(ws_tell_idle, "\"spatial\", \"axes\": {\"sm.ctas\": [1, 2]}", "");
}

/* One that has an effect in some points is none to tell of. */
static void what_some_points_heed(void **state) {
    (void)state;
    expect_told(ws_tell_idle,
                "\"timed\", \"axes\": {\"sm.scheduler\": [\"gto\", \"swl\"], \"core.swl_warps\": [4, 8]}",
                "");
    expect_told(ws_tell_idle, "\"timed\", \"axes\": {\"core.swl_warps\": [4, 8]}",
                "s: $.axes['core.swl_warps'] changes nothing: no point has sm.scheduler swl\n");
}

/* ilp is refused on such a core; icc is on all the same. */
static void what_is_on_beside_what_is_refused(void **state) {
    (void)state;
    static const char refused[] = "\"timed\", \"axes\": {\"zip\": {\"mechanism.core\": [\"none\", \"ilp\"], "
                                  "\"mechanism.cluster\": [\"none\", \"icc\"]}, "
                                  "\"icc.merge_entries\": [4, 8]}";
    char both[2][128];
    for (int i = 0; i < 2; i++)
        snprintf(both[i], sizeof both[i],
                 "icc.merge_entries=%d;mechanism.cluster=icc;mechanism.core=ilp/ilp@%u/icc@%u", i ? 8 : 4,
                 ws_mechanism_ilp.version, ws_mechanism_icc.version);
    expect_told(ws_tell_idle, refused, "");
    expect_keys(refused,
                (const char *const[]){"icc.merge_entries=4", "icc.merge_entries=8", both[0], both[1]});
}

/* Entries repeat where mrpb is off; lines, which are idle where coarse is off, have one value there. */
static void which_axes_repeat(void **state) {
    (void)state;
    expect_told(
        ws_tell_repeats,
        "\"timed\", \"axes\": {\"zip\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"mechanism.fetch\": "
        "[\"coarse\", \"none\"]}, \"mrpb.entries\": [4, 8], \"coarse.lines\": [2, 4]}, \"where\": "
        "\"coarse_lines = 2 OR mechanism_fetch = 'coarse'\"",
        "s: 2 of 6 combinations differ from others only in axes that change nothing there (mrpb.entries), "
        "and "
        "have the same results: they share replays, and $.where can leave them out\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_effect_shares_a_replay),
        cmocka_unit_test(what_has_an_effect_beside_another_program),
        cmocka_unit_test(what_is_refused_shares_none),
        cmocka_unit_test(streams_are_adjacent),
        cmocka_unit_test(what_no_replay_needs),
        cmocka_unit_test(what_some_points_heed),
        cmocka_unit_test(what_is_on_beside_what_is_refused),
        cmocka_unit_test(which_axes_repeat),
    };
    return cmocka_run_group_tests_name("grid", tests, folder_setup, folder_teardown);
}
