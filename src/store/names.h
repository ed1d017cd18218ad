/* Names that tables, columns and views of a database cannot have, or should not. */
#ifndef WS_STORE_NAMES_H
#define WS_STORE_NAMES_H

#include <stdbool.h>

/* Whether every database has a table of that name, in any case. */
bool ws_store_is_own_table(const char *name);

/* Whether a query could name a table or a column so only in quotes: some words of SQL. */
bool ws_store_needs_quotes(const char *name);

#endif
