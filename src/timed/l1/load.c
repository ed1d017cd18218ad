/* Loads in flight: instructions, or groups of them, that wait until the last of their accesses has its data. */
#include "timed/l1/lsu.h"
#include "timed/sm/core.h"

uint32_t ws_load_new(ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, unsigned accesses) {
    if (!s->load_places.free) {
        ws_load *loads = ws_places_grow(&s->load_places, s->loads, sizeof *loads, 64);
        if (!loads) {
            e->failed = true;
            return WS_NO_LOAD;
        }
        s->loads = loads;
    }
    uint32_t at = ws_places_take(&s->load_places, s->loads, sizeof *s->loads);
    s->loads[at] = (ws_load){.static_id = static_id,
                             .issued = (uint32_t)e->now,
                             .until = (uint32_t)e->now,
                             .left = (uint16_t)accesses,
                             .warp = warp & 63};
    return at;
}

/* To be called when the load has all its data: frees it, and tells whoever waits for it. */
static void finish_load(ws_engine *e, ws_sm *s, uint32_t at) {
    ws_load load = s->loads[at];
    ws_places_give(&s->load_places, s->loads, sizeof *s->loads, at);
    if (load.group) {
        e->front_slot->returned(s->front, e, s, load.issued);
        return;
    }
    if (e->statics.at[load.static_id].async == WS_ASYNC_COPY) ws_async_copied(e, s, load.warp, at);
    ws_sm_loaded(e, s, &load);
}

/* A hit may overtake data that came earlier and wait for their cycle; then the load is done in that cycle. */
void ws_load_complete(ws_engine *e, ws_sm *s, uint32_t load) {
    int32_t cycles = (int32_t)(s->loads[load].until - (uint32_t)e->now);
    if (cycles <= 0)
        finish_load(e, s, load);
    else if (!ws_queue_insert(&s->ready[WS_FROM_L1], load, 0, e->now + (uint32_t)cycles))
        e->failed = true;
}

uint32_t ws_load_group(ws_engine *e, ws_sm *s, uint32_t group, uint32_t static_id) {
    uint32_t load = ws_load_new(e, s, 0, static_id, 1);
    if (load == WS_NO_LOAD) return load;
    s->loads[load].group = true;
    s->loads[load].issued = group;
    return load;
}

void ws_load_merged(ws_sm *s, uint32_t load) {
    s->loads[load].merged++;
}

void ws_load_return(ws_engine *e, ws_sm *s, uint32_t load) {
    ws_load_returns(e, s, load, 1);
}
