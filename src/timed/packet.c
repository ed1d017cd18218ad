#include "timed/engine.h"

uint32_t ws_packet_new(ws_packets *p) {
    if (!p->free) {
        uint32_t room = p->room ? p->room * 2 : 1024;
        ws_packet *at = realloc(p->at, room * sizeof *at);
        if (!at) {
            p->failed = true;
            return 0; /* some packet: the run is given up at the end of the cycle */
        }
        p->at = at;
        for (uint32_t i = p->room; i < room; i++) at[i].next = i + 1 < room ? i + 2 : 0;
        p->free = p->room + 1;
        p->room = room;
    }
    uint32_t id = p->free - 1;
    p->free = p->at[id].next;
    return id;
}

uint32_t ws_packet_copy(ws_packets *p, uint32_t id) {
    uint32_t copy = ws_packet_new(p);
    p->at[copy] = p->at[id];
    return copy;
}

void ws_packet_free(ws_packets *p, uint32_t id) {
    p->at[id].next = p->free;
    p->free = id + 1;
}
