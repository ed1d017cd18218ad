#include "naive.h"

#include "replay/dispatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLOTS = 64, NOBODY = -1 };

typedef struct inst {
    uint32_t id;
    uint64_t mask;
    unsigned lanes;
    uint64_t *threads;            /* of the active lanes: their numbers in the launch */
    uint64_t *traced, *addresses; /* in the trace; as told, where local memory is each thread's own */
    bool issued;
    uint16_t uniform;
    uint64_t *values; /* NULL: unknown */
} inst;

typedef struct warp {
    bool there; /* the slot has an unfinished warp */
    uint32_t id, cta;
    uint64_t launch;
    inst *insts;
    size_t count, next, issues; /* issues: instructions still to be issued */
    uint64_t ready;             /* the first step in which it may issue */
    bool at_barrier;
} warp;

typedef struct sm {
    warp warps[SLOTS];
    bool cta_there[SLOTS];
    int last[8]; /* per scheduler: the slot that it issued from last */
} sm;

typedef struct machine {
    const ws_trace *trace;
    uint32_t kernel, sms, warps_per_cta, ctas_per_sm;
    const ws_sm_params *params;
    const ws_coalesce_params *coalesce;
    const ws_order_params *order;
    ws_dispatcher *dispatcher;
    ws_reader *reader;
    sm *sm;
    uint64_t launches;
    stream out;
    ws_order_counters *counters;
} machine;

/* Where a thread of the launch has byte `at` of its own local memory, in the region of units of so many bytes: the
 * first unit of all threads comes first, then the second unit of all. */
static uint64_t local_byte(const machine *m, uint64_t thread, uint64_t at, unsigned unit_B) {
    const ws_kernel *k = ws_trace_kernel(m->trace, m->kernel);
    uint64_t warp_size = ws_trace_get_info(m->trace)->warp_size, threads = m->warps_per_cta * warp_size,
             ctas = (uint64_t)k->grid.x * k->grid.y * k->grid.z, row_B = threads * ctas * unit_B;
    return (UINT64_C(1) << 61) + unit_B * (UINT64_C(1) << 52) + at / unit_B * row_B + thread * unit_B +
           at % unit_B;
}

static void load_lanes(const machine *m, inst *to, const ws_static *s, const uint64_t *traced,
                       uint64_t first_thread) {
    unsigned lane = 0;
    for (unsigned i = 0; i < 64 && lane < to->lanes; i++) {
        if (!(to->mask >> i & 1)) continue;
        to->threads[lane] = first_thread + i;
        to->traced[lane] = to->addresses[lane] = traced[lane];
        if (s->space == WS_SPACE_LOCAL)
            to->addresses[lane] =
                local_byte(m, first_thread + i, traced[lane], s->width_B > 4 ? s->width_B : 4);
        lane++;
    }
}

static void load_warp(const machine *m, warp *w, const ws_warp *from, uint64_t first_thread) {
    w->insts = calloc(from->inst_count + 1, sizeof *w->insts);
    for (uint32_t i = 0; i < from->inst_count; i++) {
        const ws_static *s = &ws_trace_statics(m->trace)[from->static_id[i]];
        inst *to = &w->insts[w->count++];
        *to = (inst){.id = from->static_id[i],
                     .mask = from->mask[i],
                     .lanes = from->address_at[i + 1] - from->address_at[i],
                     .issued = s->class_ != WS_CLASS_META || m->order->issue_meta};
        w->issues += to->issued;
        to->threads = malloc(to->lanes * sizeof *to->threads + 1);
        to->traced = malloc(to->lanes * sizeof *to->traced + 1);
        to->addresses = malloc(to->lanes * sizeof *to->addresses + 1);
        load_lanes(m, to, s, from->addresses + from->address_at[i], first_thread);
        if (!from->value_at) continue;
        size_t values = from->value_at[i + 1] - from->value_at[i];
        to->uniform = from->uniform[i];
        to->values = malloc(values * sizeof *to->values + 1);
        if (values) memcpy(to->values, from->values + from->value_at[i], values * sizeof *to->values);
    }
}

