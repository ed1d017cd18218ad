/* Which of the parameters that a specification varies have an effect in a configuration. */
#ifndef WS_SWEEP_GRID_EFFECT_H
#define WS_SWEEP_GRID_EFFECT_H

#include "sweep/spec/spec.h"

/* The names of the axes and derived parameters that change nothing in the configuration, as ws_config_key() skips them:
 * parameters of a mechanism that is off, or of a choice that is not made. NULL-terminated, in a heap array; the names
 * are the specification's. NULL if out of memory. */
const char **ws_spec_without_effect(const ws_spec *spec, const ws_config *config);

#endif
