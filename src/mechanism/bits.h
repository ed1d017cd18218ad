/* Hardware cost: how wide a field is. */
#ifndef WS_MECHANISM_BITS_H
#define WS_MECHANISM_BITS_H

#include <stdint.h>

/* The fewest bits that tell so many things apart. */
static inline uint64_t ws_bits_for(uint64_t things) {
    uint64_t bits = 0;
    while (bits < 63 && UINT64_C(1) << bits < things) bits++;
    return bits;
}

#endif
