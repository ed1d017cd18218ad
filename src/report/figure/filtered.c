#include "report/figure/filtered.h"

#include "base/words.h"
#include "report/statement.h"
#include "store/sqlite.h"

#include <string.h>

/* A view, and what stands behind its sweep's name. */
typedef struct view {
    const char *name, *sweep, *ending;
} view;

/* NULL: out of memory, for the columns that are read here have no NULL. */
static const char *text_cell(sqlite3_stmt *row, int column) {
    return (const char *)sqlite3_column_text(row, column);
}

static bool is_read(const view *v, const char *sql, const char *sweep) {
    if (!sweep) return ws_has_word(sql, v->name);
    return strcmp(v->sweep, sweep) == 0 && *v->ending && strstr(sql, v->ending);
}

/* Whether the condition can be asked of the view: as the last of a statement, so that messages name no other text, and
 * where nothing but one value can be. */
static bool fits(sqlite3 *db, const view *v, const char *where, ws_error *err) {
    static const char *const forms[] = {"SELECT 1 FROM main.\"%w\" ORDER BY NULL OR %s",
                                        "SELECT 1 FROM main.\"%w\" ORDER BY CASE WHEN %s\n THEN 1 END"};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        char *sql = sqlite3_mprintf(forms[i], v->name, where);
        sqlite3_stmt *statement = sql ? ws_statement_prepare(db, sql, err) : NULL;
        ok = statement || (!sql && ws_no_memory(err));
        sqlite3_finalize(statement);
        sqlite3_free(sql);
    }
    return ok;
}

/* Fails if the condition leaves nothing of a view. */
static bool leaves_rows(ws_store *store, const view *v, const char *where, ws_error *err) {
    int64_t any;
    char *sql = sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM main.\"%w\" WHERE (%s\n))", v->name, where);
    return ws_store_number(store, sql, "looking for rows", &any, err) &&
           (any || ws_fail(err, WS_ERROR_USAGE, "where: no row of %s meets this condition", v->name));
}

/* Appends the statement that makes the view, if the condition fits it; false if it does not, but has to. */
static bool append_filter(ws_store *store, sqlite3_str *script, const view *v, bool read, const char *where,
                          ws_error *err) {
    ws_error why = WS_NO_ERROR;
    if (!fits(ws_store_sqlite(store), v, where, &why))
        return (why.code == WS_ERROR_USAGE && !read) || ws_fail(err, why.code, "where: %s", why.text);
    sqlite3_str_appendf(script, "CREATE TEMP VIEW \"%w\" AS SELECT * FROM main.\"%w\" WHERE (%s\n);", v->name,
                        v->name, where);
    return !read || leaves_rows(store, v, where, err);
}

static bool append_filters(ws_store *store, sqlite3_str *script, sqlite3_stmt *row, const char *sql,
                           const char *sweep, const char *where, ws_error *err) {
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        const view v = {text_cell(row, 0), text_cell(row, 1), text_cell(row, 2)};
        if (!v.name || !v.sweep || !v.ending) return ws_no_memory(err);
        if (!append_filter(store, script, &v, is_read(&v, sql, sweep), where, err)) return false;
    }
    return code == SQLITE_DONE || ws_store_fail(store, "reading views", err);
}

bool ws_filter_views(ws_store *store, const char *sql, const char *sweep, const char *where, ws_error *err) {
    sqlite3_stmt *row = NULL;
    if (!ws_store_prepare_text(store, &row,
                               sqlite3_mprintf("SELECT v.name, s.name, substr(v.name, length(s.name) + 1) "
                                               "FROM sweep s JOIN sweep_view v ON v.sweep = s.id"),
                               err))
        return false;
    sqlite3_str *script = sqlite3_str_new(NULL);
    sqlite3_str_appendall(script, "SELECT 1;"); /* there may be no view */
    bool ok = append_filters(store, script, row, sql, sweep, where, err);
    sqlite3_finalize(row);
    char *all = sqlite3_str_finish(script);
    if (ok) return ws_store_run(store, all, "leaving out rows", err);
    sqlite3_free(all);
    return false;
}
