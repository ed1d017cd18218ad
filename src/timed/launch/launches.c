/* Launches that run at the same time, and how their CTAs get to the SMs.
 *
 * Of launches that share SMs, the one that gave the last CTA is asked for more until it has no more, then the next one
 * (GPGPU-Sim: select_kernel). Of programs, the other one also gets the room that this one leaves. Launches that have
 * SMs of their own are two sides, which do not wait for each other. An SM starts one CTA per cycle. */
#include "replay/limit.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/sm/core.h"
#include "timed/turns.h"
#include "trace/names.h"

/* ---- which run at the same time */

uint32_t ws_launches_alone_from(const ws_engine *e) {
    if (e->program_count) return ws_trace_get_info(e->trace)->kernel_count + 1;
    return e->core->concurrent_launches > 1 ? ws_trace_one_stream_from(e->trace) : 1;
}

uint32_t ws_launches_from(const ws_engine *e, uint32_t first) {
    return first < e->alone_from ? ws_trace_get_info(e->trace)->kernel_count + 1 - first : 1;
}

uint32_t ws_places_for(const ws_engine *e, uint32_t count) {
    uint32_t most = e->program_count ? e->program_count : (uint32_t)e->core->concurrent_launches;
    return count < most ? count : most;
}

/* ---- life */

static bool steers(const ws_engine *e) {
    return e->core_slot && e->core_slot->steers && e->core_slot->steers(e->core_params);
}

/* Whether launches share SMs. If they have SMs of their own, no later one waits for an earlier one. */
static bool sms_are_shared(const ws_engine *e) {
    return e->core->first_launch_sms == 0 && !steers(e);
}

/* Of several streams, that of the first launch is a side, and all others are the other one. */
static uint32_t side_of(const ws_engine *e, uint32_t place, uint32_t index) {
    if (sms_are_shared(e)) return 0;
    if (e->program_count) return place;
    return e->streams.first &&
           ws_trace_kernel(e->trace, index)->stream != ws_trace_kernel(e->trace, e->streams.first)->stream;
}

ws_launch ws_launch_describe(const ws_engine *e, uint32_t place, uint32_t index, uint32_t ctas) {
    ws_launch l = {.kernel = ws_trace_kernel(e->trace, index),
                   .place = place,
                   .side = side_of(e, place, index),
                   .ctas = ctas};
    uint32_t warp_size = ws_trace_get_info(e->trace)->warp_size;
    l.occupancy = ws_occupancy_of(l.kernel, warp_size, e->sm_params);
    ws_residency_of(l.kernel, warp_size, e->sm_params, l.needs);
    l.warps_on_sm = l.occupancy.ctas_per_sm * l.occupancy.warps_per_cta;
    l.threads = ws_dim3_count(l.kernel->grid) * ws_dim3_count(l.kernel->block);
    return l;
}

static bool make_dispatcher(ws_engine *e, ws_launch *l, ws_error *err) {
    l->branches = ws_timed_stream_branches(l->stream);
    ws_dispatch_turns **turns = &e->turns[l->side];
    if (!*turns) *turns = ws_dispatch_turns_new(e->gpu);
    if (*turns) l->dispatcher = ws_dispatcher_new(e->gpu, l->occupancy.ctas_per_sm, l->ctas, *turns);
    return l->dispatcher || ws_no_memory(err);
}

bool ws_launch_init(ws_engine *e, ws_launch *l, uint32_t index, const ws_config *config,
                    ws_timed_stream_options options, ws_error *err) {
    uint32_t ctas, place = (uint32_t)(l - e->launches);
    if (!ws_limit_ctas(e->trace, &e->counting, index, config, &ctas, err) ||
        !ws_launch_fits(e, place, index, err))
        return false;
    *l = ws_launch_describe(e, place, index, ctas);
    if (options.branch_ctas) options.branch_ctas = ctas;
    l->stream = ws_timed_stream_new(e->trace, index, &e->statics, e->core, e->l1, &options, err);
    return l->stream && make_dispatcher(e, l, err);
}

