/* Slots: where a mechanism takes the place of what the baseline does (warpsweep/mechanism.h describes a mechanism; the
 * parts of the engine that have a slot call its owner, and do not know who that is).
 *
 *   dispatch  which CTAs an SM takes, and when their warps start and give back what they held
 *   core      which ready warps may issue, and how an instruction executes
 *   front     between the load/store unit, which gives the accesses of an instruction one by one, and the L1
 *   l1        which reads pass the L1 by; it hears what the L1 serves, and which lines leave it
 *   fetch     what the L1 fetches beside the lines that it is asked for
 *   cluster   between the L1s of a cluster and its port of the network
 *   partition in the memory partitions, beside the L2 slices
 *
 * An instance belongs to one place of the GPU (a cluster, an SM, all partitions) and to one launch; of two programs at
 * the same time a cluster's to all their launches, and so does an SM's where other warps are at work when a launch
 * begins. Whatever it is handed it owns until it hands it on; it hands everything on, each packet once.
 *
 * All functions of a slot are there, but where it says which may be NULL. */
#ifndef WS_TIMED_SLOTS_H
#define WS_TIMED_SLOTS_H

#include "warpsweep/error.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/timed.h"

#include <stdbool.h>
#include <stdint.h>

struct ws_timed_inst;
struct ws_timed_warp;
struct ws_trace;

typedef struct ws_engine ws_engine;
typedef struct ws_sm ws_sm;
typedef struct ws_memory_inst ws_memory_inst;

/* ---- dispatch: per GPU */

typedef struct ws_dispatch_slot {
    void *(*create)(const ws_engine *engine, const void *params); /* NULL without memory */
    void (*destroy)(void *self);                                  /* accepts NULL */
    /* The most CTAs that an SM can hold at once. */
    uint32_t (*most_ctas)(const void *self, const ws_engine *engine);
    /* How many CTAs the SM takes as things stand. */
    uint32_t (*room)(const void *self, const ws_engine *engine, const ws_sm *sm);
    /* A CTA that was sent to the SM is in the CTA slot `cta`; ws_sm_start_warps() starts its warps, now or later. */
    void (*arrived)(void *self, ws_engine *engine, ws_sm *sm, unsigned cta);
    /* A warp has ended, or would have nothing to do. Its slot is free when its CTA ends, unless ws_sm_release_slot()
     * frees it now. */
    void (*ended)(void *self, ws_sm *sm, unsigned warp);
    /* The slot's part of the turn of CTA dispatch, before CTAs are sent: after each end of a warp, and in the cycle
     * that it answers here, if that comes first (UINT64_MAX: in none). */
    uint64_t (*step)(void *self, ws_engine *engine);
    void (*count)(const void *self, uint64_t *counts);
} ws_dispatch_slot;

/* Starts the CTA's next `count` warps in the order of their numbers; there are so many, and free slots for them. */
void ws_sm_start_warps(ws_engine *engine, ws_sm *sm, unsigned cta, uint32_t count);
/* Frees the slot of a warp of a CTA that goes on without it. */
void ws_sm_release_slot(ws_sm *sm, unsigned warp);

/* ---- core: per SM */

/* How an instruction executes: as the baseline has it, unless the slot says otherwise. */
typedef struct ws_issue {
    /* cycles in its unit; the result comes core.pipeline_cycles later. Not of memory accesses */
    uint32_t latency;
    /* until the unit takes the next one; 0: it goes to no unit. Not of memory accesses */
    uint32_t unit_cycles;
    uint32_t issue_cycles; /* until its scheduler issues again */
    uint8_t tag;           /* a slot's note on the instruction, which `completed` brings back */
} ws_issue;

