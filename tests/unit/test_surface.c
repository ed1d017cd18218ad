/* Effects from samples: equal to those of a naive surface over all combinations, a least-squares polynomial written
 * down term by term and fitted by elimination; what is left out for want of points; what cannot be told. */
#include "../support/effects_grid.h"
#include "../support/random.h"
#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_state = 11;

/* ---- the naive surface: a constant; for numbers x and x squared; for texts each value but the first; products of
 * pairs */

enum { TERMS_MAX = 64 };

typedef struct plan {
    bool squares, pairs;
    bool powers_of_two; /* axis a is 1, 2, 4 .. */
} plan;

static unsigned own_terms(const grid *g, unsigned point, unsigned axis, bool squares, double *terms) {
    unsigned level = grid_level(g, point, axis), count = 0;
    if (axis == 1) { /* texts */
        for (unsigned l = 1; l < g->levels[axis]; l++) terms[count++] = l == level;
        return count;
    }
    terms[count++] = level;
    if (squares && g->levels[axis] > 2) terms[count++] = level * level;
    return count;
}

static unsigned terms_of(const grid *g, unsigned point, plan p, double *terms) {
    unsigned count = 0;
    terms[count++] = 1;
    for (unsigned a = 0; a < g->axes; a++) count += own_terms(g, point, a, p.squares, terms + count);
    for (unsigned a = 0; p.pairs && a < g->axes; a++)
        for (unsigned b = a + 1; b < g->axes; b++) {
            double of_a[LEVELS], of_b[LEVELS];
            unsigned in_a = own_terms(g, point, a, false, of_a), in_b = own_terms(g, point, b, false, of_b);
            for (unsigned i = 0; i < in_a; i++)
                for (unsigned j = 0; j < in_b; j++) terms[count++] = of_a[i] * of_b[j];
        }
    return count;
}

static void eliminate(double matrix[TERMS_MAX][TERMS_MAX + 1], unsigned n) {
    for (unsigned c = 0; c < n; c++) {
        unsigned best = c;
        for (unsigned r = c; r < n; r++)
            if (fabs(matrix[r][c]) > fabs(matrix[best][c])) best = r;
        for (unsigned i = 0; i <= n; i++) {
            double other = matrix[best][i];
            matrix[best][i] = matrix[c][i];
            matrix[c][i] = other;
        }
        for (unsigned r = 0; r < n; r++) {
            double factor = r == c ? 0 : matrix[r][c] / matrix[c][c];
            for (unsigned i = c; factor != 0 && i <= n; i++) matrix[r][i] -= factor * matrix[c][i];
        }
    }
    for (unsigned r = 0; r < n; r++) matrix[r][n] /= matrix[r][r];
}

/* Tells for each combination the value of the surface that is fitted to the kept points, except point `without`. */
static void naive_fit(const grid *g, const bool *kept, unsigned without, plan p, double *told) {
    static double normal[TERMS_MAX][TERMS_MAX + 1];
    double terms[TERMS_MAX];
    unsigned n = terms_of(g, 0, p, terms);
    memset(normal, 0, sizeof normal);
    for (unsigned point = 0; point < g->points; point++) {
        if (!kept[point] || point == without) continue;
        terms_of(g, point, p, terms);
        for (unsigned r = 0; r < n; r++) {
            for (unsigned c = 0; c < n; c++) normal[r][c] += terms[r] * terms[c];
            normal[r][n] += terms[r] * g->metric[0][point];
        }
    }
    eliminate(normal, n);
    for (unsigned point = 0; point < g->points; point++) {
        terms_of(g, point, p, terms);
        told[point] = 0;
        for (unsigned c = 0; c < n; c++) told[point] += terms[c] * normal[c][n];
    }
}

static double naive_rest(const grid *g, const bool *kept, plan p) {
    double told[POINTS], mean = 0, missed = 0, total = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < g->points; i++)
        if (kept[i]) mean += g->metric[0][i], count++;
    mean /= count;
    for (unsigned i = 0; i < g->points; i++) {
        if (!kept[i]) continue;
        naive_fit(g, kept, i, p, told);
        missed += pow(g->metric[0][i] - told[i], 2);
        total += pow(g->metric[0][i] - mean, 2);
    }
    return fmin(1, missed / total);
}

