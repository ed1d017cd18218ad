/* Slots: the places where a mechanism replaces what the baseline does (warpsweep/mechanism.h describes a mechanism). A
 * part of the engine that has a slot calls the slot's owner without knowing which mechanism that is.
 *
 *   dispatch  which CTAs an SM takes, and when their warps start and free what they held
 *   core      which ready warps may issue, and how an instruction executes
 *   front     between the load/store unit, which gives the accesses of an instruction one by one, and the L1
 *   l1        which reads bypass the L1; it is told what the L1 serves, and which lines leave it
 *   fetch     what the L1 fetches in addition to the lines that it is asked for
 *   cluster   between the L1s of a cluster and its network port
 *   partition in the memory partitions, beside the L2 slices
 *
 * An instance belongs to one place of the GPU (a cluster, an SM, all partitions) and to one launch. An SM's is created
 * when a CTA first comes there, which may be late in the launch; what it does by the clock counts from ws_sm.since. If
 * two programs run at the same time, a cluster's instance serves all their launches, and so does an SM's if other warps
 * are running there when a launch begins. Launches of several streams that run at the same time share all instances. An
 * instance owns a packet that it is handed until it hands it on, and it must hand on every packet exactly once.
 *
 * All functions of a slot must be given, except for those that are said to be optional. */
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

/* To look into them: timed/engine.h, which includes timed/sm/sm.h. */
typedef struct ws_engine ws_engine;
typedef struct ws_sm ws_sm;
typedef struct ws_memory_inst ws_memory_inst;

/* Beside the columns of a mechanism's table: the engine has room for as many counts. */
#define WS_HAS_ROOM_FOR(columns)                                                                             \
    _Static_assert(sizeof(columns) / sizeof *(columns) <= WS_MECHANISM_COUNTS_MAX,                           \
                   "more columns than WS_MECHANISM_COUNTS_MAX")

/* `count` of each slot writes what the instance itself has counted before the present cycle, while warps may still be
 * running, to `counts`: the columns of its mechanism's table, all 0 so far. The engine combines the instances as these
 * columns say: their sum, or with WS_ADDS_MAX the largest. */
typedef void ws_slot_count(void *self, const ws_engine *engine, uint64_t *counts);

/* ---- dispatch: per GPU */

typedef struct ws_dispatch_slot {
    void *(*create)(const ws_engine *engine, const void *params); /* NULL if out of memory */
    void (*destroy)(void *self);                                  /* accepts NULL */
    /* The most CTAs that an SM can hold at once. */
    uint32_t (*most_ctas)(const void *self, const ws_engine *engine);
    /* How many more CTAs the SM takes in its present state. */
    uint32_t (*room)(const void *self, const ws_engine *engine, const ws_sm *sm);
    /* A CTA has been sent to the SM and is in CTA slot `cta`; start its warps with ws_sm_start_warps(), now or
     * later. */
    void (*arrived)(void *self, ws_engine *engine, ws_sm *sm, unsigned cta);
    /* A warp has ended, or would have nothing to do. Its slot is free when its CTA ends, unless ws_sm_release_slot()
     * frees it now. */
    void (*ended)(void *self, ws_sm *sm, unsigned warp);
    /* The slot's part of CTA dispatch, before CTAs are sent. Called after each end of a warp, and in the cycle that the
     * last call returned, if that comes first (UINT64_MAX: in none). */
    uint64_t (*step)(void *self, ws_engine *engine);
    ws_slot_count *count;
} ws_dispatch_slot;

/* Starts the CTA's next `count` warps in the order of their numbers. The CTA must have that many left, and the SM as
 * many free slots. */
void ws_sm_start_warps(ws_engine *engine, ws_sm *sm, unsigned cta, uint32_t count);
/* Frees the slot of a warp that has ended, while its CTA goes on. */
void ws_sm_release_slot(ws_sm *sm, unsigned warp);

/* ---- core: per SM */

/* How an instruction executes. The baseline fills in its own values; the slot may change them. */
typedef struct ws_issue {
    /* cycles in its unit; the result comes ws_write_back_cycles() later. Unused for memory accesses */
    uint32_t latency;
    /* cycles until the unit takes the next one; 0: it goes to no unit, but reads its operands. Unused for memory
     * accesses */
    uint32_t unit_cycles;
    uint32_t issue_cycles; /* cycles until its scheduler issues again */
    uint8_t tag;           /* a note of the slot's on the instruction, which `completed` brings back */
} ws_issue;

