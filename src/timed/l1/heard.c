/* What taps and slots are told of an L1's accesses, and how a slot makes accesses bypass it. Few replays have any of
 * these. */
#include "timed/l1/heard.h"

/* ---- taps */

static const enum ws_timed_status status_of[] = {[WS_PROBE_HIT] = WS_TIMED_HIT,
                                                 [WS_PROBE_PENDING] = WS_TIMED_PENDING_HIT,
                                                 [WS_PROBE_SECTOR_MISS] = WS_TIMED_SECTOR_MISS,
                                                 [WS_PROBE_MISS] = WS_TIMED_MISS,
                                                 [WS_PROBE_FULL] = WS_TIMED_MISS};

static void tell_tap(const ws_engine *e, const ws_sm *s, const ws_packet *p, const ws_l1_access *heard,
                     enum ws_timed_status status) {
    bool is_write = p->kind == WS_PACKET_WRITE;
    ws_timed_access access = {.cycle = e->now - e->launched,
                              .line = p->line,
                              .words = p->words,
                              .sm = s->index,
                              .cluster = s->index / (uint32_t)e->gpu->sms_per_cluster,
                              .cta = s->cta_ordinal[s->warps[p->warp].cta_of],
                              .warp = s->warps[p->warp].id_in_cta,
                              .static_id = heard->static_id,
                              .issued = heard->issued == WS_NEVER ? WS_NEVER : heard->issued - e->launched,
                              .op = is_write ? WS_MEMORY_STORE : WS_MEMORY_LOAD,
                              .status = status,
                              .kept = is_write && p->local && status == WS_TIMED_HIT &&
                                      e->l1->write == WS_WRITE_EVICT};
    e->taps.access(e->taps.self, &access);
}

void ws_l1_tell_hit(const ws_engine *e, const ws_sm *s, const ws_l1_hearing *h) {
    if (e->taps.access) tell_tap(e, s, &h->packet, &h->access, WS_TIMED_HIT);
}

/* ---- slots */

/* Whether the read has gone to memory: then it is the last one in the miss queue, but for what its line has displaced,
 * which is written back behind it. */
static bool is_sent_last(const ws_engine *e, const ws_sm *s, uint32_t id) {
    const ws_queued *last = ws_queue_behind(&s->miss_queue, s->miss_queue.count - 1);
    if (last && e->packets.at[last->id].kind == WS_PACKET_WRITE_BACK)
        last = ws_queue_behind(&s->miss_queue, s->miss_queue.count - 2);
    return last && last->id == id;
}

/* Tells the fetch slot that a read has been served. */
static void fetch_around(ws_engine *e, ws_sm *s, uint32_t id, const ws_packet *access, enum ws_probe probe,
                         uint32_t way) {
    bool hit = probe == WS_PROBE_HIT, missed = !hit && is_sent_last(e, s, id);
    ws_l1_read read = {
        .line = access->line, .way = hit ? way : WS_NO_WAY, .missed = missed, .local = access->local};
    ws_fetch_around(e, s, &read, missed ? id : WS_NO_PACKET);
}

/* Whether the tap has been told of the access before it was served, as that may have ended its load. */
static bool is_told(const ws_l1_access *heard, enum ws_probe probe) {
    return !heard->is_write && probe == WS_PROBE_HIT;
}

/* Tells taps and slots that an access has been served. */
static void tell(ws_engine *e, ws_sm *s, uint32_t id, const ws_packet *p, enum ws_probe probe, uint32_t way,
                 const ws_l1_access *heard) {
    if (e->taps.access && !is_told(heard, probe)) tell_tap(e, s, p, heard, status_of[probe]);
    if (e->l1_slot && e->l1_slot->served) {
        bool has_way = way != WS_NO_WAY && s->l1.lines[way].line == p->line;
        e->l1_slot->served(s->at_l1, e, s, heard, status_of[probe], has_way ? way : WS_NO_WAY);
    }
    if (e->fetch_slot && p->kind == WS_PACKET_READ) fetch_around(e, s, id, p, probe, way);
}

/* ---- accesses that bypass the L1 */

/* Whether a write of the read's warp waits for the network, or what is written back of its line. */
static bool has_write_waiting(const ws_engine *e, const ws_sm *s, const ws_packet *read) {
    const ws_queue *q = &s->miss_queue;
    for (uint32_t i = 0; i < q->count; i++) {
        const ws_packet *p = &e->packets.at[q->at[ws_queue_place(q, i)].id];
        if (p->kind == WS_PACKET_WRITE && p->warp == read->warp) return true;
        if (p->kind == WS_PACKET_WRITE_BACK && p->line == read->line) return true;
    }
    return false;
}

/* The read must not overtake a write of its own warp, nor what is written back of its line, which a warp has written
 * earlier. */
bool ws_l1_bypass(ws_engine *e, ws_sm *s, uint32_t id, const ws_l1_access *heard) {
    ws_packet *p = &e->packets.at[id];
    if (has_write_waiting(e, s, p)) return false;
    uint32_t load = p->load, sectors = ws_sector_count(p->sectors);
    p->bypasses = true;
    if (!ws_l1_send_past(e, s, id)) {
        p->bypasses = false;
        return false;
    }
    s->loads[load].left += (uint16_t)(sectors - 1);
    s->counters.bypasses++;
    ws_timed_share *share = ws_share_of(e, s, p->warp);
    if (share) share->l1_bypasses++;
    if (e->taps.access) tell_tap(e, s, p, heard, WS_TIMED_BYPASS);
    if (e->l1_slot->bypassed) e->l1_slot->bypassed(s->at_l1, e, s, heard);
    return true;
}

/* Returns what taps and slots are told of an access. */
static ws_l1_access access_of(const ws_engine *e, const ws_sm *s, uint32_t id) {
    const ws_packet *p = &e->packets.at[id];
    const ws_load *load = p->kind == WS_PACKET_READ ? &s->loads[p->load] : NULL;
    return (ws_l1_access){.line = p->line,
                          .static_id = load ? load->static_id : WS_NO_STATIC,
                          .issued =
                              load && !load->group ? e->now - ((uint32_t)e->now - load->issued) : WS_NEVER,
                          .warp = p->warp,
                          .sectors = p->sectors,
                          .is_write = !load,
                          .local = p->local};
}

static bool passes(const ws_engine *e, const ws_sm *s, const ws_l1_access *access) {
    return e->l1_slot && e->l1_slot->passes && !access->is_write &&
           e->l1_slot->passes(s->at_l1, e, s, access);
}
static bool bypasses(const ws_engine *e, const ws_sm *s, const ws_l1_access *access, enum ws_fail cause) {
    return e->l1_slot && e->l1_slot->bypasses && !access->is_write &&
           e->l1_slot->bypasses(s->at_l1, e, s, access, cause);
}

/* ---- before an access is served, and after */

bool ws_l1_hear(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_hearing *h) {
    h->packet = e->packets.at[id];
    h->access = access_of(e, s, id);
    return passes(e, s, &h->access);
}

bool ws_l1_tell_outcome(ws_engine *e, ws_sm *s, uint32_t id, const ws_l1_hearing *h, bool served,
                        const ws_l1_outcome *o) {
    if (!served)
        return o->lacks != WS_FAIL_TURN && bypasses(e, s, &h->access, o->lacks) &&
               ws_l1_bypass(e, s, id, &h->access);
    tell(e, s, id, &h->packet, o->probe, o->way, &h->access);
    return true;
}
