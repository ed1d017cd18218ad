#!/usr/bin/env bash
# import-gpu: turns configurations of GPGPU-Sim into GPUs with the same numbers, and reports what is wrong with them.
. "$(dirname "$0")/lib.sh"

values() { # preset: "parameter value" a line
    sed -n 's/^ *"\([^"]*\)": {"value": \(.*\), "source": .*/\1 \2/p' "$1" | tr -d '"'
}

# ---- a small GPU: each parameter has the number that follows from the options below
mkdir -p "$WORK/small"
cat >"$WORK/small/gpgpusim.config" <<'END'
# a comment with -gpgpu_n_clusters 99
-gpgpu_n_clusters 3
-gpgpu_n_cores_per_cluster 2 # behind a value
-gpgpu_shader_core_pipeline 512:32
-gpgpu_shader_cta 5
-gpgpu_shader_registers 4096
-gpgpu_shmem_size 8192
-gpgpu_num_sched_per_core 2
-gpgpu_scheduler two_level_active:6:0:1
-gpgpu_max_insn_issue_per_warp 1
-gpgpu_num_sp_units 3
-gpgpu_num_sfu_units 2
-gpgpu_pipeline_widths 3,0,0,2,1,3,0,0,2,1,7
-gpgpu_operand_collector_num_units_sp 4
-gpgpu_operand_collector_num_units_sfu 5
-gpgpu_operand_collector_num_in_ports_sp 3
-gpgpu_operand_collector_num_out_ports_sp 3
-gpgpu_operand_collector_num_in_ports_sfu 2
-gpgpu_operand_collector_num_out_ports_sfu 2
-gpgpu_operand_collector_num_units_gen 1
-gpgpu_operand_collector_num_in_ports_gen 1
-gpgpu_operand_collector_num_out_ports_gen 1
-gpgpu_num_reg_banks 8
-gpgpu_cache:il1 N:4:128:2,L:R:f:N:L,S:3:9,4
-gpgpu_inst_fetch_throughput 2
-gpgpu_coalesce_arch 20
-gpgpu_shmem_warp_parts 2
-gpgpu_shmem_num_banks 16
-gpgpu_shmem_limited_broadcast 0
-gpgpu_smem_latency 21
-gpgpu_flush_l1_cache 1
-gpgpu_local_mem_map 0
-gpgpu_cache:dl1 N:64:128:3,F:L:f:N:H,S:11:7,6
-gpgpu_l1_latency 19
-gpgpu_l1_banks 2
-gpgpu_n_mem 6
-gpgpu_n_sub_partition_per_mchannel 1
-gpgpu_n_mem_per_ctrlr 2
-gpgpu_cache:dl2 S:32:128:6,L:B:m:L:X,A:77:5,8:0,64
-gpgpu_cache:dl2_texture_only 0
-gpgpu_l2_rop_latency 101
-gpgpu_dram_partition_queues 12:12:12:12
-network_mode 1
-inter_config_file small.icnt
-icnt_flit_size 40
-dram_latency 31
-gpgpu_frfcfs_dram_sched_queue_size 17
-gpgpu_dram_return_queue_size 18
-dram_seperate_write_queue_enable 1
-dram_write_queue_size 19:13:7
-gpgpu_dram_buswidth 4
-gpgpu_dram_burst_length 8
-dram_data_command_freq_ratio 4
-dram_bnkgrp_indexing_policy 1
-gpgpu_n_cluster_ejection_buffer_size 32
-gpgpu_clock_domains 500.0:500.0:500.0:800.0
-gpgpu_mem_addr_mapping dramid@8;00000000.0000000R.RRRRRRRR.BBCCCCBB.CSSSSSSS
-gpgpu_dram_timing_opt "nbk=16:CCD=2:RRD=6:RCD=13:RAS=28:RP=14:RC=40:
                        CL=15:WL=4:CDLR=5:WR=16:nbkgrp=8:CCDL=3:RTPL=9"
