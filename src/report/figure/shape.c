#include "report/figure/shape.h"

#include "base/real.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is drawn */

/* How many numbers of a line, from number `from` on, are known, or are not. A label is not a number. */
static size_t numbers_of_line(const char *line, size_t from, bool known) {
    size_t count = 0, column = 0;
    for (const char *at = line, *end = line + strcspn(line, "\n"); at < end && *at != '"';
         at += strcspn(at, " \n") + 1)
        count += column++ >= from && (strncmp(at, "NaN", 3) != 0) == known;
    return count;
}

static bool some_line_has(const char *text, size_t from, size_t least) {
    for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1)
        if (numbers_of_line(line, from, true) >= least) return true;
    return false;
}

static bool some_row_has(const ws_figure_data *data, size_t from, size_t least) {
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++)
            if (some_line_has(ws_figure_points(data->panels[i], s), from, least)) return true;
    return false;
}

static bool has_numbers(const ws_figure_data *data, size_t from, ws_error *err) {
    return some_row_has(data, from, 1) ||
           ws_fail(err, WS_ERROR_USAGE,
                   "expected rows with numbers, found NULL, or infinity, in all of them");
}

/* Compares the first numbers of two lines, as texts: the same number has the same text. */
static int compare_x(const void *a_, const void *b_) {
    const char *a = *(const char *const *)a_, *b = *(const char *const *)b_;
    size_t a_length = strcspn(a, " "), b_length = strcspn(b, " ");
    int order = strncmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* The most points of a curve, or values of a bar, that have one x, which is the first number. 0 if out of memory. */
static size_t most_at_one_x(const char *text) {
    size_t lines = 0, points = 0, most = 0, here = 0;
    for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) lines++;
    const char **point = calloc(lines + 1, sizeof *point);
    if (!point) return 0;
    for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1)
        if (numbers_of_line(line, 0, true) > 1) point[points++] = line;
    qsort(point, points, sizeof *point, compare_x);
    for (size_t i = 0; i < points; i++) {
        here = i && compare_x(&point[i], &point[i - 1]) == 0 ? here + 1 : 1;
        if (here > most) most = here;
    }
    free(point);
    return most;
}

/* The series with the most points at one x, if these are several. */
typedef struct repeated {
    size_t most;
    const char *panel, *series;
} repeated;

/* False: there is one point at each x. */
static bool find_repeated(const ws_figure_data *data, repeated *r) {
    *r = (repeated){.most = 1};
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++) {
            size_t here = most_at_one_x(ws_figure_points(data->panels[i], s));
            if (here > r->most) *r = (repeated){here, data->panels[i]->name, data->series[s]};
        }
    return r->most > 1;
}

bool ws_figure_has_one_row_for_each_bar(const ws_figure_data *data, ws_error *err) {
    repeated r;
    return !find_repeated(data, &r) ||
           ws_fail(
               err, WS_ERROR_USAGE,
               "expected one row for each bar, found %zu for one of series '%s' in panel '%s': kernels of "
               "several traces have this name, or its query does not tell values of an axis apart; "
               "choose one (plot --where)",
               r.most, r.series, r.panel);
}

static bool is_set(const ws_figure_head *head, size_t setting, const char *value) {
    return head->values[setting] && strcmp(head->values[setting], value) == 0;
}

static bool are_points(const ws_figure_head *head) {
    return is_set(head, WS_FIGURE_STYLE, "points");
}

/* Whether a logarithmic axis has a place for all values along x; it has one for 0, too. */
static bool all_from_zero(const ws_figure_data *data, ws_error *err) {
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++)
            for (const char *line = ws_figure_points(data->panels[i], s); line && *line;
                 line += strcspn(line, "\n") + 1)
                if (ws_read_real(line, NULL) < 0)
                    return ws_fail(err, WS_ERROR_USAGE,
                                   "column %s: expected no values below 0 with '-- x: log', found %.*s",
                                   data->columns[0], (int)strcspn(line, " "), line);
    return true;
}

/* Checks that the data are what curves.gp draws. */
static bool has_curves(const ws_figure_data *data, const ws_figure_head *head, ws_error *err) {
    if (data->column_count != 2)
        return ws_fail(
            err, WS_ERROR_USAGE,
            "expected the columns panel, series, and two numbers, one along x and one along y; for "
            "others write a script, FILE.gp beside FILE.sql");
    if (!some_row_has(data, 0, 2))
        return ws_fail(err, WS_ERROR_USAGE,
                       "expected rows with two numbers, found NULL, or infinity, in all of them");
    return !is_set(head, WS_FIGURE_X, "log") || all_from_zero(data, err);
}

