/* The state of a streaming multiprocessor (ws_sm): its core, its load/store unit, its L1, and their tables of loads,
 * memory instructions and events. It is made anew for each launch; what must outlive one is in ws_idle and
 * ws_icache. */
#ifndef WS_TIMED_SM_SM_H
#define WS_TIMED_SM_SM_H

#include "timed/cache.h"
#include "timed/launch/launch.h"
#include "timed/launch/stream.h"
#include "timed/mshr.h"
#include "timed/network/packet.h"
#include "timed/places.h"
#include "timed/queue.h"
#include "timed/slots.h"

enum { WS_SCHEDULERS_MAX = 8 };

enum { WS_NO_SLOT = WS_SLOTS };
#define WS_NO_LOAD UINT32_MAX
#define WS_CODE    (UINT32_MAX - 1) /* ws_packet.load of a read for the instruction cache */

/* Where data come from that loads wait for: the L1, shared memory, or the port, if they bypassed the L1. With
 * core.collectors they take turns at the registers, in this order. */
enum ws_origin { WS_FROM_L1, WS_FROM_SHARED, WS_FROM_PORT, WS_ORIGINS };

/* A load or atomic in flight, and what to release when its last access has returned. */
typedef struct ws_load {
    uint32_t static_id; /* of a group: that of its first load */
    /* Cycles, modulo 2^32: that of its issue (of a group: the slot's number for it), and that in which it gets the
     * latest of the data that have come. */
    uint32_t issued, until;
    uint16_t left;    /* accesses whose data it has not got yet */
    uint16_t arrived; /* those of `left` whose data are queued (core.collectors) */
    uint16_t merged;  /* accesses that a front slot has merged into others */
    uint8_t tag;      /* ws_issue.tag */
    uint8_t warp : 6;
    uint8_t group : 1; /* a front slot's group of loads */
    /* a request to the partition slot's owner, which will give the warp its further instructions */
    uint8_t asks : 1;
} ws_load;

/* Asynchronous copies (async.c). A load that is a copy has the number of its group, counted per warp, and links to the
 * copies in flight that the same warp issued just before and after it. */
typedef struct ws_async_copy {
    uint32_t group, before, after; /* before, after: loads, or WS_NO_LOAD */
} ws_async_copy;
/* A warp has the number of the group that its next copy joins, and its latest copy in flight. While it waits for the
 * copies of all groups before `until`, `awaited` is the number of these that are in flight. */
typedef struct ws_async_warp {
    uint32_t group, last, until, awaited;
} ws_async_warp;
typedef struct ws_async {
    ws_async_warp warps[WS_SLOTS];
    ws_async_copy *copies; /* indexed by load */
    uint32_t room;
} ws_async;

/* Where a memory instruction is. Without shared operand collectors it is at the unit as soon as it is issued. */
enum ws_station { WS_STATION_UNIT, WS_STATION_LATCH, WS_STATION_COLLECTOR, WS_STATION_BEHIND };

/* A memory instruction between its issue and the start of its last access. */
struct ws_memory_inst {
    /* cycle in which it arrives at the load/store unit; there, the cycle of its last pass through shared memory, or the
     * first in which its next access may start */
    uint64_t arrives;
    const ws_access *access; /* the first access that has not started */
    /* set of the accesses from `access` on that have started (l1.bank_by = set) */
    uint64_t started;
    uint32_t turn; /* its turn at the tags; 0: none (l1.bank_by = set) */
    uint32_t static_id, load;
    uint16_t left;       /* number of accesses that have not started */
    uint8_t shared_left; /* number of passes through shared memory left */
    uint8_t warp, scheduler, tag;
    uint8_t kind;    /* enum ws_packet_kind of its accesses */
    uint8_t station; /* enum ws_station */
    uint32_t serial; /* order of issue, with shared collectors */
    bool past_l1;    /* its accesses bypass the L1 */
    /* a request to the partition slot's owner; has no accesses */
    bool asks;
    ws_packet form; /* what the packets of its accesses have in common */
};

/* Something that happens in an SM at a known cycle. */
enum ws_event_kind {
    WS_EVENT_COMPLETE,
    /* data of shared memory have been read, and wait for their turn to be written */
    WS_EVENT_SHARED,
    WS_EVENT_CORE /* an event of the core slot's owner */
};
typedef struct ws_event {
    uint32_t static_id, next; /* next: next event of its cycle, index + 1 */
    uint32_t later;           /* cycles from its place in the wheel to when it happens; 0: it happens there */
    uint8_t kind, warp;
    uint16_t tag; /* ws_issue.tag, or the core slot owner's own */
} ws_event;

