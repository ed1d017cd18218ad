/* Effects of axes when the points are a sample: a polynomial is fitted to each kernel's points, of functions that are
 * orthonormal over the axes' values. Its variance over all combinations is then the sum of the squares of its
 * coefficients, each of which belongs to one axis or to two. */
#include "base/array.h"
#include "base/gsl.h"
#include "base/room.h"
#include "report/effects/effects.h"
#include "report/statement.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions of an axis' level: `count` for the axis by itself, the first `paired` of which are also multiplied with
 * those of other axes. */
typedef struct basis {
    size_t levels, count, paired;
    sqlite3_value **values; /* of the levels */
    double *at;             /* [function][level] */
} basis;

typedef struct term {
    int a, b; /* axes; b = -1: a alone */
    size_t function_a, function_b;
} term;

typedef struct surface {
    effects *f;
    basis bases[WS_EFFECTS_AXES_MAX];
    size_t count;    /* of points, which are sorted by kernel */
    int64_t *k;      /* each point's kernel */
    uint32_t *level; /* of each point and axis */
    double *y;       /* each point's metric */
    term *terms;
    size_t term_count;
    bool squares, pairs;
} surface;

/* Steps the statement. Returns whether there is a row; a failure sets the error and makes `*ok` false. */
static bool next_row(const surface *s, sqlite3_stmt *row, bool *ok, ws_error *err) {
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE) *ok = ws_statement_failed(s->f->db, err);
    return code == SQLITE_ROW;
}

static void surface_free(surface *s) {
    for (unsigned i = 0; i < s->f->count; i++) {
        basis *b = &s->bases[i];
        for (size_t l = 0; b->values && l < b->levels; l++) sqlite3_value_free(b->values[l]);
        free(b->values);
        free(b->at);
    }
    free(s->k);
    free(s->level);
    free(s->y);
    free(s->terms);
}

/* ---- functions of an axis */

