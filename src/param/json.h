/* Errors about JSON that people write. All messages begin with a JSON path. */
#ifndef WS_PARAM_JSON_H
#define WS_PARAM_JSON_H

#include "base/nearest.h"
#include "warpsweep/error.h"

#include <jansson.h>

/* "PATH: expected EXPECTED, found an array", or a number's value; `found`: NULL for nothing. Returns false. */
bool ws_fail_kind(const char *path, const char *expected, const json_t *found, ws_error *err);

/* "PATH: expected EXPECTED, found "FOUND"; did you mean "NEAREST"?" Returns false. */
bool ws_fail_nearest(const char *path, const char *expected, const char *found, ws_nearest nearest,
                     ws_error *err);

/* Fails unless every key of the object is among `keys`, NULL-terminated. */
bool ws_check_keys(json_t *object, const char *const *keys, const char *path, const char *expected,
                   ws_error *err);

#endif
