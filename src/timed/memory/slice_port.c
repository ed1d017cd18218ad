/* Replies of an L2 slice that wait in front of the network's port, as that had no room for them when they came: one
 * moves up in each cycle in which there is some (GPGPU-Sim: the L2-to-interconnect queue). */
#include "timed/memory/slice.h"

#include "timed/turns.h"

void ws_slice_wait_for_port(ws_engine *e, ws_slice *s, uint32_t id, uint32_t weight, uint64_t when) {
    ws_queued reply = {.when = when, .id = id, .weight = (uint16_t)weight};
    ws_queue_append(&s->waiting, reply, &e->failed);
}

/* First cycle in which the next of the replies that wait may move up if the port has room. */
static inline uint64_t next_move(const ws_slice *s) {
    return s->waiting.when > s->port_free ? s->waiting.when : s->port_free;
}

/* Has the first of them come to the port in cycle `cycle`, if it may and there is room. Returns whether it does. */
static inline bool move_up(ws_engine *e, ws_slice *s, uint64_t cycle) {
    ws_queue *waiting = &s->waiting;
    if (next_move(s) > cycle) return false;
    if (!ws_network_send(e, &e->replies, s->index, ws_queue_first(waiting)->id, cycle)) return false;
    ws_queue_pop(waiting);
    while (waiting->count && !ws_queue_first(waiting)->weight)
        ws_network_put(e, &e->replies, s->index, ws_queue_pop(waiting), cycle);
    s->port_free = cycle + 1;
    return true;
}

void ws_slice_move_up(ws_engine *e, ws_slice *s) {
    move_up(e, s, e->now);
}

uint64_t ws_slice_await_move(ws_engine *e, const ws_slice *s) {
    uint32_t id = ws_queue_first(&s->waiting)->id;
    return ws_network_admits_packet(e, &e->replies, s->index, id) ? next_move(s) : WS_NEVER;
}

/* The slice has had its turn in this cycle. In the next one it would have a reply move up first of all, which nothing
 * until then bears upon, unless the partition slot's owner uses the port, too: so it does now, and needs no turn unless
 * it has been waiting for one to move up. */
void ws_slice_port_has_room(ws_engine *e, ws_slice *s) {
    uint64_t next = e->now + 1;
    bool moves = !e->partition_slot && s->waiting.count && move_up(e, s, next);
    if (!moves || s->blocked)
        ws_wake_slice(e, s->index, next);
    else if (s->waiting.count)
        ws_wake_slice(e, s->index, ws_slice_await_move(e, s));
}
