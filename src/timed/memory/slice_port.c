/* Replies of an L2 slice that wait in front of the network's port, as that had no room for them when they came: one
 * moves up in each cycle in which there is some (GPGPU-Sim: the L2-to-interconnect queue). */
#include "timed/memory/slice.h"

void ws_slice_wait_for_port(ws_engine *e, ws_slice *s, uint32_t id, uint32_t weight, uint64_t when) {
    ws_queued reply = {.when = when, .id = id, .weight = (uint16_t)weight};
    ws_queue_append(&s->waiting, reply, &e->failed);
}

/* First cycle in which the next of the replies that wait may move up if the port has room. */
static inline uint64_t next_move(const ws_slice *s) {
    return s->waiting.when > s->port_free ? s->waiting.when : s->port_free;
}

void ws_slice_move_up(ws_engine *e, ws_slice *s) {
    ws_queue *waiting = &s->waiting;
    if (next_move(s) > e->now) return;
    if (!ws_network_send(e, &e->replies, s->index, ws_queue_head(waiting)->id, e->now)) return;
    ws_queue_pop(waiting);
    while (waiting->count && !ws_queue_head(waiting)->weight)
        ws_network_put(e, &e->replies, s->index, ws_queue_pop(waiting), e->now);
    s->port_free = e->now + 1;
}

uint64_t ws_slice_await_move(ws_engine *e, const ws_slice *s) {
    uint32_t id = ws_queue_head(&s->waiting)->id;
    return ws_network_admits_packet(e, &e->replies, s->index, id) ? next_move(s) : WS_NEVER;
}
