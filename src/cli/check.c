#include "cli/command.h"
#include "cli/output.h"
#include "warpsweep/trace.h"

#include <stdio.h>

static int run(const cli_args *args, ws_error *err) {
    const char *path = args->argument[0];
    ws_trace *trace = ws_trace_open(path, err);
    if (trace && ws_trace_check(trace, err)) {
        const ws_trace_info *info = ws_trace_get_info(trace);
        char kernels[CLI_COUNT_SIZE], instructions[CLI_COUNT_SIZE];
        printf("%s: ok, kernels: %s, warp instructions: %s, digest %s\n", path,
               cli_count(info->kernel_count, kernels),
               cli_count(ws_trace_totals(trace).warp_instructions, instructions), info->digest);
    }
    ws_trace_close(trace);
    return 0;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "read all of a trace and compare it with its checksums, counters and digest",
    .arguments = {{.name = "FILE.wst", .help = "a native trace"}},
    .details =
        "Prints one line when the trace is sound; else says what is wrong and where, and exits with 3.\n",
    .run = run,
};