END
cat >"$WORK/small/small.icnt" <<'END'
// Booksim
vc_buf_size = 20;
internal_speedup=2.0;
input_buffer_size  =  8 ;
flit_size = 24;
topology = fly;
k = 9;
n = 1;
routing_function = dest_tag;
num_vcs = 1;
routing_delay = 0;
subnets = 2;
use_map = 0;
// what GPGPU-Sim does not use
network_count = 2;
traffic = uniform;
packet_size ={{1,2,3,4},{10,20}};
sim_type = gpgpusim;
injection_rate = 0.1;
read_reply_subnet = 1;
write_request_end_vc = 0;
END
cat >"$WORK/small/trace.config" <<'END'
-trace_opcode_latency_initiation_int 5,1
-trace_opcode_latency_initiation_sp 6,2
-trace_opcode_latency_initiation_dp 30,3
-trace_opcode_latency_initiation_sfu 90,8
-specialized_unit_2 1,6,4,6,6,BRA
-trace_opcode_latency_initiation_spec_op_2 7,3
-specialized_unit_3 0,4,4,4,4,TENSOR
END
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" -o "$WORK/gpu.json"
expect "a small GPU" 0 "parameters; 'warpsweep run TRACE --gpu $WORK/gpu.json' replays on it"
same "nothing else is told" 1 "$(wc -l <<<"$err")"
same "its numbers" "$(sort <<'END'
core.active_warps 6
core.atomic_sectors true
core.atomics_wait true
core.bank_reads 1
core.branch_interval 3
core.branch_latency 7
core.branch_units 6
core.coalesce_B 0
core.coalesce_lanes 16
core.coalesce_order descending
core.coalescers 1
core.collector_ports 1
core.collectors 1
core.concurrent_launches 1
core.conversions int
core.cta_launch_cycles 0
core.dp_collectors 0
core.dp_interval 3
core.dp_latency 30
core.dp_ports 0
core.dp_units 0
core.dual_issue off
core.fences empty_l1
core.fetches_per_cycle 2
core.fp_collectors 4
core.fp_interval 2
core.fp_latency 6
core.fp_ports 3
core.fp_units 3
core.global_past_l1 false
core.half_interval 1
core.icache_B 1024
core.icache_mshr_entries 3
core.icache_mshr_merges 9
core.icache_ways 2
core.int_interval 1
core.int_latency 5
core.int_units 0
core.launch_cycles 0
core.local_interleaved false
core.memory_collectors 2
core.memory_ports 1
core.memory_queue 6
core.perfect_memory false
core.register_banks 8
core.result_buses 7
core.sfu_collectors 5
core.sfu_interval 8
core.sfu_latency 90
core.sfu_ports 2
core.sfu_units 2
core.shared_banks 16
core.shared_latency 21
core.store_gaps true
core.strong_past_l1 true
core.sub_cores false
core.tensor_interval 1
core.tensor_latency 4
core.tensor_units 0
core.uniform_units 0
core.zero_register true
dram.atom_B 64
dram.bank_B 256
dram.bank_group low_bits
dram.bank_groups 8
dram.bank_index linear
dram.banks 16
dram.burst_cycles 2
dram.ccd 2
dram.ccdl 3
dram.cdlr 5
dram.channels 6
dram.cl 15
dram.clock_ratio 1.6
dram.command_buses 1
dram.core_MHz 500.0
dram.latency 31
dram.near_banks 4
dram.queue 17
dram.ras 28
dram.rc 40
dram.rcd 13
dram.return_queue 18
dram.row_B 4096
dram.rows 512
dram.rp 14
dram.rrd 6
dram.rtpl 9
dram.scheduler fr_fcfs
dram.wl 4
dram.wr 16
dram.write_high 13
dram.write_low 7
dram.write_queue 19
gpu.clusters 3
gpu.sms_per_cluster 2
l1.access by_width
l1.allocation on_fill
l1.bank_by sector
l1.banks 2
l1.index fermi_hash
l1.latency 19
l1.line_B 128
l1.bank_accesses 1
l1.misses_per_cycle 0
l1.mshr_entries 11
l1.mshr_merges 7
l1.miss_queue 6
l1.replacement fifo
l1.size_B 24576
l1.spare_dirty_percent 0
l1.unified_B 0
l1.ways 3
l1.write evict
l2.copies false
l2.flush false
l2.index xor
l2.interleave_B 256
l2.latency 101
l2.line_B 128
l2.lrc_entries 0
l2.mshr_entries 77
l2.mshr_merges 5
l2.miss_queue 8
l2.partition linear
l2.port_B 64
l2.queue 12
l2.replacement lru
l2.sectors_apart true
l2.size_B 24576
l2.slices_per_channel 1
l2.ways 6
noc.boundary_buffer 16
noc.credit_latency 4
noc.crossbar_speedup 2
noc.flit_B 24
noc.in_buffer 20
noc.injection_queue 8
noc.input_speedup false
noc.latency 5
noc.out_buffer 20
noc.ports_per_cluster 1
noc.replies sectors
sm.ctas 5
sm.oversized_ctas false
sm.register_unit 4
sm.registers 4096
sm.scheduler two_level
sm.schedulers 2
sm.shared_B 8192
sm.threads 512
sm.warps 16
END
)" "$(values "$WORK/gpu.json" | sort)"
has "each with its source" "$(cat "$WORK/gpu.json")" \
    '"gpu.sms_per_cluster": {"value": 2, "source": "small/gpgpusim.config:3: gpgpu_n_cores_per_cluster 2"}'
has "defaults, too" "$(cat "$WORK/gpu.json")" "GPGPU-Sim's default: gpgpu_reg_file_port_throughput 1"
try "$W" run traces/transpose.wst --gpu "$WORK/gpu.json" --set limit.ctas=4 --json
expect "a replay on it" 0
has "has its numbers" "$out" '"l1.mshr_entries": 11'
mkdir "$WORK/linked"
ln -s ../gpu.json "$WORK/linked/gpu.json"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" -o "$WORK/linked/gpu.json"
same "through a link: it stays one" "0 ../gpu.json" "$status $(readlink "$WORK/linked/gpu.json")"

