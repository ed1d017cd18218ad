/* Loops over arrays of numbers, eight at a time: compilers vectorize loops whose count they know. */
#ifndef WS_BASE_WIDE_H
#define WS_BASE_WIDE_H

#include <stddef.h>
#include <stdint.h>

/* The largest of `count` numbers; 0 if there are none. */
static inline uint32_t ws_largest(const uint32_t *number, size_t count) {
    uint32_t most[8] = {0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (unsigned k = 0; k < 8; k++) most[k] = number[i + k] > most[k] ? number[i + k] : most[k];
    for (; i < count; i++) most[0] = number[i] > most[0] ? number[i] : most[0];
    for (unsigned k = 1; k < 8; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* Writes the numbers, shifted right by `bits` (below 32), to `to`. */
static inline void ws_shift_right(const uint32_t *restrict number, size_t count, unsigned bits,
                                  uint32_t *restrict to) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (unsigned k = 0; k < 8; k++) to[i + k] = number[i + k] >> bits;
    for (; i < count; i++) to[i] = number[i] >> bits;
}

#endif
