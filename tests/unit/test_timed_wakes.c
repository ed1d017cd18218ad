/* Cycles in which no part has a turn are skipped, and that must not show: a part that asks for its next turn too late
 * gives other results than on a GPU all of whose parts have a turn in every cycle. */
#include "../support/async_program.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the GPU has counted, and what its mechanisms have. */
typedef struct result {
    ws_timed_counters counters;
    size_t mechanisms;
    uint64_t counts[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX];
} result;

static result run(const ws_trace *trace, uint32_t kernel, const char *settings, bool polls) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed) fail_msg("%s: %s", settings, err.text);
    if (polls) ws_timed_poll(timed);
    result r = {.mechanisms = ws_timed_mechanisms(timed)->count};
    if (!ws_timed_run(timed, kernel, &r.counters, &err)) fail_msg("%s: %s", settings, err.text);
    for (size_t m = 0; m < r.mechanisms; m++)
        memcpy(r.counts[m], ws_timed_counts(timed, m), sizeof r.counts[m]);
    ws_timed_free(timed);
    ws_config_free(config);
    return r;
}

#define X(name, unit, help) {#name, offsetof(ws_timed_counters, name)},
static const struct {
    const char *name;
    size_t offset;
} counters[] = {WS_TIMED_COUNTERS(X)};
#undef X

static uint64_t counter(const ws_timed_counters *c, size_t i) {
    return *(const uint64_t *)((const char *)c + counters[i].offset);
}

static void compare(const ws_trace *trace, uint32_t kernel, const char *settings) {
    result skips = run(trace, kernel, settings, false), polls = run(trace, kernel, settings, true);
    for (size_t i = 0; i < WS_COUNT(counters); i++) {
        uint64_t a = counter(&skips.counters, i), b = counter(&polls.counters, i);
        if (a != b)
            fail_msg("%s, %s: %s is %llu, polled %llu", ws_trace_path(trace), settings, counters[i].name,
                     (unsigned long long)a, (unsigned long long)b);
    }
    for (size_t m = 0; m < skips.mechanisms; m++)
        for (size_t i = 0; i < WS_MECHANISM_COUNTS_MAX; i++)
            if (skips.counts[m][i] != polls.counts[m][i])
                fail_msg("%s, %s: count %zu of mechanism %zu is %llu, polled %llu", ws_trace_path(trace),
                         settings, i, m, (unsigned long long)skips.counts[m][i],
                         (unsigned long long)polls.counts[m][i]);
}

