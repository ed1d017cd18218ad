/* Traces of a few instructions that all warps execute alike, for tests of uniform-vector execution. */
#ifndef WS_TESTS_SCALAR_PROGRAM_H
#define WS_TESTS_SCALAR_PROGRAM_H

#include "warpsweep/trace.h"

/* Registers are numbers from 1 (0: none). */
typedef struct scalar_op {
    const char *opcode; /* SASS: IADD3, S2R (thread-dependent), LDG (all lanes read one address), MUFU, .. */
    uint16_t dst, a, b, c, d;
    bool divergent; /* half of the lanes are active */
    uint64_t value; /* of each of its operands */
    uint32_t again; /* if not 0: another execution of the op with this number, from 1 */
} scalar_op;

/* Makes a trace of one CTA of `warps` warps; an op without opcode ends the list. The caller closes the trace. */
ws_trace *scalar_program(const scalar_op *ops, uint32_t warps);
/* One in which each warp writes SCALAR_COPIES uniform registers, and then, with some of its lanes, special functions of
 * them back to them: before each of these the value has to be copied to all lanes, by an integer unit. */
enum { SCALAR_COPIES = 20 };
ws_trace *scalar_copies_program(uint32_t warps);

#endif
