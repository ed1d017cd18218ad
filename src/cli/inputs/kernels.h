/* The option --kernels of commands that read a native trace. */
#ifndef WS_CLI_INPUTS_KERNELS_H
#define WS_CLI_INPUTS_KERNELS_H

#include "cli/command.h"
#include "warpsweep/trace.h"

#define CLI_KERNELS_HELP "only these launches: numbers ('1,3-5'), or a regular expression on the name"
#define CLI_KERNELS_OPTION                                                                                   \
    { "kernels", 'k', false, "LIST", CLI_KERNELS_HELP }

/* The launches that `option` selects; NULL with an error when it cannot be read, or selects none of the trace's. */
ws_selection *cli_kernels(const cli_args *args, int option, const ws_trace *trace, ws_error *err);

bool cli_kernels_has(const ws_selection *kernels, const ws_kernel *kernel);

#endif
