/* The specification of a sweep, read and checked. */
#ifndef WS_SWEEP_SPEC_SPEC_H
#define WS_SWEEP_SPEC_SPEC_H

#include "sweep/preparing.h"
#include "warpsweep/analysis.h"
#include "warpsweep/store.h"

enum { WS_COMBOS_MAX = 1000000 }; /* combinations of the axes that are looked at */

/* The name, in place of a parameter's, of the axis along which the GPU itself varies. */
#define WS_GPU_AXIS "gpu"

typedef struct ws_axis {
    const char *name; /* of a parameter, or WS_GPU_AXIS */
    json_t *values;   /* array, at least one */
    bool zipped;      /* varies together with the axis before it; both have as many values */
    /* one of the values: that of the points which the others are compared with; or NULL */
    const json_t *baseline;
} ws_axis;

/* A parameter whose value is an SQL expression over the parameters of its point, as columns. */
typedef struct ws_derived {
    const char *name, *sql;
} ws_derived;

/* A GPU that points start from. */
typedef struct ws_spec_gpu {
    const char *name; /* of a preset; NULL: none, the defaults */
    ws_config *base;  /* defaults, the preset's values, then "base" */
} ws_spec_gpu;

/* Which of the combinations are taken. */
typedef struct ws_sampling {
    enum { WS_SAMPLING_GRID, WS_SAMPLING_RANDOM, WS_SAMPLING_SOBOL } method; /* grid: all */
    size_t points;
    uint32_t seed;
} ws_sampling;

/* Where the names in a specification are looked up; NULL: unknown, so that it must give paths. */
typedef struct ws_spec_folders {
    const char *gpus;     /* of presets */
    const char *energies; /* of tables of energies */
} ws_spec_folders;

typedef struct ws_spec {
    char *path, *text; /* of the file */
    json_t *root;      /* owns the strings below */

    const char *name;
    enum ws_fidelity fidelity;
    const char **patterns; /* of trace files, at least one */
    size_t pattern_count;
    const char **with; /* the same, of programs that run at the same time as theirs; NULL: none */
    size_t with_count;
    ws_selection **selections; /* a kernel is selected if one of them has it */
    size_t selection_count;
    const char *selected_by; /* "$.kernels", or the option that replaced it; for messages */

    const ws_analysis *analysis;
    const ws_component *components[WS_COMPONENTS_MAX]; /* of a configuration */
    size_t component_count;
    ws_spec_folders folders;
    ws_spec_gpu *gpus; /* at least one; those of the axis WS_GPU_AXIS, in its order */
    size_t gpu_count;
    ws_axis *axes; /* in the order of the file */
    size_t axis_count;
    ws_derived *derived; /* in the order of the file; later ones see earlier ones */
    size_t derived_count;
    ws_energy *energy; /* NULL: none */
    const char *where; /* SQL condition that points must meet; NULL: all are taken */
    ws_sampling sampling;

    ws_preparing *preparing; /* watches what takes long with it; NULL: nobody does */
} ws_spec;

/* The keys that a specification may have; NULL-terminated. */
extern const char *const ws_spec_keys[];

/* Messages begin with the path of the file, then a JSON path. `analyses` is NULL-terminated; `folders` is copied, and
 * may be NULL. */
ws_spec *ws_spec_load(const char *path, const ws_analysis *const *analyses, const ws_spec_folders *folders,
                      ws_error *err);
void ws_spec_free(ws_spec *spec); /* accepts NULL */

/* Selects kernels as ws_selection_new() does, instead of those that the file selects. */
bool ws_spec_select(ws_spec *spec, const char *kernels, const char *where, ws_error *err);
bool ws_spec_wants(const ws_spec *spec, const ws_kernel *kernel);

#endif
