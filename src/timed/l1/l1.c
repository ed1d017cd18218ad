/* An SM's L1. An access waits in a bank for the L1's latency and then reaches the tags. One that finds a resource
 * missing stays at the head of its bank and is tried again whenever something that could help has changed; the cycles
 * that it waits are counted by cause. Misses and writes go through the miss queue to the SM's port. */
#include "timed/l1/l1.h"

#include "base/inline.h"
#include "timed/l1/heard.h"

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
    if (e->l1_rate == 1 && l1->bank_by == WS_BANK_BY_SECTOR && !e->front_slot) s->only_bank = s->banks;
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

static inline void push(ws_engine *e, ws_queue *queue, uint32_t id, uint64_t when) {
    if (!ws_queue_push(queue, id, 1, when)) e->failed = true;
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

/* In plain turns: sends what is to leave in the next cycle, if nothing else that the SM sends can go before it. A miss
 * may displace a written line, which is written back a cycle later. */
WS_INLINE bool sends_next(ws_engine *e, ws_sm *s, uint32_t id) {
    if (s->miss_queue.count || s->past_l1 || s->l1.dirty_lines) return false;
    e->now++;
    bool sent = ws_sm_send(e, s, id);
    e->now--;
    return sent;
}

WS_INLINE void queue_miss(ws_engine *e, ws_sm *s, uint32_t id) {
    ws_packet *p = &e->packets.at[id];
    p->slice = (uint16_t)ws_slice_of(&e->map, p->line);
    if (!(e->turns_are_plain && sends_next(e, s, id))) push(e, &s->miss_queue, id, e->now + 1);
}

/* Whether as many reads have missed in this cycle as may (l1.misses_per_cycle). */
static bool misses_are_full(const ws_engine *e, const ws_sm *s) {
    return e->l1->misses_per_cycle && s->missed >= (uint32_t)e->l1->misses_per_cycle;
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

/* The next five return whether the access is done with the tags; if not, `o->lacks` says what it lacks. A read that
 * joins an MSHR entry: */
static __attribute__((noinline)) bool join_entry(ws_engine *e, ws_sm *s, uint32_t id, uint32_t entry,
                                                 ws_l1_outcome *o) {
    o->lacks = WS_FAIL_MERGE_FULL;
    if (s->mshr.entry[entry].count >= s->mshr.merges) return false;
    if (o->probe != WS_PROBE_PENDING)
        keep_way(e, s, entry, o->way, e->packets.at[id].warp);
    else if (o->way != WS_NO_WAY)
        ws_cache_touch(&s->l1, o->way);
    join(e, s, entry, id);
    return true;
}

/* A read that goes to memory: the access itself becomes the request. */
WS_INLINE bool send_read(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o) {
    o->lacks = WS_FAIL_MSHR_FULL;
    if (ws_mshr_is_full(&s->mshr)) return false;
    ws_packet *p = &e->packets.at[id];
    uint64_t line = p->line;
    unsigned warp = p->warp;
    uint32_t entry = ws_mshr_take(&s->mshr, line, sectors, o->way, 1);
    s->mshr.entry[entry].load = p->load;
    p->entry = entry;
    p->sectors = sectors;
    queue_miss(e, s, id);
    if (e->l1->allocation == WS_ALLOCATE_ON_MISS) ws_l1_place_on_miss(e, s, o->way, line, sectors, warp);
    return true;
}

WS_INLINE bool read_miss(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o) {
    o->lacks = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 1)) return false;
    uint32_t entry = WS_MSHR_NONE;
    if (o->probe == WS_PROBE_PENDING || e->tags_forget || s->l1.wrote_reserved)
        entry = ws_mshr_find(&s->mshr, e->packets.at[id].line, sectors);
    return entry != WS_MSHR_NONE ? join_entry(e, s, id, entry, o) : send_read(e, s, id, sectors, o);
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
    queue_miss(e, s, id);
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
    queue_miss(e, s, id);
    return true;
}

