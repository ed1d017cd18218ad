/* SQL functions of every connection. All are aggregates over the values that are not NULL, and their results do not
 * depend on the order of rows; `ws_sql_functions` says what each is.
 *
 * quantile() interpolates linearly between order statistics; median() is its p = 0.5. Bounds are those of the 95 %
 * confidence interval of the mean (Montgomery, Design and Analysis of Experiments, ch. 2): standard errors times the
 * 97.5 % quantile of Student's t distribution (GSL manual, Random Number Distributions), with one degree of freedom
 * less than there are values, to both sides of it. So two values of a normal distribution, too, have its mean between
 * their bounds in 95 % of cases: these lie 12.7 standard errors off. For geometric means the same holds of logarithms.
 * Correlations are over the rows in which neither value is NULL. */
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
