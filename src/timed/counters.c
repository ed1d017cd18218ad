#include "timed/counters.h"

#include "base/bits.h"
#include "timed/memory/channel.h"
#include "timed/sm/core.h"

/* ---- what all parts have counted */

static void add_sm(ws_timed_counters *c, const ws_sm *sm) {
    const ws_sm_counters *s = &sm->counters;
    c->warp_instructions += s->warp_instructions;
    c->arithmetic_instructions += s->arithmetic_instructions;
    c->thread_instructions += s->thread_instructions;
    c->l1_accesses += s->accesses;
    c->l1_hits += s->probes[WS_PROBE_HIT];
    c->l1_pending_hits += s->probes[WS_PROBE_PENDING];
    c->l1_misses += s->probes[WS_PROBE_MISS] + s->probes[WS_PROBE_FULL];
    c->l1_sector_misses += s->probes[WS_PROBE_SECTOR_MISS];
    c->l1_bypasses += s->bypasses;
    c->l1_miss_port_waits += s->miss_port_waits;
    c->l1_busy_cycles += s->l1_busy_cycles;
    c->l1_stalls_set_full += s->fail_stalls[WS_FAIL_SET_FULL];
    c->l1_stalls_mshr_full += s->fail_stalls[WS_FAIL_MSHR_FULL];
    c->l1_stalls_merge_full += s->fail_stalls[WS_FAIL_MERGE_FULL];
    c->l1_stalls_miss_queue_full += s->fail_stalls[WS_FAIL_MISS_QUEUE_FULL];
    c->l1_retries_set_full += s->fail_retries[WS_FAIL_SET_FULL];
    c->l1_retries_mshr_full += s->fail_retries[WS_FAIL_MSHR_FULL];
    c->l1_retries_merge_full += s->fail_retries[WS_FAIL_MERGE_FULL];
    c->l1_retries_miss_queue_full += s->fail_retries[WS_FAIL_MISS_QUEUE_FULL];
    c->sm_busy_cycles += s->busy_cycles;
    c->warp_cycles += s->warp_cycles;
    c->scheduler_issues += s->scheduler_cycles[WS_DOING_ISSUE];
    c->scheduler_memory += s->scheduler_cycles[WS_DOING_MEMORY];
    c->scheduler_unit += s->scheduler_cycles[WS_DOING_UNIT];
    c->scheduler_data += s->scheduler_cycles[WS_DOING_DATA];
    c->scheduler_barrier += s->scheduler_cycles[WS_DOING_BARRIER];
    c->scheduler_fetch += s->scheduler_cycles[WS_DOING_FETCH];
    c->scheduler_empty += s->scheduler_cycles[WS_DOING_EMPTY];
    c->memory_waiting += s->memory_waiting;
    c->memory_waiting_cycles += s->memory_waiting_cycles;
    c->loads += s->loads;
    c->icache_accesses += s->icache_accesses;
    c->icache_misses += s->icache_misses;
    c->load_cycles += s->load_cycles;
}

static void add_slice(ws_timed_counters *c, const ws_slice *slice) {
    const ws_slice_counters *s = &slice->counters;
    c->l2_accesses += s->accesses;
    c->l2_hits += s->hits;
    c->l2_pending_hits += s->pending_hits;
    c->l2_misses += s->misses;
    c->l2_sector_misses += s->sector_misses;
    c->l2_stalls += s->stalls;
    c->l2_retries += s->retries;
    c->l2_merged += s->merged;
}

static void add_channel(ws_timed_counters *c, const ws_engine *e, const ws_channel *channel, uint64_t cycle) {
    ws_dram_counts s = ws_channel_count(e, channel, cycle);
    c->dram_reads += s.reads;
    c->dram_writes += s.writes;
    c->dram_activates += s.activates;
    c->dram_requests += s.requests;
    c->dram_row_hits += s.row_hits;
}

