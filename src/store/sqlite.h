/* The SQLite connection of a store, for queries and reports. */
#ifndef WS_STORE_SQLITE_H
#define WS_STORE_SQLITE_H

#include "warpsweep/store.h"

#include <sqlite3.h>

/* The store keeps it; its functions geomean(), quantile() .. are registered. */
sqlite3 *ws_store_sqlite(ws_store *store);

#endif
