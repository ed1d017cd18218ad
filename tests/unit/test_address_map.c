/* The mapping of lines to slices, compared with GPGPU-Sim's decoding of an address (addrdec.cc), written here once
 * more; channel counts include some that are no power of two. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/memory/address_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LINE_B = 128, CHANNEL_B = 256 };

static const int64_t channel_counts[] = {12, 24, 8, 32}; /* two of the four are powers of two */

static ws_address_map map_of_lines(enum ws_partition partition, int64_t channels, int64_t slices_per_channel,
                                   int64_t l1_line_B, int64_t l2_line_B) {
    static ws_l1_params l1;
    static ws_l2_params l2;
    static ws_dram_params dram;
    l1 = (ws_l1_params){.line_B = l1_line_B};
    l2 = (ws_l2_params){.partition = partition,
                        .slices_per_channel = slices_per_channel,
                        .interleave_B = CHANNEL_B,
                        .line_B = l2_line_B};
    dram = (ws_dram_params){
        .channels = channels, .banks = 16, .near_banks = 2, .bank_B = 256, .row_B = 2048, .rows = 8192};
    ws_address_map map;
    ws_address_map_init(&map, &l1, &l2, &dram);
    return map;
}

static ws_address_map map_of(enum ws_partition partition, int64_t channels, int64_t slices_per_channel) {
    return map_of_lines(partition, channels, slices_per_channel, LINE_B, LINE_B);
}

static uint32_t naive_slice(uint64_t address, uint64_t channels) {
    uint64_t unit = address / CHANNEL_B, chip = unit % channels, rest = unit / channels,
             slices = 2 * channels, power = 1, above;
    while (power < channels) power *= 2;
    uint32_t all = (uint32_t)(2 * power), known = all == 16 ? 13 : all == 32 ? 15 : 19;
    above = power == channels ? rest / 2 : rest;
    above &= (UINT64_C(1) << known) - 1;
    return ws_ipoly(above * all + chip * 2 + rest % 2, all) % slices;
}

static void slices_are_those_of_the_simulator(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (size_t i = 0; i < WS_COUNT(channel_counts); i++) {
        ws_address_map map = map_of(WS_PARTITION_IPOLY, channel_counts[i], 2);
        for (int n = 0; n < 20000; n++) {
            uint64_t line = ws_random_next(&seed) >> 29; /* 42 bits of address */
            assert_int_equal(ws_slice_of(&map, line),
                             naive_slice(line * LINE_B, (uint64_t)channel_counts[i]));
        }
    }
}

/* Law: where slices are looked up by the bytes of a line they are those that divisions give, for all lines. */
static void looked_up_slices_are_those_of_divisions(void **state) {
    (void)state;
    static const enum ws_partition partitions[] = {WS_PARTITION_LINEAR, WS_PARTITION_XOR, WS_PARTITION_IPOLY};
    uint64_t seed = 11;
    for (size_t i = 0; i < WS_COUNT(partitions); i++)
        for (int64_t slices = 1; slices <= 4; slices *= 2) {
            ws_address_map map = map_of(partitions[i], 16, slices);
            assert_true(map.flips);
            for (int n = 0; n < 20000; n++) {
                uint64_t line = ws_random_next(&seed) >> n % 64;
                assert_int_equal(ws_slice_of(&map, line), ws_slice_by_division(&map, line));
            }
        }
    assert_false(map_of(WS_PARTITION_IPOLY, 12, 2).flips);
    assert_false(map_of(WS_PARTITION_RANDOM, 16, 2).flips);
}

/* The same where they are dealt in turns, over channels that are no power of two: from a table of one period. */
static void dealt_slices_are_those_of_divisions(void **state) {
    (void)state;
    static const int64_t channels[] = {3, 6, 11, 12, 24};
    uint64_t seed = 13;
    for (size_t i = 0; i < WS_COUNT(channels); i++)
        for (int64_t slices = 1; slices <= 4; slices++) {
            ws_address_map map = map_of(WS_PARTITION_LINEAR, channels[i], slices);
            assert_true(map.period.value);
            for (int n = 0; n < 20000; n++) {
                uint64_t line = ws_random_next(&seed) >> (16 + n % 48); /* addresses are of 64 bits */
                assert_int_equal(ws_slice_of(&map, line), ws_slice_by_division(&map, line));
            }
        }
    assert_false(map_of(WS_PARTITION_IPOLY, 12, 2).period.value);
    assert_false(map_of(WS_PARTITION_LINEAR, 16, 2).period.value);
}

/* Law: a stream reaches all slices, and equally often if their number is a power of two. */
static void a_stream_reaches_all_slices(void **state) {
    (void)state;
    for (size_t i = 0; i < WS_COUNT(channel_counts); i++) {
        ws_address_map map = map_of(WS_PARTITION_IPOLY, channel_counts[i], 2);
        uint32_t slices = 2 * (uint32_t)channel_counts[i], lines = 4096 * slices, count[64] = {0};
        for (uint64_t line = 0; line < lines; line++) count[ws_slice_of(&map, line)]++;
        for (uint32_t s = 0; s < slices; s++) {
            assert_true(count[s] >= 4096 / 2);
            if ((slices & (slices - 1)) == 0) assert_int_equal(count[s], 4096);
        }
        for (uint32_t s = slices; s < 64; s++) assert_int_equal(count[s], 0);
    }
}

