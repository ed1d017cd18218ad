/* The address map: from a line to its slice and channel of the memory, and to its DRAM bank and row. */
#ifndef WS_TIMED_MEMORY_ADDRESS_MAP_H
#define WS_TIMED_MEMORY_ADDRESS_MAP_H

#include "base/divisor.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

enum { WS_PERIOD_MAX = 2048 };

typedef struct ws_address_map {
    ws_divisor channels, slices, all_slices, interleave_B, l2_line_B; /* slices: those of one channel */
    ws_divisor drawn_lines; /* that partition random gives a slice together */
    ws_divisor rows;
    /* log2 of dram.bank_B, of dram.near_banks, of how many dram.bank_B a row has, and of how many groups of near banks
     * there are */
    unsigned bank_shift, near_shift, row_shift, far_shift;
    uint64_t line_B; /* of the L1 */
    /* sectors of a line of the L1, and of the L2; the L2's lines may be of another size */
    uint32_t l1_sectors, l2_sectors;
    uint64_t row_in_bank; /* bits of the row that are folded into the bank */
    enum ws_partition partition;
    bool programs; /* the lines are those of two programs */
    /* ipoly: the map to a power of two of slices, taken modulo the number of slices if that is smaller, and
     * ws_ipoly_bits() of that power of two */
    ws_ipoly_map ipoly;
    uint64_t ipoly_slices, hashed;
    /* Whether each bit of a line flips a fixed set of bits of its slice. Then `of_byte` holds, per byte of the line,
     * what the byte's values flip, and `flipping` is the set of the line's bits that flip any. */
    bool flips;
    uint64_t flipping;
    /* With partition linear and another number of channels: after how many lines the slices repeat, and `of_line`, per
     * line of a period, its slice. A period of 0 lines: it is too long for that. */
    ws_divisor period;
    union {
        uint16_t of_byte[sizeof(uint64_t)][256];
        uint16_t of_line[WS_PERIOD_MAX];
    };
} ws_address_map;

/* Returns the number of slices that ipoly tells apart: all, with the number of channels rounded up to a power of
 * two. */
uint32_t ws_ipoly_slices(const ws_l2_params *l2, const ws_dram_params *dram);

void ws_address_map_init(ws_address_map *map, const ws_l1_params *l1, const ws_l2_params *l2,
                         const ws_dram_params *dram);

/* ws_slice_of() where the map is in no table. */
uint32_t ws_slice_by_division(const ws_address_map *map, uint64_t line);

/* Maps a line of the L1 to its slice. Each line of the L2 lies in one slice, too. */
static inline uint32_t ws_slice_of(const ws_address_map *m, uint64_t line) {
    if (m->period.value) return m->of_line[ws_remainder(line, m->period)];
    if (!m->flips) return ws_slice_by_division(m, line);
    uint32_t slice = 0;
    const uint16_t(*of_byte)[256] = m->of_byte;
    for (uint64_t rest = line & m->flipping; rest; rest >>= 8) slice ^= (*of_byte++)[rest & 255];
    return slice;
}

/* Map a line of the L2 to its number within its slice, from which its set is computed; and to its DRAM bank and row. */
uint64_t ws_slice_line(const ws_address_map *map, uint64_t line);
void ws_dram_place(const ws_address_map *map, uint64_t line, uint32_t *bank, uint64_t *row);

/* What a request asks for of one line of the L2: a set of that line's sectors. */
typedef struct ws_l2_part {
    uint64_t line;
    uint8_t sectors;
    uint8_t down, up; /* from the sectors of the request's line, of the L1: a shift down, then one up */
} ws_l2_part;

/* Returns what a request for `sectors` of the L1's line `line` asks for of the first line of the L2 that it needs,
 * which may be less than all. */
static inline ws_l2_part ws_l2_part_of(const ws_address_map *m, uint64_t line, uint8_t sectors) {
    if (m->l1_sectors == m->l2_sectors) return (ws_l2_part){.line = line, .sectors = sectors};
    uint32_t within = m->l2_sectors - 1, first = (uint32_t)__builtin_ctz(sectors);
    uint64_t sector = line * m->l1_sectors;
    uint8_t down = (uint8_t)(first & ~within), up = (uint8_t)(sector & within);
    return (ws_l2_part){.line = (sector + down) / m->l2_sectors,
                        .sectors = (uint8_t)((sectors >> down & ((1u << m->l2_sectors) - 1)) << up),
                        .down = down,
                        .up = up};
}

/* Returns the sectors of the request's line that these sectors of the part are. */
static inline uint8_t ws_l2_part_back(const ws_l2_part *part, uint8_t sectors) {
    return (uint8_t)(sectors >> part->up << part->down);
}

#endif
