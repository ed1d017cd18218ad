/* The results database: one SQLite file, written here and nowhere else (one process, one connection).
 *
 *   run            one row per sweep command: arguments, specification, versions, host, times, outcome
 *   trace, kernel  what was measured; `kernel` has one row per launch, with its counters
 *   point          one row per design point: kernel, configuration, status 'done' or 'failed' with its reason;
 *                  `truncated` is 1 where limits cut the replay, `damaged` where the file of a trace was to blame
 *   A_config       (per analysis A) one row per configuration: a column per parameter (`window_size`), and JSON
 *   result tables  typed, as the analysis declares them; `note` says why a cell is NULL
 *   metric         the unit of every parameter and result, how it adds up, and what it means
 *   sweep, sweep_point, point_run   which points a sweep asks for; which run computed a point
 *   views          per sweep S: `S`, `S_by_kernel` (launches of one name together), `S_T` (further table T), and where
 *                  it has a baseline `S_C` (comparison C: S_by_kernel against the baseline of each point) and
 *                  `S_F` (front F: the settings that no other beats in both benefit and cost),
 *                  where it has a table of energies `S_energy` (joules by component)
 *
 * Identifiers are the low 63 bits of the XXH3-64 hash of a key text, so they depend only on what a row is about: equal
 * results give equal dumps, whatever the order and the number of workers, and databases can be merged row by row. */
#ifndef WARPSWEEP_STORE_H
#define WARPSWEEP_STORE_H

#include "warpsweep/param.h"

#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ws_store ws_store;

/* Opens for writing; creates the file if it does not exist, or migrates an older schema in one transaction. Refused:
 * files that are not a warpsweep database, newer schemas, and a database that another process writes to. */
ws_store *ws_store_open(const char *path, ws_error *err);

/* Opens for queries, which cannot change the file; possible while a sweep writes to it. */
ws_store *ws_store_open_readonly(const char *path, ws_error *err);

/* Writes to `log` that results may be missing if a sweep was writing to the file, and SQLite's log, NAME-wal,
 * is not there: a copy of the file alone has only what SQLite had moved into it by then. None is missing if another
 * program has opened the file since the sweep was killed, and moved all into it; the file does not tell. */
bool ws_store_tell_log_lost(ws_store *store, FILE *log, ws_error *err);

/* Closing a store that was opened for writing leaves a single file, without SQLite's log beside it, unless a reader is
 * in the way. Accepts NULL. */
void ws_store_close(ws_store *store);

/* Whether `path` names the store's own file, directly or through a link. */
bool ws_store_is_file(const ws_store *store, const char *path);

/* While another program holds the database, calls wait for it. `go_on` is asked several times a second, with the
 * seconds waited so far, until it returns false: then the call fails with WS_ERROR_INTERRUPTED. Without this a call
 * waits ten seconds. */
typedef bool ws_store_go_on(void *context, double seconds);
void ws_store_wait(ws_store *store, ws_store_go_on *go_on, void *context);

/* A forked child calls this first: it drops the inherited lock without touching SQLite. */
void ws_store_forget(ws_store *store);

/* ---- identifiers
 *   trace   DIGEST
 *   kernel  DIGEST/LAUNCH
 *   config  ANALYSIS@VERSION/FIDELITY/PARAMETERS     (those that differ from their defaults, ws_config_key)
 *   point   DIGEST/LAUNCH/ANALYSIS@VERSION/FIDELITY/PARAMETERS
 *           FIDELITY is "order@VERSION" or "timed@VERSION" with the version of the replay; PARAMETERS is followed by
 *           "/MECHANISM@VERSION" for each mechanism that is on and has a version above 1
 *   sweep   NAME */
int64_t ws_store_id(const char *key_text); /* 0 for NULL */

/* ---- what is stored */

