/* SQL functions of every connection: geomean(x), geomean_left_out(x), median(x), quantile(x, p), the bounds of a mean:
 * geomean_low(x), geomean_high(x), avg_low(x), avg_high(x), and the correlations pearson(x, y) and spearman(x, y).
 *
 * All aggregate over the values that are not NULL. geomean() is over the strictly positive ones and
 * geomean_left_out() counts the others; quantile() interpolates linearly between order statistics (p from 0 to 1;
 * median is p = 0.5). Of no values the count is 0 and the rest NULL. Results do not depend on the order of rows.
 *
 * Bounds are those of the 95 % percentile bootstrap interval (Efron and Tibshirani, An Introduction to the Bootstrap,
 * 13.3): 2000 times as many values as there are are drawn, with repetition, always the same ones; 2.5 % of their means
 * lie below the lower bound and above the upper one. Of less than two values they are NULL.
 *
 * Correlations are from -1 to 1, over the rows with two values; spearman() is that of ranks, equal values having their
 * mean rank, and so asks whether one grows with the other, in whatever way. NULL where one of the two does not vary. */
#ifndef WS_STORE_FUNCTIONS_H
#define WS_STORE_FUNCTIONS_H

#include <sqlite3.h>

/* SQLite's result code. */
int ws_store_functions(sqlite3 *db);

#endif
