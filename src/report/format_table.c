#include "report/format.h"
#include "report/listing.h"

#include <stdlib.h>

enum { DIGITS = 6 };

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

static bool row(void *self, sqlite3_stmt *statement, ws_error *err) {
    (void)err;
    char room[WS_REAL_SIZE], *blob;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        switch (sqlite3_column_type(statement, i)) {
        case SQLITE_NULL:
            ws_listing_cell(self, "NULL", true);
            break;
        case SQLITE_FLOAT:
            ws_listing_cell(self, ws_real_text(sqlite3_column_double(statement, i), DIGITS, room), true);
            break;
        case SQLITE_BLOB:
            blob = ws_blob_text(statement, i);
            ws_listing_cell(self, blob ? blob : "", false);
            free(blob);
            break;
        default:
            ws_listing_cell(self, (const char *)sqlite3_column_text(statement, i),
                            sqlite3_column_type(statement, i) == SQLITE_INTEGER);
        }
    }
    return true;
}

static bool end(void *self, bool complete, ws_error *err) {
    if (ws_listing_close(self) || !complete) return true;
    return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

const ws_format ws_format_table = {begin, row, end};
