/* libcsv cuts rows into fields; what the fields mean is decided here. A row is a warp instruction, or one lane's part
 * of one; the rows of one instruction follow each other, lanes ascending. */
#include "trace/import/csv.h"

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/room.h"
#include "base/utf8.h"
#include "trace/import/csv_columns.h"
#include "trace/import/csv_values.h"
#include "trace/import/import_formats.h"
#include "trace/names.h"
#include "trace/sass.h"

#include <csv.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WARP_SIZE = WS_CSV_LANES, WIDTH_MAX = 128, COUNT_MAX = 1 << 30 };

/* Columns that describe the launch: its first row gives them, and later rows must not differ. */
enum {
    FIRST_OF_LAUNCH = COLUMN_NAME,
    LAST_OF_LAUNCH = COLUMN_SHARED,
    LAUNCH_TEXTS = LAST_OF_LAUNCH - FIRST_OF_LAUNCH + 1
};

typedef struct launch {
    uint32_t number;
    char *texts[LAUNCH_TEXTS]; /* as given; NULL for those that were not */
} launch;

/* One warp instruction. */
typedef struct inst {
    size_t launch;
    uint64_t cta, mask;
    uint32_t warp, static_id;
    unsigned address_count;
    bool has_addresses;
    uint64_t addresses[WARP_SIZE];
} inst;

typedef struct reader {
    ws_text *text;
    ws_gathered *gathered;
    struct csv_parser parser;

    /* The row that libcsv is cutting: its fields, each terminated by NUL, and where they begin. */
    ws_buffer fields;
    size_t starts[COLUMN_COUNT + 1];
    size_t field_count, rows_ready, bytes_of_row;
    unsigned long long row_line; /* the line on which it begins */

    uint8_t column_of[COLUMN_COUNT]; /* of each field in a row */
    size_t column_count;             /* 0 until the header has been read */
    bool has[COLUMN_COUNT];
    const char *value[COLUMN_COUNT]; /* of the current row; NULL if absent or empty */

    launch *launches; /* parallel to gathered->launches */
    size_t launch_room;
    inst pending; /* the last instruction, to which further rows may add lanes */
    bool is_pending;
} reader;

/* ---- messages */

