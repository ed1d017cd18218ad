#include "report/format/listing.h"

#include "report/format/printable.h"

#include <stdlib.h>

enum { ROWS_HELD = 4096, GAP = 2 };

/* The layout of a column, settled by the rows that were held back. */
typedef struct column {
    size_t width;
    bool text; /* holds something other than numbers: flush left */
} column;

struct ws_listing {
    FILE *out;
    size_t count;
    column *columns;
    char **cells; /* row by row; the first row is the head */
    size_t used, room;
    bool head_printed, failed;
};

ws_listing *ws_listing_new(size_t count, FILE *out) {
    ws_listing *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    *self = (ws_listing){.out = out, .count = count, .room = count * (ROWS_HELD + 1)};
    self->columns = calloc(count, sizeof *self->columns);
    self->cells = calloc(self->room, sizeof *self->cells);
    if (self->columns && self->cells) return self;
    ws_listing_close(self);
    return NULL;
}

static void print_row(const ws_listing *self, char *const *row) {
    for (size_t i = 0; i < self->count; i++) {
        const column *c = &self->columns[i];
        size_t width = ws_printed_width(row[i]), blanks = c->width > width ? c->width - width : 0;
        bool last = i + 1 == self->count;
        fprintf(self->out, "%*s%s%*s", c->text ? 0 : (int)blanks, "", row[i],
                c->text && !last ? (int)blanks : 0, "");
        if (!last) fprintf(self->out, "%*s", GAP, "");
    }
    fputc('\n', self->out);
}

static void print_head(const ws_listing *self) {
    print_row(self, self->cells);
    for (size_t i = 0; i < self->count; i++) {
        for (size_t j = 0; j < self->columns[i].width; j++) fputc('-', self->out);
        if (i + 1 < self->count) fprintf(self->out, "%*s", GAP, "");
    }
    fputc('\n', self->out);
}

/* Prints the whole rows that are held, and drops them. */
static void flush(ws_listing *self) {
    size_t rows = self->used / self->count;
    if (rows && !self->head_printed) print_head(self);
    for (size_t r = self->head_printed ? 0 : 1; r < rows; r++) print_row(self, self->cells + r * self->count);
    for (size_t i = 0; i < self->used; i++) free(self->cells[i]);
    self->used = 0;
    self->head_printed = true;
}

void ws_listing_cell(ws_listing *self, const char *text, bool number) {
    char *copy = self->failed ? NULL : ws_printable(text);
    if (!copy) {
        self->failed = true;
        return;
    }
    column *c = &self->columns[self->used % self->count];
    bool head = !self->head_printed && self->used < self->count;
    if (!self->head_printed) {
        size_t width = ws_printed_width(copy);
        if (width > c->width) c->width = width;
        if (!head && !number) c->text = true;
    }
    self->cells[self->used++] = copy;
    if (self->used == self->room || (self->head_printed && self->used == self->count)) flush(self);
}

bool ws_listing_close(ws_listing *self) {
    if (!self) return true;
    bool complete = !self->failed;
    if (self->columns && self->cells) flush(self);
    free(self->columns);
    free(self->cells);
    free(self);
    return complete;
}
