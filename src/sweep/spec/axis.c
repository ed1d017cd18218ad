#include "sweep/spec/axis.h"

#include "base/array.h"
#include "base/real.h"
#include "param/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct axis {
    const char *name;
    ws_config *trial;
    json_t *values;
} axis;

static bool no_memory(const char *path, ws_error *err) {
    return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
}

/* Appends the value as the parameter has it: 1 is 1.0 where that is a real number. Takes ownership of `value`. */
static bool add(axis *a, json_t *value, const char *path, ws_error *err) {
    bool ok =
        json_array_size(a->values) < WS_AXIS_VALUES_MAX ||
        ws_fail(err, WS_ERROR_SPEC, "%s: expected at most %d values, found more", path, WS_AXIS_VALUES_MAX);
    ok = ok && (value || no_memory(path, err)) && ws_config_set(a->trial, a->name, value, path, err);
    if (ok)
        ok =
            json_array_append_new(a->values, ws_config_value(a->trial, a->name)) == 0 || no_memory(path, err);
    json_decref(value);
    return ok;
}

/* ---- generators */

static bool numbers(const json_t *list, size_t least, size_t most, const char *path, const char *expected,
                    ws_error *err) {
    bool ok = json_is_array(list) && json_array_size(list) >= least && json_array_size(list) <= most;
    for (size_t i = 0; ok && i < json_array_size(list); i++) ok = json_is_number(json_array_get(list, i));
    if (ok) return true;
    if (!json_is_array(list)) return ws_fail_kind(path, expected, list, err);
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found another list", path, expected);
}

/* A range of an integer parameter has integers only: else the values between would be to blame. */
static bool suit(const axis *a, const json_t *list, const char *path, ws_error *err) {
    char at[300];
    if (ws_config_param(a->trial, a->name)->type != WS_TYPE_INT) return true;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *number = json_array_get(list, i);
        snprintf(at, sizeof at, "%s[%zu]", path, i);
        if (!json_is_integer(number))
            return ws_fail_kind(at, "an integer, as the parameter is one", number, err);
    }
    return true;
}

static bool whole(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_integer(json_array_get(list, i))) return false;
    return true;
}

static bool is_positive(const json_t *list, size_t i, const char *path, const char *expected, ws_error *err) {
    char at[300];
    if (json_number_value(json_array_get(list, i)) > 0) return true;
    snprintf(at, sizeof at, "%s[%zu]", path, i);
    return ws_fail_kind(at, expected, json_array_get(list, i), err);
}

static bool ascends(const json_t *list, const char *path, ws_error *err) {
    enum { FORMAT = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) };
    const json_t *from = json_array_get(list, 0), *to = json_array_get(list, 1);
    if (whole(list) ? json_integer_value(from) <= json_integer_value(to)
                    : json_number_value(from) <= json_number_value(to))
        return true;
    char *low = json_dumps(from, FORMAT), *high = json_dumps(to, FORMAT);
    ws_fail(err, WS_ERROR_SPEC, "%s: expected from <= to, found %s and %s", path, low ? low : "?",
            high ? high : "?");
    free(low);
    free(high);
    return false;
}

/* Returns the number that users write for a sum such as 0.1 + 2 * 0.1, which differs from 0.3 in its last bit, and ask
 * for in SQL. */
static double as_written(double sum) {
    char text[32];
    ws_print_real(text, sizeof text, sum, 15, 15);
    return ws_read_real(text, NULL);
}

static bool add_whole_range(axis *a, json_int_t from, json_int_t to, json_int_t step, const char *path,
                            ws_error *err) {
    for (json_int_t value = from;; value += step) {
        if (!add(a, json_integer(value), path, err)) return false;
        if ((uint64_t)to - (uint64_t)value < (uint64_t)step) return true;
    }
}

static bool add_real_range(axis *a, double from, double to, double step, const char *path, ws_error *err) {
    double last = floor((to - from) / step + 1e-9); /* 0.3 counts as a multiple of 0.1 */
    for (double i = 0; i <= last; i++)
        if (!add(a, json_real(as_written(from + i * step)), path, err)) return false;
    return true;
}

