/* The specification of a sweep, read and checked. */
#ifndef WS_SWEEP_SPEC_H
#define WS_SWEEP_SPEC_H

#include "warpsweep/analysis.h"

typedef struct ws_axis {
    const char *name; /* of a parameter */
    json_t *values;   /* array, at least one */
} ws_axis;

typedef struct ws_spec {
    char *path, *text; /* of the file */
    json_t *root;      /* owns the strings below */

    const char *name, *fidelity;
    const char **patterns; /* of trace files, at least one */
    size_t pattern_count;
    ws_selection **selections; /* a kernel is meant when one of them has it */
    size_t selection_count;

    const ws_analysis *analysis;
    const ws_component *components[8]; /* of a configuration */
    size_t component_count;
    ws_config *base; /* defaults, then "base" */
    ws_axis *axes;   /* in the order of the file */
    size_t axis_count;
} ws_spec;

/* Messages begin with the path of the file, then a JSON path. `analyses` is NULL-terminated. */
ws_spec *ws_spec_load(const char *path, const ws_analysis *const *analyses, ws_error *err);
void ws_spec_free(ws_spec *spec); /* accepts NULL */

bool ws_spec_wants(const ws_spec *spec, const ws_kernel *kernel);

#endif
