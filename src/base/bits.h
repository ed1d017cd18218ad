/* How many bits a hardware field takes. */
#ifndef WS_BASE_BITS_H
#define WS_BASE_BITS_H

#include <stdint.h>

/* The smallest number of bits that can tell `things` things apart. */
static inline uint64_t ws_bits_for(uint64_t things) {
    return things > 1 ? 64 - (uint64_t)__builtin_clzll(things - 1) : 0;
}

#endif
