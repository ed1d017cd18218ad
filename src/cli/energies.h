/* Tables of energies, as `warpsweep help energy` explains them. */
#ifndef CLI_ENERGIES_H
#define CLI_ENERGIES_H

#include <stdio.h>

/* The format, the counters that it may name, the columns that it gives, and the tables of this installation. */
void cli_print_energy(FILE *out);

#endif
