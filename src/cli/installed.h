/* Where the data of this installation are. */
#ifndef WS_CLI_INSTALLED_H
#define WS_CLI_INSTALLED_H

#include "warpsweep/error.h"

#include <stddef.h>
#include <stdio.h>

typedef struct cli_data {
    const char *what;     /* "figures" */
    const char *variable; /* environment variable that gives their folder */
    const char *beside;   /* their folder, relative to that of the command */
    const char *shared;   /* their folder in share/warpsweep of the installation's prefix */
} cli_data;

extern const cli_data cli_figures, cli_gpus, cli_energies, cli_sweeps;

/* Finds the folder: the one that the variable gives, else the first of the other two that exists. */
bool cli_data_folder(const cli_data *data, char *path, size_t size, ws_error *err);

/* Prints an environment variable and what it is for. */
typedef void cli_print_variable(const char *name, const char *help, FILE *out);
/* All that the command reads, each printed by `print`. */
void cli_print_variables(cli_print_variable *print, FILE *out);

#endif
