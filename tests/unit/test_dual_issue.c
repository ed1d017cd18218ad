/* Dual issue (core.dual_issue): which instructions a scheduler issues together, checked cycle by cycle. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INSTS_MAX = 400, WARPS_MAX = 8 };

#define ONE_SM                                                                                               \
    "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,core.int_units=4,core.fp_units=4,core.fetch_insts="   \
    "16,"                                                                                                    \
    "core.memory_ports=2,core.memory_queue=8,"

/* ---- the cycles in which instructions issue */

typedef struct issues_heard {
    ws_timed_issue issue[WARPS_MAX * INSTS_MAX];
    size_t count;
} issues_heard;

static void hear_issue(void *self, const ws_timed_issue *issue) {
    issues_heard *h = self;
    h->issue[h->count++] = *issue;
}

static issues_heard *run(const ws_trace *trace, const char *settings, ws_timed_counters *counters) {
    static issues_heard heard;
    heard.count = 0;
    *counters =
        mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = &heard, .issue = hear_issue}).counters;
    return &heard;
}

/* Writes one warp's instructions. A word has the instruction's kind (generate_inst), the register that it writes and
 * the one that it reads; 0: none. */
static void write_code(const char *words, generate_inst *code) {
    for (uint32_t i = 0; *words; i++, code++) {
        *code = (generate_inst){.pc = 16 * i, .mask = UINT32_MAX, .kind = words[0], .line = i};
        code->dst = (uint16_t)(words[1] - '0');
        code->a = (uint16_t)(words[2] - '0');
        words += words[3] ? 4 : 3;
    }
    code->kind = 0;
}

/* Returns the cycle in which each instruction of a warp issues, counted from the first one's: "0 0 1 1". Static
 * memory. */
static const char *cycles_of_code(const generate_inst *code, const char *settings) {
    static char told[400];
    ws_trace *trace = generate_code("sm_35", (const generate_inst *const[]){code, NULL});
    ws_timed_counters counters;
    const issues_heard *h = run(trace, settings, &counters);
    size_t length = 0;
    for (size_t i = 0; i < h->count; i++)
        length += (size_t)snprintf(told + length, sizeof told - length, "%s%llu", i ? " " : "",
                                   (unsigned long long)(h->issue[i].cycle - h->issue[0].cycle));
    ws_trace_close(trace);
    return told;
}

static const char *issue_cycles(const char *words, const char *settings) {
    generate_inst code[INSTS_MAX];
    write_code(words, code);
    return cycles_of_code(code, settings);
}

/* Each register is written once unless the case says otherwise, so that only the case's rule decides. The result of an
 * INT unit can be used 10 cycles after issue: 4 for the unit and 6 for the pipeline. */
static void pairs_that_leave_together(void **state) {
    (void)state;
    static const struct {
        const char *words, *off, *any, *different_units;
    } cases[] = {
        /* independent instructions of different kinds */
        {"i10 f20 i30 f40", "0 1 2 3", "0 0 1 1", "0 0 1 1"},
        /* two of one kind; in the second case, the 2nd and the 3rd instruction differ */
        {"i10 i20 i30 i40", "0 1 2 3", "0 0 1 1", "0 1 2 3"},
        {"i10 i20 f30 f40", "0 1 2 3", "0 0 1 1", "0 1 1 2"},
        /* three never issue in the same cycle */
        {"i10 f20 u30 i40 f50", "0 1 2 3 4", "0 0 1 1 2", "0 0 1 1 2"},
        /* an instruction that reads, or writes, the register that the one before it writes */
        {"i10 f21 f30", "0 10 11", "0 10 10", "0 10 11"},
        {"i10 f10", "0 10", "0 10", "0 10"},
        /* a pair may have one memory instruction, but not two */
        {"s00 i10 s00 f20", "0 1 2 3", "0 0 1 1", "0 0 1 1"},
        {"s00 s00 i10 s00", "0 1 2 3", "0 1 1 2", "0 1 1 2"},
    };
    static const char *const names[] = {"off", "any", "different_units"};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const char *const expected[] = {cases[i].off, cases[i].any, cases[i].different_units};
        for (size_t n = 0; n < WS_COUNT(names); n++) {
            char settings[300];
            snprintf(settings, sizeof settings, ONE_SM "core.dual_issue=%s", names[n]);
            const char *got = issue_cycles(cases[i].words, settings);
            if (strcmp(got, expected[n]) != 0)
                fail_msg("%s, %s: expected %s, found %s", cases[i].words, names[n], expected[n], got);
        }
    }
}

/* Units for tensors and for branches are of one kind, and other units are not. */
static void special_units_are_of_one_kind(void **state) {
    (void)state;
#define SPECIAL_UNITS ONE_SM "core.tensor_units=4,core.branch_units=4,core.dual_issue="
    assert_string_equal(issue_cycles("t10 j00 i20 t30", SPECIAL_UNITS "any"), "0 0 1 1");
    assert_string_equal(issue_cycles("t10 j00 i20 t30", SPECIAL_UNITS "different_units"), "0 1 1 2");
    assert_string_equal(issue_cycles("j00 u10 t20 f30", SPECIAL_UNITS "different_units"), "0 0 1 1");
}

