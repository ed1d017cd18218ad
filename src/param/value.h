/* Converts one parameter's value between JSON, the field of its struct, and text. */
#ifndef WS_PARAM_VALUE_H
#define WS_PARAM_VALUE_H

#include "warpsweep/param.h"

/* Bytes of the field of a parameter of that type; 0 for texts, which no parameter is. */
size_t ws_value_size(ws_type type);

void ws_value_default(const ws_param *param, void *field);

/* Checks type and bounds, and writes the field only if they are right. `other` (may be NULL) is a parameter of which it
 * is a value, for the message. */
bool ws_value_from_json(const ws_param *param, void *field, const json_t *value, const char *path,
                        const char *other, ws_error *err);

/* The number of a choice with that name; -1: the parameter has none. */
int ws_value_choice(const ws_param *param, const char *text);

bool ws_value_is(const ws_param *param, const void *field, const json_t *value);

/* New reference; NULL when out of memory. */
json_t *ws_value_to_json(const ws_param *param, const void *field);

bool ws_value_is_default(const ws_param *param, const void *field);

/* The canonical text of a value: integers in decimal, reals in the fewest digits that read back equal, true | false,
 * the name of a choice. `out` should have 64 bytes; longer names of choices are cut, so they are kept short. */
void ws_value_text(const ws_param *param, const void *field, char *out, size_t size);

#endif
