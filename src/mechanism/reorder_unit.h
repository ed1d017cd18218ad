/* The irregular accesses reorder unit, cycle by cycle (IRU 3.2, Fig. 5): what happens inside the memory partitions,
 * between reads of the index array and answers to requests. Memory and network are the caller's.
 *
 * Per partition and cycle:
 *   prefetcher   asks for the next line of the index array that lies in the partition, and the secondary data that go
 *                with it, while it has fewer lines than `prefetches` that are on their way or not used up;
 *   classifier   takes elements of the oldest such line, in order: one for each of its queues, which are those of the
 *                two banks of the partition's part of the hash and those of the ring, one for each way round. It stops
 *                at the first element whose queue is full, or has taken one in this cycle;
 *   ring         goes one way round, or both; then an element goes the shorter way. Each link takes one element per
 *                cycle: one that passes by before one of the partition's own. Own ones leave a place free behind them
 *                at the next partition, so that the ring never locks;
 *   banks        insert one element per cycle: one from the ring before one of the partition's own. An element whose
 *                entry is full waits, and so does what comes behind it.
 * The entries of the logical hash are spread over the partitions in turn, a partition's over its banks likewise.
 *
 * Requests wait in the order of their arrival, wherever they arrived. Once per cycle the oldest is answered
 *   - by the entry with most elements, when that has as many as it wants;
 *   - by the entries with most elements in turn, when it has been the oldest for `timeout` cycles, and all entries
 *     together have as many as it wants; or when the array is at its end, and all of it is in the hash.
 * An answer leaves at the partition of its first entry. Elements of other partitions come to it over the ring, one per
 * cycle and behind each other; they do not hinder the ring's own traffic. IRU leaves open how elements of several
 * partitions come together, and how long a timeout is. */
#ifndef WS_MECHANISM_REORDER_UNIT_H
#define WS_MECHANISM_REORDER_UNIT_H

#include "mechanism/reorder_work.h"
#include "warpsweep/replay.h"

#define REORDER_NEVER UINT64_MAX

typedef struct reorder_setup {
    uint32_t partitions, sets, banks, entry_elements;
    enum ws_set_index hash;
    uint32_t line_B;
    uint64_t timeout, hop_cycles;
    uint32_t prefetches;     /* lines of a partition on their way or not used up */
    uint32_t queue_elements; /* of each of the classifier's queues */
    uint32_t ways;           /* that the ring goes round: 1 or 2 */
    /* that have come over the ring and wait in a partition: each way has an equal share */
    uint32_t ring_elements;
} reorder_setup;

/* What the unit asks of its surroundings. */
typedef struct reorder_ports {
    void *context;
    uint32_t (*partition_of)(void *context, uint64_t line);
    /* Asks for line number `line` of the work, with its secondary data. False: not now. */
    bool (*prefetch)(void *context, uint32_t line);
    bool (*can_answer)(void *context, uint32_t partition);
    /* `entry_delay`: cycles until elements of other partitions have come. */
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

/* NULL if out of memory. `work` and `ports` must stay. */
reorder_unit *reorder_unit_new(const reorder_setup *setup, const reorder_work *work,
                               const reorder_ports *ports);
void reorder_unit_free(reorder_unit *unit); /* accepts NULL */

/* A warp asks for as many elements; `request` is the caller's number for it. False if out of memory. */
bool reorder_unit_ask(reorder_unit *unit, uint32_t request, uint32_t wanted, uint64_t now);
/* A line has all its data, from cycle `when` on. */
void reorder_unit_arrived(reorder_unit *unit, uint32_t line, uint64_t when);
/* One cycle. Answers when the next one is due; REORDER_NEVER: when it is told something. */
uint64_t reorder_unit_step(reorder_unit *unit, uint64_t now);

/* Per element: the first of those merged into it; the next one in that list. REORDER_NOBODY ends it. */
const uint32_t *reorder_unit_merged(const reorder_unit *unit);
const uint32_t *reorder_unit_next(const reorder_unit *unit);
const uint64_t *reorder_unit_counts(const reorder_unit *unit);

#endif
