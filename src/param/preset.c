/* Presets: JSON files that give a GPU's parameters, each value with its source. A preset may be `like` another, whose
 * values come first and which it overrides. */
#include "warpsweep/preset.h"

#include "base/given.h"
#include "param/json.h"
#include "param/json_file.h"
#include "param/json_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one file */

bool ws_preset_name(const char *path, char *name, size_t size) {
    if (!path) path = "";
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    bool has = ws_json_has_suffix(file);
    snprintf(name, size, "%.*s", (int)(strlen(file) - (has ? strlen(".json") : 0)), file);
    return has;
}

static bool check(const char *path, json_t *root, ws_error *err) {
    static const char *const keys[] = {"name", "summary", "like", "parameters", NULL};
    char name[NAME_MAX + 1];
    ws_preset_name(path, name, sizeof name);
    if (!json_is_object(root)) return ws_fail_kind("$", "an object", root, err);
    if (!ws_check_keys(root, keys, "$", "name, summary, like or parameters", err)) return false;
    const char *given = json_string_value(json_object_get(root, "name"));
    const json_t *summary = json_object_get(root, "summary"), *like = json_object_get(root, "like"),
                 *parameters = json_object_get(root, "parameters");
    if (!given || strcmp(given, name) != 0)
        return ws_fail(err, WS_ERROR_SPEC, "$.name: expected \"%s\", as the file is called, found \"%.80s\"",
                       name, given ? given : "");
    if (!json_is_string(summary)) return ws_fail_kind("$.summary", "a string", summary, err);
    if (like && !json_is_string(like))
        return ws_fail_kind("$.like", "the name of another preset of the folder", like, err);
    return json_is_object(parameters) || ws_fail_kind("$.parameters", "an object", parameters, err);
}

static json_t *load(const char *path, ws_error *err) {
    json_t *root = ws_json_load(path, NULL, err);
    if (root && (check(path, root, err) || ws_fail_prefix(err, "%s", path))) return root;
    json_decref(root);
    return NULL;
}

/* ---- its values, after those of the preset that it is like */

/* Called with each value; false ends the walk. */
typedef bool use(void *context, const char *path, const char *preset, const char *parameter,
                 const json_t *value, const char *source, ws_error *err);

static bool walk(const ws_json_chain *of, const char *folder, use *each, void *context, ws_error *err);

static bool walk_like(const ws_json_chain *of, const char *folder, const json_t *root, use *each,
                      void *context, ws_error *err) {
    const char *like = json_string_value(json_object_get(root, "like"));
    char other[PATH_MAX];
    if (!like) return true;
    return (ws_json_find_like(of, folder, like, "preset", other, sizeof other, err) ||
            ws_fail_prefix(err, "%s", of->path)) &&
           walk(&(ws_json_chain){other, of}, folder, each, context, err);
}

static bool walk(const ws_json_chain *of, const char *folder, use *each, void *context, ws_error *err) {
    const char *path = of->path, *parameter;
    json_t *root = load(path, err), *entry;
    if (!root) return false;
    bool ok = walk_like(of, folder, root, each, context, err);
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
    return WS_GIVEN(path, "a path", err) &&
           walk(&(ws_json_chain){path, NULL}, folder, set_value, config, err);
}

/* Notes a value under its parameter; it replaces that of the preset which this one is like. */
static bool note_value(void *values, const char *path, const char *preset, const char *parameter,
                       const json_t *value, const char *source, ws_error *err) {
    (void)path;
    json_t *note = json_pack("{s:s, s:O, s:s}", "preset", preset, "value", value, "source", source);
    return json_object_set_new(values, parameter, note) == 0 || ws_no_memory(err);
}

bool ws_preset_walk(const char *path, const char *folder, ws_preset_visit *visit, void *context,
                    ws_error *err) {
    if (!WS_GIVEN(path, "a path", err)) return false;
    json_t *values = json_object(), *note;
    const char *parameter;
    bool ok =
        values ? walk(&(ws_json_chain){path, NULL}, folder, note_value, values, err) : ws_no_memory(err);
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
    if (!summary) ws_no_memory(err);
    json_decref(root);
    return summary;
}

/* ---- a folder */

typedef struct listing {
    const char *folder;
    ws_preset_info *presets;
    size_t count;
} listing;

static bool add_info(void *context, const char *name, ws_error *err) {
    listing *l = context;
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s.json", l->folder, name) >= (int)sizeof path)
        return ws_fail(err, WS_ERROR_IO, "%s: the path is too long", l->folder);
    ws_preset_info *presets = realloc(l->presets, (l->count + 1) * sizeof *presets), *info;
    if (!presets) return ws_no_memory(err);
    l->presets = presets;
    info = &presets[l->count];
    *info = (ws_preset_info){.summary = ws_preset_summary(path, err)};
    if (!info->summary) return false;
    l->count++;
    info->name = strdup(name);
    return info->name || ws_no_memory(err);
}

bool ws_presets(const char *folder, ws_preset_info **presets, size_t *count, ws_error *err) {
    listing l = {.folder = folder};
    *presets = NULL;
    *count = 0;
    if (!WS_GIVEN(folder, "a folder", err)) return false;
    if (!ws_json_folder_list(folder, add_info, &l, err)) {
        ws_presets_free(l.presets, l.count);
        return false;
    }
    *presets = l.presets;
    *count = l.count;
    return true;
}

void ws_presets_free(ws_preset_info *presets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(presets[i].name);
        free(presets[i].summary);
    }
    free(presets);
}

bool ws_preset_is_file(const char *name) {
    return name && ws_json_is_file(name);
}

bool ws_preset_find(const char *folder, const char *name, char *path, size_t size, ws_error *err) {
    static const ws_json_kind kind = {"GPU", "warpsweep list"};
    if (!WS_GIVEN(name, "a preset", err)) return false;
    if (!ws_json_is_file(name) && !WS_GIVEN(folder, "a folder", err)) return false;
    return ws_json_folder_find(folder, name, &kind, path, size, err);
}
