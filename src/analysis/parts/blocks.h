/* Neighbourhoods of several sizes: numbers for the block of n bytes that a fine block (a line, or the smallest
 * neighbourhood) lies in, for the analysis `locality`.
 *
 * Sizes that are at most 64 times apart share a tier, which numbers fine blocks once for all of them. Regions of its
 * largest size are numbered in the order in which they are first met; the number of a block is the region's number and
 * the block's place in the region. For a larger size of the tier it is shifted right. Where regions are touched in
 * part, the numbers of a tier are not dense, but there are at most 64 times as many as blocks. */
#ifndef WS_ANALYSIS_PARTS_BLOCKS_H
#define WS_ANALYSIS_PARTS_BLOCKS_H

#include "replay/lines.h"

enum { WS_BLOCKS_MAX = 64, WS_BLOCKS_TIERS_MAX = 10 };

typedef struct ws_block_tier {
    unsigned base, top; /* log2 of the fine blocks in one block of its smallest size; in one region */
    ws_lines regions;
    uint32_t *number; /* per fine block: the number of its block of the smallest size */
} ws_block_tier;

/* All zero: no blocks. */
typedef struct ws_blocks {
    uint8_t tier_of[WS_BLOCKS_MAX],
        shift[WS_BLOCKS_MAX];       /* per size: its tier, and by how much the tier's numbers are shifted */
    uint32_t tier_count, met, room; /* met: fine blocks numbered so far; room: for how many there is memory */
    ws_block_tier tier[WS_BLOCKS_TIERS_MAX];
} ws_blocks;

/* `ratios`: per size, log2 of the fine blocks in one block, below WS_BLOCKS_MAX. */
void ws_blocks_init(ws_blocks *blocks, const unsigned *ratios, uint32_t count);
void ws_blocks_free(ws_blocks *blocks); /* leaves all zero */

/* Adds the next fine block, which gets number `met`; `address` is its byte address divided by its size. False if out of
 * memory. */
bool ws_blocks_meet(ws_blocks *blocks, uint64_t address);

#endif
