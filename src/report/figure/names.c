#include "report/figure/names.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST = 14,   /* letters that every place has room for */
    WORD_MAX = 20, /* letters of a word that are looked for before a difference */
    KEPT = 5       /* letters before the word that a cut would not be shorter than */
};

static bool continues(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The bytes with which both begin, whole letters of UTF-8. */
static size_t same_begin(const char *a, const char *b) {
    size_t bytes = 0;
    while (a[bytes] && a[bytes] == b[bytes]) bytes++;
    while (bytes && (continues(a[bytes]) || continues(b[bytes]))) bytes--;
    return bytes;
}

static size_t letters(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++) count += !continues(text[i]);
    return count;
}

/* The letters with which both end. */
static size_t same_end(const char *a, const char *b) {
    const char *a_end = a + strlen(a), *b_end = b + strlen(b);
    size_t count = 0;
    while (a_end > a && b_end > b && *--a_end == *--b_end) count += !continues(*a_end);
    return count;
}

/* Whether both have the same beginning and end, if their middle is cut out. */
static bool look_alike(const char *a, const char *b) {
    return letters(a, same_begin(a, b)) >= FEWEST - FEWEST / 2 && same_end(a, b) >= FEWEST / 2;
}

/* Where the word begins that has byte `at`; `at` itself in a text without words, and 0 if hardly anything is before. */
static size_t word_at(const char *text, size_t at) {
    size_t begin = at;
    while (begin && at - begin < WORD_MAX && (ws_is_letter(text[begin - 1]) || ws_is_digit(text[begin - 1])))
        begin--;
    if (at - begin == WORD_MAX) begin = at;
    return begin > KEPT ? begin : 0;
}

/* The names of a figure, one after the other; NULL behind the last. */
static const char *name_of(const ws_figure_data *data, size_t i) {
    if (i < data->panel_count) return data->panels[i]->name;
    i -= data->panel_count;
    if (i < data->series_count) return data->series[i];
    i -= data->series_count;
    return i < data->column_count ? data->columns[i] : NULL;
}

static bool has(const ws_long_names *found, const char *text) {
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->names[i].text, text) == 0) return true;
    return false;
}

/* Compares a name with all others, and adds it if it looks like some of them. */
static void compare(const ws_figure_data *data, const char *text, ws_long_names *found) {
    size_t begin = strlen(text), alike = 0;
    const char *other;
    for (size_t i = 0; (other = name_of(data, i)); i++) {
        if (strcmp(text, other) == 0 || !look_alike(text, other)) continue;
        size_t same = same_begin(text, other);
        if (same < begin) begin = same;
        alike++;
    }
    if (alike && !has(found, text)) /* counts are of bytes until all are found */
        found->names[found->count++] = (ws_long_name){text, word_at(text, begin), 0};
}

static void compare_words(ws_long_names *found) {
    ws_long_name *names = found->names;
    for (size_t i = 0; i < found->count; i++)
        for (size_t j = 0; j < found->count; j++) {
            const char *a = names[i].text + names[i].begin, *b = names[j].text + names[j].begin;
            size_t word = i == j ? 0 : letters(a, same_begin(a, b)) + 1;
            if (word > names[i].word) names[i].word = word;
        }
    for (size_t i = 0; i < found->count; i++) names[i].begin = letters(names[i].text, names[i].begin);
}

bool ws_long_names_of(const ws_figure_data *data, ws_long_names *found) {
    size_t count = data->panel_count + data->series_count + data->column_count;
    *found = (ws_long_names){calloc(count + 1, sizeof *found->names), 0};
    if (!found->names) return false;
    for (size_t i = 0; i < count; i++) compare(data, name_of(data, i), found);
    compare_words(found);
    return true;
}
