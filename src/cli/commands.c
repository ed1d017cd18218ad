#include "cli/command.h"

#include "base/nearest.h"

#include <string.h>

/* Every subcommand, in the order of the help. */
#define COMMANDS(X)                                                                                          \
    X(import)                                                                                                \
    X(import_gpu)                                                                                            \
    X(info)                                                                                                  \
    X(check)                                                                                                 \
    X(dump)                                                                                                  \
    X(characterize) X(run) X(sweep) X(merge) X(query) X(effects) X(plot) X(report) X(list) X(help) X(version)

#define X(name) extern const cli_command cli_##name;
COMMANDS(X)
#undef X

const cli_command *const cli_commands[] = {
#define X(name) &cli_##name,
    COMMANDS(X)
#undef X
        NULL};

const cli_command *cli_command_find(const char *name, ws_error *err) {
    ws_nearest nearest = ws_nearest_to(name);
    for (const cli_command *const *c = cli_commands; *c; c++) {
        if (strcmp((*c)->name, name) == 0) return *c;
        ws_nearest_offer(&nearest, (*c)->name);
    }
    if (nearest.best)
        ws_fail(err, WS_ERROR_USAGE, "unknown command '%s': did you mean '%s'?", name, nearest.best);
    else
        ws_fail(err, WS_ERROR_USAGE, "unknown command '%s': 'warpsweep help' lists the commands", name);
    return NULL;
}
