/* The component of an SM's core in the timed fidelity: its parameters and defaults, those of a Fermi-class GPU as the
 * cycle simulator's GTX480 configuration describes it (GPGPU-Sim, SM2_GTX480; its trace-mode latencies). */
#include "base/array.h"
#include "warpsweep/timed.h"

#define CORE(field, unit, def, min, max, help)                                                               \
    WS_INT(ws_core_params, field, "core." #field, unit, def, min, max, help)
#define LATENCY(name, latency, interval, what)                                                               \
    CORE(name##_latency, "cycles", latency, 1, 900, "Latency of " what " instructions."),                    \
        CORE(name##_interval, "cycles", interval, 1, 128,                                                    \
             "Cycles between two " what " instructions on one unit.")
#define UNITS(name, def, what)                                                                               \
    CORE(name##_units, "units", def, 0, 16,                                                                  \
         what " units of an SM. With as many as schedulers, each scheduler has its own (core.sub_cores); "   \
              "otherwise they share them.")

static const char *const swl_scope_names[] = {
    [WS_SWL_OF_SM] = "sm", [WS_SWL_OF_SCHEDULER] = "scheduler", NULL};
static const char *const swl_base_names[] = {[WS_SCHEDULER_LRR] = "lrr", [WS_SCHEDULER_GTO] = "gto", NULL};

static const char *const access_orders[] = {
    [WS_ORDER_DESCENDING] = "descending", [WS_ORDER_ASCENDING] = "ascending", [WS_ORDER_LANE] = "lane", NULL};
static const char *const conversions_names[] = {
    [WS_CONVERSIONS_SFU] = "sfu", [WS_CONVERSIONS_INT] = "int", NULL};
static const char *const dependences_names[] = {
    [WS_DEPENDENCES_REGISTERS] = "registers", [WS_DEPENDENCES_ONE_IN_FLIGHT] = "one_in_flight", NULL};

static const char *const fences_names[] = {
    [WS_FENCES_PASS] = "pass", [WS_FENCES_WAIT] = "wait", [WS_FENCES_EMPTY_L1] = "empty_l1", NULL};

static const char *const dual_issue_names[] = {[WS_DUAL_ISSUE_OFF] = "off",
                                               [WS_DUAL_ISSUE_ANY] = "any",
                                               [WS_DUAL_ISSUE_DIFFERENT_UNITS] = "different_units",
                                               NULL};

#define OWN_COLLECTORS(name, what)                                                                           \
    CORE(name##_collectors, "collectors", 0, 0, 32,                                                          \
         "With core.sub_cores = false: operand collectors of the SM for " what " units only."),              \
        CORE(name##_ports, "instructions", 0, 0, 16,                                                         \
             "How many instructions can enter the collectors for " what                                      \
             " units in a cycle, and how many can leave them; 0: as many as there are such units.")

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
    CORE(half_interval, "cycles", 0, 0, 1024,
         "Cycles from one packed half-precision instruction (HADD2, HFMA2, HMUL2_32I, HSET2, HSETP2) to the "
         "next in a unit. 0: core.fp_interval."),
    WS_CHOICE(ws_core_params, conversions, "core.conversions", WS_CONVERSIONS_SFU, conversions_names,
              "Class of the instructions that convert between number formats (F2F, F2I, I2F, FRND). sfu: "
              "special-function. int: integer (Accel-Sim's tables)."),
    CORE(simd_width, "lanes", 0, 0, 64,
         "Lanes that execute a scheduler's instructions: it issues one every warp size / simd_width cycles "
         "(XI 2.4). 0: one every cycle."),
    WS_CHOICE(ws_core_params, dual_issue, "core.dual_issue", WS_DUAL_ISSUE_OFF, dual_issue_names,
              "Whether a scheduler that issues an instruction also issues the warp's next one in the same "
              "cycle, if nothing holds that back. off: never. any: unless both access memory (Kepler). "
              "different_units: if their units are of different kinds (Maxwell, Pascal); units for tensors, "
              "branches and uniform instructions are of one kind."),
    WS_CHOICE(ws_core_params, dependences, "core.dependences", WS_DEPENDENCES_REGISTERS, dependences_names,
              "When a warp's next instruction may issue. registers: when no register that it names waits for "
              "a result; after DEPBAR, also when the groups of asynchronous copies that DEPBAR names have "
              "arrived. one_in_flight: when the previous instruction has been written back (XI 4.4)."),
    WS_BOOL(
        ws_core_params, zero_register, "core.zero_register", false,
        "Whether the zero register (RZ) is waited for like any other: after an instruction that writes it, "
        "such as a load whose result nobody needs (Accel-Sim)."),
    CORE(pipeline_cycles, "cycles", 6, 1, 64,
         "Cycles from issue to write-back on top of an instruction's latency: operand collection, dispatch, "
         "write-back."),
    CORE(unit_queue, "instructions", 3, 1, 64,
         "Instructions that can wait in front of a unit before issue stalls."),
    CORE(memory_queue, "instructions", 5, 1, 64,
         "Memory instructions of an SM that can wait between issue and the load/store unit."),
    CORE(memory_ports, "instructions", 1, 1, 8,
         "Memory instructions that an SM issues per cycle. With as many as schedulers, each scheduler has a "
         "port and an equal share of core.memory_queue; otherwise they share both, and take turns in going "
         "first."),
    CORE(collectors, "collectors", 0, 0, 32,
         "Operand collectors that instructions of all units share: per scheduler, or per SM with "
         "core.sub_cores = false. An instruction holds a collector until it has read its operands "
         "(core.register_banks) and the register in front of its unit is free; a scheduler's first collector "
         "goes first, however long another has waited. While all are held, nothing else of the scheduler "
         "executes, and neither does what other schedulers issue to the same units later. Of a scheduler's "
         "share of core.memory_queue, one place is in front of the collectors and the rest behind them. "
         "core.pipeline_cycles and core.unit_queue then have no effect. 0, with no collectors for single "
         "units either: each unit has as many as it needs."),
    WS_BOOL(ws_core_params, sub_cores, "core.sub_cores", true,
            "Whether each scheduler has its own operand collectors, register banks and registers in front of "
            "the units, and, where there are as many units of a kind as schedulers, its own unit. false: "
            "schedulers share them. Then each unit has a register in front of it, the collectors have "
            "core.collector_ports, core.fp_ports .. ways in and out, which they use in turns, and units take "
            "the oldest."),
    CORE(collector_ports, "instructions", 1, 1, 8,
         "With core.sub_cores = false: how many instructions for each kind of unit can enter core.collectors "
         "in a cycle, and how many of all can leave them."),
    OWN_COLLECTORS(fp, "FP"),
    OWN_COLLECTORS(dp, "double-precision"),
    OWN_COLLECTORS(sfu, "special-function"),
    CORE(memory_collectors, "collectors", 0, 0, 32,
         "With core.sub_cores = false: operand collectors of the SM for the load/store unit only."),
    CORE(
        register_banks, "banks", 16, 1, 128,
        "With operand collectors: register banks of an SM, with core.sub_cores an equal share for each "
        "scheduler. Consecutive registers are in consecutive banks; those of the next warp start one bank "
        "further. A bank reads core.bank_reads operands per cycle, those of the instruction that entered its "
        "collector first going first, and one operand less in a cycle in which a result is written to it."),
    CORE(result_buses, "buses", 8, 1, 16,
         "With operand collectors: results that instructions other than loads can deliver in the same cycle, "
         "at most one per unit."),
    CORE(bank_reads, "operands", 2, 1, 2, "Operands that a register bank reads per cycle."),
    CORE(
        coalescers, "coalescers", 1, 1, 16,
        "Intra-warp coalescers: memory instructions whose accesses go to the L1 side by side, those of each "
        "in order, the oldest instruction first. Instructions of one warp keep their order, and nothing "
        "moves across a barrier (WP 3.3). The baseline has one; WP tab. 1 gives 256 B for each. WarpPool has "
        "its own (warppool.coalescers): beside it these only serve what does not access the L1."),
    CORE(coalesce_lanes, "lanes", 64, 1, 64,
         "Consecutive lanes of a warp that are coalesced together. 8: an instruction of 32 lanes makes the "
         "accesses of four groups of 8 lanes, even where the groups share lines, and each group goes through "
         "the banks of shared memory on its own. The warp size or more: all lanes together."),
    CORE(coalesce_B, "B", 0, 0, 256,
         "Largest aligned stretch of memory that one access covers: 32, 64 .. l1.line_B. 0: as l1.access "
         "says. Otherwise l1.access has to be line, or sector for 32."),
    WS_CHOICE(ws_core_params, coalesce_order, "core.coalesce_order", WS_ORDER_DESCENDING, access_orders,
              "Order in which the accesses of an instruction go to the L1. descending, ascending: by "
              "address, beginning with the last or the first group of lanes that are coalesced together "
              "(descending: GPGPU-Sim). lane: by the lowest lane of each access."),
    WS_BOOL(ws_core_params, store_gaps, "core.store_gaps", false,
            "Whether a store's access of four sectors also writes the sectors between those that it touches: "
            "a quarter, a half or all of them (GPGPU-Sim)."),
    WS_BOOL(ws_core_params, atomic_sectors, "core.atomic_sectors", false,
            "Whether atomics and other accesses that bypass the L1 are split into sectors, whatever "
            "l1.access says (GPGPU-Sim)."),
    WS_BOOL(ws_core_params, strong_past_l1, "core.strong_past_l1", true,
            "Whether loads of GPU scope (LDG, LDL and LDGSTS with .STRONG and .GPU) bypass the L1, which may "
            "hold an old value. As in Accel-Sim, those with .STRONG.SYS do not."),
    WS_BOOL(
        ws_core_params, global_past_l1, "core.global_past_l1", false,
        "Whether all loads and stores of global memory bypass the L1, which then serves local memory alone, "
        "as on Kepler and Pascal GPUs (gpgpu_gmem_skip_L1D of GPGPU-Sim; with it, read-only loads bypass "
        "the L1 here and in Accel-Sim, too, but not on GPUs)."),
    WS_BOOL(
        ws_core_params, local_interleaved, "core.local_interleaved", true,
        "Whether each thread on the GPU has its own words of local memory, those of a CTA's threads side "
        "by side, so that an access of more than 4 bytes becomes one to each of its words, as on GPUs "
        "and in GPGPU-Sim. false: threads that name the same address share it. In traces of isa llvm each "
        "thread names addresses of its own already, which stay as they are."),
    CORE(fetch_insts, "instructions", 2, 1, 16,
         "Instructions that a warp's instruction buffer holds; one fetch fills it."),
    CORE(fetches_per_cycle, "fetches", 1, 1, 8,
         "Warps whose instruction buffers are filled per cycle, in turns."),
    CORE(fetch_cycles, "cycles", 2, 1, 64,
         "Cycles from an empty instruction buffer to the next instruction; one less for all but the last of "
         "core.fetches_per_cycle, which is decoded a cycle later."),
    CORE(icache_B, "B", 0, 0, 16777216,
         "Capacity of an SM's instruction cache; LRU, with lines as long as the L1's. 0: none, every "
         "instruction is at hand."),
    CORE(icache_ways, "ways", 4, 1, 1024, "Associativity of the instruction cache."),
    CORE(icache_mshr_entries, "entries", 2, 1, 16, "Instruction lines of an SM in flight."),
    CORE(icache_mshr_merges, "warps", 32, 1, 64,
         "Warps that can wait for the same instruction line, the first included."),
    CORE(shared_latency, "cycles", 26, 1, 900, "Latency of shared memory."),
    CORE(shared_banks, "banks", 32, 1, 64, "Banks of shared memory, 4 bytes wide."),
    CORE(stall_on_use, "instructions", 0, 0, 63,
         "For traces without registers: instructions that a warp still issues after a load before it waits "
         "for the data."),
    WS_BOOL(
        ws_core_params, atomics_wait, "core.atomics_wait", false,
        "Whether a warp issues nothing between an atomic, in global or shared memory, and the last of its "
        "results, even if no instruction needs them (GPGPU-Sim)."),
    WS_CHOICE(ws_core_params, fences, "core.fences", WS_FENCES_WAIT, fences_names,
              "What a memory fence (MEMBAR) does, whatever its scope. pass: nothing. wait: its warp issues "
              "nothing until all registers have the results that they wait for; stores are not waited for. "
              "empty_l1: as wait, and then all lines of the SM's L1 are invalidated, unless none has been "
              "accessed since a fence last did so; data on their way still arrive (GPGPU-Sim since 2019)."),
    CORE(active_warps, "warps", 8, 1, 64,
         "Scheduler two_level: warps in the active set of each scheduler. A warp that waits for a load or at "
         "a barrier leaves the set to the next one that does not."),
    CORE(swl_warps, "warps", 8, 1, 64,
         "Scheduler swl: warps that may issue, the oldest ones that do not wait at a barrier."),
    WS_CHOICE(
        ws_core_params, swl_scope, "core.swl_scope", WS_SWL_OF_SM, swl_scope_names,
        "Scheduler swl: whose warps core.swl_warps limits. sm: those of the SM. scheduler: those of each "
        "scheduler; the one that has issued last may also issue, and one that waits for atomics, at a "
        "fence or for asynchronous copies does not count (GPGPU-Sim: warp_limiting)."),
    WS_CHOICE(ws_core_params, swl_base, "core.swl_base", WS_SCHEDULER_GTO, swl_base_names,
              "Scheduler swl: how a scheduler chooses among the warps that may issue."),
    CORE(
        concurrent_launches, "launches", 1, 1, WS_LAUNCHES_MAX,
        "Launches that are looked at: the first ones of the trace that have not ended. One of them begins as "
        "soon as no other one of its stream runs, so that launches of different streams run at the same "
        "time. Of those that share SMs, the one that gave the last CTA is asked for more until all of its "
        "CTAs have started (GPGPU-Sim: select_kernel)."),
    CORE(
        first_launch_sms, "SMs", 0, 0, 65535,
        "SMs that the stream of the first launch, or the first of two programs, has for itself, those with "
        "the lowest numbers; the others have the rest. 0: they share all SMs; round robin goes on behind the "
        "last CTA of any. Of programs, the one that gave the last CTA is asked for more until all CTAs of "
        "its "
        "launch have started; what it has no room for, the other one may have."),
    WS_BOOL(ws_core_params, loop_programs, "core.loop_programs", true,
            "Whether, of two programs at the same time, the one that ends first starts over until the other "
            "has ended, too (XI 4.5)."),
    WS_BOOL(
        ws_core_params, perfect_memory, "core.perfect_memory", false,
        "Whether all that leaves an SM is answered in the next cycle, as if memory were without limits: what "
        "anything behind the L1s can gain at most. A port of noc.ports_per_cluster still takes one "
        "reply per cycle. There are no requests to the network, the L2 and DRAM then (GPGPU-Sim: "
        "gpgpu_perfect_mem)."),
    CORE(launch_cycles, "cycles", 0, 0, 1000000, "Cycles before the first CTA of a kernel starts."),
    CORE(
        cta_launch_cycles, "cycles", 0, 0, 1000000,
        "Cycles before the first CTA of a kernel starts, for each CTA of its grid, beside core.launch_cycles "
        "(GPGPU-Sim: gpgpu_TB_launch_latency)."),
    CORE(
        deadlock_cycles, "cycles", 1000000, 1, 1000000000,
        "Cycles without any instruction issued or completed after which a launch is given up as a deadlock."),
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
    {.param = "core.collector_ports", .of = "core.collectors", .value = "0", .other_than = true},
    {.param = "core.collector_ports", .of = "core.sub_cores", .value = "false"},
    {.param = "core.fp_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.dp_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.sfu_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.memory_collectors", .of = "core.sub_cores", .value = "false"},
    {.param = "core.fp_ports", .of = "core.fp_collectors", .value = "0", .other_than = true},
    {.param = "core.dp_ports", .of = "core.dp_collectors", .value = "0", .other_than = true},
    {.param = "core.sfu_ports", .of = "core.sfu_collectors", .value = "0", .other_than = true},
    {.param = "core.uniform_latency", .of = "core.uniform_units", .value = "0", .other_than = true},
    {.param = "core.uniform_interval", .of = "core.uniform_units", .value = "0", .other_than = true},
    {.param = "core.icache_ways", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.icache_mshr_entries", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.icache_mshr_merges", .of = "core.icache_B", .value = "0", .other_than = true},
    {.param = "core.active_warps", .of = "sm.scheduler", .value = "two_level"},
    {.param = "core.swl_warps", .of = "sm.scheduler", .value = "swl"},
    {.param = "core.swl_scope", .of = "sm.scheduler", .value = "swl"},
    {.param = "core.swl_base", .of = "sm.scheduler", .value = "swl"},
    {.param = "core.first_launch_sms",
     .of = "core.concurrent_launches",
     .value = "1",
     .other_than = true,
     .or_programs = true},
    {.param = "core.loop_programs", .or_programs = true},
};

static bool core_validate(const void *values, ws_error *err) {
    const ws_core_params *core = values;
    bool own = core->fp_collectors || core->dp_collectors || core->sfu_collectors || core->memory_collectors;
    return !core->sub_cores || !own ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.fp_collectors, core.dp_collectors, core.sfu_collectors, core.memory_collectors: "
                   "expected 0 with core.sub_cores, where a scheduler's instructions share core.collectors");
}

const ws_component ws_core_component = {.name = "core",
                                        .summary = "Execution units, issue and fetch of an SM",
                                        .source = "Accel-Sim, GPGPU-Sim; defaults SM2_GTX480",
                                        .params = core_params,
                                        .param_count = WS_COUNT(core_params),
                                        .struct_size = sizeof(ws_core_params),
                                        .needs = core_needs,
                                        .need_count = WS_COUNT(core_needs),
                                        .validate = core_validate};
