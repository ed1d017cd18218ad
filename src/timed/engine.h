/* The timed engine's parts and what passes between them.
 *
 * Within a cycle the parts take turns in a fixed order: DRAM channels, L2 slices, the two networks, clusters, SMs, CTA
 * dispatch. Each part says when it wants its next turn; a part that hands it something asks for an earlier one. Cycles
 * in which no part has a turn are skipped. An SM that nothing can reach for a while has its turns in a row, before the
 * others have theirs (ahead.c). */
#ifndef WS_TIMED_ENGINE_H
#define WS_TIMED_ENGINE_H

#include "replay/branching.h"
#include "timed/address_map.h"
#include "timed/agenda.h"
#include "timed/cache.h"
#include "timed/clocks.h"
#include "timed/dram_banks.h"
#include "timed/launch.h"
#include "timed/mshr.h"
#include "timed/network.h"
#include "timed/packet.h"
#include "timed/places.h"
#include "timed/queue.h"
#include "timed/slots.h"
#include "timed/sm.h"
#include "timed/stream.h"

enum { WS_NO_SM = UINT16_MAX };

/* ---- L2 slice and DRAM channel */

typedef struct ws_slice_counters {
    uint64_t accesses, hits, pending_hits, misses, sector_misses, retries;
} ws_slice_counters;

/* What a slice sends to DRAM, as ws_queued.where. */
enum ws_dram_kind { WS_DRAM_FETCH, WS_DRAM_WRITE_BACK, WS_DRAM_KINDS };

/* Its requests come from the network's output port, its replies wait at the input port. */
typedef struct ws_slice {
    uint32_t index, channel;
    ws_cache tags;
    ws_mshr mshr;
    /* Requests that have left the port, and the cycle from which the tags may serve them; by weight their sectors. Of
     * these so many packets have come to the queue in front of the tags, with so many sectors. */
    ws_queue in;
    uint32_t in_front, sectors_in_front;
    uint64_t in_last; /* the cycle from which the tags may serve the last of them */
    uint64_t gate;    /* the first cycle in which the next may leave the port */
    /* MSHR entries that fetch, by weight their sectors; write-backs, packets of weight 1. `when`: the first DRAM cycle
     * in which they may enter the channel. */
    ws_queue to_dram;
    bool borrows; /* its own credit at the channel */
    /* Packets that are answered from DRAM: when they leave; by weight MSHRs that are free then. */
    ws_queue data;
    uint64_t data_last;   /* the cycle in which the last of them leaves */
    uint32_t port_log2;   /* of l2.port_B */
    uint64_t port_free;   /* first cycle in which the next reply may come to the network's port */
    uint64_t misses_gone; /* first cycle in which the miss queue is empty */
    uint64_t tags_free;   /* first cycle in which the tags take the next request */
    bool stalled;         /* the tags' next request failed, and nothing that matters has changed since */
    bool blocked;         /* there was no room for a reply or a miss, whatever the request */
    uint64_t stalled_at;  /* when it failed; 0: it did not */
    ws_slice_counters counters;
} ws_slice;

/* Enough for the clocks' phase to be right after millions of cycles, and for 2^64 to hold cycles times clocks. */
enum { WS_DRAM_CLOCK = 100000000 };

typedef struct ws_channel {
    uint32_t index, slice_count;
    struct ws_slice *slices; /* its own */
    uint64_t tick;           /* DRAM cycles done */
    uint64_t next_entry; /* the next DRAM cycle in which a request enters, unless the banks are full then */
    ws_queue on_way; /* what has entered, until it is in the banks; `where`: slice x WS_DRAM_KINDS + kind */
    ws_queue returning; /* MSHR entries; `when` in DRAM cycles, `where` its slice of these */
    /* Credits that the slices share, and how many of them sectors and write-backs have that have entered, not come
     * back. */
    int64_t shared, borrowed;
    uint32_t slice_turn;
    uint32_t read_bursts; /* of a sector */
    uint64_t next_return; /* the DRAM cycle in which the next data go back, or WS_NEVER */
    ws_dram_banks banks;
} ws_channel;

