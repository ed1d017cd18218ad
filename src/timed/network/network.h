/* The networks between SMs and memory: one crossbar for requests (inputs: ports of clusters, outputs: slices), and one
 * for replies (inputs: slices, outputs: ports of clusters). */
#ifndef WS_TIMED_NETWORK_NETWORK_H
#define WS_TIMED_NETWORK_NETWORK_H

#include "timed/queue.h"
#include "timed/slots.h"
#include "warpsweep/timed.h"

#include <stdalign.h>

/* How flits enter the buffer of a router's input (entry.c). Flits are numbered in the order in which they come. */
typedef struct ws_flit_entry {
    /* How many have come; of how many the cycle in which they enter is known; how many have left the buffer. */
    uint64_t put, known, left;
    uint64_t next; /* first cycle in which another one may enter behind those that are known */
    /* Per flit, at its number's place: the cycle in which it enters or, once it has left, in which its credit comes
     * back. */
    uint64_t *times;
    /* The first flit whose cycle is not known: the place of its packet in the queue; how many flits of that are left
     * with it, or 0 if it is the packet's first. */
    uint32_t packet, rest;
} ws_flit_entry;

/* An input port. Ports are aligned to the host's memory lines of 64 bytes, because a turn of the network looks at all
 * that have something to do. */
typedef struct ws_network_input {
    alignas(64) ws_queue queue; /* packets; weight: flits */
    uint64_t busy;              /* first step in which the port is free again */
    /* The packet at the head: the first step in which it may go, its output and, unless the crossbar is a plain one,
     * its weight when it came. */
    uint64_t when;
    uint16_t output, flits;
    /* something waits for room, and is told as soon as no more than `told` flits are queued here or, with
     * noc.injection_queue, wait in front of the buffer; -1: nothing waits */
    int32_t told;
    ws_flit_entry entry; /* kept by routers */
    /* With noc.credit_latency and without noc.injection_queue: credits of flits that have left, each with the cycle in
     * which whoever fills the input knows of it, and that cycle of the last one. Those that have come back may still be
     * in `credits`. */
    ws_queue credits;
    uint64_t last_credit;
} ws_network_input;

typedef struct ws_network_output {
    alignas(64) ws_queue queue;
    uint64_t busy; /* first step in which the port is free again */
    uint64_t gone; /* first cycle in which all flits that have come are gone (not kept by a plain crossbar) */
    uint32_t last; /* the input that is asked last next time: that of the last packet */
    /* Of a router: whether a packet holds the output, its input, and how many of its flits have come. */
    bool held;
    uint16_t came;
    uint32_t holder;
    /* With noc.boundary_buffer: flits that have not crossed to that buffer, each with the first cycle in which it may;
     * how many have; the first cycle after which the next one may. Those that could have may still be in `coming`. */
    ws_queue coming;
    uint32_t crossed;
    uint64_t crossed_at;
} ws_network_output;

/* A packet carries fewer than WS_PACKET_UNITS units of data, of 32 bytes each (ws_packet.data_B). */
enum { WS_PACKET_UNITS = 16, WS_NETWORK_FORMS = 2 * WS_PACKET_UNITS };

/* What sectors that travel together are to the network: the number of packets, the units of data that each carries, and
 * the flits of all of them. */
typedef struct ws_network_form {
    uint16_t packets, units, flits;
    uint64_t come; /* how many of this form have come to inputs */
} ws_network_form;

/* Number of steps, from the present one on, for which a network notes what its ports have to do. */
enum { WS_NETWORK_STEPS = 64 };

typedef struct ws_network {
    uint32_t inputs, outputs, in_limit, out_limit;
    uint64_t next_turn; /* cycle in which it has its next turn, or WS_NEVER (turns.h) */
    /* noc.boundary_buffer; if not 0, packets in the outputs' queues weigh their flits, else 1 */
    uint32_t boundary;
    uint32_t widest;  /* number of flits of the largest packet */
    uint32_t latency; /* in cycles, from the input port to what lies behind the output port */
    bool to_memory;
    /* an input may give packets to several outputs in a cycle */
    bool input_speedup;
    bool router; /* flits pass one by one, when they have entered an input's buffer */
    /* it is no router, and has neither credits, boundary buffers, nor packets that occupy a port for WS_NETWORK_STEPS
     * steps or more */
    bool plain;
    uint32_t speedup; /* steps of the crossbar in a cycle */
    /* flits that may wait in front of an input's buffer; 0: as many as the port holds */
    uint32_t injection_queue;
    uint32_t credit_latency; /* as those see it who fill an input */
    uint32_t entry_latency;  /* as it is at the input's buffer */
    uint64_t *entry_times;   /* of all inputs */
    uint64_t entry_mask;     /* of flits' numbers */
    /* an input that holds no more than this many flits together with a packet is sure to have room for it */
    uint32_t sure_limit;
    ws_network_form forms[WS_NETWORK_FORMS];
    ws_network_input *in;
    ws_network_output *out;
    /* Sets of inputs or outputs, of `words` words each. `wanting`, per output: inputs whose first packet may go, to
     * this output; `blocked`: outputs that are wanted and have no room. */
    uint32_t words;
    uint64_t *wanting, *blocked;
    bool watches; /* an output is blocked, or there are boundary buffers: to be told when a packet is taken */
    /* A wheel: per step modulo WS_NETWORK_STEPS, the set of inputs whose first packet may go from then on, and the set
     * of outputs that are wanted and can take a packet from then on. A step too far ahead is noted as the farthest one
     * that the wheel holds. `planned`: the steps in which either set has a member. */
    uint64_t *wheel, planned;
} ws_network;

