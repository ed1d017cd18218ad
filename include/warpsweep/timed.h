/* Timed replay: a deterministic, cycle-approximate model of SMs, L1, network, L2 and DRAM. Same trace and
 * parameters, same result, bit for bit. Cycles are those of the core clock. */
#ifndef WARPSWEEP_TIMED_H
#define WARPSWEEP_TIMED_H

#include "warpsweep/mechanism.h"
#include "warpsweep/param.h"
#include "warpsweep/replay.h"
#include "warpsweep/trace.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever counters of any launch change; part of the key of every stored timed result. */
enum { WS_TIMED_VERSION = 47 };

enum { WS_TIMED_SECTOR_B = 32 }; /* sector size of all caches */

/* ---- parameters; 'warpsweep help core' (l1, noc, l2, dram) explains each, with unit and bounds */

enum ws_swl_scope { WS_SWL_OF_SM, WS_SWL_OF_SCHEDULER };

typedef struct ws_core_params {
    int64_t int_latency, int_interval, fp_latency, fp_interval, dp_latency, dp_interval;
    int64_t sfu_latency, sfu_interval, tensor_latency, tensor_interval, branch_latency, branch_interval;
    int64_t uniform_latency, uniform_interval;
    int64_t int_units, fp_units, dp_units, sfu_units, tensor_units, branch_units, uniform_units;
    int64_t simd_width;      /* 0: a scheduler issues in every cycle */
    int dependences;         /* enum ws_dependences */
    int64_t pipeline_cycles; /* from issue to write-back on top of the latency */
    int64_t unit_queue;      /* instructions that may wait for a unit */
    int64_t memory_queue;    /* instructions that may wait for the LSU */
    int64_t memory_ports;    /* instructions that enter that queue per cycle */
    int dual_issue;          /* enum ws_dual_issue */
    bool sub_cores;          /* each scheduler has collectors and register banks of its own */
    int64_t collectors;      /* for instructions of all units: per scheduler, or of the SM */
    int64_t
        collector_ports; /* ways into these without sub_cores, for each kind of unit, and ways out of them */
    int64_t fp_collectors, dp_collectors, sfu_collectors,
        memory_collectors; /* of the SM, for these units only */
    int64_t fp_ports, dp_ports,
        sfu_ports;          /* ways into these collectors, and as many out of them; 0: one per unit */
    int64_t register_banks; /* of the SM */
    bool zero_register;     /* waited for like any other register */
    int64_t half_interval;  /* of packed half precision; 0: fp_interval */
    int64_t bank_reads;     /* operands that a bank reads per cycle */
    int64_t result_buses;   /* of the SM */
    int64_t coalescers, coalesce_lanes, coalesce_B;
    int coalesce_order; /* enum ws_access_order */
    bool store_gaps, atomic_sectors, strong_past_l1, global_past_l1, local_interleaved;
    int64_t fetch_insts, fetches_per_cycle, fetch_cycles;
    int conversions;
    int64_t icache_B, icache_ways, icache_mshr_entries, icache_mshr_merges;
    int64_t shared_latency, shared_banks;
    int64_t stall_on_use; /* for traces without registers */
    bool atomics_wait;
    int fences;                      /* enum ws_fences */
    int64_t active_warps, swl_warps; /* of the schedulers two_level and swl */
    int swl_scope;                   /* enum ws_swl_scope */
    int swl_base;                    /* WS_SCHEDULER_LRR or _GTO */
    int64_t launch_cycles, cta_launch_cycles, deadlock_cycles;
    int64_t concurrent_launches; /* that are looked at: those of different streams run at the same time */
    int64_t first_launch_sms;    /* SMs reserved for the first of them; 0: they share all */
    bool loop_programs, perfect_memory;
} ws_core_params;

