/* Which axes matter: an analysis of variance of complete grids, in SQL over temporary tables (report/effects.h), or of
 * a surface fitted to a sample. */
#include "report/effects.h"

#include "base/json_decode.h"
#include "base/nearest.h"
#include "report/implied.h"
#include "report/statement.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- SQL */

/* Both free `sql`. */
static bool run(effects *f, char *sql, ws_error *err) {
    return ws_store_run(f->store, sql, "finding effects", err);
}

static bool number(effects *f, char *sql, int64_t *value, ws_error *err) {
    return ws_store_number(f->store, sql, "finding effects", value, err);
}

/* ---- the view and its axes */

static bool no_such_view(effects *f, ws_error *err) {
    ws_nearest nearest = ws_nearest_to(f->query->view);
    char best[128] = "";
    sqlite3_stmt *rows = NULL;
    sqlite3_prepare_v2(f->db, "SELECT name FROM sweep_view", -1, &rows, NULL);
    while (rows && sqlite3_step(rows) == SQLITE_ROW) {
        ws_nearest_offer(&nearest, (const char *)sqlite3_column_text(rows, 0));
        if (nearest.best) snprintf(best, sizeof best, "%s", nearest.best);
        nearest.best = NULL; /* its memory goes with the row */
    }
    sqlite3_finalize(rows);
    if (*best)
        return ws_fail(err, WS_ERROR_USAGE, "expected a sweep's view, found '%s': did you mean '%s'?",
                       f->query->view, best);
    return ws_fail(err, WS_ERROR_USAGE,
                   "expected a sweep's view, found '%s'; 'SELECT name FROM sweep_view' has them",
                   f->query->view);
}

static bool are_names(const json_t *axes) {
    const json_t *name;
    size_t i;
    bool all = json_is_array(axes);
    json_array_foreach(axes, i, name) all = all && json_is_string(name);
    return all;
}

static bool damaged_axes(const effects *f, const char *found, ws_error *err) {
    return ws_fail(err, WS_ERROR_DATABASE,
                   "%s: view %s: expected a list of its sweep's axes, found '%.80s'" WS_SQLITE_DAMAGED,
                   sqlite3_db_filename(f->db, "main"), f->query->view, found);
}

static bool take_axes(effects *f, const char *list, ws_error *err) {
    json_t *axes = list ? ws_json_decode(list, strlen(list), 0, NULL) : NULL;
    if (!axes && (!list || errno == ENOMEM)) return ws_no_memory(err);
    size_t count = json_array_size(axes);
    bool ok = are_names(axes) || damaged_axes(f, list, err);
    if (ok)
        ok = count ||
             ws_fail(err, WS_ERROR_USAGE, "view %s: expected a sweep with axes, found none", f->query->view);
    if (ok) ok = (f->axes = calloc(count, sizeof *f->axes)) || ws_no_memory(err);
    for (unsigned i = 0; ok && i < count; i++) {
        f->axes[i].name = sqlite3_mprintf("%s", json_string_value(json_array_get(axes, i)));
        f->axes[i].column = i;
        f->count = f->total = i + 1;
        ok = f->axes[i].name || ws_no_memory(err);
    }
    json_decref(axes);
    return ok;
}

static bool find_axes(effects *f, ws_error *err) {
    sqlite3_stmt *row = NULL;
    bool ok = sqlite3_prepare_v2(
                  f->db, "SELECT s.axes FROM sweep_view v JOIN sweep s ON s.id = v.sweep WHERE v.name = ?1",
                  -1, &row, NULL) == SQLITE_OK &&
              sqlite3_bind_text(row, 1, f->query->view, -1, SQLITE_STATIC) == SQLITE_OK;
    int code = ok ? sqlite3_step(row) : SQLITE_ERROR;
    if (code == SQLITE_ROW)
        ok = take_axes(f, (const char *)sqlite3_column_text(row, 0), err);
    else
        ok = code == SQLITE_DONE ? no_such_view(f, err) : ws_statement_failed(f->db, err);
    sqlite3_finalize(row);
    return ok;
}

/* ---- points */

static bool find_columns(effects *f, const char *columns, bool *has, ws_error *err) {
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT %s FROM \"%w\"", columns, f->query->view);
    if (!sql) return ws_no_memory(err);
    int code = sqlite3_prepare_v2(f->db, sql, -1, &statement, NULL);
    *has = code == SQLITE_OK;
    bool ok = code == SQLITE_OK || code == SQLITE_ERROR || ws_statement_failed(f->db, err);
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return ok;
}

