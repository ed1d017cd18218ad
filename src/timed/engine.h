/* The state of the timed engine, and the interface between its parts. Each part lives in a .c file of its own; what one
 * of them calls in another is declared here, grouped by the file that defines it.
 *
 * Within a cycle the parts take turns in a fixed order: DRAM channels, L2 slices, the two networks, clusters, SMs
 * (those of a cluster in an order that rotates), CTA dispatch, the owner of the partition slot. Each part asks the
 * agenda for its next turn, and a part that hands something to another one wakes it earlier. Cycles in which no part
 * has a turn are skipped, so a part must never rely on having a turn in every cycle. An SM that nothing can reach for
 * a while takes several turns in a row, ahead of the other parts (ahead.c), and the banks of a DRAM channel go through
 * many cycles in one turn (channel.c). */
#ifndef WS_TIMED_ENGINE_H
#define WS_TIMED_ENGINE_H

#include "replay/branching.h"
#include "timed/address_map.h"
#include "timed/agenda.h"
#include "timed/cache.h"
#include "timed/clocks.h"
#include "timed/launch.h"
#include "timed/memory.h"
#include "timed/mshr.h"
#include "timed/network.h"
#include "timed/packet.h"
#include "timed/places.h"
#include "timed/queue.h"
#include "timed/slots.h"
#include "timed/sm.h"
#include "timed/stream.h"

enum { WS_NO_SM = UINT16_MAX };

struct ws_engine {
    const ws_trace *trace;
    const ws_kernel *kernel; /* that of the present launch */
    const ws_gpu_params *gpu;
    const ws_sm_params *sm_params;
    const ws_core_params *core;
    const ws_l1_params *l1;
    const ws_noc_params *noc;
    const ws_l2_params *l2;
    const ws_dram_params *dram;
    ws_address_map map;
    uint32_t units[WS_UNIT_COUNT]; /* number of units of each kind in an SM */
    /* a unit that is busy for fewer cycles than this from now on still accepts an instruction */
    uint64_t unit_slack[WS_UNIT_COUNT];

    /* The following describe the present launch, or the first one if several run at the same time. */
    uint32_t ctas;
    ws_timed_statics statics;
    ws_reader *ahead;    /* reads launches before they run; NULL until ws_engine_reads_ahead() */
    ws_reader *counting; /* for ws_limit_ctas() */
    ws_timed_stream *stream;
    uint32_t warps_per_cta, ctas_per_sm;
    ws_occupancy occupancy;
    /* For traces without registers: core.stall_on_use + 1. A warp's instructions take `run_ahead` turns in rotation; a
     * load occupies its turn until its data arrive and so blocks the instruction that comes `run_ahead` later. 0: the
     * trace has registers, or the core allows only one instruction in flight. */
    uint32_t run_ahead;
    bool one_in_flight;    /* core.dependences is one_in_flight */
    uint32_t issue_cycles; /* from one issue of a scheduler to its next */
    /* the launches that run; for joined traces, one of each program */
    ws_launch launches[WS_LAUNCHES_MAX];
    uint32_t launch_count;
    ws_program programs[WS_PROGRAMS_MAX]; /* the programs of joined traces */
    uint32_t program_count;               /* 0: the trace is not a joined one */
    /* Per slot: counts of instances that have since been replaced by new ones (programs.c). */
    uint64_t core_counts[WS_MECHANISM_COUNTS_MAX], front_counts[WS_MECHANISM_COUNTS_MAX],
        fetch_counts[WS_MECHANISM_COUNTS_MAX];

    ws_agenda agenda;
    uint64_t now, start; /* start: cycle in which the first CTA may start */
    uint64_t launched;   /* cycle from which the launch's time counts: `start` less core.launch_cycles */
    uint64_t progress;   /* last cycle in which an instruction was issued or completed */
    ws_timed_taps taps;
    ws_packets packets;
    ws_network requests, replies;
    ws_divisor dram_clock; /* DRAM cycles per core cycle, times WS_DRAM_CLOCK */
    ws_clocks *clocks;     /* used instead of `dram_clock` when dram.core_MHz is set; else NULL */
    /* the core cycle that begins together with DRAM cycle 0: that of the first launch */
    uint64_t dram_start;
    uint32_t sm_count, slice_count, channel_count;
    ws_sm *sms;         /* made with their first CTA of a launch, or all at its beginning (timed.c) */
    ws_icache *icaches; /* one per SM */
    ws_idle *idle;      /* one per SM */
    ws_dispatcher
        *earlier[WS_LAUNCHES_MAX]; /* per place in `launches`: that of the latest launch that has ended */
    ws_slice *slices;
    ws_channel *channels;

