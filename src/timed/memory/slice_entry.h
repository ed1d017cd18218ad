/* How requests come into an L2 slice: from the network's port, through the delay, to the queue in front of the tags.
 * For slice.c alone: its turn has all of this inline. */
#ifndef WS_TIMED_MEMORY_SLICE_ENTRY_H
#define WS_TIMED_MEMORY_SLICE_ENTRY_H

#include "timed/memory/lrc.h"
#include "timed/turns.h"

/* A request leaves the port only while the queue has room for this many sectors. */
enum { GATE_SECTORS = 4 };

/* Whether the queue still lets another request in when `sectors` sectors are in it. */
static inline bool leaves_gate_open(const ws_engine *e, uint32_t sectors) {
    return sectors + GATE_SECTORS <= (uint32_t)e->l2->queue;
}

/* To be called when a request of `weight` sectors joins `in`, and all others in it fit into the queue. */
static inline void fit_last(const ws_engine *e, ws_slice *s, uint32_t weight) {
    if (leaves_gate_open(e, s->in.weight + weight)) return;
    s->fitting = s->in.count;
    s->fitting_sectors = s->in.weight;
    s->gate_closes = s->in_last;
}

/* To be called when the first request, of `weight` sectors, has left `in`: others may fit into the queue in its
 * place. */
static inline void fit_more(const ws_engine *e, ws_slice *s, uint32_t weight) {
    if (s->fitting) {
        s->fitting_sectors -= weight;
        s->fitting--;
    }
    const ws_queued *next;
    while ((next = ws_queue_behind(&s->in, s->fitting)) != NULL &&
           leaves_gate_open(e, s->fitting_sectors + next->weight)) {
        s->fitting_sectors += next->weight;
        s->fitting++;
    }
    s->gate_closes = next ? next->when : WS_NEVER;
}

/* Notes for requests that come to the port while the SMs catch up with this cycle that the gate has been closed from
 * cycle `from` until now. The network may have found the port full, and has not been told until when. */
static __attribute__((noinline)) void note_closed(ws_engine *e, ws_slice *s, uint64_t from) {
    if (!ws_queue_push(&s->closed, (uint32_t)(e->now - from), 0, from)) e->failed = true;
    if (e->requests.out[s->index].queue.count) ws_wake_network(&e->requests, e->now + 1);
}

static inline uint32_t take_in(ws_engine *e, ws_slice *s) {
    uint32_t weight = ws_queue_head(&s->in)->weight, id = ws_queue_pop(&s->in);
    uint64_t closes = s->gate_closes;
    if (closes == WS_NEVER) return id;
    fit_more(e, s, weight);
    if (e->lead && closes <= e->now) note_closed(e, s, closes);
    return id;
}

/* Splits the part that asks for `sectors` off the packet, and returns it as a packet of its own; returns the packet
 * itself if it asks for nothing else. */
static inline uint32_t take_part(ws_engine *e, uint32_t id, uint8_t sectors) {
    if (e->packets.at[id].sectors == sectors) return id;
    uint32_t part = ws_packet_copy(&e->packets, id);
    e->packets.at[part].sectors = sectors;
    e->packets.at[id].sectors &= (uint8_t)~sectors;
    return part;
}

/* Sends a packet on its way to the queue, in which one packet arrives per cycle. */
static inline void pass_delay(ws_engine *e, ws_slice *s, uint32_t id, uint64_t when) {
    uint32_t weight = ws_sector_count(e->packets.at[id].sectors);
    s->in_last = when > s->in_last ? when : s->in_last + 1;
    if (s->gate_closes == WS_NEVER) fit_last(e, s, weight);
    ws_queued request = {.when = s->in_last, .id = id, .weight = (uint16_t)weight};
    ws_queue_append(&s->in, request, &e->failed);
}

