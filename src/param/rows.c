#include "warpsweep/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row: this header, then its cells. A cell: one byte of kind, then 8 bytes of number, or a 4-byte length
 * and a text with its closing 0. Rows travel between processes of one machine, so numbers are in native
 * order. */
typedef struct row_header {
    uint32_t size; /* of the cells, in bytes */
    uint32_t point, table, cells;
} row_header;

struct ws_rows {
    unsigned char *bytes;
    size_t size, capacity;
    size_t row;  /* where the open row's header stands */
    bool opened; /* there is one */
    bool failed;
};

ws_rows *ws_rows_new(void) {
    return calloc(1, sizeof(ws_rows));
}

void ws_rows_free(ws_rows *rows) {
    if (!rows) return;
    free(rows->bytes);
    free(rows);
}

void ws_rows_clear(ws_rows *rows) {
    rows->size = rows->row = 0;
    rows->opened = rows->failed = false;
}

/* ---- encoding ------------------------------------------------------------------------------------------ */

static bool reserve(ws_rows *rows, size_t more) {
    if (rows->failed) return false;
    if (more <= rows->capacity - rows->size) return true;
    size_t capacity = rows->capacity ? rows->capacity * 2 : 4096;
    while (capacity < rows->size + more) capacity *= 2;
    unsigned char *bytes = realloc(rows->bytes, capacity);
    if (!bytes) {
        rows->failed = true;
        return false;
    }
    rows->bytes = bytes;
    rows->capacity = capacity;
    return true;
}

static void put(ws_rows *rows, const void *data, size_t size) {
    memcpy(rows->bytes + rows->size, data, size);
    rows->size += size;
}

void ws_rows_begin(ws_rows *rows, uint32_t point, uint32_t table) {
    if (!reserve(rows, sizeof(row_header))) return;
    rows->row = rows->size;
    rows->opened = true;
    put(rows, &(row_header){0, point, table, 0}, sizeof(row_header));
}

static void count_cell(ws_rows *rows) {
    row_header header;
    memcpy(&header, rows->bytes + rows->row, sizeof header);
    header.size = (uint32_t)(rows->size - rows->row - sizeof header);
    header.cells++;
    memcpy(rows->bytes + rows->row, &header, sizeof header);
}

static void put_number(ws_rows *rows, unsigned char kind, const void *eight_bytes) {
    if (!rows->opened) rows->failed = true;
    if (!reserve(rows, 9)) return;
    put(rows, &kind, 1);
    put(rows, eight_bytes, 8);
    count_cell(rows);
}

static void put_text(ws_rows *rows, unsigned char kind, const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    if (!rows->opened) rows->failed = true;
    if (!reserve(rows, 1 + sizeof length + (size_t)length + 1)) return;
    put(rows, &kind, 1);
    put(rows, &length, sizeof length);
    put(rows, text, (size_t)length + 1);
    count_cell(rows);
}

void ws_rows_int(ws_rows *rows, int64_t value) {
    put_number(rows, WS_CELL_INT, &value);
}

void ws_rows_real(ws_rows *rows, double value) {
    if (isfinite(value))
        put_number(rows, WS_CELL_REAL, &value);
    else /* neither JSON nor SQL can hold it */
        put_text(rows, WS_CELL_UNKNOWN, "the computed value is not finite");
}

void ws_rows_text(ws_rows *rows, const char *value) {
    put_text(rows, WS_CELL_TEXT, value);
}

void ws_rows_unknown(ws_rows *rows, const char *reason) {
    put_text(rows, WS_CELL_UNKNOWN, reason);
}

bool ws_rows_bytes(const ws_rows *rows, const void **bytes, size_t *size) {
    *bytes = rows->bytes;
    *size = rows->size;
    return !rows->failed;
}

/* ---- decoding ------------------------------------------------------------------------------------------ */

/* Decodes one cell at `p`; its length, 0 on damage. */
static size_t decode_cell(const unsigned char *p, size_t left, ws_cell *cell) {
    if (left < 1) return 0;
    memset(cell, 0, sizeof *cell);
    switch (p[0]) {
    case WS_CELL_INT:
        if (left < 9) return 0;
        cell->kind = WS_CELL_INT;
        memcpy(&cell->integer, p + 1, 8);
        return 9;
    case WS_CELL_REAL:
        if (left < 9) return 0;
        cell->kind = WS_CELL_REAL;
        memcpy(&cell->real, p + 1, 8);
        return isfinite(cell->real) ? 9 : 0;
    case WS_CELL_TEXT:
    case WS_CELL_UNKNOWN:
        break;
    default:
        return 0;
    }
    uint32_t length;
    if (left < 1 + sizeof length) return 0;
    memcpy(&length, p + 1, sizeof length);
    if (length >= left - 1 - sizeof length) return 0; /* its closing 0 must fit, too */
    const char *text = (const char *)p + 1 + sizeof length;
    if (memchr(text, 0, (size_t)length + 1) != text + length) return 0;
    if (p[0] == WS_CELL_TEXT)
        cell->kind = WS_CELL_TEXT;
    else
        cell->kind = WS_CELL_UNKNOWN;
    cell->text = text;
    return 1 + sizeof length + (size_t)length + 1;
}

bool ws_rows_next(const void *bytes, size_t size, size_t *at, uint32_t *point, uint32_t *table,
                  ws_cell *cells, size_t room, size_t *count) {
    row_header header;
    if (*at > size || size - *at < sizeof header) return false;
    memcpy(&header, (const unsigned char *)bytes + *at, sizeof header);
    size_t start = *at + sizeof header;
    if (header.size > size - start || header.cells > room) return false;

    const unsigned char *p = (const unsigned char *)bytes + start;
    size_t left = header.size;
    for (uint32_t i = 0; i < header.cells; i++) {
        size_t used = decode_cell(p, left, &cells[i]);
        if (used == 0) return false;
        p += used, left -= used;
    }
    if (left != 0) return false;

    *point = header.point;
    *table = header.table;
    *count = header.cells;
    *at = start + header.size;
    return true;
}