/* ---- the whole */

struct ws_engine {
    const ws_trace *trace;
    const ws_kernel *kernel; /* of the present launch */
    const ws_gpu_params *gpu;
    const ws_sm_params *sm_params;
    const ws_core_params *core;
    const ws_l1_params *l1;
    const ws_noc_params *noc;
    const ws_l2_params *l2;
    const ws_dram_params *dram;
    ws_address_map map;
    uint32_t units[WS_UNIT_COUNT];      /* of an SM */
    uint64_t unit_slack[WS_UNIT_COUNT]; /* cycles that a unit may be busy and still take an instruction */

    /* Of the present launch; of the first one, if several run at the same time. */
    uint32_t ctas;
    ws_reader *ahead; /* for a slot's owner that reads each launch before it runs; NULL until it makes one */
    ws_timed_stream *stream;
    const ws_timed_static *statics;
    const ws_register_sets *registers; /* register_words per static instruction */
    uint32_t register_words, warps_per_cta, ctas_per_sm;
    ws_occupancy occupancy;
    /* For traces without registers: core.stall_on_use + 1, the number of turns that a warp's instructions go through. A
     * load holds its turn until its data arrive, and so holds up the instruction that many later. 0: there are
     * registers. */
    uint32_t run_ahead;
    bool one_in_flight;                  /* core.dependences */
    uint32_t issue_cycles;               /* from one issue of a scheduler to the next */
    ws_launch launches[WS_LAUNCHES_MAX]; /* that run; of joined traces one of each program */
    uint32_t launch_count;
    ws_program programs[WS_PROGRAMS_MAX]; /* of joined traces */
    uint32_t program_count;               /* 0: one trace */
    /* Per slot: what its owner had counted in instances that have been replaced since. */
    uint64_t core_counts[WS_MECHANISM_COUNTS_MAX], front_counts[WS_MECHANISM_COUNTS_MAX],
        fetch_counts[WS_MECHANISM_COUNTS_MAX];

    ws_agenda agenda;
    uint64_t now, start; /* start: the first CTA's */
    uint64_t launched;   /* now, at the launch */
    uint64_t progress;   /* the last cycle in which an instruction was issued or completed */
    ws_timed_taps taps;
    ws_packets packets;
    ws_network requests, replies;
    ws_divisor dram_clock; /* DRAM cycles per core cycle, times WS_DRAM_CLOCK */
    ws_clocks *clocks;     /* instead, with dram.core_MHz */
    uint64_t dram_start;   /* the core cycle that begins with the first one: that of the first launch */
    uint32_t sm_count, slice_count, channel_count;
    ws_sm *sms;
    ws_icache *icaches;                     /* of each SM, */
    ws_idle *idle;                          /* and when it had no CTA */
    uint32_t last_started[WS_LAUNCHES_MAX]; /* by place in `launches`: the SM that got the latest CTA */
    ws_slice *slices;
    ws_channel *channels;

    /* A cluster is a part of its own, with turns, when its SMs share a port or a mechanism owns its slot. */
    uint32_t cluster_count, cluster_parts; /* parts: cluster_count or 0 */
    ws_divisor sms_per_cluster;
    void **clusters; /* the slot owner's instances */

    /* Owners of slots (NULL: none), and their parameters. */
    const ws_dispatch_slot *dispatch_slot;
    const ws_core_slot *core_slot;
    const ws_front_slot *front_slot;
    const ws_l1_slot *l1_slot;
    const ws_fetch_slot *fetch_slot;
    const ws_cluster_slot *cluster_slot;
    const ws_partition_slot *partition_slot;
    const void *dispatch_params, *core_params, *front_params, *l1_params, *fetch_params, *cluster_params,
        *partition_params;
    void *dispatch, *partition; /* these slots' instances */
    bool tags_forget;           /* an L1's tags do not know of all lines that its MSHRs wait for */
    bool reorders;              /* accesses of different warps can overtake each other before the L1 */
    /* what may issue can change without a touch: schedulers have a turn whenever their SM has */
    bool schedules_always;
    bool l1_is_heard;  /* a tap or a slot is told of the accesses that an L1 has served */
    bool sms_go_ahead; /* ws_sms_go_ahead() */
    bool admits_all;   /* the policy lets all warps issue */
    bool is_greedy;    /* schedulers take the warp that issued last while it can, then the oldest */
    ws_divisor schedulers, l1_banks;
    ws_collecting collecting;
    ws_divisor register_banks; /* of each lane of collectors */

