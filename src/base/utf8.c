#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* A character's length by its first byte; 0 for bytes that begin none. */
static size_t length_of(unsigned char first) {
    if (first < 0x80) return first != 0;
    if (first < 0xc2) return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t ws_utf8_character(const char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = length_of((unsigned char)*text);
    uint32_t code = (unsigned char)*text & (length > 1 ? 0x7fu >> length : 0x7fu);
    for (size_t i = 1; i < length; i++) { /* stops at the NUL, too, which is no continuation byte */
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[length] || code > 0x10ffff || surrogate ? 0 : length;
}

size_t ws_utf8_mark(const char *text, size_t size) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    return size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

void ws_utf8_clean(char *text) {
    char *end = text;
    while (*text) {
        size_t length = ws_utf8_character(text);
        memmove(end, text, length);
        end += length;
        text += length ? length : 1;
    }
    *end = 0;
}

bool ws_is_utf8(const char *text) {
    for (size_t length; (length = ws_utf8_character(text)) > 0;) text += length;
    return *text == 0;
}