/* Functions that are NULL are not called, but create, destroy and count, which are there. */
typedef struct ws_core_slot {
    /* Whether it can work on such a trace; the error names the parameter. */
    bool (*takes)(const void *params, const struct ws_trace *trace, ws_error *err);
    /* What warps are to carry with their instructions, as WS_WANT_ bits: any of them brings ws_timed_warp.flow. */
    uint32_t (*wants)(const void *params);
    bool wants_masks;                           /* ws_timed_warp.masks */
    bool (*wants_branches)(const void *params); /* ws_timed_warp.branches */
    /* Whether launches go to SMs of their kind; and whether the SM is of the kind for a launch of so many threads, of
     * which an SM holds so many warps at once. */
    bool (*steers)(const void *params);
    bool (*is_for)(const void *params, uint32_t warps_on_sm, uint64_t threads, uint32_t sm);
    /* How many registers an SM has where all have `registers`, at most so many; NULL: as many. */
    int64_t (*registers)(const void *params, int64_t registers, uint32_t sm);
    void *(*create)(const ws_engine *engine, uint32_t sm, const void *params); /* NULL without memory */
    void (*destroy)(void *self);                                               /* accepts NULL */

    /* A warp has come to that slot of the SM; it has ended. */
    void (*warp_started)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp,
                         const struct ws_timed_warp *content);
    void (*warp_ended)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* In place of the baseline's rule: whether the warp's next instruction waits for results. Asked when it becomes the
     * next, when one of the warp's is completed, and at ws_sm_look(). */
    bool (*waits)(const void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* Those of these warps, whose next instruction waits for no result, that may issue in this cycle. Asked in every
     * turn of the SM, which has one after all that changes in it (an issue, a result, a warp that starts or ends) and
     * when `next` says, and in a turn anew after each issue. */
    uint64_t (*admits)(void *self, const ws_engine *engine, const ws_sm *sm, uint64_t warps);
    /* A scheduler has chosen the warp: whether an instruction of the slot's own goes before the warp's next one, which
     * waits until it is completed. It takes the unit for integers. */
    bool (*inserts)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp, ws_issue *how);
    /* The warp issues this instruction. */
    void (*issued)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, const struct ws_timed_inst *inst,
                   ws_issue *how);
    /* It is none of memory, and is written back in cycle `written`. */
    void (*executes)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                     uint64_t written, ws_issue *how);
    /* It has its result: with core.dependences one_in_flight any instruction, else one with destinations, or the last
     * one of its warp, or an inserted one. */
    void (*completed)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                      uint8_t tag);
    /* An event of the slot's own, WS_EVENT_CORE, with what was noted on it. */
    void (*event)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint16_t tag);
    /* The first cycle after `now` in which it may admit others than now by itself (UINT64_MAX: none). */
    uint64_t (*next)(const void *self, uint64_t now);
    /* Adds what it has counted before the present cycle, in a launch of so many cycles (0: it is not over), to the
     * columns of its mechanism's table. Warps may still be at work. */
    void (*count)(void *self, const ws_engine *engine, uint64_t cycles, uint64_t *counts);
} ws_core_slot;

/* ---- front: per SM */

typedef struct ws_front_slot {
    void *(*create)(const ws_engine *engine, const void *params); /* NULL without memory */
    void (*destroy)(void *self);                                  /* accepts NULL */
    /* Whether accesses of different warps can overtake each other: then a warp arrives at a barrier only when the L1
     * has all that it accessed before, so that nothing moves across. */
    bool (*reorders)(const void *params);
    /* Whether it asks accesses for their mapping (ws_access.other_mapping). */
    bool wants_mappings;

    /* What a slot takes from the load/store unit: either accesses, one by one (`offer`), or whole instructions, as they
     * are issued (`admits`, `issued`; then also `blocks_returns`, `waiting` and `returned`). The others are NULL. */

    /* The next access of the unit's first instruction, as a packet; as many in a cycle as the L1 has banks. False: not
     * now, offer it again. */
    bool (*offer)(void *self, ws_engine *engine, ws_sm *sm, uint32_t packet);
    /* Those of these warps, whose next instruction accesses global or local memory, from which it is taken now. */
    uint64_t (*admits)(const void *self, const ws_engine *engine, const ws_sm *sm, uint64_t warps);
    /* Such an instruction has been issued. ws_lsu_packet() makes packets of its accesses; reads may wait for a group
     * of loads (ws_load_group). */
    void (*issued)(void *self, ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);
    /* Whether no data can be taken from the L1 now: it stalls. */
    bool (*blocks_returns)(const void *self);
    /* Instructions that it has and does not work on. */
    uint32_t (*waiting)(const void *self);
    /* The data of a group have come; ws_load_return() gives them to the loads. */
    void (*returned)(void *self, ws_engine *engine, ws_sm *sm, uint32_t group);
    /* The slot's part of the SM's turn, after the offers: ws_l1_start() hands a packet on. Answers whether anything
     * moved; when nothing did, `next` tells in which later cycle something can by itself (UINT64_MAX: in none). */
    bool (*step)(void *self, ws_engine *engine, ws_sm *sm);
    uint64_t (*next)(const void *self);
    /* As that of `core`. */
    void (*count)(void *self, const ws_engine *engine, uint64_t *counts);
} ws_front_slot;

