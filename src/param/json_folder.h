/* Folders of JSON files that are known by their names: NAME.json is NAME. */
#ifndef WS_PARAM_JSON_FOLDER_H
#define WS_PARAM_JSON_FOLDER_H

#include "warpsweep/error.h"

#include <stddef.h>

/* Whether the name of a file ends in .json, with something before that. */
bool ws_json_has_suffix(const char *file);

/* Whether `name` is the path of a file (it contains a '/' or ends in .json) rather than a name. */
bool ws_json_is_file(const char *name);

/* Calls `visit` with each name, sorted, until it returns false. The name ends with the visit. */
typedef bool ws_json_visit(void *context, const char *name, ws_error *err);
bool ws_json_folder_list(const char *folder, ws_json_visit *visit, void *context, ws_error *err);

/* What the files of a folder are, for messages. */
typedef struct ws_json_kind {
    const char *what;   /* "GPU" */
    const char *lister; /* the command that names them all */
} ws_json_kind;

/* Writes the path of a file into `path`, of `size` bytes: that of this name in the folder, or `name` itself if it is a
 * path (`folder` may then be NULL). WS_ERROR_SPEC if the folder has none of that name, and the text gives the nearest;
 * or if the file cannot be read. */
bool ws_json_folder_find(const char *folder, const char *name, const ws_json_kind *kind, char *path,
                         size_t size, ws_error *err);

/* A file, and the one that is like it; `before` is NULL for the first, which is like another. */
typedef struct ws_json_chain {
    const char *path;
    const struct ws_json_chain *before;
} ws_json_chain;

/* Finds the file that the one at `of` names under "like": `like`.json next to it, unless that is the file itself, or
 * else in `folder`, which may be NULL. It must be a name, not a path, and none of the chain. `what`: what these files
 * are, for the message: "$.like: expected another WHAT, ..", which gives the nearest name. */
bool ws_json_find_like(const ws_json_chain *of, const char *folder, const char *like, const char *what,
                       char *found, size_t size, ws_error *err);

#endif
