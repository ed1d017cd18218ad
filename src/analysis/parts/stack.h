/* Exact LRU stack distances: how many distinct blocks were touched since the same block was last touched.
 *
 * Time is a bit vector with a one at each position where some block was last touched, so a distance is the number of
 * ones behind the block's own. Ones are counted in three steps: one by one up to the end of the chunk of 512 positions,
 * by the counts of chunks up to the end of the span of 64 chunks (32,768 positions), and by the counts of the spans
 * after it. When the vector is full, its ones are moved together. */
#ifndef WS_ANALYSIS_PARTS_STACK_H
#define WS_ANALYSIS_PARTS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_STACK_NEW UINT32_MAX /* the distance of a block that was not touched before */

/* All zero is an empty stack. */
typedef struct ws_stack {
    uint64_t *ones;   /* the bit vector, 64 positions to a word; what follows lies behind it in memory */
    uint16_t *chunks; /* per 512 positions: the number of ones */
    uint32_t *spans;  /* per 64 chunks: the number of ones */
    uint32_t *owner;  /* per position: the block that was touched there */
    uint32_t room;    /* the number of positions: a power of two, at least 64 */
    uint32_t now;     /* the next position to be taken */
    uint32_t live;    /* the number of blocks, which is that of ones */
} ws_stack;

void ws_stack_free(ws_stack *stack); /* leaves an empty stack */

/* Touches `count` blocks in turn and gives their distances. `position`: per block, its position + 1, 0 = not touched;
 * several stacks may share the array for different blocks. False if out of memory. */
bool ws_stack_touch(ws_stack *stack, uint32_t *position, const uint32_t *block, size_t count,
                    uint32_t *distance);

/* Forgets all blocks, and sets their entries in `position` to 0. */
void ws_stack_clear(ws_stack *stack, uint32_t *position);

/* The implementations behind ws_stack_touch(), which takes the fastest one that the processor can run. Their results
 * are equal. */
typedef bool ws_stack_touch_fn(ws_stack *stack, uint32_t *position, const uint32_t *block, size_t count,
                               uint32_t *distance);
ws_stack_touch_fn ws_stack_touch_portable;
ws_stack_touch_fn *ws_stack_touch_wide(void); /* AVX-512; NULL where the processor lacks it */

#endif
