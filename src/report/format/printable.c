#include "report/format/printable.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ws_printable(const char *text) {
    size_t size = 4 * strlen(text) + 1, at = 0;
    char *copy = malloc(size);
    if (!copy) return NULL;
    for (size_t length; *text; text += length ? length : 1) {
        unsigned char c = (unsigned char)*text;
        length = ws_utf8_character(text);
        if (c == '\n' || c == '\t')
            at += (size_t)snprintf(copy + at, size - at, "\\%c", c == '\n' ? 'n' : 't');
        else if (c < 0x20 || c == 0x7f || length == 0)
            at += (size_t)snprintf(copy + at, size - at, "\\x%02x", c);
        else
            for (size_t i = 0; i < length; i++) copy[at++] = text[i];
    }
    copy[at] = 0;
    return copy;
}

size_t ws_printed_width(const char *text) {
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
