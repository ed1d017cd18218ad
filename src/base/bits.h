/* How many bits a number takes; words as sets of up to 64 things. */
#ifndef WS_BASE_BITS_H
#define WS_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

/* The smallest number of bits that can tell `things` things apart. */
static inline uint64_t ws_bits_for(uint64_t things) {
    return things > 1 ? 64 - (uint64_t)__builtin_clzll(things - 1) : 0;
}

/* The largest power of two that is not above `n`, or 0 for 0. */
static inline size_t ws_floor_to_power(size_t n) {
    while (n & (n - 1)) n &= n - 1;
    return n;
}

/* The set of thing `i` alone, which is below 64. */
static inline uint64_t ws_bit(unsigned i) {
    return UINT64_C(1) << i;
}

/* The first thing of a set that has any. */
static inline unsigned ws_lowest_bit(uint64_t set) {
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned ws_count_bits(uint64_t set) {
    return (unsigned)__builtin_popcountll(set);
}

#endif
