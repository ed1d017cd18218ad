#include "cli/inputs/gaps.h"

#include "cli/inputs/kernels.h"
#include "cli/output.h"

enum { LAUNCHES_SHOWN = 4 };

static uint64_t count_of(ws_dim3 dim) {
    return (uint64_t)dim.x * dim.y * dim.z; /* at most 2^40 in a trace that opens */
}

typedef struct gap {
    const char *what, *of;
    uint64_t found, expected;
} gap;

/* True if only memory accesses were traced. A warp without any is then not missing. */
static bool is_memory_only(const ws_kernel *k) {
    return k->counters.trace_memory_lines == k->counters.warp_instructions;
}

static bool find_gap(const ws_kernel *k, uint32_t warp_size, gap *found) {
    const ws_counters *c = &k->counters;
    uint64_t warps = (count_of(k->block) + warp_size - 1) / warp_size;
    if (c->ctas != count_of(k->grid))
        *found = (gap){"CTAs", "its grid", c->ctas, count_of(k->grid)};
    else if (c->warps != c->ctas * warps && !is_memory_only(k))
        *found = (gap){"warps", "its CTAs", c->warps, c->ctas * warps};
    else
        return false;
    return true;
}

void cli_print_gaps(const ws_trace *trace, const ws_selection *kernels, FILE *out) {
    uint32_t gaps = 0;
    char found[CLI_COUNT_SIZE], expected[CLI_COUNT_SIZE];
    const ws_trace_info *info = ws_trace_get_info(trace);
    for (uint32_t i = 1; i <= info->kernel_count; i++) {
        const ws_kernel *k = ws_trace_kernel(trace, i);
        gap g;
        if ((kernels && !cli_kernels_has(kernels, k)) || !find_gap(k, info->warp_size, &g)) continue;
        if (++gaps > LAUNCHES_SHOWN) continue;
        fprintf(out, "launch %u (%s) has %s of the %s %s of %s: was its source cut, or traced in part?\n", i,
                k->short_name, cli_count(g.found, found), cli_count(g.expected, expected), g.what, g.of);
    }
    if (gaps > LAUNCHES_SHOWN)
        fprintf(out, "more launches like these: %s\n", cli_count(gaps - LAUNCHES_SHOWN, found));
}