enum ws_dependences { WS_DEPENDENCES_REGISTERS, WS_DEPENDENCES_ONE_IN_FLIGHT };
enum ws_dual_issue { WS_DUAL_ISSUE_OFF, WS_DUAL_ISSUE_ANY, WS_DUAL_ISSUE_DIFFERENT_UNITS };
enum ws_fences { WS_FENCES_PASS, WS_FENCES_WAIT, WS_FENCES_EMPTY_L1 };
enum ws_conversions { WS_CONVERSIONS_SFU, WS_CONVERSIONS_INT };
enum ws_replacement { WS_REPLACE_LRU, WS_REPLACE_FIFO, WS_REPLACE_PLRU, WS_REPLACE_RANDOM };
enum ws_allocation { WS_ALLOCATE_ON_MISS, WS_ALLOCATE_ON_FILL };
enum ws_access_order { WS_ORDER_DESCENDING, WS_ORDER_ASCENDING, WS_ORDER_LANE };
enum ws_access_unit { WS_ACCESS_LINE, WS_ACCESS_BY_WIDTH, WS_ACCESS_SECTOR };
enum ws_write_policy { WS_WRITE_EVICT, WS_WRITE_THROUGH_LAZY };
enum ws_bank_by { WS_BANK_BY_SECTOR, WS_BANK_BY_SET };
enum ws_carveouts {
    WS_CARVEOUT_TURING,
    WS_CARVEOUT_VOLTA,
    WS_CARVEOUT_AMPERE,
    WS_CARVEOUT_A100,
    WS_CARVEOUT_A100_ACCELSIM,
    WS_CARVEOUT_HOPPER,
    WS_CARVEOUT_HOPPER_ACCELSIM
};
enum ws_replies { WS_REPLIES_SECTORS, WS_REPLIES_LINES };
enum ws_partition { WS_PARTITION_LINEAR, WS_PARTITION_XOR, WS_PARTITION_IPOLY, WS_PARTITION_RANDOM };
enum ws_bank_index { WS_BANK_INDEX_LINEAR, WS_BANK_INDEX_XOR };
enum ws_bank_group { WS_BANK_GROUP_LOW_BITS, WS_BANK_GROUP_HIGH_BITS };
enum ws_dram_scheduler { WS_DRAM_FR_FCFS, WS_DRAM_FIFO };

typedef struct ws_l1_params {
    int64_t size_B, ways, line_B, unified_B;
    int carveouts; /* enum ws_carveouts */
    int access;    /* enum ws_access_unit */
    int index, replacement, allocation, write;
    int bank_by;  /* enum ws_bank_by */
    int64_t seed; /* of random replacement */
    int64_t latency, banks, bank_accesses, misses_per_cycle, mshr_entries, mshr_merges, miss_queue;
    double spare_dirty_percent;
} ws_l1_params;

typedef struct ws_noc_params {
    int64_t flit_B, latency, ports_per_cluster, in_buffer, out_buffer, boundary_buffer, crossbar_speedup,
        injection_queue, credit_latency;
    int replies; /* enum ws_replies */
    bool input_speedup;
} ws_noc_params;

enum { WS_CHANNELS_MAX = 256, WS_CHANNEL_SLICES_MAX = 8 };
typedef struct ws_l2_params {
    int64_t slices_per_channel, interleave_B, size_B, ways, line_B;
    int index, replacement, partition;
    int64_t seed; /* of random replacement */
    int64_t latency, port_B, mshr_entries, mshr_merges, miss_queue, queue, lrc_entries, lrc_merges;
    bool sectors_apart, copies, flush;
} ws_l2_params;

typedef struct ws_dram_params {
    int64_t channels, latency;
    int scheduler; /* enum ws_dram_scheduler */
    int64_t queue, write_queue, write_high, write_low, return_queue;
    int64_t banks, bank_groups, near_banks, bank_B, row_B,
        rows;                   /* where an address lies within its channel */
    int bank_index, bank_group; /* enum ws_bank_index, enum ws_bank_group */
    int64_t atom_B, command_buses;
    double clock_ratio, core_MHz;
    int64_t ccd, ccdl, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, rtpl, burst_cycles;
} ws_dram_params;

extern const ws_component ws_core_component, ws_l1_component, ws_noc_component, ws_l2_component,
    ws_dram_component;

/* ---- results */

/* Counters of one launch. Hits, pending hits, misses and sector misses are exclusive and add up to the accesses: those
 * of the L1 in units of l1.access, those of the L2 in sectors. */
