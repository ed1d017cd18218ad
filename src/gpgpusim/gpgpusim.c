/* ws_gpgpusim_preset(): reads the files of options, has each section of the preset drafted (draft.h), and notes what of
 * the configuration is not modelled. */
#include "warpsweep/gpgpusim.h"

#include "base/array.h"
#include "base/given.h"
#include "gpgpusim/draft.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- files */

/* With network_mode 1, reads the file that configures Booksim (-inter_config_file): it must be in the folder of one of
 * `paths`; the last folder that has it counts. */
static bool read_network(ws_gs_options *options, const char *const *paths, size_t count, ws_error *err) {
    const ws_gs_option *mode = ws_gs_find(options, "network_mode"),
                       *named = ws_gs_find(options, "inter_config_file");
    if (!named || (mode && strcmp(mode->value, "1") != 0)) return true;
    for (size_t i = count; i-- > 0;) {
        char path[PATH_MAX];
        const char *slash = strrchr(paths[i], '/');
        int length = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - paths[i]) + 1 : 0, paths[i],
                              named->value);
        FILE *file = length < (int)sizeof path ? fopen(path, "r") : NULL;
        if (!file) continue;
        fclose(file);
        return ws_gs_read_booksim(options, path, err);
    }
    return ws_fail(err, WS_ERROR_IO, "%s: -inter_config_file %.200s: no such file beside the others",
                   named->place, named->value);
}

static bool read_all(ws_gs_options *options, const char *const *paths, size_t count, ws_error *err) {
    for (size_t i = 0; i < count; i++)
        if (!WS_GIVEN(paths[i], "a path", err) || !ws_gs_read(options, paths[i], err)) return false;
    if (count && options->count == 0)
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected options of GPGPU-Sim (-name value), found none",
                       paths[0]);
    return read_network(options, paths, count, err);
}

/* ---- what is not modelled */

/* Notes the options whose value is not the only one that is modelled. */
static void tell_others(ws_gs_draft *d) {
    static const ws_gs_fixed fixed[] = {
        {"dram_elimnate_rw_turnaround", "0", "the bus takes its time to turn"},
        {"gpgpu_cache:dl2_texture_only", "0", "the L2 serves all requests"},
        {"gpgpu_flush_l1_cache", "1", "L1s are empty when a launch begins"},
        {"gpgpu_l1_banks_hashing_function", "0", "banks are linear"},
        {"gpgpu_mem_unit_ports", "1", "the load/store unit has one port"},
        {"gpgpu_n_chiplet_partition", "1", "all slices are equally far from all SMs"},
        {"gpgpu_n_cluster_ejection_buffer_size", "32", "an SM's buffer for replies has room"},
        {"gpgpu_n_ldst_response_buffer_size", "2", "the load/store unit's buffer for replies has two places"},
        {"gpgpu_operand_collector_num_units_int", "0",
         "integer instructions have no collectors of their own"},
        {"gpgpu_shmem_limited_broadcast", "0", "shared memory broadcasts any number of words"},
        {"gpgpu_simd_model", "1", "branches reconverge as the trace has it"},
        {"gpgpu_simple_dram_model", "0", "DRAM has banks and rows"},
        {"gpgpu_simt_core_sim_order", "1", "SMs go first in turn"},
        {"icnt_arbiter_algo", "1", "outputs go on from the input served last"},
        {"icnt_grant_cycles", "1", "each packet is arbitrated"},
        {"icnt_subnets", "2", "requests and replies have networks of their own"},
    };
    ws_gs_tell_fixed(d, fixed, WS_COUNT(fixed));
}

/* True for options that do not affect the cycles of a trace in the simulator either: power, PTX, statistics, how a run
 * ends; what it no longer reads (a register's bank depends on its warp in any case, an SM has one load/store unit, the
 * L2 misses); limits and preferences for calls that a trace does not have; caches for constants and textures, which
 * Accel-Sim does not look up; Booksim's traffic, which is the GPU's. And for options that matter only with values of
 * other options: values that are reported, or those of another network, or of units that there are none of. */
