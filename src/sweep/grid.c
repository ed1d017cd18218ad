#include "sweep/grid.h"

#include "warpsweep/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A combination on its way: with the keys by which it is sorted. */
typedef struct draft {
    ws_combo combo;
    char *stream, *replay, *instance;
} draft;

static void free_draft(draft *d) {
    ws_config_free(d->combo.config);
    free(d->combo.key);
    free(d->stream);
    free(d->replay);
    free(d->instance);
}

static void free_drafts(draft *drafts, size_t count) {
    for (size_t i = 0; drafts && i < count; i++) free_draft(&drafts[i]);
    free(drafts);
}

/* ---- combinations */

static bool count_combinations(const ws_spec *spec, size_t *count, ws_error *err) {
    *count = 1;
    for (size_t i = 0; i < spec->axis_count; i++) {
        *count *= json_array_size(spec->axes[i].values);
        if (*count > WS_COMBOS_MAX)
            return ws_fail(err, WS_ERROR_SPEC, "%s: $.axes: expected at most %d combinations, found more",
                           spec->path, WS_COMBOS_MAX);
    }
    return true;
}

/* "window.size=4, window.kind=sliding" */
static void describe(const ws_spec *spec, const ws_config *config, char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < spec->axis_count && used < size; i++) {
        json_t *value = ws_config_value(config, spec->axes[i].name);
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        used += (size_t)snprintf(out + used, size - used, "%s%s=%s", i ? ", " : "", spec->axes[i].name,
                                 text ? text : "?");
        free(text);
        json_decref(value);
    }
}

/* Combination number `position`; the last axis turns fastest. */
static ws_config *combine(const ws_spec *spec, size_t position, ws_error *err) {
    ws_config *config = ws_config_copy(spec->base);
    if (!config) {
        ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    bool ok = true;
    for (size_t i = spec->axis_count; ok && i-- > 0;) {
        size_t values = json_array_size(spec->axes[i].values);
        ok = ws_config_set(config, spec->axes[i].name,
                           json_array_get(spec->axes[i].values, position % values), "$.axes", err);
        position /= values;
    }
    if (ok && ws_config_validate(config, err)) return config;
    if (ok) {
        char text[400] = "";
        describe(spec, config, text, sizeof text);
        if (spec->axis_count)
            ws_fail_prefix(err, "%s: $.axes at %s", spec->path, text);
        else
            ws_fail_prefix(err, "%s: $.base", spec->path);
    }
    ws_config_free(config);
    return NULL;
}

static bool make_draft(const ws_spec *spec, const ws_grid *grid, size_t position, draft *d, ws_error *err) {
    static const ws_component *const stream[] = {&ws_coalesce_component};
    const ws_component *replay[8];
    size_t replay_count = 0;
    for (size_t i = 0; i < spec->component_count; i++)
        if (spec->components[i] != spec->analysis->component) replay[replay_count++] = spec->components[i];

    d->combo.config = combine(spec, position, err);
    if (!d->combo.config) return false;
    d->combo.key = ws_config_key(d->combo.config, NULL, NULL, 0);
    d->stream = ws_config_key(d->combo.config, NULL, stream, 1);
    d->replay = ws_config_key(d->combo.config, NULL, replay, replay_count);
    d->instance = ws_config_key(d->combo.config, spec->analysis->dims, NULL, 0);
    char *text = NULL;
    if (!d->combo.key || !d->stream || !d->replay || !d->instance ||
        asprintf(&text, "%s%s", grid->prefix, d->combo.key) < 0)
        return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    d->combo.id = ws_store_id(text);
    free(text);
    return true;
}

/* ---- order */

static int compare(const void *a_, const void *b_) {
    const draft *a = a_, *b = b_;
    int order = strcmp(a->stream, b->stream);
    if (order == 0) order = strcmp(a->replay, b->replay);
    if (order == 0) order = strcmp(a->instance, b->instance);
    return order ? order : strcmp(a->combo.key, b->combo.key);
}

/* Numbers the groups, and takes over the combinations. A combination that is there twice (an axis may name a
 * value twice) counts once. */
static void take(ws_grid *grid, draft *drafts, size_t count) {
    uint32_t replay = 0, instance = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(drafts[i].replay, drafts[i - 1].replay) != 0) replay++;
        if (i && strcmp(drafts[i].instance, drafts[i - 1].instance) != 0) instance++;
        ws_combo *last = grid->count ? &grid->combos[grid->count - 1] : NULL;
        if (last && strcmp(last->key, drafts[i].combo.key) == 0) continue;
        drafts[i].combo.replay = replay;
        drafts[i].combo.instance = instance;
        grid->combos[grid->count++] = drafts[i].combo;
        drafts[i].combo = (ws_combo){0};
    }
}

ws_grid *ws_grid_new(const ws_spec *spec, ws_error *err) {
    size_t count;
    if (!count_combinations(spec, &count, err)) return NULL;
    ws_grid *grid = calloc(1, sizeof *grid);
    draft *drafts = calloc(count, sizeof *drafts);
    bool ok = grid && drafts && (grid->combos = calloc(count, sizeof *grid->combos)) &&
              asprintf(&grid->prefix, "%s@%u/%s/", spec->analysis->name, spec->analysis->version,
                       spec->fidelity) > 0;
    if (!ok) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < count; i++) ok = make_draft(spec, grid, i, &drafts[i], err);
    if (ok) {
        qsort(drafts, count, sizeof *drafts, compare);
        take(grid, drafts, count);
    }
    free_drafts(drafts, count);
    if (ok) return grid;
    ws_grid_free(grid);
    return NULL;
}

void ws_grid_free(ws_grid *grid) {
    if (!grid) return;
    for (size_t i = 0; i < grid->count; i++) {
        ws_config_free(grid->combos[i].config);
        free(grid->combos[i].key);
    }
    free(grid->combos);
    free(grid->prefix);
    free(grid);
}
