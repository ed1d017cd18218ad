/* Which combinations share a replay: those that differ in nothing that has an effect. */
#include "sweep/grid/grid.h"

#include "../support/folder.h"

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

/* Those that share the stream are next to each other: with the default lines, then with others. */
static void streams_are_adjacent(void **state) {
    (void)state;
    static const char text[] = "{\"name\": \"s\", \"traces\": \"*.wst\", \"analysis\": \"window\", \"axes\": "
                               "{\"coalesce.line_B\": [64, 128], \"sm.scheduler\": [\"lrr\", \"gto\"]}}";
    static const char *const keys[] = {"", "sm.scheduler=lrr", "coalesce.line_B=64",
                                       "coalesce.line_B=64;sm.scheduler=lrr"};
    ws_spec *spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    for (size_t i = 0; i < 4; i++) assert_string_equal(grid->combos[i].key, keys[i]);
    ws_grid_free(grid);
    ws_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_effect_shares_a_replay),
        cmocka_unit_test(what_has_an_effect_beside_another_program),
        cmocka_unit_test(what_is_refused_shares_none),
        cmocka_unit_test(streams_are_adjacent),
    };
    return cmocka_run_group_tests_name("grid", tests, folder_setup, folder_teardown);
}
