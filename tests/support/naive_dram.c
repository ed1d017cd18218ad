#include "naive_dram.h"

#include <stdbool.h>

naive_place naive_dram_place(const char *picture, uint64_t address) {
    naive_place place = {0};
    unsigned bit = 0;
    for (const char *p = picture; *p; p++) bit += *p != '.';
    for (; *picture; picture++) {
        if (*picture == '.') continue;
        uint64_t value = address >> --bit & 1;
        uint64_t *part = *picture == 'R' ? &place.row : *picture == 'B' ? &place.bank : &place.column;
        *part = *part << 1 | value;
    }
    return place;
}

uint64_t naive_dram_address(uint64_t address, uint32_t channels) {
    uint64_t block = address / 256;
    return (block - block % channels) / channels * 256 + address % 256;
}

uint64_t naive_dram_activates(const char *picture, const uint64_t *addresses, uint32_t count) {
    uint64_t open[32] = {0}, activates = 0;
    bool is_open[32] = {false};
    for (uint32_t i = 0; i < count; i++) {
        naive_place place = naive_dram_place(picture, addresses[i]);
        activates += !is_open[place.bank] || open[place.bank] != place.row;
        is_open[place.bank] = true;
        open[place.bank] = place.row;
    }
    return activates;
}
