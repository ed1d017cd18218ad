/* Uniform-vector execution in the timed replay (XI 2.4): times with exact answers, laws, parameters that matter. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/scalar_program.h"
#include "../support/stream.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    UNIFORM,
    CONVERTED,
    REUSED,
    UNPLACED,
    LOOKUPS,
    COPIES,
    PEAK,
    ALU,
    PROTECTED,
    LIVE,
    LIVE_PROTECTED,
    IN_FILE,
    FILE_CYCLES,
    CHECKS
};

#define SMALL  "gpu.clusters=1,sm.schedulers=1,sm.scheduler=lrr,dram.channels=2,"
#define SCALAR SMALL "mechanism.core=scalar,"

/* ---- exact answers */

/* Returns the cycles of 16 warps, enough to hide the latency, whose instructions use immediates alone and write one
 * register. */
static uint64_t cycles_of(uint32_t insts, const char *settings) {
    ws_trace *trace = generate_planned(
        &(generate_plan){.warp_size = 32,
                         .ctas = 1,
                         .warps_per_cta = 16,
                         .insts = insts,
                         .opcode = "MOV",
                         .instruction = {.class_ = WS_CLASS_INT, .dst_count = 1, .dst = {1}}});
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    ws_trace_close(trace);
    return cycles;
}

/* XI 2.3: a scheduler issues every (warp size / SIMD width) cycles; XI 2.4.1: a scalar instruction every cycle. */
static void issue_interval(void **state) {
    (void)state;
    for (unsigned width = 8; width <= 32; width *= 2) {
        char without[200], with[200];
        snprintf(without, sizeof without, SMALL "core.simd_width=%u", width);
        snprintf(with, sizeof with, SCALAR "scalar.irb_entries=0,core.simd_width=%u", width);
        assert_int_equal(cycles_of(200, without) - cycles_of(100, without), 100 * 16 * 32 / width);
        assert_int_equal(cycles_of(200, with) - cycles_of(100, with), 100 * 16);
    }
    assert_int_equal(cycles_of(100, SMALL "core.simd_width=32"), cycles_of(100, SMALL "core.simd_width=0"));
    assert_int_equal(cycles_of(100, SMALL "core.simd_width=64"), cycles_of(100, SMALL "core.simd_width=0"));
}

/* A scheduler that pauses between two issues counts as waiting for a unit, also when only loads are ready. */
static void pauses_are_accounted(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "S2R", .dst = 1}, {.opcode = "S2R", .dst = 2}, {.opcode = "LDG", .dst = 3}, {0}};
    ws_trace *trace = scalar_program(ops, 8);
    ws_timed_counters c = mechanism_run(trace, 1, SMALL "core.simd_width=8").counters;
    assert_int_equal(c.scheduler_issues, 8 * 3);
    assert_int_equal(c.scheduler_memory, 0);
    assert_true(c.scheduler_unit >= 8 * 3 * 3 - 3);
    ws_trace_close(trace);
}

/* A chain of SFU operations, each of which repeats the first. A reused one takes one cycle instead of its latency. */
static void reuse_skips_execution(void **state) {
    (void)state;
    scalar_op ops[12] = {{.opcode = "MOV", .dst = 1, .value = 1}};
    for (uint32_t i = 1; i <= 10; i++)
        ops[i] = (scalar_op){.opcode = "MUFU", .dst = 1, .a = 1, .value = 1, .again = i > 1 ? 2 : 0};
    ws_trace *trace = scalar_program(ops, 1);
    mechanism_result off = mechanism_run(trace, 1, SMALL "core.sfu_latency=50"),
                     on = mechanism_run(trace, 1, SCALAR "core.sfu_latency=50");
    assert_int_equal(on.counts[CONVERTED], 2);
    assert_int_equal(on.counts[REUSED], 9);
    assert_int_equal(off.counters.cycles - on.counters.cycles, 9 * (50 - 1));
    ws_trace_close(trace);
}

/* With operand collectors the operands are read, and compared with the buffer's (XI 2.4.3), before there is a result:
 * only the time in the unit becomes one cycle. core.pipeline_cycles has no effect. */
