#include "store/functions.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The values of one group, as SQLite keeps it between the steps of an aggregate. After an error in a step SQLite
 * abandons the statement, and calls the final function only to clean up. */
typedef struct sample {
    double *values;
    size_t count, capacity;
    double p; /* quantile's second argument */
} sample;

static bool append(sample *s, double value) {
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? s->capacity * 2 : 64;
        double *values = realloc(s->values, capacity * sizeof *values);
        if (!values) return false;
        s->values = values;
        s->capacity = capacity;
    }
    s->values[s->count++] = value;
    return true;
}

/* Takes one argument into the group's sample; NULLs are passed over. */
static sample *collect(sqlite3_context *context, sqlite3_value *value) {
    sample *s = sqlite3_aggregate_context(context, sizeof *s);
    int type = sqlite3_value_type(value);
    if (s && type == SQLITE_NULL) return s;
    if (s && type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        sqlite3_result_error(context, "expected numbers to aggregate, found a text", -1);
    else if (!s || !append(s, sqlite3_value_double(value)))
        sqlite3_result_error_nomem(context);
    return s;
}

static void step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    collect(context, argv[0]);
}

static void quantile_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    sample *s = collect(context, argv[0]);
    int type = sqlite3_value_type(argv[1]);
    double p = sqlite3_value_double(argv[1]);
    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || p < 0 || p > 1)
        sqlite3_result_error(context, "quantile(x, p): expected p from 0 to 1", -1);
    else if (s)
        s->p = p;
}

/* The group's values in ascending order; an empty sample when there is no row. */
static sample finished(sqlite3_context *context) {
    sample *s = sqlite3_aggregate_context(context, 0);
    if (!s || s->count == 0) return (sample){0};
    gsl_sort(s->values, 1, s->count);
    return *s;
}

static void geomean_final(sqlite3_context *context) {
    sample s = finished(context);
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++) {
        if (!(s.values[i] > 0)) continue;
        sum += log(s.values[i]);
        count++;
    }
    if (count) sqlite3_result_double(context, exp(sum / (double)count));
    free(s.values);
}

static void left_out_final(sqlite3_context *context) {
    sample s = finished(context);
    sqlite3_int64 count = 0;
    for (size_t i = 0; i < s.count; i++) count += !(s.values[i] > 0);
    sqlite3_result_int64(context, count);
    free(s.values);
}

static void quantile_of(sqlite3_context *context, sample s, double p) {
    if (s.count) sqlite3_result_double(context, gsl_stats_quantile_from_sorted_data(s.values, 1, s.count, p));
    free(s.values);
}

static void quantile_final(sqlite3_context *context) {
    sample s = finished(context);
    quantile_of(context, s, s.p);
}

static void median_final(sqlite3_context *context) {
    quantile_of(context, finished(context), 0.5);
}

int ws_store_functions(sqlite3 *db) {
    static const struct {
        const char *name;
        int arguments;
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } functions[] = {
        {"geomean", 1, step, geomean_final},
        {"geomean_left_out", 1, step, left_out_final},
        {"median", 1, step, median_final},
        {"quantile", 2, quantile_step, quantile_final},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        int rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
                                            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, NULL,
                                            functions[i].step, functions[i].final, NULL);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}