    uint32_t running;  /* CTAs that have started and not ended */
    uint64_t started;  /* CTAs, of all launches so far */
    uint32_t fetching; /* lines on their way to L1s that nobody asked for (fetch.c) */
    bool finished;     /* no CTA runs, and none is left */
    uint64_t scheduler_slots[WS_SCHEDULERS_MAX]; /* warp slots of each scheduler */
    ws_error *err;
    bool failed;  /* out of memory */
    bool refused; /* a slot's owner cannot go on; `err` says why */
};

/* An instruction was issued or completed. An SM may be ahead of the others, so this may not be the latest cycle. */
static inline void ws_note_progress(ws_engine *e) {
    if (e->now > e->progress) e->progress = e->now;
}

static inline uint64_t ws_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* For tests: from now on, all parts have a turn in each cycle. If results differ, a part asks for its turns too
 * late. */
void ws_timed_poll(ws_timed *timed);
/* For tests: from the next launch on this one owns the slot `l1`. */
void ws_timed_seat_l1(ws_timed *timed, const ws_l1_slot *slot, const void *params);

/* Asks for a turn of a part in cycle `when`, this one included if the part's turn is still to come. */
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
static inline void ws_wake_sm(ws_engine *e, uint32_t sm, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + sm, when);
}
static inline void ws_wake_dispatch(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + e->sm_count, when);
}
/* The owner of the partition slot has the last turn. */
static inline void ws_wake_partition(ws_engine *e, uint64_t when) {
    ws_agenda_add(&e->agenda, e->channel_count + e->slice_count + 2 + e->cluster_parts + e->sm_count + 1,
                  when);
}

/* Each part's turn in cycle `engine->now` (ws_network_step() is another); it asks for its next one. */
void ws_slice_step(ws_engine *engine, ws_slice *slice);
void ws_channel_step(ws_engine *engine, ws_channel *channel);
void ws_cluster_step(ws_engine *engine, uint32_t cluster);
void ws_sm_step(ws_engine *engine, ws_sm *sm);
/* One turn of an SM, in `engine->now`; returns the cycle in which it wants the next one (sm.c). */
uint64_t ws_sm_turn(ws_engine *engine, ws_sm *sm);
bool ws_sms_go_ahead(const ws_engine *engine);
/* The SM has sent a packet that `sectors` sectors will answer. */
void ws_sm_awaits(const ws_engine *engine, ws_sm *sm, uint32_t sectors);

/* Data on their way from the L1 or shared memory to loads (returns.c). `accesses` accesses of the load have their data
 * from cycle `when` on; with operand collectors they wait until then in MSHR entry `entry` of the L1, or
 * WS_NO_ENTRY. */
void ws_returns_pass(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t accesses, uint32_t entry,
                     uint64_t when);
/* Shared memory: whether it takes another instruction that waits for data; the instruction leaves the banks; its data
 * have arrived, which is WS_EVENT_SHARED. */
bool ws_returns_take_shared(const ws_engine *engine, const ws_sm *sm);
void ws_returns_await_shared(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);
void ws_returns_pass_shared(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);
/* One access fewer waits for the entry's data; after the last of them the entry is free. */
void ws_l1_fetched(ws_sm *sm, uint32_t entry);
bool ws_returns_serve(ws_engine *engine, ws_sm *sm); /* whether any data were served */
uint64_t ws_returns_next(const ws_engine *engine, const ws_sm *sm);
static inline bool ws_returns_are_blocked(const ws_engine *e, const ws_sm *s) {
    return e->front_slot && e->front_slot->blocks_returns && e->front_slot->blocks_returns(s->front);
}

