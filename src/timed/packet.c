#include "timed/engine.h"

enum { ROOM = 1024 };

bool ws_packets_init(ws_packets *p) {
    *p = (ws_packets){.at = NULL};
    p->at = ws_places_grow(&p->places, NULL, sizeof *p->at, ROOM);
    if (!p->at) return false;
    p->stand_in = ws_places_take(&p->places, p->at, sizeof *p->at);
    p->at[p->stand_in] = (ws_packet){.load = WS_NO_LOAD};
    return true;
}

void ws_packets_free(ws_packets *p) {
    free(p->at);
    *p = (ws_packets){.at = NULL};
}

uint32_t ws_packet_new(ws_packets *p) {
    if (!p->places.free) {
        ws_packet *at = ws_places_grow(&p->places, p->at, sizeof *at, ROOM);
        if (!at) {
            p->failed = true;
            return p->stand_in;
        }
        p->at = at;
    }
    return ws_places_take(&p->places, p->at, sizeof *p->at);
}

uint32_t ws_packet_copy(ws_packets *p, uint32_t id) {
    uint32_t copy = ws_packet_new(p);
    p->at[copy] = p->at[id];
    return copy;
}

void ws_packet_free(ws_packets *p, uint32_t id) {
    ws_places_give(&p->places, p->at, sizeof *p->at, id);
}
