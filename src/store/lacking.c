/* Tells of points that were stored before their analysis had all of its columns. */
#include "store/store.h"

#include <stdlib.h>

/* What a table of the database lacks. */
typedef struct gaps {
    const ws_table *table;
    size_t points;  /* that lack at least one column */
    size_t *lacked; /* by how many points, per column */
} gaps;

static bool has(ws_store *store, const char *table, const char *column, int64_t *columns, ws_error *err) {
    return ws_store_number(
        store, sqlite3_mprintf("SELECT count(*) FROM pragma_table_info(%Q) WHERE name = %Q", table, column),
        "looking for a column", columns, err);
}

/* Appends whether a row lacks column `i`. A cell that the analysis left empty is not lacking: `note` names its column,
 * ", NAME: .." or ", NAME, ..", before the reason. */
static bool append_lacks(sqlite3_str *sql, ws_store *store, const ws_table *table, size_t i, ws_error *err) {
    const char *name = table->columns[i].name;
    int64_t there;
    if (!has(store, table->name, name, &there, err)) return false;
    sqlite3_str_appendall(sql, i ? ", " : "SELECT ");
    if (there)
        sqlite3_str_appendf(sql, "\"%w\" IS NULL AND ' ' || ifnull(note, '') NOT GLOB '* %q[:,] *'", name,
                            name);
    else
        sqlite3_str_appendall(sql, "1");
    return true;
}

/* Prepares a query of which columns a point's row lacks. */
static bool prepare(ws_store *store, const ws_table *table, sqlite3_stmt **stmt, ws_error *err) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    bool ok = true;
    for (size_t i = 0; ok && i < table->column_count; i++) ok = append_lacks(sql, store, table, i, err);
    sqlite3_str_appendf(sql, " FROM \"%w\" WHERE point = ?1 LIMIT 1", table->name);
    char *text = sqlite3_str_finish(sql);
    if (ok) return ws_store_prepare_text(store, stmt, text, err);
    sqlite3_free(text);
    return false;
}

static bool look_at(ws_store *store, sqlite3_stmt *stmt, int64_t point, gaps *g, ws_error *err) {
    ws_bound bound = ws_bind(stmt);
    ws_bind_int(&bound, point);
    int code = bound.code == SQLITE_OK ? sqlite3_step(stmt) : bound.code;
    bool any = false;
    for (size_t i = 0; code == SQLITE_ROW && i < g->table->column_count; i++)
        if (sqlite3_column_int(stmt, (int)i)) g->lacked[i]++, any = true;
    g->points += any;
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || ws_store_fail(store, "looking at a result", err);
    sqlite3_reset(stmt);
    return ok;
}

static void tell(const gaps *g, FILE *log) {
    size_t columns = 0;
    if (!g->points) return;
    for (size_t i = 0; i < g->table->column_count; i++) columns += g->lacked[i] > 0;
    fprintf(log, "%zu stored point%s of %s lack%s the column%s ", g->points, g->points == 1 ? "" : "s",
            g->table->name, g->points == 1 ? "s" : "", columns == 1 ? "" : "s");
    const char *before = "";
    for (size_t i = 0; i < g->table->column_count; i++)
        if (g->lacked[i]) fprintf(log, "%s%s", before, g->table->columns[i].name), before = ", ";
    fputs(": raise its version, or sweep into another file\n", log);
}

static bool tell_of_table(ws_store *store, const ws_table *table, const int64_t *points, size_t count,
                          FILE *log, ws_error *err) {
    int64_t there;
    if (!has(store, table->name, "point", &there, err)) return false;
    if (!there) return true;
    gaps g = {table, 0, calloc(table->column_count, sizeof *g.lacked)};
    sqlite3_stmt *stmt = NULL;
    bool ok = (g.lacked || ws_no_memory(err)) && prepare(store, table, &stmt, err);
    for (size_t i = 0; ok && i < count; i++) ok = look_at(store, stmt, points[i], &g, err);
    if (ok) tell(&g, log);
    sqlite3_finalize(stmt);
    free(g.lacked);
    return ok;
}

bool ws_store_tell_lacking(ws_store *store, const ws_experiment *e, const int64_t *points, size_t count,
                           FILE *log, ws_error *err) {
    for (size_t i = 0; e->tables[i]; i++)
        if (!tell_of_table(store, e->tables[i], points, count, log, err)) return false;
    return true;
}
