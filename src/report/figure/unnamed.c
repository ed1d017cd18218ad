#include "report/figure/unnamed.h"

#include "base/words.h"
#include "store/sqlite.h"
#include "warpsweep/param.h"

static bool axes_of(ws_store *store, const char *sweep, sqlite3_stmt **axes, ws_error *err) {
    return ws_store_prepare_text(
        store, axes,
        sqlite3_mprintf("SELECT a.value FROM sweep s, json_each(s.axes) a WHERE s.name = %Q", sweep), err);
}

/* Goes on to the next axis and writes the name of its column. `*axis`: NULL if there is none. */
static bool next_axis(ws_store *store, sqlite3_stmt *axes, const char **axis, char column[128],
                      ws_error *err) {
    const int code = sqlite3_step(axes);
    *axis = code == SQLITE_ROW ? (const char *)sqlite3_column_text(axes, 0) : NULL;
    if (*axis) ws_param_column(*axis, column, 128);
    if (code == SQLITE_ROW) return *axis || ws_no_memory(err);
    return code == SQLITE_DONE || ws_store_fail(store, "reading axes", err);
}

/* Sets `*grouping` to " GROUP BY " and the columns of those axes that the query names, for sqlite3_free(); NULL if it
 * names none. `*count`: of all axes. */
static bool grouping_of(ws_store *store, sqlite3_stmt *axes, const char *sql, char **grouping, size_t *count,
                        ws_error *err) {
    const char *axis, *before = " GROUP BY ";
    char column[128];
    bool ok;
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (*count = 0; (ok = next_axis(store, axes, &axis, column, err)) && axis; ++*count) {
        if (!ws_has_word(sql, column)) continue;
        sqlite3_str_appendf(text, "%s\"%w\"", before, column);
        before = ", ";
    }
    sqlite3_reset(axes);
    const bool failed = sqlite3_str_errcode(text) != SQLITE_OK;
    *grouping = sqlite3_str_finish(text);
    return ok && (!failed || ws_no_memory(err));
}

/* The most values that a column has among rows which agree on the columns of `grouping` (may be NULL). */
static bool values_of(ws_store *store, const char *view, const char *column, const char *grouping,
                      int64_t *values, ws_error *err) {
    return ws_store_number(
        store,
        sqlite3_mprintf("SELECT max(n) FROM (SELECT count(DISTINCT \"%w\") AS n FROM \"%w\"%s)", column, view,
                        grouping ? grouping : ""),
        "counting values", values, err);
}

/* Calls `found` for each axis of the sweep that the query does not name, though it has several values in `view`, one of
 * the sweep's, at the same values of those that it names: zipped axes follow from each other. */
static bool find_unnamed(ws_store *store, const char *sql, const char *sweep, const char *view,
                         void (*found)(void *context, const char *sweep, const char *axis, int64_t values),
                         void *context, ws_error *err) {
    sqlite3_stmt *axes = NULL;
    char *grouping = NULL, column[128];
    const char *axis = NULL;
    size_t count;
    bool ok = axes_of(store, sweep, &axes, err) && grouping_of(store, axes, sql, &grouping, &count, err);
    while (ok && (ok = next_axis(store, axes, &axis, column, err)) && axis) {
        int64_t values = 1;
        ok = ws_has_word(sql, column) || values_of(store, view, column, grouping, &values, err);
        if (ok && values > 1) found(context, sweep, axis, values);
    }
    sqlite3_free(grouping);
    sqlite3_finalize(axes);
    return ok;
}

static void note(void *any, const char *sweep, const char *axis, int64_t values) {
    (void)sweep, (void)axis, (void)values;
    *(bool *)any = true;
}

bool ws_has_unnamed_axes(ws_store *store, const char *sql, const char *sweep, bool *has, ws_error *err) {
    *has = false;
    return find_unnamed(store, sql, sweep, sweep, note, has, err);
}

bool ws_names_axes(ws_store *store, const char *sql, const char *sweep, bool *names, ws_error *err) {
    sqlite3_stmt *axes = NULL;
    char *named = NULL;
    size_t count = 0;
    bool ok = axes_of(store, sweep, &axes, err) && grouping_of(store, axes, sql, &named, &count, err);
    *names = named || !count;
    sqlite3_free(named);
    sqlite3_finalize(axes);
    return ok;
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

static bool tell_of_sweep(ws_store *store, const char *sql, const char *sweep, const char *view, teller t,
                          ws_error *err) {
    if (!sweep || !view) return ws_no_memory(err);
    bool ok = find_unnamed(store, sql, sweep, view, tell, &t, err);
    if (t.told)
        fputs("; choose one value of each (plot --where), or, if that is meant or its conditions leave one, "
              "draw a copy of it that names them in a comment\n",
              t.log);
    return ok;
}

bool ws_tell_unnamed_axes(ws_store *store, const char *sql, const char *name, FILE *log, ws_error *err) {
    sqlite3_stmt *sweeps = NULL;
    if (!log) return true;
    bool ok = ws_store_sweeps_of(store, sql, &sweeps, err);
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(sweeps)) == SQLITE_ROW)
        ok = tell_of_sweep(store, sql, (const char *)sqlite3_column_text(sweeps, 0),
                           (const char *)sqlite3_column_text(sweeps, 1), (teller){name, log, 0}, err);
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading the names of sweeps", err);
    sqlite3_finalize(sweeps);
    return ok;
}
