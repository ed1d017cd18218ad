/* The components of the timed fidelity. Defaults describe a Fermi-class GPU as the cycle simulator's GTX480
 * configuration does (GPGPU-Sim, SM2_GTX480; its trace-mode latencies). */
#include "base/array.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

/* ---- core */

#define CORE(field, unit, def, min, max, help)                                                               \
    WS_INT(ws_core_params, field, "core." #field, unit, def, min, max, help)
#define LATENCY(name, latency, interval, what)                                                               \
    CORE(name##_latency, "cycles", latency, 1, 900, "Latency of " what " instructions."),                    \
        CORE(name##_interval, "cycles", interval, 1, 128,                                                    \
             "Cycles between two " what " instructions on one unit.")
#define UNITS(name, def, what)                                                                               \
    CORE(name##_units, "units", def, 0, 16,                                                                  \
         what " units of an SM. As many as schedulers: one belongs to each (core.sub_cores); else shared.")

static const char *const swl_base_names[] = {[WS_SCHEDULER_LRR] = "lrr", [WS_SCHEDULER_GTO] = "gto", NULL};

static const char *const access_orders[] = {
    [WS_ORDER_DESCENDING] = "descending", [WS_ORDER_ASCENDING] = "ascending", [WS_ORDER_LANE] = "lane", NULL};
static const char *const conversions_names[] = {
    [WS_CONVERSIONS_SFU] = "sfu", [WS_CONVERSIONS_INT] = "int", NULL};
static const char *const dependences_names[] = {
    [WS_DEPENDENCES_REGISTERS] = "registers", [WS_DEPENDENCES_ONE_IN_FLIGHT] = "one_in_flight", NULL};

static const char *const fences_names[] = {
    [WS_FENCES_PASS] = "pass", [WS_FENCES_WAIT] = "wait", [WS_FENCES_EMPTY_L1] = "empty_l1", NULL};

static const ws_param core_params[] = {
    LATENCY(int, 4, 1, "integer"),
    LATENCY(fp, 4, 1, "single-precision"),
    LATENCY(dp, 20, 2, "double-precision"),
    LATENCY(sfu, 200, 2, "special-function"),
    LATENCY(tensor, 4, 1, "tensor"),
    LATENCY(branch, 4, 1, "branch"),
    LATENCY(uniform, 4, 1, "uniform datapath"),
    UNITS(int, 0, "Integer"),
    UNITS(fp, 2, "Single-precision"),
    UNITS(dp, 0, "Double-precision"),
    UNITS(sfu, 1, "Special-function"),
    UNITS(tensor, 0, "Tensor"),
    UNITS(branch, 0, "Branch"),
    UNITS(uniform, 0,
          "Uniform datapath (since Turing: instructions of a whole warp, U.., R2UR, S2UR, REDUX, VOTEU)"),
    WS_CHOICE(ws_core_params, conversions, "core.conversions", WS_CONVERSIONS_SFU, conversions_names,
              "Which instructions conversions between formats of numbers (F2F, F2I, I2F, FRND) are: sfu: "
              "special-function ones. int: integer ones (Accel-Sim's tables)."),
    CORE(
        simd_width, "lanes", 0, 0, 64,
        "Lanes that a scheduler's instructions execute on: it issues one every warp size / simd_width cycles "
        "(XI 2.4). 0: one every cycle."),
    WS_CHOICE(ws_core_params, dependences, "core.dependences", WS_DEPENDENCES_REGISTERS, dependences_names,
              "When a warp's next instruction may follow. registers: when no register that it names waits "
              "for a result; behind DEPBAR, when the groups of asynchronous copies that it names have come, "
              "too. one_in_flight: when the instruction before is written back (XI 4.4)."),
    CORE(pipeline_cycles, "cycles", 6, 1, 64,
         "Cycles from issue to write-back on top of an instruction's latency: operand collection, dispatch, "
         "write-back."),
    CORE(unit_queue, "instructions", 3, 1, 64,
         "Instructions that may wait in front of a unit before issue stalls."),
    CORE(memory_queue, "instructions", 5, 1, 64,
         "Memory instructions between issue and the load/store unit."),
    CORE(memory_ports, "instructions", 1, 1, 8,
         "Memory instructions that an SM issues per cycle. As many as schedulers: each has a port and an "
         "equal share of core.memory_queue; else they share both, and take turns in going first."),
    CORE(collectors, "collectors", 0, 0, 16,
         "Operand collectors that instructions share, whatever their unit: of each scheduler, or with "
         "core.sub_cores = false of the SM. An instruction holds one until it has read its operands "
         "(core.register_banks), and the register in front of its unit is free; the first of a scheduler's "
         "collectors goes first, however long another waits. While all are held, nothing else of the "
         "scheduler is executed, nor what other schedulers issue to the same units later. Of a scheduler's "
         "share of core.memory_queue one place lies before the collectors, these follow, the rest lies "
         "behind them; core.pipeline_cycles and core.unit_queue mean nothing. 0, and none of a unit's own: "
         "each unit has as many as it needs."),
    WS_BOOL(ws_core_params, sub_cores, "core.sub_cores", true,
            "Whether units of a kind that are as many as schedulers belong to one each, and a scheduler has "
            "operand collectors, register banks and registers in front of the units for itself. false: "
            "schedulers share them; units of a kind have a register in front of each, and of the collectors "
            "for a kind of unit as many instructions come and leave in a cycle as it has units, in turns, of "
            "core.collectors one; units take the oldest."),
    CORE(fp_collectors, "collectors", 0, 0, 16,
         "With core.sub_cores = false: operand collectors of the SM for FP units alone."),
    CORE(sfu_collectors, "collectors", 0, 0, 16, "The same for special-function units."),
    CORE(memory_collectors, "collectors", 0, 0, 16, "The same for the load/store unit."),
    CORE(register_banks, "banks", 16, 1, 128,
         "With operand collectors: banks of an SM's registers, with core.sub_cores an equal share for each "
         "scheduler; consecutive registers lie in consecutive banks, those of the next warp one bank "
         "further. A bank gives core.bank_reads operands in a cycle, those of the instruction first that "
         "came to its collector first, and in a cycle in which a result is written into it one less."),
    CORE(result_buses, "buses", 8, 1, 16,
         "With operand collectors: instructions whose results come in the same cycle, loads apart; of each "
         "unit one."),
    CORE(bank_reads, "operands", 2, 1, 2, "Operands that a bank of registers gives per cycle."),
    CORE(coalescers, "coalescers", 1, 1, 16,
         "Intra-warp coalescers: memory instructions whose accesses go to the L1 at once, each one's in "
         "order, the oldest first; those of a warp keep their order, and nothing moves across a barrier (WP "
         "3.3). One is the baseline; WP tab. 1 has 256 B for each."),
    CORE(coalesce_lanes, "lanes", 64, 1, 64,
         "Lanes of a warp that are coalesced together, consecutive ones; 8: the accesses of an instruction "
         "are those of four eighths of 32 lanes, whatever lines these share. As many as a warp has, or more: "
         "all."),
    CORE(coalesce_B, "B", 0, 0, 256,
         "Bytes of an aligned stretch of memory that one access covers at most: 32, 64 .. l1.line_B. 0: what "
         "l1.access says; else it has to be line, or sector with 32."),
    WS_CHOICE(ws_core_params, coalesce_order, "core.coalesce_order", WS_ORDER_DESCENDING, access_orders,
              "Order in which the accesses of an instruction go to the L1. descending, ascending: by "
              "address, the last or the first lanes that are coalesced together before the others "
              "(descending: GPGPU-Sim). lane: by the lowest lane that asks for it."),
    WS_BOOL(
        ws_core_params, store_gaps, "core.store_gaps", false,
        "Whether a store's access of four sectors writes those between the ones that it touches, too: the "
        "quarter, the half or all of them (GPGPU-Sim)."),
    WS_BOOL(
        ws_core_params, atomic_sectors, "core.atomic_sectors", false,
        "Whether atomics and other accesses that pass the L1 by are cut into sectors whatever l1.access says "
        "(GPGPU-Sim)."),
    WS_BOOL(
        ws_core_params, strong_past_l1, "core.strong_past_l1", true,
        "Whether loads whose scope is the GPU (LDG, LDL and LDGSTS with .STRONG and .GPU) pass the L1 by: it "
        "may hold an old value. As in Accel-Sim those with .STRONG.SYS do not."),
    WS_BOOL(
        ws_core_params, local_interleaved, "core.local_interleaved", true,
        "Whether each thread that the GPU holds has words of its own in local memory, those of a CTA's "
        "threads side by side, and an access of more than 4 bytes is one to each of its words, as on GPUs "
        "and in GPGPU-Sim. false: threads that name an address share it."),
    CORE(fetch_insts, "instructions", 2, 1, 16,
         "Instructions that a warp's buffer holds; one fetch fills it."),
    CORE(fetches_per_cycle, "fetches", 1, 1, 8, "Warps whose buffer is filled per cycle, in turns."),
    CORE(fetch_cycles, "cycles", 2, 1, 64,
         "Cycles from an empty buffer to the next instruction; one less, but for the last of "
         "core.fetches_per_cycle, which alone is decoded in the cycle after."),
    CORE(icache_B, "B", 0, 0, 16777216,
         "Capacity of an SM's instruction cache, whose lines are as long as the L1's; LRU. 0: every "
         "instruction is at hand."),
    CORE(icache_ways, "ways", 4, 1, 1024, "Associativity of the instruction cache."),
    CORE(icache_mshr_entries, "entries", 2, 1, 16, "Lines of instructions on their way to an SM."),
    CORE(icache_mshr_merges, "warps", 32, 1, 64, "Warps that wait for the same line, the first included."),
    CORE(shared_latency, "cycles", 26, 1, 900, "Latency of shared memory."),
    CORE(shared_banks, "banks", 32, 1, 64, "Banks of shared memory, 4 bytes wide."),
    CORE(stall_on_use, "instructions", 0, 0, 63,
         "Traces without registers: instructions that a warp still issues after a load before it waits for "
         "its data."),
    WS_BOOL(ws_core_params, atomics_wait, "core.atomics_wait", false,
            "Whether a warp issues nothing between an atomic and the last of its replies, though nothing may "
            "need them (GPGPU-Sim)."),
    WS_CHOICE(
        ws_core_params, fences, "core.fences", WS_FENCES_WAIT, fences_names,
        "What a memory barrier (MEMBAR) does, whatever its scope. pass: nothing. wait: its warp issues "
        "nothing before all registers have the results that they wait for; stores are not waited for. "
        "empty_l1: then all lines leave the SM's L1, too, where none have been accessed since the last "
        "barrier did that nothing happens; data on their way come all the same (GPGPU-Sim since 2019)."),
    CORE(active_warps, "warps", 8, 1, 64,
         "Scheduler two_level: warps in the active set of each scheduler. A warp that waits for a load or at "
         "a barrier leaves it for the next that does not."),
    CORE(swl_warps, "warps", 8, 1, 64,
         "Scheduler swl: warps of the SM that may issue, the oldest of those that wait at no barrier."),
    WS_CHOICE(ws_core_params, swl_base, "core.swl_base", WS_SCHEDULER_GTO, swl_base_names,
              "Scheduler swl: how a scheduler chooses among the warps that may issue."),
    CORE(concurrent_launches, "launches", 1, 1, WS_LAUNCHES_MAX,
         "Launches that run at the same time: consecutive ones of the trace, no two of the same stream. CTAs "
         "of a later one start where the earlier ones leave room; the next launches wait until all have "
         "ended."),
    CORE(first_launch_sms, "SMs", 0, 0, 65535,
         "Of launches or programs that run at the same time: SMs that the first one has for itself, those "
         "with the lowest numbers; the others have the rest. 0: they share all SMs, and the first goes "
         "first."),
    WS_BOOL(ws_core_params, loop_programs, "core.loop_programs", true,
            "Of two programs at the same time: whether the one that ends first begins anew, until the other "
            "has ended, too (XI 4.5)."),
    CORE(launch_cycles, "cycles", 0, 0, 1000000, "Cycles before the first CTA of a kernel starts."),
    CORE(deadlock_cycles, "cycles", 1000000, 1, 1000000000,
         "Cycles without an instruction issued or completed after which a launch is given up as a deadlock."),
};

#define WITH_COLLECTORS(name)                                                                                \
    {                                                                                                        \
        .param = name, .of = "core.collectors", .or_of = "core.fp_collectors", .value = "0",                 \
        .other_than = true                                                                                   \
    }
static const ws_need core_needs[] = {
    {.param = "core.pipeline_cycles", .of = "core.collectors", .value = "0"},
    {.param = "core.pipeline_cycles", .of = "core.fp_collectors", .value = "0"},
    {.param = "core.unit_queue", .of = "core.collectors", .value = "0"},
    {.param = "core.unit_queue", .of = "core.fp_collectors", .value = "0"},
    WITH_COLLECTORS("core.register_banks"),
    WITH_COLLECTORS("core.bank_reads"),
    WITH_COLLECTORS("core.result_buses"),
    {.param = "core.fp_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.sfu_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.memory_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.uniform_latency", .of = "core.uniform_units", .value = "0", .other_than = true},
    {.param = "core.uniform_interval", .of = "core.uniform_units", .value = "0", .other_than = true},
    {.param = "core.icache_ways", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.icache_mshr_entries", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.icache_mshr_merges", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.active_warps", .of = "sm.scheduler", .value = "two_level"},
    {.param = "core.swl_warps", .of = "sm.scheduler", .value = "swl"},
    {.param = "core.swl_base", .of = "sm.scheduler", .value = "swl"},
    {.param = "core.first_launch_sms",
     .of = "core.concurrent_launches",
     .value = "1",
     .other_than = true,
     .or_programs = true},
    {.param = "core.loop_programs", .or_programs = true},
};

const ws_component ws_core_component = {.name = "core",
                                        .summary = "Execution units, issue and fetch of an SM",
                                        .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                        .params = core_params,
                                        .param_count = WS_COUNT(core_params),
                                        .struct_size = sizeof(ws_core_params),
                                        .needs = core_needs,
                                        .need_count = WS_COUNT(core_needs)};

/* ---- L1 */

enum { CACHE_WAYS_MAX = 1024 };

static const char *const replacement_names[] = {[WS_REPLACE_LRU] = "lru",
                                                [WS_REPLACE_FIFO] = "fifo",
                                                [WS_REPLACE_PLRU] = "plru",
                                                [WS_REPLACE_RANDOM] = "random",
                                                NULL};
static const char *const allocation_names[] = {
    [WS_ALLOCATE_ON_MISS] = "on_miss", [WS_ALLOCATE_ON_FILL] = "on_fill", NULL};
static const char *const access_names[] = {
    [WS_ACCESS_LINE] = "line", [WS_ACCESS_BY_WIDTH] = "by_width", [WS_ACCESS_SECTOR] = "sector", NULL};
static const char *const write_names[] = {
    [WS_WRITE_EVICT] = "evict", [WS_WRITE_THROUGH_LAZY] = "through_lazy", NULL};
static const char *const bank_by_names[] = {[WS_BANK_BY_SECTOR] = "sector", [WS_BANK_BY_SET] = "set", NULL};
static const char *const carveout_names[] = {
    [WS_CARVEOUT_TURING] = "turing", [WS_CARVEOUT_VOLTA] = "volta", [WS_CARVEOUT_AMPERE] = "ampere", NULL};

#define L1(field, unit, def, min, max, help)                                                                 \
    WS_INT(ws_l1_params, field, "l1." #field, unit, def, min, max, help)
static const ws_param l1_params[] = {
    L1(size_B, "B", 16384, 128, 67108864,
       "Capacity of an SM's L1. With l1.unified_B only the number of sets: size_B / ways / line_B."),
    L1(ways, "ways", 4, 1, CACHE_WAYS_MAX, "Associativity."),
    L1(line_B, "B", 128, 32, 256, "Line size, a power of two; sectors are 32 B."),
    L1(unified_B, "B", 0, 0, 16777216,
       "Size of the array that L1 and shared memory divide: the L1 gets what the smallest carve-out that "
       "holds the resident CTAs' shared memory leaves, in ways of as many lines as l1.size_B has sets. 0: "
       "the L1 is l1.size_B."),
    WS_CHOICE(ws_l1_params, carveouts, "l1.carveouts", WS_CARVEOUT_AMPERE, carveout_names,
              "Carve-outs of a unified array in KiB. turing: 32, 64. volta: 0, 8, 16, 32, 64, 96. ampere: 0, "
              "8, 16, 32, 64, 100."),
    WS_CHOICE(ws_l1_params, access, "l1.access", WS_ACCESS_BY_WIDTH, access_names,
              "What one access is. line: a line. by_width: a line for accesses of 4 bytes and more, half of "
              "one for 2, a quarter for 1 (Fermi). sector: 32 bytes (Volta and later)."),
    WS_CHOICE(
        ws_l1_params, index, "l1.index", WS_INDEX_FERMI_HASH, ws_set_index_names,
        "Set index of a line. linear: modulo the sets. fermi_hash: Fermi's, for 32 or 64 sets: another "
        "size takes other ways, in a sweep \"derived\": {\"l1.ways\": \"l1_size_B / (32 * l1_line_B)\"}. "
        "xor: the bits above folded in, ipoly: a polynomial hash, for a power of two of sets."),
    WS_CHOICE(
        ws_l1_params, replacement, "l1.replacement", WS_REPLACE_LRU, replacement_names,
        "Victim within a set. lru: the least recently used line. fifo: the one that came first. plru: what "
        "a tree of used halves points to (ways: a power of two). random: any."),
    L1(seed, "", 1, 0, 1 << 30, "Seed of random replacement; each SM draws numbers of its own."),
    WS_CHOICE(
        ws_l1_params, allocation, "l1.allocation", WS_ALLOCATE_ON_MISS, allocation_names,
        "When a line that is read takes its way. on_miss: when it is asked for, and the way waits for its "
        "data. on_fill: when its data come, so that the line which leaves can hit until then, and no "
        "access waits for a way."),
    WS_CHOICE(ws_l1_params, write, "l1.write", WS_WRITE_EVICT, write_names,
              "evict: written through, a hit evicts what is there of the line, a miss allocates nothing "
              "(Fermi). through_lazy: written through, a miss allocates without fetching, a sector is "
              "readable once all of it was written (Volta)."),
    L1(latency, "cycles", 35, 1, 900, "Cycles from the load/store unit to the tags."),
    L1(banks, "banks", 1, 1, 32, "Banks: as many accesses of an instruction start in one cycle at most."),
    WS_CHOICE(
        ws_l1_params, bank_by, "l1.bank_by", WS_BANK_BY_SECTOR, bank_by_names,
        "Which bank has what, in turns. sector: sectors; accesses start in order. set: sets; each bank takes "
        "the next access of the instruction that is for it, past others that wait, and the tags serve one "
        "instruction at a time, or as many as there are coalescers (WP 4.1)."),
    L1(misses_per_cycle, "accesses", 0, 0, 32,
       "Reads that the banks together serve per cycle without a hit, because they search the MSHRs; banks "
       "take turns in going first. 0: all (WP 4.1: 1)."),
    L1(mshr_entries, "entries", 64, 1, 65535, "Misses in flight."),
    L1(mshr_merges, "requests", 8, 1, 65536, "Requests of one MSHR entry, the first included."),
    L1(miss_queue, "requests", 8, 2, 65536, "Misses and writes that wait for the network."),
    WS_REAL(ws_l1_params, spare_dirty_percent, "l1.spare_dirty_percent", "%", 0, 0, 100,
            "Written lines are not evicted while less than this share of the lines is written."),
};

static bool is_power_of_two(int64_t value) {
    return value > 0 && (value & (value - 1)) == 0;
}

static bool replacement_fits(const char *name, int replacement, int64_t ways, ws_error *err) {
    if (replacement != WS_REPLACE_PLRU || is_power_of_two(ways)) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s.ways: expected a power of two for %s.replacement plru, found %lld: change one of them",
                   name, name, (long long)ways);
}

/* What a user who wants another size does: fermi_hash takes it in ways, where the replacement takes so many. */
static bool index_fits(const char *name, int index, int replacement, int64_t sets, int64_t ways,
                       ws_error *err) {
    const char *expected = ws_set_index_refusal((enum ws_set_index)index, (uint64_t)sets);
    if (!expected) return true;
    char advice[80] = "";
    int64_t lines = sets * ways, fitting = lines % 64 == 0 ? 64 : 32;
    if (index == WS_INDEX_FERMI_HASH && lines % fitting == 0 && lines / fitting <= CACHE_WAYS_MAX &&
        replacement_fits(name, replacement, lines / fitting, NULL))
        snprintf(advice, sizeof advice, "%s.ways to %lld, or ", name, (long long)(lines / fitting));
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s.index: expected %s, found %lld sets (%s.size_B / %s.ways / %s.line_B): set %s%s.index "
                   "to linear, which takes any",
                   name, expected, (long long)sets, name, name, name, advice, name);
}

static bool l1_validate(const void *params, ws_error *err) {
    const ws_l1_params *l1 = params;
    if (!is_power_of_two(l1->line_B))
        return ws_fail(err, WS_ERROR_SPEC, "l1.line_B: expected a power of two, found %lld",
                       (long long)l1->line_B);
    if (l1->size_B % (l1->ways * l1->line_B) != 0)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.size_B: expected a multiple of l1.ways x l1.line_B = %lld, found %lld: change one of them",
            (long long)(l1->ways * l1->line_B), (long long)l1->size_B);
    if (!replacement_fits("l1", l1->replacement, l1->ways, err)) return false;
    int64_t sets = l1->size_B / (l1->ways * l1->line_B);
    if (l1->bank_by == WS_BANK_BY_SET && l1->banks > sets)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.banks: expected at most as many banks as sets (%lld) for l1.bank_by set, found %lld",
            (long long)sets, (long long)l1->banks);
    return index_fits("l1", l1->index, l1->replacement, sets, l1->ways, err);
}

