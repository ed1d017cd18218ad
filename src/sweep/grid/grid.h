/* The design grid: the combinations of the axes' values that a specification selects, as configurations. */
#ifndef WS_SWEEP_GRID_GRID_H
#define WS_SWEEP_GRID_GRID_H

#include "sweep/spec/spec.h"

/* Combinations that agree on `replay` may be answered by one replay, be it that they differ in what only the analysis
 * reads, or in what changes nothing in them; those that also agree on `instance`, by one instance of the analysis. */
typedef struct ws_combo {
    ws_config *config;
    char *key;  /* ws_config_key() of all parameters, then "/NAME@VERSION" of mechanisms above version 1 */
    int64_t id; /* of the configuration in the store */
    const char *gpu; /* the preset that it started from; NULL: none */
    char *refusal;   /* why no replay can have this configuration; NULL: nothing is known against it */
    uint32_t replay, instance;
} ws_combo;

/* A GPU of the axis that equals another one in all that the analysis reads, at `count` combinations: they go by the
 * other's name. */
typedef struct ws_alike {
    const char *gpu, *as;
    size_t count;
} ws_alike;

/* Sorted so that combinations which share the prepared stream are adjacent, and among these those which share the
 * replay, then the instance. */
typedef struct ws_grid {
    ws_combo *combos;
    size_t count;
    /* Combinations that the axes have, and those that the specification's `where`, and its `sampling`, left out. */
    uint64_t all, outside, unsampled;
    ws_alike *alike; /* each pair of names once */
    size_t alike_count;
    /* "ANALYSIS@VERSION/FIDELITY/"; a fidelity comes with the version of its replay: "timed@3" */
    char *prefix;
} ws_grid;

/* A combination that a component's own rules refuse is an error; with a timed replay only if all are refused, since
 * there the question is often which ones can work. */
ws_grid *ws_grid_new(const ws_spec *spec, ws_error *err);
void ws_grid_free(ws_grid *grid); /* accepts NULL */

#endif
