/* The two files of a figure, and the rows of its query sorted into panels and series. */
#ifndef WS_REPORT_FIGURE_FIGURE_H
#define WS_REPORT_FIGURE_FIGURE_H

#include "report/figure/head.h"
#include "warpsweep/report.h"

/* Reads the query and the script of figure `name`: a figure of the folder, or the path of a query FILE.sql (`*own` is
 * then true), whose script is FILE.gp beside it, or NULL if there is none. Heap strings, both NULL after a failure. An
 * unknown figure is a usage error that gives the nearest name. */
bool ws_figure_read(const char *folder, const char *name, char **sql, char **script, bool *own,
                    ws_error *err);

/* Reads what is told of a user's own figure, whose name is the path of its query; to be freed by ws_figures_free(),
 * also after a failure. */
bool ws_figure_own(const char *path, ws_figure *figure, ws_error *err);

/* Reads a script of the folder that is not of one figure: "curves" or "bars", which draw any query of that shape, or
 * "effects". Heap string. */
char *ws_figure_script(const char *folder, const char *name, ws_error *err);

/* The points of one line: gnuplot data, a point per text line. */
typedef struct ws_figure_curve {
    char *text; /* NULL: no points */
    size_t size;
    FILE *stream; /* open_memstream() of the two above while rows come in */
} ws_figure_curve;

typedef struct ws_figure_panel {
    char *name;
    ws_figure_curve **curves; /* of the first series; NULL: no points. ws_figure_points() reads them */
    size_t curve_count;
} ws_figure_panel;

enum { WS_FIGURE_SERIES_MAX = 1024 }; /* on all pages */

/* The rows of a query with the columns panel and series; or, with `bars`, of one whose first column, or the one after
 * `panel`, names what the numbers belong to: its texts are the series. */
typedef struct ws_figure_data {
    bool bars;
    ws_figure_panel **panels; /* panels and series in the order in which they appear */
    size_t panel_count;
    char **series;
    size_t series_count;
    char **columns; /* names of the numbers */
    size_t column_count;
} ws_figure_data;

/* Runs the query of a figure. One of bars has the columns panel and bar, or, if it is a user's `own`, any names. Free
 * with ws_figure_data_free(), also after a failure. */
bool ws_figure_data_read(ws_store *store, const char *sql, bool own, ws_figure_data *data, ws_error *err);
void ws_figure_data_free(ws_figure_data *data);

/* The points of a series, a line of text for each; NULL if the panel has none of it. */
const char *ws_figure_points(const ws_figure_panel *panel, size_t series);

/* ---- pages */

enum { WS_FIGURE_BARS_MAX = 40, WS_FIGURE_CURVES_MAX = 64 }; /* series on a page that stay legible */

/* How a figure goes over pages: how many there are, and the most panels and series of one. Panels of bars, whose series
 * stand side by side, go on over several pages; panels of curves do not. */
typedef struct ws_figure_spread {
    bool bars;
    size_t count, panels, series;
} ws_figure_spread;

/* What stands on one page. */
typedef struct ws_figure_part {
    size_t first_panel, panels;
    size_t *series, series_count; /* numbers of the series, ascending; room for all */
} ws_figure_part;

/* As few pages as possible, evenly filled. A panel of too many curves is a usage error. */
bool ws_figure_spread_of(const ws_figure_data *data, bool bars, ws_figure_spread *spread, ws_error *err);
/* `page` counts from 0. */
void ws_figure_part_of(const ws_figure_data *data, const ws_figure_spread *spread, size_t page,
                       ws_figure_part *part);

/* Draws a figure as ws_plot() does, and passes each page as SVG to `take`, positioned at its beginning; `take` returns
 * false, with an error, to stop. Notes about the figure go to `log` (NULL: nowhere), each on a line. */
bool ws_figure_pages(ws_store *store, const char *folder, const char *name,
                     bool (*take)(void *context, FILE *svg, ws_error *err), void *context, FILE *log,
                     ws_error *err);
/* The same of a query that is in no file, drawn by its columns. */
bool ws_query_pages(ws_store *store, const char *folder, const char *sql,
                    bool (*take)(void *context, FILE *svg, ws_error *err), void *context, ws_error *err);

#endif