/* All functions are optional except for create, destroy and count. */
typedef struct ws_core_slot {
    /* Whether the mechanism works on this trace; if not, the error names the parameter. */
    bool (*takes)(const void *params, const struct ws_trace *trace, ws_error *err);
    /* WS_WANT_ bits: what warps must carry with their instructions. Any of them also brings ws_timed_warp.flow. */
    uint32_t (*wants)(const void *params);
    bool wants_masks;                           /* whether warps must carry ws_timed_warp.masks */
    bool (*wants_branches)(const void *params); /* whether they must carry ws_timed_warp.branches */
    /* `steers`: whether launches go only to SMs of their kind. `is_for`: whether the SM is of the kind for a launch of
     * `threads` threads, of which an SM holds `warps_on_sm` warps at once. Give both or neither. */
    bool (*steers)(const void *params);
    bool (*is_for)(const void *params, uint32_t warps_on_sm, uint64_t threads, uint32_t sm);
    /* `fewer_registers`: whether some SMs have fewer than `registers` registers, which all have by default.
     * `registers`: the number of registers of the SM then, at most `registers`. `registers_parameter`: what sets the
     * number where they are fewer. Give all or none. */
    bool (*fewer_registers)(const void *params, int64_t registers);
    int64_t (*registers)(const void *params, int64_t registers, uint32_t sm);
    const char *registers_parameter;
    /* Creates what the instances of all SMs share, ws_engine.core_shared, once for all launches; NULL if out of memory.
     * Give both or neither. */
    void *(*share)(const ws_engine *engine);
    void (*unshare)(void *shared);                                             /* accepts NULL */
    void *(*create)(const ws_engine *engine, uint32_t sm, const void *params); /* NULL if out of memory */
    void (*destroy)(void *self);                                               /* accepts NULL */

    /* A warp has started in warp slot `warp` of the SM; it has ended. */
    void (*warp_started)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp,
                         const struct ws_timed_warp *content);
    void (*warp_ended)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* Replaces the baseline's rule for whether the warp's next instruction waits for results. Asked when that
     * instruction becomes the next one, when an instruction of the warp is completed, and at ws_sm_look(). */
    bool (*waits)(const void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* Of a warp that `waits`: whether it does so until none of its earlier instructions is in flight, or for certain
     * registers. To be given with `waits`. */
    bool (*waits_for_all)(const void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* `warps`: the warps whose next instruction waits for no result. Returns those of them that may issue in this
     * cycle. Asked in every turn of the SM, and again after each issue within a turn. The SM has a turn after each
     * change in it (an issue, a result, a warp that starts or ends) and when `next` says so. */
    uint64_t (*admits)(void *self, const ws_engine *engine, const ws_sm *sm, uint64_t warps);
    /* A scheduler would choose the warp. Returns whether an instruction of the slot's own issues first, in an integer
     * unit, for which it must have room; the warp's next instruction waits until that one is completed. Can be asked
     * several times before it issues, which `inserted` tells. Give both or neither. */
    bool (*inserts)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    void (*inserted)(void *self, const ws_engine *engine, const ws_sm *sm, unsigned warp);
    /* The warp issues this instruction. */
    void (*issued)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, const struct ws_timed_inst *inst,
                   ws_issue *how);
    /* The instruction is not a memory access; its result will be written back in cycle `written`. */
    void (*executes)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                     uint64_t written, ws_issue *how);
    /* An instruction has its result. Called for every instruction with core.dependences one_in_flight or with operand
     * collectors; otherwise for those with destinations, the last one of a warp, and inserted ones. */
    void (*completed)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                      uint8_t tag);
    /* An event of the slot's own (WS_EVENT_CORE) is due; `tag` is what ws_sm_schedule() was given. */
    void (*event)(void *self, ws_engine *engine, ws_sm *sm, unsigned warp, uint16_t tag);
    /* Returns the first cycle after `now` in which `admits` may answer differently although nothing else has changed
     * (UINT64_MAX: none). */
    uint64_t (*next)(const void *self, uint64_t now);
    ws_slot_count *count;
    /* Like `count`, for what depends only on the time that a launch has taken, on an SM with or without an instance. */
    void (*elapsed)(const void *params, uint32_t sm, uint64_t cycles, uint64_t *counts);
} ws_core_slot;

