/* Axes of a specification: the values that a parameter takes. */
#ifndef WS_SWEEP_AXIS_H
#define WS_SWEEP_AXIS_H

#include "warpsweep/param.h"

enum { WS_AXIS_VALUES_MAX = 1000000 };

/* Appends the values that `node` stands for to the array `values`: a list of values and of these objects, nested at
 * will, or one of them:
 *   {"range": [from, to, step]}  from, from + step .. to (included when met); step 1 may be left out
 *   {"log2": [from, to]}         from, 2 from, 4 from .. up to `to`
 *   {"values": [..]}             a list
 * Each value is tried on `trial`, so it has the type and the bounds of parameter `name`. */
bool ws_axis_values(const char *name, json_t *node, const char *path, ws_config *trial, json_t *values,
                    ws_error *err);

#endif