try bash -c 'ulimit -f "$1" && shift && exec "$@"' - $(($(stat -c %s "$WORK/gpu.json") / 1024)) "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" -o "$WORK/cut.json"
expect "a GPU on a full disk" 1 "cut.json: cannot write: File too large"
same "nothing is left of it" "" "$(cd "$WORK" && ls -d cut.json* ./*.part 2>/dev/null)"
try "$W" import-gpu "$WORK/small//gpgpusim.config" "$WORK/small/trace.config" -o "$WORK/slashes.json"
has "two slashes in a path" "$(cat "$WORK/slashes.json")" '"small//gpgpusim.config:3: gpgpu_n_cores_per_cluster 2"'

try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" -o "$WORK/a\"b.json"
expect "a name that JSON has to escape" 0
try "$W" run traces/transpose.wst --gpu "$WORK/a\"b.json" --set limit.ctas=1
expect "is a GPU, too" 0

# ---- later files override earlier ones; and other kinds of cores
cat >"$WORK/volta.config" <<'END'
-gpgpu_n_clusters 7
-gpgpu_sub_core_model 1
-gpgpu_num_sched_per_core 4
-gpgpu_enable_specialized_operand_collector 0
-gpgpu_operand_collector_num_units_gen 8
-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8,4,4
-gpgpu_reg_file_port_throughput 2
-gpgpu_perfect_inst_const_cache 1
-gpgpu_coalesce_arch 70
-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32
-gpgpu_adaptive_cache_config 1
-gpgpu_unified_l1d_size 96
-gpgpu_shmem_option 32,64
-gpgpu_scheduler lrr
-gpgpu_memory_partition_indexing 2
-gpgpu_n_mem 24
-gpgpu_n_sub_partition_per_mchannel 2
-network_mode 2
-gpgpu_kernel_launch_latency 5000
-gpgpu_mem_addr_mapping dramid@8;0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS
-specialized_unit_4 1,1,4,4,4,UDP
END
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/volta.config" -o "$WORK/volta.json"
expect "with a file of one's own" 0
same "whose options win" "$(sort <<'END'
core.collectors 2
core.fp_collectors 0
core.icache_B 0
core.launch_cycles 5000
core.memory_collectors 0
core.memory_ports 4
core.memory_queue 16
core.sfu_collectors 0
core.store_gaps false
core.sub_cores true
core.uniform_interval 4
core.uniform_latency 4
core.uniform_units 4
dram.bank_B 128
dram.near_banks 2
dram.row_B 2048
dram.rows 8192
gpu.clusters 7
l1.access sector
l1.carveouts turing
l1.size_B 32768
l1.unified_B 98304
l1.write through_lazy
l2.interleave_B 128
l2.partition ipoly
noc.flit_B 0
noc.in_buffer 64
noc.input_speedup true
sm.scheduler lrr
END
)" "$(values "$WORK/volta.json" | grep -E "^($(paste -sd '|' <<<"core.collectors
core.fp_collectors
core.icache_B
core.launch_cycles
core.memory_collectors
core.memory_ports
core.memory_queue
core.sfu_collectors
core.store_gaps
core.sub_cores
core.uniform_interval
core.uniform_latency
core.uniform_units
dram.bank_B
dram.near_banks
dram.row_B
dram.rows
gpu.clusters
l1.access
l1.carveouts
l1.size_B
l1.unified_B
l1.write
l2.interleave_B
l2.partition
noc.flit_B
noc.in_buffer
noc.input_speedup
sm.scheduler")) " | sort)"

# ---- options whose values are not modelled are reported
tells() { # name, an option, words
    echo "$2" >"$WORK/more.config"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
    expect "$1" 0 "$3"
}
tells "three instructions per warp" "-gpgpu_max_insn_issue_per_warp 3" \
    "more.config:1: -gpgpu_max_insn_issue_per_warp 3 is not modelled: a warp issues one or two instructions per cycle"
tells "an unknown option" "-gpgpu_n_cluster 3" "more.config:1: -gpgpu_n_cluster is not known, and left out"
tells "an unknown option set twice" $'-gpgpu_n_cluster 3\n-gpgpu_n_cluster 4' "more.config:2: -gpgpu_n_cluster is not known, and left out"
tells "bursts that overlap" $'-gpgpu_dram_burst_length 16\n-gpgpu_dram_timing_opt nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=4:CDLR=5:WR=12:nbkgrp=1:CCDL=0:RTPL=0' \
    "more.config:1: -gpgpu_dram_burst_length 16 is not modelled: bursts take CCD cycles, after which the simulator starts the next"
