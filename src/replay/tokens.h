/* Which instructions are uniform, found by following registers instead of values (XI 2.4.1): a token per register and
 * warp says that all lanes hold one value in it. Uniform are immediates, constants, kernel parameters and special
 * registers of the block; what a load returns whose lanes all read one address; and what a warp with all lanes active
 * computes from uniform registers. Everything that a trace does not tell counts as thread-dependent, so the result is a
 * lower bound. */
#ifndef WS_REPLAY_TOKENS_H
#define WS_REPLAY_TOKENS_H

#include "warpsweep/trace.h"

/* What each static instruction of a trace does to tokens. Immutable. */
typedef struct ws_tokens ws_tokens;

/* The tokens of a warp; its owner provides ws_tokens_words() words. */
typedef struct ws_token_warp {
    uint64_t *uniform;        /* a bit per register, by its number in the trace */
    bool after_branch_of_all; /* its last instruction, merges aside, was a branch with all lanes active */
} ws_token_warp;

/* One execution of an instruction. */
typedef struct ws_token_inst {
    uint32_t inst;    /* static instruction */
    bool all_lanes;   /* all lanes are active */
    bool no_lane;     /* none is: it writes nothing */
    bool one_address; /* of a memory instruction: its active lanes have the same address */
} ws_token_inst;

typedef struct ws_token_effect {
    bool result;   /* its destinations are uniform */
    bool computes; /* it is arithmetic or logic on uniform sources only: all lanes do the same work */
} ws_token_effect;

/* `trace` must have registers, and outlive the result. NULL if out of memory. */
ws_tokens *ws_tokens_new(const ws_trace *trace);
void ws_tokens_free(ws_tokens *tokens);          /* accepts NULL */
size_t ws_tokens_words(const ws_tokens *tokens); /* the length of ws_token_warp.uniform */

/* Sets the tokens of a warp that has executed nothing yet. */
void ws_tokens_begin(const ws_tokens *tokens, ws_token_warp *warp);
/* To be called in this order for each instruction of the warp, those that are not issued included. ws_tokens_look()
 * returns what the instruction would do to the tokens; ws_tokens_write() does it. `uniform`: its destinations are
 * uniform, which may be false although ws_tokens_look() returned true. */
ws_token_effect ws_tokens_look(const ws_tokens *tokens, const ws_token_warp *warp, const ws_token_inst *inst);
void ws_tokens_write(const ws_tokens *tokens, ws_token_warp *warp, const ws_token_inst *inst, bool uniform);

/* True if all registers that the instruction reads are uniform. */
bool ws_tokens_sources(const ws_tokens *tokens, const ws_token_warp *warp, uint32_t inst);
/* List the registers that an instruction reads, or that its execution writes, and return their number. */
enum { WS_TOKEN_SOURCES = 2 * WS_SRC_MAX };
unsigned ws_tokens_read(const ws_tokens *tokens, uint32_t inst, uint32_t regs[WS_TOKEN_SOURCES]);
enum { WS_TOKEN_DESTINATIONS = 64 * WS_DST_MAX };
unsigned ws_tokens_written(const ws_tokens *tokens, const ws_token_inst *inst,
                           uint32_t regs[WS_TOKEN_DESTINATIONS]);

/* What is assumed of the trace's instruction set, in words, for a result's notes. */
const char *ws_tokens_assumption(const ws_trace *trace);

/* True if a trace has operand values for more than stores; some traces only have the values that stores write. */
static inline bool ws_has_operand_values(const ws_trace *trace) {
    const ws_static *statics = ws_trace_statics(trace);
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        if (statics[i].op != WS_MEMORY_STORE && statics[i].result_values + statics[i].source_values > 0)
            return true;
    return false;
}

/* True if an instruction's operations can be redundant: arithmetic and logic, no branch, no memory access (XI 2.2). */
static inline bool ws_computes(const ws_static *s) {
    return s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP || s->class_ == WS_CLASS_SFU;
}

#endif
