/* Memory fences in the timed engine, and global accesses that bypass the L1: loads of GPU scope, or all. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1"

enum { INSTS_MAX = 40 };

/* Writes an instruction for each word: its kind, and the line or the registers that it names. "l5>1 i<1" is a load of
 * line 5 into register 1, and an instruction that reads it. */
static void write_code(const char *words, generate_inst code[INSTS_MAX]) {
    memset(code, 0, INSTS_MAX * sizeof *code);
    for (unsigned n = 0; *words; n++) {
        generate_inst *i = &code[n];
        *i = (generate_inst){.pc = 16 * n, .mask = UINT32_MAX, .kind = *words};
        char *at;
        i->line = 100 + (uint32_t)strtoul(words + 1, &at, 10);
        for (; *at == '>' || *at == '<';) {
            uint16_t *reg = *at == '>' ? &i->dst : i->a ? &i->b : &i->a;
            *reg = (uint16_t)strtoul(at + 1, &at, 10);
        }
        for (words = at; *words == ' ';) words++;
    }
}

/* Runs one warp, or two if `second` is given. */
static ws_timed_counters run(const char *first, const char *second, const char *settings) {
    static generate_inst code[2][INSTS_MAX];
    write_code(first, code[0]);
    if (second) write_code(second, code[1]);
    const generate_inst *warps[] = {code[0], second ? code[1] : NULL, NULL};
    ws_trace *trace = generate_code("sass", warps);
    char all[300];
    snprintf(all, sizeof all, SMALL ",%s", settings);
    ws_timed_counters c = mechanism_run(trace, 1, all).counters;
    ws_trace_close(trace);
    return c;
}

static uint64_t cycles(const char *words, const char *settings) {
    return run(words, NULL, settings).cycles;
}

/* An instruction behind a fence issues when it would, without the fence, if it read the registers for which the fence
 * waits: a code with fences takes as long as one that names these registers. */
static void a_fence_waits_for_results(void **state) {
    (void)state;
    static const struct {
        const char *fenced, *named;
    } codes[] = {
        {"l1>1 m l9>2 x", "l1>1 m l9>2<1 x"},
        {"l1>1 u>3 m l9>2 x", "l1>1 u>3 m l9>2<1 x"},
        {"u>3 m l9>2 x", "u>3 m l9>2<3 x"},
        {"l1>1 l3>3 m l9>2 x", "l1>1 l3>3 m l9>2<1<3 x"},
        {"g1>1 m i m l9>2 x", "g1>1 m i<1 m l9>2<1 x"},
    };
    for (size_t i = 0; i < WS_COUNT(codes); i++) {
        uint64_t waits = cycles(codes[i].fenced, "core.fences=wait");
        assert_int_equal(waits, cycles(codes[i].named, "core.fences=pass"));
        assert_int_equal(waits, cycles(codes[i].fenced, "core.fences=empty_l1"));
        assert_true(cycles(codes[i].fenced, "core.fences=pass") < waits);
    }
}

/* A fence waits neither for the acknowledgement of a store nor for the results of other warps. */
static void it_waits_for_no_store_and_no_other_warp(void **state) {
    (void)state;
    assert_int_equal(cycles("s1 m l9>2 x", "core.fences=empty_l1"),
                     cycles("s1 m l9>2 x", "core.fences=pass"));
    uint64_t passing = run("u>3 l1>1<3 x", "i m l9>2 x", "core.fences=pass").cycles;
    assert_int_equal(run("u>3 l1>1<3 x", "i m l9>2 x", "core.fences=wait").cycles, passing);
}

/* With core.fences=empty_l1 a fence invalidates the lines of the L1. Loads behind it miss there, and hit in the L2. */
static void it_empties_the_l1(void **state) {
    (void)state;
    static const char *const code = "l1>1 l2>2 m l1>3 l2>4 m m l2>5 x";
    ws_timed_counters kept = run(code, NULL, "core.fences=wait"), c = run(code, NULL, "core.fences=empty_l1");
    assert_int_equal(kept.l1_misses, 2);
    assert_int_equal(kept.l1_hits, 3);
    assert_int_equal(c.l1_misses, 5);
    assert_int_equal(c.l1_hits, 0);
    assert_int_equal(c.l2_accesses, 5 * 4);
    assert_int_equal(c.l2_hits, 3 * 4);
}

/* Warp 1's fence empties the L1 while line 1 is on its way for warp 0. The line still comes, for all that wait for it,
 * and stays. */
