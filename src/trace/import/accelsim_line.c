#include "trace/import/accelsim_line.h"

#include "base/array.h"
#include "trace/names.h"
#include "trace/words.h"

#include <string.h>

enum { WIDTH_MAX = 128, OPCODE_MAX = 96, IMMEDIATE_DIGITS = 11 };

/* ---- addresses */

static bool parse_address(const char **at, uint64_t *address) {
    const char *digits = *at + 2;
    if ((*at)[0] != '0' || (*at)[1] != 'x' || !ws_parse_hex(&digits, 16, address)) return false;
    *at = digits;
    return true;
}

/* Mode 0: an address for each active lane; early tracers printed all 32 lanes. */
static const char *parse_list(const char **at, uint32_t mask, uint64_t *addresses) {
    uint64_t all[WS_SASS_LANES];
    unsigned count = 0, lanes = (unsigned)__builtin_popcount(mask);
    while ((*at)[0] == ' ' && (*at)[1] == '0' && (*at)[2] == 'x') {
        const char *next = *at + 1;
        if (count == WS_SASS_LANES || !parse_address(&next, &all[count]))
            return "an address for each active lane";
        count++;
        *at = next;
    }
    if (count == lanes) {
        memcpy(addresses, all, count * sizeof *all);
    } else if (count == WS_SASS_LANES) {
        for (unsigned lane = 0, i = 0; lane < WS_SASS_LANES; lane++)
            if (mask >> lane & 1) addresses[i++] = all[lane];
    } else if (lanes > 0 || count > 1) {
        return "an address for each active lane";
    }
    return NULL;
}

/* Mode 1: the base, then the stride from one active lane to the next. */
static const char *parse_stride(const char **at, uint64_t base, unsigned lanes, uint64_t *addresses) {
    uint64_t stride;
    const char *p = *at + 1;
    if (**at != ' ' || !ws_parse_signed(&p, &stride)) return "a space and a stride";
    for (unsigned i = 0; i < lanes; i++) addresses[i] = base + i * stride;
    *at = p;
    return NULL;
}

/* Mode 2: the base, then the difference of each further active lane from the one before. */
static const char *parse_deltas(const char **at, uint64_t base, unsigned lanes, uint64_t *addresses) {
    if (lanes > 0) addresses[0] = base;
    for (unsigned i = 1; i < lanes; i++) {
        uint64_t delta;
        const char *p = *at + 1;
        if (**at != ' ' || !ws_parse_signed(&p, &delta)) return "an address difference for each further lane";
        addresses[i] = base += delta;
        *at = p;
    }
    return NULL;
}

const char *ws_accelsim_parse_addresses(const char **at, uint32_t mask, uint64_t *addresses) {
    const char *start = *at, *fault;
    unsigned lanes = (unsigned)__builtin_popcount(mask);
    char mode = **at;
    if (mode < '0' || mode > '2') return "an address mode (0, 1 or 2)";
    ++*at;
    if (mode == '0') {
        fault = parse_list(at, mask, addresses);
    } else {
        uint64_t base;
        const char *p = *at + 1;
        if (**at != ' ' || !parse_address(&p, &base)) return "a space and an address in hex digits (0x..)";
        *at = p;
        fault =
            mode == '1' ? parse_stride(at, base, lanes, addresses) : parse_deltas(at, base, lanes, addresses);
    }
    if (fault) return fault;
    uint64_t any = 0;
    for (unsigned i = 0; i < lanes; i++) any |= addresses[i];
    if (any < WS_ADDRESS_LIMIT) return NULL;
    *at = start;
    return WS_ADDRESSES_EXPECTED;
}

/* ---- the whole line */

typedef struct scanner {
    const char *at;
    ws_accelsim_fault *fault;
} scanner;

static bool missing(scanner *s, const char *at, const char *expected, const char *hint) {
    *s->fault = (ws_accelsim_fault){at, expected, hint};
    return false;
}

static bool space(scanner *s) {
    if (*s->at != ' ') return missing(s, s->at, "a space", "");
    s->at++;
    return true;
}

/* Parses a decimal column of at most `most`. */
static bool decimal(scanner *s, uint32_t most, const char *expected, uint32_t *value) {
    const char *start = s->at;
    if (!ws_parse_decimal(&s->at, value) || *value > most) return missing(s, start, expected, "");
    return true;
}

static bool parse_position(scanner *s, unsigned columns, uint32_t *position) {
    for (unsigned i = 0; i < columns; i++) {
        const char *expected = i < WS_SASS_PLACE
                                   ? "CTA x, y, z and warp, as in raw files and those of old tracers"
                                   : "cluster x, y, z, CTA x, y, z within it and rank, as version 6 prints";
        if (!decimal(s, UINT32_MAX, expected, &position[i]) || !space(s)) return false;
    }
    return true;
}

