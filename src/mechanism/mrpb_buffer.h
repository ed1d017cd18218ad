/* The memory request prioritization buffer without packets or caches: FIFO queues, and who is drained next (MRPB 3).
 *
 * A cycle is first an offer, then a drain (MRPB 6). What was enqueued in cycle t can be drained from t + latency on;
 * until then it takes its place in the queue, but the drain does not see it. */
#ifndef WS_MECHANISM_MRPB_BUFFER_H
#define WS_MECHANISM_MRPB_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

enum mrpb_drain {
    MRPB_FIXED,         /* the lowest queue that is not empty */
    MRPB_ROUND_ROBIN,   /* queues in turn, an item each */
    MRPB_LONGEST_FIRST, /* the longest queue, the lowest of equal ones */
    MRPB_GREEDY_FIXED,  /* .. but only once the queue drained last is empty */
    MRPB_GREEDY_ROUND_ROBIN,
    MRPB_GREEDY_LONGEST_FIRST,
};

typedef struct mrpb_queue {
    uint32_t *at;
    uint32_t first, room; /* room: a power of two, or 0 */
    uint32_t count, ripe; /* items; those that the drain sees */
} mrpb_queue;

enum { MRPB_QUEUES_MAX = 64 };

typedef struct mrpb_buffer {
    uint32_t queue_count, entries; /* entries of each queue, 0: unlimited */
    enum mrpb_drain drain;
    bool flush;
    uint32_t latency;
    uint32_t turn;      /* + 1: the queue that the policy drained last, 0: none yet */
    uint32_t greedy;    /* + 1: the queue that a greedy policy is emptying, 0: none */
    uint32_t urgent;    /* + 1: the queue that a flush drains in this cycle, 0: none */
    bool flushing;      /* the flush has chosen, not the policy */
    uint32_t count;     /* items */
    uint64_t drainable; /* set of queues that have a ripe item */
    mrpb_queue *queues;
    struct mrpb_ripening { /* items that are not ripe yet, in the order of arrival */
        uint64_t ripe;
        uint32_t queue;
    } * ripening;
    uint32_t ripening_first, ripening_count, ripening_room;
    bool failed; /* out of memory */
} mrpb_buffer;

enum mrpb_answer {
    MRPB_QUEUED,
    MRPB_PASSED, /* a write whose queue is empty: it goes to the cache now, and nothing is drained beside it */
    MRPB_STALLED, /* offer it again in the next cycle */
};

bool mrpb_buffer_init(mrpb_buffer *buffer, uint32_t queues, uint32_t entries, enum mrpb_drain drain,
                      bool flush, uint32_t latency);
void mrpb_buffer_free(mrpb_buffer *buffer);

/* A request for `queue` in cycle `now`. With flush, a read that meets a full queue has an item of it drained in this
 * cycle, and a write has its queue emptied, an item per cycle, and then passes without being queued (MRPB 3.3).
 * Without, reads and writes queue alike, and a full queue stalls. */
enum mrpb_answer mrpb_buffer_offer(mrpb_buffer *buffer, uint64_t now, uint32_t queue, bool is_write,
                                   uint32_t id);

/* The queue to drain in cycle `now`, or UINT32_MAX; mrpb_buffer_head tells what would come out. Forgets the flush of
 * this cycle. */
uint32_t mrpb_buffer_choose(mrpb_buffer *buffer, uint64_t now);
uint32_t mrpb_buffer_head(const mrpb_buffer *buffer, uint32_t queue);
/* Takes the head of the chosen queue out. */
void mrpb_buffer_take(mrpb_buffer *buffer, uint32_t queue);

/* The cycle in which the next item becomes ripe, UINT64_MAX if all are. */
uint64_t mrpb_buffer_next(const mrpb_buffer *buffer);

/* Hardware cost in bits of queues of so many entries each. With flush only reads wait, 8 bytes each (inferred from
 * "less than 3 KB", MRPB 6); without, an entry is wide enough for a write, whose line comes with it (MRPB 3.3, 5.3). */
uint64_t mrpb_buffer_bits(uint64_t queues, uint64_t entries, bool flush, uint64_t line_B);

#endif
