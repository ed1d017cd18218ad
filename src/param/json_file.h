/* JSON files that people write: specifications, presets, tables. */
#ifndef WS_PARAM_JSON_FILE_H
#define WS_PARAM_JSON_FILE_H

#include "warpsweep/error.h"

#include <jansson.h>

/* Returns the content of the file, a new reference. A byte order mark, which some editors put before UTF-8, is skipped;
 * a key that occurs twice is an error. `*text` (`text` may be NULL) becomes the file's characters, on the heap, also if
 * they are not JSON. NULL on failure: "PATH: cannot be read: .." or "PATH:LINE:COLUMN: not JSON: ..". */
json_t *ws_json_load(const char *path, char **text, ws_error *err);

/* Finds the file that the one at `path` names under "like": `like`.json next to it, unless that is the file itself, or
 * else in `folder`, which may be NULL. It must be a name, not a path. `what`: what these files are, for the message:
 * "$.like: expected another WHAT, ..". */
bool ws_json_find_like(const char *path, const char *folder, const char *like, const char *what, char *found,
                       size_t size, ws_error *err);

#endif
