#include "sweep/spec_baseline.h"

#include "sweep/json.h"
#include "warpsweep/mechanism.h"

#include <stdio.h>
#include <string.h>

static ws_axis *find_axis(const ws_spec *spec, const char *name) {
    for (size_t i = 0; i < spec->axis_count; i++)
        if (strcmp(spec->axes[i].name, name) == 0) return &spec->axes[i];
    return NULL;
}

static const json_t *find_value(const ws_axis *axis, const json_t *value) {
    for (size_t i = 0; i < json_array_size(axis->values); i++)
        if (json_equal(json_array_get(axis->values, i), value)) return json_array_get(axis->values, i);
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

/* Without "baseline": where no mechanism is on. */
static void assume_none(ws_spec *spec) {
    json_t *none = json_string("none");
    for (size_t i = 0; i < spec->axis_count; i++)
        if (is_slot(&spec->axes[i])) spec->axes[i].baseline = find_value(&spec->axes[i], none);
    json_decref(none);
}

bool ws_spec_read_baseline(ws_spec *spec, ws_error *err) {
    json_t *node = json_object_get(spec->root, "baseline"), *value;
    if (!node) {
        assume_none(spec);
        return true;
    }
    if (!json_is_object(node) || json_object_size(node) == 0)
        return ws_fail_kind("$.baseline", "an object of axes, each with one of its values", node, err);
    const char *name;
    json_object_foreach(node, name, value) {
        char at[200];
        snprintf(at, sizeof at, "$.baseline['%.100s']", name);
        ws_axis *axis = find_axis(spec, name);
        if (!axis) return fail_axis(spec, name, at, err);
        axis->baseline = find_value(axis, value);
        if (axis->baseline) continue;
        char *found = json_dumps(value, JSON_ENCODE_ANY);
        ws_fail(err, WS_ERROR_SPEC, "%s: expected one of the values of that axis, found %.80s", at,
                found ? found : "something else");
        free(found);
        return false;
    }
    return true;
}

static bool baseline_is_without(const ws_spec *spec) {
    for (size_t i = 0; i < spec->axis_count; i++)
        if (is_slot(&spec->axes[i]) && spec->axes[i].baseline) return true;
    return false;
}

bool ws_spec_compares_equals(const ws_spec *spec, size_t axis) {
    if (ws_mechanism_of_param(spec->axes[axis].name) && baseline_is_without(spec)) return false;
    size_t first = axis;
    while (first && spec->axes[first].zipped) first--;
    for (size_t i = first; i < spec->axis_count && (i == first || spec->axes[i].zipped); i++)
        if (spec->axes[i].baseline) return false;
    return true;
}
