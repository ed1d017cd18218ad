/* The timed engine as a whole: builds the parts, runs a launch cycle by cycle, and collects what the parts counted. */
#include "base/array.h"
#include "timed/counters.h"
#include "timed/gpu.h"
#include "timed/l1/lsu.h"
#include "timed/mechanism_counts.h"
#include "timed/memory/channel.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/sm/collect.h"
#include "timed/sm/core.h"
#include "timed/turns.h"

#include <string.h>

struct ws_timed {
    const ws_trace *trace;
    ws_reader *reader;
    ws_config *config;
    ws_engine engine;
    uint64_t counts[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX]; /* of the last launch */
    ws_timed_share share;                                        /* of that, if it ran alone */
    uint32_t first, ran; /* the last launches that ran: the first of them, and how many there are */
    /* a launch failed half-way: what was in flight then would come to SMs that do not wait for it */
    bool given_up;
};

/* ---- life */

static bool share(ws_engine *e) {
    bool core = e->core_slot && e->core_slot->share, front = e->front_slot && e->front_slot->share;
    if (core) e->core_shared = e->core_slot->share(e);
    if (front) e->front_shared = e->front_slot->share(e);
    return (!core || e->core_shared) && (!front || e->front_shared);
}

/* Networks, slices and channels live as long as the GPU. */
static bool build_memory(ws_engine *e) {
    if (!ws_packets_init(&e->packets)) return false;
    e->slices = calloc(e->slice_count, sizeof *e->slices);
    e->channels = calloc(e->channel_count, sizeof *e->channels);
    if (!e->slices || !e->channels) return false;
    for (uint32_t i = 0; i < e->slice_count; i++)
        if (!ws_slice_init(e, &e->slices[i], i)) return false;
    for (uint32_t i = 0; i < e->channel_count; i++)
        if (!ws_channel_init(e, &e->channels[i], i)) return false;
    return ws_network_init(&e->requests, e->port_count, e->slice_count, true, e->noc, e->l1->line_B) &&
           ws_network_init(&e->replies, e->slice_count, e->port_count, false, e->noc, e->l1->line_B) &&
           ws_agendas_init(e);
}

/* Puts the mechanisms that the configuration names into their slots. */
static bool seat_mechanisms(ws_timed *t, ws_error *err) {
    ws_engine *e = &t->engine;
    e->reorders = e->core->coalescers > 1;
    if (!ws_mechanisms_of(t->config, &e->mechanisms, err)) return false;
    for (size_t i = 0; i < e->mechanisms.count; i++) {
        const ws_mechanism *m = e->mechanisms.at[i];
        const void *params = ws_config_get(t->config, m->component);
        if (m->dispatch) e->dispatch_slot = m->dispatch, e->dispatch_params = params;
        if (m->core) e->core_slot = m->core, e->core_params = params;
        if (m->core && m->core->takes && t->trace && !m->core->takes(params, t->trace, err)) return false;
        if (m->front) {
            e->front_slot = m->front;
            e->front_params = params;
            e->reorders |= m->front->reorders(params);
        }
        if (m->l1 && m->l1_by(t->config)) e->l1_slot = m->l1, e->l1_params = params;
        if (m->fetch) e->fetch_slot = m->fetch, e->fetch_params = params;
        if (m->cluster) e->cluster_slot = m->cluster, e->cluster_params = params;
        if (m->partition) e->partition_slot = m->partition, e->partition_params = params;
    }
    bool limits_schedulers =
        e->sm_params->scheduler == WS_SCHEDULER_SWL && e->core->swl_scope == WS_SWL_OF_SCHEDULER;
    e->schedules_always = e->core_slot || (e->front_slot && e->front_slot->admits) || limits_schedulers ||
                          e->sm_params->scheduler == WS_SCHEDULER_TWO_LEVEL;
    e->admits_all =
        e->sm_params->scheduler == WS_SCHEDULER_LRR || e->sm_params->scheduler == WS_SCHEDULER_GTO;
    e->is_greedy = e->sm_params->scheduler == WS_SCHEDULER_GTO ||
                   (e->sm_params->scheduler == WS_SCHEDULER_SWL && e->core->swl_base == WS_SCHEDULER_GTO);
    e->schedulers = ws_divisor_of((uint64_t)e->sm_params->schedulers);
    ws_l1_lay_out(e);
    return true;
}

