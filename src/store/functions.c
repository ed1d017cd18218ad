#include "store/functions.h"

#include "base/room.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The values of one group, as SQLite keeps it between the steps of an aggregate. After an error in a step, which leaves
 * no values, SQLite abandons the statement, and calls the final function only to clean up. */
typedef struct sample {
    double *values;
    size_t count, room;
    double p; /* quantile's second argument, once there was a row */
    bool has_p;
} sample;

static bool append(sample *s, double value) {
    if (!WS_ROOM_FOR(s->values, s->room, s->count + 1)) return false;
    s->values[s->count++] = value;
    return true;
}

/* Adds an argument to the group's sample, unless it is NULL. Returns the sample; NULL after an error. */
static sample *collect(sqlite3_context *context, sqlite3_value *value) {
    sample *s = sqlite3_aggregate_context(context, sizeof *s);
    int type = sqlite3_value_type(value);
    if (s && type == SQLITE_NULL) return s;
    if (s && type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        sqlite3_result_error(context, "expected numbers to aggregate, found a text", -1);
    else if (s && append(s, sqlite3_value_double(value)))
        return s;
    else
        sqlite3_result_error_nomem(context);
    if (s) s->count = 0;
    return NULL;
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
    else if (s && s->has_p && s->p != p)
        sqlite3_result_error(context, "quantile(x, p): expected the same p in all rows of a group", -1);
    else if (s)
        s->p = p, s->has_p = true;
}

/* The group's values in ascending order, which the caller frees; an empty sample if there are none. */
static sample finished(sqlite3_context *context) {
    sample *s = sqlite3_aggregate_context(context, 0);
    if (!s) return (sample){0};
    if (s->count) gsl_sort(s->values, 1, s->count);
    return *s;
}

/* The logarithms of the positive values, in place; the others are left out. */
static sample logarithms(sample s) {
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++)
        if (s.values[i] > 0) s.values[count++] = log(s.values[i]);
    s.count = count;
    return s;
}

static double mean_of(const sample *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += s->values[i];
    return sum / (double)s->count;
}

static void geomean_final(sqlite3_context *context) {
    sample s = logarithms(finished(context));
    if (s.count) sqlite3_result_double(context, exp(mean_of(&s)));
    free(s.values);
}

static void left_out_final(sqlite3_context *context) {
    sample s = finished(context);
    sqlite3_int64 count = 0;
    for (size_t i = 0; i < s.count; i++) count += !(s.values[i] > 0);
    sqlite3_result_int64(context, count);
    free(s.values);
}

/* Interpolates between two values, but not where it meets one: the other, which may be infinite, must not matter. */
static double quantile_from_sorted(const double *values, size_t count, double p) {
    const double place = p * (double)(count - 1), share = place - floor(place);
    const double *at = values + (size_t)place;
    return share > 0 && at[0] < at[1] ? (1 - share) * at[0] + share * at[1] : at[0];
}

static void quantile_of(sqlite3_context *context, sample s, double p) {
    if (s.count) sqlite3_result_double(context, quantile_from_sorted(s.values, s.count, p));
    free(s.values);
}

static void quantile_final(sqlite3_context *context) {
    sample s = finished(context);
    quantile_of(context, s, s.p);
}

static void median_final(sqlite3_context *context) {
    quantile_of(context, finished(context), 0.5);
}

/* Scales values by a power of two, which is exact, so that the largest is about 1: the squares of very large ones, or
 * of very small ones, would leave the range of numbers. Returns the exponent that scales back. */
static int scale(double *values, size_t stride, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i * stride]));
    const int exponent = largest > 0 && isfinite(largest) ? ilogb(largest) : 0;
    for (size_t i = 0; i < count; i++) values[i * stride] = scalbn(values[i * stride], -exponent);
    return exponent;
}

/* ---- bounds of means */

static const double low = 0.025, high = 0.975;

/* The bound below which the mean lies with probability `p`; NaN for fewer than two values. Frees the values. Student's
 * t holds for any number of values: among so few, means of draws with replacement (the bootstrap) stay too close to
 * their own, and never leave the values' range, beyond which a normal mean lies in half of all pairs. */
static double bound_of_mean(sample s, double p) {
    double bound = NAN;
    if (s.count >= 2) {
        const int exponent = scale(s.values, 1, s.count);
        const double mean = mean_of(&s), count = (double)s.count;
        const double error = gsl_stats_sd_m(s.values, 1, s.count, mean) / sqrt(count);
        bound = scalbn(mean + gsl_cdf_tdist_Pinv(p, count - 1) * error, exponent);
    }
    free(s.values);
    return bound;
}

/* SQLite turns NaN into NULL. */
static void avg_low_final(sqlite3_context *context) {
    sqlite3_result_double(context, bound_of_mean(finished(context), low));
}

