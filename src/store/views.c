/* The views of a sweep: what a user asks for first, under the names that the specification uses. */
#include "base/given.h"
#include "store/axes.h"
#include "store/compare.h"
#include "store/energy.h"

#include <stdlib.h>
#include <string.h>

/* ---- the sweep's list of points */

/* JSON; NULL when out of memory. */
static char *axis_list(const char *const *axes) {
    json_t *array = json_array();
    bool whole = true;
    for (; whole && *axes; axes++) whole = json_array_append_new(array, json_string(*axes)) == 0;
    char *text = whole ? json_dumps(array, JSON_COMPACT) : NULL;
    json_decref(array);
    return text;
}

static bool is_compared(const ws_store *store, const ws_sweep_row *sweep) {
    return store->experiment->comparison && sweep->baseline;
}

/* JSON; NULL when out of memory. */
static char *baseline_object(const ws_baseline_axis *baseline) {
    json_t *object = json_object();
    bool whole = true;
    for (; whole && baseline->axis; baseline++)
        whole = json_object_set_new(object, baseline->axis, json_deep_copy(baseline->value)) == 0;
    char *text = whole ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

static bool put_sweep(ws_store *store, const ws_sweep_row *sweep, int64_t id, ws_error *err) {
    bool compared = is_compared(store, sweep);
    char *axes = axis_list(sweep->axes), *baseline = compared ? baseline_object(sweep->baseline) : NULL,
         *compared_at = compared ? axis_list(sweep->compared_at) : NULL;
    bool ok = (axes && (!compared || (baseline && compared_at))) || ws_no_memory(err);
    if (ok)
        ok = ws_store_run(store,
                          sqlite3_mprintf("INSERT OR REPLACE INTO sweep (id, name, analysis, axes, baseline, "
                                          "compared_at) VALUES (%lld, %Q, %Q, %Q, %Q, %Q)",
                                          (long long)id, sweep->name, store->experiment->name, axes, baseline,
                                          compared_at),
                          "storing the sweep", err);
    free(axes);
    free(baseline);
    free(compared_at);
    return ok;
}

static bool put_points(ws_store *store, const ws_sweep_row *sweep, int64_t id, ws_error *err) {
    sqlite3_stmt *stmt = NULL;
    bool ok = ws_store_prepare(store, &stmt, "INSERT OR IGNORE INTO sweep_point VALUES (?1, ?2, ?3)", err);
    for (size_t i = 0; ok && i < sweep->point_count; i++) {
        ws_bound bound = ws_bind(stmt);
        ws_bind_int(&bound, id);
        ws_bind_int(&bound, sweep->points[i]);
        ws_bind_text(&bound, sweep->gpus ? sweep->gpus[i] : NULL, SQLITE_STATIC);
        ok = ws_store_step(store, &bound, "storing the sweep's points", err);
    }
    sqlite3_finalize(stmt);
    return ok;
}

/* ---- views */

static bool drop_views(ws_store *store, int64_t id, ws_error *err) {
    sqlite3_stmt *stmt = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    int code = sqlite3_prepare_v2(store->db, "SELECT name FROM sweep_view WHERE sweep = ?1", -1, &stmt, NULL);
    if (code == SQLITE_OK) sqlite3_bind_int64(stmt, 1, id);
    while (stmt && (code = sqlite3_step(stmt)) == SQLITE_ROW)
        sqlite3_str_appendf(sql, "DROP VIEW IF EXISTS \"%w\";", sqlite3_column_text(stmt, 0));
    sqlite3_str_appendf(sql, "DELETE FROM sweep_view WHERE sweep = %lld", (long long)id);
    char *text = sqlite3_str_finish(sql);
    bool listed = code == SQLITE_DONE || ws_store_fail(store, "listing the sweep's old views", err);
    sqlite3_finalize(stmt);
    if (listed) return ws_store_run(store, text, "dropping the sweep's old views", err);
    sqlite3_free(text);
    return false;
}

/* For each view of a sweep, the text that an SQL expression makes of its `name` and `sql`, in one. */
static char *for_each_view(const char *expression) {
    return sqlite3_mprintf("SELECT group_concat(%s, ';') FROM sqlite_schema WHERE type = 'view' AND name IN "
                           "(SELECT name FROM sweep_view)",
                           expression);
}

bool ws_store_set_views_aside(ws_store *store, char **views, ws_error *err) {
    static const char what[] = "listing the sweeps' views";
    char *drop;
    if (!ws_store_text(store, for_each_view("sql"), what, views, err)) return false;
    if (!*views && !(*views = sqlite3_mprintf(""))) return ws_no_memory(err);
    bool ok = ws_store_text(store, for_each_view("printf('DROP VIEW \"%w\"', name)"), what, &drop, err) &&
              (!drop || ws_store_run(store, drop, "setting views aside", err));
    if (!ok) sqlite3_free(*views);
    return ok;
}

static bool name_is_free(ws_store *store, const char *name, ws_error *err) {
    sqlite3_stmt *stmt = NULL;
    bool free_ = true;
    if (sqlite3_prepare_v2(store->db, "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", -1,
                           &stmt, NULL) != SQLITE_OK)
        return ws_store_fail(store, "looking for a view's name", err);
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        free_ = ws_fail(err, WS_ERROR_SPEC,
                        "expected a name that is free in the database, found \"%s\", the name of a %s", name,
                        (const char *)sqlite3_column_text(stmt, 0));
    else if (code != SQLITE_DONE)
        free_ = ws_store_fail(store, "looking for a view's name", err);
    sqlite3_finalize(stmt);
    return free_;
}

/* Checks that a view can be read. SQLite looks at a view's query only when somebody reads it, but a wrong expression of
 * an analysis is to show before its sweep is computed. */
static bool can_be_read(ws_store *store, const char *name, ws_error *err) {
    sqlite3_stmt *stmt = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
    bool ok = ws_store_prepare_text(store, &stmt, sql, err);
    sqlite3_finalize(stmt);
    return ok;
}

/* Creates the view `name` from the query `select`; frees both. */
static bool create_view(ws_store *store, int64_t sweep, char *name, sqlite3_str *select, ws_error *err) {
    char *text = sqlite3_str_finish(select);
    bool ok = (name && text) || ws_no_memory(err);
    ok = ok && name_is_free(store, name, err) &&
         ((ws_store_run(store, sqlite3_mprintf("CREATE VIEW \"%w\" AS %s", name, text), "creating a view",
                        err) &&
           can_be_read(store, name, err)) ||
          ws_fail_prefix(err, "view %s", name)) &&
         ws_store_run(store,
                      sqlite3_mprintf("INSERT INTO sweep_view VALUES (%Q, %lld)", name, (long long)sweep),
                      "recording a view", err);
    sqlite3_free(text);
    sqlite3_free(name);
    return ok;
}

/* Appends each axis from where it is stored: the GPU with the sweep's points, parameters in the configuration. */
static void append_axis_values(sqlite3_str *sql, const char *const *axes) {
    for (; *axes; axes++) ws_append_axis(sql, strchr(*axes, '.') ? ", c." : ", s.", *axes);
}

/* The query of the rows that `table` has for the sweep's points. Ratios are computed where only the table's own columns
 * are in scope, so that their expressions need no prefixes. */
static sqlite3_str *select_rows(ws_store *store, const ws_sweep_row *sweep, int64_t id,
                                const ws_table *table) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(
        sql, "SELECT t.name AS trace, k.short_name AS kernel, k.launch AS launch, c.fidelity AS fidelity, "
             "p.truncated AS truncated");
    append_axis_values(sql, sweep->axes);
    for (size_t i = 0; i < table->column_count; i++)
        sqlite3_str_appendf(sql, ", r.\"%w\"", table->columns[i].name);
    for (size_t i = 0; i < table->ratio_count; i++)
        sqlite3_str_appendf(sql, ", r.\"%w\"", table->ratios[i].name);
    sqlite3_str_appendf(
        sql,
        ", r.note AS note FROM sweep_point s JOIN point p ON p.id = s.point JOIN kernel k ON k.id = p.kernel "
        "JOIN trace t ON t.id = k.trace JOIN \"%w_config\" c ON c.id = p.config JOIN (SELECT *",
        store->experiment->name);
    for (size_t i = 0; i < table->ratio_count; i++)
        sqlite3_str_appendf(sql, ", (%s) AS \"%w\"", table->ratios[i].sql, table->ratios[i].name);
    sqlite3_str_appendf(sql, " FROM \"%w\") r ON r.point = p.id WHERE s.sweep = %lld", table->name,
                        (long long)id);
    return sql;
}

