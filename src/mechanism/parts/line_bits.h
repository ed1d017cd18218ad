/* What a line's address takes in a mechanism's tables. */
#ifndef WS_MECHANISM_PARTS_LINE_BITS_H
#define WS_MECHANISM_PARTS_LINE_BITS_H

#include "base/bits.h"

enum { WS_ADDRESS_BITS = 48 };

static inline uint64_t ws_line_bits(uint64_t line_B) {
    return WS_ADDRESS_BITS - ws_bits_for(line_B);
}

#endif
