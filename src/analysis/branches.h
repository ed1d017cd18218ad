/* Which branches diverge: whether the lanes of a branch go on at different instructions. Each lane's next instruction
 * tells, so order among warps is of no matter; a lane that executes nothing more tells nothing. */
#ifndef WS_ANALYSIS_BRANCHES_H
#define WS_ANALYSIS_BRANCHES_H

#include "warpsweep/trace.h"

/* Whether an instruction can send lanes elsewhere: of class branch, but none that only prepares or awaits reconvergence
 * (SASS: BSSY, SSY, SYNC ..). */
bool branches_can_jump(const ws_static *s, const char *opcode);

typedef struct branches branches;

/* For warps that run in `slots` slots, one after the other; counts the divergent executions of static instruction i in
 * divergent[i]. NULL without memory. */
branches *branches_new(uint32_t slots, uint64_t *divergent);
void branches_free(branches *b); /* accepts NULL */

/* The next instruction of `warp`, in `slot`; in program order. False without memory. */
bool branches_step(branches *b, uint32_t slot, uint32_t warp, uint32_t inst, uint32_t pc, uint64_t mask,
                   bool can_jump);

#endif
