/* An SM's L1. An access waits in a bank for the L1's latency and then reaches the tags. One that finds a resource
 * missing stays at the head of its bank and is tried again whenever something that could help has changed; the cycles
 * that it waits are counted by cause. Misses and writes go through the miss queue to the SM's port. */
#include "timed/l1/l1.h"

#include "base/inline.h"

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

bool ws_l1_init(ws_engine *e, ws_sm *s) {
    const ws_l1_params *l1 = e->l1;
    s->bank_count = (uint32_t)l1->banks;
    s->banks = calloc(s->bank_count, sizeof *s->banks);
    for (uint32_t b = 0; s->banks && b < s->bank_count; b++) ws_queue_init(&s->banks[b].queue);
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

static void queue_miss(ws_engine *e, ws_sm *s, uint32_t id) {
    ws_packet *p = &e->packets.at[id];
    p->slice = (uint16_t)ws_slice_of(&e->map, p->line);
    push(e, &s->miss_queue, id, e->now + 1);
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

/* The next three return whether the access is done with the tags; if not, `*cause` says what it lacks. */
static bool read_miss(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, enum ws_probe probe, uint32_t way,
                      enum ws_fail *cause) {
    *cause = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 1)) return false;
    uint64_t line = e->packets.at[id].line;
    uint32_t entry = WS_MSHR_NONE;
    if (probe == WS_PROBE_PENDING || e->tags_forget || s->l1.wrote_reserved)
        entry = ws_mshr_find(&s->mshr, line, sectors);
    if (entry != WS_MSHR_NONE) {
        *cause = WS_FAIL_MERGE_FULL;
        if (s->mshr.entry[entry].count >= s->mshr.merges) return false;
        if (probe != WS_PROBE_PENDING)
            keep_way(e, s, entry, way, e->packets.at[id].warp);
        else if (way != WS_NO_WAY)
            ws_cache_touch(&s->l1, way);
        join(e, s, entry, id);
        return true;
    }
    *cause = WS_FAIL_MSHR_FULL;
    if (ws_mshr_is_full(&s->mshr)) return false;
    ws_packet *p = &e->packets.at[id]; /* the access itself becomes the request */
    entry = ws_mshr_take(&s->mshr, line, sectors, way, 1);
    s->mshr.entry[entry].load = p->load;
    p->entry = entry;
    p->sectors = sectors;
    unsigned warp = p->warp;
    queue_miss(e, s, id);
    if (e->l1->allocation == WS_ALLOCATE_ON_MISS) ws_l1_place_on_miss(e, s, way, line, sectors, warp);
    return true;
}

/* l1.write evict: writes through, evicts on a hit the sectors looked up, and never allocates a line. What hits of local
 * memory is kept. */
static bool write_evict(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, enum ws_probe probe,
                        uint32_t way, enum ws_fail *cause) {
    if (probe == WS_PROBE_HIT && e->packets.at[id].local) { /* ws_timed_access.kept */
        ws_l1_write_local(e, s, id, way, sectors);
        return true;
    }
    *cause = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 0)) return false;
    queue_miss(e, s, id);
    if (probe == WS_PROBE_HIT) ws_cache_invalidate(&s->l1, way, sectors);
    return true;
}