static const ws_need l1_needs[] = {
    {.param = "l1.size_B",
     .of = "l1.unified_B",
     .value = "0",
     .otherwise = "gives the number of sets, not the capacity"},
    {.param = "l1.carveouts", .of = "l1.unified_B", .value = "0", .other_than = true},
    {.param = "l1.seed", .of = "l1.replacement", .value = "random"},
};

const ws_component ws_l1_component = {.name = "l1",
                                      .summary = "L1 data cache of an SM",
                                      .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                      .params = l1_params,
                                      .param_count = WS_COUNT(l1_params),
                                      .struct_size = sizeof(ws_l1_params),
                                      .needs = l1_needs,
                                      .need_count = WS_COUNT(l1_needs),
                                      .validate = l1_validate};

/* ---- network */

static const char *const reply_names[] = {
    [WS_REPLIES_SECTORS] = "sectors", [WS_REPLIES_LINES] = "lines", NULL};

#define NOC(field, unit, def, min, max, help)                                                                \
    WS_INT(ws_noc_params, field, "noc." #field, unit, def, min, max, help)
static const ws_param noc_params[] = {
    NOC(flit_B, "B", 40, 0, 1024,
        "Bytes that a port moves per cycle: a packet of more bytes takes more cycles. 0: one cycle whatever "
        "its size."),
    WS_CHOICE(ws_noc_params, replies, "noc.replies", WS_REPLIES_SECTORS, reply_names,
              "What is a packet on its way back, of 8 B and its data: sectors: each sector by itself "
              "(GPGPU-Sim since Accel-Sim). lines: sectors of a line that leave a slice together (GPGPU-Sim "
              "3). An acknowledged write has no data."),
    NOC(latency, "cycles", 4, 0, 1024, "Cycles through the crossbar."),
    NOC(in_buffer, "packets", 64, 1, 65536, "Packets that wait at an input port."),
    NOC(out_buffer, "packets", 64, 1, 65536,
        "Packets that wait at an output port; with noc.boundary_buffer flits."),
    NOC(boundary_buffer, "flits", 0, 0, 65536,
        "Flits behind an output port's buffer, from which packets are taken: of several flits only once the "
        "last is there; one comes in a cycle (Booksim in GPGPU-Sim). 0: packets are taken from the port's "
        "buffer."),
    NOC(crossbar_speedup, "flits", 1, 1, 8,
        "Flits that the crossbar takes from an input port, and gives to an output port, per cycle; the ports "
        "themselves move one (internal speedup of a router)."),
    NOC(injection_queue, "flits", 0, 0, 65536,
        "Flits that may wait in front of the buffer of an input port, into which one goes per cycle. 0: "
        "any number."),
    WS_BOOL(ws_noc_params, input_speedup, "noc.input_speedup", false,
            "Whether an input port may give packets to several output ports in a cycle, from the lowest up, "
            "as in "
            "GPGPU-Sim's built-in crossbar. false: one packet a cycle."),
};

static bool noc_validate(const void *params, ws_error *err) {
    const ws_noc_params *noc = params;
    return noc->crossbar_speedup == 1 || !noc->input_speedup ||
           ws_fail(err, WS_ERROR_SPEC,
                   "noc.crossbar_speedup: expected 1 with noc.input_speedup, whose crossbar has no steps; "
                   "found %lld",
                   (long long)noc->crossbar_speedup);
}

const ws_component ws_noc_component = {.name = "noc",
                                       .summary = "Crossbar between SMs and L2 slices",
                                       .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                       .params = noc_params,
                                       .param_count = WS_COUNT(noc_params),
                                       .struct_size = sizeof(ws_noc_params),
                                       .validate = noc_validate};

/* ---- L2 */

static const char *const partition_names[] = {
    [WS_PARTITION_LINEAR] = "linear", [WS_PARTITION_XOR] = "xor", [WS_PARTITION_IPOLY] = "ipoly", NULL};

#define L2(field, unit, def, min, max, help)                                                                 \
    WS_INT(ws_l2_params, field, "l2." #field, unit, def, min, max, help)
static const ws_param l2_params[] = {
    L2(slices_per_channel, "slices", 2, 1, WS_CHANNEL_SLICES_MAX,
       "L2 slices of each memory channel; a power of two."),
    L2(interleave_B, "B", 256, 128, 256,
       "Consecutive bytes that the slices of a channel take in turn; 128 or 256."),
    L2(size_B, "B", 65536, 128, 1073741824, "Capacity of one slice."),
    L2(ways, "ways", 8, 1, CACHE_WAYS_MAX, "Associativity."),
    L2(line_B, "B", 128, 32, 256, "Line size, a power of two; sectors are 32 B."),
    WS_CHOICE(ws_l2_params, index, "l2.index", WS_INDEX_LINEAR, ws_set_index_names,
              "Set index of a line within its slice, as for the L1."),
    WS_CHOICE(ws_l2_params, replacement, "l2.replacement", WS_REPLACE_LRU, replacement_names,
              "Victim within a set, as for the L1."),
    L2(seed, "", 1, 0, 1 << 30, "Seed of random replacement; each slice draws numbers of its own."),
    WS_CHOICE(
        ws_l2_params, partition, "l2.partition", WS_PARTITION_LINEAR, partition_names,
        "Memory channel of an address, from its 256-byte block: linear: modulo the channels. xor: the "
        "bits above folded in. ipoly: a polynomial hash over all slices (16, 32 or 64 of them, with the "
        "channels rounded up to a power of two; what it says beyond the last slice is taken modulo)."),
    L2(latency, "cycles", 120, 1, 4096, "Cycles from the network to the tags."),
    L2(port_B, "B", 32, 16, 256,
       "Bytes that a slice's tags serve per cycle, and that it evicts and asks DRAM for, a power of two; a "
       "request takes a cycle at least (data_port_width of GPGPU-Sim's gpgpu_cache:dl2)."),
    L2(mshr_entries, "entries", 256, 1, 65536, "Sector misses in flight, per slice."),
    L2(mshr_merges, "requests", 4, 1, 65536, "Requests of one MSHR entry, the first included."),
    L2(miss_queue, "requests", 4, 2, 65536,
       "Misses and write-backs of a slice of which one a cycle goes on to the DRAM queue; a sector is read "
       "only while there is room for two."),
    L2(queue, "requests", 64, 8, 65536, "Each of the slice's four queues: in, to DRAM, from DRAM, out."),
    WS_BOOL(ws_l2_params, sectors_apart, "l2.sectors_apart", false,
            "Whether each sector of a request is one of its own from the slice on: at the tags, in MSHRs, in "
            "DRAM, and on its way back (GPGPU-Sim since Accel-Sim). false: a line's sectors stay together."),
    WS_BOOL(ws_l2_params, copies, "l2.copies", false,
            "Whether what the host copies to the device before a launch lies in the L2 when it begins."),
};

static bool l2_validate(const void *params, ws_error *err) {
    const ws_l2_params *l2 = params;
    int64_t sets = l2->size_B / (l2->ways * l2->line_B);
    if (!is_power_of_two(l2->line_B) || !is_power_of_two(l2->slices_per_channel))
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.line_B and l2.slices_per_channel: expected powers of two, found %lld and %lld",
                       (long long)l2->line_B, (long long)l2->slices_per_channel);
    if (!is_power_of_two(l2->port_B))
        return ws_fail(err, WS_ERROR_SPEC, "l2.port_B: expected a power of two, found %lld",
                       (long long)l2->port_B);
    if (sets * l2->ways * l2->line_B != l2->size_B)
        return ws_fail(err, WS_ERROR_SPEC,
                       "l2.size_B: expected a multiple of l2.ways x l2.line_B = %lld, found %lld",
                       (long long)(l2->ways * l2->line_B), (long long)l2->size_B);
    if (!replacement_fits("l2", l2->replacement, l2->ways, err)) return false;
    return index_fits("l2", l2->index, l2->replacement, sets, l2->ways, err);
}

static const ws_need l2_needs[] = {{.param = "l2.seed", .of = "l2.replacement", .value = "random"}};

const ws_component ws_l2_component = {.name = "l2",
                                      .summary = "L2 cache slices",
                                      .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                      .params = l2_params,
                                      .param_count = WS_COUNT(l2_params),
                                      .struct_size = sizeof(ws_l2_params),
                                      .needs = l2_needs,
                                      .need_count = WS_COUNT(l2_needs),
                                      .validate = l2_validate};

/* ---- DRAM */

#define DRAM(field, unit, def, min, max, help)                                                               \
    WS_INT(ws_dram_params, field, "dram." #field, unit, def, min, max, help)
static const ws_param dram_params[] = {
    DRAM(channels, "channels", 6, 1, WS_CHANNELS_MAX, "Memory channels."),
    DRAM(latency, "cycles", 100, 0, 4096, "Core cycles from the L2 to the memory controller."),
    DRAM(queue, "requests", 64, 1, 65536, "Requests that the FR-FCFS scheduler chooses from."),
    DRAM(return_queue, "requests", 116, 1, 65536, "Data that wait to return to the L2."),
    DRAM(banks, "banks", 16, 1, 32, "Banks of a channel, a power of two."),
    DRAM(bank_groups, "groups", 4, 1, 32, "Bank groups: bank b belongs to group b modulo these."),
    DRAM(near_banks, "banks", 2, 1, 32,
         "Banks among which consecutive bytes of a channel take turns (dram.bank_B), until each has a row of "
         "them; then the next so many banks follow, and after all banks the next row. A power of two."),
    DRAM(bank_B, "B", 256, 64, 65536,
         "Consecutive bytes of a channel in one bank, a power of two, not less than a line."),
    DRAM(row_B, "B", 4096, 64, 65536, "Bytes of a row of one bank, a power of two."),
    DRAM(rows, "rows", 4096, 1, 1073741824,
         "Rows of a bank; addresses beyond begin again with the first row."),
    DRAM(atom_B, "B", 64, 16, 256,
         "Bytes of one burst. A request is for 32 B, so what a longer burst brings beyond is not used."),
    DRAM(command_buses, "buses", 1, 1, 2,
         "Buses for commands. 1: a DRAM cycle has a column command or one that opens or closes a row; both "
         "only where GPGPU-Sim's search comes to a row first. 2: rows have a bus of their own (HBM)."),
    WS_REAL(ws_dram_params, clock_ratio, "dram.clock_ratio", "", 1.32, 0.01, 100,
            "DRAM command cycles per core cycle."),
    WS_REAL(
        ws_dram_params, core_MHz, "dram.core_MHz", "MHz", 0, 0, 100000,
        "Clock of the cores for whoever tells the order of cycles as GPGPU-Sim does: it adds up the clocks' "
        "periods, and where a cycle of DRAM would begin with one of the cores rounding decides which goes "
        "first. The DRAM's clock is dram.clock_ratio times that, to the kHz. 0: the DRAM's cycle goes "
        "first."),
    DRAM(ccd, "DRAM cycles", 2, 1, 1000, "Column command to column command."),
    DRAM(ccdl, "DRAM cycles", 3, 0, 1000, "The same within a bank group."),
    DRAM(rrd, "DRAM cycles", 6, 0, 1000, "Activate to activate."),
    DRAM(rcd, "DRAM cycles", 12, 0, 1000, "Activate to read."),
    DRAM(ras, "DRAM cycles", 28, 0, 1000, "Activate to precharge."),
    DRAM(rp, "DRAM cycles", 12, 0, 1000, "Precharge to activate."),
    DRAM(rc, "DRAM cycles", 40, 0, 1000, "Activate to activate of one bank."),
    DRAM(cl, "DRAM cycles", 12, 0, 1000, "Read to data."),
    DRAM(wl, "DRAM cycles", 4, 0, 1000, "Write to data."),
    DRAM(cdlr, "DRAM cycles", 5, 0, 1000, "Last write data to read."),
    DRAM(wr, "DRAM cycles", 12, 0, 1000, "Last write data to precharge."),
    DRAM(rtpl, "DRAM cycles", 2, 0, 1000, "Read to precharge."),
    DRAM(burst_cycles, "DRAM cycles", 2, 1, 64, "Data cycles of a burst."),
};

static bool dram_validate(const void *params, ws_error *err) {
    const ws_dram_params *dram = params;
    const struct {
        const char *name;
        int64_t value;
    } powers[] = {{"dram.banks", dram->banks},
                  {"dram.near_banks", dram->near_banks},
                  {"dram.bank_B", dram->bank_B},
                  {"dram.row_B", dram->row_B}};
    for (size_t i = 0; i < WS_COUNT(powers); i++)
        if (!is_power_of_two(powers[i].value))
            return ws_fail(err, WS_ERROR_SPEC, "%s: expected a power of two, found %lld", powers[i].name,
                           (long long)powers[i].value);
    if (dram->near_banks > dram->banks)
        return ws_fail(err, WS_ERROR_SPEC, "dram.near_banks: expected at most dram.banks = %lld, found %lld",
                       (long long)dram->banks, (long long)dram->near_banks);
    if (dram->bank_B > dram->row_B)
        return ws_fail(err, WS_ERROR_SPEC, "dram.bank_B: expected at most dram.row_B = %lld, found %lld",
                       (long long)dram->row_B, (long long)dram->bank_B);
    return dram->burst_cycles <= dram->ccd ||
           ws_fail(
               err, WS_ERROR_SPEC,
               "dram.burst_cycles: expected at most dram.ccd = %lld, since bursts share a bus; found %lld",
               (long long)dram->ccd, (long long)dram->burst_cycles);
}

const ws_component ws_dram_component = {.name = "dram",
                                        .summary = "Memory channels: FR-FCFS over banks with row buffers",
                                        .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                        .params = dram_params,
                                        .param_count = WS_COUNT(dram_params),
                                        .struct_size = sizeof(ws_dram_params),
                                        .validate = dram_validate};
