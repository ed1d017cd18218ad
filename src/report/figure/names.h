/* Names of a figure that look alike when they are shortened. */
#ifndef WS_REPORT_FIGURE_NAMES_H
#define WS_REPORT_FIGURE_NAMES_H

#include "report/figure/figure.h"

/* A name whose middle tells it from others. Counts are of letters. */
typedef struct ws_long_name {
    const char *text; /* of the figure's data */
    size_t begin;     /* letters before the word in which the names begin to differ */
    size_t word;      /* with this many from there on, it differs from each of them */
} ws_long_name;

typedef struct ws_long_names {
    ws_long_name *names;
    size_t count;
} ws_long_names;

/* Finds those among the names of the panels, series and numbers of all pages. False if out of memory; free
 * found->names. */
bool ws_long_names_of(const ws_figure_data *data, ws_long_names *found);

#endif
