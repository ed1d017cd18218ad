/* Division by a number that is known late and used often: a shift where it is a power of two. */
#ifndef WS_BASE_DIVISOR_H
#define WS_BASE_DIVISOR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_divisor {
    uint64_t value;
    unsigned shift;
    bool is_power;
} ws_divisor;

/* `value` is at least 1. */
static inline ws_divisor ws_divisor_of(uint64_t value) {
    return (ws_divisor){value, (unsigned)__builtin_ctzll(value), (value & (value - 1)) == 0};
}

static inline uint64_t ws_quotient(uint64_t number, ws_divisor by) {
    return by.is_power ? number >> by.shift : number / by.value;
}

static inline uint64_t ws_remainder(uint64_t number, ws_divisor by) {
    return by.is_power ? number & (by.value - 1) : number % by.value;
}

#endif
