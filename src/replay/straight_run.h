/* Which lanes may be active although a mask lacks them. In instruction sets other than llvm a mask has no lanes whose
 * guard predicate is false, so these lanes are inferred: they were active on the straight way to the instruction. */
#ifndef WS_REPLAY_STRAIGHT_RUN_H
#define WS_REPLAY_STRAIGHT_RUN_H

#include "warpsweep/trace.h"

enum { WS_STRAIGHT_STEP_MAX = 16 }; /* SASS: 8 or 16 bytes to the next instruction */

/* Instructions of a warp that follow each other without a jump; all 0 before the warp's first. */
typedef struct ws_straight_run {
    uint64_t lanes; /* lanes that were active somewhere in the run and may still be */
    uint32_t pc;    /* of its last instruction */
} ws_straight_run;

/* Extends the run by an instruction, or begins a new run with it. Returns the lanes that may be active there although
 * its mask lacks them. A jump ends the run, an exit ends the lanes of its mask. */
static inline uint64_t ws_straight_run_step(ws_straight_run *r, const ws_static *s, uint64_t mask,
                                            bool jumps) {
    bool straight = s->pc > r->pc && s->pc - r->pc <= WS_STRAIGHT_STEP_MAX;
    r->lanes = (straight ? r->lanes : 0) | mask;
    r->pc = s->pc;
    uint64_t others = r->lanes & ~mask;
    if (s->class_ == WS_CLASS_EXIT) r->lanes = others;
    if (jumps) r->lanes = 0;
    return others;
}

#endif