static bool is_number(sqlite3_value *value) {
    int type = sqlite3_value_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* Where the middle level lies between the lowest (0) and the highest (1). */
static double middle_of(const double *levels, size_t count) {
    double middle = (levels[(count - 1) / 2] + levels[count / 2]) / 2;
    return (middle - levels[0]) / (levels[count - 1] - levels[0]);
}

/* The levels, which ascend, as numbers, or as their logarithms if these are spaced more evenly, as those of sizes
 * are. `logarithms`: scratch. */
static void numbers_of(const basis *b, double *numbers, double *logarithms) {
    for (size_t l = 0; l < b->levels; l++) numbers[l] = sqlite3_value_double(b->values[l]);
    if (numbers[0] <= 0 || b->levels < 3) return;
    for (size_t l = 0; l < b->levels; l++) logarithms[l] = log2(numbers[l]);
    if (fabs(middle_of(logarithms, b->levels) - 0.5) < fabs(middle_of(numbers, b->levels) - 0.5))
        memcpy(numbers, logarithms, b->levels * sizeof *numbers);
}

/* Makes the last function orthogonal to the others and to a constant, twice because of rounding, and scales it to a
 * mean square of 1. */
static void orthonormalise(basis *b) {
    double *last = b->at + b->count * b->levels, square = 0;
    for (int round = 0; round < 2; round++) {
        double mean = 0;
        for (size_t l = 0; l < b->levels; l++) mean += last[l] / (double)b->levels;
        for (size_t l = 0; l < b->levels; l++) last[l] -= mean;
        for (size_t i = 0; i < b->count; i++) {
            const double *other = b->at + i * b->levels;
            double common = 0;
            for (size_t l = 0; l < b->levels; l++) common += last[l] * other[l] / (double)b->levels;
            for (size_t l = 0; l < b->levels; l++) last[l] -= common * other[l];
        }
    }
    for (size_t l = 0; l < b->levels; l++) square += last[l] * last[l] / (double)b->levels;
    for (size_t l = 0; l < b->levels; l++) last[l] /= sqrt(square);
    b->count++;
}

/* Numbers get a first and, with three levels or more, a second power; texts get a function for each value but one. */
static bool make_basis(basis *b, ws_error *err) {
    bool numbers = true;
    for (size_t l = 0; l < b->levels; l++) numbers &= is_number(b->values[l]);
    size_t count = numbers && b->levels > 3 ? 2 : b->levels - 1;
    double *x = calloc(2 * b->levels, sizeof *x);
    b->at = calloc(count * b->levels, sizeof *b->at);
    if (!x || !b->at) {
        free(x);
        return ws_no_memory(err);
    }
    if (numbers) numbers_of(b, x, x + b->levels);
    double middle = (x[0] + x[b->levels - 1]) / 2; /* powers of numbers around 0 differ most */
    while (b->count < count) {
        double *next = b->at + b->count * b->levels;
        for (size_t l = 0; l < b->levels; l++)
            next[l] = numbers ? pow(x[l] - middle, (double)b->count + 1) : l == b->count;
        orthonormalise(b);
    }
    b->paired = numbers ? 1 : count;
    free(x);
    return true;
}

static bool read_levels(surface *s, unsigned axis, ws_error *err) {
    basis *b = &s->bases[axis];
    sqlite3_stmt *row = NULL;
    size_t room = 0;
    char *sql = sqlite3_mprintf("SELECT DISTINCT v%u FROM effect_point ORDER BY 1", s->f->axes[axis].column);
    bool ok = sql ? (row = ws_statement_prepare(s->f->db, sql, err)) != NULL : ws_no_memory(err);
    while (ok && next_row(s, row, &ok, err)) {
        if (!(ok = WS_ROOM_FOR(b->values, room, b->levels + 1) || ws_no_memory(err))) break;
        b->values[b->levels] = sqlite3_value_dup(sqlite3_column_value(row, 0));
        ok = b->values[b->levels++] || ws_no_memory(err);
    }
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return ok && make_basis(b, err);
}

/* ---- points */

static char *select_points(const effects *f) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendall(sql, "SELECT k, y");
    for (unsigned i = 0; i < f->count; i++)
        sqlite3_str_appendf(sql, ", dense_rank() OVER (ORDER BY v%u) - 1", f->axes[i].column);
    sqlite3_str_appendall(sql, " FROM effect_point ORDER BY k");
    for (unsigned i = 0; i < f->count; i++) sqlite3_str_appendf(sql, ", v%u", f->axes[i].column);
    return sqlite3_str_finish(sql);
}

static bool read_points(surface *s, ws_error *err) {
    const effects *f = s->f;
    int64_t count;
    if (!ws_store_number(f->store, sqlite3_mprintf("SELECT count(*) FROM effect_point"), "counting points",
                         &count, err))
        return false;
    s->k = calloc((size_t)count, sizeof *s->k);
    s->y = calloc((size_t)count, sizeof *s->y);
    s->level = calloc((size_t)count * f->count, sizeof *s->level);
    char *sql = select_points(f);
    sqlite3_stmt *row = NULL;
    bool ok = s->k && s->y && s->level && sql ? (row = ws_statement_prepare(f->db, sql, err)) != NULL
                                              : ws_no_memory(err);
    while (ok && next_row(s, row, &ok, err)) {
        s->k[s->count] = sqlite3_column_int64(row, 0);
        s->y[s->count] = sqlite3_column_double(row, 1);
        for (unsigned i = 0; i < f->count; i++)
            s->level[s->count * f->count + i] = (uint32_t)sqlite3_column_int64(row, 2 + (int)i);
        s->count++;
    }
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return ok;
}

static size_t points_of_kernel(const surface *s, size_t first) {
    size_t end = first;
    while (end < s->count && s->k[end] == s->k[first]) end++;
    return end - first;
}

/* ---- terms */

