/* Reads the rows of a figure's query into panels and series. */
#include "report/figure/figure.h"

#include "report/format/format.h"
#include "report/statement.h"
#include "store/sqlite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which column of a query is what. */
typedef struct columns {
    int panel, series, number; /* the first number; panel < 0: there is none */
} columns;

static bool is_called(sqlite3_stmt *rows, int column, const char *name) {
    return column < sqlite3_column_count(rows) && strcmp(sqlite3_column_name(rows, column), name) == 0;
}

static bool find_columns(sqlite3_stmt *rows, bool own, columns *c, bool *bars, ws_error *err) {
    bool has_panel = is_called(rows, 0, "panel");
    *bars = !has_panel || !is_called(rows, 1, "series");
    bool known = has_panel && (!*bars || is_called(rows, 1, "bar"));
    *c = (columns){has_panel - 1, has_panel, has_panel + 1};
    if (c->number < sqlite3_column_count(rows) && (own || known)) return true;
    return ws_fail(err, WS_ERROR_USAGE,
                   own ? "expected the columns panel, series and numbers, or a name and numbers"
                       : "expected the columns panel, series and at least one number");
}

/* True for a last column called "label", behind at least one number. */
static bool is_label(sqlite3_stmt *rows, const columns *c, int column) {
    return column > c->number && column == sqlite3_column_count(rows) - 1 && is_called(rows, column, "label");
}

static bool take_columns(ws_figure_data *data, sqlite3_stmt *rows, const columns *c, ws_error *err) {
    size_t count = (size_t)(sqlite3_column_count(rows) - c->number);
    data->columns = calloc(count, sizeof *data->columns);
    bool complete = data->columns != NULL;
    for (; complete && data->column_count < count; data->column_count++) {
        const char *name = sqlite3_column_name(rows, c->number + (int)data->column_count);
        complete = name && (data->columns[data->column_count] = strdup(name));
    }
    return complete || ws_no_memory(err);
}

static const char *text_cell(sqlite3_stmt *rows, int column) {
    const char *text = column < 0 ? NULL : (const char *)sqlite3_column_text(rows, column);
    return text ? text : "";
}

/* Finds, or adds, a panel. A panel's rows come in runs, so the last one is the likely one. Panels stay in place, since
 * open streams point into them. */
static ws_figure_panel *panel_of(ws_figure_data *data, const char *name) {
    for (size_t i = data->panel_count; i-- > 0;)
        if (strcmp(data->panels[i]->name, name) == 0) return data->panels[i];
    ws_figure_panel **larger = realloc(data->panels, (data->panel_count + 1) * sizeof *larger);
    ws_figure_panel *panel = calloc(1, sizeof *panel);
    char *copy = strdup(name);
    if (larger) data->panels = larger;
    if (!larger || !panel || !copy) {
        free(panel);
        free(copy);
        return NULL;
    }
    panel->name = copy;
    return larger[data->panel_count++] = panel;
}

static bool series_of(ws_figure_data *data, const char *name, size_t *series, ws_error *err) {
    for (*series = 0; *series < data->series_count; ++*series)
        if (strcmp(data->series[*series], name) == 0) return true;
    if (*series == WS_FIGURE_SERIES_MAX)
        return ws_fail(err, WS_ERROR_USAGE,
                       "expected at most %d %s, found '%.200s' beside them: choose some with WHERE",
                       WS_FIGURE_SERIES_MAX, data->bars ? "rows" : "series", name);
    char **larger = realloc(data->series, (*series + 1) * sizeof *larger);
    if (larger) data->series = larger;
    char *copy = larger ? strdup(name) : NULL;
    if (!copy) return ws_no_memory(err);
    data->series[data->series_count++] = copy;
    return true;
}

/* Makes room for the curves up to that of `series`. The curves stay in place, as panels do. */
static bool widen(ws_figure_panel *panel, size_t series) {
    if (series < panel->curve_count) return true;
    ws_figure_curve **larger = realloc(panel->curves, (series + 1) * sizeof *larger);
    if (!larger) return false;
    panel->curves = larger;
    while (panel->curve_count <= series) larger[panel->curve_count++] = NULL;
    return true;
}

