/* What an SM knows of its vector registers: which hold one value in all lanes, and keep it in one place (XI 2.4.1). */
#ifndef WS_MECHANISM_SCALAR_UNIT_H
#define WS_MECHANISM_SCALAR_UNIT_H

#include "replay/tokens.h"
#include "timed/stream.h"

enum { SCALAR_WARPS = 64 };

enum scalar_copy {
    SCALAR_COPY_SOURCE, /* before a divergent write to a uniform register that it reads, too: XI 2.4.1's words */
    SCALAR_COPY_ANY,    /* before every divergent write to a uniform register */
};

typedef struct scalar_warp {
    ws_token_warp tokens;
    uint64_t *stored;    /* a bit per register: its value is kept once */
    const ws_flow *flow; /* its next instruction */
} scalar_warp;

typedef struct scalar_unit {
    const ws_tokens *tokens;
    const ws_static *statics;
    enum scalar_copy copy;
    scalar_warp warps[SCALAR_WARPS];
    uint64_t *bits; /* of all warps */
} scalar_unit;

/* `tokens` and `statics` must outlive the unit. */
bool scalar_unit_init(scalar_unit *unit, const ws_tokens *tokens, const ws_static *statics,
                      enum scalar_copy copy);
void scalar_unit_free(scalar_unit *unit);

/* A warp has come to the slot. */
void scalar_unit_start(scalar_unit *unit, unsigned warp, const ws_flow *flow);
/* Whether a copy to all lanes goes before the warp's next instruction; then it has been done. */
bool scalar_unit_copies(scalar_unit *unit, unsigned warp);
/* The warp issues its next instruction: whether it executes as a scalar one. */
bool scalar_unit_issue(scalar_unit *unit, unsigned warp);

#endif
