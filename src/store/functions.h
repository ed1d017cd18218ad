/* SQL functions of every connection: geomean(x), geomean_left_out(x), median(x), quantile(x, p), the bounds of a mean:
 * geomean_low(x), geomean_high(x), avg_low(x), avg_high(x), and the correlations pearson(x, y) and spearman(x, y).
 *
 * All aggregate over the values that are not NULL. geomean() is over the strictly positive ones and
 * geomean_left_out() counts the others; quantile() interpolates linearly between order statistics (p from 0 to 1;
 * median is p = 0.5). Without values the count is 0 and the rest NULL. Results do not depend on the order of rows.
 *
 * Bounds are those of the 95 % percentile bootstrap interval (Efron and Tibshirani, An Introduction to the Bootstrap,
 * 13.3): 2000 samples, each of as many values as there are, are drawn with replacement, always in the same way; 2.5 %
 * of their means lie below the lower bound, and as many above the upper one. NULL for fewer than two values.
 *
 * Correlations range from -1 to 1, over the rows in which neither value is NULL. spearman() is the correlation of ranks
 * (equal values share their mean rank), and so asks whether one value grows with the other, linearly or not. NULL if
 * one of the two does not vary. */
#ifndef WS_STORE_FUNCTIONS_H
#define WS_STORE_FUNCTIONS_H

#include <sqlite3.h>

/* Registers them; returns SQLite's result code. */
int ws_store_functions(sqlite3 *db);

#endif