/* Counts an access for its launch. */
static void share_access(ws_timed_share *share, enum ws_probe probe) {
    share->l1_accesses++;
    share->l1_hits += probe == WS_PROBE_HIT;
    share->l1_pending_hits += probe == WS_PROBE_PENDING;
    share->l1_sector_misses += probe == WS_PROBE_SECTOR_MISS;
    share->l1_misses += probe == WS_PROBE_MISS || probe == WS_PROBE_FULL;
}

static void count_access(ws_sm *s, enum ws_probe probe) {
    s->counters.accesses++;
    s->counters.probes[probe]++;
}

/* Probes the tags. If no way may go to the line though no data are on their way, ways that wait for some are freed. */
static ws_l1_outcome probe_tags(ws_sm *s, uint64_t line, uint8_t sectors, bool is_write) {
    uint32_t way;
    enum ws_probe probe = ws_cache_probe(&s->l1, line, line, sectors, is_write, &way);
    if (probe == WS_PROBE_FULL && !s->mshr.used && ws_cache_unreserve(&s->l1))
        probe = ws_cache_probe(&s->l1, line, line, sectors, is_write, &way);
    return (ws_l1_outcome){.probe = probe, .way = way, .lacks = WS_FAIL_SET_FULL};
}

/* Probes the tags for a read. With allocation on_fill the tags do not know which lines are on their way, but the MSHRs
 * do, and a read needs no way yet. */
static __attribute__((noinline)) ws_l1_outcome probe_for_read(const ws_engine *e, ws_sm *s, uint64_t line,
                                                              uint8_t sectors) {
    ws_l1_outcome o = probe_tags(s, line, sectors, false);
    if (o.probe == WS_PROBE_HIT || e->l1->allocation == WS_ALLOCATE_ON_MISS) return o;
    if (ws_mshr_find(&s->mshr, line, sectors) == WS_MSHR_NONE) {
        if (o.probe == WS_PROBE_FULL) o.probe = WS_PROBE_MISS;
        return o;
    }
    o.probe = WS_PROBE_PENDING;
    o.way = WS_NO_WAY;
    return o;
}

/* The same, unless the tags have been probed for the head of the only bank already. */
WS_INLINE ws_l1_outcome probe_read(const ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors) {
    if (s->head_way == WS_NO_WAY) return probe_for_read(e, s, line, sectors);
    return (ws_l1_outcome){.probe = WS_PROBE_MISS, .way = s->head_way, .lacks = WS_FAIL_SET_FULL};
}

static __attribute__((noinline)) bool serve_write(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors,
                                                  ws_l1_outcome *o) {
    return e->l1->write == WS_WRITE_EVICT ? write_evict(e, s, id, sectors, o) : write_through(e, s, id, o);
}

static inline void hit(ws_engine *e, ws_sm *s, uint32_t id, uint32_t way) {
    ws_cache_touch(&s->l1, way);
    ws_load_returns(e, s, e->packets.at[id].load, 1);
    ws_packet_free(&e->packets, id);
}

/* This function and the others with a parameter `plain`, which says what is_plain() does, are compiled once for each of
 * its values. `heard`: NULL if there are neither taps nor slots to hear of the access. */
WS_INLINE bool serve_read(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, ws_l1_outcome *o,
                          const ws_l1_hearing *heard, bool plain) {
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
    if (o->probe == WS_PROBE_FULL || !read_miss(e, s, id, sectors, o)) return false;
    s->missed++;
    return true;
}

/* Looks an access up in the tags, and returns whether it is done with them. */
WS_INLINE bool look_up(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_outcome *o, const ws_l1_hearing *heard,
                       bool plain) {
    const ws_packet *p = &e->packets.at[id];
    bool is_write = p->kind == WS_PACKET_WRITE;
    uint8_t sectors = e->l1->access == WS_ACCESS_SECTOR ? p->sectors : s->line_sectors;
    ws_timed_share *share = plain ? NULL : ws_share_of(e, s, p->warp);
    *o = is_write ? probe_tags(s, p->line, sectors, true) : probe_read(e, s, p->line, sectors);
    if (!(is_write ? serve_write(e, s, id, sectors, o) : serve_read(e, s, id, sectors, o, heard, plain)))
        return false;
    s->l1_used |= !is_write || e->l1->write != WS_WRITE_EVICT;
    count_access(s, o->probe);
    if (share) share_access(share, o->probe);
    return true;
}

