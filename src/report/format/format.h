/* Output formats of a query: each turns the rows of a statement into text. */
#ifndef WS_REPORT_FORMAT_FORMAT_H
#define WS_REPORT_FORMAT_FORMAT_H

#include "warpsweep/report.h"

#include <sqlite3.h>

typedef struct ws_format {
    /* Called before the first row. Returns `self`; NULL on failure (`err` says why). */
    void *(*begin)(sqlite3_stmt *statement, FILE *out, ws_error *err);
    bool (*row)(void *self, sqlite3_stmt *statement, ws_error *err);
    /* Frees `self`. `complete`: all rows have been given, and the text is to be closed. */
    bool (*end)(void *self, bool complete, ws_error *err);
} ws_format;

extern const ws_format ws_format_table, ws_format_lines, ws_format_csv, ws_format_json, ws_format_html;

/* A real number as text that reads back as a real: with a point or an exponent, or 9e999 for infinity
 * (SQLite's spelling). `digits`: significant ones, 0 = as few as read back equal. Returns `text`. */
enum { WS_REAL_SIZE = 40 };
const char *ws_real_text(double value, int digits, char text[WS_REAL_SIZE]);

/* A cell as people like it: reals in six significant digits, large ones with all digits before the point; NULL as
 * "NULL"; a NUL within a text, at which it would seem to end, as \x00. */
typedef struct ws_shown {
    const char *text;
    bool number; /* a number or NULL, which are flush right */
    char room[WS_REAL_SIZE], *copy;
} ws_shown;
bool ws_shown_read(ws_shown *cell, sqlite3_stmt *statement, int column, ws_error *err);
void ws_shown_free(ws_shown *cell); /* its text is gone, too */

/* A blob cell as X'0123..'; heap string, NULL when out of memory. */
char *ws_blob_text(sqlite3_stmt *statement, int column);

#endif
