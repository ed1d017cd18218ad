/* Which points of a sweep the others are compared with. */
#ifndef WS_SWEEP_SPEC_BASELINE_H
#define WS_SWEEP_SPEC_BASELINE_H

#include "sweep/grid/grid.h"

/* Reads "baseline", an object that gives axes one of their values, or null: the value of the point that is compared.
 * Axes mechanism.SLOT that it does not name are at "none" if they have that value. Fills spec->axes[..].baseline. */
bool ws_spec_read_baseline(ws_spec *spec, ws_error *err);

/* Whether some point is a baseline; true if the points are not compared with one. */
bool ws_grid_has_baseline(const ws_spec *spec, const ws_grid *grid);

/* Whether a point and its baseline agree on the axis. They need not on axes that "baseline" gives a value, on axes
 * zipped with such an axis if all baselines have one value of them, and on parameters that have no effect in any
 * baseline. */
bool ws_spec_compares_equals(const ws_spec *spec, const ws_grid *grid, size_t axis);
/* Whether they must agree on the derived parameter `derived`: it has an effect, and follows from an axis on which they
 * need not agree, other than one that "baseline" gives a value. */
bool ws_spec_compares_derived(const ws_spec *spec, const ws_grid *grid, size_t derived);

#endif
