/* Text in aligned columns. The first rows are held back until the widths are known; a wider cell in a later
 * row only pushes its own row, so memory stays bounded and long results begin to appear at once. */
#ifndef WS_REPORT_FORMAT_LISTING_H
#define WS_REPORT_FORMAT_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ws_listing ws_listing;

/* `count` columns, at least one; the first row given is the head. NULL when out of memory. */
ws_listing *ws_listing_new(size_t count, FILE *out);

/* The next cell, row by row. Control characters are shown escaped. `number`: flush right. */
void ws_listing_cell(ws_listing *listing, const char *text, bool number);

/* Writes what is held back and frees; accepts NULL. False when memory ran out on the way: the text is
 * incomplete. (Write errors stay in `out`.) */
bool ws_listing_close(ws_listing *listing);

#endif
