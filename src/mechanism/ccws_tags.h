/* Victim tag arrays of cache-conscious wavefront scheduling without caches: for each warp slot, a small set-associative
 * array of the tags of lines that the warp brought into the L1 and that lost their way there to others. What the warp
 * misses and finds there it would have found in an L1 of its own. */
#ifndef WS_MECHANISM_CCWS_TAGS_H
#define WS_MECHANISM_CCWS_TAGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ccws_tags {
    uint32_t slots, sets, ways;
    uint8_t *count;  /* of each set of each slot: its tags, */
    uint64_t *lines; /* the oldest first */
} ccws_tags;

enum { CCWS_WAYS_MAX = 64 };

/* False if out of memory. */
bool ccws_tags_init(ccws_tags *tags, uint32_t slots, uint32_t sets, uint32_t ways);
void ccws_tags_free(ccws_tags *tags);

/* Notes a line that the slot's warp has lost; the oldest of a full set goes. Answers false where it is there: it keeps
 * its age. */
bool ccws_tags_insert(ccws_tags *tags, uint32_t slot, uint64_t line);
/* Whether the slot has the line; it stays. */
bool ccws_tags_find(const ccws_tags *tags, uint32_t slot, uint64_t line);
/* A line that is written leaves all slots: the L1 would not have it either. */
void ccws_tags_drop(ccws_tags *tags, uint64_t line);

/* Hardware cost in bits: what a set leaves of a line's address, of 48 bits in bytes, and whether there is one. `sets`
 * and `line_B` are powers of two. */
uint64_t ccws_tags_bits(uint64_t slots, uint64_t sets, uint64_t ways, uint64_t line_B);

#endif
