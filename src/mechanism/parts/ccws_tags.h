/* Victim tag arrays of cache-conscious wavefront scheduling (CCWS) without caches. Each warp slot has a small
 * set-associative array with the tags of lines that the warp brought into the L1 and that were evicted. If the warp
 * misses a line and finds it there, an L1 of its own would have kept it. */
#ifndef WS_MECHANISM_PARTS_CCWS_TAGS_H
#define WS_MECHANISM_PARTS_CCWS_TAGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ccws_tags {
    uint32_t slots, sets, ways;
    uint8_t *count;  /* per slot and set: the number of tags in it */
    uint64_t *lines; /* per slot and set: `ways` places, the oldest tag first */
} ccws_tags;

enum { CCWS_WAYS_MAX = 64 };

/* False if out of memory. */
bool ccws_tags_init(ccws_tags *tags, uint32_t slots, uint32_t sets, uint32_t ways);
void ccws_tags_free(ccws_tags *tags);

/* Enters a line that the slot's warp has lost, in place of the oldest one if its set is full. Returns false if the line
 * is there already; it then keeps its age. */
bool ccws_tags_insert(ccws_tags *tags, uint32_t slot, uint64_t line);
/* True if the slot's array holds the line, which stays there. */
bool ccws_tags_find(const ccws_tags *tags, uint32_t slot, uint64_t line);
/* Removes a line that has been written from all arrays: an L1 of the warp's own would not have kept it either. */
void ccws_tags_drop(ccws_tags *tags, uint64_t line);

/* Hardware cost in bits: per entry a valid bit and the part of a 48-bit byte address above the line offset and the set
 * index. `sets` and `line_B` are powers of two. */
uint64_t ccws_tags_bits(uint64_t slots, uint64_t sets, uint64_t ways, uint64_t line_B);

#endif
