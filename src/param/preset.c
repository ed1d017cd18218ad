/* Presets: JSON files that give a GPU's parameters, each value with its source. A preset may be `like` another, whose
 * values come first and which it overrides. */
#include "warpsweep/preset.h"

#include "base/array.h"
#include "base/given.h"
#include "base/nearest.h"
#include "param/json_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIKE_DEPTH_MAX = 8 };

/* ---- one file */

static bool fail_kind(const char *path, const char *place, const char *expected, ws_error *err) {
    return ws_fail(err, WS_ERROR_SPEC, "%s: %s: expected %s", path, place, expected);
}

#define SUFFIX ".json"

static bool has_suffix(const char *name) {
    size_t length = strlen(name), suffix = strlen(SUFFIX);
    return length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

bool ws_preset_name(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    bool has = has_suffix(file);
    snprintf(name, size, "%.*s", (int)(strlen(file) - (has ? strlen(SUFFIX) : 0)), file);
    return has;
}

static bool check_keys(const char *path, json_t *root, ws_error *err) {
    static const char *const keys[] = {"name", "summary", "like", "parameters"};
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        bool known = false;
        for (size_t i = 0; i < WS_COUNT(keys); i++) known |= strcmp(keys[i], key) == 0;
        if (!known)
            return ws_fail(err, WS_ERROR_SPEC,
                           "%s: $: expected name, summary, like or parameters, found \"%.80s\"", path, key);
    }
    return true;
}

static bool check(const char *path, json_t *root, ws_error *err) {
    char name[NAME_MAX + 1];
    ws_preset_name(path, name, sizeof name);
    const char *given = json_string_value(json_object_get(root, "name"));
    const json_t *like = json_object_get(root, "like");
    if (!json_is_object(root)) return fail_kind(path, "$", "an object", err);
    if (!check_keys(path, root, err)) return false;
    if (!given || strcmp(given, name) != 0)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: $.name: expected \"%s\", as the file is called, found \"%.80s\"", path, name,
                       given ? given : "");
    if (!json_is_string(json_object_get(root, "summary")))
        return fail_kind(path, "$.summary", "a string", err);
    if (like && !json_is_string(like))
        return fail_kind(path, "$.like", "the name of another preset of the folder", err);
    return json_is_object(json_object_get(root, "parameters")) ||
           fail_kind(path, "$.parameters", "an object", err);
}

static json_t *load(const char *path, ws_error *err) {
    json_t *root = ws_json_load(path, NULL, err);
    if (root && check(path, root, err)) return root;
    json_decref(root);
    return NULL;
}

/* ---- its values, after those of the preset that it is like */

/* Called with each value; false ends the walk. */
typedef bool use(void *context, const char *path, const char *preset, const char *parameter,
                 const json_t *value, const char *source, ws_error *err);

static bool walk(const char *path, const char *folder, int depth, use *each, void *context, ws_error *err);

static bool walk_like(const char *path, const char *folder, const json_t *root, int depth, use *each,
                      void *context, ws_error *err) {
    const char *like = json_string_value(json_object_get(root, "like"));
    char other[PATH_MAX];
    if (!like) return true;
    if (depth == LIKE_DEPTH_MAX)
        return ws_fail(err, WS_ERROR_SPEC, "%s: $.like: expected at most %d presets one like another", path,
                       LIKE_DEPTH_MAX);
    return (ws_json_find_like(path, folder, like, "preset", other, sizeof other, err) ||
            ws_fail_prefix(err, "%s", path)) &&
           walk(other, folder, depth + 1, each, context, err);
}

static bool walk(const char *path, const char *folder, int depth, use *each, void *context, ws_error *err) {
    json_t *root = load(path, err), *entry;
    const char *parameter;
    if (!root) return false;
    bool ok = walk_like(path, folder, root, depth, each, context, err);
    const char *name = json_string_value(json_object_get(root, "name"));
    json_object_foreach(json_object_get(root, "parameters"), parameter, entry) {
        const json_t *value = json_object_get(entry, "value");
        const char *source = json_string_value(json_object_get(entry, "source"));
        if (ok && (!value || !source || !*source || json_object_size(entry) != 2))
            ok = ws_fail(err, WS_ERROR_SPEC,
                         "%s: $.parameters['%s']: expected {\"value\": .., \"source\": \"..\"}", path,
                         parameter);
        if (ok) ok = each(context, path, name, parameter, value, source, err);
    }
    json_decref(root);
    return ok;
}

static bool set_value(void *config, const char *path, const char *preset, const char *parameter,
                      const json_t *value, const char *source, ws_error *err) {
    (void)preset, (void)source;
    char place[PATH_MAX + 128];
    snprintf(place, sizeof place, "%s: $.parameters['%s'].value", path, parameter);
    return ws_config_set(config, parameter, value, place, err);
}