bool ws_launch_turn(ws_engine *e, ws_launch *l, uint32_t index, uint32_t ctas, ws_error *err) {
    ws_timed_stream *stream = l->stream;
    ws_dispatcher_free(l->dispatcher);
    *l = ws_launch_describe(e, l->place, index, ctas);
    l->stream = stream;
    return ws_timed_stream_turn(stream, index, ctas, err) && make_dispatcher(e, l, err);
}

/* Returns the cycles before the launch's first CTA starts. */
static uint64_t latency_of(const ws_engine *e, const ws_launch *l) {
    uint64_t of_ctas = ws_dim3_count(l->kernel->grid) * (uint64_t)e->core->cta_launch_cycles;
    return (uint64_t)e->core->launch_cycles + of_ctas;
}

/* Whether another launch has CTAs left to start. */
static bool others_have_left(const ws_engine *e, const ws_launch *l) {
    bool left = false;
    for (const ws_launch *o = e->launches; o < e->launches + e->launch_count; o++)
        left |= o != l && !o->is_free && o->started < o->ctas;
    return left;
}

void ws_launch_begin(ws_engine *e, ws_launch *l) {
    l->launched = e->now + 1;
    l->begins = l->launched + latency_of(e, l);
    if (!others_have_left(e, l)) ws_clusters_go_on(e, l->launched);
    if (e->progress < l->begins) e->progress = l->begins;
}

uint64_t ws_launches_start(const ws_engine *e) {
    uint64_t start = WS_NEVER;
    for (const ws_launch *l = e->launches; l < e->launches + e->launch_count; l++)
        if (!l->is_free) start = ws_earlier(start, l->begins);
    return start;
}

bool ws_launch_has_ended(const ws_engine *e, const ws_launch *l) {
    return l->done == l->ctas && e->now >= l->begins;
}

void ws_launches_free(ws_engine *e) {
    for (uint32_t i = 0; i < e->launch_count; i++) {
        ws_dispatcher_free(e->launches[i].dispatcher);
        ws_timed_stream_free(e->launches[i].stream);
    }
    e->launch_count = 0;
    memset(e->turn, 0, sizeof e->turn);
}

/* ---- room */

static uint32_t side_of_sm(const ws_engine *e, uint32_t sm) {
    return e->core->first_launch_sms && sm >= (uint32_t)e->core->first_launch_sms;
}

bool ws_launch_may_use(const ws_engine *e, const ws_launch *l, uint32_t sm) {
    if (steers(e)) return e->core_slot->is_for(e->core_params, l->warps_on_sm, l->threads, sm);
    return !ws_launches_share(e) || l->side == side_of_sm(e, sm);
}

bool ws_programs_are_apart(const ws_engine *e) {
    return e->program_count && !steers(e) && e->core->first_launch_sms;
}

/* Whether the core slot's owner gives SMs different numbers of registers. */
static bool sms_differ(const ws_engine *e) {
    return e->core_slot && e->core_slot->fewer_registers &&
           e->core_slot->fewer_registers(e->core_params, e->sm_params->registers);
}

static int64_t registers_of(const ws_engine *e, uint32_t sm) {
    int64_t registers = e->sm_params->registers;
    return sms_differ(e) ? e->core_slot->registers(e->core_params, registers, sm) : registers;
}

/* Says of which launch an error is. In joined traces launches have numbers of their own in each. */
static void name_launch(const ws_engine *e, uint32_t place, const ws_kernel *kernel, ws_error *err) {
    if (e->program_count)
        ws_fail_prefix(err, "%s: launch %u (%s)", ws_trace_path(ws_trace_of_program(e->trace, place)),
                       kernel->index - e->programs[place].first + 1, kernel->short_name);
    else
        ws_fail_prefix(err, "launch %u (%s)", kernel->index, kernel->short_name);
}

/* An SM that has fewer registers holds fewer CTAs, or none. At least one SM of the GPU must hold a CTA and, where a
 * cluster's CTAs run nowhere else, at least one of each cluster. */
