/* A first-in first-out queue of packets, each with the cycle from which it may be taken and a weight: the number of
 * sectors, requests or flits that it stands for. It grows on demand; keeping to a limit is up to whoever fills it. */
#ifndef WS_TIMED_QUEUE_H
#define WS_TIMED_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { WS_QUEUED_WHERE = UINT16_MAX }; /* highest `where` */

typedef struct ws_queued {
    uint64_t when;
    uint32_t id;
    uint16_t where; /* where it goes next, or whatever the queue's owner notes */
    uint16_t weight;
} ws_queued;

typedef struct ws_queue {
    /* the head's, copied so that the head need not be looked at before; of an empty queue UINT64_MAX */
    uint64_t when;
    ws_queued *at;
    uint32_t first; /* where in `at` the head is */
    uint32_t count;
    int32_t mask;    /* the capacity of `at`, a power of two or 0, less 1 */
    uint32_t weight; /* sum of all packets' weights */
} ws_queue;

bool ws_queue_grow(ws_queue *queue);

/* To be called before anything else. */
static inline void ws_queue_init(ws_queue *queue) {
    *queue = (ws_queue){.when = UINT64_MAX, .mask = -1};
}
static inline void ws_queue_free(ws_queue *queue) {
    free(queue->at);
    ws_queue_init(queue);
}

/* Returns where in `at` the packet `ahead` places behind the head is. */
static inline uint32_t ws_queue_place(const ws_queue *queue, uint32_t ahead) {
    return (queue->first + ahead) & (uint32_t)queue->mask;
}

/* Returns whether it has to grow before another packet is added. */
static inline bool ws_queue_is_full(const ws_queue *queue) {
    return (int32_t)queue->count > queue->mask;
}

/* Appends a packet to a queue that is not full. */
static inline void ws_queue_add(ws_queue *queue, ws_queued queued) {
    if (!queue->count) queue->when = queued.when;
    queue->at[ws_queue_place(queue, queue->count++)] = queued;
    queue->weight += queued.weight;
}

/* Append a packet. False if out of memory. */
static inline bool ws_queue_push_to(ws_queue *queue, uint32_t id, uint32_t weight, uint32_t where,
                                    uint64_t when) {
    if (ws_queue_is_full(queue) && !ws_queue_grow(queue)) return false;
    ws_queue_add(queue,
                 (ws_queued){.when = when, .id = id, .where = (uint16_t)where, .weight = (uint16_t)weight});
    return true;
}
static inline bool ws_queue_push(ws_queue *queue, uint32_t id, uint32_t weight, uint64_t when) {
    return ws_queue_push_to(queue, id, weight, 0, when);
}

/* Appends a packet; sets `*failed` if out of memory. As the last thing that a function does, it costs the host less:
 * that the queue may have to grow makes it save no registers. */
void ws_queue_append_grown(ws_queue *queue, ws_queued queued, bool *failed);
static inline void ws_queue_append(ws_queue *queue, ws_queued queued, bool *failed) {
    if (ws_queue_is_full(queue))
        ws_queue_append_grown(queue, queued, failed);
    else
        ws_queue_add(queue, queued);
}

/* Inserts a packet in front of those at the end that may only be taken later than `when`. False if out of memory. */
bool ws_queue_insert(ws_queue *queue, uint32_t id, uint32_t weight, uint64_t when);
/* Inserts a packet behind the last one with the same `where` or, if there is none, at the end. False if out of
 * memory. */
bool ws_queue_insert_behind(ws_queue *queue, uint32_t id, uint32_t weight, uint32_t where, uint64_t when);

/* Has each packet be taken a cycle after the one in front of it at the soonest. Returns when the last one can be; the
 * queue must have one. */
uint64_t ws_queue_space(ws_queue *queue);

static inline const ws_queued *ws_queue_head(const ws_queue *queue) {
    return queue->count ? &queue->at[queue->first] : NULL;
}

/* The same for a queue that is not empty. */
static inline const ws_queued *ws_queue_first(const ws_queue *queue) {
    return &queue->at[queue->first];
}

/* Returns the packet `ahead` places behind the head, or NULL. */
static inline const ws_queued *ws_queue_behind(const ws_queue *queue, uint32_t ahead) {
    return ahead < queue->count ? &queue->at[ws_queue_place(queue, ahead)] : NULL;
}

/* Returns whether there is a head that may be taken in cycle `now`, which is less than UINT64_MAX. */
static inline bool ws_queue_ready(const ws_queue *queue, uint64_t now) {
    return queue->when <= now;
}

/* Makes the packet behind the head, which must exist, available not before cycle `when`. */
static inline void ws_queue_delay_second(ws_queue *queue, uint64_t when) {
    ws_queued *second = &queue->at[ws_queue_place(queue, 1)];
    if (second->when < when) second->when = when;
}

static inline uint32_t ws_queue_pop(ws_queue *queue) {
    const ws_queued *head = &queue->at[queue->first];
    queue->first = ws_queue_place(queue, 1);
    queue->weight -= head->weight;
    queue->when = queue->at[queue->first].when;
    if (!--queue->count) {
        queue->first = 0; /* a queue that holds little then stays in few cache lines */
        queue->when = UINT64_MAX;
    }
    return head->id;
}

static inline void ws_queue_clear(ws_queue *queue) {
    queue->first = queue->count = queue->weight = 0;
    queue->when = UINT64_MAX;
}

/* Reduces the weight of the head, which must exist, by one. */
static inline void ws_queue_lighten(ws_queue *queue) {
    queue->at[queue->first].weight--;
    queue->weight--;
}

/* Puts another packet in the place of the first one. */
static inline void ws_queue_replace_head(ws_queue *queue, uint32_t id) {
    queue->at[queue->first].id = id;
}

#endif
