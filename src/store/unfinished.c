/* Tells of sweeps that were read before all of their points were computed, or although points failed: a mean over what
 * happens to be there says something else than one over all points, and nothing in its rows shows that. */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static bool is_noted(const ws_store *store, const char *name) {
    for (size_t i = 0; i < store->read_count; i++)
        if (strcmp(store->read[i], name) == 0) return true;
    return false;
}

static void note(ws_store *store, const char *name) {
    if (!name || is_noted(store, name)) return;
    char **read = realloc(store->read, (store->read_count + 1) * sizeof *read);
    char *copy = strdup(name);
    if (read) store->read = read;
    if (read && copy)
        store->read[store->read_count++] = copy;
    else
        free(copy);
}

/* SQLite asks while it prepares a statement: for a column that is read, with the names of its table and of the view
 * through which it is read. */
static int look(void *store, int action, const char *table, const char *column, const char *database,
                const char *view) {
    (void)column;
    (void)database;
    if (action == SQLITE_READ) note(store, table), note(store, view);
    return SQLITE_OK;
}

void ws_store_watch(ws_store *store) {
    sqlite3_set_authorizer(store->db, look, store);
}

/* Appends the ids of the sweeps whose views were read. */
static void append_read(sqlite3_str *sql, const ws_store *store) {
    sqlite3_str_appendall(sql, "SELECT sweep FROM sweep_view WHERE name IN (");
    for (size_t i = 0; i < store->read_count; i++)
        sqlite3_str_appendf(sql, "%s%Q", i ? ", " : "", store->read[i]);
    sqlite3_str_appendall(sql, ")");
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
        fprintf(log, "%s: %lld of %lld points failed and left no rows (results/failures.sql says why)\n",
                name, failed, points);
}

bool ws_store_tell_unfinished(ws_store *store, FILE *log, ws_error *err) {
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (!store->read_count) return true;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql,
                          "SELECT s.name, count(*), count(p.id), count(*) FILTER (WHERE p.status = "
                          "'failed') FROM sweep s JOIN sweep_point a ON a.sweep = s.id LEFT JOIN point p "
                          "ON p.id = a.point WHERE s.id IN (");
    append_read(sql, store);
    sqlite3_str_appendall(sql, ") GROUP BY s.id ORDER BY s.name");
    sqlite3_stmt *sweeps = NULL;
    if (!ws_store_prepare_text(store, &sweeps, sqlite3_str_finish(sql), err)) return false;
    int code;
    while ((code = sqlite3_step(sweeps)) == SQLITE_ROW) tell(sweeps, log);
    bool ok = code == SQLITE_DONE || ws_store_fail(store, "looking for points", err);
    sqlite3_finalize(sweeps);
    return ok;
}