bool ws_launch_fits(const ws_engine *e, uint32_t place, uint32_t index, ws_error *err) {
    uint32_t warp_size = ws_trace_get_info(e->trace)->warp_size, sms = (uint32_t)e->gpu->sms_per_cluster;
    ws_launch l = ws_launch_describe(e, place, index, 0);
    uint32_t fitting = 0, without = 0; /* number of clusters that fit; one that does not */
    ws_error reason = WS_NO_ERROR;
    for (uint32_t cluster = 0; cluster < e->cluster_count; cluster++) {
        bool fits = false;
        for (uint32_t sm = cluster * sms; sm < (cluster + 1) * sms; sm++) {
            ws_sm_params own = *e->sm_params;
            own.registers = registers_of(e, sm);
            bool fewer = own.registers != e->sm_params->registers;
            if (fewer && e->dispatch_slot)
                return ws_fail(err, WS_ERROR_SPEC,
                               "mechanism.dispatch: expected none where some SMs have fewer registers");
            fits |= ws_launch_may_use(e, &l, sm) &&
                    ws_occupancy_check(l.kernel, warp_size, &own,
                                       fewer ? e->core_slot->registers_parameter : "sm.registers", &reason);
        }
        fitting += fits;
        if (!fits) without = cluster;
    }
    if (fitting == e->cluster_count) return true;
    name_launch(e, place, l.kernel, &reason);
    if (!fitting) return ws_fail(err, reason.code, "%s", reason.text);
    return e->gpu->dispatch != WS_DISPATCH_DISTRIBUTED ||
           ws_fail(err, WS_ERROR_SPEC,
                   "gpu.dispatch: expected two_level_rr, global_rr or greedy where SMs differ and none of "
                   "cluster %u holds a CTA, found distributed: %s",
                   without, reason.text);
}

static uint32_t sms_of(const ws_engine *e, const ws_launch *l) {
    if (e->core->first_launch_sms == 0) return e->sm_count;
    uint32_t count = 0;
    for (uint32_t sm = 0; sm < e->sm_count; sm++) count += ws_launch_may_use(e, l, sm);
    return count;
}

/* Whether a launch's CTAs may find an SM full of others'. */
static bool launches_mix(const ws_engine *e) {
    return ws_launches_share(e) && !ws_programs_are_apart(e);
}

/* Whether dispatch goes from cluster to cluster, and some have fewer SMs that a launch may use. */
static bool clusters_differ(const ws_engine *e) {
    return e->gpu->dispatch == WS_DISPATCH_TWO_LEVEL_RR && ws_programs_are_apart(e) &&
           e->core->first_launch_sms % e->gpu->sms_per_cluster;
}

/* Whether dispatch gives no SM more than an equal share of a launch's CTAs. */
static bool shares_are_equal(const ws_engine *e) {
    return e->gpu->dispatch != WS_DISPATCH_GREEDY && e->gpu->dispatch != WS_DISPATCH_DISTRIBUTED_BLOCK &&
           !sms_differ(e) && !steers(e) && !launches_mix(e) && !clusters_differ(e);
}

uint32_t ws_launch_ctas_on_sm(const ws_engine *e, const ws_launch *l) {
    uint32_t sms = shares_are_equal(e) ? sms_of(e, l) : 1;
    uint64_t share = (ws_dim3_count(l->kernel->grid) + sms - 1) / sms;
    return share < l->occupancy.ctas_per_sm ? (uint32_t)share : l->occupancy.ctas_per_sm;
}

static int64_t shared_B_on_sm(const ws_engine *e, const ws_launch *l, uint32_t sm) {
    return ws_launch_may_use(e, l, sm) ? (int64_t)l->kernel->shared_B * ws_launch_ctas_on_sm(e, l) : 0;
}

/* Whether any launch of the program may use the SM. */
static bool program_uses(const ws_engine *e, const ws_program *p, uint32_t place, uint32_t sm) {
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        ws_launch l = ws_launch_describe(e, place, i, 0);
        if (ws_launch_may_use(e, &l, sm)) return true;
    }
    return false;
}

/* Whether the SM may hold CTAs of several programs at the same time. */
static bool programs_meet(const ws_engine *e, uint32_t sm) {
    uint32_t users = 0;
    for (uint32_t i = 0; i < e->program_count; i++)
        users += !e->programs[i].rests && program_uses(e, &e->programs[i], i, sm);
    return users > 1;
}

