/* Prints the tables that the help shows for other readers: man and the shell. */
#ifndef WS_CLI_HELP_MANUAL_H
#define WS_CLI_HELP_MANUAL_H

#include <stdio.h>

/* The manual page warpsweep(1), for man. */
void cli_print_manual(FILE *out);

/* A script that teaches bash to complete commands, options and names. */
void cli_print_completion(FILE *out);

#endif
