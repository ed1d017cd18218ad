#include "store/store.h"

#include "base/given.h"
#include "store/functions.h"
#include "store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

int64_t ws_store_id(const char *key_text) {
    return key_text ? (int64_t)(XXH3_64bits(key_text, strlen(key_text)) & INT64_MAX) : 0;
}

sqlite3 *ws_store_sqlite(ws_store *store) {
    return store->db;
}

/* ---- literals */

static bool reads_as(sqlite3 *db, const char *literal, double value) {
    char sql[WS_SQL_REAL_SIZE + 8];
    sqlite3_stmt *row = NULL;
    snprintf(sql, sizeof sql, "SELECT %s", literal);
    bool same = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW &&
                sqlite3_column_double(row, 0) == value;
    sqlite3_finalize(row);
    return same;
}

/* SQLite is asked because it rounds twice: of a short text it may read the number beside the one that C reads. */
const char *ws_sql_real(sqlite3 *db, double value, char text[WS_SQL_REAL_SIZE]) {
    sqlite3_snprintf(WS_SQL_REAL_SIZE, text, "%!.15g", value);
    if (!reads_as(db, text, value)) sqlite3_snprintf(WS_SQL_REAL_SIZE, text, WS_SQL_REAL, value);
    return text;
}

/* ---- SQLite, with our errors */

/* The database's file is there. What SQLite could not open is beside it, where it may have to create files. */
#define LOG_UNREADABLE                                                                                       \
    "; it is in use, or a killed sweep left its write-ahead log (NAME-wal): copy both to a folder that can " \
    "be written, or let the sweep's command end there"

/* What to do where results cannot be written. */
static const char *remedy_for_writing(int code) {
    switch (code) {
    case SQLITE_BUSY:
        return "; another program holds the database: close it";
    case SQLITE_FULL:
        return "; free some space";
    case SQLITE_IOERR:
        return "; see whether the disk is full, or fails";
    case SQLITE_READONLY:
        return "; SQLite keeps files beside it: see whether its folder can be written";
    case SQLITE_CANTOPEN: /* its journal or log */
        return "; SQLite keeps files beside it: see whether its folder can be written, and how many files "
               "may be open at a time (ulimit -n)";
    default:
        return "";
    }
}

const char *ws_sqlite_remedy(sqlite3 *db) {
    const int code = sqlite3_errcode(db) & 0xff;
    if (code == SQLITE_CORRUPT) return WS_SQLITE_DAMAGED;
    if (sqlite3_db_readonly(db, "main") == 0) return remedy_for_writing(code);
    return code == SQLITE_CANTOPEN ? LOG_UNREADABLE : "";
}

/* What follows if the store is one of a command that resumes, and only room or another program's lock is missing. */
static const char *resuming(const ws_store *store, int code) {
    return store->resumes && (code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_IOERR)
               ? "; what is stored stays, and the same command resumes"
               : "";
}

bool ws_store_fail(ws_store *store, const char *what, ws_error *err) {
    if (store->gave_up && (sqlite3_errcode(store->db) & 0xff) == SQLITE_BUSY)
        return ws_fail(err, WS_ERROR_INTERRUPTED,
                       "%s: stopped while another program holds the database; the same command resumes",
                       store->path);
    return ws_fail(err, WS_ERROR_DATABASE, "%s: %s: %s%s%s", store->path, what, sqlite3_errmsg(store->db),
                   ws_sqlite_remedy(store->db), resuming(store, sqlite3_errcode(store->db) & 0xff));
}

bool ws_store_exec(ws_store *store, const char *sql, const char *what, ws_error *err) {
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK) return true;
    return ws_store_fail(store, what, err);
}

bool ws_store_prepare(ws_store *store, sqlite3_stmt **stmt, const char *sql, ws_error *err) {
    if (*stmt) return true;
    if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) == SQLITE_OK)
        return true;
    return ws_store_fail(store, "preparing a statement", err);
}