static void avg_high_final(sqlite3_context *context) {
    sqlite3_result_double(context, bound_of_mean(finished(context), high));
}

static void geomean_low_final(sqlite3_context *context) {
    sqlite3_result_double(context, exp(bound_of_mean(logarithms(finished(context)), low)));
}

static void geomean_high_final(sqlite3_context *context) {
    sqlite3_result_double(context, exp(bound_of_mean(logarithms(finished(context)), high)));
}

/* ---- two values of each row */

/* Adds a row's pair of values, one behind the other, unless one of them is NULL. */
static void pair_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL || sqlite3_value_type(argv[1]) == SQLITE_NULL) return;
    if (collect(context, argv[0])) collect(context, argv[1]);
}

static int by_values(const void *a, const void *b) {
    const double *x = a, *y = b;
    int by_first = (x[0] > y[0]) - (x[0] < y[0]);
    return by_first ? by_first : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The pairs, sorted so that the order of rows does not matter; an empty sample if there are none. The caller frees its
 * values. */
static sample finished_pairs(sqlite3_context *context) {
    sample *s = sqlite3_aggregate_context(context, 0);
    if (!s) return (sample){0};
    if (s->count) qsort(s->values, s->count / 2, 2 * sizeof *s->values, by_values);
    return *s;
}

/* NaN if one of the values does not vary; SQLite turns it into NULL. Rounding may leave others just outside of -1 to
 * 1. */
static void put_correlation(sqlite3_context *context, double r) {
    sqlite3_result_double(context, r > 1 ? 1 : r < -1 ? -1 : r);
}

static void pearson_final(sqlite3_context *context) {
    sample s = finished_pairs(context);
    const size_t pairs = s.count / 2;
    if (pairs) {
        scale(s.values, 2, pairs);
        scale(s.values + 1, 2, pairs);
        put_correlation(context, gsl_stats_correlation(s.values, 2, s.values + 1, 2, pairs));
    }
    free(s.values);
}

static void spearman_final(sqlite3_context *context) {
    sample s = finished_pairs(context);
    double *ranks = calloc(s.count ? s.count : 1, sizeof *ranks);
    if (!ranks)
        sqlite3_result_error_nomem(context);
    else if (s.count)
        put_correlation(context, gsl_stats_spearman(s.values, 2, s.values + 1, 2, s.count / 2, ranks));
    free(ranks);
    free(s.values);
}

/* ---- all of them */

#define BOUND_OF(side, mean) side " bound of the 95 % interval of the " mean " (Student's t, "
#define MEAN_BOUND(side)                                                                                     \
    BOUND_OF(side, "mean") "for values that scatter normally); NULL for fewer than two values."
#define GEOMEAN_BOUND(side)                                                                                  \
    BOUND_OF(side, "geometric mean of the values above 0")                                                   \
    "for logarithms that scatter normally); NULL for fewer than two of them."

const ws_sql_function ws_sql_functions[] = {
    {"geomean", "x", 1, step, geomean_final,
     "Geometric mean of the values above 0. Others are left out, as a logarithm asks: geomean_left_out(x) "
     "counts them. NULL without values."},
    {"geomean_left_out", "x", 1, step, left_out_final,
     "How many values are 0 or less, which geomean(x) leaves out."},
    {"median", "x", 1, step, median_final, "The median: quantile(x, 0.5)."},
    {"quantile", "x, p", 2, quantile_step, quantile_final,
     "The value below which a share p (0 to 1) of the values lies; between two values it is interpolated. p "
     "is the same in all rows of a group."},
    {"avg_low", "x", 1, step, avg_low_final, MEAN_BOUND("Lower")},
    {"avg_high", "x", 1, step, avg_high_final, MEAN_BOUND("Upper")},
    {"geomean_low", "x", 1, step, geomean_low_final, GEOMEAN_BOUND("Lower")},
    {"geomean_high", "x", 1, step, geomean_high_final, GEOMEAN_BOUND("Upper")},
    {"pearson", "x, y", 2, pair_step, pearson_final,
     "Correlation of two values of each row, -1 to 1; NULL if one of them does not vary. Rows with a NULL "
     "do not count."},
    {"spearman", "x, y", 2, pair_step, spearman_final,
     "Correlation of the values' ranks, -1 to 1: whether one grows with the other, linearly or not; equal "
     "values share their mean rank. NULL if one of them does not vary. Rows with a NULL do not count."},
    {.name = NULL},
};

int ws_store_functions(sqlite3 *db) {
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++) {
        int rc = sqlite3_create_function_v2(db, f->name, f->argument_count,
                                            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, NULL,
                                            f->step, f->final, NULL);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}
