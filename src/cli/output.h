/* Writing to stdout: numbers for people, and errors that are noticed. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "warpsweep/error.h"

#include <stdint.h>

/* Flushes stdout; false when anything written so far could not be (disk full, closed pipe). */
bool cli_flush_output(ws_error *err);

/* "1,234,567". Returns `text`. */
enum { CLI_COUNT_SIZE = 28 };
const char *cli_count(uint64_t value, char text[CLI_COUNT_SIZE]);

#endif
