/* An L1's turn, and the load/store unit's with it. For l1.c and, in plain turns, for sm/ahead.c, which has all of it
 * inline: nearly all turns of an SM are little else. What is not frequent is in l1.c, and called.
 *
 * Functions with a parameter `plain` are compiled once for each of its values. */
#ifndef WS_TIMED_L1_TURN_H
#define WS_TIMED_L1_TURN_H

#include "base/inline.h"
#include "timed/l1/heard.h"

/* What need not be looked for. */
enum ws_plain {
    WS_NOT_PLAIN,
    WS_PLAIN_ACCESSES, /* ws_sm.l1_is_plain */
    WS_PLAIN_TURNS     /* ws_engine.turns_are_plain: there is only one bank, too */
};

/* ---- in l1.c
 *
 * Functions that serve an access, here and below, return whether it is done with the tags; if not, `lacks` of the
 * outcome says what it lacks. */

/* Frees ways that wait for data, of which none are on their way, and probes the tags again. */
ws_l1_outcome ws_l1_probe_again(ws_sm *sm, uint64_t line, uint8_t sectors, bool is_write);
/* What the tags, which do not have the sectors, and the MSHRs say of a read with allocation on_fill: the tags do not
 * know which lines are on their way, but the MSHRs do, and a read needs no way yet. */
ws_l1_outcome ws_l1_probe_mshrs(const ws_sm *sm, uint64_t line, uint8_t sectors, ws_l1_outcome tags);
/* Serves a read that joins an MSHR entry. */
bool ws_l1_join_entry(ws_engine *engine, ws_sm *sm, uint32_t packet, uint32_t entry, ws_l1_outcome *outcome);
/* Probes the tags for a write, and serves it. */
bool ws_l1_serve_write(ws_engine *engine, ws_sm *sm, uint32_t packet, uint8_t sectors,
                       ws_l1_outcome *outcome);

/* Whether the access at the head of a bank has its turn, if accesses have turns (ws_l1_turn); to be called when it has
 * been served. */
bool ws_l1_turn_has_come(const ws_engine *engine, ws_sm *sm, uint32_t bank, uint32_t turn);
void ws_l1_note_served(ws_sm *sm, uint32_t turn);
/* Serves what a bank may after its first access of a cycle. */
void ws_l1_serve_rest(ws_engine *engine, ws_sm *sm, uint32_t bank);
/* Serves `banks`, as an L1 does whose accesses may meet anything. Returns whether any access is done. */
bool ws_l1_serve_banks_in_turns(ws_engine *engine, ws_sm *sm, uint32_t banks);

/* Passes the data of an MSHR entry to those who joined it. */
void ws_l1_pass_to_others(ws_engine *engine, ws_sm *sm, uint32_t entry);
/* Whether values that bypassed the L1, if some wait or have moved in this cycle, hold up the reply behind them. */
bool ws_l1_values_hold_up(const ws_engine *engine, const ws_sm *sm, const ws_packet *reply);
/* Takes a reply that does not bring data to the L1. */
void ws_l1_take_other(ws_engine *engine, ws_sm *sm, const ws_packet *reply);

/* ---- misses go */

/* In plain turns: sends what is to leave in the next cycle, if nothing else that the SM sends can go before it. A miss
 * may displace a written line, which is written back a cycle later. */
WS_INLINE bool sends_next(ws_engine *e, ws_sm *s, uint32_t id) {
    if (s->miss_queue.count || s->past_l1 || s->l1.dirty_lines) return false;
    e->now++;
    bool sent = ws_sm_send_alone(e, s, id);
    e->now--;
    return sent;
}

WS_INLINE void queue_miss(ws_engine *e, ws_sm *s, uint32_t id, enum ws_plain plain) {
    ws_packet *p = &e->packets.at[id];
    p->slice = (uint16_t)ws_slice_of(&e->map, p->line);
    if (plain == WS_PLAIN_TURNS && sends_next(e, s, id)) return;
    if (!ws_queue_push(&s->miss_queue, id, 1, e->now + 1)) e->failed = true;
}

