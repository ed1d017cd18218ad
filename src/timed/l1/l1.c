/* An SM's L1. An access waits in a bank for the L1's latency and then reaches the tags. One that finds a resource
 * missing stays at the head of its bank and is tried again whenever something that could help has changed; the cycles
 * that it waits are counted by cause. Misses and writes go through the miss queue to the SM's port. */
#include "timed/l1/l1.h"

#include "timed/l1/turn.h"

void ws_l1_lay_out(ws_engine *e) {
    uint64_t accesses = (uint64_t)e->l1->bank_accesses;
    e->l1_banks = ws_divisor_of((uint64_t)e->l1->banks);
    e->l1_rate = (uint32_t)(accesses * (uint64_t)e->l1->banks);
    e->l1_bank_room = (uint32_t)(accesses * (uint64_t)e->l1->latency);
}

/* The ring has room for all turns at once: each has an access in the banks, or one that a coalescer has. */
static bool init_turns(const ws_engine *e, ws_sm *s) {
    uint32_t most = s->bank_count * e->l1_bank_room + (uint32_t)e->core->coalescers, room = 1;
    while (room <= most) room *= 2;
    s->turn_mask = room - 1;
    s->turn_first = s->turn_end = 1;
    s->turns = calloc(room, sizeof *s->turns);
    return s->turns != NULL;
}

/* Whether accesses meet none of what few replays have: taps and slots on their way, several launches to count them for,
 * a limit to the misses of a cycle, several accesses of a bank in one, and turns at the tags. */
static bool is_plain(const ws_engine *e) {
    return !e->taps.access && !e->l1_slot && !e->fetch_slot && !e->front_slot && e->launch_count == 1 &&
           !e->l1->misses_per_cycle && e->l1->bank_accesses == 1 && e->l1->bank_by == WS_BANK_BY_SECTOR;
}

bool ws_l1_is_plain(const ws_engine *e) {
    return is_plain(e) && e->l1_rate == 1;
}

bool ws_l1_init(ws_engine *e, ws_sm *s) {
    const ws_l1_params *l1 = e->l1;
    s->bank_count = (uint32_t)l1->banks;
    s->banks = calloc(s->bank_count, sizeof *s->banks);
    for (uint32_t b = 0; s->banks && b < s->bank_count; b++) {
        s->banks[b].bit = 1u << b;
        ws_queue_init(&s->banks[b].queue);
    }
    bool by_sector = l1->bank_by == WS_BANK_BY_SECTOR && !e->front_slot;
    if (e->l1_rate == 1 && by_sector) s->only_bank = s->banks;
    s->enters_in_order = by_sector && (s->only_bank || e->core->coalescers == 1);
    s->l1_is_plain = is_plain(e);
    s->ready_turn = WS_NEVER;
    s->head_way = WS_NO_WAY;
    s->line_sectors = (uint8_t)((1u << l1->line_B / WS_TIMED_SECTOR_B) - 1);
    uint32_t sets = (uint32_t)(l1->size_B / (l1->ways * l1->line_B));
    bool ok = s->banks &&
              ws_cache_init(&s->l1, sets, ws_l1_ways(e, s->index), (enum ws_set_index)l1->index,
                            (enum ws_replacement)l1->replacement, (uint64_t)l1->seed << 32 | s->index,
                            l1->spare_dirty_percent) &&
              ws_mshr_init(&s->mshr, (uint32_t)l1->mshr_entries, (uint32_t)l1->mshr_merges);
    if (ok && e->l1_slot) s->at_l1 = e->l1_slot->create(e, s, e->l1_params);
    if (ok && e->fetch_slot) s->fetch = e->fetch_slot->create(e, s, e->fetch_params);
    if (ok && l1->bank_by == WS_BANK_BY_SET) ok = init_turns(e, s);
    return ok && (s->at_l1 || !e->l1_slot) && (s->fetch || !e->fetch_slot);
}

void ws_l1_free(ws_engine *e, ws_sm *s) {
    /* a launch does not wait for what its L1s write back */
    while (s->miss_queue.count) ws_packet_free(&e->packets, ws_queue_pop(&s->miss_queue));
    for (uint32_t b = 0; s->banks && b < s->bank_count; b++) ws_queue_free(&s->banks[b].queue);
    free(s->banks);
    free(s->turns);
    ws_cache_free(&s->l1);
    ws_mshr_free(&s->mshr);
    ws_queue_free(&s->miss_queue);
    for (unsigned from = 0; from < WS_ORIGINS; from++) ws_queue_free(&s->ready[from]);
    if (e->l1_slot && e->l1_slot->destroy) e->l1_slot->destroy(s->at_l1);
    if (e->fetch_slot) e->fetch_slot->destroy(s->fetch);
}

