#include "report/statement.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

static int line_of(const char *text, int offset) {
    int line = 1;
    for (int i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
    return line;
}

/* What is asked instead of an unknown table: "; did you mean 'X'?", or nothing. */
static void suggest(sqlite3 *db, const char *unknown, char *text, size_t size) {
    sqlite3_stmt *names = NULL;
    ws_nearest nearest = ws_nearest_to(unknown);
    *text = 0;
    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", -1, &names,
                           NULL))
        return;
    while (sqlite3_step(names) == SQLITE_ROW) {
        ws_nearest_offer(&nearest, (const char *)sqlite3_column_text(names, 0));
        if (nearest.best) snprintf(text, size, "; did you mean '%s'?", nearest.best);
        nearest.best = NULL; /* its memory goes with the row */
    }
    sqlite3_finalize(names);
}

static bool wrong_sql(sqlite3 *db, const char *sql, ws_error *err) {
    static const char no_table[] = "no such table: ";
    char message[256], place[64] = "", instead[128] = "";
    int offset = sqlite3_error_offset(db);
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(db));
    if (offset >= 0) snprintf(place, sizeof place, " line %d at '%.24s'", line_of(sql, offset), sql + offset);
    if (strncmp(message, no_table, sizeof no_table - 1) == 0)
        suggest(db, message + sizeof no_table - 1, instead, sizeof instead);
    return ws_fail(err, WS_ERROR_USAGE, "SQL%s: %s%s", place, message, instead);
}

/* True when nothing but blanks and comments follows. */
static bool is_end(sqlite3 *db, const char *rest) {
    while (*rest) {
        sqlite3_stmt *second = NULL;
        int code = sqlite3_prepare_v2(db, rest, -1, &second, &rest);
        sqlite3_finalize(second);
        if (code != SQLITE_OK || second) return false;
    }
    return true;
}

sqlite3_stmt *ws_statement_prepare(sqlite3 *db, const char *sql, ws_error *err) {
    sqlite3_stmt *statement = NULL;
    const char *rest;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, &rest) != SQLITE_OK)
        wrong_sql(db, sql, err);
    else if (!statement)
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected a statement, found nothing");
    else if (!sqlite3_stmt_readonly(statement))
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected a statement that only reads, found '%.24s'", sql);
    else if (!is_end(db, rest))
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected one statement, found more behind the first ';'");
    else
        return statement;
    sqlite3_finalize(statement);
    return NULL;
}

bool ws_statement_failed(sqlite3 *db, ws_error *err) {
    switch (sqlite3_errcode(db) & 0xff) {
    case SQLITE_ERROR: /* the statement or its values, not the file or the machine */
    case SQLITE_READONLY:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_AUTH:
    case SQLITE_RANGE:
        return ws_fail(err, WS_ERROR_USAGE, "SQL: %s", sqlite3_errmsg(db));
    default:
        return ws_fail(err, WS_ERROR_DATABASE, "%s", sqlite3_errmsg(db));
    }
}