/* ---- the same from the database */

static void store_sample(const grid *g, const bool *kept, plan p) {
    grid_store(g);
    for (unsigned i = 0; i < g->points; i++)
        if (!kept[i])
            grid_sql(sqlite3_mprintf("DELETE FROM t WHERE a = %u AND b = 'b%02u' AND c_c = %u",
                                     8 + grid_level(g, i, 0), g->axes > 1 ? 8 + grid_level(g, i, 1) : 0,
                                     g->axes > 2 ? 8 + grid_level(g, i, 2) : 0));
    if (p.powers_of_two) grid_sql(sqlite3_mprintf("UPDATE t SET a = 1 << (a - 8)"));
}

static json_t *surface(const char *metric, bool differences, const char *expected) {
    char *told;
    json_t *answer = grid_ask(
        &(ws_effects_query){
            .view = "s_by_kernel", .metric = metric, .differences = differences, .surface = true},
        &told);
    if (!answer) fail_msg("%s", grid_err.text);
    if (!strstr(told, expected)) fail_msg("expected \"%s\" in: %s", expected, told);
    bool misses_most = grid_value(grid_row(answer, "(rest)"), "share") >= 0.505;
    if (misses_most != (strstr(told, "the surface misses ") != NULL))
        fail_msg("expected %s warning in: %s", misses_most ? "a" : "no", told);
    free(told);
    return answer;
}

static void keep_some(const grid *g, unsigned count, bool *kept) {
    unsigned all = 0;
    memset(kept, 0, POINTS * sizeof *kept);
    while (all < count) {
        unsigned i = random_below(&random_state, g->points);
        all += !kept[i];
        kept[i] = true;
    }
}

static void expect_close(double found, double expected) {
    if (!(fabs(found - expected) < 1e-6)) fail_msg("expected %.12g, found %.12g", expected, found);
}

/* The answer is the analysis of variance of the naive surface, scaled by the share that the surface explains. */
static void expect_naive(const grid *g, const bool *kept, plan p, const json_t *answer) {
    static const char *const names[] = {"a", "b", "c.c"};
    grid surface = *g;
    double rest = naive_rest(g, kept, p), sum = 0;
    naive_fit(g, kept, POINTS, p, surface.metric[0]);
    expect_close(grid_value(grid_row(answer, "(rest)"), "share"), rest);
    for (unsigned i = 0; i < g->axes; i++) {
        const json_t *row = grid_row(answer, names[i]);
        expect_close(grid_value(row, "share"), (1 - rest) * grid_naive_share(&surface, (int)i, -1));
        expect_close(grid_value(row, "difference"), grid_naive_span(&surface, (int)i));
        for (unsigned j = i + 1; p.pairs && j < g->axes; j++) {
            char pair[16];
            snprintf(pair, sizeof pair, "%s x %s", names[i], names[j]);
            expect_close(grid_value(grid_row(answer, pair), "share"),
                         (1 - rest) * grid_naive_share(&surface, (int)i, (int)j));
        }
    }
    for (size_t i = 0; i < json_array_size(answer); i++)
        sum += grid_value(json_array_get(answer, i), "share");
    expect_close(sum, 1);
}

/* Makes a metric that varies with each axis and with pairs of axes, and by `noise` besides. */
static void make_metric(grid *g, double noise) {
    double factor[8];
    for (int i = 0; i < 8; i++) factor[i] = random_real(&random_state) - 0.5;
    for (unsigned i = 0; i < g->points; i++) {
        double a = grid_level(g, i, 0), b = grid_level(g, i, 1) == 1, c = grid_level(g, i, 2);
        g->metric[0][i] = factor[0] * a + factor[1] * a * a + factor[2] * b + factor[3] * c +
                          factor[4] * a * b + factor[5] * a * c + factor[6] * b * c +
                          noise * (random_real(&random_state) - 0.5);
    }
}

