/* What queries read of the database, as SQLite tells while it prepares them. */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static bool is_noted(const ws_store_reads *reads, const char *row) {
    for (size_t i = 0; i < reads->count; i++)
        if (strcmp(reads->rows[i], row) == 0) return true;
    return false;
}

/* Takes the row; NULL: out of memory. */
static void note(ws_store_reads *reads, char *row) {
    if (row && is_noted(reads, row)) {
        sqlite3_free(row);
        return;
    }
    char **rows = row ? realloc(reads->rows, (reads->count + 1) * sizeof *rows) : NULL;
    if (rows)
        reads->rows = rows, rows[reads->count++] = row;
    else
        sqlite3_free(row), reads->failed = true;
}

void ws_store_reads_free(ws_store_reads *reads) {
    for (size_t i = 0; i < reads->count; i++) sqlite3_free(reads->rows[i]);
    free(reads->rows);
}

/* SQLite asks for each column: with its table or view, the base that has this, and what reads it, a view or a name of
 * WITH; NULL if that is the query. It asks once, for no column and perhaps of no base, where none is read. */
static int look(void *reads, int action, const char *name, const char *column, const char *base,
                const char *reader) {
    (void)column;
    if (action == SQLITE_READ)
        note(reads, sqlite3_mprintf("(%Q, %Q, %Q)", base ? base : "", name, reader ? reader : ""));
    return SQLITE_OK;
}

void ws_store_note_reads(ws_store *store, ws_store_reads *reads) {
    sqlite3_set_authorizer(store->db, reads ? look : NULL, reads);
}

void ws_store_append_reads(sqlite3_str *sql, const ws_store_reads *reads) {
    sqlite3_str_appendall(sql, "WITH read (base, name, reader) AS (VALUES (NULL, NULL, NULL)");
    for (size_t i = 0; i < reads->count; i++) sqlite3_str_appendf(sql, ", %s", reads->rows[i]);
    sqlite3_str_appendall(sql, ") ");
}

/* A query that is wrong in this database reads nothing. */
static bool reads_of(ws_store *store, const char *sql, ws_store_reads *reads, ws_error *err) {
    sqlite3_stmt *query = NULL;
    ws_store_note_reads(store, reads);
    const int code = sqlite3_prepare_v2(store->db, sql, -1, &query, NULL);
    const bool ok =
        code == SQLITE_OK || code == SQLITE_ERROR || ws_store_fail(store, "preparing a query", err);
    sqlite3_finalize(query);
    ws_store_note_reads(store, store->watched ? &store->reads : NULL);
    if (ok && code == SQLITE_OK) return !reads->failed || ws_no_memory(err);
    ws_store_reads_free(reads);
    *reads = (ws_store_reads){0};
    return ok;
}

/* ---- what of sweeps they read */

/* Views of sweeps, by their own names, that the query itself reads, and not through another view. */
#define OWN                                                                                                  \
    "SELECT ifnull(i.view, r.name) FROM read r LEFT JOIN temp._stand_in i ON i.name = r.name "               \
    "WHERE r.reader COLLATE NOCASE NOT IN "                                                                  \
    "(SELECT name FROM sweep_view UNION ALL SELECT name FROM temp.sqlite_schema)"

bool ws_store_stand_ins(ws_store *store, ws_error *err) {
    return ws_store_exec(store,
                         "CREATE TEMP TABLE IF NOT EXISTS _stand_in (name TEXT PRIMARY KEY, view TEXT)",
                         "making a temporary table", err);
}

/* Prepares a query of what `sql` reads; it frees `query`. */
static bool ask(ws_store *store, const char *sql, char *query, sqlite3_stmt **stmt, ws_error *err) {
    ws_store_reads reads = {0};
    bool ok =
        (query || ws_no_memory(err)) && ws_store_stand_ins(store, err) && reads_of(store, sql, &reads, err);
    sqlite3_str *whole = sqlite3_str_new(store->db);
    ws_store_append_reads(whole, &reads);
    if (ok) sqlite3_str_appendall(whole, query);
    char *text = sqlite3_str_finish(whole);
    ws_store_reads_free(&reads);
    sqlite3_free(query);
    if (ok) return ws_store_prepare_text(store, stmt, text, err);
    sqlite3_free(text);
    return false;
}

bool ws_store_sweeps_of(ws_store *store, const char *sql, sqlite3_stmt **sweeps, ws_error *err) {
    if (store->sweepless)
        return ws_store_prepare_text(store, sweeps, sqlite3_mprintf("SELECT NULL LIMIT 0"), err);
    return ask(
        store, sql,
        sqlite3_mprintf("SELECT s.name, ifnull(min(iif(v.name IN (SELECT name FROM temp.sqlite_schema), "
                        "v.name, NULL)), s.name) FROM sweep s JOIN sweep_view v ON v.sweep = s.id WHERE "
                        "v.name IN (" OWN ") GROUP BY s.id ORDER BY s.name"),
        sweeps, err);
}

bool ws_store_views_of(ws_store *store, const char *sql, sqlite3_stmt **views, ws_error *err) {
    return ask(store, sql,
               sqlite3_mprintf("SELECT name, name IN (" OWN ") FROM sweep_view WHERE sweep IN "
                               "(" WS_STORE_SWEEPS_READ ")"),
               views, err);
}

bool ws_store_sweeps_beside(ws_store *store, const char *sql, const char *sweep, sqlite3_stmt **sweeps,
                            ws_error *err) {
    return ask(
        store, sql,
        sqlite3_mprintf("SELECT DISTINCT s.name FROM read r JOIN sweep_view v ON v.name = r.name JOIN "
                        "sweep s ON s.id = v.sweep WHERE r.base = 'main' AND (r.reader = '' OR (s.name "
                        "<> %Q AND r.reader NOT IN (SELECT name FROM sweep_view UNION ALL SELECT name "
                        "FROM temp.sqlite_schema))) ORDER BY s.name",
                        sweep),
        sweeps, err);
}
