/* Cycles in which no part has a turn are skipped, and that must not show: a part that asks for its next turn too late
 * gives other results than on a GPU all of whose parts have a turn in every cycle. */
#include "../support/async_program.h"
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"
#include "../support/scalar_program.h"
#include "../support/trace.h"
#include "../support/wakes.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool has_registers(const ws_trace *trace) {
    return ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS;
}

/* Each variant meets eight traces, two or three on each GPU; with sanitizers, one. (Trace 1 has more instructions than
 * these together.) */
static void random_traces(void **state) {
    (void)state;
    for (uint64_t seed = 2; seed <= 9; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int v = (int)seed % EVERY; v < wakes_variant_count; v += EVERY) {
            if (strstr(wakes_variants[v], "mechanism.core=") && !has_registers(trace)) continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS], wakes_variants[v]);
            wakes_compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

static void asynchronous_copies(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        async_random scripts;
        async_randomize(&scripts, seed);
        ws_trace *trace = async_script(scripts.warps, scripts.ctas, ASYNC_COPIES);
        for (int v = (int)seed % EVERY; v < wakes_variant_count; v += EVERY) {
            if (strstr(wakes_variants[v], "mechanism.core=scalar")) continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS], wakes_variants[v]);
            wakes_compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

/* Programs whose launches come and go, on SMs that they share or not. Each variant is run on all GPUs, with both
 * placements. Launches of one pair, which has registers, have up to 40 CTAs; those of the others are cut, for they
 * would take four fifths of this program's time, and in short ones programs come and go more often. */
static void two_programs(void **state) {
    (void)state;
    enum { PAIRS = EVERY == 1 ? 6 : 3, WHOLE_PAIR = EVERY == 1 ? 2 : 0 };
    static const char *const places[] = {"core.launch_cycles=0",
                                         "core.first_launch_sms=1,core.launch_cycles=40"};
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 50, 32),
                 *joined = ws_trace_join(a, b, &err);
        if (!joined) fail_msg("%s", err.text);
        for (int v = (int)seed % EVERY; v < wakes_variant_count; v += EVERY) {
            bool one_by_one =
                strstr(wakes_variants[v], "=scalar") != NULL || strstr(wakes_variants[v], "=warpman") != NULL;
            if (one_by_one || (strstr(wakes_variants[v], "mechanism.core=") && !has_registers(joined)))
                continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s,gpu.clusters=2,limit.ctas=%d,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS],
                     places[(seed / 3 + (uint64_t)v) % 2], seed == WHOLE_PAIR ? 0 : 6, wakes_variants[v]);
            wakes_compare(joined, 1, settings);
        }
        ws_trace_close(joined);
        ws_trace_close(a);
        ws_trace_close(b);
    }
}

