/* The inside of a store, for the files of this folder. */
#ifndef WS_STORE_STORE_H
#define WS_STORE_STORE_H

#include "store/bind.h"
#include "store/sqlite.h"

/* What queries have read, as rows of SQL (reads.c). */
typedef struct ws_store_reads {
    char **rows;
    size_t count;
    bool failed; /* memory did not suffice for all rows */
} ws_store_reads;

struct ws_store {
    sqlite3 *db;
    char *path;                /* for messages */
    int lock_fd;               /* -1: read-only */
    bool sweepless;            /* it has the rows of another file, and none of the tables of results */
    int64_t run;               /* 0: none begun */
    const ws_column *counters; /* of kernels */
    size_t counter_count;
    const ws_experiment *experiment; /* NULL before ws_store_use() */
    size_t table_count;              /* of the experiment */
    char *compared_count;  /* the query of what is compared in the sweep stored last; NULL: nothing */
    char *unshown;         /* ws_store_unshown() */
    ws_store_go_on *go_on; /* NULL: SQLite's own timeout */
    void *go_on_context;
    bool gave_up; /* it has returned false */
    bool resumes; /* ws_store_will_resume() */
    bool watched; /* what queries read is noted in `reads` */
    ws_store_reads reads;

    /* Prepared at first use, freed at close; NULL before. */
    sqlite3_stmt *insert_config, *insert_point, *insert_point_run, *select_status;
    sqlite3_stmt **insert_row; /* per table of the experiment */
};

bool ws_store_exec(ws_store *store, const char *sql, const char *what, ws_error *err);

/* Prepares `*stmt`, unless that has been done. */
bool ws_store_prepare(ws_store *store, sqlite3_stmt **stmt, const char *sql, ws_error *err);

/* Executes a statement that returns no rows, if all its parameters could be bound, and resets it. */
bool ws_store_step(ws_store *store, const ws_bound *bound, const char *what, ws_error *err);

/* Check that the store has an experiment, or a run; WS_ERROR_INTERNAL names the call that is missing. */
bool ws_store_has_experiment(const ws_store *store, ws_error *err);
bool ws_store_has_run(const ws_store *store, ws_error *err);

bool ws_store_rollback(ws_store *store); /* returns false: the end of an error path */

/* One row of the table `metric`. */
typedef struct ws_metric_row {
    const char *table, *column, *kind, *unit, *adds, *expression, *help, *source;
} ws_metric_row;
bool ws_store_metric(ws_store *store, const ws_metric_row *metric, ws_error *err);
const char *ws_store_adds_name(ws_adds adds);

/* The launches that a row puts together, as columns: how many, and a number by which to tell sets of as many apart, the
 * sum of a hash of each: two products, modulo two primes, XORed as SQL can. */
#define WS_STORE_HASHED_1 "(launch * 1103515245 % 2147483647)"
#define WS_STORE_HASHED_2 "(launch * 1566083941 % 4294967291)"
#define WS_STORE_LAUNCHES                                                                                    \
    "count(*) AS launches, sum((" WS_STORE_HASHED_1 " | " WS_STORE_HASHED_2 ") - (" WS_STORE_HASHED_1        \
    " & " WS_STORE_HASHED_2 ")) AS launch_set"

/* Appends a column over several rows, as its sum for "sum", under its own name: unknown if one of them is unknown. */
void ws_store_append_over(sqlite3_str *sql, const char *function, const char *column);

/* Drops all sweeps' views, and sets `*views` to the statements that create them again, for ws_store_run(). SQLite reads
 * the whole schema anew for each column that is added to a table, and views are most of it. */
bool ws_store_set_views_aside(ws_store *store, char **views, ws_error *err);

/* Note what a sweep's views show before they are replaced; compare it with what they show then, for
 * ws_store_unshown(). */
bool ws_store_keep_former(ws_store *store, int64_t sweep, ws_error *err);
bool ws_store_tell_former(ws_store *store, const char *name, int64_t sweep, ws_error *err);

/* Notes in `reads` what queries read from now on; NULL: nowhere. */
void ws_store_note_reads(ws_store *store, ws_store_reads *reads);
void ws_store_reads_free(ws_store_reads *reads);

/* Begins a query with them as its table `read`. WS_STORE_SWEEPS_READ then asks for the ids of the sweeps whose views
 * they have read in the database: as such, or as what reads a table. */
void ws_store_append_reads(sqlite3_str *sql, const ws_store_reads *reads);
#define WS_STORE_SWEEPS_READ                                                                                 \
    "SELECT v.sweep FROM read r JOIN sweep_view v ON v.name = iif(r.name IN (SELECT name FROM sweep_view), " \
    "r.name, r.reader) COLLATE NOCASE WHERE r.base = 'main'"

/* Describes the columns of the tables that every database has. */
bool ws_store_describe_own(ws_store *store, ws_error *err);

#endif