/* Gives an access to its bank of the L1, and an atomic, which passes the L1 by, to the network; false: not now. After
 * it, ws_lsu_started() for each access of the load/store unit that the packet stands for. */
bool ws_l1_start(ws_engine *engine, ws_sm *sm, uint32_t packet);
void ws_lsu_started(ws_engine *engine, ws_sm *sm, unsigned warp);

/* For slots that take instructions: a packet of its next access, which it is moved behind of; the packet of another
 * instruction's load stands for all of a group. */
uint32_t ws_lsu_packet(ws_engine *engine, ws_sm *sm, ws_memory_inst *inst);
/* A load that, when its one access has its data, calls `returned`; for ws_packet.load. */
uint32_t ws_load_group(ws_engine *engine, ws_sm *sm, uint32_t group);
/* An access of that load has its data. */
void ws_load_return(ws_engine *engine, ws_sm *sm, uint32_t load);

/* ---- l1: per SM */

/* Why an access to the L1 is retried. */
enum ws_fail {
    WS_FAIL_SET_FULL,
    WS_FAIL_MSHR_FULL,
    WS_FAIL_MERGE_FULL,
    WS_FAIL_MISS_QUEUE_FULL,
    WS_FAIL_COUNT,
    /* it does not fail, and is tried again in the next cycle: as many reads as may have missed in this one; it is to
     * pass the L1 by, and the network has no room */
    WS_FAIL_TURN = WS_FAIL_COUNT
};

/* An access that has come to the tags: all of a warp instruction to one line, or with l1.access sector to some sectors
 * of it. */
typedef struct ws_l1_access {
    uint64_t line;      /* address / l1.line_B */
    uint32_t static_id; /* the load, for ws_engine.statics; WS_NO_STATIC: a store, or loads of a group */
    uint8_t warp;       /* slot; of a group: that of one of them */
    uint8_t sectors;    /* of the line: asked for */
    bool is_write, local;
} ws_l1_access;

/* Functions that are NULL are not called, but create, which is there. It can answer the instance of its mechanism's
 * slot `core` or `front` (ws_sm.core, ws_sm.front), whose count has what is counted here, too; then destroy is NULL. */
typedef struct ws_l1_slot {
    void *(*create)(const ws_engine *engine, const ws_sm *sm, const void *params); /* NULL without memory */
    void (*destroy)(void *self);                                                   /* accepts NULL */

    /* Verdicts, of reads alone. They can be asked for several times before the access leaves: one that is to pass the
     * L1 by waits for a write of its warp that is still in the SM, and for room in the network. What passes fills no
     * line, and counts in l1_bypasses only. */

    /* Before the tags are asked. */
    bool (*passes)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access);
    /* The read has missed and lacks a resource: whether it is to pass now rather than wait. */
    bool (*bypasses)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access,
                     enum ws_fail cause);

    /* What it hears. */

    /* A line comes to `way`, on_fill with its data, for an access of that warp (WS_NO_SLOT: nobody's, or a group's).
     * `evicted`: the line that loses the way to it, or WS_NO_LINE. Lines that a store, a fence or the next launch drops
     * are not told. */
    void (*placed)(void *self, const ws_engine *engine, const ws_sm *sm, uint32_t way, uint64_t line,
                   unsigned warp, uint64_t evicted);
    /* The tags have served an access, after `placed` where its miss has taken a way. `way`: its line's; WS_NO_WAY: it
     * has none, or none yet. */
    void (*served)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access,
                   enum ws_timed_status status, uint32_t way);
    /* A read has left that a verdict sends past the L1. Of atomics and loads of scope GPU it does not hear. */
    void (*bypassed)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access);
} ws_l1_slot;

/* ---- fetch: per SM */

enum { WS_GROUP_LINES = 4 }; /* of a group: lines that a request to memory may ask for together, aligned */

/* A read of a line that the L1 has served. */
typedef struct ws_l1_read {
    uint64_t line;
    uint32_t way; /* where the line is; WS_NO_WAY: its data are still to come */
    bool missed;  /* it goes to memory for them */
    bool local;   /* of local memory */
} ws_l1_read;

