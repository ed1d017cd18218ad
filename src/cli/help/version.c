#include "warpsweep/version.h"

#include "cli/command.h"

#include <stdio.h>

static int run(const cli_args *args, ws_error *err) {
    (void)args, (void)err;
    printf("warpsweep %s (%s)\n", ws_version(), ws_revision());
    return 0;
}

const cli_command cli_version = {
    .name = "version",
    .summary = "print the version and the revision it was built from",
    .run = run,
};