WS_INLINE bool send_miss(ws_engine *e, ws_sm *s) {
    if (!ws_queue_ready(&s->miss_queue, e->now) || !ws_sm_send(e, s, ws_queue_head(&s->miss_queue)->id))
        return false;
    ws_queue_pop(&s->miss_queue);
    ws_l1_try_again(s);
    return true;
}

/* ---- the tags */

/* Whether as many reads have missed in this cycle as may (l1.misses_per_cycle). */
static inline bool misses_are_full(const ws_engine *e, const ws_sm *s) {
    return e->l1->misses_per_cycle && s->missed >= (uint32_t)e->l1->misses_per_cycle;
}

/* A read that goes to memory: the access itself becomes the request. */
WS_INLINE bool send_read(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o,
                         enum ws_plain plain) {
    o->lacks = WS_FAIL_MSHR_FULL;
    if (ws_mshr_is_full(&s->mshr)) return false;
    ws_packet *p = &e->packets.at[id];
    uint64_t line = p->line;
    unsigned warp = p->warp;
    uint32_t entry = ws_mshr_take(&s->mshr, line, sectors, o->way, 1);
    s->mshr.entry[entry].load = p->load;
    p->entry = entry;
    p->sectors = sectors;
    queue_miss(e, s, id, plain);
    if (plain == WS_PLAIN_TURNS || e->l1->allocation == WS_ALLOCATE_ON_MISS)
        ws_l1_place_on_miss(e, s, o->way, line, sectors, warp);
    return true;
}

WS_INLINE bool read_miss(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o,
                         enum ws_plain plain) {
    o->lacks = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 1)) return false;
    bool forgets = plain != WS_PLAIN_TURNS && e->tags_forget;
    uint32_t entry = WS_MSHR_NONE;
    if (o->probe == WS_PROBE_PENDING || forgets || s->l1.wrote_reserved)
        entry = ws_mshr_find(&s->mshr, e->packets.at[id].line, sectors);
    return entry != WS_MSHR_NONE ? ws_l1_join_entry(e, s, id, entry, o)
                                 : send_read(e, s, id, sectors, o, plain);
}

static inline void hit(ws_engine *e, ws_sm *s, uint32_t id, uint32_t way) {
    ws_cache_touch(&s->l1, way);
    ws_load_returns(e, s, e->packets.at[id].load, 1);
    ws_packet_free(&e->packets, id);
}

/* `heard`: NULL if there are neither taps nor slots to hear of the access. */
WS_INLINE bool serve_read(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o,
                          const ws_l1_hearing *heard, enum ws_plain plain) {
    if (o->probe == WS_PROBE_HIT) {
        if (heard) ws_l1_tell_hit(e, s, heard);
        hit(e, s, id, o->way);
        return true;
    }
    if (!plain && misses_are_full(e, s)) {
        s->counters.miss_port_waits++;
        o->lacks = WS_FAIL_TURN;
        return false;
    }
    if (o->probe == WS_PROBE_FULL || !read_miss(e, s, id, sectors, o, plain)) return false;
    s->missed++;
    return true;
}

/* Probes the tags. */
WS_INLINE ws_l1_outcome probe_once(const ws_sm *s, uint64_t line, uint8_t sectors, bool is_write) {
    uint32_t way;
    enum ws_probe probe = ws_cache_probe(&s->l1, line, line, sectors, is_write, &way);
    return (ws_l1_outcome){.probe = probe, .way = way, .lacks = WS_FAIL_SET_FULL};
}

/* The same, but if no way may go to the line though no data are on their way, ways that wait for some are freed. */
WS_INLINE ws_l1_outcome probe_tags(ws_sm *s, uint64_t line, uint8_t sectors, bool is_write) {
    ws_l1_outcome o = probe_once(s, line, sectors, is_write);
    return o.probe == WS_PROBE_FULL && !s->mshr.used ? ws_l1_probe_again(s, line, sectors, is_write) : o;
}

