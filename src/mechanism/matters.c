#include "mechanism/matters.h"

bool ws_mechanism_is_on(const ws_config *config, const ws_mechanism *mechanism) {
    ws_mechanism_set set;
    ws_mechanisms_of(config, &set, NULL); /* refusals are reported elsewhere */
    for (size_t i = 0; i < set.count; i++)
        if (set.at[i] == mechanism) return true;
    return false;
}

bool ws_param_matters(const ws_config *config, const char *name, bool two_programs) {
    const ws_mechanism *mechanism = ws_mechanism_of_param(name);
    const ws_need *need = ws_config_unmet(config, name, two_programs);
    return (!mechanism || ws_mechanism_is_on(config, mechanism)) && (!need || need->otherwise);
}
