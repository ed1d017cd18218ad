/* Writes text into HTML. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

/* Writes text, escaped for an element and for an attribute in double quotes. */
void ws_html_text(FILE *out, const char *text);

#endif
