/* Merges the results of another database, the part, into the store's. Identifiers follow from what a row is about, so
 * rows are copied as they are; only runs are numbered anew. The part is attached as `part`. Statements that depend on
 * tables and columns are made from the schemas by SQL itself. */
#include "base/array.h"
#include "base/given.h"
#include "store/store.h"

#include <string.h>

typedef struct merging {
    ws_store *store;
    const char *path; /* of the part */
    FILE *log;
} merging;

/* ---- asking */

static bool ask(merging *m, char *sql, char **text, ws_error *err) {
    return ws_store_text(m->store, sql, "comparing", text, err);
}

static bool count(merging *m, const char *table, uint64_t *rows, ws_error *err) {
    int64_t number = 0;
    bool ok = ws_store_number(m->store, sqlite3_mprintf("SELECT count(*) FROM %s", table), "counting points",
                              &number, err);
    *rows = (uint64_t)number;
    return ok;
}

/* ---- the part */

static bool attach(const merging *m, ws_error *err) {
    ws_store *part = ws_store_open_readonly(m->path, err); /* checks that it is a results database */
    if (!part) return false;
    ws_store_close(part);
    if (ws_store_is_file(m->store, m->path))
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected another database than the one that it is merged into", m->path);
    return ws_store_run(m->store,
                        sqlite3_mprintf("ATTACH '%q%q' AS part", ws_sqlite_folder(m->path), m->path),
                        "attaching", err);
}

/* ---- results that both have */

#define IS_OURS "t.type = 'table' AND t.name NOT LIKE 'sqlite#_%' ESCAPE '#'"
/* The part's tables for which `condition` holds, as t. */
#define TABLES(condition) " FROM part.sqlite_schema t WHERE " IS_OURS " AND " condition

/* Result tables have a column `point`. */
#define IS_RESULT                                                                                            \
    "t.name NOT IN ('point_run', 'sweep_point') AND "                                                        \
    "EXISTS (SELECT 1 FROM pragma_table_info(t.name, 'part') WHERE name = 'point')"

/* Rows of one database's table, of points that both have done, that the other does not have; a format that takes the
 * columns and the table's name twice. */
#define ONLY_IN(one, other)                                                                                  \
    "SELECT * FROM (SELECT %s FROM " one ".\"%w\" WHERE point IN (SELECT id FROM merge_both) "               \
    "EXCEPT SELECT %s FROM " other ".\"%w\")"
#define IN_ONE_ALONE    ONLY_IN("part", "main") " UNION ALL " ONLY_IN("main", "part")
#define OF_IN_ONE_ALONE "columns, name, columns, name, columns, name, columns, name"

/* The tables to compare, and the columns that both databases have: whether a point's launch was cut short, which older
 * programs do not say, and all results, but not the notes on them, the words of which may have changed. */
#define COMPARED                                                                                             \
    "SELECT 'point' AS name, 'id AS point, truncated' AS columns FROM pragma_table_info('point', 'part') "   \
    "WHERE name = 'truncated' UNION ALL SELECT t.name, (SELECT group_concat(printf('\"%w\"', p.name), "      \
    "', ') FROM pragma_table_info(t.name, 'part') p JOIN pragma_table_info(t.name, 'main') m "               \
    "ON m.name = p.name WHERE p.name <> 'note')" TABLES(                                                     \
        IS_RESULT " AND t.name IN (SELECT name FROM main.sqlite_schema)")

/* Makes a query for each of these tables; it finds rows that only one database has. */
static const char differences[] =
    "SELECT group_concat(printf('SELECT printf(''launch %%d (%%s) of trace %%s, table %%s'', k.launch, "
    "k.short_name, t.name, %Q) FROM (" IN_ONE_ALONE ") r JOIN part.point p ON p.id = r.point "
    "JOIN part.kernel k ON k.id = p.kernel JOIN part.trace t ON t.id = k.trace', "
    "name, " OF_IN_ONE_ALONE "), ' UNION ALL ') FROM (" COMPARED ")";

/* Checks that points in both databases have the same results. They do, unless different programs claim to be the
 * same. */
static bool check_results(merging *m, ws_error *err) {
    char *query, *where = NULL;
    if (!ask(m, sqlite3_mprintf("%s", differences), &query, err) || !query) return !query;
    bool ok = ask(m, sqlite3_mprintf("SELECT * FROM (%s) LIMIT 1", query), &where, err);
    if (ok && where)
        ok = ws_fail(err, WS_ERROR_DATABASE,
                     "expected the results that %s has, found others for %s; the programs that computed them "
                     "differ (SELECT revision, compiler FROM run): compute one of the databases again",
                     m->store->path, where);
    sqlite3_free(query);
    sqlite3_free(where);
    return ok;
}

