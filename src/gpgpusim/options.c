#include "gpgpusim/options.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 1024 };

void ws_gs_options_free(ws_gs_options *o) {
    for (size_t i = 0; i < o->count; i++) {
        free(o->at[i].name);
        free(o->at[i].value);
        free(o->at[i].place);
    }
    free(o->at);
    *o = (ws_gs_options){0};
}

static ws_gs_option *last_of(const ws_gs_options *o, const char *name) {
    for (size_t i = o->count; i-- > 0;)
        if (strcmp(o->at[i].name, name) == 0) return &o->at[i];
    return NULL;
}

const ws_gs_option *ws_gs_find(ws_gs_options *o, const char *name) {
    ws_gs_option *option = last_of(o, name);
    if (option) option->used = true;
    return option;
}

bool ws_gs_is_unused(const ws_gs_options *o, const ws_gs_option *option) {
    return !option->used && last_of(o, option->name) == option;
}

/* ---- a file */

typedef struct reader {
    FILE *file;
    const char *path;
    unsigned line;
    char token[TOKEN_MAX];
} reader;

static bool add(ws_gs_options *o, const reader *r, const char *prefix, const char *name, const char *value,
                ws_error *err) {
    if (!WS_ROOM_FOR(o->at, o->room, o->count + 1)) return ws_no_memory(err);
    ws_gs_option *option = &o->at[o->count++];
    char place[TOKEN_MAX], full[TOKEN_MAX];
    snprintf(place, sizeof place, "%.900s:%u", r->path, r->line);
    snprintf(full, sizeof full, "%s%.900s", prefix, name);
    *option = (ws_gs_option){.name = strdup(full), .value = strdup(value), .place = strdup(place)};
    return (option->name && option->value && option->place) || ws_no_memory(err);
}

static int read_char(reader *r) {
    int c = getc(r->file);
    r->line += c == '\n';
    return c;
}

static bool is_one_of(int c, const char *characters) {
    return c > 0 && strchr(characters, c);
}

/* Skips blanks and comments, which go from a character of `comment` to the end of the line. Returns the first character
 * after them, or EOF. */
static int skip_blanks(reader *r, const char *comment) {
    int c = read_char(r);
    while (c != EOF && (ws_is_space(c) || is_one_of(c, comment))) {
        if (!ws_is_space(c))
            while (c != EOF && c != '\n') c = read_char(r);
        c = read_char(r);
    }
    return c;
}

/* Adds a character to the token, whose length is `*length`. Only comments have others than those of ASCII. */
static bool take(reader *r, size_t *length, int c, ws_error *err) {
    if (c < ' ' || c > '~')
        return ws_fail(err, WS_ERROR_SPEC, "%s:%u: expected options of GPGPU-Sim, found a byte 0x%02x",
                       r->path, r->line, (unsigned)c);
    if (*length + 1 == sizeof r->token)
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s:%u: expected options of GPGPU-Sim, found %d characters without a blank", r->path,
                       r->line, TOKEN_MAX);
    r->token[(*length)++] = (char)c;
    return true;
}

/* Reads a value up to its closing quote, without its blanks; it may extend over several lines. */
static bool read_quoted(reader *r, ws_error *err) {
    unsigned begun = r->line;
    size_t length = 0;
    for (int c = read_char(r); c != '"'; c = read_char(r)) {
        if (c == EOF) return ws_fail(err, WS_ERROR_SPEC, "%s:%u: quotes that do not end", r->path, begun);
        if (!ws_is_space(c) && !take(r, &length, c, err)) return false;
    }
    r->token[length] = 0;
    return true;
}

/* Reads from `first` up to a blank or a character of `ends`, which is left unread. */
static bool read_word(reader *r, int first, const char *ends, ws_error *err) {
    size_t length = 0;
    int c = first;
    for (; c != EOF && !ws_is_space(c) && !is_one_of(c, ends); c = read_char(r))
        if (!take(r, &length, c, err)) return false;
    if (c == '\n') r->line--;
    if (c != EOF) ungetc(c, r->file);
    r->token[length] = 0;
    return true;
}

