/* Tables of energies, as `warpsweep help energy` explains them. */
#ifndef CLI_ENERGIES_H
#define CLI_ENERGIES_H

#include <stdio.h>

/* Prints the format, the counters that a table may name, the columns that it gives, and the tables of this
 * installation. */
void cli_print_energy(FILE *out);

#endif