/* ---- front: per SM */

typedef struct ws_front_slot {
    void *(*create)(const ws_engine *engine, const ws_sm *sm, const void *params); /* NULL if out of memory */
    void (*destroy)(void *self);                                                   /* accepts NULL */
    /* As in ws_core_slot: what all instances share, for all launches, is ws_engine.front_shared. Optional. */
    void *(*share)(const ws_engine *engine);
    void (*unshare)(void *shared);
    /* Whether accesses of different warps can overtake each other. If so, a warp arrives at a barrier only once all its
     * earlier accesses have reached the L1, so that none of them moves across the barrier. */
    bool (*reorders)(const void *params);
    /* whether it uses the mapping of accesses (ws_access.other_mapping) */
    bool wants_mappings;

    /* A slot takes from the load/store unit either accesses, one by one (`offer`), or whole instructions as they are
     * issued (`admits`, `issued`, and also `blocks_returns`, `waiting` and `returned`). The functions of the other kind
     * are NULL. */

    /* The next access of the load/store unit's first instruction, as a packet; up to as many per cycle as the L1 has
     * banks. False: it cannot be taken now, and is offered again. */
    bool (*offer)(void *self, ws_engine *engine, ws_sm *sm, uint32_t packet);
    /* `warps`: the warps whose next instruction accesses global or local memory. Returns those of them whose
     * instruction can be taken now. */
    uint64_t (*admits)(const void *self, const ws_engine *engine, const ws_sm *sm, uint64_t warps);
    /* Such an instruction has been issued. Make packets of its accesses with ws_lsu_packet(); reads may wait for a
     * group of loads (ws_load_group). */
    void (*issued)(void *self, ws_engine *engine, ws_sm *sm, const ws_memory_inst *inst);
    /* Whether the slot can take no data from the L1 now, so that the L1 stalls. Asked when the L1 has some, or an
     * access that may hit. */
    bool (*blocks_returns)(void *self, const ws_engine *engine);
    /* The number of instructions that it holds and does not work on yet. */
    uint32_t (*waiting)(const void *self);
    /* The data of a group have arrived; pass them to its loads with ws_load_return(). */
    void (*returned)(void *self, ws_engine *engine, ws_sm *sm, uint32_t group);
    /* The slot's part of the SM's turn, after the offers; hand packets on with ws_l1_start(). Returns whether anything
     * moved; if nothing did, `next` returns the first later cycle in which something can although nothing else changed
     * (UINT64_MAX: none). */
    bool (*step)(void *self, ws_engine *engine, ws_sm *sm);
    uint64_t (*next)(const void *self);
    ws_slot_count *count;
} ws_front_slot;

/* Gives an access to its bank of the L1; an atomic, which bypasses the L1, to the network. False: it cannot be taken
 * now. After that, call ws_lsu_started() for each access of the load/store unit that the packet stands for. */
bool ws_l1_start(ws_engine *engine, ws_sm *sm, uint32_t packet);
void ws_lsu_started(ws_engine *engine, ws_sm *sm, unsigned warp);

/* For slots that take whole instructions: makes a packet of the instruction's next access and advances the instruction
 * past it. One packet can stand for the loads of a whole group. */
uint32_t ws_lsu_packet(ws_engine *engine, ws_sm *sm, ws_memory_inst *inst);
/* Creates a load with a single access, for use as ws_packet.load; when it has its data, `returned` is called.
 * `static_id`: the instruction of the load whose access it is, which others have joined. */
uint32_t ws_load_group(ws_engine *engine, ws_sm *sm, uint32_t group, uint32_t static_id);
/* To be called when an access of the load joins that of another, or an earlier one of its own. */
void ws_load_merged(ws_sm *sm, uint32_t load);
/* To be called when an access of the load has its data. */
void ws_load_return(ws_engine *engine, ws_sm *sm, uint32_t load);

/* ---- l1: per SM */