static bool can_prepare(effects *f, char *sql, ws_error *err) {
    sqlite3_stmt *statement = sql ? ws_statement_prepare(f->db, sql, err) : NULL;
    if (!sql) ws_no_memory(err);
    const bool ok = statement != NULL;
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return ok;
}

/* Checks the user's SQL where the lines of messages are the user's: at the end of a statement, so that no message names
 * what would follow, and then where nothing but a row's value can be. */
static bool check_expression(effects *f, const char *what, const char *expression, ws_error *err) {
    static const char last[] = "SELECT * FROM \"%w\" ORDER BY NULL OR %s",
                      value[] = "SELECT 1 FROM \"%w\" ORDER BY CASE WHEN %s\n THEN 1 END";
    return (can_prepare(f, sqlite3_mprintf(last, f->query->view, expression), err) &&
            can_prepare(f, sqlite3_mprintf(value, f->query->view, expression), err)) ||
           ws_fail_prefix(err, "%s", what);
}

/* The query of the points, in which metric and condition are the user's SQL. */
static char *select_points(effects *f, bool has_launches, bool has_sums, bool has_sets) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendf(sql, "SELECT dense_rank() OVER (ORDER BY trace, kernel%s) AS k",
                        has_launches ? ", launch" : "");
    for (unsigned i = 0; i < f->count; i++) {
        char column[128];
        ws_param_column(f->axes[i].name, column, sizeof column);
        sqlite3_str_appendf(sql, ", \"%w\" AS v%u", column, i);
    }
    sqlite3_str_appendf(sql, ", %s AS n, %s AS s, (%s\n) AS y FROM \"%w\" WHERE (%s\n)",
                        has_sums ? "launches" : "1", has_sets ? "launch_set" : "1", f->query->metric,
                        f->query->view, f->query->where ? f->query->where : "1");
    return sqlite3_str_finish(sql);
}

/* Drops points of fewer launches than others of their kernel, as others failed: a sum over them is no smaller value. If
 * those with the most have not the same, each lacks some. */
static bool drop_partial(effects *f, ws_error *err) {
    static const char partial[] =
        "FROM effect_point WHERE (k, n) NOT IN (SELECT k, n FROM (SELECT k, n, min(s) = max(s) AS same, "
        "max(n) OVER (PARTITION BY k) AS most FROM effect_point GROUP BY k, n) WHERE same AND n = most)";
    int64_t count;
    if (!number(f, sqlite3_mprintf("SELECT count(*) %s", partial), &count, err)) return false;
    if (f->log && count)
        fprintf(f->log, "left out, points without all launches that their kernel has at others: %lld\n",
                (long long)count);
    return run(f, sqlite3_mprintf("DELETE %s", partial), err);
}

static bool take_points(effects *f, ws_error *err) {
    bool has_kernels = false, has_launches = false, has_sums = false, has_sets = false;
    if (!find_columns(f, "trace, kernel", &has_kernels, err) ||
        !find_columns(f, "launch", &has_launches, err) || !find_columns(f, "launches", &has_sums, err) ||
        !find_columns(f, "launch_set", &has_sets, err))
        return false;
    if (!has_kernels)
        return ws_fail(err, WS_ERROR_USAGE, "view %s: expected rows of kernels, as NAME_by_kernel has",
                       f->query->view);
    if (!check_expression(f, "metric", f->query->metric, err) ||
        (f->query->where && !check_expression(f, "where", f->query->where, err)))
        return false;
    char *sql = select_points(f, has_launches, has_sums, has_sets);
    if (!sql) return ws_no_memory(err);
    sqlite3_stmt *statement = ws_statement_prepare(f->db, sql, err);
    bool ok = statement != NULL;
    sqlite3_finalize(statement);
    ok = ok && run(f, sqlite3_mprintf("CREATE TEMP TABLE effect_point AS %s", sql), err) &&
         drop_partial(f, err) && run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE y IS NULL"), err);
    sqlite3_free(sql);
    return ok;
}

