/* Analysis `timed`: the counters of the timed replay of a launch, unchanged, with those of the mechanisms that are on
 * and the hardware that these add. */
#include "warpsweep/timed.h"

#include "analysis/analyses.h"
#include "base/array.h"
#include "trace/names.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const ws_column columns[] = {
#define X(name, unit, help) {#name, WS_TYPE_INT, unit, WS_ADDS_SUM, help "."},
    WS_TIMED_COUNTERS(X)
#undef X
        {"together", WS_TYPE_INT, "launches", WS_ADDS_SAME,
         "Launches of the run that this one belongs to: itself, or all of a trace with several streams "
         "(core.concurrent_launches). With more than one, this row has only what the launch's own warps did; "
         "timed_together has what all did, and so do "
         "the mechanisms' counters: the row of each launch has the same."},
    {"cost_bits", WS_TYPE_INT, "bits", WS_ADDS_SAME,
     "Storage that mechanisms, and coalescers beyond the first, add to the whole GPU; larger caches or "
     "more MSHRs cost nothing here. 0 where there are none. Unknown where a structure is unbounded "
     "(mrpb.entries 0)."},
};

/* For launches that ran at the same time, a row for each of them: what the whole GPU did. */
static const ws_column together_columns[] = {
    {"first_launch", WS_TYPE_INT, "", WS_ADDS_KEY, "The first of the launches that ran at the same time."},
    {"begin", WS_TYPE_INT, "cycles", WS_ADDS_NOT,
     "Cycle of the run in which the launch begins, and from which its own cycles count. Unknown for two "
     "programs, whose launches run several times."},
#define X(name, unit, help)                                                                                  \
    {#name, WS_TYPE_INT, unit, WS_ADDS_NOT, help "; all launches that ran at the same time together."},
    WS_TIMED_COUNTERS(X)
#undef X
};
static const ws_table together_table = {"timed_together",
                                        "Launches that ran at the same time: the GPU",
                                        together_columns,
                                        WS_COUNT(together_columns),
                                        NULL,
                                        0};

/* For two programs at the same time, a row for each of their launches: how the launch fared beside the other program,
 * and alone. Launches of a program add up. */
static const ws_column program_columns[] = {
    {"program", WS_TYPE_INT, "", WS_ADDS_SAME, "Which of the two programs the launch belongs to: 1 or 2."},
    {"program_trace", WS_TYPE_TEXT, "", WS_ADDS_SAME, "The program's own trace."},
    {"beside", WS_TYPE_TEXT, "", WS_ADDS_SAME, "The trace of the program that runs at the same time."},
    {"runs", WS_TYPE_INT, "runs", WS_ADDS_SAME,
     "How often the program came to its end; it starts over until the other has ended, too (XI 4.5)."},
    {"cycles", WS_TYPE_INT, "cycles", WS_ADDS_SUM,
     "Cycles in which the launch ran, until both programs stopped."},
    {"warp_instructions", WS_TYPE_INT, "instructions", WS_ADDS_SUM,
     "Warp instructions that the launch issued until both programs stopped."},
    {"run_cycles", WS_TYPE_INT, "cycles", WS_ADDS_SUM,
     "Cycles of the launch that belong to finished runs of its program."},
    {"alone_cycles", WS_TYPE_INT, "cycles", WS_ADDS_SUM,
     "Cycles of the launch in as many runs of its program alone on the same GPU."},
    {"alone_warp_instructions", WS_TYPE_INT, "instructions", WS_ADDS_SUM,
     "Warp instructions that the launch issued in as many runs of its program alone."},
};
static const ws_ratio program_ratios[] = {
    {"relative_ipc", "",
     "1.0 * warp_instructions / nullif(cycles, 0) / nullif(1.0 * alone_warp_instructions / "
     "nullif(alone_cycles, 0), 0)",
     "IPC beside the other program over IPC alone: what weighted speedup adds up (XI 4.5)."},
    {"progress", "", "1.0 * alone_cycles / nullif(run_cycles, 0)",
     "Normalized progress of finished runs, cycles alone over cycles: what STP adds up, and ANTT inverts."},
};
static const ws_table program_table = {
    "timed_program", "Two programs at the same time: each beside the other, and alone",
    program_columns, WS_COUNT(program_columns),
    program_ratios,  WS_COUNT(program_ratios)};

#define L1_FAILS                                                                                             \
    "(l1_retries_set_full + l1_retries_mshr_full + l1_retries_merge_full + l1_retries_miss_queue_full)"
#define L1_MISSES             "(l1_misses + l1_sector_misses)"
#define L2_MISSES             "(l2_misses + l2_sector_misses)"
#define SHARE(part, whole)    "1.0 * " part " / nullif(" whole ", 0)"
#define PER_1000(part, whole) "1000.0 * " part " / nullif(" whole ", 0)"

static const ws_ratio ratios[] = {
    {"ipc", "thread instructions per cycle", SHARE("thread_instructions", "cycles"),
     "Instructions per cycle of the whole GPU, each active lane counted."},
    {"ipc_warp", "warp instructions per cycle", SHARE("warp_instructions", "cycles"),
     "Warp instructions per cycle of the whole GPU."},
    {"warps_per_sm", "warps", SHARE("warp_cycles", "sm_cycles"), "Mean warps that reside on an SM."},
    {"issue_rate", "",
     SHARE("scheduler_issues", "(scheduler_issues + scheduler_memory + scheduler_unit + scheduler_data + "
                               "scheduler_barrier + scheduler_fetch + scheduler_empty)"),
     "Share of the schedulers' cycles in which they issue."},
    {"memory_waiting_per_sm", "instructions", SHARE("memory_waiting", "sm_cycles"),
     "Memory instructions of an SM that are ready and wait for the LSU (WP Fig. 3); the mean over all SMs "
     "and cycles, those without a resident warp included."},
    {"memory_waiting_share", "", SHARE("memory_waiting_cycles", "sm_busy_cycles"),
     "Share of an SM's busy time in which a ready memory instruction waits for the LSU (WP 2.2 chooses "
     "kernels with more than 90 %)."},
    {"load_latency", "cycles", SHARE("load_cycles", "loads"),
     "Mean cycles from the issue of a load from global or local memory to its last data."},
    {"l1_hit_rate", "", SHARE("l1_hits", "l1_accesses"),
     "Share of L1 accesses that hit; what bypasses the L1 is none of them."},
    {"l1_accesses_per_cycle", "accesses", SHARE("l1_accesses", "l1_busy_cycles"),
     "Accesses that an L1 serves in a cycle in which it serves any (WP Fig. 12)."},
    {"l1_pending_rate", "", SHARE("l1_pending_hits", "l1_accesses"),
     "Share of L1 accesses whose data are on their way already."},
    {"l1_miss_rate", "", SHARE(L1_MISSES, "l1_accesses"),
     "Share of L1 accesses that miss, sector misses included; what bypasses the L1 is none of them."},
    {"l1_bypass_rate", "", "1.0 * l1_bypasses / nullif(l1_accesses + l1_bypasses, 0)",
     "Share of all accesses that bypass the L1: atomics, loads of GPU scope, and reads that a mechanism "
     "sends past it."},
    {"l1_mpki", "misses per 1000 warp instructions", PER_1000(L1_MISSES, "warp_instructions"),
     "MPKI: L1 misses of loads and stores, sector misses included, per thousand warp instructions (that of "
     "contention has loads alone). What a mechanism sends past the L1 counts as l1_bypasses, not here."},
    {"l1_mpki_thread", "misses per 1000 thread instructions", PER_1000(L1_MISSES, "thread_instructions"),
     "L1 misses, sector misses included, per thousand thread instructions."},
    {"l1_reservation_fails", "cycles", L1_FAILS,
     "Cycles in which an access was retried for want of a way, an MSHR, a merge or room in the miss queue."},
    {"l2_hit_rate", "", SHARE("l2_hits", "l2_accesses"), "Share of L2 accesses that hit."},
    {"l2_miss_rate", "", SHARE(L2_MISSES, "l2_accesses"),
     "Share of L2 accesses that miss, sector misses included."},
    {"l2_merge_rate", "", "1.0 * l2_merged / nullif(l2_accesses + l2_merged, 0)",
     "Share of the sectors asked of the L2 that come with an earlier read's (l2.lrc_entries)."},
    {"l2_mpki", "misses per 1000 warp instructions", PER_1000(L2_MISSES, "warp_instructions"),
     "L2 misses, sector misses included, per thousand warp instructions."},
    {"l2_mpki_thread", "misses per 1000 thread instructions", PER_1000(L2_MISSES, "thread_instructions"),
     "L2 misses, sector misses included, per thousand thread instructions."},
    {"noc_utilisation_to_memory", "", SHARE("noc_flits_to_memory", "noc_port_cycles_to_memory"),
     "Share of their time in which the network's ports (noc_port_cycles_to_memory) are busy."},
    {"noc_utilisation_to_sm", "", SHARE("noc_flits_to_sm", "noc_port_cycles_to_sm"),
     "Share of their time in which the network's ports (noc_port_cycles_to_sm) are busy."},
    {"dram_utilisation", "", SHARE("dram_busy_cycles", "dram_cycles"),
     "Share of the DRAM channels' time in which their buses carry data."},
    {"dram_row_hit_rate", "", SHARE("dram_row_hits", "dram_requests"),
     "Share of DRAM requests that find their row open."},
};

/* ---- comparison of a point with its baseline */

/* Lines per memory instruction, computed for all kernels of the sweep once (MATERIALIZED); otherwise SQLite would read
 * the table of launches anew for each point. */
#define LINES                                                                                                \
    "(WITH by_kernel AS MATERIALIZED (SELECT t.name AS trace, k.short_name AS kernel, "                      \
    "1.0 * sum(k.requests) / nullif(sum(k.memory_instructions), 0) AS lines FROM kernel k "                  \
    "JOIN trace t ON t.id = k.trace WHERE k.id IN (SELECT kernel FROM swept) GROUP BY t.name, "              \
    "k.short_name) "                                                                                         \
    "SELECT b.lines FROM by_kernel b WHERE b.trace = this.trace AND b.kernel = this.kernel)"
#define AGAINST(what) "1.0 * this." what " / nullif(base." what ", 0)"

static const ws_ratio comparisons[] = {
    {"kernel_class", "",
     "CASE WHEN base.memory_waiting_share IS NULL THEN NULL "
     "WHEN base.memory_waiting_share < 0.05 THEN 'not memory-limited' WHEN " LINES
     " < 2 THEN 'bandwidth-limited' WHEN base.l1_hit_rate >= 0.1 AND base.l1_miss_rate >= 0.3 THEN "
     "'cache-limited' WHEN base.cycles THEN 'divergent' END",
     "Class of the kernel, by the baseline, with names of WP 2.2 and 2.3 and thresholds of our own. not "
     "memory-limited: memory instructions wait in less than 5 % of the time in which SMs have warps (WP "
     "takes kernels with 90 %). bandwidth-limited: less than 2 lines of 128 B per memory instruction. "
     "cache-limited: the L1 hits at least 10 % of its accesses, and misses 30 %. divergent: the others. WP "
     "calls cache-limited what no window merges (WP Fig. 5: analysis window), whatever the L1 does: by that "
     "the bundled spmv would be divergent, transpose_naive and histogram cache-limited. Unknown for launches "
     "that ran at the same time, whose waiting is not told apart."},
    {"speedup", "",
     "CASE WHEN this.together > 1 THEN 1.0 * this.warp_instructions * base.cycles / this.cycles / "
     "nullif(base.warp_instructions, 0) ELSE 1.0 * base.cycles / this.cycles END",
     "Cycles of the baseline over cycles. Of launches that ran at the same time: warp instructions per cycle "
     "over those of the baseline, because a program that starts over does its work more than once."},
    {"mpki_ratio", "", "this.l1_mpki / nullif(base.l1_mpki, 0)",
     "L1 MPKI, relative to the baseline (WP Fig. 13). What a mechanism sends past the L1 is no miss: beside "
     "it, noc_requests_ratio shows whether the network has less to carry."},
    {"l1_throughput_ratio", "",
     "1.0 * this.l1_accesses * base.cycles / this.cycles / nullif(base.l1_accesses, 0)",
     "L1 accesses per cycle, relative to the baseline."},
    {"noc_reads_ratio", "", AGAINST("noc_reads"),
     "Read requests through the network, relative to the baseline (ICC Fig. 13)."},
    {"noc_requests_ratio", "", AGAINST("noc_packets_to_memory"),
     "All packets to memory, writes and atomics among them, relative to the baseline."},
    {"noc_bytes_ratio", "",
     "1.0 * (this.noc_bytes_to_memory + this.noc_bytes_to_sm) / nullif(base.noc_bytes_to_memory + "
     "base.noc_bytes_to_sm, 0)",
     "Bytes on both networks, relative to the baseline."},
    {"cost_bits", "bits", "this.cost_bits",
     "Storage that mechanisms, and coalescers beyond the first, add to the whole GPU; larger caches or more "
     "MSHRs cost nothing here."},
    {"cost_bits_per_sm", "bits", "1.0 * this.cost_bits * this.cycles / nullif(this.sm_cycles, 0)",
     "Storage that mechanisms, and coalescers beyond the first, add to the GPU, per SM; larger caches or "
     "more MSHRs cost nothing here."},
    {"cycles", "cycles", "this.cycles", "Of the point, as in NAME_by_kernel."},
    {"baseline_cycles", "cycles", "base.cycles", "Of the baseline."},
};
static const ws_table comparison = {
    "speedup", "Points against their sweep's baseline", NULL, 0, comparisons, WS_COUNT(comparisons)};
static const ws_front front = {"pareto", "kernel_class", "speedup", "cost_bits_per_sm"};

static const ws_table table = {"timed", "Cycles, and what every level of memory did",
                               columns, WS_COUNT(columns),
                               ratios,  WS_COUNT(ratios)};

/* The hardware that mechanisms add, a row for each structure. */
static const ws_column cost_columns[] = {
    {"mechanism", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "Which mechanism; coalescers: core.coalescers beyond the first (WP tab. 1)."},
    {"structure", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "The structure that the mechanism adds. 'warpsweep help NAME', of the mechanism, says how its bits are "
     "worked out."},
    {"per", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "Where there is one of it: each SM, cluster, partition, or once on the GPU."},
    {"cost_bits", WS_TYPE_INT, "bits", WS_ADDS_NOT,
     "Size of one such structure, in bits of storage; unknown where it is unbounded."},
};
static const ws_table cost_table = {
    "mechanism_cost", "Hardware that the mechanisms add", cost_columns, WS_COUNT(cost_columns), NULL, 0};

enum { TABLE_TIMED, TABLE_COST, TABLE_TOGETHER, TABLE_PROGRAM, TABLE_MECHANISMS };
static const ws_table *const tables[] = {&table, &cost_table, &together_table, &program_table,
#define X(name, what) &ws_##name##_table,
                                         WS_MECHANISMS(X)
#undef X
                                             NULL};

/* An instance only remembers where the replay will put its counters; finish() reads them. */
typedef struct analysis {
    const ws_timed_counters *counters;
    const ws_timed *gpu;
    const ws_trace *trace;
    uint32_t launch;
} analysis;

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    analysis *a = calloc(1, sizeof *a);
    if (a)
        *a = (analysis){stream->timed, stream->gpu, stream->trace, stream->kernel->index};
    else
        ws_no_memory(err);
    return a;
}

