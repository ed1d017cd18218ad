#include "sweep/grid/repeats.h"

#include "mechanism/matters.h"
#include "sweep/grid/effect.h"

#include <stdlib.h>
#include <string.h>

/* A combination in which some parameters change nothing, and the configuration without these. */
typedef struct reduced {
    char *key;
    size_t combo;
} reduced;

static bool is_idle(const ws_spec *spec, const ws_combo *combo, size_t axis) {
    return !ws_param_matters(combo->config, spec->axes[axis].name, spec->with);
}

/* The combination without what changes nothing in it; false if all has an effect, if it is refused, and so has no
 * results, or if memory runs out. */
static bool reduce(const ws_spec *spec, const ws_grid *grid, size_t combo, reduced *out) {
    if (grid->combos[combo].refusal) return false;
    const ws_config *config = grid->combos[combo].config;
    const char **skipped = ws_spec_without_effect(spec, config);
    *out = (reduced){.combo = combo};
    bool ok = skipped && *skipped && (out->key = ws_config_key(config, skipped, NULL, 0));
    free(skipped);
    return ok;
}

/* What is stopped needs no order. */
static int by_key(const void *a, const void *b, void *preparing) {
    if (ws_preparing_is_stopped(preparing)) return 0;
    return strcmp(((const reduced *)a)->key, ((const reduced *)b)->key);
}

static bool repeats(const reduced *all, size_t i) {
    return i > 0 && strcmp(all[i].key, all[i - 1].key) == 0;
}

/* Whether the axis is what a combination that repeats another one differs from it in, or may be. */
static bool is_repeated(const ws_spec *spec, const ws_grid *grid, const reduced *all, size_t count,
                        size_t axis) {
    if (json_array_size(spec->axes[axis].values) == 1) return false;
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
    fputs("), and have the same results: they share replays, and $.where can leave them out\n", out);
}

void ws_tell_repeats(const ws_spec *spec, const ws_grid *grid, FILE *out) {
    reduced *all = calloc(grid->count, sizeof *all);
    size_t count = 0;
    bool ok = all;
    ws_preparing_step(spec->preparing, "comparing combinations", "combinations", grid->count);
    for (size_t combo = 0; ok && combo < grid->count; combo++) {
        ok = ws_preparing_at(spec->preparing, combo, NULL);
        count += reduce(spec, grid, combo, &all[count]);
    }
    if (count) qsort_r(all, count, sizeof *all, by_key, spec->preparing);
    ws_preparing_clear(spec->preparing);
    if (ok && count && !ws_preparing_is_stopped(spec->preparing)) tell(spec, grid, all, count, out);
    for (size_t i = 0; i < count; i++) free(all[i].key);
    free(all);
}
