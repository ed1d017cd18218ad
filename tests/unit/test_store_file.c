/* The database as a file: who may write to it, how it is migrated from schema to schema. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "../support/sql.h"
#include "store/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- whose file is it */

static void assert_refused(ws_store *store, const char *text) {
    assert_null(store);
    if (!strstr(forest_err.text, text)) fail_msg("expected \"%s\" in: %s", text, forest_err.text);
}

static void test_new_file(void **state) {
    (void)state;
    ws_store *store = forest_open("new.db");
    sql_expect(ws_store_sqlite(store), "PRAGMA application_id", "2004055920\n");
    sql_expect(ws_store_sqlite(store), "PRAGMA user_version", "5\n");
    sql_expect(ws_store_sqlite(store), "PRAGMA journal_mode", "wal\n");
    sql_expect(ws_store_sqlite(store),
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%STRICT%'", "0\n");
    char *tables = sql_text(ws_store_sqlite(store), "SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (char *rest, *name = strtok_r(tables, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest))
        if (!ws_store_is_own_table(name)) fail_msg("%s: expected it among the store's own tables", name);
    free(tables);
    ws_store_close(store);
    /* Only one plain file is left. */
    assert_true(folder_has("new.db"));
    assert_false(folder_has("new.db-wal"));
    assert_false(folder_has("new.db-shm"));
}

/* SQLite's own files have longer names. One that only lacks room for them can still be read. */
static void test_long_names(void **state) {
    (void)state;
    char name[249], path[500];
    memset(name, 'a', 248);
    name[248] = 0;
    forest_err = WS_NO_ERROR;
    assert_refused(
        ws_store_open(folder_path(name), &forest_err),
        "expected a name of at most 247 bytes, as SQLite writes NAME-journal beside it, found 248; "
        "choose a shorter one");
    assert_false(folder_has(name));
    ws_store_close(forest_open(name + 1));
    assert_int_equal(rename(folder_path(name + 1), folder_path(name)), 0);
    ws_store *store = ws_store_open_readonly(folder_path(name), &forest_err);
    forest_must(store != NULL);
    ws_store_close(store);

    assert_int_equal(mkdir(folder_path(name + 12), 0777), 0);
    snprintf(path, sizeof path, "%s/%s", name + 12, name + 11);
    assert_int_equal(mkdir(folder_path(path), 0777), 0);
    strcat(path, "/a.db");
    assert_refused(
        ws_store_open(folder_path(path), &forest_err),
        "expected a path of at most 504 bytes with all its folders, as SQLite takes no longer one");
    assert_false(folder_has(path));
}

static void test_foreign_files(void **state) {
    (void)state;
    const char *path =
        folder_write_text("notes.txt", "This is no database, but it is long enough to have a header of one.");
    forest_err = WS_NO_ERROR;
    assert_refused(ws_store_open(path, &forest_err),
                   "expected a results database, found a file that is not SQLite's");
    assert_refused(ws_store_open_readonly(path, &forest_err), "found a file that is not SQLite's");
    assert_true(folder_has("notes.txt"));

    sqlite3 *db;
    assert_int_equal(sqlite3_open(folder_path("other.db"), &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE t (x); INSERT INTO t VALUES (1)", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_refused(ws_store_open(folder_path("other.db"), &forest_err),
                   "found an SQLite file of another program");
    assert_refused(ws_store_open_readonly(folder_path("other.db"), &forest_err),
                   "found an SQLite file of another program");
    assert_int_equal(sqlite3_open(folder_path("other.db"), &db), SQLITE_OK);
    sql_expect(db, "SELECT name FROM sqlite_schema", "t\n"); /* untouched */
    sql_expect(db, "PRAGMA journal_mode", "delete\n");
    sqlite3_close(db);
}

/* The file may be written, but not what SQLite keeps beside it. Root may write anywhere, and becomes somebody else. */
static void test_folder_that_cannot_be_written(void **state) {
    (void)state;
    const bool is_root = geteuid() == 0;
    assert_int_equal(mkdir(folder_path("closed"), 0755), 0);
    ws_store_close(forest_open("closed/a.db"));
    assert_int_equal(chmod(folder_path("closed/a.db"), 0666), 0);
    assert_int_equal(chmod(folder_path("closed"), 0555), 0);
    assert_int_equal(chmod(folder_path(""), 0755), 0);
    if (is_root) assert_int_equal(seteuid(65534), 0);
    ws_store *store = ws_store_open(folder_path("closed/a.db"), &forest_err);
    if (is_root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder_path("closed"), 0755), 0);
    assert_refused(store, "a.db: preparing to write: attempt to write a readonly database; SQLite keeps "
                          "files beside it: see whether its folder can be written");
}

static void test_newer_schema(void **state) {
    (void)state;
    ws_store_close(forest_open("newer.db"));
    sqlite3 *db;
    sqlite3_open(folder_path("newer.db"), &db);
    sqlite3_exec(db, "PRAGMA user_version = 6", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_refused(ws_store_open(folder_path("newer.db"), &forest_err),
                   "expected schema version 5 or older, found 6; use the newer warpsweep");
    assert_refused(ws_store_open_readonly(folder_path("newer.db"), &forest_err),
                   "expected schema version 5 or older, found 6");
}

/* Puts `bytes` into a closed database. */
static void poke(const char *name, long offset, const void *bytes, size_t size) {
    FILE *file = fopen(folder_path(name), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void expect_damage(const char *name, const char *text) {
    assert_refused(ws_store_open(folder_path(name), &forest_err), text);
    assert_non_null(strstr(forest_err.text,
                           "; the file is damaged, or lacks its write-ahead log (NAME-wal, as a killed "
                           "sweep leaves it): copy it again, with that, or sweep into another file"));
    assert_refused(ws_store_open_readonly(folder_path(name), &forest_err), text);
    assert_non_null(strstr(forest_err.text, "; the file is damaged"));
}

/* Damage in the header of the file, and in that of its first page. */
static void test_damaged_header(void **state) {
    (void)state;
    enum { USER_VERSION = 60, FIRST_PAGE = 100 };
    ws_store_close(forest_open("damaged.db"));
    poke("damaged.db", USER_VERSION, "\xff\0\0\3", 4);
    expect_damage("damaged.db", "damaged.db: expected schema version 1 to 5, found -16777213");
    poke("damaged.db", USER_VERSION, "\0\0\0\0", 4);
    expect_damage("damaged.db", "damaged.db: expected schema version 1 to 5, found 0");
    poke("damaged.db", USER_VERSION, "\0\0\0\5", 4);
    ws_store_close(forest_open("damaged.db"));
    poke("damaged.db", FIRST_PAGE, "\1", 1);
    expect_damage("damaged.db", "damaged.db: reading its schema: database disk image is malformed");
}

static void test_unusable_paths(void **state) {
    (void)state;
    assert_refused(ws_store_open(folder_path("no/such/folder.db"), &forest_err),
                   "cannot be opened for writing: No such file");
    assert_refused(ws_store_open_readonly(folder_path("absent.db"), &forest_err), "No such file");
    assert_false(folder_has("absent.db"));
    assert_refused(ws_store_open_readonly(folder_write_text("empty.db", ""), &forest_err),
                   "found an empty file");
    assert_refused(ws_store_open_readonly(folder_write_text("byte.db", "x"), &forest_err),
                   "byte.db: expected a results database, found a file that is not SQLite's");
    assert_refused(ws_store_open(folder_path("byte.db"), &forest_err), "found a file that is not SQLite's");
    assert_refused(ws_store_open_readonly(folder_path("."), &forest_err),
                   "expected a results database, found a folder");
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
    forest_must(ws_schema_migrate(db, "x.db", 0, steps, 1, &forest_err));
    sql_expect(db, "SELECT * FROM a", "7\n");
    forest_must(ws_schema_migrate(db, "x.db", 1, steps, 3, &forest_err));
    sql_expect(db, "SELECT a.x, b.y FROM a, b", "7|8\n");
    int version;
    forest_must(ws_schema_identify(db, "x.db", 3, &version, &forest_err));
    assert_int_equal(version, 3);
    sqlite3_close(db);
}

/* A step that fails undoes all steps. */
static void test_failed_migration(void **state) {
    (void)state;
    const char *const broken[] = {steps[0], steps[1], "CREATE TABLE a (x)"};
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    forest_must(ws_schema_migrate(db, "x.db", 0, steps, 1, &forest_err));
    assert_false(ws_schema_migrate(db, "x.db", 1, broken, 3, &forest_err));
    assert_string_equal(forest_err.text, "x.db: going from schema version 1 to 3: table a already exists");
    sql_expect(db, "SELECT * FROM a", "7\n");
    sql_expect(db, "PRAGMA user_version", "1\n");
    sqlite3_close(db);
}

/* A database of version 1, with a point in it, as its program left it. */
static void write_version_1(const char *name) {
    sqlite3 *db;
    sqlite3_open(folder_path(name), &db);
    forest_must(ws_schema_migrate(db, name, 0, ws_schema_steps, 1, &forest_err));
    sql_expect(db, "PRAGMA user_version", "1\n");
    static const char rows[] =
        "INSERT INTO trace VALUES (1, 'abcd', 'wood', 'traces/wood.wst', 'llvm', 'none', 32, 2);"
        "INSERT INTO kernel VALUES (11, 1, 1, '_Z4growv', 'grow', 1, 1, 1, 32, 1, 1, 8, 0);"
        "INSERT INTO point VALUES (1001, 11, 'forest', 3, 101, 'done', NULL);"
        "INSERT INTO point VALUES (1002, 11, 'forest', 3, 102, 'failed', 'fire')";
    assert_int_equal(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Points of version 1 were replayed whole: they stay, and truncated ones, which are marked, stand beside them. */
static void test_migration_of_version_1(void **state) {
    (void)state;
    write_version_1("v1.db");
    ws_store *store = ws_store_open_readonly(folder_path("v1.db"), &forest_err);
    forest_must(store != NULL); /* neither queries nor dry runs need a migration */
    sql_expect(ws_store_sqlite(store), "PRAGMA user_version", "1\n");
    ws_point_status status;
    forest_must(ws_store_status(store, 1002, &status, &forest_err));
    assert_int_equal(status, WS_POINT_FAILED);
    ws_store_close(store);

    store = forest_open("v1.db");
    sqlite3 *db = ws_store_sqlite(store);
    sql_expect(db, "PRAGMA user_version", "5\n");
    sql_expect(db, "SELECT id, status, reason, truncated, damaged FROM point ORDER BY id",
               "1001|done|NULL|0|0\n1002|failed|fire|0|0\n");
    forest_describe(store, &forest);
    const ws_point_row again = forest_point(1, 2);
    ws_rows *rows = ws_rows_new();
    forest_put_leaf(rows, 0, 5, 1, 0);
    ws_rows_truncated(rows, 0);
    forest_must(forest_store_rows(store, &again, 1, rows));
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
    assert_refused(ws_store_open(folder_path("odd.db"), &forest_err),
                   "going from schema version 1 to 5: duplicate column name: truncated");
    sqlite3_open(folder_path("odd.db"), &db);
    sql_expect(db, "PRAGMA user_version", "1\n");
    sql_expect(db, "SELECT count(*) FROM point", "2\n");
    sqlite3_close(db);
}

/* ---- one writer */

static void test_second_writer(void **state) {
    (void)state;
    ws_store *store = forest_open("shared.db");
    pid_t child = fork();
    if (child == 0) {
        ws_store *second = ws_store_open(folder_path("shared.db"), &forest_err);
        _exit(!second && strstr(forest_err.text, "another sweep writes to this database") ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);

    ws_store *reader = ws_store_open_readonly(folder_path("shared.db"), &forest_err); /* while we write */
    assert_non_null(reader);
    sql_expect(ws_store_sqlite(reader), "SELECT count(*) FROM point", "0\n");
    sql_expect(ws_store_sqlite(reader), "DELETE FROM point", "error: attempt to write a readonly database\n");
    ws_store_close(reader);
    ws_store_close(store);
    ws_store_close(forest_open("shared.db"));
}

/* A writer that is killed leaves its last commit, and no lock. */
static void test_killed_writer(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        ws_store *store = forest_open("killed.db");
        forest_describe(store, &forest);
        forest_fill(store);
        forest_must(ws_store_begin(store, &forest_err));
        sqlite3_exec(ws_store_sqlite(store), "DELETE FROM leaf", NULL, NULL, NULL);
        kill(getpid(), SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));

    /* Where SQLite cannot create the index of the write-ahead log, as in a folder that cannot be written. */
    char index[300];
    snprintf(index, sizeof index, "%s", folder_path("killed.db-shm"));
    unlink(index);
    assert_int_equal(symlink("/nowhere/index", index), 0);
    assert_refused(
        ws_store_open_readonly(folder_path("killed.db"), &forest_err),
        "unable to open database file; it is in use, or a killed sweep left its write-ahead log (NAME-wal): "
        "copy both to a folder that can be written");
    assert_refused(
        ws_store_open(folder_path("killed.db"), &forest_err),
        "unable to open database file; SQLite keeps files beside it: see whether its folder can be written");
    unlink(index);

    ws_store *reader = ws_store_open_readonly(folder_path("killed.db"), &forest_err);
    assert_non_null(reader);
    sql_expect(ws_store_sqlite(reader), "SELECT count(*) FROM leaf", "4\n");
    ws_store_close(reader);
    ws_store *store = forest_open("killed.db");
    sql_expect(ws_store_sqlite(store), "SELECT count(*), max(outcome) FROM run", "1|NULL\n");
    ws_store_close(store);
    assert_false(folder_has("killed.db-wal"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_file),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_folder_that_cannot_be_written),
        cmocka_unit_test(test_newer_schema),
        cmocka_unit_test(test_damaged_header),
        cmocka_unit_test(test_unusable_paths),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_failed_migration),
        cmocka_unit_test(test_migration_of_version_1),
        cmocka_unit_test(test_migration_that_fails),
        cmocka_unit_test(test_second_writer),
        cmocka_unit_test(test_killed_writer),
    };
    return cmocka_run_group_tests_name("store_file", tests, folder_setup, folder_teardown);
}