    /* Clusters take turns of their own only if their SMs share a port or a mechanism owns the cluster slot. */
    uint32_t cluster_count, cluster_parts; /* cluster_parts: cluster_count, or 0 */
    ws_divisor sms_per_cluster;
    void **clusters;     /* the slot owner's instances, one per cluster */
    uint64_t *rested;    /* per cluster: for how many cycles its SMs' order has stood still (ws_first_sm) */
    uint64_t dispatched; /* cycle in which the latest CTA has been started */

    /* The mechanisms that own the slots (NULL: none), and their parameters. */
    const ws_dispatch_slot *dispatch_slot;
    const ws_core_slot *core_slot;
    const ws_front_slot *front_slot;
    const ws_l1_slot *l1_slot;
    const ws_fetch_slot *fetch_slot;
    const ws_cluster_slot *cluster_slot;
    const ws_partition_slot *partition_slot;
    const void *dispatch_params, *core_params, *front_params, *l1_params, *fetch_params, *cluster_params,
        *partition_params;
    void *dispatch, *partition;       /* the instances of these two slots */
    void *core_shared, *front_shared; /* what the instances of these slots share */
    /* an MSHR entry may wait for a line that the L1's tags do not have */
    bool tags_forget;
    bool reorders; /* accesses of different warps can overtake each other before the L1 */
    /* which warps may issue can change without ws_sm_touch(): schedulers have a turn whenever their SM has */
    bool schedules_always;
    /* a slice's port is never full while requests are on their way to it that could leave it at once */
    bool slices_foresee;
    bool l1_is_heard;     /* a tap or a slot is told of each access that an L1 has served */
    bool sms_go_ahead;    /* SMs may go ahead of each other in this launch */
    bool l1_acknowledges; /* L1s may acknowledge stores (those to local memory, with l1.write = evict) */
    bool admits_all;      /* the scheduling policy lets all warps issue */
    /* what a scheduler issues changes which warps of other schedulers are candidates only if a barrier opens */
    bool schedulers_apart;
    bool core_is_plain; /* the result of ws_core_is_plain() for this launch */
    /* schedulers choose as gto does: the warp that issued last while it can, then the oldest */
    bool is_greedy;
    ws_divisor schedulers, l1_banks;
    ws_collecting collecting;
    ws_divisor register_banks; /* number of banks of each lane of collectors */

    uint32_t running; /* number of CTAs that have started and not ended */
    uint64_t started; /* number of CTAs started, in all launches so far */
    /* number of lines on their way to L1s that no load asked for (fetch.c) */
    uint32_t fetching;
    bool finished;                               /* no CTA runs, and none is left to start */
    uint64_t scheduler_slots[WS_SCHEDULERS_MAX]; /* set of warp slots per scheduler */
    ws_error *err;
    bool failed;             /* out of memory */
    bool refused;            /* a slot's owner cannot go on; `err` says why */
    const ws_program *stuck; /* does not go on, while the other program loops; NULL: none */
};

/* To be called when an instruction is issued or completed. An SM may be ahead of the others (ahead.c), so `now` is not
 * necessarily later than `progress`. */
static inline void ws_note_progress(ws_engine *e) {
    if (e->now > e->progress) e->progress = e->now;
}

static inline uint64_t ws_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Has `ahead` made. False with an error. */
bool ws_engine_reads_ahead(ws_engine *engine, ws_error *err);

/* For tests: gives every part a turn in every cycle from now on. If that changes the results, a part asks for its turns
 * too late. */
void ws_timed_poll(ws_timed *timed);
/* For tests: puts `slot` into the slot `l1`, from the next launch on. */
void ws_timed_seat_l1(ws_timed *timed, const ws_l1_slot *slot, const void *params);

/* Ask for a turn of a part in cycle `when`, which may be the present one if the part's turn in it is still to come. */
static inline void ws_wake_channel(ws_engine *e, uint32_t channel, uint64_t when) {
    ws_agenda_add(&e->agenda, channel, when);
}
static inline void ws_wake_slice(ws_engine *e, uint32_t slice, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + slice, when);
}
static inline void ws_wake_network(ws_engine *e, const ws_network *net, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + !net->to_memory, when);
}
static inline void ws_wake_cluster(ws_engine *e, uint32_t cluster, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + cluster, when);
}
/* SMs of a cluster share a port, and where it is nearly full the first of them take its room. So that none starves, the
 * first place moves on by one per cycle, as in GPGPU-Sim (gpgpu_simt_core_sim_order 1), unless the cluster has no CTA
 * and no launch has one left to start. Returns the SM of the cluster that has it in cycle `when`. */
