/* Analysis `hotspots`: at which instructions warps spend their time in a timed replay, how long each load takes, and
 * how its accesses fare in the L1. parts/sites.h does the counting. */
#include "analysis/analyses.h"
#include "analysis/parts/pcs.h"
#include "analysis/parts/sites.h"
#include "base/array.h"

#include <stdlib.h>

#define L1(name, help)                                                                                       \
    { "l1_" name, WS_TYPE_INT, "accesses", WS_ADDS_SUM, help }
#define LATENCY(name, percent)                                                                               \
    {                                                                                                        \
        name, WS_TYPE_INT, "cycles", WS_ADDS_NOT,                                                            \
            "Latency that " percent " % of the loads do not exceed; latency: from issue to the last data."   \
    }
#define LOADS                                                                                                \
    {"loads", WS_TYPE_INT, "instructions", WS_ADDS_SUM,                                                      \
     "Loads from global or local memory that have received all their data."},                                \
        {"load_cycles", WS_TYPE_INT, "cycles", WS_ADDS_SUM,                                                  \
         "Cycles from issue to the last data, summed over loads."},                                          \
        LATENCY("load_p50", "50"), LATENCY("load_p90", "90"), LATENCY("load_p99", "99"), {                   \
        "load_max", WS_TYPE_INT, "cycles", WS_ADDS_MAX, "The longest latency of a load."                     \
    }

static const ws_column columns[] = {
    {"warps", WS_TYPE_INT, "warps", WS_ADDS_SUM, "Warps that have ended."},
    {"warp_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
     "Lifetimes of warps, summed: from a warp's start to its last result or acknowledgement. The sum of "
     "warp_cycles over hotspots_pc, plus end_cycles."},
    {"end_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
     "Cycles of warps' lifetimes after the last instruction that they issue."},
    LOADS,
};

