/* The sum of what all parts have counted. */
#include "timed/engine.h"

ws_timed_counters ws_count_all(const ws_engine *e, uint64_t cycle) {
    ws_timed_counters c = {.ctas = e->started};
    for (uint32_t i = 0; i < e->sm_count; i++) {
        const ws_sm_counters *s = &e->sms[i].counters;
        c.warp_instructions += s->warp_instructions;
        c.arithmetic_instructions += s->arithmetic_instructions;
        c.thread_instructions += s->thread_instructions;
        c.l1_accesses += s->accesses;
        c.l1_hits += s->probes[WS_PROBE_HIT];
        c.l1_pending_hits += s->probes[WS_PROBE_PENDING];
        c.l1_misses += s->probes[WS_PROBE_MISS] + s->probes[WS_PROBE_FULL];
        c.l1_sector_misses += s->probes[WS_PROBE_SECTOR_MISS];
        c.l1_bypasses += s->bypasses;
        c.l1_miss_port_waits += s->miss_port_waits;
        c.l1_busy_cycles += s->l1_busy_cycles;
        c.l1_retries_set_full += s->fail_retries[WS_FAIL_SET_FULL];
        c.l1_retries_mshr_full += s->fail_retries[WS_FAIL_MSHR_FULL];
        c.l1_retries_merge_full += s->fail_retries[WS_FAIL_MERGE_FULL];
        c.l1_retries_miss_queue_full += s->fail_retries[WS_FAIL_MISS_QUEUE_FULL];
        c.sm_busy_cycles += s->busy_cycles;
        c.warp_cycles += s->warp_cycles;
        c.scheduler_issues += s->scheduler_cycles[WS_DOING_ISSUE];
        c.scheduler_memory += s->scheduler_cycles[WS_DOING_MEMORY];
        c.scheduler_unit += s->scheduler_cycles[WS_DOING_UNIT];
        c.scheduler_data += s->scheduler_cycles[WS_DOING_DATA];
        c.scheduler_barrier += s->scheduler_cycles[WS_DOING_BARRIER];
        c.scheduler_fetch += s->scheduler_cycles[WS_DOING_FETCH];
        c.scheduler_empty += s->scheduler_cycles[WS_DOING_EMPTY];
        c.memory_waiting += s->memory_waiting;
        c.memory_waiting_cycles += s->memory_waiting_cycles;
        c.loads += s->loads;
        c.icache_accesses += s->icache_accesses;
        c.icache_misses += s->icache_misses;
        c.load_cycles += s->load_cycles;
    }
    for (uint32_t i = 0; i < e->slice_count; i++) {
        const ws_slice_counters *s = &e->slices[i].counters;
        c.l2_accesses += s->accesses;
        c.l2_hits += s->hits;
        c.l2_pending_hits += s->pending_hits;
        c.l2_misses += s->misses;
        c.l2_sector_misses += s->sector_misses;
        c.l2_retries += s->retries;
        c.l2_merged += s->merged;
    }
    for (uint32_t i = 0; i < e->channel_count; i++) {
        ws_channel_counters s = ws_channel_count(e, &e->channels[i], cycle);
        c.dram_reads += s.reads;
        c.dram_writes += s.writes;
        c.dram_activates += s.activates;
        c.dram_requests += s.requests;
        c.dram_row_hits += s.row_hits;
    }
    c.dram_bytes = (c.dram_reads + c.dram_writes) * (uint64_t)e->dram->atom_B;
    ws_network_counts to_memory = ws_network_count(e, &e->requests), to_sm = ws_network_count(e, &e->replies);
    c.noc_packets_to_memory = to_memory.packets;
    c.noc_reads = to_memory.without_data;
    c.noc_packets_to_sm = to_sm.packets;
    c.noc_bytes_to_memory = to_memory.bytes;
    c.noc_bytes_to_sm = to_sm.bytes;
    c.noc_flits_to_memory = to_memory.flits;
    c.noc_flits_to_sm = to_sm.flits;
    return c;
}
