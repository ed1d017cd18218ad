/* Reports: what a results database says, as text and as figures.
 *
 * Where a surface is fitted to points (ws_effects_query; ws_report(), too), GSL's error handler, which would abort the
 * program, is switched off for the process, and stays off. */
#ifndef WARPSWEEP_REPORT_H
#define WARPSWEEP_REPORT_H

#include "warpsweep/store.h"

#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- queries */

typedef enum ws_query_format {
    WS_QUERY_TABLE, /* aligned, for people: reals in 6 significant digits, NULL as "NULL" */
    WS_QUERY_LINES, /* as TABLE, but a line per column, "NAME  VALUE", and an empty line between rows */
    WS_QUERY_CSV,   /* a header, then a line per row; quoted if necessary; NULL is empty, '' is "" */
    WS_QUERY_JSON, /* an array of objects, one row per line; kept in memory until it is complete. What JSON cannot hold,
                       infinity or a text that is no UTF-8, is WS_ERROR_USAGE */
    WS_QUERY_HTML, /* a <table>; numbers have class="number" */
} ws_query_format;

/* Runs one statement, which may only read, and writes its rows to `out`; ATTACH is refused. The statement is aborted
 * after `timeout_s` seconds, 0 = never. Wrong SQL is WS_ERROR_USAGE with SQLite's own message, the place in the text,
 * and the name that may have been meant. */
bool ws_query(ws_store *store, const char *sql, ws_query_format format, double timeout_s, FILE *out,
              ws_error *err);

/* ---- effects */

typedef struct ws_effects_query {
    const char *view;   /* of a sweep, with rows of kernels */
    const char *metric; /* a column of it, or SQL over its columns */
    const char *where;  /* a condition in SQL; NULL: all rows */
    bool differences;   /* compare differences of the metric; else of its logarithm, that is, ratios */
    bool surface; /* the points are a sample: fit a surface to them, unless what is filled in makes it all */
    bool values;  /* a row for each value of each axis */
} ws_effects_query;

/* Which axes of a sweep matter: an analysis of variance (Montgomery, Design and Analysis of Experiments, ch. 5) within
 * kernels, whose points must be all combinations of the axes' values. Points that are not there but differ from others
 * only in axes that change nothing there, such as parameters of a mechanism that is off, are filled in with what those
 * have; `log` says so. Writes a row for each axis, each pair of axes
 * (what they do together beyond what each does alone) and the rest:
 *   share       of the sums of squares within kernels, all added up: kernels are blocks; shares add up to 1
 *   lowest_at, highest_at   the axis' values with the lowest and the highest (geometric) mean of the metric
 *   ratio       of these two means, or their `difference`
 *   .._low, .._high   bounds of the 95 % interval over kernels (store/functions.h); NULL for one kernel
 *   kernels     how many there are; `log` (may be NULL) says which kernels and axes were left out
 * With `values`, writes instead a row for each value of each axis (a main effect), the axes with the largest shares
 * first, values in SQLite's order:
 *   axis, value
 *   ratio       of its mean to the lowest mean of any value, or their `difference`; bounds (of this ratio) and kernels
 *               as above
 *
 * With `surface` the points of a kernel may be any, at least twice as many as the surface has terms: a polynomial is
 * fitted to them by least squares (Montgomery, ch. 11), of functions that are orthonormal over the axes' values
 * (Sudret, Global sensitivity analysis using polynomial chaos expansions, Reliability Engineering and System Safety 93,
 * 2008). Its terms are, for an axis of numbers, the value and its square (of three or more positive values their
 * logarithms, if these are spaced more evenly, as those of sizes are); for any other axis, each value by itself; for a
 * pair of axes, the products of these without squares. If there are too few points, pairs are left out, then squares,
 * and `log` says so. The share of the rest is what a surface fitted without a point misses of that point (PRESS), at
 * most 1; the other shares add up to what is left. Means are those of the surface over all combinations. Wrong views,
 * metrics and conditions are WS_ERROR_USAGE. */
bool ws_effects(ws_store *store, const ws_effects_query *query, ws_query_format format, FILE *out, FILE *log,
                ws_error *err);

