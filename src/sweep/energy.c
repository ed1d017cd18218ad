#include "sweep/energy.h"

#include "sweep/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENT_PATH = 120, EVENT_PATH = 250, PATH = 300 };

/* ---- numbers */

/* {"KEY": number, "source": text}; `more`: a further key that may stand there, or NULL. */
static bool read_number(json_t *node, const char *key, const char *more, const char *at, double *value,
                        const char **source, ws_error *err) {
    const char *const keys[] = {key, "source", more, NULL};
    char path[PATH];
    if (!json_is_object(node)) return ws_fail_kind(at, "an object with a number and its source", node, err);
    if (!ws_check_keys(node, keys, at, "a number, its source", err)) return false;
    const json_t *number = json_object_get(node, key), *text = json_object_get(node, "source");
    snprintf(path, sizeof path, "%s.%s", at, key);
    if (!json_is_number(number) || !isfinite(json_number_value(number)))
        return ws_fail_kind(path, "a number", number, err);
    *value = json_number_value(number);
    snprintf(path, sizeof path, "%s.source", at);
    if (!json_is_string(text) || !*json_string_value(text))
        return ws_fail_kind(path, "where the number comes from, or \"assumption\"", text, err);
    *source = json_string_value(text);
    return true;
}

static bool read_static(json_t *node, const char *at, ws_energy_component *c, ws_error *err) {
    char path[PATH];
    if (!node) return true;
    if (!read_number(node, "value", "per", at, &c->static_W, &c->static_source, err)) return false;
    const char *per = json_string_value(json_object_get(node, "per"));
    snprintf(path, sizeof path, "%s.per", at);
    if (!per || (strcmp(per, "SM") != 0 && strcmp(per, "GPU") != 0))
        return ws_fail_kind(path, "\"SM\" or \"GPU\"", json_object_get(node, "per"), err);
    c->per_sm = strcmp(per, "SM") == 0;
    return true;
}

/* ---- events */

static const ws_column *find_counter(const ws_table *table, const char *name, ws_nearest *nearest) {
    const ws_column *found = NULL;
    for (size_t i = 0; i < table->column_count; i++) {
        const ws_column *c = &table->columns[i];
        if (c->adds != WS_ADDS_SUM) continue;
        if (strcmp(c->name, name) == 0) found = c;
        ws_nearest_offer(nearest, c->name);
    }
    return found;
}

static bool find_event(const ws_analysis *a, const char *name, const char *at, ws_energy_term *term,
                       ws_error *err) {
    const char *dot = strchr(name, '.');
    ws_nearest nearest = ws_nearest_to(dot ? dot + 1 : name);
    for (const ws_table *const *t = a->tables; *t; t++) {
        bool meant = dot ? strlen((*t)->name) == (size_t)(dot - name) &&
                               strncmp((*t)->name, name, (size_t)(dot - name)) == 0
                         : t == a->tables;
        const ws_column *c = meant ? find_counter(*t, nearest.name, &nearest) : NULL;
        if (!c) continue;
        term->table = dot ? (*t)->name : NULL;
        term->column = c->name;
        return true;
    }
    char expected[120];
    snprintf(expected, sizeof expected, "a counter of analysis %s (`warpsweep help %s`)", a->name, a->name);
    return ws_fail_nearest(at, expected, name, nearest, err);
}

static bool read_events(json_t *node, const char *at, const ws_analysis *a, ws_energy_component *c,
                        ws_error *err) {
    if (!node) return true;
    if (!json_is_object(node)) return ws_fail_kind(at, "an object of counters", node, err);
    c->terms = calloc(json_object_size(node) + 1, sizeof *c->terms);
    if (!c->terms) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    const char *name;
    json_t *value;
    json_object_foreach(node, name, value) {
        char path[EVENT_PATH];
        snprintf(path, sizeof path, "%s['%.80s']", at, name);
        ws_energy_term *term = &c->terms[c->term_count++];
        if (!find_event(a, name, path, term, err) ||
            !read_number(value, "J", NULL, path, &term->joules, &term->source, err))
            return false;
    }
    return true;
}

