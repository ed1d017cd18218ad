/* Figures ask for the views of a sweep by its name. Those of another sweep do, too, if temporary views of the names
 * that the figure asks for stand in front of them. */
#ifndef WS_REPORT_FIGURE_RENAMED_H
#define WS_REPORT_FIGURE_RENAMED_H

#include "warpsweep/store.h"

/* Makes these views, for the query `sql` and until the store is closed, from those of `sweep`, with a column more for
 * each parameter that the query names and that is no axis of this sweep, but the same in all of its points, and of some
 * effect in one of them. `*named`: the sweep whose views the query asks for, a heap string; NULL if that is this one,
 * and no views are made. WS_ERROR_USAGE if there is no such sweep, it lacks what the query reads, or the query reads
 * several sweeps, or views as main.NAME, which temporary ones do not stand in front of. */
bool ws_rename_sweep(ws_store *store, const char *sql, const char *sweep, char **named, ws_error *err);

/* For the query `sql` of the figure `name` that asks for `view`, which the database lacks: writes into `text` the
 * command that draws it from a sweep that would do; or else which sweeps the database has; or an empty text. */
bool ws_tell_sweeps(ws_store *store, const char *sql, const char *name, const char *view, char *text,
                    size_t size, ws_error *err);

#endif
