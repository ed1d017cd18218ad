/* Tables of energies, as `warpsweep help energy` explains them. */
#ifndef WS_CLI_HELP_ENERGIES_H
#define WS_CLI_HELP_ENERGIES_H

#include "sweep/energy/tables.h"

#include <stdio.h>

/* Calls `visit` for each table of this installation, sorted by name; for none where there are none, as beside a command
 * that was copied alone. */
bool cli_energies_list(ws_energy_visit *visit, void *context, ws_error *err);

/* Prints the format, the counters that a table may name, the columns that it gives, and the tables of this
 * installation. */
void cli_print_energy(FILE *out);

/* Prints the numbers of an installed table, each with its unit and source; of a table that is like another, its own. */
bool cli_print_energy_table(const char *name, FILE *out, ws_error *err);

/* Whether one of them has a component of this name. */
bool cli_energies_have(const char *component);

#endif
