#include "store/schema.h"

#include "base/array.h"
#include "store/sqlite.h"

#include <stdio.h>

static const char create[] = "CREATE TABLE run ("
                             " id INTEGER PRIMARY KEY,"
                             " sweep TEXT NOT NULL,"
                             " argv TEXT NOT NULL," /* JSON array */
                             " spec_path TEXT NOT NULL,"
                             " spec TEXT NOT NULL,"
                             " jobs INTEGER NOT NULL,"
                             " version TEXT NOT NULL,"
                             " revision TEXT NOT NULL,"
                             " compiler TEXT NOT NULL,"
                             " libraries TEXT NOT NULL," /* JSON object */
                             " host TEXT NOT NULL,"
                             " pid INTEGER NOT NULL,"
                             " started TEXT NOT NULL," /* UTC */
                             " ended TEXT,"            /* NULL while running, or when it was killed */
                             " outcome TEXT CHECK (outcome IN ('done', 'interrupted', 'error')),"
                             " points_done INTEGER,"
                             " points_failed INTEGER"
                             ") STRICT;"

                             "CREATE TABLE trace ("
                             " id INTEGER PRIMARY KEY,"
                             " digest TEXT NOT NULL UNIQUE,"
                             " name TEXT NOT NULL,"
                             " path TEXT NOT NULL,"
                             " isa TEXT NOT NULL,"
                             " tracer TEXT NOT NULL,"
                             " warp_size INTEGER NOT NULL,"
                             " kernels INTEGER NOT NULL"
                             ") STRICT;"

                             /* The counters of a launch follow as further columns. */
                             "CREATE TABLE kernel ("
                             " id INTEGER PRIMARY KEY,"
                             " trace INTEGER NOT NULL REFERENCES trace (id),"
                             " launch INTEGER NOT NULL,"
                             " name TEXT NOT NULL,"
                             " short_name TEXT NOT NULL,"
                             " grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,"
                             " block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,"
                             " registers_per_thread INTEGER NOT NULL,"
                             " shared_B INTEGER NOT NULL,"
                             " UNIQUE (trace, launch)"
                             ") STRICT;"

                             /* `config` is a row of the table <analysis>_config. */
                             "CREATE TABLE point ("
                             " id INTEGER PRIMARY KEY,"
                             " kernel INTEGER NOT NULL REFERENCES kernel (id),"
                             " analysis TEXT NOT NULL,"
                             " version INTEGER NOT NULL,"
                             " config INTEGER NOT NULL,"
                             " status TEXT NOT NULL CHECK (status IN ('done', 'failed')),"
                             " reason TEXT,"
                             " UNIQUE (kernel, config),"
                             " CHECK ((status = 'failed') = (reason IS NOT NULL))"
                             ") STRICT;"

                             "CREATE TABLE point_run ("
                             " point INTEGER PRIMARY KEY REFERENCES point (id),"
                             " run INTEGER NOT NULL REFERENCES run (id)"
                             ") STRICT;"

                             "CREATE TABLE metric ("
                             " table_name TEXT NOT NULL,"
                             " column_name TEXT NOT NULL,"
                             " kind TEXT NOT NULL," /* parameter, key, metric, ratio, counter, fact */
                             " unit TEXT NOT NULL,"
                             " adds TEXT NOT NULL," /* sum, max, same, key, not */
                             " expression TEXT,"    /* of a ratio: SQL over the columns of its table */
                             " help TEXT NOT NULL,"
                             " source TEXT NOT NULL,"
                             " PRIMARY KEY (table_name, column_name)"
                             ") STRICT, WITHOUT ROWID;"

                             "CREATE TABLE sweep ("
                             " id INTEGER PRIMARY KEY,"
                             " name TEXT NOT NULL UNIQUE,"
                             " analysis TEXT NOT NULL,"
                             " axes TEXT NOT NULL" /* JSON array of parameter names */
                             ") STRICT;"

                             /* A point may be asked for before it is computed. */
                             "CREATE TABLE sweep_point ("
                             " sweep INTEGER NOT NULL REFERENCES sweep (id),"
                             " point INTEGER NOT NULL,"
                             " PRIMARY KEY (sweep, point)"
                             ") STRICT, WITHOUT ROWID;"

                             "CREATE TABLE sweep_view ("
                             " name TEXT PRIMARY KEY,"
                             " sweep INTEGER NOT NULL REFERENCES sweep (id)"
                             ") STRICT, WITHOUT ROWID;";

