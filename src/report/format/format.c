#include "report/format/format.h"

#include "base/real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ws_real_text(double value, int digits, char text[WS_REAL_SIZE]) {
    if (isinf(value)) {
        snprintf(text, WS_REAL_SIZE, value < 0 ? "-9e999" : "9e999");
        return text;
    }
    ws_print_real(text, WS_REAL_SIZE, value, digits ? digits : 15, digits ? digits : 17);
    size_t length = strlen(text);
    if (!strpbrk(text, ".e")) snprintf(text + length, WS_REAL_SIZE - length, ".0");
    return text;
}

char *ws_blob_text(sqlite3_stmt *statement, int column) {
    const unsigned char *bytes = sqlite3_column_blob(statement, column);
    size_t count = (size_t)sqlite3_column_bytes(statement, column), size = 2 * count + 4;
    char *text = malloc(size);
    if (!text) return NULL;
    size_t at = (size_t)snprintf(text, size, "X'");
    for (size_t i = 0; i < count; i++) at += (size_t)snprintf(text + at, size - at, "%02X", bytes[i]);
    snprintf(text + at, size - at, "'");
    return text;
}

/* Significant digits to show: six, or for large numbers all before the point and one behind it. */
static int digits_of(double value) {
    double size = fabs(value);
    return size >= 1e5 && size < 1e15 ? (int)log10(size) + 2 : 6;
}

/* A text cell. `*copy` becomes its text if that had to be copied, to show NULs. NULL if out of memory. */
static const char *shown_text(sqlite3_stmt *statement, int column, char **copy) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    const size_t size = (size_t)sqlite3_column_bytes(statement, column);
    if (!text || strlen(text) == size) return text;
    char *end = *copy = malloc(strlen("\\x00") * size + 1);
    if (!end) return NULL;
    for (size_t i = 0; i < size; i++) {
        if (text[i])
            *end++ = text[i];
        else
            end = stpcpy(end, "\\x00");
    }
    *end = 0;
    return *copy;
}

bool ws_shown_read(ws_shown *cell, sqlite3_stmt *statement, int i, ws_error *err) {
    int type = sqlite3_column_type(statement, i);
    cell->number = type != SQLITE_TEXT && type != SQLITE_BLOB;
    cell->copy = NULL;
    if (type == SQLITE_NULL) {
        cell->text = "NULL";
    } else if (type == SQLITE_FLOAT) {
        double value = sqlite3_column_double(statement, i);
        cell->text = ws_real_text(value, digits_of(value), cell->room);
    } else if (type == SQLITE_BLOB) {
        cell->text = cell->copy = ws_blob_text(statement, i);
    } else {
        cell->text = shown_text(statement, i, &cell->copy);
    }
    return cell->text || ws_no_memory(err);
}

void ws_shown_free(ws_shown *cell) {
    free(cell->copy);
}
