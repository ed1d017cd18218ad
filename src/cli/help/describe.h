/* Describes what the registry knows, in words and in JSON. */
#ifndef WS_CLI_HELP_DESCRIBE_H
#define WS_CLI_HELP_DESCRIBE_H

#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"

#include <stdio.h>

/* Describe an analysis: its own parameters and its results; and the parameters of the replay that it builds on. */
void cli_describe_analysis(const ws_analysis *analysis, FILE *out);
void cli_describe_replay(const ws_analysis *analysis, FILE *out);
json_t *cli_analysis_json(const ws_analysis *analysis); /* both; the caller decrefs */

/* Parts of an analysis, as its description shows them. */
void cli_describe_component(const ws_component *component, FILE *out);
void cli_describe_table(const ws_table *table, FILE *out);
void cli_describe_param(const ws_param *param, FILE *out);
void cli_describe_column(const ws_column *column, FILE *out);
void cli_describe_ratio(const ws_ratio *ratio, FILE *out);
/* Hardware that is added to the baseline's; `whose`: "warpman". */
void cli_describe_structures(const char *whose, const ws_structure *structures, size_t count, FILE *out);
json_t *cli_mechanism_json(const ws_mechanism *mechanism);                    /* the caller decrefs */
json_t *cli_param_json(const ws_component *component, const ws_param *param); /* the caller decrefs */

#endif
