/* Sweeps: a specification names traces, kernels, an analysis and axes; every combination is a design point of each
 * launch.
 *
 *   {"name": "window_reduction",              view in the database: [a-zA-Z][a-zA-Z0-9_]*
 *    "description": "..",                     optional
 *    "traces": ["traces/x.wst", ..],          paths, else glob patterns; from the current directory
 *    "with": ["traces/y.wst", ..],            programs to run at the same time as those: every pair is run
 *    "kernels": "*",                          launch numbers "1,3-5", a regular expression, or a list of these
 *    "analysis": "window",
 *    "fidelity": "order",                     the default; "timed": cycle by cycle
 *    "gpu": "gtx480-wp",                      a GPU to start from: a preset, or its file; else the defaults
 *    "base": {"sm.scheduler": "gto"},         parameters of all points
 *    "axes": {"window.size": [0, {"log2": [1, 256]}],     1, 2, 4 .. 256
 *             "window.kind": ["fifo", "sliding"],
 *             "gpu.clusters": {"range": [4, 16, 4]},      from, to (included when met), step (1)
 *             "gpu": ["c2050-16k", "c2050-48k"],          in place of the key above
 *             "zip": {"sm.warps": [24, 48],    these vary together; or an array of such objects
 *                     "sm.ctas": [4, 8]}},
 *    "derived": {"sm.threads": "32 * sm_warps"},    SQL expressions over the other parameters
 *    "where": "window_size <= sm_warps",            a condition on the points, in SQL, too
 *    "sampling": {"method": "sobol", "points": 64, "seed": 1}}   only 64 of them; or "random"; "grid": all
 *
 * sweeps/README.md explains each part with examples.
 *
 * Points that are stored already are not computed again: the same command resumes. The rest is grouped into passes, in
 * which one replay answers points that differ only in their analysis' parameters, or in parameters that have no effect
 * on them, such as those of a mechanism that is off; a timed replay also answers all launches of a trace, in their
 * order. Forked workers run the passes; only the calling process writes the database, one transaction per pass.
 * Results depend neither on the number of workers nor on the order.
 *
 * The workers run the library after fork(), which copies only the calling thread: a program that has others must call
 * this before it starts them, or while these hold no locks, such as that of malloc().
 *
 * With "sampling", GSL's error handler, which would abort the program, is switched off for the process, and stays off.
 *
 * In a program that ignores SIGCHLD, the system does not say how workers and gnuplot ended: a crashed worker is then
 * reported as "ended by itself". */
#ifndef WARPSWEEP_SWEEP_H
#define WARPSWEEP_SWEEP_H

#include "warpsweep/analysis.h"

#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ws_sweep_options {
    const char *db;         /* path of the database; NULL in a dry run: nothing is stored yet */
    bool temporary;         /* the caller removes it afterwards: no message says that the same call resumes */
    uint32_t jobs;          /* workers; 0: one per processor */
    const char *kernels;    /* used instead of the specification's "kernels"; NULL: the specification's */
    bool dry_run;           /* plan, time samples, write nothing */
    bool retry_failed;      /* compute failed points again */
    uint32_t shard, shards; /* only part `shard` (from 0) of `shards` parts; 0 shards: everything */
    double time_limit_s;    /* of one pass; 0: none; a negative one is WS_ERROR_USAGE */
    uint64_t memory_limit_B; /* of one worker's own memory; 0: none */
    const char *const *argv; /* kept in `run`; NULL-terminated, may be NULL */
    FILE *log;               /* progress and notes (stderr); NULL: none */
    /* Called for each point that fails, instead of a message in `log`; NULL: `log` gets each reason once. The code says
     * what is to blame: WS_ERROR_SPEC the configuration, WS_ERROR_TRACE the trace, WS_ERROR_DAMAGED its file,
     * WS_ERROR_MEMORY too little memory, WS_ERROR_INTERRUPTED the time limit, others warpsweep or the system. */
    void (*failed)(void *context, const ws_error *why);
    void *failed_context;
    /* Polled; once true, running passes end and no others start; before the first, the sweep stops. May be NULL. */
    const volatile bool *interrupted;
    const ws_analysis *const
        *analyses; /* those that "analysis" may name, NULL-terminated; NULL: ws_analyses() */
    /* Those that are installed: `pkg-config --variable=gpus warpsweep`, `--variable=energies`. */
    const char *gpus;     /* folder of presets; NULL: none, GPUs are named by their files */
    const char *energies; /* folder of tables of energies; NULL: none, as with GPUs */
} ws_sweep_options;

typedef struct ws_sweep_report {
    uint64_t traces, kernels;       /* that the specification selects */
    uint64_t of_axes;               /* all combinations of the axes' values */
    uint64_t outside;               /* of these, those that its `where` leaves out */
    uint64_t unsampled;             /* of the others, those that its `sampling` leaves out */
    uint64_t combinations;          /* those that are left; of several that are equal, one counts */
    uint64_t alike;                 /* of those that equal others, those whose GPUs have other names */
    uint64_t points;                /* a combination at a launch */
    uint64_t stored, stored_failed; /* points done, or failed, in earlier runs and not computed again */
    uint64_t stored_refused;        /* of `stored_failed`: known to fail again, without a replay */
    uint64_t elsewhere;             /* points that are not stored and belong to other shards */
    uint64_t planned, passes;       /* points to compute, and passes to compute them in */
    uint64_t points_of_pass;        /* that one of these passes answers, at most */
    uint64_t done, failed;          /* points computed by this run */

    uint64_t refused; /* planned points that are known beforehand to fail */

    /* A dry run's estimates for all planned points, from samples. `unknown`: no sample ended in time (30 s, or the time
     * limit), or all failed. */
    bool unknown;
    ws_error sample_error;  /* why the first sample that failed, or took too long, did; WS_ERROR_NONE: none */
    uint64_t rows, bytes;   /* result rows; growth of the database */
    double seconds;         /* on `jobs` idle cores */
    uint64_t peak_memory_B; /* of all workers together */
    uint32_t jobs;
} ws_sweep_report;

/* Runs (or plans) the sweep of the specification in `spec_path`. True if every planned point was computed or has failed
 * and is stored as such (`report->failed`). False: WS_ERROR_SPEC for a wrong specification (with a JSON path),
 * WS_ERROR_TRACE or WS_ERROR_DAMAGED for an unreadable trace, WS_ERROR_INTERRUPTED after draining, WS_ERROR_DATABASE,
 * WS_ERROR_IO; what was committed stays, and the same call resumes: it leaves alone what has failed, except because the
 * file of a trace was damaged. `report` (may be NULL) is filled in as far as the sweep went. */
bool ws_sweep_run(const char *spec_path, const ws_sweep_options *options, ws_sweep_report *report,
                  ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