static uint32_t table_of(const ws_mechanism *mechanism) {
    uint32_t i = 0;
    while (ws_mechanisms()[i] != mechanism) i++;
    return TABLE_MECHANISMS + i;
}

static void put_bits(uint64_t bits, ws_rows *rows) {
    if (bits == WS_BITS_UNBOUNDED)
        ws_rows_unknown(rows, "a structure without bounds takes whatever comes");
    else
        ws_rows_count(rows, bits);
}

static uint64_t total_bits(const ws_timed *gpu) {
    ws_added_cost costs[WS_ADDED_COSTS_MAX];
    size_t count = ws_timed_costs(gpu, costs);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        if (costs[i].cost.bits == WS_BITS_UNBOUNDED) return WS_BITS_UNBOUNDED;
        bits += costs[i].cost.bits * ws_timed_count_of(gpu, costs[i].cost.per);
    }
    return bits;
}

static void put_mechanisms(const ws_timed *gpu, uint32_t point, ws_rows *rows) {
    const ws_mechanism_set *set = ws_timed_mechanisms(gpu);
    for (size_t i = 0; i < set->count; i++) {
        const ws_mechanism *m = set->at[i];
        ws_rows_begin(rows, point, table_of(m));
        for (size_t c = 0; c < m->table->column_count; c++) ws_rows_count(rows, ws_timed_counts(gpu, i)[c]);
    }
    ws_added_cost costs[WS_ADDED_COSTS_MAX];
    size_t count = ws_timed_costs(gpu, costs);
    for (size_t i = 0; i < count; i++) {
        ws_rows_begin(rows, point, TABLE_COST);
        ws_rows_text(rows, costs[i].mechanism);
        ws_rows_text(rows, costs[i].cost.structure->name);
        ws_rows_text(rows, ws_per_names[costs[i].cost.per]);
        put_bits(costs[i].cost.bits, rows);
    }
}