/* Why an access to the L1 is retried. */
enum ws_fail {
    WS_FAIL_SET_FULL,
    WS_FAIL_MSHR_FULL,
    WS_FAIL_MERGE_FULL,
    WS_FAIL_MISS_QUEUE_FULL,
    WS_FAIL_COUNT,
    /* No failure, but it is tried again in the next cycle: as many reads as may miss in a cycle have missed in this
     * one, or it is to bypass the L1 and the network has no room. */
    WS_FAIL_TURN = WS_FAIL_COUNT
};

/* An access that has reached the tags: everything that a warp instruction accesses of one line or, with l1.access
 * sector, of some of its sectors. */
typedef struct ws_l1_access {
    uint64_t line;      /* address / l1.line_B */
    uint32_t static_id; /* the load, for ws_engine.statics, of a group the first; WS_NO_STATIC: a store */
    uint64_t issued;    /* cycle of the load's issue; WS_NEVER: of a group, or a store */
    uint8_t warp;       /* its slot; for a group, the slot of one of its warps */
    uint8_t sectors;    /* set of the line's sectors asked for */
    bool is_write, local;
} ws_l1_access;

/* All functions are optional except for create. `create` may return the instance of its mechanism's other slot (as
 * ws_sm.core, ws_sm.front, or that of the SM's cluster in ws_engine.clusters), whose `count` then includes what is
 * counted here; `destroy` is then NULL. The slot `fetch` is created only afterwards: of a mechanism that owns both, its
 * `create` may return ws_sm.at_l1. */
typedef struct ws_l1_slot {
    void *(*create)(const ws_engine *engine, const ws_sm *sm, const void *params); /* NULL if out of memory */
    void (*destroy)(void *self);                                                   /* accepts NULL */

    /* Verdicts, for reads only. They can be asked for several times before the access leaves, as a read that is to
     * bypass the L1 first waits for a write of its warp that is still in the SM, for what is written back of its line,
     * and for room in the network. A read that bypasses the L1 fills no line, and counts only in l1_bypasses. */

    /* Before the tags are looked up: whether the read is to bypass the L1. */
    bool (*passes)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access);
    /* The read has missed and lacks a resource: whether it is to bypass the L1 now rather than wait. */
    bool (*bypasses)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access,
                     enum ws_fail cause);

    /* Notifications. */

    /* A line is allocated in `way` (with on_fill: when its data arrive) for an access of slot `warp` (WS_NO_SLOT: of no
     * warp, or of a group). `evicted`: the line that it replaces, or WS_NO_LINE. Lines that a store, a fence or the
     * next launch invalidates are not reported. */
    void (*placed)(void *self, const ws_engine *engine, const ws_sm *sm, uint32_t way, uint64_t line,
                   unsigned warp, uint64_t evicted);
    /* The tags have served an access. Called after `placed` if its miss has allocated a way. `way`: that of its line;
     * WS_NO_WAY: it has none, or none yet. */
    void (*served)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access,
                   enum ws_timed_status status, uint32_t way);
    /* A read that a verdict made bypass the L1 has left. Atomics and loads of GPU scope are not reported. */
    void (*bypassed)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_access *access);
} ws_l1_slot;

/* ---- fetch: per SM */

enum {
    WS_GROUP_LINES = 4
}; /* lines of a group, which is aligned; one request to memory may ask for several of them */

/* A read of a line that the L1 has served. */
typedef struct ws_l1_read {
    uint64_t line;
    uint32_t way; /* where the line is; WS_NO_WAY: its data are still to come */
    bool missed;  /* the read goes to memory for the data */
    bool local;   /* of local memory */
} ws_l1_read;

typedef struct ws_fetch_slot {
    void *(*create)(const ws_engine *engine, const ws_sm *sm, const void *params); /* NULL if out of memory */
    void (*destroy)(void *self);                                                   /* accepts NULL */
    /* Called right after ws_l1_slot.served, by which an owner of both slots knows the load that reads. Returns which
     * other lines of the group are to be in the L1, as a set (bit i: the i-th line; other bits, and that of the line
     * that is read, are ignored). Those that are present count as accessed. Those that are absent are fetched, with one
     * request for each L2 slice that has some of them; lines in the slice of the line that is read join the read's own
     * request. */
    uint8_t (*wants)(void *self, const ws_engine *engine, const ws_sm *sm, const ws_l1_read *read);
    /* One of them was absent and has been requested (`sent`), or could not be for lack of a way, an MSHR entry or room
     * in the miss queue. */
    void (*fetched)(void *self, bool sent);
    /* A line has arrived in `way`; WS_NO_WAY: the L1 had no room for it. `fetched`: it was requested because of
     * `wants`; `asked`: reads wait for it. A line to which a store gives a way counts as asked for, not as fetched. */
    void (*arrived)(void *self, uint64_t line, uint32_t way, bool fetched, bool asked);
    ws_slot_count *count;
} ws_fetch_slot;

