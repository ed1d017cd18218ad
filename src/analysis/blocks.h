/* Neighbourhoods of several sizes: which block of n bytes a fine block (a line, or the smallest neighbourhood) lies in.
 *
 * Sizes that are at most 64 times apart make a tier, which numbers fine blocks once for all of them: regions of its
 * largest size are numbered as they are first met, so a block's number is that of a fine block within it, shifted. The
 * numbers of a tier are not dense where regions are touched in part, but no more than 64 times as many as blocks. */
#ifndef WS_ANALYSIS_BLOCKS_H
#define WS_ANALYSIS_BLOCKS_H

#include "replay/lines.h"

enum { WS_BLOCKS_MAX = 64, WS_BLOCKS_TIERS_MAX = 10 };

typedef struct ws_block_tier {
    unsigned base, top; /* its blocks and regions: log2 of the fine blocks in one */
    ws_lines regions;
    uint32_t *number; /* per fine block */
} ws_block_tier;

/* All zero is none. */
typedef struct ws_blocks {
    uint8_t tier_of[WS_BLOCKS_MAX],
        shift[WS_BLOCKS_MAX];       /* per size: its tier, and the shift of that one's numbers */
    uint32_t tier_count, met, room; /* met, room: fine blocks */
    ws_block_tier tier[WS_BLOCKS_TIERS_MAX];
} ws_blocks;

/* `ratios`: log2 of the fine blocks in one of each size, below WS_BLOCKS_MAX. */
void ws_blocks_init(ws_blocks *blocks, const unsigned *ratios, uint32_t count);
void ws_blocks_free(ws_blocks *blocks); /* leaves none */

/* Meets the next fine block, number `met`; `address` is its byte address divided by its size. False if out of
 * memory. */
bool ws_blocks_meet(ws_blocks *blocks, uint64_t address);

#endif