static bool add_range(axis *a, json_t *list, const char *path, ws_error *err) {
    if (!numbers(list, 2, 3, path, "numbers [from, to] or [from, to, step]", err) ||
        !suit(a, list, path, err))
        return false;
    const json_t *from = json_array_get(list, 0), *to = json_array_get(list, 1),
                 *step = json_array_get(list, 2);
    if ((step && !is_positive(list, 2, path, "a step above 0", err)) || !ascends(list, path, err))
        return false;
    if (whole(list))
        return add_whole_range(a, json_integer_value(from), json_integer_value(to),
                               step ? json_integer_value(step) : 1, path, err);
    return add_real_range(a, json_number_value(from), json_number_value(to),
                          step ? json_number_value(step) : 1, path, err);
}

static bool add_whole_log2(axis *a, json_int_t from, json_int_t to, const char *path, ws_error *err) {
    for (json_int_t value = from;; value *= 2) {
        if (!add(a, json_integer(value), path, err)) return false;
        if (value > to / 2) return true;
    }
}

static bool add_real_log2(axis *a, double from, double to, const char *path, ws_error *err) {
    for (double value = from; value <= to; value *= 2)
        if (!add(a, json_real(value), path, err)) return false;
    return true;
}

static bool add_log2(axis *a, json_t *list, const char *path, ws_error *err) {
    if (!numbers(list, 2, 2, path, "numbers [from, to]", err) || !suit(a, list, path, err) ||
        !is_positive(list, 0, path, "a number above 0", err) || !ascends(list, path, err))
        return false;
    const json_t *from = json_array_get(list, 0), *to = json_array_get(list, 1);
    if (whole(list)) return add_whole_log2(a, json_integer_value(from), json_integer_value(to), path, err);
    return add_real_log2(a, json_number_value(from), json_number_value(to), path, err);
}

/* ---- lists */

static bool add_node(axis *a, json_t *node, const char *path, ws_error *err);

static bool add_list(axis *a, json_t *list, const char *path, ws_error *err) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        char at[300];
        snprintf(at, sizeof at, "%s[%zu]", path, i);
        if (!add_node(a, json_array_get(list, i), at, err)) return false;
    }
    return true;
}

static bool add_values(axis *a, json_t *list, const char *path, ws_error *err) {
    if (json_is_array(list)) return add_list(a, list, path, err);
    return ws_fail_kind(path, "an array of values", list, err);
}

static bool add_object(axis *a, json_t *object, const char *path, ws_error *err) {
    static const struct {
        const char *name;
        bool (*add)(axis *a, json_t *list, const char *path, ws_error *err);
    } forms[] = {{"range", add_range}, {"log2", add_log2}, {"values", add_values}};
    if (json_object_size(object) != 1)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected one key, \"range\", \"log2\" or \"values\", found %zu", path,
                       json_object_size(object));
    void *only = json_object_iter(object);
    const char *key = json_object_iter_key(only);
    ws_nearest nearest = ws_nearest_to(key);
    for (size_t i = 0; i < WS_COUNT(forms); i++) {
        char at[300];
        snprintf(at, sizeof at, "%s.%s", path, forms[i].name);
        if (strcmp(forms[i].name, key) == 0) return forms[i].add(a, json_object_iter_value(only), at, err);
        ws_nearest_offer(&nearest, forms[i].name);
    }
    return ws_fail_nearest(path, "\"range\", \"log2\" or \"values\"", key, nearest, err);
}

static bool add_node(axis *a, json_t *node, const char *path, ws_error *err) {
    if (json_is_array(node)) return add_list(a, node, path, err);
    if (json_is_object(node)) return add_object(a, node, path, err);
    return add(a, json_deep_copy(node), path, err);
}

bool ws_axis_values(const char *name, json_t *node, const char *path, ws_config *trial, json_t *values,
                    ws_error *err) {
    axis a = {name, trial, values};
    if (!json_is_array(node) && !json_is_object(node))
        return ws_fail_kind(path, "an array of values, or {\"range\": ..}, {\"log2\": ..}", node, err);
    if (!add_node(&a, node, path, err)) return false;
    if (json_array_size(values)) return true;
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected at least one value, found none", path);
}
