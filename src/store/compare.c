/* SQL of the view that compares each point of a sweep with its baseline, and of the front. */
#include "store/compare.h"

#include "base/array.h"
#include "store/axes.h"
#include "store/energy.h"

#include <limits.h>

static void append_literal(sqlite3_str *sql, const json_t *value) {
    if (json_is_string(value))
        sqlite3_str_appendf(sql, "%Q", json_string_value(value));
    else if (json_is_real(value))
        sqlite3_str_appendf(sql, WS_SQL_REAL, json_real_value(value));
    else
        sqlite3_str_appendf(sql, "%lld",
                            json_is_integer(value) ? (long long)json_integer_value(value)
                                                   : (long long)json_is_true(value));
}

/* A part of the query `of`. NULL when out of memory; what becomes of `of` is then NULL, too. */
static char *condition_of(const ws_store *store, const ws_baseline_axis *baseline, sqlite3_str *of) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    for (const ws_baseline_axis *a = baseline; a->axis; a++) {
        ws_append_axis(sql, a == baseline ? "" : " AND ", a->axis);
        sqlite3_str_appendall(sql, " = ");
        append_literal(sql, a->value);
    }
    char *text = sqlite3_str_finish(sql);
    if (!text) sqlite3_str_appendchar(of, INT_MAX, ' '); /* more than SQLite takes */
    return text;
}

/* Several points may be the baseline if parameters of mechanisms vary, which mean nothing to it. Any of them will do;
 * the one with the most computed launches is taken. */
void ws_store_append_baselines(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep,
                               const char *relation) {
    char *condition = condition_of(store, sweep->baseline, sql);
    sqlite3_str_appendf(sql,
                        "baselines AS MATERIALIZED (SELECT *, max(launches) FROM \"%w\" WHERE %s GROUP BY "
                        "trace, kernel, fidelity",
                        relation, condition);
    ws_append_axes(sql, ", ", sweep->compared_at);
    sqlite3_str_appendall(sql, ")");
    sqlite3_free(condition);
}

void ws_store_append_compared(sqlite3_str *sql, const ws_sweep_row *sweep, const char *relation) {
    sqlite3_str_appendf(sql,
                        "\"%w\" this LEFT JOIN baselines base ON base.trace = this.trace AND base.kernel = "
                        "this.kernel AND base.fidelity = this.fidelity AND base.launches = this.launches AND "
                        "base.launch_set = this.launch_set",
                        relation);
    ws_append_axes_match(sql, "base", "this", sweep->compared_at);
}

/* The text says which of the point's values no baseline of its kernel has; if several baselines differ, by the one that
 * differs least. Many points may lack one, and each looks at all baselines of its kernel: that look only finds the
 * smallest of numbers, which the text then spells out. */
void ws_store_append_no_baseline(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    char *condition = condition_of(store, sweep->baseline, sql);
    sqlite3_str_appendf(sql,
                        " WHEN base.trace IS NULL THEN 'no baseline: of this kernel ' || coalesce((SELECT "
                        "'no point with ' || %Q || ' has ' || substr(iif(lacks & 1, iif(this.launches = 1, "
                        "', this launch', ', these ' || this.launches || "
                        "' launches'), '')",
                        condition);
    ws_append_axes_lacking(sql, "lacks", "this", sweep->compared_at);
    sqlite3_str_appendf(sql,
                        ", 3) FROM (SELECT min(((near.launches, near.launch_set) <> (this.launches, "
                        "this.launch_set)) * %llu",
                        WS_AXES_ONE + 1);
    ws_append_axes_differing(sql, "near", "this", sweep->compared_at);
    sqlite3_str_appendf(sql,
                        ") AS lacks FROM baselines near WHERE (near.trace, near.kernel, near.fidelity) = "
                        "(this.trace, this.kernel, this.fidelity)) WHERE lacks IS NOT NULL), "
                        "'there is no point with ' || %Q)",
                        condition);
    sqlite3_free(condition);
}

void ws_store_append_this(sqlite3_str *sql, const ws_sweep_row *sweep) {
    sqlite3_str_appendall(
        sql, "SELECT this.trace AS trace, this.kernel AS kernel, this.launches AS launches, "
             "this.launch_set AS launch_set, this.fidelity AS fidelity, this.truncated AS truncated");
    ws_append_axes_of(sql, "this", sweep->axes);
}

