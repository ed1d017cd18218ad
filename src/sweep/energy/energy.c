#include "sweep/energy/energy.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/ends.h"
#include "param/json.h"
#include "param/json_file.h"
#include "param/json_folder.h"
#include "sweep/energy/size_sql.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENT_PATH = 120, EVENT_PATH = 250, PATH = 300 };

/* ---- numbers */

/* Reads a text that may be missing, but not empty. */
static bool read_text(const json_t *node, const char *key, const char *at, const char **text, ws_error *err) {
    char path[PATH];
    const json_t *value = json_object_get(node, key);
    *text = json_string_value(value);
    snprintf(path, sizeof path, "%s.%s", at, key);
    return !value || (*text && **text) || ws_fail_kind(path, "a text that says something", value, err);
}

/* Reads {"KEY": number, "source": text, "assumption": text}, with one of the texts or both; `more` are two further keys
 * that are allowed, or NULL. */
static bool read_number(json_t *node, const char *key, const char *const *more, const char *at,
                        ws_energy_number *n, ws_error *err) {
    const char *const keys[] = {key, "source", "assumption", more ? more[0] : NULL, more ? more[1] : NULL,
                                NULL};
    char path[PATH];
    if (!json_is_object(node)) return ws_fail_kind(at, "an object with a number and its source", node, err);
    if (!ws_check_keys(node, keys, at, "a number, its \"source\" and \"assumption\"", err)) return false;
    const json_t *number = json_object_get(node, key);
    snprintf(path, sizeof path, "%s.%s", at, key);
    if (!json_is_number(number) || !isfinite(json_number_value(number)))
        return ws_fail_kind(path, "a number", number, err);
    n->value = json_number_value(number);
    return read_text(node, "source", at, &n->source, err) &&
           read_text(node, "assumption", at, &n->assumption, err) &&
           (n->source || n->assumption ||
            ws_fail(err, WS_ERROR_SPEC,
                    "%s: expected \"source\" (where the number comes from), \"assumption\" (why it is "
                    "taken) or both, found neither",
                    at));
}

/* ---- counters */

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

/* Finds the counter COLUMN of the first table, or TABLE.COLUMN of another one. */
static const ws_column *look_up(const ws_analysis *a, const char *name, ws_energy_counter *counter,
                                ws_nearest *nearest) {
    const char *dot = strchr(name, '.');
    *nearest = ws_nearest_to(dot ? dot + 1 : name);
    for (const ws_table *const *t = a->tables; *t; t++) {
        bool meant = dot ? t != a->tables && strlen((*t)->name) == (size_t)(dot - name) &&
                               strncmp((*t)->name, name, (size_t)(dot - name)) == 0
                         : t == a->tables;
        const ws_column *c = meant ? find_counter(*t, nearest->name, nearest) : NULL;
        if (!c) continue;
        *counter = (ws_energy_counter){dot ? (*t)->name : NULL, c->name};
        return c;
    }
    return NULL;
}

static bool read_event(const char *name, json_t *node, const char *at, const ws_analysis *a,
                       ws_energy_event *event, ws_error *err) {
    ws_nearest nearest;
    char expected[120];
    if (look_up(a, name, &event->counter, &nearest))
        return read_number(node, "J", NULL, at, &event->joules, err);
    snprintf(expected, sizeof expected, "a counter of analysis %s (`warpsweep help energy`)", a->name);
    return ws_fail_nearest(at, expected, name, nearest, err);
}

static bool read_events(json_t *node, const char *at, const ws_analysis *a, ws_energy_component *c,
                        ws_error *err) {
    if (!node) return true;
    if (!json_is_object(node) || !json_object_size(node))
        return ws_fail_kind(at, "an object of counters", node, err);
    c->events = calloc(json_object_size(node), sizeof *c->events);
    if (!c->events) return ws_no_memory(err);
    const char *name;
    json_t *value;
    json_object_foreach(node, name, value) {
        char path[EVENT_PATH];
        snprintf(path, sizeof path, "%s['%.80s']", at, name);
        if (!read_event(name, value, path, a, &c->events[c->event_count++], err)) return false;
    }
    return true;
}

/* ---- static power and area */

/* What may draw power or take area, in columns of the analysis' first table: `cycles` counts the cycles of such parts,
 * and `of`, unless these are summed over all parts, how many parts there are. */