static void reuse_behind_collectors(void **state) {
    (void)state;
    static const char *const collectors[] = {"true", "false"};
    scalar_op ops[12] = {{.opcode = "MOV", .dst = 1, .value = 1}};
    for (uint32_t i = 1; i <= 10; i++)
        ops[i] = (scalar_op){.opcode = "MUFU", .dst = 1, .a = 1, .value = 1, .again = i > 1 ? 2 : 0};
    ws_trace *trace = scalar_program(ops, 1);
    for (size_t i = 0; i < WS_COUNT(collectors); i++) {
        char base[200], one[300], other[400];
        snprintf(base, sizeof base, SMALL "core.collectors=2,core.sub_cores=%s,core.sfu_latency=50",
                 collectors[i]);
        snprintf(one, sizeof one, "%s,mechanism.core=scalar", base);
        snprintf(other, sizeof other, "%s,core.pipeline_cycles=40", one);
        mechanism_result off = mechanism_run(trace, 1, base), on = mechanism_run(trace, 1, one),
                         slow = mechanism_run(trace, 1, other);
        assert_int_equal(on.counts[REUSED], 9);
        assert_int_equal(off.counters.cycles - on.counters.cycles, 9 * (50 - 1));
        assert_memory_equal(&on, &slow, sizeof on);
    }
    ws_trace_close(trace);
}

/* Three instructions, executed twice. A buffer of two entries has lost each one by its second time, one of three has
 * all. */
static void size_of_the_reuse_buffer(void **state) {
    (void)state;
    static const scalar_op ops[] = {{.opcode = "MUFU", .dst = 1},
                                    {.opcode = "MUFU", .dst = 2},
                                    {.opcode = "MUFU", .dst = 3},
                                    {.opcode = "MUFU", .dst = 1, .again = 1},
                                    {.opcode = "MUFU", .dst = 2, .again = 2},
                                    {.opcode = "MUFU", .dst = 3, .again = 3},
                                    {0}};
    ws_trace *trace = scalar_program(ops, 1);
    mechanism_result two = mechanism_run(trace, 1, SCALAR "scalar.irb_entries=2"),
                     three = mechanism_run(trace, 1, SCALAR "scalar.irb_entries=3");
    assert_int_equal(two.counts[REUSED], 0);
    assert_int_equal(three.counts[REUSED], 3);
    assert_true(three.counters.cycles < two.counters.cycles);
    ws_trace_close(trace);
}

/* XI 2.6.1: a copy is one extra instruction, which is issued and executed, and the write waits for it. */
static void copies_take_their_time(void **state) {
    (void)state;
    static const scalar_op ops[] = {
        {.opcode = "MOV", .dst = 1}, {.opcode = "IADD3", .dst = 1, .a = 1, .divergent = true}, {0}};
    ws_trace *trace = scalar_program(ops, 1);
    mechanism_result off = mechanism_run(trace, 1, SMALL "core.int_latency=9"),
                     on = mechanism_run(trace, 1, SCALAR "core.int_latency=9");
    assert_int_equal(on.counts[COPIES], 1);
    assert_int_equal(on.counters.cycles - off.counters.cycles, 9 + 6); /* int_latency + pipeline_cycles */
    assert_int_equal(on.counters.warp_instructions, 2);
    assert_int_equal(on.counters.scheduler_issues, 3);
    ws_trace_close(trace);
}

/* With operand collectors a copy goes to the integer unit's latch, whatever the unit of the instruction behind it.
 * Warps whose copies find the latch taken wait; nothing is lost. */
static void copies_wait_for_their_own_latch(void **state) {
    (void)state;
    static const char *const latches[] = {
        "core.collectors=2,sm.schedulers=4,core.int_units=4,core.memory_ports=4,core.memory_queue=16",
        "core.collectors=1,sm.schedulers=1,core.int_units=1,core.int_interval=8",
        "core.collectors=2,sm.schedulers=2,core.memory_ports=2,core.memory_queue=8,core.fp_interval=16",
        "core.collectors=2,core.sub_cores=false,sm.schedulers=2,core.int_units=1,core.int_interval=4"};
    ws_trace *trace = scalar_copies_program(32);
    for (size_t i = 0; i < WS_COUNT(latches); i++) {
        char settings[400];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=1,dram.channels=2,mechanism.core=scalar,scalar.irb_entries=0,"
                 "core.sfu_units=2,core.sfu_latency=20,core.fetches_per_cycle=8,core.fetch_insts=16,%s",
                 latches[i]);
        mechanism_result r = mechanism_run(trace, 1, settings);
        assert_int_equal(r.counters.warp_instructions, 32 * 2 * SCALAR_COPIES);
        assert_int_equal(r.counts[COPIES], 32 * SCALAR_COPIES);
        assert_int_equal(r.counters.scheduler_issues, 32 * 3 * SCALAR_COPIES);
    }
    ws_trace_close(trace);
}

