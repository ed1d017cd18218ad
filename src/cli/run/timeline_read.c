/* Reads the CSV file of `warpsweep run --timeline` into a database in memory, for the figure `timeline`. */
#include "base/utf8.h"
#include "cli/run/timeline.h"
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
        ") RETURNING launch, period, cycle, cycles, sm_cycles";

/* What tells where a row is in time. */
typedef struct place {
    long long launch, period, cycle, cycles, sm_cycles;
} place;

typedef struct reader {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *insert; /* of a row */
    size_t row, fields;   /* `row`: its number in the file, from 1; `fields`: those of it until now */
    place before;         /* the last row's; all 0 in the first */
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
    if (r->row == 1 && column == 0) text += ws_utf8_mark(text, size);
    if (column >= CLI_TIMELINE_COLUMNS) {
        fail(r, "no further column", text);
    } else if (r->row == 1 && strcmp(text, cli_timeline_columns[column]) != 0) {
        fail(r, cli_timeline_columns[column], text);
    } else if (r->row > 1 && !size) {
        fail(r, cli_timeline_columns[column], "");
    } else if (r->row > 1) {
        const int code = sqlite3_bind_text(r->insert, (int)column + 1, text, (int)size, SQLITE_TRANSIENT);
        r->failed = code != SQLITE_OK && !ws_no_memory(r->err);
    }
}

/* What is expected of a row that is not: the figure draws a period from its begin to its end. NULL: it is as it should
 * be. */
static const char *missed(const place *p, const place *before) {
    const bool same = p->launch == before->launch;
    if (p->cycles < 1 || p->sm_cycles < 1) return "a period of 1 cycle or more";
    if (p->launch < before->launch || p->period <= (same ? before->period : 0))
        return "launches and their periods in order";
    const long long begin = same ? before->cycle : 0;
    return p->cycle < begin || p->cycle - begin < p->cycles
               ? "a period that begins where the last ends, or later"
               : NULL;
}

static void check_place(reader *r) {
    sqlite3_stmt *row = r->insert;
    const place p = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2),
                     sqlite3_column_int64(row, 3), sqlite3_column_int64(row, 4)};
    const char *expected = missed(&p, &r->before);
    r->before = p;
    if (!expected) return;
    r->failed = true;
    ws_fail(r->err, WS_ERROR_USAGE,
            "%s:%zu: expected %s, found launch %lld, period %lld, cycle %lld, cycles %lld and sm_cycles "
            "%lld" WRITTEN,
            r->path, r->row, expected, p.launch, p.period, p.cycle, p.cycles, p.sm_cycles);
}

static void insert_row(reader *r) {
    if (sqlite3_step(r->insert) == SQLITE_ROW) check_place(r);
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
