/* What the branches of a launch do: where each may go, and which way each execution goes. Told from the trace alone, by
 * the instruction at which each lane goes on. */
#ifndef WS_REPLAY_BRANCHING_H
#define WS_REPLAY_BRANCHING_H

#include "warpsweep/trace.h"

/* Whether an instruction can send lanes elsewhere: of class branch, but none that only prepares or awaits reconvergence
 * (SASS: BSSY, SSY, SYNC ..). */
bool ws_can_jump(const ws_static *s, const char *opcode);

enum ws_branch_outcome {
    WS_BRANCH_NONE,      /* no instruction that can jump */
    WS_BRANCH_NOT_TAKEN, /* all lanes go on behind it */
    WS_BRANCH_TAKEN,     /* all lanes go on elsewhere */
    WS_BRANCH_DIVERGENT,
};

/* A static instruction that can jump. */
typedef struct ws_branch {
    bool jumps;       /* it is one */
    bool conditional; /* it names a register, or has gone different ways */
    bool backward;    /* some lanes have gone to where it is, or before */
    uint32_t number;  /* its pc, in units of the kernel's instructions */
} ws_branch;

typedef struct ws_branching ws_branching;

/* Of the first `ctas` CTAs of launch `kernel`, which are read for it once. In instruction sets other than llvm masks
 * lack the lanes whose guard predicate is false: a branch has the lanes that take it, and those that do not were active
 * on the straight way to it. NULL on errors. */
ws_branching *ws_branching_new(const ws_trace *trace, uint32_t kernel, uint32_t ctas, ws_error *err);
void ws_branching_free(ws_branching *branching); /* accepts NULL */

/* By static instruction. */
const ws_branch *ws_branching_of(const ws_branching *branching);

/* The outcome of each instruction of a warp of these CTAs (enum ws_branch_outcome) into `outcomes`. A branch behind
 * which its lanes execute nothing more is taken. */
void ws_branching_outcomes(const ws_branching *branching, const ws_warp *warp, uint8_t *outcomes);

#endif