static bool is_name(const char *token) {
    return token[0] == '-' && ws_is_letter(token[1]);
}

/* Reads all of a file of "-name value". */
static bool read_options(ws_gs_options *o, reader *r, ws_error *err) {
    for (int c; (c = skip_blanks(r, "#")) != EOF;) {
        char name[TOKEN_MAX];
        if (!read_word(r, c, "#", err)) return false;
        if (!is_name(r->token))
            return ws_fail(err, WS_ERROR_SPEC, "%s:%u: expected an option (-name value), found \"%.80s\"",
                           r->path, r->line, r->token);
        snprintf(name, sizeof name, "%s", r->token + 1);
        c = skip_blanks(r, "#");
        if (c == EOF)
            return ws_fail(err, WS_ERROR_SPEC, "%s:%u: expected a value of -%.80s, found the end of the file",
                           r->path, r->line, name);
        if (!(c == '"' ? read_quoted(r, err) : read_word(r, c, "#", err)) ||
            !add(o, r, "", name, r->token, err))
            return false;
    }
    return true;
}

/* Reads all of a Booksim file, "name = value;". */
static bool read_assignments(ws_gs_options *o, reader *r, ws_error *err) {
    for (int c; (c = skip_blanks(r, "/#")) != EOF;) {
        char name[TOKEN_MAX];
        if (!read_word(r, c, "=;", err)) return false;
        snprintf(name, sizeof name, "%s", r->token);
        if (skip_blanks(r, "/#") != '=')
            return ws_fail(err, WS_ERROR_SPEC, "%s:%u: expected name = value; found \"%.80s\"", r->path,
                           r->line, name);
        if (!read_word(r, skip_blanks(r, "/#"), ";", err) || !add(o, r, "icnt_file:", name, r->token, err))
            return false;
        if (skip_blanks(r, "/#") != ';')
            return ws_fail(err, WS_ERROR_SPEC, "%s:%u: expected a semicolon behind the value of %.80s",
                           r->path, r->line, name);
    }
    return true;
}

static bool read_file(ws_gs_options *o, const char *path,
                      bool (*read)(ws_gs_options *o, reader *r, ws_error *err), ws_error *err) {
    reader r = {.file = fopen(path, "r"), .path = path, .line = 1};
    if (!r.file) return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    errno = 0;
    bool ok = read(o, &r, err);
    if (ok && ferror(r.file)) ok = ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    fclose(r.file);
    return ok;
}

bool ws_gs_read(ws_gs_options *o, const char *path, ws_error *err) {
    return read_file(o, path, read_options, err);
}

bool ws_gs_read_booksim(ws_gs_options *o, const char *path, ws_error *err) {
    return read_file(o, path, read_assignments, err);
}

/* ---- defaults */

/* The defaults that GPGPU-Sim 4.2 (gpgpu-sim_distribution, branch dev, October 2024), its Booksim and Accel-Sim
 * register; for options that came with Accel-Sim 2.0, what earlier versions do. */