static bool fail_at(const reader *r, ws_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail_at(const reader *r, ws_error *err, const char *format, ...) {
    bool may_be_cut = r->column_count && r->gathered->losses.unended == r->text->line;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ws_fail(err, WS_ERROR_TRACE, "%s:%llu: %s%s", r->text->path, (unsigned long long)r->text->line,
                   text, may_be_cut ? "; the file ends within this line: is it cut short?" : "");
}

static bool wrong(const reader *r, enum column column, const char *expected, ws_error *err) {
    return fail_at(r, err, "column %s: expected %s, found '%.60s'", ws_csv_column_of[column].name, expected,
                   r->value[column] ? r->value[column] : "");
}

/* ---- values */

static bool get_number(const reader *r, enum column column, uint64_t least, uint64_t most, uint64_t *value,
                       ws_error *err) {
    const char *at = r->value[column];
    char expected[96];
    if (!at) return true;
    if (ws_csv_number(&at, value) && !*at && *value >= least && *value <= most) return true;
    snprintf(expected, sizeof expected, "a number from %llu to %llu", (unsigned long long)least,
             (unsigned long long)most);
    return wrong(r, column, expected, err);
}

/* Parses up to three numbers with spaces between; components that are not given stay as they are. No other separator is
 * taken: "0x1" is a number. */
static bool get_triple(const reader *r, enum column column, ws_dim3 *dim, unsigned *count, ws_error *err) {
    static const char expected[] = "one to three numbers with spaces between (x y z)";
    const char *at = r->value[column];
    uint32_t *const parts[] = {&dim->x, &dim->y, &dim->z};
    *count = 0;
    if (!at) return true;
    for (;;) {
        uint64_t number;
        while (*at == ' ') at++;
        if (!*at) break;
        if (*count == 3 || !ws_csv_number(&at, &number) || (*at && *at != ' '))
            return wrong(r, column, expected, err);
        if (number > UINT32_MAX) return wrong(r, column, "numbers below 4294967296", err);
        *parts[(*count)++] = (uint32_t)number;
    }
    return *count > 0 || wrong(r, column, expected, err);
}

typedef const char *name_of(unsigned value);
static const char *class_name(unsigned value) {
    return ws_class_name((ws_class)value);
}
static const char *op_name(unsigned value) {
    return ws_memory_op_name((ws_memory_op)value);
}
static const char *space_name(unsigned value) {
    return ws_space_name((ws_space)value);
}

/* Parses one of `count` names, the first `skipped` of which are not accepted. */
static bool get_name(const reader *r, enum column column, name_of *name, unsigned skipped, unsigned count,
                     uint8_t *value, ws_error *err) {
    const char *text = r->value[column];
    if (!text) return true;
    for (unsigned i = skipped; i < count; i++)
        if (strcmp(name(i), text) == 0) {
            *value = (uint8_t)i;
            return true;
        }
    return wrong(r, column, ws_csv_column_of[column].help, err);
}

static bool wrong_register(const reader *r, enum column column, const char *at, ws_error *err) {
    const size_t length = strcspn(at, " "), shown = 60;
    return fail_at(r, err, "column %s: expected R0 to R65534 or RZ, found '%.*s'",
                   ws_csv_column_of[column].name, (int)(length < shown ? length : shown), at);
}

static bool get_registers(const reader *r, enum column column, unsigned most, uint16_t *registers,
                          uint8_t *count, ws_error *err) {
    const char *at = r->value[column];
    char expected[64];
    snprintf(expected, sizeof expected, "up to %u registers ('R1 R2')", most);
    *count = 0;
    while (at && *at) {
        if (*at == ' ') {
            at++;
            continue;
        }
        if (*count == most) return wrong(r, column, expected, err);
        if (!ws_csv_register(&at, &registers[*count])) return wrong_register(r, column, at, err);
        ++*count;
    }
    return true;
}

static bool get_immediate(const reader *r, int32_t *value, ws_error *err) {
    const char *at = r->value[COLUMN_IMMEDIATE];
    uint64_t number = 0;
    if (!at) return true;
    bool negative = *at == '-';
    at += negative;
    if (!ws_csv_number(&at, &number) || *at || number > (uint64_t)INT32_MAX + negative)
        return wrong(r, COLUMN_IMMEDIATE, "a number of 32 bits", err);
    *value = (int32_t)(negative ? -(int64_t)number : (int64_t)number);
    return true;
}

/* ---- launches */

static bool add_launch(reader *r, uint32_t number, ws_error *err) {
    size_t at = r->gathered->count;
    unsigned count;
    uint64_t registers = 0, shared = 0;
    ws_dim3 grid = {0, 1, 1}, block = {0, 1, 1};
    if (!WS_ROOM_FOR(r->launches, r->launch_room, at + 1)) return ws_no_memory(err);
    if (!get_triple(r, COLUMN_GRID, &grid, &count, err) ||
        !get_triple(r, COLUMN_BLOCK, &block, &count, err) ||
        !get_number(r, COLUMN_REGISTERS, 0, 65536, &registers, err) ||
        !get_number(r, COLUMN_SHARED, 0, COUNT_MAX, &shared, err))
        return false;
    if (r->value[COLUMN_NAME] && !ws_is_utf8(r->value[COLUMN_NAME]))
        return wrong(r, COLUMN_NAME, "a text in UTF-8", err);
    if (r->value[COLUMN_GRID] && !ws_dim3_valid(grid))
        return wrong(r, COLUMN_GRID, "numbers of at least 1, at most 2^40 CTAs together", err);
    if (r->value[COLUMN_BLOCK] && !ws_block_valid(block, WARP_SIZE))
        return wrong(r, COLUMN_BLOCK, "numbers of at least 1, at most 32768 together", err);
    ws_kernel kernel = {.name = r->value[COLUMN_NAME] ? r->value[COLUMN_NAME] : "kernel",
                        .grid = grid,
                        .block = block,
                        .registers_per_thread = (uint32_t)registers,
                        .shared_B = (uint32_t)shared};
    if (!ws_gathered_launch_new(r->gathered, &kernel, err)) return false;
    launch *l = &r->launches[at];
    *l = (launch){.number = number};
    for (int i = 0; i < LAUNCH_TEXTS; i++) {
        const char *text = r->value[FIRST_OF_LAUNCH + i];
        if (text && !(l->texts[i] = strdup(text))) return ws_no_memory(err);
    }
    return true;
}

/* Finds the row's launch, or adds it if its number is above all others. */
static bool get_launch(reader *r, size_t *index, ws_error *err) {
    uint64_t number = 1;
    size_t count = r->gathered->count;
    if (!get_number(r, COLUMN_KERNEL, 1, WS_GATHERED_LAUNCHES_MAX, &number, err)) return false;
    uint32_t last = count ? r->launches[count - 1].number : 0;
    if (number > last) {
        *index = count;
        return add_launch(r, (uint32_t)number, err);
    }
    *index = count - 1;
    while (*index > 0 && r->launches[*index].number > number) --*index;
    const launch *l = &r->launches[*index];
    if (l->number != number)
        return wrong(r, COLUMN_KERNEL, "launches whose first rows come in ascending order", err);
    for (int i = 0; i < LAUNCH_TEXTS; i++) {
        const char *text = r->value[FIRST_OF_LAUNCH + i];
        if (text && (!l->texts[i] || strcmp(text, l->texts[i]) != 0))
            return fail_at(r, err, "column %s: expected '%.60s' as in the launch's first row, found '%.60s'",
                           ws_csv_column_of[FIRST_OF_LAUNCH + i].name, l->texts[i] ? l->texts[i] : "", text);
    }
    return true;
}

/* ---- rows */

static bool get_cta(const reader *r, size_t index, uint64_t *cta, ws_error *err) {
    ws_dim3 grid = r->gathered->launches[index].kernel.grid, at = {0};
    unsigned count;
    if (!get_triple(r, COLUMN_CTA, &at, &count, err)) return false;
    if (count > 1 && grid.x == 0) return wrong(r, COLUMN_CTA, "one number, as there is no column grid", err);
    if (grid.x == 0 && at.x == UINT32_MAX) return wrong(r, COLUMN_CTA, "a number below 4294967295", err);
    bool inside = count < 2 || (at.x < grid.x && at.y < grid.y && at.z < grid.z);
    *cta = count < 2 ? at.x : ws_dim3_linear(grid, at);
    if (!inside || (grid.x && *cta >= ws_dim3_count(grid)))
        return wrong(r, COLUMN_CTA, "a CTA inside the grid", err);
    return true;
}

static bool get_warp(const reader *r, size_t index, uint32_t *warp, unsigned *lane, ws_error *err) {
    ws_dim3 block = r->gathered->launches[index].kernel.block;
    uint64_t threads = block.x ? ws_dim3_count(block) : WS_CTA_WARPS_MAX * WARP_SIZE, thread = 0, number = 0,
             l = 0;
    if (r->has[COLUMN_THREAD] ? !get_number(r, COLUMN_THREAD, 0, threads - 1, &thread, err)
                              : !get_number(r, COLUMN_WARP, 0, (threads - 1) / WARP_SIZE, &number, err) ||
                                    !get_number(r, COLUMN_LANE, 0, WARP_SIZE - 1, &l, err))
        return false;
    thread += number * WARP_SIZE + l;
    *warp = (uint32_t)(thread / WARP_SIZE);
    *lane = (unsigned)(thread % WARP_SIZE);
    return true;
}

/* The lanes that have a thread: a CTA's last warp may lack some. */
static uint64_t lanes_of(const reader *r, const inst *i) {
    ws_dim3 block = r->gathered->launches[i->launch].kernel.block;
    uint64_t left = ws_dim3_count(block) - (uint64_t)i->warp * WARP_SIZE;
    return block.x && left < WARP_SIZE ? (UINT64_C(1) << left) - 1 : UINT32_MAX;
}

/* Fails if a column contradicts what the opcode tells by itself. */
static bool agrees(const reader *r, enum column column, bool is_told, const char *told, ws_error *err) {
    const char *given = r->value[column];
    if (!given || !r->value[COLUMN_OPCODE] || !is_told || strcmp(told, given) == 0) return true;
    return fail_at(r, err, "column %s: expected %s, as opcode %.40s has it, found '%s'",
                   ws_csv_column_of[column].name, told, r->value[COLUMN_OPCODE], given);
}

/* The same for the width; `told`: 0 if the opcode does not tell. */
static bool width_agrees(const reader *r, uint64_t width, uint8_t told, ws_error *err) {
    char text[4];
    if (!told || width == told) return true;
    snprintf(text, sizeof text, "%u", told);
    return agrees(r, COLUMN_WIDTH, true, text, err);
}

static bool get_static(const reader *r, bool has_addresses, uint32_t *id, ws_error *err) {
    ws_static s = {.class_ = has_addresses ? WS_CLASS_MEM : WS_CLASS_OTHER};
    ws_sass sass = {.op = WS_MEMORY_LOAD, .space = WS_SPACE_GLOBAL};
    uint64_t pc = 0, line = 0, width;
    const char *opcode = r->value[COLUMN_OPCODE];
    if (opcode && !ws_is_utf8(opcode)) return wrong(r, COLUMN_OPCODE, "a text in UTF-8", err);
    if (opcode) {
        sass = ws_sass_decode(opcode, strlen(opcode));
        if (!has_addresses || sass.class_ == WS_CLASS_MEM) s.class_ = sass.class_;
    }
    width = sass.width_B ? sass.width_B : 4;
    const ws_sass told = sass;
    bool has_op = told.op != WS_MEMORY_NONE, has_space = has_op && told.space != WS_SPACE_GENERIC;
    if (!get_number(r, COLUMN_PC, 0, UINT32_MAX, &pc, err) ||
        !get_number(r, COLUMN_LINE, 0, UINT32_MAX, &line, err) ||
        !get_number(r, COLUMN_WIDTH, 1, WIDTH_MAX, &width, err) || !get_immediate(r, &s.immediate, err) ||
        !get_name(r, COLUMN_CLASS, class_name, 0, WS_CLASS_COUNT, &s.class_, err) ||
        !get_name(r, COLUMN_OP, op_name, 1, WS_MEMORY_OP_COUNT, &sass.op, err) ||
        !get_name(r, COLUMN_SPACE, space_name, 1, WS_SPACE_COUNT, &sass.space, err) ||
        !agrees(r, COLUMN_OP, has_op, op_name(told.op), err) ||
        !agrees(r, COLUMN_SPACE, has_space, space_name(told.space), err) ||
        !width_agrees(r, width, told.width_B, err) ||
        !get_registers(r, COLUMN_DST, WS_DST_MAX, s.dst, &s.dst_count, err) ||
        !get_registers(r, COLUMN_SRC, WS_SRC_MAX, s.src, &s.src_count, err))
        return false;
    if (has_addresses) {
        if (s.class_ != WS_CLASS_MEM) return wrong(r, COLUMN_CLASS, "mem, as the row has addresses", err);
        if (sass.op == WS_MEMORY_NONE)
            return wrong(r, COLUMN_OP, "load, store, ..: the opcode does not tell", err);
        s.op = sass.op;
        s.space = sass.space == WS_SPACE_NONE ? WS_SPACE_GLOBAL : sass.space;
        s.width_B = s.text_width_B = (uint8_t)width;
    }
    if (!opcode) opcode = has_addresses ? op_name(sass.op) : class_name(s.class_);
    s.pc = (uint32_t)pc;
    s.source_line = (uint32_t)line;
    s.opcode = ws_writer_opcode(r->gathered->writer, opcode, strlen(opcode));
    *id = ws_writer_static(r->gathered->writer, &s);
    return *id != UINT32_MAX || ws_no_memory(err);
}

static bool get_addresses(const reader *r, inst *i, bool has_mask, ws_error *err) {
    unsigned lanes = (unsigned)__builtin_popcountll(i->mask);
    const char *expected =
        ws_csv_addresses(r->value[COLUMN_ADDRESSES], lanes, i->addresses, &i->address_count);
    if (expected) return wrong(r, COLUMN_ADDRESSES, expected, err);
    if (!has_mask) i->mask = (UINT64_C(1) << i->address_count) - 1;
    return !has_mask || i->address_count == lanes ||
           fail_at(r, err, "column addresses: expected %u, one per active lane, found %u", lanes,
                   i->address_count);
}

static bool flush(reader *r, ws_error *err) {
    inst *i = &r->pending;
    if (!r->is_pending) return true;
    r->is_pending = false;
    return ws_gathered_put(r->gathered, i->launch, i->cta, i->warp, i->static_id, i->mask,
                           i->has_addresses ? i->addresses : NULL, err);
}

/* Adds a lane to the pending instruction; false if it does not belong to that one. */
static bool join(reader *r, const inst *i) {
    inst *p = &r->pending;
    if (!r->is_pending || p->launch != i->launch || p->cta != i->cta || p->warp != i->warp ||
        p->static_id != i->static_id || p->mask >= i->mask)
        return false;
    p->mask |= i->mask;
    p->addresses[p->address_count++] = i->addresses[0];
    return true;
}

/* Whether the row is of a memory instruction even if it has no addresses, as no lane is active. */
static bool tells_op(const reader *r) {
    const char *opcode = r->value[COLUMN_OPCODE];
    return r->value[COLUMN_OP] || (opcode && ws_sass_decode(opcode, strlen(opcode)).op != WS_MEMORY_NONE);
}

static bool read_inst(reader *r, ws_error *err) {
    inst i = {0};
    unsigned lane;
    bool is_lane = r->value[COLUMN_ADDRESS] != NULL;
    if (!get_launch(r, &i.launch, err) || !get_cta(r, i.launch, &i.cta, err) ||
        !get_warp(r, i.launch, &i.warp, &lane, err))
        return false;
    uint64_t lanes = i.mask = lanes_of(r, &i);
    if (!get_number(r, COLUMN_MASK, 0, UINT32_MAX, &i.mask, err)) return false;
    i.has_addresses = is_lane || r->value[COLUMN_ADDRESSES] || (!i.mask && tells_op(r));
    if (!get_static(r, i.has_addresses, &i.static_id, err)) return false;
    if (r->value[COLUMN_ADDRESSES] && !get_addresses(r, &i, r->value[COLUMN_MASK] != NULL, err)) return false;
    if (is_lane) {
        const char *at = r->value[COLUMN_ADDRESS];
        if (!ws_csv_number(&at, &i.addresses[0]) || *at || i.addresses[0] >= WS_ADDRESS_LIMIT)
            return wrong(r, COLUMN_ADDRESS, "an address below 2^60", err);
        i.mask = UINT64_C(1) << lane;
        i.address_count = 1;
    }
    enum column told_by = r->value[COLUMN_MASK] ? COLUMN_MASK : COLUMN_ADDRESSES;
    if (i.mask & ~lanes)
        return wrong(r, is_lane ? COLUMN_LANE : told_by, "lanes of threads that the block has", err);
    if (is_lane && join(r, &i)) return true;
    if (!flush(r, err)) return false;
    r->pending = i;
    r->is_pending = true;
    return is_lane || flush(r, err);
}

/* ---- the header */

static bool conflict(const reader *r, enum column a, enum column b, ws_error *err) {
    if (!r->has[a] || !r->has[b]) return false;
    fail_at(r, err, "expected one of the columns %s and %s, found both", ws_csv_column_of[a].name,
            ws_csv_column_of[b].name);
    return true;
}

/* True, with an error, if a column says which lane accesses an address, and there is no such column. */
static bool lacks_address(const reader *r, enum column lane, ws_error *err) {
    if (!r->has[lane] || r->has[COLUMN_ADDRESS]) return false;
    fail_at(r, err, "expected a column address, whose lane column %s gives, found none",
            ws_csv_column_of[lane].name);
    return true;
}

static bool unknown_column(const reader *r, const char *name, ws_error *err) {
    const char *hint = strpbrk(name, ";\t") ? ": columns are separated by commas" : "";
    ws_nearest nearest = ws_nearest_to(name);
    for (size_t c = 0; !*hint && c < COLUMN_COUNT; c++) ws_nearest_offer(&nearest, ws_csv_column_of[c].name);
    return fail_at(r, err, "unknown column '%.60s'%s%s%s%s; 'warpsweep help csv' lists the columns", name,
                   hint, nearest.best ? ": did you mean '" : "", nearest.best ? nearest.best : "",
                   nearest.best ? "'?" : "");
}

static bool read_header(reader *r, ws_error *err) {
    for (size_t i = 0; i < r->field_count; i++) {
        const char *name = (const char *)r->fields.data + r->starts[i];
        size_t column = 0;
        while (column < COLUMN_COUNT && strcmp(ws_csv_column_of[column].name, name) != 0) column++;
        if (column == COLUMN_COUNT) return unknown_column(r, name, err);
        if (r->has[column]) return fail_at(r, err, "column '%s' is there twice", name);
        r->has[column] = true;
        r->column_of[i] = (uint8_t)column;
    }
    if (conflict(r, COLUMN_ADDRESSES, COLUMN_ADDRESS, err) || conflict(r, COLUMN_THREAD, COLUMN_WARP, err) ||
        conflict(r, COLUMN_THREAD, COLUMN_LANE, err) || conflict(r, COLUMN_ADDRESS, COLUMN_MASK, err) ||
        lacks_address(r, COLUMN_LANE, err) || lacks_address(r, COLUMN_THREAD, err))
        return false;
    if (!r->has[COLUMN_ADDRESSES] && !r->has[COLUMN_ADDRESS] && !r->has[COLUMN_OPCODE] &&
        !r->has[COLUMN_CLASS])
        return fail_at(r, err,
                       "expected a column addresses or address, found none; 'warpsweep help csv' lists the "
                       "columns");
    r->column_count = r->field_count;
    if (!r->has[COLUMN_CTA])
        r->gathered->hint = "; give the CTAs in a column cta: without one, all rows are of CTA 0";
    uint32_t features = (r->has[COLUMN_DST] || r->has[COLUMN_SRC] ? WS_FEATURE_REGISTERS : 0u) |
                        (r->has[COLUMN_IMMEDIATE] ? WS_FEATURE_IMMEDIATES : 0u) |
                        (r->has[COLUMN_LINE] ? WS_FEATURE_SOURCE_LINE : 0u);
    ws_writer_add_features(r->gathered->writer, features);
    return true;
}

static bool read_row(reader *r, ws_error *err) {
    if (r->column_count == 0) return read_header(r, err);
    if (r->field_count != r->column_count)
        return fail_at(r, err, "expected %zu fields as in the header, found %zu%s", r->column_count,
                       r->field_count, r->field_count > COLUMN_COUNT ? " or more" : "");
    memset(r->value, 0, sizeof r->value);
    for (size_t i = 0; i < r->field_count; i++) {
        const char *text = (const char *)r->fields.data + r->starts[i];
        r->value[r->column_of[i]] = *text ? text : NULL;
    }
    return read_inst(r, err);
}

/* ---- libcsv */

static void on_field(void *bytes, size_t size, void *context) {
    reader *r = context;
    if (r->field_count > COLUMN_COUNT) return;
    r->starts[r->field_count++] = r->fields.size;
    ws_buffer_put(&r->fields, bytes, size);
    ws_buffer_put(&r->fields, "", 1);
}

static void on_row(int terminator, void *context) {
    (void)terminator;
    reader *r = context;
    r->rows_ready++;
}

/* Reads the row that libcsv has completed, if any. */
static bool take_row(reader *r, ws_error *err) {
    if (r->fields.failed) return ws_no_memory(err);
    if (r->rows_ready == 0) return true;
    if (r->field_count > COLUMN_COUNT && r->column_count == 0)
        return fail_at(r, err, "expected at most %d columns, found more", COLUMN_COUNT);
    if (!read_row(r, err)) return false;
    r->fields.size = r->field_count = r->rows_ready = r->bytes_of_row = 0;
    return true;
}

static bool is_blank(const char *at, size_t size) {
    while (size && strchr(" \t\r\n", *at)) at++, size--;
    return size == 0;
}

/* Parses a part of a line that completes at most one row. Blank lines are no part of a row, unless within quotes. */
static bool parse_part(reader *r, const char *at, size_t size, ws_error *err) {
    if (r->bytes_of_row == 0) {
        if (is_blank(at, size)) return true;
        r->row_line = r->text->line;
    }
    r->bytes_of_row += size;
    if (r->bytes_of_row > 2 * WS_TEXT_LINE_MAX)
        return fail_at(r, err,
                       "expected a row of at most %d bytes, found a longer one; is a quote not closed?",
                       2 * WS_TEXT_LINE_MAX);
    if (csv_parse(&r->parser, at, size, on_field, on_row, r) != size) {
        if (csv_error(&r->parser) != CSV_EPARSE) return ws_no_memory(err);
        return fail_at(r, err, "expected quotes around a whole field, found one inside");
    }
    return take_row(r, err);
}

/* libcsv takes a '\r' for the end of a row, so parts end at one. */
static bool parse_line(reader *r, const char *end, ws_error *err) {
    if (memchr(r->text->at, '\0', (size_t)(end + 1 - r->text->at)))
        return fail_at(r, err, "expected a text, found a byte that is 0");
    for (const char *at = r->text->at; at <= end;) {
        const char *cr = memchr(at, '\r', (size_t)(end + 1 - at));
        size_t part = (size_t)((cr ? cr : end) + 1 - at);
        if (!cr && ws_text_is_unended(r->text, end) && !is_blank(at, part))
            r->gathered->losses.unended = r->text->line; /* many programs leave out the last line's end */
        if (!parse_part(r, at, part, err)) return false;
        at += part;
    }
    return true;
}

static bool parse_end(reader *r, ws_error *err) {
    if (csv_fini(&r->parser, on_field, on_row, r) != 0)
        return fail_at(r, err, "expected the row of line %llu to end, found a quote not closed", r->row_line);
    if (!take_row(r, err) || !flush(r, err)) return false;
    if (r->column_count == 0)
        return fail_at(r, err, "expected a header (names of columns), found the end of the file");
    if (r->gathered->count == 0)
        return fail_at(r, err, "expected at least one row, found the end of the file");
    return true;
}

static bool read_text(reader *r, ws_error *err) {
    ws_text_state state;
    while ((state = ws_text_more(r->text, err)) == WS_TEXT_LINES) {
        const char *end = memchr(r->text->at, '\n', (size_t)(r->text->end - r->text->at));
        if (!parse_line(r, end, err)) return false;
        ws_text_advance(r->text, end);
    }
    return state == WS_TEXT_END && parse_end(r, err);
}

bool ws_csv_read(ws_text *text, ws_gathered *gathered, ws_error *err) {
    reader *r = calloc(1, sizeof *r);
    if (!r) return ws_no_memory(err);
    r->text = text;
    r->gathered = gathered;
    bool good =
        csv_init(&r->parser, CSV_STRICT | CSV_STRICT_FINI) == 0 ? read_text(r, err) : ws_no_memory(err);
    csv_free(&r->parser);
    for (size_t i = 0; r->launches && i < gathered->count; i++)
        for (int k = 0; k < LAUNCH_TEXTS; k++) free(r->launches[i].texts[k]);
    free(r->launches);
    ws_buffer_free(&r->fields);
    free(r);
    return good;
}

bool ws_csv_import(const char *source, const char *out, const ws_import_options *options, ws_error *err) {
    return ws_gathered_import(source, out, options, "csv", ws_csv_read, err);
}