/* ---- accesses come */

bool ws_l1_start(ws_engine *e, ws_sm *s, uint32_t id) {
    const ws_packet *p = &e->packets.at[id];
    if (p->kind == WS_PACKET_ATOMIC || p->bypasses) return ws_l1_send_past(e, s, id);
    ws_l1_bank *bank = ws_l1_bank_for(e, s, p->line, p->sectors);
    if (bank) ws_l1_enter(e, s, bank, id);
    return bank != NULL;
}

/* ---- the tags */

/* Appends an access to those that wait for an MSHR entry's data. */
static void merge(ws_engine *e, ws_mshr_entry *m, uint32_t id) {
    e->packets.at[id].next = WS_MSHR_NONE;
    *(m->first == WS_MSHR_NONE ? &m->first : &e->packets.at[m->last].next) = id;
    m->last = id;
    m->count++;
}

/* Joins an access to an MSHR entry. The data may have come already, while others still wait for their turn to get
 * them. */
static void join(ws_engine *e, ws_sm *s, uint32_t entry, uint32_t id) {
    ws_mshr_entry *m = &s->mshr.entry[entry];
    if (m->missing) {
        merge(e, m, id);
        return;
    }
    m->count++;
    ws_returns_join(e, s, e->packets.at[id].load, entry);
    ws_packet_free(&e->packets, id);
}

void ws_l1_place_told(const ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                      unsigned warp) {
    uint64_t before = s->l1.lines[way].line;
    ws_cache_take(&s->l1, way, line, reserved);
    if (before != line && e->l1_slot->placed) e->l1_slot->placed(s->at_l1, e, s, way, line, warp, before);
}

/* Gives a new way to a line whose data are on their way, as it has lost its place in the tags. They come to the former
 * way all the same, so that its sectors stay reserved until they are asked for again (GPGPU-Sim: m_cache_index). */
static void keep_way(ws_engine *e, ws_sm *s, uint32_t entry, uint32_t way, unsigned warp) {
    ws_mshr_entry *m = &s->mshr.entry[entry];
    ws_l1_place_on_miss(e, s, way, m->line, m->sectors, warp);
}

bool ws_l1_join_entry(ws_engine *e, ws_sm *s, uint32_t id, uint32_t entry, ws_l1_outcome *o) {
    o->lacks = WS_FAIL_MERGE_FULL;
    if (s->mshr.entry[entry].count >= s->mshr.merges) return false;
    if (o->probe != WS_PROBE_PENDING)
        keep_way(e, s, entry, o->way, e->packets.at[id].warp);
    else if (o->way != WS_NO_WAY)
        ws_cache_touch(&s->l1, o->way);
    join(e, s, entry, id);
    return true;
}

/* l1.write evict: writes through, evicts on a hit the sectors looked up, and never allocates a line. What hits of local
 * memory is kept. */
static bool write_evict(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o) {
    if (o->probe == WS_PROBE_HIT && e->packets.at[id].local) { /* ws_timed_access.kept */
        ws_l1_write_local(e, s, id, o->way, sectors);
        return true;
    }
    o->lacks = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 0)) return false;
    queue_miss(e, s, id, WS_NOT_PLAIN);
    if (o->probe == WS_PROBE_HIT) ws_cache_invalidate(&s->l1, o->way, sectors);
    return true;
}

/* Writes through and keeps the line; a miss allocates it without fetching the rest. */
static bool write_through(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_outcome *o) {
    const ws_packet *p = &e->packets.at[id];
    if (o->probe == WS_PROBE_FULL) return false;
    o->lacks = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 0)) return false;
    ws_l1_place(e, s, o->way, p->line, 0, p->warp);
    if (e->fetch_slot && o->probe == WS_PROBE_MISS)
        e->fetch_slot->arrived(s->fetch, p->line, o->way, false, true);
    ws_cache_write(&s->l1, o->way, p->sectors, p->words);
    ws_l1_try_again(s); /* a line that was on its way, or dirty, may be a victim now */
    queue_miss(e, s, id, WS_NOT_PLAIN);
    return true;
}

ws_l1_outcome ws_l1_probe_again(ws_sm *s, uint64_t line, uint8_t sectors, bool is_write) {
    ws_cache_unreserve(&s->l1);
    return probe_once(s, line, sectors, is_write);
}

