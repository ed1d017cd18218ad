/* JSON files that people write: specifications, presets, tables. */
#ifndef WS_PARAM_JSON_FILE_H
#define WS_PARAM_JSON_FILE_H

#include "warpsweep/error.h"

#include <jansson.h>

/* Returns the content of the file, a new reference. A byte order mark, which some editors put before UTF-8, is skipped;
 * a key that occurs twice is an error. `*text` (`text` may be NULL) becomes the file's characters, on the heap, also if
 * they are not JSON. NULL on failure: "PATH: cannot be read: .." or "PATH:LINE:COLUMN: not JSON: ..". */
json_t *ws_json_load(const char *path, char **text, ws_error *err);

#endif
