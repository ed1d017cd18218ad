/* Writes text into HTML. */
#ifndef WS_REPORT_HTML_H
#define WS_REPORT_HTML_H

#include <stdio.h>

/* Writes text, escaped for an element and for an attribute in double quotes. */
void ws_html_text(FILE *out, const char *text);

#endif
