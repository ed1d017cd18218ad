/* A streaming multiprocessor: what its core, its load/store unit and its L1 hold. */
#ifndef WS_TIMED_SM_H
#define WS_TIMED_SM_H

#include "timed/cache.h"
#include "timed/launch.h"
#include "timed/mshr.h"
#include "timed/places.h"
#include "timed/queue.h"
#include "timed/slots.h"
#include "timed/stream.h"

enum { WS_SCHEDULERS_MAX = 8 };

enum { WS_NO_SLOT = WS_SLOTS };
#define WS_NO_LOAD UINT32_MAX
#define WS_CODE    (UINT32_MAX - 1) /* ws_packet.load of a read for the instruction cache */

/* A load or atomic in flight: what it releases when its last access has returned. */
typedef struct ws_load {
    uint32_t static_id;
    /* The cycles, modulo 2^32, in which it was issued, and in which it gets the last of the data that have come. */
    uint32_t issued, until;
    uint16_t left;    /* accesses whose data have not come to it; */
    uint16_t arrived; /* of these: whose data wait for their cycle (core.collectors) */
    uint8_t tag;      /* ws_issue.tag */
    uint8_t warp : 6;
    uint8_t group : 1; /* of a front slot; static_id is its number for it */
    uint8_t asks : 1;  /* the partition slot's owner, which gives the warp its further instructions */
} ws_load;

/* Asynchronous copies (async.c). Of a load that is one: its group, counted by its warp, and the warp's copies in
 * flight that were issued just before and after it. Of a warp: the group that its next copy joins, and its last copy
 * in flight; while it waits, for copies of groups before `until`, how many of these are in flight. */
typedef struct ws_async_copy {
    uint32_t group, before, after; /* loads, or WS_NO_LOAD */
} ws_async_copy;
typedef struct ws_async_warp {
    uint32_t group, last, until, awaited;
} ws_async_warp;
typedef struct ws_async {
    ws_async_warp warps[WS_SLOTS];
    ws_async_copy *copies; /* by the load's number */
    uint32_t room;
} ws_async;

/* Where a memory instruction is; without shared collectors it is at the unit at once. */
enum ws_station { WS_STATION_UNIT, WS_STATION_LATCH, WS_STATION_COLLECTOR, WS_STATION_BEHIND };

/* A memory instruction between issue and its last access' start. */
struct ws_memory_inst {
    uint64_t arrives;        /* at the load/store unit; in its last pass through shared memory */
    const ws_access *access; /* the first that has not started */
    uint64_t started;        /* which of those from there on have (l1.bank_by set) */
    uint32_t turn;           /* at the tags; 0: none (l1.bank_by set) */
    uint32_t static_id, load;
    uint16_t left;       /* accesses that have not started */
    uint8_t shared_left; /* passes through shared memory */
    uint8_t warp, scheduler, tag;
    uint8_t kind;    /* enum ws_packet_kind, of its accesses */
    uint8_t station; /* enum ws_station */
    uint32_t serial; /* with shared collectors */
    bool past_l1;    /* its accesses pass the L1 by */
    bool asks;       /* the partition slot's owner; without accesses */
};

/* Something that happens in an SM at a known cycle. */
enum ws_event_kind {
    WS_EVENT_COMPLETE,
    WS_EVENT_SHARED, /* data of shared memory are there, and wait for their turn to be written */
    WS_EVENT_FETCHED,
    WS_EVENT_CORE /* the core slot's own */
};
typedef struct ws_event {
    uint32_t static_id, next; /* next: index + 1 */
    uint8_t kind, warp;
    uint16_t tag; /* ws_issue.tag, or the core slot's own */
} ws_event;

enum { WS_WHEEL = 2048 }; /* cycles that events lie ahead at most: 32 words of bits */