/* Warp 0 waits at a barrier for warp 1, which computes first. The instruction before the barrier may issue together
 * with it; those behind it issue once warp 1 has come to the barrier. */
static void nothing_leaves_together_across_a_barrier(void **state) {
    (void)state;
    generate_inst code[2][INSTS_MAX];
    write_code("f10 b00 i20 f30", code[0]);
    write_code("u10 i21 b02", code[1]);
    ws_trace *trace = generate_code("sm_35", (const generate_inst *const[]){code[0], code[1], NULL});
    ws_timed_counters counters;
    const issues_heard *h =
        run(trace, ONE_SM "sm.schedulers=1,sm.scheduler=gto,core.dual_issue=any", &counters);
    uint64_t cycle[4] = {0}, opens = 0;
    size_t n = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (h->issue[i].warp == 1) opens = h->issue[i].cycle;
        if (h->issue[i].warp == 0) cycle[n++] = h->issue[i].cycle;
    }
    assert_int_equal(n, 4);
    assert_int_equal(cycle[0], cycle[1]);
    assert_true(opens > cycle[1]);
    assert_true(cycle[2] > opens);
    assert_int_equal(cycle[2], cycle[3]);
    ws_trace_close(trace);
}

/* With a buffer of one instruction the second one has not been fetched when the first issues, so each issues alone. */
static void the_second_must_have_been_fetched(void **state) {
    (void)state;
    const char *one = "gpu.clusters=1,dram.channels=2,core.int_units=4,core.fetch_insts=1,core.fetch_cycles="
                      "5,core.dual_issue=any";
    assert_string_equal(issue_cycles("i10 f20 i30 f40", one), "0 5 10 15");
}

#define SCALAR ",mechanism.core=scalar,scalar.irb_entries=0"

/* With eight lanes a scheduler pauses for four cycles, but for one after an instruction that executes as a scalar one.
 * After a pair it pauses for as long as after either of the two. Register 8 is uniform, register 9 is not, as some
 * lanes write it; both can be read from cycle 10 on. */
static void the_longer_pause_counts(void **state) {
    (void)state;
    static const struct {
        const char *words, *cycles;
    } cases[] = {{"i18 f28 i38 f48", "0 0 10 10 11 11"},
                 {"i19 f29 i39 f49", "0 0 10 10 14 14"},
                 {"i19 f28 i38 f48", "0 0 10 10 14 14"},
                 {"i18 f29 i38 f48", "0 0 10 10 14 14"},
                 {"i18 f28 i39 f48 i58", "0 0 10 10 11 11 15"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        generate_inst code[INSTS_MAX] = {{512, UINT32_MAX, 'i', .dst = 8}, {528, 0xff, 'f', .dst = 9}};
        write_code(cases[i].words, code + 2);
        const char *got = cycles_of_code(code, ONE_SM "core.dual_issue=any,core.simd_width=8" SCALAR);
        assert_string_equal(got, cases[i].cycles);
    }
}

/* An INT instruction in front of the second one, which gives a scalar's value to all lanes, must be able to issue with
 * the first. The result of either can be used 10 cycles later. */
static void a_copy_pairs_as_an_instruction_does(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, UINT32_MAX, 'i', .dst = 1},
                                         {16, UINT32_MAX, 'i', .dst = 2, .a = 1},
                                         {32, 0xff, 'f', .dst = 1, .a = 1},
                                         {0}};
    assert_string_equal(cycles_of_code(code, ONE_SM "core.dual_issue=off" SCALAR), "0 10 21");
    assert_string_equal(cycles_of_code(code, ONE_SM "core.dual_issue=any" SCALAR), "0 10 20");
    assert_string_equal(cycles_of_code(code, ONE_SM "core.dual_issue=different_units" SCALAR), "0 10 21");
}

/* On an SM without INT units it takes an FP unit, and waits until that has taken the vector instruction before it. */
static void without_int_units_a_copy_takes_an_fp_unit(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, UINT32_MAX, 'f', .dst = 1},
                                         {16, 0xff, 'f', .dst = 9},
                                         {32, UINT32_MAX, 'f', .dst = 2, .a = 1, .b = 9},
                                         {48, 0xff, 'u', .dst = 1, .a = 1},
                                         {0}};
    for (int interval = 1; interval <= 4; interval *= 2)
        for (int units = 0; units < 2; units++) {
            char settings[300], expected[40];
            snprintf(settings, sizeof settings,
                     "gpu.clusters=1,core.fetch_insts=16,core.fp_units=1,core.unit_queue=1,"
                     "core.fp_interval=%d,core.int_units=%d" SCALAR,
                     interval, units);
            snprintf(expected, sizeof expected, "0 1 11 %d", 21 + (units ? 1 : interval));
            assert_string_equal(cycles_of_code(code, settings), expected);
        }
}

