/* What a sweep has to do: its points without those that are stored, grouped into passes. */
#ifndef WS_SWEEP_PLAN_H
#define WS_SWEEP_PLAN_H

#include "sweep/grid.h"
#include "sweep/inputs.h"
#include "warpsweep/store.h"

typedef struct ws_planned_point {
    int64_t id;
    uint32_t combo; /* index */
} ws_planned_point;

/* Points that one replay of one kernel answers; the analysis has at most WS_PASS_INSTANCES instances in it, fewer when
 * there would be less passes than workers. */
enum { WS_PASS_INSTANCES = 16 };
typedef struct ws_pass {
    uint32_t kernel; /* index */
    size_t first;    /* point */
    uint32_t count, instances;
    double work; /* in arbitrary units: for shares of the whole */
} ws_pass;

typedef struct ws_plan {
    const ws_spec *spec;
    const ws_inputs *inputs;
    const ws_grid *grid;
    int64_t *all; /* identifiers of all points of the specification */
    size_t all_count;
    size_t stored, stored_failed; /* of these; failed ones only while they are not to be computed again */
    ws_planned_point *points;     /* to compute; those of a pass stand together, in the order of the grid */
    size_t point_count;
    ws_pass *passes; /* in the order of their kernels */
    size_t pass_count;
    double work; /* of all passes */
    uint32_t instances_per_pass;
} ws_plan;

/* `store`: NULL when there is none yet. What it is made from must outlive the plan. */
ws_plan *ws_plan_new(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid, ws_store *store,
                     bool retry_failed, uint32_t jobs, ws_error *err);
void ws_plan_free(ws_plan *plan); /* accepts NULL */

/* "DIGEST/LAUNCH/ANALYSIS@VERSION/FIDELITY/PARAMETERS"; new. */
char *ws_plan_point_key(const ws_inputs *inputs, const ws_grid *grid, size_t kernel, size_t combo);

/* "trace atax, kernel 1 (atax_1), window.size=4;..": a point, for a person. */
void ws_plan_describe(const ws_plan *plan, const ws_pass *pass, size_t point, char *out, size_t size);

#endif
