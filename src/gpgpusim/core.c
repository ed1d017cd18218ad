/* The parameters of SMs (gpu.*, sm.*, core.*): how many there are, what each holds, schedulers, units, operand
 * collectors, instruction fetch, and how memory instructions become requests. */
#include "gpgpusim/draft.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

/* Indexes into gpgpu_pipeline_widths, the widths of the registers between stages: issue to operand collectors (ID_OC),
 * collectors to units (OC_EX), units to write-back (EX_WB). */
enum {
    ID_OC_SP,
    ID_OC_DP,
    ID_OC_INT,
    ID_OC_SFU,
    ID_OC_MEM,
    OC_EX_SP,
    OC_EX_DP,
    OC_EX_INT,
    OC_EX_SFU,
    OC_EX_MEM,
    EX_WB,
    ID_OC_TENSOR,
    OC_EX_TENSOR
};
#define WIDTHS "gpgpu_pipeline_widths"

enum { WARP_SIZE = 32, SPECIALIZED_UNITS = 8 };

#define OVERSIZED "gpgpu_ignore_resources_limitation"
#define SUB_CORES "gpgpu_sub_core_model"

static void put_concurrent_launches(ws_gs_draft *d) {
    const char *parameter = "core.concurrent_launches", *option = "gpgpu_concurrent_kernel_sm";
    if (ws_gs_is_on(d, option))
        ws_gs_copy(d, parameter, "gpgpu_max_concurrent_kernel");
    else
        ws_gs_put_whole(d, parameter, 1, option, NULL);
}

static void put_sizes(ws_gs_draft *d) {
    ws_gs_copy(d, "gpu.clusters", "gpgpu_n_clusters");
    ws_gs_copy(d, "gpu.sms_per_cluster", "gpgpu_n_cores_per_cluster");
    const char *pipeline = "gpgpu_shader_core_pipeline";
    int64_t threads = ws_gs_part(d, pipeline, ':', 0);
    if (ws_gs_part(d, pipeline, ':', 1) != WARP_SIZE) ws_gs_fail(d, pipeline, "THREADS:32, warps of 32");
    ws_gs_put_whole(d, "sm.threads", threads, pipeline, NULL);
    ws_gs_put_whole(d, "sm.warps", threads / WARP_SIZE, pipeline, NULL);
    ws_gs_copy(d, "sm.ctas", "gpgpu_shader_cta");
    ws_gs_copy(d, "sm.registers", "gpgpu_shader_registers");
    ws_gs_put_whole(d, "sm.register_unit", 4, NULL,
                    "max_cta rounds a thread's registers up to a multiple of 4");
    ws_gs_copy(d, "sm.shared_B", "gpgpu_shmem_size");
    ws_gs_put_bool(d, "sm.oversized_ctas", ws_gs_is_on(d, OVERSIZED), OVERSIZED, NULL);
    ws_gs_copy(d, "sm.schedulers", "gpgpu_num_sched_per_core");
    ws_gs_copy(d, "core.launch_cycles", "gpgpu_kernel_launch_latency");
    ws_gs_copy(d, "core.cta_launch_cycles", "gpgpu_TB_launch_latency");
    ws_gs_put_bool(d, "core.perfect_memory", ws_gs_is_on(d, "gpgpu_perfect_mem"), "gpgpu_perfect_mem", NULL);
    put_concurrent_launches(d);
}

static void put_scheduler(ws_gs_draft *d) {
    const char *option = "gpgpu_scheduler", *name = ws_gs_text(d, option);
    if (strcmp(name, "gto") == 0 || strcmp(name, "lrr") == 0) {
        ws_gs_put_text(d, "sm.scheduler", name, option, NULL);
    } else if (strncmp(name, "two_level_active:", 17) == 0) {
        ws_gs_put_text(d, "sm.scheduler", "two_level", option, NULL);
        ws_gs_put_whole(d, "core.active_warps", ws_gs_part(d, option, ':', 1), option, NULL);
    } else if (strncmp(name, "warp_limiting:", 14) == 0) {
        ws_gs_put_text(d, "sm.scheduler", "swl", option, NULL);
        ws_gs_put_whole(d, "core.swl_warps", ws_gs_part(d, option, ':', 2), option, NULL);
        ws_gs_put_text(d, "core.swl_scope", "scheduler", option, NULL);
    } else {
        ws_gs_put_text(d, "sm.scheduler", "gto", NULL, "assumption: the nearest to what the option says");
        ws_gs_tell(d, option, "taken as gto (lrr, gto, two_level_active and warp_limiting are)");
    }
}