same "and take CCD" 2 "$(values "$WORK/more.json" | sed -n 's/^dram.burst_cycles //p')"
tells "an interval of 0" "-trace_opcode_latency_initiation_sfu 20,0" \
    "more.config:1: -trace_opcode_latency_initiation_sfu 20,0 is not modelled: a unit that takes an instruction in every cycle has interval 1"
same "is one of 1" 1 "$(values "$WORK/more.json" | sed -n 's/^core.sfu_interval //p')"
tells "a GPU of two chiplets" $'-gpgpu_n_chiplet_partition 2\n-inter_chiplet_queue_size 256\n-gpgpu_chiplet_interleave 0' \
    "more.config:1: -gpgpu_n_chiplet_partition 2 is not modelled: all slices are equally far from all SMs"
coalescer() { # name, options, values
    echo "$2" >"$WORK/more.config"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
    expect "$1" 0
    same "$1: is modelled" "" "$(grep lrc <<<"$err")"
    same "$1: values" "$3" "$(values "$WORK/more.json" | grep '^l2.lrc')"
}
coalescer "a coalescer before the L2" $'-gpgpu_lrc_enabled 1\n-gpgpu_lrc_max_entries 1024\n-gpgpu_lrc_max_merged 4' \
    $'l2.lrc_entries 1024\nl2.lrc_merges 4'
coalescer "its defaults" "-gpgpu_lrc_enabled 1" $'l2.lrc_entries 256\nl2.lrc_merges 32'
coalescer "one that is off" $'-gpgpu_lrc_enabled 0\n-gpgpu_lrc_max_entries 1024' "l2.lrc_entries 0"
for list in 0,8,16,32,64,96=volta 0,8,16,32,64,100=ampere 0,8,16,32,64,100,132,164=a100 0,8,16,32,64,164=a100_accelsim \
    0,8,16,32,64,100,132,164,196,228=hopper 0,8,16,32,64,228=hopper_accelsim; do
    printf '%s\n' "-gpgpu_adaptive_cache_config 1" "-gpgpu_unified_l1d_size 256" "-gpgpu_shmem_option ${list%=*}" \
        "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:256:8,16:0,32" >"$WORK/more.config"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
    same "carve-outs ${list%=*}" "${list#*=}" "$(values "$WORK/more.json" | sed -n 's/^l1.carveouts //p')"
done
tells "a streaming L1 that shares its array" \
    $'-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32\n-gpgpu_adaptive_cache_config 1' "a streaming L1 allocates on fill"
for kind in sp dp sfu; do
    tells "more ways into collectors than out of them" \
        $"-gpgpu_operand_collector_num_in_ports_$kind 4"$'\n'"-gpgpu_operand_collector_num_out_ports_$kind 2" \
        "more.config:1: -gpgpu_operand_collector_num_in_ports_$kind 4 is not modelled: collectors take in as many as they release"
done
printf -- '-gpgpu_operand_collector_num_%s\n' 'units_dp 6' 'in_ports_dp 2' 'out_ports_dp 2' >"$WORK/more.config"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
same "collectors for DP instructions" $'core.dp_collectors 6\ncore.dp_ports 2' "$(values "$WORK/more.json" | grep '^core.dp_[cp]')"
same "are no news" "" "$(grep collector <<<"$err")"
tells "an L2 that is emptied" "-gpgpu_flush_l2_cache 1" \
    "-gpgpu_flush_l2_cache 1 is not modelled: all of the L2 is emptied, not only what was written in the first gpgpu_n_mem slices"
has "it is emptied" "$(values "$WORK/more.json")" "l2.flush true"
tells "L1s that keep their lines" "-gpgpu_flush_l1_cache 0" \
    "more.config:1: -gpgpu_flush_l1_cache 0 is not modelled: L1s are empty when a launch begins"
tells "an index of partitions without a name here" "-gpgpu_memory_partition_indexing 3" "taken as 0, consecutive"
tells "sectors in an L1 that is asked for lines" "-gpgpu_cache:dl1 S:64:128:3,F:L:f:N:H,S:11:7,6" \
    "the L1 has whole lines, as gpgpu_coalesce_arch has"
tells "lines in an L1 that is asked for sectors" "-gpgpu_coalesce_arch 70" "the L1 has sectors, as gpgpu_coalesce_arch has"
tells "a bank's index" "-dram_bnk_indexing_policy 3" "taken as 0, what the address says"
tells "an index without a name here" "-gpgpu_cache:dl1 N:4:128:4,L:L:m:N:C,A:8:8,8" "for its 'C', l1.index is linear"
tells "a narrow port" "-gpgpu_cache:dl1 N:4:128:4,L:L:m:N:L,A:8:8,8:0,32" "in the L1 in one cycle, however narrow"
tells "a write policy" "-gpgpu_cache:dl1 N:4:128:4,L:B:m:W:L,A:8:8,8" "a hit evicts and a miss allocates nothing"
tells "clocks of their own" "-gpgpu_clock_domains 500:600:500:800" "network and L2 have the cores' clock"
tells "unequal queues" "-gpgpu_dram_partition_queues 8:8:8:16" "all four are as long as the first"
tells "an unknown scheduler" "-gpgpu_scheduler old" "taken as gto"
tells "four slices of a channel, and one bank bit below columns" \
    $'-gpgpu_n_sub_partition_per_mchannel 4\n-gpgpu_mem_addr_mapping dramid@8;RRRRRRRR.BBBCCCCB.CSSSSSSS' \
    "more.config:1: -gpgpu_n_sub_partition_per_mchannel 4 is not modelled: the bits of a slice's number are consecutive"