/* Creates a GPU that has been checked, but of which nothing is built yet. */
static ws_timed *design(const ws_trace *trace, const ws_config *config, ws_error *err) {
    static const ws_component *const needed[] = {&ws_gpu_component,  &ws_sm_component,  &ws_order_component,
                                                 &ws_core_component, &ws_l1_component,  &ws_noc_component,
                                                 &ws_l2_component,   &ws_dram_component};
    if (!ws_config_has(config, needed, WS_COUNT(needed), err)) return NULL;
    ws_timed *t = calloc(1, sizeof *t);
    if (!t || !(t->config = ws_config_copy(config))) {
        ws_no_memory(err);
        ws_timed_free(t);
        return NULL;
    }
    t->trace = trace;
    ws_engine *e = &t->engine;
    e->trace = trace;
    uint32_t programs = trace ? ws_trace_get_info(trace)->programs : 1;
    e->program_count = programs > 1 ? programs : 0;
    e->gpu = ws_config_get(t->config, &ws_gpu_component);
    e->sm_params = ws_config_get(t->config, &ws_sm_component);
    e->core = ws_config_get(t->config, &ws_core_component);
    e->l1 = ws_config_get(t->config, &ws_l1_component);
    e->noc = ws_config_get(t->config, &ws_noc_component);
    e->l2 = ws_config_get(t->config, &ws_l2_component);
    e->dram = ws_config_get(t->config, &ws_dram_component);
    e->cluster_count = (uint32_t)e->gpu->clusters;
    e->sms_per_cluster = ws_divisor_of((uint64_t)e->gpu->sms_per_cluster);
    e->sm_count = e->cluster_count * (uint32_t)e->gpu->sms_per_cluster;
    e->port_count = e->cluster_count * (uint32_t)e->noc->ports_per_cluster;
    e->channel_count = (uint32_t)e->dram->channels;
    e->slice_count = e->channel_count * (uint32_t)e->l2->slices_per_channel;
    e->alone_from = trace ? ws_launches_alone_from(e) : 1;
    if (ws_config_validate(config, err) && seat_mechanisms(t, err) && ws_engine_fits(e, err)) return t;
    ws_timed_free(t);
    return NULL;
}

static bool sum_clocks(ws_engine *e) {
    if (e->dram->core_MHz <= 0) return true;
    double kHz = e->dram->core_MHz * 1000;
    e->clocks = malloc(sizeof *e->clocks);
    if (e->clocks)
        ws_clocks_init(e->clocks, (uint64_t)(kHz + 0.5), (uint64_t)(kHz * e->dram->clock_ratio + 0.5));
    return e->clocks;
}

ws_timed *ws_timed_new(const ws_trace *trace, const ws_config *config, ws_error *err) {
    ws_timed *t = design(trace, config, err);
    if (!t) return NULL;
    ws_engine *e = &t->engine;
    e->sms_per_port = ws_divisor_of(e->sm_count / e->port_count);
    e->dram_clock = ws_dram_clock_of((uint64_t)(e->dram->clock_ratio * WS_DRAM_CLOCK + 0.5));
    ws_units_init(e);
    ws_collect_lay_out(e);
    e->tags_forget = e->collecting.used || e->l1->allocation != WS_ALLOCATE_ON_MISS ||
                     e->core->fences == WS_FENCES_EMPTY_L1;
    e->slices_foresee = !e->partition_slot && !e->l2->lrc_entries && !e->noc->boundary_buffer &&
                        e->noc->crossbar_speedup == 1 && e->noc->out_buffer > e->noc->latency + 2;
    ws_address_map_init(&e->map, e->l1, e->l2, e->dram);
    e->map.programs = e->program_count > 0;
    bool clusters = e->cluster_slot || e->sms_per_port.value > 1 || e->core->perfect_memory;
    e->cluster_parts = clusters ? e->cluster_count : 0;
    if ((e->sms = calloc(e->sm_count, sizeof *e->sms)) && (e->idle = ws_idle_new(e->sm_count)) &&
        (e->rested = calloc(e->cluster_count, sizeof *e->rested)) && sum_clocks(e) && build_memory(e) &&
        ws_icaches_init(e) && share(e))
        return t;
    ws_no_memory(err);
    ws_timed_free(t);
    return NULL;
}

