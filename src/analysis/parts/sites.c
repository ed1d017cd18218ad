#include "analysis/parts/sites.h"

#include "analysis/parts/pcs.h"

#include <stdlib.h>
#include <string.h>

/* ---- life */

static bool every(const void *context, uint32_t static_id) {
    (void)context, (void)static_id;
    return true;
}

static bool note_first(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count) {
    (void)inst;
    const ws_sites *s = context;
    for (uint32_t i = 0; i < count; i++) s->first[static_ids[i]] = static_ids[0];
    return true;
}

bool ws_sites_init(ws_sites *s, const ws_trace *trace) {
    uint32_t count = ws_trace_get_info(trace)->static_count;
    *s = (ws_sites){.trace = trace, .static_count = count};
    s->at = calloc((size_t)count + 1, sizeof *s->at);
    s->first = calloc((size_t)count + 1, sizeof *s->first);
    s->receivers = calloc((size_t)count + 1, sizeof *s->receivers);
    s->loads = calloc((size_t)count + 1, sizeof *s->loads);
    return s->at && s->first && s->receivers && s->loads &&
           ws_pcs_put(trace, WS_PC_OPCODE, every, note_first, s);
}

static void end_launch(ws_sites *s) {
    for (uint32_t i = 0; i < s->load_count; i++) {
        free(s->receivers[s->loads[i]].now);
        s->receivers[s->loads[i]].now = NULL;
    }
    s->load_count = 0;
}

void ws_sites_free(ws_sites *s) {
    end_launch(s);
    for (uint32_t i = 0; s->at && i < s->static_count; i++) free(s->at[i].by_latency);
    free(s->at);
    free(s->first);
    free(s->receivers);
    free(s->loads);
}

void ws_sites_launch(ws_sites *s, uint64_t ctas, uint32_t warps_per_cta) {
    end_launch(s);
    s->launch_warps = ctas * warps_per_cta;
    s->warps_per_cta = warps_per_cta;
}

static uint64_t warp_of(const ws_sites *s, uint32_t cta, uint32_t warp) {
    return (uint64_t)cta * s->warps_per_cta + warp;
}

void ws_sites_issue(ws_sites *s, const ws_timed_issue *issue) {
    ws_site *site = &s->at[issue->static_id];
    site->instructions++;
    site->lanes += issue->lanes;
    site->waits[issue->wait] += issue->ready - issue->before;
    site->waits[WS_TIMED_WAIT_ISSUE] += issue->cycle - issue->ready;
}

/* ---- loads */

static bool make_latencies(ws_site *site, uint64_t count) {
    if (count <= site->latencies) return true;
    uint64_t *grown = realloc(site->by_latency, count * sizeof *grown);
    if (!grown) return false;
    memset(grown + site->latencies, 0, (count - site->latencies) * sizeof *grown);
    site->by_latency = grown;
    site->latencies = count;
    return true;
}

/* If these are the first data that the warp receives from this load instruction, counts the warp. */
static void note_first_data(ws_sites *s, const ws_timed_load *load) {
    uint32_t first = s->first[load->static_id];
    ws_receivers *to = &s->receivers[first];
    uint64_t warp = warp_of(s, load->cta, load->warp), bit = UINT64_C(1) << warp % 64;
    if (!to->now) {
        to->now = calloc(s->launch_warps / 64 + 1, sizeof *to->now);
        if (!to->now) {
            s->failed = true;
            return;
        }
        s->loads[s->load_count++] = first;
    }
    if (to->now[warp / 64] & bit) return;
    to->now[warp / 64] |= bit;
    to->warps++;
    to->cycles_to_data += load->cycle - load->warp_start;
}

void ws_sites_load_end(ws_sites *s, const ws_timed_load *load) {
    ws_site *site = &s->at[load->static_id];
    uint64_t latency = load->cycle - load->issued;
    if (latency >= site->latencies && !make_latencies(site, 2 * latency + 64)) {
        s->failed = true;
        return;
    }
    site->loads++;
    site->load_cycles += latency;
    site->merged += load->merged;
    site->by_latency[latency]++;
    note_first_data(s, load);
}

void ws_sites_access(ws_sites *s, const ws_timed_access *access) {
    if (access->op == WS_MEMORY_LOAD) s->at[access->static_id].accesses[access->status]++;
}

void ws_sites_warp_end(ws_sites *s, const ws_timed_warp_life *life) {
    uint64_t warp = warp_of(s, life->cta, life->warp), lived = life->end - life->start;
    s->warps++;
    s->warp_cycles += lived;
    for (uint32_t i = 0; i < s->load_count; i++) {
        ws_receivers *of = &s->receivers[s->loads[i]];
        if (of->now[warp / 64] >> warp % 64 & 1) of->lives += lived;
    }
}

/* ---- sums */

bool ws_site_add(ws_site *to, const ws_site *from) {
    if (!make_latencies(to, from->latencies)) return false;
    for (uint64_t i = 0; i < from->latencies; i++) to->by_latency[i] += from->by_latency[i];
    for (int i = 0; i < WS_TIMED_STATUSES; i++) to->accesses[i] += from->accesses[i];
    to->merged += from->merged;
    to->instructions += from->instructions;
    to->lanes += from->lanes;
    for (int i = 0; i < WS_TIMED_WAITS; i++) to->waits[i] += from->waits[i];
    to->loads += from->loads;
    to->load_cycles += from->load_cycles;
    return true;
}

uint64_t ws_site_cycles(const ws_site *site) {
    uint64_t cycles = 0;
    for (int i = 0; i < WS_TIMED_WAITS; i++) cycles += site->waits[i];
    return cycles;
}

typedef struct listener {
    const ws_sites *sites;
    ws_site_tell *tell;
    void *context;
} listener;

static bool has_issued(const void *context, uint32_t static_id) {
    return ((const listener *)context)->sites->at[static_id].instructions > 0;
}

static bool tell_sum(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count) {
    const listener *to = context;
    ws_site sum = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) ok = ws_site_add(&sum, &to->sites->at[static_ids[i]]);
    if (ok) to->tell(to->context, inst, &sum, &to->sites->receivers[to->sites->first[static_ids[0]]]);
    free(sum.by_latency);
    return ok;
}

bool ws_sites_each(const ws_sites *s, ws_site_tell *tell, void *context) {
    listener to = {s, tell, context};
    return ws_pcs_put(s->trace, WS_PC_OPCODE, has_issued, tell_sum, &to);
}

uint64_t ws_site_latency(const ws_site *site, uint64_t thousandths) {
    uint64_t rank = (site->loads * thousandths + 999) / 1000, latency = 0, seen = site->by_latency[0];
    while (seen < rank) seen += site->by_latency[++latency];
    return latency;
}
