/* Figures ask for the views of sweeps. Temporary views of the same names, which stand in front of them, can leave rows
 * out. */
#ifndef WS_REPORT_FIGURE_FILTERED_H
#define WS_REPORT_FIGURE_FILTERED_H

#include "warpsweep/store.h"

/* Makes these views, until the store is closed, for all views that the SQL condition `where` fits, so that queries read
 * the rows for which it holds. WS_ERROR_USAGE if it does not fit one that the query `sql` reads, of `sweep` in place of
 * the one that it names (NULL: of that one), or is no condition. */
bool ws_filter_views(ws_store *store, const char *sql, const char *sweep, const char *where, ws_error *err);

#endif