/* ---- components */

static bool is_name(const char *name) {
    bool ok = islower((unsigned char)*name) && strlen(name) <= 40;
    for (; *name; name++)
        ok = ok && (islower((unsigned char)*name) || isdigit((unsigned char)*name) || *name == '_');
    return ok;
}

static bool read_component(const char *name, json_t *node, const ws_analysis *a, ws_energy_component *c,
                           ws_error *err) {
    static const char *const keys[] = {"static_W", "events", NULL};
    char at[COMPONENT_PATH], path[COMPONENT_PATH + 20];
    snprintf(at, sizeof at, "$.components['%.80s']", name);
    if (!is_name(name))
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected a name of small letters, digits and _", at);
    if (!json_is_object(node)) return ws_fail_kind(at, "an object", node, err);
    if (!ws_check_keys(node, keys, at, "\"static_W\" or \"events\"", err)) return false;
    c->name = name;
    snprintf(path, sizeof path, "%s.static_W", at);
    if (!read_static(json_object_get(node, "static_W"), path, c, err)) return false;
    snprintf(path, sizeof path, "%s.events", at);
    if (!read_events(json_object_get(node, "events"), path, a, c, err)) return false;
    return c->static_source || c->term_count ||
           ws_fail(err, WS_ERROR_SPEC, "%s: expected \"static_W\", \"events\" or both, found neither", at);
}

static bool read_components(ws_energy *e, const ws_analysis *a, ws_error *err) {
    json_t *node = json_object_get(e->root, "components"), *value;
    if (!json_is_object(node) || json_object_size(node) == 0)
        return ws_fail_kind("$.components", "an object of components", node, err);
    e->components = calloc(json_object_size(node), sizeof *e->components);
    if (!e->components) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    const char *name;
    json_object_foreach(
        node, name,
        value) if (!read_component(name, value, a, &e->components[e->component_count++], err)) return false;
    return true;
}

/* ---- the table */

/* Time and the number of SMs come from these. */
static bool has_time(const ws_analysis *a) {
    ws_nearest none = ws_nearest_to("");
    return find_counter(a->tables[0], "cycles", &none) && find_counter(a->tables[0], "sm_cycles", &none);
}

static bool read_table(ws_energy *e, const char *path, const ws_analysis *a, ws_error *err) {
    static const char *const keys[] = {"name", "summary", "clock_Hz", "components", NULL};
    json_error_t error;
    e->root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!e->root)
        return ws_fail(err, WS_ERROR_SPEC, "line %d, column %d: not a table of energies: %s", error.line,
                       error.column, error.text);
    if (!has_time(a))
        return ws_fail(err, WS_ERROR_SPEC, "expected an analysis that counts cycles (timed), found %s",
                       a->name);
    if (!json_is_object(e->root)) return ws_fail_kind("$", "an object", e->root, err);
    if (!ws_check_keys(e->root, keys, "$", "a key of a table of energies", err) ||
        !read_number(json_object_get(e->root, "clock_Hz"), "value", NULL, "$.clock_Hz", &e->clock_Hz,
                     &e->clock_source, err))
        return false;
    if (!(e->clock_Hz > 0))
        return ws_fail(err, WS_ERROR_SPEC, "$.clock_Hz.value: expected a number above 0, found %g",
                       e->clock_Hz);
    return read_components(e, a, err);
}

ws_energy *ws_energy_load(const char *path, const ws_analysis *analysis, ws_error *err) {
    ws_energy *e = calloc(1, sizeof *e);
    if (!e) {
        ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (read_table(e, path, analysis, err)) return e;
    ws_fail_prefix(err, "%s", path);
    ws_energy_free(e);
    return NULL;
}

void ws_energy_free(ws_energy *e) {
    if (!e) return;
    for (size_t i = 0; i < e->component_count; i++) free(e->components[i].terms);
    free(e->components);
    json_decref(e->root);
    free(e);
}
