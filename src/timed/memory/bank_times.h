/* Times of a channel's banks side by side, a byte for each: cycles after a common one, which their owner knows. What is
 * asked of all banks then costs the host as much as of one. */
#ifndef WS_TIMED_MEMORY_BANK_TIMES_H
#define WS_TIMED_MEMORY_BANK_TIMES_H

#include "base/inline.h"

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WS_BANKS_ABREAST = 16 }; /* banks of a vector */

/* A byte for each of the banks; a comparison gives UINT8_MAX (true) or 0. */
typedef uint8_t ws_bank_bytes __attribute__((vector_size(WS_BANKS_ABREAST)));

WS_INLINE ws_bank_bytes ws_bytes_of_all(uint8_t value) {
    return (ws_bank_bytes){0} + value;
}

/* True for one bank. */
WS_INLINE ws_bank_bytes ws_bytes_only(unsigned bank) {
    static const uint8_t window[2 * WS_BANKS_ABREAST] = {[WS_BANKS_ABREAST] = UINT8_MAX};
    ws_bank_bytes only;
    __builtin_memcpy(&only, &window[WS_BANKS_ABREAST - bank], sizeof only);
    return only;
}

/* Returns the bytes with that of one bank changed. */
WS_INLINE ws_bank_bytes ws_bytes_with(ws_bank_bytes bytes, unsigned bank, uint8_t value) {
    ws_bank_bytes only = ws_bytes_only(bank);
    return (bytes & ~only) | (ws_bytes_of_all(value) & only);
}

WS_INLINE ws_bank_bytes ws_bytes_equal(ws_bank_bytes a, ws_bank_bytes b) {
    return (ws_bank_bytes)(a == b);
}

#ifdef __SSE2__
WS_INLINE ws_bank_bytes ws_bytes_later(ws_bank_bytes a, ws_bank_bytes b) {
    return (ws_bank_bytes)_mm_max_epu8((__m128i)a, (__m128i)b);
}
WS_INLINE ws_bank_bytes ws_bytes_earlier(ws_bank_bytes a, ws_bank_bytes b) {
    return (ws_bank_bytes)_mm_min_epu8((__m128i)a, (__m128i)b);
}
/* Returns the set of banks for which it is true. */
WS_INLINE uint32_t ws_bytes_truth(ws_bank_bytes truth) {
    return (uint32_t)_mm_movemask_epi8((__m128i)truth);
}
WS_INLINE uint8_t ws_bytes_earliest(ws_bank_bytes times) {
    __m128i left = (__m128i)times;
    left = _mm_min_epu8(left, _mm_srli_si128(left, 8));
    left = _mm_min_epu8(left, _mm_srli_si128(left, 4));
    left = _mm_min_epu8(left, _mm_srli_si128(left, 2));
    left = _mm_min_epu8(left, _mm_srli_si128(left, 1));
    return (uint8_t)_mm_cvtsi128_si32(left);
}
#else
WS_INLINE ws_bank_bytes ws_bytes_later(ws_bank_bytes a, ws_bank_bytes b) {
    ws_bank_bytes later = (ws_bank_bytes)(a > b);
    return (a & later) | (b & ~later);
}
WS_INLINE ws_bank_bytes ws_bytes_earlier(ws_bank_bytes a, ws_bank_bytes b) {
    ws_bank_bytes later = (ws_bank_bytes)(a > b);
    return (b & later) | (a & ~later);
}
WS_INLINE uint32_t ws_bytes_truth(ws_bank_bytes truth) {
    uint32_t set = 0;
    for (unsigned i = 0; i < WS_BANKS_ABREAST; i++) set |= (uint32_t)(truth[i] & 1) << i;
    return set;
}
WS_INLINE uint8_t ws_bytes_earliest(ws_bank_bytes times) {
    uint8_t earliest = times[0];
    for (unsigned i = 1; i < WS_BANKS_ABREAST; i++) earliest = times[i] < earliest ? times[i] : earliest;
    return earliest;
}
#endif

/* Returns the set of banks whose time is not after `time`. */
WS_INLINE uint32_t ws_bytes_not_after(ws_bank_bytes times, ws_bank_bytes time) {
    return ws_bytes_truth(ws_bytes_equal(ws_bytes_earlier(times, time), times));
}

#endif
