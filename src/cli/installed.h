/* Where the data of this installation are. */
#ifndef CLI_INSTALLED_H
#define CLI_INSTALLED_H

#include "warpsweep/error.h"

#include <stddef.h>

typedef struct cli_data {
    const char *what;     /* "figures" */
    const char *variable; /* of the environment: their folder */
    const char *beside;   /* where they are beside the command */
    const char *shared;   /* and in share/warpsweep of its prefix */
} cli_data;

extern const cli_data cli_figures, cli_gpus, cli_energies, cli_sweeps;

/* The folder that the variable gives, else the first of the two that is there. */
bool cli_data_folder(const cli_data *data, char *path, size_t size, ws_error *err);

#endif