/* The open stream of a curve; NULL if out of memory. */
static FILE *stream_of(ws_figure_panel *panel, size_t series) {
    if (!widen(panel, series)) return NULL;
    ws_figure_curve **at = &panel->curves[series], *curve = *at;
    if (!curve) curve = *at = calloc(1, sizeof *curve);
    if (curve && !curve->stream) curve->stream = open_memstream(&curve->text, &curve->size);
    return curve ? curve->stream : NULL;
}

/* Writes a text in quotes, as gnuplot expects it in data. */
static void label_cell(sqlite3_stmt *rows, int column, FILE *out) {
    fputs(" \"", out);
    for (const char *c = text_cell(rows, column); *c; c++)
        fputc(*c == '"' ? '\'' : (unsigned char)*c < ' ' ? ' ' : *c, out);
    fputc('"', out);
}

/* Writes a number. A text that is none would become 0, a wrong point, so it is an error; infinity cannot be drawn. */
static bool number_cell(sqlite3_stmt *rows, const columns *c, int column, FILE *out, ws_error *err) {
    char room[WS_REAL_SIZE];
    int type = sqlite3_column_type(rows, column);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        return ws_fail(err, WS_ERROR_USAGE, "column %s: expected numbers, found '%.40s'",
                       sqlite3_column_name(rows, column), text_cell(rows, column));
    double value = type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(rows, column);
    fprintf(out, "%s%s", column == c->number ? "" : " ",
            isfinite(value) ? ws_real_text(value, 0, room) : "NaN");
    return true;
}

static bool add_row(ws_figure_data *data, sqlite3_stmt *rows, const columns *c, ws_error *err) {
    size_t series;
    ws_figure_panel *panel = panel_of(data, text_cell(rows, c->panel));
    if (!panel) return ws_no_memory(err);
    if (!series_of(data, text_cell(rows, c->series), &series, err)) return false;
    FILE *points = stream_of(panel, series);
    if (!points) return ws_no_memory(err);
    for (int i = c->number; i < sqlite3_column_count(rows); i++) {
        if (is_label(rows, c, i))
            label_cell(rows, i, points);
        else if (!number_cell(rows, c, i, points, err))
            return false;
    }
    fputc('\n', points);
    return true;
}

/* Completes the texts; false when memory ran out on the way. */
static bool close_curves(ws_figure_data *data) {
    bool complete = true;
    for (size_t i = 0; i < data->panel_count; i++) {
        for (size_t s = 0; s < data->panels[i]->curve_count; s++) {
            ws_figure_curve *curve = data->panels[i]->curves[s];
            if (!curve || !curve->stream) continue;
            complete &= fclose(curve->stream) == 0;
            curve->stream = NULL;
        }
    }
    return complete;
}

bool ws_figure_data_read(ws_store *store, const char *sql, bool own, ws_figure_data *data, ws_error *err) {
    *data = (ws_figure_data){0};
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_stmt *rows = ws_statement_prepare(db, sql, err);
    if (!rows) return false;
    int code = SQLITE_DONE;
    columns c;
    bool going = find_columns(rows, own, &c, &data->bars, err) && take_columns(data, rows, &c, err);
    while (going && (code = sqlite3_step(rows)) == SQLITE_ROW) going = add_row(data, rows, &c, err);
    if (going && code != SQLITE_DONE) going = ws_statement_failed(db, err);
    sqlite3_finalize(rows);
    if (!close_curves(data) && going) going = ws_no_memory(err);
    return going;
}

const char *ws_figure_points(const ws_figure_panel *panel, size_t series) {
    const ws_figure_curve *curve = series < panel->curve_count ? panel->curves[series] : NULL;
    return curve ? curve->text : NULL;
}

static void free_panel(ws_figure_panel *panel) {
    for (size_t s = 0; s < panel->curve_count; s++) {
        if (panel->curves[s]) free(panel->curves[s]->text);
        free(panel->curves[s]);
    }
    free(panel->curves);
    free(panel->name);
    free(panel);
}

void ws_figure_data_free(ws_figure_data *data) {
    for (size_t i = 0; i < data->panel_count; i++) free_panel(data->panels[i]);
    for (size_t i = 0; i < data->series_count; i++) free(data->series[i]);
    for (size_t i = 0; i < data->column_count; i++) free(data->columns[i]);
    free(data->series);
    free(data->columns);
    free(data->panels);
    *data = (ws_figure_data){0};
}