/* What a store needs to know of an analysis to make its tables and views. */
typedef struct ws_experiment {
    const char *name, *summary, *source;
    uint32_t version;
    const ws_component *const *components; /* of its configurations */
    size_t component_count;
    const ws_table *const *tables; /* NULL-terminated; the first has exactly one row per point */
    const ws_table *comparison; /* no columns; its ratios are SQL over `this.` and `base.`, which are rows of
                                      S_by_kernel, and the sweep's own launches, SELECT kernel FROM swept;
                                      NULL: points are not compared */
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

/* A point is a baseline if each such axis has its `value`. */
typedef struct ws_baseline_axis {
    const char *axis;
    const json_t *value;
} ws_baseline_axis;

/* A table of energies, for the view S_energy: joules per event, power that is always drawn, and areas. Texts belong to
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
/* What each part of some kind has, whether or not something happens there. */
typedef struct ws_energy_part {
    const char *per; /* the kind: "SM", "GPU" ..; NULL: nothing is given */
    ws_energy_number each;
    ws_energy_counter cycles; /* the cycles of all such parts */
    const char *parts;        /* the first table's column of how many there are in each of these; NULL: one */
    const char *times; /* SQL over the columns of ANALYSIS_config that `each` is multiplied by; NULL: 1 */
} ws_energy_part;
typedef struct ws_energy_component {
    const char *name;
    ws_energy_part watts, mm2;
    ws_energy_event *events;
    size_t event_count;
} ws_energy_component;
/* Whether it draws energy, and does not only take area. */
static inline bool ws_energy_draws(const ws_energy_component *component) {
    return component->watts.per || component->event_count;
}
typedef struct ws_energy {
    json_t *root;
    ws_energy_number clock_Hz; /* of cycles */
    ws_energy_component *components;
    size_t component_count;
} ws_energy;

/* The columns of S_energy besides axes and components. The last ones, relative to the baseline, exist only if the sweep
 * has one. */
extern const ws_table ws_energy_table;

/* The columns of the front S_F besides axes and those of the comparison. */
extern const ws_table ws_front_table;

/* The tables that every database has; of `kernel` without the counters. */
extern const ws_table ws_store_own_tables[];
extern const size_t ws_store_own_table_count;

/* A sweep's own list of points, and the axes by which its views tell them apart. */
typedef struct ws_sweep_row {
    const char *name;
    const char *const *axes; /* parameter names, or "gpu", NULL-terminated */
    const int64_t *points;
    const char *const *gpus; /* per point: the preset that it started from; NULL: no point has one */
    size_t point_count;
    const ws_baseline_axis
        *baseline; /* what makes a point a baseline; ended by a NULL axis; NULL: no point is one */
    const char *const *compared_at; /* axes on which a point and its baseline agree, NULL-terminated */
    const ws_energy *energy;        /* NULL: no view of energies */
    /* Where launches may run at the same time, the experiment's table in which the row of each has what all of them did
     * together (ws_analysis.together); else NULL. */
    const ws_table *together;
    bool programs; /* all launches of a trace ran at the same time, as two programs */
} ws_sweep_row;

/* ---- writing: calls in this order; WS_ERROR_INTERNAL names a call that should have come first */

/* Everything between these two is one transaction; closing the store without a commit undoes it. */
bool ws_store_begin(ws_store *store, ws_error *err);
bool ws_store_commit(ws_store *store, ws_error *err);

/* Within such a transaction: */

/* Records the start of a run; points written from now on belong to it. */
bool ws_store_begin_run(ws_store *store, const ws_run_row *run, ws_error *err);

/* Declares the counters of `kernel` rows; the columns must outlive the store. */
bool ws_store_kernel_counters(ws_store *store, const ws_column *columns, size_t count, ws_error *err);

/* Creates the tables of an analysis, or adds columns that are new in it. The experiment must outlive the store, which
 * takes only one. */
bool ws_store_use(ws_store *store, const ws_experiment *experiment, ws_error *err);

/* The name and the path of a trace are those of the run that saw it last, in all views; `log` (NULL: none) says so if
 * the name was another. */
bool ws_store_trace(ws_store *store, const ws_trace_row *trace, FILE *log, ws_error *err);
bool ws_store_kernel(ws_store *store, const ws_kernel_row *kernel, ws_error *err);

/* Replaces the list of points of the sweep of this name, and its views. WS_ERROR_SPEC if a name is taken. */
bool ws_store_sweep(ws_store *store, const ws_sweep_row *sweep, ws_error *err);

/* After ws_store_sweep(): a line for the user about points that the sweep's views showed before and no longer show, and
 * about views that are gone; NULL: nothing is missing. The store's, until the next sweep. */
const char *ws_store_unshown(const ws_store *store);

/* Counts the rows of the comparison of the sweep that ws_store_sweep() stored last, and those of them that have a
 * baseline; 0 if it has none. */
bool ws_store_count_compared(ws_store *store, int64_t *rows, int64_t *with_baseline, ws_error *err);

/* Checks that no stored sweep has another trace of the same name beside this one: its views, which tell traces apart by
 * name, would show them as one. Called after ws_store_sweep(), since the traces that this sweep had before do not
 * matter. WS_ERROR_SPEC names the sweep and both files. */
bool ws_store_check_name(ws_store *store, int64_t trace, ws_error *err);

/* Each a transaction of its own: */

/* A configuration comes before the points that have it; within another transaction, too. */
bool ws_store_config(ws_store *store, const ws_config_row *config, ws_error *err);

/* Stores the rows of `count` points (numbered from 0 in the encoded rows): all or nothing. A point that had failed
 * before becomes done. WS_ERROR_INTERNAL if the rows do not fit the experiment's tables; the text says why. */
bool ws_store_done(ws_store *store, const ws_point_row *points, size_t count, const void *rows, size_t size,
                   ws_error *err);
/* With `why->code` WS_ERROR_DAMAGED the point is WS_POINT_DAMAGED from then on, with others WS_POINT_FAILED. */
bool ws_store_failed(ws_store *store, const ws_point_row *point, const ws_error *why, ws_error *err);

/* Records the end of the run: "done", "interrupted", "error". */
bool ws_store_end_run(ws_store *store, const char *outcome, uint64_t done, uint64_t failed, ws_error *err);

/* ---- merging */

typedef struct ws_merge_report {
    uint64_t points; /* of the part */
    uint64_t added;  /* of these, what the store lacked, or what had failed in it and is done in the part */
} ws_merge_report;

/* Adds the results of another database (`path`, which may be of an older schema, or being written), all or nothing:
 * traces, kernels, configurations, points with their rows, runs, and sweeps with their views. Different results for a
 * point that is done in both are WS_ERROR_DATABASE. If `store` has a sweep of the same name with other views, the
 * names of its views are taken, or it would have two traces of one name, that sweep stays as it is, and `log` (may be
 * NULL) says so. Not to be called within a transaction. */
bool ws_store_merge(ws_store *store, const char *path, FILE *log, ws_merge_report *report, ws_error *err);

/* ---- reading */

typedef enum ws_point_status {
    WS_POINT_ABSENT,
    WS_POINT_DONE,
    WS_POINT_FAILED,
    WS_POINT_DAMAGED, /* failed because the file of its trace was damaged: another copy may give results */
} ws_point_status;

bool ws_store_status(ws_store *store, int64_t point, ws_point_status *status, ws_error *err);

/* Writes to `log` which columns stored points among these lack because the analysis did not have them when they were
 * stored: these cells are NULL, and `note` does not say why. */
bool ws_store_tell_lacking(ws_store *store, const ws_experiment *experiment, const int64_t *points,
                           size_t count, FILE *log, ws_error *err);

/* Notes from now on which views queries of the store read. _tell_unfinished() ends that, and writes to `log`, for each
 * sweep whose views were read, how many of its points are not stored yet, and how many failed, unless all are done. */
void ws_store_watch(ws_store *store);
bool ws_store_tell_unfinished(ws_store *store, FILE *log, ws_error *err);

/* `*text`: what the points of a sweep are compared with, such as "mechanism.front none, at equal l1.size_B", a heap
 * string. NULL: nothing, or the database has an older schema that does not say. */
bool ws_store_baseline(ws_store *store, const char *sweep, char **text, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