/* What is unknown of a point is unknown of what is computed from it, too. */
static void append_note(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    sqlite3_str_appendall(sql, ", nullif(ltrim(ifnull(CASE");
    ws_store_append_no_baseline(sql, store, sweep);
    sqlite3_str_appendall(sql, " END, '') || ifnull('; ' || this.note, ''), '; '), '') AS note");
}

sqlite3_str *ws_store_comparison(const ws_store *store, const ws_sweep_row *sweep, int64_t id) {
    const ws_table *comparison = store->experiment->comparison;
    char *by_kernel = sqlite3_mprintf("%s_by_kernel", sweep->name);
    if (!by_kernel) return NULL; /* as what sqlite3_str_finish() makes of it */
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "WITH ");
    ws_store_append_baselines(sql, store, sweep, by_kernel);
    sqlite3_str_appendf(sql,
                        ", swept AS (SELECT p.kernel AS kernel FROM sweep_point s JOIN point p ON p.id = "
                        "s.point WHERE s.sweep = %lld) ",
                        (long long)id);
    ws_store_append_this(sql, sweep);
    for (size_t i = 0; i < comparison->ratio_count; i++)
        sqlite3_str_appendf(sql, ", (%s) AS \"%w\"", comparison->ratios[i].sql, comparison->ratios[i].name);
    append_note(sql, store, sweep);
    sqlite3_str_appendall(sql, " FROM ");
    ws_store_append_compared(sql, sweep, by_kernel);
    sqlite3_free(by_kernel);
    return sql;
}

sqlite3_str *ws_store_compared_count(const ws_store *store, const ws_sweep_row *sweep) {
    char *by_kernel = sqlite3_mprintf("%s_by_kernel", sweep->name);
    if (!by_kernel) return NULL; /* as what sqlite3_str_finish() makes of it */
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "WITH ");
    ws_store_append_baselines(sql, store, sweep, by_kernel);
    sqlite3_str_appendall(sql, " SELECT count(*), count(base.trace) FROM ");
    ws_store_append_compared(sql, sweep, by_kernel);
    sqlite3_free(by_kernel);
    return sql;
}

/* ---- the front: settings that no other beats; unknown where the cost is, and for means over too few kernels */

static const ws_column front_columns[] = {
    {"kernels", WS_TYPE_INT, "kernels", WS_ADDS_NOT,
     "How many a row of NAME_pareto puts together: the speedup is their geometric mean, the cost their "
     "largest."},
    {"on_front", WS_TYPE_INT, "", WS_ADDS_NOT,
     "1 where no other setting of the same class and the same baseline has at least the speedup at no more "
     "cost, and is better in one of the two; else 0. NULL where the cost is unknown, and where kernels are "
     "missing that others of the same baseline have (kernels): such means do not compare."},
    {"area_mm2", WS_TYPE_REAL, "mm2", WS_ADDS_NOT,
     "The largest area of the kernels' points, where the sweep's table of energies gives areas ('warpsweep "
     "help energy'); else there is no such column."},
    {"on_area_front", WS_TYPE_INT, "", WS_ADDS_NOT, "As on_front, with the area as the cost."},
};
const ws_table ws_front_table = {"pareto",      "Settings that no other beats in both speedup and cost",
                                 front_columns, WS_COUNT(front_columns),
                                 NULL,          0};

/* What settings may be weighed against the benefit by: the front's cost, and the area. `known`: whether it is. */
typedef struct cost {
    const char *column, *known, *on_front;
} cost;
enum { COSTS_MAX = 2 };

static size_t costs_of(const ws_front *f, const ws_sweep_row *sweep, cost costs[COSTS_MAX]) {
    costs[0] = (cost){f->cost, "known", "on_front"};
    costs[1] = (cost){"area_mm2", "area_known", "on_area_front"};
    return ws_store_has_areas(sweep) ? 2 : 1;
}

/* Appends the query of the rows that settings put together: read once, though each counts twice. */
static void append_rows(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    const ws_front *f = store->experiment->front;
    const bool areas = ws_store_has_areas(sweep);
    sqlite3_str_appendf(sql, "SELECT c.\"%w\" AS \"%w\", c.\"%w\" AS \"%w\", c.\"%w\" AS \"%w\", c.truncated",
                        f->group, f->group, f->benefit, f->benefit, f->cost, f->cost);
    sqlite3_str_appendf(sql, " AS truncated%s", areas ? ", e.area_mm2 AS area_mm2" : "");
    ws_append_axes_of(sql, "c", sweep->axes);
    sqlite3_str_appendf(sql, " FROM \"%w_%w\" c", sweep->name, store->experiment->comparison->name);
    if (areas) {
        sqlite3_str_appendf(
            sql,
            " LEFT JOIN \"%w_energy\" e ON (e.trace, e.kernel, e.fidelity) = (c.trace, c.kernel, "
            "c.fidelity)",
            sweep->name);
        ws_append_axes_match(sql, "e", "c", sweep->axes);
    }
    sqlite3_str_appendf(sql, " WHERE c.\"%w\" > 0", f->benefit);
}

