/* SQL functions of every connection: geomean(x), geomean_left_out(x), median(x), quantile(x, p).
 *
 * All aggregate over the values that are not NULL. geomean() is over the strictly positive ones and
 * geomean_left_out() counts the others; quantile() interpolates linearly between order statistics (p from 0 to 1;
 * median is p = 0.5). Of no values the count is 0 and the rest NULL. Results do not depend on the order of rows. */
#ifndef WS_STORE_FUNCTIONS_H
#define WS_STORE_FUNCTIONS_H

#include <sqlite3.h>

/* SQLite's result code. */
int ws_store_functions(sqlite3 *db);

#endif
