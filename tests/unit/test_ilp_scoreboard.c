/* The shared scoreboard (XI 4.4.2): its rules one by one, after the document's own instruction sequences; equal to a
 * naive twin, a list of instructions in flight that is gone through for each question; cost. */
#include "mechanism/parts/ilp_scoreboard.h"

#include "../support/naive_ilp.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL UINT64_C(0xffffffff)

/* Register 0: none. */
static ilp_inst make(uint16_t *regs, enum ilp_kind kind, uint16_t dst, uint16_t a, uint16_t b) {
    ilp_inst inst = {.regs = regs, .kind = kind, .mask = ALL, .dst_count = dst != 0};
    if (dst) regs[inst.reg_count++] = dst;
    if (a) regs[inst.reg_count++] = a;
    if (b) regs[inst.reg_count++] = b;
    return inst;
}
#define INST(kind, dst, a, b) make((uint16_t[3]){0}, kind, dst, a, b)
#define ALU(dst, a, b)        INST(ILP_ALU, dst, a, b)
#define LOAD(dst, a)          INST(ILP_LOAD, dst, a, 0)
#define STORE(a, b)           INST(ILP_STORE, 0, a, b)

static ilp_scoreboard board_of(uint8_t entries) {
    ilp_scoreboard board;
    ilp_scoreboard_init(&board, entries);
    return board;
}

static uint8_t issue(ilp_scoreboard *b, unsigned warp, ilp_inst inst) {
    assert_int_equal(ilp_scoreboard_wait(b, warp, &inst), ILP_READY);
    return ilp_scoreboard_issue(b, warp, &inst);
}

static void waits(const ilp_scoreboard *b, unsigned warp, ilp_inst inst, enum ilp_wait expected) {
    assert_int_equal(ilp_scoreboard_wait(b, warp, &inst), expected);
}

/* "A: load r1,-,-; B: add r2,-,-; C: load r3,r2,-; D: add -,r1,-": B is issued under A's miss, C reads r2 from the
 * scoreboard once B is complete, though B cannot be committed, D waits for A. */
static void stall_on_use(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(8);
    uint8_t a = issue(&s, 0, LOAD(1, 0)), b = issue(&s, 0, ALU(2, 0, 0));
    waits(&s, 0, LOAD(3, 2), ILP_WAITS_OPERAND);
    ilp_scoreboard_complete(&s, 0, b);
    assert_false(ilp_scoreboard_commit(&s, 0));
    issue(&s, 0, LOAD(3, 2));
    waits(&s, 0, ALU(4, 1, 0), ILP_WAITS_OPERAND);
    ilp_scoreboard_complete(&s, 0, a);
    issue(&s, 0, ALU(4, 1, 0));
}

/* "A: load r1; B: add r1; C: add -,r1": C waits for B's r1 and not for A's. */
static void the_younger_definition_matches(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(8);
    uint8_t a = issue(&s, 0, LOAD(1, 0)), b = issue(&s, 0, ALU(1, 0, 0));
    ilp_scoreboard_complete(&s, 0, a);
    waits(&s, 0, ALU(2, 1, 0), ILP_WAITS_OPERAND);
    ilp_scoreboard_complete(&s, 0, b);
    issue(&s, 0, ALU(2, 1, 0));
}

/* A register with a write in flight may be written again by the same lanes or more; by fewer, only once the older value
 * has been committed to the register file. */
static void overwriting_must_cover(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(8);
    ilp_inst half = ALU(1, 0, 0), same = ALU(1, 0, 0), fewer = ALU(1, 0, 0), more = ALU(1, 0, 0);
    half.mask = same.mask = 0xffff;
    fewer.mask = 0x7fff;
    more.mask = ALL;
    uint8_t first = issue(&s, 0, half);
    waits(&s, 0, fewer, ILP_WAITS_OVERWRITE);
    ilp_scoreboard_complete(&s, 0, first);
    waits(&s, 0, fewer, ILP_WAITS_OVERWRITE); /* complete is not committed */
    waits(&s, 0, same, ILP_READY);
    waits(&s, 0, more, ILP_READY);
    assert_true(ilp_scoreboard_commit(&s, 0));
    issue(&s, 0, fewer);
}