/* Compares a pair of random programs that run at the same time. */
static void compare_pair(uint64_t seed_a, uint64_t seed_b, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(seed_a, 32), *b = generate_random(seed_b, 32),
             *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    wakes_compare(joined, 1, settings);
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

/* A line that is filled becomes the newest in its own cycle, also after cycles without a turn. It shows in an L1 whose
 * lines get their ways when they are filled. */
static void fills_after_a_pause(void **state) {
    (void)state;
    compare_pair(
        3, 53,
        "gpu.clusters=2,core.first_launch_sms=1,core.launch_cycles=40,limit.ctas=10,core.fences=empty_l1,"
        "l1.access=sector,l1.banks=4,l1.index=linear,l1.write=through_lazy,l1.allocation=on_fill,noc."
        "flit_B=8");
}

/* Programs that share SMs take turns in sending CTAs, however often they are asked for them. */
static void programs_take_turns(void **state) {
    (void)state;
    compare_pair(99, 101, "gpu.clusters=2,dram.channels=2,limit.ctas=8");
}

/* Values of atomics are foreseen, but not where a warp goes on with them that are not written, nor where data of shared
 * memory may come before them. */
static void values_of_atomics(void **state) {
    (void)state;
    static const struct {
        uint64_t seed;
        const char *settings;
    } runs[] = {{2885, "core.atomics_wait=true"}, {703, "noc.flit_B=8,core.shared_latency=4"}};
    for (size_t i = 0; i < WS_COUNT(runs); i++) {
        ws_trace *trace = generate_random(runs[i].seed, 32);
        char settings[600];
        snprintf(settings, sizeof settings,
                 "%s,core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4",
                 runs[i].settings);
        wakes_compare(trace, 1, settings);
        ws_trace_close(trace);
    }
}

/* A launch without CTAs ends when it has begun. */
static void a_program_without_work(void **state) {
    (void)state;
    compare_pair(2051, 3631, "core.launch_cycles=40");
}

static void kernels(void **state) {
    (void)state;
    static const char *const paths[] = {"traces/spmv.wst", "traces/histogram.wst", "traces/lud.wst"};
    for (size_t i = 0; i < WS_COUNT(paths); i++) {
        ws_trace *trace = trace_open(paths[i]);
        for (int v = (int)i % EVERY; v < wakes_variant_count; v += EVERY) {
            char settings[600];
            snprintf(settings, sizeof settings, "%s,limit.warp_instructions=1500,%s",
                     mechanism_gpus[(i + (size_t)v) % MECHANISM_GPUS], wakes_variants[v]);
            wakes_compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

/* Scores that fall hold back a load that has so far waited for the load/store unit only. */
static void loads_held_back_later(void **state) {
    (void)state;
    compare_pair(
        3750, 1440,
        "gpu.clusters=2,l1.access=sector,l1.write=through_lazy,l1.banks=4,l1.index=linear,noc.flit_B=8,"
        "core.launch_cycles=0,limit.ctas=9,mechanism.core=ccws");
}

/* Collectors move what has come to them in turns that no account of theirs foresees; with two coalescers behind them,
 * the load/store unit also has several instructions at a time. */
static void coalescers_behind_collectors(void **state) {
    (void)state;
    ws_trace *trace = trace_open("traces/histogram.wst");
    wakes_compare(trace, 1,
                  "gpu=accelsim-rtx3070s,core.coalescers=2,l1.mshr_entries=64,limit.ctas=46,gpu.clusters=2");
    wakes_compare(trace, 1, "gpu=accelsim-rtx3070s,sm.scheduler=lrr,l1.mshr_entries=64");
    ws_trace_close(trace);
}

/* Warps that wait to issue a copy, because the latch to its unit is taken and not because of their next instruction. */
static void copies_that_find_no_latch(void **state) {
    (void)state;
    static const char *const latches[] = {
        "core.collectors=2,sm.schedulers=4,core.int_units=4,core.memory_ports=4,core.memory_queue=16",
        "core.collectors=1,sm.schedulers=1,core.int_units=1,core.int_interval=8,core.simd_width=16",
        "core.collectors=2,sm.schedulers=2,core.memory_ports=2,core.memory_queue=8,core.fp_interval=16",
        "core.collectors=2,core.sub_cores=false,sm.schedulers=2,core.int_units=1,core.int_interval=4",
        "core.collectors=2,core.sub_cores=false,sm.schedulers=2,sm.scheduler=gto,core.dual_issue=any",
        "core.int_units=1,core.int_interval=16,core.unit_queue=1,core.dual_issue=different_units"};
    ws_trace *trace = scalar_copies_program(24);
    for (size_t i = 0; i < WS_COUNT(latches); i++) {
        char settings[500];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=1,dram.channels=2,mechanism.core=scalar,scalar.irb_entries=0,"
                 "core.sfu_units=2,core.sfu_latency=20,core.fetches_per_cycle=8,core.fetch_insts=16,%s",
                 latches[i]);
        wakes_compare(trace, 1, settings);
    }
    ws_trace_close(trace);
}

#define COLLECTORS                                                                                           \
    "core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8"

/* Loads whose lines lie apart keep an L1 of one bank waiting for MSHRs; writes and atomics keep it and the load/store
 * unit waiting for the network's port. */
static void full_mshrs_and_ports(void **state) {
    (void)state;
    static const char *const settings[] = {
        "l1.mshr_entries=32",
        "l1.mshr_entries=4,noc.flit_B=0",
        "l1.mshr_entries=3,noc.flit_B=0,noc.latency=0,l2.latency=1,l1.latency=3",
        "l1.mshr_entries=8,l1.size_B=512,l1.ways=2,l1.index=linear,noc.flit_B=0",
        "l1.mshr_entries=4,noc.in_buffer=48,noc.flit_B=1,l1.latency=4",
        "l1.mshr_entries=8,noc.in_buffer=33,noc.flit_B=4,l1.write=through_lazy",
        "l1.mshr_entries=4,l1.allocation=on_fill,noc.flit_B=0",
        "gpu.clusters=1,dram.channels=8,l1.mshr_entries=16,noc.flit_B=0",
        "gpu.clusters=1,l1.mshr_entries=1,l1.latency=1,core.stall_on_use=4",
        "noc.injection_queue=1,l1.mshr_entries=4,core.fetch_insts=1",
        "noc.in_buffer=4,noc.flit_B=16,l1.write=evict,l1.miss_queue=2",
        "noc.in_buffer=21,noc.flit_B=32,l1.write=evict",
        "noc.boundary_buffer=16,noc.flit_B=32,noc.out_buffer=16,core.atomic_sectors=true",
        "noc.boundary_buffer=12,noc.flit_B=16,noc.out_buffer=64,l1.write=evict,l1.miss_queue=2",
        "noc.crossbar_speedup=3,noc.latency=0,noc.out_buffer=3,noc.flit_B=0",
        "noc.latency=0,noc.out_buffer=2,noc.flit_B=0",
        "core.global_past_l1=true,noc.in_buffer=4,noc.flit_B=16",
        "noc.replies=lines,noc.flit_B=64,l2.port_B=64,l1.mshr_entries=32",
        "noc.replies=lines,noc.flit_B=0,l2.port_B=128,noc.latency=0,l2.latency=1,l1.latency=3",
        "noc.replies=lines,noc.flit_B=16,noc.in_buffer=4,l2.port_B=16,l2.queue=8",
        COLLECTORS ",l1.mshr_entries=4,noc.flit_B=0",
        COLLECTORS ",l1.mshr_entries=3,noc.flit_B=0,noc.latency=0,l2.latency=1,l1.latency=3",
        COLLECTORS ",noc.in_buffer=21,noc.flit_B=32,l1.write=evict,core.shared_latency=2",
    };
    static const char *const paths[] = {"traces/gesummv.wst", "traces/histogram.wst", "traces/transpose.wst"};
    for (size_t i = 0; i < WS_COUNT(paths); i++) {
        ws_trace *trace = trace_open(paths[i]);
        for (size_t k = i % EVERY; k < WS_COUNT(settings); k += EVERY) {
            char all[600];
            snprintf(all, sizeof all, "gpu.clusters=2,dram.channels=2,limit.warp_instructions=1500,%s",
                     settings[k]);
            wakes_compare(trace, 1, all);
        }
        ws_trace_close(trace);
    }
}

/* Warps that load and store a few lines of local and global memory, so that stores to local memory hit, evict each
 * other and are the last that their CTAs do. */
static void local_memory(void **state) {
    (void)state;
    enum { CTAS = 8, WARPS = 2 * CTAS, INSTS = 24, SEEDS = 20 };
    static const char *const settings[] = {
        "l1.ways=2", "l1.ways=2,l1.latency=2,l1.miss_queue=2,noc.in_buffer=2,noc.flit_B=8",
        "l1.ways=1,l1.access=sector,core.local_interleaved=true", "l1.ways=2,l1.allocation=on_fill",
        COLLECTORS ",l1.ways=2,l1.banks=2"};
    uint64_t random = 11;
    for (int seed = 0; seed < SEEDS; seed++) {
        static generate_inst code[WARPS][INSTS + 1];
        const generate_inst *warps[WARPS + 1] = {NULL};
        for (uint32_t w = 0; w < WARPS; w++) {
            for (uint32_t i = 0; i < INSTS; i++) {
                uint16_t a = (uint16_t)(1 + random_below(&random, 4)),
                         dst = (uint16_t)(1 + random_below(&random, 4));
                char kind = i + 1 == INSTS ? 'q' : "ppqqlsi"[random_below(&random, 7)];
                bool writes = kind == 'q' || kind == 's';
                code[w][i] = (generate_inst){.pc = i + 1,
                                             .mask = UINT32_MAX,
                                             .kind = kind,
                                             .dst = writes ? 0 : dst,
                                             .a = kind == 'i' ? a : 0,
                                             .line = 1 + random_below(&random, 5)};
            }
            warps[w] = code[w];
        }
        ws_trace *trace = generate_coded_ctas("ptx", CTAS, warps);
        for (size_t k = 0; k < WS_COUNT(settings); k++) {
            char all[600];
            snprintf(all, sizeof all,
                     "gpu.clusters=2,dram.channels=2,sm.ctas=2,l1.size_B=512,l1.index=linear,core.local_"
                     "interleaved=false,%s",
                     settings[k]);
            wakes_compare(trace, 1, all);
        }
        ws_trace_close(trace);
    }
}

/* Values that bypass the L1 meet data of the L1 and of shared memory, and wait for the registers' ports behind them;
 * they hold up replies for the other SMs of the port. */
static void shared_ports(void **state) {
    (void)state;
    enum { WARPS = 8, CTAS = 4, INSTS = 24, SEEDS = 240 / EVERY };
    static const char *const settings[] = {
        "gpu=accelsim-rtx3070s,gpu.clusters=2,gpu.sms_per_cluster=2,core.launch_cycles=0",
        "gpu=accelsim-rtx3070s,gpu.clusters=1,gpu.sms_per_cluster=4,core.launch_cycles=0,sm.schedulers=2,"
        "core.memory_ports=2,core.memory_queue=8,core.register_banks=2"};
    uint64_t random = 3;
    for (int seed = 0; seed < SEEDS; seed++) {
        static generate_inst code[CTAS * WARPS][INSTS + 1];
        const generate_inst *warps[CTAS * WARPS + 1] = {NULL};
        for (uint32_t w = 0; w < CTAS * WARPS; w++) {
            for (uint32_t i = 0; i < INSTS; i++) {
                char kind = "ggggglhhsi"[random_below(&random, 10)];
                code[w][i] = (generate_inst){.pc = 16 * i,
                                             .mask = UINT32_MAX,
                                             .kind = kind,
                                             .dst = kind == 's' ? 0 : (uint16_t)(1 + i % 8),
                                             .line = random_below(&random, 12)};
            }
            warps[w] = code[w];
        }
        ws_trace *trace = generate_coded_ctas("sass", CTAS, warps);
        for (size_t k = 0; k < WS_COUNT(settings); k++) wakes_compare(trace, 1, settings[k]);
        ws_trace_close(trace);
    }
}

/* SMs go ahead of the others, and take what comes to them before its cycle, only while nothing watches them: that must
 * not show either. Warps meet in few lines, of which the L1 holds fewer: written lines of local memory go to the miss
 * queue beside misses while atomics pass it, and an access may wait for a way until nothing is on its way any more. */
static void observed(void **state) {
    (void)state;
    enum { WARPS = 8, CTAS = 2, INSTS = 16, SEEDS = 400 / EVERY };
    static const char *const settings[] = {
        "gpu.clusters=1,l1.size_B=256,l1.ways=2,l1.index=linear",
        "gpu=gtx480-wp,gpu.clusters=1,l1.size_B=1024,l1.ways=1,l1.index=linear,l1.miss_queue=2",
        "gpu.clusters=2,l1.size_B=128,l1.ways=1,l1.index=linear",
        "gpu=rtx2060,gpu.clusters=1,gpu.sms_per_cluster=1,l1.unified_B=1",
        "gpu=rtx2060,gpu.clusters=1,l1.unified_B=0,l1.size_B=1024,l1.ways=4,l1.spare_dirty_percent=100",
        "gpu=accelsim-rtx3070,gpu.clusters=2,l1.unified_B=0,l1.size_B=128,l1.ways=1,l1.index=linear"};
    uint64_t random = 5;
    for (int seed = 0; seed < SEEDS; seed++) {
        static generate_inst code[WARPS][INSTS + 1];
        const generate_inst *warps[WARPS + 1] = {NULL};
        const char *kinds = seed % 2 ? "pqqlllaab" : "llllsssaa";
        uint32_t lines[] = {
            ['p'] = 2, ['q'] = 2, ['l'] = seed % 2 ? 40 : 6, ['s'] = 30, ['a'] = 2, ['b'] = 1};
        for (uint32_t w = 0; w < WARPS; w++) {
            for (uint32_t i = 0; i < INSTS; i++) {
                char kind = kinds[random_below(&random, 9)];
                bool loads = kind == 'p' || kind == 'l';
                code[w][i] = (generate_inst){.pc = i + 1,
                                             .mask = UINT32_MAX,
                                             .kind = kind,
                                             .dst = loads ? (uint16_t)(1 + i % 3) : 0,
                                             .line = 1 + random_below(&random, lines[(int)kind])};
            }
            warps[w] = code[w];
        }
        ws_trace *trace = generate_coded_ctas("ptx", CTAS, warps);
        for (size_t k = 0; k < WS_COUNT(settings); k++) wakes_observe(trace, 1, settings[k]);
        ws_trace_close(trace);
    }
}

/* The memory side goes ahead of SMs that nothing watches. They must not see it, least of all where memory is slow: when
 * slices let no more requests in, ports fill, and replies are not taken as fast as they come. */
static void memory_goes_ahead(void **state) {
    (void)state;
    static const char *const paths[] = {"traces/gesummv.wst", "traces/histogram.wst", "traces/transpose.wst",
                                        "traces/spmv.wst",    "traces/kmeans.wst",    "traces/bfs.wst",
                                        "traces/nw.wst"};
    static const char *const gpus[] = {
        "gpu=gtx480-wp",
        "gpu=rtx3070,l2.partition=linear",
        ("gpu=gtx480-wp," COLLECTORS),
        "gpu=gtx980,l2.partition=linear",
        "gpu=c2050-16k",
        "gpu=rtx3070,l2.partition=linear,l1.mshr_entries=6,l1.write=evict,l1.miss_queue=2"};
    uint64_t random = 3;
    for (int round = 0; round < 400 / EVERY; round++) {
        ws_trace *trace = random_one_in(&random, 2)
                              ? generate_random(1000 + (uint64_t)round, 32)
                              : trace_open(paths[random_below(&random, WS_COUNT(paths))]);
        char settings[600];
        snprintf(settings, sizeof settings,
                 "%s,gpu.clusters=%u,dram.channels=%u,limit.warp_instructions=3000,l2.latency=%u,l2.queue=%u,"
                 "l2.port_B=%u,l2.mshr_entries=%u,noc.latency=%u,noc.flit_B=%u,noc.in_buffer=%u,"
                 "noc.out_buffer=%u,noc.replies=%s,noc.input_speedup=%s",
                 gpus[random_below(&random, WS_COUNT(gpus))], 1u << random_below(&random, 4),
                 1u << random_below(&random, 3), random_below(&random, 3) * 60 + 1 + random_below(&random, 9),
                 8 + random_below(&random, 20), 16u << random_below(&random, 3),
                 2 + random_below(&random, 60), random_below(&random, 8), 8 * random_below(&random, 6),
                 8 + random_below(&random, 60), 4 + random_below(&random, 60),
                 random_one_in(&random, 2) ? "lines" : "sectors",
                 random_one_in(&random, 2) ? "true" : "false");
        wakes_observe(trace, 1, settings);
        ws_trace_close(trace);
    }
}

/* Whoever goes ahead stops where those in step would give up. */
static void patience_ends_alike(void **state) {
    (void)state;
    ws_trace *trace = trace_open("traces/gesummv.wst");
    for (int cycles = 60; cycles < 600; cycles += 20) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "gpu=rtx3070,limit.ctas=2,limit.warp_instructions=3000,core.deadlock_cycles=%d", cycles);
        wakes_observe(trace, 1, settings);
    }
    ws_trace_close(trace);
}

/* Values that bypass the L1 hold up other replies, until ports for replies are full; acknowledgements come while
 * earlier ones of the same warp are still at the port. */
static void replies_wait_at_ports(void **state) {
    (void)state;
    static const struct {
        uint64_t seed;
        const char *settings;
    } runs[] = {
        {4435, "gpu=c2050-16k,dram.channels=2,l2.latency=126,l2.queue=8,l2.mshr_entries=43,noc.latency=0,"
               "noc.flit_B=16,noc.in_buffer=45,noc.out_buffer=31,noc.input_speedup=true,gpu.clusters=2,"
               "noc.replies=sectors,l2.port_B=32"},
        {3082, "gpu=rtx3070,l2.partition=linear,dram.channels=2,l2.latency=122,l2.queue=15,l2.port_B=64,"
               "l2.mshr_entries=60,noc.latency=1,noc.flit_B=0,noc.in_buffer=44,noc.out_buffer=6,"
               "gpu.clusters=2,noc.replies=lines,noc.input_speedup=true"},
        {2652, "gpu=rtx3070,l2.partition=linear,dram.channels=2,l2.latency=69,l2.queue=17,l2.port_B=16,"
               "l2.mshr_entries=14,noc.latency=1,noc.flit_B=0,noc.in_buffer=31,noc.out_buffer=21,"
               "gpu.clusters=4,noc.replies=sectors,noc.input_speedup=false"},
        {0, "gpu=rtx3070,l2.partition=linear,dram.channels=1,l2.latency=62,l2.queue=26,l2.port_B=64,"
            "l2.mshr_entries=39,noc.latency=2,noc.flit_B=40,noc.in_buffer=67,noc.out_buffer=58,"
            "gpu.clusters=1,noc.replies=sectors,noc.input_speedup=false"}};
    for (size_t i = 0; i < WS_COUNT(runs); i++) {
        ws_trace *trace =
            runs[i].seed ? generate_random(runs[i].seed, 32) : trace_open("traces/histogram.wst");
        char settings[600];
        snprintf(settings, sizeof settings, "%s,limit.warp_instructions=3000", runs[i].settings);
        wakes_observe(trace, 1, settings);
        ws_trace_close(trace);
    }
}

/* ---- samples */

enum { SAMPLES = 400, SAMPLE_CYCLES = 7 };
typedef struct samples {
    ws_timed_sample at[SAMPLES]; /* the first ones */
    ws_timed_counters counters[SAMPLES];
    size_t count;
} samples;

static void hear_sample(void *self, const ws_timed_sample *sample) {
    samples *s = self;
    if (s->count == SAMPLES) return;
    s->at[s->count] = *sample;
    s->at[s->count].counters = NULL;
    s->counters[s->count++] = *sample->counters;
}

static samples *sampled(const ws_trace *trace, const char *settings, bool polls) {
    ws_error err = WS_NO_ERROR;
    samples *s = calloc(1, sizeof *s);
    assert_non_null(s);
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_tap(timed, &(ws_timed_taps){.self = s, .sample = hear_sample, .sample_cycles = SAMPLE_CYCLES});
    if (polls) ws_timed_poll(timed);
    ws_timed_counters all;
    if (!ws_timed_run(timed, 1, &all, &err)) fail_msg("%s: %s", settings, err.text);
    ws_timed_free(timed);
    return s;
}

/* A sample holds the counts of the cycles up to its own, though it is taken in the next cycle in which a part has a
 * turn. */
static void samples_are_of_their_cycle(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < MECHANISM_GPUS; g++)
            for (int apart = 0; apart < 2; apart++) {
                char settings[600];
                snprintf(settings, sizeof settings, "%s,l2.sectors_apart=%s,noc.flit_B=16", mechanism_gpus[g],
                         apart ? "true" : "false");
                samples *skips = sampled(trace, settings, false), *polls = sampled(trace, settings, true);
                assert_memory_equal(skips, polls, sizeof *skips);
                free(skips);
                free(polls);
            }
        ws_trace_close(trace);
    }
}

