#include "report/html.h"
#include "report/format/format.h"

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    (void)err;
    fputs("<table>\n<tr>", out);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        fputs("<th>", out);
        ws_html_text(out, sqlite3_column_name(statement, i));
    }
    fputc('\n', out);
    return out;
}

static bool row(void *out, sqlite3_stmt *statement, ws_error *err) {
    fputs("<tr>", out);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        ws_shown cell;
        if (!ws_shown_read(&cell, statement, i, err)) return false;
        fputs(cell.number ? "<td class=\"number\">" : "<td>", out);
        ws_html_text(out, cell.text);
        ws_shown_free(&cell);
    }
    fputc('\n', out);
    return true;
}

static bool end(void *out, bool complete, ws_error *err) {
    (void)complete, (void)err; /* closed in any case: what follows on the page is not part of it */
    fputs("</table>\n", out);
    return true;
}

const ws_format ws_format_html = {begin, row, end};