/* ---- copying */

/* The containers of a job array may agree in all but what they were told to do. */
#define SAME_RUN                                                                                             \
    "(m.sweep, m.host, m.pid, m.started, m.argv, m.spec) = (p.sweep, p.host, p.pid, p.started, p.argv, "     \
    "p.spec)"
#define RUN                                                                                                  \
    "sweep, argv, spec_path, spec, jobs, version, revision, compiler, libraries, host, pid, started, "       \
    "ended, "                                                                                                \
    "outcome, points_done, points_failed"
#define NEW_POINT         "WHERE point IN (SELECT id FROM merge_point)"
#define NEW_SWEEP(column) "WHERE " column " IN (SELECT id FROM merge_sweep)"

/* Views of sweep p.id. */
#define VIEWS(db)                                                                                            \
    "SELECT v.name, x.sql FROM " db ".sweep_view v JOIN " db                                                 \
    ".sqlite_schema x ON x.name = v.name AND x.type = 'view' WHERE v.sweep = p.id"

/* Makes a statement that copies rows, for each of the tables for which `condition` holds. */
#define COPY(verb, condition, rest)                                                                          \
    "SELECT printf('" verb " INTO main.\"%w\" (%s) SELECT %s FROM part.\"%w\" " rest                         \
    "', name, columns, columns, name) AS sql FROM (SELECT t.name AS name, (SELECT "                          \
    "group_concat(printf('\"%w\"', name), ', ') FROM pragma_table_info(t.name, 'part')) AS columns" TABLES(  \
        condition) ")"

typedef struct step {
    const char *what;
    const char *sql;
    const char *made; /* instead of `sql`: a query that makes statements, one per row, in column `sql` */
} step;

/* The values that all points of a sweep share because they are not axes, in rows of gpu, key, value; taken from the
 * sweep's first point of each GPU. */
#define SHARED(db)                                                                                           \
    "(SELECT s.gpu AS gpu, e.key AS key, e.value AS value FROM (SELECT %s AS gpu, min(x.config) AS config "  \
    "FROM " db ".sweep_point y JOIN " db ".point x ON x.id = y.point WHERE y.sweep = %d GROUP BY 1) s "      \
    "JOIN " db ".\"%w_config\" c ON c.id = s.config, "                                                       \
    "json_each(json_set(c.json, ''$.version'', c.version, ''$.fidelity'', c.fidelity)) e "                   \
    "WHERE e.key NOT IN (SELECT value FROM json_each(%Q)))"
#define SHARED_VALUES "gpu, id, analysis, axes"

/* Makes a statement for each sweep that both have: it notes the sweep in merge_other if the points differ in more than
 * the axes. */
static const char list_others[] =
    "SELECT printf('INSERT INTO merge_other SELECT %d WHERE EXISTS (SELECT 1 FROM " SHARED(
        "main") " m JOIN " SHARED("part") " p USING (gpu, key) WHERE m.value IS NOT p.value)', "
                                          "id, " SHARED_VALUES ", " SHARED_VALUES
                                          ") AS sql FROM (SELECT p.id AS id, p.analysis AS analysis, "
                                          "p.axes AS axes, iif('gpu' IN (SELECT value FROM "
                                          "json_each(p.axes)), 'y.gpu', '0') AS gpu FROM part.sweep p JOIN "
                                          "main.sweep m USING (id, analysis, axes))";

/* Traces of sweep p.id, by the names that they will have: one that both databases have keeps that of main. */
#define TRACES(db)                                                                                           \
    "SELECT t.id AS id, ifnull((SELECT m.name FROM main.trace m WHERE m.id = t.id), t.name) AS name "        \
    "FROM " db ".sweep_point y JOIN " db ".point x ON x.id = y.point JOIN " db                               \
    ".kernel k ON k.id = x.kernel JOIN " db ".trace t ON t.id = k.trace WHERE y.sweep = p.id"

/* Notes sweeps, too, that would have different traces of one name. */
static const char list_namesakes[] =
    "INSERT OR IGNORE INTO merge_other SELECT p.id FROM part.sweep p WHERE EXISTS (SELECT 1 FROM "
    "(" TRACES("main") " UNION " TRACES("part") ") GROUP BY name HAVING count(*) > 1)";