static void put_issue(ws_gs_draft *d) {
    static const char most[] = "gpgpu_max_insn_issue_per_warp", apart[] = "gpgpu_dual_issue_diff_exec_units";
    int64_t per_cycle = ws_gs_whole(d, most);
    bool dual = per_cycle > 1;
    if (per_cycle < 1 || per_cycle > 2)
        ws_gs_tell(d, most, "a warp issues one or two instructions per cycle");
    ws_gs_put_text(d, "core.dual_issue",
                   !dual                   ? "off"
                   : ws_gs_is_on(d, apart) ? "different_units"
                                           : "any",
                   dual ? apart : most, NULL);
}

/* ---- units */

/* Returns the number (from 1) of the specialised unit called `name` (BRA, TENSOR, UDP), and its option in `unit`; 0 if
 * there is none or it is disabled. */
static int specialized(ws_gs_draft *d, const char *name, char *unit, size_t size) {
    for (int i = 1; i <= SPECIALIZED_UNITS; i++) {
        snprintf(unit, size, "specialized_unit_%d", i);
        const char *text = ws_gs_text(d, unit), *last = strrchr(text, ',');
        if (last && strcmp(last + 1, name) == 0 && ws_gs_part(d, unit, ',', 0)) return i;
    }
    return 0;
}

static void put_latency(ws_gs_draft *d, const char *units, const char *option, const char *why) {
    char parameter[64];
    snprintf(parameter, sizeof parameter, "core.%s_latency", units);
    ws_gs_put_whole(d, parameter, ws_gs_part(d, option, ',', 0), option, why);
    snprintf(parameter, sizeof parameter, "core.%s_interval", units);
    int64_t interval = ws_gs_part(d, option, ',', 1);
    if (interval == 0)
        ws_gs_tell(d, option, "a unit that takes an instruction in every cycle has interval 1");
    ws_gs_put_whole(d, parameter, interval ? interval : 1, option, interval ? why : "assumption: the least");
}

/* What the registers that instructions are issued into, and those in front of units, are like in the replay. */
static const char *registers_of(bool sub_cores) {
    return sub_cores ? "registers before and behind the collectors have a place for each scheduler"
                     : "registers before and behind the collectors have as many places as there are units";
}

/* Sets number, latency and interval of a kind of units from the specialised unit called `name`; false if there is none.
 * If its ID_OC register (field 3; 4 is OC_EX) has room for each scheduler, each scheduler is given at least one of the
 * units. */
static bool put_specialized(ws_gs_draft *d, const char *units, const char *name) {
    char unit[32], option[64], parameter[64];
    int which = specialized(d, name, unit, sizeof unit);
    if (!which) return false;
    snprintf(parameter, sizeof parameter, "core.%s_units", units);
    int64_t each = ws_gs_part(d, unit, ',', 1), schedulers = ws_gs_whole(d, "gpgpu_num_sched_per_core");
    bool for_each = ws_gs_part(d, unit, ',', 3) >= schedulers;
    int64_t count = for_each && each < schedulers ? schedulers : each;
    ws_gs_put_whole(d, parameter, count, unit, NULL);
    bool sub_cores = ws_gs_is_on(d, SUB_CORES);
    int64_t places = sub_cores ? schedulers : count;
    if (ws_gs_part(d, unit, ',', 3) != places || ws_gs_part(d, unit, ',', 4) != places)
        ws_gs_tell(d, unit, registers_of(sub_cores));
    snprintf(option, sizeof option, "trace_opcode_latency_initiation_spec_op_%d", which);
    put_latency(d, units, option, NULL);
    return true;
}

