#include "accelsim_sample.h"

#include "folder.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

bool sample_import(const char *source, const ws_import_options *options, ws_error *err) {
    *err = WS_NO_ERROR;
    return ws_import(source, folder_path("out.wst"), options, err);
}

ws_trace *sample_import_good(const char *source, const ws_import_options *options) {
    ws_error err;
    if (!sample_import(source, options, &err)) fail_msg("%s", err.text);
    ws_trace *trace = ws_trace_open(folder_path("out.wst"), &err);
    if (!trace || !ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    unlink(folder_path("out.wst"));
    return trace;
}

void sample_import_fails(const char *source, const ws_import_options *options, ws_error_code code,
                         const char *text) {
    ws_error err;
    char expected[1024] = "";
    size_t files = folder_count();
    if (sample_import(source, options, &err)) fail_msg("accepted; expected: %s", text);
    for (const char *at = text; *at; at++)
        if (*at == '@')
            strcat(expected, folder_path(""));
        else
            strncat(expected, at, 1);
    assert_string_equal(err.text, expected);
    assert_int_equal(err.code, code);
    assert_int_equal(folder_count(), files);
}

void sample_import_bad(const char *source, const ws_import_options *options, const char *text) {
    sample_import_fails(source, options, WS_ERROR_TRACE, text);
}

char *sample_replace(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at) fail_msg("'%s' is not in the text", from);
    char *result = malloc(strlen(text) + strlen(to) + 1);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return result;
}

void sample_assert_same(ws_trace *a, ws_trace *b) {
    assert_string_equal(ws_trace_get_info(a)->digest, ws_trace_get_info(b)->digest);
    ws_trace_close(a);
    ws_trace_close(b);
}

size_t sample_pack(const char *text, uint8_t *out, size_t room) {
    size_t size = 0;
    lzma_ret code = lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, strlen(text),
                                            out, &size, room);
    assert_int_equal(code, LZMA_OK);
    return size;
}