static bool check_values(effects *f, ws_error *err) {
    int64_t rows, texts, infinite, others;
    if (!number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &rows, err) ||
        !number(
            f,
            sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE typeof(y) NOT IN ('integer', 'real')"),
            &texts, err) ||
        !number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE y IN (9e999, -9e999)"), &infinite,
                err) ||
        !number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE y <= 0"), &others, err))
        return false;
    if (!rows)
        return ws_fail(err, WS_ERROR_USAGE, "view %s: expected rows with %s, found none", f->query->view,
                       f->query->metric);
    if (texts) return ws_fail(err, WS_ERROR_USAGE, "%s: expected numbers, found texts", f->query->metric);
    if (infinite)
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected finite values, found %lld others of %lld: leave them out with a "
                       "condition (where)",
                       f->query->metric, (long long)infinite, (long long)rows);
    if (f->query->differences) return true;
    if (others)
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected positive values, found %lld others of %lld: compare differences "
                       "instead of ratios, or leave them out with a condition (where)",
                       f->query->metric, (long long)others, (long long)rows);
    return run(f, sqlite3_mprintf("UPDATE effect_point SET y = ln(y)"), err);
}

/* ---- a complete grid */

/* Counts the combinations of values that the points have in `first`, a column or a constant, and in the axes but for
 * one, unless that is f->count. */
static bool count_distinct(effects *f, const char *first, unsigned without, int64_t *combinations,
                           ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(f->db);
    sqlite3_str_appendf(sql, "SELECT count(*) FROM (SELECT DISTINCT %s", first);
    for (unsigned i = 0; i < f->count; i++)
        if (i != without) sqlite3_str_appendf(sql, ", v%u", f->axes[i].column);
    sqlite3_str_appendall(sql, " FROM effect_point)");
    return number(f, sqlite3_str_finish(sql), combinations, err);
}

static bool count_combinations(effects *f, unsigned without, int64_t *combinations, ws_error *err) {
    return count_distinct(f, "1", without, combinations, err);
}

/* Counts the pairs of values that the points have on axes `i` and `j`; the values of one axis if they are the same. */
static bool count_pairs(effects *f, unsigned i, unsigned j, int64_t *pairs, ws_error *err) {
    return number(f,
                  sqlite3_mprintf("SELECT count(*) FROM (SELECT DISTINCT v%u, v%u FROM effect_point)",
                                  f->axes[i].column, f->axes[j].column),
                  pairs, err);
}

static void drop_axis(effects *f, unsigned which, bool constant) {
    ws_effects_axis axis = f->axes[which];
    axis.constant = constant;
    f->count--;
    for (unsigned i = which; i < f->count; i++) f->axes[i] = f->axes[i + 1];
    f->axes[f->count] = axis;
}

/* Drops axes that the others determine (zipped and derived parameters), or that have one value: they have no effect of
 * their own. */
static bool drop_determined(effects *f, ws_error *err) {
    int64_t all, without, own;
    if (!count_combinations(f, f->count, &all, err)) return false;
    for (unsigned i = f->count; i-- > 0 && all > 1;) {
        if (!count_combinations(f, i, &without, err) || !count_pairs(f, i, i, &own, err)) return false;
        if (without == all) drop_axis(f, i, own == 1);
    }
    return all > 1 || ws_fail(err, WS_ERROR_USAGE, "view %s: expected axes that vary, found one combination",
                              f->query->view);
}

/* The same for a sample, in which a few axes may tell all combinations apart by chance. So an axis is dropped if it has
 * one value, or if it is a function of a single other axis whose values occur twice or more on average. */
static bool drop_determined_in_sample(effects *f, ws_error *err) {
    int64_t all, own, other, pairs;
    if (!count_combinations(f, f->count, &all, err)) return false;
    for (unsigned i = f->count; i-- > 0;) {
        if (!count_pairs(f, i, i, &own, err)) return false;
        bool follows = own == 1;
        for (unsigned j = 0; !follows && j < f->count; j++) {
            if (!count_pairs(f, j, j, &other, err) || !count_pairs(f, i, j, &pairs, err)) return false;
            follows = i != j && pairs == other && all >= 2 * other;
        }
        if (follows) drop_axis(f, i, own == 1);
    }
    return f->count > 0 ||
           ws_fail(err, WS_ERROR_USAGE, "view %s: expected axes that vary, found none", f->query->view);
}

