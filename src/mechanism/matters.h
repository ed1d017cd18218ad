/* Which parameters have an effect in a configuration. */
#ifndef WS_MECHANISM_MATTERS_H
#define WS_MECHANISM_MATTERS_H

#include "warpsweep/mechanism.h"

#include <stdbool.h>

bool ws_mechanism_is_on(const ws_config *config, const ws_mechanism *mechanism);

/* False for a parameter of a mechanism that is off, and for one that has no effect because of the value of another one
 * (ws_config_unmet). */
bool ws_param_matters(const ws_config *config, const char *name, bool two_programs);

#endif
