/* The instruction reuse buffer of an SM (XI 2.4.3): fully associative, LRU. An entry is found by a partial pc and the
 * opcode, and holds the operands of the last execution of such an instruction; if it is found with other operands, it
 * takes the new ones. So the content of an entry does not depend on the buffer's size, and one LRU stack answers all
 * sizes at once. */
#ifndef WS_REPLAY_REUSE_BUFFER_H
#define WS_REPLAY_REUSE_BUFFER_H

#include "warpsweep/trace.h"

enum { WS_REUSE_MAX = 64 /* entries */, WS_REUSE_SOURCES = 3, WS_REUSE_PC_BITS = 10 };

typedef struct ws_reuse_buffer {
    uint32_t size, count;        /* the number of entries, at most WS_REUSE_MAX; of those in use */
    uint8_t order[WS_REUSE_MAX]; /* the LRU stack: entries in use, the one used last first */
    uint64_t key[WS_REUSE_MAX];
    uint8_t operand_count[WS_REUSE_MAX];
    uint64_t operands[WS_REUSE_MAX][WS_DST_MAX + WS_REUSE_SOURCES];
} ws_reuse_buffer;

/* The number of operands by which executions of an instruction are compared. They include results, because sources that
 * the trace does not list (special registers) show in them. */
static inline unsigned ws_reuse_operands(const ws_static *s) {
    return (unsigned)s->result_values + s->source_values;
}

/* True if all operands of an execution are known and the same in all lanes. `uniform`: as in ws_warp. */
static inline bool ws_operands_are_uniform(const ws_static *s, uint16_t uniform) {
    return ws_reuse_operands(s) > 0 && uniform == (1u << ws_reuse_operands(s)) - 1;
}

/* The distance between the pcs of consecutive instructions, by which a pc is divided for ws_reuse_access(). */
uint32_t ws_reuse_pc_step(const ws_trace *trace, const ws_kernel *kernel);

/* Looks up an execution with at most WS_REUSE_SOURCES sources, all operands uniform, and enters it; `pc` counts
 * instructions. Returns the smallest size with which a buffer would have its result; 0: not with buffer->size entries
 * either. buffer->size must not be 0. */
uint32_t ws_reuse_access(ws_reuse_buffer *buffer, uint32_t pc, uint32_t opcode, const uint64_t *operands,
                         unsigned count);

#endif