static void commit_is_in_order(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(8);
    uint8_t a = issue(&s, 3, LOAD(1, 0)), b = issue(&s, 3, ALU(2, 0, 0)), c = issue(&s, 5, ALU(2, 0, 0));
    ilp_scoreboard_complete(&s, 3, b);
    assert_false(ilp_scoreboard_commit(&s, 3));
    ilp_scoreboard_complete(&s, 5, c);
    assert_true(ilp_scoreboard_commit(&s, 5)); /* warps do not wait for each other */
    ilp_scoreboard_complete(&s, 3, a);
    assert_int_equal(s.used, 2);
    assert_true(ilp_scoreboard_commit(&s, 3)); /* one at a time */
    assert_int_equal(s.used, 1);
    assert_true(ilp_scoreboard_commit(&s, 3));
    assert_false(ilp_scoreboard_commit(&s, 3));
    assert_int_equal(s.used, 0);
}

/* A store is issued as the oldest of its warp; loads wait until it has committed, arithmetic does not. */
static void stores_are_the_oldest(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(8);
    uint8_t a = issue(&s, 0, ALU(1, 0, 0));
    waits(&s, 0, STORE(2, 3), ILP_WAITS_MEMORY);
    waits(&s, 1, STORE(2, 3), ILP_READY);
    ilp_scoreboard_complete(&s, 0, a);
    waits(&s, 0, STORE(2, 3), ILP_WAITS_MEMORY);
    assert_true(ilp_scoreboard_commit(&s, 0));
    uint8_t store = issue(&s, 0, STORE(2, 3));
    waits(&s, 0, LOAD(4, 0), ILP_WAITS_MEMORY);
    waits(&s, 1, LOAD(4, 0), ILP_READY);
    waits(&s, 0, STORE(5, 0), ILP_WAITS_MEMORY);
    issue(&s, 0, ALU(4, 5, 0));
    ilp_scoreboard_complete(&s, 0, store);
    waits(&s, 0, LOAD(6, 0), ILP_WAITS_MEMORY);
    assert_true(ilp_scoreboard_commit(&s, 0));
    issue(&s, 0, LOAD(6, 0));
}

/* A warp that has nothing in the full board may issue one instruction, and then none until that has its result. */
static void a_full_board_admits_one(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(2);
    uint8_t a = issue(&s, 0, LOAD(1, 0));
    issue(&s, 0, LOAD(2, 0));
    waits(&s, 0, ALU(3, 0, 0), ILP_WAITS_ENTRY);
    uint8_t alone = issue(&s, 1, ALU(1, 0, 0));
    assert_int_equal(alone, ILP_NONE);
    waits(&s, 1, ALU(2, 0, 0), ILP_WAITS_ALONE);
    ilp_scoreboard_complete(&s, 0, a);
    assert_true(ilp_scoreboard_commit(&s, 0));
    waits(&s, 1, ALU(2, 0, 0),
          ILP_WAITS_ALONE); /* there is room, but the board does not know what is in flight */
    waits(&s, 0, ALU(3, 0, 0), ILP_READY);
    ilp_scoreboard_complete(&s, 1, alone);
    assert_int_not_equal(issue(&s, 1, ALU(2, 0, 0)), ILP_NONE);
}

static void no_entries_are_one_in_flight(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(issue(&s, 0, ALU(1, 0, 0)), ILP_NONE);
        waits(&s, 0, ALU(2, 0, 0), ILP_WAITS_ALONE);
        waits(&s, 1, ALU(2, 0, 0), ILP_READY);
        ilp_scoreboard_complete(&s, 0, ILP_NONE);
    }
}

/* A result that is bypassed can be read, but is not committed before it is complete. */
static void bypassed_results_can_be_read(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(2);
    uint8_t a = issue(&s, 0, ALU(1, 0, 0));
    ilp_scoreboard_readable(&s, 0, a);
    assert_false(ilp_scoreboard_commit(&s, 0));
    issue(&s, 0, ALU(2, 1, 0));
    ilp_scoreboard_complete(&s, 0, a);
    assert_true(ilp_scoreboard_commit(&s, 0));
    issue(&s, 1, ALU(1, 0, 0));
    assert_int_equal(issue(&s, 2, ALU(1, 0, 0)), ILP_NONE);
    ilp_scoreboard_readable(&s, 2, ILP_NONE);
    waits(&s, 2, ALU(2, 1, 0), ILP_READY);
}

/* An instruction takes an entry for each register that it writes. */
static void wide_results_take_several_entries(void **state) {
    (void)state;
    ilp_scoreboard s = board_of(4);
    ilp_inst wide = {
        .regs = (uint16_t[]){1, 2, 3}, .dst_count = 3, .reg_count = 3, .kind = ILP_LOAD, .mask = ALL};
    uint8_t a = issue(&s, 0, wide);
    assert_int_equal(s.used, 3);
    waits(&s, 0, ALU(4, 3, 0), ILP_WAITS_OPERAND);
    assert_int_equal(issue(&s, 1, wide), ILP_NONE);
    ilp_scoreboard_complete(&s, 0, a);
    waits(&s, 0, ALU(4, 3, 0), ILP_READY);
    assert_true(ilp_scoreboard_commit(&s, 0));
    assert_int_equal(s.used, 0);
}