/* The same for a read, unless that has been done for the head of the only bank already. */
WS_INLINE ws_l1_outcome probe_read(const ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors) {
    if (s->head_way == WS_NO_WAY) {
        ws_l1_outcome o = probe_tags(s, line, sectors, false);
        if (o.probe == WS_PROBE_HIT || e->l1->allocation == WS_ALLOCATE_ON_MISS) return o;
        return ws_l1_probe_mshrs(s, line, sectors, o);
    }
    return (ws_l1_outcome){.probe = WS_PROBE_MISS, .way = s->head_way, .lacks = WS_FAIL_SET_FULL};
}

/* Counts an access for its launch. */
static inline void share_access(ws_timed_share *share, enum ws_probe probe) {
    share->l1_accesses++;
    share->l1_hits += probe == WS_PROBE_HIT;
    share->l1_pending_hits += probe == WS_PROBE_PENDING;
    share->l1_sector_misses += probe == WS_PROBE_SECTOR_MISS;
    share->l1_misses += probe == WS_PROBE_MISS || probe == WS_PROBE_FULL;
}

static inline void count_access(ws_sm *s, enum ws_probe probe) {
    s->counters.accesses++;
    s->counters.probes[probe]++;
}

/* Looks an access up in the tags. */
WS_INLINE bool look_up(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_outcome *o, const ws_l1_hearing *heard,
                       enum ws_plain plain) {
    const ws_packet *p = &e->packets.at[id];
    bool is_write = p->kind == WS_PACKET_WRITE;
    uint8_t sectors = e->l1->access == WS_ACCESS_SECTOR ? p->sectors : s->line_sectors;
    ws_timed_share *share = plain ? NULL : ws_share_of(e, s, p->warp);
    if (!is_write) *o = probe_read(e, s, p->line, sectors);
    if (!(is_write ? ws_l1_serve_write(e, s, id, sectors, o)
                   : serve_read(e, s, id, sectors, o, heard, plain)))
        return false;
    s->l1_used |= !is_write || e->l1->write != WS_WRITE_EVICT;
    count_access(s, o->probe);
    if (share) share_access(share, o->probe);
    return true;
}

/* ---- banks */

/* Whether an access that has come to the tags is done with them or has bypassed the L1. */
WS_INLINE bool serve_head(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_outcome *o, enum ws_plain plain) {
    if (plain) return look_up(e, s, id, o, NULL, plain);
    ws_l1_hearing h;
    if (e->l1_is_heard && ws_l1_hear(e, s, id, &h)) {
        o->lacks = WS_FAIL_TURN;
        return ws_l1_bypass(e, s, id, &h.access);
    }
    bool served = look_up(e, s, id, o, e->l1_is_heard ? &h : NULL, plain);
    return e->l1_is_heard ? ws_l1_tell_outcome(e, s, id, &h, served, o) : served;
}

/* The bank's head, if it has waited, waits no longer, or no longer for the same reason. One that was foreseen to wait
 * may not have had to. */
static inline void end_wait(const ws_engine *e, ws_sm *s, ws_l1_bank *bank) {
    uint64_t cycles = bank->since ? e->now + 1 - bank->since : 0;
    s->counters.fail_stalls[bank->cause] += cycles > 0;
    s->counters.fail_retries[bank->cause] += cycles;
    bank->since = 0;
}

/* Serves the access at the head of a bank. Returns whether it is done. */
WS_INLINE bool serve_bank(ws_engine *e, ws_sm *s, uint32_t index, enum ws_plain plain) {
    ws_l1_bank *bank = &s->banks[index];
    if (!plain && ws_returns_are_blocked(e, s)) return false;
    uint32_t id = ws_queue_head(&bank->queue)->id, turn = plain ? 0 : e->packets.at[id].next;
    if (turn && !ws_l1_turn_has_come(e, s, index, turn)) return false;
    ws_l1_outcome o;
    if (serve_head(e, s, id, &o, plain)) {
        end_wait(e, s, bank);
        s->head_way = WS_NO_WAY;
        ws_queue_pop(&bank->queue);
        if (!bank->queue.count) s->banks_used &= ~(1u << index);
        if (turn) ws_l1_note_served(s, turn);
        return true;
    }
    if (o.lacks == WS_FAIL_TURN) return false; /* it is tried again in the next cycle */
    if (bank->cause != o.lacks) end_wait(e, s, bank);
    if (!bank->since) ws_l1_note_failure(bank, o.lacks, e->now);
    s->banks_stalled |= 1u << index;
    return false;
}

