/* Values of a row of a CSV trace. */
#ifndef WS_TRACE_IMPORT_CSV_VALUES_H
#define WS_TRACE_IMPORT_CSV_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_CSV_LANES = 32 };

/* These parse a value and move `*at` past it, or return false. A number is 0x.. or decimal; UINT64_MAX stands for one
 * of more than 64 bits. */
bool ws_csv_number(const char **at, uint64_t *value);
/* A register ends at a blank or the text's end. Other kinds than R (UR1, P0) are not taken: only who writes the file
 * knows numbers for them that no R has. */
bool ws_csv_register(const char **at, uint16_t *number);

/* Parses all of `text`: up to WS_CSV_LANES addresses, or base+stride or base-stride, expanded over `lanes` lanes.
 * Returns NULL, or what was expected. */
const char *ws_csv_addresses(const char *text, unsigned lanes, uint64_t *addresses, unsigned *count);

#endif
