/* Lines of plain and packed files, of any length, wherever chunks end. */
#include "trace/import/text_source.h"
#include "trace/import/text_unpack.h"

#include "../support/folder.h"
#include "../support/random.h"
#include "base/array.h"

#include <lzma.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

/* Returns lines of 0 to `longest` bytes, `size` bytes in all, to be freed by the caller. Half of the time the last one
 * has no '\n'. */
static char *random_text(size_t size, size_t longest, uint64_t seed) {
    char *text = malloc(size);
    size_t left = 0;
    for (size_t i = 0; i < size; i++) {
        if (i == 0 || text[i - 1] == '\n') left = random_next(&seed) % (longest + 1);
        text[i] = left-- == 0 ? '\n' : (char)('a' + random_next(&seed) % 26);
    }
    if (size && random_next(&seed) % 2) text[size - 1] = '\n';
    return text;
}

/* Reads the file and compares it with `bytes`, line by line. */
static void check_file(const char *path, const char *bytes, size_t size) {
    ws_text text;
    ws_error err = WS_NO_ERROR;
    ws_text_state state;
    size_t at = 0;
    uint64_t line = 1;
    if (!ws_text_open(&text, path, NULL, &err)) fail_msg("%s", err.text);
    while ((state = ws_text_more(&text, &err)) == WS_TEXT_LINES) {
        const char *end = memchr(text.at, '\n', (size_t)(text.end - text.at));
        assert_non_null(end);
        assert_int_equal(text.end[-1], '\n');
        size_t length = (size_t)(end - text.at);
        assert_true(length <= size - at);
        assert_memory_equal(text.at, bytes + at, length);
        assert_true(at + length == size || bytes[at + length] == '\n');
        assert_int_equal(text.line, line++);
        at += length + 1;
        ws_text_advance(&text, end);
    }
    if (state == WS_TEXT_ERROR) fail_msg("%s", err.text);
    bool closed = size == 0 || bytes[size - 1] == '\n';
    assert_int_equal(at, closed ? size : size + 1);
    assert_int_equal(ws_text_more(&text, &err), WS_TEXT_END);
    ws_text_close(&text);
}

/* Packs `size` bytes into `out`, which has room for twice as many, and returns the packed size. */
typedef size_t pack(const char *bytes, size_t size, uint8_t *out);

static size_t pack_xz(const char *bytes, size_t size, uint8_t *out) {
    size_t packed = 0;
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (const uint8_t *)bytes, size, out,
                                             &packed, 2 * size + 1024),
                     LZMA_OK);
    return packed;
}

static size_t pack_gzip(const char *bytes, size_t size, uint8_t *out) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes,
                  .avail_in = (uInt)size,
                  .next_out = out,
                  .avail_out = (uInt)(2 * size + 1024)};
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t packed = z.total_out;
    deflateEnd(&z);
    return packed;
}

static size_t pack_zstd(const char *bytes, size_t size, uint8_t *out) {
    size_t packed = ZSTD_compress(out, 2 * size + 1024, bytes, size, 1);
    assert_false(ZSTD_isError(packed));
    return packed;
}

static pack *const packs[] = {pack_xz, pack_gzip, pack_zstd};
enum { PACKS = WS_COUNT(packs) };

/* Checks the text plain, and packed as two halves, one behind the other (as one part, where there is nothing to
 * halve). */
static void check_text(const char *bytes, size_t size) {
    uint8_t *packed = malloc(2 * size + 4096);
    check_file(folder_write("plain", bytes, size), bytes, size);
    for (size_t i = 0; i < PACKS; i++) {
        size_t first = packs[i](bytes, size / 2, packed);
        size_t second = size > 0 ? packs[i](bytes + size / 2, size - size / 2, packed + first) : 0;
        check_file(folder_write("packed", packed, first + second), bytes, size);
    }
    free(packed);
}