static void unload_warp(warp *w) {
    for (size_t i = 0; i < w->count; i++) {
        free(w->insts[i].threads);
        free(w->insts[i].traced);
        free(w->insts[i].addresses);
        free(w->insts[i].values);
    }
    free(w->insts);
    *w = (warp){0};
}

static uint32_t number_of(const machine *m, const warp *w) {
    return w->cta * m->warps_per_cta + w->id;
}

/* Records the warp's next instruction, whether it is issued or not, and steps over it. */
static const inst *tell(machine *m, uint32_t where, uint32_t slot, warp *w) {
    const inst *in = &w->insts[w->next++];
    bool accesses = ws_trace_statics(m->trace)[in->id].op != WS_MEMORY_NONE;
    size_t values = (size_t)__builtin_popcount(in->uniform);
    stream_add_inst(&m->out,
                    (inst_record){.mask = in->mask,
                                  .inst = in->id,
                                  .warp = number_of(m, w),
                                  .cta = w->cta,
                                  .sm = (uint16_t)where,
                                  .slot = (uint8_t)slot,
                                  .issued = in->issued,
                                  .uniform = in->uniform,
                                  .address = accesses ? stream_keep(&m->out, in->addresses, in->lanes) : NULL,
                                  .values = in->values ? stream_keep(&m->out, in->values, values) : NULL});
    return in;
}

static void tell_rest(machine *m, uint32_t where, uint32_t slot, warp *w) {
    while (w->next < w->count) tell(m, where, slot, w);
    unload_warp(w);
}

static bool cta_has_warps(const machine *m, const sm *s, uint32_t slot) {
    for (uint32_t w = 0; w < m->warps_per_cta; w++)
        if (s->warps[slot * m->warps_per_cta + w].there) return true;
    return false;
}

static void dispatch(machine *m, uint64_t when) {
    ws_error err;
    uint32_t where, ordinal;
    while (ws_dispatcher_next(m->dispatcher, &where, &ordinal)) {
        sm *s = &m->sm[where];
        ws_cta cta;
        assert_true(ws_reader_cta(m->reader, m->kernel, ordinal, &cta, &err));
        uint32_t slot = 0;
        while (s->cta_there[slot]) slot++;
        m->launches++;
        ws_dim3 grid = ws_trace_kernel(m->trace, m->kernel)->grid;
        uint64_t warps_before =
            m->warps_per_cta * (cta.id.x + grid.x * (cta.id.y + (uint64_t)grid.y * cta.id.z));
        for (uint32_t i = 0; i < cta.warp_count; i++) {
            uint32_t at = slot * m->warps_per_cta + cta.warps[i].id;
            warp *w = &s->warps[at];
            *w = (warp){
                .there = true, .id = cta.warps[i].id, .cta = ordinal, .launch = m->launches, .ready = when};
            load_warp(m, w, &cta.warps[i],
                      (warps_before + cta.warps[i].id) * ws_trace_get_info(m->trace)->warp_size);
            if (w->issues == 0) tell_rest(m, where, at, w);
            for (int k = 0; k < m->params->schedulers; k++)
                if (m->params->scheduler == WS_SCHEDULER_GTO && s->last[k] == (int)at) s->last[k] = NOBODY;
        }
        s->cta_there[slot] = cta_has_warps(m, s, slot);
        if (!s->cta_there[slot]) ws_dispatcher_ended(m->dispatcher, where);
    }
}

/* Local memory is asked for word by word: the first word of all lanes, then the second. */
static unsigned requests_of(const machine *m, const inst *in, const ws_static *s, naive_request *out) {
    unsigned line_B = (unsigned)m->coalesce->line_B, count = 0;
    if (s->space != WS_SPACE_LOCAL) return naive_coalesce(in->addresses, in->lanes, s->width_B, line_B, out);
    for (unsigned byte = 0; byte < s->width_B; byte += 4) {
        uint64_t words[64];
        for (unsigned lane = 0; lane < in->lanes; lane++)
            words[lane] = local_byte(m, in->threads[lane], in->traced[lane] + byte, 4);
        count += naive_coalesce(words, in->lanes, s->width_B < 4 ? s->width_B : 4, line_B, out + count);
    }
    return count;
}

