/* Where lines live: slices and channels of the memory, banks and rows of a channel. */
#ifndef WS_TIMED_ADDRESS_MAP_H
#define WS_TIMED_ADDRESS_MAP_H

#include "base/divisor.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

typedef struct ws_address_map {
    ws_divisor channels, slices, all_slices, interleave_B, l2_line_B; /* slices: of a channel */
    ws_divisor bank_B, near_banks, far_banks, row_units, rows;
    uint64_t line_B;
    uint64_t row_in_bank; /* bits of the row that are folded into the bank */
    enum ws_partition partition;
    bool programs; /* lines are of two programs */
    /* ipoly: which one of a power of two of slices, of which those beyond the last are taken modulo; and the bits above
     * that GPGPU-Sim's equations know: 13, 15, 19 of them */
    ws_ipoly_map ipoly;
    uint64_t ipoly_slices, hashed;
} ws_address_map;

/* The slices that ipoly tells apart: all, with the channels rounded up to a power of two. */
uint32_t ws_ipoly_slices(const ws_l2_params *l2, const ws_dram_params *dram);

void ws_address_map_init(ws_address_map *map, const ws_l1_params *l1, const ws_l2_params *l2,
                         const ws_dram_params *dram);

/* Of a line: its slice, the line number that its set is computed from, its DRAM bank and row. */
uint32_t ws_slice_of(const ws_address_map *map, uint64_t line);
uint64_t ws_slice_line(const ws_address_map *map, uint64_t line);
void ws_dram_place(const ws_address_map *map, uint64_t line, uint32_t *bank, uint64_t *row);

#endif
