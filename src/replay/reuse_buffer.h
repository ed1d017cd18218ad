/* The instruction reuse buffer of an SM (XI 2.4.3): fully associative, LRU; an entry is found by a partial pc and the
 * opcode, and holds the operands of the last such instruction. An entry that is found with other operands takes the new
 * ones. So what an entry holds does not depend on the buffer's size, and one LRU stack answers all sizes at once. */
#ifndef WS_REPLAY_REUSE_BUFFER_H
#define WS_REPLAY_REUSE_BUFFER_H

#include "warpsweep/trace.h"

enum { WS_REUSE_MAX = 64 /* entries */, WS_REUSE_SOURCES = 3, WS_REUSE_PC_BITS = 10 };

typedef struct ws_reuse_buffer {
    uint32_t size, count;        /* entries that it has, at most WS_REUSE_MAX; that are in use */
    uint8_t order[WS_REUSE_MAX]; /* entries, the one used last first */
    uint64_t key[WS_REUSE_MAX];
    uint8_t operand_count[WS_REUSE_MAX];
    uint64_t operands[WS_REUSE_MAX][WS_DST_MAX + WS_REUSE_SOURCES];
} ws_reuse_buffer;

/* How many operands an instruction is compared by. Results count as well, because sources that the trace does not list
 * (special registers) show in them. */
static inline unsigned ws_reuse_operands(const ws_static *s) {
    return (unsigned)s->result_values + s->source_values;
}

/* Whether all operands of an execution are the same in all lanes, and known. `uniform` as in ws_warp. */
static inline bool ws_operands_are_uniform(const ws_static *s, uint16_t uniform) {
    return ws_reuse_operands(s) > 0 && uniform == (1u << ws_reuse_operands(s)) - 1;
}

/* The distance between pcs of consecutive instructions; the partial pc counts instructions. */
uint32_t ws_reuse_pc_step(const ws_trace *trace, const ws_kernel *kernel);

/* Passes an execution with at most WS_REUSE_SOURCES sources, whose operands are uniform, through the buffer; `pc`
 * counts instructions. Returns the smallest number of entries with which a buffer would have its result; 0: with
 * none. */
uint32_t ws_reuse_access(ws_reuse_buffer *buffer, uint32_t pc, uint32_t opcode, const uint64_t *operands,
                         unsigned count);

#endif
