/* The part of a specification that says which points there are: axes, derived parameters, a condition. */
#ifndef WS_SWEEP_SPEC_POINTS_H
#define WS_SWEEP_SPEC_POINTS_H

#include "sweep/spec/spec.h"

/* `spec->gpus` must have been read. */
bool ws_spec_read_points(ws_spec *spec, ws_error *err);

#endif
