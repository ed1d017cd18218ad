#include "sweep/spec/points.h"

#include "base/number_set.h"
#include "param/json.h"
#include "sweep/spec/axis.h"
#include "sweep/spec/gpus.h"
#include "sweep/spec/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 200 };

static bool is_axis(const ws_spec *spec, const char *name) {
    for (size_t i = 0; i < spec->axis_count; i++)
        if (strcmp(spec->axes[i].name, name) == 0) return true;
    return false;
}

/* Fails if the specification sets the parameter elsewhere, too. */
static bool check_unset(const ws_spec *spec, const char *name, const char *path, ws_error *err) {
    if (json_object_get(json_object_get(spec->root, "base"), name))
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected a parameter that $.base leaves alone, found one that it sets", path);
    if (strcmp(name, WS_GPU_AXIS) == 0 && json_object_get(spec->root, WS_GPU_AXIS))
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected no $.gpu beside it, found one", path);
    if (is_axis(spec, name))
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected a parameter that no other axis sets, found one that is set", path);
    return true;
}

/* ---- axes */

static bool read_axis(ws_spec *spec, const char *name, json_t *node, const char *path, ws_config *trial,
                      ws_error *err) {
    bool is_gpu = strcmp(name, WS_GPU_AXIS) == 0;
    if (!check_unset(spec, name, path, err)) return false;
    if (!is_gpu && !ws_config_param(trial, name))
        return ws_config_set_known(trial, name, node, path, err); /* fails, and suggests a similar name */
    ws_axis *axes = realloc(spec->axes, (spec->axis_count + 1) * sizeof *axes);
    if (axes) spec->axes = axes;
    json_t *values = axes ? json_array() : NULL;
    if (!values) return ws_no_memory(err);
    spec->axes[spec->axis_count++] = (ws_axis){name, values, false, NULL};
    return is_gpu ? ws_spec_read_gpu_axis(spec, node, path, values, err)
                  : ws_axis_values(name, node, path, trial, values, err);
}

/* Zips the axis that was read last with the others of its zip, which begins at axis `first`. */
static bool zip_last(ws_spec *spec, size_t first, const char *path, ws_error *err) {
    ws_axis *last = &spec->axes[spec->axis_count - 1], *leader = &spec->axes[first];
    if (last == leader) return true;
    last->zipped = true;
    size_t expected = json_array_size(leader->values), found = json_array_size(last->values);
    if (found == expected) return true;
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected %zu values, as many as %s has, found %zu", path,
                   expected, leader->name, found);
}

static bool read_zip(ws_spec *spec, json_t *node, const char *path, ws_config *trial, ws_error *err) {
    static const char expected[] = "an object of parameters and their values, which vary together";
    if (!json_is_object(node)) return ws_fail_kind(path, expected, node, err);
    if (json_object_size(node) == 0)
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found an empty one", path, expected);
    size_t first = spec->axis_count;
    const char *name;
    json_t *value;
    json_object_foreach(node, name, value) {
        char at[PATH];
        snprintf(at, sizeof at, "%s['%.100s']", path, name);
        if (!read_axis(spec, name, value, at, trial, err) || !zip_last(spec, first, at, err)) return false;
    }
    return true;
}

/* Reads one zip, or an array of them. */
static bool read_zips(ws_spec *spec, json_t *node, ws_config *trial, ws_error *err) {
    if (!json_is_array(node)) return read_zip(spec, node, "$.axes.zip", trial, err);
    if (json_array_size(node) == 0)
        return ws_fail(err, WS_ERROR_SPEC, "$.axes.zip: expected at least one zip, found none");
    for (size_t i = 0; i < json_array_size(node); i++) {
        char at[PATH];
        snprintf(at, sizeof at, "$.axes.zip[%zu]", i);
        if (!read_zip(spec, json_array_get(node, i), at, trial, err)) return false;
    }
    return true;
}

static bool read_member(ws_spec *spec, const char *name, json_t *node, ws_config *trial, ws_error *err) {
    if (strcmp(name, "zip") == 0) return read_zips(spec, node, trial, err);
    char at[PATH];
    snprintf(at, sizeof at, "$.axes['%.100s']", name);
    return read_axis(spec, name, node, at, trial, err);
}

static bool read_axes(ws_spec *spec, ws_error *err) {
    json_t *node = json_object_get(spec->root, "axes"), *value;
    if (!node) return true;
    if (!json_is_object(node))
        return ws_fail_kind("$.axes", "an object of parameters and their values", node, err);
    ws_config *trial = ws_config_copy(spec->gpus[0].base);
    bool ok = trial || ws_no_memory(err);
    const char *name;
    if (ok) json_object_foreach(node, name, value) {
            if (!(ok = read_member(spec, name, value, trial, err))) break;
        }
    ws_config_free(trial);
    return ok;
}

/* ---- values that appear twice: else a sample could take a combination twice, and would then have fewer points */

/* The values of the axes from `first` to before `end`, which vary together, at one place of their lists; NULL when out
 * of memory. */
static char *values_at(const ws_spec *spec, size_t first, size_t end, size_t place) {
    json_t *values = json_array();
    bool whole = true;
    for (size_t i = first; whole && i < end; i++)
        whole = json_array_append(values, json_array_get(spec->axes[i].values, place)) == 0;
    char *text = whole ? json_dumps(values, JSON_COMPACT) : NULL;
    json_decref(values);
    return text;
}

static bool seen_before(const ws_spec *spec, size_t first, size_t end, size_t place, ws_number_set *seen,
                        bool *again, ws_error *err) {
    char *text = values_at(spec, first, end, place);
    bool ok = text && ws_number_set_add(seen, (uint64_t)ws_store_id(text), again);
    free(text);
    return ok || ws_no_memory(err);
}