static void test_definition(void **state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        bool kept[POINTS];
        plan p = {.squares = round % 4 < 3, .pairs = round % 4 < 2, .powers_of_two = round % 3 == 0};
        grid g = grid_make(
            3, (unsigned[]){4, 2 + random_below(&random_state, 3), 2 + random_below(&random_state, 3)}, 1);
        double terms[TERMS_MAX];
        unsigned most = terms_of(&g, 0, (plan){true, true, false}, terms),
                 squares = terms_of(&g, 0, (plan){true, false, false}, terms),
                 count = p.pairs     ? 2 * most
                         : p.squares ? 2 * most - 1
                                     : 2 * squares - 1;
        if (count > g.points) continue;
        make_metric(&g, round % 2 ? 2 : 0.1);
        keep_some(&g, count, kept);
        store_sample(&g, kept, p);
        json_t *answer = surface("m", true,
                                 p.pairs     ? "(linear, squares, pairs)"
                                 : p.squares ? "(linear, squares)"
                                             : "(linear)");
        expect_naive(&g, kept, p, answer);
        json_decref(answer);
    }
}

/* A sample of a polynomial tells all of it: the effects are those of the whole grid. */
static void test_polynomial(void **state) {
    (void)state;
    for (int round = 0; round < 8; round++) {
        bool kept[POINTS];
        grid g = grid_make(3, (unsigned[]){4, 4, 4}, 1);
        make_metric(&g, 0);
        keep_some(&g, 40, kept);
        store_sample(&g, kept, (plan){.powers_of_two = round % 2});
        json_t *answer =
            surface("exp(m)", false, "surface of 15 terms (linear, squares, pairs), fitted to 40 ");
        expect_close(grid_value(grid_row(answer, "(rest)"), "share"), 0);
        expect_close(grid_value(grid_row(answer, "a"), "share"), grid_naive_share(&g, 0, -1));
        expect_close(grid_value(grid_row(answer, "b x c.c"), "share"), grid_naive_share(&g, 1, 2));
        expect_close(log(grid_value(grid_row(answer, "c.c"), "ratio")), grid_naive_span(&g, 2));
        json_decref(answer);
    }
}

/* Kernels count by what they vary, as in a grid. */
static void test_kernels_that_vary_more(void **state) {
    (void)state;
    grid g = grid_make(3, (unsigned[]){4, 4, 3}, 2);
    make_metric(&g, 0);
    memcpy(g.metric[1], g.metric[0], sizeof *g.metric);
    make_metric(&g, 0);
    for (unsigned i = 0; i < g.points; i++) g.metric[1][i] *= 10;
    grid_store(&g);
    json_t *answer = surface("m", true, "");
    expect_close(grid_value(grid_row(answer, "a"), "share"), grid_naive_share(&g, 0, -1));
    expect_close(grid_value(grid_row(answer, "a x b"), "share"), grid_naive_share(&g, 0, 1));
    json_decref(answer);
}

/* A surface explains next to nothing of noise. */
static void test_noise(void **state) {
    (void)state;
    bool kept[POINTS];
    grid g = grid_make(3, (unsigned[]){4, 4, 4}, 1);
    for (unsigned i = 0; i < g.points; i++) g.metric[0][i] = random_real(&random_state);
    keep_some(&g, 60, kept);
    store_sample(&g, kept, (plan){0});
    json_t *answer = surface("m", true, "the surface misses ");
    assert_true(grid_value(grid_row(answer, "(rest)"), "share") > 0.8);
    json_decref(answer);
}

/* What depends on all axes together alone is not explained at all. */
static void test_nothing_is_explained(void **state) {
    (void)state;
    grid g = grid_make(3, (unsigned[]){2, 2, 2}, 1);
    for (unsigned i = 0; i < g.points; i++)
        g.metric[0][i] = (grid_level(&g, i, 0) + grid_level(&g, i, 1) + grid_level(&g, i, 2)) % 2;
    grid_store(&g);
    json_t *answer = surface("m", true, "surface of 4 terms (linear, squares), fitted to 8 points");
    assert_true(grid_value(grid_row(answer, "(rest)"), "share") == 1);
    assert_true(grid_value(grid_row(answer, "a"), "share") == 0);
    json_decref(answer);
    json_decref(surface("m", true, "the surface misses 100 % of the variance, the share of (rest)"));
}

