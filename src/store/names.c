#include "store/names.h"

#include "base/array.h"
#include "base/given.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* SQLite itself is asked. Out of memory, the answer is no, and the next statement fails. */
bool ws_store_needs_quotes(const char *name) {
    if (!sqlite3_keyword_check(name, (int)strlen(name))) return false;
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    char *sql = sqlite3_mprintf("WITH %s AS (SELECT 1 AS %s) SELECT %s FROM %s", name, name, name, name);
    bool needs = sql && sqlite3_open(":memory:", &db) == SQLITE_OK &&
                 sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_ERROR;
    sqlite3_finalize(query);
    sqlite3_close(db);
    sqlite3_free(sql);
    return needs;
}

/* ---- tables */

static bool wrong_table(const ws_experiment *e, const char *name, const char *why, ws_error *err) {
    return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: table %s: %s; choose another name", e->name, name,
                   why);
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), behind = strlen(end);
    return length >= behind && strcasecmp(name + length - behind, end) == 0;
}

static bool check_table_name(const ws_experiment *e, const char *name, ws_error *err) {
    if (ws_store_needs_quotes(name)) return wrong_table(e, name, "a word of SQL", err);
    if (ws_store_is_own_table(name))
        return wrong_table(e, name, "every database has a table of that name", err);
    if (ends_with(name, "_config"))
        return wrong_table(e, name, "A_config is the table of the configurations of analysis A", err);
    return strncasecmp(name, "sqlite_", 7) != 0 ||
           wrong_table(e, name, "SQLite keeps such names for itself", err);
}

/* The `i`th name T of a view S_T that a sweep S may have. NULL after the last. */
static const char *view_name(const ws_experiment *e, size_t i) {
    const char *names[] = {"by_kernel", "energy", e->comparison ? e->comparison->name : NULL,
                           e->front ? e->front->name : NULL};
    for (size_t n = 0; n < WS_COUNT(names); n++)
        if (names[n] && i-- == 0) return names[n];
    for (const ws_table *const *t = e->tables + 1; *t; t++)
        if (i-- == 0) return (*t)->name;
    return NULL;
}

static bool check_view_names(const ws_experiment *e, ws_error *err) {
    const char *a, *b;
    for (size_t i = 0; (a = view_name(e, i)); i++)
        for (size_t j = 0; j < i && (b = view_name(e, j)); j++)
            if (strcasecmp(a, b) == 0) return wrong_table(e, a, "sweeps have another view of that name", err);
    return true;
}

/* ---- what a view shows */

enum { NAME_SIZE = 128 };
typedef char shown_name[NAME_SIZE];

static void put(shown_name *names, size_t *count, const char *name) {
    snprintf(names[(*count)++], NAME_SIZE, "%s", name);
}

/* The names that a view on this table shows: its own, the columns, the ratios, and the parameters. Heap; NULL if out of
 * memory. */
static shown_name *shown_names(const ws_experiment *e, const ws_table *table, size_t *count) {
    static const char *const own[] = {"point",    "note",       "trace",    "kernel", "launch",
                                      "launches", "launch_set", "fidelity", "gpu",    "truncated"};
    size_t most = WS_COUNT(own) + table->column_count + table->ratio_count;
    for (size_t c = 0; c < e->component_count; c++) most += e->components[c]->param_count;
    shown_name *names = calloc(most, sizeof *names);
    *count = 0;
    if (!names) return NULL;
    for (size_t i = 0; i < WS_COUNT(own); i++) put(names, count, own[i]);
    for (size_t i = 0; i < table->column_count; i++) put(names, count, table->columns[i].name);
    for (size_t i = 0; i < table->ratio_count; i++) put(names, count, table->ratios[i].name);
    for (size_t c = 0; c < e->component_count; c++)
        for (size_t i = 0; i < e->components[c]->param_count; i++)
            ws_param_column(e->components[c]->params[i].name, names[(*count)++], NAME_SIZE);
    return names;
}

static int by_name(const void *a, const void *b) {
    return strcasecmp(a, b);
}

static bool check_each(const ws_experiment *e, const ws_table *table, shown_name *names, size_t count,
                       ws_error *err) {
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (ws_store_needs_quotes(names[i]))
            return ws_fail(err, WS_ERROR_INTERNAL,
                           "analysis %s: table %s: the name %s is a word of SQL; choose another name",
                           e->name, table->name, names[i]);
        if (i > 0 && strcasecmp(names[i - 1], names[i]) == 0)
            return ws_fail(err, WS_ERROR_INTERNAL,
                           "analysis %s: table %s: the name %s stands for two things, of its columns, "
                           "ratios, the parameters, and what every view shows; choose another name",
                           e->name, table->name, names[i]);
    }
    return true;
}

static bool check_shown_names(const ws_experiment *e, const ws_table *table, ws_error *err) {
    size_t count;
    shown_name *names = shown_names(e, table, &count);
    if (!names) return ws_no_memory(err);
    bool ok = check_each(e, table, names, count, err);
    free(names);
    return ok;
}

bool ws_experiment_check(const ws_experiment *e, ws_error *err) {
    if (!WS_GIVEN(e->name, "a name", err) || !WS_GIVEN(e->tables && *e->tables, "a table", err)) return false;
    for (const ws_table *const *t = e->tables; *t; t++) {
        if (!check_table_name(e, (*t)->name, err) || !check_shown_names(e, *t, err)) return false;
        for (const ws_table *const *before = e->tables; before < t; before++)
            if (strcasecmp((*before)->name, (*t)->name) == 0)
                return wrong_table(e, (*t)->name, "it is there twice", err);
    }
    return (!e->comparison || check_shown_names(e, e->comparison, err)) && check_view_names(e, err);
}