/* The number of an axis' functions that are used: without squares, if there are too few points for them. */
static size_t used(const surface *s, unsigned axis) {
    const basis *b = &s->bases[axis];
    return s->squares ? b->count : b->paired;
}

static size_t count_terms(const surface *s) {
    size_t count = 0, paired = 0;
    for (unsigned i = 0; i < s->f->count; i++) {
        count += used(s, i);
        if (s->pairs) count += paired * s->bases[i].paired;
        paired += s->bases[i].paired;
    }
    return count;
}

static void add_term(surface *s, int a, int b, size_t function_a, size_t function_b) {
    s->terms[s->term_count++] = (term){a, b, function_a, function_b};
}

static bool list_terms(surface *s, ws_error *err) {
    int axes = (int)s->f->count;
    free(s->terms);
    s->term_count = 0;
    s->terms = calloc(count_terms(s), sizeof *s->terms);
    if (!s->terms) return ws_no_memory(err);
    for (int a = 0; a < axes; a++)
        for (size_t i = 0; i < used(s, (unsigned)a); i++) add_term(s, a, -1, i, 0);
    for (int a = 0; s->pairs && a < axes; a++)
        for (int b = a + 1; b < axes; b++)
            for (size_t i = 0; i < s->bases[a].paired; i++)
                for (size_t j = 0; j < s->bases[b].paired; j++) add_term(s, a, b, i, j);
    return true;
}

static double value_of(const surface *s, const term *t, size_t point) {
    const basis *a = &s->bases[t->a], *b = t->b < 0 ? NULL : &s->bases[t->b];
    const uint32_t *level = &s->level[point * s->f->count];
    double value = a->at[t->function_a * a->levels + level[t->a]];
    return b ? value * b->at[t->function_b * b->levels + level[t->b]] : value;
}

/* ---- the equations of one kernel */

typedef struct fit {
    gsl_matrix *x;      /* points x (a constant, terms) */
    gsl_matrix *normal; /* X'X, then its Cholesky factor */
    gsl_vector *coefficient, *row, *work;
    double variance; /* of the points */
    double left;     /* the share of it that is not explained */
} fit;

static void fit_free(fit *t) {
    gsl_matrix_free(t->x);
    gsl_matrix_free(t->normal);
    gsl_vector_free(t->coefficient);
    gsl_vector_free(t->row);
    gsl_vector_free(t->work);
}

static bool fit_new(fit *t, size_t points, size_t columns, ws_error *err) {
    *t = (fit){gsl_matrix_alloc(points, columns),
               gsl_matrix_calloc(columns, columns),
               gsl_vector_alloc(columns),
               gsl_vector_alloc(columns),
               gsl_vector_alloc(3 * columns),
               0,
               0};
    return (t->x && t->normal && t->coefficient && t->row && t->work) || ws_no_memory(err);
}

/* Sets the normal equations up, which are nearly diagonal if points are spread evenly, and factors their matrix. False:
 * the points do not tell the terms apart. */
static bool factor(const surface *s, fit *t, size_t first) {
    for (size_t i = 0; i < t->x->size1; i++) {
        gsl_matrix_set(t->x, i, 0, 1);
        for (size_t c = 0; c < s->term_count; c++)
            gsl_matrix_set(t->x, i, c + 1, value_of(s, &s->terms[c], first + i));
    }
    double condition = 0;
    gsl_blas_dsyrk(CblasLower, CblasTrans, 1, t->x, 0, t->normal);
    return gsl_linalg_cholesky_decomp1(t->normal) == GSL_SUCCESS &&
           gsl_linalg_cholesky_rcond(t->normal, &condition, t->work) == GSL_SUCCESS && condition >= 1e-9;
}

/* Whether the points of each kernel tell the terms apart. */
static bool tells_apart(const surface *s, bool *apart, ws_error *err) {
    *apart = true;
    for (size_t first = 0, points; *apart && first < s->count; first += points) {
        points = points_of_kernel(s, first);
        fit t;
        bool ok = fit_new(&t, points, s->term_count + 1, err);
        *apart = ok && factor(s, &t, first);
        fit_free(&t);
        if (!ok) return false;
    }
    return true;
}

