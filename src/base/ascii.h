/* Kinds of characters, the same in every locale, which those of <ctype.h> are not. */
#ifndef WS_BASE_ASCII_H
#define WS_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline bool ws_is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

static inline bool ws_is_lower(char c) {
    return (unsigned char)(c - 'a') < 26;
}

static inline bool ws_is_letter(char c) {
    return ws_is_lower(c) || (unsigned char)(c - 'A') < 26;
}

static inline char ws_to_lower(char c) {
    return (unsigned char)(c - 'A') < 26 ? (char)(c + 'a' - 'A') : c;
}

/* Blanks, and what else separates words and lines. */
static inline bool ws_is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* [a-zA-Z][a-zA-Z0-9_]*, so that SQL needs no quoting. */
static inline bool ws_is_plain_name(const char *name, size_t length) {
    bool ok = length > 0 && ws_is_letter(name[0]);
    for (size_t i = 0; i < length; i++)
        ok = ok && (ws_is_letter(name[i]) || ws_is_digit(name[i]) || name[i] == '_');
    return ok;
}

#endif
