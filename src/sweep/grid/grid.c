#include "sweep/grid/grid.h"

#include "sweep/grid/effect.h"
#include "sweep/grid/point_table.h"
#include "sweep/grid/sample.h"
#include "sweep/spec/product.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/store.h"
#include "warpsweep/timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A combination in the making, with the keys by which it is sorted. */
typedef struct draft {
    ws_combo combo;
    char *stream, *replay, *instance;
    bool unnamed; /* "baseline" does not name its GPU */
} draft;

static void free_draft(draft *d) {
    ws_config_free(d->combo.config);
    free(d->combo.key);
    free(d->combo.refusal);
    free(d->stream);
    free(d->replay);
    free(d->instance);
}

static void free_drafts(draft *drafts, size_t count) {
    for (size_t i = 0; drafts && i < count; i++) free_draft(&drafts[i]);
    free(drafts);
}

/* ---- combinations */

/* Applies the components' own rules, and the mechanisms'. A combination that breaks them is an error; in fidelity timed
 * it gets a refusal instead, the reason why its points fail. */
static bool validate(const ws_spec *spec, ws_combo *combo, ws_error *err) {
    ws_error refusal = WS_NO_ERROR;
    ws_mechanism_set set;
    if (ws_config_validate(combo->config, &refusal) && ws_mechanisms_of(combo->config, &set, &refusal))
        return true;
    if (spec->fidelity == WS_FIDELITY_TIMED)
        return (combo->refusal = strdup(refusal.text)) || ws_no_memory(err);
    char text[400];
    ws_product_describe(spec, combo->config, combo->gpu, spec->derived_count, text, sizeof text);
    if (*text)
        return ws_fail(err, refusal.code, "%s: $.axes at %s: %s, or leave such combinations out by $.where",
                       spec->path, text, refusal.text);
    return ws_fail(err, refusal.code, "%s: $.base: %s", spec->path, refusal.text);
}

static bool check_refusals(const ws_spec *spec, const ws_grid *grid, ws_error *err) {
    for (size_t i = 0; i < grid->count; i++)
        if (!grid->combos[i].refusal) return true;
    if (grid->count == 1)
        return ws_fail(err, WS_ERROR_SPEC, "%s: its configuration cannot work: %s", spec->path,
                       grid->combos[0].refusal);
    return ws_fail(err, WS_ERROR_SPEC, "%s: none of its %zu configurations can work: %s", spec->path,
                   grid->count, grid->combos[0].refusal);
}

/* The configuration's key, with the versions of its mechanisms. Version 1 is left out, so that keys from before there
 * were versions stay valid. */
static char *key_of(const ws_config *config) {
    ws_mechanism_set set;
    ws_mechanisms_of(config, &set, NULL); /* refusals are reported elsewhere */
    char *key = ws_config_key(config, NULL, NULL, 0);
    for (size_t i = 0; key && i < set.count; i++) {
        if (set.at[i]->version <= 1) continue;
        char *parameters = key;
        if (asprintf(&key, "%s/%s@%u", parameters, set.at[i]->name, set.at[i]->version) < 0) key = NULL;
        free(parameters);
    }
    return key;
}

/* Whether "baseline" is about that GPU; it may be NULL. */
static bool baseline_names(const ws_spec *spec, const char *gpu) {
    for (size_t i = 0; gpu && i < spec->axis_count; i++) {
        const ws_axis *axis = &spec->axes[i];
        if (strcmp(axis->name, WS_GPU_AXIS) == 0 && axis->baseline)
            return strcmp(json_string_value(axis->baseline), gpu) == 0;
    }
    return false;
}

/* Makes the keys that say what combinations share. What changes nothing in a configuration does not part it from
 * others, unless it may be the reason why the configuration is refused. */
static bool make_keys(const ws_spec *spec, draft *d) {
    static const ws_component *const stream[] = {&ws_coalesce_component};
    const ws_config *config = d->combo.config;
    const ws_component *replay[WS_COMPONENTS_MAX];
    size_t replay_count = 0;
    for (size_t i = 0; i < spec->component_count; i++)
        if (spec->components[i] != spec->analysis->component) replay[replay_count++] = spec->components[i];
    const char **skipped = d->combo.refusal ? NULL : ws_spec_without_effect(spec, config);
    if (!skipped && !d->combo.refusal) return false;
    d->stream = ws_config_key(config, skipped, stream, 1);
    d->replay = ws_config_key(config, skipped, replay, replay_count);
    d->instance = ws_config_key(config, spec->analysis->dims, NULL, 0);
    free(skipped);
    return d->stream && d->replay && d->instance;
}

/* Takes ownership of `config`. */
static bool make_draft(const ws_spec *spec, const ws_grid *grid, ws_config *config, const char *gpu, draft *d,
                       ws_error *err) {
    d->combo.config = config;
    d->combo.gpu = gpu;
    d->unnamed = !baseline_names(spec, gpu);
    if (!validate(spec, &d->combo, err)) return false;
    d->combo.key = key_of(d->combo.config);
    char *text = NULL;
    if (!d->combo.key || !make_keys(spec, d) || asprintf(&text, "%s%s", grid->prefix, d->combo.key) < 0)
        return ws_no_memory(err);
    d->combo.id = ws_store_id(text);
    free(text);
    return true;
}

/* ---- order */

/* What is stopped needs no order, so that sorting ends at once. */
static int compare(const void *a_, const void *b_, void *preparing) {
    const draft *a = a_, *b = b_;
    if (ws_preparing_is_stopped(preparing)) return 0;
    int order = strcmp(a->stream, b->stream);
    if (order == 0) order = strcmp(a->replay, b->replay);
    if (order == 0) order = strcmp(a->instance, b->instance);
    if (order == 0) order = strcmp(a->combo.key, b->combo.key);
    if (order == 0) order = a->unnamed - b->unnamed;
    return order || !a->combo.gpu ? order : strcmp(a->combo.gpu, b->combo.gpu);
}