enum {
    /* Cycles of the event wheel: 8 words of bits. Few events lie farther ahead, and the wheels of all SMs together stay
     * near the host. */
    WS_WHEEL = 512,
    WS_FETCH_WHEEL = 128 /* most cycles that the arrival of instructions lies ahead */
};

/* What a scheduler does in a cycle: that it issues, or why it does not. */
enum ws_doing {
    WS_DOING_ISSUE,
    WS_DOING_MEMORY,  /* a memory instruction is ready, but the load/store unit has no room */
    WS_DOING_UNIT,    /* another instruction is ready, but its unit is busy */
    WS_DOING_DATA,    /* a warp waits for a result */
    WS_DOING_BARRIER, /* warps wait at barriers */
    /* warps wait for instructions, or, having issued all, for what they have in flight */
    WS_DOING_FETCH,
    WS_DOING_EMPTY, /* no warp */
    WS_DOING_COUNT
};

typedef struct ws_sm_counters {
    uint64_t warp_instructions, arithmetic_instructions, thread_instructions;
    uint64_t accesses, probes[WS_PROBE_COUNT]; /* of the L1; probes: accesses by what they found */
    uint64_t l1_busy_cycles, miss_port_waits;
    /* by cause: accesses that have waited, and for how many cycles */
    uint64_t fail_stalls[WS_FAIL_COUNT], fail_retries[WS_FAIL_COUNT];
    uint64_t bypasses; /* accesses sent past the L1 */
    uint64_t scheduler_cycles[WS_DOING_COUNT];
    uint64_t busy_cycles, warp_cycles, memory_waiting, memory_waiting_cycles;
    uint64_t loads, load_cycles;
    uint64_t icache_accesses, icache_misses;
} ws_sm_counters;

typedef struct ws_l1_bank {
    ws_queue queue;   /* packets; `when`: the cycle in which they reach the tags */
    uint64_t last_in; /* cycle in which the last access entered, or will have entered, + 1 */
    uint32_t taken;   /* how many have in that cycle */
    uint32_t bit;     /* the set of this bank alone */
    /* cycle from which its head has failed, + 1; 0: it has not. `cause`: why, enum ws_fail */
    uint64_t since;
    uint8_t cause;
} ws_l1_bank;

/* An instruction on its way through operand collectors to a unit. */
typedef struct ws_latched {
    ws_issue how; /* arithmetic only */
    uint32_t static_id;
    uint32_t serial; /* order of issue */
    uint64_t reads;  /* ws_timed_static.reads */
    uint8_t warp, scheduler;
    bool awaited; /* a warp waits for its result, or for its end */
} ws_latched;

/* How operand collectors are laid out (collect.c; set up in collect_layout.c). Either each scheduler is a lane, or all
 * together are one. A lane's collectors are divided into sets: the first for all instructions, each other one for one
 * kind of unit. */
enum {
    WS_UNITS_MAX = 16,
    WS_COLLECTORS_MAX = 32,
    WS_REGISTER_BANKS_MAX = 16,
    WS_COLLECTOR_SETS = 5
}; /* the last three: of a lane */
typedef struct ws_collecting {
    /* false: the GPU has no shared collectors, so that no unit ever lacks one; nothing else here has a meaning then */
    bool used;
    bool sub_cores; /* each scheduler is a lane */
    /* each scheduler has a unit of the kind for itself; has a meaning without collectors, too */
    bool units_apart[WS_UNIT_COUNT];
    uint64_t buses;           /* core.result_buses */
    uint32_t lanes, per_lane; /* number of lanes, and of collectors of each */
    uint32_t steps;           /* steps in a cycle: in each a bank gives one operand */
    ws_divisor by_steps;
    /* how many memory instructions of a lane may stand between collectors and load/store unit */
    uint32_t behind;
    /* per lane: latches to a kind of unit, and as many registers in front of it */
    uint8_t width[WS_UNIT_COUNT];
    /* enum ws_unit that the set is for; the first set is for all */
    uint8_t unit_of[WS_COLLECTOR_SETS];
    uint32_t members[WS_COLLECTOR_SETS]; /* set of the lane's collectors */
    uint8_t ports[WS_COLLECTOR_SETS];    /* how many instructions may enter it in a step, and leave it */
    /* Sets of a lane's banks have four bits per bank: their number, and all of them. */
    uint32_t bank_bits;
    uint64_t all_banks;
    uint64_t slots_of[WS_SCHEDULERS_MAX]; /* per lane: set of warp slots */
    /* per warp slot: its lane, and by how many bits its banks are shifted against those of warp 0 */
    uint8_t lane_of_warp[WS_SLOTS], bank_shift[WS_SLOTS];
} ws_collecting;