/* What a scheduler does in a cycle: it issues, or why it does not. */
enum ws_doing {
    WS_DOING_ISSUE,
    WS_DOING_MEMORY,  /* a memory instruction is ready, but the load/store unit has no room */
    WS_DOING_UNIT,    /* another instruction is ready, but its unit is busy */
    WS_DOING_DATA,    /* a warp waits for a result */
    WS_DOING_BARRIER, /* warps wait at barriers */
    WS_DOING_FETCH,   /* warps wait for instructions, or for what they have in flight before they end */
    WS_DOING_EMPTY,   /* no warp */
    WS_DOING_COUNT
};

typedef struct ws_sm_counters {
    uint64_t warp_instructions, arithmetic_instructions, thread_instructions;
    uint64_t accesses, probes[WS_PROBE_COUNT]; /* of the L1; these by what they found */
    uint64_t l1_busy_cycles, miss_port_waits;
    uint64_t fail_retries[WS_FAIL_COUNT];
    uint64_t bypasses; /* accesses that pass the L1 by */
    uint64_t scheduler_cycles[WS_DOING_COUNT];
    uint64_t busy_cycles, warp_cycles, memory_waiting, memory_waiting_cycles;
    uint64_t loads, load_cycles;
    uint64_t icache_accesses, icache_misses;
} ws_sm_counters;

typedef struct ws_l1_bank {
    ws_queue queue;   /* packets with the cycle in which they reach the tags */
    uint64_t last_in; /* + 1 */
    uint64_t since;   /* + 1: its head has failed, and why: enum ws_fail; 0: it has not */
    uint8_t cause;
} ws_l1_bank;

/* An instruction on its way to a unit through operand collectors. */
typedef struct ws_latched {
    ws_issue how; /* of arithmetic */
    uint32_t static_id;
    uint32_t serial; /* in the order of issue */
    uint64_t reads;  /* ws_timed_static.reads */
    uint8_t warp, scheduler;
    bool awaited; /* somebody waits for its result */
} ws_latched;

/* How operand collectors are laid out (collect.c). Each scheduler is a lane, or all together are one. A lane's
 * collectors are sets: the first for all instructions, others for one kind of unit. */
enum {
    WS_UNITS_MAX = 16,
    WS_RESULT_BUSES_MAX = 16,
    WS_COLLECTORS_MAX = 32,
    WS_REGISTER_BANKS_MAX = 16,
    WS_COLLECTOR_SETS = 4
}; /* of a lane */
typedef struct ws_collecting {
    bool used; /* else no unit lacks collectors, and nothing here means anything */
    uint32_t lanes;
    uint32_t steps;                      /* of a cycle: in each a bank gives one operand */
    uint32_t behind;                     /* memory instructions of a lane between collectors and unit */
    uint8_t width[WS_UNIT_COUNT];        /* of a lane: latches to a kind of unit, registers in front of it */
    uint8_t unit_of[WS_COLLECTOR_SETS];  /* but for the first */
    uint32_t members[WS_COLLECTOR_SETS]; /* a lane's collectors, */
    uint8_t exits[WS_COLLECTOR_SETS];    /* and how many instructions come and leave in a step */
} ws_collecting;

/* Steps are counted from cycle 0. */
typedef struct ws_collector {
    uint64_t ready;                            /* the step from which on it has its operands */
    uint64_t entered;                          /* that in which the instruction came */
    uint16_t banks;                            /* set of those that it reads from, */
    uint16_t last_read[WS_REGISTER_BANKS_MAX]; /* and how many steps later it does so for the last time */
    uint8_t unit;                              /* enum ws_unit */
    ws_latched inst;
} ws_collector;

/* A unit's instructions, or a result bus', that end in the cycles from `from` on, as a set (units.c). */
typedef struct ws_unit_ends {
    uint64_t from, set;
} ws_unit_ends;