bool ws_timed_check(const ws_trace *trace, const ws_config *config, uint32_t last, uint32_t *culprit,
                    ws_error *err) {
    *culprit = 0;
    if (trace && !ws_trace_expect_kernel(trace, last, err)) return false;
    ws_timed *t = design(trace, config, err);
    bool fit = t && (!trace || ws_launches_fit(&t->engine, last, culprit, err));
    ws_timed_free(t);
    return fit;
}

static void clear_sms(ws_engine *e) {
    for (uint32_t i = 0; e->sms && i < e->sm_count; i++) {
        if (!e->sms[i].made) continue;
        ws_sm_free(e, &e->sms[i]);
        memset(&e->sms[i], 0, sizeof e->sms[i]);
    }
}

void ws_timed_free(ws_timed *t) {
    if (!t) return;
    ws_engine *e = &t->engine;
    clear_sms(e);
    free(e->sms);
    if (e->core_slot && e->core_slot->unshare) e->core_slot->unshare(e->core_shared);
    if (e->front_slot && e->front_slot->unshare) e->front_slot->unshare(e->front_shared);
    ws_clusters_free(e);
    ws_icaches_free(e);
    for (uint32_t side = 0; side < WS_SIDES; side++) ws_dispatch_turns_free(e->turns[side]);
    free(e->idle);
    free(e->rested);
    free(e->clocks);
    for (uint32_t i = 0; e->slices && i < e->slice_count; i++) ws_slice_free(&e->slices[i]);
    for (uint32_t i = 0; e->channels && i < e->channel_count; i++) ws_channel_free(&e->channels[i]);
    free(e->slices);
    free(e->channels);
    ws_network_free(&e->requests);
    ws_network_free(&e->replies);
    ws_agendas_free(e);
    ws_packets_free(&e->packets);
    ws_programs_free(e);
    ws_streams_free(e);
    ws_timed_statics_free(&e->statics);
    ws_reader_free(e->ahead);
    ws_reader_free(e->counting);
    ws_reader_free(t->reader);
    ws_config_free(t->config);
    free(t);
}

void ws_timed_tap(ws_timed *t, const ws_timed_taps *taps) {
    t->engine.taps = taps ? *taps : (ws_timed_taps){0};
}

void ws_timed_poll(ws_timed *t) {
    ws_agenda_poll(&t->engine.memory_agenda);
    ws_agenda_poll(&t->engine.sm_agenda);
}

void ws_timed_seat_l1(ws_timed *t, const ws_l1_slot *slot, const void *params) {
    t->engine.l1_slot = slot;
    t->engine.l1_params = params;
}

/* ---- before a launch */

bool ws_engine_reads_ahead(ws_engine *e, ws_error *err) {
    if (!e->ahead) e->ahead = ws_reader_new(e->trace, err);
    return e->ahead;
}

static bool wants_branches(const ws_engine *e) {
    return e->core_slot && e->core_slot->wants_branches && e->core_slot->wants_branches(e->core_params);
}

static bool prepare_statics(ws_engine *e, uint32_t index, ws_error *err) {
    bool apart = ws_branches_are_apart(e->core, ws_trace_kernel(e->trace, index));
    ws_timed_statics_mend(&e->statics);
    if (e->statics.at && e->statics.branches_apart == apart) return true;
    uint32_t banks = e->collecting.used ? (uint32_t)e->register_banks.value : 0;
    ws_timed_statics_free(&e->statics);
    if (ws_timed_statics_init(&e->statics, e->trace, e->core, banks, apart)) return true;
    ws_timed_statics_free(&e->statics);
    return ws_no_memory(err);
}