/* An operand collector. Steps are numbered from cycle 0 on. */
typedef struct ws_collector {
    uint64_t entered; /* step in which the instruction entered */
    uint16_t banks;   /* set of banks that it reads from */
    /* per bank: how many steps after `entered` it reads from it for the last time */
    uint16_t last_read[WS_REGISTER_BANKS_MAX];
    uint8_t unit; /* enum ws_unit */
    ws_latched inst;
} ws_collector;

/* The cycles in which instructions of a unit end: bit i of `set` is cycle `from` + i (units.c). */
typedef struct ws_unit_ends {
    uint64_t from, set;
} ws_unit_ends;

/* How many results take a result bus in a cycle. */
typedef struct ws_bus_ends {
    uint64_t cycle, count;
} ws_bus_ends;
enum { WS_ENDS_NEAR = 64 }; /* cycles from the present one on whose ends these two hold */

/* An SM's operand collectors (collect.c). What every turn reads comes first. */
typedef struct ws_collectors {
    uint64_t next;      /* the first cycle in which something can move */
    uint64_t reads_end; /* first step in which no operand is read, as things stand */
    /* set of kinds of units for which instructions are latched, each by its place in collect.c's `unit_at` */
    uint32_t waiting;
    uint32_t serial; /* that of the last instruction issued */
    /* Per kind of unit: the set of warp slots of the schedulers all of whose latches to it are taken; and the kinds for
     * which there are such. Without collectors, only for memory: all slots while the queue is full (l1/lsu.c). */
    uint64_t full[WS_UNIT_COUNT];
    uint32_t full_units;
    /* per lane: the set of collectors that hold an instruction */
    uint32_t taken[WS_SCHEDULERS_MAX];
    uint64_t soonest; /* the step before which no instruction can leave its collector */
    /* number of memory instructions between collectors and load/store unit, per lane and altogether */
    uint32_t behind[WS_SCHEDULERS_MAX], all_behind;
    /* number of memory instructions that the load/store unit has taken from there */
    uint32_t at_unit;
    uint32_t taken_last; /* the place in the ring ws_sm.memory of the one that it has taken last */
    uint8_t latched_first[WS_UNIT_COUNT], latched_count[WS_UNIT_COUNT];
    /* Per set and way out of it: the place in the set of the collector that an instruction left last. */
    uint8_t left_last[WS_COLLECTOR_SETS][WS_SCHEDULERS_MAX];
    /* Per lane: set of banks to which results of arithmetic are written in cycle `results_at`, four bits per bank. */
    uint64_t results[WS_SCHEDULERS_MAX];
    uint64_t results_at;
    /* Per lane: set of banks to which any results have been written in cycle `written_at`. */
    uint16_t written[WS_SCHEDULERS_MAX];
    uint64_t written_at;
    /* Per lane and bank: the first step in which it has no operand to give any more. */
    uint64_t bank_free[WS_SCHEDULERS_MAX][WS_REGISTER_BANKS_MAX];
    /* Registers in front of the units, and the instructions in them; memory instructions are counted in `behind`
     * instead. With sub-cores each scheduler has one per kind of unit: `occupied` is the set of schedulers whose
     * register is taken. Otherwise they are ordered, the oldest first. */
    ws_latched in_front[WS_UNIT_COUNT][WS_SCHEDULERS_MAX];
    uint8_t occupied[WS_UNIT_COUNT];
    uint8_t in_front_count[WS_UNIT_COUNT], all_in_front;
    ws_latched latched[WS_UNIT_COUNT][WS_SCHEDULERS_MAX]; /* a ring for each kind of unit */
    ws_unit_ends ends[WS_UNIT_COUNT][WS_UNITS_MAX];
    ws_bus_ends buses[WS_ENDS_NEAR]; /* indexed by cycle, modulo its length */
    /* ends beyond these, the soonest first; `id` is the unit: its kind * WS_UNITS_MAX + which of that kind */
    ws_queue far_ends;
    /* Per collector, those of the first lane first: the step, + 1, from which the instruction in it may leave, as far
     * as its operands say. 0: there is none, or it waits until there is room in front of its unit. */
    uint64_t leaves[WS_SCHEDULERS_MAX * WS_COLLECTORS_MAX];
    ws_collector of[WS_SCHEDULERS_MAX * WS_COLLECTORS_MAX];
} ws_collectors;

