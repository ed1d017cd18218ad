/* What `warpsweep run` prints about the mechanisms that are on. */
#ifndef WS_CLI_RUN_MECHANISMS_H
#define WS_CLI_RUN_MECHANISMS_H

#include "cli/run/launches.h"

/* Adds up the counts of the run's mechanism `i` over all launches. */
void cli_mechanisms_total(const cli_run_result *run, size_t i, uint64_t *total);

/* Add to an object, as cli_json_set() does: "mechanisms", if any is on (`counts` are those of all of them,
 * WS_MECHANISM_COUNTS_MAX for each), and "costs", the hardware that is added to the baseline's, if anything is on that
 * could add some. */
void cli_set_mechanisms(json_t **object, const cli_run_result *run, const uint64_t *counts);
void cli_set_costs(json_t **object, const cli_run_result *run);
/* As text, with `sm_cycles` the cycles of all SMs (ws_timed_counters). */
void cli_mechanisms_text(const cli_run_result *run, uint64_t sm_cycles);

#endif