/* scheduler_issues counts cycles in which a scheduler issues, one or two instructions; warp_instructions counts
 * instructions. */
static void a_cycle_with_two_is_one_cycle(void **state) {
    (void)state;
    generate_inst code[INSTS_MAX];
    write_code("i10 f20 i30 f40 i50", code);
    ws_trace *trace = generate_code("sm_35", (const generate_inst *const[]){code, NULL});
    ws_timed_counters off, dual;
    run(trace, ONE_SM "core.dual_issue=off", &off);
    run(trace, ONE_SM "core.dual_issue=any", &dual);
    assert_int_equal(off.warp_instructions, 5);
    assert_int_equal(dual.warp_instructions, 5);
    assert_int_equal(off.scheduler_issues, 5);
    assert_int_equal(dual.scheduler_issues, 3);
    assert_int_equal(off.cycles, dual.cycles + 2);
    ws_trace_close(trace);
}

/* ---- laws of random code */

static void random_code(uint64_t *random, generate_inst *code) {
    static const char kinds[] = "iiiffffulsab";
    uint32_t insts = 50 + random_below(random, 100);
    for (uint32_t i = 0; i < insts; i++) {
        code[i] = (generate_inst){.mask = UINT32_MAX, .kind = kinds[random_below(random, 11)]};
        bool writes = code[i].kind != 's';
        code[i].pc = 16 * i;
        code[i].dst = (uint16_t)(writes ? 1 + random_below(random, 20) : 0);
        code[i].a = (uint16_t)random_below(random, 20);
        code[i].line = random_below(random, 64);
    }
    code[insts].kind = 0;
}

/* The rule as it is defined: returns whether two consecutive instructions of a warp may issue in the same cycle. At
 * most one of them is for memory, their kinds differ if `different_units`, and the second does not depend on the
 * first. */
static bool may_pair(const generate_inst *first, const generate_inst *second, bool different_units) {
    bool memory = strchr("lsa", first->kind) && strchr("lsa", second->kind);
    if (memory || (different_units && first->kind == second->kind)) return false;
    return !first->dst || (second->a != first->dst && second->dst != first->dst);
}

/* In a cycle a scheduler issues at most two instructions, and only consecutive ones of one warp that may pair; each
 * warp issues all of its instructions, in order. This holds with operand collectors, too. */
static void at_most_two_of_one_warp(void **state) {
    (void)state;
    static const char *const gpus[] = {"", "core.collectors=2,core.register_banks=8,",
                                       "core.sub_cores=false,core.collectors=4,", "core.simd_width=16,"};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        static generate_inst code[WARPS_MAX][INSTS_MAX];
        const generate_inst *warps[WARPS_MAX + 1] = {NULL};
        uint64_t random = seed;
        bool different = random_one_in(&random, 2);
        for (size_t w = 0; w < WARPS_MAX; w++) random_code(&random, code[w]), warps[w] = code[w];
        ws_trace *trace = generate_code("sm_35", warps);
        char settings[400];
        snprintf(settings, sizeof settings, ONE_SM "%score.dual_issue=%s,sm.scheduler=%s", gpus[seed % 4],
                 different ? "different_units" : "any", seed % 3 ? "gto" : "lrr");
        ws_timed_counters counters;
        const issues_heard *h = run(trace, settings, &counters);
        assert_int_equal(h->count, counters.warp_instructions);
        uint32_t done[WARPS_MAX] = {0};
        uint64_t pairs = 0;
        const ws_timed_issue *last[2] = {NULL}, *before_last[2] = {NULL};
        for (size_t i = 0; i < h->count; i++) {
            const ws_timed_issue *now = &h->issue[i];
            unsigned k = now->warp % 2; /* two schedulers */
            const generate_inst *inst = &code[now->warp][done[now->warp]++];
            if (last[k] && last[k]->cycle == now->cycle) {
                assert_int_equal(last[k]->warp, now->warp);
                assert_true(may_pair(inst - 1, inst, different));
                assert_true(!before_last[k] || before_last[k]->cycle < now->cycle);
                pairs++;
            }
            before_last[k] = last[k];
            last[k] = now;
        }
        assert_int_equal(counters.scheduler_issues + pairs, counters.warp_instructions);
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_that_leave_together),
        cmocka_unit_test(special_units_are_of_one_kind),
        cmocka_unit_test(nothing_leaves_together_across_a_barrier),
        cmocka_unit_test(the_second_must_have_been_fetched),
        cmocka_unit_test(the_longer_pause_counts),
        cmocka_unit_test(a_copy_pairs_as_an_instruction_does),
        cmocka_unit_test(without_int_units_a_copy_takes_an_fp_unit),
        cmocka_unit_test(a_cycle_with_two_is_one_cycle),
        cmocka_unit_test(at_most_two_of_one_warp),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