/* Notes enabled units that are not put. */
static void tell_specialized(ws_gs_draft *d) {
    static const char *const names[] = {"BRA", "TENSOR", "UDP"};
    for (int i = 1; i <= SPECIALIZED_UNITS; i++) {
        char unit[32], other[32];
        bool is_put = false;
        snprintf(unit, sizeof unit, "specialized_unit_%d", i);
        for (size_t n = 0; n < WS_COUNT(names); n++)
            is_put |= specialized(d, names[n], other, sizeof other) == i;
        if (!is_put && ws_gs_part(d, unit, ',', 0))
            ws_gs_tell(d, unit, "there are specialised units BRA, TENSOR and UDP, an option for each");
    }
}

static void put_units(ws_gs_draft *d) {
    const char *as_int = "the units of integer instructions do it";
    ws_gs_copy(d, "core.int_units", "gpgpu_num_int_units");
    ws_gs_copy(d, "core.fp_units", "gpgpu_num_sp_units");
    ws_gs_copy(d, "core.dp_units", "gpgpu_num_dp_units");
    ws_gs_copy(d, "core.sfu_units", "gpgpu_num_sfu_units");
    put_latency(d, "int", "trace_opcode_latency_initiation_int", NULL);
    put_latency(d, "fp", "trace_opcode_latency_initiation_sp", NULL);
    put_latency(d, "dp", "trace_opcode_latency_initiation_dp", NULL);
    put_latency(d, "sfu", "trace_opcode_latency_initiation_sfu", NULL);
    if (!put_specialized(d, "tensor", "TENSOR")) {
        ws_gs_copy(d, "core.tensor_units", "gpgpu_num_tensor_core_units");
        put_latency(d, "tensor", "trace_opcode_latency_initiation_tensor", NULL);
    }
    if (!put_specialized(d, "branch", "BRA")) {
        ws_gs_put_whole(d, "core.branch_units", 0, NULL, "no specialized_unit is called BRA");
        put_latency(d, "branch", "trace_opcode_latency_initiation_int", as_int);
    }
    if (!put_specialized(d, "uniform", "UDP"))
        ws_gs_put_whole(d, "core.uniform_units", 0, NULL, "no specialized_unit is called UDP");
    tell_specialized(d);
    ws_gs_put_text(d, "core.conversions", "int", NULL,
                   "opcode tables of Accel-Sim: F2F, F2I, I2F, FRND are ALU_OP");
    const char *fp = "trace_opcode_latency_initiation_sp";
    int64_t interval = ws_gs_part(d, fp, ',', 1);
    ws_gs_put_whole(d, "core.half_interval", interval > 1 ? interval / 2 : 1, fp,
                    "halved for packed half precision, at least 1 (trace_driven.cc)");
    ws_gs_put_bool(d, "core.zero_register", true, NULL,
                   "Accel-Sim's trace_driven.cc: R255 is a register like others");
}

/* ---- from issue to the units */

#define COLLECTORS(kind) "gpgpu_operand_collector_num_" kind

/* Notes collectors for single kinds of units that take in another number of instructions per cycle than they release
 * or, for memory instructions, than are issued. */
static void tell_ports(ws_gs_draft *d) {
    static const char *const ports[][2] = {{COLLECTORS("in_ports_sp"), COLLECTORS("out_ports_sp")},
                                           {COLLECTORS("in_ports_dp"), COLLECTORS("out_ports_dp")},
                                           {COLLECTORS("in_ports_sfu"), COLLECTORS("out_ports_sfu")}};
    for (size_t i = 0; i < WS_COUNT(ports); i++)
        if (ws_gs_whole(d, ports[i][0]) != ws_gs_whole(d, ports[i][1]))
            ws_gs_tell(d, ports[i][0], "collectors take in as many as they release");
    static const char *const of_memory[] = {COLLECTORS("in_ports_mem"), COLLECTORS("out_ports_mem")};
    for (size_t i = 0; i < WS_COUNT(of_memory); i++)
        if (ws_gs_whole(d, of_memory[i]) != ws_gs_part(d, WIDTHS, ',', ID_OC_MEM))
            ws_gs_tell(d, of_memory[i], "collectors take in and release as many as are issued");
}