/* ---- turns of instructions */

uint32_t ws_l1_turn(ws_sm *s, uint32_t accesses) {
    s->turns[s->turn_end & s->turn_mask] = (uint16_t)accesses;
    return s->turn_end++;
}

static void note_served(ws_sm *s, uint32_t turn) {
    if (--s->turns[turn & s->turn_mask]) return;
    while (s->turn_first != s->turn_end && !s->turns[s->turn_first & s->turn_mask]) s->turn_first++;
    ws_l1_try_again(s);
}

/* Whether an access that has come to the tags is done with them or has bypassed the L1. */
WS_INLINE bool serve_head(ws_engine *e, ws_sm *s, uint32_t id, ws_l1_outcome *o, bool plain) {
    if (plain) return look_up(e, s, id, o, NULL, true);
    ws_l1_hearing h;
    if (e->l1_is_heard && ws_l1_hear(e, s, id, &h)) {
        o->lacks = WS_FAIL_TURN;
        return ws_l1_bypass(e, s, id, &h.access);
    }
    bool served = look_up(e, s, id, o, e->l1_is_heard ? &h : NULL, false);
    return e->l1_is_heard ? ws_l1_tell_outcome(e, s, id, &h, served, o) : served;
}

/* The bank's head, if it has waited, waits no longer, or no longer for the same reason. One that was foreseen to wait
 * may not have had to. */
static void end_wait(const ws_engine *e, ws_sm *s, ws_l1_bank *bank) {
    uint64_t cycles = bank->since ? e->now + 1 - bank->since : 0;
    s->counters.fail_stalls[bank->cause] += cycles > 0;
    s->counters.fail_retries[bank->cause] += cycles;
    bank->since = 0;
}

static bool turn_has_come(const ws_engine *e, ws_sm *s, uint32_t index, uint32_t turn) {
    if (turn < s->turn_limit) return true;
    /* it need not be tried again before an earlier turn has been served */
    if (turn >= s->turn_first + (uint32_t)e->core->coalescers) s->banks_stalled |= 1u << index;
    return false;
}

/* Serves the access at the head of a bank. Returns whether it is done. */
WS_INLINE bool serve_bank(ws_engine *e, ws_sm *s, uint32_t index, bool plain) {
    ws_l1_bank *bank = &s->banks[index];
    if (!plain && ws_returns_are_blocked(e, s)) return false;
    uint32_t id = ws_queue_head(&bank->queue)->id, turn = plain ? 0 : e->packets.at[id].next;
    if (turn && !turn_has_come(e, s, index, turn)) return false;
    ws_l1_outcome o;
    if (serve_head(e, s, id, &o, plain)) {
        end_wait(e, s, bank);
        s->head_way = WS_NO_WAY;
        ws_queue_pop(&bank->queue);
        if (!bank->queue.count) s->banks_used &= ~(1u << index);
        if (turn) note_served(s, turn);
        return true;
    }
    if (o.lacks == WS_FAIL_TURN) return false; /* it is tried again in the next cycle */
    if (bank->cause != o.lacks) end_wait(e, s, bank);
    if (!bank->since) ws_l1_note_failure(bank, o.lacks, e->now);
    s->banks_stalled |= 1u << index;
    return false;
}

/* Serves what a bank may after its first access of a cycle. */
static __attribute__((noinline)) void serve_rest(ws_engine *e, ws_sm *s, uint32_t index) {
    int64_t left = e->l1->bank_accesses - 1;
    while (left && ws_queue_ready(&s->banks[index].queue, e->now) && serve_bank(e, s, index, false)) left--;
}

