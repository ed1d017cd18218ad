/* Appends SQL about the axes of a sweep, which are columns of its views. Lists of axes end in NULL. */
#ifndef WS_STORE_AXES_H
#define WS_STORE_AXES_H

#include "store/sqlite.h"

/* Appends BEFORE"AXIS" */
void ws_append_axis(sqlite3_str *sql, const char *before, const char *axis);
/* The same for each axis. */
void ws_append_axes(sqlite3_str *sql, const char *before, const char *const *axes);
/* Appends , ROW."AXIS" AS "AXIS" for each axis. */
void ws_append_axes_of(sqlite3_str *sql, const char *row, const char *const *axes);
/* Appends AND ("LEFT"."AXIS", ..) IS ("RIGHT"."AXIS", ..); nothing without axes. A term for each would make an
 * expression as deep as there are axes, times the tables that are joined, and SQLite takes none deeper than 1000. */
void ws_append_axes_match(sqlite3_str *sql, const char *left, const char *right, const char *const *axes);

/* A number says how many axes differ, and which: each adds WS_AXES_ONE, and the bit of its place. The smallest number
 * is of the rows that differ in fewest. Bit 0 is left for something that is no axis. */
enum { WS_AXES_BITS = 48 };
#define WS_AXES_ONE (1ull << WS_AXES_BITS)
/* Appends + (LEFT."AXIS" IS NOT RIGHT."AXIS") * (what it adds) for each axis. */
void ws_append_axes_differing(sqlite3_str *sql, const char *left, const char *right, const char *const *axes);
/* Appends || TEXT for each axis: ", AXIS = " and the value of `row` if its bit is set in `differing`, else an empty
 * text. */
void ws_append_axes_lacking(sqlite3_str *sql, const char *differing, const char *row,
                            const char *const *axes);

#endif
