/* Combinations that differ only in what has no effect on them. */
#ifndef WS_SWEEP_GRID_REPEATS_H
#define WS_SWEEP_GRID_REPEATS_H

#include "sweep/grid/grid.h"

#include <stdio.h>

/* Says how many combinations have the results of others, since they differ from them only in axes that change nothing
 * there: parameters of a mechanism that is off, or of a choice that is not made. Says nothing if memory runs out. */
void ws_tell_repeats(const ws_spec *spec, const ws_grid *grid, FILE *out);

#endif
