/* SQL that others wrote: prepared so that it can only be one statement that reads. */
#ifndef REPORT_STATEMENT_H
#define REPORT_STATEMENT_H

#include "warpsweep/error.h"

#include <sqlite3.h>

/* NULL, and a usage error with SQLite's words and the place in the text, when it is anything else. */
sqlite3_stmt *ws_statement_prepare(sqlite3 *db, const char *sql, ws_error *err);

/* Sets the error of a step that gave neither a row nor the end. Returns false. */
bool ws_statement_failed(sqlite3 *db, ws_error *err);

#endif
