/* Help texts, made from the tables of commands and options. */
#ifndef WS_CLI_USAGE_H
#define WS_CLI_USAGE_H

#include "cli/command.h"

#include <stdio.h>

/* What the program is, in a line; and what its exit statuses mean. */
extern const char cli_purpose[], cli_exit_statuses[];

enum { CLI_USAGE_SIZE = 512 };

/* How a command is called: "warpsweep import SRC --output OUT.wst [--kernels LIST] ..". */
void cli_usage(const cli_command *command, char text[CLI_USAGE_SIZE]);

/* Prints "usage: ", and how the command is called. */
void cli_print_usage(const cli_command *command, FILE *out);

/* Prints usage, arguments, options and details of one command. */
void cli_print_command(const cli_command *command, FILE *out);

/* Prints what the program is, and its commands. */
void cli_print_overview(FILE *out);

/* Prints `text` in lines of at most 100 columns, indented by `indent` blanks; the first line continues one that is as
 * long already. */
void cli_print_wrapped(const char *text, int indent, FILE *out);

/* Prints a name, from column 2 on, and what it is, from column `indent` on, below a name that is longer. */
void cli_print_named(const char *name, const char *help, int indent, FILE *out);

#endif