/* Packed data that are cut anywhere are an error. */
static void damage_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"xz", "gzip", "zstd"};
    enum { SIZE = 3000 };
    char *bytes = random_text(SIZE, 60, 7);
    uint8_t packed[3 * SIZE];
    for (size_t i = 0; i < PACKS; i++) {
        size_t size = packs[i](bytes, SIZE, packed);
        for (size_t cut = WS_UNPACK_MAGIC_B; cut < size; cut += 1 + cut % 37) {
            ws_text text;
            ws_error err = WS_NO_ERROR;
            char expected[256];
            ws_text_state end;
            assert_true(ws_text_open(&text, folder_write("packed", packed, cut), NULL, &err));
            while ((end = ws_text_more(&text, &err)) == WS_TEXT_LINES) text.at = text.end;
            assert_int_equal(end, WS_TEXT_ERROR);
            snprintf(
                expected, sizeof expected,
                "expected intact %s data up to the end of the file, found a file that is cut short; make or "
                "copy the file again (`%s -t` tests it)",
                names[i], names[i]);
            if (!strstr(err.text, expected)) fail_msg("%s", err.text);
            ws_text_close(&text);
        }
    }
    free(bytes);
}

static void all_lines_come_through(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 5, 6, 7, 1000, 262143, 262144, 262145, 524288, 1000003};
    static const size_t longest[] = {0, 1, 60, 5000, 300000};
    for (size_t i = 0; i < WS_COUNT(sizes); i++)
        for (size_t k = 0; k < WS_COUNT(longest); k++) {
            char *bytes = random_text(sizes[i], longest[k], i * 100 + k);
            check_text(bytes, sizes[i]);
            free(bytes);
        }
}

/* A byte order mark in front of the first line, however long that is, is skipped; later in the file it is text. */
static void a_byte_order_mark_is_no_text(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 40, 700000};
    for (size_t i = 0; i < WS_COUNT(sizes); i++) {
        char *bytes = random_text(sizes[i], sizes[i], i), *marked = malloc(sizes[i] + 3);
        memcpy(marked, "\xef\xbb\xbf", 3);
        memcpy(marked + 3, bytes, sizes[i]);
        check_file(folder_write("plain", marked, sizes[i] + 3), bytes, sizes[i]);
        free(marked);
        free(bytes);
    }
    check_file(folder_write("plain", "a\n\xef\xbb\xbf\n", 6), "a\n\xef\xbb\xbf\n", 6);
}

/* CR LF ends a line as LF does, also where a chunk ends between the two; elsewhere, a CR is text. */
static void a_line_may_end_in_cr_lf(void **state) {
    (void)state;
    static const size_t longest[] = {0, 5, 300000};
    for (size_t i = 0; i < WS_COUNT(longest); i++) {
        char *bytes = random_text(700000, longest[i], i), *returned = malloc(2 * 700000);
        for (size_t from = 0; from < 8; from++) { /* moves the line ends to other places in a chunk */
            size_t size = 0;
            for (size_t k = from; k < 700000; k++) {
                if (bytes[k] == '\n') returned[size++] = '\r';
                returned[size++] = bytes[k];
            }
            check_file(folder_write("plain", returned, size), bytes + from, 700000 - from);
        }
        free(returned);
        free(bytes);
    }
    enum { CHUNK = 256 << 10 };
    char *split = malloc(CHUNK + 3);
    memset(split, 'x', CHUNK);
    memcpy(split + CHUNK - 1, "\r\ny", 4);
    const char *path = folder_write("plain", split, CHUNK + 2);
    memcpy(split + CHUNK - 1, "\ny", 2);
    check_file(path, split, CHUNK + 1);
    free(split);
    check_file(folder_write("plain", "\ra\r\r\nb\r", 7), "\ra\r\nb", 5);
}

/* A CR that no LF follows is a byte like others, also where a chunk ends behind it. */
static void a_cr_alone_ends_no_line(void **state) {
    (void)state;
    enum { CHUNK = 256 << 10, LENGTH = 2 * CHUNK };
    for (int at = CHUNK - 2; at <= CHUNK; at++) {
        char *bytes = malloc(LENGTH);
        memset(bytes, 'a', LENGTH);
        bytes[at] = '\r';
        bytes[LENGTH - 1] = '\n';
        check_text(bytes, LENGTH);
        free(bytes);
    }
}

