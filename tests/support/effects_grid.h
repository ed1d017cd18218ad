/* A database with the view of a sweep over a grid, for ws_effects(); and what an analysis of variance is by
 * definition. */
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

unsigned grid_level(const grid *g, unsigned point, unsigned axis);
grid grid_make(unsigned axes, const unsigned *levels, unsigned kernels);

/* ---- the database: views s_by_kernel and s of t (trace, kernel, a, b, c_c, d, m, launch), and s_speedup without
 * kernels */

extern ws_error grid_err;

int grid_open(void **state);
int grid_close(void **state);

/* Runs SQL of sqlite3_mprintf(). */
void grid_sql(char *sql);

/* Levels of a, c.c and d are numbers from 8 on, those of b texts; values of 10, 11 .. come before 9 as texts. */
void grid_store(const grid *g);

/* The answer as JSON; NULL after an error. `told`: to be freed. */
json_t *grid_ask(const ws_effects_query *query, char **told);

const json_t *grid_row(const json_t *answer, const char *axis);
double grid_value(const json_t *row, const char *column);

/* ---- the definition */

/* Of an axis, or of two beyond what each does; b = -1: none. Mean of the kernels. */
double grid_naive_share(const grid *g, int a, int b);
/* From the level with the lowest mean to this one; and to that with the highest. */
double grid_naive_rise(const grid *g, int axis, unsigned level);
double grid_naive_span(const grid *g, int axis);

void expect_near(double found, double expected);

#endif
