/* What the comments at the top of a figure's query say: its title, and, by lines "-- KEY: VALUE", how it is drawn. */
#ifndef WS_REPORT_FIGURE_HEAD_H
#define WS_REPORT_FIGURE_HEAD_H

#include "warpsweep/error.h"

/* The title: the first comment, if it stands before the query, even if it reads as a setting; else empty. Heap
 * string. */
char *ws_figure_title(const char *sql);

enum { WS_FIGURE_AXIS, WS_FIGURE_X, WS_FIGURE_Y, WS_FIGURE_STYLE, WS_FIGURE_SETTINGS };

typedef struct ws_figure_setting {
    const char *key, *variable; /* `variable`: of the script, which has the value */
    const char *values[2];      /* that it may have; NULL: any text */
} ws_figure_setting;

extern const ws_figure_setting ws_figure_settings[WS_FIGURE_SETTINGS];

/* The value of each setting; NULL: none is given. */
typedef struct ws_figure_head {
    char *values[WS_FIGURE_SETTINGS];
} ws_figure_head;

/* Reads them from the comments below the title and before the query, which blank lines may part. A value that is none
 * of the setting's is WS_ERROR_USAGE. Free with ws_figure_head_free(), also after a failure. */
bool ws_figure_head_read(const char *sql, ws_figure_head *head, ws_error *err);
void ws_figure_head_free(ws_figure_head *head);

#endif
