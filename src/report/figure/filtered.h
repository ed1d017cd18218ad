/* Figures ask for the views of sweeps. Temporary views of the same names, which stand in front of them, can leave rows
 * out. */
#ifndef WS_REPORT_FIGURE_FILTERED_H
#define WS_REPORT_FIGURE_FILTERED_H

#include "warpsweep/store.h"

/* Makes these views, until the store is closed, for those views of the sweeps that the query `sql` reads which the SQL
 * condition `where` fits, so that queries read the rows for which it holds. WS_ERROR_USAGE if it does not fit one that
 * `sql` itself reads, or is no condition; or if `sql` reads no view of a sweep, or calls one main.NAME, which the
 * temporary one does not stand in front of. Its subqueries read all rows of the views that they name. Where a sweep is
 * read by other names, ws_rename_sweep() comes first. */
bool ws_filter_views(ws_store *store, const char *sql, const char *where, ws_error *err);

#endif
