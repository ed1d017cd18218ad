/* Stores rows of traces, kernels, configurations and points, and their results. */
#include "base/given.h"
#include "base/utf8.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- traces, kernels, configurations */

static bool tell_if_renamed(ws_store *store, const ws_trace_row *t, FILE *log, ws_error *err) {
    sqlite3_stmt *before = NULL;
    if (!ws_store_prepare_text(store, &before,
                               sqlite3_mprintf("SELECT name FROM trace WHERE id = %lld AND name <> %Q",
                                               (long long)t->id, t->name),
                               err))
        return false;
    if (sqlite3_step(before) == SQLITE_ROW)
        fprintf(log,
                "%s: the trace %s, which is the same, is called %s from now on, in the views of earlier "
                "sweeps, too\n",
                store->path, (const char *)sqlite3_column_text(before, 0), t->name);
    return sqlite3_finalize(before) == SQLITE_OK || ws_store_fail(store, "reading a trace", err);
}

bool ws_store_trace(ws_store *store, const ws_trace_row *t, FILE *log, ws_error *err) {
    if (log && !tell_if_renamed(store, t, log, err)) return false;
    return ws_store_run(
        store,
        sqlite3_mprintf("INSERT INTO trace VALUES (%lld, %Q, %Q, %Q, %Q, %Q, %u, %u) "
                        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path",
                        (long long)t->id, t->digest, t->name, t->path, t->isa, t->tracer, t->warp_size,
                        t->kernels),
        "storing a trace", err);
}

/* Whether the sweep s has points of a trace. */
#define SWEEP_HAS(trace)                                                                                     \
    "EXISTS (SELECT 1 FROM kernel k JOIN point p ON p.kernel = k.id JOIN sweep_point x ON x.point = p.id "   \
    "WHERE k.trace = " trace ".id AND x.sweep = s.id)"

bool ws_store_check_name(ws_store *store, int64_t trace, ws_error *err) {
    sqlite3_stmt *twins = NULL;
    if (!ws_store_prepare_text(
            store, &twins,
            sqlite3_mprintf(
                "SELECT s.name, a.name, a.path, b.path FROM trace a JOIN trace b ON b.name = a.name "
                "AND b.id <> a.id JOIN sweep s ON " SWEEP_HAS("a") " AND " SWEEP_HAS(
                    "b") " WHERE a.id = %lld ORDER BY s.name LIMIT 1",
                (long long)trace),
            err))
        return false;
    int code = sqlite3_step(twins);
    bool ok = code == SQLITE_DONE;
    if (code == SQLITE_ROW)
        ws_fail(err, WS_ERROR_SPEC,
                "expected traces of different names in the stored sweep %s, found two called %s, %s and %s: "
                "rename the first, or sweep it into another database",
                sqlite3_column_text(twins, 0), sqlite3_column_text(twins, 1), sqlite3_column_text(twins, 2),
                sqlite3_column_text(twins, 3));
    else if (!ok)
        ws_store_fail(store, "comparing traces' names", err);
    sqlite3_finalize(twins);
    return ok;
}

/* Counters are inserted by name, since in a database of another version they may be in another order. A launch that an
 * older version stored gets the counters that are new. */
bool ws_store_kernel(ws_store *store, const ws_kernel_row *k, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql,
                          "INSERT INTO kernel (id, trace, launch, name, short_name, grid_x, grid_y, grid_z, "
                          "block_x, block_y, block_z, registers_per_thread, shared_B");
    for (size_t i = 0; i < store->counter_count; i++)
        sqlite3_str_appendf(sql, ", \"%w\"", store->counters[i].name);
    sqlite3_str_appendf(sql, ") VALUES (%lld, %lld, %u, %Q, %Q, %u, %u, %u, %u, %u, %u, %u, %u",
                        (long long)k->id, (long long)k->trace, k->launch, k->name, k->short_name, k->grid[0],
                        k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2],
                        k->registers_per_thread, k->shared_B);
    for (size_t i = 0; i < store->counter_count; i++)
        sqlite3_str_appendf(sql, ", %lld", (long long)k->counters[i]);
    sqlite3_str_appendall(sql, ") ON CONFLICT (id) DO UPDATE SET short_name = excluded.short_name");
    for (size_t i = 0; i < store->counter_count; i++)
        sqlite3_str_appendf(sql, ", \"%w\" = excluded.\"%w\"", store->counters[i].name,
                            store->counters[i].name);
    return ws_store_run(store, sqlite3_str_finish(sql), "storing a kernel", err);
}

