#include "cli/gaps.h"

#include "cli/kernels.h"
#include "cli/output.h"

enum { LAUNCHES_SHOWN = 4 };

static uint64_t grid_of(const ws_kernel *k) {
    return (uint64_t)k->grid.x * k->grid.y * k->grid.z; /* at most 2^40 in a trace that opens */
}

void cli_print_gaps(const ws_trace *trace, const ws_selection *kernels, FILE *out) {
    uint32_t gaps = 0;
    char found[CLI_COUNT_SIZE], expected[CLI_COUNT_SIZE];
    for (uint32_t i = 1; i <= ws_trace_get_info(trace)->kernel_count; i++) {
        const ws_kernel *k = ws_trace_kernel(trace, i);
        if ((kernels && !cli_kernels_has(kernels, k)) || k->counters.ctas == grid_of(k)) continue;
        if (++gaps > LAUNCHES_SHOWN) continue;
        fprintf(out,
                "launch %u (%s) has %s of the %s CTAs of its grid: was its source cut, or traced in part?\n",
                i, k->short_name, cli_count(k->counters.ctas, found), cli_count(grid_of(k), expected));
    }
    if (gaps > LAUNCHES_SHOWN)
        fprintf(out, "more launches like these: %s\n", cli_count(gaps - LAUNCHES_SHOWN, found));
}
