/* Axes that cannot matter. */
#ifndef WS_SWEEP_IDLE_H
#define WS_SWEEP_IDLE_H

#include "sweep/grid.h"

#include <stdio.h>

/* Says of which axes the points differ in name only: parameters of a mechanism that none of them has, or of a choice
 * that none of them makes. */
void ws_tell_idle_axes(const ws_spec *spec, const ws_grid *grid, FILE *out);

#endif
