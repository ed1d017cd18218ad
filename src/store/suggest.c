#include "store/suggest.h"

#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct suggestion {
    ws_nearest nearest;
    char *text;
    size_t size;
} suggestion;

/* The candidate's memory may go with the next step, so the text is written at once. */
static void offer(suggestion *s, const char *candidate) {
    if (candidate) ws_nearest_offer(&s->nearest, candidate);
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

/* What stands behind `words` when the message begins with them; else NULL. */
static const char *behind(const char *message, const char *words) {
    size_t length = strlen(words);
    return strncmp(message, words, length) == 0 ? message + length : NULL;
}

static bool is_of_word(char c) {
    return c == '_' || isalnum((unsigned char)c);
}

/* As a word of its own: S is none of "FROM S_by_kernel". */
static bool names(const char *sql, const char *table) {
    size_t length = strlen(table);
    const char *at = sql;
    while ((at = strcasestr(at, table)) && ((at > sql && is_of_word(at[-1])) || is_of_word(at[length]))) at++;
    return at;
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
        else if (name && names(sql, name))
            offer_columns(&s, db, name);
    }
    sqlite3_finalize(schema);
}

void ws_suggest(sqlite3 *db, const char *message, const char *sql, char *text, size_t size) {
    const char *table = behind(message, "no such table: "), *column = behind(message, "no such column: ");
    const char *unknown = table ? table : column, *dot = unknown ? strrchr(unknown, '.') : NULL;
    *text = 0;
    if (unknown) look(db, table, unknown, sql, text, size);       /* "window.size" is window_size .. */
    if (!*text && dot) look(db, table, dot + 1, sql, text, size); /* .. and "w.sent" sent */
}