static void put_all(const ws_timed_counters *counters, ws_rows *rows) {
#define X(name, unit, help) ws_rows_count(rows, counters->name);
    WS_TIMED_COUNTERS(X)
#undef X
}

/* Puts the counters of one of several launches at the same time; columns that are not counted per launch are
 * unknown. */
static void put_share(const ws_timed_share *share, ws_rows *rows) {
    static const struct {
        const char *name;
        size_t at;
    } parts[] = {
#define X(name) {#name, offsetof(ws_timed_share, name)},
        WS_TIMED_SHARE(X)
#undef X
    };
    for (size_t c = 0; strcmp(columns[c].name, "together") != 0; c++) {
        size_t i = 0;
        while (i < WS_COUNT(parts) && strcmp(parts[i].name, columns[c].name) != 0) i++;
        if (i < WS_COUNT(parts))
            ws_rows_int(rows,
                        (int64_t) * (const uint64_t *)(const void *)((const char *)share + parts[i].at));
        else
            ws_rows_unknown(rows, "counted of all launches that ran at the same time: timed_together");
    }
}

/* Puts the name of a program's trace. */
static bool put_name(const ws_trace *joined, uint32_t program, ws_rows *rows) {
    char *name = ws_trace_name(ws_trace_path(ws_trace_of_program(joined, program)));
    if (name) ws_rows_text(rows, name);
    free(name);
    return name != NULL;
}