static bool prepare_config(ws_store *store, json_t *values, ws_error *err) {
    if (store->insert_config) return true;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendf(sql, "INSERT OR IGNORE INTO \"%w_config\" (id, version, fidelity, json",
                        store->experiment->name);
    const char *name;
    json_t *value;
    json_object_foreach(values, name, value) {
        char column[128];
        ws_param_column(name, column, sizeof column);
        sqlite3_str_appendf(sql, ", \"%w\"", column);
    }
    sqlite3_str_appendall(sql, ") VALUES (?, ?, ?, ?");
    for (size_t i = 0; i < json_object_size(values); i++) sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    return ws_store_prepare_text(store, &store->insert_config, sqlite3_str_finish(sql), err);
}

static bool put_config(ws_store *store, const ws_config_row *row, json_t *values, const char *json,
                       ws_error *err) {
    if (!prepare_config(store, values, err)) return false;
    ws_bound bound = ws_bind(store->insert_config);
    ws_bind_int(&bound, row->id);
    ws_bind_int(&bound, store->experiment->version);
    ws_bind_text(&bound, row->fidelity, SQLITE_STATIC);
    ws_bind_text(&bound, json, SQLITE_STATIC);
    const char *name;
    json_t *value;
    json_object_foreach(values, name, value) ws_bind_json(&bound, value);
    return ws_store_step(store, &bound, "storing a configuration", err);
}

bool ws_store_config(ws_store *store, const ws_config_row *row, ws_error *err) {
    if (!ws_store_has_experiment(store, err)) return false;
    json_t *values = ws_config_json(row->config); /* in table order, so one statement serves all */
    char *json = values ? json_dumps(values, JSON_COMPACT) : NULL;
    bool ok = json ? put_config(store, row, values, json, err) : ws_no_memory(err);
    free(json);
    json_decref(values);
    return ok;
}

/* ---- points */

/* Stores a point: failed, if there is a reason, or done. A failed point may be stored again; one that is done may
 * not. */
static bool put_point(ws_store *store, const ws_point_row *point, const ws_error *why, ws_error *err) {
    if (!ws_store_prepare(
            store, &store->insert_point,
            "INSERT INTO point VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8) ON CONFLICT (id) DO UPDATE SET "
            "status = excluded.status, reason = excluded.reason, damaged = excluded.damaged "
            "WHERE status = 'failed' AND kernel = excluded.kernel AND config = excluded.config",
            err) ||
        !ws_store_prepare(store, &store->insert_point_run, "INSERT OR REPLACE INTO point_run VALUES (?1, ?2)",
                          err))
        return false;
    ws_bound bound = ws_bind(store->insert_point);
    ws_bind_int(&bound, point->id);
    ws_bind_int(&bound, point->kernel);
    ws_bind_text(&bound, store->experiment->name, SQLITE_STATIC);
    ws_bind_int(&bound, store->experiment->version);
    ws_bind_int(&bound, point->config);
    ws_bind_text(&bound, why ? "failed" : "done", SQLITE_STATIC);
    ws_bind_text(&bound, why ? why->text : NULL, SQLITE_TRANSIENT);
    ws_bind_int(&bound, why && why->code == WS_ERROR_DAMAGED);
    if (!ws_store_step(store, &bound, "storing a point", err)) return false;
    if (sqlite3_changes(store->db) != 1)
        return ws_fail(err, WS_ERROR_INTERNAL, "%s: point %lld is stored already", store->path,
                       (long long)point->id);

    bound = ws_bind(store->insert_point_run);
    ws_bind_int(&bound, point->id);
    ws_bind_int(&bound, store->run);
    return ws_store_step(store, &bound, "storing a point's run", err);
}

bool ws_store_failed(ws_store *store, const ws_point_row *point, const ws_error *why, ws_error *err) {
    if (!WS_GIVEN(why, "a reason", err) || !ws_store_has_experiment(store, err) ||
        !ws_store_has_run(store, err))
        return false;
    ws_error clean = *why;
    ws_utf8_clean(clean.text); /* names in it may have been cut */
    return ws_store_begin(store, err) &&
           (put_point(store, point, &clean, err) ? ws_store_commit(store, err) : ws_store_rollback(store));
}

/* In a database of an older schema, which a dry run leaves as it is, nothing says what was damaged. */
static bool prepare_status(ws_store *store, ws_error *err) {
    int64_t says;
    if (store->select_status) return true;
    return ws_store_number(
               store,
               sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('point') WHERE name = 'damaged'"),
               "looking for a column", &says, err) &&
           ws_store_prepare_text(
               store, &store->select_status,
               sqlite3_mprintf("SELECT status = 'done', %s FROM point WHERE id = ?1", says ? "damaged" : "0"),
               err);
}

static ws_point_status status_in(sqlite3_stmt *row) {
    if (sqlite3_column_int(row, 0)) return WS_POINT_DONE;
    return sqlite3_column_int(row, 1) ? WS_POINT_DAMAGED : WS_POINT_FAILED;
}

