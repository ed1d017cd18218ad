/* Texts that go into SQLite and JSON have to be UTF-8. */
#ifndef WS_BASE_UTF8_H
#define WS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that `text` begins with, 1 to 4; 0 if it begins with none, or is empty. */
size_t ws_utf8_character(const char *text);

bool ws_is_utf8(const char *text);

/* Drops the bytes that are of no character, such as those that are left of one where a text is cut. */
void ws_utf8_clean(char *text);

/* Bytes of the byte order mark that some editors and spreadsheets put before a text; 0 if there is none. */
size_t ws_utf8_mark(const char *text, size_t size);

#endif
