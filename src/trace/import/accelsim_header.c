/* The header of a kernel's file, "-key = value" lines up to "#traces format", and what follows from it: the columns of
 * the instruction lines, the trace's features, the warps of a CTA. */
#include "base/array.h"
#include "base/utf8.h"
#include "trace/import/accelsim.h"
#include "trace/names.h"
#include "trace/words.h"

#include <stdlib.h>
#include <string.h>

/* The text of a field's value; parsers move `at` past what they have taken. */
typedef struct value {
    const char *at, *end;
} value;

typedef bool parse_value(value *v, void *field);

static bool parse_u32(value *v, void *field) {
    return ws_parse_decimal(&v->at, field);
}

/* A pointer, printed with %lu, or with %d by old tracers. */
static bool parse_u64(value *v, void *field) {
    return ws_parse_signed(&v->at, field);
}

static bool parse_address(value *v, void *field) {
    if (v->at[0] != '0' || v->at[1] != 'x') return false;
    v->at += 2;
    return ws_parse_hex(&v->at, 16, field);
}

static bool parse_dim(value *v, void *field) {
    ws_dim3 *dim = field;
    uint32_t *parts[] = {&dim->x, &dim->y, &dim->z};
    for (int i = 0; i < 3; i++) {
        if (*v->at++ != "(,,"[i] || !ws_parse_decimal(&v->at, parts[i])) return false;
    }
    return *v->at++ == ')' && ws_dim3_valid(*dim);
}

/* "1.2" counts as version 1, as in Accel-Sim's own reader, which scans a %d. */
static bool parse_version(value *v, void *field) {
    ws_accelsim_header *header = field;
    const char *start = v->at;
    if (!ws_parse_decimal(&v->at, &header->version) || header->version > WS_ACCELSIM_VERSION_MAX)
        return false;
    while (*v->at == '.' || ws_is_digit(*v->at)) v->at++;
    snprintf(header->version_text, sizeof header->version_text, "%.*s", (int)(v->at - start), start);
    return true;
}

static bool parse_flag(value *v, void *field) {
    uint32_t flag;
    if (!ws_parse_decimal(&v->at, &flag) || flag > 1) return false;
    *(bool *)field = flag == 1;
    return true;
}

static bool parse_name(value *v, void *field) {
    char **name = field;
    free(*name);
    *name = strndup(v->at, (size_t)(v->end - v->at));
    v->at = v->end;
    return *name && **name && ws_is_utf8(*name);
}

#define UP_TO_U32 " up to 4294967295"
static const struct field {
    const char *key;
    parse_value *parse;
    size_t offset;
    const char *expected;
} fields[] = {
    {"kernel name", parse_name, offsetof(ws_accelsim_header, name), "a name in UTF-8"},
    {"kernel id", parse_u32, offsetof(ws_accelsim_header, kernel.index), "a number" UP_TO_U32},
    {"grid dim", parse_dim, offsetof(ws_accelsim_header, kernel.grid),
     "(x,y,z), each at least 1, at most 2^40 together"},
    {"block dim", parse_dim, offsetof(ws_accelsim_header, kernel.block),
     "(x,y,z), each at least 1, at most 32768 together"},
    {"shmem", parse_u32, offsetof(ws_accelsim_header, kernel.shared_B), "a number of bytes" UP_TO_U32},
    {"nregs", parse_u32, offsetof(ws_accelsim_header, kernel.registers_per_thread),
     "a number of registers" UP_TO_U32},
    {"binary version", parse_u32, offsetof(ws_accelsim_header, kernel.isa_version), "an SM version"},
    {"cuda stream id", parse_u64, offsetof(ws_accelsim_header, kernel.stream), "a stream number of 64 bits"},
    {"shmem base_addr", parse_address, offsetof(ws_accelsim_header, kernel.shared_base), "an address (0x..)"},
    {"local mem base_addr", parse_address, offsetof(ws_accelsim_header, kernel.local_base),
     "an address (0x..)"},
    {"accelsim tracer version", parse_version, 0, "a tracer version of at most 6"},
    {"enable lineinfo", parse_flag, offsetof(ws_accelsim_header, has_line_info), "0 or 1"},
};
enum { FIELDS = WS_COUNT(fields), FIELD_NAME = 0, FIELD_GRID = 2, FIELD_BLOCK = 3 };

/* Index of the field that `key` names; FIELDS if it is unknown. */
static size_t find_field(const char *key, size_t length) {
    size_t i = 0;
    while (i < FIELDS && !(strlen(fields[i].key) == length && memcmp(fields[i].key, key, length) == 0)) i++;
    return i;
}

