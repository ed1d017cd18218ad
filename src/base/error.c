#include "warpsweep/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ws_fail(ws_error *err, ws_error_code code, const char *format, ...) {
    if (!err) return false;
    err->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
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
