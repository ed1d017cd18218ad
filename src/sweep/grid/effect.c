#include "sweep/grid/effect.h"

#include "mechanism/matters.h"

#include <stdlib.h>

const char **ws_spec_without_effect(const ws_spec *spec, const ws_config *config) {
    const char **names = calloc(spec->axis_count + spec->derived_count + 1, sizeof *names);
    if (!names) return NULL;
    size_t count = 0;
    for (size_t i = 0; i < spec->axis_count; i++)
        if (!ws_param_matters(config, spec->axes[i].name, spec->with)) names[count++] = spec->axes[i].name;
    for (size_t i = 0; i < spec->derived_count; i++)
        if (!ws_param_matters(config, spec->derived[i].name, spec->with))
            names[count++] = spec->derived[i].name;
    return names;
}