static bool put_program(const analysis *a, const ws_timed_share *share, uint32_t point, ws_rows *rows) {
    uint32_t program = ws_trace_kernel(a->trace, a->launch)->program;
    ws_timed_runs runs = ws_timed_runs_of(a->gpu, a->launch);
    ws_timed_share alone = ws_timed_alone_of(a->gpu, a->launch);
    ws_rows_begin(rows, point, TABLE_PROGRAM);
    ws_rows_int(rows, program + 1);
    bool named = put_name(a->trace, program, rows) && put_name(a->trace, 1 - program, rows);
    ws_rows_count(rows, runs.runs);
    ws_rows_count(rows, share->cycles);
    ws_rows_count(rows, share->warp_instructions);
    ws_rows_count(rows, runs.cycles);
    ws_rows_count(rows, alone.cycles);
    ws_rows_count(rows, alone.warp_instructions);
    return named;
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    uint32_t together = ws_timed_ran(a->gpu);
    ws_timed_share share = ws_timed_share_of(a->gpu, a->launch);
    ws_rows_begin(rows, point, TABLE_TIMED);
    together == 1 ? put_all(a->counters, rows) : put_share(&share, rows);
    ws_rows_int(rows, together);
    put_bits(total_bits(a->gpu), rows);
    put_mechanisms(a->gpu, point, rows);
    if (together == 1) return true;
    ws_rows_begin(rows, point, TABLE_TOGETHER);
    bool has_programs = ws_trace_get_info(a->trace)->programs > 1;
    ws_rows_int(rows, ws_timed_first(a->gpu));
    has_programs ? ws_rows_unknown(rows, NULL) : ws_rows_count(rows, ws_timed_begin_of(a->gpu, a->launch));
    put_all(a->counters, rows);
    return !has_programs || put_program(a, &share, point, rows) || ws_no_memory(err);
}

const ws_analysis ws_analysis_timed = {
    .name = "timed",
    .summary = "Timed replay: cycles, IPC, and what L1, network, L2 and DRAM did",
    .source = "WP 4, MRPB 2, XI 2.6",
    .version = 13,
    .tables = tables,
    .comparison = &comparison,
    .front = &front,
    .together = &together_table,
    .fidelities = WS_FIDELITY_TIMED,
    .create = create,
    .finish = finish,
    .destroy = free,
};
