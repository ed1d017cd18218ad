#include "report/format.h"
#include "report/listing.h"

#include <math.h>
#include <stdlib.h>

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    int columns = sqlite3_column_count(statement);
    ws_listing *listing = ws_listing_new((size_t)columns, out);
    if (!listing) {
        ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (int i = 0; i < columns; i++) ws_listing_cell(listing, sqlite3_column_name(statement, i), false);
    return listing;
}

/* Six significant digits, of large numbers all before the point and one behind it. */
static int digits_of(double value) {
    double size = fabs(value);
    return size >= 1e5 && size < 1e15 ? (int)log10(size) + 2 : 6;
}

static bool cell(ws_listing *listing, sqlite3_stmt *statement, int i, ws_error *err) {
    char room[WS_REAL_SIZE], *blob = NULL;
    const char *text;
    int type = sqlite3_column_type(statement, i);
    if (type == SQLITE_NULL) {
        text = "NULL";
    } else if (type == SQLITE_FLOAT) {
        double value = sqlite3_column_double(statement, i);
        text = ws_real_text(value, digits_of(value), room);
    } else if (type == SQLITE_BLOB) {
        text = blob = ws_blob_text(statement, i);
    } else {
        text = (const char *)sqlite3_column_text(statement, i);
    }
    if (!text) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    ws_listing_cell(listing, text, type != SQLITE_TEXT && type != SQLITE_BLOB);
    free(blob);
    return true;
}

static bool row(void *self, sqlite3_stmt *statement, ws_error *err) {
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (!cell(self, statement, i, err)) return false;
    return true;
}

static bool end(void *self, bool complete, ws_error *err) {
    if (ws_listing_close(self) || !complete) return true;
    return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

const ws_format ws_format_table = {begin, row, end};