/* A slice sends a request, which may enter its channel from a cycle on: answers the first DRAM cycle that this is. */
uint64_t ws_channel_await(ws_engine *engine, const ws_slice *slice, uint64_t from);
/* What has entered up to now leaves the queues of the slices. One that finds no room then waits until something does
 * (ws_slice.blocked). */
void ws_channel_enter(ws_engine *engine, ws_channel *channel);
void ws_channel_await_room(ws_engine *engine, ws_channel *channel);
/* Requests leave the network's port, up to now. */
void ws_slice_let_in(ws_engine *engine, ws_slice *slice);
/* From when on the full port has room for a packet of so many flits, or may have; WS_NEVER: the slice will take
 * something there, and tell the network. */
uint64_t ws_slice_room_from(ws_engine *engine, ws_slice *slice, uint32_t flits);
/* Data that an MSHR entry waits for have come from DRAM. */
void ws_slice_fill(ws_engine *engine, ws_slice *slice, uint32_t entry);

/* Clusters (cluster.c): between an SM and the network. */
bool ws_clusters_init(ws_engine *engine);
void ws_clusters_free(ws_engine *engine);
/* An SM's packet for memory; false: it cannot be taken now, and the SM gets a turn once it can. */
bool ws_sm_send(ws_engine *engine, ws_sm *sm, uint32_t packet);
/* The queue in which replies for the SM arrive. */
const ws_queue *ws_sm_replies(const ws_engine *engine, const ws_sm *sm);
uint32_t ws_sm_take_reply(ws_engine *engine, ws_sm *sm);
/* From cycle `when` on the cluster's port has a reply; has room for requests. */
void ws_cluster_wake_for_reply(ws_engine *engine, uint32_t cluster, uint64_t when);
void ws_cluster_wake_for_room(ws_engine *engine, uint32_t cluster, uint64_t when);

/* Warps that could issue now if their units took the instruction. */
static inline uint64_t ws_sm_ready(const ws_sm *s) {
    return s->fetched & s->clear & ~s->barred & s->admitted & ~s->held;
}

/* Where the time goes (account.c): adds the cycles up to `cycle`, exclusive, to the SM's counters. To be called before
 * the state of its warps changes. */
void ws_sm_account(const ws_engine *engine, ws_sm *sm, uint64_t cycle);

/* To be called before anything changes that schedulers look at: the fields of ws_sm_ready(), the load/store unit's
 * room. */
static inline void ws_sm_touch(ws_engine *e, ws_sm *s) {
    if (s->touched) return;
    ws_sm_account(e, s, e->now);
    s->touched = true;
}

/* Units (units.c). Whether one of that kind takes an instruction of the scheduler now. ws_unit_take() gives one an
 * instruction that arrives in cycle `when` and occupies it for `cycles`; it returns the cycle in which the unit
 * begins. */
void ws_units_init(ws_engine *engine);
bool ws_unit_takes(const ws_engine *engine, const ws_sm *sm, unsigned unit, unsigned scheduler);
uint64_t ws_unit_take(const ws_engine *engine, ws_sm *sm, unsigned unit, unsigned scheduler, uint32_t cycles,
                      uint64_t when);
/* The same after operand collectors: whether unit `which` of the kind begins with it in `cycle`. */
bool ws_unit_begins(const ws_engine *engine, ws_sm *sm, unsigned unit, unsigned which, const ws_issue *how,
                    uint64_t cycle);
uint64_t ws_unit_take_next(const ws_engine *engine, ws_sm *sm, unsigned unit, unsigned scheduler,
                           const ws_issue *how, uint64_t when);