static bool is_silent(const char *name) {
    static const char *const prefixes[] = {"accelwattch",
                                           "aggregate_",
                                           "cdp_",
                                           "checkpoint_",
                                           "dram_write_queue_size",
                                           "dvfs_",
                                           "enable_ptx",
                                           "gpgpu_cache:dl1Pref",
                                           "gpgpu_cdp",
                                           "gpgpu_cflog",
                                           "gpgpu_clock_gated",
                                           "gpgpu_chiplet_interleave",
                                           "gpgpu_compute_capability",
                                           "gpgpu_const_cache",
                                           "gpgpu_deadlock",
                                           "gpgpu_dual_issue",
                                           "gpgpu_experimental",
                                           "gpgpu_heap",
                                           "gpgpu_lrc_max_",
                                           "gpgpu_max_c",
                                           "gpgpu_max_insn",
                                           "gpgpu_mem_addr_test",
                                           "gpgpu_mem_address_mask",
                                           "gpgpu_memlatency",
                                           "gpgpu_num_cta_barriers",
                                           "gpgpu_num_mem_units",
                                           "gpgpu_num_tensor_core",
                                           "gpgpu_occupancy",
                                           "gpgpu_operand_collector_num_in_ports_",
                                           "gpgpu_operand_collector_num_out_ports_",
                                           "gpgpu_operand_collector_num_units_",
                                           "gpgpu_perf_sim_memcpy",
                                           "gpgpu_ptx",
                                           "gpgpu_reg_bank_use_warp_id",
                                           "gpgpu_registers_per_block",
                                           "gpgpu_runtime",
                                           "gpgpu_shmem_option",
                                           "gpgpu_shmem_per_block",
                                           "gpgpu_shmem_size",
                                           "gpgpu_simple_dram_clock",
                                           "gpgpu_stack",
                                           "gpgpu_stat",
                                           "gpgpu_tensor_core_avail",
                                           "gpgpu_tex_cache",
                                           "gpgpu_unified",
                                           "gpgpu_warp_issue_shader",
                                           "gpgpu_warpdistro",
                                           "gpuwattch",
                                           "hw_perf",
                                           "icnt_file:DISPLAY_",
                                           "icnt_file:MATLAB_OUTPUT",
                                           "icnt_file:arb_type",
                                           "icnt_file:deadlock_warn_timeout",
                                           "icnt_file:enable_link_stats",
                                           "icnt_file:injection_",
                                           "icnt_file:latency_thres",
                                           "icnt_file:max_samples",
                                           "icnt_file:network_count",
                                           "icnt_file:packet_size",
                                           "icnt_file:print_",
                                           "icnt_file:read_re",
                                           "icnt_file:sample_period",
                                           "icnt_file:seed",
                                           "icnt_file:sim_",
                                           "icnt_file:stats_out",
                                           "icnt_file:traffic",
                                           "icnt_file:use_read_write",
                                           "icnt_file:viewer_trace",
                                           "icnt_file:warmup_",
                                           "icnt_file:watch_",
                                           "icnt_file:write_re",
                                           "icnt_flit_size",
                                           "icnt_in_buffer",
                                           "icnt_out_buffer",
                                           "icnt_verbose",
                                           "inter_chiplet_queue_size",
                                           "inter_config_file",
                                           "keep",
                                           "l2_ideal",
                                           "liveness",
                                           "n_regfile_gating",
                                           "power_",
                                           "ptx_",
                                           "resume_",
                                           "save_",
                                           "steady_",
                                           "trace_components",
                                           "trace_enabled",
                                           "trace_opcode_latency_initiation_spec_op_",
                                           "trace_opcode_latency_initiation_tensor",
                                           "trace_sampling",
                                           "visualizer"};
    for (size_t i = 0; i < WS_COUNT(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

/* Notes the options that nothing has asked for. */
static void tell_unknown(const ws_gs_draft *d) {
    char text[1024];
    for (const ws_gs_option *o = d->options->at, *end = o + d->options->count; d->note && o < end; o++) {
        if (!ws_gs_is_unused(d->options, o) || is_silent(o->name)) continue;
        snprintf(text, sizeof text, "%s: -%.300s is not known, and left out", o->place, o->name);
        d->note(d->context, text);
    }
}

static void tell_latencies(ws_gs_draft *d) {
    if (d->note && !ws_gs_find(d->options, "trace_opcode_latency_initiation_int"))
        d->note(d->context,
                "no file has latencies of instructions (-trace_opcode_latency_initiation_int ..): they are "
                "4 cycles, as Accel-Sim takes them; give its trace.config, too");
}

/* ---- the preset */

static json_t *draft(ws_gs_options *options, const char *name, ws_gpgpusim_note *note, void *context,
                     ws_error *err) {
    ws_gs_draft d = {
        .options = options, .parameters = json_object(), .note = note, .context = context, .err = err};
    ws_gs_draft_core(&d);
    ws_gs_draft_caches(&d);
    ws_gs_draft_network(&d);
    ws_gs_draft_dram(&d);
    tell_others(&d);
    tell_latencies(&d);
    if (!d.failed) tell_unknown(&d);
    json_t *preset = d.failed ? NULL
                              : json_pack("{s:s, s:o, s:O}", "name", name, "summary",
                                          json_sprintf("%s, from a configuration of GPGPU-Sim", name),
                                          "parameters", d.parameters);
    if (!preset && !d.failed) ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory, or no UTF-8", name);
    json_decref(d.parameters);
    return preset;
}

json_t *ws_gpgpusim_preset(const char *const *paths, size_t count, const char *name, ws_gpgpusim_note *note,
                           void *context, ws_error *err) {
    ws_gs_options options = {0};
    if (!WS_GIVEN(paths, "paths", err) || !WS_GIVEN(name, "a name", err)) return NULL;
    json_t *preset = read_all(&options, paths, count, err) ? draft(&options, name, note, context, err) : NULL;
    ws_gs_options_free(&options);
    return preset;
}
