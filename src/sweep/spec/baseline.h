/* The part of a specification that says which points the others are compared with. */
#ifndef WS_SWEEP_SPEC_BASELINE_H
#define WS_SWEEP_SPEC_BASELINE_H

#include "sweep/spec/spec.h"

/* Reads "baseline", an object that gives axes one of their values, or null: the value of the point that is compared.
 * Axes mechanism.SLOT that it does not name are at "none" if they have that value. Fills spec->axes[..].baseline. */
bool ws_spec_read_baseline(ws_spec *spec, ws_error *err);

#endif