void ws_store_append_over(sqlite3_str *sql, const char *function, const char *column) {
    sqlite3_str_appendf(sql, ", CASE WHEN count(\"%w\") = count(*) THEN %s(\"%w\") END AS \"%w\"", column,
                        function, column, column);
}

/* Appends a column over several rows. A value that rows have in common is unknown, too, if one of them is. */
static void append_aggregate(sqlite3_str *sql, const ws_column *c) {
    if (c->adds == WS_ADDS_SAME)
        sqlite3_str_appendf(sql,
                            ", CASE WHEN count(\"%w\") = count(*) AND min(\"%w\") = max(\"%w\") THEN "
                            "min(\"%w\") END AS \"%w\"",
                            c->name, c->name, c->name, c->name, c->name);
    else if (c->adds == WS_ADDS_SUM || c->adds == WS_ADDS_MAX)
        ws_store_append_over(sql, ws_store_adds_name(c->adds), c->name);
    else /* known of a single launch */
        sqlite3_str_appendf(sql, ", CASE WHEN count(*) = 1 THEN min(\"%w\") END AS \"%w\"", c->name, c->name);
}

/* The notes of the launches, and which columns are unknown because there are several. */
static void append_note(sqlite3_str *sql, const ws_table *table) {
    size_t alone = 0;
    sqlite3_str_appendall(sql,
                          ", nullif(ltrim(ifnull(group_concat(DISTINCT note), '') || iif(count(*) > 1, '");
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].adds == WS_ADDS_NOT)
            sqlite3_str_appendf(sql, "%s%s", alone++ ? ", " : ",", table->columns[i].name);
    sqlite3_str_appendf(sql, "%s', ''), ','), '') AS note", alone ? ": of a single launch only" : "");
}