bool ws_store_status(ws_store *store, int64_t point, ws_point_status *status, ws_error *err) {
    if (!prepare_status(store, err)) return false;
    sqlite3_stmt *stmt = store->select_status;
    ws_bound bound = ws_bind(stmt);
    ws_bind_int(&bound, point);
    int rc = bound.code == SQLITE_OK ? sqlite3_step(stmt) : bound.code;
    *status = rc == SQLITE_ROW ? status_in(stmt) : WS_POINT_ABSENT;
    bool ok = rc == SQLITE_ROW || rc == SQLITE_DONE || ws_store_fail(store, "looking up a point", err);
    sqlite3_reset(stmt);
    return ok;
}

/* ---- result rows */

static size_t most_columns(const ws_experiment *e) {
    size_t most = 0;
    for (size_t i = 0; e->tables[i]; i++)
        if (e->tables[i]->column_count > most) most = e->tables[i]->column_count;
    return most;
}

static bool prepare_row(ws_store *store, size_t table_index, ws_error *err) {
    if (store->insert_row[table_index]) return true;
    const ws_table *table = store->experiment->tables[table_index];
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendf(sql, "INSERT INTO \"%w\" (point, note", table->name);
    for (size_t i = 0; i < table->column_count; i++)
        sqlite3_str_appendf(sql, ", \"%w\"", table->columns[i].name);
    sqlite3_str_appendall(sql, ") VALUES (?, ?");
    for (size_t i = 0; i < table->column_count; i++) sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    return ws_store_prepare_text(store, &store->insert_row[table_index], sqlite3_str_finish(sql), err);
}

static bool is_allowed(const ws_cell *cell, const ws_column *column) {
    switch (cell->kind) {
    case WS_CELL_INT:
        return column->type == WS_TYPE_INT;
    case WS_CELL_REAL:
        return column->type == WS_TYPE_REAL;
    case WS_CELL_TEXT:
        return column->type == WS_TYPE_TEXT;
    case WS_CELL_UNKNOWN:
        return column->adds != WS_ADDS_KEY;
    }
    return false;
}

static bool has_reason(const ws_cell *cell, const char *reason) {
    return cell->kind == WS_CELL_UNKNOWN && strcmp(cell->text, reason) == 0;
}

/* Whether a cell before cell `i` has its reason. */
static bool is_told(const ws_cell *cells, size_t i) {
    for (size_t before = 0; before < i; before++)
        if (has_reason(&cells[before], cells[i].text)) return true;
    return false;
}

/* Writes the note about unknown cells, "mean, median: the trace has no registers; .."; NULL if all are known. False if
 * out of memory. lacking.c finds the names in it. */
static bool note_of(const ws_table *table, const ws_cell *cells, char **text) {
    sqlite3_str *note = sqlite3_str_new(NULL);
    for (size_t i = 0; i < table->column_count; i++) {
        if (cells[i].kind != WS_CELL_UNKNOWN || is_told(cells, i)) continue;
        sqlite3_str_appendf(note, "%s%s", sqlite3_str_length(note) ? "; " : "", table->columns[i].name);
        for (size_t k = i + 1; k < table->column_count; k++)
            if (has_reason(&cells[k], cells[i].text))
                sqlite3_str_appendf(note, ", %s", table->columns[k].name);
        sqlite3_str_appendf(note, ": %s", cells[i].text);
    }
    bool ok = sqlite3_str_errcode(note) == SQLITE_OK;
    *text = sqlite3_str_finish(note);
    return ok;
}

/* Lists the columns that tell a point's rows apart, "pc, stride"; an empty text if there is one row per point. */
static void name_keys(const ws_table *table, char *out, size_t size) {
    size_t length = 0;
    out[0] = 0;
    for (size_t i = 0; i < table->column_count && length < size; i++)
        if (table->columns[i].adds == WS_ADDS_KEY)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "",
                                       table->columns[i].name);
}

/* Called when a row could not be stored; returns false. If the point has such a row already, that is the fault of the
 * analysis alone: the error says so, and other points can still be stored. */
static bool row_failed(const ws_store *store, const ws_table *table, ws_error *err) {
    if ((sqlite3_errcode(store->db) & 0xff) != SQLITE_CONSTRAINT) return false;
    char keys[256];
    name_keys(table, keys, sizeof keys);
    return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: table %s: a second row of one point%s%s",
                   store->experiment->name, table->name, *keys ? " with the same " : "", keys);
}

