#include "store/energy.h"

#include <stdlib.h>

static void append_column(sqlite3_str *sql, const char *before, const char *axis) {
    char column[128];
    ws_param_column(axis, column, sizeof column);
    sqlite3_str_appendf(sql, "%s\"%w\"", before, column);
}

/* ---- one component */

/* Joules: SQL over the columns of S_by_kernel, as `this`, and of other tables, as `tN`, whose rows are missing where
 * nothing counted there is on. */
static char *formula_of(const ws_energy *e, size_t component) {
    const ws_energy_component *c = &e->components[component];
    sqlite3_str *sql = sqlite3_str_new(NULL);
    if (c->static_source)
        sqlite3_str_appendf(sql, "%!.15g * this.%s / %!.15g", c->static_W, c->per_sm ? "sm_cycles" : "cycles",
                            e->clock_Hz);
    for (size_t i = 0; i < c->term_count; i++) {
        const ws_energy_term *t = &c->terms[i];
        sqlite3_str_appendf(sql, "%s%!.15g * ", sqlite3_str_length(sql) ? " + " : "", t->joules);
        if (t->table)
            sqlite3_str_appendf(sql, "coalesce(\"%w\".\"%w\", 0)", t->table, t->column);
        else
            sqlite3_str_appendf(sql, "this.\"%w\"", t->column);
    }
    return sqlite3_str_finish(sql);
}

static char *sources_of(const ws_energy *e, size_t component) {
    const ws_energy_component *c = &e->components[component];
    sqlite3_str *text = sqlite3_str_new(NULL);
    if (c->static_source)
        sqlite3_str_appendf(text, "%g W per %s (%s)", c->static_W, c->per_sm ? "SM" : "GPU",
                            c->static_source);
    for (size_t i = 0; i < c->term_count; i++) {
        const ws_energy_term *t = &c->terms[i];
        sqlite3_str_appendf(text, "%s%g J per %s%s%s (%s)", sqlite3_str_length(text) ? "; " : "", t->joules,
                            t->table ? t->table : "", t->table ? "." : "", t->column, t->source);
    }
    return sqlite3_str_finish(text);
}

/* ---- the view */

static bool joined_before(const ws_energy *e, size_t component, size_t term) {
    const char *table = e->components[component].terms[term].table;
    for (size_t c = 0; c <= component; c++)
        for (size_t t = 0; t < (c < component ? e->components[c].term_count : term); t++)
            if (e->components[c].terms[t].table == table) return true;
    return false;
}

/* A further table, its launches of one name together. */
static void append_table(sqlite3_str *sql, const ws_sweep_row *sweep, const ws_table *table) {
    sqlite3_str_appendall(sql, " LEFT JOIN (SELECT trace, kernel, fidelity");
    for (const char *const *axis = sweep->axes; *axis; axis++) append_column(sql, ", ", *axis);
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].adds == WS_ADDS_SUM)
            sqlite3_str_appendf(sql, ", sum(\"%w\") AS \"%w\"", table->columns[i].name,
                                table->columns[i].name);
    sqlite3_str_appendf(sql, " FROM \"%w_%w\" GROUP BY trace, kernel, fidelity", sweep->name, table->name);
    for (const char *const *axis = sweep->axes; *axis; axis++) append_column(sql, ", ", *axis);
    sqlite3_str_appendf(sql, ") \"%w\" USING (trace, kernel, fidelity", table->name);
    for (const char *const *axis = sweep->axes; *axis; axis++) append_column(sql, ", ", *axis);
    sqlite3_str_appendall(sql, ")");
}

static void append_tables(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    const ws_energy *e = sweep->energy;
    for (size_t c = 0; c < e->component_count; c++)
        for (size_t t = 0; t < e->components[c].term_count; t++) {
            const char *name = e->components[c].terms[t].table;
            if (!name || joined_before(e, c, t)) continue;
            for (const ws_table *const *table = store->experiment->tables; *table; table++)
                if ((*table)->name == name) append_table(sql, sweep, *table);
        }
}

sqlite3_str *ws_store_energy(const ws_store *store, const ws_sweep_row *sweep) {
    const ws_energy *e = sweep->energy;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "SELECT *, energy_J * seconds AS edp_Js, CASE");
    for (size_t c = 0; c < e->component_count; c++)
        sqlite3_str_appendf(sql,
                            " WHEN \"%w_J\" IS NULL THEN 'a counter that the energy of %w needs is unknown'",
                            e->components[c].name, e->components[c].name);
    sqlite3_str_appendall(sql, " END AS note FROM (SELECT *");
    for (size_t c = 0; c < e->component_count; c++)
        sqlite3_str_appendf(sql, "%s\"%w_J\"", c ? " + " : ", ", e->components[c].name);
    sqlite3_str_appendall(sql,
                          " AS energy_J FROM (SELECT trace, kernel, this.launches AS launches, fidelity, "
                          "this.truncated AS truncated");
    for (const char *const *axis = sweep->axes; *axis; axis++) append_column(sql, ", ", *axis);
    sqlite3_str_appendf(sql, ", this.cycles / %!.15g AS seconds", e->clock_Hz);
    for (size_t c = 0; c < e->component_count; c++) {
        char *formula = formula_of(e, c);
        sqlite3_str_appendf(sql, ", %s AS \"%w_J\"", formula, e->components[c].name);
        sqlite3_free(formula);
    }
    sqlite3_str_appendf(sql, " FROM \"%w_by_kernel\" this", sweep->name);
    append_tables(sql, store, sweep);
    sqlite3_str_appendall(sql, "))");
    return sql;
}

/* ---- what its columns are */

static bool describe(ws_store *store, const char *view, const char *column, const char *unit,
                     const char *formula, const char *help, const char *source, ws_error *err) {
    ws_metric_row metric = {view, column, "ratio", unit, "not", formula, help, source};
    return (formula && source) ? ws_store_metric(store, &metric, err)
                               : ws_fail(err, WS_ERROR_MEMORY, "out of memory");
}

bool ws_store_describe_energy(ws_store *store, const ws_sweep_row *sweep, ws_error *err) {
    const ws_energy *e = sweep->energy;
    char *view = sqlite3_mprintf("%s_energy", sweep->name);
    bool ok = view && ws_store_run(store, sqlite3_mprintf("DELETE FROM metric WHERE table_name = %Q", view),
                                   "describing energies", err);
    for (size_t c = 0; ok && c < e->component_count; c++) {
        char *column = sqlite3_mprintf("%s_J", e->components[c].name), *formula = formula_of(e, c),
             *sources = sources_of(e, c);
        ok = column && describe(store, view, column, "J", formula, "Energy of this component.", sources, err);
        sqlite3_free(column);
        sqlite3_free(formula);
        sqlite3_free(sources);
    }
    ok = ok &&
         describe(store, view, "seconds", "s", "cycles / clock_Hz", "Time at the table's clock.",
                  e->clock_source, err) &&
         describe(store, view, "energy_J", "J", "sum of the components", "Energy in all.", "the table's",
                  err) &&
         describe(store, view, "edp_Js", "J s", "energy_J * seconds", "Energy-delay product (ICC Fig. 12).",
                  "the table's", err);
    sqlite3_free(view);
    return ok;
}
