/* Set index functions: which set of a cache, or entry of a hash, a line belongs to. */
#ifndef WS_REPLAY_SET_INDEX_H
#define WS_REPLAY_SET_INDEX_H

#include "warpsweep/replay.h"

enum { WS_IPOLY_SETS_MAX = 1 << 16 };

extern const char *const ws_set_index_names[]; /* of enum ws_set_index, for a parameter; ends with NULL */
/* What the help of such a parameter says of them. */
#define WS_SET_INDEX_HELP                                                                                    \
    "fermi_hash: 32 or 64 sets; xor, (line ^ line / sets) modulo sets, and ipoly: a power of two."

/* Returns NULL if the index works with `sets` sets; otherwise what it expects instead, for a message;
 * linear takes any. */
const char *ws_set_index_refusal(enum ws_set_index index, uint64_t sets);

/* The remainder of `value`, as a polynomial over GF(2), by the polynomial for `sets` sets, a power of two up to
 * WS_IPOLY_SETS_MAX (Rau, ISCA 1991). */
uint32_t ws_ipoly(uint64_t value, uint32_t sets);

/* Returns a mask of the bits that the timed replay gives to ws_ipoly(): for 16, 32 and 64 sets those of the set and the
 * 13, 15 or 19 above them, which are the ones in GPGPU-Sim's equations (hashing.cc); otherwise all. */
uint64_t ws_ipoly_bits(uint32_t sets);

/* Fermi's index (Nugteren et al., HPCA 2014): the low five bits of the line number exclusive-or bits 13, 14, 15, 17 and
 * 19 of the address; with 64 sets bit 12 is the sixth. */
static inline uint32_t ws_fermi_hash(uint64_t line, uint32_t sets) {
    uint32_t high = (line >> 6 & 7) | (line >> 7 & 8) | (line >> 8 & 16);
    return ((uint32_t)line & (sets - 1)) ^ high;
}

/* The set of `line` (address / line size). */
static inline uint32_t ws_set_of(enum ws_set_index index, uint64_t line, uint32_t sets) {
    switch (index) {
    case WS_INDEX_LINEAR:
        return sets & (sets - 1) ? (uint32_t)(line % sets) : (uint32_t)line & (sets - 1);
    case WS_INDEX_FERMI_HASH:
        return ws_fermi_hash(line, sets);
    case WS_INDEX_XOR:
        return (uint32_t)((line ^ line >> __builtin_ctz(sets)) & (sets - 1));
    case WS_INDEX_IPOLY:
        break;
    }
    return ws_ipoly(line, sets);
}

/* ws_ipoly() for one number of sets, eight bits at a time. */
typedef struct ws_ipoly_map {
    unsigned degree;
    uint16_t of_top[256]; /* per value of the eight bits above the degree: its remainder */
} ws_ipoly_map;

void ws_ipoly_map_init(ws_ipoly_map *map, uint32_t sets);

static inline uint32_t ws_ipoly_map_get(const ws_ipoly_map *map, uint64_t value) {
    uint32_t rest = 0, below = (1u << map->degree) - 1;
    for (int shift = (63 - __builtin_clzll(value | 1)) & ~7; shift >= 0; shift -= 8) {
        rest = rest << 8 | (value >> shift & 255);
        rest = (rest & below) ^ map->of_top[rest >> map->degree];
    }
    return rest;
}

#endif
