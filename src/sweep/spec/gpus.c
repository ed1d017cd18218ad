#include "sweep/spec/gpus.h"

#include "param/json.h"
#include "warpsweep/preset.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a preset */

/* What fidelity order calls otherwise than a GPU does. Sectors have 32 bytes on all GPUs, and there by default. */
static const char *name_in_order(const char *name) {
    return strcmp(name, "l1.line_B") == 0 ? "coalesce.line_B" : name;
}

/* Copies the parameters that `config` has. A preset describes all of a GPU; fidelity order reads only a part of it. */
static bool take_over(ws_config *config, const ws_config *gpu, ws_error *err) {
    json_t *all = ws_config_json(gpu), *value;
    if (!all) return ws_no_memory(err);
    bool ok = true;
    const char *name;
    json_object_foreach(all, name, value) {
        const char *own = ws_config_param(config, name) ? name : name_in_order(name);
        if (ok && ws_config_param(config, own)) ok = ws_config_set(config, own, value, name, err);
    }
    json_decref(all);
    return ok;
}

static bool apply_preset(const ws_spec *spec, const char *gpu, const char *at, ws_config *config,
                         ws_error *err) {
    char path[PATH_MAX];
    if (!spec->folders.gpus && !ws_preset_is_file(gpu))
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected the path of a GPU's file, found \"%.80s\"", at, gpu);
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *whole = ws_config_new(components, count);
    bool ok = (whole || ws_no_memory(err)) &&
              ((ws_preset_find(spec->folders.gpus, gpu, path, sizeof path, err) &&
                ws_preset_apply(whole, path, spec->folders.gpus, err)) ||
               ws_fail_prefix(err, "%s", at)) &&
              take_over(config, whole, err);
    ws_config_free(whole);
    return ok;
}

/* ---- a base */

static bool apply_base(const ws_spec *spec, ws_config *config, ws_error *err) {
    json_t *node = json_object_get(spec->root, "base"), *value;
    if (node && !json_is_object(node)) return ws_fail_kind("$.base", "an object of parameters", node, err);
    const char *name;
    json_object_foreach(node, name, value) {
        char at[160];
        snprintf(at, sizeof at, "$.base['%.100s']", name);
        if (!ws_config_set_known(config, name, value, at, err)) return false;
    }
    return true;
}

/* Appends a GPU; `name` is NULL for the defaults. */
static bool add_gpu(ws_spec *spec, const char *name, const char *at, ws_error *err) {
    ws_spec_gpu *gpus = realloc(spec->gpus, (spec->gpu_count + 1) * sizeof *gpus);
    if (gpus) spec->gpus = gpus;
    ws_config *base = gpus ? ws_config_new(spec->components, spec->component_count) : NULL;
    if (!base) return ws_no_memory(err);
    spec->gpus[spec->gpu_count++] = (ws_spec_gpu){name, base};
    return (!name || apply_preset(spec, name, at, base, err)) && apply_base(spec, base, err);
}

bool ws_spec_read_gpu(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, WS_GPU_AXIS);
    if (node && !json_is_string(node)) return ws_fail_kind("$.gpu", "the name of a GPU", node, err);
    return add_gpu(spec, json_string_value(node), "$.gpu", err);
}

bool ws_spec_read_gpu_axis(ws_spec *spec, const json_t *node, const char *path, json_t *values,
                           ws_error *err) {
    if (!json_is_array(node)) return ws_fail_kind(path, "an array of names of GPUs", node, err);
    if (json_array_size(node) == 0)
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected at least one GPU, found none", path);
    ws_spec_free_gpus(spec);
    for (size_t i = 0; i < json_array_size(node); i++) {
        json_t *item = json_array_get(node, i);
        char at[300];
        snprintf(at, sizeof at, "%s[%zu]", path, i);
        if (!json_is_string(item)) return ws_fail_kind(at, "the name of a GPU", item, err);
        if (!add_gpu(spec, json_string_value(item), at, err)) return false;
        if (json_array_append(values, item) != 0) return ws_no_memory(err);
    }
    return true;
}

void ws_spec_move_gpu(ws_spec *spec, size_t from, size_t to) {
    ws_spec_gpu gpu = spec->gpus[to];
    spec->gpus[to] = spec->gpus[from];
    spec->gpus[from] = gpu;
}

void ws_spec_cut_gpus(ws_spec *spec, size_t count) {
    while (spec->gpu_count > count) ws_config_free(spec->gpus[--spec->gpu_count].base);
}

void ws_spec_free_gpus(ws_spec *spec) {
    ws_spec_cut_gpus(spec, 0);
    free(spec->gpus);
    spec->gpus = NULL;
}
