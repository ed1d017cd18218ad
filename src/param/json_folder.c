#include "param/json_folder.h"

#include "base/ends.h"
#include "base/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".json"

bool ws_json_has_suffix(const char *file) {
    return ws_has_suffix(file, SUFFIX);
}

bool ws_json_is_file(const char *name) {
    return strchr(name, '/') || ws_json_has_suffix(name);
}

static int is_listed(const struct dirent *entry) {
    return entry->d_name[0] != '.' && ws_json_has_suffix(entry->d_name);
}

bool ws_json_folder_list(const char *folder, ws_json_visit *visit, void *context, ws_error *err) {
    struct dirent **entries;
    int found = scandir(folder, &entries, is_listed, alphasort);
    if (found < 0) return ws_fail(err, WS_ERROR_IO, "%s: %s", folder, strerror(errno));
    bool ok = true;
    for (int i = 0; i < found; i++) {
        char *name = entries[i]->d_name;
        name[strlen(name) - strlen(SUFFIX)] = 0;
        ok = ok && visit(context, name, err);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* ---- by name */

typedef struct search {
    bool found_any;
    ws_nearest nearest;
    char best[NAME_MAX + 1];
} search;

static bool offer(void *context, const char *name, ws_error *err) {
    (void)err;
    search *s = context;
    s->found_any = true;
    ws_nearest_offer(&s->nearest, name);
    if (s->nearest.best != name) return true;
    snprintf(s->best, sizeof s->best, "%s", name); /* `name` itself ends with the visit */
    s->nearest.best = s->best;
    return true;
}

static bool fail_unknown(const char *folder, const char *name, const ws_json_kind *kind, ws_error *err) {
    search s = {.nearest = ws_nearest_to(name)};
    if (!ws_json_folder_list(folder, offer, &s, err)) return false;
    if (s.nearest.best)
        return ws_fail(err, WS_ERROR_SPEC, "no %s is called '%.80s': did you mean '%s'?", kind->what, name,
                       s.best);
    if (!s.found_any)
        return ws_fail(err, WS_ERROR_SPEC, "no %s is called '%.80s': there is none in %s", kind->what, name,
                       folder);
    return ws_fail(err, WS_ERROR_SPEC, "no %s is called '%.80s': '%s' names them all", kind->what, name,
                   kind->lister);
}

bool ws_json_folder_find(const char *folder, const char *name, const ws_json_kind *kind, char *path,
                         size_t size, ws_error *err) {
    bool is_file = ws_json_is_file(name);
    int length =
        is_file ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s/%s" SUFFIX, folder, name);
    if (length >= (int)size) return ws_fail(err, WS_ERROR_SPEC, "%.80s: the path is too long", name);
    return is_file || access(path, R_OK) == 0 || fail_unknown(folder, name, kind, err);
}
