/* The database: who may write it, what stands in it, how it grows. */
#include "store/schema.h"
#include "store/sqlite.h"

#include "../support/folder.h"
#include "../support/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a little experiment: two tables, three parameters */

typedef struct tree_params {
    int64_t height;
    double slope;
    bool green;
    int kind;
} tree_params;

static const char *const kinds[] = {"oak", "beech", NULL};
static const ws_param tree_param_list[] = {
    WS_INT(tree_params, height, "tree.height", "m", 10, 0, 100, "how tall"),
    WS_REAL(tree_params, slope, "tree.slope", "", 0.1, 0, 1, "of the hill"),
    WS_BOOL(tree_params, green, "tree.green", true, "has leaves"),
    WS_CHOICE(tree_params, kind, "tree.kind", 1, kinds, "which"),
};
static const ws_component tree = {"tree", "a tree", "our own", tree_param_list, 4, sizeof(tree_params), NULL};
static const ws_component young_tree = {"tree", "a tree", "our own", tree_param_list, 2, sizeof(tree_params),
                                        NULL};
static const ws_component *const components[] = {&tree};
static const ws_component *const young_components[] = {&young_tree};

static const ws_column leaf_columns[] = {
    {"leaves", WS_TYPE_INT, "leaves", WS_ADDS_SUM, "on the tree"},
    {"longest", WS_TYPE_REAL, "cm", WS_ADDS_MAX, "leaf"},
    {"fallen", WS_TYPE_INT, "leaves", WS_ADDS_SUM, "below it"},
    {"colour", WS_TYPE_TEXT, "", WS_ADDS_SAME, "of most"},
};
static const ws_ratio leaf_ratios[] = {
    {"fallen_share", "", "1.0 * fallen / nullif(leaves + fallen, 0)", "of all leaves"}};
static const ws_table leaf_table = {"leaf", "leaves of a tree", leaf_columns, 4, leaf_ratios, 1};
static const ws_table young_leaf_table = {"leaf", "leaves of a tree", leaf_columns, 2, NULL, 0};

static const ws_column ring_columns[] = {
    {"year", WS_TYPE_INT, "", WS_ADDS_KEY, "of growth"},
    {"width", WS_TYPE_REAL, "mm", WS_ADDS_SUM, "of the ring"},
};
static const ws_table ring_table = {"ring", "rings of a tree", ring_columns, 2, NULL, 0};

static const ws_table *const tables[] = {&leaf_table, &ring_table, NULL};
static const ws_table *const young_tables[] = {&young_leaf_table, NULL};

static const ws_experiment forest = {"forest", "trees", "a book", 3, components, 1, tables, NULL, NULL};
static const ws_experiment young_forest = {"forest", "trees",      "a book", 3,   young_components,
                                           1,        young_tables, NULL,     NULL};

static const ws_column counters[] = {{"ctas", WS_TYPE_INT, "", WS_ADDS_SUM, "how many"}};

static ws_error err;

static void must(bool ok) {
    if (!ok) fail_msg("%s", err.text);
}

static ws_store *open_store(const char *name) {
    err = WS_NO_ERROR;
    ws_store *store = ws_store_open(folder_path(name), &err);
    must(store != NULL);
    return store;
}

/* A trace of two launches of one kernel, and a configuration per height. */
static void describe(ws_store *store, const ws_experiment *experiment) {
    const int64_t ctas[] = {12};
    must(ws_store_begin(store, &err));
    must(ws_store_begin_run(store, &(ws_run_row){"heights", "heights.json", "{}", NULL, 1}, &err));
    must(ws_store_kernel_counters(store, counters, 1, &err));
    must(ws_store_use(store, experiment, &err));
    must(ws_store_trace(store, &(ws_trace_row){1, "abcd", "wood", "traces/wood.wst", "llvm", "none", 32, 2},
                        &err));
    for (uint32_t launch = 1; launch <= 2; launch++)
        must(ws_store_kernel(
            store,
            &(ws_kernel_row){
                10 + launch, 1, launch, "_Z4growv", "grow", {launch, 1, 1}, {32, 1, 1}, 8, 0, ctas},
            &err));
    ws_config *config = ws_config_new(experiment->components, experiment->component_count);
    for (int64_t height = 1; height <= 2; height++) {
        json_t *value = json_integer(height);
        must(ws_config_set(config, "tree.height", value, "$", &err));
        must(ws_store_config(store, &(ws_config_row){100 + height, "order", config}, &err));
        json_decref(value);
    }
    ws_config_free(config);
    must(ws_store_commit(store, &err));
}

/* Point (launch, height) has the id 1000 * launch + height. */
static ws_point_row point_row(int64_t launch, int64_t height) {
    return (ws_point_row){1000 * launch + height, 10 + launch, 100 + height};
}

