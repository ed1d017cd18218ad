#include "cli/cells.h"

#include "cli/output.h"

#include <stdio.h>

double cli_ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

ws_listing *cli_listing(const char *const *heads, size_t count) {
    ws_listing *listing = ws_listing_new(count, stdout);
    for (size_t i = 0; listing && i < count; i++) ws_listing_cell(listing, heads[i], false);
    return listing;
}

void cli_count_cell(ws_listing *listing, uint64_t value) {
    char text[CLI_COUNT_SIZE];
    ws_listing_cell(listing, cli_count(value, text), true);
}

void cli_real_cell(ws_listing *listing, double value, int digits) {
    char text[32];
    snprintf(text, sizeof text, "%.*f", digits, value);
    ws_listing_cell(listing, text, true);
}

void cli_share_cell(ws_listing *listing, uint64_t part, uint64_t whole) {
    if (whole)
        cli_real_cell(listing, 100 * cli_ratio(part, whole), 1);
    else
        ws_listing_cell(listing, "-", true);
}
