/* Reads the CSV file of `warpsweep run --timeline` into a database in memory, for the figure `timeline`. */
#include "cli/timeline.h"
#include "store/sqlite.h"

#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Rows are those of the view that sweeps/timeline.json has, which the figure reads. A strict table refuses texts where
 * numbers are expected. */
static const char make_table[] = "CREATE TABLE period (launch INTEGER, kernel TEXT, period INTEGER"
#define X(name, unit, help, value) ", " #name " INTEGER"
    WS_TIMELINE(X)
#undef X
#define X(name, unit, help, value) ", " #name " REAL"
        WS_TIMELINE_RATIOS(X)
#undef X
            ") STRICT;"
            "CREATE VIEW over_time_timeline_period AS SELECT '' AS trace, * FROM period";

static const char insert[] = "INSERT INTO period VALUES (?, ?, ?"
#define X(name, unit, help, value) ", ?"
    WS_TIMELINE(X) WS_TIMELINE_RATIOS(X)
#undef X
        ")";

typedef struct reader {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *insert; /* of a row */
    size_t row, fields;   /* `row`: its number in the file, from 1; `fields`: those of it until now */
    bool failed;          /* nothing more is read */
    ws_error *err;
} reader;

#define WRITTEN "; 'warpsweep plot' draws a CSV file as 'warpsweep run --timeline' writes it"

static void fail(reader *r, const char *expected, const char *found) {
    r->failed = true;
    ws_fail(r->err, WS_ERROR_USAGE, "%s:%zu: column %zu: expected %s, found '%.40s'" WRITTEN, r->path, r->row,
            r->fields, expected, found);
}

/* ---- libcsv's calls; a name has no line breaks, so rows are lines */

static void take_field(void *bytes, size_t size, void *reader_) {
    reader *r = reader_;
    const char *text = bytes; /* ends with NUL, by CSV_APPEND_NULL */
    if (r->failed) return;
    const size_t column = r->fields++;
    if (column >= CLI_TIMELINE_COLUMNS) {
        fail(r, "no further column", text);
    } else if (r->row == 1 && strcmp(text, cli_timeline_columns[column]) != 0) {
        fail(r, cli_timeline_columns[column], text);
    } else if (r->row > 1) {
        const int at = (int)column + 1;
        const int code = size ? sqlite3_bind_text(r->insert, at, text, (int)size, SQLITE_TRANSIENT)
                              : sqlite3_bind_null(r->insert, at);
        r->failed = code != SQLITE_OK && !ws_no_memory(r->err);
    }
}

static void insert_row(reader *r) {
    sqlite3_step(r->insert);
    if (sqlite3_reset(r->insert) == SQLITE_OK) return;
    r->failed = true;
    ws_fail(r->err, WS_ERROR_USAGE, "%s:%zu: %s" WRITTEN, r->path, r->row, sqlite3_errmsg(r->db));
}

static void take_row(int end, void *reader_) {
    (void)end;
    reader *r = reader_;
    if (!r->failed && r->fields < CLI_TIMELINE_COLUMNS) {
        r->fields++;
        fail(r, cli_timeline_columns[r->fields - 1], "");
    } else if (!r->failed && r->row > 1) {
        insert_row(r);
    }
    r->row++;
    r->fields = 0;
}

/* ---- the file */

static bool read_rows(reader *r, FILE *file, ws_error *err) {
    struct csv_parser parser;
    char part[1 << 16];
    if (csv_init(&parser, CSV_APPEND_NULL) != 0) return ws_no_memory(err);
    for (size_t size; !r->failed && (size = fread(part, 1, sizeof part, file)) > 0;)
        if (csv_parse(&parser, part, size, take_field, take_row, r) != size) r->failed = !ws_no_memory(err);
    if (!r->failed && csv_fini(&parser, take_field, take_row, r) != 0) r->failed = !ws_no_memory(err);
    csv_free(&parser);
    if (!r->failed && ferror(file)) return ws_fail(err, WS_ERROR_IO, "%s: %s", r->path, strerror(errno));
    if (!r->failed && r->row <= 2)
        return ws_fail(err, WS_ERROR_USAGE, "%s: expected rows of a timeline, found none" WRITTEN, r->path);
    return !r->failed;
}

static bool fill(ws_store *store, const char *path, FILE *file, ws_error *err) {
    reader r = {.path = path, .db = ws_store_sqlite(store), .row = 1, .err = err};
    bool ok = ws_store_run(store, sqlite3_mprintf("%s", make_table), "making a table", err) &&
              (sqlite3_prepare_v2(r.db, insert, -1, &r.insert, NULL) == SQLITE_OK || ws_no_memory(err)) &&
              read_rows(&r, file, err);
    sqlite3_finalize(r.insert);
    return ok;
}

ws_store *cli_timeline_read(const char *path, ws_error *err) {
    FILE *file = fopen(path, "r");
    if (!file) {
        ws_fail(err, WS_ERROR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    ws_store *store = ws_store_open_memory(path, err);
    if (store && !fill(store, path, file, err)) {
        ws_store_close(store);
        store = NULL;
    }
    fclose(file);
    return store;
}
