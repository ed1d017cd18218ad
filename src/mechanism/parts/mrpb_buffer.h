/* The memory request prioritization buffer without packets or caches: FIFO queues, and which of them is drained next
 * (MRPB 3). mrpb.c puts it between the load/store unit and the L1.
 *
 * A cycle is first an offer, then a drain (MRPB 6). An item that is enqueued in cycle t becomes ripe, which means
 * that it can be drained, in cycle t + latency; until then it takes up an entry of its queue, but the drain does not
 * see it. MRPB 5.3 and 6 give only the sum of what enqueuing and dequeuing take. But for the entry, all of it is
 * before the drain here, which therefore never waits for an item that it has counted. */
#ifndef WS_MECHANISM_PARTS_MRPB_BUFFER_H
#define WS_MECHANISM_PARTS_MRPB_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

enum mrpb_drain {
    MRPB_FIXED,         /* the lowest queue that has a ripe item */
    MRPB_ROUND_ROBIN,   /* queues in turn, an item each */
    MRPB_LONGEST_FIRST, /* the queue with the most ripe items, the lowest of equal ones */
    /* the same, but only once the queue that was drained last has no ripe item */
    MRPB_GREEDY_FIXED,
    MRPB_GREEDY_ROUND_ROBIN,
    MRPB_GREEDY_LONGEST_FIRST,
};

typedef struct mrpb_queue {
    uint32_t *at;         /* ring of items */
    uint32_t first, room; /* room: a power of two, or 0 */
    uint32_t count, ripe; /* the number of items; of ripe ones, which are the oldest */
} mrpb_queue;

enum { MRPB_QUEUES_MAX = 64 };

typedef struct mrpb_buffer {
    uint32_t queue_count, entries; /* entries of each queue, 0: unlimited */
    enum mrpb_drain drain;
    bool flush;
    uint32_t latency;
    uint32_t turn;      /* 1 + the queue that the policy drained last; 0: none yet */
    uint32_t greedy;    /* 1 + the queue that a greedy policy is emptying; 0: none */
    uint32_t urgent;    /* 1 + the queue that a flush drains in this cycle; 0: none */
    bool flushing;      /* the flush, not the policy, made the last choice */
    uint32_t count;     /* items in all queues */
    uint64_t drainable; /* set of queues that have a ripe item */
    mrpb_queue *queues;
    struct mrpb_ripening { /* ring of the items that are not ripe yet, in the order of arrival */
        uint64_t ripe;
        uint32_t queue;
    } * ripening;
    uint32_t ripening_first, ripening_count, ripening_room;
    bool failed; /* out of memory */
} mrpb_buffer;

enum mrpb_answer {
    MRPB_QUEUED,
    MRPB_PASSED,  /* a write whose queue is empty: it goes to the cache now, in the place of a drained item */
    MRPB_STALLED, /* offer it again in the next cycle */
};

bool mrpb_buffer_init(mrpb_buffer *buffer, uint32_t queues, uint32_t entries, enum mrpb_drain drain,
                      bool flush, uint32_t latency);
void mrpb_buffer_free(mrpb_buffer *buffer);

/* Offers a request to `queue` in cycle `now`. With flush, a read that meets a full queue stalls while an item of that
 * queue is drained; a write stalls until its queue has been emptied, an item per cycle, and then passes without being
 * queued (MRPB 3.3). Without flush, reads and writes queue alike, and a full queue stalls both. */
enum mrpb_answer mrpb_buffer_offer(mrpb_buffer *buffer, uint64_t now, uint32_t queue, bool is_write,
                                   uint32_t id);

/* Returns the queue to drain in cycle `now`, UINT32_MAX if there is none; mrpb_buffer_head() says which item would come
 * out. A flush asked for by this cycle's offer decides only the first call. */
uint32_t mrpb_buffer_choose(mrpb_buffer *buffer, uint64_t now);
uint32_t mrpb_buffer_head(const mrpb_buffer *buffer, uint32_t queue);
/* Removes the head of the chosen queue. */
void mrpb_buffer_take(mrpb_buffer *buffer, uint32_t queue);

/* The cycle in which the next item becomes ripe; UINT64_MAX: all are. */
uint64_t mrpb_buffer_next(const mrpb_buffer *buffer);

/* Hardware cost in bits of `queues` queues with `entries` entries each. With flush only reads wait, 8 bytes each
 * (inferred from "less than 3 KB", MRPB 6); without, an entry is wide enough for a write with its line (MRPB 3.3,
 * 5.3). */
uint64_t mrpb_buffer_bits(uint64_t queues, uint64_t entries, bool flush, uint64_t line_B);

#endif