/* An SM's operand collectors (collect.c). What every turn asks lies in front. */
typedef struct ws_collectors {
    uint64_t next;      /* the first cycle in which something can move */
    uint64_t reads_end; /* from this step on nobody reads operands, as things stand */
    uint32_t waiting;   /* set of units for which any are latched, each by its place in their order */
    uint32_t serial;    /* of the last instruction */
    uint32_t latches[WS_SCHEDULERS_MAX]; /* set of units: the scheduler finds its latches taken */
    /* Of each lane: set of collectors that hold an instruction; the step before which nothing leaves them. */
    uint32_t taken[WS_SCHEDULERS_MAX];
    uint64_t soonest_of[WS_SCHEDULERS_MAX], soonest;
    uint32_t behind[WS_SCHEDULERS_MAX], all_behind; /* memory instructions past the collectors */
    uint32_t at_unit;                               /* those that the load/store unit has taken from there */
    uint8_t latched_count[WS_UNIT_COUNT];
    /* Of each way out of a set: the place in it from which one left last. */
    uint8_t left_last[WS_COLLECTOR_SETS][WS_SCHEDULERS_MAX];
    uint16_t results[WS_SCHEDULERS_MAX]; /* banks that results of arithmetic are written to in this cycle: */
    uint64_t results_at;
    uint16_t written[WS_SCHEDULERS_MAX]; /* banks of results written in this cycle: */
    uint64_t written_at;
    /* The first step in which the bank has no operand to give. */
    uint64_t bank_free[WS_SCHEDULERS_MAX][WS_REGISTER_BANKS_MAX];
    /* Registers in front of the units (memory instructions: `behind`). Of a scheduler's own: the first cycle in which
     * it is free; else what is in them, the oldest first, and how many. */
    uint64_t register_free[WS_UNIT_COUNT][WS_SCHEDULERS_MAX];
    ws_latched in_front[WS_UNIT_COUNT][WS_SCHEDULERS_MAX];
    uint8_t in_front_count[WS_UNIT_COUNT], all_in_front;
    ws_latched latched[WS_UNIT_COUNT][WS_SCHEDULERS_MAX]; /* the oldest first */
    ws_unit_ends ends[WS_UNIT_COUNT][WS_UNITS_MAX], buses[WS_RESULT_BUSES_MAX];
    ws_collector of[WS_SCHEDULERS_MAX][WS_COLLECTORS_MAX];
} ws_collectors;

/* An instruction cache and its misses (instructions.c). It outlives launches. */
enum { WS_ICACHE_MISSES_MAX = 16 };
typedef struct ws_icache_miss {
    uint64_t line;
    uint32_t arrived; /* the how many-th line that came; 0: it has not */
    uint8_t missing;  /* sectors */
    bool sent;
    uint8_t count, served; /* warps that wait for it, or did, and those of them that have been served */
    uint8_t warps[WS_SLOTS];
} ws_icache_miss;
typedef struct ws_icache {
    ws_cache tags;
    uint8_t last; /* the warp whose turn was the last */
    uint32_t miss_count, arrivals;
    ws_icache_miss misses[WS_ICACHE_MISSES_MAX];
} ws_icache;

/* What outlives launches: cycles in which an SM had no CTA, before those that reside came, and the first since the last
 * ones left; from which collectors instructions left last (ws_collectors). */
typedef struct ws_idle {
    uint64_t cycles, from;
    uint8_t left_last[WS_COLLECTOR_SETS][WS_SCHEDULERS_MAX];
} ws_idle;

/* Scheduler two_level: a scheduler's active set, and its other warps in the order in which they left it. */
typedef struct ws_pending_warps {
    uint64_t active;
    uint8_t slot[WS_SLOTS], count;
} ws_pending_warps;

/* What sits in a warp slot: all that an issue looks at lies together. */
typedef struct ws_sm_warp {
    const ws_timed_inst *inst_first, *inst, *inst_end;
    const ws_access *access;
    uint32_t in_flight;  /* instructions without their result, writes without acknowledgement */
    uint32_t writes;     /* of these: sectors written */
    uint8_t buffered;    /* instructions fetched */
    uint8_t cta_of;      /* the CTA slot, */
    uint8_t id_in_cta;   /* and the warp's number in its CTA */
    uint8_t unit;        /* that its next instruction wants */
    uint64_t start;      /* cycle */
    ws_timed_warp *tail; /* what the owner of the partition slot has given the warp to execute */
} ws_sm_warp;

