/* JSON files that people write: specifications, presets, tables. */
#ifndef WS_PARAM_JSON_FILE_H
#define WS_PARAM_JSON_FILE_H

#include "warpsweep/error.h"

#include <jansson.h>

/* What the file holds, without a byte order mark, which some editors put before UTF-8; a key that is there twice is an
 * error. `text` (or NULL) gets its characters on the heap, also where they are not JSON. NULL: "PATH: cannot be read:
 * .." or "PATH:LINE:COLUMN: not JSON: ..". */
json_t *ws_json_load(const char *path, char **text, ws_error *err);

#endif
