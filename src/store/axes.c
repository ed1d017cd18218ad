#include "store/axes.h"

typedef struct column_name {
    char text[128];
} column_name;

static column_name column_of(const char *axis) {
    column_name name;
    ws_param_column(axis, name.text, sizeof name.text);
    return name;
}

void ws_append_axis(sqlite3_str *sql, const char *before, const char *axis) {
    sqlite3_str_appendf(sql, "%s\"%w\"", before, column_of(axis).text);
}

void ws_append_axes(sqlite3_str *sql, const char *before, const char *const *axes) {
    for (; *axes; axes++) ws_append_axis(sql, before, *axes);
}

void ws_append_axes_of(sqlite3_str *sql, const char *row, const char *const *axes) {
    for (; *axes; axes++) {
        column_name name = column_of(*axes);
        sqlite3_str_appendf(sql, ", %s.\"%w\" AS \"%w\"", row, name.text, name.text);
    }
}

static void append_row(sqlite3_str *sql, const char *before, const char *row, const char *const *axes) {
    for (; *axes; axes++, before = ", ")
        sqlite3_str_appendf(sql, "%s\"%w\".\"%w\"", before, row, column_of(*axes).text);
}

void ws_append_axes_match(sqlite3_str *sql, const char *left, const char *right, const char *const *axes) {
    if (!*axes) return;
    append_row(sql, " AND (", left, axes);
    append_row(sql, ") IS (", right, axes);
    sqlite3_str_appendall(sql, ")");
}

/* The weight of the axis of that place; the last ones of very many have no bits. */
static unsigned long long weight(int place) {
    return WS_AXES_ONE + (place < WS_AXES_BITS ? 1ull << place : 0);
}

void ws_append_axes_differing(sqlite3_str *sql, const char *left, const char *right,
                              const char *const *axes) {
    for (int place = 1; *axes; axes++, place++) {
        column_name name = column_of(*axes);
        sqlite3_str_appendf(sql, " + (%s.\"%w\" IS NOT %s.\"%w\") * %llu", left, name.text, right, name.text,
                            weight(place));
    }
}

void ws_append_axes_lacking(sqlite3_str *sql, const char *differing, const char *row,
                            const char *const *axes) {
    for (int place = 1; *axes && place < WS_AXES_BITS; axes++, place++) {
        column_name name = column_of(*axes);
        sqlite3_str_appendf(sql, " || iif(%s & %llu, ', %q = ' || coalesce(%s.\"%w\", 'NULL'), '')",
                            differing, 1ull << place, name.text, row, name.text);
    }
}
