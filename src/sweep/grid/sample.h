/* Some of the combinations of a specification: a random choice, or one that is spread evenly. */
#ifndef WS_SWEEP_GRID_SAMPLE_H
#define WS_SWEEP_GRID_SAMPLE_H

#include "sweep/spec/product.h"

enum { WS_SOBOL_AXES_MAX = 40 };

/* A sample has as many combinations as the specification asks for (all, with the method "grid"). The same seed chooses
 * the same ones.
 *   random  each choice is as likely as any other
 *   sobol   the points of Sobol's sequence, shifted by a random vector (modulo 1), a dimension per axis (zipped axes
 *           are one); a point falls on the combination whose cell of the unit cube it is in, or, if that cannot be
 *           chosen, on the next one in the order of the grid. A longer sample with the same seed contains the
 *           shorter.
 * Of more than WS_COMBOS_MAX combinations, which are too many to look at, either method draws candidates, and those are
 * chosen that come first among the ones that `where` leaves. */

/* Finds the combinations to look at, before `where`: `all` of them, unless the sample can do with fewer. `*positions`
 * becomes an array of `*count` for free(), or NULL for the first `*count`. More than WS_COMBOS_MAX without a method are
 * an error. */
bool ws_sample_positions(const ws_spec *spec, uint64_t all, uint64_t **positions, size_t *count,
                         ws_error *err);

/* Keeps those of the candidates that are chosen, and frees the parameters of the others; those without parameters
 * cannot be chosen. */
bool ws_sample_keep(const ws_spec *spec, uint64_t all, ws_candidate *candidates, size_t count, ws_error *err);

#endif