/* ---- cluster: per cluster */

typedef struct ws_cluster_slot {
    /* `index`: the cluster's. NULL if out of memory. */
    void *(*create)(const ws_engine *engine, uint32_t index, const void *params);
    void (*destroy)(void *self); /* accepts NULL */
    /* An SM has a packet for memory: a read that missed, a write, an atomic. Returns false if it cannot be taken now;
     * the SM offers it again once the port has room. Send it on with ws_cluster_send(). */
    bool (*offer)(void *self, ws_engine *engine, ws_sm *sm, uint32_t packet);
    /* A packet has come back from memory. Hand it to its SM with ws_cluster_deliver(), which takes the packet over. A
     * reply is the packet of its request, so requests that were held back for the same data are their own replies. */
    void (*deliver)(void *self, ws_engine *engine, uint32_t packet);
    /* L1s of the cluster are emptied, for a launch that begins beside others or behind a fence: what has been left here
     * earlier is not to be found, either. What is under way stays. */
    void (*renew)(void *self);
    ws_slot_count *count;
} ws_cluster_slot;

/* What the owner of a cluster slot calls. */

/* Whether the port of the packet's SM, which it shares with others of the cluster, has room for it. */
bool ws_cluster_has_room(ws_engine *engine, uint32_t packet);
/* Puts a packet into that port, which it can leave from cycle `when` on; false if the port has no room. */
bool ws_cluster_send(ws_engine *engine, uint32_t packet, uint64_t when);
/* Hands a packet to an SM of the cluster, which can take it from cycle `when` on, the present one or later: after those
 * that it can take before or in the same cycle, and that were handed over earlier. */
void ws_cluster_deliver(ws_engine *engine, uint32_t sm, uint32_t packet, uint64_t when);

/* ---- partition: one for all memory partitions */

/* SMs send it requests, which bypass the L1 and queue with other packets in front of an L2 slice. It reads memory
 * through the L2, and answers with data for a load and with the instructions that the warp executes from then on. Its
 * `create` says which instruction makes requests (ws_timed_statics_cut). */
typedef struct ws_partition_slot {
    /* Creates the instance for the launch that the engine is prepared for. NULL with an error. */
    void *(*create)(ws_engine *engine, const void *params, ws_error *err);
    void (*destroy)(void *self); /* accepts NULL */
    /* A request has arrived at the partition of this slice. */
    void (*asked)(void *self, ws_engine *engine, uint32_t slice, uint32_t packet);
    /* Data of a read have arrived, for some or all of its sectors; they can be used from cycle `when` on. */
    void (*data)(void *self, ws_engine *engine, uint32_t packet, uint64_t when);
    /* Takes its turn; returns the cycle of the next one (UINT64_MAX: not before `asked` or `data` is called). */
    uint64_t (*step)(void *self, ws_engine *engine);
    ws_slot_count *count;
} ws_partition_slot;

/* What the owner of a partition slot calls. */

/* Reads sectors of a line; `note` comes back as ws_packet.load of the packet that `data` is given. False: the slice has
 * no room now. */
bool ws_partition_read(ws_engine *engine, uint64_t line, uint8_t sectors, uint32_t note);
/* Whether replies can leave at a slice now. */
bool ws_partition_can_answer(const ws_engine *engine, uint32_t slice);
/* Answers a request (the packet that `asked` was given) from a slice in cycle `when`: with `replies` packets of
 * `sectors` sectors each, or of a header alone (0), and with the instructions that the warp executes once it has them.
 * Takes ownership of `packet` and `tail`. */
void ws_partition_answer(ws_engine *engine, uint32_t packet, uint32_t slice, uint32_t replies,
                         uint32_t sectors, struct ws_timed_warp *tail, uint64_t when);

#endif
