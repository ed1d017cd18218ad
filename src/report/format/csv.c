#include "report/format/format.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    FILE *out;
    char *quoted; /* room for the quoted form of a field */
    size_t size;
} writer;

/* False for numbers and plain words. What a reader could take for something else is quoted, by libcsv; also a text
 * that goes on behind a NUL. */
static bool needs_quotes(const char *text, size_t length) {
    return length == 0 || strcspn(text, ",\"\r\n") < length || text[0] == ' ' || text[length - 1] == ' ';
}

/* Writes a field; `text` is NULL if SQLite ran out of memory for it. */
static bool long_field(writer *self, int column, const char *text, size_t length, ws_error *err) {
    if (!text) return ws_no_memory(err);
    if (column) fputc(',', self->out);
    if (!needs_quotes(text, length)) {
        fputs(text, self->out);
        return true;
    }
    size_t size = csv_write(NULL, 0, text, length);
    if (size > self->size) {
        char *larger = realloc(self->quoted, size);
        if (!larger) return ws_no_memory(err);
        self->quoted = larger, self->size = size;
    }
    fwrite(self->quoted, 1, csv_write(self->quoted, self->size, text, length), self->out);
    return true;
}

static bool field(writer *self, int column, const char *text, ws_error *err) {
    return long_field(self, column, text, text ? strlen(text) : 0, err);
}

static bool end(void *self_, bool complete, ws_error *err) {
    (void)complete, (void)err;
    writer *self = self_;
    free(self->quoted);
    free(self);
    return true;
}

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    writer *self = calloc(1, sizeof *self);
    if (!self) {
        ws_no_memory(err);
        return NULL;
    }
    self->out = out;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (field(self, i, sqlite3_column_name(statement, i), err)) continue;
        end(self, false, err);
        return NULL;
    }
    fputc('\n', out);
    return self;
}

static bool cell(writer *self, sqlite3_stmt *statement, int i, ws_error *err) {
    char room[WS_REAL_SIZE], *blob;
    const char *text;
    bool done;
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_NULL:
        if (i) fputc(',', self->out);
        return true;
    case SQLITE_FLOAT:
        return field(self, i, ws_real_text(sqlite3_column_double(statement, i), 0, room), err);
    case SQLITE_BLOB:
        blob = ws_blob_text(statement, i);
        done = field(self, i, blob, err);
        free(blob);
        return done;
    default:
        text = (const char *)sqlite3_column_text(statement, i);
        return long_field(self, i, text, (size_t)sqlite3_column_bytes(statement, i), err);
    }
}

static bool row(void *self_, sqlite3_stmt *statement, ws_error *err) {
    writer *self = self_;
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (!cell(self, statement, i, err)) return false;
    fputc('\n', self->out);
    return true;
}

const ws_format ws_format_csv = {begin, row, end};
