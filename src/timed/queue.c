#include "timed/queue.h"

bool ws_queue_grow(ws_queue *queue) {
    uint32_t room = queue->mask < 0 ? 16 : ((uint32_t)queue->mask + 1) * 2;
    ws_queued *at = malloc(room * sizeof *at);
    if (!at) return false;
    for (uint32_t i = 0; i < queue->count; i++) at[i] = queue->at[ws_queue_place(queue, i)];
    free(queue->at);
    queue->at = at;
    queue->first = 0;
    queue->mask = (int32_t)room - 1;
    return true;
}

void ws_queue_append_grown(ws_queue *queue, ws_queued queued, bool *failed) {
    if (ws_queue_grow(queue))
        ws_queue_add(queue, queued);
    else
        *failed = true;
}

/* Moves the last packet to that place; `at`, `end`: counted from the start of the ring. */
static void move_last(ws_queue *queue, uint32_t at, uint32_t end) {
    uint32_t mask = (uint32_t)queue->mask;
    ws_queued last = queue->at[end & mask];
    for (uint32_t i = end; i != at; i--) queue->at[i & mask] = queue->at[(i - 1) & mask];
    queue->at[at & mask] = last;
    queue->when = queue->at[queue->first].when;
}

bool ws_queue_insert(ws_queue *queue, uint32_t id, uint32_t weight, uint64_t when) {
    if (!ws_queue_push(queue, id, weight, when)) return false;
    uint32_t end = queue->first + queue->count - 1, at = end;
    while (at != queue->first && queue->at[(at - 1) & (uint32_t)queue->mask].when > when) at--;
    move_last(queue, at, end);
    return true;
}

bool ws_queue_insert_behind(ws_queue *queue, uint32_t id, uint32_t weight, uint32_t where, uint64_t when) {
    if (!ws_queue_push_to(queue, id, weight, where, when)) return false;
    uint32_t end = queue->first + queue->count - 1, at = end;
    while (at != queue->first && queue->at[(at - 1) & (uint32_t)queue->mask].where != where) at--;
    move_last(queue, at == queue->first ? end : at, end);
    return true;
}

uint64_t ws_queue_space(ws_queue *queue) {
    uint64_t soonest = 0;
    for (uint32_t i = 0; i < queue->count; i++) {
        ws_queued *packet = &queue->at[ws_queue_place(queue, i)];
        if (packet->when < soonest) packet->when = soonest;
        soonest = packet->when + 1;
    }
    return soonest - 1;
}