#define WS_TIMED_COUNTERS(X)                                                                                 \
    X(cycles, "cycles", "Core cycles from the launch to the end of its last CTA")                            \
    X(ctas, "CTAs", "CTAs started; at the end fewer than the launch has where limits cut it short")          \
    X(warp_instructions, "instructions", "Warp instructions issued")                                         \
    X(arithmetic_instructions, "instructions",                                                               \
      "Warp instructions issued of the classes int, fp, sfu and tensor")                                     \
    X(thread_instructions, "instructions", "Active lanes of the warp instructions issued")                   \
    X(sm_cycles, "SM cycles", "Cycles times SMs")                                                            \
    X(partition_cycles, "partition cycles", "Cycles times memory partitions (DRAM channels)")                \
    X(sm_busy_cycles, "SM cycles",                                                                           \
      "SM cycles in which a warp is resident or a memory instruction waits for the LSU")                     \
    X(warp_cycles, "warp cycles", "Resident warps of all SMs, summed over cycles")                           \
    X(scheduler_issues, "scheduler cycles", "Scheduler cycles in which an instruction issues")               \
    X(scheduler_memory, "scheduler cycles",                                                                  \
      "Scheduler cycles without an issue in which a memory instruction is ready and finds no room")          \
    X(scheduler_unit, "scheduler cycles",                                                                    \
      "Scheduler cycles without an issue in which another instruction is ready and its unit or collector "   \
      "is busy")                                                                                             \
    X(scheduler_data, "scheduler cycles",                                                                    \
      "Scheduler cycles in which no warp is ready and at least one waits for a result")                      \
    X(scheduler_barrier, "scheduler cycles",                                                                 \
      "Scheduler cycles in which all warps that could go on wait at barriers")                               \
    X(scheduler_fetch, "scheduler cycles",                                                                   \
      "Scheduler cycles in which warps wait for an instruction to be fetched, or to end")                    \
    X(scheduler_empty, "scheduler cycles", "Scheduler cycles in which no warp is resident")                  \
    X(memory_waiting, "instruction cycles",                                                                  \
      "Memory instructions that are ready but not yet begun by an LSU, those in a mechanism's queues in "    \
      "front of it included, summed over cycles")                                                            \
    X(memory_waiting_cycles, "SM cycles",                                                                    \
      "SM cycles in which at least one ready memory instruction waits, as memory_waiting counts them")       \
    X(icache_accesses, "accesses", "Fetches that looked up an instruction cache (core.icache_B)")            \
    X(icache_misses, "accesses", "Fetches whose line the instruction cache did not have")                    \
    X(loads, "instructions", "Loads from global and local memory that have received all their data")         \
    X(load_cycles, "cycles",                                                                                 \
      "Latency of loads from global and local memory, summed: cycles from issue to the last data")           \
    X(l1_accesses, "accesses",                                                                               \
      "Accesses of loads and stores to the L1s, in units of l1.access, without those that bypass them")      \
    X(l1_hits, "accesses", "L1 accesses whose data are present")                                             \
    X(l1_pending_hits, "accesses", "L1 accesses whose data are on their way to the L1")                      \
    X(l1_misses, "accesses", "L1 accesses, those of stores included, whose line is absent")                  \
    X(l1_sector_misses, "accesses", "L1 accesses whose sector is absent in a line that is present")          \
    X(l1_bypasses, "accesses",                                                                               \
      "Accesses that bypass the L1, not counted in l1_accesses: atomics, loads of GPU scope, with "          \
      "core.global_past_l1 all of global memory, and what mechanisms bypass")                                \
    X(l1_stalls_set_full, "accesses", "Accesses that waited for a way of their set")                         \
    X(l1_stalls_mshr_full, "accesses", "Accesses that waited for an MSHR entry")                             \
    X(l1_stalls_merge_full, "accesses", "Accesses that waited for room in their MSHR entry")                 \
    X(l1_stalls_miss_queue_full, "accesses", "Accesses that waited for the miss queue")                      \
    X(l1_retries_set_full, "cycles", "Cycles in which an access waited for a way of its set")                \
    X(l1_retries_mshr_full, "cycles", "Cycles in which an access waited for an MSHR entry")                  \
    X(l1_retries_merge_full, "cycles", "Cycles in which an access waited for room in its MSHR entry")        \
    X(l1_retries_miss_queue_full, "cycles", "Cycles in which an access waited for the miss queue")           \
    X(l1_miss_port_waits, "cycles",                                                                          \
      "Cycles in which a read that would miss waited because of l1.misses_per_cycle")                        \
    X(l1_busy_cycles, "SM cycles", "SM cycles in which the L1's tags serve accesses")                        \
    X(l2_accesses, "sectors", "Accesses to the L2")                                                          \
    X(l2_hits, "sectors", "L2 accesses whose data are present")                                              \
    X(l2_pending_hits, "sectors", "L2 accesses whose data are on their way to the L2")                       \
    X(l2_misses, "sectors", "L2 accesses whose line is absent")                                              \
    X(l2_sector_misses, "sectors", "L2 accesses whose sector is absent in a line that is present")           \
    X(l2_stalls, "requests", "Requests at the tags that waited for a way, an MSHR or a queue")               \
    X(l2_retries, "cycles", "Cycles in which a request at the tags waited for a way, an MSHR or a queue")    \
    X(l2_merged, "sectors",                                                                                  \
      "Sectors that reads got with an earlier read's, without an access to the L2 (l2.lrc_entries)")         \
    X(noc_packets_to_memory, "packets", "Packets from SMs to L2 slices")                                     \
    X(noc_reads, "packets",                                                                                  \
      "Packets from SMs to L2 slices that ask for data and carry none: read requests (ICC 8.3)")             \
    X(noc_packets_to_sm, "packets", "Packets from L2 slices to SMs")                                         \
    X(noc_bytes_to_memory, "B", "Bytes of packets from SMs to L2 slices, headers of 8 B included")           \
    X(noc_bytes_to_sm, "B", "Bytes of packets from L2 slices to SMs, headers of 8 B included")               \
    X(noc_flits_to_memory, "flits", "Flits to memory: port cycles in which a port was busy with one")        \
    X(noc_flits_to_sm, "flits", "Flits to SMs: port cycles in which a port was busy with one")               \
    X(noc_port_cycles_to_memory, "port cycles",                                                              \
      "Cycles times the ports that move a flit to memory per cycle: one per cluster or, with "               \
      "noc.input_speedup, one per L2 slice")                                                                 \
    X(noc_port_cycles_to_sm, "port cycles",                                                                  \
      "Cycles times the ports that move a flit to SMs per cycle: one per L2 slice or, with "                 \
      "noc.input_speedup, one per cluster")                                                                  \
    X(dram_reads, "bursts", "Read bursts of DRAM")                                                           \
    X(dram_writes, "bursts", "Write bursts of DRAM")                                                         \
    X(dram_bytes, "B", "Bytes of all DRAM bursts, used or not")                                              \
    X(dram_activates, "commands", "DRAM rows opened")                                                        \
    X(dram_requests, "requests",                                                                             \
      "Requests that DRAM served: a sector that is read is one, and so is what a write-back writes of a "    \
      "line")                                                                                                \
    X(dram_row_hits, "requests",                                                                             \
      "DRAM requests that found their row open; a bank's first one for row 0 counts as such (GPGPU-Sim)")    \
    X(dram_busy_cycles, "channel cycles", "DRAM cycles in which a channel's bus carries data")               \
    X(dram_cycles, "channel cycles", "DRAM cycles of the launch, times channels")

