/* The results database: one SQLite file, written here and nowhere else (one process, one connection).
 *
 *   run            one row per sweep command: arguments, specification, versions, host, times, outcome
 *   trace, kernel  what was measured; `kernel` has one row per launch, with its counters
 *   point          one row per design point: kernel, configuration, status 'done' or 'failed' with its reason;
 *                  `truncated` is 1 where limits cut the replay
 *   A_config       (per analysis A) one row per configuration: a column per parameter (`window_size`), and JSON
 *   result tables  typed, as the analysis declares them; `note` says why a cell is NULL
 *   metric         every column's unit, how it adds up, and what it means
 *   sweep, sweep_point, point_run   which points a sweep asks for; which run computed a point
 *   views          per sweep S: `S`, `S_by_kernel` (launches of one name together), `S_T` (further table T), and where
 *                  it has a baseline `S_C` (comparison C: S_by_kernel against the baseline of each point) and
 *                  `S_F` (front F: which settings nobody beats in benefit and cost),
 *                  where it has a table of energies `S_energy` (joules by component)
 *
 * Identifiers are the low 63 bits of XXH3-64 of a key text, so they depend on what a row is about and on
 * nothing else: equal results have equal dumps whatever the order and the number of workers, and databases
 * merge by their rows. */
#ifndef WARPSWEEP_STORE_H
#define WARPSWEEP_STORE_H

#include "warpsweep/param.h"

#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ws_store ws_store;

/* Opens for writing; creates the file, or migrates an older schema in one transaction. Refused: files that
 * are no warpsweep database, newer schemas, and a database to which another process writes. */
ws_store *ws_store_open(const char *path, ws_error *err);

/* Opens for queries: nothing can change the file. Also while a sweep writes to it. */
ws_store *ws_store_open_readonly(const char *path, ws_error *err);

/* Writing stores are folded into a single file. Accepts NULL. */
void ws_store_close(ws_store *store);

/* Whether `path` is the store's own file, by whatever name. */
bool ws_store_is_file(const ws_store *store, const char *path);

/* To be called in a forked child first: lets go of the lock without touching SQLite. */
void ws_store_forget(ws_store *store);

/* ---- identifiers
 *   trace   DIGEST
 *   kernel  DIGEST/LAUNCH
 *   config  ANALYSIS@VERSION/FIDELITY/PARAMETERS     (those that are not at their defaults, ws_config_key)
 *   point   DIGEST/LAUNCH/ANALYSIS@VERSION/FIDELITY/PARAMETERS
 *           FIDELITY is "order", or "timed@VERSION" with that of the timed replay; behind PARAMETERS stands
 *           "/MECHANISM@VERSION" for each mechanism that is on and whose version is above 1
 *   sweep   NAME */
int64_t ws_store_id(const char *key_text);

/* ---- what is stored */

/* What a store must know of an analysis: enough for its tables. */
typedef struct ws_experiment {
    const char *name, *summary, *source;
    uint32_t version;
    const ws_component *const *components; /* of its configurations */
    size_t component_count;
    const ws_table *const *tables; /* NULL-terminated; the first has exactly one row per point */
    const ws_table *comparison; /* no columns; its ratios are SQL over `this.` and `base.`, which are rows of
                                      S_by_kernel; NULL: points are not compared */
    const ws_front *front;      /* of the comparison; NULL: none */
} ws_experiment;

/* Whether all its names can stand beside each other, and in queries without quotes: of tables, which no database has
 * anyway, of the views of a sweep, and of what a view shows. WS_ERROR_INTERNAL names the table. ws_store_use() asks. */
bool ws_experiment_check(const ws_experiment *experiment, ws_error *err);

typedef struct ws_run_row {
    const char *sweep;            /* its name */
    const char *spec_path, *spec; /* the specification's file and text */
    const char *const *argv;      /* NULL-terminated */
    uint32_t jobs;
} ws_run_row;

typedef struct ws_trace_row {
    int64_t id;
    const char *digest, *name, *path, *isa, *tracer;
    uint32_t warp_size, kernels;
} ws_trace_row;

typedef struct ws_kernel_row {
    int64_t id, trace;
    uint32_t launch; /* from 1 */
    const char *name, *short_name;
    uint32_t grid[3], block[3];
    uint32_t registers_per_thread, shared_B;
    const int64_t *counters; /* as many as the columns given to ws_store_kernel_counters() */
} ws_kernel_row;

typedef struct ws_config_row {
    int64_t id;
    const char *fidelity;
    const ws_config *config;
} ws_config_row;

typedef struct ws_point_row {
    int64_t id, kernel, config;
} ws_point_row;

/* An axis of whose values one makes a point a baseline. */
typedef struct ws_baseline_axis {
    const char *axis;
    const json_t *value;
} ws_baseline_axis;

/* A table of energies, for the view S_energy: joules per event, and power that is always drawn. Texts belong to
 * `root`. */
