/* Figures ask for the views of a sweep by its name. Somebody who ran that sweep under another name has views that would
 * do; this tells how to get them. */
#ifndef WS_REPORT_RENAMED_H
#define WS_REPORT_RENAMED_H

#include "warpsweep/store.h"

/* For a figure's query `sql` that asks for `view`, which the database lacks: writes into `text` how the first sweep
 * that would do under another name gets that name; or else which sweeps the database has; or an empty text. */
void ws_tell_sweeps(ws_store *store, const char *sql, const char *view, char *text, size_t size);

#endif