/* A uniform SFU operation occupies its unit for one cycle instead of core.sfu_interval. */
static void a_scalar_takes_its_unit_for_a_cycle(void **state) {
    (void)state;
    scalar_op ops[22] = {0};
    for (uint16_t i = 0; i < 20; i++) ops[i] = (scalar_op){.opcode = "MUFU", .dst = (uint16_t)(i + 1)};
    ws_trace *trace = scalar_program(ops, 1);
    const char *settings = "core.sfu_interval=8,core.fetch_insts=16,scalar.irb_entries=0";
    char without[200], with[200];
    snprintf(without, sizeof without, SMALL "%s", settings);
    snprintf(with, sizeof with, SCALAR "%s", settings);
    uint64_t off = mechanism_run(trace, 1, without).counters.cycles,
             on = mechanism_run(trace, 1, with).counters.cycles;
    assert_true(off - on >= 19 * 7 - 4 && off - on <= 19 * 7); /* less for fetching */
    ws_trace_close(trace);
}

/* A reused operation occupies no unit: two schedulers that both reuse in each cycle do not compete for the one unit. */
static void reuse_takes_no_unit(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (int more = 0; more < 2; more++) {
        scalar_op ops[64] = {{.opcode = "MUFU", .dst = 1}};
        for (uint32_t i = 1; i < 21u + (uint32_t)more * 20; i++)
            ops[i] = (scalar_op){.opcode = "MUFU", .dst = 1, .again = 1};
        ws_trace *trace = scalar_program(ops, 32);
        cycles[more] =
            mechanism_run(
                trace, 1,
                "gpu.clusters=1,sm.schedulers=2,sm.scheduler=lrr,dram.channels=2,"
                "mechanism.core=scalar,core.sfu_units=1,core.fetches_per_cycle=8,core.fetch_insts=16")
                .counters.cycles;
        ws_trace_close(trace);
    }
    assert_int_equal(cycles[1] - cycles[0], 20 * 32 / 2);
}

/* The checks of XI 2.4.4, in which a second lane computes what one lane did, take no time. In the file of XI 2.4.2 all
 * operands are found. */
static void checks_take_no_time(void **state) {
    (void)state;
    static const scalar_op ops[] = {{.opcode = "MOV", .dst = 1},
                                    {.opcode = "IADD3", .dst = 2, .a = 1},
                                    {.opcode = "IADD3", .dst = 2, .a = 1, .divergent = true},
                                    {0}};
    ws_trace *trace = scalar_program(ops, 8);
    mechanism_result token = mechanism_run(trace, 1, SCALAR "scalar.irb_entries=1"),
                     checked = mechanism_run(trace, 1, SCALAR "scalar.irb_entries=1,scalar.checks=true"),
                     srf = mechanism_run(trace, 1, SCALAR "scalar.design=srf");
    assert_int_equal(checked.counters.cycles, token.counters.cycles);
    assert_int_equal(token.counts[CHECKS], 0);
    assert_true(checked.counts[CONVERTED] > 0);
    assert_int_equal(checked.counts[CHECKS], checked.counts[CONVERTED]);
    assert_int_equal(token.counts[IN_FILE] + token.counts[FILE_CYCLES], 0);
    assert_int_equal(srf.counts[IN_FILE], srf.counts[CONVERTED] + srf.counts[REUSED]);
    assert_int_equal(srf.counts[IN_FILE], 8 * 2);
    assert_int_equal(srf.counts[FILE_CYCLES], srf.counters.sm_cycles);
    ws_trace_close(trace);
}

/* A file of one scalar register. The second warp writes after a load; by then the first warp has ended and given the
 * register back, or it goes on and keeps it. */