static bool parse_pc_and_mask(scanner *s, ws_accelsim_line *line) {
    uint64_t pc, mask;
    const char *start = s->at;
    if (!ws_parse_hex(&s->at, 8, &pc)) return missing(s, start, "a pc of up to 8 hex digits", "");
    if (!space(s)) return false;
    start = s->at;
    if (!ws_parse_hex(&s->at, 8, &mask) || s->at - start != 8)
        return missing(s, start, "an active mask of 8 hex digits", "");
    if (!space(s)) return false;
    line->fixed.pc = (uint32_t)pc;
    line->mask = (uint32_t)mask;
    line->body = s->at;
    return true;
}

static bool parse_registers(scanner *s, uint32_t most, const char *expected, uint16_t *registers,
                            uint8_t *count) {
    uint32_t n;
    if (!decimal(s, most, expected, &n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!space(s)) return false;
        if (!ws_sass_parse_register(&s->at, &registers[i]))
            return missing(s, s->at, "a register (R or UR and its number)",
                           "the count before it may be wrong");
    }
    *count = (uint8_t)n;
    return true;
}

static bool parse_opcode(scanner *s, ws_accelsim_line *line) {
    line->opcode = s->at;
    bool letter = *s->at >= 'A' && *s->at <= 'Z';
    while ((unsigned char)*s->at > ' ' && (unsigned char)*s->at < 0x7f) s->at++;
    line->opcode_length = (size_t)(s->at - line->opcode);
    if (!letter || line->opcode_length > OPCODE_MAX)
        return missing(s, line->opcode, "an opcode such as LDG.E.64", "");
    return true;
}

/* Parses the width, and decodes the opcode: class, memory operation, space and access width. */
static bool parse_width(scanner *s, ws_accelsim_line *line, bool *has_addresses) {
    uint32_t width;
    if (!decimal(s, WIDTH_MAX, "a width of 0 to 128 bytes", &width)) return false;
    ws_sass sass = ws_sass_decode(line->opcode, line->opcode_length);
    line->fixed.class_ = sass.class_;
    *has_addresses = width > 0;
    if (!*has_addresses || sass.op == WS_MEMORY_NONE) return true;
    line->fixed.op = sass.op;
    line->fixed.space = sass.space;
    line->fixed.text_width_B = (uint8_t)width;
    line->fixed.width_B = sass.width_B ? sass.width_B : (uint8_t)width;
    return true;
}

static bool parse_addresses(scanner *s, ws_accelsim_line *line) {
    if (!space(s)) return false;
    line->body_end = s->at;
    const char *expected = ws_accelsim_parse_addresses(&s->at, line->mask, line->addresses);
    if (expected) return missing(s, s->at, expected, "");
    line->address_count = (unsigned)__builtin_popcount(line->mask);
    line->tail = s->at;
    return true;
}

static bool skip(scanner *s, const char *text) {
    size_t length = strlen(text);
    if (strncmp(s->at, text, length) != 0) return false;
    s->at += length;
    return true;
}

/* The only immediate of version 5 fits 32 bits. */
static bool parse_immediate(scanner *s, ws_static *fixed) {
    uint64_t value;
    if (*s->at != ' ') return missing(s, s->at, "an immediate, as tracer version 5 prints", "");
    const char *start = ++s->at;
    if (!ws_parse_signed(&s->at, &value) || s->at - start > IMMEDIATE_DIGITS ||
        (int64_t)value != (int32_t)value)
        return missing(s, start, "an immediate of 32 bits, as tracer version 5 prints", "");
    fixed->immediate = (int32_t)value;
    return true;
}

/* Skips spaces and numbers, each behind a space. */
static void skip_numbers(scanner *s) {
    while (*s->at == ' ') {
        const char *p = s->at + 1;
        while (ws_hex_digit[(unsigned char)*p] || *p == 'x' || *p == '-') p++;
        if (p == s->at + 1) break;
        s->at = p;
    }
}

/* Version 6 prints the first two immediates, of up to 64 bits; its first releases printed one. The first is kept, in 32
 * bits, as version 5 does. */
static bool parse_immediates(scanner *s, ws_static *fixed) {
    const char *at = s->at;
    bool negative = at[0] == ' ' && at[1] == '-';
    uint64_t value = 0;
    at += 1 + negative;
    if (*s->at != ' ' || !ws_is_digit(*at))
        return missing(s, s->at, "immediates, as tracer version 6 prints", "");
    while (ws_is_digit(*at)) value = value * 10 + (unsigned)(*at++ - '0');
    fixed->immediate = (int32_t)(uint32_t)(negative ? 0 - value : value);
    s->at = at;
    skip_numbers(s);
    return true;
}

/* Values of registers are 32 bits of each operand, also of one that is wider. */
static bool parse_register_values(scanner *s, ws_accelsim_line *line) {
    if (skip(s, " NoVal")) return true;
    if (!skip(s, " Val"))
        return missing(s, s->at, "NoVal, or Val and values, as tracer version 6 prints", "");
    line->varies = true;
    line->drops |= WS_DROPS_REGISTERS;
    skip_numbers(s);
    return true;
}

/* True for copies that a warp starts for whole tiles, whose addresses are not those of its lanes. */
static bool is_bulk_copy(const ws_accelsim_line *line) {
    static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF",
                                        "UBLKCP",  "UBLKRED", "UBLKPF"};
    for (size_t i = 0; i < WS_COUNT(names); i++)
        if (strncmp(line->opcode, names[i], strlen(names[i])) == 0) return true;
    return false;
}

