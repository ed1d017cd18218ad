/* Names that tables, columns and views of a database cannot have, or should not. */
#ifndef WS_STORE_NAMES_H
#define WS_STORE_NAMES_H

#include <stdbool.h>

/* True if every database has a table of that name, in any letter case. */
bool ws_store_is_own_table(const char *name);

/* True for words of SQL that a query can use as the name of a table or a column only in quotes. */
bool ws_store_needs_quotes(const char *name);

#endif
