/* Subcommands: each is one file, in a folder of this one, with one `cli_command`, listed in commands.c. Parsing, usage
 * lines and help come from these tables. Results go to stdout, everything else to stderr. */
#ifndef WS_CLI_COMMAND_H
#define WS_CLI_COMMAND_H

#include "warpsweep/error.h"

#include <stdint.h>

enum { CLI_OPTIONS_MAX = 12, CLI_ARGUMENTS_MAX = 3, CLI_REPEATS_MAX = 4096 };

/* Exit status of a sweep that finished although some of its points failed; all others come from
 * ws_error_code. */
enum { CLI_SOME_FAILED = 4 };

typedef struct cli_option {
    const char *name;  /* long form, without dashes */
    char letter;       /* short form, 0 for none */
    bool required;     /* an error if it is missing */
    const char *value; /* what the help calls its value, NULL for a flag */
    const char *help;
} cli_option;

typedef struct cli_argument {
    const char *name;
    bool optional; /* only at the end of the list */
    const char *help;
} cli_argument;

typedef struct cli_command cli_command;

/* A parsed command line. Values are in the order of the command's table; NULL = not given, "" for a flag that
 * is. */
typedef struct cli_args {
    const cli_command *command;
    int argc; /* the whole command line, for the record */
    char **argv;
    const char *argument[CLI_ARGUMENTS_MAX];
    const char *option[CLI_OPTIONS_MAX];   /* of one that repeats: the first value */
    const char *repeated[CLI_REPEATS_MAX]; /* all values of what repeats, in their order */
    int repeated_count;
} cli_args;

struct cli_command {
    const char *name, *summary;
    cli_argument arguments[CLI_ARGUMENTS_MAX];
    cli_option options[CLI_OPTIONS_MAX];
    /* the name of the option, or of the last argument, that may be given more than once; or NULL */
    const char *repeats;
    /* the name of the option that takes "-" for standard input, or NULL; all others refuse "-" */
    const char *standard_input;
    const char *waives;  /* the name of the flag with which `required` options may be left out; or NULL */
    const char *details; /* for the help, below the options; lines of at most 100 columns, NULL for none */
    /* Returns the exit status, which is ignored when `err` has been set. */
    int (*run)(const cli_args *args, ws_error *err);
};

/* All commands, in the order of the help; NULL-terminated. */
extern const cli_command *const cli_commands[];

/* Finds a command; an unknown name is a usage error that gives the nearest one. */
const cli_command *cli_command_find(const char *name, ws_error *err);

/* Parses argv[2..] into `args`. */
bool cli_parse(const cli_command *command, int argc, char **argv, cli_args *args, ws_error *err);

/* Read the number given to an option; `fallback` if it is not given. Anything but a number in [min, max] is an
 * error. */
bool cli_number(const cli_args *args, int option, double min, double max, double fallback, double *out,
                ws_error *err);
bool cli_whole_number(const cli_args *args, int option, uint32_t min, uint32_t max, uint32_t fallback,
                      uint32_t *out, ws_error *err);

#endif
