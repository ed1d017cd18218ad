#include "sweep/spec/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCT_MAX (UINT64_C(1) << 60)

size_t ws_product_group(const ws_spec *spec, size_t first, size_t *values) {
    *values = json_array_size(spec->axes[first].values);
    size_t next = first + 1;
    while (next < spec->axis_count && spec->axes[next].zipped) next++;
    return next;
}

bool ws_product_count(const ws_spec *spec, uint64_t *count, ws_error *err) {
    *count = 1;
    for (size_t i = 0, values; i < spec->axis_count;) {
        i = ws_product_group(spec, i, &values);
        if (*count > PRODUCT_MAX / values)
            return ws_fail(err, WS_ERROR_SPEC, "%s: $.axes: expected at most 2^60 combinations, found more",
                           spec->path);
        *count *= values;
    }
    return true;
}

static bool is_gpu(const ws_axis *axis) {
    return strcmp(axis->name, WS_GPU_AXIS) == 0;
}

const ws_spec_gpu *ws_product_gpu(const ws_spec *spec, uint64_t position) {
    for (size_t i = spec->axis_count; i-- > 0;) {
        size_t values = json_array_size(spec->axes[i].values);
        if (is_gpu(&spec->axes[i])) return &spec->gpus[position % values];
        if (!spec->axes[i].zipped) position /= values;
    }
    return &spec->gpus[0];
}

static ws_config *combine(const ws_spec *spec, uint64_t position, ws_error *err) {
    ws_config *config = ws_config_copy(ws_product_gpu(spec, position)->base);
    bool ok = config || ws_no_memory(err);
    for (size_t i = spec->axis_count; ok && i-- > 0;) {
        const ws_axis *axis = &spec->axes[i];
        size_t values = json_array_size(axis->values);
        json_t *value = json_array_get(axis->values, position % values);
        ok = is_gpu(axis) || ws_config_set(config, axis->name, value, "$.axes", err);
        if (!axis->zipped) position /= values;
    }
    if (ok) return config;
    ws_config_free(config);
    return NULL;
}

ws_candidate *ws_product_candidates(const ws_spec *spec, const uint64_t *positions, size_t count,
                                    ws_error *err) {
    ws_candidate *candidates = calloc(count, sizeof *candidates);
    bool ok = candidates || ws_no_memory(err);
    ws_preparing_step(spec->preparing, "making combinations", "combinations", count);
    for (size_t i = 0; ok && i < count; i++) {
        candidates[i].position = positions ? positions[i] : i;
        ok = ws_preparing_at(spec->preparing, i, err) &&
             (candidates[i].config = combine(spec, candidates[i].position, err)) != NULL;
    }
    if (ok) return candidates;
    ws_product_free(candidates, count);
    return NULL;
}

void ws_product_free(ws_candidate *candidates, size_t count) {
    for (size_t i = 0; candidates && i < count; i++) ws_config_free(candidates[i].config);
    free(candidates);
}

static void describe(const char *name, const ws_config *config, FILE *out) {
    json_t *value = ws_config_value(config, name);
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    fprintf(out, "%s%s=%s", ftell(out) > 0 ? ", " : "", name, text ? text : "?");
    free(text);
    json_decref(value);
}

void ws_product_describe(const ws_spec *spec, const ws_config *config, const char *gpu, size_t derived,
                         char *out, size_t size) {
    *out = '\0';
    FILE *text = fmemopen(out, size, "w");
    if (!text) return;
    if (gpu) fprintf(text, "gpu=%s", gpu);
    for (size_t i = 0; i < spec->axis_count; i++)
        if (!is_gpu(&spec->axes[i])) describe(spec->axes[i].name, config, text);
    for (size_t i = 0; i < derived; i++) describe(spec->derived[i].name, config, text);
    fclose(text);
}
