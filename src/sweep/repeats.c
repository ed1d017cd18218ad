#include "sweep/repeats.h"

#include "sweep/matters.h"

#include <stdlib.h>
#include <string.h>

/* A combination in which some axes change nothing, and the configuration without these. */
typedef struct reduced {
    char *key;
    size_t combo;
} reduced;

static bool is_idle(const ws_spec *spec, const ws_combo *combo, size_t axis) {
    return !ws_param_matters(combo->config, spec->axes[axis].name, spec->with);
}

/* The combination without its idle axes; false if it has none, or memory runs out. `skipped`: room for all axes, and
 * NULL. */
static bool reduce(const ws_spec *spec, const ws_grid *grid, size_t combo, const char **skipped,
                   reduced *out) {
    size_t count = 0;
    for (size_t axis = 0; axis < spec->axis_count; axis++)
        if (is_idle(spec, &grid->combos[combo], axis)) skipped[count++] = spec->axes[axis].name;
    skipped[count] = NULL;
    *out = (reduced){.combo = combo};
    return count && (out->key = ws_config_key(grid->combos[combo].config, skipped, NULL, 0));
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const reduced *)a)->key, ((const reduced *)b)->key);
}

static bool repeats(const reduced *all, size_t i) {
    return i > 0 && strcmp(all[i].key, all[i - 1].key) == 0;
}

/* Whether the axis changes nothing in a combination that repeats another one. */
static bool is_repeated(const ws_spec *spec, const ws_grid *grid, const reduced *all, size_t count,
                        size_t axis) {
    size_t i = 0;
    while (i < count && !(repeats(all, i) && is_idle(spec, &grid->combos[all[i].combo], axis))) i++;
    return i < count;
}

static void tell(const ws_spec *spec, const ws_grid *grid, const reduced *all, size_t count, FILE *out) {
    size_t repeated = 0;
    for (size_t i = 0; i < count; i++) repeated += repeats(all, i);
    if (!repeated) return;
    fprintf(out, "%s: %zu of %zu combinations differ from others only in axes that change nothing there",
            spec->name, repeated, grid->count);
    const char *before = " (";
    for (size_t axis = 0; axis < spec->axis_count; axis++) {
        if (!is_repeated(spec, grid, all, count, axis)) continue;
        fprintf(out, "%s%s", before, spec->axes[axis].name);
        before = ", ";
    }
    fputs("), and have the same results: $.where can leave them out\n", out);
}

void ws_tell_repeats(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    const char **skipped = calloc(spec->axis_count + 1, sizeof *skipped);
    reduced *all = calloc(grid->count, sizeof *all);
    size_t count = 0;
    for (size_t combo = 0; skipped && all && combo < grid->count; combo++)
        count += reduce(spec, grid, combo, skipped, &all[count]);
    if (count) qsort(all, count, sizeof *all, by_key);
    if (count) tell(spec, grid, all, count, out);
    for (size_t i = 0; i < count; i++) free(all[i].key);
    free(all);
    free(skipped);
}
