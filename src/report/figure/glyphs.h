/* Which characters of a picture's texts can be drawn. */
#ifndef WS_REPORT_FIGURE_GLYPHS_H
#define WS_REPORT_FIGURE_GLYPHS_H

#include <stdio.h>

/* Writes a text, with "?" for each character that no installed font has: cairo would draw a box with its number in
 * place of it, and over all else where a page is large. Without fontconfig's fc-list nothing is replaced. */
void ws_write_drawable(const char *text, FILE *out);

#endif
