#include "timed/engine.h"

uint32_t ws_packet_new(ws_packets *p) {
    if (!p->places.free) {
        ws_packet *at = ws_places_grow(&p->places, p->at, sizeof *at, 1024);
        if (!at) {
            p->failed = true;
            return 0; /* some packet: the run is given up at the end of the cycle */
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
