#include "report/figure/renamed.h"

#include "base/words.h"
#include "report/figure/unnamed.h"
#include "report/statement.h"
#include "store/sqlite.h"
#include "warpsweep/mechanism.h"

#include <stdio.h>
#include <string.h>

/* Prepares a query. NULL if that fails; frees `sql`. */
static sqlite3_stmt *prepare(sqlite3 *db, char *sql) {
    sqlite3_stmt *query = NULL;
    if (sql) sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    sqlite3_free(sql);
    return query;
}

static const char *text_cell(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

/* The first column of a query's first row, for sqlite3_free(); NULL if there is none. Frees `sql`. */
static char *first_text(sqlite3 *db, char *sql) {
    sqlite3_stmt *row = prepare(db, sql);
    char *text = NULL;
    if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL)
        text = sqlite3_mprintf("%s", sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return text;
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
static bool is_of_one_off(sqlite3 *db, const char *table, const char *sweep, const char *column) {
    const ws_mechanism *owner = owner_of(column);
    if (!owner) return false;
    char slot[128];
    ws_param_column(ws_mechanism_switch(owner)->name, slot, sizeof slot);
    char *on = first_text(db, sqlite3_mprintf("SELECT 1 FROM \"%w\" WHERE \"%w\" = %Q AND id IN "
                                              "(" CONFIGURATIONS " WHERE w.name = %Q) LIMIT 1",
                                              table, slot, owner->name, sweep));
    sqlite3_free(on);
    return !on;
}

/* Appends the parameters that `view` lacks, which the query names, and of which all points of the sweep have the same
 * value: " , VALUE AS COLUMN" each; but for those of mechanisms that are off in all of them. */
static void append_fixed(sqlite3 *db, sqlite3_str *script, const char *sql, const char *sweep,
                         const char *view) {
    char *table =
        first_text(db, sqlite3_mprintf("SELECT analysis || '_config' FROM sweep WHERE name = %Q", sweep));
    sqlite3_stmt *column = prepare(
        db, sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q) WHERE name NOT IN ('id', 'version', "
                            "'fidelity', 'json') EXCEPT SELECT name FROM pragma_table_info(%Q)",
                            table, view));
    while (sqlite3_step(column) == SQLITE_ROW) {
        const char *name = text_cell(column, 0);
        if (!ws_has_word(sql, name)) continue;
        char *value = first_text(
            db, sqlite3_mprintf(
                    "SELECT iif(count(DISTINCT \"%w\") = 1, quote(min(\"%w\")), NULL) FROM \"%w\" WHERE "
                    "id IN (" CONFIGURATIONS " WHERE w.name = %Q)",
                    name, name, table, sweep));
        if (value && !is_of_one_off(db, table, sweep, name))
            sqlite3_str_appendf(script, ", %s AS \"%w\"", value, name);
        sqlite3_free(value);
    }
    sqlite3_finalize(column);
    sqlite3_free(table);
}

/* Runs a statement for each view of the sweep and the name that the view would have if the sweep were called `name`: it
 * drops a temporary view of that name, or, if the query `sql` names it, makes one. */
static bool for_views(sqlite3 *db, const char *sql, const char *sweep, const char *name) {
    sqlite3_str *script = sqlite3_str_new(db);
    sqlite3_stmt *view = prepare(
        db, sqlite3_mprintf("SELECT v.name, %Q || substr(v.name, length(s.name) + 1) FROM sweep s JOIN "
                            "sweep_view v ON v.sweep = s.id WHERE s.name = %Q",
                            name, sweep));
    while (sqlite3_step(view) == SQLITE_ROW) {
        const char *own = text_cell(view, 0), *other = text_cell(view, 1);
        if (!sql) sqlite3_str_appendf(script, "DROP VIEW IF EXISTS temp.\"%w\";", other);
        if (!sql || !ws_has_word(sql, other)) continue;
        sqlite3_str_appendf(script, "CREATE TEMP VIEW \"%w\" AS SELECT *", other);
        append_fixed(db, script, sql, sweep, own);
        sqlite3_str_appendf(script, " FROM main.\"%w\";", own);
    }
    sqlite3_finalize(view);
    char *all = sqlite3_str_finish(script);
    bool ok = all && sqlite3_exec(db, all, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(all);
    return ok;
}

static void drop_views(sqlite3 *db, const char *sweep, const char *name) {
    for_views(db, NULL, sweep, name);
}

/* The rows of a query of sweeps' names, "A, B", for sqlite3_free(), and how many there are; NULL if there are none.
 * Frees `row`. */
static char *names_of(sqlite3_stmt *row, size_t *count) {
    sqlite3_str *names = sqlite3_str_new(NULL);
    for (*count = 0; sqlite3_step(row) == SQLITE_ROW; ++*count)
        sqlite3_str_appendf(names, "%s%s", *count ? ", " : "", text_cell(row, 0));
    sqlite3_finalize(row);
    return sqlite3_str_finish(names);
}

/* Checks that the query reads no sweep beside the temporary views. */
static bool reads_no_other(ws_store *store, const char *sql, const char *sweep, ws_error *err) {
    sqlite3_stmt *row = NULL;
    size_t count;
    if (!ws_store_sweeps_beside(store, sql, sweep, &row, err)) return false;
    char *names = names_of(row, &count);
    if (count)
        ws_fail(err, WS_ERROR_USAGE,
                "expected a query that reads one sweep, and does not call its views main.NAME, found one "
                "that still reads %s",
                names);
    sqlite3_free(names);
    return !count;
}

/* Makes the views; they stay if the query can then be prepared and reads no other sweep. */
static bool make_views(ws_store *store, const char *sql, const char *sweep, const char *name, ws_error *err) {
    sqlite3 *db = ws_store_sqlite(store);
    bool made = for_views(db, sql, sweep, name) || ws_statement_failed(db, err);
    sqlite3_stmt *query = made ? ws_statement_prepare(db, sql, err) : NULL;
    const bool fits = query && reads_no_other(store, sql, sweep, err);
    sqlite3_finalize(query);
    if (!fits) drop_views(db, sweep, name);
    return fits;
}

/* Prepares a query of sweeps with a view whose name ends as `view` does, and what they would have to be called. What
 * ends as a longer ending of any sweep does is no other view: A_by_kernel is not the view of a sweep A_by_kernel.
 * `sweep`: of this one alone; NULL: of all. */
static sqlite3_stmt *candidates(sqlite3 *db, const char *view, const char *sweep) {
    return prepare(
        db, sqlite3_mprintf(
                "SELECT sweep, substr(%Q, 1, length(%Q) - length(ending)) FROM (SELECT *, "
                "max(length(ending)) OVER () AS longest FROM (SELECT s.name AS sweep, substr(v.name, "
                "length(s.name) + 1) AS ending FROM sweep s JOIN sweep_view v ON v.sweep = s.id) WHERE "
                "length(ending) < length(%Q) AND substr(%Q, length(%Q) - length(ending) + 1) = ending) WHERE "
                "length(ending) = longest AND (%Q IS NULL OR sweep = %Q) ORDER BY sweep",
                view, view, view, view, view, sweep, sweep));
}

/* ---- drawing another sweep */

/* The first table or view that the query reads, whether the database has it or not, as one without any tells it. For
 * sqlite3_free(). NULL if it reads none, or memory ran out. */
static char *first_table(const char *sql) {
    static const char words[] = "no such table: ";
    ws_store *empty = ws_store_open_memory("figure", NULL);
    char *table = NULL;
    if (empty) {
        sqlite3 *db = ws_store_sqlite(empty);
        sqlite3_finalize(prepare(db, sqlite3_mprintf("%s", sql)));
        const char *told = strstr(sqlite3_errmsg(db), words);
        if (told) table = sqlite3_mprintf("%s", told + strlen(words));
    }
    ws_store_close(empty);
    return table;
}

/* The names of all sweeps, for sqlite3_free(); NULL if there are none. */
static char *sweeps_of(sqlite3 *db) {
    return first_text(db,
                      sqlite3_mprintf("SELECT group_concat(name, ', ') FROM (SELECT name FROM sweep ORDER BY "
                                      "name)"));
}

static bool is_sweep(sqlite3 *db, const char *sweep, ws_error *err) {
    char *found = first_text(db, sqlite3_mprintf("SELECT name FROM sweep WHERE name = %Q", sweep)),
         *others = found ? NULL : sweeps_of(db);
    if (!found)
        ws_fail(err, WS_ERROR_USAGE, "the database has no sweep '%s'%s%s", sweep, others ? "; it has " : "",
                others ? others : "");
    bool is = found != NULL;
    sqlite3_free(found);
    sqlite3_free(others);
    return is;
}

/* Makes the views of the one name that fits. */
static bool rename_to_fit(ws_store *store, const char *sql, const char *sweep, char **named, ws_error *err) {
    sqlite3 *db = ws_store_sqlite(store);
    char *view = first_table(sql);
    sqlite3_stmt *row = view ? candidates(db, view, sweep) : NULL;
    ws_error why = WS_NO_ERROR;
    if (sqlite3_step(row) == SQLITE_ROW && make_views(store, sql, sweep, text_cell(row, 1), &why))
        *named = strdup(text_cell(row, 1));
    sqlite3_finalize(row);
    if (!*named)
        ws_fail(err, WS_ERROR_USAGE, "sweep %s has no view that does for %s%s%s", sweep,
                view ? view : "its query", why.code ? ": " : "", why.text);
    sqlite3_free(view);
    return *named;
}

bool ws_rename_sweep(ws_store *store, const char *sql, const char *sweep, char **named, ws_error *err) {
    sqlite3_stmt *row = NULL;
    size_t count;
    *named = NULL;
    if (!is_sweep(ws_store_sqlite(store), sweep, err)) return false;
    if (!ws_store_sweeps_of(store, sql, &row, NULL)) /* it asks for views that the database does not have */
        sqlite3_finalize(row), row = NULL;
    char *names = names_of(row, &count);
    const bool same = count == 1 && strcmp(names, sweep) == 0;
    bool done =
        count < 2 || ws_fail(err, WS_ERROR_USAGE,
                             "expected a query of one sweep to draw %s in place of it, found one that "
                             "reads %s",
                             sweep, names);
    done = done && (same || rename_to_fit(store, sql, sweep, named, err));
    sqlite3_free(names);
    return done;
}

/* ---- telling of it */

static bool would_do(ws_store *store, const char *sql, const char *sweep, const char *name) {
    bool does = make_views(store, sql, sweep, name, NULL);
    if (does) drop_views(ws_store_sqlite(store), sweep, name);
    return does;
}

/* A sweep none of whose axes the figure names has nothing for it, though the figure could be drawn. One that it names
 * all axes of is told rather than others, of which it would put several points together. */
static void tell_command(ws_store *store, const char *sql, const char *figure, const char *view, char *text,
                         size_t size) {
    sqlite3_stmt *row = candidates(ws_store_sqlite(store), view, NULL);
    bool fits = false;
    while (!fits && sqlite3_step(row) == SQLITE_ROW) {
        const char *sweep = text_cell(row, 0);
        if (!ws_names_axes(store, sql, sweep) || !would_do(store, sql, sweep, text_cell(row, 1))) continue;
        fits = !ws_has_unnamed_axes(store, sql, sweep);
        if (fits || !*text)
            snprintf(text, size,
                     "; 'warpsweep plot DB %s --sweep %s -o FILE.svg' draws its sweep %s instead%s", figure,
                     sweep, sweep, fits ? "" : ", but does not tell all of its axes apart");
    }
    sqlite3_finalize(row);
}

void ws_tell_sweeps(ws_store *store, const char *sql, const char *name, const char *view, char *text,
                    size_t size) {
    *text = 0;
    tell_command(store, sql, name, view, text, size);
    if (*text) return;
    char *names = sweeps_of(ws_store_sqlite(store));
    if (names) snprintf(text, size, "; it has the views of %s", names);
    sqlite3_free(names);
}
