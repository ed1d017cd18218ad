/* Which points of a sweep the others are compared with. */
#ifndef WS_SWEEP_SPEC_BASELINE_H
#define WS_SWEEP_SPEC_BASELINE_H

#include "sweep/grid.h"

/* "baseline", an object of axes and one of the values of each, or null: that of the point which is compared. Axes
 * mechanism.SLOT that it does not name are at "none" where they have it. Fills spec->axes[..].baseline. */
bool ws_spec_read_baseline(ws_spec *spec, ws_error *err);

/* Whether a point and its baseline agree on the axis. They need not on those that tell them apart, on axes zipped with
 * such a one, and on parameters that mean nothing in any baseline. */
bool ws_spec_compares_equals(const ws_spec *spec, const ws_grid *grid, size_t axis);

#endif