static void emit(machine *m, uint32_t where, uint32_t slot, const warp *w, const inst *in, const ws_static *s,
                 uint64_t now) {
    static naive_request requests[WS_BATCH_MAX];
    unsigned count = requests_of(m, in, s, requests);
    const uint64_t *lane_address = stream_keep(&m->out, in->addresses, in->lanes);
    for (unsigned i = 0; i < count; i++)
        stream_add(&m->out,
                   (record){.line = requests[i].line,
                            .words = naive_words(&requests[i]),
                            .step = now,
                            .warp = number_of(m, w),
                            .cta = w->cta,
                            .inst = in->id,
                            .sm = (uint16_t)where,
                            .bytes = (uint16_t)naive_bytes(&requests[i]),
                            .slot = (uint8_t)slot,
                            .op = s->op,
                            .local = s->space == WS_SPACE_LOCAL,
                            .sectors = (uint8_t)naive_sectors(&requests[i], (unsigned)m->coalesce->sector_B),
                            .nth = (uint16_t)i,
                            .of = (uint16_t)count,
                            .lanes = (uint8_t)in->lanes,
                            .lane_address = lane_address});
    m->counters->requests += count;
    m->counters->memory_instructions++;
}

static void issue(machine *m, uint32_t where, uint32_t slot, uint64_t now) {
    warp *w = &m->sm[where].warps[slot];
    while (!w->insts[w->next].issued) tell(m, where, slot, w);
    const inst *in = tell(m, where, slot, w);
    const ws_static *s = &ws_trace_statics(m->trace)[in->id];
    m->counters->warp_instructions++;
    for (uint64_t lanes = in->mask; lanes; lanes &= lanes - 1) m->counters->thread_instructions++;
    m->counters->steps = now + 1;
    w->ready = now + 1;
    if (in->mask != 0 && ws_static_is_global_or_local(s)) {
        emit(m, where, slot, w, in, s, now);
        if (s->op == WS_MEMORY_LOAD || s->op == WS_MEMORY_ATOMIC)
            w->ready = now + 1 + (uint64_t)m->order->load_delay_issues;
    }
    if (s->class_ == WS_CLASS_BARRIER && in->mask != 0) w->at_barrier = true;
    if (--w->issues == 0) tell_rest(m, where, slot, w);
}

static int pick(const machine *m, const sm *s, int scheduler, uint64_t now) {
    int best = NOBODY, last = s->last[scheduler], slots = SLOTS, schedulers = (int)m->params->schedulers;
    for (int j = 1; j <= slots; j++) {
        int slot = (last + j) % slots;
        const warp *w = &s->warps[slot], *b = &s->warps[best < 0 ? 0 : best];
        if (slot % schedulers != scheduler || !w->there || w->at_barrier || w->ready > now) continue;
        if (m->params->scheduler == WS_SCHEDULER_LRR) return slot;
        if (slot == last) return slot;
        if (best == NOBODY || w->launch < b->launch || (w->launch == b->launch && w->id < b->id)) best = slot;
    }
    return best;
}

/* Opens barriers at which all unfinished warps of a CTA wait, and ends CTAs that have no unfinished warps. */
static void settle(machine *m, uint32_t where, uint64_t now) {
    sm *s = &m->sm[where];
    for (uint32_t slot = 0; slot < m->ctas_per_sm; slot++) {
        warp *w = &s->warps[slot * m->warps_per_cta];
        bool all = true;
        for (uint32_t i = 0; i < m->warps_per_cta; i++) all &= !w[i].there || w[i].at_barrier;
        for (uint32_t i = 0; all && i < m->warps_per_cta; i++)
            if (w[i].at_barrier) {
                w[i].at_barrier = false;
                w[i].ready = now + 1;
            }
        if (s->cta_there[slot] && !cta_has_warps(m, s, slot)) {
            s->cta_there[slot] = false;
            ws_dispatcher_ended(m->dispatcher, where);
        }
    }
}

