/* Bare names, for scripts and completion. */
#ifndef WS_CLI_HELP_NAMES_H
#define WS_CLI_HELP_NAMES_H

#include "warpsweep/error.h"

#include <stdio.h>

/* X(kind of names, what follows it in a list of all) */
#define CLI_NAME_KINDS(X)                                                                                    \
    X(analyses, ", ")                                                                                        \
    X(commands, ", ")                                                                                        \
    X(energies, ", ")                                                                                        \
    X(figures, ", ")                                                                                         \
    X(formats, ", ")                                                                                         \
    X(functions, ", ")                                                                                       \
    X(gpus, ", ")                                                                                            \
    X(mechanisms, ", ")                                                                                      \
    X(metrics, " or ")                                                                                       \
    X(parameters, "")

#define CLI_NAME_KIND_LISTED(kind, after) #kind after
#define CLI_NAME_KIND_WORD(kind, after)   " " #kind
/* Literals: "analyses, commands .. or parameters", " analyses commands .. parameters" */
#define CLI_NAME_KINDS_LISTED CLI_NAME_KINDS(CLI_NAME_KIND_LISTED)
#define CLI_NAME_KIND_WORDS   CLI_NAME_KINDS(CLI_NAME_KIND_WORD)

/* Fails with a usage error unless it is a kind. */
bool cli_expect_kind(const char *kind, ws_error *err);
/* Prints all names of a kind, sorted, one per line. */
bool cli_print_names(const char *kind, FILE *out, ws_error *err);

#endif
