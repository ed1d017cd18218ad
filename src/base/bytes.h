/* A word as eight bytes. A set of its bytes is a mask of eight bits, bit i for byte i. */
#ifndef WS_BASE_BYTES_H
#define WS_BASE_BYTES_H

#include <stdint.h>

#define WS_LOW_BITS UINT64_C(0x0101010101010101)

/* The set of the bytes whose lowest bit is set. */
static inline uint8_t ws_low_bits(uint64_t word) {
    return (uint8_t)((word & WS_LOW_BITS) * UINT64_C(0x0102040810204080) >> 56);
}

/* The set of the bytes that are not 0. */
static inline uint8_t ws_bytes_used(uint64_t word) {
    word |= word >> 4;
    word |= word >> 2;
    return ws_low_bits(word | word >> 1);
}

/* The set of the bytes whose bits are all set. */
static inline uint8_t ws_bytes_full(uint64_t word) {
    word &= word >> 4;
    word &= word >> 2;
    return ws_low_bits(word & word >> 1);
}

/* The word in which the bytes of `set` have all bits set, and the others none. */
static inline uint64_t ws_bytes_of(uint8_t set) {
    uint64_t one_each = set * WS_LOW_BITS & UINT64_C(0x8040201008040201);
    return ((one_each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & WS_LOW_BITS) * 0xff;
}

#endif
