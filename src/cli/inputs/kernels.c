#include "cli/inputs/kernels.h"

#include <stdio.h>

bool cli_kernels_has(const ws_selection *kernels, const ws_kernel *k) {
    return ws_selection_has(kernels, k->index, k->name, k->short_name);
}

ws_selection *cli_kernels(const cli_args *args, int option, const ws_trace *trace, ws_error *err) {
    const uint32_t count = ws_trace_get_info(trace)->kernel_count;
    ws_selection *kernels = ws_selection_new(args->option[option], "--kernels", err);
    if (!kernels) return NULL;
    bool any = false;
    for (uint32_t i = 1; i <= count && !any; i++) any = cli_kernels_has(kernels, ws_trace_kernel(trace, i));
    if (any && ws_selection_last(kernels) > count)
        fprintf(stderr, "--kernels %s: %s has no launch after %u\n", args->option[option],
                ws_trace_path(trace), count);
    if (any) return kernels;
    ws_selection_free(kernels);
    if (args->option[option]) {
        ws_fail(err, WS_ERROR_USAGE,
                "--kernels %s selects none of the %u launch%s of %s; 'warpsweep info' names them",
                args->option[option], count, count == 1 ? "" : "es", ws_trace_path(trace));
        return NULL;
    }
    return ws_selection_new(NULL, "--kernels", err); /* the trace has no launches: all of them */
}