/* The preset that a sweep's point started from: a name for the sweep's own views, no part of the configuration. */
static const char add_gpu[] = "ALTER TABLE sweep_point ADD COLUMN gpu TEXT;";

/* Points of older databases were replayed whole: there were no limits. */
static const char add_truncated[] =
    "ALTER TABLE point ADD COLUMN truncated INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1));";

/* What the sweep's points are compared with: the baseline's values by axis, and the axes in which a point and its
 * baseline agree. NULL if they are not compared; for sweeps of older databases only the views tell. */
static const char add_baseline[] = "ALTER TABLE sweep ADD COLUMN baseline TEXT;"     /* JSON object */
                                   "ALTER TABLE sweep ADD COLUMN compared_at TEXT;"; /* JSON array */

/* What failed in older databases counts as final. */
static const char add_damaged[] =
    "ALTER TABLE point ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0 CHECK (damaged IN (0, 1));";

const char *const ws_schema_steps[] = {create, add_gpu, add_truncated, add_baseline, add_damaged};
const int ws_schema_version = WS_COUNT(ws_schema_steps);

/* ---- identity */

static bool fail(sqlite3 *db, const char *path, const char *what, ws_error *err) {
    return ws_fail(err, WS_ERROR_DATABASE, "%s: %s: %s%s", path, what, sqlite3_errmsg(db),
                   ws_sqlite_remedy(db));
}

/* Reads the integer that a one-row query returns. */
static bool query_int(sqlite3 *db, const char *path, const char *sql, int *value, ws_error *err) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) *value = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    if (rc == SQLITE_ROW) return true;
    if (rc == SQLITE_NOTADB)
        return ws_fail(err, WS_ERROR_DATABASE,
                       "%s: expected a results database, found a file that is not SQLite's", path);
    return fail(db, path, "reading its schema", err);
}

bool ws_schema_identify(sqlite3 *db, const char *path, int newest, int *version, ws_error *err) {
    int application = 0, objects = 0;
    if (!query_int(db, path, "PRAGMA application_id", &application, err) ||
        !query_int(db, path, "PRAGMA user_version", version, err) ||
        !query_int(db, path, "SELECT count(*) FROM sqlite_schema", &objects, err))
        return false;
    bool empty = application == 0 && *version == 0 && objects == 0;
    if (!empty && application != WS_SCHEMA_APPLICATION_ID)
        return ws_fail(err, WS_ERROR_DATABASE,
                       "%s: expected a results database, found an SQLite file of another program "
                       "(application_id %d, %d tables and views); choose another file",
                       path, application, objects);
    if (!empty && *version < 1)
        return ws_fail(err, WS_ERROR_DATABASE,
                       "%s: expected schema version 1 to %d, found %d" WS_SQLITE_DAMAGED, path, newest,
                       *version);
    if (*version > newest)
        return ws_fail(
            err, WS_ERROR_DATABASE,
            "%s: expected schema version %d or older, found %d; use the newer warpsweep that wrote "
            "it",
            path, newest, *version);
    return true;
}

/* ---- migration */

static bool step_to(sqlite3 *db, const char *step, int version) {
    char pragma[64];
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", version);
    return sqlite3_exec(db, step, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(db, pragma, NULL, NULL, NULL) == SQLITE_OK;
}

bool ws_schema_migrate(sqlite3 *db, const char *path, int version, const char *const *steps, int count,
                       ws_error *err) {
    if (version == count) return true;
    char pragma[64], what[64];
    snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d", WS_SCHEMA_APPLICATION_ID);
    bool ok = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_exec(db, pragma, NULL, NULL, NULL) == SQLITE_OK;
    for (int v = version; ok && v < count; v++) ok = step_to(db, steps[v], v + 1);
    ok = ok && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (ok) return true;
    snprintf(what, sizeof what, "going from schema version %d to %d", version, count);
    if (version == 0) snprintf(what, sizeof what, "creating its tables");
    fail(db, path, what, err);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