/* The reorder unit needs kernels that load indices (reordered_elements). */
static void each_mechanism_is_compared(void **state) {
    (void)state;
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        char asked[64];
        snprintf(asked, sizeof asked, "=%s", (*m)->name);
        int v = 0;
        while (v < wakes_variant_count && !strstr(wakes_variants[v], asked)) v++;
        if (v == wakes_variant_count && !(*m)->partition)
            fail_msg("%s: no variant of tests/support/wakes.c turns it on", (*m)->name);
    }
}

static void reordered_elements(void **state) {
    (void)state;
    static const char *const paths[] = {"traces/graphs/pagerank-road.wst", "traces/graphs/sssp-kron.wst"};
    for (size_t i = 0; i < WS_COUNT(paths); i++) {
        ws_trace *trace = trace_open(paths[i]);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char settings[600];
            snprintf(settings, sizeof settings,
                     "%s,mechanism.partition=reorder,reorder.timeout=%d,noc.replies=%s,l2.port_B=%d,"
                     "mechanism.core=%s,ccws.gain=40,ccws.cap=60",
                     mechanism_gpus[g], g ? 100 : 2000, g % 2 ? "lines" : "sectors", g % 2 ? 64 : 32,
                     g == 2 ? "ccws" : "none");
            wakes_compare(trace, 2, settings);
        }
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mechanism_is_compared),
        cmocka_unit_test(random_traces),
        cmocka_unit_test(asynchronous_copies),
        cmocka_unit_test(two_programs),
        cmocka_unit_test(fills_after_a_pause),
        cmocka_unit_test(programs_take_turns),
        cmocka_unit_test(values_of_atomics),
        cmocka_unit_test(a_program_without_work),
        cmocka_unit_test(kernels),
        cmocka_unit_test(samples_are_of_their_cycle),
        cmocka_unit_test(reordered_elements),
        cmocka_unit_test(loads_held_back_later),
        cmocka_unit_test(coalescers_behind_collectors),
        cmocka_unit_test(full_mshrs_and_ports),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(shared_ports),
        cmocka_unit_test(copies_that_find_no_latch),
        cmocka_unit_test(observed),
        cmocka_unit_test(memory_goes_ahead),
        cmocka_unit_test(replies_wait_at_ports),
        cmocka_unit_test(patience_ends_alike),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