for il1 in N:4:64:2,L:R:f:N:L N:4:128:2,F:R:f:N:L N:4:128:2,L:R:f:N:H; do
    tells "an instruction cache $il1" "-gpgpu_cache:il1 $il1,S:3:9,4" "the instruction cache is LRU with a linear index, and has the lines of dl1"
done
for unit in 1,4,200,4,4,XYZ 1,6,4,6,6,BRA; do
    tells "a unit $unit beside BRA" $'-specialized_unit_4 '$unit$'\n-trace_opcode_latency_initiation_spec_op_4 9,9' \
        "more.config:1: -specialized_unit_4 $unit is not modelled: there are specialised units BRA, TENSOR and UDP"
done
tells "a specialised unit's registers" "-specialized_unit_2 1,6,4,6,5,BRA" "as many places as there are units"
for option in gpgpu_operand_collector_num_in_ports_{gen,mem} gpgpu_operand_collector_num_out_ports_mem; do
    tells "eight ports of collectors" "-$option 8" "more.config:1: -$option 8 is not modelled"
done
generic_ports() { # in, out
    printf -- '-gpgpu_operand_collector_num_in_ports_gen %s\n-gpgpu_operand_collector_num_out_ports_gen %s' "$@"
}
tells "more ways out of the collectors for all units than in" "$(generic_ports 1 8)" \
    "-gpgpu_operand_collector_num_in_ports_gen 1 is not modelled: collectors take in as many as they release"
tells "nine ways" "$(generic_ports 9 9)" \
    "-gpgpu_operand_collector_num_out_ports_gen 9 is not modelled: collectors have at most 8 ways out"
tells "collectors for tensor instructions" \
    $'-gpgpu_tensor_core_avail 1\n-gpgpu_num_tensor_core_units 1\n-gpgpu_pipeline_widths 3,0,0,2,1,3,0,0,2,1,7,1,1' \
    "-gpgpu_operand_collector_num_units_tensor_core 4 is not modelled: tensor instructions have no collectors of their own"
for widths in 2,0,0,2,1,3,0,0,2,1,7 3,0,0,2,1,2,0,0,2,1,7 3,0,0,1,1,3,0,0,2,1,7 3,0,0,2,1,3,0,0,3,1,7 3,0,0,2,1,3,0,0,2,2,7; do
    tells "widths $widths" "-gpgpu_pipeline_widths $widths" \
        "-gpgpu_pipeline_widths $widths is not modelled: registers before and behind the collectors have as many places as there are units"
done
tells "widths of units that are there" $'-gpgpu_num_dp_units 1\n-gpgpu_num_int_units 2' "-gpgpu_pipeline_widths 3,0,0,2,1,3,0,0,2,1,7 is not modelled"
tells "a typing mistake in a latency" "-trace_opcode_latency_initiation_itn 4,1" "initiation_itn is not known, and left out"
tells "a ninth specialised unit" "-specialized_unit_9 1,4,4,4,4,BRA" "specialized_unit_9 is not known, and left out"
tells "slices that are drawn otherwise" "-gpgpu_memory_partition_indexing 4" "but not by rand()"
has "they are drawn" "$(values "$WORK/more.json")" "l2.partition random"
tells "polynomials for other numbers of slices" "-gpgpu_memory_partition_indexing 2" "for 16, 32 and 64 slices"
printf -- '-gpgpu_gmem_skip_L1D 1\n-dram_bnk_indexing_policy 1\n' >"$WORK/more.config"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
expect "global memory past the L1, and another bank index" 0
for value in "core.global_past_l1 true" "l1.access sector" "core.atomic_sectors false" "dram.bank_index xor"; do
    has "then $value" "$(values "$WORK/more.json")" "$value"
done
imports() { # options, values
    printf '%s\n' "$1" >"$WORK/more.config"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
    expect "$1" 0
    has "$1: $2" "$(values "$WORK/more.json")" "$2"
    same "$1: nothing is told" 1 "$(wc -l <<<"$err")"
}
imports "$(generic_ports 8 8)" "core.collector_ports 8"
# what the simulator no longer reads
for option in "-gpgpu_num_mem_units 2" "-gpgpu_reg_bank_use_warp_id 1" "-gpgpu_warp_issue_shader 3" "-l2_ideal 1"; do
    imports "$option" "core.sub_cores false"