bool ws_sm_init(ws_engine *engine, ws_sm *sm, uint32_t index);
void ws_sm_free(const ws_engine *engine, ws_sm *sm);
/* Updates `admitted`. Does nothing under lrr and gto, which admit all warps. */
void ws_sm_admit(const ws_engine *engine, ws_sm *sm);
/* Of `warps`, all of one CTA: the slot of the one with the lowest number in the CTA. */
unsigned ws_sm_first_of(const ws_sm *sm, uint64_t warps);
/* The first of `warps` in round-robin order after `last`. */
unsigned ws_sm_next_of(unsigned last, uint64_t warps);
/* An instruction has its result: its destinations are free for readers. */
void ws_sm_complete(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);
/* Calls the taps that are set: an instruction issues; a load has its data, `cycles` after its issue; a warp ends. */
void ws_tell_issue(const ws_engine *engine, ws_sm *sm, unsigned warp, const ws_timed_inst *inst);
void ws_tell_load(const ws_engine *engine, const ws_sm *sm, const ws_load *load, uint64_t cycles);
void ws_tell_life(const ws_engine *engine, const ws_sm *sm, unsigned warp);
static inline void ws_note_wait_ended(const ws_engine *e, ws_sm *s, unsigned warp, enum ws_timed_wait wait) {
    if (e->taps.issue) s->waits[warp].ended[wait] = e->now;
}

/* A load's data have come. */
void ws_sm_loaded(ws_engine *engine, ws_sm *sm, const ws_load *load);
void ws_sm_schedule(ws_engine *engine, ws_sm *sm, uint64_t when, enum ws_event_kind kind, unsigned warp,
                    uint32_t static_id, uint16_t tag);
/* The results that the warp's next instruction waits for may have arrived: looks again. */
void ws_sm_look(ws_engine *engine, ws_sm *sm, unsigned warp);

/* Begins a warp, whose next instruction is the first one that it fetches. */
void ws_sm_fetch_first(ws_engine *engine, ws_sm *sm, unsigned warp);

static inline const ws_register_sets *ws_registers_of(const ws_engine *e, uint32_t static_id) {
    return &e->registers[(size_t)static_id * e->register_words];
}

/* Residents (residents.c). A CTA comes to the SM, which has a CTA slot for it. Its warps start at once, or when the
 * dispatch slot's owner starts them. */
bool ws_sm_start_cta(ws_engine *engine, ws_sm *sm, ws_launch *launch, uint32_t ordinal);
/* `count` things that kept the warp from ending are done; it leaves once the fetch stage notices (instructions.c). */
void ws_sm_settle(ws_engine *engine, ws_sm *sm, unsigned warp, unsigned count);
void ws_sm_leave(ws_engine *engine, ws_sm *sm, unsigned warp);
/* The warp has issued a barrier. */
void ws_sm_come_to_barrier(const ws_engine *engine, ws_sm *sm, unsigned warp);
/* The last issued access of the warp has reached the L1. */
void ws_sm_all_started(ws_engine *engine, ws_sm *sm, unsigned warp);

/* Operand collectors (collect.c). All but the first three functions are for GPUs that have collectors. */
bool ws_collect_fits(const ws_engine *engine, ws_error *err);
void ws_collect_lay_out(ws_engine *engine);
/* Whether the scheduler has a free latch to units of that kind. */
static inline bool ws_collect_takes(const ws_sm *s, unsigned unit, unsigned scheduler) {
    return !(s->collectors.latches[scheduler] >> unit & 1);
}
/* An instruction is issued to a unit of that kind; a memory instruction has joined its unit's queue. */
void ws_collect_issue(const ws_engine *engine, ws_sm *sm, unsigned unit, const ws_latched *inst);
void ws_collect_memory(const ws_engine *engine, ws_sm *sm, ws_memory_inst *inst);
/* The load/store unit takes the oldest memory instruction that has left its collector; whether there is one. */
bool ws_collect_take(const ws_engine *engine, ws_sm *sm);
/* Their part of the SM's turn, between the load/store unit and the schedulers. */
void ws_collect_step(ws_engine *engine, ws_sm *sm);
/* A unit begins with arithmetic in that cycle: two cycles after its last stage its result can be used (sm.c). */
void ws_sm_begins(ws_engine *engine, ws_sm *sm, ws_latched *inst, uint64_t cycle);
/* The warp's instruction writes its results, or data that return, in that cycle. */
void ws_collect_note_write(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                           uint64_t cycle);
static inline void ws_collect_write(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id,
                                    uint64_t cycle) {
    if (s->collectors.reads_end > e->collecting.steps * cycle)
        ws_collect_note_write(e, s, warp, static_id, cycle);
}
/* Results of arithmetic take the write ports of their register banks in this cycle; and whether they have taken one
 * that the instruction's data need in `cycle`. */
