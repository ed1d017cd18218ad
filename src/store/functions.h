/* SQL functions of every connection. All are aggregates over the values that are not NULL, and their results do not
 * depend on the order of rows; `ws_sql_functions` says what each is.
 *
 * quantile() interpolates linearly between order statistics; median() is its p = 0.5. Bounds are those of the 95 %
 * percentile bootstrap interval (Efron and Tibshirani, An Introduction to the Bootstrap, 13.3): 2000 samples, each of
 * as many values as there are, are drawn with replacement, always in the same way; 2.5 % of their means lie below the
 * lower bound, and as many above the upper one. Correlations are over the rows in which neither value is NULL. */
#ifndef WS_STORE_FUNCTIONS_H
#define WS_STORE_FUNCTIONS_H

#include <sqlite3.h>

typedef struct ws_sql_function {
    const char *name;
    const char *arguments; /* "x, p" */
    int argument_count;
    void (*step)(sqlite3_context *context, int argc, sqlite3_value **argv);
    void (*final)(sqlite3_context *context);
    const char *help;
} ws_sql_function;

/* Ends with a NULL name. */
extern const ws_sql_function ws_sql_functions[];

/* Registers them; returns SQLite's result code. */
int ws_store_functions(sqlite3 *db);

#endif
