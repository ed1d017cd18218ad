/* What a sweep has to do: its points without those that are stored, grouped into passes. */
#ifndef WS_SWEEP_PLAN_PLAN_H
#define WS_SWEEP_PLAN_PLAN_H

#include "sweep/grid/grid.h"
#include "sweep/plan/failures.h"
#include "sweep/spec/inputs.h"
#include "warpsweep/store.h"

typedef struct ws_planned_point {
    int64_t id;
    uint32_t kernel, combo; /* indices */
} ws_planned_point;

/* Points that are answered together. Fidelity `order`: by one replay of one kernel. Timed: by one run of a trace on one
 * GPU, launch by launch, because the L2 keeps its content between them; so what a launch finds there does not depend on
 * which launches are asked for. The analysis has at most WS_PASS_INSTANCES instances per kernel; in fidelity `order`
 * fewer, if there would otherwise be fewer passes than workers. */
enum { WS_PASS_INSTANCES = 16 };
typedef struct ws_pass {
    /* passes of one lot are adjacent and share what a worker keeps: a kernel, or (timed) a trace */
    uint32_t lot;
    size_t first;              /* index of its first point */
    uint32_t count, instances; /* points; instances on all kernels */
    uint32_t refused;          /* how many of its points, the last ones, are known to fail */
    double work;               /* in arbitrary units, comparable between passes */
} ws_pass;

typedef struct ws_plan {
    const ws_spec *spec;
    const ws_inputs *inputs;
    const ws_grid *grid;
    int64_t *all;          /* identifiers of all points of the specification */
    const char **all_gpus; /* the preset that each started from; NULL: the defaults */
    size_t all_count;
    size_t stored, stored_failed;    /* of all; `stored_failed` is 0 if failed points are computed again */
    size_t stored_refused;           /* of `stored_failed`: known to fail again */
    size_t elsewhere;                /* points to compute that belong to other shards */
    ws_planned_point *points;        /* to compute; those of a pass are adjacent, in the order of the grid */
    size_t point_count, combo_count; /* `combo_count`: combinations that these points have */
    ws_pass *passes;                 /* in the order of their lots */
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

/* `spec`, `inputs` and `grid` must outlive the plan. */
ws_plan *ws_plan_new(const ws_spec *spec, const ws_inputs *inputs, const ws_grid *grid,
                     const ws_plan_options *options, ws_error *err);
void ws_plan_free(ws_plan *plan); /* accepts NULL */

/* "DIGEST/LAUNCH/ANALYSIS@VERSION/FIDELITY/PARAMETERS", a heap string. */
char *ws_plan_point_key(const ws_inputs *inputs, const ws_grid *grid, size_t kernel, size_t combo);

/* Describes a point to a user: "trace atax, launch 1 (atax_1), window.size=4;..". If points start from GPUs, only what
 * the axes set is named. */
void ws_plan_describe(const ws_plan *plan, size_t point, char *out, size_t size);

#endif