/* Returns the number of flits of the largest packet on either network. */
uint32_t ws_network_largest(const ws_noc_params *noc, int64_t line_B);

bool ws_network_init(ws_network *net, uint32_t inputs, uint32_t outputs, bool to_memory,
                     const ws_noc_params *noc, int64_t line_B);
void ws_network_free(ws_network *net);

/* What has left the network's input ports so far. */
typedef struct ws_network_counts {
    uint64_t packets, flits, bytes;
    uint64_t without_data; /* packets that carry no data */
} ws_network_counts;
ws_network_counts ws_network_count(const ws_engine *engine, const ws_network *net);

/* Takes the network's turn in cycle `engine->now`, and the next ones of the network to memory if no part has turns
 * before them. */
void ws_network_step(ws_engine *engine, ws_network *net);

/* Returns whether an input port is sure to have room for any packet, without looking at one. */
static inline bool ws_network_has_much_room(const ws_network *n, uint32_t input) {
    return n->in[input].queue.weight + n->widest <= n->sure_limit;
}
/* Returns whether an input port has room for the packet. */
bool ws_network_has_room(const ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet);
/* The same; if it has none, whoever fills the port is told when it may have. */
bool ws_network_admits_packet(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet);
/* The same for a packet with `units` units of data on the network to memory. */
bool ws_network_admits(ws_engine *engine, ws_network *net, uint32_t input, uint32_t units);
/* Returns whether it has room for several packets of `flits` flits altogether, without the exception that an empty port
 * takes any packet. */
bool ws_network_has_room_for(const ws_engine *engine, ws_network *net, uint32_t input, uint32_t flits);
/* Returns the number of flits that may be in an input port before one of `flits` flits fits or, with
 * noc.injection_queue, that may wait in front of its buffer. An empty one takes any packet. */
static inline uint32_t ws_network_level_for(const ws_network *n, uint32_t flits) {
    uint32_t limit = n->injection_queue ? n->injection_queue : n->in_limit;
    return flits < limit ? limit - flits : 0;
}
/* Returns whether the port of the network to memory has no room for a packet with `units` units of data, and whoever
 * fills it will be told no later than when it has. */
static inline bool ws_network_awaits_room(const ws_network *n, uint32_t input, uint32_t units) {
    const ws_network_input *in = &n->in[input];
    return in->told >= (int32_t)ws_network_level_for(n, n->forms[units].flits) &&
           (int32_t)in->queue.weight > in->told;
}
/* Returns whether whoever fills the input port waits for room and has not been told yet that there is some. */
static inline bool ws_network_will_tell(const ws_network *n, uint32_t input) {
    return n->in[input].told >= 0;
}
/* For tests, a part of ws_network_admits(): whoever fills the input port is told once the level is at most `flits`
 * flits (ws_network_level_for). They must not know that already. */
void ws_network_await_level(ws_engine *engine, ws_network *net, uint32_t input, uint32_t flits);
/* Hands a packet to an input port, from which it may be taken from cycle `when` on. False: the port has no room, and
 * whoever fills it is told when it may have. */
bool ws_network_send(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet, uint64_t when);
/* The same, but nobody is told. */
bool ws_network_offer(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet, uint64_t when);
/* The same without a check: for callers that limit the port's queue themselves. */
void ws_network_put(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet, uint64_t when);
/* Returns the cycle from which an output port has room for a packet of `flits` flits even if none is taken from it;
 * WS_NEVER: not before one is taken. */
uint64_t ws_network_full_until(const ws_network *net, uint32_t output, uint32_t flits);
static inline uint64_t ws_network_room_at(const ws_network *n, uint32_t output, uint32_t flits) {
    const ws_network_output *out = &n->out[output];
    bool surely = out->queue.weight + out->came + flits <= n->out_limit; /* whatever a packet weighs there */
    return surely ? 0 : ws_network_full_until(n, output, flits);
}
/* Returns whether an output port may be full once another packet has come to it. */
static inline bool ws_network_fills(const ws_network *n, uint32_t output) {
    return n->out[output].queue.count + 1 >= n->out_limit;
}
/* To be called when there may be room at an output, usable from cycle `from` on, if the network watches its outputs. */
void ws_network_note_room(ws_network *net, uint32_t output, uint64_t from);
/* Takes the first packet from an output port, in cycle `when` or as if in it. `room_from`: the cycle from which the
 * network may use the room that this makes; if it watches its outputs, it is told (_watched). */
uint32_t ws_network_take_watched(ws_network *net, uint32_t output, uint64_t when, uint64_t room_from);
static inline uint32_t ws_network_take(ws_network *n, uint32_t output, uint64_t when, uint64_t room_from) {
    return n->watches ? ws_network_take_watched(n, output, when, room_from)
                      : ws_queue_pop(&n->out[output].queue);
}

#endif
