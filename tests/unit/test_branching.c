/* How branches are recognised and decided (src/replay/branching.c): cases with known outcomes, for masks of active
 * lanes and for masks that leave out lanes whose predicate is false; random walks compared with a naive lookup of
 * each lane's next instruction. */
#include "replay/branching.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef generate_inst step;
#define STEP(at, lanes, what, reads)                                                                         \
    { .pc = at, .mask = lanes, .kind = what, .a = reads }
#define I(pc, mask) STEP(pc, mask, 'i', 0) /* any instruction */
#define J(pc, mask) STEP(pc, mask, 'j', 0) /* a jump */
#define C(pc, mask) STEP(pc, mask, 'j', 1) /* a jump that names a register, e.g. its predicate */
#define X(pc, mask) STEP(pc, mask, 'x', 0) /* an exit */

/* Returns a trace of one warp that executes these steps. */
static ws_trace *trace_of(const char *isa, const step *steps) {
    return generate_code(isa, (const step *const[]){steps, NULL});
}

static ws_branching *learn(const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_branching *branching = reader ? ws_branching_new(trace, reader, 1, 1, &err) : NULL;
    if (!branching) fail_msg("%s", err.text);
    ws_reader_free(reader);
    return branching;
}

/* Checks the outcome of each step, a letter: N not taken, T taken, D divergent, - no branch. */
static void outcomes_are(const char *isa, const step *steps, const char *expected) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = trace_of(isa, steps);
    ws_branching *branching = learn(trace);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    uint8_t outcomes[64];
    char got[65] = {0};
    ws_branching_outcomes(branching, &cta.warps[0], outcomes);
    for (uint32_t i = 0; i < cta.warps[0].inst_count; i++) got[i] = "-NTD"[outcomes[i]];
    assert_string_equal(got, expected);
    ws_reader_free(reader);
    ws_branching_free(branching);
    ws_trace_close(trace);
}

/* Returns what is learned about the branch at `pc` from these steps. */
static ws_branch branch_at(const char *isa, const step *steps, uint32_t pc) {
    ws_trace *trace = trace_of(isa, steps);
    ws_branching *branching = learn(trace);
    ws_branch found = {.jumps = false};
    for (uint32_t i = 0; i < ws_trace_get_info(trace)->static_count; i++)
        if (ws_trace_statics(trace)[i].pc == pc) found = ws_branching_of(branching)[i];
    ws_branching_free(branching);
    ws_trace_close(trace);
    return found;
}

#define ALL 0xFFu

/* Instruction 1 is the loop's body, 2 branches back to 1. */
static const step loop[] = {I(1, ALL), C(2, ALL), I(1, ALL), C(2, ALL), I(3, ALL), {0}};
static const step leaving[] = {I(1, ALL), C(2, ALL), I(1, 0x0F), C(2, 0x0F), I(3, ALL), {0}};
static const step skipping[] = {C(1, ALL), I(5, ALL), J(6, ALL), I(9, ALL), {0}};
static const step both_ways[] = {C(1, ALL), I(2, 0x0F), J(3, 0x0F), I(5, 0xF0), I(6, ALL), {0}};
static const step at_the_end[] = {I(1, ALL), C(2, ALL), {0}};
/* Neither successor is at the next pc: the nearer one counts as the fall-through. */
static const step far_apart[] = {C(1, ALL), J(7, ALL), C(1, ALL), I(4, ALL), {0}};

static void known_outcomes(void **state) {
    (void)state;
    outcomes_are("llvm", loop, "-T-N-");
    outcomes_are("llvm", leaving, "-D-N-");
    outcomes_are("llvm", skipping, "T-T-");
    outcomes_are("llvm", both_ways, "D-T--");
    outcomes_are("llvm", at_the_end, "-T");
    outcomes_are("llvm", far_apart, "TTN-");
}

static void known_branches(void **state) {
    (void)state;
    ws_branch b = branch_at("llvm", loop, 2);
    assert_true(b.jumps && b.conditional && b.backward);
    b = branch_at("llvm", skipping, 6);
    assert_true(b.jumps && !b.conditional && !b.backward);
    b = branch_at("llvm", skipping, 1);
    assert_true(b.conditional && !b.backward); /* the branch names a register */
    assert_true(branch_at("llvm", at_the_end, 2).conditional);
    assert_false(branch_at("llvm", far_apart, 1).backward);
    const step itself[] = {C(4, ALL), C(4, ALL), I(5, ALL), {0}};
    assert_true(branch_at("llvm", itself, 4).backward);
    assert_false(branch_at("llvm", loop, 1).jumps);
}

