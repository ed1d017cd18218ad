/* The combinations of the axes' values, before anything is left out. */
#ifndef WS_SWEEP_PRODUCT_H
#define WS_SWEEP_PRODUCT_H

#include "sweep/spec.h"

/* The axes in groups that turn together: the `*values` of the group that starts at axis `*first`; returns the first
 * axis of the next group. Start with 0; over at spec->axis_count. */
size_t ws_product_group(const ws_spec *spec, size_t first, size_t *values);

/* How many combinations there are; more than WS_COMBOS_MAX are an error. */
bool ws_product_count(const ws_spec *spec, size_t *count, ws_error *err);

/* The parameters of all combinations, without derived ones, in an array of `count`; the last group turns fastest. */
ws_config **ws_product_configs(const ws_spec *spec, size_t count, ws_error *err);
void ws_product_free(ws_config **configs, size_t count); /* accepts NULL, in the array too */

/* What a combination starts from. */
const ws_spec_gpu *ws_product_gpu(const ws_spec *spec, size_t position);

/* "gpu=gtx980, window.size=4": the GPU (NULL: none), the axes and the first so many derived parameters of a point, for
 * a person. */
void ws_product_describe(const ws_spec *spec, const ws_config *config, const char *gpu, size_t derived,
                         char *out, size_t size);

#endif
