#include "cli/inputs/kernels.h"
#include "cli/output.h"

#include <stdio.h>

enum { KERNELS };

static uint64_t instructions_of(const ws_trace *trace, const ws_selection *kernels, uint32_t *count) {
    uint64_t instructions = 0;
    *count = 0;
    for (uint32_t i = 1; i <= ws_trace_get_info(trace)->kernel_count; i++) {
        const ws_kernel *k = ws_trace_kernel(trace, i);
        if (!cli_kernels_has(kernels, k)) continue;
        instructions += k->counters.warp_instructions;
        ++*count;
    }
    return instructions;
}

static void print_sound(const ws_trace *trace, const ws_selection *kernels) {
    char chosen[CLI_COUNT_SIZE], all[CLI_COUNT_SIZE], instructions[CLI_COUNT_SIZE];
    const ws_trace_info *info = ws_trace_get_info(trace);
    uint32_t count;
    cli_count(instructions_of(trace, kernels, &count), instructions);
    cli_count(count, chosen);
    printf("%s: ok, launches: %s", ws_trace_path(trace), chosen);
    if (count < info->kernel_count) printf(" of %s", cli_count(info->kernel_count, all));
    printf(", warp instructions: %s, ", instructions);
    if (count < info->kernel_count)
        puts("digest not compared (it is that of all)");
    else
        printf("digest %s\n", info->digest);
}

static int run(const cli_args *args, ws_error *err) {
    ws_trace *trace = ws_trace_open(args->argument[0], err);
    ws_selection *kernels = trace ? cli_kernels(args, KERNELS, trace, err) : NULL;
    if (kernels && ws_trace_check_kernels(trace, args->option[KERNELS] ? kernels : NULL, err))
        print_sound(trace, kernels);
    ws_selection_free(kernels);
    ws_trace_close(trace);
    return 0;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "read all of a trace and compare it with its checksums, counters and digest",
    .arguments = {{.name = "FILE.wst", .help = "a native trace"}},
    .options = {[KERNELS] = CLI_KERNELS_OPTION},
    .details =
        "Prints one line if the trace is sound; otherwise says what is wrong and where, and exits with 3.\n",
    .run = run,
};
