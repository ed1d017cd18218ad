/* One instruction line of an Accel-Sim SASS trace:
 *
 *   [x y z warp [cluster]] [line] pc mask ndst {Rd} opcode nsrc {Rs} width [mode addresses] [immediate] [STORE_DATA ..]
 *
 * Version 6 of the tracer (Accel-Sim 2.0) closes the line with two immediates and "NoVal", or "Val" and the values of
 * registers; it has a flag before the width of warp-group products (GMMA), and columns of their own in place of the
 * addresses of bulk copies (accel-sim-framework, trace_parser.cc of 2.0).
 *
 * An instruction prints the same text at each execution, except for its mask and addresses. These have fast parsers
 * here; the constant rest is parsed once and compared as text from then on (accelsim_inst.c). */
#ifndef WS_TRACE_IMPORT_ACCELSIM_LINE_H
#define WS_TRACE_IMPORT_ACCELSIM_LINE_H

#include "trace/sass.h"

enum {
    WS_SASS_PLACE = 4,   /* columns that say where an instruction ran: CTA x y z and warp */
    WS_SASS_PLACES = 11, /* with those of its cluster: cluster x y z, CTA x y z within it, rank */
    WS_SASS_RANK = 10,   /* which of them is the rank: of the CTA within its cluster */
};

/* Which optional columns a file's lines have; follows from tracer version, lineinfo and grouping alone. */
typedef struct ws_accelsim_columns {
    uint8_t position; /* how many lead the line: 0, WS_SASS_PLACE or WS_SASS_PLACES */
    bool source_line; /* line number of the source text */
    bool immediate;   /* behind the addresses, from version 5 on */
    bool values;      /* NoVal, or Val and values, and what else is new in version 6 */
} ws_accelsim_columns;

/* Why a line could not be parsed. The texts are literals. */
typedef struct ws_accelsim_fault {
    const char *at; /* in the line; may be its '\n' */
    const char *expected, *hint;
} ws_accelsim_fault;

/* What a line says that a trace does not keep. */
enum {
    WS_DROPS_STORED = 1u << 0,    /* values behind STORE_DATA */
    WS_DROPS_REGISTERS = 1u << 1, /* values behind Val */
    WS_DROPS_BULK = 1u << 2,      /* addresses of a bulk copy */
    WS_DROPS_MBARRIER = 1u << 3,  /* what a warp waits for at an mbarrier */
};

typedef struct ws_accelsim_line {
    uint32_t position[WS_SASS_PLACES]; /* as many as the file has columns, else 0 */
    uint32_t mask;
    ws_static fixed; /* complete except for `opcode`; a generic access has WS_SPACE_GENERIC */
    const char *opcode;
    size_t opcode_length;
    unsigned address_count;
    uint64_t addresses[WS_SASS_LANES]; /* of the active lanes, lowest first */
    /* The constant text. The body runs from after the mask and its space to the address mode, or to the end of the line
     * if there are no addresses; the tail runs from after the addresses to the end of the line. Both ends of the line
     * include the '\n'. */
    const char *body, *body_end, *tail, *line_end;
    /* The values that a store writes, printed behind the immediate (STORE_DATA); they differ at each execution.
     * `stored` holds `stored_values` of them, one per active lane, lowest first. The one tracer that prints values
     * (qishao-chalmers/accel-sim-framework, 69a28e82, tracer_tool.cu and inject_funcs.cu) prints integers of one
     * register exactly; only those are taken. It derives the type from the opcode, so that ".32" and ".64" are rounded
     * to six digits as floating-point numbers; it prints one of the two or four registers of wide stores; and it leaves
     * the first of a pair undefined. */
    unsigned stored_values;
    uint64_t stored[WS_SASS_LANES];
    bool varies;    /* the text differs at each execution, besides mask and addresses */
    unsigned drops; /* WS_DROPS_ bits */
} ws_accelsim_line;

/* Parses the line at `at`, which ends in '\n'. */
bool ws_accelsim_parse_line(const char *at, ws_accelsim_columns columns, ws_accelsim_line *line,
                            ws_accelsim_fault *fault);

/* Parses the mode digit and the addresses behind it, in any of the three modes, and moves `*at` past the last address.
 * With an empty mask the dummy address is skipped and none is returned. Returns NULL, or what was expected at `*at`. */
const char *ws_accelsim_parse_addresses(const char **at, uint32_t mask, uint64_t *addresses);

#endif
