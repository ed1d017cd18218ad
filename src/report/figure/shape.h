/* Queries of any shape: which script draws their data, whether these have something to draw, and what is to be told of
 * a figure that would not show it. */
#ifndef WS_REPORT_FIGURE_SHAPE_H
#define WS_REPORT_FIGURE_SHAPE_H

#include "report/figure/figure.h"

/* The script of the folder that draws data of this shape, a heap string; NULL, with an error, if there is none. */
char *ws_figure_script_of_shape(const char *folder, const ws_figure_data *data, const ws_figure_head *head,
                                ws_error *err);

/* Checks that a figure with a script has something to draw. In figures of the folder, those that are not a user's
 * `own`, the first of several numbers is a place, which does not count. */
bool ws_figure_has_points(const ws_figure_data *data, bool own, ws_error *err);

/* Checks the rows of a figure whose first number is the place of a bar. Bars of one place would lie over each other,
 * the tallest in front, and nothing in the picture would show it. */
bool ws_figure_has_one_row_for_each_bar(const ws_figure_data *data, ws_error *err);

/* Tells of what the picture would not show, a line for each. `head`: NULL if the figure has a script. */
void ws_figure_tell(const ws_figure_data *data, const ws_figure_head *head, const char *name, FILE *log);

#endif
