/* "Did you mean ..?" for SQLite's messages about names that it does not know. */
#ifndef WS_STORE_SUGGEST_H
#define WS_STORE_SUGGEST_H

#include <sqlite3.h>
#include <stddef.h>

/* Writes "; did you mean 'X'?" if `message` is about an unknown table, or about an unknown column of tables that `sql`
 * names; "; see view V, W" if other views of the same sweep have that column; "; a text is written 'X'" if it stands in
 * double quotes; otherwise an empty text. Of a column, " (V is of another version of warpsweep: ..)" may follow. */
void ws_suggest(sqlite3 *db, const char *message, const char *sql, char *text, size_t size);

#endif
