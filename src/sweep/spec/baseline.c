#include "sweep/spec/baseline.h"

#include "param/json.h"

#include <stdio.h>
#include <string.h>

static ws_axis *find_axis(const ws_spec *spec, const char *name) {
    for (size_t i = 0; i < spec->axis_count; i++)
        if (strcmp(spec->axes[i].name, name) == 0) return &spec->axes[i];
    return NULL;
}

/* 1 and 1.0 are the same value, of an axis or the baseline. */
static bool is_same(const json_t *a, const json_t *b) {
    return json_is_number(a) && json_is_number(b) ? json_number_value(a) == json_number_value(b)
                                                  : json_equal(a, b);
}

static const json_t *find_value(const ws_axis *axis, const json_t *value) {
    for (size_t i = 0; i < json_array_size(axis->values); i++)
        if (is_same(json_array_get(axis->values, i), value)) return json_array_get(axis->values, i);
    return NULL;
}

static bool fail_axis(const ws_spec *spec, const char *name, const char *path, ws_error *err) {
    ws_nearest nearest = ws_nearest_to(name);
    for (size_t i = 0; i < spec->axis_count; i++) ws_nearest_offer(&nearest, spec->axes[i].name);
    return ws_fail_nearest(path, "an axis of the sweep", name, nearest, err);
}

static bool is_slot(const ws_axis *axis) {
    return strncmp(axis->name, "mechanism.", 10) == 0;
}

static const json_t *find_none(const ws_axis *axis) {
    for (size_t i = 0; i < json_array_size(axis->values); i++) {
        const char *value = json_string_value(json_array_get(axis->values, i));
        if (value && strcmp(value, "none") == 0) return json_array_get(axis->values, i);
    }
    return NULL;
}

/* Slots that "baseline" (NULL: there is none) does not name are empty in the baseline, if the axis has the value
 * "none". */
static void assume_none(ws_spec *spec, const json_t *named) {
    for (size_t i = 0; i < spec->axis_count; i++) {
        ws_axis *axis = &spec->axes[i];
        if (is_slot(axis) && !json_object_get(named, axis->name)) axis->baseline = find_none(axis);
    }
}

static bool read_axis(ws_spec *spec, const char *name, const json_t *value, ws_error *err) {
    char at[200];
    snprintf(at, sizeof at, "$.baseline['%.100s']", name);
    ws_axis *axis = find_axis(spec, name);
    if (!axis) return fail_axis(spec, name, at, err);
    if (json_is_null(value)) return true;
    axis->baseline = find_value(axis, value);
    if (axis->baseline) return true;
    char *found = json_dumps(value, JSON_ENCODE_ANY), *values = json_dumps(axis->values, 0);
    ws_fail(err, WS_ERROR_SPEC, "%s: expected one of the values of that axis, %.200s, or null, found %.80s",
            at, values ? values : "which it lists", found ? found : "something else");
    free(found);
    free(values);
    return false;
}

bool ws_spec_read_baseline(ws_spec *spec, ws_error *err) {
    json_t *node = json_object_get(spec->root, "baseline"), *value;
    if (node && (!json_is_object(node) || json_object_size(node) == 0))
        return ws_fail_kind("$.baseline", "an object of axes, each with one of its values", node, err);
    const char *name;
    json_object_foreach(node, name, value) {
        if (!read_axis(spec, name, value, err)) return false;
    }
    assume_none(spec, node);
    return true;
}
