/* Which points of a grid are baselines, and what a point and its baseline agree on. */
#ifndef WS_SWEEP_GRID_BASELINES_H
#define WS_SWEEP_GRID_BASELINES_H

#include "sweep/grid/grid.h"

/* Whether some point is a baseline; true if the points are not compared with one. */
bool ws_grid_has_baseline(const ws_spec *spec, const ws_grid *grid);

/* Whether a point and its baseline agree on the axis. They need not on axes that "baseline" gives a value, on axes
 * zipped with such an axis if all baselines have one value of them, and on parameters that have no effect in any
 * baseline. */
bool ws_grid_compares_equals(const ws_spec *spec, const ws_grid *grid, size_t axis);
/* Whether they must agree on the derived parameter `derived`: it has an effect, and follows from an axis on which they
 * need not agree, other than one that "baseline" gives a value. */
bool ws_grid_compares_derived(const ws_spec *spec, const ws_grid *grid, size_t derived);

#endif
