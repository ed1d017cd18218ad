/* L2 slices, as networks, channels and the engine see them (slice.c, slice_port.c, copies.c). */
#ifndef WS_TIMED_MEMORY_SLICE_H
#define WS_TIMED_MEMORY_SLICE_H

#include "timed/engine.h"

bool ws_slice_init(ws_engine *engine, ws_slice *slice, uint32_t index);
void ws_slice_free(ws_slice *slice);
/* Takes the slice's turn in cycle `engine->now`, and asks for its next one. */
void ws_slice_step(ws_engine *engine, ws_slice *slice);

/* Empties the slice's tags as if nothing in them had ever been written. What is on its way still comes. */
void ws_slice_flush(ws_engine *engine, ws_slice *slice);

/* Brings the slice up to date: requests that could leave the network's port by now do so. */
void ws_slice_let_in(ws_engine *engine, ws_slice *slice);
/* Has a request that is on its way to the slice's port leave it in cycle `cycle`. */
void ws_slice_pass_port(ws_engine *engine, ws_slice *slice, uint32_t packet, uint64_t cycle);
/* Returns the first cycle, `cycle` or later, in which the slice's gate was not closed, if nothing leaves the port
 * before. */
uint64_t ws_slice_opens(ws_slice *slice, uint64_t cycle);
/* A request will come to the slice's empty port in cycle `when`. If it is sure to leave the port as soon as it can, the
 * slice has it now, which spares the port. Returns whether it does. The network no longer counts it among those at the
 * port, but cannot tell: before the port is full, all that it does not count have left. */
static inline bool ws_slice_foresees(ws_engine *e, ws_slice *s, uint32_t packet, uint64_t when) {
    uint64_t cycle = s->gate > when ? s->gate : when;
    if (!e->slices_foresee || cycle >= s->gate_closes) return false;
    if (s->closed.count && ws_slice_opens(s, cycle) > cycle) return false;
    ws_slice_pass_port(e, s, packet, cycle);
    return true;
}
/* Returns the cycle from which the slice's full port has, or may have, room for a packet of `flits` flits. WS_NEVER:
 * not before the slice takes a request from the port, which it then tells the network. */
uint64_t ws_slice_room_from(ws_engine *engine, ws_slice *slice, uint32_t flits);
/* Announces that the data for which an MSHR entry waits will come from DRAM in cycle `when`, the present one or a later
 * one, and not before those announced earlier. Those of one entry fill the L2 in a cycle, so that others wait. */
void ws_slice_expect(ws_engine *engine, ws_slice *slice, uint32_t entry, uint64_t when);

/* Replies that wait for room at the network's port (slice_port.c). _wait_for_port: one does, until cycle `when` at
 * least; `weight`: 0 if it goes together with that before it, else 1. _may_move_up: returns whether some wait, and the
 * first of them may find room. If so: _move_up: it comes to the port, if it may in this cycle. _await_move: returns
 * when it may, as far as that is known; if there is no room, the slice will be told. _port_has_room: tells it that
 * there is room now, after its turn. */
void ws_slice_wait_for_port(ws_engine *engine, ws_slice *slice, uint32_t id, uint32_t weight, uint64_t when);
static inline bool ws_slice_may_move_up(const ws_engine *e, const ws_slice *s) {
    return s->waiting.count && !ws_network_will_tell(&e->replies, s->index);
}
void ws_slice_move_up(ws_engine *engine, ws_slice *slice);
uint64_t ws_slice_await_move(ws_engine *engine, const ws_slice *slice);
void ws_slice_port_has_room(ws_engine *engine, ws_slice *slice);

/* Puts the bytes that the host has copied to the device into the L2, as far as they fit; with l2.copies, those of all
 * copies before launch `index` that have not been placed (copies.c). */
void ws_place_copy(ws_engine *engine, const ws_memcpy *copy);
void ws_place_copies(ws_engine *engine, uint32_t index);

#endif
