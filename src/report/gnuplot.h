/* Drawing one page of a figure with gnuplot. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include "report/figure.h"

/* Of a file ending: the gnuplot expression for its name and options, for a page of w times h inches; and the words with
 * which a complete file ends. */
typedef struct ws_terminal {
    const char *ending, *settings, *last;
} ws_terminal;

/* ".svg", ".png" or ".pdf"; NULL for others. */
const ws_terminal *ws_terminal_of(const char *ending);

typedef struct ws_page {
    const ws_figure_data *data;
    const char *folder, *title, *script;
    const ws_terminal *terminal;
    const char *path; /* of the output; NULL: it is printed */
    size_t number, count, first_panel, panels;
} ws_page;

/* Draws the page into its path, or into the file `drawing`, which is NULL where there is a path. Page NULL: nothing,
 * but says whether it could. */
bool ws_gnuplot(const ws_page *page, FILE *drawing, ws_error *err);

/* Whether all of it is there: gnuplot says nothing of a disk that is full. */
bool ws_gnuplot_completed(const ws_page *page, FILE *drawing);

#endif
