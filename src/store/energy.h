/* The view of a sweep that has the energy of each point: by component, static and dynamic, in all, times the time that
 * it takes, and relative to the baseline. Its fixed columns are those of ws_energy_table (warpsweep/store.h). */
#ifndef WS_STORE_ENERGY_H
#define WS_STORE_ENERGY_H

#include "store/store.h"

/* The query of that view; the sweep has a table of energies. */
sqlite3_str *ws_store_energy(const ws_store *store, const ws_sweep_row *sweep);

/* Describes its columns in `metric`, with formula and sources: table_name is that of the view. */
bool ws_store_describe_energy(ws_store *store, const ws_sweep_row *sweep, ws_error *err);

#endif
