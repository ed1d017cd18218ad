/* The static instructions of fuzzed blocks: memory accesses and others, with every possible number of operands. */
#ifndef WS_FUZZ_BLOCK_STATICS_H
#define WS_FUZZ_BLOCK_STATICS_H

#include "trace/wst/block.h"

enum { BLOCK_STATICS = 24 };

static inline void block_statics(ws_static statics[BLOCK_STATICS]) {
    memset(statics, 0, BLOCK_STATICS * sizeof *statics);
    for (uint32_t i = 0; i < BLOCK_STATICS; i++) {
        ws_static *s = &statics[i];
        s->pc = 8 * i;
        s->result_values = (uint8_t)(i % (WS_DST_MAX + 1));
        s->source_values = (uint8_t)(i % (WS_SRC_MAX + 1));
        if (i % 3) continue;
        s->class_ = WS_CLASS_MEM;
        s->op = WS_MEMORY_LOAD;
        s->space = WS_SPACE_GLOBAL;
        s->width_B = s->text_width_B = 4;
        s->index_count = (uint8_t)(i % (WS_INDEX_MAX + 1));
    }
}

#endif
