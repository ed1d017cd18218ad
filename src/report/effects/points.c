/* Where effects begin: the view's axes, and its points in table effect_point. */
#include "base/json_decode.h"
#include "base/nearest.h"
#include "report/effects/effects.h"
#include "report/statement.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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
    sqlite3_str_appendf(sql, ", %s AS n, %s AS s, (%s\n) AS y, trace || ': ' || kernel%s AS name",
                        has_sums ? "launches" : "1", has_sets ? "launch_set" : "1", f->query->metric,
                        has_launches ? " || ' ' || launch" : "");
    sqlite3_str_appendf(sql, " FROM \"%w\" WHERE (%s\n)", f->query->view,
                        f->query->where ? f->query->where : "1");
    return sqlite3_str_finish(sql);
}

/* Drops points of fewer launches than others of their kernel, as others failed: a sum over them is no smaller value. If
 * those with the most have not the same, each lacks some. */
static bool drop_partial(effects *f, ws_error *err) {
    static const char partial[] =
        "FROM effect_point WHERE (k, n) NOT IN (SELECT k, n FROM (SELECT k, n, min(s) = max(s) AS same, "
        "max(n) OVER (PARTITION BY k) AS most FROM effect_point GROUP BY k, n) WHERE same AND n = most)";
    int64_t count;
    if (!ws_effects_number(f, sqlite3_mprintf("SELECT count(*) %s", partial), &count, err)) return false;
    if (f->log && count)
        fprintf(f->log, "left out, points without all launches that their kernel has at others: %lld\n",
                (long long)count);
    return ws_effects_run(f, sqlite3_mprintf("DELETE %s", partial), err);
}

/* Of names only one each is kept. */
static bool take_names(effects *f, ws_error *err) {
    return ws_effects_run(f,
                          sqlite3_mprintf("CREATE TEMP TABLE effect_name AS SELECT DISTINCT k, name FROM "
                                          "effect_point; ALTER TABLE effect_point DROP COLUMN name"),
                          err);
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
    ok = ok && ws_effects_run(f, sqlite3_mprintf("CREATE TEMP TABLE effect_point AS %s", sql), err) &&
         take_names(f, err) && drop_partial(f, err) &&
         ws_effects_run(f, sqlite3_mprintf("DELETE FROM effect_point WHERE y IS NULL"), err);
    sqlite3_free(sql);
    return ok;
}

static bool check_values(effects *f, ws_error *err) {
    int64_t rows, texts, infinite, others;
    if (!ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point"), &rows, err) ||
        !ws_effects_number(
            f,
            sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE typeof(y) NOT IN ('integer', 'real')"),
            &texts, err) ||
        !ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE y IN (9e999, -9e999)"),
                           &infinite, err) ||
        !ws_effects_number(f, sqlite3_mprintf("SELECT count(*) FROM effect_point WHERE y <= 0"), &others,
                           err))
        return false;
    if (!rows)
        return ws_fail(err, WS_ERROR_USAGE, "view %s: expected rows with %s, found none", f->query->view,
                       f->query->metric);
    if (texts) return ws_fail(err, WS_ERROR_USAGE, "%s: expected numbers, found texts", f->query->metric);
    if (infinite)
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected finite values, found %lld others of %lld: leave them out with a "
                       "condition (--where)",
                       f->query->metric, (long long)infinite, (long long)rows);
    if (f->query->differences) return true;
    if (others)
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected positive values, found %lld others of %lld: compare differences "
                       "instead of ratios, or leave them out with a condition (--where)",
                       f->query->metric, (long long)others, (long long)rows);
    return ws_effects_run(f, sqlite3_mprintf("UPDATE effect_point SET y = ln(y)"), err);
}

bool ws_effects_take_points(effects *f, ws_error *err) {
    return find_axes(f, err) && take_points(f, err) && check_values(f, err);
}