bool ws_preset_apply(ws_config *config, const char *path, const char *folder, ws_error *err) {
    return WS_GIVEN(path, "a path", err) && walk(path, folder, 0, set_value, config, err);
}

/* Notes a value under its parameter; it replaces that of the preset which this one is like. */
static bool note_value(void *values, const char *path, const char *preset, const char *parameter,
                       const json_t *value, const char *source, ws_error *err) {
    (void)path;
    json_t *note = json_pack("{s:s, s:O, s:s}", "preset", preset, "value", value, "source", source);
    return json_object_set_new(values, parameter, note) == 0 ||
           ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

bool ws_preset_walk(const char *path, const char *folder, ws_preset_visit *visit, void *context,
                    ws_error *err) {
    if (!WS_GIVEN(path, "a path", err)) return false;
    json_t *values = json_object(), *note;
    const char *parameter;
    bool ok = values ? walk(path, folder, 0, note_value, values, err)
                     : ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    if (ok)
        json_object_foreach(values, parameter, note)
            visit(context, json_string_value(json_object_get(note, "preset")), parameter,
                  json_object_get(note, "value"), json_string_value(json_object_get(note, "source")));
    json_decref(values);
    return ok;
}

char *ws_preset_summary(const char *path, ws_error *err) {
    if (!WS_GIVEN(path, "a path", err)) return NULL;
    json_t *root = load(path, err);
    if (!root) return NULL;
    char *summary = strdup(json_string_value(json_object_get(root, "summary")));
    if (!summary) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    json_decref(root);
    return summary;
}

/* ---- a folder */

static int is_json(const struct dirent *entry) {
    return entry->d_name[0] != '.' && has_suffix(entry->d_name);
}

static bool read_info(const char *folder, const char *file, ws_preset_info *info, ws_error *err) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return ws_fail(err, WS_ERROR_IO, "%s: the path is too long", folder);
    json_t *root = load(path, err);
    if (!root) return false;
    info->name = strdup(json_string_value(json_object_get(root, "name")));
    info->summary = strdup(json_string_value(json_object_get(root, "summary")));
    json_decref(root);
    return (info->name && info->summary) || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

bool ws_presets(const char *folder, ws_preset_info **presets, size_t *count, ws_error *err) {
    struct dirent **entries;
    *presets = NULL;
    *count = 0;
    if (!WS_GIVEN(folder, "a folder", err)) return false;
    int found = scandir(folder, &entries, is_json, alphasort);
    if (found < 0) return ws_fail(err, WS_ERROR_IO, "%s: %s", folder, strerror(errno));
    *presets = calloc((size_t)found + 1, sizeof **presets);
    bool ok = *presets || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < found; i++) {
        if (ok) ok = read_info(folder, entries[i]->d_name, &(*presets)[(*count)++], err);
        free(entries[i]);
    }
    free(entries);
    if (ok) return true;
    ws_presets_free(*presets, *count);
    *presets = NULL;
    *count = 0;
    return false;
}

void ws_presets_free(ws_preset_info *presets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(presets[i].name);
        free(presets[i].summary);
    }
    free(presets);
}

static bool fail_unknown(const char *folder, const char *name, ws_error *err) {
    ws_preset_info *presets;
    size_t count;
    if (!ws_presets(folder, &presets, &count, err)) return false;
    ws_nearest nearest = ws_nearest_to(name);
    for (size_t i = 0; i < count; i++) ws_nearest_offer(&nearest, presets[i].name);
    if (nearest.best)
        ws_fail(err, WS_ERROR_SPEC, "no GPU is called '%.80s': did you mean '%s'?", name, nearest.best);
    else
        ws_fail(err, WS_ERROR_SPEC, "no GPU is called '%.80s': 'warpsweep list' names them all", name);
    ws_presets_free(presets, count);
    return false;
}

bool ws_preset_is_file(const char *name) {
    return name && (strchr(name, '/') || has_suffix(name));
}

bool ws_preset_find(const char *folder, const char *name, char *path, size_t size, ws_error *err) {
    if (!WS_GIVEN(name, "a preset", err)) return false;
    bool is_file = ws_preset_is_file(name);
    if (!is_file && !WS_GIVEN(folder, "a folder", err)) return false;
    int length =
        is_file ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s/%s.json", folder, name);
    if (length >= (int)size) return ws_fail(err, WS_ERROR_SPEC, "%.80s: the path is too long", name);
    return is_file || access(path, R_OK) == 0 || fail_unknown(folder, name, err);
}
