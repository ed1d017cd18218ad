/* What page.c and sweep.c share: queries, headings, errors in place of a part, pictures. */
#include "report/page/page.h"

#include "report/html.h"
#include "report/statement.h"

#include <stdlib.h>
#include <string.h>

/* ---- questions to the database */

bool page_no_memory(const page *p) {
    return ws_no_memory(p->err);
}

bool page_rows(const page *p, char *sql) {
    bool done = sql ? ws_query(p->store, sql, WS_QUERY_HTML, 0, p->out, p->err) : page_no_memory(p);
    sqlite3_free(sql);
    return done;
}

sqlite3_stmt *page_prepare(const page *p, const char *sql, const char *value) {
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(p->db, sql, -1, &rows, NULL) != SQLITE_OK ||
        sqlite3_bind_text(rows, 1, value, -1, SQLITE_TRANSIENT) != SQLITE_OK) {
        ws_statement_failed(p->db, p->err);
        sqlite3_finalize(rows);
        return NULL;
    }
    return rows;
}

bool page_number(const page *p, char *sql, int64_t *number) {
    sqlite3_stmt *row = NULL;
    if (!sql) return page_no_memory(p);
    bool done =
        sqlite3_prepare_v2(p->db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    *number = done ? sqlite3_column_int64(row, 0) : 0;
    if (!done) ws_statement_failed(p->db, p->err);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return done;
}

bool page_has_column(const page *p, const char *table, const char *ending, const char *column, int64_t *has) {
    return page_number(p,
                       sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('%q%q') WHERE name = '%q'",
                                       table, ending, column),
                       has);
}

bool page_next(const page *p, sqlite3_stmt *rows, bool *ok) {
    const int code = *ok ? sqlite3_step(rows) : SQLITE_DONE;
    if (code != SQLITE_ROW && code != SQLITE_DONE) *ok = ws_statement_failed(p->db, p->err);
    return code == SQLITE_ROW;
}

bool page_text(const page *p, sqlite3_stmt *row, int column, const char **text) {
    const bool null = sqlite3_column_type(row, column) == SQLITE_NULL;
    *text = null ? "" : (const char *)sqlite3_column_text(row, column);
    return *text || page_no_memory(p);
}

void page_head(const page *p, int level, const char *text) {
    fprintf(p->out, "<h%d>%s</h%d>\n", level, text, level);
}

bool page_why(const page *p, const char *element, const ws_error *why) {
    if (why->code != WS_ERROR_USAGE) {
        *p->err = *why;
        return false;
    }
    fprintf(p->out, "<%s class=\"bad\">", element);
    ws_html_text(p->out, why->text);
    fprintf(p->out, "</%s>\n", element);
    return true;
}

/* ---- pictures */

static void put_base64(FILE *in, FILE *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;) {
        for (size_t i = count; i < sizeof bytes; i++) bytes[i] = 0;
        uint32_t word = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        for (size_t i = 0; i < 4; i++) fputc(i <= count ? digits[word >> (18 - 6 * i) & 63] : '=', out);
    }
}

/* The width at which a picture is shown, in pixels: twice its own, since its text, 8 pixels high, is then as large as
 * the text around it. */
static int width_of(FILE *svg) {
    char head[1000];
    size_t size = fread(head, 1, sizeof head - 1, svg);
    head[size] = 0;
    rewind(svg);
    const char *width = strstr(head, " width=\"");
    return width ? 2 * (int)strtol(width + strlen(" width=\""), NULL, 10) : 0;
}

bool page_picture(void *to, FILE *svg, ws_error *err) {
    const pictures *p = to;
    fprintf(p->out, "<img width=\"%d\" alt=\"", width_of(svg));
    ws_html_text(p->out, p->alt);
    fputs("\" src=\"data:image/svg+xml;base64,", p->out);
    put_base64(svg, p->out);
    fputs("\">\n", p->out);
    return !ferror(svg) || ws_fail(err, WS_ERROR_IO, "cannot read a temporary file");
}
