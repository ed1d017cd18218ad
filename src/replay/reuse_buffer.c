#include "replay/reuse_buffer.h"

#include <string.h>

uint32_t ws_reuse_pc_step(const ws_trace *trace, const ws_kernel *kernel) {
    if (strcmp(ws_trace_get_info(trace)->isa, "sass") != 0) return 1;
    return kernel->isa_version > 0 && kernel->isa_version < 70 ? 8 : 16;
}

uint32_t ws_reuse_access(ws_reuse_buffer *r, uint32_t pc, uint32_t opcode, const uint64_t *operands,
                         unsigned count) {
    uint64_t key = (uint64_t)opcode << WS_REUSE_PC_BITS | (pc & ((1u << WS_REUSE_PC_BITS) - 1));
    uint32_t depth = 0;
    while (depth < r->count && r->key[r->order[depth]] != key) depth++;
    bool found = depth < r->count;
    if (!found && r->count < r->size) {
        r->order[r->count] = (uint8_t)r->count;
        r->count++;
    } else if (!found) {
        depth--; /* replaces the least recently used entry */
    }
    uint8_t entry = r->order[depth];
    bool reused = found && r->operand_count[entry] == count &&
                  memcmp(r->operands[entry], operands, count * sizeof *operands) == 0;
    memmove(r->order + 1, r->order, depth);
    r->order[0] = entry;
    r->key[entry] = key;
    r->operand_count[entry] = (uint8_t)count;
    memcpy(r->operands[entry], operands, count * sizeof *operands);
    return reused ? depth + 1 : 0;
}