static void a_line_may_be_long_but_not_endless(void **state) {
    (void)state;
    enum { ENDLESS = 3 * WS_TEXT_LINE_MAX };
    char *bytes = malloc(ENDLESS);
    memset(bytes, 'x', ENDLESS);
    bytes[0] = '\n';
    bytes[WS_TEXT_LINE_MAX] = '\n';
    check_text(bytes, WS_TEXT_LINE_MAX + 1);

    memset(bytes, 'x', ENDLESS);
    bytes[0] = '\n';
    ws_text text;
    ws_error err;
    char expected[256];
    const char *path = folder_write("plain", bytes, ENDLESS);
    assert_true(ws_text_open(&text, path, NULL, &err));
    assert_int_equal(ws_text_more(&text, &err), WS_TEXT_LINES);
    ws_text_advance(&text, text.at);
    assert_int_equal(ws_text_more(&text, &err), WS_TEXT_ERROR);
    snprintf(expected, sizeof expected, "%s:2: expected a line of at most 1048576 bytes, found a longer one",
             path);
    assert_string_equal(err.text, expected);
    assert_int_equal(err.code, WS_ERROR_TRACE);
    ws_text_close(&text);
    free(bytes);
}

static void a_missing_file_is_no_fault_of_the_trace(void **state) {
    (void)state;
    ws_text text;
    ws_error err;
    char expected[256];
    assert_false(ws_text_open(&text, folder_path("absent"), NULL, &err));
    snprintf(expected, sizeof expected, "%s: expected a file, found none; check the path",
             folder_path("absent"));
    assert_string_equal(err.text, expected);
    assert_int_equal(err.code, WS_ERROR_IO);
    assert_false(ws_text_open(&text, folder_path(""), NULL, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    ws_text_close(&text);
}

/* What an error shows of a line is short and printable. */
static void faults_show_what_stands_there(void **state) {
    (void)state;
    static const struct {
        const char *line;
        size_t at;
        const char *found;
    } cases[] = {
        {"abc def\n", 4, "found 'def'"},
        {"abc\n", 3, "found the end of the line"},
        {"\n", 0, "found an empty line"},
        {"a\tb\x01\xff\n", 0, "found 'a?b?\?'"},
        {"0123456789012345678901234567890123456789012345678901234567890\n", 1,
         "found '123456789012345678901234567890123456789012345678 ..'"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_text text;
        ws_error err;
        assert_true(ws_text_open(&text, folder_write_text("plain", cases[i].line), NULL, &err));
        assert_int_equal(ws_text_more(&text, &err), WS_TEXT_LINES);
        assert_false(ws_text_fail_expected(&text, text.at + cases[i].at, "", &err, "a %s", "thing"));
        if (!strstr(err.text, cases[i].found)) fail_msg("'%s' is not in '%s'", cases[i].found, err.text);
        assert_false(ws_text_fail_expected(&text, NULL, "do this", &err, "a %s", "thing"));
        assert_non_null(strstr(err.text, ":1: expected a thing, found the end of the file; do this"));
        ws_text_close(&text);
    }
}

static void on_alarm(int number) {
    (void)number;
}

static void a_signal_ends_the_wait_for_a_pipe(void **state) {
    (void)state;
    ws_text text;
    ws_error err = WS_NO_ERROR;
    const struct sigaction alarmed = {.sa_handler = on_alarm};
    assert_int_equal(mkfifo(folder_path("pipe"), 0600), 0);
    sigaction(SIGALRM, &alarmed, NULL);
    ualarm(20000, 20000); /* again, in case that one comes before the wait */
    assert_false(ws_text_open(&text, folder_path("pipe"), NULL, &err));
    ualarm(0, 0);
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lines_come_through),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(a_byte_order_mark_is_no_text),
        cmocka_unit_test(a_line_may_end_in_cr_lf),
        cmocka_unit_test(a_cr_alone_ends_no_line),
        cmocka_unit_test(a_line_may_be_long_but_not_endless),
        cmocka_unit_test(a_missing_file_is_no_fault_of_the_trace),
        cmocka_unit_test(faults_show_what_stands_there),
        cmocka_unit_test(a_signal_ends_the_wait_for_a_pipe),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
