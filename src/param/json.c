#include "param/json.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a value, as messages name it. */
static const char *kind_of(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return json_object_size(value) ? "an object" : "an empty object";
    case JSON_ARRAY:
        return json_array_size(value) ? "an array" : "an empty array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        break;
    }
    return "null";
}

bool ws_fail_kind(const char *path, const char *expected, const json_t *found, ws_error *err) {
    char *number =
        json_is_number(found) ? json_dumps(found, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
    ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found %s", path, expected,
            number  ? number
            : found ? kind_of(found)
                    : "nothing");
    free(number);
    return false;
}

bool ws_fail_nearest(const char *path, const char *expected, const char *found, ws_nearest nearest,
                     ws_error *err) {
    return ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found \"%.80s\"%s%s%s", path, expected, found,
                   nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                   nearest.best ? "\"?" : "");
}

bool ws_check_keys(json_t *object, const char *const *keys, const char *path, const char *expected,
                   ws_error *err) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool known = false;
        ws_nearest nearest = ws_nearest_to(key);
        for (const char *const *k = keys; *k; k++) {
            known |= strcmp(*k, key) == 0;
            ws_nearest_offer(&nearest, *k);
        }
        if (!known) return ws_fail_nearest(path, expected, key, nearest, err);
    }
    return true;
}
