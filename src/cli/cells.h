/* Listings on stdout, and cells of them that hold numbers. */
#ifndef WS_CLI_CELLS_H
#define WS_CLI_CELLS_H

#include "report/format/listing.h"

#include <stddef.h>
#include <stdint.h>

/* `part` / `whole`; 0 if the whole is 0. */
double cli_ratio(uint64_t part, uint64_t whole);

/* Begins a listing with a row of heads; NULL: out of memory. */
ws_listing *cli_listing(const char *const *heads, size_t count);

void cli_count_cell(ws_listing *listing, uint64_t value);
void cli_real_cell(ws_listing *listing, double value, int digits);
/* In percent; "-" if the whole is 0. */
void cli_share_cell(ws_listing *listing, uint64_t part, uint64_t whole);

#endif
