/* Bare names, for scripts and completion. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "warpsweep/error.h"

#include <stdio.h>

/* Prints all names of a kind, sorted, one per line. An unknown kind is a usage error. */
bool cli_print_names(const char *kind, FILE *out, ws_error *err);

#endif
