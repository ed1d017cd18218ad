#include "timed/queue.h"

bool ws_queue_grow(ws_queue *queue) {
    uint32_t room = queue->room ? queue->room * 2 : 16;
    ws_queued *at = malloc(room * sizeof *at);
    if (!at) return false;
    for (uint32_t i = 0; i < queue->count; i++) at[i] = queue->at[(queue->first + i) & (queue->room - 1)];
    free(queue->at);
    queue->at = at;
    queue->first = 0;
    queue->room = room;
    return true;
}

void ws_queue_append_grown(ws_queue *queue, ws_queued queued, bool *failed) {
    if (ws_queue_grow(queue))
        ws_queue_add(queue, queued);
    else
        *failed = true;
}

bool ws_queue_insert(ws_queue *queue, uint32_t id, uint32_t weight, uint64_t when) {
    if (!ws_queue_push(queue, id, weight, when)) return false;
    uint32_t mask = queue->room - 1, at = queue->first + queue->count - 1;
    ws_queued inserted = queue->at[at & mask];
    for (; at != queue->first && queue->at[(at - 1) & mask].when > when; at--)
        queue->at[at & mask] = queue->at[(at - 1) & mask];
    queue->at[at & mask] = inserted;
    queue->when = queue->at[queue->first].when;
    return true;
}