/* ---- the choice of terms */

static size_t fewest_points(const surface *s) {
    size_t least = s->count;
    for (size_t first = 0; first < s->count; first += points_of_kernel(s, first))
        if (points_of_kernel(s, first) < least) least = points_of_kernel(s, first);
    return least;
}

static void tell_terms(const surface *s, size_t least) {
    if (s->f->log)
        fprintf(s->f->log, "surface of %zu terms (%s%s), fitted to %zu points of each kernel or more\n",
                s->term_count + 1, s->squares ? "linear, squares" : "linear", s->pairs ? ", pairs" : "",
                least);
}

/* Chooses as many terms as the points can determine: there are two points for each coefficient, including the
 * constant's, and they tell the terms apart. A grid that leaves combinations out may not do so for pairs. */
static bool choose_terms(surface *s, ws_error *err) {
    static const struct { bool squares, pairs; } choices[] = {{true, true}, {true, false}, {false, false}};
    size_t least = fewest_points(s);
    for (size_t i = 0; i < WS_COUNT(choices); i++) {
        bool apart = false;
        s->squares = choices[i].squares, s->pairs = choices[i].pairs;
        if (2 * (count_terms(s) + 1) > least) continue;
        if (!list_terms(s, err) || !tells_apart(s, &apart, err)) return false;
        if (!apart) continue;
        tell_terms(s, least);
        return true;
    }
    if (2 * (count_terms(s) + 1) > least)
        return ws_fail(err, WS_ERROR_USAGE,
                       "view %s: expected at least %zu points of each kernel for a surface over these axes, "
                       "found %zu: leave kernels or values of axes out with a condition (--where), or "
                       "sample more points",
                       s->f->query->view, 2 * (count_terms(s) + 1), least);
    return ws_fail(err, WS_ERROR_USAGE,
                   "view %s: expected points that tell the axes apart, found some axes that vary only "
                   "together: leave values or kernels out with a condition (--where), or sample more points",
                   s->f->query->view);
}

/* ---- one kernel */

static bool no_surface(const surface *s, ws_error *err) {
    return ws_fail(err, WS_ERROR_INTERNAL, "view %s: no surface", s->f->query->view);
}

/* Least squares. */
static bool solve(const surface *s, fit *t, size_t first, ws_error *err) {
    gsl_vector_const_view y = gsl_vector_const_view_array(s->y + first, t->x->size1);
    if (!factor(s, t, first)) return no_surface(s, err);
    gsl_blas_dgemv(CblasTrans, 1, t->x, &y.vector, 0, t->coefficient);
    return gsl_linalg_cholesky_svx(t->normal, t->coefficient) == GSL_SUCCESS || no_surface(s, err);
}

/* Finds the share that is not explained, by predicting each point from a surface fitted to the others (PRESS;
 * Montgomery, 10.7). A point that alone determines a term is predicted by the mean. */
static void find_left(const surface *s, fit *t, size_t first) {
    size_t points = t->x->size1;
    double mean = 0, missed = 0, total = 0;
    for (size_t i = 0; i < points; i++) mean += s->y[first + i] / (double)points;
    for (size_t i = 0; i < points; i++) {
        gsl_vector_const_view row = gsl_matrix_const_row(t->x, i);
        double from_mean = s->y[first + i] - mean, told, weight;
        gsl_blas_ddot(&row.vector, t->coefficient, &told);
        gsl_vector_memcpy(t->row, &row.vector);
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, t->normal, t->row);
        gsl_blas_ddot(t->row, t->row, &weight); /* leverage: the point's weight in its own fit */
        double error = weight < 1 - 1e-9 ? (s->y[first + i] - told) / (1 - weight) : from_mean;
        missed += error * error;
        total += from_mean * from_mean;
    }
    t->variance = total / (double)points;
    t->left = missed < total ? missed / total : 1;
}