void ws_collect_take_ports(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id);
bool ws_collect_port_is_taken(const ws_engine *engine, const ws_sm *sm, unsigned warp, uint32_t static_id,
                              uint64_t cycle);

/* Whether several launches run at the same time (launches.c), with core.first_launch_sms on separate SMs. */
static inline bool ws_launches_share(const ws_engine *e) {
    return e->program_count || e->launch_count > 1;
}

static inline const ws_launch *ws_launch_of(const ws_engine *e, const ws_sm *s, unsigned warp) {
    return &e->launches[s->launch_of[s->warps[warp].cta_of]];
}
/* The counters of the warp's launch; NULL if it runs alone, so that the whole GPU's counters are its own. */
static inline ws_timed_share *ws_share_of(ws_engine *e, const ws_sm *s, unsigned warp) {
    return e->launch_count > 1 ? &e->launches[s->launch_of[s->warps[warp].cta_of]].counters : NULL;
}

/* Load/store unit (lsu.c). */
bool ws_lsu_init(ws_engine *engine, ws_sm *sm);
void ws_lsu_free(const ws_engine *engine, ws_sm *sm);
/* `warps`: those whose next instruction is for the unit. Returns those whose instruction it takes in this cycle. */
uint64_t ws_lsu_takes(const ws_engine *engine, const ws_sm *sm, unsigned scheduler, uint64_t warps);
void ws_lsu_issue(ws_engine *engine, ws_sm *sm, unsigned scheduler, unsigned warp, const ws_timed_inst *inst,
                  const ws_access *access, uint8_t tag);
/* The unit's part of the SM's turn; whether it wants the next cycle's, too. */
bool ws_lsu_step(ws_engine *engine, ws_sm *sm);
/* If it does not: the next cycle in which something can move although nothing new arrives. */
uint64_t ws_lsu_next(const ws_engine *engine, const ws_sm *sm);
/* The L1 (l1.c), whose turn is part of the load/store unit's. */
bool ws_l1_init(ws_engine *engine, ws_sm *sm);
void ws_l1_free(const ws_engine *engine, ws_sm *sm);
/* Invalidates all lines except those that wait for data (fence.c). */
void ws_l1_empty(ws_sm *sm);
/* The warp is at a memory fence, and passes it once it has all results. Then the L1 is emptied after the schedulers'
 * turn (core.fences). */
void ws_sm_come_to_fence(ws_engine *engine, ws_sm *sm, unsigned warp);
/* Empties the L1 after a fence, unless no line has been looked up since a fence last did. */
void ws_l1_pass_fence(ws_sm *sm);
/* The number of an access's bank; the bank, or NULL if it takes no access now; ws_l1_enter() gives it one.
 * ws_l1_start() does all of this. */
static inline uint32_t ws_l1_bank_of(const ws_engine *e, const ws_sm *s, uint64_t line, uint8_t sectors) {
    if (s->bank_count == 1) return 0;
    uint64_t set_or_sector =
        e->l1->bank_by == WS_BANK_BY_SET
            ? ws_set_of(s->l1.index, line, s->l1.sets)
            : line * ((uint64_t)e->l1->line_B / WS_TIMED_SECTOR_B) + (uint64_t)__builtin_ctz(sectors);
    return (uint32_t)ws_remainder(set_or_sector, e->l1_banks);
}
static inline ws_l1_bank *ws_l1_bank_for(const ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors) {
    ws_l1_bank *bank = &s->banks[ws_l1_bank_of(e, s, line, sectors)];
    return bank->last_in != e->now + 1 && bank->queue.count < (uint32_t)e->l1->latency ? bank : NULL;
}
void ws_l1_enter(ws_engine *engine, ws_sm *sm, ws_l1_bank *bank, uint32_t packet);
/* With l1.bank_by set: the turn of an instruction with `accesses` accesses, for ws_packet.next until the tags have
 * served it. */
