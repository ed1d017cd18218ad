#include "report/figure/renamed.h"

#include "base/words.h"
#include "report/figure/unnamed.h"
#include "report/statement.h"
#include "store/sqlite.h"
#include "warpsweep/mechanism.h"

#include <stdio.h>
#include <string.h>

/* NULL: out of memory, for the columns that are read here have no NULL. */
static const char *text_cell(sqlite3_stmt *row, int column) {
    return (const char *)sqlite3_column_text(row, column);
}

/* ---- the views of a sweep under another name */

#define CONFIGURATIONS                                                                                       \
    "SELECT p.config FROM sweep w JOIN sweep_point s ON s.sweep = w.id JOIN point p ON p.id = s.point"

/* The mechanism whose parameter this column is, or NULL. */
static const ws_mechanism *owner_of(const char *column) {
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        size_t prefix = strlen((*m)->name);
        if (strncmp(column, (*m)->name, prefix) == 0 && column[prefix] == '_') return *m;
    }
    return NULL;
}

/* Whether the column is a parameter of a mechanism that is off in all configurations of the sweep. It has a value, too,
 * but by that a query would take another mechanism for this one. */
static bool is_of_one_off(ws_store *store, const char *table, const char *sweep, const char *column, bool *is,
                          ws_error *err) {
    const ws_mechanism *owner = owner_of(column);
    *is = false;
    if (!owner) return true;
    char slot[128];
    int64_t on = 0;
    ws_param_column(ws_mechanism_switch(owner)->name, slot, sizeof slot);
    bool ok = ws_store_number(store,
                              sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM \"%w\" WHERE \"%w\" = %Q AND id "
                                              "IN (" CONFIGURATIONS " WHERE w.name = %Q))",
                                              table, slot, owner->name, sweep),
                              "looking for a mechanism", &on, err);
    *is = ok && !on;
    return ok;
}

/* Appends " , VALUE AS COLUMN" if all points of the sweep have the same value, but for a parameter of a mechanism that
 * is off in all of them. */
static bool append_fixed(ws_store *store, sqlite3_str *script, const char *table, const char *sweep,
                         const char *column, ws_error *err) {
    bool off;
    char *value = NULL;
    if (!is_of_one_off(store, table, sweep, column, &off, err)) return false;
    if (off) return true;
    bool ok = ws_store_text(
        store,
        sqlite3_mprintf("SELECT iif(count(DISTINCT \"%w\") = 1, quote(min(\"%w\")), NULL) FROM \"%w\" WHERE "
                        "id IN (" CONFIGURATIONS " WHERE w.name = %Q)",
                        column, column, table, sweep),
        "reading a parameter", &value, err);
    if (value) sqlite3_str_appendf(script, ", %s AS \"%w\"", value, column);
    sqlite3_free(value);
    return ok;
}

/* Appends the parameters of `table` that `view` lacks and the query names. */
static bool append_named(ws_store *store, sqlite3_str *script, const char *sql, const char *table,
                         const char *sweep, const char *view, ws_error *err) {
    sqlite3_stmt *row = NULL;
    char *columns =
        sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q) WHERE name NOT IN ('id', 'version', "
                        "'fidelity', 'json') EXCEPT SELECT name FROM pragma_table_info(%Q)",
                        table, view);
    if (!ws_store_prepare_text(store, &row, columns, err)) return false;
    bool ok = true;
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *column = text_cell(row, 0);
        if (!column)
            ok = ws_no_memory(err);
        else if (ws_has_word(sql, column))
            ok = append_fixed(store, script, table, sweep, column, err);
    }
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading columns", err);
    sqlite3_finalize(row);
    return ok;
}

static bool append_parameters(ws_store *store, sqlite3_str *script, const char *sql, const char *sweep,
                              const char *view, ws_error *err) {
    char *table;
    bool ok = ws_store_text(store,
                            sqlite3_mprintf("SELECT analysis || '_config' FROM sweep WHERE name = %Q", sweep),
                            "reading an analysis", &table, err);
    if (table) ok = append_named(store, script, sql, table, sweep, view, err);
    sqlite3_free(table);
    return ok;
}