/* The simulator draws a slice for each 256 bytes over the number of a channel's slices when it meets them first; here
 * they are drawn in the order of addresses, and none is smaller than a line. */
static void random_slices_are_drawn_one_after_the_other(void **state) {
    (void)state;
    static const struct {
        int64_t channels, slices_per_channel;
        uint64_t lines; /* that are drawn together */
    } cases[] = {{12, 2, 1}, {6, 1, 2}, {3, 4, 1}};
    enum { DRAWS = 20000 };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_address_map map = map_of(WS_PARTITION_RANDOM, cases[i].channels, cases[i].slices_per_channel);
        uint32_t slices = (uint32_t)(cases[i].channels * cases[i].slices_per_channel), count[64] = {0};
        uint64_t generator = 0;
        for (uint64_t n = 0; n < DRAWS; n++) {
            uint32_t drawn = (uint32_t)(ws_random_next(&generator) >> 32) % slices;
            for (uint64_t k = 0; k < cases[i].lines; k++)
                assert_int_equal(ws_slice_of(&map, n * cases[i].lines + k), drawn);
            count[drawn]++;
        }
        /* Law: equal shares, to within five standard deviations of a binomial distribution. */
        double mean = DRAWS / (double)slices;
        for (uint32_t s = 0; s < slices; s++) assert_float_equal(count[s], mean, 5 * sqrt(mean));
    }
}

/* Law: whatever the sizes of lines, a line of the L2 lies in one slice, in which the numbers of its lines follow each
 * other from 0 on; and what a request asks for of the L2's lines adds up to what it asks for. */
static void lines_of_the_l2_lie_in_one_slice(void **state) {
    (void)state;
    enum { SLICES = 16, L2_LINES = 1 << 14 };
    uint64_t seed = 17;
    for (int partition = WS_PARTITION_LINEAR; partition <= WS_PARTITION_RANDOM; partition++)
        for (int64_t l1_line_B = 32; l1_line_B <= 256; l1_line_B *= 2)
            for (int64_t l2_line_B = 32; l2_line_B <= 256; l2_line_B *= 2) {
                ws_address_map map =
                    map_of_lines((enum ws_partition)partition, SLICES / 2, 2, l1_line_B, l2_line_B);
                uint32_t l1_sectors = (uint32_t)l1_line_B / 32, l2_sectors = (uint32_t)l2_line_B / 32;
                uint64_t next[SLICES] = {0};
                for (uint64_t line = 0; line < L2_LINES; line++) {
                    uint64_t first = line * l2_sectors, last = first + l2_sectors - 1;
                    uint32_t slice = ws_slice_of(&map, first / l1_sectors);
                    assert_int_equal(ws_slice_of(&map, last / l1_sectors), slice);
                    /* a drawn slice has any lines, of which several may share a number */
                    if (partition == WS_PARTITION_LINEAR)
                        assert_int_equal(ws_slice_line(&map, line), next[slice]++);
                }
                for (int n = 0; n < 1000; n++) {
                    uint64_t line = ws_random_next(&seed) >> 30;
                    uint8_t asked = (uint8_t)(1 + random_below(&seed, (1u << l1_sectors) - 1)), left = asked;
                    while (left) {
                        ws_l2_part part = ws_l2_part_of(&map, line, left);
                        uint8_t back = ws_l2_part_back(&part, part.sectors);
                        assert_true(back && (back & left) == back);
                        for (uint32_t k = 0; k < l1_sectors; k++) {
                            uint64_t sector = line * l1_sectors + k;
                            bool of_part = sector / l2_sectors == part.line;
                            assert_int_equal(back >> k & 1, of_part && asked >> k & 1);
                            if (back >> k & 1) assert_true(part.sectors >> sector % l2_sectors & 1);
                        }
                        left &= (uint8_t)~back;
                    }
                }
            }
}

/* The second of two programs, from its first address on, has its data in the other half of each bank's rows. */
static void the_second_program_has_other_rows(void **state) {
    (void)state;
    ws_address_map map = map_of(WS_PARTITION_LINEAR, 12, 2), both = map;
    both.programs = true;
    uint64_t first = WS_PROGRAM_SPACE_B / LINE_B;
    for (uint64_t line = first - 1000; line < first + 1000; line++) {
        uint32_t bank, bank_of_both;
        uint64_t row, row_of_both;
        ws_dram_place(&map, line, &bank, &row);
        ws_dram_place(&both, line, &bank_of_both, &row_of_both);
        assert_int_equal(bank_of_both, bank);
        assert_int_equal(row_of_both, line < first ? row : (row + 4096) % 8192);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_those_of_the_simulator),
        cmocka_unit_test(looked_up_slices_are_those_of_divisions),
        cmocka_unit_test(dealt_slices_are_those_of_divisions),
        cmocka_unit_test(a_stream_reaches_all_slices),
        cmocka_unit_test(random_slices_are_drawn_one_after_the_other),
        cmocka_unit_test(lines_of_the_l2_lie_in_one_slice),
        cmocka_unit_test(the_second_program_has_other_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
