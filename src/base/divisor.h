/* Fast division by a number that is only known at run time and used often: a shift if it is a power of two, else a
 * multiplication. */
#ifndef WS_BASE_DIVISOR_H
#define WS_BASE_DIVISOR_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ws_uint128;

typedef struct ws_divisor {
    uint64_t value;
    /* (next power of two - value) / value, in units of 2^-64, rounded up; unused for powers of two. */
    uint64_t reciprocal;
    unsigned shift; /* log2 of the value, rounded down */
    bool is_power;
} ws_divisor;

/* `value` is at least 1. */
static inline ws_divisor ws_divisor_of(uint64_t value) {
    ws_divisor by = {.value = value, .shift = 63 - (unsigned)__builtin_clzll(value)};
    by.is_power = (value & (value - 1)) == 0;
    ws_uint128 lacks = ((ws_uint128)2 << by.shift) - value;
    if (!by.is_power) by.reciprocal = (uint64_t)((lacks << 64) / value + 1);
    return by;
}

/* Granlund and Montgomery, Division by Invariant Integers using Multiplication, figure 4.1: exact for every number. */
static inline uint64_t ws_quotient(uint64_t number, ws_divisor by) {
    if (by.is_power) return number >> by.shift;
    uint64_t high = (uint64_t)((ws_uint128)number * by.reciprocal >> 64);
    return (high + (number - high) / 2) >> by.shift;
}

static inline uint64_t ws_remainder(uint64_t number, ws_divisor by) {
    return by.is_power ? number & (by.value - 1) : number - ws_quotient(number, by) * by.value;
}

#endif