/* Appends a statement for the view `own` of the sweep and the name `other` that it would have if the sweep had another
 * one: it drops a temporary view of that name, or, if the query `sql` names it, makes one. */
static bool append_view(ws_store *store, sqlite3_str *script, const char *sql, const char *sweep,
                        const char *own, const char *other, ws_error *err) {
    if (!own || !other) return ws_no_memory(err);
    if (!sql)
        sqlite3_str_appendf(script,
                            "DROP VIEW IF EXISTS temp.\"%w\"; DELETE FROM temp._stand_in WHERE name = %Q;",
                            other, other);
    if (!sql || !ws_has_word(sql, other)) return true;
    sqlite3_str_appendf(script, "CREATE TEMP VIEW \"%w\" AS SELECT *", other);
    bool ok = append_parameters(store, script, sql, sweep, own, err);
    sqlite3_str_appendf(script, " FROM \"%w\"; INSERT OR REPLACE INTO temp._stand_in VALUES (%Q, %Q);", own,
                        other, own); /* or from a temporary one that leaves rows out */
    return ok;
}

/* Runs these statements for all views of the sweep, as if it were called `name`. */
static bool for_views(ws_store *store, const char *sql, const char *sweep, const char *name, ws_error *err) {
    sqlite3_stmt *view = NULL;
    char *views = sqlite3_mprintf("SELECT v.name, %Q || substr(v.name, length(s.name) + 1) FROM sweep s JOIN "
                                  "sweep_view v ON v.sweep = s.id WHERE s.name = %Q",
                                  name, sweep);
    if (!ws_store_prepare_text(store, &view, views, err)) return false;
    sqlite3_str *script = sqlite3_str_new(NULL);
    sqlite3_str_appendall(script, "SELECT 1;"); /* there may be no view */
    bool ok = ws_store_stand_ins(store, err);
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(view)) == SQLITE_ROW)
        ok = append_view(store, script, sql, sweep, text_cell(view, 0), text_cell(view, 1), err);
    if (ok && code != SQLITE_DONE) ok = ws_store_fail(store, "reading views", err);
    sqlite3_finalize(view);
    char *all = sqlite3_str_finish(script);
    if (ok) return ws_store_run(store, all, "giving views another name", err);
    sqlite3_free(all);
    return false;
}

static bool drop_views(ws_store *store, const char *sweep, const char *name, ws_error *err) {
    return for_views(store, NULL, sweep, name, err);
}

/* Sets `*names` to the rows of a query of sweeps' names, "A, B", for sqlite3_free(), NULL if there are none. Frees
 * `row`. */
static bool names_of(ws_store *store, sqlite3_stmt *row, char **names, size_t *count, ws_error *err) {
    sqlite3_str *text = sqlite3_str_new(NULL);
    int code;
    for (*count = 0; (code = sqlite3_step(row)) == SQLITE_ROW; ++*count)
        sqlite3_str_appendf(text, "%s%s", *count ? ", " : "", text_cell(row, 0));
    bool ok = code == SQLITE_DONE || ws_store_fail(store, "reading the names of sweeps", err);
    sqlite3_finalize(row);
    *names = sqlite3_str_finish(text);
    return ok && (*names || !*count || ws_no_memory(err));
}

/* Checks that the query reads no sweep beside the temporary views. */
static bool reads_no_other(ws_store *store, const char *sql, const char *sweep, ws_error *err) {
    sqlite3_stmt *row = NULL;
    char *names = NULL;
    size_t count;
    if (!ws_store_sweeps_beside(store, sql, sweep, &row, err)) {
        sqlite3_finalize(row);
        return false;
    }
    bool ok = names_of(store, row, &names, &count, err);
    if (ok && count)
        ws_fail(err, WS_ERROR_USAGE,
                "expected a query that reads one sweep, and does not call its views main.NAME, found one "
                "that still reads %s",
                names);
    sqlite3_free(names);
    return ok && !count;
}