/* Each pair of axes is a term. */
static bool check_axes(const effects *f, ws_error *err) {
    return f->count <= WS_EFFECTS_AXES_MAX ||
           ws_fail(
               err, WS_ERROR_USAGE,
               "view %s: expected at most %d axes that vary and do not follow from others, found %u: choose "
               "a part in which fewer vary with a condition (where)",
               f->query->view, WS_EFFECTS_AXES_MAX, f->count);
}

static bool check_rows(effects *f, ws_error *err) {
    int64_t rows, distinct;
    if (!number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &rows, err) ||
        !count_distinct(f, "k", f->count, &distinct, err))
        return false;
    return rows == distinct ||
           ws_fail(err, WS_ERROR_USAGE,
                   "view %s: expected a row for each kernel and combination of the axes, found %lld "
                   "more: choose one of them with a condition (where)",
                   f->query->view, (long long)(rows - distinct));
}

static bool count_levels(effects *f, ws_error *err) {
    f->combinations = 1;
    for (unsigned i = 0; i < f->count; i++) {
        int64_t levels;
        if (!count_pairs(f, i, i, &levels, err)) return false;
        f->combinations = levels > INT64_MAX / f->combinations ? INT64_MAX : f->combinations * levels;
    }
    return true;
}

static bool count_incomplete(effects *f, int64_t *count, ws_error *err) {
    return number(f,
                  sqlite3_mprintf("SELECT count(*) FROM (SELECT 1 FROM effect_point GROUP BY k HAVING "
                                  "count(*) < %lld)",
                                  (long long)f->combinations),
                  count, err);
}

static bool fill_holes(effects *f, ws_error *err) {
    int64_t incomplete;
    return count_incomplete(f, &incomplete, err) && (!incomplete || ws_effects_imply(f, err));
}

/* Drops the kernels for which `which` holds, an aggregate over their points. `*count`: their number. Frees `which`. */
static bool drop_kernels(effects *f, char *which, int64_t *count, ws_error *err) {
    static const char having[] = "SELECT k FROM effect_point GROUP BY k HAVING";
    bool ok = (which || ws_no_memory(err)) &&
              number(f, sqlite3_mprintf("SELECT count(*) FROM (%s %s)", having, which), count, err) &&
              run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE k IN (%s %s)", having, which), err);
    sqlite3_free(which);
    return ok;
}

/* Lists dropped axes in the order of the sweep; they were dropped from the last on. */
static void tell_axes(const effects *f, bool constant, const char *which) {
    const char *before = which;
    for (unsigned i = f->count; f->log && i < f->total; i++)
        if (f->axes[i].constant == constant) fprintf(f->log, "%s%s", before, f->axes[i].name), before = ", ";
    if (before != which) fputc('\n', f->log);
}

static void tell_dropped(const effects *f) {
    tell_axes(f, true, "left out, axes of one value: ");
    tell_axes(f, false, "left out, axes that follow from others: ");
}

static void tell_kernels(effects *f, const char *which, int64_t count) {
    if (f->log && count) fprintf(f->log, "left out, kernels %s: %lld\n", which, (long long)count);
}

static bool keep_complete_kernels(effects *f, ws_error *err) {
    int64_t incomplete, left;
    char which[80];
    if (!count_levels(f, err) || !fill_holes(f, err) ||
        !drop_kernels(f, sqlite3_mprintf("count(*) < %lld", (long long)f->combinations), &incomplete, err) ||
        !number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &left, err))
        return false;
    if (left) tell_dropped(f), ws_effects_tell_implied(f); /* else they may only seem to follow */
    snprintf(which, sizeof which, "that lack some of the %lld combinations", (long long)f->combinations);
    if (left) tell_kernels(f, which, incomplete);
    return left || ws_fail(err, WS_ERROR_USAGE,
                           "view %s: expected kernels with all %lld combinations of the axes' values, found "
                           "none; samples, conditions, parameters that are zipped, and points that failed or "
                           "are still to be computed leave holes: fit a surface to the others (surface), or "
                           "choose a part without them with a condition (where)",
                           f->query->view, (long long)f->combinations);
}

/* Drops kernels that lack many points. Failed points leave holes, too, and kernels with little else should not decide
 * which terms a surface can have. */
static bool keep_sampled_kernels(effects *f, ws_error *err) {
    int64_t poor;
    bool ok = drop_kernels(f,
                           sqlite3_mprintf("2 * count(*) < (SELECT max(n) FROM (SELECT count(*) AS n FROM "
                                           "effect_point GROUP BY k))"),
                           &poor, err);
    if (ok) tell_kernels(f, "with less than half of the points of others", poor);
    return ok;
}