/* Ways into the collectors for all kinds of units, and out of them. With sub-cores as many as collectors are no limit,
 * and more are none either. */
static void put_generic_ports(ws_gs_draft *d, bool sub_cores) {
    static const char *const ports[] = {COLLECTORS("in_ports_gen"), COLLECTORS("out_ports_gen")};
    enum { PORTS_MAX = 8 };
    int64_t collectors = ws_gs_whole(d, COLLECTORS("units_gen")), out = ws_gs_whole(d, ports[1]),
            most = out < PORTS_MAX ? out : PORTS_MAX;
    ws_gs_put_whole(d, "core.collector_ports", most > 0 ? most : 1, ports[1], NULL);
    for (size_t i = 0; collectors && i < WS_COUNT(ports); i++) {
        int64_t found = ws_gs_whole(d, ports[i]);
        if (sub_cores && found < collectors)
            ws_gs_tell(d, ports[i], "all collectors can take in and release an instruction in a cycle");
    }
    if (sub_cores || !collectors) return;
    if (ws_gs_whole(d, ports[0]) != out)
        ws_gs_tell(d, ports[0], "collectors take in as many as they release");
    if (out > PORTS_MAX) ws_gs_tell(d, ports[1], "collectors have at most 8 ways out");
}

/* Whether the unit of tensor instructions is that of gpgpu_num_tensor_core_units, with registers of its own. */
static bool has_tensor_units(ws_gs_draft *d) {
    char unit[32];
    return ws_gs_is_on(d, "gpgpu_tensor_core_avail") && ws_gs_whole(d, "gpgpu_num_tensor_core_units") &&
           !specialized(d, "TENSOR", unit, sizeof unit);
}

/* Whether the registers before and behind the collectors are as wide as in the replay, for one kind of units. */
static bool has_widths(ws_gs_draft *d, int id_oc, int oc_ex, int64_t places) {
    return ws_gs_part(d, WIDTHS, ',', id_oc) == places && ws_gs_part(d, WIDTHS, ',', oc_ex) == places;
}

/* Notes registers that are wider or narrower than in the replay. Those in front of the load/store unit can be more, an
 * equal number for each scheduler of sub-cores. */
static void tell_widths(ws_gs_draft *d, bool sub_cores, int64_t schedulers) {
    const struct {
        int id_oc, oc_ex;
        int64_t units;
    } kinds[] = {{ID_OC_SP, OC_EX_SP, ws_gs_whole(d, "gpgpu_num_sp_units")},
                 {ID_OC_DP, OC_EX_DP, ws_gs_whole(d, "gpgpu_num_dp_units")},
                 {ID_OC_INT, OC_EX_INT, ws_gs_whole(d, "gpgpu_num_int_units")},
                 {ID_OC_SFU, OC_EX_SFU, ws_gs_whole(d, "gpgpu_num_sfu_units")},
                 {ID_OC_TENSOR, OC_EX_TENSOR,
                  has_tensor_units(d) ? ws_gs_whole(d, "gpgpu_num_tensor_core_units") : 0}};
    int64_t before = ws_gs_part(d, WIDTHS, ',', ID_OC_MEM), behind = ws_gs_part(d, WIDTHS, ',', OC_EX_MEM);
    bool fit = sub_cores && schedulers ? before == schedulers && behind % schedulers == 0 : behind == before;
    for (size_t i = 0; i < WS_COUNT(kinds); i++)
        if (kinds[i].units)
            fit &= has_widths(d, kinds[i].id_oc, kinds[i].oc_ex, sub_cores ? schedulers : kinds[i].units);
    if (!fit) ws_gs_tell(d, WIDTHS, registers_of(sub_cores));
}

static void tell_collectors(ws_gs_draft *d, bool sub_cores, int64_t schedulers, bool specialized_too) {
    static const char tensor[] = COLLECTORS("units_tensor_core");
    if (specialized_too && !sub_cores) tell_ports(d);
    put_generic_ports(d, sub_cores);
    tell_widths(d, sub_cores, schedulers);
    if (specialized_too && has_tensor_units(d) && ws_gs_whole(d, tensor))
        ws_gs_tell(d, tensor, "tensor instructions have no collectors of their own");
}