ws_l1_outcome ws_l1_probe_mshrs(const ws_sm *s, uint64_t line, uint8_t sectors, ws_l1_outcome o) {
    if (ws_mshr_find(&s->mshr, line, sectors) == WS_MSHR_NONE) {
        if (o.probe == WS_PROBE_FULL) o.probe = WS_PROBE_MISS;
        return o;
    }
    o.probe = WS_PROBE_PENDING;
    o.way = WS_NO_WAY;
    return o;
}

bool ws_l1_serve_write(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o) {
    *o = probe_tags(s, e->packets.at[id].line, sectors, true);
    return e->l1->write == WS_WRITE_EVICT ? write_evict(e, s, id, sectors, o) : write_through(e, s, id, o);
}

/* ---- turns of instructions */

uint32_t ws_l1_turn(ws_sm *s, uint32_t accesses) {
    s->turns[s->turn_end & s->turn_mask] = (uint16_t)accesses;
    return s->turn_end++;
}

void ws_l1_note_served(ws_sm *s, uint32_t turn) {
    if (--s->turns[turn & s->turn_mask]) return;
    while (s->turn_first != s->turn_end && !s->turns[s->turn_first & s->turn_mask]) s->turn_first++;
    ws_l1_try_again(s);
}

bool ws_l1_turn_has_come(const ws_engine *e, ws_sm *s, uint32_t index, uint32_t turn) {
    if (turn < s->turn_limit) return true;
    /* it need not be tried again before an earlier turn has been served */
    if (turn >= s->turn_first + (uint32_t)e->core->coalescers) s->banks_stalled |= 1u << index;
    return false;
}

void ws_l1_serve_rest(ws_engine *e, ws_sm *s, uint32_t index) {
    int64_t left = e->l1->bank_accesses - 1;
    while (left && ws_queue_ready(&s->banks[index].queue, e->now) && serve_bank(e, s, index, WS_NOT_PLAIN))
        left--;
}

/* With l1.misses_per_cycle, the bank after the one whose read missed last goes first. */
bool ws_l1_serve_banks_in_turns(ws_engine *e, ws_sm *s, uint32_t banks) {
    uint32_t later = ~0u << s->first_bank;
    s->missed = 0;
    if (s->turns) s->turn_limit = s->turn_first + (uint32_t)e->core->coalescers;
    bool served = serve_some(e, s, banks & later, WS_NOT_PLAIN);
    return serve_some(e, s, banks & ~later, WS_NOT_PLAIN) | served;
}

/* ---- misses go */

bool ws_l1_sends_next(ws_engine *e, const ws_sm *s) {
    return e->cluster_parts || ws_network_has_much_room(&e->requests, s->index) ||
           ws_cluster_has_room(e, ws_queue_head(&s->miss_queue)->id);
}

/* ---- replies come */

void ws_l1_pass_to_others(ws_engine *e, ws_sm *s, uint32_t entry) {
    for (uint32_t waiting = s->mshr.entry[entry].first; waiting != WS_MSHR_NONE;) {
        ws_packet p = e->packets.at[waiting];
        ws_returns_pass(e, s, p.load, 1, entry, e->now + 2);
        ws_packet_free(&e->packets, waiting);
        waiting = p.next;
    }
}

/* Values that bypassed the L1 leave the port one at a time, the next one when the one before is being written. Whether
 * they hold up the reply behind them; that of further values only once there is no room for them in front of the unit
 * (GPGPU-Sim: m_next_global). */
bool ws_l1_values_hold_up(const ws_engine *e, const ws_sm *s, const ws_packet *p) {
    uint32_t values = ws_returns_values(s), moved = s->values_moved == e->now;
    if (ws_l1_has_values(p)) return values + moved >= WS_VALUES_IN_FRONT;
    if (p->load == WS_CODE) return ws_returns_hold_up_code(e, s);
    return moved || values > 1;
}

static void take_acknowledgement(ws_engine *e, ws_sm *s, const ws_packet *p) {
    if (e->sms_go_ahead) s->warps[p->warp].acknowledged -= ws_sector_count(p->sectors);
    ws_l1_take_acknowledgement(e, s, p);
}

void ws_l1_take_other(ws_engine *e, ws_sm *s, const ws_packet *p) {
    if (p->kind == WS_PACKET_WRITE)
        take_acknowledgement(e, s, p);
    else if (p->load == WS_CODE)
        ws_icache_take(e, s, p->line, p->sectors);
    else
        ws_returns_pass(e, s, p->load, ws_packet_values(p), WS_NO_ENTRY, ws_l1_values_pass(e, e->now));
}

/* ---- the L1's turn */

bool ws_l1_step(ws_engine *e, ws_sm *s) {
    return take_l1_turn(e, s, WS_NOT_PLAIN);
}
