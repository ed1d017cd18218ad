#include "cli/command.h"
#include "cli/usage.h"

static int run(const cli_args *args, ws_error *err) {
    const char *name = args->argument[0];
    const cli_command *command = name ? cli_command_find(name, err) : NULL;
    if (command)
        cli_print_command(command, stdout);
    else if (!name)
        cli_print_overview(stdout);
    return 0;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a command",
    .arguments = {{.name = "NAME",
                   .optional = true,
                   .help = "what to explain; without it, the commands are listed"}},
    .run = run,
};
