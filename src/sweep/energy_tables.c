#include "sweep/energy_tables.h"

#include "base/nearest.h"
#include "param/json_file.h"
#include "warpsweep/preset.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_table(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static void visit_one(const char *folder, char *file, ws_energy_visit *visit, void *context) {
    char path[PATH_MAX];
    bool fits = snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path;
    json_t *root = fits ? ws_json_load(path, NULL, NULL) : NULL;
    const char *summary = json_string_value(json_object_get(root, "summary"));
    file[strlen(file) - strlen(".json")] = 0;
    visit(context, file, summary ? summary : "");
    json_decref(root);
}

bool ws_energy_tables(const char *folder, ws_energy_visit *visit, void *context, ws_error *err) {
    struct dirent **entries;
    int found = scandir(folder, &entries, is_table, alphasort);
    if (found < 0) return ws_fail(err, WS_ERROR_IO, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < found; i++) {
        visit_one(folder, entries[i]->d_name, visit, context);
        free(entries[i]);
    }
    free(entries);
    return true;
}

/* ---- by name */

typedef struct search {
    ws_nearest nearest;
    char best[NAME_MAX + 1];
} search;

static void offer(void *context, const char *name, const char *summary) {
    (void)summary;
    search *s = context;
    ws_nearest_offer(&s->nearest, name);
    if (s->nearest.best != name) return;
    snprintf(s->best, sizeof s->best, "%s", name); /* `name` itself ends with the visit */
    s->nearest.best = s->best;
}

static bool fail_unknown(const char *folder, const char *name, ws_error *err) {
    search s = {.nearest = ws_nearest_to(name)};
    if (!ws_energy_tables(folder, offer, &s, err)) return false;
    if (s.nearest.best)
        return ws_fail(err, WS_ERROR_SPEC, "no table of energies is called '%.80s': did you mean '%s'?", name,
                       s.best);
    return ws_fail(err, WS_ERROR_SPEC,
                   "no table of energies is called '%.80s': 'warpsweep help energy' names them all", name);
}

bool ws_energy_find(const char *folder, const char *name, char *path, size_t size, ws_error *err) {
    bool is_file = ws_preset_is_file(name);
    if (!is_file && !folder)
        return ws_fail(err, WS_ERROR_SPEC, "expected the path of a table of energies, found the name '%.80s'",
                       name);
    int length =
        is_file ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s/%s.json", folder, name);
    if (length >= (int)size) return ws_fail(err, WS_ERROR_SPEC, "%.80s: the path is too long", name);
    return is_file || access(path, R_OK) == 0 || fail_unknown(folder, name, err);
}
