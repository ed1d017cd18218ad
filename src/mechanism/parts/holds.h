/* Cycles in which something holds a mechanism up, counted by cause. A turn of an SM finds what does, and that holds
 * until its next turn, as nothing changes in between: cycles without a turn are added up at once. */
#ifndef WS_MECHANISM_PARTS_HOLDS_H
#define WS_MECHANISM_PARTS_HOLDS_H

#include "base/bits.h"

typedef struct holds {
    uint64_t since; /* the cycle of the latest turn */
    uint32_t found; /* what it has found: a set of columns, below 32, of the mechanism's table */
} holds;

/* Adds the cycles from the latest turn up to `now`, without it, to those of `counts` that they belong to. */
static inline void holds_count(const holds *h, uint64_t now, uint64_t *counts) {
    for (uint32_t rest = h->found; rest; rest &= rest - 1) counts[ws_lowest_bit(rest)] += now - h->since;
}

/* To be called in each turn, at first: adds what has passed since the one before, and finds nothing yet. */
static inline void holds_begin(holds *h, uint64_t now, uint64_t *counts) {
    holds_count(h, now, counts);
    *h = (holds){.since = now};
}

/* To be called in a turn that finds what column `column` counts. */
static inline void holds_find(holds *h, int column) {
    h->found |= 1u << column;
}

#endif
