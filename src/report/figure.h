/* The two files of a figure, and the rows of its query sorted into panels and series. */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "warpsweep/report.h"

/* The query and the script of figure `name`, one of the folder, or the path of a query FILE.sql. Beside that lies
 * its script FILE.gp; where there is none, it is curves.gp of the folder, and `*curves` is set. Heap strings, both
 * NULL after a failure. An unknown figure is a usage error that gives the nearest. */
bool ws_figure_read(const char *folder, const char *name, char **sql, char **script, bool *curves,
                    ws_error *err);

/* The title: the first comment line of the SQL; empty where it begins otherwise. Heap string. */
char *ws_figure_title(const char *sql);

/* The points of one line: gnuplot data, a point per text line. */
typedef struct ws_figure_curve {
    char *text; /* NULL where there is none */
    size_t size;
    FILE *stream; /* open_memstream() of the two above while rows come in */
} ws_figure_curve;

enum { WS_FIGURE_SERIES_MAX = 64 };

typedef struct ws_figure_panel {
    char *name;
    ws_figure_curve curves[WS_FIGURE_SERIES_MAX];
} ws_figure_panel;

typedef struct ws_figure_data {
    ws_figure_panel **panels; /* panels and series in the order in which they appear */
    size_t panel_count;
    char *series[WS_FIGURE_SERIES_MAX];
    size_t series_count;
    char **columns; /* names of the numbers */
    size_t column_count;
} ws_figure_data;

/* Runs the query of a figure. Free with ws_figure_data_free(), also after a failure. */
bool ws_figure_data_read(ws_store *store, const char *sql, ws_figure_data *data, ws_error *err);
void ws_figure_data_free(ws_figure_data *data);

#endif
