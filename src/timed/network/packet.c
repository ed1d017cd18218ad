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

bool ws_packets_grow(ws_packets *p) {
    ws_packet *at = ws_places_grow(&p->places, p->at, sizeof *at, ROOM);
    if (at)
        p->at = at;
    else
        p->failed = true;
    return at;
}