static bool keep_varying_kernels(effects *f, ws_error *err) {
    int64_t constant, left;
    char which[200];
    if (!drop_kernels(f, sqlite3_mprintf("min(y) = max(y)"), &constant, err) ||
        !number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &left, err))
        return false;
    if (!left) return ws_fail(err, WS_ERROR_USAGE, "%s does not vary in any kernel", f->query->metric);
    snprintf(which, sizeof which, "in which %s does not vary", f->query->metric);
    tell_kernels(f, which, constant);
    return true;
}

/* ---- sums of squares; those that are differences may be 0, and are never below it by rounding */

static bool add_axis(effects *f, unsigned i, ws_error *err) {
    return run(f,
               sqlite3_mprintf(
                   "INSERT INTO effect_level SELECT %u, v%u, p.k, avg(y) - mean FROM effect_point p JOIN "
                   "effect_kernel USING (k) GROUP BY p.k, v%u;"
                   "INSERT INTO effect_term SELECT %u, -1, k, sum(d * d) * %lld / count(*) FROM "
                   "effect_level WHERE axis = %u GROUP BY k",
                   i, f->axes[i].column, f->axes[i].column, i, (long long)f->combinations, i),
               err);
}

static bool add_pair(effects *f, unsigned i, unsigned j, ws_error *err) {
    return run(f,
               sqlite3_mprintf(
                   "INSERT INTO effect_term SELECT %u, %u, k, max(0.0, sum(points * d * d) - "
                   "(SELECT sum(ss) FROM effect_term t WHERE a IN (%u, %u) AND b = -1 AND t.k = c.k)) FROM "
                   "(SELECT p.k AS k, count(*) AS points, avg(y) - mean AS d FROM effect_point p JOIN "
                   "effect_kernel USING (k) GROUP BY p.k, v%u, v%u) c GROUP BY k",
                   i, j, i, j, f->axes[i].column, f->axes[j].column),
               err);
}

static bool add_terms(effects *f, ws_error *err) {
    bool ok =
        run(f,
            sqlite3_mprintf("INSERT INTO effect_kernel SELECT k, mean, sum((y - mean) * (y - mean)) FROM "
                            "effect_point JOIN (SELECT k, avg(y) AS mean FROM effect_point GROUP BY k) "
                            "USING (k) GROUP BY k"),
            err);
    for (unsigned i = 0; ok && i < f->count; i++) ok = add_axis(f, i, err);
    for (unsigned i = 0; ok && i < f->count; i++)
        for (unsigned j = i + 1; ok && j < f->count; j++) ok = add_pair(f, i, j, err);
    if (!ok || f->count <= 2) return ok; /* then nothing is left */
    return run(f,
               sqlite3_mprintf("INSERT INTO effect_term SELECT -1, -1, k, max(0.0, total - sum(ss)) FROM "
                               "effect_kernel JOIN effect_term USING (k) GROUP BY k"),
               err);
}

/* Sums that the rounding of their terms explains become 0: else a term without effect has a share such as 4.5e-30. */
static bool drop_rounding(effects *f, ws_error *err) {
    return run(f,
               sqlite3_mprintf("UPDATE effect_term SET ss = 0.0 WHERE ss < 1e-12 * (SELECT total FROM "
                               "effect_kernel e WHERE e.k = effect_term.k)"),
               err);
}

static bool make_tables(effects *f, ws_error *err) {
    return run(
        f,
        sqlite3_mprintf("CREATE TEMP TABLE effect_kernel (k INTEGER PRIMARY KEY, mean, total);"
                        "CREATE TEMP TABLE effect_level (axis, v, k, d);"
                        "CREATE TEMP TABLE effect_term (a, b, k, ss, PRIMARY KEY (k, a, b)) WITHOUT ROWID"),
        err);
}

static bool of_grid(effects *f, ws_error *err) {
    return drop_determined(f, err) && check_axes(f, err) && check_rows(f, err) &&
           keep_complete_kernels(f, err) && keep_varying_kernels(f, err) && make_tables(f, err) &&
           add_terms(f, err);
}

/* Whether all combinations are known, where a sweep left out only those of which others tell. If not, the surface gets
 * the points that there are: others would not be further evidence of what it misses. */
