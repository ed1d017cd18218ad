/* The view of a sweep that sets each point beside its baseline. */
#include "store/compare.h"

#include <stdlib.h>
#include <string.h>

static void append_column(sqlite3_str *sql, const char *before, const char *axis) {
    char column[128];
    ws_param_column(axis, column, sizeof column);
    sqlite3_str_appendf(sql, "%s\"%w\"", before, column);
}

static void append_literal(sqlite3_str *sql, const json_t *value) {
    if (json_is_string(value))
        sqlite3_str_appendf(sql, "%Q", json_string_value(value));
    else if (json_is_real(value))
        sqlite3_str_appendf(sql, "%!.17g", json_real_value(value));
    else
        sqlite3_str_appendf(sql, "%lld",
                            json_is_integer(value) ? (long long)json_integer_value(value)
                                                   : (long long)json_is_true(value));
}

static char *condition_of(const ws_store *store, const ws_baseline_axis *baseline) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    for (const ws_baseline_axis *a = baseline; a->axis; a++) {
        append_column(sql, a == baseline ? "" : " AND ", a->axis);
        sqlite3_str_appendall(sql, " = ");
        append_literal(sql, a->value);
    }
    return sqlite3_str_finish(sql);
}

/* Several points may be the baseline where parameters of mechanisms vary, which mean nothing to it: any of them, with
 * as many launches as were computed. */
static void append_baselines(sqlite3_str *sql, const ws_sweep_row *sweep, const char *relation,
                             const char *condition) {
    sqlite3_str_appendf(sql, "(SELECT *, max(launches) FROM \"%w\" WHERE %s GROUP BY trace, kernel, fidelity",
                        relation, condition);
    for (const char *const *axis = sweep->compared_at; *axis; axis++) append_column(sql, ", ", *axis);
    sqlite3_str_appendall(sql, ")");
}

static void append_match(sqlite3_str *sql, const char *column) {
    sqlite3_str_appendf(sql, " AND base.\"%w\" IS this.\"%w\"", column, column);
}

void ws_store_append_compared(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep,
                              const char *relation) {
    char *condition = condition_of(store, sweep->baseline);
    sqlite3_str_appendf(sql, "\"%w\" this LEFT JOIN ", relation);
    append_baselines(sql, sweep, relation, condition ? condition : "0");
    sqlite3_str_appendall(sql, " base ON base.trace = this.trace");
    append_match(sql, "kernel");
    append_match(sql, "fidelity");
    append_match(sql, "launches");
    for (const char *const *axis = sweep->compared_at; *axis; axis++) {
        char column[128];
        ws_param_column(*axis, column, sizeof column);
        append_match(sql, column);
    }
    sqlite3_free(condition);
}

void ws_store_append_no_baseline(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    char *condition = condition_of(store, sweep->baseline);
    sqlite3_str_appendf(sql,
                        " WHEN base.trace IS NULL THEN 'no baseline: of this kernel there is no point with ' "
                        "|| %Q || ' and as many launches'",
                        condition);
    sqlite3_free(condition);
}

sqlite3_str *ws_store_comparison(const ws_store *store, const ws_sweep_row *sweep) {
    const ws_table *comparison = store->experiment->comparison;
    char *by_kernel = sqlite3_mprintf("%s_by_kernel", sweep->name);
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql,
                          "SELECT this.trace AS trace, this.kernel AS kernel, this.launches AS launches, "
                          "this.fidelity AS fidelity, this.truncated AS truncated");
    for (const char *const *axis = sweep->axes; *axis; axis++) {
        char column[128];
        ws_param_column(*axis, column, sizeof column);
        sqlite3_str_appendf(sql, ", this.\"%w\" AS \"%w\"", column, column);
    }
    for (size_t i = 0; i < comparison->ratio_count; i++)
        sqlite3_str_appendf(sql, ", (%s) AS \"%w\"", comparison->ratios[i].sql, comparison->ratios[i].name);
    sqlite3_str_appendall(sql, ", CASE");
    ws_store_append_no_baseline(sql, store, sweep);
    sqlite3_str_appendall(sql, " END AS note FROM ");
    ws_store_append_compared(sql, store, sweep, by_kernel ? by_kernel : "");
    sqlite3_free(by_kernel);
    return sql;
}

/* ---- settings that nobody beats */

static void append_axes(sqlite3_str *sql, const ws_sweep_row *sweep) {
    for (const char *const *axis = sweep->axes; *axis; axis++) append_column(sql, ", ", *axis);
}

/* The geometric mean is spelled out, so that other programs can read the view, too. */
static void append_settings(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep, bool groups) {
    const ws_front *f = store->experiment->front;
    sqlite3_str_appendf(sql, "SELECT %s\"%w\"", groups ? "" : "'all' AS ", f->group);
    append_axes(sql, sweep);
    sqlite3_str_appendf(sql,
                        ", count(*) AS kernels, exp(avg(ln(\"%w\"))) AS \"%w\", max(\"%w\") AS \"%w\" FROM "
                        "\"%w_%w\" WHERE \"%w\" > 0 GROUP BY NULL",
                        f->benefit, f->benefit, f->cost, f->cost, sweep->name,
                        store->experiment->comparison->name, f->benefit);
    if (groups) sqlite3_str_appendf(sql, ", \"%w\"", f->group);
    append_axes(sql, sweep);
}

sqlite3_str *ws_store_front(const ws_store *store, const ws_sweep_row *sweep) {
    const ws_front *f = store->experiment->front;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "WITH setting AS MATERIALIZED (");
    append_settings(sql, store, sweep, true);
    sqlite3_str_appendall(sql, " UNION ALL ");
    append_settings(sql, store, sweep, false);
    sqlite3_str_appendf(sql, ") SELECT *, NOT EXISTS (SELECT 1 FROM setting o WHERE o.\"%w\" = s.\"%w\"",
                        f->group, f->group);
    for (const char *const *axis = sweep->compared_at; *axis; axis++) {
        append_column(sql, " AND o.", *axis);
        append_column(sql, " IS s.", *axis);
    }
    sqlite3_str_appendf(sql,
                        " AND o.\"%w\" >= s.\"%w\" AND o.\"%w\" <= s.\"%w\" AND (o.\"%w\" > s.\"%w\" OR "
                        "o.\"%w\" < s.\"%w\")) AS on_front FROM setting s",
                        f->benefit, f->benefit, f->cost, f->cost, f->benefit, f->benefit, f->cost, f->cost);
    return sql;
}
