/* The set of a launch's CTAs that have been seen. Memory grows with their number, not with the grid: a hash table whose
 * entries stand for 64 consecutive CTAs each. */
#ifndef WS_TRACE_CTA_SET_H
#define WS_TRACE_CTA_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_cta_word {
    uint64_t number; /* linear CTA number / 64 + 1; 0 for a free slot */
    uint64_t bits;
} ws_cta_word;

/* All zero is an empty set. */
typedef struct ws_cta_set {
    ws_cta_word *slots;
    size_t slot_count, used; /* a power of two, or 0; slots in use, at most half */
} ws_cta_set;

void ws_cta_set_free(ws_cta_set *set); /* leaves an empty set */

/* Adds CTA `linear`; `*again` tells whether it was in the set before. False when memory ran out. */
bool ws_cta_set_add(ws_cta_set *set, uint64_t linear, bool *again);

#endif
