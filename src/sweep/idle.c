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

/* In no point; false also where there are no points. */
static bool is_off(const ws_grid *grid, const ws_mechanism *mechanism) {
    size_t combo = 0;
    while (combo < grid->count && !has(grid->combos[combo].config, mechanism)) combo++;
    return combo > 0 && combo == grid->count;
}

/* What a parameter lacks in all points; NULL: nothing, in one of them at least. */
static const ws_need *unmet(const ws_grid *grid, const char *name) {
    const ws_need *need = NULL;
    for (size_t combo = 0; combo < grid->count; combo++)
        if (!(need = ws_config_unmet(grid->combos[combo].config, name))) return NULL;
    return need;
}

void ws_tell_idle_axes(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    for (size_t a = 0; a < spec->axis_count; a++) {
        const char *name = spec->axes[a].name;
        const ws_mechanism *mechanism = ws_mechanism_of_param(name);
        const ws_need *need = unmet(grid, name);
        if (mechanism && is_off(grid, mechanism))
            fprintf(out, "%s: $.axes['%s'] changes nothing: no point has the mechanism %s\n", spec->name,
                    name, mechanism->name);
        else if (need)
            fprintf(out, "%s: $.axes['%s'] %s: %s %s %s\n", spec->name, name,
                    need->otherwise ? need->otherwise : "changes nothing",
                    need->other_than ? "all points have" : "no point has", need->of, need->value);
    }
}
