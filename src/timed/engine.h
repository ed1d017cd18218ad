/* The state of the timed engine. Its parts have folders: `launch` prepares what is to run, `sm` has the cores that
 * issue it, `l1` all between a core and its port, `network` ports and crossbars, `memory` L2 slices and DRAM channels.
 * What others call in a part is declared in its header: launch/launch.h, network/network.h, network/cluster.h,
 * memory/slice.h, memory/channel.h; for an SM sm/core.h, sm/collect.h and l1/lsu.h; for the GPU as a whole gpu.h and
 * counters.h.
 *
 * Within a cycle the parts take turns in a fixed order (turns.h). Each part asks for its next turn, and a part that
 * hands something to another one wakes it earlier. Cycles in which no part has a turn are skipped, so a part must never
 * rely on having a turn in every cycle.
 *
 * The state of all parts is more than the host's nearest cache holds, so parts go through several cycles in a row where
 * nothing that others do can reach them meanwhile (conservative lookahead): an SM, ahead of the others (sm/ahead.c);
 * the whole memory side, ahead of the SMs (turns.c); the banks of a DRAM channel (memory/channel.c). Results are those
 * of turns in step. */
#ifndef WS_TIMED_ENGINE_H
#define WS_TIMED_ENGINE_H

#include "replay/branching.h"
#include "timed/agenda.h"
#include "timed/cache.h"
#include "timed/clocks.h"
#include "timed/launch/launch.h"
#include "timed/launch/stream.h"
#include "timed/memory/address_map.h"
#include "timed/memory/memory.h"
#include "timed/mshr.h"
#include "timed/network/network.h"
#include "timed/network/packet.h"
#include "timed/places.h"
#include "timed/queue.h"
#include "timed/slots.h"
#include "timed/sm/sm.h"

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
    /* the launches that run, or places for them; for joined traces, one of each program */
    ws_launch launches[WS_LAUNCHES_MAX];
    uint32_t launch_count;
    uint32_t turn[WS_SIDES]; /* per side: the place of the launch that is asked for CTAs first */
    ws_streams streams;
    uint32_t alone_from;                  /* from this launch on each is a run of its own */
    uint32_t next_copy;                   /* the first copy to the device that is still to be placed */
    ws_program programs[WS_PROGRAMS_MAX]; /* the programs of joined traces */
    uint32_t program_count;               /* 0: the trace is not a joined one */

    ws_agenda memory_agenda, sm_agenda; /* of the two sides (turns.h) */
    bool memory_turn;                   /* it is the memory side that has turns now */
    uint64_t now, start;                /* start: cycle in which the first CTA may start */
    /* How many cycles the memory side may be ahead of the SMs in this launch (turns.c); 0: none. */
    uint64_t lead;
    uint64_t unanswered;   /* sectors that SMs await and that have not left the network for replies */
    bool reply_port_fills; /* one is nearly full, as far as its SM has come */
    bool lead_rests;       /* the SMs catch up, until half of the lead is left */
    uint64_t launched;     /* cycle from which the launch's time counts */
    uint64_t progress;     /* last cycle in which an instruction was issued or completed */
    ws_timed_taps taps;
    ws_packets packets;
    ws_network requests, replies;
    ws_dram_clock dram_clock;
    ws_clocks *clocks; /* used instead of `dram_clock` when dram.core_MHz is set; else NULL */
    /* the core cycle that begins together with DRAM cycle 0: that of the first launch */
    uint64_t dram_start;
    uint32_t sm_count, slice_count, channel_count;
    ws_sm *sms;         /* made with their first CTA of a launch, or all at its beginning (timed.c) */
    ws_icache *icaches; /* one per SM */
    ws_idle *idle;      /* one per SM */
    ws_dispatch_turns *turns[WS_SIDES]; /* NULL: no launch of the side has run yet */
    ws_slice *slices;
    ws_channel *channels;

    /* Clusters take turns of their own only if their SMs share a port, a mechanism owns the cluster slot, or memory is
     * perfect. */
    uint32_t cluster_count, cluster_parts; /* cluster_parts: cluster_count, or 0 */
    uint32_t port_count;                   /* of either network, to and from clusters */
    ws_divisor sms_per_cluster, sms_per_port;
    void **clusters;     /* the slot owner's instances, one per cluster */
    uint64_t *rested;    /* per cluster: for how many cycles its SMs' order has stood still (ws_first_sm) */
    uint64_t dispatched; /* cycle in which the latest CTA has been started */
    /* the latest cycle from which on there were CTAs left to start (ws_clusters_go_on) */
    uint64_t goes_on_from;

    ws_mechanism_set mechanisms; /* those that are on */
    /* of each: what its instances in SMs that have since been renewed had counted (launch/programs.c) */
    uint64_t counted_earlier[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX];
    /* The owners of the slots (NULL: none), and their parameters. */
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
    bool l1_is_heard;  /* a tap or a slot is told of each access that an L1 has served */
    bool sms_go_ahead; /* SMs may go ahead of each other in this launch */
    /* and these have an L1 of one bank, whose tags do not forget, and nothing that few have, such as operand
     * collectors: a turn then has few parts (sm/ahead.c) */
    bool turns_are_plain;
    bool l1_acknowledges; /* L1s may acknowledge stores (those to local memory, with l1.write = evict) */
    bool admits_all;      /* the scheduling policy lets all warps issue */
    /* what a scheduler issues changes which warps of other schedulers are candidates only if a barrier opens */
    bool schedulers_apart;
    bool core_is_plain; /* the result of ws_core_is_plain() for this launch */
    /* schedulers choose as gto does: the warp that issued last while it can, then the oldest */
    bool is_greedy;
    ws_divisor schedulers, l1_banks;
    uint32_t l1_rate;      /* the most accesses that the banks of an L1 take in a cycle */
    uint32_t l1_bank_room; /* the most accesses that a bank holds on their way to the tags */
    ws_collecting collecting;
    ws_divisor register_banks; /* number of banks of each lane of collectors */

    uint32_t running; /* number of CTAs that have started and not ended */
    uint64_t started; /* number of CTAs started, in all launches so far */
    /* number of lines on their way to L1s that no load asked for (l1/fetch.c) */
    uint32_t fetching;
    bool finished;                               /* no CTA runs, and none is left to start */
    uint64_t scheduler_slots[WS_SCHEDULERS_MAX]; /* set of warp slots per scheduler */
    ws_error *err;
    bool failed;             /* out of memory */
    bool refused;            /* a slot's owner cannot go on; `err` says why */
    const ws_program *stuck; /* does not go on, while the other program loops; NULL: none */
};