/* An instruction cache and its misses (instructions.c). Outlives launches. */
enum { WS_ICACHE_MISSES_MAX = 16 };
typedef struct ws_icache_miss {
    uint64_t line;
    uint32_t arrived; /* its place in the order of arrival, from 1; 0: not yet */
    uint8_t missing;  /* sectors still to come */
    bool sent;
    /* warps that wait for it or have done so, and how many of them have been served */
    uint8_t count, served;
    uint8_t warps[WS_SLOTS];
} ws_icache_miss;
typedef struct ws_icache {
    ws_cache tags;
    uint8_t last; /* the warp that fetched last */
    uint32_t miss_count, arrivals;
    ws_icache_miss misses[WS_ICACHE_MISSES_MAX];
} ws_icache;

/* What outlives launches: the cycles in which the SM had no CTA, up to the arrival of those that reside now, and the
 * first cycle since the last ones left; and what ws_sm.last and ws_collectors.left_last were. */
typedef struct ws_idle {
    uint64_t cycles, from;
    uint8_t last[WS_SCHEDULERS_MAX];
    uint8_t left_last[WS_COLLECTOR_SETS][WS_SCHEDULERS_MAX];
} ws_idle;

/* Scheduler two_level: a scheduler's active set, and the warps outside it in the order in which they left it. */
typedef struct ws_pending_warps {
    uint64_t active;
    uint8_t slot[WS_SLOTS], count;
} ws_pending_warps;

/* The contents of a warp slot: all that issuing an instruction looks at lies together. */
typedef struct ws_sm_warp {
    const ws_timed_inst *inst_first, *inst, *inst_end;
    const ws_access *access;
    /* number of instructions without their result, and of sectors written without acknowledgement */
    uint32_t in_flight;
    uint32_t writes;       /* of these, the sectors written */
    uint32_t acknowledged; /* of these, those whose acknowledgement waits at the port (if SMs may go ahead) */
    uint8_t buffered;      /* number of instructions fetched and not issued */
    uint8_t cta_of;        /* its CTA slot */
    uint8_t id_in_cta;     /* its number in its CTA */
    uint8_t unit;          /* enum ws_unit that its next instruction wants */
    uint64_t start;        /* cycle in which it started */
    /* what the owner of the partition slot has given the warp to execute; owned by the SM */
    ws_timed_warp *tail;
} ws_sm_warp;

/* Kept only while a tap listens to issues: the cycle in which the warp issued last, and for each kind of wait the cycle
 * in which it last ended. */
typedef struct ws_sm_waits {
    uint64_t issued, ended[WS_TIMED_WAIT_ISSUE];
} ws_sm_waits;