static double coefficient(const fit *t, size_t which) {
    return gsl_vector_get(t->coefficient, which + 1);
}

static bool put_kernel(const effects *f, int64_t k, double total, ws_error *err) {
    return ws_store_run(f->store,
                        sqlite3_mprintf("INSERT INTO effect_kernel VALUES (%lld, NULL, " WS_SQL_REAL ")",
                                        (long long)k, total),
                        "keeping effects", err);
}

static bool put_term(const effects *f, int a, int b, int64_t k, double square, ws_error *err) {
    return ws_store_run(f->store,
                        sqlite3_mprintf("INSERT INTO effect_term VALUES (%d, %d, %lld, " WS_SQL_REAL ")", a,
                                        b, (long long)k, square),
                        "keeping effects", err);
}

static bool put_terms(const surface *s, const fit *t, int64_t k, ws_error *err) {
    double all = 0;
    for (size_t c = 0; c < s->term_count; c++) all += coefficient(t, c) * coefficient(t, c);
    double scale = all > 0 ? t->variance * (1 - t->left) / all : 0;
    for (size_t c = 0, end; c < s->term_count; c = end) {
        const term *of = &s->terms[c];
        double square = 0;
        for (end = c; end < s->term_count && s->terms[end].a == of->a && s->terms[end].b == of->b; end++)
            square += coefficient(t, end) * coefficient(t, end);
        if (!put_term(s->f, of->a, of->b, k, square * scale, err)) return false;
    }
    return put_term(s->f, -1, -1, k, t->variance * t->left, err);
}

static double at_level(const surface *s, const fit *t, unsigned axis, size_t level) {
    double sum = 0;
    for (size_t c = 0; c < s->term_count; c++)
        if (s->terms[c].a == (int)axis && s->terms[c].b < 0)
            sum +=
                coefficient(t, c) * s->bases[axis].at[s->terms[c].function_a * s->bases[axis].levels + level];
    return sum;
}

static bool put_levels(const surface *s, const fit *t, unsigned axis, int64_t k, ws_error *err) {
    const basis *b = &s->bases[axis];
    sqlite3_stmt *insert = NULL;
    bool ok = sqlite3_prepare_v2(s->f->db, "INSERT INTO effect_level VALUES (?1, ?2, ?3, ?4)", -1, &insert,
                                 NULL) == SQLITE_OK;
    for (size_t l = 0; ok && l < b->levels; l++) {
        sqlite3_bind_int(insert, 1, (int)axis);
        sqlite3_bind_int64(insert, 3, k);
        sqlite3_bind_double(insert, 4, at_level(s, t, axis, l));
        ok = sqlite3_bind_value(insert, 2, b->values[l]) == SQLITE_OK && sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return ok || ws_statement_failed(s->f->db, err);
}

static bool fit_kernel(const surface *s, size_t first, size_t points, ws_error *err) {
    fit t;
    int64_t k = s->k[first];
    bool ok = fit_new(&t, points, s->term_count + 1, err) && solve(s, &t, first, err);
    if (ok) find_left(s, &t, first);
    ok = ok && put_kernel(s->f, k, t.variance, err) && put_terms(s, &t, k, err);
    for (unsigned i = 0; ok && i < s->f->count; i++) ok = put_levels(s, &t, i, k, err);
    fit_free(&t);
    return ok;
}

bool ws_effects_fit_surface(effects *f, ws_error *err) {
    surface s = {.f = f};
    ws_gsl_handler_off();
    bool ok = true;
    for (unsigned i = 0; ok && i < f->count; i++) ok = read_levels(&s, i, err);
    ok = ok && read_points(&s, err) && choose_terms(&s, err);
    for (size_t first = 0; ok && first < s.count; first += points_of_kernel(&s, first))
        ok = fit_kernel(&s, first, points_of_kernel(&s, first), err);
    surface_free(&s);
    return ok;
}