/* Prepares the launches that run now, the first of which is `index`. */
static bool prepare_launches(ws_timed *t, uint32_t index, ws_error *err) {
    ws_engine *e = &t->engine;
    const ws_order_params *order = ws_config_get(t->config, &ws_order_component);
    uint32_t wants = e->core_slot && e->core_slot->wants ? e->core_slot->wants(e->core_params) : 0;
    uint32_t count = ws_launches_from(e, index), places = ws_places_for(e, count);
    if (!t->reader) t->reader = ws_reader_new(t->trace, err);
    if (!t->reader) return false;
    bool branches = wants_branches(e);
    if (branches && !ws_engine_reads_ahead(e, err)) return false;
    ws_timed_stream_options options = {.reader = places == 1 ? t->reader : NULL,
                                       .ahead = e->ahead,
                                       .issue_meta = order->issue_meta,
                                       .mappings = e->front_slot && e->front_slot->wants_mappings,
                                       .flow = wants != 0,
                                       .values = wants & WS_WANT_VALUES,
                                       .masks = e->core_slot && e->core_slot->wants_masks,
                                       .branch_ctas = branches};
    memset(e->launches, 0, sizeof e->launches);
    e->launch_count = places;
    ws_streams_free(e);
    if (e->program_count && !ws_programs_init(e, t->config, err)) return false;
    if (!e->program_count && count > 1 && !ws_streams_init(e, index, count, t->config, options, err))
        return false;
    for (uint32_t i = 0; i < (e->program_count ? e->program_count : 1); i++) {
        uint32_t launch = e->program_count ? e->programs[i].first : index;
        if (!ws_launch_init(e, &e->launches[i], launch, t->config, options, err)) return false;
    }
    return true;
}

/* Many launches reach few SMs of a large GPU, so an SM is made with its first CTA. But all must be there from the
 * beginning if a slot's owner looks at all SMs (dispatch), or if programs renew them. */
static bool make_sms(ws_engine *e) {
    bool all = e->dispatch_slot || e->program_count, ok = true;
    for (uint32_t i = 0; i < e->sm_count; i++) e->sms[i].since = e->now;
    for (uint32_t i = 0; ok && all && i < e->sm_count; i++) ok = ws_sm_init(e, &e->sms[i], i);
    return ok;
}

static bool prepare(ws_timed *t, uint32_t index, ws_error *err) {
    ws_engine *e = &t->engine;
    t->first = index;
    t->ran = 0;
    if (!prepare_statics(e, index, err) || !prepare_launches(t, index, err)) return false;
    const ws_launch *first = e->launches;
    uint32_t warp_size = ws_trace_get_info(t->trace)->warp_size;
    e->kernel = first->kernel;
    e->occupancy = first->occupancy;
    e->stream = first->stream;
    e->ctas = first->ctas;
    bool registers = ws_trace_get_info(t->trace)->features & WS_FEATURE_REGISTERS;
    e->one_in_flight = e->core->dependences == WS_DEPENDENCES_ONE_IN_FLIGHT;
    e->run_ahead = registers || e->one_in_flight ? 0 : (uint32_t)e->core->stall_on_use + 1;
    e->issue_cycles = e->core->simd_width
                          ? (warp_size + (uint32_t)e->core->simd_width - 1) / (uint32_t)e->core->simd_width
                          : 1;
    e->warps_per_cta = e->occupancy.warps_per_cta;
    e->ctas_per_sm = e->occupancy.ctas_per_sm;
    if (e->dispatch_slot && !(e->dispatch = e->dispatch_slot->create(e, e->dispatch_params)))
        return ws_no_memory(err);
    memset(e->scheduler_slots, 0, sizeof e->scheduler_slots);
    for (uint32_t slot = 0; slot < WS_SLOTS; slot++)
        e->scheduler_slots[slot % (uint32_t)e->sm_params->schedulers] |= UINT64_C(1) << slot;
    if (!ws_clusters_init(e) || !make_sms(e)) return ws_no_memory(err);
    if (e->partition_slot) e->partition = e->partition_slot->create(e, e->partition_params, err);
    return !e->partition_slot || e->partition;
}

/* ---- a launch */

static bool begin_launches(ws_engine *e) {
    if (e->streams.launch) return ws_streams_begin(e);
    if (e->program_count)
        ws_programs_begin(e);
    else
        ws_launch_begin(e, e->launches);
    return true;
}