static const char *const variants[] = {
    "dram.clock_ratio=2.5,dram.command_buses=2",
    "dram.clock_ratio=0.7,dram.banks=4,dram.near_banks=1",
    "sm.scheduler=gto,l1.latency=20,core.stall_on_use=8",
    "sm.scheduler=swl,core.swl_warps=2",
    "sm.scheduler=two_level,core.active_warps=2",
    "core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8",
    "l1.banks=2,l1.bank_by=set,l1.misses_per_cycle=1,core.coalescers=3",
    "l1.access=sector,l1.banks=2,l1.bank_by=set,l1.misses_per_cycle=1,core.coalescers=3",
    "l1.banks=4,core.coalescers=4,core.collectors=2,core.memory_ports=4,core.memory_queue=20,sm.schedulers=4",
    "core.icache_B=512,core.icache_ways=1,core.fetches_per_cycle=2",
    ("core.icache_B=256,core.icache_ways=1,core.icache_mshr_entries=1,core.icache_mshr_merges=2,"
     "noc.in_buffer=1"),
    "l1.allocation=on_fill,l1.replacement=random,l2.replacement=plru",
    "noc.out_buffer=1,noc.flit_B=8,noc.latency=9",
    "noc.out_buffer=3,noc.in_buffer=2,noc.flit_B=0,noc.latency=0,core.launch_cycles=0",
    "mechanism.front=mrpb",
    "mechanism.front=warppool",
    "mechanism.front=warppool,warppool.quantum=50",
    "gpu.sms_per_cluster=3,mechanism.cluster=icc",
    "core.dependences=one_in_flight",
    "core.dependences=one_in_flight,core.pipeline_cycles=1,mechanism.core=ilp,ilp.prediction=gshare",
    "core.dependences=one_in_flight,mechanism.core=ilp,ilp.scoreboard_entries=2,ilp.prediction=none",
    "mechanism.fetch=coarse,coarse.lines=4,coarse.dueling=false,coarse.grain_window=0",
    "core.simd_width=8,l1.allocation=on_fill,l1.replacement=random",
    "core.simd_width=16,mechanism.core=scalar,scalar.copy=any",
    "core.simd_width=8,mechanism.core=scalar,scalar.design=srf,scalar.srf_entries=4,scalar.irb_entries=0",
    "mechanism.core=ccws",
    "mechanism.core=ccws,ccws.gain=1e9,ccws.cap=0,ccws.base_score=3",
    "mechanism.core=ccws,ccws.gain=1e9,ccws.cap=0,ccws.base_score=3,sm.scheduler=gto",
    "mechanism.core=ccws,ccws.gain=40,ccws.cap=60,l1.size_B=512,l1.index=linear,l1.allocation=on_fill,"
    "mechanism.front="
    "warppool",
    "mechanism.core=ccws,ccws.gain=20,ccws.cap=0,l1.size_B=512,l1.index=linear,sm.scheduler=two_level,core."
    "active_warps=3",
    "l2.sectors_apart=true,noc.flit_B=16,noc.in_buffer=5",
    "noc.replies=lines,noc.flit_B=16,l2.port_B=64",
    "noc.replies=lines,noc.flit_B=64,noc.in_buffer=5,l2.port_B=128,dram.clock_ratio=2",
    "noc.replies=lines,noc.flit_B=0,l2.port_B=16,l2.queue=8,noc.boundary_buffer=9,noc.out_buffer=20",
    "noc.replies=lines,l2.sectors_apart=true,l2.port_B=256,noc.crossbar_speedup=2,noc.flit_B=8",
    "noc.replies=lines,gpu.sms_per_cluster=3,mechanism.cluster=icc,l2.port_B=64,noc.flit_B=64",
    "noc.crossbar_speedup=2,noc.flit_B=16,noc.injection_queue=9,noc.in_buffer=20,noc.credit_latency=4",
    "noc.boundary_buffer=16,noc.flit_B=16,noc.out_buffer=12,core.atomic_sectors=true,core.store_gaps=true",
    "noc.boundary_buffer=20,noc.flit_B=8,noc.out_buffer=20,noc.crossbar_speedup=2,noc.injection_queue=9",
    ("dram.core_MHz=700,dram.clock_ratio=1.32,core.atomics_wait=true,core.shared_latency=4,core.collectors=2,"
     "core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8"),
    ("core.sub_cores=false,core.fp_collectors=2,core.sfu_collectors=1,core.memory_collectors=2,"
     "core.memory_queue=4,core.bank_reads=1,core.result_buses=1,l1.mshr_entries=2,l1.mshr_merges=2"),
    ("core.sub_cores=false,core.collectors=2,core.memory_queue=4,core.branch_units=1,core.uniform_units=1,"
     "core.icache_B=512,core.icache_ways=1,l2.sectors_apart=true,noc.crossbar_speedup=3,noc.flit_B=8"),
    "core.fences=empty_l1,sm.scheduler=gto,core.atomic_sectors=true",
    "core.global_past_l1=true,core.atomic_sectors=true,noc.in_buffer=5,noc.out_buffer=2",
    "core.global_past_l1=true,l1.banks=2,l1.bank_by=set,core.coalescers=3,noc.flit_B=8",
    "core.global_past_l1=true,l1.access=sector,gpu.sms_per_cluster=2,mechanism.front=warppool",
    "core.fences=empty_l1,l1.write=through_lazy,l1.allocation=on_fill",
    ("core.fences=empty_l1,l1.access=sector,l1.banks=4,core.collectors=2,core.memory_ports=4,"
     "core.memory_queue=16,sm.schedulers=4,l1.mshr_entries=3"),
};
enum { VARIANTS = WS_COUNT(variants) };

/* Sanitizers are slow and look for other faults, so with them a part of the combinations will do. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 3 };
#else
enum { EVERY = 1 };
#endif

static bool has_registers(const ws_trace *trace) {
    return ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS;
}

static void random_traces(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int v = 0; v < VARIANTS; v++) {
            if (strstr(variants[v], "mechanism.core=") && !has_registers(trace)) continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS], variants[v]);
            compare(trace, 1, settings);
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
        for (int v = 0; v < VARIANTS; v++) {
            if (strstr(variants[v], "mechanism.core=scalar")) continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS], variants[v]);
            compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

/* Programs whose launches come and go, on SMs that they share or not. Each variant is run on all GPUs, with both
 * placements. Launches of the first WHOLE pairs have up to 40 CTAs; those of the others are cut, for they would take
 * four fifths of this program's time, and in short ones programs come and go more often. */
