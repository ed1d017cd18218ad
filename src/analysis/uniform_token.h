/* Which instructions are uniform, by following registers instead of values (XI 2.4.1): a token per register and warp
 * says that all lanes hold one value. Uniform are immediates, constants, kernel parameters, special registers of the
 * block, and what a load gives whose lanes all read one address; what is computed from uniform registers by a warp with
 * all lanes active. Everything that a trace does not tell counts as thread-dependent, so what is found is a lower
 * bound. */
#ifndef WS_ANALYSIS_UNIFORM_TOKEN_H
#define WS_ANALYSIS_UNIFORM_TOKEN_H

#include "warpsweep/replay.h"

typedef struct uniform_token uniform_token;

/* `trace` has registers and must outlive it. NULL: out of memory. */
uniform_token *uniform_token_new(const ws_trace *trace, uint32_t sms);
void uniform_token_free(uniform_token *t); /* accepts NULL */

/* Whether all registers that instruction `i` of the batch reads are uniform, and all lanes active. To be asked before
 * it is followed. */
bool uniform_token_sources(uniform_token *t, const ws_instructions *batch, size_t i);

/* Follows instruction `i` of the batch, whether it is issued or not: each warp's in order, with addresses. True when it
 * computes, with all lanes active, from uniform sources alone. */
bool uniform_token_step(uniform_token *t, const ws_instructions *batch, size_t i);

/* What is assumed of the trace's instruction set. */
const char *uniform_token_assumption(const ws_trace *trace);

/* Whether a trace gives the values of operands; some give only those that stores write. */
static inline bool uniform_has_values(const ws_trace *trace) {
    const ws_static *statics = ws_trace_statics(trace);
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        if (statics[i].op != WS_MEMORY_STORE && statics[i].result_values + statics[i].source_values > 0)
            return true;
    return false;
}

/* Whether an instruction's operations can be redundant: arithmetic and logic (XI 2.2: no branch, no memory access). */
static inline bool uniform_computes(const ws_static *s) {
    return s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP || s->class_ == WS_CLASS_SFU;
}

#endif
