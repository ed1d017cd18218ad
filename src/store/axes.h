/* Axes of a sweep as columns in SQL. */
#ifndef WS_STORE_AXES_H
#define WS_STORE_AXES_H

#include "store/sqlite.h"

/* BEFORE"AXIS" */
void ws_append_axis(sqlite3_str *sql, const char *before, const char *axis);
/* The same for each of them, NULL-terminated. */
void ws_append_axes(sqlite3_str *sql, const char *before, const char *const *axes);
/* , ROW."AXIS" AS "AXIS" for each */
void ws_append_axes_of(sqlite3_str *sql, const char *row, const char *const *axes);
/*  AND LEFT."AXIS" IS RIGHT."AXIS" for each */
void ws_append_axes_match(sqlite3_str *sql, const char *left, const char *right, const char *const *axes);
/*  + (LEFT."AXIS" IS NOT RIGHT."AXIS") for each */
void ws_append_axes_differing(sqlite3_str *sql, const char *left, const char *right, const char *const *axes);
/* A text with ", AXIS = ", and the value at the right, where they differ:  || ..  for each */
void ws_append_axes_lacking(sqlite3_str *sql, const char *left, const char *right, const char *const *axes);

#endif