static void two_programs(void **state) {
    (void)state;
    enum { WHOLE = 2 };
    static const char *const places[] = {"core.launch_cycles=0",
                                         "core.first_launch_sms=1,core.launch_cycles=40"};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *a = generate_random(seed, 32), *b = generate_random(seed + 50, 32),
                 *joined = ws_trace_join(a, b, &err);
        if (!joined) fail_msg("%s", err.text);
        for (int v = (int)seed % EVERY; v < VARIANTS; v += EVERY) {
            bool one_by_one = strstr(variants[v], "mechanism.core=scalar") != NULL;
            if (one_by_one || (strstr(variants[v], "mechanism.core=") && !has_registers(joined))) continue;
            char settings[600];
            snprintf(settings, sizeof settings, "%s,%s,gpu.clusters=2,limit.ctas=%d,%s",
                     mechanism_gpus[(seed + (uint64_t)v) % MECHANISM_GPUS],
                     places[(seed / 3 + (uint64_t)v) % 2], seed > WHOLE ? 6 : 0, variants[v]);
            compare(joined, 1, settings);
        }
        ws_trace_close(joined);
        ws_trace_close(a);
        ws_trace_close(b);
    }
}

/* A line that is filled becomes the newest in its own cycle, also after cycles without a turn. It shows in an L1 whose
 * lines get their ways when they are filled. */
static void fills_after_a_pause(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(3, 32), *b = generate_random(53, 32), *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    compare(joined, 1,
            "gpu.clusters=2,core.first_launch_sms=1,core.launch_cycles=40,limit.ctas=10,core.fences=empty_l1,"
            "l1.access=sector,l1.banks=4,l1.index=linear,l1.write=through_lazy,l1.allocation=on_fill,noc."
            "flit_B=8");
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
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
        compare(trace, 1, settings);
        ws_trace_close(trace);
    }
}

/* A launch without CTAs ends when it has begun. */
static void a_program_without_work(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(2051, 32), *b = generate_random(3631, 32),
             *joined = ws_trace_join(a, b, &err);
    if (!joined) fail_msg("%s", err.text);
    compare(joined, 1, "core.launch_cycles=40");
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

static void kernels(void **state) {
    (void)state;
    static const char *const paths[] = {"traces/spmv.wst", "traces/histogram.wst", "traces/lud.wst"};
    for (size_t i = 0; i < WS_COUNT(paths); i++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = ws_trace_open(paths[i], &err);
        if (!trace) fail_msg("%s", err.text);
        for (int v = (int)i % EVERY; v < VARIANTS; v += EVERY) {
            char settings[600];
            snprintf(settings, sizeof settings, "%s,limit.warp_instructions=1500,%s",
                     mechanism_gpus[(i + (size_t)v) % MECHANISM_GPUS], variants[v]);
            compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
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
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = ws_trace_open(paths[i], &err);
        if (!trace) fail_msg("%s", err.text);
        for (size_t k = i % EVERY; k < WS_COUNT(settings); k += EVERY) {
            char all[600];
            snprintf(all, sizeof all, "gpu.clusters=2,dram.channels=2,limit.warp_instructions=1500,%s",
                     settings[k]);
            compare(trace, 1, all);
        }
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
    ws_config *config = mechanism_config(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed) fail_msg("%s: %s", settings, err.text);
    ws_timed_tap(timed, &(ws_timed_taps){.self = s, .sample = hear_sample, .sample_cycles = SAMPLE_CYCLES});
    if (polls) ws_timed_poll(timed);
    ws_timed_counters all;
    if (!ws_timed_run(timed, 1, &all, &err)) fail_msg("%s: %s", settings, err.text);
    ws_timed_free(timed);
    ws_config_free(config);
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

static void reordered_elements(void **state) {
    (void)state;
    static const char *const paths[] = {"traces/graphs/pagerank-road.wst", "traces/graphs/sssp-kron.wst"};
    for (size_t i = 0; i < WS_COUNT(paths); i++) {
        ws_error err = WS_NO_ERROR;
        ws_trace *trace = ws_trace_open(paths[i], &err);
        if (!trace) fail_msg("%s", err.text);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char settings[600];
            snprintf(settings, sizeof settings,
                     "%s,mechanism.partition=reorder,reorder.timeout=%d,noc.replies=%s,l2.port_B=%d,"
                     "mechanism.core=%s,ccws.gain=40,ccws.cap=60",
                     mechanism_gpus[g], g ? 100 : 2000, g % 2 ? "lines" : "sectors", g % 2 ? 64 : 32,
                     g == 2 ? "ccws" : "none");
            compare(trace, 2, settings);
        }
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces),
        cmocka_unit_test(asynchronous_copies),
        cmocka_unit_test(two_programs),
        cmocka_unit_test(fills_after_a_pause),
        cmocka_unit_test(values_of_atomics),
        cmocka_unit_test(a_program_without_work),
        cmocka_unit_test(kernels),
        cmocka_unit_test(samples_are_of_their_cycle),
        cmocka_unit_test(reordered_elements),
        cmocka_unit_test(full_mshrs_and_ports),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
