#include "sweep/energy/tables.h"

#include "param/json_file.h"
#include "param/json_folder.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>

typedef struct visitor {
    const char *folder;
    ws_energy_visit *visit;
    void *context;
} visitor;

/* A file that is no table has a name, too, but no summary. */
static bool visit_one(void *context, const char *name, ws_error *err) {
    const visitor *v = context;
    char path[PATH_MAX];
    ws_error why = WS_NO_ERROR;
    bool fits = snprintf(path, sizeof path, "%s/%s.json", v->folder, name) < (int)sizeof path;
    json_t *root = fits ? ws_json_load(path, NULL, &why) : NULL;
    if (why.code == WS_ERROR_MEMORY) return ws_no_memory(err);
    const char *summary = json_string_value(json_object_get(root, "summary"));
    v->visit(v->context, name, summary ? summary : "");
    json_decref(root);
    return true;
}

bool ws_energy_tables(const char *folder, ws_energy_visit *visit, void *context, ws_error *err) {
    return ws_json_folder_list(folder, visit_one, &(visitor){folder, visit, context}, err);
}

bool ws_energy_find(const char *folder, const char *name, char *path, size_t size, ws_error *err) {
    static const ws_json_kind kind = {"table of energies", "warpsweep help energy"};
    if (!folder && !ws_json_is_file(name))
        return ws_fail(err, WS_ERROR_SPEC, "expected the path of a table of energies, found the name '%.80s'",
                       name);
    return ws_json_folder_find(folder, name, &kind, path, size, err);
}
