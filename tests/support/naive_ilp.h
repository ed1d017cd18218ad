/* The scoreboard of XI 4.4.2 as a list of all instructions in flight; every question goes through the list. */
#ifndef WS_TESTS_NAIVE_ILP_H
#define WS_TESTS_NAIVE_ILP_H

#include "generate.h"
#include "mechanism/ilp_scoreboard.h"

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
/* Answers where it is kept. */
unsigned naive_ilp_issue(naive_ilp *n, unsigned warp, const ilp_inst *inst);
/* Some instruction in flight that is not complete, from `start` on; NAIVE_ILP_MAX: none. */
unsigned naive_ilp_any(const naive_ilp *n, unsigned start);
void naive_ilp_mark(naive_ilp *n, unsigned at, bool complete);
bool naive_ilp_commit(naive_ilp *n, unsigned warp);
unsigned naive_ilp_used(const naive_ilp *n);

/* ---- a core with one scheduler (round robin) and one unit, of arithmetic and branches alone */

typedef struct naive_ilp_core {
    unsigned entries, latency, branch_latency, pipeline;
    bool bypasses, predicts; /* every branch rightly, or none */
} naive_ilp_core;

/* Cycles from the first instruction that could issue until all have completed and committed; 'i' and 'j' instructions,
 * at most 8 warps. Each warp's first instruction can issue in the first cycle. NULL-terminated. */
uint64_t naive_ilp_run(const naive_ilp_core *core, const generate_inst *const *warps);

#endif
