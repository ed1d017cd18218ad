#include "sweep/grid/baselines.h"

#include "base/words.h"
#include "mechanism/matters.h"

#include <string.h>

static bool has(const ws_combo *combo, const ws_axis *axis, const json_t *value) {
    return strcmp(axis->name, WS_GPU_AXIS) == 0 ? strcmp(combo->gpu, json_string_value(value)) == 0
                                                : ws_config_is(combo->config, axis->name, value);
}

static const json_t *value_of(const ws_combo *combo, const ws_axis *axis) {
    for (size_t i = 0; i < json_array_size(axis->values); i++)
        if (has(combo, axis, json_array_get(axis->values, i))) return json_array_get(axis->values, i);
    return NULL;
}

static bool is_baseline(const ws_spec *spec, const ws_combo *combo) {
    for (size_t i = 0; i < spec->axis_count; i++)
        if (spec->axes[i].baseline && !has(combo, &spec->axes[i], spec->axes[i].baseline)) return false;
    return true;
}

bool ws_grid_has_baseline(const ws_spec *spec, const ws_grid *grid) {
    bool compares = false, found = false;
    for (size_t i = 0; i < spec->axis_count; i++) compares |= spec->axes[i].baseline != NULL;
    for (size_t i = 0; compares && !found && i < grid->count; i++)
        found = is_baseline(spec, &grid->combos[i]);
    return found || !compares;
}

/* Whether points that are all baselines differ in the axis, in a way that has an effect. */
static bool tells_baselines_apart(const ws_spec *spec, const ws_grid *grid, const ws_axis *axis) {
    const json_t *first = NULL;
    bool differ = false, matters = false;
    for (size_t i = 0; i < grid->count; i++) {
        const ws_combo *combo = &grid->combos[i];
        if (!is_baseline(spec, combo)) continue;
        if (!first) first = value_of(combo, axis);
        differ |= first && !has(combo, axis, first);
        matters |= ws_param_matters(combo->config, axis->name, spec->with);
    }
    return differ && matters;
}

/* False if the parameter has no effect in any baseline; true if there is no baseline. */
static bool matters_to_baselines(const ws_spec *spec, const ws_grid *grid, const char *name) {
    bool found = false;
    for (size_t i = 0; i < grid->count; i++) {
        if (!is_baseline(spec, &grid->combos[i])) continue;
        if (ws_param_matters(grid->combos[i].config, name, spec->with)) return true;
        found = true;
    }
    return !found;
}

bool ws_grid_compares_equals(const ws_spec *spec, const ws_grid *grid, size_t axis) {
    size_t first = axis;
    while (first && spec->axes[first].zipped) first--;
    if (spec->axes[axis].baseline) return false;
    for (size_t i = first; i < spec->axis_count && (i == first || spec->axes[i].zipped); i++)
        if (spec->axes[i].baseline) return tells_baselines_apart(spec, grid, &spec->axes[axis]);
    return matters_to_baselines(spec, grid, spec->axes[axis].name);
}

static bool names(const char *sql, const char *param) {
    char column[128];
    ws_param_column(param, column, sizeof column);
    return ws_has_word(sql, column);
}

/* Whether the derived parameter follows from an axis of which points that agree on all others may have any value. */
static bool follows_from_a_free_axis(const ws_spec *spec, const ws_grid *grid, size_t derived) {
    const char *sql = spec->derived[derived].sql;
    for (size_t i = 0; i < spec->axis_count; i++)
        if (!spec->axes[i].baseline && names(sql, spec->axes[i].name) &&
            !ws_grid_compares_equals(spec, grid, i))
            return true;
    for (size_t i = 0; i < derived; i++)
        if (names(sql, spec->derived[i].name) && follows_from_a_free_axis(spec, grid, i)) return true;
    return false;
}

bool ws_grid_compares_derived(const ws_spec *spec, const ws_grid *grid, size_t derived) {
    return follows_from_a_free_axis(spec, grid, derived) &&
           matters_to_baselines(spec, grid, spec->derived[derived].name);
}
