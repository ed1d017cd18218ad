/* The SQLite connection of a store, for queries and reports. */
#ifndef WS_STORE_SQLITE_H
#define WS_STORE_SQLITE_H

#include "warpsweep/store.h"

#include <sqlite3.h>

/* The store keeps it; its functions geomean(), quantile() .. are registered. */
sqlite3 *ws_store_sqlite(ws_store *store);

/* For texts of sqlite3_mprintf() or sqlite3_str_finish(), which are freed; NULL: out of memory. `what` was being done,
 * for the message. Runs statements; asks for the integer in the first row and column, 0 where that is NULL. */
bool ws_store_run(ws_store *store, char *sql, const char *what, ws_error *err);
bool ws_store_number(ws_store *store, char *sql, const char *what, int64_t *number, ws_error *err);

/* What to do about SQLite's last error, behind its own words; "" where they say enough. */
const char *ws_sqlite_remedy(sqlite3 *db);

#define WS_SQLITE_DAMAGED "; the file is damaged: copy it again, or sweep into another file"

#endif
