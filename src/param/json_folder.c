#include "param/json_folder.h"

#include "base/by_name.h"
#include "base/ends.h"
#include "base/nearest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    int found = scandir(folder, &entries, is_listed, ws_by_name);
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
    const char *except; /* a name that is not to be found, or NULL */
    bool found_any;
    ws_nearest nearest;
    char best[NAME_MAX + 1];
} search;

static bool offer(void *context, const char *name, ws_error *err) {
    (void)err;
    search *s = context;
    s->found_any = true;
    if (s->except && strcmp(name, s->except) == 0) return true;
    ws_nearest_offer(&s->nearest, name);
    if (s->nearest.best != name) return true;
    snprintf(s->best, sizeof s->best, "%s", name); /* `name` itself ends with the visit */
    s->nearest.best = s->best;
    return true;
}

/* Whether the present folder has a file of that name, which is not looked for there. */
static bool is_file_here(const char *name) {
    char file[NAME_MAX + 1];
    int length = snprintf(file, sizeof file, "%s.json", name);
    return length < (int)sizeof file && access(file, R_OK) == 0;
}

static bool fail_unknown(const char *folder, const char *name, const ws_json_kind *kind, ws_error *err) {
    search s = {.nearest = ws_nearest_to(name)};
    if (is_file_here(name))
        return ws_fail(err, WS_ERROR_SPEC, "no %s is called '%.80s': did you mean the file '%.80s.json'?",
                       kind->what, name, name);
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

/* Whether there is a file of that name, though it may be a link that leads nowhere. */
static bool is_there(const char *path) {
    struct stat any;
    return lstat(path, &any) == 0;
}

static bool fail_unreadable(const char *path, int reason, ws_error *err) {
    bool leads_nowhere = reason == ENOENT && is_there(path);
    char longer[PATH_MAX];
    if (reason == ENOENT && snprintf(longer, sizeof longer, "%s" SUFFIX, path) < (int)sizeof longer &&
        is_there(longer))
        return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s; did you mean '%s'?", path, strerror(reason),
                       longer);
    return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s%s", path, strerror(reason),
                   leads_nowhere                      ? " at the end of this link"
                   : reason != ENOENT || *path == '/' ? ""
                                                      : "; it is looked for in the current directory");
}

bool ws_json_folder_find(const char *folder, const char *name, const ws_json_kind *kind, char *path,
                         size_t size, ws_error *err) {
    bool is_file = ws_json_is_file(name);
    int length =
        is_file ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s/%s" SUFFIX, folder, name);
    if (length >= (int)size) return ws_fail(err, WS_ERROR_SPEC, "%.80s: the path is too long", name);
    if (access(path, R_OK) == 0) return true;
    int reason = errno;
    return is_file || is_there(path) ? fail_unreadable(path, reason, err)
                                     : fail_unknown(folder, name, kind, err);
}

/* ---- by what a file says that it is like */

enum { LIKE_MAX = 8 };

static void name_of(const char *path, char name[NAME_MAX + 1]) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t suffix = ws_json_has_suffix(file) ? strlen(SUFFIX) : 0;
    snprintf(name, NAME_MAX + 1, "%.*s", (int)(strlen(file) - suffix), file);
}

/* A file is like no file of its own name but that of another folder. */
static bool is_another(const char *found, const char *path) {
    return strcmp(found, path) != 0 && access(found, F_OK) == 0;
}

static bool fail_like(const char *path, const char *folder, const char *like, const char *what,
                      ws_error *err) {
    char own[NAME_MAX + 1], beside[PATH_MAX], hint[NAME_MAX + 40] = "";
    const char *slash = strrchr(path, '/');
    search s = {.except = own, .nearest = ws_nearest_to(like)};
    name_of(path, own);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    ws_json_folder_list(beside, offer, &s, NULL); /* one that cannot be listed offers no name */
    if (folder) ws_json_folder_list(folder, offer, &s, NULL);
    if (strcmp(like, own) == 0)
        snprintf(hint, sizeof hint, ": a %s cannot be like itself", what);
    else if (s.nearest.best)
        snprintf(hint, sizeof hint, "; did you mean \"%s\"?", s.nearest.best);
    return ws_fail(err, WS_ERROR_SPEC, "$.like: expected another %s, of its folder%s%s, found \"%.80s\"%s",
                   what, folder ? " or of " : "", folder ? folder : "", like, hint);
}

/* Writes who is like whom, from the file at `first` on: "a" like "b" like .. */
static size_t put_chain(const ws_json_chain *of, const char *first, char *out, size_t size) {
    char name[NAME_MAX + 1];
    size_t length = strcmp(of->path, first) == 0 ? 0 : put_chain(of->before, first, out, size);
    name_of(of->path, name);
    return length + (size_t)snprintf(out + length, size - length, "\"%.60s\" like ", name);
}

/* Fails if the file that was found is of the chain already, or would make it too long. */
static bool may_follow(const ws_json_chain *of, const char *found, const char *like, const char *what,
                       ws_error *err) {
    char circle[LIKE_MAX * 80];
    int files = 0;
    for (const ws_json_chain *c = of; c; c = c->before, files++) {
        if (strcmp(c->path, found) != 0) continue;
        put_chain(of, found, circle, sizeof circle);
        return ws_fail(err, WS_ERROR_SPEC,
                       "$.like: expected a %s that is not like this one in turn, found a circle: %s\"%.60s\"",
                       what, circle, like);
    }
    return files <= LIKE_MAX ||
           ws_fail(err, WS_ERROR_SPEC, "$.like: expected at most %d %ss one like another", LIKE_MAX, what);
}

bool ws_json_find_like(const ws_json_chain *of, const char *folder, const char *like, const char *what,
                       char *found, size_t size, ws_error *err) {
    const char *path = of->path, *slash = strrchr(path, '/');
    if (!*like || strchr(like, '/'))
        return ws_fail(err, WS_ERROR_SPEC,
                       "$.like: expected the name of another %s of the folder, found \"%.80s\"", what, like);
    int length = snprintf(found, size, "%.*s%s.json", slash ? (int)(slash - path) + 1 : 0, path, like);
    if (folder && length < (int)size && !is_another(found, path))
        length = snprintf(found, size, "%s/%s.json", folder, like);
    if (length >= (int)size) return ws_fail(err, WS_ERROR_SPEC, "$.like: the path is too long");
    if (!is_another(found, path)) return fail_like(path, folder, like, what, err);
    return may_follow(of, found, like, what, err);
}