/* Only one point has a certain text. When the surface is fitted without it, nothing but the mean predicts it. */
static void test_a_point_alone(void **state) {
    (void)state;
    bool kept[POINTS] = {false};
    const plan p = {.squares = true};
    double told[POINTS], mean = 0, missed = 0, total = 0;
    grid g = grid_make(2, (unsigned[]){4, 4}, 1);
    for (unsigned i = 0; i < g.points; i++) {
        kept[i] = grid_level(&g, i, 1) < 3 || grid_level(&g, i, 0) == 2;
        g.metric[0][i] = random_real(&random_state) + grid_level(&g, i, 0);
        mean += kept[i] ? g.metric[0][i] / 13 : 0;
    }
    for (unsigned i = 0; i < g.points; i++) {
        if (!kept[i]) continue;
        naive_fit(&g, kept, i, p, told);
        missed += pow(g.metric[0][i] - (grid_level(&g, i, 1) < 3 ? told[i] : mean), 2);
        total += pow(g.metric[0][i] - mean, 2);
    }
    store_sample(&g, kept, p);
    json_t *answer = surface("m", true, "surface of 6 terms (linear, squares), fitted to 13 points");
    expect_close(grid_value(grid_row(answer, "(rest)"), "share"), missed / total);
    json_decref(answer);
}

/* An axis that matters at one value of another only, and is varied there only, as a parameter of one scheduler: the
 * points do not tell the pair apart, but all the rest. */
static void test_a_grid_without_combinations(void **state) {
    (void)state;
    bool kept[POINTS] = {false};
    const plan p = {.squares = true};
    grid g = grid_make(3, (unsigned[]){4, 3, 4}, 1);
    make_metric(&g, 1);
    for (unsigned i = 0; i < g.points; i++) kept[i] = grid_level(&g, i, 1) == 0 || grid_level(&g, i, 2) == 0;
    store_sample(&g, kept, p);
    json_t *answer = surface("m", true, "surface of 7 terms (linear, squares), fitted to 24 points");
    expect_naive(&g, kept, p, answer);
    json_decref(answer);
}

/* ---- what is left out, or cannot be told */

static void test_left_out(void **state) {
    (void)state;
    bool kept[POINTS];
    grid g = grid_make(3, (unsigned[]){4, 3, 4}, 3);
    make_metric(&g, 1);
    memcpy(g.metric[1], g.metric[0], sizeof *g.metric);
    memset(g.metric[2], 0, sizeof *g.metric);
    keep_some(&g, 40, kept);
    store_sample(&g, kept, (plan){0});
    json_decref(surface("m", true, "left out, kernels in which m does not vary: 1\nsurface of "));
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE kernel = 'k1' AND rowid %% 3 = 1"));
    json_t *answer = surface("m", true, "");
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "kernels"), 2); /* it has more than half */
    json_decref(answer);
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE kernel = 'k1' AND rowid %% 3"));
    answer = surface("m", true, "left out, kernels with less than half of the points of others: 1\n");
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "kernels"), 1);
    json_decref(answer);
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE kernel <> 'k0'; UPDATE t SET c_c = 2 * a"));
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE rowid NOT IN (SELECT min(rowid) FROM t GROUP BY a, b)"));
    json_decref(surface("m", true, "left out, axes that follow from others: c.c\nsurface of "));
    grid_sql(sqlite3_mprintf("UPDATE t SET c_c = 2"));
    json_decref(surface("m", true, "left out, axes of one value: c.c\nsurface of "));
    /* an axis that only a kernel which is left out varies */
    grid_sql(sqlite3_mprintf("INSERT INTO t SELECT * FROM t LIMIT 2"));
    grid_sql(
        sqlite3_mprintf("UPDATE t SET kernel = 'k9', c_c = 5 WHERE rowid > (SELECT max(rowid) FROM t) - 2"));
    json_decref(surface("m", true,
                        "left out, kernels with less than half of the points of others: 1\n"
                        "left out, axes of one value: c.c\nsurface of "));
}

static grid noisy_grid(unsigned axes, const unsigned *levels, unsigned kernels) {
    grid g = grid_make(axes, levels, kernels);
    for (unsigned k = 0; k < kernels; k++)
        for (unsigned i = 0; i < g.points; i++)
            g.metric[k][i] = grid_level(&g, i, 0) + random_real(&random_state);
    return g;
}