/* While somebody listens to issues: the cycles in which a warp issued last, and in which it last had no longer to wait
 * for each of these. */
typedef struct ws_sm_waits {
    uint64_t issued, ended[WS_TIMED_WAIT_ISSUE];
} ws_sm_waits;

struct ws_sm {
    /* What turns that only move accesses and data look at lies in front: there are more SMs than a processor's nearest
     * cache holds. First comes what each turn asks. */
    uint32_t index;
    uint32_t banks_used;    /* set of L1 banks with accesses */
    uint32_t banks_stalled; /* set of those whose head failed while nothing that matters has changed since */
    uint32_t memory_first, memory_count, memory_room;
    uint64_t schedule_next;          /* first cycle in which a scheduler could issue, as things stand */
    uint64_t event_next;             /* the first cycle with an event */
    bool touched;                    /* schedulers have a turn: what they look at has changed in this one */
    uint8_t line_sectors;            /* all sectors of a line */
    uint32_t bank_count, first_bank; /* with l1.misses_per_cycle: that goes first */
    uint32_t missed;                 /* reads in this cycle */
    ws_memory_inst *memory;          /* ring: instructions at the load/store unit */
    ws_l1_bank *banks;
    ws_l1_bank *only_bank;   /* that all accesses come to, in their order; NULL: there are more, or a slot */
    const ws_queue *replies; /* the inbox, or the network's port: taken in the cycle after their `when` */
    ws_queue miss_queue;
    /* Loads whose last data have come, with the cycle in which they get them: those of each access in a cycle of their
     * own; that of the last access so far. Where data can be held up, by a front slot or with core.collectors: loads
     * for which any have come. They weigh the accesses that they still count. */
    ws_queue ready, shared_ready; /* the latter with core.collectors only */
    uint64_t ready_last;
    /* With core.collectors: in which cycle the latest data were served or held up; when those that are ready need a
     * turn. */
    uint64_t ready_served, ready_turn;
    bool head_is_shared;  /* it is, or the latest was, of shared_ready */
    bool head_is_fetched; /* the first of them has left its MSHR, */
    uint32_t in_mshrs;    /* and so many have not */
    /* Sets of warp slots: the buffer is empty, and no fetch for it is under way; the warp has nothing more to do. */
    uint64_t hungry, leaving;
    ws_load *loads;
    ws_places load_places;
    /* How far it may go ahead of the others (ahead.c). */
    uint64_t ahead;      /* the first cycle in which it has not had its turn */
    uint64_t reply_from; /* no answer comes before this cycle */
    uint32_t
        awaited; /* of an SM with a port of its own: sectors that it has asked for or written, unanswered */
    uint32_t past_l1;        /* instructions at the load/store unit whose accesses pass the L1 by */
    uint32_t shared_awaited; /* with operand collectors: instructions on their way through shared memory */
    uint64_t ending;         /* CTAs whose warps all have issued their last instruction, or once had */
    ws_mshr mshr;
    ws_cache l1;

