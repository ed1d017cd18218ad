/* Axes of a specification: the values that a parameter takes. */
#ifndef WS_SWEEP_SPEC_AXIS_H
#define WS_SWEEP_SPEC_AXIS_H

#include "warpsweep/param.h"

enum { WS_AXIS_VALUES_MAX = 1000000 };

/* Appends to the array `values` the values that `node` stands for. It is a list of values and of the following objects,
 * nested at will, or one such object:
 *   {"range": [from, to, step]}  from, from + step .. to (included when met); step 1 may be left out
 *   {"log2": [from, to]}         from, 2 from, 4 from .. up to `to`
 *   {"values": [..]}             a list
 * Each value is set in `trial`, which checks that it has the type and is in the bounds of parameter `name`. */
bool ws_axis_values(const char *name, json_t *node, const char *path, ws_config *trial, json_t *values,
                    ws_error *err);

#endif