typedef struct ws_fetch_slot {
    void *(*create)(const ws_engine *engine, const ws_sm *sm, const void *params); /* NULL without memory */
    void (*destroy)(void *self);                                                   /* accepts NULL */
    /* Which lines of the group are to be in the L1, too (bit i: the i-th; the read one's does not matter). Those that
     * are there count as accessed; those that are absent are fetched, as one request for each slice of the L2 that has
     * some, together with the read's own. */
    uint8_t (*wants)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_read *read);
    /* One of them was absent, and is `sent` for; or it is not, for want of a way, an MSHR or room in the miss queue. */
    void (*fetched)(void *self, bool sent);
    /* A line has come into `way`; WS_NO_WAY: the L1 has no room for it. `fetched`: it was one of them; `asked`: reads
     * wait for it. */
    void (*arrived)(void *self, uint64_t line, uint32_t way, bool fetched, bool asked);
    void (*count)(const void *self, uint64_t *counts);
} ws_fetch_slot;

/* ---- cluster: per cluster */

typedef struct ws_cluster_slot {
    /* `index`: of the cluster. NULL without memory. */
    void *(*create)(const ws_engine *engine, uint32_t index, const void *params);
    void (*destroy)(void *self); /* accepts NULL */
    /* An SM has a packet for memory: a read that missed, a write, an atomic. Answers false when it cannot be taken now;
     * the SM offers it again once the port has room. ws_cluster_send() sends it on. */
    bool (*offer)(void *self, ws_engine *engine, ws_sm *sm, uint32_t packet);
    /* A packet has come back. ws_cluster_deliver() hands it to an SM. */
    void (*deliver)(void *self, ws_engine *engine, uint32_t packet);
    /* Adds what it has counted to the columns of its mechanism's table. */
    void (*count)(const void *self, uint64_t *counts);
} ws_cluster_slot;

/* What the owner of a cluster slot calls. */

/* Whether the cluster's port has room for the packet. */
bool ws_cluster_has_room(ws_engine *engine, uint32_t cluster, uint32_t packet);
/* Puts a packet into the cluster's port, which it can leave from cycle `when` on; false when the port has no room. */
bool ws_cluster_send(ws_engine *engine, uint32_t cluster, uint32_t packet, uint64_t when);
/* Hands a packet to an SM of the cluster, which can take it in cycle `when` at the earliest, this one included. Calls
 * come with ascending `when`. */
void ws_cluster_deliver(ws_engine *engine, uint32_t sm, uint32_t packet, uint64_t when);

/* ---- partition: one for all memory partitions */

/* SMs send it requests, which pass the L1 by and wait with the others in front of an L2 slice; it reads through the L2;
 * and it answers: with data for a load, and with what the warp executes from then on. Which instruction is a request it
 * says when it is created (ws_timed_stream_cut). */
typedef struct ws_partition_slot {
    /* For the launch that the engine is prepared for. NULL with an error. */
    void *(*create)(ws_engine *engine, const void *params, ws_error *err);
    void (*destroy)(void *self); /* accepts NULL */
    /* A request has come to the partition of this slice. */
    void (*asked)(void *self, ws_engine *engine, uint32_t slice, uint32_t packet);
    /* Data of a read, some or all of its sectors, which it has from cycle `when` on. */
    void (*data)(void *self, ws_engine *engine, uint32_t packet, uint64_t when);
    /* Its turn; answers when it wants the next one (UINT64_MAX: when it is told something). */
    uint64_t (*step)(void *self, ws_engine *engine);
    void (*count)(const void *self, uint64_t *counts);
} ws_partition_slot;

/* What its owner calls. */

/* Reads sectors of a line; `note` comes back as ws_packet.load. False: the slice has no room now. */
bool ws_partition_read(ws_engine *engine, uint64_t line, uint8_t sectors, uint32_t note);
/* Whether replies can leave at a slice now. */
bool ws_partition_can_answer(const ws_engine *engine, uint32_t slice);
/* Answers a request, which is a packet that `asked` has brought, at a slice, in cycle `when`: `replies` packets of so
 * many sectors, and the instructions with which the warp goes on once it has them; both are taken over. */
void ws_partition_answer(ws_engine *engine, uint32_t packet, uint32_t slice, uint32_t replies,
                         uint32_t sectors, struct ws_timed_warp *tail, uint64_t when);

#endif
