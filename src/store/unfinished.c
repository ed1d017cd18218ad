/* Tells of sweeps that were read before all of their points were computed, or although points failed: a mean over what
 * happens to be there says something else than one over all points, and nothing in its rows shows that. */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static bool is_noted(const ws_store_reads *reads, const char *name) {
    for (size_t i = 0; i < reads->count; i++)
        if (strcmp(reads->names[i], name) == 0) return true;
    return false;
}

static void note(ws_store_reads *reads, const char *name) {
    if (!name || is_noted(reads, name)) return;
    char **names = realloc(reads->names, (reads->count + 1) * sizeof *names);
    char *copy = strdup(name);
    if (names) reads->names = names;
    if (names && copy)
        reads->names[reads->count++] = copy;
    else
        free(copy), reads->failed = true;
}

void ws_store_reads_free(ws_store_reads *reads) {
    for (size_t i = 0; i < reads->count; i++) free(reads->names[i]);
    free(reads->names);
}

/* SQLite asks while it prepares a statement: for a column that is read, with the names of its table and of the view
 * through which it is read. */
static int look(void *reads, int action, const char *table, const char *column, const char *database,
                const char *view) {
    (void)column;
    (void)database;
    if (action == SQLITE_READ) note(reads, table), note(reads, view);
    return SQLITE_OK;
}

/* Notes in `reads` what queries read from now on; NULL: nowhere. */
static void note_in(ws_store *store, ws_store_reads *reads) {
    sqlite3_set_authorizer(store->db, reads ? look : NULL, reads);
}

void ws_store_watch(ws_store *store) {
    store->watched = true;
    note_in(store, &store->reads);
}

/* Appends a query of the ids of the sweeps whose views were read; a temporary view is of none, whatever its name. */
static void append_sweeps(sqlite3_str *sql, const ws_store_reads *reads) {
    sqlite3_str_appendall(sql, "SELECT sweep FROM sweep_view WHERE name IN (");
    for (size_t i = 0; i < reads->count; i++)
        sqlite3_str_appendf(sql, "%s%Q", i ? ", " : "", reads->names[i]);
    sqlite3_str_appendall(sql, ") AND name NOT IN (SELECT name FROM temp.sqlite_schema)");
}

bool ws_store_sweeps_of(ws_store *store, const char *sql, sqlite3_stmt **sweeps, ws_error *err) {
    if (store->sweepless)
        return ws_store_prepare_text(store, sweeps, sqlite3_mprintf("SELECT NULL LIMIT 0"), err);
    ws_store_reads reads = {0};
    sqlite3_stmt *query = NULL;
    note_in(store, &reads);
    bool ok = ws_store_prepare(store, &query, sql, err);
    sqlite3_finalize(query);
    note_in(store, store->watched ? &store->reads : NULL);
    if (ok && reads.failed) ok = ws_no_memory(err);
    sqlite3_str *text = sqlite3_str_new(store->db);
    sqlite3_str_appendall(text, "SELECT name FROM sweep WHERE id IN (");
    append_sweeps(text, &reads);
    sqlite3_str_appendall(text, ") ORDER BY name");
    ws_store_reads_free(&reads);
    return ws_store_prepare_text(store, sweeps, sqlite3_str_finish(text), err) && ok;
}

/* As look(), but notes, as SQL values, each table or view of the database with that through which it is read, "" if by
 * the query itself. */
static int look_closer(void *pairs, int action, const char *table, const char *column, const char *database,
                       const char *view) {
    (void)column;
    if (action == SQLITE_READ && database && strcmp(database, "main") == 0)
        sqlite3_str_appendf(pairs, ", (%Q, %Q)", table, view ? view : "");
    return SQLITE_OK;
}

bool ws_store_sweeps_beside(ws_store *store, const char *sql, const char *sweep, sqlite3_stmt **sweeps,
                            ws_error *err) {
    sqlite3_stmt *query = NULL;
    sqlite3_str *text = sqlite3_str_new(store->db);
    sqlite3_str_appendall(text, "WITH read (name, through) AS (VALUES (NULL, NULL)");
    sqlite3_set_authorizer(store->db, look_closer, text);
    bool ok = ws_store_prepare(store, &query, sql, err);
    sqlite3_finalize(query);
    note_in(store, store->watched ? &store->reads : NULL);
    sqlite3_str_appendf(
        text,
        ") SELECT DISTINCT s.name FROM read r JOIN sweep_view v ON v.name = r.name JOIN sweep s ON "
        "s.id = v.sweep WHERE r.through = '' OR (s.name <> %Q AND r.through NOT IN (SELECT name FROM "
        "sweep_view UNION ALL SELECT name FROM temp.sqlite_schema)) ORDER BY s.name",
        sweep);
    return ws_store_prepare_text(store, sweeps, sqlite3_str_finish(text), err) && ok;
}

/* Tells what a sweep lacks; a row of its name, its points, how many of them are stored, and how many failed. */
static void tell(sqlite3_stmt *sweep, FILE *log) {
    const unsigned char *name = sqlite3_column_text(sweep, 0);
    const long long points = sqlite3_column_int64(sweep, 1), stored = sqlite3_column_int64(sweep, 2),
                    failed = sqlite3_column_int64(sweep, 3);
    if (stored < points)
        fprintf(log, "%s: only %lld of %lld points are there; the sweep is not finished\n", name, stored,
                points);
    if (failed)
        fprintf(log,
                "%s: %lld of %lld points failed and left no rows (SELECT DISTINCT reason FROM point WHERE "
                "status = 'failed')\n",
                name, failed, points);
}

bool ws_store_tell_unfinished(ws_store *store, FILE *log, ws_error *err) {
    store->watched = false;
    note_in(store, NULL);
    if (store->reads.failed) return ws_no_memory(err);
    if (!store->reads.count) return true;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql,
                          "SELECT s.name, count(*), count(p.id), count(*) FILTER (WHERE p.status = "
                          "'failed') FROM sweep s JOIN sweep_point a ON a.sweep = s.id LEFT JOIN point p "
                          "ON p.id = a.point WHERE s.id IN (");
    append_sweeps(sql, &store->reads);
    sqlite3_str_appendall(sql, ") GROUP BY s.id ORDER BY s.name");
    sqlite3_stmt *sweeps = NULL;
    if (!ws_store_prepare_text(store, &sweeps, sqlite3_str_finish(sql), err)) return false;
    int code;
    while ((code = sqlite3_step(sweeps)) == SQLITE_ROW) tell(sweeps, log);
    bool ok = code == SQLITE_DONE || ws_store_fail(store, "looking for points", err);
    sqlite3_finalize(sweeps);
    return ok;
}
