#include "report/figure/filtered.h"

#include "base/words.h"
#include "report/statement.h"
#include "store/sqlite.h"

/* NULL: out of memory, for the columns that are read here have no NULL. */
static const char *text_cell(sqlite3_stmt *row, int column) {
    return (const char *)sqlite3_column_text(row, column);
}

/* A condition, and the WITH that statements with it begin with: there, the views that it names are those of the
 * database, with all rows. The temporary ones, of the same names, would ask it of themselves again. */
typedef struct condition {
    const char *where;
    char *with;
} condition;

static bool append_whole_view(sqlite3_str *with, const char *where, const char *name, const char *view,
                              ws_error *err) {
    if (!name || !view) return ws_no_memory(err);
    if (ws_has_word(where, name))
        sqlite3_str_appendf(with, "%s \"%w\" AS (SELECT * FROM main.\"%w\")",
                            sqlite3_str_length(with) ? "," : "WITH", name, view);
    return true;
}

/* Finds the views that the condition names, by the names that the database or, if it has none such, the figure has. */
static bool find_whole_views(ws_store *store, condition *c, ws_error *err) {
    sqlite3_stmt *row = NULL;
    char *names =
        sqlite3_mprintf("SELECT name, name FROM sweep_view UNION ALL SELECT name, view FROM temp._stand_in "
                        "WHERE name NOT IN (SELECT name FROM sweep_view)");
    if (!ws_store_prepare_text(store, &row, names, err)) return false;
    sqlite3_str *with = sqlite3_str_new(NULL);
    bool ok = true;
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW)
        ok = append_whole_view(with, c->where, text_cell(row, 0), text_cell(row, 1), err);
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading the names of views", err);
    sqlite3_finalize(row);
    sqlite3_str_appendall(with, " "); /* it may name none */
    c->with = sqlite3_str_finish(with);
    return ok && (c->with || ws_no_memory(err));
}

/* Whether the condition can be asked of the view: as the last of a statement, so that messages name no other text, and
 * where nothing but one value can be. */
static bool fits(sqlite3 *db, const char *view, const condition *c, ws_error *err) {
    static const char *const forms[] = {"%sSELECT 1 FROM main.\"%w\" ORDER BY NULL OR %s",
                                        "%sSELECT 1 FROM main.\"%w\" ORDER BY CASE WHEN %s\n THEN 1 END"};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        char *sql = sqlite3_mprintf(forms[i], c->with, view, c->where);
        sqlite3_stmt *statement = sql ? ws_statement_prepare(db, sql, err) : NULL;
        ok = statement || (!sql && ws_no_memory(err));
        sqlite3_finalize(statement);
        sqlite3_free(sql);
    }
    return ok;
}

/* Fails if the condition leaves nothing of a view. */
static bool leaves_rows(ws_store *store, const char *view, const condition *c, ws_error *err) {
    int64_t any;
    char *sql =
        sqlite3_mprintf("%sSELECT EXISTS (SELECT 1 FROM main.\"%w\" WHERE (%s\n))", c->with, view, c->where);
    return ws_store_number(store, sql, "looking for rows", &any, err) &&
           (any || ws_fail(err, WS_ERROR_USAGE, "where: no row of %s meets this condition", view));
}

/* Appends the statement that makes the view, if the condition fits it; false if it does not, but has to, as the figure
 * reads it. */
static bool append_filter(ws_store *store, sqlite3_str *script, const char *view, bool read,
                          const condition *c, ws_error *err) {
    ws_error why = WS_NO_ERROR;
    if (!view) return ws_no_memory(err);
    if (!fits(ws_store_sqlite(store), view, c, &why))
        return (why.code == WS_ERROR_USAGE && !read) || ws_fail(err, why.code, "where: %s", why.text);
    sqlite3_str_appendf(script, "CREATE TEMP VIEW \"%w\" AS %sSELECT * FROM main.\"%w\" WHERE (%s\n);", view,
                        c->with, view, c->where);
    return !read || leaves_rows(store, view, c, err);
}

/* Sets `*script` to the statements that make the views, for ws_store_run(), and `*any` to whether the figure reads
 * one. */
static bool filters_of(ws_store *store, sqlite3_stmt *row, const condition *c, char **script, bool *any,
                       ws_error *err) {
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "SELECT 1;"); /* there may be no view */
    bool ok = true, read;
    int code = SQLITE_ROW;
    *any = false;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
        *any |= read = sqlite3_column_int(row, 1);
        ok = append_filter(store, text, text_cell(row, 0), read, c, err);
    }
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading views", err);
    *script = sqlite3_str_finish(text);
    if (!ok) sqlite3_free(*script);
    return ok;
}

/* Fails if the query reads rows past the temporary views, which would be drawn as if they met the condition. A query
 * that is wrong in this database fails when it is drawn. */
static bool reads_nothing_else(ws_store *store, const char *sql, bool any, ws_error *err) {
    sqlite3_stmt *query = ws_statement_prepare(ws_store_sqlite(store), sql, NULL), *past = NULL;
    sqlite3_finalize(query);
    if (!query) return true;
    if (!any)
        return ws_fail(
            err, WS_ERROR_USAGE,
            "where: expected a query that reads a sweep's view, of which rows can be left out, found none");
    if (!ws_store_sweeps_beside(store, sql, NULL, &past, err)) return false;
    const int code = sqlite3_step(past);
    const char *sweep = code == SQLITE_ROW ? text_cell(past, 0) : NULL;
    bool ok = code == SQLITE_DONE;
    if (sweep)
        ws_fail(
            err, WS_ERROR_USAGE,
            "where: expected a query that does not call views main.NAME, as such have all rows, found one of "
            "sweep %s",
            sweep);
    else if (!ok)
        ws_store_fail(store, "reading the names of sweeps", err);
    sqlite3_finalize(past);
    return ok;
}

bool ws_filter_views(ws_store *store, const char *sql, const char *where, ws_error *err) {
    sqlite3_stmt *row = NULL;
    condition c = {.where = where};
    char *script;
    bool any, ok = ws_store_views_of(store, sql, &row, err) && find_whole_views(store, &c, err) &&
                   filters_of(store, row, &c, &script, &any, err);
    sqlite3_finalize(row);
    sqlite3_free(c.with);
    return ok && ws_store_run(store, script, "leaving out rows", err) &&
           reads_nothing_else(store, sql, any, err);
}