static bool note_alike(ws_grid *grid, const char *gpu, const char *as, ws_error *err) {
    size_t i = 0;
    while (i < grid->alike_count && (strcmp(grid->alike[i].gpu, gpu) || strcmp(grid->alike[i].as, as))) i++;
    if (i == grid->alike_count) {
        ws_alike *alike = realloc(grid->alike, (i + 1) * sizeof *alike);
        if (!alike) return ws_no_memory(err);
        grid->alike = alike;
        grid->alike[grid->alike_count++] = (ws_alike){gpu, as, 0};
    }
    grid->alike[i].count++;
    return true;
}

/* Numbers the groups that share a replay, and an instance, and moves the combinations into the grid. A combination that
 * occurs twice, of GPUs that the analysis does not tell apart, counts once, under the name that "baseline" gives, else
 * the first of their names. */
static bool take(ws_grid *grid, draft *drafts, size_t count, ws_error *err) {
    uint32_t replay = 0, instance = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(drafts[i].replay, drafts[i - 1].replay) != 0) replay++;
        if (i && strcmp(drafts[i].instance, drafts[i - 1].instance) != 0) instance++;
        ws_combo *last = grid->count ? &grid->combos[grid->count - 1] : NULL;
        if (last && strcmp(last->key, drafts[i].combo.key) == 0) {
            if (last->gpu && strcmp(last->gpu, drafts[i].combo.gpu) != 0 &&
                !note_alike(grid, drafts[i].combo.gpu, last->gpu, err))
                return false;
            continue;
        }
        drafts[i].combo.replay = replay;
        drafts[i].combo.instance = instance;
        grid->combos[grid->count++] = drafts[i].combo;
        drafts[i].combo = (ws_combo){0};
    }
    return true;
}

/* Makes drafts of the candidates that are left; `*made` counts them. */
static bool make_drafts(const ws_spec *spec, const ws_grid *grid, ws_candidate *candidates, size_t count,
                        draft *drafts, size_t *made, ws_error *err) {
    ws_preparing_step(spec->preparing, "describing combinations", "combinations", count);
    for (size_t i = 0; i < count; i++) {
        if (!ws_preparing_at(spec->preparing, i, err)) return false;
        ws_config *config = candidates[i].config;
        candidates[i].config = NULL;
        const char *gpu = ws_product_gpu(spec, candidates[i].position)->name;
        if (config && !make_draft(spec, grid, config, gpu, &drafts[(*made)++], err)) return false;
    }
    return true;
}

static size_t count_left(const ws_candidate *candidates, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) left += candidates[i].config != NULL;
    return left;
}

static char *prefix_of(const ws_spec *spec) {
    const ws_analysis *a = spec->analysis;
    char *text;
    bool timed = spec->fidelity == WS_FIDELITY_TIMED;
    int length = asprintf(&text, "%s@%u/%s@%d/", a->name, a->version, timed ? "timed" : "order",
                          timed ? WS_TIMED_VERSION : WS_ORDER_VERSION);
    return length < 0 ? NULL : text;
}

static bool build(const ws_spec *spec, ws_grid *grid, ws_candidate *candidates, size_t count, ws_error *err) {
    const size_t left = count_left(candidates, count);
    draft *drafts = calloc(left, sizeof *drafts);
    grid->combos = calloc(left, sizeof *grid->combos);
    bool ok = drafts && grid->combos && (grid->prefix = prefix_of(spec));
    if (!ok) ws_no_memory(err);
    size_t made = 0;
    ok = ok && make_drafts(spec, grid, candidates, count, drafts, &made, err);
    if (ok) qsort_r(drafts, made, sizeof *drafts, compare, spec->preparing);
    ok = ok && ws_preparing_at(spec->preparing, made, err);
    ok = ok && take(grid, drafts, made, err) && check_refusals(spec, grid, err);
    free_drafts(drafts, made);
    return ok;
}

/* Takes out what `where` and the sampling leave out of the candidates, and counts it. */
static bool choose(const ws_spec *spec, ws_grid *grid, ws_candidate *candidates, size_t count, uint64_t all,
                   ws_error *err) {
    if (!ws_point_table_apply(spec, candidates, count, err)) return false;
    grid->all = all;
    grid->outside = count - count_left(candidates, count);
    if (!ws_sample_keep(spec, all, candidates, count, err)) return false;
    grid->unsampled = all - grid->outside - count_left(candidates, count);
    return true;
}

ws_grid *ws_grid_new(const ws_spec *spec, ws_error *err) {
    uint64_t all, *positions;
    size_t count;
    if (!ws_product_count(spec, &all, err) || !ws_sample_positions(spec, all, &positions, &count, err))
        return NULL;
    ws_candidate *candidates = ws_product_candidates(spec, positions, count, err);
    free(positions);
    ws_grid *grid = candidates ? calloc(1, sizeof *grid) : NULL;
    if (candidates && !grid) ws_no_memory(err);
    bool ok =
        grid && choose(spec, grid, candidates, count, all, err) && build(spec, grid, candidates, count, err);
    ws_product_free(candidates, count);
    if (ok) return grid;
    ws_grid_free(grid);
    return NULL;
}

void ws_grid_free(ws_grid *grid) {
    if (!grid) return;
    for (size_t i = 0; i < grid->count; i++) {
        ws_config_free(grid->combos[i].config);
        free(grid->combos[i].key);
        free(grid->combos[i].refusal);
    }
    free(grid->combos);
    free(grid->alike);
    free(grid->prefix);
    free(grid);
}
