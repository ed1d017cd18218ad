/* The SQLite connection of a store, for queries and reports. */
#ifndef WS_STORE_SQLITE_H
#define WS_STORE_SQLITE_H

#include "warpsweep/store.h"

#include <sqlite3.h>

/* Owned by the store; the functions geomean(), quantile() .. are registered. */
sqlite3 *ws_store_sqlite(ws_store *store);

/* Opens an empty database in memory, for the rows of another file, `path`, which messages name. It has none of the
 * tables of a results database. */
ws_store *ws_store_open_memory(const char *path, ws_error *err);

/* What to put in front of a path for SQLite, which takes ":memory:" and "file:.." for something else than names of
 * files: "./", or "" if the path is absolute. */
const char *ws_sqlite_folder(const char *path);

/* Real numbers as literals. WS_SQL_REAL prints those that SQLite reads as the same numbers; ws_sql_real() writes
 * shorter ones, of up to 15 digits, for readers, where SQLite reads these so, too: 0.1 for 0.10000000000000001. */
#define WS_SQL_REAL "%!.17g"
enum { WS_SQL_REAL_SIZE = 32 };
const char *ws_sql_real(sqlite3 *db, double value, char text[WS_SQL_REAL_SIZE]);

/* From now on errors that another attempt may not meet say that what is stored stays, and the same command resumes. */
void ws_store_will_resume(ws_store *store);

/* Fails with WS_ERROR_DATABASE and SQLite's message; `what` says what was being done. */
bool ws_store_fail(ws_store *store, const char *what, ws_error *err);

/* Run statements; read the integer in a query's first row and column, 0 if that is NULL; or the text there, for
 * sqlite3_free(), NULL if there is none or no row. Prepare `*stmt`, unless that has been done. `sql` is from
 * sqlite3_mprintf() or sqlite3_str_finish() and is freed; NULL means out of memory. `what` says what was being done,
 * for the message. */
bool ws_store_run(ws_store *store, char *sql, const char *what, ws_error *err);
bool ws_store_number(ws_store *store, char *sql, const char *what, int64_t *number, ws_error *err);
bool ws_store_text(ws_store *store, char *sql, const char *what, char **text, ws_error *err);
bool ws_store_prepare_text(ws_store *store, sqlite3_stmt **stmt, char *sql, ws_error *err);

/* Temporary views of a sweep's views under other names have a row each in the table temp._stand_in (name, view), which
 * this makes, unless it is there. No sweep can be called so. */
bool ws_store_stand_ins(ws_store *store, ws_error *err);

/* Prepares `*sweeps`, a query of the names of the sweeps whose views `sql` reads, itself or by temporary views, but not
 * in the conditions of these, and for each of one of its views: a temporary one that `sql` reads, or else its first,
 * which has all of its points. `sql` reads nothing if it is wrong in this database; so below. */
bool ws_store_sweeps_of(ws_store *store, const char *sql, sqlite3_stmt **sweeps, ws_error *err);

/* Prepares `*views`, of all views of the sweeps that `sql` reads, with 1 for those that it reads itself, else 0. */
bool ws_store_views_of(ws_store *store, const char *sql, sqlite3_stmt **views, ws_error *err);

/* Prepares `*sweeps`, of the sweeps whose views `sql` reads beside temporary views, which are of `sweep`. What it reads
 * of `sweep` within WITH is not told from what these views read; nor of any sweep if `sweep` is NULL. */
bool ws_store_sweeps_beside(ws_store *store, const char *sql, const char *sweep, sqlite3_stmt **sweeps,
                            ws_error *err);

/* What to do about SQLite's last error, to follow its message; "" if the message says enough. */
const char *ws_sqlite_remedy(sqlite3 *db);

#define WS_SQLITE_DAMAGED                                                                                    \
    "; the file is damaged, or lacks its write-ahead log (NAME-wal, as a killed sweep leaves it): copy it "  \
    "again, with that, or sweep into another file"

#endif