static int64_t most_shared_B_on_sm(const ws_engine *e, const ws_program *p, uint32_t place, uint32_t sm) {
    int64_t most = 0;
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        ws_launch l = ws_launch_describe(e, place, i, 0);
        int64_t shared_B = shared_B_on_sm(e, &l, sm);
        if (shared_B > most) most = shared_B;
    }
    return most;
}

int64_t ws_launches_shared_B(const ws_engine *e, uint32_t sm) {
    bool meet = programs_meet(e, sm);
    int64_t sum = 0;
    if (e->streams.launch) sum = e->streams.shared_B[side_of_sm(e, sm)];
    if (e->dispatch_slot) sum = (int64_t)e->kernel->shared_B * e->dispatch_slot->most_ctas(e->dispatch, e);
    for (uint32_t i = 0; !e->dispatch_slot && !e->streams.launch && i < e->launch_count; i++) {
        if (e->program_count && e->programs[i].rests) continue;
        sum += meet ? most_shared_B_on_sm(e, &e->programs[i], i, sm) : shared_B_on_sm(e, &e->launches[i], sm);
    }
    return sum < e->sm_params->shared_B ? sum : e->sm_params->shared_B;
}

static uint64_t have_of(const ws_engine *e, const ws_launch *l, uint32_t sm, int r) {
    return r == WS_RESOURCE_REGISTERS ? (uint64_t)registers_of(e, sm) : l->needs[r].have;
}

/* Returns what a CTA takes of the SM's resource. An oversized one takes all, also of an SM with fewer registers. */
static uint64_t need_of(const ws_engine *e, const ws_launch *l, uint32_t sm, int r) {
    uint64_t need = l->needs[r].need, have = have_of(e, l, sm, r);
    return e->sm_params->oversized_ctas && need > have ? have : need;
}

static uint32_t room(const ws_engine *e, const ws_launch *l, uint32_t sm) {
    uint64_t least = ws_launch_may_use(e, l, sm) ? UINT32_MAX : 0;
    for (int r = 0; r < WS_RESOURCES; r++) {
        uint64_t free = have_of(e, l, sm, r) - e->sms[sm].used[r], need = need_of(e, l, sm, r);
        if (need && free / need < least) least = free / need;
    }
    if (launches_mix(e) && least && e->sms[sm].made)
        least = ws_earlier(least, ws_sm_places(e, &e->sms[sm], l->occupancy.warps_per_cta));
    return (uint32_t)least;
}

static void take_room(const ws_engine *e, ws_sm *s, const ws_launch *l) {
    for (int r = 0; r < WS_RESOURCES; r++) s->used[r] += need_of(e, l, s->index, r);
}

void ws_launch_cta_ended(ws_engine *e, ws_sm *s, ws_launch *l) {
    for (int r = 0; r < WS_RESOURCES; r++) s->used[r] -= need_of(e, l, s->index, r);
    ws_dispatcher_ended(l->dispatcher, s->index);
    l->ended = e->now;
    l->done++;
    e->running--;
    ws_wake_dispatch(e, e->now);
}

/* Whether SMs may have room for different numbers of a launch's CTAs. */
static bool rooms_differ(const ws_engine *e) {
    return e->launch_count > 1 || sms_differ(e) || steers(e);
}

/* Tells the dispatcher how many CTAs the SM has room for. It cannot know this by itself if SMs differ in it, or if the
 * dispatch slot has an owner. */
static void tell_room(ws_engine *e, const ws_launch *l, uint32_t sm) {
    if (e->dispatch_slot)
        ws_dispatcher_set_room(l->dispatcher, sm, e->dispatch_slot->room(e->dispatch, e, &e->sms[sm]));
    else if (rooms_differ(e))
        ws_dispatcher_set_room(l->dispatcher, sm, room(e, l, sm));
}

static void tell_rooms(ws_engine *e, const ws_launch *l) {
    for (uint32_t sm = 0; sm < e->sm_count; sm++) tell_room(e, l, sm);
}