static void put_leaf(ws_rows *rows, uint32_t point, int64_t leaves, double longest, int64_t fallen) {
    ws_rows_begin(rows, point, 0);
    ws_rows_int(rows, leaves);
    ws_rows_real(rows, longest);
    ws_rows_int(rows, fallen);
    ws_rows_unknown(rows, "it is night");
}

static void put_ring(ws_rows *rows, uint32_t point, int64_t year, double width) {
    ws_rows_begin(rows, point, 1);
    ws_rows_int(rows, year);
    ws_rows_real(rows, width);
}

static bool store_rows(ws_store *store, const ws_point_row *points, size_t count, const ws_rows *rows) {
    const void *bytes;
    size_t size;
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    return ws_store_done(store, points, count, bytes, size, &err);
}

/* Both launches at both heights. */
static void fill(ws_store *store) {
    ws_rows *rows = ws_rows_new();
    const ws_point_row points[] = {point_row(1, 1), point_row(1, 2), point_row(2, 1), point_row(2, 2)};
    for (uint32_t i = 0; i < 4; i++) {
        put_leaf(rows, i, 100 + i, 0.5 + i, i);
        put_ring(rows, i, 1999, 1.25);
        put_ring(rows, i, 1998, 0.25 * i);
    }
    must(store_rows(store, points, 4, rows));
    ws_rows_free(rows);
}

static bool define_sweep(ws_store *store, const char *name) {
    static const char *const axes[] = {"tree.height", NULL};
    static const int64_t ids[] = {1001, 1002, 2001, 2002};
    must(ws_store_begin(store, &err));
    bool ok = ws_store_sweep(store, &(ws_sweep_row){name, axes, ids, NULL, 4, NULL, NULL, NULL}, &err);
    ws_error kept = err;
    must(ws_store_commit(store, &err));
    err = kept;
    return ok;
}

/* ---- whose file is it */

static void assert_refused(ws_store *store, const char *text) {
    assert_null(store);
    if (!strstr(err.text, text)) fail_msg("expected \"%s\" in: %s", text, err.text);
}

