/* Some of the combinations of a specification: a random choice, or one that is spread evenly. */
#ifndef WS_SWEEP_SAMPLE_H
#define WS_SWEEP_SAMPLE_H

#include "sweep/spec.h"

enum { WS_SOBOL_AXES_MAX = 40 };

/* Keeps so many of the configurations as the specification asks for (all, for the method "grid"), frees the others and
 * puts NULL in their place; what is NULL already is not to be had. The same seed chooses the same.
 *   random  each choice is as likely as any other
 *   sobol   the points of Sobol's sequence, shifted by a random vector (modulo 1), a dimension per axis (zipped axes
 *           are one); a point falls on the combination whose cell of the unit cube it is in, or, where that is not to
 *           be had, on the next one in the order of the grid. A longer sample with the same seed holds the shorter. */
bool ws_sample(const ws_spec *spec, ws_config **configs, size_t count, ws_error *err);

#endif