done
imports "-gpgpu_perfect_mem 1" "core.perfect_memory true"
imports "-gpgpu_TB_launch_latency 7" "core.cta_launch_cycles 7"
imports "-dram_bnkgrp_indexing_policy 0" "dram.bank_group high_bits"
for value in "scheduler fifo" "queue 2" "return_queue 52"; do imports "-gpgpu_dram_scheduler 0" "dram.$value"; done
same "a FIFO has no queue of writes" "" "$(values "$WORK/more.json" | grep dram.write)"
imports "-gpgpu_scheduler warp_limiting:2:5" "core.swl_scope scheduler"
imports $'-gpgpu_concurrent_kernel_sm 1\n-gpgpu_max_concurrent_kernel 7' "core.concurrent_launches 7"
imports $'-gpgpu_concurrent_kernel_sm 0\n-gpgpu_max_concurrent_kernel 7' "core.concurrent_launches 1"
imports $'-gpgpu_max_insn_issue_per_warp 2\n-gpgpu_dual_issue_diff_exec_units 0' "core.dual_issue any"
imports "-gpgpu_max_insn_issue_per_warp 2" "core.dual_issue different_units"
imports $'-gpgpu_max_insn_issue_per_warp 1\n-gpgpu_dual_issue_diff_exec_units 0' "core.dual_issue off"
imports "-gpgpu_ignore_resources_limitation 1" "sm.oversized_ctas true"
imports $'-gpgpu_coalesce_arch 60\n-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32' "l1.allocation on_fill"
try "$W" import-gpu "$WORK/small/gpgpusim.config" -o "$WORK/more.json"
expect "without trace.config" 0 "no file has latencies of instructions"
has "latencies are the simulator's default" "$(values "$WORK/more.json")" "core.sfu_latency 4"

# ---- sub-cores: registers for each scheduler, ports for all collectors
cat >"$WORK/cores.config" <<'END'
-gpgpu_sub_core_model 1
-gpgpu_enable_specialized_operand_collector 0
-gpgpu_operand_collector_num_units_gen 8
-gpgpu_operand_collector_num_in_ports_gen 8
-gpgpu_operand_collector_num_out_ports_gen 9
-gpgpu_pipeline_widths 2,0,0,2,2,2,0,0,2,4,8
-specialized_unit_2 1,2,4,2,2,BRA
END
cores() { # name, an option, words; none: nothing is told
    { cat "$WORK/cores.config" && echo "$2"; } >"$WORK/more.config"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/more.config" -o "$WORK/more.json"
    expect "sub-cores: $1" 0 "${3:-}"
    [[ -n ${3:-} ]] || same "sub-cores: $1: nothing is told" 1 "$(wc -l <<<"$err")"
}
cores "as they are modelled" ""
cores "a narrow memory register" "-gpgpu_pipeline_widths 2,0,0,2,1,2,0,0,2,2,8" "a place for each scheduler"
same "a narrow memory register has a place for each scheduler, before and behind the collectors" "core.memory_queue 12" \
    "$(values "$WORK/more.json" | grep memory_queue)"
try "$W" run traces/nw.wst --gpu "$WORK/more.json" --kernels 1
expect "and the GPU runs" 0
cores "an uneven memory register" "-gpgpu_pipeline_widths 2,0,0,2,2,2,0,0,2,3,8" "a place for each scheduler"
cores "narrow registers" "-gpgpu_pipeline_widths 1,1,1,1,2,1,1,1,1,2,8" "a place for each scheduler"
cores "a unit's narrow register" "-specialized_unit_2 1,2,4,2,1,BRA" "-specialized_unit_2 1,2,4,2,1,BRA is not modelled"
for way in in out; do
    option=gpgpu_operand_collector_num_${way}_ports_gen
    cores "fewer ports than collectors" "-$option 7" "-$option 7 is not modelled: all collectors can"
done

# ---- Booksim's options: those of another network than GPGPU-Sim's own are reported
booksim() { # an option, its value, words
    { cat "$WORK/small/small.icnt" && echo "$1 = $2;"; } >"$WORK/more.icnt"
    tells "Booksim's $1 $2" "-inter_config_file more.icnt" "${3:--icnt_file:$1 $2 is not modelled}"
}
while read -r option value; do booksim "$option" "$value"; done <<'END'
alloc_iters 2
buf_size 5
buffer_policy shared
classes 2
credit_delay 1
hold_switch_for_packet 1
input_speedup 2
k 8
n 2
noq 1
num_vcs 4
output_buffer_size 4
output_delay 1
output_speedup 2
priority age
router event
routing_delay 7
routing_function dim_order
speculative 1
st_final_delay 2
st_prepare_delay 1
subnets 1
sw_alloc_delay 2
sw_allocator wavefront
topology mesh
use_map 1
vc_alloc_delay 2
vc_allocator wavefront
vc_busy_when_full 1
wait_for_tail_credit 1
ejection_buffer_size 19
END
booksim internal_speedup 1.5 "more.icnt:22: -icnt_file:internal_speedup 1.5 is not modelled: taken as 2, a whole number"
booksim topolgy fly "-icnt_file:topolgy is not known, and left out"
{ cat "$WORK/small/small.icnt" && echo "input_buffer_size = 0;"; } >"$WORK/more.icnt"
imports "-inter_config_file more.icnt" "noc.injection_queue 9"
echo "vc_buf_size = 20;" >"$WORK/more.icnt"
tells "Booksim's own network" "-inter_config_file more.icnt" "GPGPU-Sim's default: -icnt_file:topology torus is not modelled"

