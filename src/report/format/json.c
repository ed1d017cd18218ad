#include "report/format/format.h"

#include "base/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text is kept until it is complete: half a document is none. */
typedef struct writer {
    FILE *out, *text;
    char *bytes; /* of the text */
    size_t size;
    char **names; /* of the columns, as JSON strings */
    int columns;
    bool any_row;
} writer;

/* Whether a text is UTF-8; it may go on behind a NUL. */
static bool is_utf8(const char *text, size_t size) {
    for (size_t at = 0; at <= size; at += strlen(text + at) + 1)
        if (!ws_is_utf8(text + at)) return false;
    return true;
}

/* Makes a heap string of a text, which SQLite leaves NULL where memory runs out. NULL with an error. */
static char *long_json_text(const char *text, size_t size, ws_error *err) {
    json_t *string = text ? json_stringn(text, size) : NULL;
    char *encoded = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    json_decref(string);
    if (!encoded && text && !is_utf8(text, size))
        ws_fail(
            err, WS_ERROR_USAGE,
            "expected UTF-8, which JSON demands, found other bytes; hex() shows them, CSV passes them on");
    else if (!encoded)
        ws_no_memory(err);
    return encoded;
}

static char *json_text(const char *text, ws_error *err) {
    return long_json_text(text, text ? strlen(text) : 0, err);
}

static bool end(void *self_, bool complete, ws_error *err) {
    writer *self = self_;
    if (complete) fputs(self->any_row ? "\n]\n" : "[]\n", self->text);
    bool kept = !self->text || fclose(self->text) == 0;
    if (complete && kept) fwrite(self->bytes, 1, self->size, self->out);
    free(self->bytes);
    for (int i = 0; i < self->columns; i++) free(self->names[i]);
    free(self->names);
    free(self);
    return kept || !complete || ws_no_memory(err);
}

/* Fails if two columns have the same name, which an object cannot have twice. */
static bool distinct_names(sqlite3_stmt *statement, ws_error *err) {
    int columns = sqlite3_column_count(statement);
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(sqlite3_column_name(statement, i), sqlite3_column_name(statement, j)) == 0)
                return ws_fail(err, WS_ERROR_USAGE,
                               "two columns are called '%s': name them apart with AS for JSON",
                               sqlite3_column_name(statement, i));
    return true;
}

static void *begin(sqlite3_stmt *statement, FILE *out, ws_error *err) {
    if (!distinct_names(statement, err)) return NULL;
    writer *self = calloc(1, sizeof *self);
    char **names = calloc((size_t)sqlite3_column_count(statement) + 1, sizeof *names);
    if (!self || !names) {
        free(self);
        free(names);
        ws_no_memory(err);
        return NULL;
    }
    *self = (writer){.out = out, .names = names, .columns = sqlite3_column_count(statement)};
    self->text = open_memstream(&self->bytes, &self->size);
    if (!self->text) {
        ws_no_memory(err);
        end(self, false, err);
        return NULL;
    }
    for (int i = 0; i < self->columns; i++) {
        names[i] = json_text(sqlite3_column_name(statement, i), err);
        if (names[i]) continue;
        ws_fail_prefix(err, "the name of column %d", i + 1);
        end(self, false, err);
        return NULL;
    }
    return self;
}

static bool text_cell(writer *self, int column, const char *text, size_t size, ws_error *err) {
    char *encoded = long_json_text(text, size, err);
    if (!encoded) return ws_fail_prefix(err, "column %s", self->names[column]);
    fputs(encoded, self->text);
    free(encoded);
    return true;
}

static bool real_cell(writer *self, int column, double value, ws_error *err) {
    char room[WS_REAL_SIZE];
    if (isinf(value)) {
        ws_fail(err, WS_ERROR_USAGE,
                "expected a finite number, which JSON demands, found %s; nullif() makes it NULL, CSV passes "
                "it on",
                ws_real_text(value, 0, room));
        return ws_fail_prefix(err, "column %s", self->names[column]);
    }
    fputs(ws_real_text(value, 0, room), self->text);
    return true;
}

static bool cell(writer *self, sqlite3_stmt *statement, int i, ws_error *err) {
    const char *text;
    char *blob;
    bool done;
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_NULL:
        fputs("null", self->text);
        return true;
    case SQLITE_INTEGER:
        fprintf(self->text, "%lld", (long long)sqlite3_column_int64(statement, i));
        return true;
    case SQLITE_FLOAT:
        return real_cell(self, i, sqlite3_column_double(statement, i), err);
    case SQLITE_BLOB:
        blob = ws_blob_text(statement, i);
        done = text_cell(self, i, blob, blob ? strlen(blob) : 0, err);
        free(blob);
        return done;
    default:
        text = (const char *)sqlite3_column_text(statement, i);
        return text_cell(self, i, text, (size_t)sqlite3_column_bytes(statement, i), err);
    }
}

static bool row(void *self_, sqlite3_stmt *statement, ws_error *err) {
    writer *self = self_;
    fputs(self->any_row ? ",\n  {" : "[\n  {", self->text);
    self->any_row = true;
    for (int i = 0; i < self->columns; i++) {
        fprintf(self->text, "%s%s: ", i ? ", " : "", self->names[i]);
        if (!cell(self, statement, i, err)) return false;
    }
    fputc('}', self->text);
    return !ferror(self->text) || ws_no_memory(err);
}

const ws_format ws_format_json = {begin, row, end};