static const struct {
    const char *per, *cycles, *of;
} parts[] = {
    {"SM", "sm_cycles", NULL},
    {"partition", "partition_cycles", NULL},
    {"GPU", "cycles", NULL},
    {"bit", "cycles", "cost_bits"},
};
enum { PARTS = WS_COUNT(parts) };
static const char per_what[] =
    "\"SM\", \"partition\", \"GPU\", \"bit\" or a counter of cycles (`warpsweep help energy`)";

static bool counts_cycles(const ws_column *c) {
    return ws_ends_with(c->unit, "cycles");
}

/* Reads "per", the kind of parts, as the counter of their cycles. */
static bool read_per(const json_t *node, const char *at, const ws_analysis *a, ws_energy_part *p,
                     ws_error *err) {
    const char *per = json_string_value(node);
    ws_nearest nearest;
    if (!per) return ws_fail_kind(at, per_what, node, err);
    p->per = per;
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(p->per, parts[i].per) == 0) per = parts[i].cycles, p->parts = parts[i].of;
    const ws_column *column = look_up(a, per, &p->cycles, &nearest);
    if (column && !counts_cycles(column)) nearest.best = NULL; /* its spelling is not what is wrong */
    return (column && counts_cycles(column)) || ws_fail_nearest(at, per_what, per, nearest, err);
}

/* Reads "times", the size that the power or the area grows with, over that for which it is given. */
static bool read_times(const json_t *node, const char *at, const ws_analysis *a, ws_energy_part *p,
                       ws_error *err) {
    if (!node) return true;
    p->times = json_string_value(node);
    return p->times ? ws_size_sql_check(a, p->times, at, err)
                    : ws_fail_kind(at, "an SQL expression of parameters, a string", node, err);
}

static bool read_part(json_t *component, const char *key, const char *component_at, const ws_analysis *a,
                      ws_energy_part *p, ws_error *err) {
    static const char *const keys[] = {"per", "times"};
    char at[COMPONENT_PATH + 20], per[PATH], times[PATH];
    json_t *node = json_object_get(component, key);
    if (!node) return true;
    snprintf(at, sizeof at, "%s.%s", component_at, key);
    snprintf(per, sizeof per, "%s.per", at);
    snprintf(times, sizeof times, "%s.times", at);
    return read_number(node, "value", keys, at, &p->each, err) &&
           read_per(json_object_get(node, "per"), per, a, p, err) &&
           read_times(json_object_get(node, "times"), times, a, p, err);
}

/* ---- components */

/* True for a name that a component may have: COMPONENT_J, COMPONENT_static_J, COMPONENT_dynamic_J and COMPONENT_mm2
 * become columns beside energy_J, static_J, dynamic_J and area_mm2. */
static bool is_name(const char *name) {
    bool ok = ws_is_lower(*name) && strlen(name) <= 40 && strcmp(name, "energy") != 0 &&
              strcmp(name, "area") != 0 && !ws_ends_with(name, "static") && !ws_ends_with(name, "dynamic");
    for (; *name; name++) ok = ok && (ws_is_lower(*name) || ws_is_digit(*name) || *name == '_');
    return ok;
}