/* Half of the points of another kernel are enough to stay, and values that occur twice to follow from. */
static void test_as_few_as_stay(void **state) {
    (void)state;
    grid g = noisy_grid(3, (unsigned[]){4, 2, 2}, 2);
    grid_store(&g);
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE kernel = 'k1' AND (a + c_c + (b = 'b09')) %% 2"));
    json_t *answer = surface("m", true, "fitted to 8 points of each kernel or more");
    assert_int_equal((int)grid_value(grid_row(answer, "a"), "kernels"), 2);
    json_decref(answer);
    g = noisy_grid(2, (unsigned[]){4, 2}, 1);
    grid_store(&g);
    grid_sql(sqlite3_mprintf("UPDATE sweep SET axes = '[\"a\", \"b\", \"c.c\"]'; UPDATE t SET c_c = 2 * a"));
    json_decref(surface("m", true, "left out, axes that follow from others: c.c\nsurface of "));
}

/* Each value of each axis occurs once, so values cannot be compared by their means; the surface still tells the effect
 * of a, since m = a - 99 for its 25 values. */
static void test_values_met_once(void **state) {
    (void)state;
    grid g = grid_make(3, (unsigned[]){2, 2, 2}, 1);
    grid_store(&g);
    grid_sql(sqlite3_mprintf(
        "DELETE FROM t; WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 24) INSERT INTO t SELECT 't', 'k', 100 + i, 100 + i * 7 %% 25, 100 + i * 11 "
        "%% 25, 0, 1 + i, 1 FROM n"));
    json_t *answer = surface("m", true, "surface of 10 terms (linear, squares, pairs), fitted to 25 points");
    expect_close(grid_value(grid_row(answer, "a"), "difference"), 24);
    json_decref(answer);
}

static void store_specification(const char *spec) {
    grid_sql(sqlite3_mprintf("INSERT INTO run (sweep, argv, spec_path, spec, jobs, version, revision, "
                             "compiler, libraries, host, pid, started) VALUES ('s', '', '', %Q, 1, '', '', "
                             "'', '', '', 1, '2026-01-01T00:00:00Z')",
                             spec));
}

/* What the specification derives or zips follows from others, though no value occurs twice to tell: else c.c, which has
 * nearly the shape of a, would take its effect. A later specification may do neither. */
static void test_specified(void **state) {
    (void)state;
    static const char *const together[] = {
        "{\"derived\": {\"c.c\": \"a / 3\"}}", "{\"axes\": {\"zip\": {\"a\": [100], \"c.c\": [33]}}}",
        "{\"axes\": {\"zip\": [{\"b\": [1]}, {\"c.c\": [33], \"a\": {\"range\": [100, 124]}}]}}"};
    static const char *const apart[] = {
        "{\"axes\": {\"zip\": [{\"a\": [100], \"d\": [1]}, {\"c.c\": [33], \"e\": [1]}]}}",
        "{\"axes\": {\"a\": [100], \"c.c\": [33]}}"};
    grid g = grid_make(3, (unsigned[]){2, 2, 2}, 1);
    grid_store(&g);
    grid_sql(sqlite3_mprintf(
        "DELETE FROM t; WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 24) INSERT INTO t SELECT 't', 'k', 100 + i, 100 + i * 7 %% 25, (100 + i) / 3, "
        "0, 1 + i, 1 FROM n"));
    for (size_t i = 0; i < WS_COUNT(together); i++) {
        store_specification(together[i]);
        json_t *answer = surface("m", true,
                                 "left out, axes that follow from others: c.c\n"
                                 "surface of 6 terms (linear, squares, pairs), fitted to 25 points");
        expect_close(grid_value(grid_row(answer, "a"), "difference"), 24);
        json_decref(answer);
    }
    for (size_t i = 0; i < WS_COUNT(apart); i++) {
        store_specification(apart[i]);
        json_decref(surface("m", true, "surface of 10 terms"));
    }
    grid_sql(sqlite3_mprintf("DELETE FROM run"));
}

/* Numbers at even steps count as they are, however far apart, and powers of two by their logarithms: m follows a
 * exactly. So does a square of large numbers, which differ little. */
