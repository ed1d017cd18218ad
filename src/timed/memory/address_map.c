#include "timed/memory/address_map.h"

#include "base/random.h"

enum { CHANNEL_B = 256 }; /* consecutive bytes in one channel */

uint32_t ws_ipoly_slices(const ws_l2_params *l2, const ws_dram_params *dram) {
    uint32_t channels = 1;
    while (channels < dram->channels) channels *= 2;
    return channels * (uint32_t)l2->slices_per_channel;
}

/* Number of consecutive lines that are drawn a slice together, with partition random; as many as a line of the L2 has,
 * at least. */
static uint64_t drawn_lines(const ws_l1_params *l1, const ws_l2_params *l2) {
    uint64_t bytes = CHANNEL_B / (uint64_t)l2->slices_per_channel, line_B = (uint64_t)l1->line_B;
    if (bytes < (uint64_t)l2->line_B) bytes = (uint64_t)l2->line_B;
    return bytes > line_B ? bytes / line_B : 1;
}

static unsigned log2_of(int64_t power) {
    return (unsigned)__builtin_ctzll((unsigned long long)power);
}

/* Whether each bit of a line flips a fixed set of bits of its slice. All numbers are powers of two, except perhaps that
 * of channels. */
static bool flips_bits(const ws_address_map *m) {
    return m->partition != WS_PARTITION_RANDOM && m->channels.is_power;
}

/* Fills the table for one byte of a line: a value flips what its lowest bit and the others flip. */
static void tabulate_byte(ws_address_map *m, unsigned byte) {
    uint16_t *flipped = m->of_byte[byte];
    for (unsigned value = 1; value < 256; value++) {
        unsigned others = value & (value - 1), bit = value ^ others;
        if (!others) flipped[bit] = (uint16_t)ws_slice_by_division(m, (uint64_t)bit << 8 * byte);
        if (!others && flipped[bit]) m->flipping |= (uint64_t)bit << 8 * byte;
        flipped[value] = flipped[others] ^ flipped[bit];
    }
}

/* Returns after how many lines the slices repeat, if they are dealt in turns: there are so many lines of which each
 * channel has the same, a whole number of times as many as its slices take in a round. */
static uint64_t lines_of_period(const ws_address_map *m) {
    uint64_t round_B = m->interleave_B.value * m->slices.value;
    return m->channels.value * (round_B > CHANNEL_B ? round_B : CHANNEL_B) / m->line_B;
}

static void tabulate_period(ws_address_map *m) {
    uint64_t lines = lines_of_period(m);
    if (lines > WS_PERIOD_MAX) return;
    for (uint64_t line = 0; line < lines; line++) m->of_line[line] = (uint16_t)ws_slice_by_division(m, line);
    m->period = ws_divisor_of(lines);
}

void ws_address_map_init(ws_address_map *m, const ws_l1_params *l1, const ws_l2_params *l2,
                         const ws_dram_params *dram) {
    *m =
        (ws_address_map){.channels = ws_divisor_of((uint64_t)dram->channels),
                         .slices = ws_divisor_of((uint64_t)l2->slices_per_channel),
                         .all_slices = ws_divisor_of((uint64_t)(dram->channels * l2->slices_per_channel)),
                         .interleave_B = ws_divisor_of((uint64_t)l2->interleave_B),
                         .l2_line_B = ws_divisor_of((uint64_t)l2->line_B),
                         .bank_shift = log2_of(dram->bank_B),
                         .near_shift = log2_of(dram->near_banks),
                         .row_shift = log2_of(dram->row_B / dram->bank_B),
                         .far_shift = log2_of(dram->banks / dram->near_banks),
                         .rows = ws_divisor_of((uint64_t)dram->rows),
                         .drawn_lines = ws_divisor_of(drawn_lines(l1, l2)),
                         .line_B = (uint64_t)l1->line_B,
                         .l1_sectors = (uint32_t)l1->line_B / WS_TIMED_SECTOR_B,
                         .l2_sectors = (uint32_t)l2->line_B / WS_TIMED_SECTOR_B,
                         .row_in_bank = dram->bank_index == WS_BANK_INDEX_XOR ? (uint64_t)dram->banks - 1 : 0,
                         .partition = (enum ws_partition)l2->partition};
    uint32_t slices = ws_ipoly_slices(l2, dram);
    m->ipoly_slices = slices;
    m->hashed = ws_ipoly_bits(slices);
    if (m->partition == WS_PARTITION_IPOLY) ws_ipoly_map_init(&m->ipoly, slices);
    m->flips = flips_bits(m);
    if (!m->flips && m->partition == WS_PARTITION_LINEAR) tabulate_period(m);
    for (unsigned byte = 0; m->flips && byte < sizeof(uint64_t); byte++) tabulate_byte(m, byte);
}

