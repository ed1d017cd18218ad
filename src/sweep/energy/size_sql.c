#include "sweep/energy/size_sql.h"

#include "store/bind.h"
#include "store/suggest.h"

#include <stdio.h>

enum { LENGTH_MAX = 100000 }; /* of what an expression may make in memory */

typedef struct checking {
    sqlite3 *db;
    const char *sql, *at;
} checking;

static bool fail_sql(const checking *c, ws_error *err) {
    char message[256], instead[128];
    if (sqlite3_errcode(c->db) == SQLITE_NOMEM) return ws_no_memory(err); /* so it is of NULL */
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(c->db));
    ws_suggest(c->db, message, "config", instead, sizeof instead);
    return ws_fail(err, WS_ERROR_SPEC, "%s: \"%.200s\": %s%s", c->at, c->sql, message, instead);
}

/* Runs, and frees, a text of SQL. */
static bool run(const checking *c, char *sql, ws_error *err) {
    if (!sql) return ws_no_memory(err);
    bool ok = sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail_sql(c, err);
    sqlite3_free(sql);
    return ok;
}

/* Makes the table `config` with one row, the defaults. */
static bool fill(const checking *c, const ws_config *defaults, ws_error *err) {
    json_t *values = ws_config_json(defaults), *value;
    if (!values) return ws_no_memory(err);
    sqlite3_str *create = sqlite3_str_new(c->db), *insert = sqlite3_str_new(c->db);
    sqlite3_str_appendall(create, "CREATE TABLE config (");
    sqlite3_str_appendall(insert, "INSERT INTO config VALUES (");
    const char *name, *between = "";
    json_object_foreach(values, name, value) {
        char column[128];
        ws_param_column(name, column, sizeof column);
        sqlite3_str_appendf(create, "%s\"%w\"", between, column);
        sqlite3_str_appendf(insert, "%s?", between);
        between = ", ";
    }
    sqlite3_str_appendall(create, ")");
    sqlite3_str_appendall(insert, ")");
    bool ok = run(c, sqlite3_str_finish(create), err);
    char *text = sqlite3_str_finish(insert);
    sqlite3_stmt *stmt = NULL;
    if (ok)
        ok = text ? sqlite3_prepare_v2(c->db, text, -1, &stmt, NULL) == SQLITE_OK || fail_sql(c, err)
                  : ws_no_memory(err);
    if (ok) {
        ws_bound bound = ws_bind(stmt);
        json_object_foreach(values, name, value) ws_bind_json(&bound, value);
        ok = (bound.code == SQLITE_OK && sqlite3_step(stmt) == SQLITE_DONE) || fail_sql(c, err);
    }
    sqlite3_finalize(stmt);
    sqlite3_free(text);
    json_decref(values);
    return ok;
}

/* Compiles the expression where nothing but an expression over one row can be, so that a parenthesis in it cannot end
 * one of ours, and makes an index of it, which SQLite does of what depends on the row alone. */
static bool compile(const checking *c, sqlite3_stmt **stmt, ws_error *err) {
    char *alone = sqlite3_mprintf("SELECT CASE WHEN 1 THEN %s\n END FROM config", c->sql);
    bool ok = alone || ws_no_memory(err);
    if (ok) ok = sqlite3_prepare_v2(c->db, alone, -1, stmt, NULL) == SQLITE_OK || fail_sql(c, err);
    sqlite3_free(alone);
    return ok && run(c, sqlite3_mprintf("CREATE INDEX size ON config ((%s\n))", c->sql), err);
}

static bool gives_number(const checking *c, sqlite3_stmt *stmt, ws_error *err) {
    int code = sqlite3_step(stmt);
    if (code != SQLITE_ROW) return fail_sql(c, err);
    int type = sqlite3_column_type(stmt, 0);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT ||
           ws_fail(err, WS_ERROR_SPEC, "%s: \"%.200s\": expected a number for each GPU, found another value",
                   c->at, c->sql);
}

bool ws_size_sql_check(const ws_analysis *analysis, const char *sql, const char *at, ws_error *err) {
    checking c = {.sql = sql, .at = at};
    const ws_component *components[WS_COMPONENTS_MAX]; /* must outlive the configuration */
    size_t count;
    ws_analysis_components(analysis, ws_analysis_fidelity(analysis), components, &count);
    ws_config *defaults = ws_config_new(components, count);
    sqlite3_stmt *stmt = NULL;
    bool ok = defaults || ws_no_memory(err);
    if (ok) ok = sqlite3_open(":memory:", &c.db) == SQLITE_OK || ws_no_memory(err);
    if (ok) {
        sqlite3_limit(c.db, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
        sqlite3_db_config(c.db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is a column, never a text */
        sqlite3_db_config(c.db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
        ok = fill(&c, defaults, err) && compile(&c, &stmt, err) && gives_number(&c, stmt, err);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(c.db);
    ws_config_free(defaults);
    return ok;
}
