/* Tokens (replay/tokens.h) of the warps of a stream of fidelity `order`. */
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

#endif