static void warps_that_end_give_their_registers_back(void **state) {
    (void)state;
    static const generate_inst ends[] = {{.pc = 0, .mask = UINT32_MAX, .kind = 'i', .dst = 1}, {.kind = 0}};
    static const generate_inst goes_on[] = {
        {.pc = 0, .mask = UINT32_MAX, .kind = 'i', .dst = 1},
        {.pc = 8, .mask = UINT32_MAX, .kind = 'l', .dst = 2, .line = 4},
        {.pc = 16, .mask = UINT32_MAX, .kind = 'l', .dst = 3, .a = 2, .line = 40},
        {.pc = 24, .mask = UINT32_MAX, .kind = 'l', .dst = 4, .a = 3, .line = 80},
        {.kind = 0}};
    static const generate_inst writes[] = {{.pc = 8, .mask = UINT32_MAX, .kind = 'l', .dst = 2, .line = 4},
                                           {.pc = 32, .mask = UINT32_MAX, .kind = 'i', .dst = 5, .a = 2},
                                           {.pc = 40, .mask = UINT32_MAX, .kind = 'i', .dst = 2, .a = 5},
                                           {.pc = 48, .mask = UINT32_MAX, .kind = 'i', .dst = 1},
                                           {.kind = 0}};
    for (int stays = 0; stays < 2; stays++) {
        const generate_inst *warps[] = {stays ? goes_on : ends, writes, NULL};
        ws_trace *trace = generate_code("sass", warps);
        mechanism_result r = mechanism_run(
            trace, 1,
            SCALAR
            "scalar.irb_entries=0,scalar.design=srf,scalar.srf_entries=1,core.dependences=one_in_flight");
        assert_int_equal(r.counts[CONVERTED], 2 - stays);
        assert_int_equal(r.counts[UNPLACED], stays);
        assert_int_equal(r.counts[PEAK], 1);
        ws_trace_close(trace);
    }
}

/* ---- laws */

/* Returns the number of lane operations in the first launch's instructions that compute. */
static uint64_t operations_of(const ws_trace *trace) {
    ws_error err = WS_NO_ERROR;
    const ws_static *statics = ws_trace_statics(trace);
    ws_reader *reader = ws_reader_new(trace, &err);
    uint64_t sum = 0;
    for (uint32_t c = 0; c < ws_trace_kernel(trace, 1)->counters.ctas; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, 1, c, &cta, &err));
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t i = 0; i < cta.warps[w].inst_count; i++) {
                uint8_t class_ = statics[cta.warps[w].static_id[i]].class_;
                if (class_ == WS_CLASS_INT || class_ == WS_CLASS_FP || class_ == WS_CLASS_SFU)
                    sum += (uint64_t)__builtin_popcountll(cta.warps[w].mask[i]);
            }
    }
    ws_reader_free(reader);
    return sum;
}

static void check_laws(const mechanism_result *on, const mechanism_result *off) {
    assert_int_equal(on->counters.warp_instructions, off->counters.warp_instructions);
    assert_int_equal(on->counters.thread_instructions, off->counters.thread_instructions);
    assert_int_equal(on->counters.l1_accesses, off->counters.l1_accesses);
    assert_int_equal(on->counters.scheduler_issues, off->counters.warp_instructions + on->counts[COPIES]);
    assert_int_equal(on->counts[UNIFORM], on->counts[CONVERTED] + on->counts[REUSED] + on->counts[UNPLACED]);
    assert_true(on->counts[LOOKUPS] <= on->counts[UNIFORM]);
    assert_true(on->counts[REUSED] <= on->counts[LOOKUPS]);
    assert_true(on->counts[PROTECTED] <= on->counts[ALU]);
    assert_true(on->counts[LIVE_PROTECTED] <= on->counts[LIVE]);
}

static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const designs[] = {"scalar.design=token", "scalar.design=srf,scalar.srf_entries=3",
                                          "scalar.copy=any,scalar.irb_entries=2"};
    uint64_t converted = 0, copies = 0, unplaced = 0;
    for (uint64_t seed = 2; seed <= 20; seed += 2) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int g = 0; g < MECHANISM_GPUS; g++)
            for (size_t d = 0; d < WS_COUNT(designs); d++) {
                char without[300], with[500];
                snprintf(without, sizeof without, "%s,core.simd_width=8", mechanism_gpus[g]);
                snprintf(with, sizeof with, "%s,mechanism.core=scalar,%s", without, designs[d]);
                mechanism_result off = mechanism_run(trace, 1, without), on = mechanism_run(trace, 1, with),
                                 again = mechanism_run(trace, 1, with);
                assert_memory_equal(&on, &again, sizeof on);
                check_laws(&on, &off);
                assert_int_equal(on.counts[ALU], operations_of(trace));
                assert_int_equal(on.counts[PROTECTED],
                                 (seed % 3 ? 32 : 64) * (on.counts[CONVERTED] + on.counts[REUSED]));
                converted += on.counts[CONVERTED];
                copies += on.counts[COPIES];
                unplaced += on.counts[UNPLACED];
            }
        ws_trace_close(trace);
    }
    assert_true(converted > 100);
    assert_true(copies > 10);
    assert_true(unplaced > 10);
}