/* Serves those of `banks` that have something to serve, from the lowest up. Returns whether any access is done. */
WS_INLINE bool serve_some(ws_engine *e, ws_sm *s, uint32_t banks, enum ws_plain plain) {
    bool served = false;
    for (uint32_t open; (open = banks & s->banks_used & ~s->banks_stalled) != 0;) {
        uint32_t index = (uint32_t)__builtin_ctz(open), missed = s->missed;
        banks &= ~1u << index;
        bool done = serve_bank(e, s, index, plain);
        if (!plain && done) ws_l1_serve_rest(e, s, index);
        served |= done;
        if (!plain && e->l1->misses_per_cycle && s->missed != missed)
            s->first_bank = (index + 1) % s->bank_count;
    }
    return served;
}

/* Returns the set of banks whose head has come to the tags. The host cannot foresee which these are, so it is not asked
 * to. */
static inline uint32_t due_banks(const ws_engine *e, const ws_sm *s) {
    uint32_t due = 0;
    for (uint32_t rest = s->banks_used; rest; rest &= rest - 1) {
        const ws_l1_bank *bank = &s->banks[__builtin_ctz(rest)];
        due |= bank->queue.when <= e->now ? bank->bit : 0;
    }
    return due;
}

/* Serves the only bank, which has accesses and is not stalled. */
WS_INLINE bool serve_only_bank(ws_engine *e, ws_sm *s, enum ws_plain plain) {
    return s->only_bank->queue.when <= e->now && serve_bank(e, s, 0, plain);
}

/* In the remaining functions `plain` is not WS_PLAIN_ACCESSES, which is asked of the SM. */
WS_INLINE bool serve_banks(ws_engine *e, ws_sm *s, enum ws_plain plain) {
    if (!(s->banks_used & ~s->banks_stalled)) return false;
    ws_cache_set_moment(&s->l1, e->now + 1);
    bool served;
    if (plain)
        served = serve_only_bank(e, s, plain);
    else if (s->l1_is_plain && s->only_bank)
        served = serve_only_bank(e, s, WS_PLAIN_ACCESSES);
    else if (s->l1_is_plain)
        served = serve_some(e, s, due_banks(e, s), WS_PLAIN_ACCESSES);
    else
        served = ws_l1_serve_banks_in_turns(e, s, due_banks(e, s));
    s->counters.l1_busy_cycles += served;
    return served;
}

/* ---- replies come: data fill lines of the L1, or pass it; and loads get theirs (returns.c) */

/* Warp slot of the read that the MSHR entry was made for; WS_NO_SLOT: no warp's, or a group's. */
static inline unsigned asking_warp(const ws_sm *s, const ws_mshr_entry *m) {
    return m->load == WS_NO_LOAD || s->loads[m->load].group ? WS_NO_SLOT : s->loads[m->load].warp;
}

/* Fills the line of an MSHR entry whose data have come. Returns its way, or WS_NO_WAY if the data are not kept: the
 * line was written and then evicted meanwhile, or, with allocation on_fill, with which a line gets its way only now,
 * every way of its set holds a written line that is spared. */
WS_INLINE uint32_t keep_data(const ws_engine *e, ws_sm *s, const ws_mshr_entry *m, enum ws_plain plain) {
    uint32_t way = m->way;
    if (!plain && e->l1->allocation == WS_ALLOCATE_ON_FILL) {
        way = ws_cache_find(&s->l1, m->line);
        if (way == WS_NO_WAY) way = ws_cache_victim(&s->l1, m->line);
        if (way == WS_NO_WAY) return way;
        ws_cache_set_moment(&s->l1, e->now + 1); /* as for what the banks serve in this cycle */
        ws_l1_place(e, s, way, m->line, m->sectors, asking_warp(s, m));
    }
    return ws_cache_fill(&s->l1, way, m->line, m->sectors) ? way : WS_NO_WAY;
}

