#include "report/unnamed.h"

#include "store/sqlite.h"
#include "warpsweep/param.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool names(const char *sql, const char *word) {
    size_t length = strlen(word);
    for (const char *at = sql; (at = strstr(at, word)) != NULL; at += length)
        if ((at == sql || !is_of_name(at[-1])) && !is_of_name(at[length])) return true;
    return false;
}

/* Appends the columns of the sweep's axes that the query names. */
static void append_named(sqlite3_str *out, sqlite3_stmt *axes, const char *sql) {
    char column[128];
    sqlite3_reset(axes);
    for (const char *before = " GROUP BY "; sqlite3_step(axes) == SQLITE_ROW;) {
        ws_param_column((const char *)sqlite3_column_text(axes, 0), column, sizeof column);
        if (!names(sql, column)) continue;
        sqlite3_str_appendf(out, "%s\"%w\"", before, column);
        before = ", ";
    }
}

/* The most values that a column has among points which agree on all axes that the query names: zipped axes follow from
 * those. */
static int64_t values_of(sqlite3 *db, const char *sweep, const char *column, sqlite3_stmt *axes,
                         const char *sql) {
    sqlite3_stmt *row = NULL;
    int64_t count = 0;
    sqlite3_str *text = sqlite3_str_new(db);
    sqlite3_str_appendf(text, "SELECT max(n) FROM (SELECT count(DISTINCT \"%w\") AS n FROM \"%w\"", column,
                        sweep);
    append_named(text, axes, sql);
    sqlite3_str_appendall(text, ")");
    char *query = sqlite3_str_finish(text);
    if (query && sqlite3_prepare_v2(db, query, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        count = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_free(query);
    return count;
}

/* Prepares a query of the names of the sweep's axes; NULL if it has none. */
static sqlite3_stmt *axes_of(sqlite3 *db, const char *sweep) {
    sqlite3_stmt *axes = NULL;
    if (sqlite3_prepare_v2(db, "SELECT a.value FROM sweep s, json_each(s.axes) a WHERE s.name = ?1", -1,
                           &axes, NULL) != SQLITE_OK ||
        sqlite3_bind_text(axes, 1, sweep, -1, SQLITE_TRANSIENT) != SQLITE_OK) {
        sqlite3_finalize(axes);
        return NULL;
    }
    return axes;
}

/* Calls `found` for each axis of the sweep that the query does not tell apart, though it has several values. */
static void find_unnamed(ws_store *store, const char *sql, const char *sweep,
                         void (*found)(void *context, const char *sweep, const char *axis, int64_t values),
                         void *context) {
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_stmt *axes = axes_of(db, sweep), *all = axes_of(db, sweep);
    while (axes && all && sqlite3_step(axes) == SQLITE_ROW) {
        const char *axis = (const char *)sqlite3_column_text(axes, 0);
        char column[128];
        ws_param_column(axis, column, sizeof column);
        int64_t values = names(sql, column) ? 1 : values_of(db, sweep, column, all, sql);
        if (values > 1) found(context, sweep, axis, values);
    }
    sqlite3_finalize(axes);
    sqlite3_finalize(all);
}

static void note(void *any, const char *sweep, const char *axis, int64_t values) {
    (void)sweep, (void)axis, (void)values;
    *(bool *)any = true;
}

bool ws_has_unnamed_axes(ws_store *store, const char *sql, const char *sweep) {
    bool any = false;
    find_unnamed(store, sql, sweep, note, &any);
    return any;
}

typedef struct teller {
    const char *figure;
    FILE *log;
} teller;

static void tell(void *context, const char *sweep, const char *axis, int64_t values) {
    const teller *t = context;
    fprintf(t->log,
            "figure %s: axis %s of sweep %s has %lld values, which the figure's query does not tell apart; "
            "draw a copy of it that chooses one, or names the axis in a comment if that is meant\n",
            t->figure, axis, sweep, (long long)values);
}

/* SQLite asks while it prepares a statement: for each column that is read, with the names of its table and of the view
 * through which it is read. These are appended, each on a line. */
static int note_read(void *lines, int action, const char *table, const char *column, const char *database,
                     const char *view) {
    (void)column, (void)database;
    if (action == SQLITE_READ) sqlite3_str_appendf(lines, "%s\n%s\n", table ? table : "", view ? view : "");
    return SQLITE_OK;
}

/* The tables and views that the query reads, each between ends of lines, for sqlite3_free(). */
static char *tables_of(ws_store *store, const char *sql) {
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_str *lines = sqlite3_str_new(db);
    sqlite3_stmt *query = NULL;
    sqlite3_str_appendall(lines, "\n");
    sqlite3_set_authorizer(db, note_read, lines);
    sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    ws_store_watch(store); /* as before */
    sqlite3_finalize(query);
    return sqlite3_str_finish(lines);
}

void ws_tell_unnamed_axes(ws_store *store, const char *sql, const char *name, FILE *log) {
    sqlite3_stmt *sweeps = NULL;
    char *tables = log ? tables_of(store, sql) : NULL;
    if (tables &&
        sqlite3_prepare_v2(ws_store_sqlite(store),
                           "SELECT DISTINCT s.name FROM sweep s JOIN sweep_view v ON v.sweep = s.id "
                           "WHERE instr(?1, char(10) || v.name || char(10)) ORDER BY 1",
                           -1, &sweeps, NULL) == SQLITE_OK &&
        sqlite3_bind_text(sweeps, 1, tables, -1, SQLITE_STATIC) == SQLITE_OK)
        while (sqlite3_step(sweeps) == SQLITE_ROW)
            find_unnamed(store, sql, (const char *)sqlite3_column_text(sweeps, 0), tell,
                         &(teller){name, log});
    sqlite3_finalize(sweeps);
    sqlite3_free(tables);
}