static bool busy(const machine *m) {
    for (uint32_t i = 0; i < m->sms; i++)
        for (uint32_t slot = 0; slot < m->ctas_per_sm; slot++)
            if (m->sm[i].cta_there[slot]) return true;
    return false;
}

/* The number of instructions that one CTA issues. */
static int64_t issues_of(const ws_trace *trace, uint32_t kernel, uint32_t ordinal, bool issue_meta) {
    ws_error err;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    int64_t issues = 0;
    assert_true(ws_reader_cta(reader, kernel, ordinal, &cta, &err));
    for (uint32_t w = 0; w < cta.warp_count; w++)
        for (uint32_t i = 0; i < cta.warps[w].inst_count; i++)
            if (issue_meta || ws_trace_statics(trace)[cta.warps[w].static_id[i]].class_ != WS_CLASS_META)
                issues++;
    ws_reader_free(reader);
    return issues;
}

/* The number of CTAs that run: each does unless those before it reach the limit on CTAs or on issued instructions. */
static uint32_t naive_ctas(const ws_trace *trace, uint32_t kernel, const ws_config *config) {
    const ws_limit_params *limit = ws_config_get(config, &ws_limit_component);
    const ws_order_params *order = ws_config_get(config, &ws_order_component);
    const uint32_t all = (uint32_t)ws_trace_kernel(trace, kernel)->counters.ctas;
    int64_t issues = 0;
    for (uint32_t cta = 0; cta < all; cta++) {
        if (limit->ctas > 0 && cta >= limit->ctas) return cta;
        if (limit->warp_instructions > 0 && issues >= limit->warp_instructions) return cta;
        issues += issues_of(trace, kernel, cta, order->issue_meta);
    }
    return all;
}

stream naive_order(const ws_trace *trace, uint32_t kernel, const ws_config *config,
                   ws_order_counters *counters) {
    ws_error err;
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    machine m = {.trace = trace,
                 .kernel = kernel,
                 .sms = (uint32_t)(gpu->clusters * gpu->sms_per_cluster),
                 .params = ws_config_get(config, &ws_sm_component),
                 .coalesce = ws_config_get(config, &ws_coalesce_component),
                 .order = ws_config_get(config, &ws_order_component),
                 .reader = ws_reader_new(trace, &err),
                 .counters = counters};
    if (ws_trace_get_info(trace)->features & WS_FEATURE_VALUES)
        assert_true(ws_reader_with_values(m.reader, &err));
    ws_occupancy occupancy =
        ws_occupancy_of(ws_trace_kernel(trace, kernel), ws_trace_get_info(trace)->warp_size, m.params);
    m.warps_per_cta = occupancy.warps_per_cta;
    m.ctas_per_sm = occupancy.ctas_per_sm;
    const uint32_t ctas = naive_ctas(trace, kernel, config);
    m.dispatcher = ws_dispatcher_new(gpu, m.ctas_per_sm, ctas, NULL);
    m.sm = calloc(m.sms, sizeof *m.sm);
    *counters = (ws_order_counters){.ctas = ctas};
    for (uint32_t i = 0; i < m.sms; i++)
        for (int k = 0; k < 8; k++) m.sm[i].last[k] = NOBODY;
    dispatch(&m, 0);
    for (uint64_t now = 0; busy(&m); now++) {
        for (uint32_t i = 0; i < m.sms; i++)
            for (int k = 0; k < m.params->schedulers; k++) {
                int slot = pick(&m, &m.sm[i], k, now);
                if (slot == NOBODY) continue;
                m.sm[i].last[k] = slot;
                issue(&m, i, (uint32_t)slot, now);
            }
        for (uint32_t i = 0; i < m.sms; i++) settle(&m, i, now);
        dispatch(&m, now + 1);
    }
    ws_dispatcher_free(m.dispatcher);
    ws_reader_free(m.reader);
    free(m.sm);
    return m.out;
}
