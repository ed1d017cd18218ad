/* The instruction reuse buffer of an SM (XI 2.4.3): fully associative, LRU; an entry is found by a partial pc and the
 * opcode, and holds the operands of the last such instruction. An entry that is found with other operands takes the new
 * ones. So what an entry holds does not depend on the buffer's size, and one LRU stack answers all sizes at once. */
#ifndef WS_ANALYSIS_UNIFORM_REUSE_H
#define WS_ANALYSIS_UNIFORM_REUSE_H

#include "warpsweep/trace.h"

enum { UNIFORM_REUSE_MAX = 64 /* entries */, UNIFORM_REUSE_SOURCES = 3, UNIFORM_REUSE_PC_BITS = 10 };

typedef struct uniform_reuse {
    uint32_t count;
    uint8_t order[UNIFORM_REUSE_MAX]; /* entries, the one used last first */
    uint64_t key[UNIFORM_REUSE_MAX];
    uint8_t operand_count[UNIFORM_REUSE_MAX];
    uint64_t operands[UNIFORM_REUSE_MAX][WS_DST_MAX + UNIFORM_REUSE_SOURCES];
} uniform_reuse;

/* An instruction goes through the buffer. The number of entries from which on it skips execution; 0: no number of
 * entries lets it. */
uint32_t uniform_reuse_access(uniform_reuse *r, uint32_t pc, uint32_t opcode, const uint64_t *operands,
                              unsigned count);

#endif
