/* Answers of SQL queries as text. */
#ifndef WS_TESTS_SQL_H
#define WS_TESTS_SQL_H

#include <sqlite3.h>

/* The answer as "a|b\nc|NULL\n", reals in full precision; "error: .." if the query is refused. The caller frees it. */
char *sql_text(sqlite3 *db, const char *sql);

/* Fails the test unless the answer is `expected`. */
void sql_expect(sqlite3 *db, const char *sql, const char *expected);

/* The same for a database in the folder of the test, by its name there. */
char *sql_text_in(const char *name, const char *sql);
void sql_expect_in(const char *name, const char *sql, const char *expected);

/* The contents of all result tables and views of a database file, sorted: what every run of a sweep must agree in. The
 * caller frees it. */
char *sql_dump(const char *path);

#endif
