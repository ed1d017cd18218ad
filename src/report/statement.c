#include "report/statement.h"

#include "store/bind.h"
#include "store/sqlite.h"
#include "store/suggest.h"

#include <stdio.h>
#include <string.h>

static int line_of(const char *text, int offset) {
    int line = 1;
    for (int i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
    return line;
}

static bool wrong_sql(sqlite3 *db, const char *sql, ws_error *err) {
    char message[256], place[64] = "", instead[256];
    int offset = sqlite3_error_offset(db);
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(db));
    if (offset >= 0) {
        const size_t rest = strcspn(sql + offset, "\n");
        snprintf(place, sizeof place, " line %d at '%.*s'", line_of(sql, offset), rest < 24 ? (int)rest : 24,
                 sql + offset);
    }
    ws_suggest(db, message, sql, instead, sizeof instead);
    return ws_fail(err, WS_ERROR_USAGE, "SQL%s: %s%s", place, message, instead);
}

/* Checks that nothing but blanks and comments follows. */
static bool check_end(sqlite3 *db, const char *rest, ws_error *err) {
    while (*rest) {
        sqlite3_stmt *second = NULL;
        int code = sqlite3_prepare_v2(db, rest, -1, &second, &rest);
        sqlite3_finalize(second);
        if (code == SQLITE_NOMEM) return ws_statement_failed(db, err);
        if (code != SQLITE_OK || second)
            return ws_fail(err, WS_ERROR_USAGE,
                           "SQL: expected one statement, found more behind the first ';'");
    }
    return true;
}

sqlite3_stmt *ws_statement_prepare(sqlite3 *db, const char *sql, ws_error *err) {
    sqlite3_stmt *statement = NULL;
    const char *rest;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, &rest);
    if (code == SQLITE_ERROR)
        wrong_sql(db, sql, err);
    else if (code != SQLITE_OK)
        ws_statement_failed(db, err);
    else if (!statement)
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected a statement, found nothing");
    else if (!sqlite3_stmt_readonly(statement))
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected a statement that only reads, found '%.24s'", sql);
    else if (sqlite3_column_count(statement) == 0)
        ws_fail(err, WS_ERROR_USAGE, "SQL: expected a statement that gives rows, found '%.24s'", sql);
    else if (ws_bind_unset(statement))
        ws_fail(err, WS_ERROR_USAGE,
                "SQL: expected values, found the variable %s, to which nothing gives one: write its value",
                ws_bind_unset(statement));
    else if (check_end(db, rest, err))
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
    case SQLITE_NOMEM:
        return ws_no_memory(err);
    default:
        return ws_fail(err, WS_ERROR_DATABASE, "%s: %s%s", sqlite3_db_filename(db, "main"),
                       sqlite3_errmsg(db), ws_sqlite_remedy(db));
    }
}
