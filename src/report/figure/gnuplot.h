/* Draws one page of a figure with gnuplot. */
#ifndef WS_REPORT_FIGURE_GNUPLOT_H
#define WS_REPORT_FIGURE_GNUPLOT_H

#include "report/figure/names.h"

/* What belongs to a file ending: the gnuplot expression for the terminal's name and options, for a page of w times h
 * inches; and the text with which a complete file ends. */
typedef struct ws_terminal {
    const char *ending, *settings, *last;
} ws_terminal;

/* ".svg", ".png" or ".pdf"; NULL for others. */
const ws_terminal *ws_terminal_of(const char *ending);

typedef struct ws_page {
    const ws_figure_data *data;
    ws_long_names long_names;
    const char *folder, *title, *script;
    const ws_figure_head *head;
    const ws_terminal *terminal;
    const char *path; /* of the output; NULL: gnuplot prints it */
    size_t number, count;
    ws_figure_part part;
} ws_page;

/* Draws the page into its path, or, if that is NULL, into the file `drawing` (otherwise NULL). If `page` is NULL, draws
 * nothing, but tells whether gnuplot can be run. */
bool ws_gnuplot(const ws_page *page, FILE *drawing, ws_error *err);

/* True if the drawing is complete; gnuplot does not report a full disk. */
bool ws_gnuplot_completed(const ws_page *page, FILE *drawing);

#endif
