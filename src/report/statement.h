/* Prepares SQL that others wrote; it must be one statement that only reads, without variables (?1, :name). */
#ifndef WS_REPORT_STATEMENT_H
#define WS_REPORT_STATEMENT_H

#include "warpsweep/error.h"

#include <sqlite3.h>

/* For anything else, returns NULL with a usage error: SQLite's message and the place in the text. */
sqlite3_stmt *ws_statement_prepare(sqlite3 *db, const char *sql, ws_error *err);

/* Sets the error of a step that gave neither a row nor the end. Returns false. */
bool ws_statement_failed(sqlite3 *db, ws_error *err);

#endif
