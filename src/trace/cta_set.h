/* Which CTAs of a launch have come. Memory follows those that have, not the grid: a hash table whose entries stand for
 * 64 neighbours each. */
#ifndef WS_TRACE_CTA_SET_H
#define WS_TRACE_CTA_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_cta_word {
    uint64_t number; /* of these 64 CTAs, from 1; 0: a free slot */
    uint64_t bits;
} ws_cta_word;

/* All zero is an empty set. */
typedef struct ws_cta_set {
    ws_cta_word *slots;
    size_t slot_count, used; /* a power of two, or 0; of these slots, at most half */
} ws_cta_set;

void ws_cta_set_free(ws_cta_set *set); /* leaves an empty set */

/* Puts in CTA `linear`; `*again` tells whether it was there before. False when memory ran out. */
bool ws_cta_set_add(ws_cta_set *set, uint64_t linear, bool *again);

#endif
