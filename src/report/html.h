/* Text in HTML. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

/* So that it reads as it stands, in an element or in an attribute in quotes. */
void ws_html_text(FILE *out, const char *text);

#endif
