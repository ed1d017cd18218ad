/* Some of the combinations of a specification: a random choice, or one that is spread evenly. */
#ifndef WS_SWEEP_SAMPLE_H
#define WS_SWEEP_SAMPLE_H

#include "sweep/spec.h"

enum { WS_SOBOL_AXES_MAX = 40 };

/* Keeps as many of the configurations as the specification asks for (all, with the method "grid"), frees the others and
 * puts NULL in their place; those that are NULL already cannot be chosen. The same seed chooses the same ones.
 *   random  each choice is as likely as any other
 *   sobol   the points of Sobol's sequence, shifted by a random vector (modulo 1), a dimension per axis (zipped axes
 *           are one); a point falls on the combination whose cell of the unit cube it is in, or, if that cannot be
 *           chosen, on the next one in the order of the grid. A longer sample with the same seed contains the
 *           shorter. */
bool ws_sample(const ws_spec *spec, ws_config **configs, size_t count, ws_error *err);

#endif