/* To be called when an instruction is issued or completed. An SM may be ahead of the others (sm/ahead.c), so `now` is
 * not necessarily later than `progress`. */
static inline void ws_note_progress(ws_engine *e) {
    if (e->now > e->progress) e->progress = e->now;
}

static inline uint64_t ws_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t ws_later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns the last cycle that the launch may come to without progress. Nothing goes ahead of others beyond it. */
static inline uint64_t ws_patience(const ws_engine *e) {
    return e->progress + (uint64_t)e->core->deadlock_cycles;
}

/* Returns whether several launches run at the same time (launch/launches.c), perhaps on separate SMs
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

static inline const ws_register_sets *ws_registers_of(const ws_engine *e, uint32_t static_id) {
    return &e->statics.registers[(size_t)static_id * e->statics.register_words];
}

/* Has `ahead` made. False with an error. */
bool ws_engine_reads_ahead(ws_engine *engine, ws_error *err);

/* For tests: gives every part a turn in every cycle from now on. If that changes the results, a part asks for its turns
 * too late. */
void ws_timed_poll(ws_timed *timed);
/* For tests: puts `slot` into the slot `l1`, from the next launch on. */
void ws_timed_seat_l1(ws_timed *timed, const ws_l1_slot *slot, const void *params);

#endif