/* Makes the views; they stay if the query can then be prepared and reads no other sweep. WS_ERROR_USAGE if not. */
static bool make_views(ws_store *store, const char *sql, const char *sweep, const char *name, ws_error *err) {
    if (!for_views(store, sql, sweep, name, err)) return false;
    sqlite3_stmt *query = ws_statement_prepare(ws_store_sqlite(store), sql, err);
    const bool fits = query && reads_no_other(store, sql, sweep, err);
    sqlite3_finalize(query);
    if (!fits) drop_views(store, sweep, name, NULL); /* the error is why they do not fit */
    return fits;
}

/* A query of what sweeps with a view whose name ends as `view` does would have to be called, and of their names. What
 * ends as a longer ending of any sweep does is no other view: A_by_kernel is not the view of a sweep A_by_kernel.
 * `sweep`: of this one alone; NULL: of all. */
static char *candidates(const char *view, const char *sweep) {
    return sqlite3_mprintf(
        "SELECT substr(%Q, 1, length(%Q) - length(ending)), sweep FROM (SELECT *, max(length(ending)) OVER "
        "() AS longest FROM (SELECT s.name AS sweep, substr(v.name, length(s.name) + 1) AS ending FROM sweep "
        "s JOIN sweep_view v ON v.sweep = s.id) WHERE length(ending) < length(%Q) AND substr(%Q, length(%Q) "
        "- length(ending) + 1) = ending) WHERE length(ending) = longest AND (%Q IS NULL OR sweep = %Q) ORDER "
        "BY sweep",
        view, view, view, view, view, sweep, sweep);
}

/* ---- drawing another sweep */

/* Sets `*table` to the first table or view that the query reads, whether the database has it or not, as one without any
 * tells it. For sqlite3_free(); NULL if it reads none. */
static bool first_table(const char *sql, char **table, ws_error *err) {
    static const char words[] = "no such table: ";
    *table = NULL;
    ws_store *empty = ws_store_open_memory("figure", err);
    if (!empty) return false;
    sqlite3_stmt *query = NULL;
    const int code = sqlite3_prepare_v2(ws_store_sqlite(empty), sql, -1, &query, NULL);
    const char *told = code == SQLITE_ERROR ? strstr(sqlite3_errmsg(ws_store_sqlite(empty)), words) : NULL;
    if (told) *table = sqlite3_mprintf("%s", told + strlen(words));
    sqlite3_finalize(query);
    ws_store_close(empty);
    return (code != SQLITE_NOMEM && (*table || !told)) || ws_no_memory(err);
}

/* Sets `*names` to the names of all sweeps, for sqlite3_free(); NULL if there are none. */
static bool sweeps_of(ws_store *store, char **names, ws_error *err) {
    return ws_store_text(store,
                         sqlite3_mprintf("SELECT group_concat(name, ', ') FROM (SELECT name FROM sweep ORDER "
                                         "BY name)"),
                         "reading the names of sweeps", names, err);
}

static bool no_such_sweep(ws_store *store, const char *sweep, ws_error *err) {
    char *others;
    if (!sweeps_of(store, &others, err)) return false;
    ws_fail(err, WS_ERROR_USAGE, "the database has no sweep '%s'%s%s", sweep, others ? "; it has " : "",
            others ? others : "");
    sqlite3_free(others);
    return false;
}

static bool is_sweep(ws_store *store, const char *sweep, ws_error *err) {
    int64_t is = 0;
    return ws_store_number(store,
                           sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM sweep WHERE name = %Q)", sweep),
                           "looking for a sweep", &is, err) &&
           (is || no_such_sweep(store, sweep, err));
}

static bool none_does(const char *sweep, const char *view, const ws_error *why, ws_error *err) {
    if (why->code == WS_ERROR_NONE || why->code == WS_ERROR_USAGE)
        return ws_fail(err, WS_ERROR_USAGE, "sweep %s has no view that does for %s%s%s", sweep,
                       view ? view : "its query", why->code ? ": " : "", why->text);
    if (err) *err = *why;
    return false;
}

/* Makes the views of the one name that fits. If that is the sweep's own, what the query lacks is told when it is
 * drawn. */
