#include "wakes.h"

#include "mechanism_run.h"

#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What the GPU has counted, and what its mechanisms have. */
typedef struct result {
    ws_timed_counters counters;
    size_t mechanisms;
    uint64_t counts[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX];
    ws_error failure;
} result;

enum way { SKIPS, POLLED, OBSERVED };
static const char *const ways[] = {[SKIPS] = "", [POLLED] = "polled", [OBSERVED] = "observed"};

static void hear_nothing(void *self, const ws_timed_access *access) {
    (void)self, (void)access;
}

static result run(const ws_trace *trace, uint32_t kernel, const char *settings, enum way way) {
    ws_timed *timed = mechanism_gpu(trace, settings);
    if (way == POLLED) ws_timed_poll(timed);
    if (way == OBSERVED) ws_timed_tap(timed, &(ws_timed_taps){.access = hear_nothing});
    result r = {.mechanisms = ws_timed_mechanisms(timed)->count, .failure = WS_NO_ERROR};
    ws_timed_run(timed, kernel, &r.counters, &r.failure);
    for (size_t m = 0; m < r.mechanisms; m++)
        memcpy(r.counts[m], ws_timed_counts(timed, m), sizeof r.counts[m]);
    ws_timed_free(timed);
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

static void compare(const ws_trace *trace, uint32_t kernel, const char *settings, enum way way) {
    result skips = run(trace, kernel, settings, SKIPS), twin = run(trace, kernel, settings, way);
    if (strcmp(skips.failure.text, twin.failure.text) != 0 || (skips.failure.code && way == POLLED))
        fail_msg("%s: failure '%s', %s '%s'", settings, skips.failure.text, ways[way], twin.failure.text);
    if (skips.failure.code) return;
    for (size_t i = 0; i < WS_COUNT(counters); i++) {
        uint64_t a = counter(&skips.counters, i), b = counter(&twin.counters, i);
        if (a != b)
            fail_msg("%s, %s: %s is %llu, %s %llu", ws_trace_path(trace), settings, counters[i].name,
                     (unsigned long long)a, ways[way], (unsigned long long)b);
    }
    for (size_t m = 0; m < skips.mechanisms; m++)
        for (size_t i = 0; i < WS_MECHANISM_COUNTS_MAX; i++)
            if (skips.counts[m][i] != twin.counts[m][i])
                fail_msg("%s, %s: count %zu of mechanism %zu is %llu, %s %llu", ws_trace_path(trace),
                         settings, i, m, (unsigned long long)skips.counts[m][i], ways[way],
                         (unsigned long long)twin.counts[m][i]);
}

void wakes_compare(const ws_trace *trace, uint32_t kernel, const char *settings) {
    compare(trace, kernel, settings, POLLED);
}

void wakes_observe(const ws_trace *trace, uint32_t kernel, const char *settings) {
    compare(trace, kernel, settings, OBSERVED);
}

const char *const wakes_variants[] = {
    "dram.clock_ratio=2.5,dram.command_buses=2",
    "dram.clock_ratio=0.7,dram.banks=4,dram.near_banks=1",
    "dram.scheduler=fifo,dram.queue=2,dram.banks=8,dram.bank_group=high_bits,core.cta_launch_cycles=9",
    "sm.scheduler=gto,l1.latency=20,core.stall_on_use=8",
    "sm.scheduler=swl,core.swl_warps=2",
    "sm.scheduler=swl,core.swl_warps=1,core.swl_scope=scheduler,core.atomics_wait=true",
    ("core.sub_cores=false,core.collectors=6,core.collector_ports=3,core.memory_queue=8,core.dual_issue="
     "different_units,"
     "core.branch_units=1,core.uniform_units=1"),
    "sm.scheduler=two_level,core.active_warps=2",
    "core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8",
    ("core.collectors=3,core.memory_ports=2,core.memory_queue=16,sm.schedulers=2,core.result_buses=1,core.fp_"
     "latency=9,"
     "core.sfu_latency=17,core.int_interval=1"),
    "l1.banks=2,l1.bank_by=set,l1.misses_per_cycle=1,core.coalescers=3",
    "l1.access=sector,l1.banks=2,l1.bank_by=set,l1.misses_per_cycle=1,core.coalescers=3",
    "l1.banks=4,core.coalescers=4,core.collectors=2,core.memory_ports=4,core.memory_queue=20,sm.schedulers=4",
    "l1.bank_accesses=3,l1.latency=2,l1.mshr_entries=3",
    "l1.banks=2,l1.bank_by=set,l1.bank_accesses=2,core.coalescers=3",
    "core.icache_B=512,core.icache_ways=1,core.fetches_per_cycle=2",
    ("core.icache_B=256,core.icache_ways=1,core.icache_mshr_entries=1,core.icache_mshr_merges=2,"
     "noc.in_buffer=1"),
    "l1.allocation=on_fill,l1.replacement=random,l2.replacement=plru",
    "noc.out_buffer=1,noc.flit_B=8,noc.latency=9",
    "noc.out_buffer=3,noc.in_buffer=2,noc.flit_B=0,noc.latency=0,core.launch_cycles=0",
    "mechanism.front=mrpb",
    "mechanism.front=warppool",
    "mechanism.front=warppool,warppool.quantum=50",
    ("mechanism.front=warppool,core.collectors=2,core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,"
     "core.pipeline_cycles=30"),
    "gpu.sms_per_cluster=3,mechanism.cluster=icc",
    "gpu.sms_per_cluster=4,noc.ports_per_cluster=2,noc.flit_B=8",
    "gpu.sms_per_cluster=4,noc.ports_per_cluster=2,mechanism.cluster=icc,noc.in_buffer=2",
    ("gpu.sms_per_cluster=4,noc.ports_per_cluster=2,core.global_past_l1=true,core.collectors=2,core.memory_"
     "ports=4,"
     "core.memory_queue=16,sm.schedulers=4,noc.out_buffer=3"),
    ("l1.access=sector,gpu.sms_per_cluster=4,noc.ports_per_cluster=2,mechanism.cluster=icc,noc.in_buffer=2,"
     "mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0"),
    "mechanism.dispatch=warpman,warpman.spatial=on,sm.registers=4096,sm.oversized_ctas=true",
    "core.dependences=one_in_flight",
    "core.dependences=one_in_flight,core.pipeline_cycles=1,mechanism.core=ilp,ilp.prediction=gshare",
    "core.dependences=one_in_flight,mechanism.core=ilp,ilp.scoreboard_entries=2,ilp.prediction=none",
    ("core.dependences=one_in_flight,mechanism.core=ilp,core.pipeline_cycles=30,core.collectors=2,"
     "core.sub_cores=false,core.memory_queue=4,core.result_buses=1"),
    "mechanism.fetch=coarse,coarse.lines=4,coarse.dueling=false,coarse.grain_window=0",
    "core.simd_width=8,l1.allocation=on_fill,l1.replacement=random",
    "core.simd_width=16,mechanism.core=scalar,scalar.copy=any",
    "core.simd_width=8,mechanism.core=scalar,scalar.design=srf,scalar.srf_entries=4,scalar.irb_entries=0",
    ("mechanism.core=scalar,scalar.copy=any,scalar.irb_entries=1,core.collectors=2,core.memory_ports=4,"
     "core.memory_queue=16,sm.schedulers=4,core.int_units=4,core.int_interval=4"),
    ("mechanism.core=scalar,scalar.copy=any,core.sub_cores=false,core.collectors=2,core.memory_queue=4,"
     "core.fp_interval=8,core.sfu_units=2,scalar.design=srf,scalar.srf_entries=9"),
    "mechanism.core=ccws",
    "mechanism.core=ccws,ccws.gain=1e9,ccws.cap=0,ccws.base_score=3",
    "mechanism.core=ccws,ccws.gain=1e9,ccws.cap=0,ccws.base_score=3,sm.scheduler=gto",
    ("mechanism.core=ccws,ccws.gain=40,ccws.cap=60,l1.size_B=512,l1.index=linear,l1.allocation=on_fill,"
     "mechanism.front=warppool,core.fences=empty_l1"),
    ("mechanism.core=ccws,ccws.gain=20,ccws.cap=0,l1.size_B=512,l1.index=linear,sm.scheduler=two_level,"
     "core.active_warps=3"),
    "l2.sectors_apart=true,noc.flit_B=16,noc.in_buffer=5",
    "l2.sectors_apart=true,l2.lrc_entries=9,l2.lrc_merges=3,noc.in_buffer=5,noc.out_buffer=2",
    "l2.sectors_apart=true,l2.lrc_entries=256,l2.latency=300,core.global_past_l1=true,core.atomic_sectors="
    "true",
    ("l2.sectors_apart=true,l2.lrc_entries=20,gpu.sms_per_cluster=3,mechanism.cluster=icc,noc.flit_B=8,"
     "noc.boundary_buffer=20,noc.out_buffer=20,mechanism.fetch=coarse,coarse.dueling=false,"
     "coarse.grain_window=0"),
    "noc.replies=lines,noc.flit_B=16,l2.port_B=64",
    "l2.line_B=64,noc.replies=lines,l2.port_B=128,mechanism.fetch=coarse,coarse.dueling=false",
    "l2.line_B=32,l2.sectors_apart=true,l2.lrc_entries=9,l2.replacement=plru,noc.flit_B=16",
    "l1.line_B=64,l2.line_B=256,l1.access=sector,l2.mshr_entries=5,l2.miss_queue=2,core.atomic_sectors=true",
    "noc.replies=lines,noc.flit_B=64,noc.in_buffer=5,l2.port_B=128,dram.clock_ratio=2",
    "noc.replies=lines,noc.flit_B=0,l2.port_B=16,l2.queue=8,noc.boundary_buffer=9,noc.out_buffer=20",
    "noc.replies=lines,l2.sectors_apart=true,l2.port_B=256,noc.crossbar_speedup=2,noc.flit_B=8",
    "noc.replies=lines,gpu.sms_per_cluster=3,mechanism.cluster=icc,l2.port_B=64,noc.flit_B=64",
    "noc.crossbar_speedup=2,noc.flit_B=16,noc.injection_queue=9,noc.in_buffer=20,noc.credit_latency=4",
    "noc.boundary_buffer=16,noc.flit_B=16,noc.out_buffer=12,core.atomic_sectors=true,core.store_gaps=true",
    "noc.boundary_buffer=20,noc.flit_B=8,noc.out_buffer=20,noc.crossbar_speedup=2,noc.injection_queue=9",
    "noc.injection_queue=5,noc.in_buffer=6,noc.flit_B=32,noc.credit_latency=2,noc.boundary_buffer=9",
    ("dram.core_MHz=700,dram.clock_ratio=1.32,core.atomics_wait=true,core.shared_latency=4,core.collectors=2,"
     "core.memory_ports=4,core.memory_queue=16,sm.schedulers=4,core.register_banks=8"),
    ("core.sub_cores=false,core.fp_collectors=2,core.fp_ports=1,core.dp_units=2,core.dp_collectors=1,"
     "core.sfu_collectors=1,core.memory_collectors=2,"
     "core.memory_queue=4,core.bank_reads=1,core.result_buses=1,l1.mshr_entries=2,l1.mshr_merges=2"),
    ("core.sub_cores=false,core.collectors=2,core.memory_queue=4,core.branch_units=1,core.uniform_units=1,"
     "core.icache_B=512,core.icache_ways=1,l2.sectors_apart=true,noc.crossbar_speedup=3,noc.flit_B=8"),
    "core.fences=empty_l1,sm.scheduler=gto,core.atomic_sectors=true",
    "core.global_past_l1=true,core.atomic_sectors=true,noc.in_buffer=5,noc.out_buffer=2",
    "core.global_past_l1=true,l1.banks=2,l1.bank_by=set,core.coalescers=3,noc.flit_B=8",
    "core.global_past_l1=true,l1.access=sector,gpu.sms_per_cluster=2,mechanism.front=warppool",
    ("core.fences=empty_l1,l1.write=through_lazy,l1.allocation=on_fill,mechanism.fetch=coarse,"
     "coarse.dueling=false,coarse.grain_window=0"),
    ("core.fences=empty_l1,l1.access=sector,l1.banks=4,core.collectors=2,core.memory_ports=4,"
     "core.memory_queue=16,sm.schedulers=4,l1.mshr_entries=3,mechanism.fetch=coarse,coarse.lines=4,"
     "coarse.dueling=false,coarse.grain_window=0"),
};
const int wakes_variant_count = (int)WS_COUNT(wakes_variants);
