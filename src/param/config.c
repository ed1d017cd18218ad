/* Configurations: one struct of values for each component, set and read by the names of parameters. */
#include "warpsweep/param.h"

#include "base/given.h"
#include "base/nearest.h"
#include "param/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ws_config {
    const ws_component *const *components;
    size_t count;
    void *values[]; /* one struct per component */
};

static void *field(const ws_config *config, size_t component, const ws_param *param) {
    return (char *)config->values[component] + param->offset;
}

/* ---- life */

static ws_config *config_alloc(const ws_component *const *components, size_t count) {
    ws_config *config = calloc(1, sizeof *config + count * sizeof config->values[0]);
    if (!config) return NULL;
    config->components = components;
    config->count = count;
    for (size_t i = 0; i < count; i++) {
        config->values[i] = calloc(1, components[i]->struct_size);
        if (!config->values[i]) {
            ws_config_free(config);
            return NULL;
        }
    }
    return config;
}

ws_config *ws_config_new(const ws_component *const *components, size_t count) {
    ws_config *config = config_alloc(components, count);
    if (!config) return NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < components[i]->param_count; j++)
            ws_value_default(&components[i]->params[j], field(config, i, &components[i]->params[j]));
    return config;
}

ws_config *ws_config_copy(const ws_config *config) {
    ws_config *copy = config_alloc(config->components, config->count);
    if (!copy) return NULL;
    for (size_t i = 0; i < config->count; i++)
        memcpy(copy->values[i], config->values[i], config->components[i]->struct_size);
    return copy;
}

void ws_config_free(ws_config *config) {
    if (!config) return;
    for (size_t i = 0; i < config->count; i++) free(config->values[i]);
    free(config);
}

/* ---- access */

const void *ws_config_get(const ws_config *config, const ws_component *component) {
    for (size_t i = 0; i < config->count; i++)
        if (config->components[i] == component) return config->values[i];
    return NULL;
}

bool ws_config_has(const ws_config *config, const ws_component *const *components, size_t count,
                   ws_error *err) {
    for (size_t i = 0; i < count; i++)
        if (!ws_config_get(config, components[i]))
            return ws_fail(err, WS_ERROR_INTERNAL,
                           "configuration: expected one with the component %s, found none",
                           components[i]->name);
    return true;
}

/* Finds the parameter called `name` and the index of its component; NULL if there is none, or `name` is NULL. */
static const ws_param *find(const ws_config *config, const char *name, size_t *component) {
    for (size_t i = 0; name && i < config->count; i++)
        for (size_t j = 0; j < config->components[i]->param_count; j++) {
            const ws_param *param = &config->components[i]->params[j];
            if (strcmp(param->name, name) != 0) continue;
            *component = i;
            return param;
        }
    return NULL;
}

const ws_param *ws_config_param(const ws_config *config, const char *name) {
    size_t component;
    return find(config, name, &component);
}

static const char *nearest_to(const ws_config *config, const char *name) {
    ws_nearest nearest = ws_nearest_to(name);
    for (size_t i = 0; i < config->count; i++)
        for (size_t j = 0; j < config->components[i]->param_count; j++)
            ws_nearest_offer(&nearest, config->components[i]->params[j].name);
    return nearest.best;
}

/* The component of a parameter that it lacks: that of l1 for "l1.assoc". NULL: the name begins with none. */
static const ws_component *group_of(const ws_config *config, const char *name) {
    size_t length = strcspn(name, ".");
    for (size_t i = 0; name[length] && i < config->count; i++) {
        const ws_component *c = config->components[i];
        if (strlen(c->name) == length && strncmp(c->name, name, length) == 0) return c;
    }
    return NULL;
}

static bool fail_unknown(const ws_config *config, const char *name, const char *path, ws_error *err) {
    const char *nearest = nearest_to(config, name);
    if (nearest)
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected a parameter, found \"%.80s\"; did you mean \"%s\"?",
                       path, name, nearest);
    const ws_component *group = group_of(config, name);
    if (group)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected a parameter of %s, found \"%.80s\"; 'warpsweep help %s' lists them",
                       path, group->name, name, group->name);
    char groups[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < config->count && used < sizeof groups; i++)
        used += (size_t)snprintf(groups + used, sizeof groups - used, "%s%s", i ? ", " : "",
                                 config->components[i]->name);
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: expected a parameter of %s, found \"%.80s\"; 'warpsweep help %.80s' tells whether "
                   "others have it",
                   path, groups, name, name);
}

static const char *chooser(const ws_component *component, const char *text) {
    for (size_t i = 0; i < component->param_count; i++)
        if (ws_value_choice(&component->params[i], text) >= 0) return component->params[i].name;
    return NULL;
}

/* A parameter that has this value, as mechanism.front has "mrpb"; of those in several components, one of component
 * number `component`. NULL: there is none. */
static const char *chooser_of(const ws_config *config, size_t component, const json_t *value) {
    const char *text = json_string_value(value);
    const char *found = text ? chooser(config->components[component], text) : NULL;
    for (size_t i = 0; text && !found && i < config->count; i++) found = chooser(config->components[i], text);
    return found;
}