static void test_new_file(void **state) {
    (void)state;
    ws_store *store = open_store("new.db");
    sql_expect(ws_store_sqlite(store), "PRAGMA application_id", "2004055920\n");
    sql_expect(ws_store_sqlite(store), "PRAGMA user_version", "3\n");
    sql_expect(ws_store_sqlite(store), "PRAGMA journal_mode", "wal\n");
    sql_expect(ws_store_sqlite(store),
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%STRICT%'", "0\n");
    ws_store_close(store);
    /* One plain file stays. */
    assert_true(folder_has("new.db"));
    assert_false(folder_has("new.db-wal"));
    assert_false(folder_has("new.db-shm"));
}

static void test_foreign_files(void **state) {
    (void)state;
    const char *path =
        folder_write_text("notes.txt", "This is no database, but it is long enough to have a header of one.");
    err = WS_NO_ERROR;
    assert_refused(ws_store_open(path, &err),
                   "expected a results database, found a file that is not SQLite's");
    assert_refused(ws_store_open_readonly(path, &err), "found a file that is not SQLite's");
    assert_true(folder_has("notes.txt"));

    sqlite3 *db;
    assert_int_equal(sqlite3_open(folder_path("other.db"), &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE t (x); INSERT INTO t VALUES (1)", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_refused(ws_store_open(folder_path("other.db"), &err), "found an SQLite file of another program");
    assert_refused(ws_store_open_readonly(folder_path("other.db"), &err),
                   "found an SQLite file of another program");
    assert_int_equal(sqlite3_open(folder_path("other.db"), &db), SQLITE_OK);
    sql_expect(db, "SELECT name FROM sqlite_schema", "t\n"); /* untouched */
    sql_expect(db, "PRAGMA journal_mode", "delete\n");
    sqlite3_close(db);
}

static void test_newer_schema(void **state) {
    (void)state;
    ws_store_close(open_store("newer.db"));
    sqlite3 *db;
    sqlite3_open(folder_path("newer.db"), &db);
    sqlite3_exec(db, "PRAGMA user_version = 4", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_refused(ws_store_open(folder_path("newer.db"), &err),
                   "expected schema version 3 or older, found 4; use the newer warpsweep");
    assert_refused(ws_store_open_readonly(folder_path("newer.db"), &err),
                   "expected schema version 3 or older, found 4");
}

static void test_unusable_paths(void **state) {
    (void)state;
    assert_refused(ws_store_open(folder_path("no/such/folder.db"), &err),
                   "cannot be opened for writing: No such file");
    assert_refused(ws_store_open_readonly(folder_path("absent.db"), &err), "No such file");
    assert_false(folder_has("absent.db"));
    assert_refused(ws_store_open_readonly(folder_write_text("empty.db", ""), &err), "found an empty file");
}

/* ---- migration */

static const char *const steps[] = {
    "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7)",
    "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1",
    "CREATE TABLE b AS SELECT y FROM a",
};

static void test_migration(void **state) {
    (void)state;
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    must(ws_schema_migrate(db, "x.db", 0, steps, 1, &err));
    sql_expect(db, "SELECT * FROM a", "7\n");
    must(ws_schema_migrate(db, "x.db", 1, steps, 3, &err));
    sql_expect(db, "SELECT a.x, b.y FROM a, b", "7|8\n");
    int version;
    must(ws_schema_identify(db, "x.db", 3, &version, &err));
    assert_int_equal(version, 3);
    sqlite3_close(db);
}

/* A step that fails takes all steps back. */
static void test_failed_migration(void **state) {
    (void)state;
    const char *const broken[] = {steps[0], steps[1], "CREATE TABLE a (x)"};
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    must(ws_schema_migrate(db, "x.db", 0, steps, 1, &err));
    assert_false(ws_schema_migrate(db, "x.db", 1, broken, 3, &err));
    assert_string_equal(err.text, "x.db: going from schema version 1 to 3: table a already exists");
    sql_expect(db, "SELECT * FROM a", "7\n");
    sql_expect(db, "PRAGMA user_version", "1\n");
    sqlite3_close(db);
}

/* A database of version 1, with a point in it, as its program left it. */
static void write_version_1(const char *name) {
    sqlite3 *db;
    sqlite3_open(folder_path(name), &db);
    must(ws_schema_migrate(db, name, 0, ws_schema_steps, 1, &err));
    sql_expect(db, "PRAGMA user_version", "1\n");
    static const char rows[] =
        "INSERT INTO trace VALUES (1, 'abcd', 'wood', 'traces/wood.wst', 'llvm', 'none', 32, 2);"
        "INSERT INTO kernel VALUES (11, 1, 1, '_Z4growv', 'grow', 1, 1, 1, 32, 1, 1, 8, 0);"
        "INSERT INTO point VALUES (1001, 11, 'forest', 3, 101, 'done', NULL);"
        "INSERT INTO point VALUES (1002, 11, 'forest', 3, 102, 'failed', 'fire')";
    assert_int_equal(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Points of version 1 were replayed whole; they stay, and marked ones stand beside them. */
static void test_migration_of_version_1(void **state) {
    (void)state;
    write_version_1("v1.db");
    ws_store *store = ws_store_open_readonly(folder_path("v1.db"), &err);
    must(store != NULL); /* queries need no migration */
    sql_expect(ws_store_sqlite(store), "PRAGMA user_version", "1\n");
    ws_store_close(store);

    store = open_store("v1.db");
    sqlite3 *db = ws_store_sqlite(store);
    sql_expect(db, "PRAGMA user_version", "3\n");
    sql_expect(db, "SELECT id, status, reason, truncated FROM point ORDER BY id",
               "1001|done|NULL|0\n1002|failed|fire|0\n");
    describe(store, &forest);
    const ws_point_row again = point_row(1, 2);
    ws_rows *rows = ws_rows_new();
    put_leaf(rows, 0, 5, 1, 0);
    ws_rows_truncated(rows, 0);
    must(store_rows(store, &again, 1, rows));
    sql_expect(db, "SELECT id, status, reason, truncated FROM point ORDER BY id",
               "1001|done|NULL|0\n1002|done|NULL|1\n");
    assert_int_equal(sqlite3_exec(db, "UPDATE point SET truncated = 2", NULL, NULL, NULL), SQLITE_CONSTRAINT);
    ws_rows_free(rows);
    ws_store_close(store);
}

/* A migration that cannot be done leaves the file as it was. */
static void test_migration_that_fails(void **state) {
    (void)state;
    write_version_1("odd.db");
    sqlite3 *db;
    sqlite3_open(folder_path("odd.db"), &db);
    assert_int_equal(sqlite3_exec(db, "ALTER TABLE point ADD COLUMN truncated TEXT", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_refused(ws_store_open(folder_path("odd.db"), &err),
                   "going from schema version 1 to 3: duplicate column name: truncated");
    sqlite3_open(folder_path("odd.db"), &db);
    sql_expect(db, "PRAGMA user_version", "1\n");
    sql_expect(db, "SELECT count(*) FROM point", "2\n");
    sqlite3_close(db);
}

/* ---- one writer */

static void test_second_writer(void **state) {
    (void)state;
    ws_store *store = open_store("shared.db");
    pid_t child = fork();
    if (child == 0) {
        ws_store *second = ws_store_open(folder_path("shared.db"), &err);
        _exit(!second && strstr(err.text, "another sweep writes to this database") ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);

    ws_store *reader = ws_store_open_readonly(folder_path("shared.db"), &err); /* while we write */
    assert_non_null(reader);
    sql_expect(ws_store_sqlite(reader), "SELECT count(*) FROM point", "0\n");
    sql_expect(ws_store_sqlite(reader), "DELETE FROM point", "error: attempt to write a readonly database\n");
    ws_store_close(reader);
    ws_store_close(store);
    ws_store_close(open_store("shared.db"));
}

/* A writer that is killed leaves its last commit, and no lock. */
static void test_killed_writer(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        ws_store *store = open_store("killed.db");
        describe(store, &forest);
        fill(store);
        must(ws_store_begin(store, &err));
        sqlite3_exec(ws_store_sqlite(store), "DELETE FROM leaf", NULL, NULL, NULL);
        kill(getpid(), SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    ws_store *reader = ws_store_open_readonly(folder_path("killed.db"), &err);
    assert_non_null(reader);
    sql_expect(ws_store_sqlite(reader), "SELECT count(*) FROM leaf", "4\n");
    ws_store_close(reader);
    ws_store *store = open_store("killed.db");
    sql_expect(ws_store_sqlite(store), "SELECT count(*), max(outcome) FROM run", "1|NULL\n");
    ws_store_close(store);
    assert_false(folder_has("killed.db-wal"));
}

/* ---- results */

static void test_rows(void **state) {
    (void)state;
    ws_store *store = open_store("rows.db");
    sqlite3 *db = ws_store_sqlite(store);
    describe(store, &forest);
    fill(store);
    sql_expect(db, "SELECT id, kernel, analysis, version, config, status, reason FROM point ORDER BY id",
               "1001|11|forest|3|101|done|NULL\n1002|11|forest|3|102|done|NULL\n"
               "2001|12|forest|3|101|done|NULL\n2002|12|forest|3|102|done|NULL\n");
    sql_expect(db, "SELECT * FROM leaf ORDER BY point",
               "1001|100|0.5|0|NULL|colour: it is night\n1002|101|1.5|1|NULL|colour: it is night\n"
               "2001|102|2.5|2|NULL|colour: it is night\n2002|103|3.5|3|NULL|colour: it is night\n");
    sql_expect(db, "SELECT point, year, width, note FROM ring WHERE point = 1002",
               "1002|1998|0.25|NULL\n1002|1999|1.25|NULL\n");
    sql_expect(db, "SELECT * FROM forest_config WHERE id = 102",
               "102|3|order|{\"tree.height\":2,\"tree.slope\":0.10000000000000001,\"tree.green\":true,\"tree."
               "kind\":\"beech\"}|"
               "2|0.10000000000000001|1|beech\n");
    sql_expect(db, "SELECT launch, name, short_name, grid_x, block_x, ctas FROM kernel ORDER BY id",
               "1|_Z4growv|grow|1|32|12\n2|_Z4growv|grow|2|32|12\n");
    sql_expect(db, "SELECT count(*) FROM point_run JOIN run ON run.id = run", "4\n");
    sql_expect(db, "SELECT table_name, column_name, kind, unit, adds FROM metric ORDER BY 1, 2",
               "forest_config|tree_green|parameter||key\nforest_config|tree_height|parameter|m|key\n"
               "forest_config|tree_kind|parameter||key\nforest_config|tree_slope|parameter||key\n"
               "kernel|ctas|counter||sum\n"
               "leaf|colour|metric||same\nleaf|fallen|metric|leaves|sum\nleaf|fallen_share|ratio||not\n"
               "leaf|leaves|metric|leaves|sum\nleaf|longest|metric|cm|max\n"
               "point|truncated|metric||max\n"
               "ring|width|metric|mm|sum\nring|year|key||key\n");
    ws_store_close(store);
}

static void test_views(void **state) {
    (void)state;
    ws_store *store = open_store("views.db");
    sqlite3 *db = ws_store_sqlite(store);
    describe(store, &forest);
    must(define_sweep(store, "heights"));
    sql_expect(db, "SELECT count(*) FROM heights", "0\n"); /* asked for, not computed */
    fill(store);
    sql_expect(
        db, "SELECT group_concat(name) FROM pragma_table_info('heights')",
        "trace,kernel,launch,fidelity,truncated,tree_height,leaves,longest,fallen,colour,fallen_share\n");
    sql_expect(
        db,
        "SELECT trace, kernel, launch, fidelity, tree_height, leaves, fallen_share FROM heights ORDER BY "
        "launch, tree_height",
        "wood|grow|1|order|1|100|0\nwood|grow|1|order|2|101|0.0098039215686274508\n"
        "wood|grow|2|order|1|102|0.019230769230769232\nwood|grow|2|order|2|103|0.028301886792452831\n");
    sql_expect(
        db,
        "SELECT kernel, launches, tree_height, leaves, longest, fallen, colour, fallen_share FROM "
        "heights_by_kernel ORDER BY tree_height",
        "grow|2|1|202|2.5|2|NULL|0.0098039215686274508\ngrow|2|2|204|3.5|4|NULL|0.019230769230769232\n");
    sql_expect(db,
               "SELECT kernel, launch, tree_height, year, width FROM heights_ring WHERE year = 1998 ORDER BY "
               "launch, tree_height",
               "grow|1|1|1998|0\ngrow|1|2|1998|0.25\ngrow|2|1|1998|0.5\ngrow|2|2|1998|0.75\n");

    /* Of the launches of one name, one that is truncated marks them all. */
    must(sqlite3_exec(db, "UPDATE point SET truncated = 1 WHERE id = 2001", NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, "SELECT launch, tree_height, truncated FROM heights ORDER BY launch, tree_height",
               "1|1|0\n1|2|0\n2|1|1\n2|2|0\n");
    sql_expect(db, "SELECT tree_height, truncated FROM heights_by_kernel ORDER BY tree_height", "1|1\n2|0\n");

    /* The sweep of that name asks for something else now: the views follow, the results stay. */
    static const char *const none[] = {NULL};
    const int64_t one[] = {1002};
    must(ws_store_begin(store, &err));
    must(ws_store_sweep(store, &(ws_sweep_row){"heights", none, one, NULL, 1, NULL, NULL, NULL}, &err));
    must(ws_store_commit(store, &err));
    sql_expect(db, "SELECT * FROM heights", "wood|grow|1|order|0|101|1.5|1|NULL|0.0098039215686274508\n");

    /* A GPU is no part of the configuration: each sweep has its own name for where a point started from. */
    static const char *const by_gpu[] = {"gpu", "tree.height", NULL}, *const gpus[] = {"oak"};
    must(ws_store_begin(store, &err));
    must(ws_store_sweep(store, &(ws_sweep_row){"heights", by_gpu, one, gpus, 1, NULL, NULL, NULL}, &err));
    must(ws_store_commit(store, &err));
    sql_expect(db, "SELECT gpu, tree_height, leaves FROM heights", "oak|2|101\n");
    sql_expect(db, "SELECT gpu, launches, leaves FROM heights_by_kernel", "oak|1|101\n");
    sql_expect(db, "SELECT count(*) FROM leaf", "4\n");
    ws_store_close(store);
}

/* Each height against height 1; where these have not equally many launches, or there is no height 1, it is unknown. */
static void test_comparison(void **state) {
    (void)state;
    static const ws_ratio ratios[] = {{"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"}};
    static const ws_table against = {"growth", "trees and the first", NULL, 0, ratios, 1};
    static const ws_experiment compared = {"forest", "trees", "a book", 3,   components,
                                           1,        tables,  &against, NULL};
    static const char *const axes[] = {"tree.height", NULL}, *const none[] = {NULL};
    static const int64_t ids[] = {1001, 1002, 2001, 2002};
    ws_store *store = open_store("comparison.db");
    sqlite3 *db = ws_store_sqlite(store);
    describe(store, &compared);
    json_t *one = json_integer(1);
    const ws_baseline_axis baseline[] = {{"tree.height", one}, {NULL, NULL}};
    must(ws_store_begin(store, &err));
    must(ws_store_sweep(store, &(ws_sweep_row){"heights", axes, ids, NULL, 4, baseline, none, NULL}, &err));
    must(ws_store_commit(store, &err));
    fill(store);
    sql_expect(
        db,
        "SELECT trace, kernel, launches, tree_height, growth, note FROM heights_growth ORDER BY tree_height",
        "wood|grow|2|1|1|NULL\nwood|grow|2|2|1.0099009900990099|NULL\n");
    sql_expect(db, "SELECT kind, help FROM metric WHERE table_name = 'growth'", "ratio|of leaves\n");
    must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point = 2001", NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(
        db, "SELECT tree_height, growth, note FROM heights_growth ORDER BY tree_height",
        "1|1|NULL\n2|NULL|no baseline: of this kernel there is no point with \"tree_height\" = 1 and as many "
        "launches\n");
    must(sqlite3_exec(db, "DELETE FROM sweep_point WHERE point = 1001", NULL, NULL, NULL) == SQLITE_OK);
    sql_expect(db, "SELECT tree_height, growth, note IS NOT NULL FROM heights_growth", "2|NULL|1\n");
    must(ws_store_begin(store, &err));
    must(ws_store_sweep(store, &(ws_sweep_row){"heights", axes, ids, NULL, 4, NULL, none, NULL}, &err));
    must(ws_store_commit(store, &err));
    sql_expect(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'heights_growth'", "0\n");
    json_decref(one);
    ws_store_close(store);
}

/* Height 2 has more leaves. It is the better choice where it costs less; where it costs more, so is none of the two. */
static void test_front(void **state) {
    (void)state;
    static const char *const prices[] = {"3 - this.tree_height", "this.tree_height"},
                             *const expected[] = {"tree|1|1|1|2|0\ntree|2|1|1.0099009900990099|1|1\n",
                                                  "tree|1|1|1|1|1\ntree|2|1|1.0099009900990099|2|1\n"};
    static const ws_front front = {"best", "sort", "growth", "price"};
    static const char *const axes[] = {"tree.height", NULL}, *const none[] = {NULL};
    static const int64_t ids[] = {1001, 1002, 2001, 2002};
    for (int i = 0; i < 2; i++) {
        const ws_ratio ratios[] = {{"sort", "", "CASE WHEN base.leaves THEN 'tree' END", "of kernel"},
                                   {"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"},
                                   {"price", "", prices[i], "to pay"}};
        const ws_table against = {"growth", "trees and the first", NULL, 0, ratios, 3};
        const ws_experiment compared = {"forest", "trees", "a book", 3,     components,
                                        1,        tables,  &against, &front};
        ws_store *store = open_store(i ? "front1.db" : "front0.db");
        describe(store, &compared);
        json_t *one = json_integer(1);
        const ws_baseline_axis baseline[] = {{"tree.height", one}, {NULL, NULL}};
        must(ws_store_begin(store, &err));
        must(ws_store_sweep(store, &(ws_sweep_row){"heights", axes, ids, NULL, 4, baseline, none, NULL},
                            &err));
        must(ws_store_commit(store, &err));
        fill(store);
        sql_expect(ws_store_sqlite(store),
                   "SELECT * FROM heights_best WHERE sort = 'tree' ORDER BY tree_height", expected[i]);
        sql_expect(ws_store_sqlite(store),
                   "SELECT count(*) FROM heights_best a JOIN heights_best t USING (tree_height, kernels, "
                   "growth, price, "
                   "on_front) WHERE a.sort = 'all' AND t.sort = 'tree'",
                   "2\n");
        json_decref(one);
        ws_store_close(store);
    }
}

/* An unknown term makes the sum unknown. */
static void test_unknown_in_sums(void **state) {
    (void)state;
    ws_store *store = open_store("sums.db");
    describe(store, &forest);
    must(define_sweep(store, "heights"));
    const ws_point_row points[] = {point_row(1, 1), point_row(2, 1)};
    ws_rows *rows = ws_rows_new();
    put_leaf(rows, 0, 5, 1, 1);
    ws_rows_begin(rows, 1, 0);
    ws_rows_unknown(rows, "too dark");
    ws_rows_unknown(rows, "too dark");
    ws_rows_int(rows, 3);
    ws_rows_text(rows, "red");
    must(store_rows(store, points, 2, rows));
    ws_rows_free(rows);
    sql_expect(ws_store_sqlite(store), "SELECT note FROM leaf WHERE point = 2001",
               "leaves: too dark; longest: too dark\n");
    sql_expect(ws_store_sqlite(store), "SELECT leaves, longest, fallen, fallen_share FROM heights_by_kernel",
               "NULL|NULL|4|NULL\n");
    ws_store_close(store);
}

/* A kernel has the colour that all its launches have. */
static void test_what_launches_share(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *common;
    } cases[] = {
        {"red", "red", "red\n"}, {"red", "green", "NULL\n"}, {"red", NULL, "NULL\n"}, {NULL, NULL, "NULL\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32];
        snprintf(name, sizeof name, "shared%zu.db", i);
        ws_store *store = open_store(name);
        describe(store, &forest);
        must(define_sweep(store, "heights"));
        const ws_point_row points[] = {point_row(1, 1), point_row(2, 1)};
        ws_rows *rows = ws_rows_new();
        for (uint32_t launch = 0; launch < 2; launch++) {
            const char *colour = launch == 0 ? cases[i].first : cases[i].second;
            ws_rows_begin(rows, launch, 0);
            ws_rows_int(rows, 1);
            ws_rows_real(rows, 1);
            ws_rows_int(rows, 1);
            if (colour)
                ws_rows_text(rows, colour);
            else
                ws_rows_unknown(rows, "too dark");
        }
        must(store_rows(store, points, 2, rows));
        ws_rows_free(rows);
        sql_expect(ws_store_sqlite(store), "SELECT colour FROM heights_by_kernel", cases[i].common);
        ws_store_close(store);
    }
}

static void test_names_of_sweeps(void **state) {
    (void)state;
    ws_store *store = open_store("names.db");
    describe(store, &forest);
    assert_false(define_sweep(store, "point"));
    assert_string_equal(err.text,
                        "expected a name that is free in the database, found \"point\", the name of a table");
    assert_int_equal(err.code, WS_ERROR_SPEC);
    must(define_sweep(store, "heights"));
    assert_false(define_sweep(store, "HEIGHTS_by_kernel"));
    assert_string_equal(
        err.text,
        "expected a name that is free in the database, found \"HEIGHTS_by_kernel\", the name of a view");
    must(define_sweep(store, "heights"));
    ws_store_close(store);
}

static void test_failed_points(void **state) {
    (void)state;
    ws_store *store = open_store("failed.db");
    sqlite3 *db = ws_store_sqlite(store);
    describe(store, &forest);
    must(define_sweep(store, "heights"));
    const ws_point_row point = point_row(1, 1);
    ws_point_status status;
    must(ws_store_status(store, point.id, &status, &err));
    assert_int_equal(status, WS_POINT_ABSENT);
    must(ws_store_failed(store, &point, "killed by signal 11", &err));
    must(ws_store_status(store, point.id, &status, &err));
    assert_int_equal(status, WS_POINT_FAILED);
    sql_expect(db, "SELECT status, reason FROM point", "failed|killed by signal 11\n");
    must(ws_store_failed(store, &point, "killed by signal 9", &err)); /* again, for another reason */
    sql_expect(db, "SELECT status, reason FROM point", "failed|killed by signal 9\n");
    sql_expect(db, "SELECT count(*) FROM heights", "0\n");

    ws_rows *rows = ws_rows_new();
    put_leaf(rows, 0, 1, 1, 1);
    must(store_rows(store, &point, 1, rows));
    must(ws_store_status(store, point.id, &status, &err));
    assert_int_equal(status, WS_POINT_DONE);
    sql_expect(db, "SELECT status, reason FROM point", "done|NULL\n");
    /* What is done stays done. */
    assert_false(store_rows(store, &point, 1, rows));
    assert_false(ws_store_failed(store, &point, "no", &err));
    sql_expect(db, "SELECT status FROM point", "done\n");
    sql_expect(db, "SELECT count(*) FROM heights", "1\n");
    ws_rows_free(rows);
    ws_store_close(store);
}

/* Rows that do not fit are refused as a whole, with the reason. */
static void test_bad_rows(void **state) {
    (void)state;
    ws_store *store = open_store("bad.db");
    describe(store, &forest);
    const ws_point_row points[] = {point_row(1, 1), point_row(1, 2)};
    static const char *const reasons[] = {
        "analysis forest: table leaf: no row for a point",
        "analysis forest: table leaf: a second row of one point",
        "analysis forest: row of point 2, expected below 2",
        "analysis forest: row of table 2, expected below 2",
        "analysis forest: table ring: expected 2 cells, found 1",
        "analysis forest: table ring: expected 2 cells, found 3",
        "analysis forest: table ring: a cell of column year is of another type",
        "analysis forest: table ring: a cell of column year is of another type",
        "analysis forest: table ring: a cell of column width is of another type",
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        ws_rows *rows = ws_rows_new();
        put_leaf(rows, 0, 1, 1, 1);
        if (i > 0) put_leaf(rows, 1, 1, 1, 1);
        switch (i) {
        case 1:
            put_leaf(rows, 0, 1, 1, 1);
            break;
        case 2:
            put_ring(rows, 2, 1, 1);
            break;
        case 3:
            ws_rows_begin(rows, 0, 2);
            break;
        case 4:
            ws_rows_begin(rows, 0, 1), ws_rows_int(rows, 1);
            break;
        case 5:
            put_ring(rows, 0, 1, 1), ws_rows_int(rows, 1);
            break;
        case 6:
            ws_rows_begin(rows, 0, 1), ws_rows_real(rows, 1), ws_rows_real(rows, 1);
            break;
        case 7:
            ws_rows_begin(rows, 0, 1), ws_rows_unknown(rows, "lost"), ws_rows_real(rows, 1);
            break;
        case 8:
            ws_rows_begin(rows, 0, 1), ws_rows_int(rows, 1), ws_rows_text(rows, "wide");
            break;
        default:
            break;
        }
        assert_false(store_rows(store, points, 2, rows));
        assert_string_equal(err.text, reasons[i]);
        assert_int_equal(err.code, WS_ERROR_INTERNAL);
        ws_rows_free(rows);
    }
    ws_rows *rows = ws_rows_new();
    put_leaf(rows, 0, 1, 1, 1);
    const void *bytes;
    size_t size;
    ws_rows_bytes(rows, &bytes, &size);
    assert_false(ws_store_done(store, points, 1, bytes, size - 1, &err));
    assert_string_equal(err.text, "analysis forest: the encoded rows are damaged");
    ws_rows_free(rows);
    sql_expect(ws_store_sqlite(store), "SELECT (SELECT count(*) FROM point), (SELECT count(*) FROM leaf)",
               "0|0\n");
    fill(store); /* and the store is as good as before */
    ws_store_close(store);
}

/* A later program knows more parameters and columns: old rows show the default, or nothing. */
static void test_growing_tables(void **state) {
    (void)state;
    ws_store *store = open_store("grow.db");
    describe(store, &young_forest);
    ws_rows *rows = ws_rows_new();
    const ws_point_row points[] = {point_row(1, 1)};
    ws_rows_begin(rows, 0, 0);
    ws_rows_int(rows, 5);
    ws_rows_real(rows, 0.5);
    must(store_rows(store, points, 1, rows));
    ws_rows_free(rows);
    ws_store_close(store);

    store = open_store("grow.db");
    describe(store, &forest);
    sql_expect(ws_store_sqlite(store),
               "SELECT tree_height, tree_slope, tree_green, tree_kind FROM forest_config ORDER BY id",
               "1|0.10000000000000001|1|beech\n2|0.10000000000000001|1|beech\n");
    sql_expect(ws_store_sqlite(store), "SELECT leaves, fallen FROM leaf", "5|NULL\n");
    ws_store_close(store);
}

static void test_column_of_another_type(void **state) {
    (void)state;
    static const ws_column changed[] = {{"leaves", WS_TYPE_REAL, "leaves", WS_ADDS_SUM, "on the tree"}};
    static const ws_table changed_table = {"leaf", "", changed, 1, NULL, 0};
    static const ws_table *const changed_tables[] = {&changed_table, NULL};
    const ws_experiment changed_forest = {"forest", "", "", 4, components, 1, changed_tables, NULL, NULL};
    ws_store *store = open_store("changed.db");
    describe(store, &forest);
    ws_store_close(store);
    store = open_store("changed.db");
    must(ws_store_begin(store, &err));
    assert_false(ws_store_use(store, &changed_forest, &err));
    assert_non_null(strstr(err.text, "expected column leaf.leaves to be REAL, found INTEGER"));
    ws_store_close(store);
}

static void test_ambiguous_names(void **state) {
    (void)state;
    static const char *const names[] = {"kernel", "tree_height", "Leaves"};
    ws_store *store = open_store("ambiguous.db");
    for (size_t i = 0; i < 3; i++) {
        const ws_column columns[] = {leaf_columns[0], {names[i], WS_TYPE_INT, "", WS_ADDS_SUM, ""}};
        const ws_table table = {"ambiguous", "", columns, 2, NULL, 0};
        const ws_table *const list[] = {&table, NULL};
        const ws_experiment e = {"forest", "", "", 1, components, 1, list, NULL, NULL};
        must(ws_store_begin(store, &err));
        assert_false(ws_store_use(store, &e, &err));
        assert_non_null(strstr(err.text, "stands for two things"));
        must(ws_store_commit(store, &err));
    }
    ws_store_close(store);
}

/* Equal results, whatever their order, make equal dumps. */
static void test_order_is_irrelevant(void **state) {
    (void)state;
    char *dumps[2];
    for (uint32_t way = 0; way < 2; way++) {
        const char *name = way ? "second.db" : "first.db";
        ws_store *store = open_store(name);
        describe(store, &forest);
        must(define_sweep(store, "heights"));
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t which = way ? 3 - i : i;
            const ws_point_row point = point_row(1 + which / 2, 1 + which % 2);
            ws_rows *rows = ws_rows_new();
            put_leaf(rows, 0, which, which, which);
            put_ring(rows, 0, which, which);
            must(store_rows(store, &point, 1, rows));
            ws_rows_free(rows);
        }
        must(ws_store_end_run(store, "done", 4, 0, &err));
        ws_store_close(store);
        dumps[way] = sql_dump(folder_path(name));
    }
    assert_non_null(strstr(dumps[0], "-- heights_ring: "));
    assert_string_equal(dumps[0], dumps[1]);
    free(dumps[0]);
    free(dumps[1]);
}

static void test_ids(void **state) {
    (void)state;
    assert_true(ws_store_id("") >= 0);
    assert_true(ws_store_id("a") >= 0 && ws_store_id("a") != ws_store_id("b"));
    assert_true(ws_store_id("a") == INT64_C(7405662395035962911)); /* for ever: resuming depends on it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_file),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_newer_schema),
        cmocka_unit_test(test_unusable_paths),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_failed_migration),
        cmocka_unit_test(test_migration_of_version_1),
        cmocka_unit_test(test_migration_that_fails),
        cmocka_unit_test(test_second_writer),
        cmocka_unit_test(test_killed_writer),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_unknown_in_sums),
        cmocka_unit_test(test_what_launches_share),
        cmocka_unit_test(test_names_of_sweeps),
        cmocka_unit_test(test_failed_points),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_growing_tables),
        cmocka_unit_test(test_column_of_another_type),
        cmocka_unit_test(test_ambiguous_names),
        cmocka_unit_test(test_order_is_irrelevant),
        cmocka_unit_test(test_ids),
    };
    return cmocka_run_group_tests_name("store", tests, folder_setup, folder_teardown);
}
