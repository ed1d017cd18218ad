/* Writes the first inputs of all fuzzers: seeds FOLDER makes FOLDER/<fuzzer>/<number>. */
#include "block_statics.h"

#include "../support/accelsim_sample.h"
#include "../support/random.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *fuzzer, *text;
} seeds[] = {
    {"list", "MemcpyHtoD,0x00007f0000000000,65536\nkernel-1.traceg\nkernel-2-ctx_0x5.traceg.xz\n"},
    {"list", "MemcpyHtoD,0x7f0000000000,1,data.bin\n\nMemcpyDtoH,0x7f0000000000,1\nkernel-1.trace\n"},
    {"spec",
     "{\"name\": \"s\", \"description\": \"d\", \"traces\": [\"a.wst\", \"b/*.wst\"], \"kernels\": \"1,3-5\","
     "\"analysis\": \"window\", \"fidelity\": \"order\", \"base\": {\"window.scope\": \"sm\"},"
     "\"axes\": {\"window.size\": {\"log2\": [1, 256]}, \"window.kind\": [\"fifo\", \"sliding\"]}}"},
    {"spec",
     "{\"name\": \"s\", \"traces\": \"a.wst\", \"kernels\": [\"^a\", \"2-\"], \"analysis\": \"window\","
     "\"axes\": {\"window.size\": {\"range\": [1, 9, 2]}, \"gpu.sms\": {\"values\": [1, 2]}}}"},
    {"spec",
     "{\"name\": \"s\", \"traces\": \"a.wst\", \"with\": [\"b.wst\"], \"analysis\": \"timed\", \"gpu\": "
     "\"gtx480-wp\", "
     "\"base\": {\"mrpb.entries\": 4}, \"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"zip\": "
     "{\"l1.size_B\": [16384, 32768], \"l1.ways\": [4, 8]}}, \"baseline\": {\"mechanism.front\": \"none\"}, "
     "\"energy\": \"xi\"}"},
    {"spec", "{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": \"timed\", \"axes\": {\"gpu\": "
             "[\"gtx980\", \"v100\"], "
             "\"zip\": [{\"gpu.clusters\": [2, 4], \"gpu.sms_per_cluster\": [4, 2]}, {\"icc.cache_lines\": "
             "[0, 24]}]}}"},
    {"spec",
     "{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": \"window\", \"axes\": {\"window.size\": "
     "{\"log2\": [1, 64]}, "
     "\"gpu.clusters\": [1, 2, 4]}, \"derived\": {\"gpu.sms_per_cluster\": \"4 / gpu_clusters\"}, \"where\": "
     "\"window_size > gpu_clusters OR window_size IN (SELECT 1 FROM point)\", "
     "\"sampling\": {\"method\": \"sobol\", \"points\": 5, \"seed\": 3}}"},
    {"spec", "{\"name\": \"s\", \"traces\": \"a.wst\", \"analysis\": \"contention\", \"axes\": "
             "{\"contention.sets\": [32, 64], "
             "\"contention.ways\": [1, 4]}, \"sampling\": {\"method\": \"random\", \"points\": 2}}"},
    {"energy",
     "{\"name\": \"n\", \"summary\": \"s\", \"clock_Hz\": {\"value\": 1.4e9, \"source\": \"s\"}, "
     "\"components\": "
     "{\"l1\": {\"static_W\": {\"value\": 0.1, \"per\": \"SM\", \"assumption\": \"a\"}, \"events\": "
     "{\"l1_accesses\": "
     "{\"J\": 1e-10, \"source\": \"s\", \"assumption\": \"a\"}, \"icc_counters.reads\": {\"J\": -1, "
     "\"source\": "
     "\"s\"}}}, \"l2\": {\"static_W\": {\"value\": 1, \"per\": \"l1_busy_cycles\", \"source\": \"s\"}}}}"},
    {"energy", "{\"like\": \"xi\", \"components\": {\"noc\": {\"static_W\": {\"value\": 0, \"per\": \"GPU\", "
               "\"times\": \"sm_registers / 16384.0\", \"source\": \"s\"}}}}"},
    {"gpgpusim",
     "-gpgpu_n_clusters 3 -gpgpu_n_cores_per_cluster 2 -gpgpu_shader_core_pipeline 512:32 "
     "-gpgpu_shader_cta 5 -gpgpu_shader_registers 4096 -gpgpu_shmem_size 8192 "
     "-gpgpu_num_sched_per_core 2 -gpgpu_scheduler two_level_active:6:0:1 "
     "-gpgpu_max_insn_issue_per_warp 1 -gpgpu_num_sp_units 3 -gpgpu_num_sfu_units 2 "
     "-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,2,7 -gpgpu_operand_collector_num_units_sp 4 "
     "-gpgpu_operand_collector_num_units_sfu 5 -gpgpu_operand_collector_num_units_gen 1 "
     "-gpgpu_num_reg_banks 8 -gpgpu_cache:il1 N:4:128:2,L:R:f:N:L,S:3:9,4 -gpgpu_inst_fetch_throughput"
     " 2 -gpgpu_coalesce_arch 20 -gpgpu_shmem_warp_parts 2 -gpgpu_shmem_num_banks 16 "
     "-gpgpu_shmem_limited_broadcast 0 -gpgpu_smem_latency 21 -gpgpu_flush_l1_cache 1 "
     "-gpgpu_local_mem_map 0 -gpgpu_cache:dl1 N:64:128:3,F:L:f:N:H,S:11:7,6 -gpgpu_l1_latency 19 "
     "-gpgpu_l1_banks 2 -gpgpu_n_mem 6 -gpgpu_n_sub_partition_per_mchannel 1 -gpgpu_n_mem_per_ctrlr 2 "
     "-gpgpu_cache:dl2 S:32:128:6,L:B:m:L:X,A:77:5,8:0,64 -gpgpu_cache:dl2_texture_only 0 "
     "-gpgpu_l2_rop_latency 101 -gpgpu_dram_partition_queues 12:12:12:12 -network_mode 1 "
     "-icnt_flit_size 24 -dram_latency 31 -gpgpu_frfcfs_dram_sched_queue_size 17 "
     "-gpgpu_dram_return_queue_size 18 -gpgpu_dram_buswidth 4 -gpgpu_dram_burst_length 8 "
     "-dram_data_command_freq_ratio 4 -dram_bnkgrp_indexing_policy 1 "
     "-gpgpu_n_cluster_ejection_buffer_size 32 -gpgpu_clock_domains 500.0:500.0:500.0:800.0 "
     "-gpgpu_mem_addr_mapping dramid@8;00000000.0000000R.RRRRRRRR.BBCCCCBB.CSSSSSSS "
     "-gpgpu_dram_timing_opt "
     "nbk=16:CCD=2:RRD=6:RCD=13:RAS=28:RP=14:RC=40:CL=15:WL=4:CDLR=5:WR=16:nbkgrp=8:CCDL=3:RTPL=9 "},
    {"gpgpusim", "# ..\n-network_mode \"2\n\" -gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"},
    {"traceg", GOOD},
    {"traceg",
     "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
     "-enable lineinfo = 1\n#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"
     "12 0000 00000007 1 R1 ATOMG.E.ADD.64 2 R2 R255 8 0 0x7f0000000000 0x7f0000000040 0x7f0000000010 -3 \n"
     "12 0010 ffffffff 1 R1 LD.E 2 R2 R255 4 1 0x7f0000000000 -4 -3 \n"
     "12 0020 00000003 0 LDS.U.128 2 R2 R255 16 2 0x0 16 0 \n13 0030 ffffffff 0 EXIT 0 0 0 \n#END_TB\n"},
    {"traceg",
     "-kernel name = k\n-grid dim = (2,2,1)\n-block dim = (8,4,1)\n#traces format = x\n#BEGIN_TB\n"
     "thread block = 1,1,0\nwarp = 0\ninsts = 1\n1 1 0 0 0000 ffffffff 0 STG.E.U8 2 R2 R0 1 1 0x7f 0 \n"
     "#END_TB\n"},
    {"traceg", "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#traces format = x\n0 0 0 0 "
               "0000 00000005 0 STG.E 2 R2 "
               "R4 4 1 0x10 4 STORE_DATA I32 1 REG0:T0:0x00000007 T2:0xffffffff  \n0 0 0 0 0010 00000000 0 "
               "STS.U8 2 R2 R4 1 1 0x0 "
               "0 STORE_DATA I8 1 REG0: \n0 0 0 0 0020 00000001 0 STG.E.64 2 R2 R4 8 1 0x10 8 STORE_DATA F64 "
               "2 REG0:T0:1  "
               "REG1:T0:-nan  \n"},
    {"csv",
     "kernel,name,grid,block,registers,shared,cta,warp,pc,opcode,class,mask,op,space,width,addresses,dst,src,"
     "immediate,line\n1,k,2 1 1,64,8,0,1 0 0,1,0x10,LDG.E,mem,0xff,load,global,4,0x1000+4,R1,R2 R3,-1,7\n"
     "1,,,,,,0,0,16,IADD3,,,,,,,1,2,,\n2,\"a, b\",4x4,8x8,,,3,0,0,,,3,store,local,8,0x10 0x40,,,,\n"},
    {"traceg",
     "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 6\n"
     "#traces format = x\n0 0 0 0 0 0 0 0 0 0 1 0000 00000005 0 STG.E 2 R2 UR4 4 1 0x10 4 -1 3 NoVal \n0 0 0 "
     "0 0 0 0 0 0 0 1 0010 00000001 0 UTMALDG.2D 1 UR4 16 0x100 0 64 0 3 1 0x10 0 0 Val 1 0x10 \n0 0 0 0 0 0 "
     "0 0 0 0 1 0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal \n"},
    {"csv", "kernel,thread,address\n1,0,0x1000\n1,1,0x1004\n1,33,4096\n2,0,1\n"},
    {"csv", "address,lane,warp,op\r\n0x1000,0,1,atomic\r\n0x1000,1,1,atomic\r\n"},
    {"csv", "\1"
            "1,k,2 1 1,64,8,0,1 0 0,1,0x10,LDG.E,mem,0xff,load,global,4,0x1000+4,R1,R2 R3,-1,7\n"},
    {"csv", "\2"
            "1,4 4,8 8,3 3 0,33,0x1000,LDG.E\n1,4 4,8 8,3 3 0,34,0x1004,LDG.E\n"},
    {"csv", "\3"
            "1,0,1,2,0x1000,8\n2,0,1,31,0x1008,8\n1,9,1,4,64,16\n"},
    {"csv", "\4"
            "0x1000 0x2000 0x3000,0x15,0x20\n1 2,,\n"},
    {"csv", "\5"
            "IADD3,R1,R2 R3,-5\nEXIT,,,\n"},
    {"csv", "\6"
            "4 4 4,3 3 3,0x1000\n4 4 4,0,7\n"},
    {"csv", "\7"
            "\"a kernel\",5\n,7 8 9\n"},
    {"memtrace",
     "------------- NVBit (NVidia Binary Instrumentation Tool v1.5.3) Loaded --------------\n"
     "MEMTRACE: CTX 0x000055f0 - LAUNCH - Kernel pc 0x7f00 - Kernel name add(int - x) - grid launch id 0 - "
     "grid size 2,1,1 - block size 64,1,1 - nregs 8 - shmem 0 - cuda stream id 0\n"
     "MEMTRACE: CTX 0x000055f0 - grid_launch_id 0 - CTA 1,0,0 - warp 5 - LDG.E - pc 144 - Size 4 - MREF per "
     "threads(threadidx,data,address) : Thread0,0x1,0x7f0000000000 Thread31,0x2,0x7f0000000004 \n"
     "MEMTRACE: CTX 0x000055f0 - grid_launch_id 0 - CTA 0,0,0 - warp 9 - STG.E.64 - 0x7f00 0x0 0x1 0x2 0x3 "
     "0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 "
     "0x1a 0x1b 0x1c 0x1d 0x1e \n"},
    {"wakes", "abcd0uvwxy"},
    {"wakes", "abcd1uvwxy"},
    {"wakes", "abcd2uvwxy"},
    {"settings", "ab01cdefghijklm"},
    {"settings", "no21pqrstuvwxyzABCDEFGHIJKL"},
};