/* If a warp waits for several things, the one that ends last gets all the time. */
#define WAIT(name, until)                                                                                    \
    {                                                                                                        \
        name "_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,                                             \
            "Cycles that warps stand at the instruction " until                                              \
    }
#define PC                                                                                                   \
    WS_PC_COLUMN, {"opcode", WS_TYPE_TEXT, "", WS_ADDS_KEY, "Opcode, as traced."}, {                         \
        "source_line", WS_TYPE_INT, "", WS_ADDS_SAME, "Line of the source text."                             \
    }

static const ws_column pc_columns[] = {
    PC,
    {"instructions", WS_TYPE_INT, "instructions", WS_ADDS_SUM, "Warp instructions issued."},
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Active lanes of the warp instructions issued."},
    {"warp_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
     "Cycles that warps stand at the instruction: from a warp's previous issue, or its start, to the issue "
     "of this one. Time is charged to the instruction that waits for a result, not to the one that computes "
     "it. data_cycles, barrier_cycles, fetch_cycles and issue_cycles add up to it."},
    WAIT("data", "until the results that it needs, or that a fence before it asks for, are there."),
    WAIT("barrier", "until the barrier before it opens."),
    WAIT("fetch", "until the instruction has been fetched."),
    WAIT("issue", "after all else: until it is the warp's turn, and a unit or the load/store unit takes it."),
};

static const ws_column load_columns[] = {
    PC,
    LOADS,
    L1("accesses", "Accesses of the load to the L1, in units of l1.access. One that serves several loads "
                   "(l1_merged) counts for the first of them."),
    L1("hits", "L1 accesses of the load whose data are present."),
    L1("pending_hits", "L1 accesses of the load whose data are on their way to the L1."),
    L1("misses", "L1 accesses of the load whose line is absent."),
    L1("sector_misses", "L1 accesses of the load whose sector is absent in a line that is present."),
    L1("bypasses", "Reads of the load that a mechanism sends past the L1; not counted in l1_accesses."),
    L1("merged", "Accesses of the load that warppool has merged into an earlier one, of whichever load; not "
                 "counted in l1_accesses."),
    {"warps", WS_TYPE_INT, "warps", WS_ADDS_SUM, "Warps that received data of the load."},
    {"cycles_to_data", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
     "Cycles from a warp's start to its first data of the load, summed over warps that received any (IRU "
     "Fig. 3)."},
    {"warp_cycles", WS_TYPE_INT, "warp cycles", WS_ADDS_SUM,
     "Lifetimes of the warps that received data of the load, summed."},
};

static const ws_ratio ratios[] = {
    {"load_latency", "cycles", "1.0 * load_cycles / nullif(loads, 0)", "Mean latency of the loads."},
    {"end_share", "", "1.0 * end_cycles / nullif(warp_cycles, 0)",
     "Share of warps' lifetimes after the last instruction that they issue."},
};

static const ws_ratio pc_ratios[] = {
    {"cycles_per_issue", "cycles", "1.0 * warp_cycles / nullif(instructions, 0)",
     "Mean cycles that a warp stands at the instruction."},
};

static const ws_ratio load_ratios[] = {
    {"load_latency", "cycles", "1.0 * load_cycles / nullif(loads, 0)", "Mean latency of the load."},
    {"l1_hit_rate", "", "1.0 * l1_hits / nullif(l1_accesses, 0)",
     "Share of the load's L1 accesses that hit; what bypasses the L1 is none of them."},
    {"l1_miss_rate", "", "1.0 * (l1_misses + l1_sector_misses) / nullif(l1_accesses, 0)",
     "Share of the load's L1 accesses that miss, sector misses included; what bypasses the L1 is none of "
     "them."},
    {"to_data_share", "", "1.0 * cycles_to_data / nullif(warp_cycles, 0)",
     "Share of warps' lifetimes before their first data of the load, over warps that received any (IRU Fig. "
     "3)."},
};

static const ws_column latency_columns[] = {
    {"up_to", WS_TYPE_INT, "cycles", WS_ADDS_KEY,
     "Upper bound of the row's latencies, inclusive; the row before holds the shorter ones. A row per cycle "
     "up to 16, then eight rows between powers of two; rows without a load are left out."},
    {"loads", WS_TYPE_INT, "instructions", WS_ADDS_SUM,
     "Loads from global or local memory whose latency is in the row's range."},
};

enum { TABLE_LAUNCH, TABLE_PC, TABLE_LOAD, TABLE_LATENCY };
static const ws_table launch_table = {"hotspots", "Lives of warps, and latencies of loads",
                                      columns,    WS_COUNT(columns),
                                      ratios,     WS_COUNT(ratios)};
static const ws_table pc_table = {"hotspots_pc", "Time of warps per instruction address",
                                  pc_columns,    WS_COUNT(pc_columns),
                                  pc_ratios,     WS_COUNT(pc_ratios)};
static const ws_table load_table = {"hotspots_load", "Loads per instruction address: latency and the L1",
                                    load_columns,    WS_COUNT(load_columns),
                                    load_ratios,     WS_COUNT(load_ratios)};
static const ws_table latency_table = {
    "hotspots_latency", "Loads by their latency", latency_columns, WS_COUNT(latency_columns), NULL, 0};
static const ws_table *const tables[] = {&launch_table, &pc_table, &load_table, &latency_table, NULL};

/* ---- instances */

typedef struct analysis {
    ws_sites sites;
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (a) ws_sites_free(&a->sites);
    free(a);
}

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    analysis *a = calloc(1, sizeof *a);
    if (!a || !ws_sites_init(&a->sites, stream->trace)) {
        ws_no_memory(err);
        destroy(a);
        return NULL;
    }
    ws_sites_launch(&a->sites, stream->kernel->counters.ctas, stream->warps_per_cta);
    return a;
}

static void issue(void *self, const ws_timed_issue *issue) {
    ws_sites_issue(&((analysis *)self)->sites, issue);
}

static void load_end(void *self, const ws_timed_load *load) {
    ws_sites_load_end(&((analysis *)self)->sites, load);
}

static void hear_access(void *self, const ws_timed_access *access) {
    ws_sites_access(&((analysis *)self)->sites, access);
}

static void warp_end(void *self, const ws_timed_warp_life *life) {
    ws_sites_warp_end(&((analysis *)self)->sites, life);
}

/* ---- rows */

/* `site` must have at least one load. */
static void put_loads(const ws_site *site, ws_rows *rows) {
    ws_rows_count(rows, site->loads);
    ws_rows_count(rows, site->load_cycles);
    ws_rows_count(rows, ws_site_latency(site, 500));
    ws_rows_count(rows, ws_site_latency(site, 900));
    ws_rows_count(rows, ws_site_latency(site, 990));
    ws_rows_count(rows, ws_site_latency(site, 1000));
}