static inline uint32_t ws_first_sm(const ws_engine *e, uint32_t cluster, uint64_t when) {
    return (uint32_t)ws_remainder(when - 1 - e->rested[cluster], e->sms_per_cluster);
}
static inline uint32_t ws_place_of_sm(const ws_engine *e, uint32_t sm, uint64_t when) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value,
             cluster = (uint32_t)ws_quotient(sm, e->sms_per_cluster), own = sm - cluster * sms,
             first = ws_first_sm(e, cluster, when);
    return cluster * sms + (own < first ? own + sms : own) - first;
}
static inline uint32_t ws_sm_at_place(const ws_engine *e, uint32_t place) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value,
             cluster = (uint32_t)ws_quotient(place, e->sms_per_cluster),
             own = place - cluster * sms + ws_first_sm(e, cluster, e->now);
    return cluster * sms + (own < sms ? own : own - sms);
}
static inline void ws_wake_sm(ws_engine *e, uint32_t sm, uint64_t when) {
    uint32_t place = e->cluster_parts ? ws_place_of_sm(e, sm, ws_agenda_within(&e->agenda, when)) : sm;
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + place, when);
}
static inline void ws_wake_dispatch(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + e->sm_count, when);
}
/* The owner of the partition slot has the last turn. */
static inline void ws_wake_partition(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + e->sm_count + 1,
                  when);
}

/* Each takes its part's turn in cycle `engine->now`, and asks for the part's next one. The networks' is
 * ws_network_step(). */
void ws_slice_step(ws_engine *engine, ws_slice *slice);
void ws_channel_step(ws_engine *engine, ws_channel *channel);
void ws_cluster_step(ws_engine *engine, uint32_t cluster);
void ws_sm_step(ws_engine *engine, ws_sm *sm);
/* Takes one turn of an SM in cycle `engine->now` and returns the cycle in which it wants the next one (sm.c).
 * ws_sm_step() calls it repeatedly while the SM may go ahead. */
uint64_t ws_sm_turn(ws_engine *engine, ws_sm *sm);
/* Sets what a launch lets SMs do ahead of each other. */
void ws_ahead_begin(ws_engine *engine);
/* To be called when the SM has sent a packet that will be answered with `sectors` sectors; _first: while it awaits no
 * others. */
void ws_sm_awaits_first(const ws_engine *engine, ws_sm *sm);
static inline void ws_sm_awaits(const ws_engine *e, ws_sm *s, uint32_t sectors) {
    if (!s->awaited) ws_sm_awaits_first(e, s);
    s->awaited += sectors;
}

/* Data on their way from the L1, shared memory or the port to loads (returns.c).
 *
 * Gives the data of `accesses` accesses to the load `load`, from cycle `when` on. With operand collectors they wait
 * until then in MSHR entry `entry` of the L1 or, if they have bypassed it (WS_NO_ENTRY), behind the port. */
void ws_returns_pass(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t accesses, uint32_t entry,
                     uint64_t when);
/* The same for an access that joins others in an MSHR entry whose data have come: it follows these. */
void ws_returns_join(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t entry);
/* Shared memory, for instructions that wait for data: _take_ returns whether there is room for another one; _await_ is
 * called when one leaves the banks; _pass_ when its data have arrived (WS_EVENT_SHARED). */
bool ws_returns_take_shared(const ws_engine *engine, const ws_sm *sm);
void ws_returns_await_shared(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);
void ws_returns_pass_shared(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);
/* To be called while some data are due. Returns whether any were served. */
bool ws_returns_serve(ws_engine *engine, ws_sm *sm);
/* Returns whether any data wait for their turn. */
static inline bool ws_returns_wait(const ws_sm *s) {
    return s->ready[WS_FROM_L1].count || s->ready[WS_FROM_SHARED].count || s->ready[WS_FROM_PORT].count;
}
/* Returns the first cycle in which some of them may be written. */
static inline uint64_t ws_returns_first(const ws_sm *s) {
    uint64_t others =
        ws_earlier(ws_queue_next(&s->ready[WS_FROM_SHARED]), ws_queue_next(&s->ready[WS_FROM_PORT]));
    return ws_earlier(ws_queue_next(&s->ready[WS_FROM_L1]), others);
}
static inline bool ws_returns_are_blocked(const ws_engine *e, const ws_sm *s) {
    return e->front_slot && e->front_slot->blocks_returns && e->front_slot->blocks_returns(s->front, e);
}

/* Announces that `slice` will send a request which may enter its channel from core cycle `from` on. Returns the first
 * DRAM cycle in which it may. */
uint64_t ws_channel_await(ws_engine *engine, const ws_slice *slice, uint64_t from);
/* Brings the channel up to date: requests that have entered it by now leave their slice's queue `to_dram`, and credits
 * that have come back are given back. */