static const step begin_steps[] = {
    {"listing new points",
     "CREATE TEMP TABLE merge_point (id INTEGER PRIMARY KEY);"
     "INSERT INTO merge_point SELECT p.id FROM part.point p LEFT JOIN main.point m ON m.id = p.id "
     "WHERE m.id IS NULL OR (m.status = 'failed' AND p.status = 'done')",
     NULL},
    {"listing points of both",
     "CREATE TEMP TABLE merge_both (id INTEGER PRIMARY KEY);"
     "INSERT INTO merge_both SELECT id FROM part.point p JOIN main.point m USING (id) "
     "WHERE p.status = 'done' AND m.status = 'done'",
     NULL},
    {"listing sweeps", "CREATE TEMP TABLE merge_other (id INTEGER PRIMARY KEY)", NULL},
    {"comparing sweeps", NULL, list_others},
    {"comparing traces", list_namesakes, NULL},
    /* A sweep that both have is merged if its views are the same and tell its points apart. The names of new views must
     * be free. */
    {"listing sweeps",
     "CREATE TEMP TABLE merge_sweep AS SELECT p.id AS id FROM part.sweep p WHERE "
     "p.id NOT IN (SELECT id FROM merge_other) AND "
     "(p.id NOT IN (SELECT id FROM main.sweep) OR (NOT EXISTS (" VIEWS("part") " EXCEPT " VIEWS(
         "main") ") AND "
                 "NOT EXISTS (" VIEWS("main") " EXCEPT " VIEWS(
                     "part") "))) AND NOT EXISTS "
                             "(SELECT 1 FROM part.sweep_view v JOIN main.sqlite_schema x ON x.name = v.name "
                             "COLLATE NOCASE WHERE "
                             "v.sweep = p.id AND v.name NOT IN (SELECT name FROM main.sweep_view WHERE sweep "
                             "= p.id))",
     NULL},
};

static const step copy_steps[] = {
    {"adding tables", NULL,
     "SELECT t.sql AS sql" TABLES("t.name NOT IN (SELECT name FROM main.sqlite_schema)")},
    {"adding columns", NULL,
     "SELECT printf('ALTER TABLE main.\"%w\" ADD COLUMN \"%w\" %s%s', t.name, c.name, c.type, "
     "ifnull(' DEFAULT ' || c.dflt_value, '')) AS sql FROM part.sqlite_schema t JOIN "
     "pragma_table_info(t.name, 'part') c WHERE " IS_OURS " AND c.name NOT IN "
     "(SELECT name FROM pragma_table_info(t.name, 'main'))"},
    {"copying traces", NULL, COPY("INSERT OR IGNORE", "t.name = 'trace'", "")},
    {"copying kernels", NULL, COPY("INSERT OR IGNORE", "t.name = 'kernel'", "")},
    /* Counters that an older program did not know. */
    {"completing kernels", NULL,
     "SELECT printf('UPDATE main.kernel AS m SET %s FROM part.kernel p WHERE p.id = m.id AND NOT (%s)', "
     "group_concat(printf('\"%w\" = ifnull(m.\"%w\", p.\"%w\")', name, name, name), ', '), "
     "group_concat(printf('m.\"%w\" IS NOT NULL', name), ' AND ')) AS sql "
     "FROM pragma_table_info('kernel', 'part') WHERE name <> 'id'"},
    {"copying configurations", NULL, COPY("INSERT OR IGNORE", "t.name LIKE '%#_config' ESCAPE '#'", "")},
    {"copying descriptions", NULL, COPY("INSERT OR IGNORE", "t.name = 'metric'", "")},
    /* A run may have gone on since it was last merged. */
    {"copying runs",
     "INSERT INTO main.run (" RUN ") SELECT " RUN
     " FROM part.run p WHERE NOT EXISTS (SELECT 1 FROM main.run m WHERE " SAME_RUN ") ORDER BY id;"
     "UPDATE main.run AS m SET (ended, outcome, points_done, points_failed) = (p.ended, p.outcome, "
     "p.points_done, "
     "p.points_failed) FROM part.run p WHERE m.ended IS NULL AND " SAME_RUN ";"
     "CREATE TEMP TABLE merge_run AS SELECT p.id AS part, min(m.id) AS main FROM part.run p JOIN main.run m "
     "ON " SAME_RUN " GROUP BY p.id",
     NULL},
    {"copying points", NULL,
     COPY("INSERT", "t.name = 'point'",
          "WHERE id IN (SELECT id FROM merge_point) ON CONFLICT (id) DO UPDATE SET status = excluded.status, "
          "reason = excluded.reason, truncated = excluded.truncated, damaged = excluded.damaged")},
    {"copying points' runs",
     "INSERT OR REPLACE INTO main.point_run SELECT point, r.main FROM part.point_run JOIN merge_run r ON "
     "r.part = run " NEW_POINT,
     NULL},
    {"copying results", NULL, COPY("INSERT", IS_RESULT, NEW_POINT)},
    {"copying sweeps", NULL, COPY("INSERT OR IGNORE", "t.name = 'sweep'", NEW_SWEEP("id"))},
    {"copying sweeps' points", NULL, COPY("INSERT OR IGNORE", "t.name = 'sweep_point'", NEW_SWEEP("sweep"))},
    {"creating views", NULL,
     "SELECT x.sql AS sql FROM part.sweep_view v JOIN part.sqlite_schema x ON x.name = v.name AND x.type = "
     "'view' " NEW_SWEEP("v.sweep") " AND v.name NOT IN (SELECT name FROM main.sweep_view)"},
    {"recording views", NULL, COPY("INSERT OR IGNORE", "t.name = 'sweep_view'", NEW_SWEEP("sweep"))},
};

