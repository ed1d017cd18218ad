#include "report/renamed.h"

#include "report/statement.h"
#include "report/unnamed.h"
#include "store/sqlite.h"

#include <stdio.h>

/* The first column of a query's first row, for sqlite3_free(); NULL if there is none. Frees `sql`. */
static char *first_text(sqlite3 *db, char *sql) {
    sqlite3_stmt *row = NULL;
    char *text = NULL;
    if (sql && sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW &&
        sqlite3_column_type(row, 0) != SQLITE_NULL)
        text = sqlite3_mprintf("%s", sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return text;
}

/* Runs `statement` for each view of a sweep. It is a format for SQL's printf(): the name that the view would have if
 * the sweep were called `name`, then its own name. */
static bool for_views(sqlite3 *db, const char *statement, const char *name, const char *sweep) {
    char *all =
        first_text(db, sqlite3_mprintf("SELECT group_concat(printf(%Q, %Q || substr(v.name, length(s.name) "
                                       "+ 1), v.name), ';') FROM sweep s JOIN sweep_view v ON v.sweep = s.id "
                                       "WHERE s.name = %Q",
                                       statement, name, sweep));
    bool ok = all && sqlite3_exec(db, all, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(all);
    return ok;
}

/* True if the query could be prepared if `sweep` were called `name`; tried with temporary views. */
static bool would_do(sqlite3 *db, const char *sql, const char *sweep, const char *name) {
    bool renamed = for_views(db, "CREATE TEMP VIEW \"%w\" AS SELECT * FROM main.\"%w\"", name, sweep);
    sqlite3_stmt *query = renamed ? ws_statement_prepare(db, sql, NULL) : NULL;
    bool does = query != NULL;
    sqlite3_finalize(query);
    for_views(db, "DROP VIEW IF EXISTS temp.\"%w\"", name, sweep);
    return does;
}

/* Sweeps with a view whose name ends as `view` does, and what they would have to be called; longest endings first. */
static const char candidates[] =
    "SELECT sweep, substr(%Q, 1, length(%Q) - length(ending)) AS name FROM (SELECT s.name AS sweep, "
    "substr(v.name, length(s.name) + 1) AS ending FROM sweep s JOIN sweep_view v ON v.sweep = s.id) "
    "WHERE length(ending) < length(%Q) AND substr(%Q, length(%Q) - length(ending) + 1) = ending "
    "ORDER BY length(ending) DESC, sweep";

/* A sweep with other axes than the figure's would be drawn wrong. */
static void tell_renaming(ws_store *store, const char *sql, const char *view, char *text, size_t size) {
    sqlite3 *db = ws_store_sqlite(store);
    char *list = sqlite3_mprintf(candidates, view, view, view, view, view);
    sqlite3_stmt *row = NULL;
    if (list && sqlite3_prepare_v2(db, list, -1, &row, NULL) == SQLITE_OK)
        while (!*text && sqlite3_step(row) == SQLITE_ROW) {
            const char *sweep = (const char *)sqlite3_column_text(row, 0),
                       *name = (const char *)sqlite3_column_text(row, 1);
            if (sweep && name && would_do(db, sql, sweep, name) && !ws_has_unnamed_axes(store, sql, sweep))
                snprintf(text, size,
                         "; its sweep %s would do if it were called %s: sweep that once more with \"name\": "
                         "\"%s\", which computes nothing that is stored",
                         sweep, name, name);
        }
    sqlite3_finalize(row);
    sqlite3_free(list);
}

void ws_tell_sweeps(ws_store *store, const char *sql, const char *view, char *text, size_t size) {
    sqlite3 *db = ws_store_sqlite(store);
    *text = 0;
    tell_renaming(store, sql, view, text, size);
    if (*text) return;
    char *names = first_text(db, sqlite3_mprintf("SELECT group_concat(name, ', ') FROM (SELECT name FROM "
                                                 "sweep ORDER BY name)"));
    if (names) snprintf(text, size, "; it has the views of %s", names);
    sqlite3_free(names);
}
