/* `warpsweep run FILE --with FILE`: two programs at the same time. */
#ifndef WS_CLI_RUN_PROGRAMS_H
#define WS_CLI_RUN_PROGRAMS_H

#include "cli/run/launches.h"

/* Runs the program of `trace` at the same time as that of the trace `with`, then each of them alone, and prints the
 * results. */
bool cli_run_programs(const ws_trace *trace, const char *with, const char *gpu, const ws_config *config,
                      bool json, ws_error *err);

#endif
