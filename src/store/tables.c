/* Makes tables from descriptors: those of analyses and of their configurations, and the counters of kernels. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *sql_type(ws_type type) {
    switch (type) {
    case WS_TYPE_INT:
    case WS_TYPE_BOOL:
        return "INTEGER";
    case WS_TYPE_REAL:
        return "REAL";
    case WS_TYPE_CHOICE:
    case WS_TYPE_TEXT:
        break;
    }
    return "TEXT";
}

const char *ws_store_adds_name(ws_adds adds) {
    switch (adds) {
    case WS_ADDS_SUM:
        return "sum";
    case WS_ADDS_MAX:
        return "max";
    case WS_ADDS_SAME:
        return "same";
    case WS_ADDS_KEY:
        return "key";
    case WS_ADDS_NOT:
        break;
    }
    return "not";
}

bool ws_store_metric(ws_store *store, const ws_metric_row *m, ws_error *err) {
    char *sql =
        sqlite3_mprintf("INSERT OR REPLACE INTO metric VALUES (%Q, %Q, %Q, %Q, %Q, %Q, %Q, %Q)", m->table,
                        m->column, m->kind, m->unit, m->adds, m->expression, m->help, m->source);
    return ws_store_run(store, sql, "describing a column", err);
}

/* ---- columns */

/* Sets `*type` to the declared type of a column, for sqlite3_free(); NULL when the table lacks it. */
static bool column_type(ws_store *store, const char *table, const char *column, char **type, ws_error *err) {
    static const char query[] = "SELECT type FROM pragma_table_info(%Q) WHERE name = %Q";
    return ws_store_text(store, sqlite3_mprintf(query, table, column), "looking for a column", type, err);
}

static void append_column(sqlite3_str *sql, const ws_column *column, const char *def) {
    sqlite3_str_appendf(sql, "\"%w\" %s", column->name, sql_type(column->type));
    if (def) sqlite3_str_appendf(sql, " DEFAULT %s", def);
}

/* Appends the statement that adds a column, unless `table` has it; one of that name with another type is an error.
 * `def` (may be NULL) is the SQL literal that old rows then show. */
static bool append_missing(ws_store *store, sqlite3_str *sql, const char *table, const ws_column *column,
                           const char *def, ws_error *err) {
    char *found;
    const char *type = sql_type(column->type);
    bool ok = true;
    if (!column_type(store, table, column->name, &found, err)) return false;
    if (!found) {
        sqlite3_str_appendf(sql, "ALTER TABLE \"%w\" ADD COLUMN ", table);
        append_column(sql, column, def);
        sqlite3_str_appendall(sql, ";");
    } else if (strcmp(found, type) != 0) {
        ok = ws_fail(
            err, WS_ERROR_DATABASE,
            "%s: expected column %s.%s to be %s, found %s (of another version of the analysis); choose "
            "another file",
            store->path, table, column->name, type, found);
    }
    sqlite3_free(found);
    return ok;
}

/* Runs the statements that add columns, and frees them. */
static bool run_additions(ws_store *store, char *sql, ws_error *err) {
    char *views;
    if (!ws_store_set_views_aside(store, &views, err)) {
        sqlite3_free(sql);
        return false;
    }
    bool ok = ws_store_run(store, sql, "adding columns", err);
    return ws_store_run(store, views, "creating views again", ok ? err : NULL) && ok;
}

/* Adds the columns of append_missing(), all of which has returned `ok`; frees `sql`. */
static bool add_missing(ws_store *store, sqlite3_str *sql, bool ok, ws_error *err) {
    bool any = sqlite3_str_length(sql) > 0 || sqlite3_str_errcode(sql) != SQLITE_OK;
    char *text = sqlite3_str_finish(sql);
    if (ok && any) return run_additions(store, text, err);
    sqlite3_free(text);
    return ok;
}

static bool add_columns(ws_store *store, const char *table, const ws_column *columns, size_t count,
                        ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) ok = append_missing(store, sql, table, &columns[i], NULL, err);
    return add_missing(store, sql, ok, err);
}