static bool rename_to_fit(ws_store *store, const char *sql, const char *sweep, char **named, ws_error *err) {
    char *view, *name = NULL;
    ws_error why = WS_NO_ERROR;
    const bool found = first_table(sql, &view, &why) && view &&
                       ws_store_text(store, candidates(view, sweep), "looking for a view", &name, &why) &&
                       name,
               own = found && strcmp(name, sweep) == 0;
    bool ok =
        own || (found && make_views(store, sql, sweep, name, &why)) || none_does(sweep, view, &why, err);
    if (ok && !own) ok = (*named = strdup(name)) || ws_no_memory(err);
    sqlite3_free(name);
    sqlite3_free(view);
    return ok;
}

/* The names of the sweeps whose views the query reads; none if it asks for views which this database does not have. */
static bool sweeps_read(ws_store *store, const char *sql, char **names, size_t *count, ws_error *err) {
    sqlite3_stmt *row = NULL;
    *names = NULL, *count = 0;
    return ws_store_sweeps_of(store, sql, &row, err) && names_of(store, row, names, count, err);
}

bool ws_rename_sweep(ws_store *store, const char *sql, const char *sweep, char **named, ws_error *err) {
    size_t count;
    char *names = NULL;
    *named = NULL;
    bool done = is_sweep(store, sweep, err) && sweeps_read(store, sql, &names, &count, err);
    if (done && count > 1)
        done = ws_fail(err, WS_ERROR_USAGE,
                       "expected a query of one sweep to draw %s in place of it, found one that reads %s",
                       sweep, names);
    const bool same = done && count == 1 && strcmp(names, sweep) == 0;
    sqlite3_free(names);
    return done && (same || rename_to_fit(store, sql, sweep, named, err));
}

/* ---- telling of it */

static bool would_do(ws_store *store, const char *sql, const char *sweep, const char *name, bool *would,
                     ws_error *err) {
    ws_error why = WS_NO_ERROR;
    *would = make_views(store, sql, sweep, name, &why);
    if (*would) return drop_views(store, sweep, name, err);
    if (why.code == WS_ERROR_USAGE) return true;
    if (err) *err = why;
    return false;
}

/* Writes the command if the figure can be drawn from the sweep. A sweep none of whose axes the figure names has nothing
 * for it, though the figure could be drawn. One that it names all axes of, `*fits`, is told rather than others, of
 * which it would put several points together. */
static bool tell_if_drawn(ws_store *store, const char *sql, const char *figure, const char *sweep,
                          const char *name, char *text, size_t size, bool *fits, ws_error *err) {
    bool names, would, unnamed;
    if (!sweep || !name) return ws_no_memory(err);
    if (!ws_names_axes(store, sql, sweep, &names, err)) return false;
    if (!names) return true;
    if (!would_do(store, sql, sweep, name, &would, err)) return false;
    if (!would) return true;
    if (!ws_has_unnamed_axes(store, sql, sweep, &unnamed, err)) return false;
    *fits = !unnamed;
    if (*fits || !*text)
        snprintf(text, size, "; 'warpsweep plot DB %s --sweep %s -o FILE.svg' %s its sweep %s instead%s",
                 figure, sweep, *fits ? "draws" : "reads", sweep,
                 *fits ? "" : ", but does not tell all of its axes apart");
    return true;
}

static bool tell_command(ws_store *store, const char *sql, const char *figure, const char *view, char *text,
                         size_t size, ws_error *err) {
    sqlite3_stmt *row = NULL;
    if (!ws_store_prepare_text(store, &row, candidates(view, NULL), err)) return false;
    bool ok = true, fits = false;
    int code = SQLITE_ROW;
    while (ok && !fits && (code = sqlite3_step(row)) == SQLITE_ROW)
        ok = tell_if_drawn(store, sql, figure, text_cell(row, 1), text_cell(row, 0), text, size, &fits, err);
    if (ok && !fits && code != SQLITE_DONE) ok = ws_store_fail(store, "looking for views", err);
    sqlite3_finalize(row);
    return ok;
}

bool ws_tell_sweeps(ws_store *store, const char *sql, const char *name, const char *view, char *text,
                    size_t size, ws_error *err) {
    char *names = NULL;
    *text = 0;
    if (!tell_command(store, sql, name, view, text, size, err)) return false;
    if (*text) return true;
    if (!sweeps_of(store, &names, err)) return false;
    if (names) snprintf(text, size, "; it has the views of %s", names);
    sqlite3_free(names);
    return true;
}
