/* A database with the views of a sweep over a grid, for ws_effects(); and its naive twin, which computes an analysis of
 * variance by its definition, from means over points. */
#ifndef TESTS_EFFECTS_GRID_H
#define TESTS_EFFECTS_GRID_H

#include "store/sqlite.h"
#include "warpsweep/report.h"

#include <jansson.h>

enum { AXES = 4, LEVELS = 4, KERNELS = 4, POINTS = LEVELS * LEVELS * LEVELS * LEVELS };

/* A complete grid of `axes` axes; metric[kernel][combination], the last axis runs fastest. */
typedef struct grid {
    unsigned axes, levels[AXES], kernels, points;
    double metric[KERNELS][POINTS];
} grid;

/* The level (from 0) of an axis at a point. */
unsigned grid_level(const grid *g, unsigned point, unsigned axis);
grid grid_make(unsigned axes, const unsigned *levels, unsigned kernels);

/* ---- the database: the table t (trace, kernel, a, b, c_c, d, m, launch), its views s_by_kernel and s, and the view
 * s_speedup, which has no kernels */

extern ws_error grid_err;

int grid_open(void **state);
int grid_close(void **state);

/* Runs SQL that sqlite3_mprintf() returned, and frees it; fails the test on errors. */
void grid_sql(char *sql);

/* Fills t with the grid. Levels of a, c.c and d are the numbers 8, 9, 10 .., of which 10 would come before 9 if they
 * were sorted as texts; levels of b are texts. */
void grid_store(const grid *g);

/* Returns the answer as JSON; NULL after an error (grid_err). `told` receives what ws_effects() logs; the caller frees
 * it. */
json_t *grid_ask(const ws_effects_query *query, char **told);

const json_t *grid_row(const json_t *answer, const char *axis);
double grid_value(const json_t *row, const char *column);

/* ---- the definition */

/* The share of the variance within kernels that axis `a` explains, or, unless b is -1, that a and b explain together
 * beyond what each explains alone. */
double grid_naive_share(const grid *g, int a, int b);
/* The mean of the metric at this level less the lowest mean at any level of the axis. */
double grid_naive_rise(const grid *g, int axis, unsigned level);
/* The largest rise of the axis. */
double grid_naive_span(const grid *g, int axis);

void expect_near(double found, double expected);

#endif
