/* LRU stack distances, exactly: how many distinct blocks were touched since a block was touched last.
 *
 * Time is a bit vector with a one where a block was touched last, so a distance is the number of ones behind the
 * block's own. Ones are counted in three steps: within 512 positions, in the counts of the chunks of 512 up to the next
 * 32,768, and in the counts of those. When the vector is full its ones move together. */
#ifndef WS_ANALYSIS_STACK_H
#define WS_ANALYSIS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_STACK_NEW UINT32_MAX /* the distance of a block that was not touched before */

/* All zero is an empty stack. */
typedef struct ws_stack {
    uint64_t *ones;   /* per 64 positions */
    uint16_t *chunks; /* ones per 512 positions */
    uint32_t *spans;  /* ones per 64 chunks */
    uint32_t *owner;  /* per position: the block that was touched then */
    uint32_t room;    /* positions, a power of two from 512 */
    uint32_t now;     /* the next position */
    uint32_t live;    /* blocks */
} ws_stack;

void ws_stack_free(ws_stack *stack); /* leaves an empty stack */

/* Touches `count` blocks in turn and gives their distances. `position`: per block, its position + 1, 0 = not touched;
 * blocks of several stacks may share the array. False if out of memory. */
bool ws_stack_touch(ws_stack *stack, uint32_t *position, const uint32_t *block, size_t count,
                    uint32_t *distance);

/* Forgets all blocks; clears their positions. */
void ws_stack_clear(ws_stack *stack, uint32_t *position);

/* The implementations behind ws_stack_touch(), which takes the fastest that the processor has: with equal results. */
typedef bool ws_stack_touch_fn(ws_stack *stack, uint32_t *position, const uint32_t *block, size_t count,
                               uint32_t *distance);
ws_stack_touch_fn ws_stack_touch_portable;
ws_stack_touch_fn *ws_stack_touch_wide(void); /* AVX-512; NULL where the processor lacks it */

#endif
