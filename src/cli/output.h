/* Writing to stdout: numbers for people, and errors that are noticed. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "warpsweep/trace.h"

#include <jansson.h>

#include <stdint.h>

/* Flushes stdout; false when anything written so far could not be (disk full, closed pipe). */
bool cli_flush_output(ws_error *err);

/* Prints a JSON value and releases it. */
void cli_put_json(json_t *root);

/* Prints what a command says about a trace as JSON, and releases it. Fails if `root`, or (`complete` is false) a part
 * of it, could not be made, because a path is not UTF-8. */
bool cli_put_trace_json(json_t *root, bool complete, const ws_trace *trace, ws_error *err);

/* Writes a number as "1,234,567". Returns `text`. */
enum { CLI_COUNT_SIZE = 28 };
const char *cli_count(uint64_t value, char text[CLI_COUNT_SIZE]);

#endif
