#include "sweep/grid/point_table.h"

#include "base/utf8.h"
#include "store/bind.h"
#include "store/suggest.h"
#include "sweep/spec/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct point_table {
    const ws_spec *spec;
    sqlite3 *db;
    size_t set; /* derived parameters that have their values, and the one that is being computed */
    const ws_derived *early; /* one that an expression reads before it has its value, or NULL */
} point_table;

static bool no_memory(const point_table *t, ws_error *err) {
    return ws_fail(err, WS_ERROR_MEMORY, "%s: the table of its points: out of memory", t->spec->path);
}

static bool fail_own(const point_table *t, const char *what, ws_error *err) {
    if (sqlite3_errcode(t->db) == SQLITE_NOMEM) return no_memory(t, err); /* so it is of NULL */
    return ws_fail(err, WS_ERROR_INTERNAL, "%s: the table of its points: %s: %s", t->spec->path, what,
                   sqlite3_errmsg(t->db));
}

/* Runs, and frees, a text of sqlite3_str_finish(). */
static bool run(const point_table *t, char *sql, const char *what, ws_error *err) {
    if (!sql) return no_memory(t, err);
    bool ok = sqlite3_exec(t->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail_own(t, what, err);
    sqlite3_free(sql);
    return ok;
}

/* ---- the table */

/* Columns have no type, so that values keep that of their parameter. */
static bool create(const point_table *t, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(t->db);
    sqlite3_str_appendall(sql, "CREATE TABLE point (number INTEGER PRIMARY KEY, " WS_GPU_AXIS " TEXT");
    for (size_t i = 0; i < t->spec->component_count; i++)
        for (size_t j = 0; j < t->spec->components[i]->param_count; j++) {
            char column[128];
            ws_param_column(t->spec->components[i]->params[j].name, column, sizeof column);
            sqlite3_str_appendf(sql, ", \"%w\"", column);
        }
    sqlite3_str_appendall(sql, ")");
    return run(t, sqlite3_str_finish(sql), "creating it", err);
}

static bool insert(const point_table *t, sqlite3_stmt *stmt, size_t number, const ws_candidate *candidate,
                   ws_error *err) {
    json_t *values = ws_config_json(candidate->config), *value; /* in the order of the columns */
    if (!values) return no_memory(t, err);
    const char *name;
    ws_bound bound = ws_bind(stmt);
    ws_bind_int(&bound, (sqlite3_int64)number);
    ws_bind_text(&bound, ws_product_gpu(t->spec, candidate->position)->name, SQLITE_STATIC); /* NULL: none */
    json_object_foreach(values, name, value) ws_bind_json(&bound, value);
    json_decref(values);
    if (bound.code != SQLITE_OK) return no_memory(t, err); /* no value is too long */
    bool ok = sqlite3_step(stmt) == SQLITE_DONE || fail_own(t, "filling it", err);
    sqlite3_reset(stmt);
    return ok;
}

static bool fill(const point_table *t, const ws_candidate *candidates, size_t count, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(t->db);
    sqlite3_str_appendall(sql, "INSERT INTO point VALUES (?, ?");
    for (size_t i = 0; i < t->spec->component_count; i++)
        for (size_t j = 0; j < t->spec->components[i]->param_count; j++) sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *stmt = NULL;
    bool ok = text || no_memory(t, err);
    if (ok)
        ok = sqlite3_prepare_v2(t->db, text, -1, &stmt, NULL) == SQLITE_OK || fail_own(t, "filling it", err);
    sqlite3_free(text);
    ws_preparing_step(t->spec->preparing, "tabulating combinations", "combinations", count);
    for (size_t i = 0; ok && i < count; i++)
        ok = ws_preparing_at(t->spec->preparing, i, err) && insert(t, stmt, i, &candidates[i], err);
    sqlite3_finalize(stmt);
    return ok;
}

/* ---- what expressions may do */

/* False for functions with which one specification could mean different points, at another time or place. */
static bool is_deterministic(const char *function) {
    static const char *const others[] = {"random",
                                         "randomblob",
                                         "date",
                                         "time",
                                         "datetime",
                                         "julianday",
                                         "unixepoch",
                                         "strftime",
                                         "current_date",
                                         "current_time",
                                         "current_timestamp",
                                         "timediff",
                                         "changes",
                                         "total_changes",
                                         "last_insert_rowid",
                                         "load_extension",
                                         NULL};
    for (const char *const *other = others; *other; other++)
        if (sqlite3_stricmp(*other, function) == 0) return false;
    return true;
}

/* Notes whether the column is that of a derived parameter that has no value yet. */
static void note_read(point_table *t, const char *read) {
    for (size_t i = t->set; i < t->spec->derived_count; i++) {
        char column[128];
        ws_param_column(t->spec->derived[i].name, column, sizeof column);
        if (strcmp(column, read) == 0) t->early = &t->spec->derived[i];
    }
}

static int authorize(void *context, int action, const char *a, const char *b, const char *c, const char *d) {
    (void)c, (void)d;
    switch (action) {
    case SQLITE_READ:
        if (b) note_read(context, b);
        return SQLITE_OK;
    case SQLITE_SELECT:
        return SQLITE_OK;
    case SQLITE_UPDATE:
        return a && strcmp(a, "point") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return b && is_deterministic(b) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* Whether the expression lacks its end, at which SQLite would find a parenthesis of ours. */
static bool is_incomplete(const point_table *t, const char *sql) {
    char *alone = sqlite3_mprintf("SELECT %s", sql);
    sqlite3_stmt *stmt = NULL;
    bool incomplete = alone && sqlite3_prepare_v2(t->db, alone, -1, &stmt, NULL) != SQLITE_OK &&
                      strcmp(sqlite3_errmsg(t->db), "incomplete input") == 0;
    sqlite3_finalize(stmt);
    sqlite3_free(alone);
    return incomplete;
}

static bool fail_sql(const point_table *t, const char *path, const char *sql, ws_error *err) {
    char message[256], instead[128], where[256];
    if (sqlite3_errcode(t->db) == SQLITE_NOMEM) return no_memory(t, err);
    if (!ws_preparing_at(t->spec->preparing, 0, err)) return false;
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(t->db));
    snprintf(where, sizeof where, "point: %.200s", sql);
    ws_suggest(t->db, message, where, instead, sizeof instead);
    if (is_incomplete(t, sql))
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: %s: \"%.200s\": expected an expression, found an incomplete one", t->spec->path,
                       path, sql);
    return ws_fail(err, WS_ERROR_SPEC, "%s: %s: \"%.200s\": %s%s", t->spec->path, path, sql, message,
                   instead);
}

static bool has_no_variable(const point_table *t, const char *path, const char *sql, sqlite3_stmt *stmt,
                            ws_error *err) {
    const char *variable = ws_bind_unset(stmt);
    return !variable ||
           ws_fail(err, WS_ERROR_SPEC,
                   "%s: %s: \"%.200s\": expected values, found the variable %s, to which nothing gives "
                   "one: write its value",
                   t->spec->path, path, sql, variable);
}

/* Compiles a statement with the expression `sql`, in parentheses, between `before` and `after`. The expression is also
 * compiled where nothing but an expression over one row can be, so that a parenthesis in it cannot end ours. */
static sqlite3_stmt *compile(const point_table *t, const char *path, const char *before, const char *sql,
                             const char *after, ws_error *err) {
    char *alone = sqlite3_mprintf("SELECT 1 FROM point WHERE CASE WHEN %s\n THEN 1 END", sql),
         *whole = sqlite3_mprintf("%s (%s\n) %s", before, sql, after);
    sqlite3_stmt *check = NULL, *stmt = NULL;
    bool ok = (alone && whole) || no_memory(t, err);
    if (ok)
        ok = (sqlite3_prepare_v2(t->db, whole, -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(t->db, alone, -1, &check, NULL) == SQLITE_OK) ||
             fail_sql(t, path, sql, err);
    ok = ok && has_no_variable(t, path, sql, stmt, err);
    sqlite3_finalize(check);
    sqlite3_free(alone);
    sqlite3_free(whole);
    if (ok) return stmt;
    sqlite3_finalize(stmt);
    return NULL;
}

/* ---- derived parameters */

static void derived_path(const ws_derived *derived, char *out, size_t size) {
    snprintf(out, size, "$.derived['%.100s']", derived->name);
}

/* An expression may read its own parameter, which still has the GPU's value, but none that a later one sets. */
static bool fail_early(const point_table *t, const char *path, const ws_derived *derived, ws_error *err) {
    return ws_fail(
        err, WS_ERROR_SPEC,
        "%s: %s: \"%.200s\": expected parameters that have their values, found %s, which 'derived' "
        "sets after this one: put %s before it",
        t->spec->path, path, derived->sql, t->early->name, t->early->name);
}

/* Computes the values of all points before it writes any, as an expression may look at other points. */
static bool derive(point_table *t, const ws_derived *derived, ws_error *err) {
    char path[160], column[128], before[200];
    derived_path(derived, path, sizeof path);
    ws_param_column(derived->name, column, sizeof column);
    snprintf(before, sizeof before, "UPDATE point SET \"%s\" = of.value FROM (SELECT number AS point,",
             column);
    t->set++;
    sqlite3_stmt *stmt =
        compile(t, path, before, derived->sql, "AS value FROM point) AS of WHERE of.point = number", err);
    if (!stmt) return false;
    bool ok = t->early ? fail_early(t, path, derived, err)
                       : sqlite3_step(stmt) == SQLITE_DONE || fail_sql(t, path, derived->sql, err);
    sqlite3_finalize(stmt);
    return ok;
}

static json_t *to_json(sqlite3_stmt *row, int column, ws_type type) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: {
        sqlite3_int64 value = sqlite3_column_int64(row, column);
        return type == WS_TYPE_BOOL && (value == 0 || value == 1) ? json_boolean(value) : json_integer(value);
    }
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(row, column)); /* NULL for infinities */
    case SQLITE_TEXT:
        return json_string((const char *)sqlite3_column_text(row, column));
    }
    return json_null();
}