/* Writes through and keeps the line; a miss allocates it without fetching the rest. */
static bool write_through(ws_engine *e, ws_sm *s, uint32_t id, enum ws_probe probe, uint32_t way,
                          enum ws_fail *cause) {
    const ws_packet *p = &e->packets.at[id];
    *cause = WS_FAIL_SET_FULL;
    if (probe == WS_PROBE_FULL) return false;
    *cause = WS_FAIL_MISS_QUEUE_FULL;
    if (!ws_l1_miss_queue_has_room(e, s, 0)) return false;
    ws_l1_place(e, s, way, p->line, 0, p->warp);
    if (e->fetch_slot && probe == WS_PROBE_MISS) e->fetch_slot->arrived(s->fetch, p->line, way, false, true);
    ws_cache_write(&s->l1, way, p->sectors, p->words);
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

/* Probes the tags. If no way may go to the line though no data are on their way, ways that wait for some are freed. */
static enum ws_probe probe_tags(ws_sm *s, uint64_t line, uint8_t sectors, bool is_write, uint32_t *way) {
    enum ws_probe probe = ws_cache_probe(&s->l1, line, line, sectors, is_write, way);
    if (probe == WS_PROBE_FULL && !s->mshr.used && ws_cache_unreserve(&s->l1))
        probe = ws_cache_probe(&s->l1, line, line, sectors, is_write, way);
    return probe;
}

/* Probes the tags for a read. With allocation on_fill the tags do not know which lines are on their way, but the MSHRs
 * do, and a read needs no way yet. */
static enum ws_probe probe_read(const ws_engine *e, ws_sm *s, uint64_t line, uint8_t sectors, uint32_t *way) {
    *way = s->head_way;
    if (*way != WS_NO_WAY) return WS_PROBE_MISS;
    enum ws_probe probe = probe_tags(s, line, sectors, false, way);
    if (probe == WS_PROBE_HIT || e->l1->allocation == WS_ALLOCATE_ON_MISS) return probe;
    if (ws_mshr_find(&s->mshr, line, sectors) == WS_MSHR_NONE)
        return probe == WS_PROBE_FULL ? WS_PROBE_MISS : probe;
    *way = WS_NO_WAY;
    return WS_PROBE_PENDING;
}

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

/* What an access has found at the tags and, if it is not done with them, what it lacks. */
typedef struct outcome {
    enum ws_probe probe;
    uint32_t way;
    enum ws_fail lacks;
} outcome;

static inline bool serve_write(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, outcome *o) {
    return e->l1->write == WS_WRITE_EVICT ? write_evict(e, s, id, sectors, o->probe, o->way, &o->lacks)
                                          : write_through(e, s, id, o->probe, o->way, &o->lacks);
}

static inline void hit(ws_engine *e, ws_sm *s, uint32_t id, uint32_t way) {
    ws_cache_touch(&s->l1, way);
    ws_load_returns(e, s, e->packets.at[id].load, 1);
    ws_packet_free(&e->packets, id);
}

/* This function and the others with a parameter `plain`, which says what is_plain() does, are compiled once for each of
 * its values. `heard`: what taps and slots are told; NULL if there are none. */
WS_INLINE bool serve_read(ws_engine *e, ws_sm *s, uint32_t id, uint8_t sectors, outcome *o,
                          const ws_l1_access *heard, bool plain) {
    if (o->probe == WS_PROBE_HIT) {
        if (heard && e->taps.access) tell_tap(e, s, &e->packets.at[id], heard, WS_TIMED_HIT);
        hit(e, s, id, o->way);
        return true;
    }
    if (!plain && misses_are_full(e, s)) {
        s->counters.miss_port_waits++;
        o->lacks = WS_FAIL_TURN;
        return false;
    }
    o->lacks = WS_FAIL_SET_FULL;
    if (o->probe == WS_PROBE_FULL || !read_miss(e, s, id, sectors, o->probe, o->way, &o->lacks)) return false;
    s->missed++;
    return true;
}

/* Looks an access up in the tags, and returns whether it is done with them. */
WS_INLINE bool look_up(ws_engine *e, ws_sm *s, uint32_t id, outcome *o, const ws_l1_access *heard,
                       bool plain) {
    const ws_packet *p = &e->packets.at[id];
    bool is_write = p->kind == WS_PACKET_WRITE;
    uint8_t sectors = e->l1->access == WS_ACCESS_SECTOR ? p->sectors : s->line_sectors;
    ws_timed_share *share = plain ? NULL : ws_share_of(e, s, p->warp);
    o->probe = is_write ? probe_tags(s, p->line, sectors, true, &o->way)
                        : probe_read(e, s, p->line, sectors, &o->way);
    if (!(is_write ? serve_write(e, s, id, sectors, o) : serve_read(e, s, id, sectors, o, heard, plain)))
        return false;
    s->l1_used |= !is_write || e->l1->write != WS_WRITE_EVICT;
    count_access(s, o->probe);
    if (share) share_access(share, o->probe);
    return true;
}

/* Whether a write of the read's warp waits for the network, or what is written back of its line. */
static bool has_write_waiting(const ws_engine *e, const ws_sm *s, const ws_packet *read) {
    const ws_queue *q = &s->miss_queue;
    for (uint32_t i = 0; i < q->count; i++) {
        const ws_packet *p = &e->packets.at[q->at[(q->first + i) & (q->room - 1)].id];
        if (p->kind == WS_PACKET_WRITE && p->warp == read->warp) return true;
        if (p->kind == WS_PACKET_WRITE_BACK && p->line == read->line) return true;
    }
    return false;
}

/* Sends a read past the L1, and returns whether it could. It must not overtake a write of its own warp, nor what is
 * written back of its line, which a warp has written earlier. */
static bool bypass(ws_engine *e, ws_sm *s, uint32_t id, const ws_l1_access *heard) {
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

/* What taps and slots are told of an access: gathered before it is served, as that may free the packet, and complete
 * and free its load. */
typedef struct hearing {
    ws_packet packet;
    ws_l1_access access;
} hearing;

/* Returns whether a slot makes the access pass the L1. */
static __attribute__((noinline)) bool hear(ws_engine *e, ws_sm *s, uint32_t id, hearing *h) {
    h->packet = e->packets.at[id];
    h->access = access_of(e, s, id);
    return passes(e, s, &h->access);
}

/* Tells of an access that has been served; one that has not may now bypass the L1. Returns whether it is done. */
static __attribute__((noinline)) bool tell_outcome(ws_engine *e, ws_sm *s, uint32_t id, const hearing *h,
                                                   bool served, const outcome *o) {
    if (!served)
        return o->lacks != WS_FAIL_TURN && bypasses(e, s, &h->access, o->lacks) &&
               bypass(e, s, id, &h->access);
    tell(e, s, id, &h->packet, o->probe, o->way, &h->access);
    return true;
}

/* Whether an access that has come to the tags is done with them or has bypassed the L1. */
WS_INLINE bool serve_head(ws_engine *e, ws_sm *s, uint32_t id, outcome *o, bool plain) {
    if (plain) return look_up(e, s, id, o, NULL, true);
    hearing h;
    if (e->l1_is_heard && hear(e, s, id, &h)) {
        o->lacks = WS_FAIL_TURN;
        return bypass(e, s, id, &h.access);
    }
    bool served = look_up(e, s, id, o, e->l1_is_heard ? &h.access : NULL, false);
    return e->l1_is_heard ? tell_outcome(e, s, id, &h, served, o) : served;
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
    outcome o;
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
    if (!bank->since) ws_l1_note_failure(e, bank, o.lacks);
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
static inline bool serve_only_bank(ws_engine *e, ws_sm *s) {
    return s->only_bank->queue.when <= e->now && serve_bank(e, s, 0, true);
}

static inline bool serve_banks(ws_engine *e, ws_sm *s) {
    if (!(s->banks_used & ~s->banks_stalled)) return false;
    ws_cache_set_moment(&s->l1, e->now + 1);
    bool served;
    if (s->only_bank && s->l1_is_plain)
        served = serve_only_bank(e, s);
    else if (s->l1_is_plain)
        served = serve_some(e, s, due_banks(e, s), true);
    else
        served = serve_banks_in_turns(e, s, due_banks(e, s));
    s->counters.l1_busy_cycles += served;
    return served;
}

/* ---- misses go */

static bool send_miss(ws_engine *e, ws_sm *s) {
    if (!ws_queue_ready(&s->miss_queue, e->now) || !ws_sm_send(e, s, ws_queue_head(&s->miss_queue)->id))
        return false;
    ws_queue_pop(&s->miss_queue);
    ws_l1_try_again(s);
    return true;
}

bool ws_l1_sends_next(ws_engine *e, const ws_sm *s) {
    if (!s->miss_queue.count) return false;
    return e->cluster_parts || ws_network_has_much_room(&e->requests, s->index) ||
           ws_cluster_has_room(e, ws_queue_head(&s->miss_queue)->id);
}

/* ---- the L1's turn */

bool ws_l1_step(ws_engine *e, ws_sm *s) {
    bool moved = ws_returns_are_due(e, s) && ws_returns_serve(e, s);
    if (ws_queue_ready(s->replies, e->now - 1)) moved |= ws_l1_take_reply(e, s);
    moved |= send_miss(e, s);
    return moved | serve_banks(e, s);
}
