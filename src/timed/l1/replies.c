/* Replies that have come to the SM: data fill lines of the L1, or pass it; and loads get theirs (returns.c). */
#include "timed/l1/l1.h"

/* Warp slot of the read that the MSHR entry was made for; WS_NO_SLOT: no warp's, or a group's. */
static unsigned asking_warp(const ws_sm *s, const ws_mshr_entry *m) {
    return m->load == WS_NO_LOAD || s->loads[m->load].group ? WS_NO_SLOT : s->loads[m->load].warp;
}

/* Fills the line of an MSHR entry whose data have come. Returns its way, or WS_NO_WAY if the data are not kept: the
 * line was written and then evicted meanwhile, or, with allocation on_fill, with which a line gets its way only now,
 * every way of its set holds a written line that is spared. */
static uint32_t keep_data(const ws_engine *e, ws_sm *s, const ws_mshr_entry *m) {
    uint32_t way = m->way;
    if (e->l1->allocation == WS_ALLOCATE_ON_FILL) {
        way = ws_cache_find(&s->l1, m->line);
        if (way == WS_NO_WAY) way = ws_cache_victim(&s->l1, m->line);
        if (way == WS_NO_WAY) return way;
        ws_cache_set_moment(&s->l1, e->now + 1); /* as for what the banks serve in this cycle */
        ws_l1_place(e, s, way, m->line, m->sectors, asking_warp(s, m));
    }
    return ws_cache_fill(&s->l1, way, m->line, m->sectors) ? way : WS_NO_WAY;
}

static void take_data(ws_engine *e, ws_sm *s, const ws_packet *data) {
    uint32_t entry = ws_l1_entry_of(s, data);
    ws_mshr_entry *m = &s->mshr.entry[entry];
    m->missing &= (uint8_t)~data->sectors;
    if (m->missing) return;
    ws_l1_note_data(s, m->way);
    uint32_t way = keep_data(e, s, m);
    if (e->fetch_slot) ws_fetch_arrived(e, s, m, way);
    if (m->load != WS_NO_LOAD) ws_returns_pass(e, s, m->load, 1, entry, e->now + 2);
    for (uint32_t waiting = m->first; waiting != WS_MSHR_NONE;) {
        ws_packet p = e->packets.at[waiting];
        ws_returns_pass(e, s, p.load, 1, entry, e->now + 2);
        ws_packet_free(&e->packets, waiting);
        waiting = p.next;
    }
    if (!e->collecting.used || !m->count) ws_mshr_release(&s->mshr, entry, 1);
    s->banks_stalled = 0;
}

/* Values that bypassed the L1 leave the port one at a time, the next one when the one before is being written. Whether
 * they hold up the reply behind them; that of further values only once there is no room for them in front of the unit
 * (GPGPU-Sim: m_next_global). */
static bool values_hold_up(const ws_engine *e, const ws_sm *s, const ws_packet *p) {
    uint32_t values = ws_returns_values(s), moved = s->values_moved == e->now;
    if (!values && !moved) return false;
    if (ws_l1_has_values(p)) return values + moved >= WS_VALUES_IN_FRONT;
    if (p->load == WS_CODE) return ws_returns_hold_up_code(e, s);
    return moved || values > 1;
}

static void take_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    if (e->sms_go_ahead) s->warps[p->warp].acknowledged -= ws_sector_count(p->sectors);
    ws_l1_take_acknowledgement(e, s, p);
}

bool ws_l1_take_reply(ws_engine *e, ws_sm *s) {
    if (values_hold_up(e, s, &e->packets.at[ws_queue_head(s->replies)->id])) return false;
    uint32_t id = ws_sm_take_reply(e, s);
    const ws_packet *p = &e->packets.at[id];
    if (ws_l1_has_values(p))
        ws_returns_pass(e, s, p->load, ws_packet_values(p), WS_NO_ENTRY, ws_l1_values_pass(e, e->now));
    else if (p->load == WS_CODE)
        ws_icache_take(e, s, p->line, p->sectors);
    else if (p->kind == WS_PACKET_READ)
        take_data(e, s, p);
    else
        take_acknowledgement(e, s, p);
    ws_packet_free(&e->packets, id);
    return true;
}