/* Returns the address within its channel: without the bits that choose the channel. */
static uint64_t address_in_channel(const ws_address_map *m, uint64_t address) {
    return ws_quotient(address / CHANNEL_B, m->channels) * CHANNEL_B + address % CHANNEL_B;
}

static uint32_t drawn_slice(const ws_address_map *m, uint64_t line) {
    uint64_t drawn = ws_random_at(ws_quotient(line, m->drawn_lines));
    return (uint32_t)ws_remainder(drawn >> 32, m->all_slices);
}

uint32_t ws_slice_by_division(const ws_address_map *m, uint64_t line) {
    if (m->partition == WS_PARTITION_RANDOM) return drawn_slice(m, line);
    uint64_t address = line * m->line_B, unit = address / CHANNEL_B;
    uint64_t channel = ws_remainder(unit, m->channels),
             slice = ws_remainder(ws_quotient(address_in_channel(m, address), m->interleave_B), m->slices);
    if (m->partition == WS_PARTITION_LINEAR) return (uint32_t)(channel * m->slices.value + slice);
    bool gap = m->ipoly_slices != m->all_slices.value; /* the number of channels is not a power of two */
    uint64_t high = ws_quotient(unit, gap ? m->channels : m->all_slices);
    if (m->partition == WS_PARTITION_XOR) channel = (channel ^ high) & (m->channels.value - 1);
    uint64_t place = channel * m->slices.value + slice;
    if (m->partition != WS_PARTITION_IPOLY) return (uint32_t)place;
    uint32_t hashed = ws_ipoly_map_get(&m->ipoly, (high * m->ipoly_slices + place) & m->hashed);
    return gap ? (uint32_t)ws_remainder(hashed, m->all_slices) : hashed;
}

uint64_t ws_slice_line(const ws_address_map *m, uint64_t line) {
    /* all numbers are powers of two, except that of channels */
    uint64_t address = address_in_channel(m, line * m->l2_line_B.value), below = m->interleave_B.value - 1,
             unit = address >> (m->interleave_B.shift + m->slices.shift);
    return (unit << m->interleave_B.shift | (address & below)) >> m->l2_line_B.shift;
}

static uint64_t low_bits(uint64_t value, unsigned count) {
    return value & ((UINT64_C(1) << count) - 1);
}

/* From the lowest bit of the address within its channel up: bytes of a bank, which of its near banks, the other bytes
 * of the row, which group of near banks, the row.
 *
 * There are fewer rows than addresses. The second of two programs has its data in the other half of the memory, so that
 * rows of the two are not taken for the same. */
void ws_dram_place(const ws_address_map *m, uint64_t line, uint32_t *bank, uint64_t *row) {
    uint64_t address = line * m->l2_line_B.value, unit = address_in_channel(m, address) >> m->bank_shift,
             above = unit >> m->near_shift >> m->row_shift, row_of_all = above >> m->far_shift;
    *bank = (uint32_t)(low_bits(above, m->far_shift) << m->near_shift | low_bits(unit, m->near_shift));
    if (m->programs && address >= WS_PROGRAM_SPACE_B) row_of_all += m->rows.value / 2;
    *row = ws_remainder(row_of_all, m->rows);
    *bank ^= (uint32_t)(*row & m->row_in_bank);
}
