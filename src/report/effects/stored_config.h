/* Configurations as a database stores them. */
#ifndef WS_REPORT_EFFECTS_STORED_CONFIG_H
#define WS_REPORT_EFFECTS_STORED_CONFIG_H

#include "warpsweep/analysis.h"

/* Reads the columns `fidelity` and `json` of a row of the analysis's table of configurations; parameters that there are
 * no more are left out. `components` has room for WS_COMPONENTS_MAX, and stays while the configuration is used, which
 * ws_config_free() frees. NULL, with an error, for values out of today's bounds. */
ws_config *ws_stored_config(const ws_analysis *analysis, const char *fidelity, const char *json,
                            const ws_component **components, ws_error *err);

#endif
