/* What `warpsweep run` prints about the mechanisms that are on. */
#ifndef CLI_RUN_MECHANISMS_H
#define CLI_RUN_MECHANISMS_H

#include "cli/run_report.h"

/* Adds up the counts of the run's mechanism `i` over all launches. */
void cli_mechanisms_total(const cli_run_result *run, size_t i, uint64_t *total);

/* `counts` are those of all mechanisms, WS_MECHANISM_COUNTS_MAX for each. Returns NULL if none is on. */
json_t *cli_mechanisms_json(const cli_run_result *run, const uint64_t *counts);
/* The hardware that is added to the baseline's; NULL if nothing is on that could add any. */
json_t *cli_costs_json(const cli_run_result *run);
void cli_mechanisms_text(const cli_run_result *run);

#endif
