/* Analyses: what is measured on a replayed stream. Each is one file in src/analysis/ with one descriptor. To add one,
 * write that file, which defines ws_analysis_NAME, and add its name to src/analysis/analyses.h. */
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
 * *dims* of the analysis; without `dims`, a group is exactly one point. Contract: `create`, then `requests` and
 * `instructions` for every batch of one kernel in order, then `finish` once, then `destroy` (always, even without
 * `finish`). Instances share nothing; they run in any process, in any order. */
typedef struct ws_analysis {
    const char *name;              /* "analysis" in specifications */
    const char *summary;           /* one line */
    const char *source;            /* document and section, or "our own" */
    uint32_t version;              /* raised whenever results change; part of a point's key */
    const ws_component *component; /* its parameters, NULL for none */
    const char *const
        *dims; /* parameters that one instance answers for all values, NULL-terminated; may be NULL */
    const ws_table *const *tables; /* NULL-terminated; the first has exactly one row per point */
    /* How a point compares with its sweep's baseline: ratios over `this.` and `base.`, which are rows of the view by
     * kernel; the ids of the sweep's own launches are SELECT kernel FROM swept. No columns. NULL: points are not
     * compared. */
    const ws_table *comparison;
    const ws_front *front; /* of the comparison; NULL: none */
    /* One of `tables`, or NULL: for launches that ran at the same time, the row of each has what all of them did
     * together. Energies of two programs are computed from it. The first table then has a column `together`: how many
     * launches ran at the same time, 1 for one that ran alone. */
    const ws_table *together;
    uint32_t needs;      /* WS_FEATURE_ bits that a trace must have */
    uint32_t fidelities; /* WS_FIDELITY_ bits of the replays that it works on; 0: order only */
    /* WS_WANT_ bits of what its batches must carry; the same for all points of a group. NULL: nothing. */
    uint32_t (*wants)(const void *params);

    /* To be called only for a stream of a fidelity that the analysis takes (ws_analysis_takes()). `params`: for each
     * point the struct of `component`, or NULL without one. The array and `stream` are valid only during the call, the
     * structs and what `stream` points to as long as the instance. NULL with an error. */
    void *(*create)(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err);
    /* The streams that it measures; NULL for those that it does not use. A request comes after its instruction.
     * Instructions cost time, and are produced only if somebody uses them. In fidelity `order` an analysis that uses
     * neither stream answers without a replay. */
    void (*requests)(void *self, const ws_requests *batch);
    void (*instructions)(void *self, const ws_instructions *batch);
    /* The same for fidelity `timed` (their structs: include warpsweep/timed.h): accesses to the L1s, instructions that
     * issue, loads that have received their data, ends of warps, and samples, the last of them at the end of the
     * launch. NULL for those that it does not use. */
    void (*access)(void *self, const struct ws_timed_access *access);
    void (*issue)(void *self, const struct ws_timed_issue *issue);
    void (*load_end)(void *self, const struct ws_timed_load *load);
    void (*warp_end)(void *self, const struct ws_timed_warp_life *life);
    void (*sample)(void *self, const struct ws_timed_sample *sample);
    /* Cycles between samples, at least 1; not NULL with `sample`. */
    uint64_t (*sample_cycles)(const void *params);
    /* Emits the rows of points first_point .. first_point + points - 1, in that order. */
    bool (*finish)(void *self, uint32_t first_point, ws_rows *rows, ws_error *err);
    void (*destroy)(void *self); /* accepts NULL */
} ws_analysis;

/* Whether the analysis needs a replay in fidelity `order`. */
static inline bool ws_analysis_replays(const ws_analysis *analysis) {
    return analysis->requests || analysis->instructions;
}

/* Whether the analysis follows a replay in fidelity `timed`, rather than only read what it has counted. */
static inline bool ws_analysis_listens(const ws_analysis *analysis) {
    return analysis->access || analysis->issue || analysis->load_end || analysis->warp_end ||
           analysis->sample;
}

/* Whether the descriptor is complete and consistent (names, fields, defaults, functions), and whether its name and
 * those of its tables and columns can be used in a database (ws_experiment_check()) beside those of ws_analyses().
 * ws_sweep_run() checks it. The error, WS_ERROR_INTERNAL, names the first thing that is wrong. */
bool ws_analysis_check(const ws_analysis *analysis, ws_error *err);

/* ---- registry */

/* NULL-terminated list of all analyses. */
const ws_analysis *const *ws_analyses(void);
/* By name; NULL when unknown, then `*nearest` (may be NULL) is the nearest name or NULL. */
const ws_analysis *ws_analysis_find(const char *name, const char **nearest);

/* The components that configure a replay of that fidelity; static. */
const ws_component *const *ws_fidelity_components(enum ws_fidelity fidelity, size_t *count);
/* "order", "timed" */
const char *ws_fidelity_name(enum ws_fidelity fidelity);
/* Whether the analysis works on a replay of that fidelity; and the fidelity that a specification means when it names
 * none: `order` if the analysis takes it. */
bool ws_analysis_takes(const ws_analysis *analysis, enum ws_fidelity fidelity);
enum ws_fidelity ws_analysis_fidelity(const ws_analysis *analysis);

/* Sets a parameter, as ws_config_set() does. Of one that `config` lacks, but another fidelity or an analysis has, the
 * error says so, and suggests no other name. */
bool ws_config_set_known(ws_config *config, const char *name, const json_t *value, const char *path,
                         ws_error *err);

/* Describes the stream of launch `index` (from 1). `config` has the components gpu, sm, and coalesce or, for fidelity
 * `timed`, l1. The caller adds `counters`, or `timed` and `gpu`. What `info` points to is owned by `trace` and
 * `config`. False with an error: there is no such launch, or a component is missing. */
bool ws_stream_info_of(const ws_trace *trace, uint32_t index, const ws_config *config, ws_stream_info *info,
                       ws_error *err);

/* Components of a design point of this analysis: the replay's, then its own.
 *
 * With a configuration of these a program can run an analysis on a launch by itself, without a sweep and a database, if
 * the trace has the features that it `needs`: ws_config_validate(), on which `create` relies; `create`, given
 * ws_stream_info_of(), to which it adds the counters that the replay will fill in; ws_replayer_want() what the analysis
 * `wants`; ws_replay_order() with its `requests` and `instructions` as a tap, or ws_timed_tap() and ws_timed_run();
 * `finish`, whose rows ws_rows_next() reads; `destroy`. The counters say whether limits cut the replay (`ctas`). */
enum { WS_COMPONENTS_MAX = 32 };
void ws_analysis_components(const ws_analysis *analysis, enum ws_fidelity fidelity, const ws_component **out,
                            size_t *count); /* room for WS_COMPONENTS_MAX */

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
