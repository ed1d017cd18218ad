/* The tables of energies that a folder holds, each a file NAME.json. */
#ifndef WS_SWEEP_ENERGY_TABLES_H
#define WS_SWEEP_ENERGY_TABLES_H

#include "warpsweep/error.h"

#include <stddef.h>

/* Calls `visit` for each of them, sorted by name. A file that cannot be read has no summary: "". */
typedef void ws_energy_visit(void *context, const char *name, const char *summary);
bool ws_energy_tables(const char *folder, ws_energy_visit *visit, void *context, ws_error *err);

/* Finds the file of a table. `name` is the name of one in the folder (NULL: unknown), or a path, which contains a '/'
 * or ends in .json. WS_ERROR_SPEC if the folder has none of that name. */
bool ws_energy_find(const char *folder, const char *name, char *path, size_t size, ws_error *err);

#endif
