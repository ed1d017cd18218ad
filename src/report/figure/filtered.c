#include "report/figure/filtered.h"

#include "report/statement.h"
#include "store/sqlite.h"

/* Whether the condition can be asked of the view: as the last of a statement, so that messages name no other text, and
 * where nothing but one value can be. */
static bool fits(sqlite3 *db, const char *view, const char *where, ws_error *err) {
    static const char *const forms[] = {"SELECT 1 FROM main.\"%w\" ORDER BY NULL OR %s",
                                        "SELECT 1 FROM main.\"%w\" ORDER BY CASE WHEN %s\n THEN 1 END"};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        char *sql = sqlite3_mprintf(forms[i], view, where);
        sqlite3_stmt *statement = sql ? ws_statement_prepare(db, sql, err) : NULL;
        ok = statement || (!sql && ws_no_memory(err));
        sqlite3_finalize(statement);
        sqlite3_free(sql);
    }
    return ok;
}

/* Fails if the condition leaves nothing of a view. */
static bool leaves_rows(ws_store *store, const char *view, const char *where, ws_error *err) {
    int64_t any;
    char *sql = sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM main.\"%w\" WHERE (%s\n))", view, where);
    return ws_store_number(store, sql, "looking for rows", &any, err) &&
           (any || ws_fail(err, WS_ERROR_USAGE, "where: no row of %s meets this condition", view));
}

/* Appends the statement that makes the view, if the condition fits it; false if it does not, but has to, as the figure
 * reads it. */
static bool append_filter(ws_store *store, sqlite3_str *script, const char *view, bool read,
                          const char *where, ws_error *err) {
    ws_error why = WS_NO_ERROR;
    if (!view) return ws_no_memory(err);
    if (!fits(ws_store_sqlite(store), view, where, &why))
        return (why.code == WS_ERROR_USAGE && !read) || ws_fail(err, why.code, "where: %s", why.text);
    sqlite3_str_appendf(script, "CREATE TEMP VIEW \"%w\" AS SELECT * FROM main.\"%w\" WHERE (%s\n);", view,
                        view, where);
    return !read || leaves_rows(store, view, where, err);
}

bool ws_filter_views(ws_store *store, const char *sql, const char *where, ws_error *err) {
    sqlite3_stmt *row = NULL;
    if (!ws_store_views_of(store, sql, &row, err)) return false;
    sqlite3_str *script = sqlite3_str_new(NULL);
    sqlite3_str_appendall(script, "SELECT 1;"); /* there may be no view */
    bool ok = true;
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW)
        ok = append_filter(store, script, (const char *)sqlite3_column_text(row, 0),
                           sqlite3_column_int(row, 1), where, err);
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading views", err);
    sqlite3_finalize(row);
    char *all = sqlite3_str_finish(script);
    if (ok) return ws_store_run(store, all, "leaving out rows", err);
    sqlite3_free(all);
    return false;
}
