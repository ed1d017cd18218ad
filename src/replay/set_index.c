#include "replay/set_index.h"

#include <stddef.h>

const char *const ws_set_index_names[] = {[WS_INDEX_LINEAR] = "linear",
                                          [WS_INDEX_FERMI_HASH] = "fermi_hash",
                                          [WS_INDEX_XOR] = "xor",
                                          [WS_INDEX_IPOLY] = "ipoly",
                                          NULL};

/* One polynomial per degree, log2 of the number of sets. */
uint32_t ws_ipoly(uint64_t line, uint32_t sets) {
    static const uint32_t polynomial[] = {0x1,   0x3,   0x7,   0xb,    0x13,   0x25,   0x43,   0x83,   0x11d,
                                          0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b};
    unsigned degree = (unsigned)__builtin_ctz(sets);
    uint32_t rest = 0;
    for (int bit = 63 - __builtin_clzll(line | 1); bit >= 0; bit--) {
        rest = rest << 1 | (line >> bit & 1);
        rest ^= polynomial[degree] & (0 - (rest >> degree & 1)); /* a branch here would be a coin toss */
    }
    return rest;
}

uint64_t ws_ipoly_bits(uint32_t sets) {
    switch (sets) {
    case 16:
        return (UINT64_C(1) << (4 + 13)) - 1;
    case 32:
        return (UINT64_C(1) << (5 + 15)) - 1;
    case 64:
        return (UINT64_C(1) << (6 + 19)) - 1;
    default:
        return UINT64_MAX;
    }
}

void ws_ipoly_map_init(ws_ipoly_map *map, uint32_t sets) {
    map->degree = (unsigned)__builtin_ctz(sets);
    for (uint64_t top = 0; top < 256; top++) map->of_top[top] = (uint16_t)ws_ipoly(top << map->degree, sets);
}

const char *ws_set_index_refusal(enum ws_set_index index, uint64_t sets) {
    if (index == WS_INDEX_FERMI_HASH && sets != 32 && sets != 64) return "32 or 64 sets for fermi_hash";
    if (index != WS_INDEX_LINEAR && (sets & (sets - 1))) return "a power of two of sets for xor and ipoly";
    if (index == WS_INDEX_IPOLY && sets > WS_IPOLY_SETS_MAX) return "at most 65536 sets for ipoly";
    return NULL;
}