# ---- bad configurations: an error, and nothing is written
refuses() { # name, text of the last file, words
    printf '%s' "$2" >"$WORK/bad.config"
    rm -f "$WORK/bad.json"
    try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/bad.config" -o "$WORK/bad.json"
    expect "$1" 3 "$3"
    [[ ! -e $WORK/bad.json ]] || not_ok "$1 leaves no file"
}
refuses "a value without an option" $'\n-gpgpu_n_mem 4 5\n' 'bad.config:2: expected an option (-name value), found "5"'
refuses "an option without a value" "-gpgpu_n_mem" "expected a value of -gpgpu_n_mem, found the end of the file"
refuses "quotes that do not end" $'\n-gpgpu_dram_timing_opt "nbk=16\n\n' "bad.config:2: quotes that do not end"
refuses "no number" "-gpgpu_n_mem many" 'bad.config:1: -gpgpu_n_mem: expected a whole number, found "many"'
long=$(printf 'f%.0s' {1..250})
mkdir "$WORK/$long"
echo "-gpgpu_n_mem many" >"$WORK/$long/bad.config"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/trace.config" "$WORK/$long/bad.config" -o "$WORK/bad.json"
expect "a folder with a long name" 3 "ff/bad.config:1: -gpgpu_n_mem: expected a whole number"
for half in 4x 4:8 4,8 "4;"; do
    refuses "half a number $half" "-gpgpu_n_mem $half" "expected a whole number, found \"$half\""
done
refuses "another separator" "-gpgpu_shader_core_pipeline 512,16:32" "expected at least 1 whole numbers with ':' between them"
refuses "a clock of 0" "-gpgpu_clock_domains 0:500:500:800" "bad.config:1: -gpgpu_clock_domains: expected at least 1 positive numbers"
refuses "too few numbers" "-gpgpu_pipeline_widths 1,2" "expected at least 11 whole numbers with ',' between them"
refuses "widths of GPGPU-Sim 3" "-gpgpu_pipeline_widths 2,1,1,2,1,1,2" \
    "expected the 11 or 13 widths of GPGPU-Sim 4 (configurations of version 3, with seven, are not read)"
refuses "a missing key" '-gpgpu_dram_timing_opt "nbk=16:CCD=2"' "nbkgrp=NUMBER"
refuses "a cache of GPGPU-Sim 3" "-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:32:8,8" "as GPGPU-Sim 4 has it"
refuses "a mapping of another kind" "-gpgpu_mem_addr_mapping dramid@8;RRRRCCCCRRRRBBBBCCCSSSSS" "is not modelled"
refuses "fewer bits than banks" "-gpgpu_mem_addr_mapping dramid@8;RRRRRRRRRRBBBCCCCCCSSSSS" "a bank bit for each doubling of nbk"
refuses "a mapping with an ignored bit" "-gpgpu_mem_addr_mapping dramid@8;RRRRRRRR.0BBCCCCBB.CSSSSSSS" "is not modelled"
letters=$(printf 'C%.0s' {1..70})
for count in 42 60 68 70; do
    refuses "a mapping with $count C in a row" "-gpgpu_mem_addr_mapping dramid@8;RRRRRRRRRRRRRBBB${letters:0:count}BCCSSSSS" \
        'bad.config:1: -gpgpu_mem_addr_mapping: expected at most 62 letters R, B, C and S, found "dramid@8;RRRRRRRRRRRRRBBBCCC'
done
refuses "a cache with another separator" "-gpgpu_cache:dl2 S:32:128:6,L:B:m:L:X,A:77:5,8;0,16" "perhaps :FIFO,PORT"
for rest in 8x0,32 8:0,32junk "8:0," 8:,32 8:0,32,1 8,32 8:-1,32 8:0,12345678; do
    refuses "a cache that ends with $rest" "-gpgpu_cache:dl2 S:32:128:6,L:B:m:L:X,A:77:5,$rest" \
        "perhaps :FIFO,PORT as GPGPU-Sim 4 has it, with KIND N or S (N:32:128:4,L:L:m:N:H,S:64:8,8), found \"S:32:128:6,L:B:m:L:X,A:77:5,$rest\""
done
for kind in dl1 dl2 il1; do
    refuses "a cache of kind Z" "-gpgpu_cache:$kind Z:64:128:3,L:L:f:N:H,S:11:7,6" "with KIND N or S"