/* The query that puts launches of one name together: counts add up, ratios are those of the sums, and notes are those
 * of any launch. */
static sqlite3_str *select_by_kernel(ws_store *store, const ws_sweep_row *sweep, const ws_table *table) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "SELECT *");
    for (size_t i = 0; i < table->ratio_count; i++)
        sqlite3_str_appendf(sql, ", (%s) AS \"%w\"", table->ratios[i].sql, table->ratios[i].name);
    sqlite3_str_appendall(sql, " FROM (SELECT trace, kernel, " WS_STORE_LAUNCHES
                               ", fidelity, max(truncated) AS truncated");
    ws_append_axes(sql, ", ", sweep->axes);
    for (size_t i = 0; i < table->column_count; i++) append_aggregate(sql, &table->columns[i]);
    append_note(sql, table);
    sqlite3_str_appendf(sql, " FROM \"%w\" GROUP BY trace, kernel, fidelity", sweep->name);
    ws_append_axes(sql, ", ", sweep->axes);
    sqlite3_str_appendall(sql, ")");
    return sql;
}

static bool create_views(ws_store *store, const ws_sweep_row *sweep, int64_t id, ws_error *err) {
    const ws_table *const *tables = store->experiment->tables;
    if (!create_view(store, id, sqlite3_mprintf("%s", sweep->name), select_rows(store, sweep, id, tables[0]),
                     err) ||
        !create_view(store, id, sqlite3_mprintf("%s_by_kernel", sweep->name),
                     select_by_kernel(store, sweep, tables[0]), err))
        return false;
    for (size_t i = 1; tables[i]; i++)
        if (!create_view(store, id, sqlite3_mprintf("%s_%s", sweep->name, tables[i]->name),
                         select_rows(store, sweep, id, tables[i]), err))
            return false;
    const ws_table *comparison = store->experiment->comparison;
    if (is_compared(store, sweep) &&
        !create_view(store, id, sqlite3_mprintf("%s_%s", sweep->name, comparison->name),
                     ws_store_comparison(store, sweep, id), err))
        return false;
    if (sweep->energy && (!create_view(store, id, sqlite3_mprintf("%s_energy", sweep->name),
                                       ws_store_energy(store, sweep, id), err) ||
                          !ws_store_describe_energy(store, sweep, err)))
        return false;
    const ws_front *front = store->experiment->front;
    return !front || !is_compared(store, sweep) ||
           create_view(store, id, sqlite3_mprintf("%s_%s", sweep->name, front->name),
                       ws_store_front(store, sweep), err);
}

/* Keeps the query of ws_store_count_compared(). */
static bool keep_count(ws_store *store, const ws_sweep_row *sweep, ws_error *err) {
    sqlite3_free(store->compared_count);
    store->compared_count = NULL;
    if (!is_compared(store, sweep)) return true;
    store->compared_count = sqlite3_str_finish(ws_store_compared_count(store, sweep));
    return store->compared_count || ws_no_memory(err);
}

bool ws_store_count_compared(ws_store *store, int64_t *rows, int64_t *with_baseline, ws_error *err) {
    sqlite3_stmt *counts = NULL;
    *rows = *with_baseline = 0;
    if (!store->compared_count) return true;
    if (!ws_store_prepare(store, &counts, store->compared_count, err)) return false;
    bool ok = sqlite3_step(counts) == SQLITE_ROW || ws_store_fail(store, "counting what is compared", err);
    if (ok) *rows = sqlite3_column_int64(counts, 0), *with_baseline = sqlite3_column_int64(counts, 1);
    sqlite3_finalize(counts);
    return ok;
}

bool ws_store_sweep(ws_store *store, const ws_sweep_row *sweep, ws_error *err) {
    if (!WS_GIVEN(sweep->name, "a name", err) || !ws_store_has_experiment(store, err)) return false;
    int64_t id = ws_store_id(sweep->name);
    return ws_store_keep_former(store, id, err) && drop_views(store, id, err) &&
           ws_store_run(store, sqlite3_mprintf("DELETE FROM sweep_point WHERE sweep = %lld", (long long)id),
                        "clearing the sweep's points", err) &&
           put_sweep(store, sweep, id, err) && put_points(store, sweep, id, err) &&
           create_views(store, sweep, id, err) && keep_count(store, sweep, err) &&
           ws_store_tell_former(store, sweep->name, id, err);
}
