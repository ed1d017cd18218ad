/* Runs a query and writes its rows in one of the formats of report/format/format.h. */
#include "base/array.h"
#include "base/clock.h"
#include "base/given.h"
#include "base/stream.h"
#include "report/format/format.h"
#include "report/statement.h"
#include "store/sqlite.h"

enum {
    STEPS_BETWEEN_LOOKS = 20000
}; /* instructions of SQLite's virtual machine between looks at the clock: well under a millisecond */

static int past_deadline(void *deadline) {
    return ws_clock_s() > *(const double *)deadline;
}

static bool was_written(FILE *out, ws_error *err) {
    return !ferror(out) || ws_fail(err, WS_ERROR_IO, "cannot write the result: %s", ws_write_error(out));
}

/* A statement that fails before its first row leaves no output, not even the columns' names. */
static bool write_rows(sqlite3 *db, sqlite3_stmt *statement, const ws_format *format, FILE *out,
                       ws_error *err) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) return ws_statement_failed(db, err);
    void *self = format->begin(statement, out, err);
    if (!self) return false;
    bool going = true;
    while (going && code == SQLITE_ROW) {
        going = format->row(self, statement, err) && was_written(out, err);
        if (going) code = sqlite3_step(statement);
    }
    if (going && code != SQLITE_DONE) going = ws_statement_failed(db, err);
    return format->end(self, going, err) && going && was_written(out, err);
}

bool ws_query(ws_store *store, const char *sql, ws_query_format format, double timeout_s, FILE *out,
              ws_error *err) {
    static const ws_format *const formats[] = {[WS_QUERY_TABLE] = &ws_format_table,
                                               [WS_QUERY_LINES] = &ws_format_lines,
                                               [WS_QUERY_CSV] = &ws_format_csv,
                                               [WS_QUERY_JSON] = &ws_format_json,
                                               [WS_QUERY_HTML] = &ws_format_html};
    if (!WS_GIVEN(sql, "SQL", err)) return false;
    if ((size_t)format >= WS_COUNT(formats))
        return ws_fail(err, WS_ERROR_INTERNAL, "ws_query(): expected a format of WS_QUERY_, found %d",
                       (int)format);
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_stmt *statement = ws_statement_prepare(db, sql, err);
    if (!statement) return false;
    double deadline = ws_clock_s() + timeout_s;
    if (timeout_s > 0) sqlite3_progress_handler(db, STEPS_BETWEEN_LOOKS, past_deadline, &deadline);
    bool done = write_rows(db, statement, formats[format], out, err);
    if (!done && sqlite3_errcode(db) == SQLITE_INTERRUPT)
        ws_fail(err, WS_ERROR_DATABASE, "the query was given up after %g s, its time limit", timeout_s);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_finalize(statement);
    return done;
}
