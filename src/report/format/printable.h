/* Texts of unknown content on a screen. */
#ifndef WS_REPORT_FORMAT_PRINTABLE_H
#define WS_REPORT_FORMAT_PRINTABLE_H

#include <stddef.h>

/* A copy in which nothing can disturb the layout: control characters become \n, \t or \xNN, and bytes that are not
 * UTF-8 become \xNN. Heap string, NULL when out of memory. */
char *ws_printable(const char *text);

/* Width on the screen of such a text: the number of bytes that do not continue a UTF-8 character. */
size_t ws_printed_width(const char *text);

#endif
