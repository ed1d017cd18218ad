/* Errors: codes, prefixes, texts that are too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "warpsweep/error.h"

#include <string.h>

static void test_fail_and_prefix(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    assert_false(ws_fail(&err, WS_ERROR_TRACE, "expected %d", 3));
    assert_false(ws_fail_prefix(&err, "%s:%d", "a.traceg", 7));
    assert_string_equal(err.text, "a.traceg:7: expected 3");
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_false(ws_fail(NULL, WS_ERROR_IO, "nobody listens"));
    assert_false(ws_fail_prefix(NULL, "nobody listens"));
}

/* Whatever the lengths of prefix and text, the result fits into the buffer and keeps its beginning. */
static void test_long_prefixes(void **state) {
    (void)state;
    char prefix[1200];
    for (size_t length = 1000; length < 1100; length++) {
        memset(prefix, 'p', length);
        prefix[length] = '\0';
        ws_error err = WS_NO_ERROR;
        ws_fail(&err, WS_ERROR_IO, "%0500d", 0);
        ws_fail_prefix(&err, "%s", prefix);
        size_t used = strlen(err.text);
        assert_in_range(used, 500, sizeof err.text - 1);
        if (length + 2 < sizeof err.text) assert_memory_equal(err.text, prefix, length);
    }
}

static void test_exit_status(void **state) {
    (void)state;
    assert_int_equal(ws_error_exit_status(WS_ERROR_NONE), 0);
    assert_int_equal(ws_error_exit_status(WS_ERROR_IO), 1);
    assert_int_equal(ws_error_exit_status(WS_ERROR_USAGE), 2);
    assert_int_equal(ws_error_exit_status(WS_ERROR_SPEC), 3);
    assert_int_equal(ws_error_exit_status(WS_ERROR_INTERRUPTED), 130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_and_prefix),
        cmocka_unit_test(test_long_prefixes),
        cmocka_unit_test(test_exit_status),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