static void data_on_their_way_come(void **state) {
    (void)state;
    static const char *const soon = "l1>1 i<1 l1>2 x", *const later = "l1>1 u>6<1 u>7<6 u>8<7 u>9<8 l1>2<9 x";
    const struct {
        const char *loads, *other;
        uint64_t misses, hits, fetched;
    } cases[] = {
        {soon, "u>3 m i x", 1, 1, 1},           /* line 1 comes, and warp 0 finds it again */
        {soon, "u>3 m l1>4 x", 2, 1, 1},        /* warp 1 waits for the same line 1 */
        {soon, "u>3 m l9>4 l1>5<4 x", 2, 2, 2}, /* warp 1 finds line 1 later */
        {later, "u>3 m g9>4 m i x", 1, 1, 2},   /* the 2nd fence does not empty the L1, unused since */
        {later, "u>3 m l9>4 m x", 3, 0, 3},     /* the 2nd fence empties the L1, used since */
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        for (int collectors = 0; collectors < 2; collectors++) {
            char settings[200] = "core.fences=empty_l1,l1.latency=5,core.sfu_latency=20";
            if (collectors) strcat(settings, ",core.collectors=2,core.memory_ports=2,core.memory_queue=16");
            ws_timed_counters c = run(cases[i].loads, cases[i].other, settings);
            assert_int_equal(c.l1_misses, cases[i].misses);
            assert_int_equal(c.l1_hits, cases[i].hits);
            assert_int_equal(c.l1_pending_hits, 0);
            assert_int_equal(c.l2_accesses, 4 * cases[i].fetched);
        }
}

/* A fence frees the ways that are reserved for lines on their way: in a set of one way, a read that waits for the way
 * goes on once the other warp has passed its fence. */
static void it_frees_ways(void **state) {
    (void)state;
    static const char *const small =
        "l1.size_B=128,l1.ways=1,l1.index=linear,l1.latency=1,core.sfu_latency=20,core.fences=%s";
    uint64_t cycles_of[2];
    for (int empties = 0; empties < 2; empties++) {
        char settings[200];
        snprintf(settings, sizeof settings, small, empties ? "empty_l1" : "wait");
        cycles_of[empties] = run("l1>1 l2>2 x", "u>3 m i x", settings).cycles;
    }
    assert_true(cycles_of[1] + 100 < cycles_of[0]);
}

/* Warp 1's fence takes line 1's way from it while the data are on their way. Line 3 gets that way; line 1, asked for
 * again, gets the other one, but its data come to the former: the third time it is asked for anew. In the second run
 * line 5 finds both ways reserved. */
static void lines_on_their_way_take_another_place(void **state) {
    (void)state;
    static const char *const settings =
        "l1.size_B=256,l1.ways=2,l1.index=linear,l1.latency=1,core.sfu_latency=20,core.fences=empty_l1";
    ws_timed_counters c = run("l1>1 x", "u>3 m l3>4 l1>5 i<4<5 l1>6 l3>7 x", settings);
    assert_int_equal(c.l1_misses, 3);
    assert_int_equal(c.l1_hits, 1);
    assert_int_equal(c.l1_pending_hits, 1);
    assert_int_equal(c.l1_retries_set_full, 0);
    assert_int_equal(c.l2_accesses, 3 * 4);
    c = run("l1>1 x", "u>3 m l3>4 l1>5 l5>8 x", settings);
    assert_int_equal(c.l1_misses, 4);
    assert_true(c.l1_retries_set_full > 100);
}

/* Line 1, which the read of line 0 fetched, loses its place to a fence and to lines 2 and 3 while it is on its way. The
 * next read of line 0 finds it under way, and does not fetch it again. */
static void fetched_lines_on_their_way_come_once(void **state) {
    (void)state;
    ws_timed_counters c = run("l0>1 x", "u>3 m l2>4 l0>5 x",
                              "l1.size_B=512,l1.ways=4,l1.index=linear,l1.latency=1,core.sfu_latency=20,"
                              "core.fences=empty_l1,mechanism.fetch=coarse,coarse.dueling=false,"
                              "coarse.grain_window=0");
    assert_int_equal(c.l2_accesses, 4 * 4);
}

/* A fence empties the L1 only if it has been used since the last fence. A store counts as use if the L1 keeps its data,
 * so not with l1.write=evict: then line 1 survives warp 1's second fence, and warp 0 hits. */
static void stores_use_what_keeps_them(void **state) {
    (void)state;
    static const char *const first = "l1>1 u>6<1 u>7<6 u>8<7 u>9<8 l1>2<9 x", *const second =
                                                                                  "u>3 m s9 g8>4 m i x";
#define STORES "core.fences=empty_l1,l1.latency=5,core.sfu_latency=20,l1.write="
    assert_int_equal(run(first, second, STORES "evict").l1_hits, 1);
    assert_int_equal(run(first, second, STORES "through_lazy").l1_hits, 0);
}

/* Loads of GPU scope bypass the L1 and are served by the L2: a packet each, or one for each sector with
 * core.atomic_sectors. They leave the lines of the L2 clean. */
static void loads_of_scope_gpu_pass_the_l1(void **state) {
    (void)state;
    static const char *const code = "l1>1 m g1>2 m g1>3 x";
    ws_timed_counters kept = run(code, NULL, "core.strong_past_l1=false"), c = run(code, NULL, "l1.ways=4");
    assert_int_equal(kept.l1_accesses, 3);
    assert_int_equal(kept.l1_hits, 2);
    assert_int_equal(kept.l1_bypasses, 0);
    assert_int_equal(c.l1_accesses, 1);
    assert_int_equal(c.l1_bypasses, 2);
    assert_int_equal(c.l2_accesses, 3 * 4);
    assert_int_equal(c.l2_hits, 2 * 4);
    assert_int_equal(c.loads, 3);
    assert_int_equal(c.noc_bytes_to_memory, 3 * 8);
    assert_int_equal(run("l1>1 m y1>2 x", NULL, "l1.ways=4").l1_hits, 1); /* SYS hits, as in Accel-Sim */
    ws_timed_counters cut = run(code, NULL, "core.atomic_sectors=true");
    assert_int_equal(cut.l1_bypasses, 2 * 4);
    assert_int_equal(cut.l2_accesses, 3 * 4);
    /* evicted from a small L2, the lines are not written back */
    ws_timed_counters small = run("g0>1 m g32>2 m g64>3 m g96>4 x", NULL, "l2.size_B=1024,l2.ways=1");
    assert_int_equal(small.dram_writes, 0);
}

/* With core.global_past_l1 every load of global memory is treated as one of GPU scope. */
static void all_loads_can_pass_the_l1(void **state) {
    (void)state;
    static const struct {
        const char *plain, *of_gpu_scope;
    } codes[] = {{"l1>1 l1>2 l2>3<1 i<3 x", "g1>1 g1>2 g2>3<1 i<3 x"},
                 {"l1>1 m l1>2 a3>4 l3>5 x", "g1>1 m g1>2 a3>4 g3>5 x"}};
    for (size_t i = 0; i < WS_COUNT(codes); i++) {
        ws_timed_counters all = run(codes[i].plain, NULL, "core.global_past_l1=true"),
                          these = run(codes[i].of_gpu_scope, NULL, "core.strong_past_l1=true");
        assert_memory_equal(&all, &these, sizeof all);
        assert_int_equal(all.l1_accesses, 0);
        assert_true(run(codes[i].plain, NULL, "l1.ways=4").l1_accesses > 0);
    }
}

/* With core.global_past_l1 stores bypass the L1, too. They skip its latency and the cycle in its miss queue, and are
 * acknowledged that much earlier; the traffic behind the L1 is the same. */
static void stores_can_pass_the_l1(void **state) {
    (void)state;
    ws_timed_counters past = run("s1 x", NULL, "core.global_past_l1=true,l1.latency=20"),
                      through = run("s1 x", NULL, "l1.latency=20");
    assert_int_equal(past.l1_accesses, 0);
    assert_int_equal(past.l1_bypasses, 1);
    assert_int_equal(through.l1_accesses, 1);
    assert_int_equal(past.noc_bytes_to_memory, 8 + 128);
    assert_int_equal(past.noc_bytes_to_memory, through.noc_bytes_to_memory);
    assert_int_equal(past.l2_accesses, through.l2_accesses);
    assert_int_equal(past.cycles + 20 + 1, through.cycles); /* 1: the cycle in the miss queue */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_waits_for_results),
        cmocka_unit_test(it_waits_for_no_store_and_no_other_warp),
        cmocka_unit_test(it_empties_the_l1),
        cmocka_unit_test(data_on_their_way_come),
        cmocka_unit_test(it_frees_ways),
        cmocka_unit_test(lines_on_their_way_take_another_place),
        cmocka_unit_test(fetched_lines_on_their_way_come_once),
        cmocka_unit_test(stores_use_what_keeps_them),
        cmocka_unit_test(loads_of_scope_gpu_pass_the_l1),
        cmocka_unit_test(all_loads_can_pass_the_l1),
        cmocka_unit_test(stores_can_pass_the_l1),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
