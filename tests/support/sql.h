/* Answers of SQL queries as text. */
#ifndef WS_TESTS_SQL_H
#define WS_TESTS_SQL_H

#include <sqlite3.h>

/* "a|b\nc|NULL\n"; for a refused query "error: ..". Reals in full precision. Free it. */
char *sql_text(sqlite3 *db, const char *sql);

/* Fails the test unless the answer is `expected`. */
void sql_expect(sqlite3 *db, const char *sql, const char *expected);

/* The same of a database in the folder of the test, by its name there. */
char *sql_text_in(const char *name, const char *sql);
void sql_expect_in(const char *name, const char *sql, const char *expected);

/* All result tables of a database file (what every run of a sweep must have in common), in order. Free it. */
char *sql_dump(const char *path);

#endif