static void test_scales(void **state) {
    (void)state;
    static const struct {
        const char *values, *metric;
        double difference;
    } cases[] = {{"1 + 40 * i", "1 + 40 * i", 960},
                 {"1 << i", "100 + i", 24},
                 {"1000000000 + i", "100 + (i - 12) * (i - 12)", 144}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        grid g = grid_make(3, (unsigned[]){2, 2, 2}, 1);
        grid_store(&g);
        grid_sql(sqlite3_mprintf(
            "DELETE FROM t; WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n "
            "WHERE i < 24) INSERT INTO t SELECT 't', 'k', %s, 100 + i * 7 %% 25, 100 + i * 11 "
            "%% 25, 0, %s, 1 FROM n",
            cases[i].values, cases[i].metric));
        json_t *answer =
            surface("m", true, "surface of 10 terms (linear, squares, pairs), fitted to 25 points");
        expect_close(grid_value(grid_row(answer, "a"), "difference"), cases[i].difference);
        json_decref(answer);
    }
}

/* Three powers of two are a scale already: without squares m follows a by its logarithm alone. */
static void test_three_levels(void **state) {
    (void)state;
    grid g = grid_make(2, (unsigned[]){3, 2}, 1);
    for (unsigned i = 0; i < g.points; i++)
        g.metric[0][i] = 1 + 10 * grid_level(&g, i, 0) + grid_level(&g, i, 1);
    grid_store(&g);
    grid_sql(sqlite3_mprintf("UPDATE t SET a = 1 << (a - 8)"));
    json_t *answer = surface("m", true, "surface of 3 terms (linear), fitted to 6 points");
    expect_close(grid_value(grid_row(answer, "a"), "difference"), 20);
    json_decref(answer);
}

static void expect_refused(const char *text) {
    char *told;
    assert_null(grid_ask(&(ws_effects_query){.view = "s_by_kernel", .metric = "m", .surface = true}, &told));
    free(told);
    assert_int_equal(grid_err.code, WS_ERROR_USAGE);
    if (!strstr(grid_err.text, text)) fail_msg("expected \"%s\" in: %s", text, grid_err.text);
}

static void test_refused(void **state) {
    (void)state;
    grid g = grid_make(3, (unsigned[]){2, 3, 2}, 1);
    for (unsigned i = 0; i < g.points; i++) g.metric[0][i] = 1 + i;
    grid_store(&g);
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE m > 9"));
    expect_refused("expected at least 10 points of each kernel for a surface over these axes, found 9");
    grid_sql(sqlite3_mprintf("INSERT INTO t SELECT * FROM t LIMIT 2"));
    expect_refused("expected a row for each kernel and combination of the axes, found 2 more: choose one");
    g = grid_make(3, (unsigned[]){4, 4, 4}, 1);
    for (unsigned i = 0; i < g.points; i++) g.metric[0][i] = 1 + i;
    grid_store(&g);
    grid_sql(sqlite3_mprintf("UPDATE t SET b = 3 * a + c_c"));
    grid_sql(
        sqlite3_mprintf("DELETE FROM t WHERE rowid NOT IN (SELECT min(rowid) FROM t GROUP BY a, b, c_c)"));
    expect_refused("found some axes that vary only together");
    grid_sql(sqlite3_mprintf("DELETE FROM t WHERE a > 9")); /* as many points as the fewest terms need */
    grid_sql(sqlite3_mprintf("UPDATE t SET b = a + c_c"));
    expect_refused("found some axes that vary only together");
    grid_sql(sqlite3_mprintf(
        "UPDATE t SET a = 1, b = 2, c_c = 3 WHERE rowid = (SELECT min(rowid) FROM t); DELETE FROM t "
        "WHERE a <> 1"));
    expect_refused("expected axes that vary, found none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_polynomial),
        cmocka_unit_test(test_kernels_that_vary_more),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_nothing_is_explained),
        cmocka_unit_test(test_a_point_alone),
        cmocka_unit_test(test_a_grid_without_combinations),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_as_few_as_stay),
        cmocka_unit_test(test_values_met_once),
        cmocka_unit_test(test_specified),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_three_levels),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("surface", tests, grid_open, grid_close);
}
