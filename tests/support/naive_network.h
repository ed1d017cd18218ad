/* A naive twin of a network (timed/network/network.h) that moves one flit at a time. It follows the definition: in each
 * step of a cycle, each free output takes, of the packets that wait for it at the heads of inputs, the one whose input
 * comes first, counted from the output's turn on. */
#ifndef WS_TESTS_NAIVE_NETWORK_H
#define WS_TESTS_NAIVE_NETWORK_H

#include "timed/engine.h"

enum {
    NAIVE_PORTS_MAX = 140,
    NAIVE_SHARE_MAX = 3,
    NAIVE_WAITING_MAX = 64,
    NAIVE_FLITS_MAX = 256,
    NAIVE_CYCLES = 600
};
enum { NAIVE_PARTS_MAX = NAIVE_PORTS_MAX + 2 + NAIVE_PORTS_MAX + NAIVE_PORTS_MAX * NAIVE_SHARE_MAX };

typedef struct naive_waiting {
    uint32_t id, output, flits;
    uint32_t entered, passed; /* number of its flits that have entered the input's buffer; have passed */
    bool holds;               /* the output is allocated to it */
    bool gone;                /* it has made room for the next one at its input */
    uint64_t when;
} naive_waiting;

typedef struct naive_credits {
    uint64_t at[NAIVE_FLITS_MAX], last;
    uint32_t count;
} naive_credits;

typedef struct naive_port {
    naive_waiting at[NAIVE_WAITING_MAX];
    uint32_t count;
    uint64_t busy;   /* first step in which the port is free again, once no packet is moving */
    uint32_t moving; /* number of packets that hold the port */
    /* inputs: cycles in which credits of flits that have left come back: to whoever fills the port; of a router, to the
     * buffer */
    naive_credits credits, places;
    /* outputs: cycle in which the last flit left; cycles from which on flits may cross to the buffer behind, of those
     * that have not; how many are in there; the cycle in which the last one crossed */
    uint64_t sent, come[NAIVE_FLITS_MAX], crossed_in;
    uint32_t coming, crossed;
} naive_port;

typedef struct naive_network {
    uint32_t inputs, outputs, in_limit, out_limit, latency, speedup, turn[NAIVE_PORTS_MAX];
    bool router;       /* flits pass one by one */
    uint32_t queue;    /* flits that may wait in front of an input's buffer, or 0 */
    uint32_t boundary; /* flits in the buffer behind an output, or 0 */
    uint32_t credit_latency, place_latency;
    /* At inputs: packets of which flits have yet to come or go; at outputs: packets that have come, or are on their
     * way. */
    naive_port in[NAIVE_PORTS_MAX], out[NAIVE_PORTS_MAX];
    uint32_t wanted[NAIVE_PORTS_MAX]; /* per input: flits of the smallest packet that found no room, or 0 */
    bool input_speedup;
    bool lines; /* noc.replies */
    bool
        leaves; /* the first packet that has come to an output counts no more if it may be taken in this cycle */
    ws_network_counts moved;
    bool told[NAIVE_CYCLES + 512][NAIVE_PARTS_MAX]; /* per cycle and part: true if the part has a turn */
} naive_network;

/* Parts are numbered in the order of their turns: slices, the two networks, clusters that have turns, SMs. */
uint32_t naive_sm_part(const ws_engine *e, uint32_t sm);
/* Flits of a packet, or of the packets that it is in the network. */
uint32_t naive_network_flits(const naive_network *n, bool to_memory, const ws_packet *p, uint64_t flit_B);

/* Whether a packet of `flits` flits fits into the input's port. SMs ask after the network's turn, slices before it. */
bool naive_network_has_room(const naive_network *n, const ws_engine *e, uint32_t input, uint32_t flits);
void naive_network_join(naive_network *n, uint32_t input, naive_waiting packet);
/* It does not: notes who is told when it does. */
void naive_network_wants(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input,
                         uint32_t flits);

void naive_network_step(naive_network *n, const ws_engine *e, bool to_memory);

/* Whether the first packet at an output may be taken in cycle `now`. */
bool naive_network_may_be_taken(const naive_network *n, uint32_t output, uint64_t now);
uint32_t naive_network_leave(naive_network *n, const ws_engine *e, uint32_t output);

#endif