static bool is_complete(effects *f, bool *complete, ws_error *err) {
    int64_t last, incomplete;
    if (!count_levels(f, err) ||
        !number(f, sqlite3_mprintf("SELECT max(rowid) FROM effect_point"), &last, err) ||
        !ws_effects_imply(f, err) || !count_incomplete(f, &incomplete, err))
        return false;
    *complete = f->implied && !incomplete;
    return *complete ||
           run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE rowid > %lld", (long long)last), err);
}

/* In the kernels that are kept, more axes may have one value only, or follow from others. */
static bool of_sample(effects *f, ws_error *err) {
    bool complete = false;
    bool ok = drop_determined_in_sample(f, err) && check_axes(f, err) && check_rows(f, err) &&
              keep_sampled_kernels(f, err) && keep_varying_kernels(f, err) &&
              drop_determined_in_sample(f, err) && is_complete(f, &complete, err);
    if (!ok) return false;
    tell_dropped(f);
    f->fitted = !complete;
    if (f->fitted)
        return ws_effects_tell_fixed(f, err) && make_tables(f, err) && ws_effects_fit_surface(f, err);
    ws_effects_tell_implied(f);
    if (f->log) fputs("no surface is fitted: with these, all combinations are known\n", f->log);
    return make_tables(f, err) && add_terms(f, err);
}

/* ---- the answer */

/* Each term's share of all kernels' variation together. What it varies by from kernel to kernel tells how far it can be
 * trusted: as for any ratio of two means, by its linear part (Cochran, Sampling Techniques, ch. 6). */
static const char shares[] =
    "CREATE TEMP TABLE effect_share AS "
    "SELECT a, b, k, share + (ss - share * total) / mean AS share FROM "
    "(SELECT a, b, k, ss, total, sum(ss) OVER term / sum(total) OVER term AS share, avg(total) OVER term AS "
    "mean FROM effect_term JOIN effect_kernel USING (k) WINDOW term AS (PARTITION BY a, b))";

static bool name_axes(effects *f, ws_error *err) {
    bool ok =
        run(f, sqlite3_mprintf("CREATE TEMP TABLE effect_axis (axis INTEGER PRIMARY KEY, name, share)"), err);
    for (unsigned i = 0; ok && i < f->count; i++)
        ok = run(
            f,
            sqlite3_mprintf(
                "INSERT INTO effect_axis SELECT %u, %Q, avg(share) FROM effect_share WHERE a = %u AND b = -1",
                i, f->axes[i].name, i),
            err);
    return ok;
}

/* From the level with the lowest mean over kernels to the one with the highest. */
static const char spans[] =
    "CREATE TEMP TABLE effect_span AS "
    "WITH mean AS (SELECT axis, v, avg(d) AS d FROM effect_level GROUP BY axis, v), "
    "place AS (SELECT axis, v, row_number() OVER (PARTITION BY axis ORDER BY d, v) AS up, "
    "row_number() OVER (PARTITION BY axis ORDER BY d DESC, v) AS down FROM mean) "
    "SELECT l.axis AS axis, l.v AS lowest, h.v AS highest, k, b.d - a.d AS d "
    "FROM place l JOIN place h ON h.axis = l.axis AND h.down = 1 "
    "JOIN effect_level a ON a.axis = l.axis AND a.v IS l.v "
    "JOIN effect_level b USING (k) WHERE l.up = 1 AND b.axis = l.axis AND b.v IS h.v";

static const char of_axes[] =
    "SELECT coalesce(x.name || ' x ' || y.name, x.name, '(rest)') AS axis, avg(t.share) AS share, "
    "max(0.0, avg_low(t.share)) AS share_low, min(1.0, avg_high(t.share)) AS share_high, "
    "lowest AS lowest_at, highest AS highest_at, "
    "%s(avg(d)) AS %s, %s(avg_low(d)) AS %s_low, %s(avg_high(d)) AS %s_high, count(*) AS kernels "
    "FROM effect_share t "
    "LEFT JOIN effect_axis x ON x.axis = a LEFT JOIN effect_axis y ON y.axis = b "
    "LEFT JOIN effect_span s ON s.axis = a AND b = -1 AND s.k = t.k "
    "GROUP BY a, b ORDER BY 2 DESC, a, b";

