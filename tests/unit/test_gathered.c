/* What a reader gathers is written launch by launch; what a trace cannot hold is an error that names the launch. */
#include "trace/import/gathered.h"

#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LAUNCHES = 3, TOO_LARGE = 2 };

/* Reads nothing of the text: makes launches without instructions, of which one has a block that is too large. */
static bool read_large(ws_text *text, ws_gathered *g, ws_error *err) {
    (void)text;
    for (uint32_t launch = 1; launch <= LAUNCHES; launch++) {
        ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
        if (launch == TOO_LARGE) kernel.block.x = WS_CTA_WARPS_MAX * 32 + 1;
        if (!ws_gathered_launch_new(g, &kernel, err)) return false;
    }
    return true;
}

static void the_launch_that_a_trace_cannot_hold_is_named(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    const char *source = folder_write_text("t.txt", "\n");
    assert_false(
        ws_gathered_import(source, folder_path("t.wst"), &(ws_import_options){0}, "test", read_large, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(strstr(err.text, "t.txt: launch 2: kernel k: expected a grid of 1 to 2^40 CTAs"));
    assert_false(folder_has("t.wst"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_launch_that_a_trace_cannot_hold_is_named),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
