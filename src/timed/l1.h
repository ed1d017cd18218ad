/* What the parts of an SM's L1 share: l1.c and, for what is certain before its cycle, l1_foresee.c. */
#ifndef WS_TIMED_L1_H
#define WS_TIMED_L1_H

#include "timed/engine.h"

static inline bool ws_l1_miss_queue_has_room(const ws_engine *e, const ws_sm *s, unsigned more) {
    return s->miss_queue.count + more < (uint32_t)e->l1->miss_queue;
}

/* Tells the slot's owner, too. */
void ws_l1_place_told(const ws_engine *engine, ws_sm *sm, uint32_t way, uint64_t line, uint8_t reserved,
                      unsigned warp);
/* The line takes the way, which it had or may take, for an access of that warp (WS_NO_SLOT: nobody's); of its sectors
 * `reserved` are on their way. */
static inline void ws_l1_place(const ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                               unsigned warp) {
    if (e->l1_slot) {
        ws_l1_place_told(e, s, way, line, reserved, warp);
        return;
    }
    ws_cache_line victim;
    ws_cache_take(&s->l1, way, line, reserved, &victim);
}

/* From now on the bank's head waits for that. */
static inline void ws_l1_note_failure(const ws_engine *e, ws_l1_bank *bank, enum ws_fail cause) {
    bank->since = e->now + 1;
    bank->cause = (uint8_t)cause;
}

/* The MSHR entry that the data are for. */
static inline uint32_t ws_l1_entry_of(const ws_sm *s, const ws_packet *data) {
    return data->entry != WS_NO_ENTRY ? data->entry : ws_mshr_find(&s->mshr, data->line, data->sectors);
}

static inline void ws_l1_take_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    uint32_t sectors = ws_sector_count(p->sectors);
    s->warps[p->warp].writes -= sectors;
    s->cta_writes[s->warps[p->warp].cta_of] -= sectors;
    ws_sm_settle(e, s, p->warp, sectors);
}

/* With operand collectors data are written to their registers in the cycle after that in which the load/store unit
 * takes them; an atomic without a result is done then. */
static inline uint64_t ws_l1_values_pass(const ws_engine *e, const ws_sm *s, const ws_packet *p,
                                         uint64_t when) {
    if (!e->collecting.used) return when + 1;
    const ws_load *l = &s->loads[p->load];
    const ws_timed_static *t = l->group ? NULL : &e->statics[l->static_id];
    bool writes = !t || t->op == WS_MEMORY_LOAD || t->dst_count;
    return when + 1 + writes;
}

#endif
