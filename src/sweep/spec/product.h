/* The combinations of the axes' values, before anything is left out. */
#ifndef WS_SWEEP_SPEC_PRODUCT_H
#define WS_SWEEP_SPEC_PRODUCT_H

#include "sweep/spec/spec.h"

/* Axes come in groups that vary together. Sets `*values` to the number of values of each axis in the group that starts
 * at axis `first`, and returns the first axis of the next group; start with 0, and stop at spec->axis_count. */
size_t ws_product_group(const ws_spec *spec, size_t first, size_t *values);

/* A combination: its number among all of them, the last group of axes varying fastest, and its parameters; NULL when it
 * has been left out. */
typedef struct ws_candidate {
    uint64_t position;
    ws_config *config;
} ws_candidate;

/* Counts the combinations; more than 2^60 are an error. */
bool ws_product_count(const ws_spec *spec, uint64_t *count, ws_error *err);

/* The combinations at `positions` (NULL: the first `count`, in order), with all parameters but the derived ones. */
ws_candidate *ws_product_candidates(const ws_spec *spec, const uint64_t *positions, size_t count,
                                    ws_error *err);
void ws_product_free(ws_candidate *candidates, size_t count); /* accepts NULL */

/* The GPU that a combination starts from. */
const ws_spec_gpu *ws_product_gpu(const ws_spec *spec, uint64_t position);

/* Describes a point to a user, as "gpu=gtx980, window.size=4": the GPU (NULL: none), the axes and the first `derived`
 * derived parameters. */
void ws_product_describe(const ws_spec *spec, const ws_config *config, const char *gpu, size_t derived,
                         char *out, size_t size);

#endif
