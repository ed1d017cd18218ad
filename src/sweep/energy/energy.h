/* Tables of energies: joules per event, watts that are always drawn and areas, each number with its source, or with
 * what was assumed. A JSON file:
 *
 *   {"like": "another table of its folder, or of the folder of tables",
 *    "clock_Hz": {"value": 1.4e9, "source": ".."},
 *    "components": {"l1": {"static_W": {"value": 0.1, "per": "SM", "assumption": ".."},
 *                          "area_mm2": {"value": 0.4, "per": "SM", "source": ".."},
 *                          "events": {"l1_accesses": {"J": 1e-10, "source": ".."}}}}}
 *
 * What a table does not have itself, it takes from the table in `like`; a component is taken as a whole. An event is a
 * counter of the analysis: a column of its first table that adds up, or TABLE.COLUMN of another one. `per` is "SM",
 * "partition" (of memory), "GPU", "bit" (of the storage that mechanisms add), or such a counter whose unit is
 * cycles. `times`, beside it, is SQL over the parameters by which the power or the area is multiplied: a size,
 * over that for which it is given. */
#ifndef WS_SWEEP_ENERGY_ENERGY_H
#define WS_SWEEP_ENERGY_ENERGY_H

#include "warpsweep/analysis.h"
#include "warpsweep/store.h"

/* A table in `like` is looked for beside the file at `path`, then in `folder` (may be NULL). Messages begin with the
 * path, then a JSON path. */
ws_energy *ws_energy_load(const char *path, const char *folder, const ws_analysis *analysis, ws_error *err);
void ws_energy_free(ws_energy *energy); /* accepts NULL */

/* True if points of the analysis can have an energy, that is if it counts cycles. */
bool ws_energy_suits(const ws_analysis *analysis);

#endif