typedef struct ws_timed_counters {
#define X(name, unit, help) uint64_t name;
    WS_TIMED_COUNTERS(X)
#undef X
} ws_timed_counters;

/* Of launches that run at the same time, the counters that are kept for each, by what its own warps do. */
#define WS_TIMED_SHARE(X)                                                                                    \
    X(cycles)                                                                                                \
    X(ctas)                                                                                                  \
    X(warp_instructions)                                                                                     \
    X(thread_instructions)                                                                                   \
    X(loads)                                                                                                 \
    X(load_cycles)                                                                                           \
    X(l1_accesses) X(l1_hits) X(l1_pending_hits) X(l1_misses) X(l1_sector_misses) X(l1_bypasses)

typedef struct ws_timed_share {
#define X(name) uint64_t name; /* as in ws_timed_counters */
    WS_TIMED_SHARE(X)
#undef X
} ws_timed_share;

enum { WS_LAUNCHES_MAX = 128 }; /* launches at the same time */

/* ---- replaying */

/* A GPU that runs the launches of one trace one after another: L1s start empty with each launch, the L2 keeps its
 * content (but with l2.flush). `config` has the components gpu, sm, order, limit and those above, or all of
 * ws_fidelity_components(), which include those of mechanisms (warpsweep/analysis.h); it is copied. `trace` must
 * outlive the GPU. A configuration that cannot work is refused with the reason. */