/* Appends the query of the settings, by group or for all kernels. The geometric mean is spelled out, so that other
 * programs, which lack geomean(), can read the view, too. */
static void append_settings(sqlite3_str *sql, const ws_front *f, const ws_sweep_row *sweep, bool groups) {
    sqlite3_str_appendf(sql, "SELECT %s\"%w\", max(truncated) AS truncated", groups ? "" : "'all' AS ",
                        f->group);
    ws_append_axes(sql, ", ", sweep->axes);
    sqlite3_str_appendf(sql, ", count(*) AS kernels, exp(avg(ln(\"%w\"))) AS \"%w\"", f->benefit, f->benefit);
    cost costs[COSTS_MAX];
    for (size_t i = 0, count = costs_of(f, sweep, costs); i < count; i++)
        sqlite3_str_appendf(sql, ", max(\"%w\") AS \"%w\"", costs[i].column, costs[i].column);
    sqlite3_str_appendall(sql, " FROM compared GROUP BY NULL");
    if (groups) sqlite3_str_appendf(sql, ", \"%w\"", f->group);
    ws_append_axes(sql, ", ", sweep->axes);
}

/* Appends the beginning of a window over the settings that compete with each other: those of the same group and at the
 * same values. */
static void append_rivals(sqlite3_str *sql, const ws_front *f, const ws_sweep_row *sweep) {
    sqlite3_str_appendf(sql, " OVER (PARTITION BY \"%w\"", f->group);
    ws_append_axes(sql, ", ", sweep->compared_at);
}

/* Appends whether the settings' cost and group are known, and their means over as many kernels as any. */
static void append_known(sqlite3_str *sql, const ws_front *f, const ws_sweep_row *sweep, const cost *c) {
    sqlite3_str_appendf(sql, ", \"%w\" IS NOT NULL AND \"%w\" IS NOT NULL AND kernels = max(kernels)",
                        f->group, c->column);
    append_rivals(sql, f, sweep);
    sqlite3_str_appendf(sql, ") AS %s", c->known);
}

/* Appends the cost and whether a setting is on its front, which is known or not: it has the largest benefit at its
 * cost, and more than whatever costs less. Windows take one pass; to look at all rivals of each would take their
 * square. */
static void append_on_front(sqlite3_str *sql, const ws_front *f, const ws_sweep_row *sweep, const cost *c) {
    sqlite3_str_appendf(sql, ", \"%w\", CASE WHEN %s THEN \"%w\" = max(\"%w\")", c->column, c->known,
                        f->benefit, f->benefit);
    append_rivals(sql, f, sweep);
    sqlite3_str_appendf(sql, ", %s, \"%w\") AND ifnull(\"%w\" > max(\"%w\")", c->known, c->column, f->benefit,
                        f->benefit);
    append_rivals(sql, f, sweep);
    sqlite3_str_appendf(
        sql, ", %s ORDER BY \"%w\" GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1) END AS %s",
        c->known, c->column, c->on_front);
}

sqlite3_str *ws_store_front(const ws_store *store, const ws_sweep_row *sweep) {
    const ws_front *f = store->experiment->front;
    cost costs[COSTS_MAX];
    const size_t count = costs_of(f, sweep, costs);
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "WITH compared AS MATERIALIZED (");
    append_rows(sql, store, sweep);
    sqlite3_str_appendall(sql, "), setting AS (");
    append_settings(sql, f, sweep, true);
    sqlite3_str_appendall(sql, " UNION ALL ");
    append_settings(sql, f, sweep, false);
    sqlite3_str_appendall(sql, "), judged AS (SELECT *");
    for (size_t i = 0; i < count; i++) append_known(sql, f, sweep, &costs[i]);
    sqlite3_str_appendf(sql, " FROM setting) SELECT \"%w\", truncated", f->group);
    ws_append_axes(sql, ", ", sweep->axes);
    sqlite3_str_appendf(sql, ", kernels, \"%w\"", f->benefit);
    for (size_t i = 0; i < count; i++) append_on_front(sql, f, sweep, &costs[i]);
    sqlite3_str_appendall(sql, " FROM judged");
    return sql;
}