struct ws_sm {
    /* Fields are ordered by use, as there are more SMs than the host's nearest cache holds: first what each turn reads,
     * then what turns that only move accesses and data need. */
    uint32_t index;
    bool made;           /* between ws_sm_init() and ws_sm_free(); otherwise only its time is counted */
    uint32_t banks_used; /* set of L1 banks with accesses */
    /* set of banks whose head failed and need not be tried again, as nothing has changed that could help it */
    uint32_t banks_stalled;
    /* With the only bank stalled for want of an MSHR entry: the way that the line of its head may take. WS_NO_WAY: not
     * known (l1/foresee.c) */
    uint32_t head_way;
    uint32_t memory_first, memory_count, memory_room;
    uint64_t schedule_next; /* first cycle in which a scheduler could issue, as things stand */
    uint64_t event_next;    /* the first cycle with an event */
    /* schedulers have a turn in this cycle: what they look at has changed (ws_sm_touch) */
    bool touched;
    bool l1_is_plain; /* its accesses meet none of what few replays have (l1/l1.c) */
    /* accesses enter the banks in their order, as there is one bank or one coalescer (and neither slot nor turns) */
    bool enters_in_order;
    uint8_t line_sectors; /* the set of all sectors of a line */
    /* first_bank: the bank that goes first, with l1.misses_per_cycle */
    uint32_t bank_count, first_bank;
    uint32_t missed;        /* reads that missed in this cycle, pending hits included */
    ws_memory_inst *memory; /* ring of the instructions at the load/store unit */
    ws_l1_bank *banks;
    /* the bank that all accesses enter in their order; NULL: there are more banks, or a front slot */
    ws_l1_bank *only_bank;
    /* the full bank in which the only instruction that the load/store unit serves waits for room, or NULL (l1/lsu.c) */
    ws_l1_bank *waits_for;
    /* replies for this SM: the inbox, or the network's port. One may be taken in the cycle after its `when` */
    ws_queue *replies;
    ws_queue miss_queue;
    /* Data on their way to loads (l1/returns.c), by enum ws_origin; without core.collectors all are in the first queue.
     * An entry is a load, its `when` the first cycle in which it may get data, its weight the number of accesses that
     * it then counts. Each access of the first queue has a cycle of its own; `ready_last` is the latest so far.
     * Normally only a load's last data are queued; where data can be held up, by a front slot or with core.collectors,
     * all are. */
    ws_queue ready[WS_ORIGINS];
    uint64_t ready_last;
    /* With core.collectors: the cycle in which the latest data were served or held up, and the cycle in which those
     * that are queued next need a turn. */
    uint64_t ready_served, ready_turn;
    uint8_t
        head_from; /* enum ws_origin: where the head comes from or, if none is fetched, the latest one came from */
    bool head_is_fetched; /* the head has left its MSHR entry, shared memory, or its place behind the port */
    /* the latest cycle in which another value that bypassed the L1 came to that place, and the one before */
    uint64_t values_moved, values_moved_before;
    /* Sets of warp slots: the buffer is empty and no fetch for it is under way; the warp has nothing more to do. */
    uint64_t hungry, leaving;
    ws_load *loads;
    ws_places load_places;
    /* How far the SM may go ahead of the other parts (ahead.c). */
    uint64_t ahead;      /* first cycle whose turn it has not had */
    uint64_t reply_from; /* no reply comes before this cycle */
    uint64_t foreseen;   /* cycle of the latest reply that has been taken before it came (ws_sm_foresees) */
    /* number of sectors that it has asked for or written and that are unanswered, if it has a port of its own */
    uint32_t awaited;
    uint32_t past_l1; /* number of instructions at the load/store unit whose accesses bypass the L1 */
    /* number of instructions on their way through shared memory, with operand collectors */
    uint32_t shared_awaited;
    /* set of CTA slots all of whose warps have at some time issued their last instruction */
    uint64_t ending;
    ws_mshr mshr;
    ws_cache l1;

    /* Sets of warp slots. A warp may issue when it is in `fetched` and `clear` and not in `barred`. */
    uint64_t fetched;              /* its instruction buffer is not empty */
    uint64_t clear;                /* its next instruction waits for no result */
    uint64_t barred;               /* it waits at a barrier */
    uint64_t wants[WS_UNIT_COUNT]; /* its next instruction wants that unit */
    uint64_t issuing;              /* it has instructions left */
    uint64_t exited;               /* it has issued its last instruction; none of it is in `issuing` again */
    uint64_t admitted;             /* the policy lets it issue (policy.c) */
    uint64_t busy;                 /* with one_in_flight: it has an instruction in flight */
    uint64_t held;                 /* it is ready, but the core slot does not let it issue */
    uint64_t inserted;             /* what it issued last is an instruction of the core slot's own */
    uint64_t live;                 /* it resides in the SM */
    uint64_t copying;              /* it waits for asynchronous copies */
    uint64_t updating;             /* with core.atomics_wait: it waits for an atomic */
    uint64_t fencing;              /* it waits at a fence for all its results */
    /* a fence has been passed, which empties the L1 in this turn */
    bool empties;
    bool l1_used;       /* a line has been looked up since a fence last emptied the L1 */
    uint64_t accounted; /* first cycle whose time is not in the counters yet */
    uint64_t since;     /* the cycle before its launch begins, or in which a program has renewed it */
    uint32_t issued;    /* set of schedulers that issued in cycle `accounted` */
    uint8_t last[WS_SCHEDULERS_MAX];
    uint64_t issue_free[WS_SCHEDULERS_MAX]; /* first cycle in which it may issue again */
    void *core;                             /* the core slot's instance */
    ws_sm_counters counters;
    ws_sm_warp warps[WS_SLOTS];
    /* per warp slot `register_words` words: set of registers (with run_ahead: of turns) that wait for a result */
    uint64_t *pending;
    uint64_t *loading; /* the same: registers that wait for a load */
    uint64_t unit_free[WS_UNIT_COUNT][WS_UNITS_MAX];
    ws_pending_warps pending_warps[WS_SCHEDULERS_MAX];

