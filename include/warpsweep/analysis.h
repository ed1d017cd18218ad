/* Analyses: what is measured on a replayed stream. Each is one file in src/analysis/ with one
 * descriptor; adding one is that file, which defines ws_analysis_NAME, and its name in src/analysis/analyses.h. */
#ifndef WARPSWEEP_ANALYSIS_H
#define WARPSWEEP_ANALYSIS_H

#include "warpsweep/param.h"
#include "warpsweep/replay.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct ws_timed_access;
struct ws_timed_issue;
struct ws_timed_load;
struct ws_timed_warp_life;
struct ws_timed_sample;

/* One instance answers a group of points on one stream. The points of a group agree on everything but the
 * *dims* of the analysis. Contract: `create`, then `requests` and `instructions` for every batch of one kernel in
 * order, then `finish` once, then `destroy` (always, also without finish). Instances share nothing; they run in any
 * process, in any order. */
typedef struct ws_analysis {
    const char *name;              /* of the experiment in specs */
    const char *summary;           /* one line */
    const char *source;            /* document and section, or "our own" */
    uint32_t version;              /* raised whenever results change; part of a point's key */
    const ws_component *component; /* its parameters, NULL for none */
    const char *const
        *dims; /* parameters that one instance answers for all values, NULL-terminated; may be NULL */
    const ws_table *const *tables; /* NULL-terminated; the first has exactly one row per point */
    /* What a point is beside its sweep's baseline: ratios over `this.` and `base.`, rows of the view by kernel; it has
     * no columns. NULL: points are not compared. */
    const ws_table *comparison;
    const ws_front *front; /* of the comparison; NULL: none */
    /* Of `tables`: what all launches that ran at the same time did, in each one's row; energies are by it. May be
     * NULL. */
    const ws_table *together;
    uint32_t needs;      /* WS_FEATURE_ bits that a trace must have */
    uint32_t fidelities; /* WS_FIDELITY_ bits of the replays that it can stand on; 0: order alone */
    /* WS_WANT_ bits that the batches must have for a point; equal for the points of a group. NULL: none. */
    uint32_t (*wants)(const void *params);

    /* `params`: of each point the struct of `component`, NULL without one. The array and `stream` are there during the
     * call alone, the structs and what `stream` points to as long as the instance. NULL with an error. */
    void *(*create)(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err);
    /* What it measures: a request comes after its instruction. NULL for what it does not look at; instructions cost
     * time, and are produced only for those who look. In fidelity `order` an analysis with neither answers without a
     * replay. */
    void (*requests)(void *self, const ws_requests *batch);
    void (*instructions)(void *self, const ws_instructions *batch);
    /* What it measures in fidelity `timed` (warpsweep/timed.h): accesses to the L1s, instructions that issue, loads
     * that have their data, lives of warps, and samples, the last of them at the end of the launch. NULL for what it
     * does not look at. */
    void (*access)(void *self, const struct ws_timed_access *access);
    void (*issue)(void *self, const struct ws_timed_issue *issue);
    void (*load_end)(void *self, const struct ws_timed_load *load);
    void (*warp_end)(void *self, const struct ws_timed_warp_life *life);
    void (*sample)(void *self, const struct ws_timed_sample *sample);
    uint64_t (*sample_cycles)(const void *params); /* between two samples, at least 1; with `sample` */
    /* Emits the rows of points first_point .. first_point + points - 1, in that order. */
    bool (*finish)(void *self, uint32_t first_point, ws_rows *rows, ws_error *err);
    void (*destroy)(void *self); /* accepts NULL */
} ws_analysis;

/* Whether it needs a replay. */
static inline bool ws_analysis_replays(const ws_analysis *analysis) {
    return analysis->requests || analysis->instructions;
}

/* Whether it says of itself what everybody relies on: names, fields, defaults, functions; and that its name and those
 * of its tables and columns are free in a database (ws_experiment_check()), beside ws_analyses(). ws_sweep_run() asks.
 * The error, WS_ERROR_INTERNAL, names the first thing that is wrong. */
bool ws_analysis_check(const ws_analysis *analysis, ws_error *err);

/* ---- registry */

/* NULL-terminated list of all analyses. */
const ws_analysis *const *ws_analyses(void);
/* By name; NULL when unknown, then `*nearest` (may be NULL) is the nearest name or NULL. */
const ws_analysis *ws_analysis_find(const char *name, const char **nearest);

/* What a replay of that fidelity is configured by. */
const ws_component *const *ws_fidelity_components(enum ws_fidelity fidelity, size_t *count);
/* "order", "timed" */
const char *ws_fidelity_name(enum ws_fidelity fidelity);
/* Whether the analysis can stand on a replay of that fidelity; and the one that is meant when none is named: `order`
 * where it can. */
bool ws_analysis_takes(const ws_analysis *analysis, enum ws_fidelity fidelity);
enum ws_fidelity ws_analysis_fidelity(const ws_analysis *analysis);

/* Components of a design point of this analysis: the replay's, then its own. */
enum { WS_COMPONENTS_MAX = 32 };
void ws_analysis_components(const ws_analysis *analysis, enum ws_fidelity fidelity, const ws_component **out,
                            size_t *count); /* room for WS_COMPONENTS_MAX */

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
