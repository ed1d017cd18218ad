/* Rows of results as bytes, on their way from a worker to the store. */
#include "warpsweep/param.h"

#include "base/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row is this header, then its cells. A cell is a byte that tells its kind, then 8 bytes of number, or a 4-byte
 * length and a text with its NUL. Rows travel between processes of one machine, so numbers are in native byte order. */
typedef struct row_header {
    uint32_t size; /* of the cells, in bytes */
    uint32_t point, table, cells;
} row_header;

struct ws_rows {
    ws_buffer bytes;
    size_t row;  /* offset of the open row's header */
    bool opened; /* true if a row is open */
};

bool ws_table_has_keys(const ws_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].adds == WS_ADDS_KEY) return true;
    return false;
}

ws_rows *ws_rows_new(void) {
    return calloc(1, sizeof(ws_rows));
}

void ws_rows_free(ws_rows *rows) {
    if (!rows) return;
    ws_buffer_free(&rows->bytes);
    free(rows);
}

void ws_rows_clear(ws_rows *rows) {
    rows->bytes.size = rows->row = 0;
    rows->opened = rows->bytes.failed = false;
}

/* ---- encoding */

void ws_rows_begin(ws_rows *rows, uint32_t point, uint32_t table) {
    rows->row = rows->bytes.size;
    rows->opened = true;
    ws_buffer_put(&rows->bytes, &(row_header){0, point, table, 0}, sizeof(row_header));
}

void ws_rows_truncated(ws_rows *rows, uint32_t point) {
    ws_rows_begin(rows, point, WS_ROWS_TRUNCATED);
    rows->opened = false; /* such a row takes no cells */
}

/* Appends a cell of one or two parts to the open row. */
static void put_cell(ws_rows *rows, uint8_t kind, const void *a, size_t a_size, const void *b,
                     size_t b_size) {
    if (!rows->opened) rows->bytes.failed = true;
    ws_buffer_put(&rows->bytes, &kind, 1);
    ws_buffer_put(&rows->bytes, a, a_size);
    ws_buffer_put(&rows->bytes, b, b_size);
    if (rows->bytes.failed) return;
    row_header header;
    memcpy(&header, rows->bytes.data + rows->row, sizeof header);
    header.size = (uint32_t)(rows->bytes.size - rows->row - sizeof header);
    header.cells++;
    memcpy(rows->bytes.data + rows->row, &header, sizeof header);
}

static void put_text(ws_rows *rows, uint8_t kind, const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    put_cell(rows, kind, &length, sizeof length, text, (size_t)length + 1);
}

void ws_rows_int(ws_rows *rows, int64_t value) {
    put_cell(rows, WS_CELL_INT, &value, sizeof value, NULL, 0);
}

void ws_rows_count(ws_rows *rows, uint64_t value) {
    if (value <= INT64_MAX)
        ws_rows_int(rows, (int64_t)value);
    else /* most likely one that was taken below 0 */
        put_text(rows, WS_CELL_UNKNOWN, "the computed count is not below 2^63");
}

void ws_rows_real(ws_rows *rows, double value) {
    if (isfinite(value))
        put_cell(rows, WS_CELL_REAL, &value, sizeof value, NULL, 0);
    else /* neither JSON nor SQL can hold it */
        put_text(rows, WS_CELL_UNKNOWN, "the computed value is not finite");
}

void ws_rows_text(ws_rows *rows, const char *value) {
    if (value)
        put_text(rows, WS_CELL_TEXT, value);
    else
        put_text(rows, WS_CELL_UNKNOWN, "the computed text is NULL");
}

void ws_rows_unknown(ws_rows *rows, const char *reason) {
    put_text(rows, WS_CELL_UNKNOWN, reason ? reason : "no reason is given");
}

bool ws_rows_bytes(const ws_rows *rows, const void **bytes, size_t *size) {
    *bytes = rows->bytes.data;
    *size = rows->bytes.size;
    return !rows->bytes.failed;
}

/* ---- decoding */

/* Decodes the cell at `p` and returns its length in bytes, 0 on damage. */
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
    if (length >= left - 1 - sizeof length) return 0; /* its NUL must fit, too */
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