/* The counts do not depend on who brings warps to the SM, and whether it does so one by one. */
static void warps_may_come_one_by_one(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    for (uint64_t seed = 2; seed <= 8; seed += 2) {
        ws_trace *trace = generate_random(seed, 32);
        mechanism_result whole = mechanism_run(trace, 1, SCALAR "core.simd_width=8");
        ws_timed *timed =
            mechanism_gpu(trace, SCALAR "core.simd_width=8,mechanism.dispatch=warpman,warpman.spatial=on");
        ws_timed_counters counters;
        if (!timed || !ws_timed_run(timed, 1, &counters, &err)) fail_msg("%s", err.text);
        const ws_mechanism_set *set = ws_timed_mechanisms(timed);
        assert_int_equal(set->count, 2);
        size_t scalar = strcmp(set->at[0]->name, "scalar") == 0 ? 0 : 1;
        assert_int_equal(ws_timed_counts(timed, scalar)[UNIFORM], whole.counts[UNIFORM]);
        assert_int_equal(ws_timed_counts(timed, scalar)[ALU], whole.counts[ALU]);
        ws_timed_free(timed);
        ws_trace_close(trace);
    }
}

static void sized_to_nothing_it_is_the_baseline(void **state) {
    (void)state;
    static const char *const cores[] = {
        "sm.scheduler=gto", "sm.scheduler=two_level,core.active_warps=1", "core.dependences=one_in_flight",
        "sm.scheduler=two_level,core.active_warps=1,core.dependences=one_in_flight"};
    for (uint64_t seed = 2; seed <= 12; seed += 2) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t i = 0; i < MECHANISM_GPUS * WS_COUNT(cores); i++) {
            char without[500], with[600];
            snprintf(without, sizeof without, "%s,%s", mechanism_gpus[i % MECHANISM_GPUS],
                     cores[i / MECHANISM_GPUS]);
            snprintf(with, sizeof with, "%s,mechanism.core=scalar,scalar.convert=false,scalar.irb_entries=0",
                     without);
            mechanism_result off = mechanism_run(trace, 1, without), on = mechanism_run(trace, 1, with);
            assert_memory_equal(&off.counters, &on.counters, sizeof off.counters);
        }
        ws_trace_close(trace);
    }
}

static const char *const bundled[] = {"traces/hotspot.wst", "traces/kmeans.wst", "traces/pathfinder.wst"};
enum { BUNDLED = 3 };

/* XI 2.6.3: an unlimited scalar register file is equivalent to the token design. */
static void same_but_for_the_file(const mechanism_result *token, const mechanism_result *file) {
    assert_memory_equal(&token->counters, &file->counters, sizeof token->counters);
    assert_memory_equal(token->counts, file->counts, IN_FILE * sizeof *token->counts);
    assert_int_equal(file->counts[IN_FILE], token->counts[CONVERTED] + token->counts[REUSED]);
}

static void a_large_file_is_the_token_design(void **state) {
    (void)state;
#define CUT SCALAR "core.simd_width=8,limit.warp_instructions=20000,"
    for (int i = 0; i < BUNDLED; i++) {
        ws_trace *trace = trace_open(bundled[i]);
        mechanism_result token = mechanism_run(trace, 1, CUT "scalar.design=token"),
                         file = mechanism_run(trace, 1, CUT "scalar.design=srf,scalar.srf_entries=65536");
        same_but_for_the_file(&token, &file);
        assert_true(token.counts[PEAK] > 0);
        char enough[300], few[300];
        snprintf(enough, sizeof enough, CUT "scalar.design=srf,scalar.srf_entries=%d",
                 (int)token.counts[PEAK]);
        snprintf(few, sizeof few, CUT "scalar.design=srf,scalar.srf_entries=%d", (int)token.counts[PEAK] - 1);
        mechanism_result as_many = mechanism_run(trace, 1, enough);
        same_but_for_the_file(&token, &as_many);
        assert_true(mechanism_run(trace, 1, few).counts[UNPLACED] > 0);
        ws_trace_close(trace);
    }
}