static bool read_component(const char *name, json_t *node, const ws_analysis *a, ws_energy_component *c,
                           ws_error *err) {
    static const char *const keys[] = {"static_W", "events", "area_mm2", NULL};
    static const char what[] = "\"static_W\", \"events\" or \"area_mm2\"";
    char at[COMPONENT_PATH], path[COMPONENT_PATH + 20];
    snprintf(at, sizeof at, "$.components['%.80s']", name);
    if (!is_name(name))
        return ws_fail(
            err, WS_ERROR_SPEC,
            "%s: expected a name of small letters, digits and _, other than energy and area, and not "
            "ending in static or dynamic",
            at);
    if (!json_is_object(node)) return ws_fail_kind(at, "an object", node, err);
    if (!ws_check_keys(node, keys, at, what, err)) return false;
    c->name = name;
    snprintf(path, sizeof path, "%s.events", at);
    return read_part(node, "static_W", at, a, &c->watts, err) &&
           read_events(json_object_get(node, "events"), path, a, c, err) &&
           read_part(node, "area_mm2", at, a, &c->mm2, err) &&
           (ws_energy_draws(c) || c->mm2.per ||
            ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found none of them", at, what));
}

static bool read_components(ws_energy *e, const ws_analysis *a, ws_error *err) {
    json_t *node = json_object_get(e->root, "components"), *value;
    if (!json_is_object(node) || json_object_size(node) == 0)
        return ws_fail_kind("$.components", "an object of components", node, err);
    e->components = calloc(json_object_size(node), sizeof *e->components);
    if (!e->components) return ws_no_memory(err);
    const char *name;
    bool any = false;
    json_object_foreach(node, name, value) {
        ws_energy_component *c = &e->components[e->component_count++];
        if (!read_component(name, value, a, c, err)) return false;
        any |= ws_energy_draws(c);
    }
    return any || ws_fail(err, WS_ERROR_SPEC,
                          "$.components: expected one with \"static_W\" or \"events\", found only areas");
}

/* ---- the table */

static bool has_column(const ws_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return true;
    return false;
}

bool ws_energy_suits(const ws_analysis *a) {
    for (size_t i = 0; i < PARTS; i++)
        if (!has_column(a->tables[0], parts[i].cycles) ||
            (parts[i].of && !has_column(a->tables[0], parts[i].of)))
            return false;
    return true;
}

static ws_energy *load(const ws_json_chain *of, const char *folder, const ws_analysis *a, ws_error *err);

/* Takes over the clock and those components that the table does not have itself. They outlive the other table. */
static bool take_over(json_t *root, const ws_energy *other) {
    json_t *own = json_object_get(root, "components"),
           *all = json_copy(json_object_get(other->root, "components"));
    bool ok =
        all && (!own || json_object_update(all, own) == 0) && json_object_set(root, "components", all) == 0;
    json_decref(all);
    return ok && (json_object_get(root, "clock_Hz") ||
                  json_object_set(root, "clock_Hz", json_object_get(other->root, "clock_Hz")) == 0);
}

/* Reads "like", the name of another table. That one is checked by itself first, so that its errors are reported as its
 * own. */
static bool read_like(ws_energy *e, const ws_json_chain *of, const char *folder, const ws_analysis *a,
                      ws_error *err) {
    const json_t *node = json_object_get(e->root, "like"), *own = json_object_get(e->root, "components");
    const char *name = json_string_value(node);
    char other_path[PATH_MAX];
    if (!node) return true;
    if (!name) return ws_fail_kind("$.like", "the name of another table of the folder", node, err);
    if (own && !json_is_object(own)) return ws_fail_kind("$.components", "an object of components", own, err);
    if (!ws_json_find_like(of, folder, name, "table", other_path, sizeof other_path, err)) return false;
    ws_energy *other = load(&(ws_json_chain){other_path, of}, folder, a, err);
    bool ok = other ? take_over(e->root, other) || ws_no_memory(err) : ws_fail_prefix(err, "$.like");
    ws_energy_free(other);
    return ok;
}

static bool read_table(ws_energy *e, const ws_json_chain *of, const char *folder, const ws_analysis *a,
                       ws_error *err) {
    static const char *const keys[] = {"name", "summary", "like", "clock_Hz", "components", NULL};
    const char *text;
    if (!ws_energy_suits(a))
        return ws_fail(err, WS_ERROR_SPEC, "expected an analysis that counts cycles (timed), found %s",
                       a->name);
    if (!json_is_object(e->root)) return ws_fail_kind("$", "an object", e->root, err);
    if (!ws_check_keys(e->root, keys, "$", "a key of a table of energies (`warpsweep help energy`)", err) ||
        !read_text(e->root, "name", "$", &text, err) || !read_text(e->root, "summary", "$", &text, err) ||
        !read_like(e, of, folder, a, err) ||
        !read_number(json_object_get(e->root, "clock_Hz"), "value", NULL, "$.clock_Hz", &e->clock_Hz, err))
        return false;
    if (!(e->clock_Hz.value > 0))
        return ws_fail(err, WS_ERROR_SPEC, "$.clock_Hz.value: expected a number above 0, found %g",
                       e->clock_Hz.value);
    return read_components(e, a, err);
}

static ws_energy *load(const ws_json_chain *of, const char *folder, const ws_analysis *a, ws_error *err) {
    ws_energy *e = calloc(1, sizeof *e);
    if (!e) {
        ws_no_memory(err);
        return NULL;
    }
    e->root = ws_json_load(of->path, NULL, err);
    if (e->root && (read_table(e, of, folder, a, err) || ws_fail_prefix(err, "%s", of->path))) return e;
    ws_energy_free(e);
    return NULL;
}

ws_energy *ws_energy_load(const char *path, const char *folder, const ws_analysis *analysis, ws_error *err) {
    return load(&(ws_json_chain){path, NULL}, folder, analysis, err);
}

void ws_energy_free(ws_energy *e) {
    if (!e) return;
    for (size_t i = 0; i < e->component_count; i++) free(e->components[i].events);
    free(e->components);
    json_decref(e->root);
    free(e);
}