static void put_l1(const ws_site *site, ws_rows *rows) {
    const uint64_t *of = site->accesses;
    const uint64_t values[] = {of[WS_TIMED_HIT] + of[WS_TIMED_PENDING_HIT] + of[WS_TIMED_MISS] +
                                   of[WS_TIMED_SECTOR_MISS],
                               of[WS_TIMED_HIT],
                               of[WS_TIMED_PENDING_HIT],
                               of[WS_TIMED_MISS],
                               of[WS_TIMED_SECTOR_MISS],
                               of[WS_TIMED_BYPASS],
                               site->merged};
    for (size_t i = 0; i < WS_COUNT(values); i++) ws_rows_count(rows, values[i]);
}

static void put_name(const ws_sites *sites, const ws_static *inst, ws_rows *rows) {
    ws_rows_count(rows, inst->pc);
    ws_rows_text(rows, ws_trace_opcode(sites->trace, inst->opcode));
    ws_rows_source_line(rows, sites->trace, inst);
}

typedef struct place {
    const ws_sites *sites;
    uint32_t point;
    ws_rows *rows;
} place;

static void put_pc(void *context, const ws_static *inst, const ws_site *site, const ws_receivers *receivers) {
    const place *at = context;
    ws_rows_begin(at->rows, at->point, TABLE_PC);
    put_name(at->sites, inst, at->rows);
    ws_rows_count(at->rows, site->instructions);
    ws_rows_count(at->rows, site->lanes);
    ws_rows_count(at->rows, ws_site_cycles(site));
    for (int i = 0; i < WS_TIMED_WAITS; i++) ws_rows_count(at->rows, site->waits[i]);
    if (!site->loads) return;
    ws_rows_begin(at->rows, at->point, TABLE_LOAD);
    put_name(at->sites, inst, at->rows);
    put_loads(site, at->rows);
    put_l1(site, at->rows);
    ws_rows_count(at->rows, receivers->warps);
    ws_rows_count(at->rows, receivers->cycles_to_data);
    ws_rows_count(at->rows, receivers->lives);
}

static void put_launch(const ws_sites *sites, const ws_site *all, uint32_t point, ws_rows *rows) {
    ws_rows_begin(rows, point, TABLE_LAUNCH);
    ws_rows_count(rows, sites->warps);
    ws_rows_count(rows, sites->warp_cycles);
    ws_rows_count(rows, sites->warp_cycles - ws_site_cycles(all));
    if (all->loads) {
        put_loads(all, rows);
        return;
    }
    ws_rows_count(rows, 0), ws_rows_count(rows, 0);
    for (int i = 0; i < 4; i++) ws_rows_unknown(rows, "the launch loads nothing from global or local memory");
}

/* The largest latency of the histogram row that `latency` belongs to. */
static uint64_t row_of(uint64_t latency) {
    if (latency <= 16) return latency;
    unsigned shift = 63 - (unsigned)__builtin_clzll(latency - 1) - 3;
    return (((latency - 1) >> shift) + 1) << shift;
}

static void put_latencies(const ws_site *all, uint32_t point, ws_rows *rows) {
    for (uint64_t latency = 0; latency < all->latencies;) {
        uint64_t up_to = row_of(latency), loads = 0;
        for (; latency <= up_to && latency < all->latencies; latency++) loads += all->by_latency[latency];
        if (!loads) continue;
        ws_rows_begin(rows, point, TABLE_LATENCY);
        ws_rows_count(rows, up_to);
        ws_rows_count(rows, loads);
    }
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    ws_site all = {0};
    bool ok = !a->sites.failed;
    for (uint32_t i = 0; ok && i < a->sites.static_count; i++) ok = ws_site_add(&all, &a->sites.at[i]);
    if (ok) {
        put_launch(&a->sites, &all, point, rows);
        ok = ws_sites_each(&a->sites, put_pc, &(place){&a->sites, point, rows});
        put_latencies(&all, point, rows);
    }
    free(all.by_latency);
    return ok || ws_no_memory(err);
}

const ws_analysis ws_analysis_hotspots = {
    .name = "hotspots",
    .summary = "Where warps spend their time, instruction by instruction, and how long loads take",
    .source = "our own; IRU Fig. 3",
    .version = 4,
    .tables = tables,
    .fidelities = WS_FIDELITY_TIMED,
    .create = create,
    .access = hear_access,
    .issue = issue,
    .load_end = load_end,
    .warp_end = warp_end,
    .finish = finish,
    .destroy = destroy,
};
