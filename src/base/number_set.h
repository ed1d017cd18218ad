/* A set of numbers, such as CTAs that have been seen. Memory grows with how many there are, not with the numbers: a
 * hash table whose entries stand for 64 consecutive numbers each. */
#ifndef WS_BASE_NUMBER_SET_H
#define WS_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_number_word {
    uint64_t number; /* 64 numbers from 64 * (number - 1) on; 0 for a free slot */
    uint64_t bits;
} ws_number_word;

/* All zero is an empty set. */
typedef struct ws_number_set {
    ws_number_word *slots;
    size_t slot_count, used; /* a power of two, or 0; slots in use, at most half */
} ws_number_set;

void ws_number_set_free(ws_number_set *set); /* leaves an empty set */

/* Adds a number; `*again` tells whether it was in the set before. False when memory ran out. */
bool ws_number_set_add(ws_number_set *set, uint64_t number, bool *again);

#endif