/* Serves those of `banks` that have something to serve, from the lowest up. Returns whether any access is done. */
WS_INLINE bool serve_some(ws_engine *e, ws_sm *s, uint32_t banks, bool plain) {
    bool served = false;
    for (uint32_t open; (open = banks & s->banks_used & ~s->banks_stalled) != 0;) {
        uint32_t index = (uint32_t)__builtin_ctz(open), missed = s->missed;
        banks &= ~1u << index;
        bool done = serve_bank(e, s, index, plain);
        if (!plain && done) serve_rest(e, s, index);
        served |= done;
        if (!plain && e->l1->misses_per_cycle && s->missed != missed)
            s->first_bank = (index + 1) % s->bank_count;
    }
    return served;
}

/* With l1.misses_per_cycle, the bank after the one whose read missed last goes first. */
static __attribute__((noinline)) bool serve_banks_in_turns(ws_engine *e, ws_sm *s, uint32_t banks) {
    uint32_t later = ~0u << s->first_bank;
    s->missed = 0;
    if (s->turns) s->turn_limit = s->turn_first + (uint32_t)e->core->coalescers;
    bool served = serve_some(e, s, banks & later, false);
    return serve_some(e, s, banks & ~later, false) | served;
}

/* Returns the set of banks whose head, if they have one, has come to the tags. */
static inline uint32_t due_banks(const ws_engine *e, const ws_sm *s) {
    uint32_t due = 0;
    for (uint32_t i = s->bank_count; i-- > 0;) due = 2 * due + (s->banks[i].queue.when <= e->now);
    return due;
}

/* Serves the only bank, which has accesses and is not stalled. */
WS_INLINE bool serve_only_bank(ws_engine *e, ws_sm *s) {
    return s->only_bank->queue.when <= e->now && serve_bank(e, s, 0, true);
}

/* In the remaining functions `plain` says that turns are (ws_engine.turns_are_plain): then there is only one bank. */
WS_INLINE bool serve_banks(ws_engine *e, ws_sm *s, bool plain) {
    if (!(s->banks_used & ~s->banks_stalled)) return false;
    ws_cache_set_moment(&s->l1, e->now + 1);
    bool served;
    if (plain || (s->only_bank && s->l1_is_plain))
        served = serve_only_bank(e, s);
    else if (s->l1_is_plain)
        served = serve_some(e, s, due_banks(e, s), true);
    else
        served = serve_banks_in_turns(e, s, due_banks(e, s));
    s->counters.l1_busy_cycles += served;
    return served;
}

/* ---- misses go */

WS_INLINE bool send_miss(ws_engine *e, ws_sm *s) {
    if (!ws_queue_ready(&s->miss_queue, e->now) || !ws_sm_send(e, s, ws_queue_head(&s->miss_queue)->id))
        return false;
    ws_queue_pop(&s->miss_queue);
    ws_l1_try_again(s);
    return true;
}

bool ws_l1_sends_next(ws_engine *e, const ws_sm *s) {
    return e->cluster_parts || ws_network_has_much_room(&e->requests, s->index) ||
           ws_cluster_has_room(e, ws_queue_head(&s->miss_queue)->id);
}

/* ---- replies come: data fill lines of the L1, or pass it; and loads get theirs (returns.c) */

/* Warp slot of the read that the MSHR entry was made for; WS_NO_SLOT: no warp's, or a group's. */
static unsigned asking_warp(const ws_sm *s, const ws_mshr_entry *m) {
    return m->load == WS_NO_LOAD || s->loads[m->load].group ? WS_NO_SLOT : s->loads[m->load].warp;
}

/* Fills the line of an MSHR entry whose data have come. Returns its way, or WS_NO_WAY if the data are not kept: the
 * line was written and then evicted meanwhile, or, with allocation on_fill, with which a line gets its way only now,
 * every way of its set holds a written line that is spared. */
