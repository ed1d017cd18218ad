#include "param/value.h"

#include "base/nearest.h"
#include "base/real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union cell {
    int64_t integer;
    double real;
    bool truth;
    int choice;
} cell;

size_t ws_value_size(ws_type type) {
    switch (type) {
    case WS_TYPE_INT:
        return sizeof(int64_t);
    case WS_TYPE_REAL:
        return sizeof(double);
    case WS_TYPE_BOOL:
        return sizeof(bool);
    case WS_TYPE_CHOICE:
        return sizeof(int);
    case WS_TYPE_TEXT:
        break;
    }
    return 0;
}

static cell default_of(const ws_param *param) {
    cell c = {0};
    switch (param->type) {
    case WS_TYPE_INT:
        c.integer = (int64_t)param->def;
        break;
    case WS_TYPE_REAL:
        c.real = param->def;
        break;
    case WS_TYPE_BOOL:
        c.truth = param->def != 0;
        break;
    case WS_TYPE_CHOICE:
        c.choice = (int)param->def;
        break;
    case WS_TYPE_TEXT:
        break;
    }
    return c;
}

void ws_value_default(const ws_param *param, void *field) {
    cell c = default_of(param);
    memcpy(field, &c, ws_value_size(param->type));
}

static cell load(const ws_param *param, const void *field) {
    cell c = {0};
    memcpy(&c, field, ws_value_size(param->type));
    return c;
}

/* ---- errors */

/* Names the parameter, unless the path does so already. */
static bool fail(const ws_param *param, const json_t *value, const char *path, const char *expected,
                 const char *hint, ws_error *err) {
    bool named = strstr(path, param->name) != NULL;
    char *found = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    const char *shown = found ? found : "something else";
    ws_fail(err, WS_ERROR_SPEC, "%s: expected %s%s%s, found %.60s%s%s", path, expected, named ? "" : " for ",
            named ? "" : param->name, shown, strlen(shown) > 60 ? ".." : "", hint);
    free(found);
    return false;
}

/* Says what was expected as "an integer from 1 to 64 (requests)". */
static bool fail_bounds(const ws_param *param, const json_t *value, const char *path, ws_error *err) {
    char expected[160];
    snprintf(expected, sizeof expected, "%s from %.17g to %.17g%s%s%s",
             param->type == WS_TYPE_INT ? "an integer" : "a number", param->min, param->max,
             *param->unit ? " (" : "", param->unit, *param->unit ? ")" : "");
    return fail(param, value, path, expected, "", err);
}

static bool fail_choice(const ws_param *param, const json_t *value, const char *path, const char *other,
                        ws_error *err) {
    char expected[400] = "one of";
    size_t used = strlen(expected);
    for (const char *const *c = param->choices; *c && used < sizeof expected; c++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s \"%s\"",
                                 c == param->choices ? "" : ",", *c);
    char hint[100] = "";
    if (other) {
        snprintf(hint, sizeof hint, "; it is a value of %s", other);
    } else if (json_is_string(value)) {
        ws_nearest nearest = ws_nearest_to(json_string_value(value));
        for (const char *const *c = param->choices; *c; c++) ws_nearest_offer(&nearest, *c);
        if (nearest.best) snprintf(hint, sizeof hint, "; did you mean \"%s\"?", nearest.best);
    }
    return fail(param, value, path, expected, hint, err);
}

/* ---- from JSON */

static bool read_int(const ws_param *param, const json_t *value, cell *out) {
    if (!json_is_integer(value)) return false;
    out->integer = json_integer_value(value);
    return out->integer >= (int64_t)param->min && out->integer <= (int64_t)param->max;
}

static bool read_real(const ws_param *param, const json_t *value, cell *out) {
    if (!json_is_number(value)) return false;
    out->real = json_number_value(value) + 0.0; /* -0 becomes 0: one text for one value */
    return out->real >= param->min && out->real <= param->max;
}

int ws_value_choice(const ws_param *param, const char *text) {
    if (param->type != WS_TYPE_CHOICE) return -1;
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], text) == 0) return i;
    return -1;
}

static bool read_choice(const ws_param *param, const json_t *value, cell *out) {
    if (json_is_string(value)) out->choice = ws_value_choice(param, json_string_value(value));
    return json_is_string(value) && out->choice >= 0;
}

bool ws_value_from_json(const ws_param *param, void *field, const json_t *value, const char *path,
                        const char *other, ws_error *err) {
    cell c = {0};
    switch (param->type) {
    case WS_TYPE_INT:
        if (!read_int(param, value, &c)) return fail_bounds(param, value, path, err);
        break;
    case WS_TYPE_REAL:
        if (!read_real(param, value, &c)) return fail_bounds(param, value, path, err);
        break;
    case WS_TYPE_BOOL:
        if (!json_is_boolean(value)) return fail(param, value, path, "true or false", "", err);
        c.truth = json_is_true(value);
        break;
    case WS_TYPE_CHOICE:
        if (!read_choice(param, value, &c)) return fail_choice(param, value, path, other, err);
        break;
    case WS_TYPE_TEXT:
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: parameter %s is declared as a text", path, param->name);
    }
    memcpy(field, &c, ws_value_size(param->type));
    return true;
}

bool ws_value_is(const ws_param *param, const void *field, const json_t *value) {
    cell c;
    return ws_value_from_json(param, &c, value, "", NULL, NULL) &&
           memcmp(&c, field, ws_value_size(param->type)) == 0;
}

/* ---- to JSON and text */

json_t *ws_value_to_json(const ws_param *param, const void *field) {
    cell c = load(param, field);
    switch (param->type) {
    case WS_TYPE_INT:
        return json_integer(c.integer);
    case WS_TYPE_REAL:
        return json_real(c.real);
    case WS_TYPE_BOOL:
        return json_boolean(c.truth);
    case WS_TYPE_CHOICE:
        return json_string(param->choices[c.choice]);
    case WS_TYPE_TEXT:
        break;
    }
    return NULL;
}

bool ws_value_is_default(const ws_param *param, const void *field) {
    cell c = load(param, field), def = default_of(param);
    switch (param->type) {
    case WS_TYPE_INT:
        return c.integer == def.integer;
    case WS_TYPE_REAL:
        return c.real == def.real;
    case WS_TYPE_BOOL:
        return c.truth == def.truth;
    case WS_TYPE_CHOICE:
        return c.choice == def.choice;
    case WS_TYPE_TEXT:
        break;
    }
    return true;
}

void ws_value_text(const ws_param *param, const void *field, char *out, size_t size) {
    cell c = load(param, field);
    switch (param->type) {
    case WS_TYPE_INT:
        snprintf(out, size, "%lld", (long long)c.integer);
        break;
    case WS_TYPE_REAL:
        ws_print_real(out, size, c.real, 1, 17);
        break;
    case WS_TYPE_BOOL:
        snprintf(out, size, "%s", c.truth ? "true" : "false");
        break;
    case WS_TYPE_CHOICE:
        snprintf(out, size, "%s", param->choices[c.choice]);
        break;
    case WS_TYPE_TEXT:
        *out = '\0';
        break;
    }
}
