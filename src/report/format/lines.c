#include "report/format/format.h"
#include "report/format/printable.h"

#include <stdlib.h>

enum { GAP = 2 };

/* A line per column: its name and its value. An empty line separates rows. */
typedef struct writer {
    FILE *out;
    size_t width; /* of the widest name */
    bool has_rows;
} writer;

static bool end(void *self, bool complete, ws_error *err) {
    (void)complete, (void)err;
    free(self);
    return true;
}

/* Makes room for the column's name. */
static bool measure(writer *self, sqlite3_stmt *statement, int i) {
    const char *name = sqlite3_column_name(statement, i);
    char *printed = name ? ws_printable(name) : NULL;
    size_t width = printed ? ws_printed_width(printed) : 0;
    if (width > self->width) self->width = width;
    free(printed);
    return printed;
}

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    writer *self = calloc(1, sizeof *self);
    bool ok = self != NULL;
    for (int i = 0; ok && i < sqlite3_column_count(statement); i++) ok = measure(self, statement, i);
    if (ok) {
        self->out = out;
        return self;
    }
    ws_no_memory(err);
    free(self);
    return NULL;
}

static bool print(const writer *self, const char *name, const char *text, ws_error *err) {
    char *left = name ? ws_printable(name) : NULL, *right = ws_printable(text);
    bool ok = (left && right) || ws_no_memory(err);
    if (ok) {
        int blanks = (int)(self->width - ws_printed_width(left)) + GAP;
        fprintf(self->out, "%s%*s%s\n", left, blanks, "", right);
    }
    free(left);
    free(right);
    return ok;
}

static bool cell(const writer *self, sqlite3_stmt *statement, int i, ws_error *err) {
    ws_shown cell;
    if (!ws_shown_read(&cell, statement, i, err)) return false;
    bool ok = print(self, sqlite3_column_name(statement, i), cell.text, err);
    ws_shown_free(&cell);
    return ok;
}

static bool row(void *self_, sqlite3_stmt *statement, ws_error *err) {
    writer *self = self_;
    if (self->has_rows) fputc('\n', self->out);
    self->has_rows = true;
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (!cell(self, statement, i, err)) return false;
    return true;
}

const ws_format ws_format_lines = {begin, row, end};