static bool run(ws_engine *e, ws_tally *tally, ws_error *err) {
    e->launched = e->now + 1;
    if (!e->now) e->dram_start = e->launched;
    ws_clusters_go_on(e, e->launched);
    e->err = err;
    if (!begin_launches(e)) return false;
    e->start = ws_launches_start(e);
    ws_tally_begin(e, tally);
    for (uint32_t i = 0; i < e->sm_count; i++) e->sms[i].accounted = e->launched;
    e->finished = false;
    ws_wake_dispatch(e, e->start);
    if (e->partition_slot) ws_wake_partition(e, e->start);
    e->l1_is_heard = e->taps.access || e->l1_slot || e->fetch_slot;
    ws_ahead_begin(e);
    ws_lead_begin(e);
    e->core_is_plain = ws_core_is_plain(e);
    e->schedulers_apart = e->core_is_plain && (e->collecting.sub_cores || !e->collecting.used);
    bool ok = true;
    while (ok && !e->finished) {
        bool due = ws_go_on(e);
        if (!due || e->now > ws_patience(e)) {
            ok = ws_fail_deadlock(e, due, err);
            break;
        }
        if (e->now > tally->next_sample) ws_tally_tell_samples(e, tally);
        ok = ws_take_turns(e) && !e->refused;
        if (e->failed || e->packets.failed) ok = ws_no_memory(err);
        if (ok && e->stuck) ok = ws_fail_deadlock(e, true, err);
    }
    return ok;
}

/* Lines that no load waits for may still be on their way when a launch ends. Lets them arrive before the next one
 * begins; they count in neither. */
static bool drain(ws_engine *e, ws_error *err) {
    while (e->fetching) {
        if (!ws_go_on(e))
            return ws_fail(err, WS_ERROR_INTERNAL, "%u fetched lines never came back", e->fetching);
        ws_take_turns(e);
        if (e->failed || e->packets.failed) return ws_no_memory(err);
    }
    return true;
}

/* ---- mechanisms */

static void count_mechanisms(ws_timed *t, uint64_t cycles) {
    const ws_engine *e = &t->engine;
    memcpy(t->counts, e->counted_earlier, sizeof t->counts);
    for (size_t i = 0; i < e->mechanisms.count; i++)
        ws_mechanism_count(e, e->mechanisms.at[i], cycles, t->counts[i]);
}

const ws_mechanism_set *ws_timed_mechanisms(const ws_timed *t) {
    return &t->engine.mechanisms;
}

const uint64_t *ws_timed_counts(const ws_timed *t, size_t mechanism) {
    return t->counts[mechanism];
}

bool ws_timed_has_loads_past_l1(const ws_timed *t) {
    return t->engine.statics.load_past_l1;
}

size_t ws_timed_costs(const ws_timed *t, ws_added_cost costs[WS_ADDED_COSTS_MAX]) {
    return ws_added_costs(t->config, &t->engine.mechanisms, costs);
}

uint64_t ws_timed_count_of(const ws_timed *t, enum ws_per per) {
    const ws_engine *e = &t->engine;
    const uint32_t counts[] = {e->sm_count, e->cluster_count, e->channel_count, 1}; /* as in ws_per */
    return counts[per];
}

/* ---- launches that run at the same time */

uint32_t ws_timed_together(const ws_timed *t, uint32_t index) {
    return ws_launches_from(&t->engine, index);
}

static void count_shares(ws_timed *t, const ws_timed_counters *all) {
    t->ran = ws_launches_from(&t->engine, t->first);
#define X(name) t->share.name = all->name;
    WS_TIMED_SHARE(X)
#undef X
}

uint32_t ws_timed_ran(const ws_timed *t) {
    return t->ran;
}

uint32_t ws_timed_first(const ws_timed *t) {
    return t->first;
}

static const ws_program *program_of(const ws_timed *t, uint32_t index) {
    const ws_program *p = t->engine.programs;
    while (index >= p->first + p->count) p++;
    return p;
}

static bool has_run(const ws_timed *t, uint32_t index) {
    return index >= t->first && index - t->first < t->ran;
}

