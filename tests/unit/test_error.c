/* Errors: codes, prefixes, texts that are too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "warpsweep/error.h"

#include <stdio.h>
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

/* A text that is too long never ends within a character, wherever the cut falls. */
static void test_cut_characters(void **state) {
    (void)state;
    char many[2000], prefix[8];
    for (size_t i = 0; i + 4 < sizeof many; i += 4) memcpy(many + i, "\xf0\x9f\x98\x80", 5);
    for (int shift = 0; shift < 4; shift++) {
        ws_error err = WS_NO_ERROR;
        ws_fail(&err, WS_ERROR_IO, "%.*s%s", shift, "xyz", many);
        assert_true(ws_is_utf8(err.text));
        assert_int_equal(strlen(err.text), shift + (sizeof err.text - 1 - (size_t)shift) / 4 * 4);
        snprintf(prefix, sizeof prefix, "%.*s", shift + 1, "wxyz");
        ws_fail_prefix(&err, "%s", prefix);
        assert_true(ws_is_utf8(err.text));
        assert_in_range(strlen(err.text), sizeof err.text - 4, sizeof err.text - 1);
    }
}

/* What is no UTF-8 in a text that fits, such as a path in Latin-1, stays as it is. */
static void test_other_bytes(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_fail(&err, WS_ERROR_IO, "%s", "caf\xe9");
    assert_string_equal(err.text, "caf\xe9");
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
        cmocka_unit_test(test_fail_and_prefix), cmocka_unit_test(test_long_prefixes),
        cmocka_unit_test(test_cut_characters),  cmocka_unit_test(test_other_bytes),
        cmocka_unit_test(test_exit_status),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
