/* What `warpsweep run` prints of the mechanisms that are on. */
#ifndef CLI_RUN_MECHANISMS_H
#define CLI_RUN_MECHANISMS_H

#include "cli/run_report.h"

/* A launch's counts of mechanism `i` of the run; those of all launches together. */
void cli_mechanisms_total(const cli_run_result *run, size_t i, uint64_t *total);

/* Counts of all mechanisms, WS_MECHANISM_COUNTS_MAX for each; NULL when none is on. */
json_t *cli_mechanisms_json(const cli_run_result *run, const uint64_t *counts);
/* Hardware beyond the baseline's; NULL when nothing is on that could add any. */
json_t *cli_costs_json(const cli_run_result *run);
void cli_mechanisms_text(const cli_run_result *run);

#endif