bool ws_store_kernel_counters(ws_store *store, const ws_column *columns, size_t count, ws_error *err) {
    if (!add_columns(store, "kernel", columns, count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        ws_metric_row metric = {
            "kernel", columns[i].name, "counter", columns[i].unit, ws_store_adds_name(columns[i].adds),
            NULL,     columns[i].help, ""};
        if (!ws_store_metric(store, &metric, err)) return false;
    }
    store->counters = columns;
    store->counter_count = count;
    return true;
}

/* ---- result tables */

/* A table with one row per point is keyed by the point; one with more also by its key columns. */
static bool create_result_table(ws_store *store, const ws_table *table, ws_error *err) {
    bool keyed = ws_table_has_keys(table);
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendf(sql, "CREATE TABLE IF NOT EXISTS \"%w\" (point INTEGER %s REFERENCES point (id)",
                        table->name, keyed ? "NOT NULL" : "PRIMARY KEY");
    for (size_t i = 0; i < table->column_count; i++)
        sqlite3_str_appendf(sql, ", \"%w\" %s", table->columns[i].name, sql_type(table->columns[i].type));
    sqlite3_str_appendall(sql, ", note TEXT");
    if (keyed) {
        sqlite3_str_appendall(sql, ", PRIMARY KEY (point");
        for (size_t i = 0; i < table->column_count; i++)
            if (table->columns[i].adds == WS_ADDS_KEY)
                sqlite3_str_appendf(sql, ", \"%w\"", table->columns[i].name);
        sqlite3_str_appendall(sql, ")");
    }
    sqlite3_str_appendall(sql, keyed ? ") STRICT, WITHOUT ROWID" : ") STRICT");
    return ws_store_run(store, sqlite3_str_finish(sql), "creating a result table", err) &&
           add_columns(store, table->name, table->columns, table->column_count, err);
}

static bool describe_result_table(ws_store *store, const ws_table *table, const char *source, ws_error *err) {
    for (size_t i = 0; i < table->column_count; i++) {
        const ws_column *c = &table->columns[i];
        ws_metric_row metric = {table->name,
                                c->name,
                                c->adds == WS_ADDS_KEY ? "key" : "metric",
                                c->unit,
                                ws_store_adds_name(c->adds),
                                NULL,
                                c->help,
                                source};
        if (!ws_store_metric(store, &metric, err)) return false;
    }
    for (size_t i = 0; i < table->ratio_count; i++) {
        const ws_ratio *r = &table->ratios[i];
        ws_metric_row metric = {table->name, r->name, "ratio", r->unit, "not", r->sql, r->help, source};
        if (!ws_store_metric(store, &metric, err)) return false;
    }
    return true;
}

/* The columns of a front that are not the comparison's. */
static bool describe_front(ws_store *store, const ws_experiment *e, ws_error *err) {
    ws_table front = ws_front_table;
    front.name = e->front->name;
    return describe_result_table(store, &front, e->source, err);
}

/* ---- configurations */

/* The parameter's default as an SQL literal. Rows that are older than the parameter were computed with its default;
 * that is why their keys stay valid. */
static char *default_literal(sqlite3 *db, const ws_param *param) {
    char real[WS_SQL_REAL_SIZE];
    switch (param->type) {
    case WS_TYPE_INT:
    case WS_TYPE_BOOL:
        return sqlite3_mprintf("%lld", (long long)param->def);
    case WS_TYPE_REAL:
        return sqlite3_mprintf("%s", ws_sql_real(db, param->def, real));
    case WS_TYPE_CHOICE:
        return sqlite3_mprintf("%Q", param->choices[(int)param->def]);
    case WS_TYPE_TEXT:
        break;
    }
    return sqlite3_mprintf("NULL");
}

typedef struct config_table {
    ws_store *store;
    char name[128];
    /* in the making: the statement that creates the table, or those that add what it lacks */
    sqlite3_str *sql;
} config_table;

typedef bool visit(config_table *table, const ws_component *component, const ws_column *column,
                   const char *def, ws_error *err);

static bool visit_parameter(config_table *t, const ws_component *component, const ws_param *param,
                            visit *visited, ws_error *err) {
    char name[128];
    ws_param_column(param->name, name, sizeof name);
    ws_column column = {name, param->type, param->unit, WS_ADDS_KEY, param->help};
    char *literal = default_literal(t->store->db, param);
    bool ok = literal ? visited(t, component, &column, literal, err) : ws_no_memory(err);
    sqlite3_free(literal);
    return ok;
}

static bool visit_parameters(config_table *t, const ws_experiment *e, visit *visited, ws_error *err) {
    for (size_t i = 0; i < e->component_count; i++)
        for (size_t j = 0; j < e->components[i]->param_count; j++)
            if (!visit_parameter(t, e->components[i], &e->components[i]->params[j], visited, err))
                return false;
    return true;
}

static bool define(config_table *t, const ws_component *component, const ws_column *column, const char *def,
                   ws_error *err) {
    (void)component, (void)err;
    sqlite3_str_appendall(t->sql, ", ");
    append_column(t->sql, column, def);
    return true;
}

static bool create_config_table(config_table *t, const ws_experiment *e, ws_error *err) {
    t->sql = sqlite3_str_new(t->store->db);
    sqlite3_str_appendf(
        t->sql,
        "CREATE TABLE IF NOT EXISTS \"%w\" (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, "
        "fidelity TEXT NOT NULL, json TEXT NOT NULL",
        t->name);
    bool ok = visit_parameters(t, e, define, err);
    sqlite3_str_appendall(t->sql, ") STRICT");
    char *sql = sqlite3_str_finish(t->sql);
    if (ok) return ws_store_run(t->store, sql, "creating a configuration table", err);
    sqlite3_free(sql);
    return false;
}

static bool use_parameter(config_table *t, const ws_component *component, const ws_column *column,
                          const char *def, ws_error *err) {
    ws_metric_row metric = {t->name, column->name, "parameter",  column->unit,
                            "key",   NULL,         column->help, component->source};
    return append_missing(t->store, t->sql, t->name, column, def, err) &&
           ws_store_metric(t->store, &metric, err);
}

static bool use_config_table(ws_store *store, const ws_experiment *e, ws_error *err) {
    config_table t = {.store = store};
    snprintf(t.name, sizeof t.name, "%s_config", e->name);
    if (!create_config_table(&t, e, err)) return false;
    t.sql = sqlite3_str_new(store->db);
    return add_missing(store, t.sql, visit_parameters(&t, e, use_parameter, err), err);
}

/* ---- all tables of an experiment */

bool ws_store_use(ws_store *store, const ws_experiment *e, ws_error *err) {
    if (store->experiment)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: expected one experiment, found %s and %s", store->path,
                       store->experiment->name, e->name);
    if (!ws_experiment_check(e, err) || !use_config_table(store, e, err) ||
        !ws_store_describe_own(store, err))
        return false;
    size_t count = 0;
    for (; e->tables[count]; count++)
        if (!create_result_table(store, e->tables[count], err) ||
            !describe_result_table(store, e->tables[count], e->source, err))
            return false;
    if (e->comparison && !describe_result_table(store, e->comparison, e->source, err)) return false;
    if (e->front && !describe_front(store, e, err)) return false;
    store->insert_row = calloc(count, sizeof *store->insert_row);
    if (!store->insert_row) return ws_no_memory(err);
    store->table_count = count;
    store->experiment = e;
    return true;
}
