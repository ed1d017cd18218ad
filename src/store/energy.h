/* The view of a sweep with the energy of each point: by component, static and dynamic, in total, multiplied by the time
 * it takes, and relative to the baseline. Its fixed columns are those of ws_energy_table (warpsweep/store.h). */
#ifndef WS_STORE_ENERGY_H
#define WS_STORE_ENERGY_H

#include "store/store.h"

/* The query of that view; the sweep, of that id, must have a table of energies. */
sqlite3_str *ws_store_energy(const ws_store *store, const ws_sweep_row *sweep, int64_t id);

/* Describes the view's columns in the table `metric`, with formulas and sources; table_name is the view's name. */
bool ws_store_describe_energy(ws_store *store, const ws_sweep_row *sweep, ws_error *err);

#endif