uint64_t ws_timed_begin_of(const ws_timed *t, uint32_t index) {
    bool several = has_run(t, index) && t->engine.streams.launch;
    return several ? t->engine.streams.launch[index - t->first].begin : 0;
}

ws_timed_share ws_timed_share_of(const ws_timed *t, uint32_t index) {
    if (!has_run(t, index)) return (ws_timed_share){0};
    if (t->engine.streams.launch) return t->engine.streams.launch[index - t->first].share;
    if (!t->engine.program_count) return t->share;
    const ws_program *p = program_of(t, index);
    return p->launch[index - p->first].share;
}

ws_timed_runs ws_timed_runs_of(const ws_timed *t, uint32_t index) {
    if (!has_run(t, index)) return (ws_timed_runs){0};
    if (!t->engine.program_count) {
        ws_timed_share share = ws_timed_share_of(t, index);
        return (ws_timed_runs){.runs = 1, .cycles = share.cycles, .ctas = share.ctas};
    }
    const ws_program *p = program_of(t, index);
    const ws_program_launch *l = &p->launch[index - p->first];
    return (ws_timed_runs){.runs = p->runs, .cycles = l->run_cycles, .ctas = p->runs * l->ctas};
}

static void add_share(ws_timed_share *to, ws_timed_share add) {
#define X(name) to->name += add.name;
    WS_TIMED_SHARE(X)
#undef X
}

static bool run_alone(ws_timed *t, uint32_t program, ws_error *err) {
    ws_program *p = &t->engine.programs[program];
    ws_timed *alone = ws_timed_new(ws_trace_of_program(t->trace, program), t->config, err);
    ws_timed_counters counters;
    bool ok = alone != NULL;
    for (uint64_t i = 0; ok && i < p->runs * p->count; i++) {
        uint32_t launch = (uint32_t)(i % p->count);
        ok = ws_timed_run(alone, launch + 1, &counters, err);
        if (ok) add_share(&p->launch[launch].alone, ws_timed_share_of(alone, launch + 1));
    }
    ws_timed_free(alone);
    return ok;
}

bool ws_timed_run_alone(ws_timed *t, ws_error *err) {
    for (uint32_t i = 0; i < t->engine.program_count; i++)
        if (!run_alone(t, i, err)) return false;
    return true;
}

ws_timed_share ws_timed_alone_of(const ws_timed *t, uint32_t index) {
    if (!t->engine.program_count || !has_run(t, index)) return (ws_timed_share){0};
    const ws_program *p = program_of(t, index);
    return p->launch[index - p->first].alone;
}

bool ws_timed_run(ws_timed *t, uint32_t index, ws_timed_counters *counters, ws_error *err) {
    ws_engine *e = &t->engine;
    ws_tally tally = ws_tally_new(e);
    ws_timed_counters unread;
    if (!counters) counters = &unread;
    if (!ws_trace_expect_kernel(t->trace, index, err)) return false;
    if (t->given_up)
        return ws_fail(err, WS_ERROR_INTERNAL,
                       "an earlier launch was given up on this GPU: start with a new one");
    if (e->program_count && index != 1)
        return ws_fail(err, WS_ERROR_INTERNAL, "two programs begin with launch 1, found %u", index);
    if (!e->program_count) ws_place_copies(e, index);
    bool ok = prepare(t, index, err);
    if (ok) t->given_up = !(ok = run(e, &tally, err));
    if (ok) *counters = ws_tally_counters(e, &tally, e->now);
    if (ok) count_shares(t, counters);
    if (ok) count_mechanisms(t, counters->cycles);
    if (ok) ws_tally_end(e, &tally);
    if (ok && !e->program_count) t->given_up = !(ok = drain(e, err));
    if (e->program_count) t->given_up = true; /* a looped program is in the midst of its work */
    clear_sms(e);
    ws_clusters_free(e);
    if (e->dispatch_slot) e->dispatch_slot->destroy(e->dispatch);
    e->dispatch = NULL;
    if (e->partition_slot) e->partition_slot->destroy(e->partition);
    e->partition = NULL;
    ws_launches_free(e);
    e->stream = NULL;
    return ok;
}
