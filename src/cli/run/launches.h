/* What `warpsweep run` prints about the launches it ran. */
#ifndef WS_CLI_RUN_LAUNCHES_H
#define WS_CLI_RUN_LAUNCHES_H

#include "cli/run/hotspots.h"
#include "warpsweep/timed.h"

/* A launch of a run of several. */
typedef struct cli_part {
    uint64_t begin; /* cycle of the run */
    ws_timed_share share;
} cli_part;

/* A run: a launch, or several that ran at the same time. */
typedef struct cli_launch {
    const ws_kernel *kernel;
    ws_timed_counters counters;
    uint32_t together;     /* how many launches, from this one on, ran */
    const cli_part *parts; /* [together] */
    uint64_t counts[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX];
} cli_launch;

typedef struct cli_run_result {
    const ws_trace *trace;
    const char *gpu; /* NULL: the defaults */
    const ws_config *config;
    const cli_launch *launches;
    size_t launch_count;
    ws_mechanism_set mechanisms; /* that are on */
    cli_hotspots hotspots;
} cli_run_result;

bool cli_run_text(const cli_run_result *run, ws_error *err);
bool cli_run_json(const cli_run_result *run, ws_error *err);

/* Parts of these. As text: where the cycles went, from the schedulers to the DRAM, and what mechanisms counted. As
 * JSON: counters in groups. */
void cli_run_levels_text(const cli_run_result *run, const ws_timed_counters *counters);
json_t *cli_counters_json(const ws_timed_counters *counters);

#endif