static const char of_values[] =
    "SELECT name AS axis, l.v AS value, %s(avg(l.d - o.d)) AS %s, %s(avg_low(l.d - o.d)) AS %s_low, "
    "%s(avg_high(l.d - o.d)) AS %s_high, count(*) AS kernels "
    "FROM effect_axis x JOIN effect_level l USING (axis) "
    "JOIN (SELECT DISTINCT axis, lowest FROM effect_span) s USING (axis) "
    "JOIN effect_level o ON o.axis = l.axis AND o.k = l.k AND o.v IS lowest "
    "GROUP BY l.axis, l.v ORDER BY share DESC, l.axis, l.v";

/* A panel for each axis, with its share; each value's place in it, and its label. Long labels keep both ends, as names
 * that begin alike may differ at the end. */
static const char points_of[] =
    "SELECT axis || iif(share < 0.01, ' (< 1 %%)', printf(' (%%.0f %%%%)', 100 * share)) AS panel, "
    "'' AS series, row_number() OVER (PARTITION BY axis ORDER BY value) AS place, %s, %s_low, %s_high, "
    "typeof(value) IN ('integer', 'real') AS is_number, coalesce(iif(length(value) > 14, "
    "substr(value, 1, 6) || '..' || substr(value, -6), value), 'NULL') AS label "
    "FROM (%s) JOIN (SELECT name AS axis, share FROM effect_axis) USING (axis) "
    "ORDER BY share DESC, axis, place";

static const char *change(const effects *f) {
    return f->query->differences ? "difference" : "ratio";
}

static char *fill_in(const effects *f, const char *rows) {
    const char *scale = f->query->differences ? "" : "exp", *name = change(f);
    return sqlite3_mprintf(rows, scale, name, scale, name, scale, name);
}

char *ws_effects_rows(const effects *f) {
    return fill_in(f, f->query->values ? of_values : of_axes);
}

char *ws_effects_points(const effects *f) {
    const char *name = change(f);
    char *rows = fill_in(f, of_values);
    char *points = rows ? sqlite3_mprintf(points_of, name, name, name, rows) : NULL;
    sqlite3_free(rows);
    return points;
}

static const char drop_tables[] =
    "DROP TABLE IF EXISTS temp.effect_point; DROP TABLE IF EXISTS temp.effect_kernel;"
    "DROP TABLE IF EXISTS temp.effect_level; DROP TABLE IF EXISTS temp.effect_term;"
    "DROP TABLE IF EXISTS temp.effect_idle; DROP TABLE IF EXISTS temp.effect_implied;"
    "DROP TABLE IF EXISTS temp.effect_share; DROP TABLE IF EXISTS temp.effect_axis;"
    "DROP TABLE IF EXISTS temp.effect_span";

/* Tables may be there: memory can run out where they are dropped, too. */
bool ws_effects_find(effects *f, ws_error *err) {
    if (!f->query->view || !f->query->metric)
        return ws_fail(err, WS_ERROR_INTERNAL, "effects: expected a view and a metric, found NULL");
    return run(f, sqlite3_mprintf("%s", drop_tables), err) && find_axes(f, err) && take_points(f, err) &&
           check_values(f, err) && (f->query->surface ? of_sample(f, err) : of_grid(f, err)) &&
           drop_rounding(f, err) && run(f, sqlite3_mprintf("%s", shares), err) && name_axes(f, err) &&
           run(f, sqlite3_mprintf("%s", spans), err) &&
           number(f, sqlite3_mprintf("SELECT count(*) FROM effect_kernel"), &f->kernels, err);
}

void ws_effects_drop(effects *f) {
    for (unsigned i = 0; i < f->total; i++) sqlite3_free(f->axes[i].name);
    free(f->axes);
    sqlite3_exec(f->db, drop_tables, NULL, NULL, NULL);
}

bool ws_effects(ws_store *store, const ws_effects_query *query, ws_query_format format, FILE *out, FILE *log,
                ws_error *err) {
    effects f = {.store = store, .db = ws_store_sqlite(store), .query = query, .log = log};
    bool ok = ws_effects_find(&f, err);
    char *rows = ok ? ws_effects_rows(&f) : NULL;
    if (ok) ok = rows ? ws_query(store, rows, format, 0, out, err) : ws_no_memory(err);
    sqlite3_free(rows);
    ws_effects_drop(&f);
    return ok;
}