/* Skips the columns of a bulk copy (mbarrier, multicast, sizes, addresses) and its immediates. */
static void skip_bulk_copy(scanner *s, ws_accelsim_line *line) {
    skip_numbers(s);
    line->varies = true;
    if (line->mask) line->drops |= WS_DROPS_BULK;
}

/* True for the check in the loop in which warps wait at an mbarrier. */
static bool waits_at_mbarrier(const ws_accelsim_line *line) {
    static const char name[] = "SYNCS.PHASECHK";
    return strncmp(line->opcode, name, strlen(name)) == 0;
}

/* The flag of a product of warp groups says whether it ends a group. */
static bool skip_group_flag(scanner *s, const ws_accelsim_line *line) {
    uint32_t flag;
    return !memmem(line->opcode, line->opcode_length, "GMMA", 4) ||
           (decimal(s, UINT32_MAX, "a flag, as tracer version 6 prints for GMMA", &flag) && space(s));
}

/* Skips the type and register count if the values behind them are printed exactly. */
static bool skip_exact_type(scanner *s) {
    return skip(s, " I32 1 REG0:") || skip(s, " I16 1 REG0:") || skip(s, " I8 1 REG0:");
}

/* Parses the values of the active lanes, each "T<lane>:0x<hex> ". */
static bool parse_values(scanner *s, ws_accelsim_line *line) {
    static const char expected[] = "a value of each active lane (T0:0x1f ..)";
    for (uint32_t mask = line->mask; mask; mask &= mask - 1) {
        uint32_t lane;
        while (*s->at == ' ') s->at++;
        const char *start = s->at;
        if (*s->at++ != 'T' || !ws_parse_decimal(&s->at, &lane) || lane != (unsigned)__builtin_ctz(mask) ||
            !skip(s, ":0x") || !ws_parse_hex(&s->at, 8, &line->stored[line->stored_values]))
            return missing(s, start, expected, "");
        line->stored_values++;
    }
    line->fixed.source_values = 1;
    while (*s->at == ' ') s->at++;
    return true;
}

static bool parse_store_data(scanner *s, ws_accelsim_line *line) {
    enum { REGISTER_B = 4 };
    line->varies = true;
    bool whole = line->fixed.op == WS_MEMORY_STORE && line->fixed.width_B <= REGISTER_B;
    if (whole && skip_exact_type(s)) return parse_values(s, line);
    line->drops |= WS_DROPS_STORED;
    while (*s->at != '\n') s->at++;
    return true;
}

static bool parse_end(scanner *s, ws_accelsim_line *line) {
    if (*s->at == ' ') s->at++;
    if (skip(s, "STORE_DATA") && !parse_store_data(s, line)) return false;
    if (*s->at != '\n') return missing(s, s->at, "the end of the line", "a count before it may be wrong");
    line->line_end = s->at;
    return true;
}

/* Parses the immediates, if the tracer prints any. */
static bool parse_constants(scanner *s, ws_accelsim_columns columns, ws_static *fixed) {
    if (columns.values) return parse_immediates(s, fixed);
    return !columns.immediate || parse_immediate(s, fixed);
}

/* Parses from the width on: what the instruction accesses, and what closes the line. */
static bool parse_rest(scanner *s, ws_accelsim_columns columns, ws_accelsim_line *line) {
    bool has_addresses;
    if (!parse_width(s, line, &has_addresses)) return false;
    if (waits_at_mbarrier(line)) line->drops |= WS_DROPS_MBARRIER;
    if (columns.values && is_bulk_copy(line)) {
        has_addresses = false;
        skip_bulk_copy(s, line);
    } else if ((has_addresses && !parse_addresses(s, line)) || !parse_constants(s, columns, &line->fixed)) {
        return false;
    }
    if ((columns.values && !parse_register_values(s, line)) || !parse_end(s, line)) return false;
    if (!has_addresses) line->body_end = line->tail = line->line_end + 1;
    return true;
}

bool ws_accelsim_parse_line(const char *at, ws_accelsim_columns columns, ws_accelsim_line *line,
                            ws_accelsim_fault *fault) {
    scanner scan = {at, fault}, *s = &scan;
    ws_static *fixed = &line->fixed;
    *line = (ws_accelsim_line){0};
    if (!parse_position(s, columns.position, line->position)) return false;
    if (columns.source_line &&
        (!decimal(s, UINT32_MAX, "a source line number (lineinfo = 1)", &fixed->source_line) || !space(s)))
        return false;
    return parse_pc_and_mask(s, line) &&
           parse_registers(s, WS_DST_MAX, "a count of up to 4 destination registers", fixed->dst,
                           &fixed->dst_count) &&
           space(s) && parse_opcode(s, line) && space(s) &&
           parse_registers(s, WS_SRC_MAX, "a count of up to 8 source registers", fixed->src,
                           &fixed->src_count) &&
           space(s) && (!columns.values || skip_group_flag(s, line)) && parse_rest(s, columns, line);
}
