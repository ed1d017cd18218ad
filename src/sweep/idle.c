#include "sweep/idle.h"

#include "warpsweep/mechanism.h"

#include <string.h>

static bool has(const ws_config *config, const ws_mechanism *mechanism) {
    ws_mechanism_set set;
    ws_mechanisms_of(config, &set, NULL); /* what is refused is told elsewhere */
    for (size_t i = 0; i < set.count; i++)
        if (set.at[i] == mechanism) return true;
    return false;
}

void ws_tell_idle_axes(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    for (size_t a = 0; a < spec->axis_count; a++) {
        const ws_axis *axis = &spec->axes[a];
        const ws_mechanism *mechanism = ws_mechanism_of_param(axis->name);
        size_t combo = 0;
        while (mechanism && combo < grid->count && !has(grid->combos[combo].config, mechanism)) combo++;
        if (mechanism && combo == grid->count)
            fprintf(out, "%s: $.axes['%s'] changes nothing: no point has the mechanism %s\n", spec->name,
                    axis->name, mechanism->name);
    }
}
