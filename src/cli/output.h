/* Writing to stdout: numbers for people, and errors that are noticed. */
#ifndef WS_CLI_OUTPUT_H
#define WS_CLI_OUTPUT_H

#include "warpsweep/trace.h"

#include <jansson.h>

#include <stdint.h>

/* Flushes stdout; false when anything written since the last time could not be (disk full, closed pipe), or is JSON for
 * which memory did not suffice. */
bool cli_flush_output(ws_error *err);

/* Make JSON: add `value` to an object or an array, and release it. What lacks memory takes along all that was to hold
 * it: where `value` is NULL, or cannot be added, the whole becomes NULL, and adding to NULL does nothing. */
void cli_json_set(json_t **object, const char *name, json_t *value);
void cli_json_append(json_t **array, json_t *value);

/* Makes a heap string of a JSON value, in one line; NULL when out of memory, which cli_flush_output() tells. */
char *cli_json_line(const json_t *value);

/* Prints a JSON value and releases it. cli_flush_output() tells if it could not be printed, or is NULL. */
void cli_put_json(json_t *root);

/* Prints what a command says about a trace and a GPU (which may be NULL) as JSON, and releases it. Fails if `root` is
 * NULL: their names are no UTF-8, or memory ran out. */
bool cli_put_trace_json(json_t *root, const ws_trace *trace, const char *gpu, ws_error *err);

/* Writes a number as "1,234,567". Returns `text`. */
enum { CLI_COUNT_SIZE = 28 };
const char *cli_count(uint64_t value, char text[CLI_COUNT_SIZE]);

#endif
