/* Loading JSON files: byte order marks and carriage returns, and the messages for files that are not JSON or cannot be
 * read. */
#include "../../src/param/json_file.h"

#include "../support/folder.h"
#include "base/array.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char whole[] = "{\"a\": [1, \"\xc3\xa4\"]}";

static void a_mark_and_carriage_returns_do_not_matter(void **state) {
    (void)state;
    static const char *const texts[] = {
        whole,
        "\xef\xbb\xbf{\"a\": [1, \"\xc3\xa4\"]}",
        "\xef\xbb\xbf{\"a\":\r\n [1, \"\xc3\xa4\"]}\r\n",
    };
    json_t *expected = json_loads(whole, 0, NULL);
    for (size_t i = 0; i < WS_COUNT(texts); i++) {
        ws_error err = WS_NO_ERROR;
        char *text = NULL;
        json_t *found = ws_json_load(folder_write_text("a.json", texts[i]), &text, &err);
        if (!found) fail_msg("%zu: %s", i, err.text);
        assert_true(json_equal(found, expected));
        assert_string_equal(text, texts[i] + (i ? 3 : 0));
        json_decref(found);
        free(text);
    }
    json_decref(expected);
}

static void what_is_no_json_is_told_with_its_place(void **state) {
    (void)state;
#define CASE(text, message)                                                                                  \
    { text, sizeof text - 1, message }
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        CASE("", ":1:0: not JSON: '[' or '{' expected near end of file"),
        CASE("\xef\xbb\xbf", ":1:0: not JSON: '[' or '{' expected near end of file"),
        CASE("\xef\xbb", ":1:0: not JSON: unable to decode byte 0xef"),
        CASE("{", ":1:1: not JSON: string or '}' expected near end of file"),
        CASE("{\"a\": 1,\n \"a\": 2}", ":2:4: duplicate object key near '\"a\"'"),
        CASE("{\"a\": 99999999999999999999}", ":1:26: too big integer"),
        CASE("{\"a\": -99999999999999999999}", ":1:27: too big negative integer"),
        CASE("{\"a\": 1e999}", ":1:11: real number overflow"),
        CASE("\xef\xbb\xbf{\"a\": x}", ":1:7: not JSON: invalid token near 'x'"),
        CASE("{\"a\": \"\xff\"}", ":1:7: not JSON: unable to decode byte 0xff near '\"'"),
        CASE("[1, 2,]", ":1:7: not JSON: unexpected token near ']'; take out the comma before it"),
        CASE("{\"a\": [],\r\n }",
             ":2:2: not JSON: string or '}' expected near '}'; take out the comma before it"),
        CASE("[,]", ":1:2: not JSON: unexpected token near ','"),
        CASE("[1, 2 }", ":1:7: not JSON: ']' expected near '}'"),
        CASE("{} x", ":1:4: not JSON: end of file expected near 'x'"),
        CASE("{}\0{", ":1:3: not JSON: end of file expected"),
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        const char *path = folder_write("b.json", cases[i].bytes, cases[i].size);
        char *text = NULL;
        if (ws_json_load(path, &text, &err)) fail_msg("%zu is taken for JSON", i);
        assert_non_null(text);
        free(text);
        assert_int_equal(err.code, WS_ERROR_SPEC);
        assert_memory_equal(err.text, path, strlen(path));
        if (strncmp(err.text + strlen(path), cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("expected \"%s\" in: %s", cases[i].message, err.text);
    }
}

static void what_cannot_be_read_is_told(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    char *text = NULL, expected[4200];
    assert_null(ws_json_load(folder_path("none.json"), &text, &err));
    snprintf(expected, sizeof expected, "%s: cannot be read: No such file or directory",
             folder_path("none.json"));
    assert_string_equal(err.text, expected);
    assert_null(ws_json_load(folder_path("."), &text, &err));
    snprintf(expected, sizeof expected, "%s: cannot be read: Is a directory", folder_path("."));
    assert_string_equal(err.text, expected);
    assert_null(text);
}

static void on_alarm(int number) {
    (void)number;
}

static void a_signal_ends_the_wait_for_a_pipe(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    const struct sigaction alarmed = {.sa_handler = on_alarm};
    assert_int_equal(mkfifo(folder_path("pipe.json"), 0600), 0);
    sigaction(SIGALRM, &alarmed, NULL);
    ualarm(20000, 20000); /* again, in case that one comes before the wait */
    assert_null(ws_json_load(folder_path("pipe.json"), NULL, &err));
    ualarm(0, 0);
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_non_null(strstr(err.text, "pipe.json: stopped before it was read"));
}

static uint64_t allocations, failing;

static void *failing_malloc(size_t size) {
    if (++allocations != failing) return malloc(size);
    errno = ENOMEM;
    return NULL;
}

/* Each allocation of jansson's fails in turn. Where a string has no room, it takes the text for wrong or leaves a
 * character out. */
static void memory_that_ran_out_is_told(void **state) {
    (void)state;
    const char *path =
        folder_write_text("c.json", "{\"a\": [\"a text of more than 32 characters, and a number\", 7]}");
    failing = 0;
    do {
        ws_error err = WS_NO_ERROR;
        failing++;
        allocations = 0;
        json_t *found = ws_json_load(path, NULL, &err);
        assert_int_equal(err.code, allocations < failing ? WS_ERROR_NONE : WS_ERROR_MEMORY);
        assert_int_equal(found != NULL, allocations < failing);
        json_decref(found);
    } while (allocations >= failing);
    assert_true(failing > 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_and_carriage_returns_do_not_matter),
        cmocka_unit_test(what_is_no_json_is_told_with_its_place),
        cmocka_unit_test(what_cannot_be_read_is_told),
        cmocka_unit_test(a_signal_ends_the_wait_for_a_pipe),
        cmocka_unit_test(memory_that_ran_out_is_told),
    };
    json_set_alloc_funcs(failing_malloc, free);
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
