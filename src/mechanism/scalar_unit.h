/* What an SM knows of its vector registers: which hold one value in all lanes, and keep it in one place: in a lane of
 * their own (token design, XI 2.4.1), or in a register of the scalar register file (XI 2.4.2). With it, the SM's
 * instruction reuse buffer. */
#ifndef WS_MECHANISM_SCALAR_UNIT_H
#define WS_MECHANISM_SCALAR_UNIT_H

#include "mechanism/scalar_live.h"
#include "replay/reuse_buffer.h"
#include "replay/tokens.h"
#include "timed/stream.h"

enum { SCALAR_WARPS = 64 };

enum scalar_copy {
    SCALAR_COPY_SOURCE, /* before a divergent write to a uniform register that it reads, too: XI 2.4.1's words */
    SCALAR_COPY_ANY,    /* before every divergent write to a uniform register */
};

/* What becomes of an instruction. */
enum scalar_how {
    SCALAR_VECTOR,
    SCALAR_CONVERTED, /* it executes as a scalar one */
    SCALAR_REUSED,    /* it does not execute */
};

typedef struct scalar_options {
    uint32_t registers;   /* of the scalar register file; UINT32_MAX: any number (token design) */
    bool converts;        /* uniform instructions execute as scalar ones */
    uint32_t irb_entries; /* 0: no instruction reuse buffer */
    enum scalar_copy copy;
    uint32_t pc_step;
} scalar_options;

typedef struct scalar_counts {
    uint64_t uniform, converted, reused, unplaced, lookups, copies, peak;
    scalar_live live;
} scalar_counts;

typedef struct scalar_warp {
    ws_token_warp tokens;
    uint64_t *stored;           /* a bit per register: its value is kept once */
    scalar_register *registers; /* per register */
    const ws_flow *flow;        /* its next instruction */
    const uint64_t *values;
} scalar_warp;

typedef struct scalar_unit {
    const ws_tokens *tokens;
    const ws_static *statics;
    scalar_options options;
    uint32_t used; /* registers whose value is kept once */
    ws_reuse_buffer irb;
    scalar_warp warps[SCALAR_WARPS];
    uint64_t *bits; /* of all warps */
    scalar_register *registers;
    scalar_counts counts;
} scalar_unit;

/* `tokens` and `statics` must outlive the unit. */
bool scalar_unit_init(scalar_unit *unit, const ws_tokens *tokens, const ws_static *statics,
                      const scalar_options *options);
void scalar_unit_free(scalar_unit *unit);

/* A warp has come to the slot, and executes this; it has ended. */
void scalar_unit_start(scalar_unit *unit, unsigned warp, const ws_flow *flow, const uint64_t *values);
void scalar_unit_end(scalar_unit *unit, unsigned warp);
/* Whether a copy to all lanes goes before the warp's next instruction; then it has been done. */
bool scalar_unit_copies(scalar_unit *unit, unsigned warp, uint64_t now);
/* The warp issues its next instruction. */
enum scalar_how scalar_unit_issue(scalar_unit *unit, unsigned warp, uint64_t now);

/* ---- hardware cost in bits, of an SM with so many 32-bit registers (XI 2.4.1, 2.5) */

uint64_t scalar_token_bits(uint64_t registers);
uint64_t scalar_file_bits(uint64_t entries);
uint64_t scalar_rename_bits(uint64_t registers, uint64_t entries);
uint64_t scalar_irb_bits(uint64_t entries);

#endif