    /* Event wheel: a list of events for each of the next WS_WHEEL cycles. */
    uint32_t wheel[WS_WHEEL]; /* first event of the cycle + 1, or 0 */
    uint64_t wheel_used[WS_WHEEL / 64];
    uint32_t wheel_words; /* set of the words of `wheel_used` that are not 0 */
    ws_event *events;
    ws_places event_places;
    /* per cycle, which then has an event: the set of warps whose buffers are filled */
    uint64_t arriving[WS_FETCH_WHEEL];

    /* Who resides where: a CTA has a CTA slot, and its warps have any warp slots. */
    uint64_t free_slots; /* warp slots that no CTA holds */
    uint64_t free_ctas;
    uint64_t cta_slots[WS_SLOTS]; /* per CTA slot: set of warp slots that it holds */
    /* per CTA slot: set of its warps that have not ended; of those that wait at a barrier */
    uint64_t cta_warps[WS_SLOTS], cta_barred[WS_SLOTS];
    /* per CTA slot: how many warps it has; the number of the one that starts next */
    uint8_t cta_size[WS_SLOTS], cta_next[WS_SLOTS];
    ws_timed_cta *cta[WS_SLOTS];
    uint32_t cta_ordinal[WS_SLOTS];
    uint32_t cta_writes[WS_SLOTS]; /* sectors written and not acknowledged */
    uint8_t by_age[WS_SLOTS];      /* CTA slots in use, the oldest first */
    uint32_t resident;
    /* How CTAs come (launch/launches.c). */
    uint64_t cta_started;        /* cycle in which the last CTA started, + 1 */
    uint64_t used[WS_RESOURCES]; /* resources used by the resident CTAs */
    uint8_t launch_of[WS_SLOTS]; /* per CTA slot: its place in ws_engine.launches */

    /* Load/store unit (l1/lsu.c). */
    uint32_t memory_of[WS_SCHEDULERS_MAX]; /* per scheduler: its instructions in `memory` */
    /* How many there may be of a scheduler that has its own port; and of all, if nothing but the queue decides whether
     * the unit takes instructions, else 0. */
    uint32_t memory_share, memory_full;
    ws_collectors collectors;
    /* With a front slot or several coalescers: a warp's accesses that have been issued and have not reached the L1. */
    uint32_t not_started[WS_SLOTS];
    uint64_t late_barred;        /* set of warps whose arrival at a barrier awaits these */
    void *front, *at_l1, *fetch; /* the slots' instances */
    uint32_t memory_issued;      /* memory instructions issued in this cycle */
    uint32_t asked;              /* number of requests sent to the partition slot's owner */
    ws_async *async;             /* NULL until the first copy */

    /* L1 (l1/l1.c). With l1.bank_by = set: a ring, indexed by turn, of the number of an instruction's accesses that the
     * tags have not served. */
    uint16_t *turns;
    /* turn_first: the first turn that is not served; turn_end: the next one to be given out */
    uint32_t turn_mask, turn_first, turn_end;
    uint32_t turn_limit; /* only turns before it are served in this cycle */
    /* replies for this SM, if it has no port of its own (network/cluster.c) */
    ws_queue inbox;
    ws_sm_waits waits[WS_SLOTS];
};

/* Returns the n-th of the instructions at the load/store unit, the oldest being 0. */
static inline ws_memory_inst *ws_sm_memory(const ws_sm *s, uint32_t n) {
    uint32_t at = s->memory_first + n;
    return &s->memory[at < s->memory_room ? at : at - s->memory_room];
}

#endif
