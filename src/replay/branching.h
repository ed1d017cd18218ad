/* What the branches of a launch do: where each may go, and which way each execution goes. This is inferred from the
 * trace alone, by the instruction at which each lane continues. */
#ifndef WS_REPLAY_BRANCHING_H
#define WS_REPLAY_BRANCHING_H

#include "warpsweep/trace.h"

/* True if an instruction can send lanes elsewhere: it is of class branch, but does not only prepare or await
 * reconvergence (SASS: BSSY, SSY, SYNC ..). */
bool ws_can_jump(const ws_static *s, const char *opcode);

enum ws_branch_outcome {
    WS_BRANCH_NONE,      /* the instruction cannot jump */
    WS_BRANCH_NOT_TAKEN, /* all lanes fall through */
    WS_BRANCH_TAKEN,     /* all lanes jump */
    WS_BRANCH_DIVERGENT, /* lanes go different ways */
};

/* What is known of a static instruction; if it cannot jump, only `jumps` and `number` have a meaning. */
typedef struct ws_branch {
    bool jumps; /* it can jump */
    /* it reads a register, or its lanes or executions have gone different ways; a call or a return, only if a predicate
     * has kept some of its lanes */
    bool conditional;
    bool backward;   /* some lanes have jumped to its own pc or a lower one */
    uint32_t number; /* its pc, counted in instructions */
} ws_branch;

typedef struct ws_branching ws_branching;

/* Learns the branches of the first `ctas` CTAs of launch `kernel`, which it reads once, with a reader of the trace.
 * NULL on errors. In instruction sets other than llvm, masks lack the lanes whose guard predicate is false: the mask of
 * a branch has the lanes that take it. The lanes that do not take it are inferred: they were active on the straight way
 * to it. */
ws_branching *ws_branching_new(const ws_trace *trace, ws_reader *reader, uint32_t kernel, uint32_t ctas,
                               ws_error *err);
void ws_branching_free(ws_branching *branching); /* accepts NULL */

/* Indexed by static instruction; owned by `branching`. */
const ws_branch *ws_branching_of(const ws_branching *branching);

/* Writes the outcome (enum ws_branch_outcome) of each instruction of a warp of these CTAs into `outcomes`. A branch
 * whose lanes execute nothing more after it counts as taken. */
void ws_branching_outcomes(const ws_branching *branching, const ws_warp *warp, uint8_t *outcomes);

#endif
