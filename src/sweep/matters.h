/* Which parameters mean something in a configuration. */
#ifndef WS_SWEEP_MATTERS_H
#define WS_SWEEP_MATTERS_H

#include "warpsweep/mechanism.h"

#include <stdbool.h>

bool ws_mechanism_is_on(const ws_config *config, const ws_mechanism *mechanism);

/* False of a mechanism's that is off, and of one that changes nothing for want of another's value (ws_config_unmet). */
bool ws_param_matters(const ws_config *config, const char *name, bool two_programs);

#endif
