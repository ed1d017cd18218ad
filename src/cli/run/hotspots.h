/* `warpsweep run --hotspots`: the instructions at which warps wait longest, and the loads that take longest. */
#ifndef WS_CLI_RUN_HOTSPOTS_H
#define WS_CLI_RUN_HOTSPOTS_H

#include "analysis/parts/sites.h"

#include <jansson.h>

typedef struct cli_hotspots {
    uint32_t most; /* rows of each list; 0: not asked for */
    const ws_trace *trace;
    struct cli_kernel_sites {
        const char *kernel; /* short name: launches of one kernel are counted together */
        ws_sites sites;
    } * kernels;
    size_t count;
    ws_sites *now; /* those of the launch that runs */
} cli_hotspots;

void cli_hotspots_free(cli_hotspots *hotspots);
/* Begins a launch whose CTAs have `warps_per_cta` warps. Afterwards, call ws_sites_issue() and its like with `now`. */
bool cli_hotspots_launch(cli_hotspots *hotspots, const ws_kernel *kernel, uint32_t warps_per_cta,
                         ws_error *err);

bool cli_hotspots_text(const cli_hotspots *hotspots, ws_error *err);
/* NULL with an error. */
json_t *cli_hotspots_json(const cli_hotspots *hotspots, ws_error *err);

#endif
