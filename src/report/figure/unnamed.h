/* Tells of axes that a figure's query does not name. Its rows are then of several points each, which one figure draws
 * over each other, another adds up, and nothing in the picture shows. A comment of the query that names an axis says
 * that this is meant. */
#ifndef WS_REPORT_FIGURE_UNNAMED_H
#define WS_REPORT_FIGURE_UNNAMED_H

#include "warpsweep/report.h"

/* Whether the sweep has an axis of several values whose column `sql` does not name. */
bool ws_has_unnamed_axes(ws_store *store, const char *sql, const char *sweep, bool *has, ws_error *err);

/* Whether `sql` names the column of an axis of the sweep, or the sweep has none. */
bool ws_names_axes(ws_store *store, const char *sql, const char *sweep, bool *names, ws_error *err);

/* Tells, on `log` (may be NULL), of such axes of the sweeps whose views the query of figure `name` reads, in a line for
 * each sweep. */
bool ws_tell_unnamed_axes(ws_store *store, const char *sql, const char *name, FILE *log, ws_error *err);

#endif
