/* Figures ask for the views of a sweep by its name. Whoever ran it under another name has views that would do. */
#ifndef WS_REPORT_RENAMED_H
#define WS_REPORT_RENAMED_H

#include "warpsweep/store.h"

/* Says in `text` (else empty) which sweeps the database has, where `view`, for which a figure's query asks, is none of
 * theirs; and how the first of them that would do, were it called otherwise, comes to that name. */
void ws_tell_sweeps(ws_store *store, const char *sql, const char *view, char *text, size_t size);

#endif
