/* What a specification's JSON should have been. All messages begin with a JSON path. */
#ifndef WS_SWEEP_JSON_H
#define WS_SWEEP_JSON_H

#include "base/nearest.h"
#include "warpsweep/error.h"

#include <jansson.h>

/* "an array", "a string" .. of what stands in the place of something else. */
const char *ws_json_kind(const json_t *value);

/* "PATH: expected EXPECTED, found an array"; `found`: NULL for nothing. Returns false. */
bool ws_fail_kind(const char *path, const char *expected, const json_t *found, ws_error *err);

/* "PATH: expected EXPECTED, found "FOUND"; did you mean "NEAREST"?" Returns false. */
bool ws_fail_nearest(const char *path, const char *expected, const char *found, ws_nearest nearest,
                     ws_error *err);

/* Every key of the object must be among `keys`, NULL-terminated. */
bool ws_check_keys(json_t *object, const char *const *keys, const char *path, const char *expected,
                   ws_error *err);

#endif