/* Parses a line "-key = value". Unknown keys are skipped, since tracers keep adding new ones. */
static bool parse_field(ws_text *text, const char *end, ws_accelsim_header *header, uint32_t *seen,
                        ws_error *err) {
    static const char separator[] = " = ";
    const char *line = text->at,
               *equals = memmem(line, (size_t)(end - line), separator, sizeof separator - 1);
    if (*line != '-' || !equals)
        return ws_text_fail_expected(text, line, "is this an Accel-Sim trace?", err,
                                     "a header line (-key = value) or '#traces format = ..'");
    size_t index = find_field(line + 1, (size_t)(equals - line - 1));
    if (index == FIELDS) return true;
    const struct field *field = &fields[index];
    if (*seen >> index & 1)
        return ws_text_fail_expected(text, line, "the header is damaged", err, "'-%s = ..' once", field->key);
    value v = {equals + sizeof separator - 1, end};
    while (v.end > v.at && v.end[-1] == ' ') v.end--;
    const char *start = v.at;
    bool good = field->parse(&v, (char *)header + field->offset) && v.at == v.end;
    if (!good) return ws_text_fail_expected(text, start, "", err, "%s = %s", field->key, field->expected);
    *seen |= 1u << index;
    return true;
}

static bool check_header(ws_text *text, const ws_accelsim_header *header, uint32_t seen, ws_error *err) {
    static const uint8_t needed[] = {FIELD_NAME, FIELD_GRID, FIELD_BLOCK};
    for (size_t i = 0; i < sizeof needed; i++)
        if (!(seen >> needed[i] & 1))
            return ws_text_fail_expected(text, text->at, "the header is cut or damaged", err,
                                         "'-%s = ..' before this line", fields[needed[i]].key);
    if (!ws_block_valid(header->kernel.block, WS_SASS_LANES))
        return ws_text_fail_expected(text, text->at, "the header is damaged", err,
                                     "a block dim of at most %d threads", WS_CTA_WARPS_MAX * WS_SASS_LANES);
    return true;
}

bool ws_accelsim_read_header(ws_text *text, ws_accelsim_header *header, ws_error *err) {
    static const char format[] = "#traces format";
    uint32_t seen = 0;
    *header = (ws_accelsim_header){0};
    for (;;) {
        if (text->at == text->end) {
            ws_text_state state = ws_text_more(text, err);
            if (state == WS_TEXT_END)
                ws_text_fail_expected(text, NULL, text->line == 1 ? "the file is empty" : "the file is cut",
                                      err, "'#traces format = ..', which ends the header");
            if (state != WS_TEXT_LINES) break;
        }
        const char *line = text->at, *end = memchr(line, '\n', (size_t)(text->end - line));
        if ((size_t)(end - line) >= sizeof format - 1 && memcmp(line, format, sizeof format - 1) == 0) {
            if (!check_header(text, header, seen, err)) break;
            ws_text_advance(text, end);
            header->kernel.name = header->name;
            return true;
        }
        if (end > line && !parse_field(text, end, header, &seen, err)) break;
        ws_text_advance(text, end);
    }
    ws_accelsim_header_free(header);
    return false;
}

void ws_accelsim_header_free(ws_accelsim_header *header) {
    free(header->name);
    *header = (ws_accelsim_header){0};
}

ws_accelsim_columns ws_accelsim_columns_of(const ws_accelsim_header *header, bool is_raw) {
    return (ws_accelsim_columns){
        .position = !is_raw && header->version >= 3 ? 0
                    : header->version >= 6          ? WS_SASS_PLACES
                                                    : WS_SASS_PLACE,
        .source_line = header->version >= 4 && header->has_line_info,
        .immediate = header->version >= 5,
        .values = header->version >= 6,
    };
}

ws_accelsim_shape ws_accelsim_shape_of(const ws_kernel *kernel) {
    uint32_t threads = (uint32_t)ws_dim3_count(kernel->block), rest = threads % WS_SASS_LANES;
    return (ws_accelsim_shape){
        .warps = (threads + WS_SASS_LANES - 1) / WS_SASS_LANES,
        .last_warp_lanes = rest ? (UINT32_C(1) << rest) - 1 : UINT32_MAX,
    };
}

bool ws_accelsim_tell_raw(ws_text *text, bool *is_raw, ws_error *err) {
    ws_text_state state;
    while ((state = ws_text_more(text, err)) == WS_TEXT_LINES && *text->at == '\n')
        ws_text_advance(text, text->at);
    *is_raw = state == WS_TEXT_LINES && ws_is_digit(*text->at);
    return state != WS_TEXT_ERROR;
}

uint32_t ws_accelsim_features(const ws_accelsim_header *header) {
    ws_accelsim_columns columns = ws_accelsim_columns_of(header, false);
    return WS_FEATURE_REGISTERS | (columns.immediate ? WS_FEATURE_IMMEDIATES : 0u) |
           (columns.source_line ? WS_FEATURE_SOURCE_LINE : 0u);
}
