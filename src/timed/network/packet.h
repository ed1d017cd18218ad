/* Packets: requests on their way to memory and replies on their way back. A request becomes its own reply.
 *
 * Sectors of one line that travel together are one packet. In the L2's queues it takes as many places as its sectors
 * would one after the other; at the L2's tags, as many cycles as l2.port_B says; in the network, the flits of one
 * packet or of one packet per sector (noc.replies). */
#ifndef WS_TIMED_NETWORK_PACKET_H
#define WS_TIMED_NETWORK_PACKET_H

#include "timed/places.h"

#include <stdbool.h>
#include <stdint.h>

/* A write-back, of an L1 or of an L2, is not answered. An atomic bypasses the L1, is answered, and writes only if it
 * carries data: one without is a load that has to bypass the L1. */
enum ws_packet_kind { WS_PACKET_READ, WS_PACKET_WRITE, WS_PACKET_ATOMIC, WS_PACKET_WRITE_BACK };

/* 32 bytes only, because every packet in flight is touched at every station. */
typedef struct ws_packet {
    uint64_t line;
    /* set of the line's 4-byte words: those that a read asks for, or that a write writes entirely */
    uint64_t words;
    uint32_t next; /* in an MSHR entry's list; in an L1's bank: its turn (ws_l1_turn) */
    union {
        uint32_t load;  /* the load of the SM that waits for it */
        uint32_t entry; /* of a read that the L1 sends: its MSHR entry; WS_NO_ENTRY: look it up */
    };
    uint16_t slice, sm;
    uint8_t sectors; /* set of the line's sectors that are asked for */
    /* of a read: set of the other lines of its group that it asks for, all sectors of each (l1/fetch.c) */
    uint8_t also;
    uint8_t data_B : 4; /* data that it carries to memory, in units of 32 bytes */
    uint8_t local : 1;  /* of local memory */
    /* between the partition slot's owner and an SM, or the owner's own read (its `sm` is WS_NO_SM) */
    uint8_t special : 1;
    uint8_t tag : 1;      /* a note of the cluster slot's owner; 0 at first */
    uint8_t bypasses : 1; /* it bypasses its L1; an atomic does in any case */
    uint8_t kind : 2;     /* enum ws_packet_kind */
    uint8_t warp : 6;     /* warp slot */
} ws_packet;

typedef struct ws_packets {
    ws_packet *at;
    ws_places places;
    uint32_t stand_in;
    bool failed;
} ws_packets;

#define WS_NO_PACKET UINT32_MAX
#define WS_NO_ENTRY  UINT32_MAX

bool ws_packets_init(ws_packets *packets); /* false if out of memory */
void ws_packets_free(ws_packets *packets);
/* False if out of memory. */
bool ws_packets_grow(ws_packets *packets);

/* Returns a new packet. If out of memory, sets `failed` and returns a packet that stands in until the end of the cycle,
 * when the run is given up. */
static inline uint32_t ws_packet_new(ws_packets *p) {
    if (!p->places.free && !ws_packets_grow(p)) return p->stand_in;
    return ws_places_take(&p->places, p->at, sizeof *p->at);
}

static inline uint32_t ws_packet_copy(ws_packets *p, uint32_t id) {
    uint32_t copy = ws_packet_new(p);
    p->at[copy] = p->at[id];
    return copy;
}

static inline void ws_packet_free(ws_packets *p, uint32_t id) {
    ws_places_give(&p->places, p->at, sizeof *p->at, id);
}

static inline uint32_t ws_sector_count(uint8_t sectors) {
    return (uint32_t)__builtin_popcount(sectors);
}

/* How many values of its load a reply brings that bypasses the L1: one per sector. A reply without data counts as one,
 * for its load waits for it. */
static inline uint32_t ws_packet_values(const ws_packet *p) {
    return p->sectors ? ws_sector_count(p->sectors) : 1;
}

#endif