const char *ws_gs_default(const char *name) {
    static const char *const defaults[][2] = {
        {"dram_bnk_indexing_policy", "0"},
        {"dram_bnkgrp_indexing_policy", "0"},
        {"dram_data_command_freq_ratio", "2"},
        {"dram_dual_bus_interface", "0"},
        {"dram_elimnate_rw_turnaround", "0"},
        {"dram_latency", "30"},
        {"dram_seperate_write_queue_enable", "0"},
        {"dram_write_queue_size", "32:28:16"},
        {"gpgpu_TB_launch_latency", "0"},
        {"gpgpu_adaptive_cache_config", "0"},
        {"gpgpu_cache:dl2_texture_only", "1"},
        {"gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0"},
        {"gpgpu_coalesce_arch", "13"},
        {"gpgpu_concurrent_kernel_sm", "0"},
        {"gpgpu_dram_burst_length", "4"},
        {"gpgpu_dram_buswidth", "4"},
        {"gpgpu_dram_partition_queues", "8:8:8:8"},
        {"gpgpu_dram_return_queue_size", "0"},
        {"gpgpu_dram_scheduler", "1"},
        {"gpgpu_dual_issue_diff_exec_units", "1"},
        {"gpgpu_enable_specialized_operand_collector", "1"},
        {"gpgpu_flush_l1_cache", "0"},
        {"gpgpu_flush_l2_cache", "0"},
        {"gpgpu_frfcfs_dram_sched_queue_size", "0"},
        {"gpgpu_gmem_skip_L1D", "0"},
        {"gpgpu_ignore_resources_limitation", "0"},
        {"gpgpu_inst_fetch_throughput", "1"},
        {"gpgpu_kernel_launch_latency", "0"},
        {"gpgpu_l1_banks", "1"},
        {"gpgpu_l1_banks_byte_interleaving", "32"},
        {"gpgpu_l1_banks_hashing_function", "0"},
        {"gpgpu_l1_cache_write_ratio", "0"},
        {"gpgpu_l1_latency", "1"},
        {"gpgpu_l2_rop_latency", "85"},
        {"gpgpu_local_mem_map", "1"},
        {"gpgpu_lrc_enabled", "0"},
        {"gpgpu_lrc_max_entries", "256"},
        {"gpgpu_lrc_max_merged", "32"},
        {"gpgpu_max_concurrent_kernel", "32"},
        {"gpgpu_max_insn_issue_per_warp", "2"},
        {"gpgpu_mem_unit_ports", "1"},
        {"gpgpu_memory_partition_indexing", "0"},
        {"gpgpu_n_chiplet_partition", "1"},
        {"gpgpu_n_cluster_ejection_buffer_size", "8"},
        {"gpgpu_n_clusters", "10"},
        {"gpgpu_n_cores_per_cluster", "3"},
        {"gpgpu_n_ldst_response_buffer_size", "2"},
        {"gpgpu_n_mem", "8"},
        {"gpgpu_n_mem_per_ctrlr", "1"},
        {"gpgpu_n_sub_partition_per_mchannel", "1"},
        {"gpgpu_num_dp_units", "0"},
        {"gpgpu_num_int_units", "0"},
        {"gpgpu_num_reg_banks", "8"},
        {"gpgpu_num_sched_per_core", "1"},
        {"gpgpu_num_sfu_units", "1"},
        {"gpgpu_num_sp_units", "1"},
        {"gpgpu_num_tensor_core_units", "0"},
        {"gpgpu_operand_collector_num_in_ports_dp", "0"},
        {"gpgpu_operand_collector_num_in_ports_gen", "0"},
        {"gpgpu_operand_collector_num_in_ports_mem", "1"},
        {"gpgpu_operand_collector_num_in_ports_sfu", "1"},
        {"gpgpu_operand_collector_num_in_ports_sp", "1"},
        {"gpgpu_operand_collector_num_out_ports_dp", "0"},
        {"gpgpu_operand_collector_num_out_ports_gen", "0"},
        {"gpgpu_operand_collector_num_out_ports_mem", "1"},
        {"gpgpu_operand_collector_num_out_ports_sfu", "1"},
        {"gpgpu_operand_collector_num_out_ports_sp", "1"},
        {"gpgpu_operand_collector_num_units_dp", "0"},
        {"gpgpu_operand_collector_num_units_gen", "0"},
        {"gpgpu_operand_collector_num_units_int", "0"},
        {"gpgpu_operand_collector_num_units_mem", "2"},
        {"gpgpu_operand_collector_num_units_sfu", "4"},
        {"gpgpu_operand_collector_num_units_sp", "4"},
        {"gpgpu_operand_collector_num_units_tensor_core", "4"},
        {"gpgpu_perfect_inst_const_cache", "0"},
        {"gpgpu_perfect_mem", "0"},
        {"gpgpu_pipeline_widths", "1,1,1,1,1,1,1,1,1,1,1,1,1"},
        {"gpgpu_reg_file_port_throughput", "1"},
        {"gpgpu_scheduler", "gto"},
        {"gpgpu_shader_core_pipeline", "1024:32"},
        {"gpgpu_shader_cta", "32"},
        {"gpgpu_shader_registers", "8192"},
        {"gpgpu_shmem_limited_broadcast", "1"},
        {"gpgpu_shmem_num_banks", "16"},
        {"gpgpu_shmem_option", "0"},
        {"gpgpu_shmem_size", "16384"},
        {"gpgpu_shmem_warp_parts", "2"},
        {"gpgpu_simd_model", "1"},
        {"gpgpu_simple_dram_model", "0"},
        {"gpgpu_simt_core_sim_order", "1"},
        {"gpgpu_smem_latency", "3"},
        {"gpgpu_sub_core_model", "0"},
        {"gpgpu_tensor_core_avail", "0"},
        {"gpgpu_unified_l1d_size", "0"},
        {"icnt_arbiter_algo", "1"},
        {"icnt_file:alloc_iters", "1"},
        {"icnt_file:boundary_buffer_size", "16"},
        {"icnt_file:buf_size", "-1"},
        {"icnt_file:buffer_policy", "private"},
        {"icnt_file:classes", "1"},
        {"icnt_file:credit_delay", "0"},
        {"icnt_file:ejection_buffer_size", "0"},
        {"icnt_file:flit_size", "32"},
        {"icnt_file:hold_switch_for_packet", "0"},
        {"icnt_file:input_buffer_size", "0"},
        {"icnt_file:input_speedup", "1"},
        {"icnt_file:internal_speedup", "1.0"},
        {"icnt_file:k", "8"},
        {"icnt_file:n", "2"},
        {"icnt_file:noq", "0"},
        {"icnt_file:num_vcs", "16"},
        {"icnt_file:output_buffer_size", "-1"},
        {"icnt_file:output_delay", "0"},
        {"icnt_file:output_speedup", "1"},
        {"icnt_file:priority", "none"},
        {"icnt_file:router", "iq"},
        {"icnt_file:routing_delay", "1"},
        {"icnt_file:routing_function", "none"},
        {"icnt_file:speculative", "0"},
        {"icnt_file:st_final_delay", "1"},
        {"icnt_file:st_prepare_delay", "0"},
        {"icnt_file:subnets", "1"},
        {"icnt_file:sw_alloc_delay", "1"},
        {"icnt_file:sw_allocator", "islip"},
        {"icnt_file:topology", "torus"},
        {"icnt_file:use_map", "1"},
        {"icnt_file:vc_alloc_delay", "1"},
        {"icnt_file:vc_allocator", "islip"},
        {"icnt_file:vc_buf_size", "8"},
        {"icnt_file:vc_busy_when_full", "0"},
        {"icnt_file:wait_for_tail_credit", "0"},
        {"icnt_flit_size", "32"},
        {"icnt_grant_cycles", "1"},
        {"icnt_in_buffer_limit", "64"},
        {"icnt_out_buffer_limit", "64"},
        {"icnt_subnets", "2"},
        {"network_mode", "1"},
        {"trace_opcode_latency_initiation_dp", "4,1"},
        {"trace_opcode_latency_initiation_int", "4,1"},
        {"trace_opcode_latency_initiation_sfu", "4,1"},
        {"trace_opcode_latency_initiation_sp", "4,1"},
        {"trace_opcode_latency_initiation_tensor", "4,1"},
    };
    for (size_t i = 0; i < WS_COUNT(defaults); i++)
        if (strcmp(defaults[i][0], name) == 0) return defaults[i][1];
    if (strncmp(name, "specialized_unit_", 17) == 0) return "0,4,4,4,4,BRA";
    return strncmp(name, "trace_opcode_latency_initiation_spec_op_", 40) == 0 ? "4,4" : NULL;
}