bool ws_config_set(ws_config *config, const char *name, const json_t *value, const char *path,
                   ws_error *err) {
    size_t component;
    if (!WS_GIVEN(name, "a parameter", err) || !WS_GIVEN(value, "a value", err) ||
        !WS_GIVEN(path, "a JSON path", err))
        return false;
    const ws_param *param = find(config, name, &component);
    if (!param) return fail_unknown(config, name, path, err);
    void *to = field(config, component, param);
    return ws_value_from_json(param, to, value, path, NULL, NULL) ||
           ws_value_from_json(param, to, value, path, chooser_of(config, component, value), err);
}

bool ws_config_validate(const ws_config *config, ws_error *err) {
    for (size_t i = 0; i < config->count; i++) {
        const ws_component *component = config->components[i];
        if (component->validate && !component->validate(config->values[i], err)) return false;
    }
    return true;
}

/* True if the parameter `name` has `value`, or with `other_than` any other value. A configuration without the parameter
 * is no obstacle. */
static bool holds(const ws_config *config, const char *name, const char *value, bool other_than) {
    size_t component;
    char text[64];
    const ws_param *param = find(config, name, &component);
    if (!param) return true;
    ws_value_text(param, field(config, component, param), text, sizeof text);
    return (strcmp(text, value) == 0) != other_than;
}

static bool has_component(const ws_config *config, const char *name) {
    size_t i = 0;
    while (i < config->count && strcmp(config->components[i]->name, name) != 0) i++;
    return i < config->count;
}

static bool is_met(const ws_config *config, const ws_need *need, bool two_programs) {
    return (need->instead && !has_component(config, need->instead)) ||
           (need->of && holds(config, need->of, need->value, need->other_than)) ||
           (need->or_of && holds(config, need->or_of, need->value, need->other_than)) ||
           (need->or_programs && two_programs);
}

const ws_need *ws_config_unmet(const ws_config *config, const char *name, bool two_programs) {
    for (size_t i = 0; i < config->count; i++)
        for (size_t j = 0; j < config->components[i]->need_count; j++) {
            const ws_need *need = &config->components[i]->needs[j];
            if (name && strcmp(need->param, name) == 0 && !is_met(config, need, two_programs)) return need;
        }
    return NULL;
}

bool ws_config_is(const ws_config *config, const char *name, const json_t *value) {
    size_t component;
    const ws_param *param = find(config, name, &component);
    return param && value && ws_value_is(param, field(config, component, param), value);
}

json_t *ws_config_value(const ws_config *config, const char *name) {
    size_t component;
    const ws_param *param = find(config, name, &component);
    return param ? ws_value_to_json(param, field(config, component, param)) : NULL;
}

json_t *ws_config_json(const ws_config *config) {
    json_t *object = json_object();
    for (size_t i = 0; i < config->count; i++)
        for (size_t j = 0; j < config->components[i]->param_count; j++) {
            const ws_param *param = &config->components[i]->params[j];
            if (json_object_set_new(object, param->name, ws_value_to_json(param, field(config, i, param))) <
                0) {
                json_decref(object);
                return NULL;
            }
        }
    return object;
}

void ws_param_column(const char *name, char *out, size_t size) {
    snprintf(out, size, "%s", name);
    for (char *c = out; *c; c++)
        if (*c == '.') *c = '_';
}

/* ---- key */

typedef struct key_entry {
    const char *name;
    char text[64];
} key_entry;

static int by_name(const void *a, const void *b) {
    return strcmp(((const key_entry *)a)->name, ((const key_entry *)b)->name);
}

static bool listed(const char *name, const char *const *names) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

static bool chosen(const ws_component *component, const ws_component *const *only, size_t only_count) {
    for (size_t i = 0; i < only_count; i++)
        if (only[i] == component) return true;
    return !only;
}

static size_t param_count(const ws_config *config) {
    size_t count = 0;
    for (size_t i = 0; i < config->count; i++) count += config->components[i]->param_count;
    return count;
}

static char *join(const key_entry *entries, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s=%s", i ? ";" : "", entries[i].name, entries[i].text);
    bool bad = ferror(out) != 0;
    if (fclose(out) == 0 && !bad) return text;
    free(text);
    return NULL;
}

char *ws_config_key(const ws_config *config, const char *const *skip, const ws_component *const *only,
                    size_t only_count) {
    key_entry *entries = calloc(param_count(config) + 1, sizeof *entries);
    if (!entries) return NULL;
    size_t count = 0;
    for (size_t i = 0; i < config->count; i++) {
        const ws_component *component = config->components[i];
        if (!chosen(component, only, only_count)) continue;
        for (size_t j = 0; j < component->param_count; j++) {
            const ws_param *param = &component->params[j];
            if (listed(param->name, skip) || ws_value_is_default(param, field(config, i, param))) continue;
            entries[count].name = param->name;
            ws_value_text(param, field(config, i, param), entries[count].text, sizeof entries[count].text);
            count++;
        }
    }
    qsort(entries, count, sizeof *entries, by_name);
    char *text = join(entries, count);
    free(entries);
    return text;
}
