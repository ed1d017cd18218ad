#include "store/suggest.h"

#include "base/nearest.h"
#include "base/words.h"
#include "store/functions.h"
#include "warpsweep/version.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct suggestion {
    ws_nearest nearest;
    char *text;
    size_t size;
} suggestion;

/* Offers a candidate. Its memory may go with the next step, so the text is written at once. The unknown name itself is
 * no candidate: there may be a table called like the unknown column. */
static void offer(suggestion *s, const char *candidate) {
    if (candidate && strcasecmp(candidate, s->nearest.name) != 0) ws_nearest_offer(&s->nearest, candidate);
    if (s->nearest.best) snprintf(s->text, s->size, "; did you mean '%s'?", s->nearest.best);
    s->nearest.best = NULL;
}

static void offer_columns(suggestion *s, sqlite3 *db, const char *table) {
    sqlite3_stmt *rows = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
    if (sql && sqlite3_prepare_v2(db, sql, -1, &rows, NULL) == SQLITE_OK)
        for (int i = 0; i < sqlite3_column_count(rows); i++) offer(s, sqlite3_column_name(rows, i));
    sqlite3_finalize(rows);
    sqlite3_free(sql);
}

/* What follows `words` if the message begins with them; else NULL. */
static const char *behind(const char *message, const char *words) {
    size_t length = strlen(words);
    return strncmp(message, words, length) == 0 ? message + length : NULL;
}

static void look(sqlite3 *db, bool for_table, const char *unknown, const char *sql, char *text, size_t size) {
    suggestion s = {ws_nearest_to(unknown), text, size};
    sqlite3_stmt *schema = NULL;
    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", -1, &schema,
                           NULL))
        return;
    while (sqlite3_step(schema) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(schema, 0);
        if (for_table)
            offer(&s, name);
        else if (name && ws_has_word(sql, name))
            offer_columns(&s, db, name);
    }
    sqlite3_finalize(schema);
}

/* Whether that connection has the function: those of specifications have none but SQLite's. */
static bool has_function(sqlite3 *db, const ws_sql_function *f) {
    static const char numbers[] = "1, 1, 1";
    sqlite3_stmt *call = NULL;
    char *sql = sqlite3_mprintf("SELECT \"%w\"(%.*s)", f->name, 3 * f->argument_count - 2, numbers);
    bool has = sql && sqlite3_prepare_v2(db, sql, -1, &call, NULL) == SQLITE_OK;
    sqlite3_finalize(call);
    sqlite3_free(sql);
    return has;
}

static void look_for_function(sqlite3 *db, const char *unknown, char *text, size_t size) {
    suggestion s = {ws_nearest_to(unknown), text, size};
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++)
        if (has_function(db, f)) offer(&s, f->name);
}

/* ---- a column that another view has */

static bool has_column(sqlite3 *db, const char *table, const char *column) {
    sqlite3_stmt *row = NULL;
    bool has = sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info(?) WHERE name = ? COLLATE NOCASE", -1,
                                  &row, NULL) == SQLITE_OK &&
               sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_bind_text(row, 2, column, -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return has;
}

/* Lists views with that column, of the sweeps that have a view in `sql`; as many as there is room for. */
static void look_elsewhere(sqlite3 *db, const char *column, const char *sql, char *text, size_t size) {
    static const char begin[] = "; see view ";
    sqlite3_stmt *pair = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT v.name, o.name FROM sweep_view v JOIN sweep_view o ON o.sweep = v.sweep "
                           "ORDER BY v.name, o.name",
                           -1, &pair, NULL))
        return;
    size_t used = 0;
    while (sqlite3_step(pair) == SQLITE_ROW) {
        const char *named = (const char *)sqlite3_column_text(pair, 0),
                   *other = (const char *)sqlite3_column_text(pair, 1);
        if (!named || !other || !ws_has_word(sql, named) || ws_has_word(text, other) ||
            !has_column(db, other, column))
            continue;
        if (used + strlen(begin) + strlen(other) >= size) break;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : begin, other);
    }
    sqlite3_finalize(pair);
}

/* A name in double quotes that is no column was meant as a text. */
static void look_for_text(const char *name, const char *sql, char *text, size_t size) {
    char quoted[130];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    if (strstr(sql, quoted)) snprintf(text, size, "; a text is written '%s'", name);
}

/* Names a view in `sql` that another version has made: it may lack what this one would have. Which run is the last does
 * not tell, as a merge adds runs but leaves views; so this version must not have run that sweep at all. */
static void tell_of_version(sqlite3 *db, const char *sql, char *text, size_t size) {
    sqlite3_stmt *view = NULL;
    bool told = false;
    if (sqlite3_prepare_v2(
            db,
            "SELECT v.name FROM sweep_view v JOIN sweep s ON s.id = v.sweep WHERE s.name IN (SELECT sweep "
            "FROM run GROUP BY sweep HAVING NOT max((version, revision) = (?, ?))) ORDER BY v.name",
            -1, &view, NULL) != SQLITE_OK ||
        sqlite3_bind_text(view, 1, ws_version(), -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(view, 2, ws_revision(), -1, SQLITE_STATIC) != SQLITE_OK) {
        sqlite3_finalize(view);
        return;
    }
    while (!told && sqlite3_step(view) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(view, 0);
        told = name && ws_has_word(sql, name);
        if (told)
            snprintf(text, size, " (%s is of another version of warpsweep: its sweep's command renews it)",
                     name);
    }
    sqlite3_finalize(view);
}

void ws_suggest(sqlite3 *db, const char *message, const char *sql, char *text, size_t size) {
    const char *table = behind(message, "no such table: "), *column = behind(message, "no such column: ");
    const char *unknown = table ? table : column, *dot = unknown ? strrchr(unknown, '.') : NULL;
    const char *function = behind(message, "no such function: ");
    *text = 0;
    if (function) look_for_function(db, function, text, size);
    if (unknown) look(db, table, unknown, sql, text, size);       /* "window.size" is window_size .. */
    if (!*text && dot) look(db, table, dot + 1, sql, text, size); /* .. and "w.sent" sent */
    if (!*text && column) look_elsewhere(db, dot ? dot + 1 : column, sql, text, size);
    if (!*text && column) look_for_text(column, sql, text, size);
    const size_t used = strlen(text);
    if (column) tell_of_version(db, sql, text + used, size - used);
}
