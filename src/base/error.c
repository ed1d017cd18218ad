#include "warpsweep/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops what is left of the character at which a text was cut. Other bytes that are no UTF-8 stay: a path may have
 * some. */
static void drop_cut_character(char *text, size_t length) {
    size_t begin = length;
    while (begin > 0 && length - begin < 3 && (text[begin - 1] & 0xc0) == 0x80) begin--;
    if (begin > 0 && (text[begin - 1] & 0xc0) == 0xc0 && !ws_utf8_character(text + begin - 1))
        text[begin - 1] = '\0';
}

bool ws_fail(ws_error *err, ws_error_code code, const char *format, ...) {
    if (!err) return false;
    err->code = code;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length >= (int)sizeof err->text) drop_cut_character(err->text, sizeof err->text - 1);
    return false;
}

bool ws_no_memory(ws_error *err) {
    return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

bool ws_fail_prefix(ws_error *err, const char *format, ...) {
    if (!err) return false;
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    int used = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (used < 0 || (size_t)used + 2 >= sizeof text) return false;
    memcpy(text + used, ": ", 2);
    size_t room = sizeof text - (size_t)used - 3; /* a text that becomes too long loses its end */
    size_t length = strnlen(err->text, room);
    memcpy(text + used + 2, err->text, length);
    text[(size_t)used + 2 + length] = '\0';
    if (length == room) drop_cut_character(text, (size_t)used + 2 + length);
    memcpy(err->text, text, sizeof text);
    return false;
}

int ws_error_exit_status(ws_error_code code) {
    switch (code) {
#define X(name, status, meaning)                                                                             \
    case WS_ERROR_##name:                                                                                    \
        return status;
        WS_ERROR_CODES(X)
#undef X
    }
    return 1;
}
