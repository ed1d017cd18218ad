/* Tells what a trace lacks although it is sound. */
#ifndef WS_CLI_INPUTS_GAPS_H
#define WS_CLI_INPUTS_GAPS_H

#include "warpsweep/trace.h"

#include <stdio.h>

/* Prints a line for each of the first few selected launches (NULL: all) that have fewer CTAs than their grid, or fewer
 * warps than their CTAs: the source may have been cut between two CTAs, which nothing else reveals, or only some were
 * traced. */
void cli_print_gaps(const ws_trace *trace, const ws_selection *kernels, FILE *out);

#endif