static bool put_row(ws_store *store, int64_t point, size_t table_index, const ws_cell *cells, ws_error *err) {
    if (!prepare_row(store, table_index, err)) return false;
    const ws_table *table = store->experiment->tables[table_index];
    ws_bound bound = ws_bind(store->insert_row[table_index]);
    ws_bind_int(&bound, point);
    char *note;
    if (!note_of(table, cells, &note)) return ws_no_memory(err);
    ws_bind_text(&bound, note, sqlite3_free);
    for (size_t i = 0; i < table->column_count; i++) {
        switch (cells[i].kind) {
        case WS_CELL_INT:
            ws_bind_int(&bound, cells[i].integer);
            break;
        case WS_CELL_REAL:
            ws_bind_real(&bound, cells[i].real);
            break;
        case WS_CELL_TEXT:
            ws_bind_text(&bound, cells[i].text, SQLITE_STATIC);
            break;
        case WS_CELL_UNKNOWN:
            ws_bind_null(&bound);
            break;
        }
    }
    return ws_store_step(store, &bound, "storing a result", err) || row_failed(store, table, err);
}

/* The results of a pass, on their way into the database. */
typedef struct results {
    ws_store *store;
    const ws_point_row *points;
    size_t count;
    /* of one row, as many as any table has columns and one more, so that an excess is noticed */
    ws_cell *cells;
    size_t room;
    bool *seen; /* per point: it has its row of the first table */
} results;

/* Checks a row, whoever wrote it: point and table are known, each cell is of its column's type, and there is only one
 * row of the first table per point. */
static bool check_row(const results *r, uint32_t point, uint32_t table_index, size_t cell_count,
                      ws_error *err) {
    const ws_experiment *e = r->store->experiment;
    if (point >= r->count)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: row of point %u, expected below %zu", e->name,
                       point, r->count);
    if (table_index >= r->store->table_count)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: row of table %u, expected below %zu", e->name,
                       table_index, r->store->table_count);
    const ws_table *table = e->tables[table_index];
    if (cell_count != table->column_count)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: table %s: expected %zu cells, found %zu",
                       e->name, table->name, table->column_count, cell_count);
    for (size_t i = 0; i < cell_count; i++)
        if (!is_allowed(&r->cells[i], &table->columns[i]))
            return ws_fail(err, WS_ERROR_INTERNAL,
                           "analysis %s: table %s: a cell of column %s is of another type", e->name,
                           table->name, table->columns[i].name);
    if (table_index == 0 && r->seen[point])
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: table %s: a second row of one point", e->name,
                       table->name);
    r->seen[point] |= table_index == 0;
    return true;
}

static bool mark_truncated(const results *r, uint32_t point, ws_error *err) {
    if (point >= r->count)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: mark of point %u, expected below %zu",
                       r->store->experiment->name, point, r->count);
    return ws_store_run(
        r->store,
        sqlite3_mprintf("UPDATE point SET truncated = 1 WHERE id = %lld", (long long)r->points[point].id),
        "marking a point", err);
}

static bool put_rows(const results *r, const void *rows, size_t size, ws_error *err) {
    const ws_experiment *e = r->store->experiment;
    uint32_t point, table;
    size_t at = 0, cell_count;
    while (ws_rows_next(rows, size, &at, &point, &table, r->cells, r->room, &cell_count)) {
        const bool ok = table == WS_ROWS_TRUNCATED
                            ? mark_truncated(r, point, err)
                            : check_row(r, point, table, cell_count, err) &&
                                  put_row(r->store, r->points[point].id, table, r->cells, err);
        if (!ok) return false;
    }
    if (at != size)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: the encoded rows are damaged", e->name);
    for (size_t i = 0; i < r->count; i++)
        if (!r->seen[i])
            return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: table %s: no row for a point", e->name,
                           e->tables[0]->name);
    return true;
}

static bool put_done(const results *r, const void *rows, size_t size, ws_error *err) {
    for (size_t i = 0; i < r->count; i++)
        if (!put_point(r->store, &r->points[i], NULL, err)) return false;
    return put_rows(r, rows, size, err);
}

bool ws_store_done(ws_store *store, const ws_point_row *points, size_t count, const void *rows, size_t size,
                   ws_error *err) {
    if (!ws_store_has_experiment(store, err) || !ws_store_has_run(store, err)) return false;
    results r = {
        .store = store, .points = points, .count = count, .room = most_columns(store->experiment) + 1};
    r.cells = calloc(r.room, sizeof *r.cells);
    r.seen = calloc(count + 1, sizeof *r.seen);
    bool ok = (r.cells && r.seen) || ws_no_memory(err);
    if (ok && (ok = ws_store_begin(store, err)))
        ok = put_done(&r, rows, size, err) ? ws_store_commit(store, err) : ws_store_rollback(store);
    free(r.cells);
    free(r.seen);
    return ok;
}
