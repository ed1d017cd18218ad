/* One instruction line of an Accel-Sim SASS trace:
 *
 *   [x y z warp] [line] pc mask ndst {Rd} opcode nsrc {Rs} width [mode addresses] [immediate] [STORE_DATA ..]
 *
 * Everything between the mask and the addresses, and behind them, is the same each time an instruction is
 * executed; what differs is the mask and the addresses. So the pieces that differ have fast parsers here, and
 * the rest is parsed once and then compared as text (accelsim_body.c). */
#ifndef WS_TRACE_ACCELSIM_LINE_H
#define WS_TRACE_ACCELSIM_LINE_H

#include "warpsweep/trace.h"

enum { WS_SASS_LANES = 32, WS_SASS_R255 = 255 };

/* Which optional columns a file's lines have; follows from tracer version, lineinfo and grouping alone. */
typedef struct ws_accelsim_columns {
    bool position;    /* CTA x y z and warp lead the line */
    bool source_line; /* line number of the source text */
    bool immediate;   /* closes the line */
} ws_accelsim_columns;

/* What a line lacks. Texts are literals. */
typedef struct ws_accelsim_fault {
    const char *at; /* in the line; may be its '\n' */
    const char *expected, *hint;
} ws_accelsim_fault;

typedef struct ws_accelsim_line {
    uint32_t position[4]; /* x, y, z, warp */
    uint32_t mask;
    ws_static fixed; /* complete but for `opcode`; a generic access has WS_SPACE_GENERIC */
    const char *opcode;
    size_t opcode_length;
    unsigned address_count;
    uint64_t addresses[WS_SASS_LANES]; /* of the active lanes, lowest first */
    /* The constant text: from behind the mask's space up to the mode (or the whole rest where the line has no
     * addresses), and from behind the addresses to the end of the line, '\n' included. */
    const char *body, *body_end, *tail, *line_end;
    /* What a store writes, behind the immediate: it differs each time. `stored_values`: of how many lanes, one after
     * the other, `stored` has it. The one tracer that prints values (qishao-chalmers/accel-sim-framework, 69a28e82,
     * tracer_tool.cu and inject_funcs.cu) gives integers of one register exactly. It takes the type from the opcode,
     * so that ".32" and ".64" are rounded to six digits as floating-point numbers; gives one of the two or four
     * registers of wide stores; and leaves the first of a pair undefined: those are not taken. */
    bool has_store_data;
    unsigned stored_values;
    uint64_t stored[WS_SASS_LANES];
} ws_accelsim_line;

/* Parses the line at `at`, which is closed by '\n'. */
bool ws_accelsim_parse_line(const char *at, ws_accelsim_columns columns, ws_accelsim_line *line,
                            ws_accelsim_fault *fault);

/* ---- pieces */

extern const uint8_t ws_hex_digit[256]; /* value + 1; 0 for what is no hex digit */

static inline bool ws_is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Hex digits without 0x, 1 to `most` of them. */
static inline bool ws_parse_hex(const char **at, unsigned most, uint64_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    unsigned digits = 0;
    for (unsigned d; (d = ws_hex_digit[(unsigned char)*p]) != 0; p++, digits++) v = v << 4 | (d - 1);
    if (digits == 0 || digits > most) return false;
    *at = p;
    *value = v;
    return true;
}

static inline bool ws_parse_decimal(const char **at, uint32_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    for (; ws_is_digit(*p); p++) {
        v = v * 10 + (unsigned)(*p - '0');
        if (v > UINT32_MAX) return false;
    }
    if (p == *at) return false;
    *at = p;
    *value = (uint32_t)v;
    return true;
}

/* With an optional '-'; `*value` as two's complement. */
static inline bool ws_parse_signed(const char **at, uint64_t *value) {
    const char *p = *at;
    bool negative = *p == '-';
    p += negative;
    const char *digits = p;
    uint64_t v = 0;
    for (; ws_is_digit(*p); p++) v = v * 10 + (unsigned)(*p - '0');
    if (p == digits || p - digits > 19) return false;
    *at = p;
    *value = negative ? 0 - v : v;
    return true;
}

/* Mode and addresses from the mode's digit on, in each of the three forms. `*at` moves behind the last
 * address. For an empty mask the dummy address is read and nothing is given. NULL, or what was expected at
 * `*at`. */
const char *ws_accelsim_parse_addresses(const char **at, uint32_t mask, uint64_t *addresses);

#endif
