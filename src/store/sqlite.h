/* The SQLite connection of a store, for queries and reports. */
#ifndef WS_STORE_SQLITE_H
#define WS_STORE_SQLITE_H

#include "warpsweep/store.h"

#include <sqlite3.h>

/* The store keeps it; its functions geomean(), quantile() .. are registered. */
sqlite3 *ws_store_sqlite(ws_store *store);

/* What to do about SQLite's last error, behind its own words; "" where they say enough. */
const char *ws_sqlite_remedy(sqlite3 *db);

#define WS_SQLITE_DAMAGED "; the file is damaged: copy it again, or sweep into another file"

#endif
