#include "timed/memory/lrc.h"

static bool is_read(const ws_packet *p) {
    return p->kind == WS_PACKET_READ || (p->kind == WS_PACKET_ATOMIC && !p->data_B);
}

static void join(ws_engine *e, ws_mshr_entry *entry, uint32_t id) {
    e->packets.at[id].next = WS_MSHR_NONE;
    if (entry->first == WS_MSHR_NONE)
        entry->first = id;
    else
        e->packets.at[entry->last].next = id;
    entry->last = id;
    entry->count++;
}

/* Of several entries for a sector all but the newest, which is found first, are full. */
bool ws_lrc_joins(ws_engine *e, ws_slice *s, uint32_t id) {
    const ws_packet *p = &e->packets.at[id];
    if (!is_read(p)) return false;
    uint32_t at = ws_mshr_find(&s->lrc, p->line, p->sectors);
    if (at != WS_MSHR_NONE && s->lrc.entry[at].count < s->lrc.merges) {
        join(e, &s->lrc.entry[at], id);
        return true;
    }
    at = ws_mshr_take(&s->lrc, p->line, p->sectors, 0, 1);
    s->lrc.entry[at].asks = id;
    return false;
}

uint32_t ws_lrc_end(ws_slice *s, uint64_t line, uint32_t id) {
    uint32_t at = *ws_mshr_bucket(&s->lrc, line);
    while (at && s->lrc.entry[at - 1].asks != id) at = s->lrc.entry[at - 1].chain;
    if (!at) return WS_MSHR_NONE;
    uint32_t first = s->lrc.entry[at - 1].first;
    ws_mshr_release(&s->lrc, at - 1, 1);
    return first;
}
