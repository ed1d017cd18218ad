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

naive_rows naive_dram_rows(const char *picture, const uint64_t *addresses, uint32_t count) {
    naive_rows rows = {0};
    uint64_t latest[32] = {0};
    bool is_open[32] = {false};
    for (uint32_t i = 0; i < count; i++) {
        naive_place place = naive_dram_place(picture, addresses[i]);
        rows.opened += !is_open[place.bank] || latest[place.bank] != place.row;
        rows.missed += latest[place.bank] != place.row;
        is_open[place.bank] = true;
        latest[place.bank] = place.row;
    }
    return rows;
}
