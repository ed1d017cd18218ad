/* The irregular accesses reorder unit, cycle by cycle (IRU 3.2, Fig. 5): what happens inside the memory partitions,
 * between reads of the index array and answers to requests. Memory and network are the caller's (reorder.c).
 *
 * Per partition and cycle:
 *   prefetcher   asks for the partition's next line of the index array, and the secondary data that go with it, while
 *                fewer than `prefetches` of its lines are on their way or not used up;
 *   classifier   takes elements of the oldest such line, in order, at most one for each of its queues. There is a queue
 *                for each bank of the partition's part of the hash, and one for each direction of the ring. It stops
 *                at the first element whose queue is full or has taken one in this cycle;
 *   ring         goes in one direction, or in both; then an element takes the shorter way. Each link takes one element
 *                per cycle, and one that passes through goes before one of the partition's own. An own element enters
 *                only if it leaves a place free at the next partition, so that the ring never deadlocks;
 *   banks        insert one element per cycle; one from the ring goes before one of the partition's own. An element
 *                whose entry is full waits, and so do those behind it;
 *   replier      gives at most one answer per cycle, and none while the partition's way to the network is full.
 * Entries of the hash are interleaved over the partitions, and those of a partition over its banks.
 *
 * Requests are answered in the order of their arrival, whichever partition they arrived at. The oldest one is answered
 *   - by the entry with the most elements, if it has as many as the request wants;
 *   - by the entries with the most elements in turn, if the request has been the oldest for `timeout` cycles and all
 *     entries together have as many as it wants; or if the whole array is in the hash or has left it.
 * The first entry is the fullest of the partitions whose replier is free, the others are the fullest of all. An answer
 * leaves at the partition of its first entry; one without elements, where its request arrived. Elements of other
 * partitions come over the ring, one per cycle, one behind the other, without hindering the ring's own traffic. IRU
 * leaves open how elements of several partitions come together, and how long the timeout is. */
#ifndef WS_MECHANISM_PARTS_REORDER_UNIT_H
#define WS_MECHANISM_PARTS_REORDER_UNIT_H

#include "mechanism/parts/reorder_work.h"
#include "warpsweep/replay.h"

#define REORDER_NEVER UINT64_MAX

typedef struct reorder_setup {
    uint32_t partitions, sets, banks, entry_elements;
    enum ws_set_index hash;
    uint32_t line_B;
    uint64_t timeout, hop_cycles;
    uint32_t prefetches;     /* lines of a partition that may be on their way or not used up */
    uint32_t queue_elements; /* the size of each of the classifier's queues */
    uint32_t ways;           /* directions of the ring: 1 or 2 */
    /* elements that have come over the ring and may wait in a partition; each direction has an equal share */
    uint32_t ring_elements;
} reorder_setup;

/* What the unit calls, with `context`. */
typedef struct reorder_ports {
    void *context;
    uint32_t (*partition_of)(void *context, uint64_t line); /* line: address / line_B */
    /* Reads line `line` of reorder_work.lines, with its secondary data. False: not now; it is asked again. */
    bool (*prefetch)(void *context, uint32_t line);
    bool (*can_answer)(void *context, uint32_t partition);
    /* Answers `request` with `count` elements. `entry_delay`: cycles until those of other partitions have come. */
    void (*answer)(void *context, uint32_t request, uint32_t partition, const uint32_t *elements,
                   uint32_t count, uint64_t entry_delay);
} reorder_ports;

enum reorder_count {
    REORDER_REQUESTS,
    REORDER_DISABLED,
    REORDER_ELEMENTS,
    REORDER_FILTERED,
    REORDER_BY_ENTRY,
    REORDER_BY_TIMEOUT,
    REORDER_BY_END,
    REORDER_PREFETCHES,
    REORDER_RING,
    REORDER_WAITED,
    REORDER_UNIT_COUNTS
};

typedef struct reorder_unit reorder_unit;

/* NULL if out of memory. `work` and `ports` must outlive the unit. */
reorder_unit *reorder_unit_new(const reorder_setup *setup, const reorder_work *work,
                               const reorder_ports *ports);
void reorder_unit_free(reorder_unit *unit); /* accepts NULL */

/* A warp asks for `wanted` elements at partition `at`; `request` is the caller's number for the request. False if out
 * of memory. */
bool reorder_unit_ask(reorder_unit *unit, uint32_t request, uint32_t at, uint32_t wanted, uint64_t now);
/* All data of a line, its secondary data included, can be used from cycle `when` on. */
void reorder_unit_arrived(reorder_unit *unit, uint32_t line, uint64_t when);
/* One cycle of all partitions. Returns the cycle of the next call; REORDER_NEVER: none before the next
 * reorder_unit_ask() or reorder_unit_arrived(). */
uint64_t reorder_unit_step(reorder_unit *unit, uint64_t now);

/* Per element: the first one merged into it; the next one in the list that it is in itself. REORDER_NOBODY: none. */
const uint32_t *reorder_unit_merged(const reorder_unit *unit);
const uint32_t *reorder_unit_next(const reorder_unit *unit);
const uint64_t *reorder_unit_counts(const reorder_unit *unit);

#endif
