/* Figures and specifications that come with the command, explained. */
#ifndef WS_CLI_HELP_BUNDLED_H
#define WS_CLI_HELP_BUNDLED_H

#include "warpsweep/report.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>

/* The installed figures, for ws_figures_free(). Fails if their folder is missing. */
bool cli_figures_list(ws_figure **figures, size_t *count, ws_error *err);
/* The same; none if their folder is missing. */
void cli_bundled_figures(ws_figure **figures, size_t *count);

/* Prints a figure's title, what its query says of itself, and how to draw it. */
void cli_print_figure(const ws_figure *figure, FILE *out);

/* The description of the installed specification of that name, without its ending, for json_decref(), and its path;
 * NULL if there is none. */
json_t *cli_specification(const char *name, char path[PATH_MAX]);

#endif
