/* Points are stored under the versions of the mechanisms that they have on. The linker replaces ws_mechanisms_of() by
 * __wrap_ws_mechanisms_of(), which gives the mechanism icc another version, and mrpb the first. */
#include "sweep/grid/grid.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/timed.h"

#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_error err;
static ws_mechanism icc, mrpb;

bool __real_ws_mechanisms_of(const ws_config *config, ws_mechanism_set *set, ws_error *error);
bool __wrap_ws_mechanisms_of(const ws_config *config, ws_mechanism_set *set, ws_error *error);

bool __wrap_ws_mechanisms_of(const ws_config *config, ws_mechanism_set *set, ws_error *error) {
    bool ok = __real_ws_mechanisms_of(config, set, error);
    for (size_t i = 0; i < set->count; i++) {
        if (set->at[i] == &ws_mechanism_icc) set->at[i] = &icc;
        if (set->at[i] == &ws_mechanism_mrpb) set->at[i] = &mrpb;
    }
    return ok;
}

/* Checks the keys, and the identifiers that follow from them, of points without a mechanism, with icc, with both, with
 * mrpb. */
static void expect_keys(uint32_t version, const char *const expected[4]) {
    static const char text[] = "{\"name\": \"s\", \"traces\": \"t.wst\", \"analysis\": \"timed\", \"axes\": "
                               "{\"mechanism.cluster\": [\"none\", \"icc\"], "
                               "\"mechanism.front\": [\"none\", \"mrpb\"]}}";
    char key[400];
    icc = ws_mechanism_icc;
    icc.version = version;
    mrpb = ws_mechanism_mrpb;
    mrpb.version = 1;
    ws_spec *spec = ws_spec_load(folder_write_text("spec.json", text), ws_analyses(), NULL, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s", err.text);
    assert_int_equal(grid->count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(grid->combos[i].key, expected[i]);
        snprintf(key, sizeof key, "timed@%u/timed@%d/%s", ws_analysis_find("timed", NULL)->version,
                 WS_TIMED_VERSION, expected[i]);
        assert_int_equal(grid->combos[i].id, ws_store_id(key));
    }
    ws_grid_free(grid);
    ws_spec_free(spec);
}

/* Version 1 does not appear in the key, which is therefore the same as before there were versions. */
static void keys_have_versions(void **state) {
    (void)state;
#define ICC  "mechanism.cluster=icc"
#define MRPB "mechanism.front=mrpb"
    static const char *const first[] = {"", ICC, ICC ";" MRPB, MRPB}, *const raised[] = {
                                                                          "", ICC "/icc@2",
                                                                          ICC ";" MRPB "/icc@2", MRPB};
    expect_keys(1, first);
    expect_keys(2, raised);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_have_versions)};
    return cmocka_run_group_tests_name("mechanism version", tests, folder_setup, folder_teardown);
}
