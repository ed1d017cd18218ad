/* What the files of an SM's L1 share: l1.c, l1_foresee.c (what is certain before its cycle), returns.c, lsu.c, and
 * fetch.c. */
#ifndef WS_TIMED_L1_H
#define WS_TIMED_L1_H

#include "timed/engine.h"

static inline bool ws_l1_miss_queue_has_room(const ws_engine *e, const ws_sm *s, unsigned more) {
    return s->miss_queue.count + more < (uint32_t)e->l1->miss_queue;
}

/* Sends an access past the L1. False: it cannot leave now. */
static inline bool ws_l1_send_past(ws_engine *e, ws_sm *s, uint32_t id) {
    ws_packet *p = &e->packets.at[id];
    p->slice = (uint16_t)ws_slice_of(&e->map, p->line);
    return ws_sm_send(e, s, id);
}

/* ws_l1_place() where the slot l1 has an owner, who is told. */
void ws_l1_place_told(const ws_engine *engine, ws_sm *sm, uint32_t way, uint64_t line, uint8_t reserved,
                      unsigned warp);
/* Gives `way`, which the line has or may take, to the line, for an access of slot `warp` (WS_NO_SLOT: nobody's); its
 * sectors `reserved` are on their way. */
static inline void ws_l1_place(const ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                               unsigned warp) {
    if (e->l1_slot) {
        ws_l1_place_told(e, s, way, line, reserved, warp);
        return;
    }
    ws_cache_take(&s->l1, way, line, reserved);
}

/* Notes that the bank's head fails from now on, and why. */
static inline void ws_l1_note_failure(const ws_engine *e, ws_l1_bank *bank, enum ws_fail cause) {
    bank->since = e->now + 1;
    bank->cause = (uint8_t)cause;
}

/* To be called when something has changed that the heads of banks may wait for. */
static inline void ws_l1_try_again(ws_sm *s) {
    s->banks_stalled = 0;
}

/* To be called when an access has taken its data out of the MSHR entry; the last one frees the entry. */
static inline void ws_l1_fetched(ws_sm *s, uint32_t entry) {
    if (--s->mshr.entry[entry].count == 0) ws_mshr_release(&s->mshr, entry, 1);
    ws_l1_try_again(s);
}

/* Returns the MSHR entry that the data are for. */
static inline uint32_t ws_l1_entry_of(const ws_sm *s, const ws_packet *data) {
    return data->entry != WS_NO_ENTRY ? data->entry : ws_mshr_find(&s->mshr, data->line, data->sectors);
}

static inline void ws_l1_take_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    uint32_t sectors = ws_sector_count(p->sectors);
    s->warps[p->warp].writes -= sectors;
    s->cta_writes[s->warps[p->warp].cta_of] -= sectors;
    ws_sm_settle(e, s, p->warp, sectors);
}

/* Returns the cycle in which values that bypassed the L1 come to their load, if the load/store unit takes the reply in
 * cycle `when`: the next one. With operand collectors data are written to their registers one cycle later than that; an
 * atomic without a result is done at once. */
static inline uint64_t ws_l1_values_pass(const ws_engine *e, const ws_sm *s, const ws_packet *p,
                                         uint64_t when) {
    if (!e->collecting.used) return when + 1;
    const ws_load *l = &s->loads[p->load];
    const ws_timed_static *t = l->group ? NULL : &e->statics[l->static_id];
    bool writes = !t || t->op == WS_MEMORY_LOAD || t->dst_count;
    return when + 1 + writes;
}

#endif
