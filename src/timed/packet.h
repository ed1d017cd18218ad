/* Packets: requests on their way to memory and back.
 *
 * Sectors of one line that travel together are one packet. It takes as many places in the L2's queues as they would one
 * after the other, as many cycles at its tags as l2.port_B says, and of the network's flits as many as they have
 * together or each by itself (noc.replies). */
#ifndef WS_TIMED_PACKET_H
#define WS_TIMED_PACKET_H

#include "timed/places.h"

#include <stdbool.h>
#include <stdint.h>

/* An atomic passes the L1 by, is answered, and writes if it carries data: one without is a load that has to. */
enum ws_packet_kind { WS_PACKET_READ, WS_PACKET_WRITE, WS_PACKET_ATOMIC, WS_PACKET_WRITE_BACK };

/* 32 bytes: as many as are in flight are touched at every station. */
typedef struct ws_packet {
    uint64_t line;
    uint64_t words; /* of the line: that the access touches */
    uint32_t next;  /* in an MSHR's list */
    union {
        uint32_t load;  /* of the SM: which load waits for it */
        uint32_t entry; /* of a read that the L1 sends: its MSHR entry; WS_NO_ENTRY: look it up */
    };
    uint16_t slice, sm;
    uint8_t sectors; /* of the line: asked for */
    union {
        uint8_t full; /* of a write: sectors written entirely */
        /* of a read: which other lines of its group it asks for, all sectors of each (fetch.c) */
        uint8_t also;
    };
    uint8_t data_B : 4;   /* data it carries to memory, / 32 */
    uint8_t local : 1;    /* of local memory */
    uint8_t special : 1;  /* between the partition slot's owner and an SM, or its own read (sm WS_NO_SM) */
    uint8_t tag : 1;      /* what the owner of the cluster slot notes on it; 0 at first */
    uint8_t bypasses : 1; /* passes its L1 by; may be unset of an atomic, which always does */
    uint8_t kind : 2;     /* enum ws_packet_kind */
    uint8_t warp : 6;     /* slot */
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

/* Without memory `failed`, and a packet that stands in for it until the end of the cycle: then the run is given up. */
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

#endif
