/* Sizes of a GPU as SQL over its parameters, where there are no points yet: "sm_registers / 16384.0". */
#ifndef WS_SWEEP_ENERGY_SIZE_SQL_H
#define WS_SWEEP_ENERGY_SIZE_SQL_H

#include "warpsweep/analysis.h"

/* Checks an expression over the columns of the analysis' configurations (window.size is `window_size`): that it
 * compiles, uses nothing but columns, operators and deterministic functions, and gives a number for the parameters'
 * defaults. `at` begins the message. */
bool ws_size_sql_check(const ws_analysis *analysis, const char *sql, const char *at, ws_error *err);

#endif