void ws_channel_enter(ws_engine *engine, ws_channel *channel);
void ws_channel_await_room(ws_engine *engine, ws_channel *channel);
/* Returns what the channel has counted by the end of core cycle `cycle`, which must be the present one or after the
 * channel's last turn. */
ws_channel_counters ws_channel_count(const ws_engine *engine, const ws_channel *channel, uint64_t cycle);
/* Brings the slice up to date: requests that could leave the network's port by now do so. */
void ws_slice_let_in(ws_engine *engine, ws_slice *slice);
/* Has a request that is on its way to the slice's port leave it in cycle `cycle`. */
void ws_slice_pass_port(ws_engine *engine, ws_slice *slice, uint32_t packet, uint64_t cycle);
/* A request will come to the slice's port in cycle `when`. If it is sure to leave the port as soon as it can, the slice
 * has it now, which spares the port. Returns whether it does. The network no longer counts it among those at the port,
 * but cannot tell: before the port is full, all that it does not count have left. */
static inline bool ws_slice_foresees(ws_engine *e, ws_slice *s, uint32_t packet, uint64_t when) {
    uint64_t cycle = s->gate > when ? s->gate : when;
    if (!e->slices_foresee || e->requests.out[s->index].queue.count || cycle >= s->gate_closes) return false;
    ws_slice_pass_port(e, s, packet, cycle);
    return true;
}
/* Returns the cycle from which the slice's full port has, or may have, room for a packet of `flits` flits. WS_NEVER:
 * not before the slice takes a request from the port, which it then tells the network. */
uint64_t ws_slice_room_from(ws_engine *engine, ws_slice *slice, uint32_t flits);
/* Announces that the data for which an MSHR entry waits will come from DRAM in cycle `when`, the present one or a later
 * one, and not before those announced earlier. */
void ws_slice_expect(ws_engine *engine, ws_slice *slice, uint32_t entry, uint64_t when);
/* Replies that wait for room at the network's port (slice_port.c). _wait_for_port: one does, until cycle `when` at
 * least; `weight`: 0 if it goes together with that before it, else 1. _may_move_up: returns whether some wait, and the
 * first of them may find room. If so: _move_up: it comes to the port, if it may in this cycle. _await_move: returns
 * when it may, as far as that is known; if there is no room, the slice will be told. */
void ws_slice_wait_for_port(ws_engine *engine, ws_slice *slice, uint32_t id, uint32_t weight, uint64_t when);
static inline bool ws_slice_may_move_up(const ws_engine *e, const ws_slice *s) {
    return s->waiting.count && !ws_network_will_tell(&e->replies, s->index);
}
void ws_slice_move_up(ws_engine *engine, ws_slice *slice);
uint64_t ws_slice_await_move(ws_engine *engine, const ws_slice *slice);

/* To be called when no part has a turn to come. If that is because sets of caches have all ways reserved for data that
 * came elsewhere (ws_cache_fill), frees these, so that the launch goes on, and returns true. GPGPU-Sim stops there. */
bool ws_free_ways(ws_engine *engine);
/* Fails, for want of progress; `due`: some part still has a turn to come (deadlock.c). Returns false. */
bool ws_fail_deadlock(const ws_engine *engine, bool due, ws_error *err);

/* Clusters (cluster.c): what lies between an SM and the network. */
bool ws_clusters_init(ws_engine *engine);
/* To be called when a launch begins: counts for how long clusters have been at rest since the one before. */
void ws_clusters_begin(ws_engine *engine);
void ws_clusters_free(ws_engine *engine);
/* Sends a packet of the SM towards memory. False: it cannot be taken now; the SM gets a turn once it can. */
bool ws_sm_send(ws_engine *engine, ws_sm *sm, uint32_t packet);
/* Whether a packet with `units` units of data may find room, so that none need be made if it does not; the SM then gets
 * a turn once it may. */
static inline bool ws_sm_admits(ws_engine *e, const ws_sm *s, uint32_t units) {
    return e->cluster_parts || ws_network_admits(e, &e->requests, s->index, units);
}
/* The queue in which replies for the SM arrive. */
const ws_queue *ws_sm_replies(const ws_engine *engine, const ws_sm *sm);
uint32_t ws_sm_take_reply(ws_engine *engine, ws_sm *sm);
/* Wake the SMs of a cluster, or the cluster itself if it has turns: from cycle `when` on its port has a reply; has room
 * for requests. */
void ws_cluster_wake_for_reply(ws_engine *engine, uint32_t cluster, uint64_t when);
void ws_cluster_wake_for_room(ws_engine *engine, uint32_t cluster, uint64_t when);

