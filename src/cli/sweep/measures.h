/* What `characterize` measures: a file says which sweeps to run, and which expressions over their views make a row of
 * the table (sweeps/characterize.json). A new measure is a row in that file. */
#ifndef WS_CLI_SWEEP_MEASURES_H
#define WS_CLI_SWEEP_MEASURES_H

#include "warpsweep/store.h"

#include <stdio.h>

/* The object of characterize.json in the folder of sweeps, checked: "parts" and "pictures". The caller decrefs. */
json_t *cli_measures_load(const char *sweeps, ws_error *err);

/* Prints what a measure of this part of the file is computed from. */
void cli_measure_explain(const json_t *part, const json_t *measure, FILE *out);

/* Reads the measures from the store, once their sweeps have run: an array with an object per kernel, which has the
 * kernel's identity, "measures" by name (null where unknown), and "notes" by name (why one is unknown, or what to know
 * about it). The caller decrefs. */
json_t *cli_measures_read(const json_t *file, ws_store *store, ws_error *err);

/* Prints these as a table for people. */
bool cli_measures_print(const json_t *file, const json_t *kernels, FILE *out, ws_error *err);

#endif
