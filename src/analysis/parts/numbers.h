/* Numbers for the things, such as lines, that are met of many: dense from 0, in the order in which they are first met.
 * What is kept per number takes memory for these alone. A hash table, from which nothing is removed. */
#ifndef WS_ANALYSIS_PARTS_NUMBERS_H
#define WS_ANALYSIS_PARTS_NUMBERS_H

#include "base/inline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_NUMBERS_NONE UINT32_MAX

/* All zero: nothing has been met. */
typedef struct ws_numbers {
    struct ws_numbers_slot {
        uint32_t thing, number; /* thing + 1, 0 = free */
    } * slots;
    uint32_t room, count; /* the number of slots, a power of two; of things, at most half as many */
} ws_numbers;

void ws_numbers_free(ws_numbers *numbers);  /* leaves all zero */
void ws_numbers_clear(ws_numbers *numbers); /* forgets all, and keeps the memory */
bool ws_numbers_grow(ws_numbers *numbers);  /* to twice the slots; false if out of memory */

/* The slot of `thing`, or else the one to put it in; there must be a free one. */
WS_INLINE struct ws_numbers_slot *ws_numbers_slot_of(const ws_numbers *n, uint32_t thing) {
    /* By the upper bits of the hash: things at a stride of a power of two have equal lower bits. */
    uint32_t at = (uint32_t)((uint64_t)(thing * UINT32_C(0x9E3779B1)) * n->room >> 32);
    while (n->slots[at].thing != 0 && n->slots[at].thing != thing + 1) at = (at + 1) & (n->room - 1);
    return &n->slots[at];
}

/* The number of `thing`; if it was not met before, that is `count`, which grows. WS_NUMBERS_NONE if out of memory. */
WS_INLINE uint32_t ws_numbers_meet(ws_numbers *n, uint32_t thing) {
    if (n->count * 2 >= n->room && !ws_numbers_grow(n)) return WS_NUMBERS_NONE;
    struct ws_numbers_slot *slot = ws_numbers_slot_of(n, thing);
    if (slot->thing == 0) *slot = (struct ws_numbers_slot){thing + 1, n->count++};
    return slot->number;
}

/* The number of `thing`, or WS_NUMBERS_NONE if it was not met. */
WS_INLINE uint32_t ws_numbers_find(const ws_numbers *n, uint32_t thing) {
    if (n->count == 0) return WS_NUMBERS_NONE;
    const struct ws_numbers_slot *slot = ws_numbers_slot_of(n, thing);
    return slot->thing == 0 ? WS_NUMBERS_NONE : slot->number;
}

#endif