/* Returns the set of warps that could issue now if their units took the instruction. */
static inline uint64_t ws_sm_ready(const ws_sm *s) {
    return s->fetched & s->clear & ~s->barred & s->admitted & ~s->held;
}

/* Adds the cycles up to `cycle`, exclusive, to the SM's counters of where its time goes (account.c). To be called
 * before the state of its warps changes. */
void ws_sm_account(const ws_engine *engine, ws_sm *sm, uint64_t cycle);

/* To be called before anything changes that the account or the schedulers look at: the fields of ws_sm_ready(), or the
 * room of the load/store unit. */
static inline void ws_sm_note_change(ws_engine *e, ws_sm *s) {
    if (s->accounted < e->now) ws_sm_account(e, s, e->now);
}
/* The same; the schedulers then have a turn in this cycle. */
static inline void ws_sm_touch(ws_engine *e, ws_sm *s) {
    ws_sm_note_change(e, s);
    s->touched = true;
}
/* To be called after a change that can only let some of `warps` issue: the schedulers have a turn if one of these is
 * ready. */
static inline void ws_sm_touch_if_ready(ws_engine *e, ws_sm *s, uint64_t warps) {
    if (ws_sm_ready(s) & warps || e->schedules_always || !e->admits_all) ws_sm_touch(e, s);
}

/* Execution units (units.c). ws_unit_takes() returns whether a unit of kind `unit` accepts an instruction of the
 * scheduler now. ws_unit_take() gives one an instruction that arrives in cycle `when`, occupies it for `cycles`, and
 * returns the cycle in which the unit begins with it. */
void ws_units_init(ws_engine *engine);
bool ws_unit_takes(const ws_engine *engine, const ws_sm *sm, unsigned unit, unsigned scheduler);
uint64_t ws_unit_take(const ws_engine *engine, ws_sm *sm, unsigned unit, unsigned scheduler, uint32_t cycles,
                      uint64_t when);
/* The same behind operand collectors. ws_unit_begins() returns whether unit `which` of the kind begins with the
 * instruction now, and occupies it if so; ws_unit_take_next() occupies the scheduler's unit from the first later cycle
 * on in which it can begin, and returns that. */
bool ws_unit_begins(ws_engine *engine, ws_sm *sm, unsigned unit, unsigned which, const ws_issue *how);
uint64_t ws_unit_take_next(ws_engine *engine, ws_sm *sm, unsigned unit, unsigned scheduler,
                           const ws_issue *how);
/* To be freed with free(); NULL if out of memory. */
ws_idle *ws_idle_new(uint32_t sms);
/* Whether the core does without what few replays have: the slot's owner, taps, several launches, one instruction in
 * flight, turns instead of registers. */
bool ws_core_is_plain(const ws_engine *engine);
/* Makes SM `index`: `sm` is all zero before, but for what has been counted of its time. False if out of memory; to be
 * freed in any case. */
bool ws_sm_init(ws_engine *engine, ws_sm *sm, uint32_t index);
void ws_sm_free(ws_engine *engine, ws_sm *sm);
/* Updates ws_sm.admitted. Does nothing under lrr and gto, which admit all warps. */
void ws_sm_admit(const ws_engine *engine, ws_sm *sm);
/* Returns the slot of the warp with the lowest number in its CTA, among `warps`, which are all of one CTA. */
unsigned ws_sm_first_of(const ws_sm *sm, uint64_t warps);
/* Returns the first of `warps` in round-robin order after slot `last`. */
unsigned ws_sm_next_of(unsigned last, uint64_t warps);
/* To be called when an instruction has its result: releases its destination registers, and settles it for the warp. */
void ws_sm_complete(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);
/* Call the taps (tell.c): an instruction issues; a load has its data, `cycles` after its issue; a warp ends. */
void ws_tell_issue(const ws_engine *engine, ws_sm *sm, unsigned warp, const ws_timed_inst *inst);
void ws_tell_load(const ws_engine *engine, const ws_sm *sm, const ws_load *load, uint64_t cycles);
void ws_tell_life(const ws_engine *engine, const ws_sm *sm, unsigned warp);
static inline void ws_note_wait_ended(const ws_engine *e, ws_sm *s, unsigned warp, enum ws_timed_wait wait) {
    if (e->taps.issue) s->waits[warp].ended[wait] = e->now;
}

/* With operand collectors, to be called when the last results of an atomic are there: its warp waits for it no longer.
 * Does nothing for other loads. */