static void add_networks(ws_timed_counters *c, const ws_engine *e) {
    ws_network_counts to_memory = ws_network_count(e, &e->requests), to_sm = ws_network_count(e, &e->replies);
    c->noc_packets_to_memory = to_memory.packets;
    c->noc_reads = to_memory.without_data;
    c->noc_packets_to_sm = to_sm.packets;
    c->noc_bytes_to_memory = to_memory.bytes;
    c->noc_bytes_to_sm = to_sm.bytes;
    c->noc_flits_to_memory = to_memory.flits;
    c->noc_flits_to_sm = to_sm.flits;
}

/* Returns the sum: of slices, channels and networks since they were built, of SMs since they were created for the
 * present launch. Channels may be ahead: of them, by the end of core cycle `cycle`. */
static ws_timed_counters count_all(const ws_engine *e, uint64_t cycle) {
    ws_timed_counters c = {.ctas = e->started};
    for (uint32_t i = 0; i < e->sm_count; i++) add_sm(&c, &e->sms[i]);
    for (uint32_t i = 0; i < e->slice_count; i++) add_slice(&c, &e->slices[i]);
    for (uint32_t i = 0; i < e->channel_count; i++) add_channel(&c, e, &e->channels[i], cycle);
    c.dram_bytes = (c.dram_reads + c.dram_writes) * (uint64_t)e->dram->atom_B;
    add_networks(&c, e);
    return c;
}

/* ---- a launch's share of that */

static ws_timed_counters difference(const ws_timed_counters *after, const ws_timed_counters *before) {
    ws_timed_counters d;
#define X(name, unit, help) d.name = after->name - before->name;
    WS_TIMED_COUNTERS(X)
#undef X
    return d;
}

ws_tally ws_tally_new(const ws_engine *e) {
    return (ws_tally){.before = count_all(e, e->now), .next_sample = WS_NEVER};
}

ws_timed_counters ws_tally_counters(ws_engine *e, const ws_tally *tally, uint64_t cycle) {
    for (uint32_t i = 0; i < e->sm_count; i++) ws_sm_account(e, &e->sms[i], cycle);
    ws_timed_counters now = count_all(e, cycle), counters = difference(&now, &tally->before);
    counters.cycles = cycle - e->launched;
    counters.sm_cycles = counters.cycles * e->sm_count;
    counters.partition_cycles = counters.cycles * e->channel_count;
    bool by_outputs = e->noc->input_speedup; /* an input port gives several packets in a cycle */
    counters.noc_port_cycles_to_memory = counters.cycles * (by_outputs ? e->slice_count : e->port_count);
    counters.noc_port_cycles_to_sm = counters.cycles * (by_outputs ? e->port_count : e->slice_count);
    counters.dram_busy_cycles =
        (counters.dram_reads + counters.dram_writes) * (uint64_t)e->dram->burst_cycles;
    counters.dram_cycles = (uint64_t)((double)counters.cycles * e->dram->clock_ratio) * e->channel_count;
    return counters;
}

/* ---- samples */

static void tell_sample(ws_engine *e, const ws_tally *tally, uint64_t cycle, bool last) {
    ws_timed_counters counters = ws_tally_counters(e, tally, cycle);
    ws_timed_sample sample = {.cycle = counters.cycles, .counters = &counters, .last = last};
    for (uint32_t i = 0; i < e->sm_count; i++) {
        const ws_sm *sm = &e->sms[i];
        sample.ctas += sm->resident;
        for (uint32_t k = 0; k < sm->resident; k++)
            sample.warps += ws_count_bits(sm->cta_warps[sm->by_age[k]]);
        sample.mshr_entries += sm->mshr.used;
    }
    e->taps.sample(e->taps.self, &sample);
}

void ws_tally_begin(const ws_engine *e, ws_tally *tally) {
    if (e->taps.sample && e->taps.sample_cycles) tally->next_sample = e->launched + e->taps.sample_cycles;
}

void ws_tally_tell_samples(ws_engine *e, ws_tally *tally) {
    for (; tally->next_sample < e->now; tally->next_sample += e->taps.sample_cycles)
        tell_sample(e, tally, tally->next_sample, false);
}

void ws_tally_end(ws_engine *e, const ws_tally *tally) {
    if (e->taps.sample) tell_sample(e, tally, e->now, true);
}
