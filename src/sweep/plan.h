/* What a sweep has to do: its points without those that are stored, grouped into passes. */
#ifndef WS_SWEEP_PLAN_H
#define WS_SWEEP_PLAN_H

#include "sweep/failures.h"
#include "sweep/grid.h"
#include "sweep/inputs.h"
#include "warpsweep/store.h"

typedef struct ws_planned_point {
    int64_t id;
    uint32_t kernel, combo; /* indices */
} ws_planned_point;

/* Points that are answered together. Fidelity `order`: by one replay of one kernel. Timed: by one run of a trace on one
 * GPU, launch by launch, because the L2 keeps its content between them; so what a launch finds there does not depend on
 * which launches are asked for. The analysis has at most WS_PASS_INSTANCES instances on a kernel, in fidelity `order`
 * fewer when there would be less passes than workers. */
enum { WS_PASS_INSTANCES = 16 };
typedef struct ws_pass {
    /* passes with one lot stand together and share what a worker keeps: a kernel, or (timed) a trace */
    uint32_t lot;
    size_t first;              /* point */
    uint32_t count, instances; /* instances: of all kernels */
    uint32_t refused;          /* the last of its points, which are known not to be computable */
    double work;               /* in arbitrary units: for shares of the whole */
} ws_pass;

typedef struct ws_plan {
    const ws_spec *spec;
    const ws_inputs *inputs;
    const ws_grid *grid;
    int64_t *all;          /* identifiers of all points of the specification */
    const char **all_gpus; /* and what each started from; NULL: the defaults */
    size_t all_count;
    size_t stored, stored_failed; /* of these; failed ones only while they are not to be computed again */
    size_t elsewhere;             /* points to compute that are not ours */
    ws_planned_point *points;     /* to compute; those of a pass stand together, in the order of the grid */
    size_t point_count;
    ws_pass *passes; /* in the order of their lots */
    size_t pass_count;
    double work;          /* of all passes */
    ws_failures refusals; /* why points are refused */
    size_t refused;
    uint32_t instances_per_pass;
} ws_plan;

typedef struct ws_plan_options {
    ws_store *store; /* NULL: there is none yet */
    bool retry_failed;
    uint32_t jobs;
    const bool *ours; /* by kernel, then combination: points to compute (shard.h); NULL: all are */
} ws_plan_options;

/* What it is made from must outlive the plan, except for the options. */
ws_plan *ws_plan_new(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid,
                     const ws_plan_options *options, ws_error *err);
void ws_plan_free(ws_plan *plan); /* accepts NULL */

/* "DIGEST/LAUNCH/ANALYSIS@VERSION/FIDELITY/PARAMETERS"; new. */
char *ws_plan_point_key(const ws_inputs *inputs, const ws_grid *grid, size_t kernel, size_t combo);

/* "trace atax, kernel 1 (atax_1), window.size=4;..": a point, for a person. Where there are GPUs, only what the axes
 * set is told. */
void ws_plan_describe(const ws_plan *plan, size_t point, char *out, size_t size);

#endif
