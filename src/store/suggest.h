/* "Did you mean ..?" for what SQLite says of a name that it does not know. */
#ifndef WS_STORE_SUGGEST_H
#define WS_STORE_SUGGEST_H

#include <sqlite3.h>
#include <stddef.h>

/* Writes "; did you mean 'X'?" when `message` is of an unknown table, or of an unknown column where `sql` names the
 * tables that it could be of; "; see view V, W" where others of the same sweep have it; else an empty text. */
void ws_suggest(sqlite3 *db, const char *message, const char *sql, char *text, size_t size);

#endif
