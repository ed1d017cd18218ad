/* What a trace lacks although it is sound. */
#ifndef CLI_GAPS_H
#define CLI_GAPS_H

#include "warpsweep/trace.h"

/* A line for each selected launch (NULL: all) that has fewer CTAs than its grid, or fewer warps than its CTAs, for the
 * first few of them: the source may have been cut between two CTAs, where nothing else tells, or only some were
 * traced. */
void cli_print_gaps(const ws_trace *trace, const ws_selection *kernels, FILE *out);

#endif