/* GPGPU-Sim 3 has seven widths. Its caches are written in another way, too, and options have other names. */
static void refuse_version_3(ws_gs_draft *d) {
    int commas = 0;
    for (const char *at = ws_gs_text(d, WIDTHS); *at; at++) commas += *at == ',';
    if (commas == 6)
        ws_gs_fail(
            d, WIDTHS,
            "the 11 or 13 widths of GPGPU-Sim 4 (configurations of version 3, with seven, are not read)");
}

static void put_collectors(ws_gs_draft *d) {
    static const char specialize[] = "gpgpu_enable_specialized_operand_collector";
    static const struct {
        const char *parameter, *option;
    } kinds[] = {
        {"core.fp_collectors", COLLECTORS("units_sp")},     {"core.fp_ports", COLLECTORS("out_ports_sp")},
        {"core.dp_collectors", COLLECTORS("units_dp")},     {"core.dp_ports", COLLECTORS("out_ports_dp")},
        {"core.sfu_collectors", COLLECTORS("units_sfu")},   {"core.sfu_ports", COLLECTORS("out_ports_sfu")},
        {"core.memory_collectors", COLLECTORS("units_mem")}};
    refuse_version_3(d);
    bool sub_cores = ws_gs_is_on(d, SUB_CORES), specialized_too = ws_gs_is_on(d, specialize);
    int64_t schedulers = ws_gs_whole(d, "gpgpu_num_sched_per_core");
    if (!schedulers) ws_gs_fail(d, "gpgpu_num_sched_per_core", "at least one");
    ws_gs_put_bool(d, "core.sub_cores", sub_cores, SUB_CORES, NULL);
    int64_t collectors = ws_gs_whole(d, COLLECTORS("units_gen"));
    ws_gs_put_whole(d, "core.collectors", sub_cores && schedulers ? collectors / schedulers : collectors,
                    COLLECTORS("units_gen"), sub_cores ? "divided among the sub-cores" : NULL);
    for (size_t i = 0; i < WS_COUNT(kinds); i++) {
        const char *option = specialized_too ? kinds[i].option : specialize;
        ws_gs_put_whole(d, kinds[i].parameter, specialized_too ? ws_gs_whole(d, option) : 0, option, NULL);
    }
    ws_gs_copy(d, "core.register_banks", "gpgpu_num_reg_banks");
    ws_gs_copy(d, "core.bank_reads", "gpgpu_reg_file_port_throughput");
    ws_gs_put_whole(d, "core.result_buses", ws_gs_part(d, WIDTHS, ',', EX_WB), WIDTHS, "EX_WB");

    int64_t memory = ws_gs_part(d, WIDTHS, ',', ID_OC_MEM);
    if (specialized_too) collectors += ws_gs_whole(d, COLLECTORS("units_mem"));
    int64_t ports = sub_cores ? schedulers : memory;
    ws_gs_put_whole(d, "core.memory_ports", ports, WIDTHS,
                    sub_cores ? "a port for each scheduler" : "ID_OC_MEM");
    int64_t places = memory + collectors + ws_gs_part(d, WIDTHS, ',', OC_EX_MEM) + !sub_cores,
            least = 2 * ports + collectors; /* narrower registers are told not to be modelled */
    ws_gs_put_whole(
        d, "core.memory_queue", places > least ? places : least, WIDTHS,
        places >= least
            ? "ID_OC_MEM, OC_EX_MEM, the collectors that memory instructions may take, and without sub-cores "
              "one in the unit"
            : "a place before and one behind the collectors for each port, and the collectors that memory "
              "instructions may take");
    tell_collectors(d, sub_cores, schedulers, specialized_too);
}

