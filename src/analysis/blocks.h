/* Neighbourhoods of several sizes: which block of n bytes a fine block (a line, or the smallest neighbourhood) lies
 * in. Blocks of each size are numbered densely from 0, so that windows and stacks can index arrays. */
#ifndef WS_ANALYSIS_BLOCKS_H
#define WS_ANALYSIS_BLOCKS_H

#include "replay/lines.h"

enum { WS_BLOCKS_MAX = 64 };

/* All zero, but for `count` and `shift`, has not met any fine block. */
typedef struct ws_blocks {
    uint32_t count;                /* sizes */
    unsigned shift[WS_BLOCKS_MAX]; /* log2 of the fine blocks in one of that size */
    uint32_t *of[WS_BLOCKS_MAX];   /* per fine block: its block's number + 1, 0 = not met yet */
    ws_lines numbers[WS_BLOCKS_MAX];
    uint32_t room; /* of each array */
} ws_blocks;

void ws_blocks_free(ws_blocks *blocks);

/* Meets a fine block; `address` is its byte address divided by its size. False without memory. */
bool ws_blocks_meet(ws_blocks *blocks, uint32_t fine, uint64_t address);

static inline bool ws_blocks_know(const ws_blocks *blocks, uint32_t fine) {
    return fine < blocks->room && blocks->of[0][fine] != 0;
}

#endif