typedef struct ws_energy_number {
    double value;
    const char *source, *assumption; /* where it comes from, and what was assumed; one of them may be NULL */
} ws_energy_number;
typedef struct ws_energy_counter {
    const char *table, *column; /* table NULL: of the experiment's first table */
} ws_energy_counter;
typedef struct ws_energy_event {
    ws_energy_counter counter;
    ws_energy_number joules; /* of each */
} ws_energy_event;
typedef struct ws_energy_component {
    const char *name;
    ws_energy_number watts; /* drawn in each of the cycles that `cycles` counts */
    ws_energy_counter cycles;
    const char *per;     /* what draws them: "SM", "GPU" ..; NULL: no static power is given */
    const char *drawers; /* a column of the first table: how many draw them in each cycle; NULL: one */
    ws_energy_event *events;
    size_t event_count;
} ws_energy_component;
typedef struct ws_energy {
    json_t *root;
    ws_energy_number clock_Hz; /* of cycles */
    ws_energy_component *components;
    size_t component_count;
} ws_energy;

/* What S_energy has beside axes and components. The last ones, those of the baseline, are there where the sweep has
 * one. */
extern const ws_table ws_energy_table;

/* A sweep's own list of points, and the axes by which its views tell them apart. */
typedef struct ws_sweep_row {
    const char *name;
    const char *const *axes; /* parameter names, or "gpu", NULL-terminated */
    const int64_t *points;
    const char *const *gpus; /* per point: the preset that it started from; NULL: none has one */
    size_t point_count;
    const ws_baseline_axis *baseline; /* what makes a point one; ended by a NULL axis; NULL: none is */
    const char *const *compared_at;   /* axes on which a point and its baseline agree, NULL-terminated */
    const ws_energy *energy;          /* NULL: no view of energies */
    /* Launches of a trace ran at the same time: the table, of the experiment's, that has what all of them did in each
     * one's row, for energies are of all; NULL: they ran one by one. */
    const ws_table *together;
} ws_sweep_row;

/* ---- writing: in this order; WS_ERROR_INTERNAL names a call that is missing before */

/* What stands between these two is one transaction; closing without commit takes it back. */
bool ws_store_begin(ws_store *store, ws_error *err);
bool ws_store_commit(ws_store *store, ws_error *err);

/* Within such a transaction: */

/* Records the start of a run; points written from now on belong to it. */
bool ws_store_begin_run(ws_store *store, const ws_run_row *run, ws_error *err);

/* Declares the counters of `kernel` rows; the columns must outlive the store. */
bool ws_store_kernel_counters(ws_store *store, const ws_column *columns, size_t count, ws_error *err);

/* Creates the tables of an analysis, or adds the columns that are new to it. The experiment must outlive the
 * store; a store takes one. */
bool ws_store_use(ws_store *store, const ws_experiment *experiment, ws_error *err);

bool ws_store_trace(ws_store *store, const ws_trace_row *trace, ws_error *err);
bool ws_store_kernel(ws_store *store, const ws_kernel_row *kernel, ws_error *err);
bool ws_store_config(ws_store *store, const ws_config_row *config, ws_error *err);

/* Replaces what the sweep of this name asks for, and its views. WS_ERROR_SPEC when a name is taken. */
bool ws_store_sweep(ws_store *store, const ws_sweep_row *sweep, ws_error *err);

/* Each a transaction of its own: */

/* Stores the rows of `count` points (numbered from 0 in the encoded rows): all or nothing. A point that had
 * failed before is done then. WS_ERROR_INTERNAL when the rows do not fit the tables of the experiment; the text
 * says how. */
bool ws_store_done(ws_store *store, const ws_point_row *points, size_t count, const void *rows, size_t size,
                   ws_error *err);
bool ws_store_failed(ws_store *store, const ws_point_row *point, const char *reason, ws_error *err);

/* Records the end of the run: "done", "interrupted", "error". */
bool ws_store_end_run(ws_store *store, const char *outcome, uint64_t done, uint64_t failed, ws_error *err);

/* ---- merging */

typedef struct ws_merge_report {
    uint64_t points, added; /* of the part; of these, that were absent, or had failed and are done there */
} ws_merge_report;

/* Adds the results of another database (`path`, which may be of an older schema, or being written), all or nothing:
 * traces, kernels, configurations, points with their rows, runs, and sweeps with their views. Points that both have
 * done must have the same results; that they have not is WS_ERROR_DATABASE. A sweep of which `store` has one of that
 * name with other views, or whose views' names are taken, stays as it is there, which `log` (may be NULL) tells.
 * Outside of a transaction. */
bool ws_store_merge(ws_store *store, const char *path, FILE *log, ws_merge_report *report, ws_error *err);

/* ---- reading */

typedef enum ws_point_status { WS_POINT_ABSENT, WS_POINT_DONE, WS_POINT_FAILED } ws_point_status;

bool ws_store_status(ws_store *store, int64_t point, ws_point_status *status, ws_error *err);

/* Says which columns of a table stored ones of these points lack, because the analysis did not have them when they were
 * stored: they are NULL, and `note` does not say why. */
bool ws_store_tell_lacking(ws_store *store, const ws_experiment *experiment, const int64_t *points,
                           size_t count, FILE *log, ws_error *err);

/* What the points of a sweep are compared with, "mechanism.front none, at equal l1.size_B". Heap string; NULL: with
 * nothing, or the database is of an older schema, which does not say. */
bool ws_store_baseline(ws_store *store, const char *sweep, char **text, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
