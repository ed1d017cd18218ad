#include "report/figure/unnamed.h"

#include "base/words.h"
#include "store/sqlite.h"
#include "warpsweep/param.h"

static sqlite3_stmt *axes_of(sqlite3 *db, const char *sweep) {
    sqlite3_stmt *axes = NULL;
    if (sqlite3_prepare_v2(db, "SELECT a.value FROM sweep s, json_each(s.axes) a WHERE s.name = ?1", -1,
                           &axes, NULL) == SQLITE_OK &&
        sqlite3_bind_text(axes, 1, sweep, -1, SQLITE_TRANSIENT) == SQLITE_OK)
        return axes;
    sqlite3_finalize(axes);
    return NULL;
}

/* Returns " GROUP BY " and the columns of those axes that the query names, or NULL. For sqlite3_free(). */
static char *grouping_of(sqlite3 *db, sqlite3_stmt *axes, const char *sql) {
    char column[128];
    sqlite3_str *text = sqlite3_str_new(db);
    for (const char *before = " GROUP BY "; sqlite3_step(axes) == SQLITE_ROW;) {
        ws_param_column((const char *)sqlite3_column_text(axes, 0), column, sizeof column);
        if (!ws_has_word(sql, column)) continue;
        sqlite3_str_appendf(text, "%s\"%w\"", before, column);
        before = ", ";
    }
    sqlite3_reset(axes);
    return sqlite3_str_finish(text);
}

/* The most values that a column has among points which agree on the columns of `grouping` (may be NULL). */
static int64_t values_of(ws_store *store, const char *sweep, const char *column, const char *grouping) {
    int64_t count = 0;
    ws_store_number(store,
                    sqlite3_mprintf("SELECT max(n) FROM (SELECT count(DISTINCT \"%w\") AS n FROM \"%w\"%s)",
                                    column, sweep, grouping ? grouping : ""),
                    "counting values", &count, NULL);
    return count;
}

/* Calls `found` for each axis of the sweep that the query does not name, though it has several values at the same
 * values of those that it names: zipped axes follow from each other. */
static void find_unnamed(ws_store *store, const char *sql, const char *sweep,
                         void (*found)(void *context, const char *sweep, const char *axis, int64_t values),
                         void *context) {
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_stmt *axes = axes_of(db, sweep);
    char *grouping = grouping_of(db, axes, sql);
    while (sqlite3_step(axes) == SQLITE_ROW) {
        const char *axis = (const char *)sqlite3_column_text(axes, 0);
        char column[128];
        ws_param_column(axis, column, sizeof column);
        int64_t values = ws_has_word(sql, column) ? 1 : values_of(store, sweep, column, grouping);
        if (values > 1) found(context, sweep, axis, values);
    }
    sqlite3_free(grouping);
    sqlite3_finalize(axes);
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

bool ws_names_axes(ws_store *store, const char *sql, const char *sweep) {
    sqlite3 *db = ws_store_sqlite(store);
    sqlite3_stmt *axes = axes_of(db, sweep);
    char *named = grouping_of(db, axes, sql);
    const bool any = named || sqlite3_step(axes) != SQLITE_ROW;
    sqlite3_free(named);
    sqlite3_finalize(axes);
    return any;
}

typedef struct teller {
    const char *figure;
    FILE *log;
    size_t told;
} teller;

static void tell(void *context, const char *sweep, const char *axis, int64_t values) {
    teller *t = context;
    if (!t->told++)
        fprintf(t->log, "figure %s: its query does not tell axes of sweep %s apart: ", t->figure, sweep);
    fprintf(t->log, "%s%s (%lld values)", t->told > 1 ? ", " : "", axis, (long long)values);
}

static void tell_of_sweep(ws_store *store, const char *sql, const char *sweep, teller t) {
    find_unnamed(store, sql, sweep, tell, &t);
    if (t.told)
        fputs("; draw a copy of it that chooses one value of each, or, if that is meant or its conditions "
              "leave one, names them in a comment\n",
              t.log);
}

void ws_tell_unnamed_axes(ws_store *store, const char *sql, const char *name, FILE *log) {
    sqlite3_stmt *sweeps = NULL;
    if (!log || !ws_store_sweeps_of(store, sql, &sweeps, NULL)) {
        sqlite3_finalize(sweeps);
        return;
    }
    while (sqlite3_step(sweeps) == SQLITE_ROW)
        tell_of_sweep(store, sql, (const char *)sqlite3_column_text(sweeps, 0), (teller){name, log, 0});
    sqlite3_finalize(sweeps);
}
