/* The coalescer compared with marking byte by byte, on random accesses, and on accesses whose requests are known. */
#include "replay/coalesce.h"
#include "replay/lines.h"

#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = WS_LANES_MAX * 10 };

static void expect_like_naive(const uint64_t *addresses, unsigned lanes, unsigned width, unsigned line_B,
                              unsigned sector_B) {
    static ws_coalesced got[ROOM];
    static naive_request expected[ROOM];
    ws_coalescer coalescer = ws_coalescer_of(line_B, sector_B);
    unsigned count = ws_coalesce(&coalescer, addresses, lanes, width, got);
    assert_int_equal(count, naive_coalesce(addresses, lanes, width, line_B, expected));
    assert_true(count <= ws_coalesce_room(lanes, width));
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(got[i].line, expected[i].line);
        assert_int_equal(got[i].words, naive_words(&expected[i]));
        assert_int_equal(got[i].bytes, naive_bytes(&expected[i]));
        assert_int_equal(got[i].sectors, naive_sectors(&expected[i], sector_B));
    }
}

static void random_addresses(uint64_t *random, unsigned lanes, unsigned width, uint64_t *addresses) {
    uint64_t base = UINT64_C(0x7f1000000000) + random_below(random, 4096),
             region = 1 + random_below(random, 20000);
    int64_t stride = (int64_t)random_below(random, 1000) - 500;
    unsigned pattern = random_below(random, 4);
    if (random_one_in(random, 4)) stride = random_one_in(random, 3) ? 0 : (int64_t)width;
    for (unsigned i = 0; i < lanes; i++) {
        if (pattern < 2)
            addresses[i] = base + (uint64_t)(stride * (int64_t)i);
        else
            addresses[i] = base + random_below(random, (uint32_t)region);
        if (pattern == 0) addresses[i] &= ~UINT64_C(3);
        if (pattern < 3 && i == lanes - 1 && random_one_in(random, 4))
            addresses[i] += 1 + random_below(random, 9);
        if (pattern == 3 && i > 0 && random_one_in(random, 3)) addresses[i] = addresses[i - 1];
    }
}

static void random_accesses_are_like_naive(void **state) {
    (void)state;
    uint64_t random = 1, addresses[WS_LANES_MAX];
    for (int round = 0; round < 20000; round++) {
        unsigned lanes = random_below(&random, WS_LANES_MAX + 1), line_B = 32u << random_below(&random, 4);
        unsigned sector_B = 4;
        while (sector_B < line_B && !random_one_in(&random, 3)) sector_B *= 2;
        unsigned width =
            random_one_in(&random, 50) ? 1 + random_below(&random, 255) : 1u << random_below(&random, 8);
        random_addresses(&random, lanes, width, addresses);
        for (unsigned i = 0; width > 16 && i < lanes && round % 2; i++)
            addresses[i] &= ~(uint64_t)(width - 1);
        expect_like_naive(addresses, lanes, width, line_B, sector_B);
    }
}

static unsigned coalesce(uint64_t base, int64_t stride, unsigned width, ws_coalesced *out) {
    uint64_t addresses[32];
    for (unsigned i = 0; i < 32; i++) addresses[i] = base + (uint64_t)(stride * (int64_t)i);
    ws_coalescer coalescer = ws_coalescer_of(128, 32);
    return ws_coalesce(&coalescer, addresses, 32, width, out);
}

static void known_patterns(void **state) {
    (void)state;
    ws_coalesced out[ROOM];
    /* Lane i reads word i: one full line. */
    assert_int_equal(coalesce(0x1000, 4, 4, out), 1);
    assert_int_equal(out[0].line, 0x1000 / 128);
    assert_int_equal(out[0].words, UINT32_MAX);
    assert_int_equal(out[0].bytes, 128);
    assert_int_equal(out[0].sectors, 4);
    /* All lanes read one word. */
    assert_int_equal(coalesce(0x1004, 0, 4, out), 1);
    assert_int_equal(out[0].words, 2);
    assert_int_equal(out[0].bytes, 4);
    assert_int_equal(out[0].sectors, 1);
    /* A line for each lane, in either direction. */
    assert_int_equal(coalesce(0x1000, 4096, 4, out), 32);
    assert_int_equal(coalesce(0x100000, -4096, 4, out), 32);
    for (int i = 1; i < 32; i++) assert_true(out[i - 1].line < out[i].line);
    /* 16 bytes for each lane: 512 bytes are 4 lines. */
    assert_int_equal(coalesce(0x1000, 16, 16, out), 4);
    /* Off by 4: the last word is in the next line. */
    assert_int_equal(coalesce(0x1004, 4, 4, out), 2);
    assert_int_equal(out[1].words, 1);
    /* One access across a line: two requests. */
    assert_int_equal(coalesce(0x107e, 0, 4, out), 2);
    assert_int_equal(out[0].bytes, 2);
    assert_int_equal(out[1].bytes, 2);
    assert_int_equal(out[0].words, UINT32_C(1) << 31);
}

static void the_end_of_the_address_space_is_no_trap(void **state) {
    (void)state;
    ws_coalesced out[ROOM];
    uint64_t addresses[2] = {UINT64_MAX - 1, 64};
    ws_coalescer coalescer = ws_coalescer_of(128, 32);
    assert_int_equal(ws_coalesce(&coalescer, addresses, 2, 16, out), 2);
    assert_int_equal(out[0].line, 0);
    assert_int_equal(out[0].bytes, 16);
    assert_int_equal(out[1].line, UINT64_MAX / 128);
    assert_int_equal(out[1].bytes, 2);
}

static void lines_are_numbered_as_they_come(void **state) {
    (void)state;
    enum { COUNT = 50000 };
    static uint64_t line_of[COUNT];
    ws_lines lines = {0};
    uint64_t random = 7;
    uint32_t number, count = 1;
    assert_true(ws_lines_number(&lines, 0, &number));
    assert_int_equal(number, 0);
    for (int i = 0; i < COUNT; i++) {
        uint64_t line = random_one_in(&random, 2) ? random_next(&random) >> 7 : random_below(&random, 3000);
        assert_true(ws_lines_number(&lines, line, &number));
        assert_true(number <= count);
        if (number == count) line_of[count++] = line;
        assert_int_equal(line_of[number], line);
    }
    assert_int_equal(lines.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(ws_lines_number(&lines, line_of[i], &number));
        assert_int_equal(number, i);
    }
    ws_lines_free(&lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses_are_like_naive),
        cmocka_unit_test(known_patterns),
        cmocka_unit_test(the_end_of_the_address_space_is_no_trap),
        cmocka_unit_test(lines_are_numbered_as_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