void ws_sm_updated(ws_engine *engine, ws_sm *sm, const ws_load *load);
/* To be called when all data of a load have come. */
void ws_sm_loaded(ws_engine *engine, ws_sm *sm, const ws_load *load);
/* Events (events.c). Makes one happen in cycle `when`; `event.next` is set here. */
void ws_sm_schedule(ws_engine *engine, ws_sm *sm, uint64_t when, ws_event event);
/* Announces that the buffers of `warps` have their instructions from cycle `when` on. */
void ws_sm_schedule_fetched(ws_sm *sm, uint64_t when, uint64_t warps);
void ws_sm_take_events(ws_engine *engine, ws_sm *sm); /* those of the present cycle */
/* Checks again whether the warp's next instruction waits for results, as one may have arrived. */
void ws_sm_look(ws_engine *engine, ws_sm *sm, unsigned warp);

/* Makes the warp fetch its first instruction. */
void ws_sm_fetch_first(ws_engine *engine, ws_sm *sm, unsigned warp);

static inline const ws_register_sets *ws_registers_of(const ws_engine *e, uint32_t static_id) {
    return &e->statics.registers[(size_t)static_id * e->statics.register_words];
}

/* Residents (residents.c). Starts a CTA on the SM, which has a free CTA slot. Its warps start at once, or when the
 * dispatch slot's owner starts them. False with engine->err if it cannot be read. */
bool ws_sm_start_cta(ws_engine *engine, ws_sm *sm, ws_launch *launch, uint32_t ordinal);
/* To be called when `count` of the warp's results or acknowledgements have come. After the last one the warp leaves
 * once the fetch stage notices (instructions.c). */
