/* Which instructions are uniform, by following registers instead of values (XI 2.4.1): a token per register and warp
 * says that all lanes hold one value. Uniform are immediates, constants, kernel parameters, special registers of the
 * block, and what a load gives whose lanes all read one address; what is computed from uniform registers by a warp with
 * all lanes active. Everything that a trace does not tell counts as thread-dependent, so what is found is a lower
 * bound. */
#ifndef WS_REPLAY_TOKENS_H
#define WS_REPLAY_TOKENS_H

#include "warpsweep/trace.h"

/* What each static instruction of a trace does to tokens. Immutable. */
typedef struct ws_tokens ws_tokens;

/* The tokens of a warp; its owner provides ws_tokens_words() words. */
typedef struct ws_token_warp {
    uint64_t *uniform;        /* a bit per register, by its number in the trace */
    bool after_branch_of_all; /* its last instruction but merges is a branch with all lanes active */
} ws_token_warp;

/* One execution of an instruction. */
typedef struct ws_token_inst {
    uint32_t inst;    /* static instruction */
    bool all_lanes;   /* are active */
    bool one_address; /* of a memory instruction: its active lanes name one */
} ws_token_inst;

typedef struct ws_token_effect {
    bool result;   /* its destinations are uniform */
    bool computes; /* arithmetic or logic from uniform sources alone: lanes do the same work */
} ws_token_effect;

/* `trace` has registers and must outlive it. NULL: out of memory. */
ws_tokens *ws_tokens_new(const ws_trace *trace);
void ws_tokens_free(ws_tokens *tokens); /* accepts NULL */
size_t ws_tokens_words(const ws_tokens *tokens);

/* The warp has executed nothing yet. */
void ws_tokens_begin(const ws_tokens *tokens, ws_token_warp *warp);
/* Each instruction of the warp, those that are not issued as well: what it would do; then what it has done, where
 * `uniform` may be false although it could be true. */
ws_token_effect ws_tokens_look(const ws_tokens *tokens, const ws_token_warp *warp, const ws_token_inst *inst);
void ws_tokens_write(const ws_tokens *tokens, ws_token_warp *warp, const ws_token_inst *inst, bool uniform);

/* Whether all registers that the instruction reads are uniform. */
bool ws_tokens_sources(const ws_tokens *tokens, const ws_token_warp *warp, uint32_t inst);
/* The registers that it reads, and that it writes; their number. */
enum { WS_TOKEN_SOURCES = 2 * WS_SRC_MAX };
unsigned ws_tokens_read(const ws_tokens *tokens, uint32_t inst, uint32_t regs[WS_TOKEN_SOURCES]);
enum { WS_TOKEN_DESTINATIONS = 64 * WS_DST_MAX };
unsigned ws_tokens_written(const ws_tokens *tokens, uint32_t inst, uint32_t regs[WS_TOKEN_DESTINATIONS]);

/* What is assumed of the trace's instruction set. */
const char *ws_tokens_assumption(const ws_trace *trace);

/* Whether a trace gives the values of operands; some give only those that stores write. */
static inline bool ws_has_operand_values(const ws_trace *trace) {
    const ws_static *statics = ws_trace_statics(trace);
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        if (statics[i].op != WS_MEMORY_STORE && statics[i].result_values + statics[i].source_values > 0)
            return true;
    return false;
}

/* Whether an instruction's operations can be redundant: arithmetic and logic (XI 2.2: no branch, no memory access). */
static inline bool ws_computes(const ws_static *s) {
    return s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP || s->class_ == WS_CLASS_SFU;
}

#endif
