/* The view of a sweep with the energy of each point: by component, static and dynamic, in total, multiplied by the time
 * it takes, and relative to the baseline. Its fixed columns are those of ws_energy_table (warpsweep/store.h). */
#ifndef WS_STORE_ENERGY_H
#define WS_STORE_ENERGY_H

#include "store/store.h"

/* Whether each row of the view that compares points can have an area: the sweep's table of energies gives some, and the
 * view of energies has a row for each kernel, not for each pair of programs. */
bool ws_store_has_areas(const ws_sweep_row *sweep);

/* The query of that view; the sweep, of that id, must have a table of energies. */
sqlite3_str *ws_store_energy(const ws_store *store, const ws_sweep_row *sweep, int64_t id);

/* Describes the view's columns in the table `metric`, with formulas and sources; table_name is the view's name. */
bool ws_store_describe_energy(ws_store *store, const ws_sweep_row *sweep, ws_error *err);

#endif
