/* How many bits a number takes. */
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

#endif
