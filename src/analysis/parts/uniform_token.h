/* Follows tokens (replay/tokens.h) for all warps in a replay of fidelity `order`. */
#ifndef WS_ANALYSIS_PARTS_UNIFORM_TOKEN_H
#define WS_ANALYSIS_PARTS_UNIFORM_TOKEN_H

#include "warpsweep/replay.h"

typedef struct uniform_token uniform_token;

/* `trace` must have registers, and outlive the result. NULL if out of memory. */
uniform_token *uniform_token_new(const ws_trace *trace, uint32_t sms);
void uniform_token_free(uniform_token *t); /* accepts NULL */

/* For tests: true if all registers that instruction `i` of the batch reads are uniform, and all lanes are active. To be
 * called before uniform_token_step() for that instruction. */
bool uniform_token_sources(uniform_token *t, const ws_instructions *batch, size_t i);

/* Follows instruction `i` of the batch. To be called for all instructions, in order, issued or not; the batch must have
 * addresses. Returns true if the instruction computes, with all lanes active, from uniform sources only. */
bool uniform_token_step(uniform_token *t, const ws_instructions *batch, size_t i);

#endif
