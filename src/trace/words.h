/* Words and numbers in the lines of a trace: each function moves `*at` past what it has parsed, or returns false and
 * leaves it. A line ends in '\n', which ends a number. */
#ifndef WS_TRACE_WORDS_H
#define WS_TRACE_WORDS_H

#include "base/ascii.h"

#include <stdint.h>
#include <string.h>

/* The digit's value + 1; 0 for other characters. */
static const uint8_t ws_hex_digit[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* The `size` characters of `text`; `end` bounds what is read. */
static inline bool ws_parse_text(const char **at, const char *end, const char *text, size_t size) {
    if ((size_t)(end - *at) < size || memcmp(*at, text, size) != 0) return false;
    *at += size;
    return true;
}

/* Hex digits without 0x, 1 to `most` of them. */
static inline bool ws_parse_hex(const char **at, unsigned most, uint64_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    unsigned digits = 0;
    for (unsigned d; (d = ws_hex_digit[(unsigned char)*p]) != 0; p++, digits++) v = v << 4 | (d - 1);
    if (digits == 0 || digits > most) return false;
    *at = p;
    *value = v;
    return true;
}

static inline bool ws_parse_decimal(const char **at, uint32_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    for (; ws_is_digit(*p); p++) {
        v = v * 10 + (unsigned)(*p - '0');
        if (v > UINT32_MAX) return false;
    }
    if (p == *at) return false;
    *at = p;
    *value = (uint32_t)v;
    return true;
}

/* Decimal digits with an optional '-', up to the largest number of 64 bits; `*value` is in two's complement. */
static inline bool ws_parse_signed(const char **at, uint64_t *value) {
    const char *p = *at;
    bool negative = *p == '-';
    p += negative;
    const char *digits = p;
    uint64_t v = 0;
    for (; ws_is_digit(*p); p++) v = v * 10 + (unsigned)(*p - '0');
    if (p == digits || p - digits > 20) return false;
    /* Of 20 digits, those that begin with 1 are below 2 * 10^19: past 2^64, `v` is what is left. */
    if (p - digits == 20 && (*digits != '1' || v < UINT64_C(10000000000000000000))) return false;
    *at = p;
    *value = negative ? 0 - v : v;
    return true;
}

#endif
