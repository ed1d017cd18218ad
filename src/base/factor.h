/* Fast multiplication by a ratio that is only known at run time and used often: two multiplications. Exact while the
 * number times the reduced ratio's denominator is less than 2^64. */
#ifndef WS_BASE_FACTOR_H
#define WS_BASE_FACTOR_H

#include "base/divisor.h"

typedef struct ws_factor {
    uint64_t whole;
    uint64_t below, above; /* the rest, in units of 2^-64: rounded down, and up */
} ws_factor;

/* Returns the ratio `of` / `to`, which are at least 1. */
static inline ws_factor ws_factor_of(uint64_t of, uint64_t to) {
    ws_uint128 rest = (ws_uint128)(of % to) << 64;
    return (ws_factor){
        .whole = of / to, .below = (uint64_t)(rest / to), .above = (uint64_t)((rest + to - 1) / to)};
}

/* Return the number times the ratio, rounded down or up. A product that is whole stays so, since the rest is rounded
 * the other way, by too little to come to the next one. */
static inline uint64_t ws_times_down(uint64_t number, const ws_factor *by) {
    return number * by->whole + (uint64_t)((ws_uint128)number * by->above >> 64);
}
static inline uint64_t ws_times_up(uint64_t number, const ws_factor *by) {
    ws_uint128 rest = (ws_uint128)number * by->below + UINT64_MAX;
    return number * by->whole + (uint64_t)(rest >> 64);
}

#endif
