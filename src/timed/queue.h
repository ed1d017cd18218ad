/* First in, first out: packets, each with the cycle from which it may be taken. Grows on demand; limits are the
 * business of whoever fills it. */
#ifndef WS_TIMED_QUEUE_H
#define WS_TIMED_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct ws_queued {
    uint64_t when;
    uint32_t id;
} ws_queued;

typedef struct ws_queue {
    ws_queued *at;
    uint32_t first, count, room; /* room: a power of two, or 0 */
} ws_queue;

bool ws_queue_grow(ws_queue *queue);

static inline void ws_queue_free(ws_queue *queue) {
    free(queue->at);
    *queue = (ws_queue){0};
}

/* False without memory. */
static inline bool ws_queue_push(ws_queue *queue, uint32_t id, uint64_t when) {
    if (queue->count == queue->room && !ws_queue_grow(queue)) return false;
    queue->at[(queue->first + queue->count++) & (queue->room - 1)] = (ws_queued){when, id};
    return true;
}

static inline const ws_queued *ws_queue_head(const ws_queue *queue) {
    return queue->count ? &queue->at[queue->first & (queue->room - 1)] : NULL;
}

/* Whether a packet may be taken in cycle `now`. */
static inline bool ws_queue_ready(const ws_queue *queue, uint64_t now) {
    return queue->count && queue->at[queue->first & (queue->room - 1)].when <= now;
}

static inline uint32_t ws_queue_pop(ws_queue *queue) {
    uint32_t id = queue->at[queue->first & (queue->room - 1)].id;
    queue->first++;
    queue->count--;
    return id;
}

#endif
