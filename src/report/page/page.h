/* What the parts of a database's page share (page.c: the whole; sweep.c: a sweep; compared.c: its baseline; energy.c:
 * its energies; parts.c: what is shared). */
#ifndef WS_REPORT_PAGE_PAGE_H
#define WS_REPORT_PAGE_PAGE_H

#include "store/sqlite.h"
#include "warpsweep/report.h"

typedef struct page {
    ws_store *store;
    sqlite3 *db;
    FILE *out;
    const char *figures; /* a folder; NULL: none are drawn */
    ws_error *err;
} page;

typedef struct sweep {
    const char *name, *analysis, *axes; /* `axes` is a JSON array */
} sweep;

bool page_no_memory(const page *p);
/* Steps to the next row, unless `*ok` is false. False at the end, and after an error, which makes `*ok` false. */
bool page_next(const page *p, sqlite3_stmt *rows, bool *ok);
/* Reads a text; "" for NULL. False if memory ran out for it. */
bool page_text(const page *p, sqlite3_stmt *row, int column, const char **text);

void page_head(const page *p, int level, const char *text);
/* Writes the rows of a query as a table. `sql` comes from sqlite3_mprintf() and is freed. */
bool page_rows(const page *p, char *sql);
/* Reads the number that such a query returns; `sql` is freed. */
bool page_number(const page *p, char *sql, int64_t *number);
/* Counts the columns of that name, 0 or 1, of the table or view whose name these two make up. */
bool page_has_column(const page *p, const char *table, const char *ending, const char *column, int64_t *has);
/* Prepares a statement and binds its one value; NULL with an error. */
sqlite3_stmt *page_prepare(const page *p, const char *sql, const char *value);
/* Writes why a part of the page is missing in its place, as an HTML `element`. False for errors that end the page. */
bool page_why(const page *p, const char *element, const ws_error *why);

/* Where pictures go, and what each is, for who does not see it. */
typedef struct pictures {
    FILE *out;
    const char *alt;
} pictures;

/* Embeds a picture in the page; `to` points to the `pictures` that it is one of. */
bool page_picture(void *to, FILE *svg, ws_error *err);

bool page_sweep(const page *p, const sweep *s);
/* How its points compare with their baseline, if any has one (compared.c). */
bool page_compared(const page *p, const sweep *s);
/* What its settings draw and take, relative to the baseline, if it has a table of energies (energy.c). SQL: whether a
 * row has the baseline's values, and its setting as a text, which looks at rows of the baseline in a table `base`. */
bool page_energy(const page *p, const sweep *s, const char *baseline, const char *setting);

#endif
