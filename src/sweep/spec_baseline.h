/* Which points of a sweep the others are compared with. */
#ifndef WS_SWEEP_SPEC_BASELINE_H
#define WS_SWEEP_SPEC_BASELINE_H

#include "sweep/spec.h"

/* "baseline", an object of axes and one of the values of each; without it, "none" of each axis mechanism.SLOT that has
 * it. Fills spec->axes[..].baseline. */
bool ws_spec_read_baseline(ws_spec *spec, ws_error *err);

/* Whether a point and its baseline agree on the axis. They need not on those that tell them apart, on axes zipped with
 * such a one, and on parameters of mechanisms when the baseline is where these are off: there they mean nothing. */
bool ws_spec_compares_equals(const ws_spec *spec, size_t axis);

#endif
