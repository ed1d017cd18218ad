/* Which branches diverge: whether the lanes of a warp that reach a branch continue at different instructions.
 *
 * Where masks are those of active lanes, each lane's next instruction tells; a lane that executes nothing more tells
 * nothing. Where tracers leave out lanes whose guard predicate is false (SASS), the mask of a branch has only the lanes
 * that take it. The others are inferred: they were active in the straight run of instructions that leads to the branch.
 * A run in which all instructions are predicated hides them. */
#ifndef WS_ANALYSIS_PARTS_BRANCHES_H
#define WS_ANALYSIS_PARTS_BRANCHES_H

#include "warpsweep/trace.h"

typedef struct branches branches;

/* Follows the warps of `slots` slots, one after the other in each, and counts the divergent executions of static
 * instruction i in divergent[i], which the caller owns. `predicated`: masks lack lanes whose predicate is false. NULL
 * if out of memory. */
branches *branches_new(uint32_t slots, bool predicated, uint64_t *divergent);
void branches_free(branches *b); /* accepts NULL */

/* Takes the next instruction of `warp`, in `slot`; to be called in program order. False if out of memory. */
bool branches_step(branches *b, uint32_t slot, uint32_t warp, uint32_t inst, const ws_static *s,
                   uint64_t mask, bool can_jump);

#endif
