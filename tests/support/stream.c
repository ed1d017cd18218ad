#include "stream.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS_MAX = 128 }; /* of a row */

void stream_free(stream *s) {
    for (size_t i = 0; i < s->kept_count; i++) free(s->kept[i]);
    free(s->kept);
    free(s->line_address);
    free(s->records);
    free(s->insts);
    *s = (stream){0};
}

void stream_add(stream *s, record r) {
    if (s->count == s->room) {
        s->room = s->room ? s->room * 2 : 256;
        s->records = realloc(s->records, s->room * sizeof *s->records);
        assert_non_null(s->records);
    }
    s->records[s->count++] = r;
}

void stream_add_inst(stream *s, inst_record r) {
    if (s->inst_count == s->inst_room) {
        s->inst_room = s->inst_room ? s->inst_room * 2 : 256;
        s->insts = realloc(s->insts, s->inst_room * sizeof *s->insts);
        assert_non_null(s->insts);
    }
    s->insts[s->inst_count++] = r;
}

const uint64_t *stream_keep(stream *s, const uint64_t *numbers, size_t count) {
    s->kept = realloc(s->kept, (s->kept_count + 1) * sizeof *s->kept);
    assert_non_null(s->kept);
    uint64_t *copy = s->kept[s->kept_count++] = malloc(count * sizeof *copy + 1);
    assert_non_null(copy);
    if (count) memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

/* Keeps the addresses of all lines that the batch names. */
static void keep_line_addresses(stream *s, const ws_requests *b) {
    for (size_t i = 0; i < b->count; i++)
        if (b->line[i] >= s->line_count) s->line_count = (size_t)b->line[i] + 1;
    s->line_address = realloc(s->line_address, (s->line_count + 1) * sizeof *s->line_address);
    assert_non_null(s->line_address);
    for (size_t i = 0; i < b->count; i++) s->line_address[b->line[i]] = b->line_address[b->line[i]];
}

static void append(void *context, const ws_requests *b) {
    stream *s = context;
    const uint64_t *lane_address = NULL;
    for (size_t i = 0; i < b->count; i++) {
        if (b->lane_address && b->nth[i] == 0) lane_address = stream_keep(s, b->lane_address[i], b->lanes[i]);
        stream_add(s, (record){.line = b->line[i],
                               .words = b->words[i],
                               .step = b->step ? b->step[i] : 0,
                               .warp = b->warp[i],
                               .cta = b->cta[i],
                               .inst = b->inst[i],
                               .sm = b->sm[i],
                               .bytes = b->bytes[i],
                               .slot = b->slot[i],
                               .op = b->op[i],
                               .local = b->local[i],
                               .sectors = b->sectors[i],
                               .nth = b->nth[i],
                               .of = b->of[i],
                               .lanes = b->lanes[i],
                               .lane_address = lane_address});
    }
    if (b->line_address) keep_line_addresses(s, b);
}

static void append_insts(void *context, const ws_instructions *b) {
    stream *s = context;
    for (size_t i = 0; i < b->count; i++) {
        bool accesses = b->address && ws_trace_statics(s->trace)[b->inst[i]].op != WS_MEMORY_NONE;
        inst_record r = {.mask = b->mask[i],
                         .inst = b->inst[i],
                         .warp = b->warp[i],
                         .cta = b->cta[i],
                         .sm = b->sm[i],
                         .slot = b->slot[i],
                         .issued = b->issued[i]};
        if (accesses) r.address = stream_keep(s, b->address[i], (size_t)__builtin_popcountll(r.mask));
        if (b->values) {
            r.uniform = b->uniform[i];
            r.values = stream_keep(s, b->values[i], (size_t)__builtin_popcount(r.uniform));
        }
        stream_add_inst(s, r);
    }
}

ws_tap stream_tap(stream *s) {
    return (ws_tap){s, append, NULL};
}

ws_tap stream_tap_all(stream *s, const ws_trace *trace) {
    s->trace = trace;
    return (ws_tap){s, append, append_insts};
}

/* ---- playing */

typedef struct arrays {
    uint32_t line[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX], inst[WS_BATCH_MAX];
    uint64_t words[WS_BATCH_MAX], step[WS_BATCH_MAX];
    uint16_t sm[WS_BATCH_MAX], bytes[WS_BATCH_MAX], nth[WS_BATCH_MAX], of[WS_BATCH_MAX];
    uint8_t slot[WS_BATCH_MAX], op[WS_BATCH_MAX], sectors[WS_BATCH_MAX], lanes[WS_BATCH_MAX];
    bool local[WS_BATCH_MAX];
    const uint64_t *lane_address[WS_BATCH_MAX];
} arrays;

static size_t batch_size(size_t left, size_t batch_max, uint64_t *random) {
    size_t count = random ? 1 + random_below(random, (uint32_t)batch_max) : batch_max;
    return count > left ? left : count;
}

static void play_insts(const stream *s, size_t batch_max, uint64_t *random, const ws_tap *tap) {
    uint64_t mask[WS_BATCH_MAX];
    uint32_t inst[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX];
    uint16_t sm[WS_BATCH_MAX], uniform[WS_BATCH_MAX];
    uint8_t slot[WS_BATCH_MAX];
    bool issued[WS_BATCH_MAX];
    const uint64_t *address[WS_BATCH_MAX], *values[WS_BATCH_MAX];
    for (size_t at = 0, count; at < s->inst_count; at += count) {
        count = batch_size(s->inst_count - at, batch_max, random);
        for (size_t i = 0; i < count; i++) {
            const inst_record *r = &s->insts[at + i];
            mask[i] = r->mask, inst[i] = r->inst, warp[i] = r->warp, cta[i] = r->cta, sm[i] = r->sm;
            uniform[i] = r->uniform, slot[i] = r->slot, issued[i] = r->issued;
            address[i] = r->address, values[i] = r->values;
        }
        ws_instructions batch = {count, inst, mask, issued, warp, cta, sm, slot, address, uniform, values};
        tap->instructions(tap->context, &batch);
    }
}

static void play_requests(const stream *s, size_t batch_max, uint64_t *random, const ws_tap *tap) {
    arrays a;
    for (size_t at = 0, count; at < s->count; at += count) {
        count = batch_size(s->count - at, batch_max, random);
        for (size_t i = 0; i < count; i++) {
            const record *r = &s->records[at + i];
            a.line[i] = (uint32_t)r->line, a.warp[i] = r->warp, a.cta[i] = r->cta, a.inst[i] = r->inst;
            a.words[i] = r->words, a.step[i] = r->step, a.sm[i] = r->sm, a.bytes[i] = r->bytes,
            a.slot[i] = r->slot, a.op[i] = r->op, a.local[i] = r->local;
            a.sectors[i] = r->sectors, a.nth[i] = r->nth, a.of[i] = r->of, a.lanes[i] = r->lanes;
            a.lane_address[i] = r->lane_address;
        }
        ws_requests batch = {count,   a.line, a.warp,          a.cta,         a.sm,      a.slot, a.op,
                             a.local, a.inst, a.words,         a.bytes,       a.sectors, a.nth,  a.of,
                             a.lanes, a.step, s->line_address, a.lane_address};
        tap->requests(tap->context, &batch);
    }
}

void stream_play(const stream *s, size_t batch_max, uint64_t *random, const ws_tap *tap) {
    if (tap->instructions) play_insts(s, batch_max, random, tap);
    if (tap->requests) play_requests(s, batch_max, random, tap);
}

/* Writes a text with _ for its blanks, so that cells can be told apart. */
static void write_word(FILE *out, const char *text) {
    fputc(' ', out);
    for (; *text; text++) fputc(*text == ' ' ? '_' : *text, out);
}

/* Rows as text, their points numbered from `first` on. */
static char *rows_from(const ws_rows *rows, uint32_t first) {
    const void *bytes;
    size_t size, at = 0, text_size, count;
    uint32_t point, table;
    ws_cell cells[CELLS_MAX];
    char *text = NULL;
    FILE *out = open_memstream(&text, &text_size);
    assert_non_null(out);
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    while (ws_rows_next(bytes, size, &at, &point, &table, cells, CELLS_MAX, &count)) {
        fprintf(out, "%u %u", point - first, table);
        for (size_t i = 0; i < count; i++) {
            if (cells[i].kind == WS_CELL_INT)
                fprintf(out, " %lld", (long long)cells[i].integer);
            else if (cells[i].kind == WS_CELL_REAL)
                fprintf(out, " %.17g", cells[i].real);
            else
                write_word(out, cells[i].text);
        }
        fputc('\n', out);
    }
    assert_int_equal(at, size);
    fclose(out);
    return text;
}

char *rows_text(const ws_rows *rows) {
    return rows_from(rows, 0);
}

static bool cell_fits(const ws_cell *cell, const ws_column *column) {
    static const ws_type types[] = {
        [WS_CELL_INT] = WS_TYPE_INT, [WS_CELL_REAL] = WS_TYPE_REAL, [WS_CELL_TEXT] = WS_TYPE_TEXT};
    if (cell->kind == WS_CELL_UNKNOWN) return column->adds != WS_ADDS_KEY;
    return column->type == types[cell->kind];
}

static void check_row(const ws_analysis *analysis, const ws_table *table, const ws_cell *cells,
                      size_t count) {
    if (count != table->column_count)
        fail_msg("%s: table %s: expected %zu cells, found %zu", analysis->name, table->name,
                 table->column_count, count);
    for (size_t i = 0; i < count; i++)
        if (!cell_fits(&cells[i], &table->columns[i]))
            fail_msg("%s: table %s: a cell of column %s is of another type", analysis->name, table->name,
                     table->columns[i].name);
}

/* Number of the first point that an instance answers: it may be any, as others can answer those before. */
enum { FIRST_POINT = 3 };

/* Fails the test unless all rows belong to existing points and tables and have a fitting cell for each column, and the
 * first table has as many rows as there are points. */
static void check_rows(const ws_rows *rows, const ws_analysis *analysis, size_t points) {
    const void *bytes;
    size_t size, at = 0, count, tables = 0, firsts = 0;
    uint32_t point, table;
    ws_cell cells[CELLS_MAX];
    while (analysis->tables[tables]) tables++;
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    while (ws_rows_next(bytes, size, &at, &point, &table, cells, CELLS_MAX, &count)) {
        if (point < FIRST_POINT || point - FIRST_POINT >= points || table >= tables)
            fail_msg("%s: a row of point %u of %zu from first_point %d on, table %u of %zu", analysis->name,
                     point, points, FIRST_POINT, table, tables);
        check_row(analysis, analysis->tables[table], cells, count);
        firsts += table == 0;
    }
    if (firsts != points)
        fail_msg("%s: expected a row of table %s for each of %zu points, found %zu", analysis->name,
                 analysis->tables[0]->name, points, firsts);
}

char *stream_analyse(const stream *s, const ws_analysis *analysis, const void *const *params, size_t points,
                     const ws_stream_info *info, size_t batch_max, uint64_t *random) {
    ws_error err = WS_NO_ERROR;
    void *self = analysis->create(params, points, info, &err);
    if (!self && err.code == WS_ERROR_TRACE) return NULL;
    if (!self) fail_msg("%s", err.text);
    stream_play(s, batch_max, random, &(ws_tap){self, analysis->requests, analysis->instructions});
    ws_rows *rows = ws_rows_new();
    assert_non_null(rows);
    if (!analysis->finish(self, FIRST_POINT, rows, &err)) fail_msg("%s", err.text);
    check_rows(rows, analysis, points);
    analysis->destroy(self);
    char *text = rows_from(rows, FIRST_POINT);
    ws_rows_free(rows);
    return text;
}

/* ---- from a replay to rows */

ws_stream_info stream_info(const ws_trace *trace, uint32_t kernel, const ws_config *config) {
    ws_error err = WS_NO_ERROR;
    ws_stream_info info = {.trace = NULL};
    if (!ws_stream_info_of(trace, kernel, config, &info, &err)) fail_msg("%s", err.text);
    return info;
}

static const void *params_of(const ws_analysis *analysis, const ws_config *config) {
    return analysis->component ? ws_config_get(config, analysis->component) : NULL;
}

stream stream_replayed(const ws_trace *trace, uint32_t kernel, const ws_config *config,
                       const ws_analysis *analysis) {
    ws_error err = WS_NO_ERROR;
    stream s = {.kernel = kernel};
    ws_tap tap = stream_tap_all(&s, trace);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    if (!replayer) fail_msg("%s", err.text);
    if (analysis->wants) ws_replayer_want(replayer, analysis->wants(params_of(analysis, config)));
    if (!ws_replay_order(replayer, kernel, config, &tap, 1, &s.counters, &err)) fail_msg("%s", err.text);
    ws_replayer_free(replayer);
    return s;
}

char *stream_rows(const stream *replayed, const ws_analysis *analysis, const ws_config *config,
                  uint64_t *random) {
    ws_stream_info info = stream_info(replayed->trace, replayed->kernel, config);
    info.counters = &replayed->counters;
    const void *params = params_of(analysis, config);
    return stream_analyse(replayed, analysis, &params, 1, &info, WS_BATCH_MAX, random);
}

/* ---- configurations */

ws_config *config_for(const ws_analysis *analysis) {
    /* A configuration keeps pointing to its list of components. */
    static const ws_component *lists[16][WS_COMPONENTS_MAX];
    static unsigned next;
    const ws_component **list = lists[next++ % 16];
    const ws_analysis none = {0};
    size_t count;
    ws_analysis_components(analysis ? analysis : &none, WS_FIDELITY_ORDER, list, &count);
    ws_config *config = ws_config_new(list, count);
    assert_non_null(config);
    return config;
}

void config_set(ws_config *config, const char *name, const char *json) {
    ws_error err = WS_NO_ERROR;
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    if (!value || !ws_config_set(config, name, value, name, &err))
        fail_msg("%s = %s: %s", name, json, err.text);
    json_decref(value);
}

void config_set_number(ws_config *config, const char *name, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    config_set(config, name, text);
}

/* ---- random streams */

stream_shape stream_random_shape(uint64_t *random, uint32_t lines, uint32_t requests) {
    enum { FEW = 20 };
    stream_shape shape;
    shape.sms = 1 + random_below(random, 4);
    shape.warps_per_cta = 1 + random_below(random, 4);
    shape.ctas_per_sm = 1 + random_below(random, 4);
    shape.lines = 1 + random_below(random, random_one_in(random, 3) ? FEW : lines);
    shape.requests = random_below(random, requests);
    return shape;
}

stream stream_random(uint64_t seed, const stream_shape *shape) {
    enum { CTAS_MAX = 1024 };
    uint64_t random = seed;
    uint32_t slots = shape->sms * shape->ctas_per_sm, next_cta = slots, cta_of[CTAS_MAX];
    assert_true(slots <= CTAS_MAX);
    for (uint32_t i = 0; i < slots; i++) cta_of[i] = i;
    stream s = {.line_count = shape->lines, .line_address = calloc(shape->lines, sizeof *s.line_address)};
    assert_non_null(s.line_address);
    for (uint32_t i = 0; i < shape->lines; i++) s.line_address[i] = i + 5;
    uint64_t step = 0;
    while (s.count < shape->requests) {
        step += random_one_in(&random, 3) ? random_below(&random, 30) : 0;
        uint32_t slot = random_below(&random, slots), warp = random_below(&random, shape->warps_per_cta);
        if (random_one_in(&random, 200)) cta_of[slot] = next_cta++;
        uint32_t of = 1 + random_below(&random, 4), line = random_below(&random, shape->lines);
        if (of > shape->lines) of = shape->lines;
        record r = {.cta = cta_of[slot],
                    .warp = cta_of[slot] * shape->warps_per_cta + warp,
                    .sm = (uint16_t)(slot / shape->ctas_per_sm),
                    .slot = (uint8_t)(slot % shape->ctas_per_sm * shape->warps_per_cta + warp),
                    .op = WS_MEMORY_LOAD,
                    .local = line % 3 == 0,
                    .of = (uint16_t)of,
                    .step = step,
                    .bytes = 4,
                    .sectors = 1,
                    .lanes = (uint8_t)of};
        if (random_one_in(&random, 4)) r.op = (uint8_t)(WS_MEMORY_STORE + random_below(&random, 3));
        uint64_t lane_address[4];
        for (uint32_t i = 0; i < of; i++)
            lane_address[i] = ((line + i) % shape->lines + 5) * UINT64_C(128) + random_below(&random, 128);
        r.lane_address = stream_keep(&s, lane_address, of);
        for (uint32_t i = 0; i < of; i++) {
            r.line = (line + i) % shape->lines;
            r.nth = (uint16_t)i;
            r.words = UINT64_C(1) << random_below(&random, 32) | UINT64_C(1) << random_below(&random, 32);
            stream_add(&s, r);
        }
    }
    return s;
}