/* A request for one sector passes the coalescer, if there is one, and what does not stay there, the delay. */
static inline void pass_coalescer(ws_engine *e, ws_slice *s, uint32_t id, uint64_t when) {
    if (!e->l2->lrc_entries || !ws_lrc_joins(e, s, id)) pass_delay(e, s, id, when);
}

/* With l2.sectors_apart, whether the packet is more than one request or passes a coalescer. */
static inline bool comes_apart(const ws_engine *e, uint32_t id) {
    uint8_t sectors = e->packets.at[id].sectors;
    return sectors & (sectors - 1) || e->l2->lrc_entries;
}

/* With l2.sectors_apart: each sector becomes a request of its own, except that requests for several lines, and those of
 * the partition slot's owner, stay whole, and pass no coalescer. */
static __attribute__((noinline)) void pass_delay_apart(ws_engine *e, ws_slice *s, uint32_t id,
                                                       uint64_t when) {
    const ws_packet *p = &e->packets.at[id];
    bool whole = p->special || (p->kind == WS_PACKET_READ && p->also);
    if (whole) {
        pass_delay(e, s, id, when);
        return;
    }
    for (uint8_t rest = p->sectors; rest & (rest - 1); rest &= (uint8_t)(rest - 1))
        pass_coalescer(e, s, take_part(e, id, rest & (uint8_t)-rest), when);
    pass_coalescer(e, s, id, when);
}

/* Returns the first cycle, `cycle` or later, in which the gate was not closed, as far as is known. */
static __attribute__((noinline)) uint64_t pass_closed(ws_slice *s, uint64_t cycle) {
    for (; ws_queue_ready(&s->closed, cycle); ws_queue_pop(&s->closed)) {
        uint64_t end = s->closed.when + ws_queue_head(&s->closed)->id;
        if (cycle <= end) s->gate = cycle = end + 1;
    }
    return cycle;
}

/* Cycle in which the port's first request may leave it, provided that the gate is open from now on. */
static inline uint64_t first_leaves(ws_slice *s, const ws_queue *port) {
    uint64_t cycle = s->gate > port->when ? s->gate : port->when;
    return s->closed.count ? pass_closed(s, cycle) : cycle;
}

/* The same, or WS_NEVER if there is no request, or no room in the coalescer before the L2 has answered another. */
static inline uint64_t next_leaves(const ws_engine *e, ws_slice *s) {
    const ws_queue *port = &e->requests.out[s->index].queue;
    return port->count && ws_lrc_has_room(e, s) ? first_leaves(s, port) : WS_NEVER;
}

/* Lets a request in that leaves the port in cycle `cycle`; one does per cycle. */
static inline void let_in(ws_engine *e, ws_slice *s, uint32_t id, uint64_t cycle) {
    uint64_t comes = cycle + (uint64_t)e->l2->latency + 1;
    s->gate = cycle + 1;
    if (e->l2->sectors_apart && comes_apart(e, id))
        pass_delay_apart(e, s, id, comes);
    else
        pass_delay(e, s, id, comes);
}

/* Lets in what may leave the port by cycle `until`. A slice that had no turn catches up here, which is exact because
 * nothing has left its queue meanwhile. Not inlined, as most requests have been foreseen. */
static __attribute__((noinline)) void empty_port(ws_engine *e, ws_slice *s, const ws_queue *port,
                                                 uint64_t until) {
    while (port->count) {
        uint64_t cycle = first_leaves(s, port);
        if (cycle > until) return;
        if (cycle >= s->gate_closes || !ws_lrc_has_room(e, s)) {
            s->gate = e->now + 1; /* closed until then at least */
            return;
        }
        let_in(e, s, ws_network_take(&e->requests, s->index, cycle, until), cycle);
    }
}

static inline void catch_up(ws_engine *e, ws_slice *s, uint64_t until) {
    const ws_queue *port = &e->requests.out[s->index].queue;
    if (port->count) empty_port(e, s, port, until);
}

#endif