    /* Sets of warp slots. A warp may issue when it is in `fetched` and `clear` and not in `barred`. */
    uint64_t fetched;              /* its buffer holds an instruction */
    uint64_t clear;                /* the instruction waits for no result */
    uint64_t barred;               /* waits at a barrier */
    uint64_t wants[WS_UNIT_COUNT]; /* its next instruction wants that unit */
    uint64_t issuing;              /* it has instructions left */
    uint64_t admitted;             /* the policy lets it issue (policy.c) */
    uint64_t busy;                 /* with one_in_flight: an instruction of it is */
    uint64_t held;                 /* it is ready, and the core slot does not let it issue */
    uint64_t live;                 /* it resides */
    uint64_t copying;              /* it waits for asynchronous copies */
    uint64_t updating;             /* with core.atomics_wait: it waits for an atomic */
    uint64_t fencing;              /* it waits for all its results */
    bool empties;                  /* a fence that has been passed empties the L1 in this turn, */
    bool l1_used;                  /* which has looked a line up since the last one did */
    uint64_t accounted;            /* the first cycle whose time is not in the counters yet */
    uint32_t issued;               /* set of schedulers that issued in it */
    uint8_t last[WS_SCHEDULERS_MAX];
    uint64_t issue_free[WS_SCHEDULERS_MAX]; /* first cycle in which the scheduler issues again */
    void *core;                             /* the core slot's instance */
    ws_sm_counters counters;
    ws_sm_warp warps[WS_SLOTS];
    uint64_t *pending; /* per slot, register_words: registers that wait for a result */
    uint64_t *loading; /* the same: that of a load */
    uint64_t unit_free[WS_UNIT_COUNT][WS_UNITS_MAX];
    ws_pending_warps pending_warps[WS_SCHEDULERS_MAX];

    /* Events, by the cycle in which they happen. */
    uint32_t wheel[WS_WHEEL]; /* first event + 1 */
    uint64_t wheel_used[WS_WHEEL / 64];
    uint32_t wheel_words; /* set of words of wheel_used that are not 0 */
    ws_event *events;
    ws_places event_places;

    /* Who sits where: a CTA in a CTA slot, its warps in any warp slots. */
    uint64_t free_slots; /* warp slots that no CTA holds */
    uint64_t free_ctas;
    uint64_t cta_slots[WS_SLOTS];                       /* per CTA slot: the warp slots that it holds; */
    uint64_t cta_warps[WS_SLOTS], cta_barred[WS_SLOTS]; /* its warps that have not ended; that wait; */
    uint8_t cta_size[WS_SLOTS], cta_next[WS_SLOTS];     /* how many it has, and which starts next */
    ws_timed_cta *cta[WS_SLOTS];
    uint32_t cta_ordinal[WS_SLOTS];
    uint32_t cta_writes[WS_SLOTS]; /* sectors written without acknowledgement */
    uint8_t by_age[WS_SLOTS];      /* CTA slots in use, the oldest first */
    uint32_t resident;
    /* CTAs come (launches.c). */
    uint64_t cta_started;        /* cycle of the last one + 1 */
    uint64_t used[WS_RESOURCES]; /* by those that reside */
    uint8_t launch_of[WS_SLOTS]; /* per CTA slot */

    /* Load/store unit (lsu.c). */
    uint32_t memory_of[WS_SCHEDULERS_MAX]; /* instructions of each scheduler in its ring */
    ws_collectors collectors;
    /* With a front slot or several coalescers: accesses of a warp that have been issued and not reached the L1. */
    uint32_t not_started[WS_SLOTS];
    uint64_t late_barred;        /* warps that arrive at their barrier once they have none of these */
    void *front, *at_l1, *fetch; /* the slots' instances */
    uint32_t memory_issued;      /* in this cycle */
    uint32_t asked;              /* requests to the partition slot's owner */
    ws_async *async;             /* NULL until the first copy */

    /* L1 (l1.c). Banks of sets: the accesses of each instruction that the tags have not served, in a ring by its turn.
     */
    uint16_t *turns;
    uint32_t turn_mask, turn_first, turn_end; /* the first that is not served; the next to be given */
    uint32_t turn_limit;                      /* turns before it are served in this cycle */
    ws_queue inbox;                           /* replies for this SM of a cluster (cluster.c) */
    ws_sm_waits waits[WS_SLOTS];
};

/* The n-th of the instructions at the load/store unit. */
static inline ws_memory_inst *ws_sm_memory(const ws_sm *s, uint32_t n) {
    uint32_t at = s->memory_first + n;
    return &s->memory[at < s->memory_room ? at : at - s->memory_room];
}

#endif
