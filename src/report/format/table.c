#include "report/format/format.h"
#include "report/format/listing.h"

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    int columns = sqlite3_column_count(statement);
    ws_listing *listing = ws_listing_new((size_t)columns, out);
    if (!listing) {
        ws_no_memory(err);
        return NULL;
    }
    for (int i = 0; i < columns; i++) ws_listing_cell(listing, sqlite3_column_name(statement, i), false);
    return listing;
}

static bool cell(ws_listing *listing, sqlite3_stmt *statement, int i, ws_error *err) {
    ws_shown cell;
    if (!ws_shown_read(&cell, statement, i, err)) return false;
    ws_listing_cell(listing, cell.text, cell.number);
    ws_shown_free(&cell);
    return true;
}

static bool row(void *self, sqlite3_stmt *statement, ws_error *err) {
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (!cell(self, statement, i, err)) return false;
    return true;
}

static bool end(void *self, bool complete, ws_error *err) {
    if (ws_listing_close(self) || !complete) return true;
    return ws_no_memory(err);
}

const ws_format ws_format_table = {begin, row, end};
