/* Tells of sweeps that were read before all of their points were computed, or although points failed: a mean over what
 * happens to be there says something else than one over all points, and nothing in its rows shows that. */
#include "store/store.h"

void ws_store_watch(ws_store *store) {
    store->watched = true;
    ws_store_note_reads(store, &store->reads);
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
    ws_store_note_reads(store, NULL);
    if (store->reads.failed) return ws_no_memory(err);
    if (!store->reads.count) return true;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    ws_store_append_reads(sql, &store->reads);
    sqlite3_str_appendall(
        sql, "SELECT s.name, count(*), count(p.id), count(*) FILTER (WHERE p.status = "
             "'failed') FROM sweep s JOIN sweep_point a ON a.sweep = s.id LEFT JOIN point p "
             "ON p.id = a.point WHERE s.id IN (" WS_STORE_SWEEPS_READ ") GROUP BY s.id ORDER BY s.name");
    sqlite3_stmt *sweeps = NULL;
    if (!ws_store_prepare_text(store, &sweeps, sqlite3_str_finish(sql), err)) return false;
    int code;
    while ((code = sqlite3_step(sweeps)) == SQLITE_ROW) tell(sweeps, log);
    bool ok = code == SQLITE_DONE || ws_store_fail(store, "looking for points", err);
    sqlite3_finalize(sweeps);
    return ok;
}