uint32_t ws_l1_turn(ws_sm *sm, uint32_t accesses);
bool ws_l1_step(ws_engine *engine, ws_sm *sm);
/* Whether the L1 has a miss to send in the next cycle; if not, it gets a turn when the port has room. */
bool ws_l1_sends_next(ws_engine *engine, const ws_sm *sm);
/* Doing things before their cycle when the outcome is certain (l1_foresee.c).
 * A reply is on its way to a port, from which the SM would take it in cycle `when`. If it changes nothing that the SM
 * could see before another turn, it is taken now, which saves the SM a turn. Returns whether it was. */
bool ws_sm_foresees(ws_engine *engine, uint32_t cluster, uint32_t packet, uint64_t when);
/* To be called after the L1's turn and what the load/store unit sends in it: does what is certain of the next turn. */
void ws_l1_foresee_turn(ws_engine *engine, ws_sm *sm);
uint64_t ws_l1_next(const ws_engine *engine, const ws_sm *sm);

/* What slices, channels and networks have counted since they were built, and SMs since they were made (counters.c). */
ws_timed_counters ws_count_all(const ws_engine *engine);

/* Loads in flight (load.c). WS_NO_LOAD if out of memory. */
uint32_t ws_load_new(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, unsigned accesses);
/* `accesses` accesses of a load have their data. */
void ws_load_returns(ws_engine *engine, ws_sm *sm, uint32_t load, uint32_t accesses);

/* Asynchronous copies (async.c). The warp issues a copy, whose data `load` waits for; the warp has issued a commit or a
 * wait. */
void ws_async_copy_issued(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_issued(ws_sm *sm, unsigned warp, const ws_timed_static *inst);
/* The load of a copy has all its data. */
void ws_async_copied(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_free(ws_sm *sm);

/* ---- instructions (instructions.c) */

static inline ws_icache *ws_icache_of(const ws_engine *e, const ws_sm *s) {
    return &e->icaches[s->index];
}

bool ws_icaches_fit(const ws_engine *engine, ws_error *err);
bool ws_icaches_init(ws_engine *engine); /* false if out of memory */
void ws_icaches_free(ws_engine *engine);
/* Sectors of a line of instructions have arrived. */
void ws_icache_take(ws_engine *engine, ws_sm *sm, uint64_t line, uint8_t sectors);
/* The SM fetches for warps with empty buffers, and lets warps that have ended leave. Returns whether it has to do so in
 * the next cycle, too. */
bool ws_instructions_step(ws_engine *engine, ws_sm *sm);

/* Lines that nobody has asked for (fetch.c): the L1 has served a read, and `request` is the packet that it sends to
 * memory for it, or WS_NO_PACKET. */
void ws_fetch_around(ws_engine *engine, ws_sm *sm, const ws_l1_read *read, uint32_t request);
/* The entry's line has come into `way`, or WS_NO_WAY. */
void ws_fetch_arrived(ws_engine *engine, ws_sm *sm, const ws_mshr_entry *entry, uint32_t way);
/* What is left of a packet that asks for several lines, as a packet, once its first line has been served. */
uint32_t ws_fetch_rest(ws_engine *engine, const ws_packet *packet);

/* Sends a request to the owner of the partition slot (partition.c); false: it cannot be taken now. */
bool ws_sm_ask_partition(ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);

/* Whether such a GPU works, and launches 1 .. `last` on it (refusals.c). `*culprit` is the first launch that does not,
 * 0 if none does. */
bool ws_engine_fits(const ws_engine *engine, ws_error *err);
bool ws_launches_fit(ws_engine *engine, uint32_t last, uint32_t *culprit, ws_error *err);

bool ws_slice_init(ws_engine *engine, ws_slice *slice, uint32_t index);
void ws_slice_free(ws_slice *slice);
bool ws_channel_init(ws_engine *engine, ws_channel *channel, uint32_t index);
void ws_channel_free(ws_channel *channel);

#endif