static void put_fetch(ws_gs_draft *d) {
    static const char il1[] = "gpgpu_cache:il1", perfect[] = "gpgpu_perfect_inst_const_cache";
    ws_gs_cache cache = ws_gs_cache_of(d, il1), data = ws_gs_cache_of(d, "gpgpu_cache:dl1");
    bool is_perfect = ws_gs_is_on(d, perfect);
    if (!is_perfect && (cache.line_B != data.line_B || cache.replacement != 'L' || cache.index != 'L'))
        ws_gs_tell(d, il1, "the instruction cache is LRU with a linear index, and has the lines of dl1");
    ws_gs_copy(d, "core.fetches_per_cycle", "gpgpu_inst_fetch_throughput");
    ws_gs_put_whole(d, "core.icache_B", is_perfect ? 0 : ws_gs_cache_B(&cache), is_perfect ? perfect : il1,
                    NULL);
    ws_gs_put_whole(d, "core.icache_ways", cache.ways, il1, NULL);
    ws_gs_put_whole(d, "core.icache_mshr_entries", cache.mshr_entries, il1, NULL);
    ws_gs_put_whole(d, "core.icache_mshr_merges", cache.mshr_merges, il1, NULL);
}

/* ---- memory instructions */

#define PAST_L1 "gpgpu_gmem_skip_L1D"

bool ws_gs_coalesces_by_sectors(ws_gs_draft *d) {
    return ws_gs_whole(d, "gpgpu_coalesce_arch") >= 40 || ws_gs_is_on(d, PAST_L1);
}

static void put_coalescer(ws_gs_draft *d) {
    static const char arch[] = "gpgpu_coalesce_arch", parts[] = "gpgpu_shmem_warp_parts",
                      flush[] = "gpgpu_flush_l1_cache";
    int64_t generation = ws_gs_whole(d, arch), warp_parts = ws_gs_whole(d, parts);
    bool by_sectors = ws_gs_coalesces_by_sectors(d);
    if (generation < 20) ws_gs_tell(d, arch, "taken as 20 (Fermi)");
    if (warp_parts < 1 || WARP_SIZE % warp_parts) ws_gs_fail(d, parts, "a divisor of 32");
    ws_gs_put_text(d, "l1.access", by_sectors ? "sector" : "by_width", arch, NULL);
    ws_gs_put_bool(d, "core.store_gaps", !by_sectors, arch,
                   "breakdown_request_to_sector_requests makes requests of all sectors of a write's data");
    ws_gs_put_bool(d, "core.atomic_sectors", !by_sectors, arch,
                   "atomics are coalesced into segments of 32 bytes");
    ws_gs_put_whole(d, "core.coalescers", 1, NULL, "the load/store unit serves one instruction at a time");
    ws_gs_put_whole(d, "core.coalesce_lanes", warp_parts ? WARP_SIZE / warp_parts : WARP_SIZE, parts, NULL);
    ws_gs_put_whole(d, "core.coalesce_B", 0, NULL,
                    "segments follow from gpgpu_coalesce_arch, as l1.access says");
    ws_gs_put_text(d, "core.coalesce_order", "descending", NULL,
                   "accesses are built in ascending order of address and taken from the end");
    ws_gs_put_bool(d, "core.atomics_wait", true, NULL,
                   "shd_warp_t::waiting: a warp with an atomic on its way does not issue");
    ws_gs_put_text(d, "core.fences", ws_gs_is_on(d, flush) ? "empty_l1" : "wait", flush,
                   "shader_core_ctx::warp_waiting_at_mem_barrier");
    ws_gs_put_bool(d, "core.strong_past_l1", true, NULL,
                   "Accel-Sim's trace_driven.cc: LDG, LDGSTS and LDL with STRONG and GPU are CACHE_GLOBAL");
    ws_gs_put_bool(d, "core.global_past_l1", ws_gs_is_on(d, PAST_L1), PAST_L1, NULL);
    ws_gs_put_bool(d, "core.local_interleaved", ws_gs_is_on(d, "gpgpu_local_mem_map"), "gpgpu_local_mem_map",
                   NULL);
    ws_gs_copy(d, "core.shared_latency", "gpgpu_smem_latency");
    ws_gs_copy(d, "core.shared_banks", "gpgpu_shmem_num_banks");
}

void ws_gs_draft_core(ws_gs_draft *d) {
    put_sizes(d);
    put_scheduler(d);
    put_issue(d);
    put_units(d);
    put_collectors(d);
    put_fetch(d);
    put_coalescer(d);
}
