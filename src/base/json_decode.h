/* JSON from text, whole or not at all. */
#ifndef WS_BASE_JSON_DECODE_H
#define WS_BASE_JSON_DECODE_H

#include <jansson.h>

/* As json_loadb(), but also NULL where memory ran out for a character of a string, which jansson (2.14) leaves out. If
 * the result is NULL, errno is ENOMEM if memory ran out, otherwise 0. `why` may be NULL. */
json_t *ws_json_decode(const char *text, size_t size, size_t flags, json_error_t *why);

#endif