WS_INLINE uint32_t keep_data(const ws_engine *e, ws_sm *s, const ws_mshr_entry *m) {
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

/* Passes the data of an MSHR entry to those who joined it. */
static __attribute__((noinline)) void pass_to_others(ws_engine *e, ws_sm *s, uint32_t entry) {
    for (uint32_t waiting = s->mshr.entry[entry].first; waiting != WS_MSHR_NONE;) {
        ws_packet p = e->packets.at[waiting];
        ws_returns_pass(e, s, p.load, 1, entry, e->now + 2);
        ws_packet_free(&e->packets, waiting);
        waiting = p.next;
    }
}

WS_INLINE void take_data(ws_engine *e, ws_sm *s, const ws_packet *data, bool plain) {
    uint32_t entry = ws_l1_entry_of(s, data);
    ws_mshr_entry *m = &s->mshr.entry[entry];
    m->missing &= (uint8_t)~data->sectors;
    if (m->missing) return;
    ws_l1_note_data(s, m->way);
    uint32_t way = keep_data(e, s, m);
    if (!plain && e->fetch_slot) ws_fetch_arrived(e, s, m, way);
    if (plain)
        ws_returns_count(e, s, m->load, 1, e->now + 2);
    else if (m->load != WS_NO_LOAD)
        ws_returns_pass(e, s, m->load, 1, entry, e->now + 2);
    if (m->first != WS_MSHR_NONE) pass_to_others(e, s, entry);
    if (plain || !e->collecting.used || !m->count) ws_mshr_release(&s->mshr, entry, 1);
    s->banks_stalled = 0;
}

/* Values that bypassed the L1 leave the port one at a time, the next one when the one before is being written. Whether
 * they hold up the reply behind them; that of further values only once there is no room for them in front of the unit
 * (GPGPU-Sim: m_next_global). */
static __attribute__((noinline)) bool values_hold_up(const ws_engine *e, const ws_sm *s, const ws_packet *p) {
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

/* Takes a reply that does not bring data to the L1. */
static __attribute__((noinline)) void take_other(ws_engine *e, ws_sm *s, const ws_packet *p) {
    if (p->kind == WS_PACKET_WRITE)
        take_acknowledgement(e, s, p);
    else if (p->load == WS_CODE)
        ws_icache_take(e, s, p->line, p->sectors);
    else
        ws_returns_pass(e, s, p->load, ws_packet_values(p), WS_NO_ENTRY, ws_l1_values_pass(e, e->now));
}

/* If nothing holds it up, takes the reply that is due: acknowledged writes, values of an atomic or of a read that
 * bypassed the L1, or sectors of a line. To be called at most once a cycle. Only with operand collectors values wait,
 * which hold up what is behind them. */
WS_INLINE bool take_reply(ws_engine *e, ws_sm *s, bool plain) {
    if (!plain && e->collecting.used && values_hold_up(e, s, &e->packets.at[ws_queue_head(s->replies)->id]))
        return false;
    uint32_t id = ws_sm_take_reply(e, s);
    const ws_packet *p = &e->packets.at[id];
    if (p->kind == WS_PACKET_READ && !p->bypasses && p->load != WS_CODE)
        take_data(e, s, p, plain);
    else
        take_other(e, s, p);
    ws_packet_free(&e->packets, id);
    return true;
}

/* ---- the L1's turn */

WS_INLINE bool step(ws_engine *e, ws_sm *s, bool plain) {
    bool due = plain ? ws_queue_ready(&s->ready[WS_FROM_L1], e->now) : ws_returns_are_due(e, s),
         moved = due && ws_returns_serve(e, s);
    if (ws_queue_ready(s->replies, e->now - 1)) moved |= take_reply(e, s, plain);
    moved |= send_miss(e, s);
    return moved | serve_banks(e, s, plain);
}

bool ws_l1_step(ws_engine *e, ws_sm *s) {
    return step(e, s, false);
}

bool ws_l1_step_plainly(ws_engine *e, ws_sm *s) {
    return step(e, s, true);
}