static bool has_room(const ws_engine *e, const ws_launch *l, uint32_t sm) {
    if (e->dispatch_slot) return e->dispatch_slot->room(e->dispatch, e, &e->sms[sm]);
    return room(e, l, sm) > 0;
}

/* ---- CTAs */

/* With l2.flush, to be called before a CTA starts: the L2 is empty if no SM had a CTA in the cycle before. */
static __attribute__((noinline)) void flush_l2(ws_engine *e) {
    for (uint32_t i = 0; i < e->sm_count; i++)
        if (e->sms[i].resident || e->idle[i].from > e->now) return;
    for (uint32_t i = 0; i < e->slice_count; i++) ws_slice_flush(e, &e->slices[i]);
}

/* Starts CTAs. A CTA whose SM cannot start it in this cycle is held, and holds up those behind it. False with e->err on
 * failure. */
static bool start_ctas(ws_engine *e, ws_launch *l) {
    ws_dispatcher_begin_round(l->dispatcher, e->now + 1);
    while (l->holds || ws_dispatcher_next(l->dispatcher, &l->sm, &l->cta)) {
        ws_sm *s = &e->sms[l->sm];
        l->holds = s->cta_started == e->now + 1 || !has_room(e, l, l->sm);
        if (l->holds) return true;
        if (!s->made && !ws_sm_init(e, s, l->sm)) return ws_no_memory(e->err);
        if (e->streams.launch) ws_streams_enter(e, s);
        if (e->l2->flush && !e->running) flush_l2(e);
        s->cta_started = e->now + 1;
        take_room(e, s, l);
        l->started++;
        e->started++;
        if (!ws_sm_start_cta(e, s, l, l->cta)) return false;
        tell_room(e, l, l->sm);
    }
    return true;
}

/* Whether launches behind this one, of the same side, have to wait: for its CTAs of the next cycle or, if they are of
 * other streams, until it has no more. */
static bool keeps_back(const ws_engine *e, const ws_launch *l, bool waits) {
    return !steers(e) && (waits || (!e->program_count && l->started < l->ctas));
}

/* What is known after launches have been asked for CTAs: whether one has some for the next cycle, whether one has some
 * left. */
typedef struct dispatched {
    bool waits, left;
} dispatched;

/* Asks the launches of a side for CTAs. The first one that then has some left is asked first the next time. */
static bool dispatch_side(ws_engine *e, uint32_t side, dispatched *d) {
    uint32_t first = e->turn[side];
    bool blocked = false, is_found = false;
    for (uint32_t i = 0; i < e->launch_count && !e->finished; i++) {
        uint32_t place = (first + i) % e->launch_count;
        ws_launch *l = &e->launches[place];
        if (l->is_free || l->side != side) continue;
        if (e->now < l->begins) ws_wake_dispatch(e, l->begins);
        if (!blocked && e->now >= l->begins && l->started < l->ctas) {
            if (!is_found) e->turn[side] = place;
            if (e->dispatch_slot || rooms_differ(e)) tell_rooms(e, l);
            if (!start_ctas(e, l)) return false;
            bool waits = l->holds || ws_dispatcher_rests(l->dispatcher);
            blocked = keeps_back(e, l, waits);
            d->waits |= waits;
            is_found |= l->started < l->ctas;
        }
        d->left |= l->started < l->ctas;
    }
    return true;
}

bool ws_launches_dispatch(ws_engine *e) {
    if (e->now < e->start) {
        ws_wake_dispatch(e, e->start);
        return true;
    }
    if (e->dispatch_slot) ws_wake_dispatch(e, e->dispatch_slot->step(e->dispatch, e));
    if (e->program_count && !ws_programs_go_on(e)) return false;
    if (e->streams.launch && !ws_streams_go_on(e)) return false;
    dispatched d = {.waits = false};
    for (uint32_t side = 0; side < WS_SIDES; side++)
        if (!dispatch_side(e, side, &d)) return false;
    if (d.waits) ws_wake_dispatch(e, e->now + 1);
    if (!e->program_count && !e->streams.launch) e->finished = !e->running && !d.left;
    return true;
}