static bool run_step(merging *m, const step *s, ws_error *err) {
    char *sql = NULL;
    if (!s->made) return ws_store_exec(m->store, s->sql, s->what, err);
    return ask(m, sqlite3_mprintf("SELECT group_concat(sql, ';') FROM (%s)", s->made), &sql, err) &&
           (!sql || ws_store_run(m->store, sql, s->what, err));
}

static bool run_steps(merging *m, const step *steps, size_t step_count, ws_error *err) {
    for (size_t i = 0; i < step_count; i++)
        if (!run_step(m, &steps[i], err)) return false;
    return true;
}

/* ---- the merge as a whole */

static bool note_sweeps(merging *m, ws_error *err) {
    char *names;
    if (!ask(m,
             sqlite3_mprintf("SELECT group_concat(name, ', ') FROM part.sweep WHERE id NOT IN "
                             "(SELECT id FROM merge_sweep)"),
             &names, err))
        return false;
    if (names && m->log)
        fprintf(
            m->log,
            "%s: its points are merged, but not what its views show, because the sweeps of these names in %s "
            "are others, or have views of another version of warpsweep: %s; the command 'sweep' renews a "
            "sweep's views\n",
            m->path, m->store->path, names);
    sqlite3_free(names);
    return true;
}

static bool merge(merging *m, ws_merge_report *report, ws_error *err) {
    return run_steps(m, begin_steps, WS_COUNT(begin_steps), err) &&
           count(m, "part.point", &report->points, err) && count(m, "merge_point", &report->added, err) &&
           check_results(m, err) && run_steps(m, copy_steps, WS_COUNT(copy_steps), err) &&
           note_sweeps(m, err);
}

/* Finds out which of the two databases is damaged, as SQLite does not say. */
static void tell_damaged(merging *m, ws_error *err) {
    char *found = NULL;
    ws_error unread = WS_NO_ERROR;
    bool sound = ask(m, sqlite3_mprintf("PRAGMA part.quick_check(1)"), &found, &unread) && found &&
                 strcmp(found, "ok") == 0;
    sqlite3_free(found);
    ws_fail(err, WS_ERROR_DATABASE, "%s: merging stopped" WS_SQLITE_DAMAGED,
            sound ? m->store->path : m->path);
}

bool ws_store_merge(ws_store *store, const char *path, FILE *log, ws_merge_report *report, ws_error *err) {
    merging m = {store, path, log};
    *report = (ws_merge_report){0};
    if (!WS_GIVEN(path, "a path", err) || !attach(&m, err)) return false;
    bool ok = ws_store_begin(store, err) && merge(&m, report, err),
         damaged = !ok && (sqlite3_errcode(store->db) & 0xff) == SQLITE_CORRUPT;
    ok = ok ? ws_store_commit(store, err) : ws_store_rollback(store);
    if (damaged)
        tell_damaged(&m, err);
    else if (!ok)
        ws_fail_prefix(err, "merging %s", path); /* the store names itself: its disk may be the full one */
    sqlite3_exec(store->db,
                 "DROP TABLE IF EXISTS temp.merge_point; DROP TABLE IF EXISTS temp.merge_both; DROP TABLE IF "
                 "EXISTS temp.merge_other;"
                 "DROP TABLE IF EXISTS temp.merge_sweep; DROP TABLE IF EXISTS temp.merge_run; DETACH part",
                 NULL, NULL, NULL);
    return ok;
}
