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
