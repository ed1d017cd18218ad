/* Networks between SMs and the memory: a crossbar for requests, one for replies. */
#ifndef WS_TIMED_NETWORK_H
#define WS_TIMED_NETWORK_H

#include "timed/queue.h"
#include "timed/slots.h"
#include "warpsweep/timed.h"

#include <stdalign.h>

/* Ports, each in one memory line of 64 bytes: a turn of the network looks at all that have something to do. */
typedef struct ws_network_input {
    alignas(64) ws_queue queue; /* weights: flits */
    uint64_t busy;              /* first step in which the port is free again */
    /* The first packet: the first step in which it may go, where to, and its weight. */
    uint64_t when;
    uint16_t output, flits;
    int32_t told; /* somebody waits for room, and is told once no more flits are here than so many; or -1 */
    /* With noc.crossbar_speedup the first cycle in which all of its flits have entered the buffer; with
     * noc.injection_queue the same of all packets. */
    uint64_t entered, injected;
} ws_network_input;

typedef struct ws_network_output {
    alignas(64) ws_queue queue;
    uint64_t busy; /* first step in which the port is free again */
    uint64_t gone; /* first cycle in which the flits that have come to it are gone */
    uint32_t turn; /* the input that is asked first */
    /* With noc.boundary_buffer: so many flits are in it in that cycle, if so many have come. */
    uint32_t crossed;
    uint64_t crossed_at;
} ws_network_output;

/* A packet carries fewer units of data, of 32 bytes each (ws_packet.data_B). */
enum { WS_PACKET_UNITS = 16, WS_NETWORK_FORMS = 2 * WS_PACKET_UNITS };

/* Sectors that travel together, to the network: so many packets, the units of data that each carries, and flits of
 * all. */
typedef struct ws_network_form {
    uint16_t packets, units, flits;
} ws_network_form;

typedef struct ws_network {
    uint32_t inputs, outputs, in_limit, out_limit;
    uint32_t boundary; /* noc.boundary_buffer; if not 0, queues at outputs weigh flits, else packets */
    uint32_t widest;   /* flits of the largest packet */
    uint32_t latency;  /* from the input port to what lies behind the output port */
    bool to_memory;
    bool input_speedup;       /* an input may give packets to several outputs in a cycle */
    uint32_t speedup;         /* steps of the crossbar in a cycle, */
    uint64_t step;            /* counted from cycle 0: the present one */
    uint32_t injection_queue; /* flits that may wait in front of an input's buffer; 0: none does */
    ws_network_form forms[WS_NETWORK_FORMS];
    ws_network_input *in;
    ws_network_output *out;
    uint32_t waiting; /* packets at inputs */
    /* Sets of inputs or outputs, each of `words` words: inputs whose first packet may not go yet, and, per output,
     * those whose first packet may, and wants to go there; and the outputs that any wants. */
    uint32_t words;
    uint64_t *early, *wanting, *wanted;
    uint64_t come[WS_NETWORK_FORMS]; /* that have come to inputs, of each form */
} ws_network;

bool ws_network_init(ws_network *net, uint32_t inputs, uint32_t outputs, bool to_memory,
                     const ws_noc_params *noc, const ws_l2_params *l2);
void ws_network_free(ws_network *net);

/* Of what has come to its inputs: what has gone on. */
typedef struct ws_network_counts {
    uint64_t packets, flits, bytes;
    uint64_t without_data; /* of the packets */
} ws_network_counts;
ws_network_counts ws_network_count(const ws_engine *engine, const ws_network *net);

/* The network's turn in cycle `engine->now`; it asks for its next one. */
void ws_network_step(ws_engine *engine, ws_network *net);

/* Whether an input port has room for any packet, as seen without a look at one. */
static inline bool ws_network_has_much_room(const ws_network *n, uint32_t input) {
    return n->in[input].queue.weight + n->widest <= n->in_limit && !n->injection_queue;
}
/* Whether an input port has room for the packet. */
bool ws_network_has_room(const ws_engine *engine, const ws_network *net, uint32_t input, uint32_t packet);
/* The same for several with so many flits. */
bool ws_network_has_room_for(const ws_engine *engine, const ws_network *net, uint32_t input, uint32_t flits);
/* It has none for the packet: whoever waits is told when it may. */
void ws_network_await_room(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet);
/* To memory: whether there is none for one with so many units of data, and somebody is told no later than when there
 * is. */
static inline bool ws_network_tells(const ws_network *n, uint32_t input, uint32_t units) {
    const ws_network_input *in = &n->in[input];
    uint32_t flits = n->forms[units].flits;
    return in->told >= (flits < n->in_limit ? (int32_t)(n->in_limit - flits) : 0) &&
           (int32_t)in->queue.weight > in->told;
}
/* Who fills an input port finds more flits there than so many, and is told when there are not. */
void ws_network_tell(ws_network *net, uint32_t input, uint32_t flits);
/* Hands a packet to an input port, from which it may be taken from cycle `when` on; false when the port has no room, of
 * which whoever waits is told then. */
bool ws_network_send(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet, uint64_t when);
/* The same, of somebody who minds the room himself. */
void ws_network_put(ws_engine *engine, ws_network *net, uint32_t input, uint32_t packet, uint64_t when);
/* From which cycle on an output port has room for a packet of so many flits, if none is taken; WS_NEVER: one has to be.
 */
uint64_t ws_network_full_until(const ws_network *net, uint32_t output, uint32_t flits);
static inline uint64_t ws_network_room_at(const ws_network *n, uint32_t output, uint32_t flits) {
    bool surely = n->out[output].queue.weight + flits <= n->out_limit; /* whatever it weighs there */
    return surely ? 0 : ws_network_full_until(n, output, flits);
}
/* Takes the first packet at an output port, in cycle `when` or as if in it. */
uint32_t ws_network_take(ws_engine *engine, ws_network *net, uint32_t output, uint64_t when,
                         uint64_t room_from);

#endif