/* Checks that the data are what bars.gp draws. */
static bool has_bars(const ws_figure_data *data, const ws_figure_head *head, ws_error *err) {
    for (size_t i = WS_FIGURE_X; i <= WS_FIGURE_STYLE; i++)
        if (head->values[i])
            return ws_fail(err, WS_ERROR_USAGE,
                           "'-- %s: %s' is of curves: expected the columns panel, series, and two numbers",
                           ws_figure_settings[i].key, head->values[i]);
    for (size_t i = 0; i < data->panel_count; i++) {
        for (size_t s = 0; s < data->series_count; s++) {
            const char *text = ws_figure_points(data->panels[i], s), *end = text ? strchr(text, '\n') : NULL;
            if (end && end[1])
                return ws_fail(
                    err, WS_ERROR_USAGE,
                    "expected one row for '%s', found more: let each of its numbers be a column, or "
                    "give columns panel and series",
                    data->series[s]);
        }
    }
    return has_numbers(data, 0, err);
}

char *ws_figure_script_of_shape(const char *folder, const ws_figure_data *data, const ws_figure_head *head,
                                ws_error *err) {
    if (!(data->bars ? has_bars(data, head, err) : has_curves(data, head, err))) return NULL;
    return ws_figure_script(folder, data->bars ? "bars" : "curves", err);
}

bool ws_figure_has_points(const ws_figure_data *data, bool own, ws_error *err) {
    return has_numbers(data, !own && data->column_count > 1, err);
}

/* ---- what is told */

static size_t numbers_of(const ws_figure_data *data, bool known) {
    size_t count = 0;
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++)
            for (const char *line = ws_figure_points(data->panels[i], s); line && *line;
                 line += strcspn(line, "\n") + 1)
                count += numbers_of_line(line, 0, known);
    return count;
}

/* Tells of a figure that misses more than it shows. A few unknown numbers are usual. */
static void tell_unknown(const ws_figure_data *data, const char *name, FILE *log) {
    size_t unknown = numbers_of(data, false), known = numbers_of(data, true);
    if (unknown > known)
        fprintf(log,
                "figure %s: %zu of its %zu numbers are NULL, and not drawn; where a result is unknown, the "
                "column 'note' of its view says why\n",
                name, unknown, unknown + known);
}

/* Whether a curve has any point, or any bar its value of a column. */
static bool has_curve(const ws_figure_data *data, size_t series) {
    for (size_t i = 0; i < data->panel_count; i++)
        if (some_line_has(ws_figure_points(data->panels[i], series), 0, 2)) return true;
    return false;
}
static bool has_column(const ws_figure_data *data, size_t column) {
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++) {
            const char *line = ws_figure_points(data->panels[i], s);
            if (line && numbers_of_line(line, column, true) > numbers_of_line(line, column + 1, true))
                return true;
        }
    return false;
}

/* Tells of names that only the legend would have. */
static void tell_undrawn(const ws_figure_data *data, const char *name, FILE *log) {
    size_t count = data->bars ? data->column_count : data->series_count, undrawn = 0;
    const char *first = NULL;
    for (size_t i = 0; i < count; i++)
        if (!(data->bars ? has_column(data, i) : has_curve(data, i)) && undrawn++ == 0)
            first = data->bars ? data->columns[i] : data->series[i];
    if (!undrawn) return;
    fprintf(log, "figure %s: nothing is drawn of '%s'", name, first);
    if (undrawn > 1) fprintf(log, " and %zu other%s", undrawn - 1, undrawn > 2 ? "s" : "");
    fputs(", whose numbers are NULL\n", log);
}

/* Tells of curves that go up and down at one x. */
static void tell_repeated(const ws_figure_data *data, const char *name, FILE *log) {
    repeated r;
    if (find_repeated(data, &r))
        fprintf(log,
                "figure %s: %zu rows for one %s, of series '%s' in panel '%s': a curve has one; choose with "
                "WHERE, add up with GROUP BY, or draw points (-- style: points)\n",
                name, r.most, data->columns[0], r.series, r.panel);
}

/* Tells of an axis without a name: those of curves have that of their column, as bars of one number do. */
static void tell_of_axis(const ws_figure_data *data, const ws_figure_head *head, const char *name,
                         FILE *log) {
    if (data->bars && data->column_count > 1 && !head->values[WS_FIGURE_AXIS])
        fprintf(log, "figure %s: its axis has no name: a line '-- axis: TEXT' below the title gives it one\n",
                name);
}

void ws_figure_tell(const ws_figure_data *data, const ws_figure_head *head, const char *name, FILE *log) {
    tell_unknown(data, name, log);
    if (!head) return;
    tell_undrawn(data, name, log);
    if (!data->bars && !are_points(head)) tell_repeated(data, name, log);
    tell_of_axis(data, head, name, log);
}
