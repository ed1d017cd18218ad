/* A naive twin of the scoreboard of XI 4.4.2: a list of all instructions in flight, gone through for every question. */
#ifndef WS_TESTS_NAIVE_ILP_H
#define WS_TESTS_NAIVE_ILP_H

#include "generate.h"
#include "mechanism/parts/ilp_scoreboard.h"

enum { NAIVE_ILP_MAX = 256 };

typedef struct naive_ilp_inst {
    bool in_flight, boarded, readable, complete;
    unsigned warp;
    uint64_t order;
    uint16_t dst[4];
    unsigned dst_count;
    enum ilp_kind kind;
    uint64_t mask;
} naive_ilp_inst;

typedef struct naive_ilp {
    unsigned size;
    uint64_t issued;
    naive_ilp_inst at[NAIVE_ILP_MAX];
} naive_ilp;

enum ilp_wait naive_ilp_wait(const naive_ilp *n, unsigned warp, const ilp_inst *inst);
/* Returns the instruction's place in the list. */
unsigned naive_ilp_issue(naive_ilp *n, unsigned warp, const ilp_inst *inst);
/* The place of an instruction in flight that is not complete, looked for from `start` on; NAIVE_ILP_MAX: none. */
unsigned naive_ilp_any(const naive_ilp *n, unsigned start);
/* The result of the instruction at that place can be read; `complete`: it has also been written. */
void naive_ilp_mark(naive_ilp *n, unsigned at, bool complete);
/* Removes the warp's oldest instruction in the board if it is complete; false if it is not, or there is none. */
bool naive_ilp_commit(naive_ilp *n, unsigned warp);
/* The number of entries in use: one for each destination, and at least one for each instruction. */
unsigned naive_ilp_used(const naive_ilp *n);

/* ---- a core with one scheduler (round robin) and one unit, of arithmetic and branches alone */

typedef struct naive_ilp_core {
    unsigned entries, latency, branch_latency, pipeline;
    bool bypasses, predicts; /* predicts: all branches correctly, else none */
} naive_ilp_core;

/* The number of cycles from the first, in which each warp's first instruction can issue, until all have completed and
 * committed. Takes 'i' and 'j' instructions of at most 8 warps; `warps` is NULL-terminated. */
uint64_t naive_ilp_run(const naive_ilp_core *core, const generate_inst *const *warps);

#endif