/* Calls and returns have a condition only if a predicate keeps some of their lanes. */
static void calls_and_returns_are_unconditional(void **state) {
    (void)state;
    /* a function at 8 that is called from two places with registers */
    const step called[] = {STEP(1, ALL, 'C', 1),
                           I(8, ALL),
                           STEP(9, ALL, 'R', 1),
                           I(2, ALL),
                           STEP(3, ALL, 'C', 1),
                           I(8, ALL),
                           STEP(9, ALL, 'R', 1),
                           I(4, ALL),
                           {0}};
    outcomes_are("llvm", called, "T-T-T-T-");
    assert_true(branch_at("llvm", called, 1).jumps && !branch_at("llvm", called, 1).conditional);
    assert_true(branch_at("llvm", called, 9).jumps && !branch_at("llvm", called, 9).conditional);
    const step sass[] = {
        I(0x10, ALL), STEP(0x20, ALL, 'c', 0), I(0x90, ALL), STEP(0xA0, ALL, 'r', 20), I(0x30, ALL), {0}};
    assert_true(branch_at("sass", sass, 0xA0).jumps && !branch_at("sass", sass, 0xA0).conditional);
    const step predicated[] = {I(0x10, ALL), STEP(0x20, 0x0F, 'c', 0), I(0x90, 0x0F), I(0x30, ALL), {0}};
    assert_true(branch_at("sass", predicated, 0x20).conditional);
    assert_true(branch_at("sass", (const step[]){C(0x20, ALL), I(0x30, ALL), {0}}, 0x20).conditional);
}

/* A branch's number counts instructions: SASS instructions of 16 bytes are units of 16 bytes. */
static void numbers_are_in_instructions(void **state) {
    (void)state;
    const step wide[] = {I(0x10, ALL), C(0x30, ALL), I(0x40, ALL), {0}};
    assert_int_equal(branch_at("llvm", loop, 2).number, 2);
    assert_int_equal(branch_at("sass", wide, 0x30).number, 3);
}

/* In SASS traces a branch's mask leaves out the lanes whose predicate is false. */
static void known_predicated_outcomes(void **state) {
    (void)state;
    const step some[] = {I(0x100, ALL), J(0x101, 0x0F), I(0x102, 0xF0), I(0x110, ALL), {0}};
    const step all[] = {I(0x100, ALL), J(0x101, ALL), I(0x110, ALL), {0}};
    const step none[] = {I(0x100, ALL), J(0x101, 0), I(0x102, ALL), {0}};
    const step after_exit[] = {I(0x0F0, ALL), X(0x100, 0xF0), J(0x101, 0x0F), I(0x110, 0x0F), {0}};
    const step back[] = {I(0x100, ALL), J(0x101, ALL), I(0x100, ALL), J(0x101, 0), {0}};
    outcomes_are("sass", some, "-D--");
    outcomes_are("sass", all, "-T-");
    outcomes_are("sass", none, "-N-");
    outcomes_are("sass", after_exit, "--T-");
    outcomes_are("sass", back, "-T-N");
    assert_true(branch_at("sass", some, 0x101).conditional);
    assert_false(branch_at("sass", all, 0x101).conditional);
    assert_true(branch_at("sass", none, 0x101).conditional);
    ws_branch b = branch_at("sass", back, 0x101);
    assert_true(b.conditional && b.backward);
    const step itself[] = {J(0x100, ALL), J(0x100, ALL), J(0x100, 0), I(0x101, ALL), {0}};
    assert_true(branch_at("sass", itself, 0x100).backward);
    assert_false(branch_at("sass", all, 0x101).backward);
}

/* ---- random walks */

enum { STEPS = 60 };

/* The pc that a lane executes next after step i, or 0 if none. */
static uint32_t next_of(const step *s, int i, unsigned lane) {
    for (i++; s[i].kind; i++)
        if (s[i].mask >> lane & 1) return s[i].pc;
    return 0;
}

/* The outcome by definition: look up each lane's next instruction. The fall-through is the pc after the branch. */
static char naive_outcome(const step *s, int i) {
    uint32_t went = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t next = s[i].mask >> lane & 1 ? next_of(s, i, lane) : 0;
        if (next && went && next != went) return 'D';
        if (next) went = next;
    }
    return went == s[i].pc + 1 ? 'N' : 'T';
}

/* At a branch lanes go to the next instruction or to the branch's only target; random groups of lanes at one pc run
 * in a random order. */
static void random_walks_are_like_naive(void **state) {
    (void)state;
    unsigned seen[128] = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t r = seed;
        step s[STEPS + 1] = {0};
        char expected[STEPS + 1] = {0};
        uint32_t at[32];
        for (unsigned lane = 0; lane < 32; lane++) at[lane] = 1;
        for (int i = 0; i < STEPS; i++) {
            uint32_t pc = at[random_below(&r, 32)]; /* all lanes at this pc execute its instruction */
            s[i] = (step){.pc = pc, .kind = pc % 3 ? 'i' : 'j', .a = 1};
            uint32_t target = pc * 7 % 11 + 1, choice = random_below(&r, 3);
            for (unsigned lane = 0; lane < 32; lane++) {
                if (at[lane] != pc) continue;
                s[i].mask |= UINT64_C(1) << lane;
                bool jumps = pc % 3 == 0 && (choice == 0 || (choice == 1 && random_one_in(&r, 2)));
                at[lane] = jumps || pc > 20 ? target : pc + 1;
            }
        }
        for (int i = 0; i < STEPS; i++) {
            expected[i] = s[i].kind == 'j' ? naive_outcome(s, i) : '-';
            seen[(unsigned char)expected[i]]++;
        }
        outcomes_are("llvm", s, expected);
    }
    assert_true(seen['N'] > 500 && seen['T'] > 500 && seen['D'] > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_outcomes),
        cmocka_unit_test(known_branches),
        cmocka_unit_test(calls_and_returns_are_unconditional),
        cmocka_unit_test(numbers_are_in_instructions),
        cmocka_unit_test(known_predicated_outcomes),
        cmocka_unit_test(random_walks_are_like_naive),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