void ws_sm_settle(ws_engine *engine, ws_sm *sm, unsigned warp, unsigned count);
void ws_sm_leave(ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when the warp has issued a barrier. */
void ws_sm_come_to_barrier(const ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when the warp has issued its last instruction: barriers do not wait for it from then on. */
void ws_sm_exit(const ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when all accesses that the warp has issued have reached the L1. */
void ws_sm_all_started(ws_engine *engine, ws_sm *sm, unsigned warp);

/* Operand collectors (collect.c). All but the first three functions may be called only if the GPU has them
 * (ws_collecting.used). */
bool ws_collect_fits(const ws_engine *engine, ws_error *err);
void ws_collect_lay_out(ws_engine *engine);
/* Returns whether the scheduler has a free latch to units of that kind. */
static inline bool ws_collect_takes(const ws_sm *s, unsigned unit, unsigned scheduler) {
    return !(s->collectors.full[unit] >> scheduler & 1); /* the scheduler's first warp slot has its number */
}
/* Put an instruction into a latch: one that is issued to a unit of that kind; a memory instruction that has joined the
 * load/store unit's queue. */
void ws_collect_issue(const ws_engine *engine, ws_sm *sm, unsigned unit, const ws_latched *inst);
void ws_collect_memory(const ws_engine *engine, ws_sm *sm, ws_memory_inst *inst);
/* Returns the cycles from the issue of a memory instruction with these operands (ws_timed_static.reads) to its turn at
 * the load/store unit if nothing holds it up: to a collector, its operands, the register behind, the unit. */
uint64_t ws_collect_way(const ws_engine *engine, uint64_t reads);
/* Hands the oldest memory instruction that has left its collector to the load/store unit; false if there is none. */
bool ws_collect_take(const ws_engine *engine, ws_sm *sm);
/* The collectors' part of the SM's turn, between the load/store unit's and the schedulers', from cycle
 * ws_collectors.next on. */
void ws_collect_step(ws_engine *engine, ws_sm *sm);
/* To be called when a unit begins with an arithmetic instruction in `cycle`, or would if it went to one (sm.c). */
void ws_sm_begins(ws_engine *engine, ws_sm *sm, ws_latched *inst, uint64_t cycle);
/* Returns the cycles from when an arithmetic instruction leaves its unit to when its result is written. With operand
 * collectors what comes before the unit takes its own time; core.pipeline_cycles stands for all of it. */
static inline uint64_t ws_write_back_cycles(const ws_engine *e) {
    return e->collecting.used ? 2 : (uint64_t)e->core->pipeline_cycles;
}
/* To be called when the instruction writes its results, or returning data, into registers in `cycle`: delays operands
 * that are read from the same banks. _note_write is the part for when some are being read. */
void ws_collect_note_write(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                           uint64_t cycle);
static inline void ws_collect_write(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id,
                                    uint64_t cycle) {
    if (s->collectors.reads_end > e->collecting.steps * cycle)
        ws_collect_note_write(e, s, warp, static_id, cycle);
}
/* _take_ports: the results of an arithmetic instruction occupy the write ports of their register banks in this cycle.
 * _port_is_taken: returns whether they occupy one that the instruction's returning data need in `cycle`;
 * _results_take_port, whether they did in the latest cycle with results. */
void ws_collect_take_ports(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id);
bool ws_collect_results_take_port(const ws_engine *engine, const ws_sm *sm, unsigned warp,
                                  uint32_t static_id);
static inline bool ws_collect_port_is_taken(const ws_engine *e, const ws_sm *s, unsigned warp,
                                            uint32_t static_id, uint64_t cycle) {
    return s->collectors.results_at == cycle && ws_collect_results_take_port(e, s, warp, static_id);
}

/* Returns whether several launches run at the same time (launches.c), perhaps on separate SMs
 * (core.first_launch_sms). */
static inline bool ws_launches_share(const ws_engine *e) {
    return e->program_count || e->launch_count > 1;
}

static inline const ws_launch *ws_launch_of(const ws_engine *e, const ws_sm *s, unsigned warp) {
    return &e->launches[s->launch_of[s->warps[warp].cta_of]];
}
/* Returns the counters of the warp's launch; NULL if it runs alone, where the counters of the whole GPU serve. */
static inline ws_timed_share *ws_share_of(ws_engine *e, const ws_sm *s, unsigned warp) {
    return e->launch_count > 1 ? &e->launches[s->launch_of[s->warps[warp].cta_of]].counters : NULL;
}

/* Load/store unit (lsu.c). */
bool ws_lsu_init(ws_engine *engine, ws_sm *sm);
void ws_lsu_free(ws_engine *engine, ws_sm *sm);
/* Returns those of `warps`, whose next instruction is for the load/store unit, that it accepts from in this cycle. */
uint64_t ws_lsu_takes(const ws_engine *engine, const ws_sm *sm, unsigned scheduler, uint64_t warps);
void ws_lsu_issue(ws_engine *engine, ws_sm *sm, unsigned scheduler, unsigned warp, const ws_timed_inst *inst,
                  const ws_access *access, uint8_t tag);
/* Serves the instructions at the unit, and takes those that wait behind operand collectors. Returns whether anything
 * moved. */
bool ws_lsu_serve(ws_engine *engine, ws_sm *sm);
/* Returns the next cycle in which an instruction at the unit, or on its way there, needs a turn. */
uint64_t ws_lsu_next_arrival(const ws_engine *engine, const ws_sm *sm);
/* The L1 (l1.c). Its turn is part of the load/store unit's. */
bool ws_l1_init(ws_engine *engine, ws_sm *sm);
void ws_l1_free(ws_engine *engine, ws_sm *sm);
/* Invalidates all lines except those that wait for data (fence.c). */
void ws_l1_empty(ws_sm *sm);
/* To be called when the warp issues a memory fence, and for each result that it then still waits for. The warp passes
 * the fence once it has all results; with core.fences empty_l1 the L1 is then emptied after the schedulers' turn. */
void ws_sm_come_to_fence(ws_engine *engine, ws_sm *sm, unsigned warp);
/* Empties the L1 after a fence, unless no line has been looked up since a fence last emptied it. */
void ws_l1_pass_fence(ws_sm *sm);
/* The steps of ws_l1_start() for an access that goes to a bank: the number of its bank; the bank itself, or NULL if it
 * accepts no access now; and ws_l1_enter(), which gives it one. */
static inline uint32_t ws_l1_bank_of(const ws_engine *e, const ws_sm *s, uint64_t line, uint8_t sectors) {
    if (s->bank_count == 1) return 0;
    uint64_t set_or_sector =
        e->l1->bank_by == WS_BANK_BY_SET
            ? ws_set_of(s->l1.index, line, s->l1.sets)
            : line * ((uint64_t)e->l1->line_B / WS_TIMED_SECTOR_B) + (uint64_t)__builtin_ctz(sectors);
    return (uint32_t)ws_remainder(set_or_sector, e->l1_banks);
}
static inline bool ws_l1_has_room(const ws_engine *e, const ws_l1_bank *bank) {
    return bank->queue.count < (uint32_t)e->l1->latency;
}
static inline __attribute__((always_inline)) ws_l1_bank *ws_l1_bank_for(const ws_engine *e, ws_sm *s,
                                                                        uint64_t line, uint8_t sectors) {
    ws_l1_bank *bank = &s->banks[ws_l1_bank_of(e, s, line, sectors)];
    return bank->last_in != e->now + 1 && ws_l1_has_room(e, bank) ? bank : NULL;
}
static inline void ws_l1_enter(ws_engine *e, ws_sm *s, ws_l1_bank *bank, uint32_t packet) {
    bank->last_in = e->now + 1;
    if (ws_queue_push(&bank->queue, packet, 1, e->now + (uint64_t)e->l1->latency))
        s->banks_used |= 1u << (bank - s->banks);
    else
        e->failed = true;
}
/* With l1.bank_by = set: assigns the next turn at the tags to an instruction with `accesses` accesses. It is kept in
 * ws_packet.next until the tags have served the access. */
uint32_t ws_l1_turn(ws_sm *sm, uint32_t accesses);
bool ws_l1_step(ws_engine *engine, ws_sm *sm);
/* Returns whether the L1 can send a miss in the next cycle. If its first miss finds no room at the port, the SM gets a
 * turn when there is. */
bool ws_l1_sends_next(ws_engine *engine, const ws_sm *sm);
/* Doing things before their cycle when the outcome is certain (l1_foresee.c).
 *
 * A reply is on its way to a port, from which the SM would take it in cycle `when`. If it changes nothing that the SM
 * could see before another turn, it is taken now, which saves the SM a turn. Returns whether it was taken. */
bool ws_sm_foresees(ws_engine *engine, uint32_t cluster, uint32_t packet, uint64_t when);
/* Does what is already certain of the L1's next turn. To be called after the L1's turn, and after the load/store unit
 * has sent its accesses in it. */
void ws_l1_foresee_turn(ws_engine *engine, ws_sm *sm);
/* Returns the sum of what all parts have counted (counters.c): slices, channels and networks since they were built, SMs
 * since they were created for the present launch. Channels may be ahead: of them, by the end of core cycle `cycle`. */
ws_timed_counters ws_count_all(const ws_engine *engine, uint64_t cycle);

/* Loads in flight (load.c). ws_load_new() returns WS_NO_LOAD if out of memory. */
uint32_t ws_load_new(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, unsigned accesses);
/* To be called when `accesses` accesses of a load have their data; the last ones complete the load (ws_load_complete).
 * One of those that are queued may then be the last. */
void ws_load_complete(ws_engine *engine, ws_sm *sm, uint32_t load);
static inline void ws_load_returns(ws_engine *e, ws_sm *s, uint32_t load, uint32_t accesses) {
    ws_load *l = &s->loads[load];
    l->left -= (uint16_t)accesses;
    if (!l->left)
        ws_load_complete(e, s, load);
    else if (l->left == l->arrived)
        s->ready_turn = ws_earlier(s->ready_turn, ws_returns_first(s));
}

/* Asynchronous copies (async.c). To be called when the warp issues a copy, whose data `load` waits for; when it has
 * issued a commit or a wait. */
void ws_async_copy_issued(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_issued(ws_sm *sm, unsigned warp, const ws_timed_static *inst);
/* To be called when a copy's load has all its data. */
void ws_async_copied(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_free(ws_sm *sm);

/* ---- instructions (instructions.c) */

static inline ws_icache *ws_icache_of(const ws_engine *e, const ws_sm *s) {
    return &e->icaches[s->index];
}

bool ws_icaches_fit(const ws_engine *engine, ws_error *err);
bool ws_icaches_init(ws_engine *engine); /* false if out of memory */
void ws_icaches_free(ws_engine *engine);
/* To be called when sectors of a line of instructions have arrived. */
void ws_icache_take(ws_engine *engine, ws_sm *sm, uint64_t line, uint8_t sectors);
/* Fetches for warps with empty buffers, and lets warps that have ended leave. Returns whether the SM has to do so in
 * the next cycle, too. */
bool ws_instructions_step(ws_engine *engine, ws_sm *sm);

/* Lines that the L1 fetches without having been asked for them (fetch.c). To be called when it has served a read;
 * `request` is the packet that it sends to memory for the read, or WS_NO_PACKET. */
void ws_fetch_around(ws_engine *engine, ws_sm *sm, const ws_l1_read *read, uint32_t request);
/* To be called when the line of the MSHR entry has come into `way` (WS_NO_WAY: it is not kept). */
void ws_fetch_arrived(ws_engine *engine, ws_sm *sm, const ws_mshr_entry *entry, uint32_t way);
/* Returns a new packet for what is left of `packet`, which asks for several lines, once its first line has been
 * served. */
uint32_t ws_fetch_rest(ws_engine *engine, const ws_packet *packet);

/* Sends a request to the owner of the partition slot (partition.c). False: it cannot be taken now. */
bool ws_sm_ask_partition(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);

/* Check whether the configured GPU works at all, and whether launches 1 .. `last` fit on it (refusals.c). `*culprit` is
 * the first launch that does not, or 0. */
bool ws_engine_fits(const ws_engine *engine, ws_error *err);
bool ws_launches_fit(ws_engine *engine, uint32_t last, uint32_t *culprit, ws_error *err);

bool ws_slice_init(ws_engine *engine, ws_slice *slice, uint32_t index);
void ws_slice_free(ws_slice *slice);
bool ws_channel_init(ws_engine *engine, ws_channel *channel, uint32_t index);
void ws_channel_free(ws_channel *channel);

#endif