/* Says why to_json() returned NULL. */
static bool fail_value(sqlite3_stmt *row, int column, const char *at, ws_error *err) {
    if (sqlite3_column_type(row, column) == SQLITE_FLOAT && isinf(sqlite3_column_double(row, column)))
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected a finite number, found another", at);
    const char *text = (const char *)sqlite3_column_text(row, column);
    if (text && !ws_is_utf8(text))
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected UTF-8, found other bytes", at);
    return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", at);
}

static bool set_derived(const point_table *t, sqlite3_stmt *row, size_t i, const char *gpu, ws_config *config,
                        ws_error *err) {
    const ws_derived *derived = &t->spec->derived[i];
    const ws_param *param = ws_config_param(config, derived->name);
    json_t *value = to_json(row, (int)i + 1, param->type);
    ws_error refusal = WS_NO_ERROR;
    char path[160], point[300], at[800];
    derived_path(derived, path, sizeof path);
    ws_product_describe(t->spec, config, gpu, i, point, sizeof point);
    snprintf(at, sizeof at, "%s: %s: \"%.200s\"%s%s", t->spec->path, path, derived->sql, *point ? " at " : "",
             point);
    bool ok = value ? ws_config_set(config, derived->name, value, at, &refusal)
                    : fail_value(row, (int)i + 1, at, &refusal),
         should_be_cast = param->type == WS_TYPE_INT && json_is_real(value) &&
                          json_real_value(value) >= param->min && json_real_value(value) <= param->max;
    json_decref(value);
    return ok || ws_fail(err, refusal.code, "%s%s", refusal.text,
                         should_be_cast ? "; CAST(.. AS INTEGER) makes one of it" : "");
}