bool ws_store_run(ws_store *store, char *sql, const char *what, ws_error *err) {
    bool ok = sql ? ws_store_exec(store, sql, what, err) : ws_no_memory(err);
    sqlite3_free(sql);
    return ok;
}

bool ws_store_prepare_text(ws_store *store, sqlite3_stmt **stmt, char *sql, ws_error *err) {
    bool ok = sql ? ws_store_prepare(store, stmt, sql, err) : ws_no_memory(err);
    sqlite3_free(sql);
    return ok;
}

bool ws_store_number(ws_store *store, char *sql, const char *what, int64_t *number, ws_error *err) {
    sqlite3_stmt *row = NULL;
    if (!ws_store_prepare_text(store, &row, sql, err)) return false;
    bool ok = sqlite3_step(row) == SQLITE_ROW || ws_store_fail(store, what, err);
    if (ok) *number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return ok;
}

bool ws_store_text(ws_store *store, char *sql, const char *what, char **text, ws_error *err) {
    sqlite3_stmt *row = NULL;
    *text = NULL;
    if (!ws_store_prepare_text(store, &row, sql, err)) return false;
    int code = sqlite3_step(row);
    bool found = code == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL;
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || ws_store_fail(store, what, err);
    if (found) *text = sqlite3_mprintf("%s", sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return ok && (!found || *text || ws_no_memory(err));
}

bool ws_store_step(ws_store *store, const ws_bound *bound, const char *what, ws_error *err) {
    if (bound->code != SQLITE_OK)
        return ws_fail(err, WS_ERROR_DATABASE, "%s: %s: %s", store->path, what, sqlite3_errstr(bound->code));
    bool ok = sqlite3_step(bound->stmt) == SQLITE_DONE || ws_store_fail(store, what, err);
    sqlite3_reset(bound->stmt);
    return ok;
}

bool ws_store_has_experiment(const ws_store *store, ws_error *err) {
    return store->experiment ||
           ws_fail(err, WS_ERROR_INTERNAL, "%s: expected ws_store_use() before", store->path);
}

bool ws_store_has_run(const ws_store *store, ws_error *err) {
    return store->run ||
           ws_fail(err, WS_ERROR_INTERNAL, "%s: expected ws_store_begin_run() before", store->path);
}

bool ws_store_begin(ws_store *store, ws_error *err) {
    return ws_store_exec(store, "BEGIN IMMEDIATE", "beginning a transaction", err);
}

bool ws_store_commit(ws_store *store, ws_error *err) {
    return ws_store_exec(store, "COMMIT", "committing", err) || ws_store_rollback(store);
}

bool ws_store_rollback(ws_store *store) {
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening */

static bool no_memory(const char *path, ws_error *err) {
    return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
}

static ws_store *store_alloc(const char *path, ws_error *err) {
    ws_store *store = calloc(1, sizeof *store);
    char *copy = strdup(path);
    if (!store || !copy) {
        free(store);
        free(copy);
        no_memory(path, err);
        return NULL;
    }
    store->path = copy;
    store->lock_fd = -1;
    return store;
}

/* Keeps other writers out, by a flock() on the database file itself. SQLite's own locks are of another kind (fcntl),
 * and are lost when this process closes any descriptor of the file; so ours is closed after SQLite's. A killed writer
 * may have workers that die an instant later, hence the retries. */
static bool lock(ws_store *store, ws_error *err) {
    const struct timespec pause = {0, 50 * 1000 * 1000};
    for (int tries = 0; flock(store->lock_fd, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK)
            return ws_fail(err, WS_ERROR_IO, "%s: cannot be locked: %s", store->path, strerror(errno));
        if (tries == 20)
            return ws_fail(err, WS_ERROR_IO,
                           "%s: another sweep writes to this database; let it finish, or choose another file",
                           store->path);
        nanosleep(&pause, NULL);
    }
    return true;
}

const char *ws_sqlite_folder(const char *path) {
    return path[0] == '/' ? "" : "./";
}

/* SQLite writes files beside the database. */
#define LONGEST_ENDING "-journal"

static bool name_has_room(const char *path, ws_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t most = NAME_MAX - strlen(LONGEST_ENDING);
    return strlen(name) <= most ||
           ws_fail(err, WS_ERROR_IO,
                   "%s: expected a name of at most %zu bytes, as SQLite writes NAME" LONGEST_ENDING
                   " beside it, found %zu; choose a shorter one",
                   path, most, strlen(name));
}

/* SQLite does not say which files it cannot open because their path is too long. */
static bool path_has_room(const char *path, ws_error *err) {
    char whole[PATH_MAX];
    const size_t most = (size_t)sqlite3_vfs_find(NULL)->mxPathname - strlen(LONGEST_ENDING);
    return !realpath(path, whole) || strlen(whole) <= most ||
           ws_fail(err, WS_ERROR_IO,
                   "%.300s..: expected a path of at most %zu bytes with all its folders, as SQLite takes no "
                   "longer one, found %zu; move it, or choose shorter names",
                   path, most, strlen(whole));
}

enum { BUSY_MS = 10000 };

static bool open_sqlite(ws_store *store, int flags, ws_error *err) {
    char *file = sqlite3_mprintf("%s%s", ws_sqlite_folder(store->path), store->path);
    int result = file ? sqlite3_open_v2(file, &store->db, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(file);
    if (!store->db) return no_memory(store->path, err); /* there is no connection that could say so */
    if (result != SQLITE_OK) return path_has_room(store->path, err) && ws_store_fail(store, "opening", err);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is a column, never a text */
    if (ws_store_functions(store->db) != SQLITE_OK) return ws_store_fail(store, "adding SQL functions", err);
    return true;
}

static bool open_for_writing(ws_store *store, ws_error *err) {
    int version;
    return open_sqlite(store, SQLITE_OPEN_READWRITE, err) &&
           ws_schema_identify(store->db, store->path, ws_schema_version, &version, err) &&
           ws_schema_migrate(store->db, store->path, version, ws_schema_steps, ws_schema_version, err) &&
           /* Others can read while we write, and a killed writer loses no commit. */
           ws_store_exec(store,
                         "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;"
                         "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON",
                         "preparing to write", err);
}

/* False if there is something other than a regular file, the opening of which might block for ever, or a file of one
 * byte, which SQLite takes for an empty one, and writes over. */
static bool may_be_database(const char *path, ws_error *err) {
    struct stat status;
    if (stat(path, &status) != 0) return true;
    const char *found = S_ISDIR(status.st_mode)    ? "a folder"
                        : !S_ISREG(status.st_mode) ? "something that is no file"
                        : status.st_size == 1      ? "a file that is not SQLite's"
                                                   : NULL;
    return !found ||
           ws_fail(err, WS_ERROR_DATABASE, "%s: expected a results database, found %s", path, found);
}

ws_store *ws_store_open(const char *path, ws_error *err) {
    bool may_be = WS_GIVEN(path, "a path", err) && may_be_database(path, err) && name_has_room(path, err);
    ws_store *store = may_be ? store_alloc(path, err) : NULL;
    if (!store) return NULL;
    store->lock_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ours = store->lock_fd >= 0;
    if (!ours) store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock_fd < 0) {
        ws_fail(err, WS_ERROR_IO, "%s: cannot be opened for writing: %s", path, strerror(errno));
        ws_store_close(store);
        return NULL;
    }
    bool locked = lock(store, err);
    if (locked && open_for_writing(store, err)) return store;
    /* Before the lock is given up, behind which another writer may wait; without it, the file is that one's. */
    if (ours && locked) unlink(path);
    ws_store_close(store);
    return NULL;
}

ws_store *ws_store_open_readonly(const char *path, ws_error *err) {
    ws_store *store =
        WS_GIVEN(path, "a path", err) && may_be_database(path, err) ? store_alloc(path, err) : NULL;
    if (!store) return NULL;
    int version = 0;
    bool ok = access(path, R_OK) == 0 || ws_fail(err, WS_ERROR_IO, "%s: %s", path, strerror(errno));
    ok = ok && open_sqlite(store, SQLITE_OPEN_READONLY, err) &&
         ws_schema_identify(store->db, path, ws_schema_version, &version, err);
    if (ok && version == 0)
        ok = ws_fail(err, WS_ERROR_DATABASE, "%s: expected a results database, found an empty file", path);
    if (ok) return store;
    ws_store_close(store);
    return NULL;
}

ws_store *ws_store_open_memory(const char *path, ws_error *err) {
    ws_store *store = store_alloc(path, err);
    if (!store) return NULL;
    store->sweepless = true;
    if (open_sqlite(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, err))
        return store;
    ws_store_close(store);
    return NULL;
}

bool ws_store_tell_log_lost(ws_store *store, FILE *log, ws_error *err) {
    char wal[PATH_MAX], *mode;
    struct stat status;
    if (!ws_store_text(store, sqlite3_mprintf("PRAGMA journal_mode"), "reading the kind of its log", &mode,
                       err))
        return false;
    snprintf(wal, sizeof wal, "%s-wal", store->path);
    /* SQLite makes an empty one where there is none. */
    if (mode && strcmp(mode, "wal") == 0 && (stat(wal, &status) != 0 || status.st_size == 0))
        fprintf(log,
                "%s: its last results may be missing, which cannot be told: a sweep that was killed, or "
                "still runs, keeps them in %s, which is not there. If another program, such as sqlite3, "
                "has opened the database since, none is missing, and the sweep's command, run again, ends "
                "this message; of a copy, copy both files\n",
                store->path, wal);
    sqlite3_free(mode);
    return true;
}

/* ---- waiting for others */

static int wait_for_others(void *store_, int calls) {
    const struct timespec pause = {0, 50 * 1000 * 1000};
    ws_store *store = store_;
    store->gave_up = !store->go_on(store->go_on_context, calls * 0.05);
    if (store->gave_up) return 0;
    nanosleep(&pause, NULL); /* a signal ends it early */
    return 1;
}

void ws_store_wait(ws_store *store, ws_store_go_on *go_on, void *context) {
    store->go_on = go_on;
    store->go_on_context = context;
    sqlite3_busy_handler(store->db, wait_for_others, store);
}

void ws_store_will_resume(ws_store *store) {
    store->resumes = true;
}

void ws_store_forget(ws_store *store) {
    close(store->lock_fd);
}

bool ws_store_is_file(const ws_store *store, const char *path) {
    struct stat own, other;
    return path && stat(store->path, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev &&
           own.st_ino == other.st_ino;
}

void ws_store_close(ws_store *store) {
    if (!store) return;
    sqlite3_finalize(store->insert_config);
    sqlite3_finalize(store->insert_point);
    sqlite3_finalize(store->insert_point_run);
    sqlite3_finalize(store->select_status);
    for (size_t i = 0; i < store->table_count; i++) sqlite3_finalize(store->insert_row[i]);
    free(store->insert_row);
    sqlite3_free(store->compared_count);
    sqlite3_free(store->unshown);
    ws_store_reads_free(&store->reads);
    /* Leaves one plain file, which can be copied, and read where nothing can be written; for that, what a failure has
     * left undone is given up. A reader may be in the way; then the write-ahead log stays until the next writer. */
    if (store->db && store->lock_fd >= 0) {
        if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        sqlite3_busy_timeout(store->db, store->gave_up ? 0 : BUSY_MS);
        sqlite3_exec(store->db, "PRAGMA optimize; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->db);
    if (store->lock_fd >= 0) close(store->lock_fd);
    free(store->path);
    free(store);
}