/* ---- against the naive one */

enum { WARPS = 3 };

static void random_against_naive(uint64_t seed) {
    uint64_t r = seed;
    uint8_t size = (uint8_t)random_below(&r, 7);
    ilp_scoreboard board = board_of(size);
    naive_ilp naive = {.size = size};
    uint8_t name[NAIVE_ILP_MAX];
    unsigned issued = 0, met[6] = {0};
    for (int step = 0; step < 2000; step++) {
        uint16_t regs[5];
        for (int i = 0; i < 5; i++) regs[i] = (uint16_t)random_below(&r, 6);
        ilp_inst inst = {.regs = regs,
                         .dst_count = (uint8_t)(random_one_in(&r, 8) ? 2 : random_below(&r, 2)),
                         .kind = (enum ilp_kind)random_below(&r, 3),
                         .mask = random_one_in(&r, 2) ? ALL : random_next(&r) & random_next(&r) & ALL};
        inst.reg_count = (uint8_t)(inst.dst_count + random_below(&r, 3));
        if (inst.dst_count == 2 && regs[0] == regs[1]) regs[1] = (uint16_t)(regs[0] + 1);
        unsigned warp = random_below(&r, WARPS);
        enum ilp_wait wait = ilp_scoreboard_wait(&board, warp, &inst);
        assert_int_equal(wait, naive_ilp_wait(&naive, warp, &inst));
        met[wait]++;
        if (wait == ILP_READY || wait == ILP_WAITS_ENTRY)
            assert_int_equal(ilp_scoreboard_admits(&board, warp, inst.dst_count), wait == ILP_READY);
        if (wait == ILP_READY) {
            unsigned at = naive_ilp_issue(&naive, warp, &inst);
            name[at] = ilp_scoreboard_issue(&board, warp, &inst);
            assert_int_equal(name[at] == ILP_NONE, !naive.at[at].boarded);
            issued++;
        }
        if (random_one_in(&r, 2)) {
            unsigned at = naive_ilp_any(&naive, random_below(&r, NAIVE_ILP_MAX));
            bool complete = random_one_in(&r, 2);
            if (at != NAIVE_ILP_MAX) {
                unsigned of = naive.at[at].warp;
                (complete ? ilp_scoreboard_complete : ilp_scoreboard_readable)(&board, of, name[at]);
                naive_ilp_mark(&naive, at, complete);
            }
        }
        warp = random_below(&r, WARPS);
        if (random_one_in(&r, 2))
            assert_int_equal(ilp_scoreboard_commit(&board, warp), naive_ilp_commit(&naive, warp));
        assert_int_equal(board.used, naive_ilp_used(&naive));
    }
    assert_true(issued > 100);
    if (size > 2)
        for (int i = 0; i < 6; i++) assert_true(met[i] > 0);
}

static void equals_the_naive_one(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) random_against_naive(seed);
}

/* XI 4.4.4: 16k registers are 512 vector registers; 8 x (9 + 1) = 80 and 8 x (1 + 32 + 32 + 1024 + 3) = 8736 bits;
 * XI 4.4.2: two pointers of 3 bits and two flags for each of 32 warps. */
static void cost_is_the_published(void **state) {
    (void)state;
    assert_int_equal(ilp_tag_bits(8, 512), 80);
    assert_int_equal(ilp_data_bits(8, 32), 8736);
    assert_int_equal(ilp_data_bits(8, 32) / 8, 1092);
    assert_int_equal(ilp_scheduler_bits(8, 32), 256);
    assert_int_equal(ilp_tag_bits(0, 512) + ilp_data_bits(0, 32) + ilp_scheduler_bits(0, 32), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stall_on_use),
        cmocka_unit_test(the_younger_definition_matches),
        cmocka_unit_test(overwriting_must_cover),
        cmocka_unit_test(commit_is_in_order),
        cmocka_unit_test(stores_are_the_oldest),
        cmocka_unit_test(a_full_board_admits_one),
        cmocka_unit_test(no_entries_are_one_in_flight),
        cmocka_unit_test(bypassed_results_can_be_read),
        cmocka_unit_test(wide_results_take_several_entries),
        cmocka_unit_test(equals_the_naive_one),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
