/* What an SM knows of its vector registers: which of them hold one value in all lanes, by a bit of their own (token
 * design, XI 2.4.1) or because they have a place in the scalar register file (XI 2.4.2), and which of these keep it in
 * a single place, a lane or that file. Also the SM's instruction reuse buffer. scalar.c connects it to the core.
 *
 * A uniform result takes a free scalar register, unless its vector register has one already: then it keeps that one,
 * even if none is free. XI 2.4.2 has each uniform result take one from the free list, but says only of regular
 * instructions that they give the former one back. Had it to find a free one first, results would differ only while the
 * file is full: with the published 128 registers kmeans, which fills them, would gain 0.6 % and not 2.3 %. */
#ifndef WS_MECHANISM_PARTS_SCALAR_UNIT_H
#define WS_MECHANISM_PARTS_SCALAR_UNIT_H

#include "mechanism/parts/scalar_live.h"
#include "replay/reuse_buffer.h"
#include "replay/tokens.h"
#include "timed/launch/stream.h"

enum { SCALAR_WARPS = 64 };

enum scalar_copy {
    SCALAR_COPY_SOURCE, /* before a write by some lanes to a uniform register that it also reads (XI 2.4.1) */
    SCALAR_COPY_ANY,    /* before any write by some lanes to a uniform register */
};

/* How an instruction executes. */
enum scalar_how {
    SCALAR_VECTOR,
    SCALAR_CONVERTED, /* as a scalar one */
    SCALAR_REUSED,    /* not at all: the reuse buffer has its result */
};

typedef struct scalar_options {
    uint32_t registers;   /* size of the scalar register file; UINT32_MAX: unlimited (token design) */
    bool converts;        /* uniform instructions execute as scalar ones */
    uint32_t irb_entries; /* 0: no instruction reuse buffer */
    enum scalar_copy copy;
    uint32_t pc_step;
} scalar_options;

typedef struct scalar_counts {
    uint64_t uniform, converted, reused, unplaced, lookups, copies, peak, spared_reads;
    scalar_live live;
} scalar_counts;

typedef struct scalar_warp {
    ws_token_warp tokens;
    uint64_t *known;  /* a bit per register: it is known to be uniform, and has its place */
    uint64_t *single; /* of these, the registers whose value is in that place alone, not in all lanes */
    scalar_register *registers; /* per register */
    const ws_flow *flow;        /* the warp's next instruction, issued or not */
    const uint64_t *values;     /* of operands, as in ws_timed_warp */
} scalar_warp;

typedef struct scalar_unit {
    const ws_tokens *tokens;
    const ws_static *statics;
    scalar_options options;
    uint32_t used; /* the number of `known` registers of all warps */
    ws_reuse_buffer irb;
    scalar_warp warps[SCALAR_WARPS];
    uint64_t *bits; /* memory for the bit sets of all warps; `registers` likewise */
    scalar_register *registers;
    scalar_counts counts;
} scalar_unit;

/* False if out of memory; call scalar_unit_free() even then. `tokens` and `statics` must outlive the unit. */
bool scalar_unit_init(scalar_unit *unit, const ws_tokens *tokens, const ws_static *statics,
                      const scalar_options *options);
void scalar_unit_free(scalar_unit *unit);

/* A warp has come to slot `warp`, and will execute `flow`; the slot's warp has ended. */
void scalar_unit_start(scalar_unit *unit, unsigned warp, const ws_flow *flow, const uint64_t *values);
void scalar_unit_end(scalar_unit *unit, unsigned warp);
/* Returns whether an instruction that copies a value to all lanes must issue before the warp's next instruction; it
 * issues. */
bool scalar_unit_copies(scalar_unit *unit, unsigned warp, uint64_t now);
void scalar_unit_copy(scalar_unit *unit, unsigned warp, uint64_t now);
/* The warp issues its next instruction, with that many active lanes. */
enum scalar_how scalar_unit_issue(scalar_unit *unit, unsigned warp, uint32_t lanes, uint64_t now);

/* ---- hardware cost in bits (XI 2.4.1, 2.4.4, 2.5); registers: the number of 32-bit registers of the SM */

uint64_t scalar_token_bits(uint64_t registers);
uint64_t scalar_file_bits(uint64_t entries);
uint64_t scalar_rename_bits(uint64_t registers, uint64_t entries);
uint64_t scalar_irb_bits(uint64_t entries, bool parity);

#endif