/* ---- what stays */

/* Selects the numbers of the candidates for which the condition holds, ascending, each with the values of its derived
 * parameters. */
static sqlite3_stmt *select_points(const point_table *t, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(t->db);
    sqlite3_str_appendall(sql, "SELECT number");
    for (size_t i = 0; i < t->spec->derived_count; i++) {
        char column[128];
        ws_param_column(t->spec->derived[i].name, column, sizeof column);
        sqlite3_str_appendf(sql, ", \"%w\"", column);
    }
    sqlite3_str_appendall(sql, " FROM point WHERE");
    char *before = sqlite3_str_finish(sql);
    sqlite3_stmt *stmt = NULL;
    if (before)
        stmt = compile(t, "$.where", before, t->spec->where ? t->spec->where : "1", "ORDER BY number", err);
    else
        no_memory(t, err);
    sqlite3_free(before);
    return stmt;
}

static void leave_out(ws_candidate *candidates, size_t from, size_t to) {
    for (; from < to; from++) {
        ws_config_free(candidates[from].config);
        candidates[from].config = NULL;
    }
}

static bool keep(const point_table *t, sqlite3_stmt *rows, ws_candidate *candidates, size_t count,
                 ws_error *err) {
    size_t next = 0, kept = 0;
    int rc;
    ws_preparing_step(t->spec->preparing, "choosing combinations", "combinations", count);
    for (; (rc = sqlite3_step(rows)) == SQLITE_ROW; kept++) {
        size_t number = (size_t)sqlite3_column_int64(rows, 0);
        if (!ws_preparing_at(t->spec->preparing, number, err)) return false;
        leave_out(candidates, next, number);
        next = number + 1;
        const char *gpu = ws_product_gpu(t->spec, candidates[number].position)->name;
        for (size_t i = 0; i < t->spec->derived_count; i++)
            if (!set_derived(t, rows, i, gpu, candidates[number].config, err)) return false;
    }
    if (rc != SQLITE_DONE) return fail_sql(t, "$.where", t->spec->where ? t->spec->where : "1", err);
    leave_out(candidates, next, count);
    if (kept) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.where: \"%.200s\": expected some of the %zu combinations to stay, found none",
                   t->spec->path, t->spec->where, count);
}

static bool evaluate(point_table *t, ws_candidate *candidates, size_t count, ws_error *err) {
    sqlite3_set_authorizer(t->db, authorize, t);
    ws_preparing_watch(t->spec->preparing, t->db);
    for (size_t i = 0; i < t->spec->derived_count; i++)
        if (!derive(t, &t->spec->derived[i], err)) return false;
    sqlite3_stmt *rows = select_points(t, err);
    bool ok = rows && keep(t, rows, candidates, count, err);
    sqlite3_finalize(rows);
    return ok;
}

bool ws_point_table_apply(const ws_spec *spec, ws_candidate *candidates, size_t count, ws_error *err) {
    if (!spec->where && spec->derived_count == 0) return true;
    point_table t = {.spec = spec};
    bool ok = sqlite3_open(":memory:", &t.db) == SQLITE_OK || fail_own(&t, "opening it", err);
    if (ok) sqlite3_db_config(t.db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is a column, never a text */
    ok = ok && run(&t, sqlite3_mprintf("BEGIN"), "filling it", err) && create(&t, err) &&
         fill(&t, candidates, count, err) && evaluate(&t, candidates, count, err);
    sqlite3_close(t.db);
    return ok;
}