/* Moves what is at a place of an axis forward. */
static void move_value(ws_spec *spec, const ws_axis *axis, size_t from, size_t to) {
    if (from == to) return;
    json_array_set(axis->values, to, json_array_get(axis->values, from));
    if (strcmp(axis->name, WS_GPU_AXIS) == 0) ws_spec_move_gpu(spec, from, to);
}

static void cut_values(ws_spec *spec, const ws_axis *axis, size_t count) {
    for (size_t i = json_array_size(axis->values); i-- > count;) json_array_remove(axis->values, i);
    if (strcmp(axis->name, WS_GPU_AXIS) == 0) ws_spec_cut_gpus(spec, count);
}

static bool drop_repeats(ws_spec *spec, size_t first, size_t end, size_t count, ws_error *err) {
    ws_number_set seen = {0};
    bool ok = true, again;
    size_t kept = 0;
    for (size_t place = 0; ok && place < count; place++) {
        ok = seen_before(spec, first, end, place, &seen, &again, err);
        if (!ok || again) continue;
        for (size_t i = first; i < end; i++) move_value(spec, &spec->axes[i], place, kept);
        kept++;
    }
    for (size_t i = first; ok && i < end; i++) cut_values(spec, &spec->axes[i], kept);
    ws_number_set_free(&seen);
    return ok;
}

static bool drop_all_repeats(ws_spec *spec, ws_error *err) {
    for (size_t first = 0, end, count; first < spec->axis_count; first = end) {
        end = ws_product_group(spec, first, &count);
        if (!drop_repeats(spec, first, end, count, err)) return false;
    }
    return true;
}

/* ---- SQL */

static bool read_derived(ws_spec *spec, ws_error *err) {
    json_t *node = json_object_get(spec->root, "derived"), *value;
    if (!node) return true;
    if (!json_is_object(node))
        return ws_fail_kind("$.derived", "an object of parameters and SQL expressions", node, err);
    spec->derived = calloc(json_object_size(node) + 1, sizeof *spec->derived);
    if (!spec->derived) return ws_no_memory(err);
    const char *name;
    json_object_foreach(node, name, value) {
        char at[PATH];
        snprintf(at, sizeof at, "$.derived['%.100s']", name);
        if (!check_unset(spec, name, at, err)) return false;
        ws_config *base = spec->gpus[0].base;
        if (!ws_config_param(base, name)) return ws_config_set_known(base, name, value, at, err);
        if (!json_is_string(value)) return ws_fail_kind(at, "an SQL expression, a string", value, err);
        spec->derived[spec->derived_count++] = (ws_derived){name, json_string_value(value)};
    }
    return true;
}

static bool read_where(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "where");
    if (!node) return true;
    if (!json_is_string(node)) return ws_fail_kind("$.where", "an SQL condition, a string", node, err);
    spec->where = json_string_value(node);
    return true;
}

/* ---- sampling */

static bool read_method(ws_spec *spec, const json_t *node, ws_error *err) {
    static const char *const names[] = {
        [WS_SAMPLING_GRID] = "grid", [WS_SAMPLING_RANDOM] = "random", [WS_SAMPLING_SOBOL] = "sobol"};
    static const char path[] = "$.sampling.method", expected[] = "\"grid\", \"random\" or \"sobol\"";
    const json_t *method = json_object_get(node, "method");
    if (!json_is_string(method)) return ws_fail_kind(path, expected, method, err);
    ws_nearest nearest = ws_nearest_to(json_string_value(method));
    for (int i = 0; i < 3; i++) {
        spec->sampling.method = i;
        if (strcmp(names[i], nearest.name) == 0) return true;
        ws_nearest_offer(&nearest, names[i]);
    }
    return ws_fail_nearest(path, expected, nearest.name, nearest, err);
}

static bool read_count(const json_t *node, const char *path, json_int_t least, json_int_t most,
                       json_int_t *value, ws_error *err) {
    char expected[80];
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)least, (long long)most);
    if (!json_is_integer(node)) return ws_fail_kind(path, expected, node, err);
    *value = json_integer_value(node);
    if (*value >= least && *value <= most) return true;
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found %lld", path, expected, (long long)*value);
}

static bool read_sampling(ws_spec *spec, ws_error *err) {
    static const char *const all[] = {"method", NULL}, *const some[] = {"method", "points", "seed", NULL};
    json_t *node = json_object_get(spec->root, "sampling");
    if (!node) return true;
    if (!json_is_object(node)) return ws_fail_kind("$.sampling", "an object", node, err);
    if (!read_method(spec, node, err)) return false;
    if (spec->sampling.method == WS_SAMPLING_GRID)
        return ws_check_keys(node, all, "$.sampling", "nothing but \"method\" with \"grid\"", err);
    json_int_t points = 0, seed = 1;
    const json_t *seed_node = json_object_get(node, "seed");
    if (!ws_check_keys(node, some, "$.sampling", "\"method\", \"points\" or \"seed\"", err) ||
        !read_count(json_object_get(node, "points"), "$.sampling.points", 1, WS_COMBOS_MAX, &points, err) ||
        (seed_node && !read_count(seed_node, "$.sampling.seed", 1, UINT32_MAX, &seed, err)))
        return false;
    spec->sampling.points = (size_t)points;
    spec->sampling.seed = (uint32_t)seed;
    return true;
}

bool ws_spec_read_points(ws_spec *spec, ws_error *err) {
    return read_axes(spec, err) && drop_all_repeats(spec, err) && read_derived(spec, err) &&
           read_where(spec, err) && read_sampling(spec, err);
}
