#include "base/nearest.h"

#include "base/ascii.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_BYTES = 64, BEGINNING_MIN = 3 };

static size_t min3(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edits (insert, delete, replace, swap neighbours) from `a` to `b`, letter case ignored. */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t rows[3][NAME_MAX_BYTES + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_len; j++) above[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            char x = ws_to_lower(a[i - 1]), y = ws_to_lower(b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y));
            bool swapped = i > 1 && j > 1 && x == ws_to_lower(b[j - 2]) && y == ws_to_lower(a[i - 2]);
            if (swapped && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
        size_t *free_row = before;
        before = above, above = row, row = free_row;
    }
    return above[b_len];
}

ws_nearest ws_nearest_to(const char *name) {
    return (ws_nearest){name, NULL, SIZE_MAX};
}

void ws_nearest_offer(ws_nearest *nearest, const char *candidate) {
    size_t a_len = strlen(nearest->name), b_len = strlen(candidate);
    if (a_len > NAME_MAX_BYTES || b_len > NAME_MAX_BYTES) return;
    size_t near = (a_len + 2) / 3; /* a third of the letters may be wrong */
    bool far = a_len > b_len + near || b_len > a_len + near;
    size_t distance = far ? SIZE_MAX : edit_distance(nearest->name, a_len, candidate, b_len);
    /* "size" for "window.size": the prefix was forgotten. */
    const char *last = strrchr(candidate, '.');
    if (last && strcasecmp(last + 1, nearest->name) == 0) distance = 1;
    /* "window.si": the end was forgotten, however long it is. */
    bool is_beginning = a_len >= BEGINNING_MIN && strncasecmp(candidate, nearest->name, a_len) == 0;
    if (is_beginning) distance = b_len - a_len;
    if ((distance > near && !is_beginning) || distance >= nearest->distance) return;
    nearest->best = candidate;
    nearest->distance = distance;
}