WS_INLINE void take_data(ws_engine *e, ws_sm *s, const ws_packet *data, enum ws_plain plain) {
    uint32_t entry = ws_l1_entry_of(s, data);
    ws_mshr_entry *m = &s->mshr.entry[entry];
    m->missing &= (uint8_t)~data->sectors;
    if (m->missing) return;
    ws_l1_note_data(s, m->way);
    uint32_t way = keep_data(e, s, m, plain);
    if (!plain && e->fetch_slot) ws_fetch_arrived(e, s, m, way);
    if (plain)
        ws_returns_count(e, s, m->load, 1, e->now + 2);
    else if (m->load != WS_NO_LOAD)
        ws_returns_pass(e, s, m->load, 1, entry, e->now + 2);
    if (m->first != WS_MSHR_NONE) ws_l1_pass_to_others(e, s, entry);
    if (plain || !e->collecting.used || !m->count) ws_mshr_release(&s->mshr, entry, 1);
    s->banks_stalled = 0;
}

static inline bool is_held_up(const ws_engine *e, const ws_sm *s) {
    bool any = ws_returns_values(s) || s->values_moved == e->now;
    return any && ws_l1_values_hold_up(e, s, &e->packets.at[ws_queue_first(s->replies)->id]);
}

/* If nothing holds it up, takes the reply that is due: acknowledged writes, values of an atomic or of a read that
 * bypassed the L1, or sectors of a line. To be called at most once a cycle. Only with operand collectors values wait,
 * which hold up what is behind them. */
WS_INLINE bool take_reply(ws_engine *e, ws_sm *s, enum ws_plain plain) {
    if (!plain && e->collecting.used && is_held_up(e, s)) return false;
    uint32_t id = plain ? ws_sm_take_reply_alone(e, s) : ws_sm_take_reply(e, s);
    const ws_packet *p = &e->packets.at[id];
    if (p->kind == WS_PACKET_READ && !p->bypasses && p->load != WS_CODE)
        take_data(e, s, p, plain);
    else
        ws_l1_take_other(e, s, p);
    ws_packet_free(&e->packets, id);
    return true;
}

/* ---- the L1's turn, and the unit's */

/* Returns whether anything moved. */
WS_INLINE bool take_l1_turn(ws_engine *e, ws_sm *s, enum ws_plain plain) {
    bool due = plain ? ws_queue_ready(&s->ready[WS_FROM_L1], e->now) : ws_returns_are_due(e, s),
         moved = due && ws_returns_serve(e, s);
    if (ws_queue_ready(s->replies, e->now - 1)) moved |= take_reply(e, s, plain);
    moved |= send_miss(e, s);
    return moved | serve_banks(e, s, plain);
}

/* Takes the load/store unit's part of the SM's turn; `plain`: ws_engine.turns_are_plain, as a constant. Returns whether
 * it wants a turn in the next cycle, too. In plain turns the L1 nearly always has work, so that this is not asked
 * before. */
WS_INLINE bool ws_lsu_step(ws_engine *e, ws_sm *s, bool plain) {
    bool served = plain ? take_l1_turn(e, s, WS_PLAIN_TURNS) : ws_l1_has_work(e, s) && ws_l1_step(e, s),
         started = ws_lsu_has_work(e, s) && (plain || ws_lsu_has_come(e, s)) && ws_lsu_serve(e, s);
    if (!plain && e->front_slot) return e->front_slot->step(s->front, e, s) | served | started;
    if (served && (plain || s->only_bank)) ws_l1_foresee_turn(e, s, plain);
    return (served && s->miss_queue.count && ws_l1_sends_next(e, s)) || (started && s->memory_count);
}

#endif
