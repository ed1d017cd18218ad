/* A hash of numbers. */
#ifndef WS_BASE_HASH_H
#define WS_BASE_HASH_H

#include <stdint.h>

/* Returns a hash of `64 - shift` bits (Fibonacci hashing: Knuth, The Art of Computer Programming, 6.4). These are the
 * highest bits of the product: they spread numbers that follow one another in equal steps evenly, as lines do. */
static inline uint32_t ws_hash(uint64_t number, uint32_t shift) {
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> shift);
}

#endif