/* ---- the analysis `uniform` follows the same registers without time */

static uint64_t uniform_instructions(const ws_trace *trace, const char *limit) {
    const ws_analysis *analysis = ws_analysis_find("uniform", NULL);
    ws_config *config = config_for(analysis);
    config_set(config, "limit.warp_instructions", limit);
    stream s = stream_replayed(trace, 1, config, analysis);
    char *rows = stream_rows(&s, analysis, config, NULL);
    unsigned long long warps, threads, intra;
    assert_int_equal(sscanf(rows, "%*u %*u %llu %llu %llu", &warps, &threads, &intra), 3);
    free(rows);
    stream_free(&s);
    ws_config_free(config);
    return intra;
}

static void finds_what_the_analysis_finds(void **state) {
    (void)state;
    for (int i = 0; i < BUNDLED; i++) {
        ws_trace *trace = trace_open(bundled[i]);
        mechanism_result r = mechanism_run(trace, 1, SCALAR "limit.warp_instructions=5000");
        assert_true(r.counts[UNIFORM] > 0);
        assert_int_equal(r.counts[UNIFORM], uniform_instructions(trace, "5000"));
        ws_trace_close(trace);
    }
}

/* ---- parameters */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {"mechanism.core=none",
                                          "core.simd_width=16",
                                          "scalar.design=srf,scalar.srf_entries=100",
                                          "scalar.design=srf,scalar.srf_entries=16",
                                          "scalar.convert=false",
                                          "scalar.irb_entries=0",
                                          "scalar.copy=any",
                                          NULL};
#define LIMITED SCALAR "core.simd_width=8,limit.warp_instructions=30000"
    mechanism_each_matters("traces/pathfinder.wst", LIMITED, changes);
}

static void cost(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(mechanism_costs("sm.registers=16384,mechanism.core=scalar", costs), 2);
    assert_int_equal(costs[0].bits, 512);  /* XI 2.4.1: a bit per vector register */
    assert_int_equal(costs[1].bits, 1192); /* XI 2.5 */
    assert_int_equal(mechanism_costs("sm.registers=16384,mechanism.core=scalar,scalar.design=srf", costs), 3);
    assert_int_equal(costs[0].bits, 4096); /* XI 2.5 */
    assert_int_equal(costs[1].bits, 3584); /* XI 2.5 */
    assert_int_equal(costs[2].bits, 1192);
    assert_int_equal(mechanism_costs("mechanism.core=scalar,scalar.checks=true", costs), 2);
    assert_int_equal(costs[1].bits, 1200); /* XI 2.4.4: "we add 1 parity bit for each IRB entry" */
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32); /* without registers */
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.core=scalar"), "has no registers"));
    ws_trace_close(trace);
    const char *const script[] = {"L1", NULL};
    trace = generate_script(script); /* without values */
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.core=scalar"), "scalar.irb_entries: "));
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.core=scalar"), "has no operand values"));
    mechanism_run(trace, 1, "mechanism.core=scalar,scalar.irb_entries=0");
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_interval),
        cmocka_unit_test(pauses_are_accounted),
        cmocka_unit_test(reuse_skips_execution),
        cmocka_unit_test(reuse_behind_collectors),
        cmocka_unit_test(size_of_the_reuse_buffer),
        cmocka_unit_test(copies_take_their_time),
        cmocka_unit_test(copies_wait_for_their_own_latch),
        cmocka_unit_test(reuse_takes_no_unit),
        cmocka_unit_test(checks_take_no_time),
        cmocka_unit_test(warps_that_end_give_their_registers_back),
        cmocka_unit_test(a_scalar_takes_its_unit_for_a_cycle),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(warps_may_come_one_by_one),
        cmocka_unit_test(sized_to_nothing_it_is_the_baseline),
        cmocka_unit_test(a_large_file_is_the_token_design),
        cmocka_unit_test(finds_what_the_analysis_finds),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(cost),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
