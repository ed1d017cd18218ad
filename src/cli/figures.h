/* Where the figures of this installation are. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "warpsweep/error.h"

#include <stddef.h>

/* $WARPSWEEP_PLOTS, or `plots` beside the command, or share/warpsweep/plots of its prefix. */
bool cli_figures_folder(char *path, size_t size, ws_error *err);

#endif
