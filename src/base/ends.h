/* How texts begin and end. */
#ifndef WS_BASE_ENDS_H
#define WS_BASE_ENDS_H

#include <stdbool.h>
#include <string.h>

/* `text` has `length` bytes. */
static inline bool ws_begins_with(const char *text, size_t length, const char *prefix) {
    return length >= strlen(prefix) && memcmp(text, prefix, strlen(prefix)) == 0;
}

static inline bool ws_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && memcmp(text + length - of_end, end, of_end) == 0;
}

/* The same, with something before the end, as a file's name has. */
static inline bool ws_has_suffix(const char *name, const char *suffix) {
    return ws_ends_with(name, suffix) && strlen(name) > strlen(suffix);
}

#endif