/* ---- figures
 * A figure is two files of one folder: NAME.sql, whose first comment line is its title and whose result has
 * the columns panel, series and then numbers; and NAME.gp, which draws one page of it with gnuplot
 * (plots/README.md). A query alone will do: curves.gp of the folder draws its first number along x and its
 * second along y, or bars.gp the numbers of each row, behind its name, as a group of bars. */

enum { WS_FIGURE_PANELS_MAX = 12 }; /* on one page */

typedef struct ws_figure {
    char *name, *title;
} ws_figure;

/* The figures of a folder by name. Free with ws_figures_free(). */
bool ws_figures(const char *folder, ws_figure **figures, size_t *count, ws_error *err);
void ws_figures_free(ws_figure *figures, size_t count);

/* Whether the database has everything that the figure's query asks for: the views of the sweep that it needs. */
bool ws_figure_fits(ws_store *store, const char *folder, const char *name);
/* Moves the figures that fit the database to the front, keeping the order of each part; returns their number. */
size_t ws_figures_fitting(ws_store *store, const char *folder, ws_figure *figures, size_t count);

/* Whether gnuplot is installed and runs. */
bool ws_can_plot(ws_error *err);

/* Draws figure `name`, one of the folder or the path of a query (.sql), into `path` (.svg, .png or .pdf); with
 * more panels than fit on a page, page 2 goes to FILE-2.svg and so on. `subject` is put before the title; NULL: nothing
 * is. Calls `written` (may be NULL) with the path of each page. Writes to `log` (may be NULL) which further pages an
 * earlier figure has left, and if most of the figure's numbers are unknown. Needs gnuplot. A file appears only when it
 * is complete, and replaces nothing but a picture. */
bool ws_plot(ws_store *store, const char *folder, const char *name, const char *subject, const char *path,
             FILE *log, void (*written)(void *context, const char *path), void *context, ws_error *err);

/* Lets ws_plot() draw a figure from other rows, until the store is closed: those of `sweep` (NULL: of the sweep that
 * its query names), for which the SQL condition `where` holds (NULL: all), whose subqueries read all rows. Parameters
 * that the query asks for and that are no axes of `sweep` have the value of all its points, unless they have no effect
 * in any of these. Writes to `log` (may be NULL) whose labels those of the figure are, if `sweep` is another.
 * `*subject`: what the title has to say of it, "where CONDITION, SWEEP in place of NAME", a heap string; NULL if there
 * is nothing to say. WS_ERROR_USAGE if views lack what the query or the condition reads; if the query reads views as
 * main.NAME; for `sweep`, if it reads several sweeps; for `where`, if it reads no view of a sweep. */
bool ws_plot_rows(ws_store *store, const char *folder, const char *name, const char *sweep, const char *where,
                  FILE *log, char **subject, ws_error *err);

/* Draws the rows of ws_effects() with `values`, as ws_plot() does: a panel for each axis, titled with its share, all to
 * one scale. Needs effects.gp in the folder. */
bool ws_plot_effects(ws_store *store, const char *folder, const ws_effects_query *query, const char *path,
                     FILE *log, void (*written)(void *context, const char *path), void *context,
                     ws_error *err);

/* ---- the page of a database */

/* The figures of a page: those of `folder` that the database has the rows for, and before them `own` queries, FILE.sql,
 * as ws_plot() draws them, each file once. */
typedef struct ws_report_figures {
    const char *folder;
    const char *const *own;
    size_t own_count;
} ws_report_figures;

/* Writes an HTML page that needs no other file. First come the figures (needs gnuplot; NULL: none are drawn); then, for
 * each sweep, its purpose, how many of its points are done, why others failed, its axes, their effects on the speedup
 * and the best settings (if it has a baseline), its columns with unit, meaning and extremes, and its runs. A part for
 * which the database lacks a view or values says so in its place, but an own query that cannot be drawn is an error.
 * `told` (may be NULL) is called before each figure. */
bool ws_report(ws_store *store, const char *title, const ws_report_figures *figures, FILE *out,
               void (*told)(void *context, size_t drawn, size_t figures), void *context, ws_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