typedef struct ws_timed ws_timed;

ws_timed *ws_timed_new(const ws_trace *trace, const ws_config *config, ws_error *err);
void ws_timed_free(ws_timed *timed); /* accepts NULL */

/* Checks what can be checked without building the GPU or reading an instruction. False with the reason if
 * ws_timed_new() would refuse the configuration (`*culprit` is 0), or if a launch of 1 .. `last` could not run
 * (`*culprit` is the first of these). Of joined traces, no launch runs if any cannot. Without a trace (NULL; `last` is
 * not read) only the configuration is checked. */
bool ws_timed_check(const ws_trace *trace, const ws_config *config, uint32_t last, uint32_t *culprit,
                    ws_error *err);

/* ---- taps: callbacks for what happens in a launch, as it happens. They change no result. */

enum ws_timed_status {
    WS_TIMED_HIT,
    WS_TIMED_PENDING_HIT, /* merged into a miss of this L1 that is on its way */
    WS_TIMED_MISS,
    WS_TIMED_SECTOR_MISS,
    WS_TIMED_BYPASS, /* a read for which a mechanism bypasses the L1 */
    WS_TIMED_STATUSES
};

#define WS_NO_STATIC UINT32_MAX

/* An access, in units of l1.access, that an L1's tags have served or that a mechanism sent past them. Reads that miss
 * or bypass leave the SM; so do all writes but those that are `kept`. What else bypasses the L1 is not reported:
 * atomics, loads of GPU scope, and with core.global_past_l1 all of global memory. */
typedef struct ws_timed_access {
    uint64_t cycle; /* since the launch, as in all taps */
    uint64_t line;  /* address / l1.line_B */
    /* 4-byte words of the line, bit 0 the lowest: those that a load asks for, or that a store writes entirely (none if
     * it writes any in part) */
    uint64_t words;
    uint32_t sm, cluster, cta, warp; /* cta within the launch, warp within the CTA */
    /* The load, for ws_trace_statics(); of several that a mechanism has merged, the first. WS_NO_STATIC: a store. */
    uint32_t static_id;
    ws_memory_op op; /* load or store */
    enum ws_timed_status status;
    bool kept; /* a write that stays in the L1 until its line is evicted: to local memory, as l1.write says */
    /* The cycle in which the load was issued: with sm, cta and warp it names the instruction, whose accesses to one
     * line are parts of one request. UINT64_MAX: a store, or loads that a mechanism has merged. */
    uint64_t issued;
} ws_timed_access;

/* What a warp waits for. */
enum ws_timed_wait {
    WS_TIMED_WAIT_DATA,    /* results of earlier instructions, or those that a fence asks for */
    WS_TIMED_WAIT_BARRIER, /* the other warps of its CTA */
    WS_TIMED_WAIT_FETCH,   /* the instruction itself */
    WS_TIMED_WAIT_ISSUE,   /* its turn, or a unit or the load/store unit to take the instruction */
    WS_TIMED_WAITS
};

/* A warp issues an instruction of the trace. From `before` to `ready` it waited for `wait`, the last of what it waited
 * for to end; from `ready` to `cycle`, for its turn. */
typedef struct ws_timed_issue {
    uint64_t cycle, ready;
    uint64_t before;         /* cycle of the warp's previous issue, or when it came to the SM */
    enum ws_timed_wait wait; /* WS_TIMED_WAIT_ISSUE: it was ready at once */
    uint32_t sm, cta, warp, static_id;
    uint32_t lanes; /* active */
} ws_timed_issue;

/* A load from global or local memory has received all its data, in `cycle`; all its accesses have been reported. */
typedef struct ws_timed_load {
    uint64_t issued, cycle, warp_start;
    uint32_t sm, cta, warp, static_id;
    /* Its accesses that a mechanism has merged into earlier ones, so that they are not reported themselves. */
    uint64_t merged;
} ws_timed_load;

typedef struct ws_timed_warp_life {
    uint32_t sm, cta, warp;
    uint64_t start, end;   /* cycles: it came to the SM; its last result or acknowledgement arrived */
    uint64_t instructions; /* that it issued */
} ws_timed_warp_life;