done
refuses "a cache of 2^69 bytes" "-gpgpu_cache:dl1 S:9999999:9999999:9999999,L:T:m:L:L,A:512:8,16:0,32" \
    "bad.config:1: -gpgpu_cache:dl1: expected SETS x LINE x WAYS of less than 2 GiB"
refuses "a burst of 2^93 bytes" \
    $'-gpgpu_dram_buswidth 2147483647\n-gpgpu_n_mem_per_ctrlr 2147483647\n-gpgpu_dram_burst_length 2147483644' \
    "bad.config:3: -gpgpu_dram_burst_length: expected a burst that is short enough"
refuses "warps of another size" "-gpgpu_shader_core_pipeline 512:16" "warps of 32"
refuses "an unknown network" "-network_mode 3" "1 (Booksim) or 2"
refuses "no such GPU" "-gpgpu_num_sched_per_core 0" "at least one"
refuses "numbers that contradict each other" "-gpgpu_cache:dl1 N:48:128:3,L:L:m:N:H,S:11:7,6" "a FILE of your own, given last, can override"
has "and where they come from" "$err" "/bad.config:1: gpgpu_cache:dl1 N:48:128:3"
refuses "units that no replay could do without" "-gpgpu_num_sp_units 0" \
    "core.fp_units, core.int_units: expected some of one kind"
has "and where those come from" "$err" "/bad.config:1: gpgpu_num_sp_units 0"
head -c 3000 traces/atax.wst >"$WORK/bad.config"
try "$W" import-gpu "$WORK/bad.config" -o "$WORK/bad.json"
expect "another kind of file" 3 "bad.config:1: expected options of GPGPU-Sim, found a byte 0x89"
try "$W" import-gpu "$WORK/none.config" -o "$WORK/bad.json"
expect "a file that is not there" 1 "none.config: cannot be read"
try "$W" import-gpu /dev/null -o "$WORK/bad.json"
expect "a file without options" 3 "/dev/null: expected options of GPGPU-Sim (-name value), found none"
echo "-inter_config_file none.icnt" >"$WORK/bad.config"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/bad.config" -o "$WORK/bad.json"
expect "a Booksim file that is not there" 1 "bad.config:1: -inter_config_file none.icnt: no such file"
printf 'vc_buf_size 20;\n' >"$WORK/small/bad.icnt"
echo "-inter_config_file bad.icnt" >"$WORK/small/bad.config"
try "$W" import-gpu "$WORK/small/gpgpusim.config" "$WORK/small/bad.config" -o "$WORK/bad.json"
expect "a Booksim file without '='" 3 'bad.icnt:1: expected name = value; found "vc_buf_size"'
try "$W" import-gpu "$WORK/small/gpgpusim.config" -o "$WORK/gpu"
expect "an output that is no preset" 2 "expected NAME.json"
long=a$(printf 'é%.0s' {1..75})
try "$W" import-gpu "$WORK/small/gpgpusim.config" -o "$WORK/$long.json"
expect "a long name of characters of two bytes" 0
has "is whole in the summary" "$(cat "$WORK/$long.json")" "\"summary\": \"$long, from a configuration of GPGPU-Sim\""
echo "{}" >"$WORK/other.json"
try "$W" import-gpu "$WORK/small/gpgpusim.config" -o "$WORK/other.json"
expect "another file is not replaced" 2 "expected a GPU to replace, found another file"
same "and stays" "{}" "$(cat "$WORK/other.json")"
try "$W" import-gpu "$WORK/small/gpgpusim.config" -o "$WORK/none/gpu.json"
expect "a folder that is not there" 1 "none/gpu.json"

# ---- configurations of the simulator give the presets that were written by hand, number by number
reference=${WARPSWEEP_REFERENCE:-${WARPSWEEP_TESTDATA:-/nowhere}/../reference}
if [[ ! -r $reference/configs.csv ]]; then
    skip "presets of the simulator's configurations" "no reference (WARPSWEEP_REFERENCE)"
else
    configuration() { # GPU
        "$W" run traces/reduction.wst --gpu "$1" --set limit.ctas=1 --json 2>/dev/null |
            sed -n '/"configuration": {/,/}/p'
    }
    for config in GTX480 GTX480s GTX480v GTX480vs QV100 QV100s QV100u QV100us RTX3070 RTX3070s; do
        tests/validate/options "$reference/configs.csv" "$config" "$WORK/options"
        try "$W" import-gpu "$WORK/options/gpgpusim.config" -o "$WORK/$config.json"
        expect "$config" 0
        told=
        [[ $config == GTX480?(s) ]] || told="-specialized_unit_2 1,4,200,4,4,TEX is not modelled: there are specialised units BRA, TENSOR and UDP, an option for each"
        same "$config: what is told" "$told" "$(grep -v ' parameters; ' <<<"$err" | sed 's/^[^ ]* //')"
        same "$config is the preset" "$(configuration "accelsim-${config,,}")" "$(configuration "$WORK/$config.json")"
    done
fi
finished