static char *folder_of(const char *root, const char *fuzzer) {
    char *path;
    if (asprintf(&path, "%s/%s", root, fuzzer) < 0) abort();
    mkdir(path, 0777);
    return path;
}

static char *write_seed(const char *root, const char *fuzzer, size_t number, const char *text) {
    char *path, *folder = folder_of(root, fuzzer);
    if (asprintf(&path, "%s/%zu", folder, number) < 0) abort();
    free(folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
    return path;
}

/* Writes the Accel-Sim trace at `path` as a native one. */
static void write_native(const char *root, const char *path, size_t number) {
    char *out, *folder = folder_of(root, "wst");
    ws_error err = WS_NO_ERROR;
    if (asprintf(&out, "%s/%zu", folder, number) < 0) abort();
    ws_import(path, out, &(ws_import_options){.format = "accelsim"}, &err);
    if (err.code != WS_ERROR_NONE) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    free(out);
    free(folder);
}

/* ---- operand values */

typedef struct execution {
    uint32_t static_id, uniform;
    uint64_t mask, addresses[WS_LANES_MAX], values[WS_OPERANDS_MAX];
} execution;

static execution random_execution(const ws_static statics[BLOCK_STATICS], uint64_t *random) {
    execution e = {.static_id = random_below(random, BLOCK_STATICS)};
    const ws_static *s = &statics[e.static_id];
    e.mask = random_below(random, 3) ? UINT32_MAX : random_next(random) & UINT32_MAX;
    const bool affine = random_below(random, 2);
    for (uint64_t i = 0; i < WS_LANES_MAX; i++)
        e.addresses[i] = affine ? 4096 + 4 * i : random_next(random) >> 40;
    if (e.mask) e.uniform = random_below(random, 1u << wst_operand_count(s));
    for (int i = 0; i < WS_OPERANDS_MAX; i++) e.values[i] = random_next(random) >> random_below(random, 64);
    return e;
}

/* Writes a native trace with random operand values. */
static void write_values(const char *root, uint64_t number, uint32_t insts) {
    ws_static statics[BLOCK_STATICS];
    uint32_t ids[BLOCK_STATICS];
    char *out, *folder = folder_of(root, "wst");
    ws_error err = WS_NO_ERROR;
    if (asprintf(&out, "%s/values-%u", folder, (unsigned)number) < 0) abort();
    ws_writer *w = ws_writer_new(out, "llvm", "seed", 32, WS_FEATURE_REGISTERS, &err);
    const ws_kernel kernel = {.name = "_Z1kPf", .grid = {2, 1, 1}, .block = {64, 1, 1}};
    block_statics(statics);
    bool ok = w && ws_writer_kernel(w, &kernel, &err);
    for (int i = 0; ok && i < BLOCK_STATICS; i++) {
        statics[i].opcode = ws_writer_opcode(w, i % 3 ? "add" : "load", i % 3 ? 3 : 4);
        ids[i] = ws_writer_static(w, &statics[i]);
    }
    for (uint32_t warp = 0; ok && warp < 4; warp++) {
        if (warp % 2 == 0) ok = ws_writer_cta(w, (ws_dim3){warp / 2, 0, 0}, &err);
        ok = ok && ws_writer_warp(w, warp % 2, &err);
        for (uint32_t i = 0; ok && i < insts; i++) {
            const execution e = random_execution(statics, &number);
            ok = ws_writer_inst_values(w, ids[e.static_id], e.mask, e.addresses, e.uniform, e.values, &err);
        }
    }
    if (!ok || !ws_writer_finish(w, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    ws_writer_free(w);
    free(out);
    free(folder);
}

/* Writes the columns of a random block after their sizes, the input of fuzz_values.c. */
static void write_block(const char *root, uint64_t number, uint32_t insts) {
    ws_static statics[BLOCK_STATICS];
    const ws_buffer *columns;
    char *path, *folder = folder_of(root, "values");
    if (asprintf(&path, "%s/%u", folder, (unsigned)number) < 0) abort();
    block_statics(statics);
    wst_encoder *encoder = wst_encoder_new(32);
    for (uint32_t warp = 0; warp < 4; warp++) {
        if (warp % 2 == 0) wst_encoder_cta(encoder, 1 + warp / 2, warp);
        wst_encoder_warp(encoder, warp);
        for (uint32_t i = 0; i < insts; i++) {
            const execution e = random_execution(statics, &number);
            const ws_static *s = &statics[e.static_id];
            wst_encoder_inst(encoder, e.static_id, e.mask, s->op == WS_MEMORY_NONE ? NULL : e.addresses);
            if (e.mask && wst_operand_count(s))
                wst_encoder_values(encoder, e.static_id, s, e.uniform, e.values);
        }
        if (warp % 2) wst_encoder_end_cta(encoder);
    }
    if (!wst_encoder_finish(encoder, &columns)) abort();
    FILE *file = fopen(path, "w");
    if (!file) abort();
    for (int c = 0; c < WST_COLUMN_COUNT - 1; c++) {
        fputc((int)(columns[c].size & 255), file);
        fputc((int)(columns[c].size >> 8), file);
    }
    for (int c = 0; c < WST_COLUMN_COUNT; c++) fwrite(columns[c].data, 1, columns[c].size, file);
    if (fclose(file) != 0) abort();
    wst_encoder_free(encoder);
    free(path);
    free(folder);
}

/* ---- .tracez */

static void put_u32(FILE *file, uint32_t value) {
    for (int i = 0; i < 4; i++) fputc((int)(value >> 8 * i & 255), file);
}

/* Writes a text of up to 255 bytes as a zstd frame that holds it unpacked: size, magic, header, block. */
static void put_chunk(FILE *file, const char *text) {
    const uint32_t size = (uint32_t)strlen(text);
    put_u32(file, 9 + size);
    put_u32(file, 0xfd2fb528u);
    fputc(0x20, file);
    fputc((int)size, file);
    for (int i = 0; i < 3; i++) fputc((int)((size << 3 | 1) >> 8 * i & 255), file);
    fputs(text, file);
}

/* Writes one CTA with a warp of two chunks, and a warp without any. */
static void write_tracez(const char *root) {
    char *path, *folder = folder_of(root, "tracez");
    if (asprintf(&path, "%s/0", folder) < 0) abort();
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fputs("-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version = 6\n\n"
          "#traces format = x\n\n",
          file);
    fputc(0, file);
    put_u32(file, 0);
    put_u32(file, 1);
    const uint32_t warp0 = (uint32_t)ftell(file);
    put_u32(file, 2);
    put_u32(file, 2);
    put_chunk(file, "0000 00000003 1 UR1 LDG.E 1 R4 4 1 0x7f0000000000 4 0 0 Val 1 0x1 32 0 ");
    put_chunk(file, "0010 00000001 0 HGMMA.64x8x16 0 1 0 0 0 NoVal ");
    const uint32_t warp1 = (uint32_t)ftell(file);
    put_u32(file, 0);
    put_u32(file, 0);
    const uint32_t index[] = {1, 1, 0,     0, 0, 0, 0, 1, 0,     0, 1,         2,
                              2, 2, warp0, 0, 1, 1, 0, 0, warp1, 0, warp1 + 8, 0};
    for (size_t i = 0; i < WS_COUNT(index); i++) put_u32(file, index[i]);
    if (fclose(file) != 0) abort();
    free(path);
    free(folder);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    mkdir(argv[1], 0777);
    write_tracez(argv[1]);
    for (uint32_t i = 1; i <= 4; i++) {
        write_values(argv[1], i, 3 * i);
        write_block(argv[1], i, 3 * i);
    }
    for (size_t i = 0; i < WS_COUNT(seeds); i++) {
        char *path = write_seed(argv[1], seeds[i].fuzzer, i, seeds[i].text);
        if (strcmp(seeds[i].fuzzer, "traceg") == 0) write_native(argv[1], path, i);
        free(path);
    }
    return 0;
}