/* The GPU at the end of a sampling period, or of the launch. */
typedef struct ws_timed_sample {
    uint64_t cycle;
    uint32_t ctas, warps;              /* resident */
    uint32_t mshr_entries;             /* in use in all L1s */
    const ws_timed_counters *counters; /* of the launch so far */
    bool last;                         /* the launch has ended */
} ws_timed_sample;

/* Functions that are NULL are not called. */
typedef struct ws_timed_taps {
    void *self;
    void (*access)(void *self, const ws_timed_access *access);
    void (*issue)(void *self, const ws_timed_issue *issue);
    void (*load_end)(void *self, const ws_timed_load *load);
    void (*warp_end)(void *self, const ws_timed_warp_life *life);
    void (*sample)(void *self, const ws_timed_sample *sample);
    uint64_t sample_cycles; /* cycles between samples; 0 = a single sample, at the end */
} ws_timed_taps;

/* Takes effect with the next launch; `taps` is copied, NULL removes them. */
void ws_timed_tap(ws_timed *timed, const ws_timed_taps *taps);

/* ---- running */

/* ws_timed_run() runs launch `index` (from 1); with l2.copies, copies to the device that precede it are placed in the
 * L2 first, unless l2.flush empties it. With core.concurrent_launches and launches of several streams, those after it
 * run, too: each as soon as the one of its stream before it has ended, so that those of different streams run at the
 * same time. `counters` (may be NULL) are those of all. ws_timed_together() is the number of launches that such a call
 * runs: the next one to run is launch index + ws_timed_together(index). */
uint32_t ws_timed_together(const ws_timed *timed, uint32_t index);
bool ws_timed_run(ws_timed *timed, uint32_t index, ws_timed_counters *counters, ws_error *err);

/* How many launches the last call ran, and the first of them; the cycle of that run in which launch `index` began, and
 * what it did in its cycles, which end with its last CTA. For launches that the call did not run, this and everything
 * below is 0. */
uint32_t ws_timed_ran(const ws_timed *timed);
uint32_t ws_timed_first(const ws_timed *timed);
uint64_t ws_timed_begin_of(const ws_timed *timed, uint32_t index);
ws_timed_share ws_timed_share_of(const ws_timed *timed, uint32_t index);

/* Joined traces (ws_trace_join): their programs run at the same time, the launches of each one after another, on a GPU
 * that runs nothing else before or after. Running launch 1 runs them all. A program that has come to its end starts
 * over (core.loop_programs) until the other has ended, too; then both stop, wherever the former is (XI 4.5). `counters`
 * are those of the GPU until then. ws_timed_share_of() is what each launch did, unfinished runs included, so that the
 * sum of a program's instructions over the sum of its cycles is its IPC. With each launch, the L1s that it may use
 * start empty. */

/* The finished runs of launch `index`: their number, and their cycles and CTAs in total. A launch that runs beside
 * others of its own trace has one run. */
typedef struct ws_timed_runs {
    uint64_t runs, cycles, ctas;
} ws_timed_runs;
ws_timed_runs ws_timed_runs_of(const ws_timed *timed, uint32_t index);

/* To be called after that: runs each program alone on such a GPU, as often as it has finished, so that, as when both
 * ran, later runs find in the L2 what earlier ones left. ws_timed_alone_of() is what launch `index` did there. */
bool ws_timed_run_alone(ws_timed *timed, ws_error *err);
ws_timed_share ws_timed_alone_of(const ws_timed *timed, uint32_t index);

/* The mechanisms that are on, and what mechanism number `mechanism` of these counted in the last launch, in the order
 * of its table's columns. Both are owned by `timed`. */
const ws_mechanism_set *ws_timed_mechanisms(const ws_timed *timed);
const uint64_t *ws_timed_counts(const ws_timed *timed, size_t mechanism);
/* Whether the trace has loads that bypass the L1 by themselves (core.global_past_l1, core.strong_past_l1). */
bool ws_timed_has_loads_past_l1(const ws_timed *timed);
/* All hardware that the configuration adds to the baseline, as ws_added_costs() returns it. */
size_t ws_timed_costs(const ws_timed *timed, ws_added_cost costs[WS_ADDED_COSTS_MAX]);
/* How many SMs, clusters, partitions or GPUs there are: instances of a structure with this ws_cost.per. */
uint64_t ws_timed_count_of(const ws_timed *timed, enum ws_per per);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
