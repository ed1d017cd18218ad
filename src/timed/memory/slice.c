/* An L2 slice. Requests leave the network's port, reach the queue in front of the tags a fixed time later, are served
 * by the tags at l2.port_B bytes a cycle, and leave as replies, or as misses to the slice's DRAM channel (channel.c).
 * Write-back; a write allocates its line without fetching it. The stations and their order are those of GPGPU-Sim's
 * memory_sub_partition. */
#include "timed/memory/slice.h"

#include "base/array.h"
#include "base/inline.h"
#include "timed/l1/lsu.h"
#include "timed/memory/channel.h"
#include "timed/memory/slice_entry.h"
#include "timed/turns.h"

bool ws_slice_init(ws_engine *e, ws_slice *s, uint32_t index) {
    const ws_l2_params *l2 = e->l2;
    *s = (ws_slice){.index = index,
                    .channel = index / (uint32_t)l2->slices_per_channel,
                    .gate_closes = WS_NEVER,
                    .next_turn = WS_NEVER};
    ws_queue *queues[] = {&s->in, &s->closed, &s->to_dram, &s->expected, &s->data, &s->waiting};
    for (size_t i = 0; i < WS_COUNT(queues); i++) ws_queue_init(queues[i]);
    for (uint32_t sectors = 0; sectors <= WS_LINE_SECTORS_MAX; sectors++)
        s->cycles_of[sectors] = (uint8_t)((WS_TIMED_SECTOR_B * sectors + l2->port_B - 1) / l2->port_B);
    uint32_t sets = (uint32_t)(l2->size_B / (l2->ways * l2->line_B));
    return ws_cache_init(&s->tags, sets, (uint32_t)l2->ways, (enum ws_set_index)l2->index,
                         (enum ws_replacement)l2->replacement, (uint64_t)l2->seed << 32 | index, 0) &&
           ws_mshr_init(&s->mshr, (uint32_t)l2->mshr_entries, (uint32_t)l2->mshr_merges) &&
           (!l2->lrc_entries || ws_mshr_init(&s->lrc, (uint32_t)l2->lrc_entries, (uint32_t)l2->lrc_merges));
}

void ws_slice_free(ws_slice *s) {
    ws_cache_free(&s->tags);
    ws_mshr_free(&s->mshr);
    ws_mshr_free(&s->lrc);
    ws_queue_free(&s->in);
    ws_queue_free(&s->closed);
    ws_queue_free(&s->to_dram);
    ws_queue_free(&s->expected);
    ws_queue_free(&s->data);
    ws_queue_free(&s->waiting);
}

/* A request may have waited for a way. */
void ws_slice_flush(ws_engine *e, ws_slice *s) {
    ws_cache_empty(&s->tags);
    s->stalled = false;
    ws_wake_slice(e, s->index, ws_later(e->memory_agenda.now, e->now) + 1);
}

/* ---- requests come in (slice_entry.h) */

void ws_slice_let_in(ws_engine *e, ws_slice *s) {
    catch_up(e, s, e->now);
}

uint64_t ws_slice_opens(ws_slice *s, uint64_t cycle) {
    return pass_closed(s, cycle);
}

/* For a request in front of which there is none that the tags are still to serve. Not inlined, so that others cost the
 * host no saved registers. */
static __attribute__((noinline)) void pass_first(ws_engine *e, ws_slice *s, uint32_t id, uint64_t cycle) {
    ws_wake_slice(e, s->index, cycle + (uint64_t)e->l2->latency + 1);
    let_in(e, s, id, cycle);
}

void ws_slice_pass_port(ws_engine *e, ws_slice *s, uint32_t id, uint64_t cycle) {
    if (s->in.count)
        let_in(e, s, id, cycle);
    else
        pass_first(e, s, id, cycle);
}

/* First cycle in which the tags may serve the next request, as far as one has arrived. */
static uint64_t next_request(const ws_engine *e, ws_slice *s) {
    uint64_t next = s->in.count ? s->in.when : next_leaves(e, s);
    if (!s->in.count && next != WS_NEVER) next += (uint64_t)e->l2->latency + 1;
    return next > s->tags_free ? next : s->tags_free;
}

uint64_t ws_slice_room_from(ws_engine *e, ws_slice *s, uint32_t flits) {
    ws_slice_let_in(e, s);
    uint64_t room = ws_network_room_at(&e->requests, s->index, flits);
    return room > e->now && e->now < s->gate_closes ? ws_earlier(room, next_leaves(e, s)) : room;
}

/* ---- replies and fills */

/* Sends those who wait in the coalescer for the answer to packet `id`, all with that answer. */
static __attribute__((noinline)) void reply_to_others(ws_engine *e, ws_slice *s, uint32_t id, bool waits,
                                                      uint64_t when) {
    uint32_t other = ws_lrc_end(s, e->packets.at[id].line, id);
    for (uint32_t next; other != WS_MSHR_NONE; other = next) {
        next = e->packets.at[other].next;
        if (waits)
            ws_slice_wait_for_port(e, s, other, 0, when);
        else
            ws_network_put(e, &e->replies, s->index, other, when);
        s->counters.merged++;
    }
}

/* Sends a reply to the network's port in the cycle after `cycle`, or behind those that already wait for the port. */
static inline void reply(ws_engine *e, ws_slice *s, uint32_t id, uint64_t cycle) {
    if (e->partition_slot && e->packets.at[id].special) {
        e->partition_slot->data(e->partition, e, id, cycle + 1);
        return;
    }
    uint64_t when = s->port_free > cycle ? s->port_free : cycle + 1;
    bool waits = s->waiting.count || !ws_network_send(e, &e->replies, s->index, id, when);
    if (waits)
        ws_slice_wait_for_port(e, s, id, 1, when);
    else
        s->port_free = when + 1;
    if (s->lrc.used) reply_to_others(e, s, id, waits, when);
}

/* Last cycle up to which nothing but data from DRAM has a reply for the port or asks how full it is, if the tags may
 * serve the next request in cycle `request`. Data that leave until then may be sent now. */
static inline uint64_t port_is_theirs_until(const ws_engine *e, uint64_t request) {
    if (e->partition_slot || e->l2->lrc_entries) return e->now;
    /* the second is when a request that comes to the port now would reach the tags */
    return ws_earlier(request, ws_common_cycle(e) + (uint64_t)e->l2->latency + 1);
}

/* Sends data that leave in `cycle`, and with the last of an MSHR entry's frees that. */
static inline void send(ws_engine *e, ws_slice *s, uint32_t id, uint32_t entry, uint64_t cycle) {
    reply(e, s, id, cycle);
    ws_mshr_entry *m = &s->mshr.entry[entry];
    if (m->count > 1)
        m->count--;
    else
        ws_mshr_release(&s->mshr, entry, ws_sector_count((uint8_t)m->sectors));
    s->stalled = false;
}

/* Sends all data that leave by cycle `until`. */
static __attribute__((noinline)) void send_data(ws_engine *e, ws_slice *s, uint64_t until) {
    while (ws_queue_ready(&s->data, until)) {
        uint64_t cycle = s->data.when;
        uint32_t entry = ws_queue_first(&s->data)->where;
        send(e, s, ws_queue_pop(&s->data), entry, cycle);
    }
}

/* Has a packet answered from DRAM leave behind those that came before it: now if it is to leave by cycle `until`. */
static inline void answer(ws_engine *e, ws_slice *s, uint32_t id, uint32_t entry, uint64_t until) {
    uint64_t cycle = ++s->data_last;
    if (!s->data.count && cycle <= until)
        send(e, s, id, entry, cycle);
    else if (!ws_queue_push_to(&s->data, id, 0, entry, cycle))
        e->failed = true;
}

/* Has a packet leave behind the last of those that leave an MSHR entry whose data have come. Those of other entries
 * that are behind them make way. */
static __attribute__((noinline)) void answer_behind(ws_engine *e, ws_slice *s, uint32_t id, uint32_t entry) {
    if (!ws_queue_insert_behind(&s->data, id, 0, entry, 0)) e->failed = true;
    s->data_last = ws_queue_space(&s->data);
    s->mshr.entry[entry].count++;
}

/* The packet's words as those of one of the L2's lines. */
static inline uint64_t words_in(const ws_packet *p, const ws_l2_part *part) {
    return p->words >> 8 * part->down << 8 * part->up; /* 8 of a sector */
}

static bool is_update(const ws_packet *p) {
    return p->kind == WS_PACKET_ATOMIC && p->data_B;
}

/* Marks what those write that have waited for an MSHR entry. */
static __attribute__((noinline)) void mark_updates(ws_engine *e, ws_slice *s, const ws_mshr_entry *m) {
    const ws_packet *p = &e->packets.at[m->first];
    ws_l2_part part = ws_l2_part_of(&e->map, p->line, p->sectors);
    uint64_t words = words_in(p, &part); /* an update's own do not count if it joined another request */
    for (uint32_t id = m->first; id != WS_MSHR_NONE; id = p->next) {
        p = &e->packets.at[id];
        if (is_update(p))
            ws_cache_mark(&s->tags, m->way, ws_l2_part_of(&e->map, p->line, p->sectors).sectors, words);
    }
}

/* The data of an MSHR entry come in cycle `now`. From the next one on, one waiting request is answered per cycle; the
 * entry counts as free with the last one. */
WS_INLINE void fill(ws_engine *e, ws_slice *s, uint32_t entry, uint64_t now, uint64_t until) {
    ws_mshr_entry *m = &s->mshr.entry[entry];
    ws_cache_fill(&s->tags, m->way, m->line, (uint8_t)m->sectors);
    m->missing = 0;
    s->stalled = false;
    if (s->data_last < now) s->data_last = now;
    if (m->first != m->last || is_update(&e->packets.at[m->first])) mark_updates(e, s, m);
    for (uint32_t id = m->first, next; id != WS_MSHR_NONE; id = next) {
        next = e->packets.at[id].next;
        answer(e, s, id, entry, until);
    }
}

/* Takes all data that come from DRAM by cycle `until`, and sends all that leave by then. Until then the tags serve
 * nothing, so that data may be taken now that are still to come. */
WS_INLINE void pass_data(ws_engine *e, ws_slice *s, uint64_t until) {
    if (ws_queue_ready(&s->data, until)) send_data(e, s, until);
    while (ws_queue_ready(&s->expected, until)) {
        uint64_t when = s->expected.when;
        fill(e, s, ws_queue_pop(&s->expected), when, until);
    }
}

/* The same for data that are due now, which nearly all have been passed in an earlier turn. */
static __attribute__((noinline)) void pass_late_data(ws_engine *e, ws_slice *s) {
    pass_data(e, s, e->now);
}

void ws_slice_expect(ws_engine *e, ws_slice *s, uint32_t entry, uint64_t when) {
    if (when <= s->expected_last) when = s->expected_last + 1;
    s->expected_last = when;
    if (when < s->next_turn) {
        s->next_turn = when;
        ws_wake_slice(e, s->index, when);
    }
    ws_queue_append(&s->expected, (ws_queued){.when = when, .id = entry}, &e->failed);
}

/* ---- to DRAM */

/* Number of cycles until the miss queue is empty, and of the requests in it: one a cycle goes on from it to the queue
 * to DRAM, unless that one is full. */
static uint32_t queued_misses(const ws_engine *e, const ws_slice *s) {
    return s->misses_gone > e->now ? (uint32_t)(s->misses_gone - e->now) : 0;
}

/* Sends a miss or a write-back to DRAM. It occupies the miss queue for `cycles` cycles, and may enter the channel two
 * cycles after it has left it. Before it fills the queue to DRAM, what has left that one is taken out. */
static inline void to_dram(ws_engine *e, ws_slice *s, enum ws_dram_kind kind, uint32_t id, uint32_t weight,
                           uint32_t cycles) {
    if (s->to_dram.weight + weight > (uint32_t)e->l2->queue) ws_channel_enter(e, &e->channels[s->channel]);
    uint64_t gone = e->now + queued_misses(e, s), when = ws_channel_await(e, s, gone + 2);
    s->misses_gone = gone + cycles;
    if (!ws_queue_push_to(&s->to_dram, id, weight, kind, when)) e->failed = true;
    ws_slice_keep_misses(s, e->now, (uint32_t)e->l2->queue);
}

/* ---- the tags */

/* Whether the queue behind the miss queue has room. Those in the miss queue do not count (to_dram has both). */
static bool dram_has_room(ws_engine *e, ws_slice *s) {
    uint32_t capacity = (uint32_t)e->l2->queue;
    if (s->to_dram.weight < capacity + queued_misses(e, s)) return true;
    ws_channel *c = &e->channels[s->channel];
    ws_channel_enter(e, c);
    if (s->to_dram.weight < capacity + queued_misses(e, s)) return true;
    ws_channel_await_room(e, c);
    return false;
}

/* Whether the miss queue has room for a request and `more`: a write that misses may write back, a read go to memory and
 * write back. */
static bool miss_queue_has_room(const ws_engine *e, const ws_slice *s, uint32_t more) {
    return queued_misses(e, s) + more < (uint32_t)e->l2->miss_queue;
}

/* Writes back what is dirty of a line that has lost its way. */
static __attribute__((noinline)) void write_back(ws_engine *e, ws_slice *s, ws_cache_line victim) {
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = victim.line,
                                    .slice = (uint16_t)s->index,
                                    .kind = WS_PACKET_WRITE_BACK,
                                    .sectors = victim.dirty,
                                    .data_B = (uint8_t)ws_sector_count(victim.dirty)};
    to_dram(e, s, WS_DRAM_WRITE_BACK, id, 1, 1);
}

/* Has a request wait for a new MSHR entry; for one that others wait for, too. */
static inline void wait_first(ws_engine *e, ws_mshr_entry *m, uint32_t id) {
    e->packets.at[id].next = WS_MSHR_NONE;
    m->first = m->last = id;
}
static void wait_behind(ws_engine *e, ws_mshr_entry *m, uint32_t id) {
    e->packets.at[id].next = WS_MSHR_NONE;
    e->packets.at[m->last].next = id;
    m->last = id;
    m->count++;
}

/* A request at the tags: what packet `id` asks for of one of the L2's lines, and the way where that line is or may go.
 * The functions that serve it take from `*left` the sectors that they have served. */
typedef struct look_up {
    uint32_t id, way;
    ws_l2_part part;
} look_up;

/* Whether the line has no way. */
static inline bool is_absent(const ws_slice *s, look_up l) {
    return s->tags.lines[l.way].line != l.part.line;
}

/* Splits off the packet what asks for these sectors of the line. */
static inline uint32_t take_sectors(ws_engine *e, look_up l, uint8_t sectors) {
    return take_part(e, l.id, ws_l2_part_back(&l.part, sectors));
}

/* Serves `sectors`, which are present. */
static void serve_hits(ws_engine *e, ws_slice *s, look_up l, uint8_t sectors) {
    ws_cache_touch(&s->tags, l.way);
    const ws_packet *p = &e->packets.at[l.id];
    if (is_update(p)) ws_cache_mark(&s->tags, l.way, sectors, words_in(p, &l.part));
    reply(e, s, take_sectors(e, l, sectors), e->now);
    s->counters.hits += ws_sector_count(sectors);
}

/* Has those of `sectors` that an MSHR entry fetches wait for it. Returns them, or 0 if they cannot join it. */
static uint8_t join(ws_engine *e, ws_slice *s, look_up l, uint32_t entry, uint8_t sectors) {
    ws_mshr_entry *m = &s->mshr.entry[entry];
    if (!miss_queue_has_room(e, s, 1) || m->count >= s->mshr.merges) return 0;
    uint8_t part = m->sectors & sectors;
    uint32_t id = take_sectors(e, l, part);
    if (m->missing)
        wait_behind(e, m, id);
    else
        answer_behind(e, s, id, entry);
    return part;
}

/* Serves `sectors`, which are on their way, by joining one MSHR entry after the other. Those without an entry, whose
 * data came to a former way of the line, are left. Returns whether the others could join. */
static bool serve_pending(ws_engine *e, ws_slice *s, look_up l, uint8_t sectors, uint8_t *left) {
    uint32_t entry;
    while (sectors && (entry = ws_mshr_find(&s->mshr, l.part.line, sectors)) != WS_MSHR_NONE) {
        uint8_t part = join(e, s, l, entry, sectors);
        if (!part) return false;
        ws_cache_touch(&s->tags, l.way);
        s->counters.pending_hits += ws_sector_count(part);
        sectors &= (uint8_t)~part;
        *left &= (uint8_t)~part;
    }
    return true;
}

/* Gives the line its way; its sectors `reserved` are on their way from now on. Returns the line that it replaces. */
static inline ws_cache_line place(ws_slice *s, look_up l, uint8_t reserved) {
    ws_cache_line victim = {.line = WS_NO_LINE};
    if (is_absent(s, l)) {
        victim = s->tags.lines[l.way];
        ws_cache_replace(&s->tags, l.way, l.part.line, reserved);
    } else {
        ws_cache_take(&s->tags, l.way, l.part.line, reserved);
    }
    return victim;
}

static inline void count_misses(ws_slice *s, look_up l, uint8_t sectors) {
    if (is_absent(s, l)) {
        s->counters.misses++;
        s->counters.sector_misses += ws_sector_count(sectors) - 1;
        return;
    }
    uint8_t pending = s->tags.lines[l.way].reserved & sectors;
    s->counters.pending_hits += ws_sector_count(pending);
    s->counters.sector_misses += ws_sector_count(sectors & (uint8_t)~pending);
}

/* Whether some of `sectors` are on their way although the tags do not tell, because they were written meanwhile: in
 * part, or entirely and then evicted. */
static inline bool is_overwritten(const ws_slice *s, look_up l, uint8_t sectors) {
    bool may_be = s->tags.wrote_reserved || s->data.count;
    return may_be && ws_mshr_find(&s->mshr, l.part.line, sectors) != WS_MSHR_NONE;
}

/* Serves those. Returns whether all could join. */
static bool serve_overwritten(ws_engine *e, ws_slice *s, look_up l, uint8_t *left) {
    uint32_t entry;
    while (*left && (entry = ws_mshr_find(&s->mshr, l.part.line, *left)) != WS_MSHR_NONE) {
        uint8_t part = join(e, s, l, entry, *left);
        if (!part) return false;
        count_misses(s, l, part);
        ws_cache_line victim = place(s, l, part);
        if (victim.dirty) write_back(e, s, victim);
        *left &= (uint8_t)~part;
    }
    return true;
}

WS_INLINE bool serve_misses(ws_engine *e, ws_slice *s, look_up l, uint8_t *left) {
    if (!miss_queue_has_room(e, s, 1) || ws_mshr_is_full(&s->mshr)) return false;
    uint8_t sectors = *left;
    uint32_t count = ws_sector_count(sectors);
    count_misses(s, l, sectors);
    ws_cache_line victim = place(s, l, sectors);
    uint32_t entry = ws_mshr_take(&s->mshr, l.part.line, sectors, l.way, count);
    wait_first(e, &s->mshr.entry[entry], take_sectors(e, l, sectors));
    to_dram(e, s, WS_DRAM_FETCH, entry, count, s->cycles_of[count]);
    if (victim.dirty) write_back(e, s, victim);
    *left = 0;
    return true;
}

/* Serves those sectors that the line has or waits for. Returns whether it did. */
static bool serve_present(ws_engine *e, ws_slice *s, look_up l, uint8_t *left) {
    const ws_cache_line *line = &s->tags.lines[l.way];
    uint8_t pending = line->reserved & *left;
    uint8_t hits = ws_cache_readable(line) & *left & (uint8_t)~pending;
    if (hits) serve_hits(e, s, l, hits);
    *left &= (uint8_t)~hits;
    return serve_pending(e, s, l, pending, left);
}

WS_INLINE bool serve_read(ws_engine *e, ws_slice *s, look_up l, uint8_t *left) {
    if (!is_absent(s, l) && !serve_present(e, s, l, left)) return false;
    if (is_overwritten(s, l, *left) && !serve_overwritten(e, s, l, left)) return false;
    return !*left || serve_misses(e, s, l, left);
}

/* Counts the sectors that have been served. Returns for how many cycles they occupy the tags. */
static inline uint32_t count_served(ws_slice *s, uint8_t sectors) {
    uint32_t count = ws_sector_count(sectors);
    s->counters.accesses += count;
    return s->cycles_of[count];
}

/* A write also waits until what it evicts has been read out, to be written back. */
static bool serve_write(ws_engine *e, ws_slice *s, look_up l, uint32_t *cycles) {
    const ws_cache_line *line = &s->tags.lines[l.way];
    bool absent = is_absent(s, l);
    uint8_t sectors = l.part.sectors, pending = absent ? 0 : line->reserved & sectors;
    uint8_t hits = absent ? 0 : line->valid & sectors & (uint8_t)~pending;
    *cycles = 0;
    if (hits != sectors && !miss_queue_has_room(e, s, 0)) return false;
    s->counters.hits += ws_sector_count(hits);
    s->counters.pending_hits += ws_sector_count(pending);
    s->counters.misses += absent;
    s->counters.sector_misses += ws_sector_count(sectors & (uint8_t) ~(pending | hits)) - absent;
    ws_cache_line victim = place(s, l, 0);
    if (victim.dirty) write_back(e, s, victim);
    ws_cache_write(&s->tags, l.way, sectors, words_in(&e->packets.at[l.id], &l.part));
    uint32_t written = take_sectors(e, l, sectors);
    if (e->packets.at[written].kind == WS_PACKET_WRITE)
        reply(e, s, written, e->now);
    else
        ws_packet_free(&e->packets, written);
    *cycles =
        count_served(s, sectors) + (victim.dirty ? s->cycles_of[ws_sector_count(victim.dirty)] - 1u : 0);
    return true;
}

/* Whether the queue in front of the network's port is full. If so, the slice gets a turn when it has room: those that
 * wait for the port give it one when they move up. */
static inline bool replies_are_full(ws_engine *e, const ws_slice *s) {
    uint64_t queue = (uint64_t)e->l2->queue, next = e->now + 1,
             moved = (s->port_free > next ? s->port_free : next) + s->waiting.weight; /* if all find room */
    if (moved - next < queue) return false;
    if (s->waiting.weight < queue) ws_wake_slice(e, s->index, moved - queue);
    return true;
}

static bool is_blocked(ws_engine *e, ws_slice *s) {
    return replies_are_full(e, s) || !dram_has_room(e, s);
}

/* Finds the way that the line may take. If none may go though no data are on their way, ways that wait for some are
 * freed. */
static inline uint32_t find_victim(const ws_engine *e, ws_slice *s, uint64_t line) {
    uint64_t set_line = ws_slice_line(&e->map, line);
    uint32_t way = ws_cache_victim(&s->tags, set_line);
    if (way == WS_NO_WAY && !s->mshr.used && ws_cache_unreserve(&s->tags))
        way = ws_cache_victim(&s->tags, set_line);
    return way;
}

/* Serves a packet's sectors of one of the L2's lines, and returns whether all of them could be served. `*cycles`: for
 * how long the tags are busy. */
WS_INLINE bool serve_part(ws_engine *e, ws_slice *s, uint32_t id, ws_l2_part part, uint32_t *cycles) {
    look_up l = {.id = id, .way = ws_cache_find(&s->tags, part.line), .part = part};
    if (l.way == WS_NO_WAY) l.way = find_victim(e, s, part.line);
    *cycles = 0;
    if (l.way == WS_NO_WAY) return false;
    unsigned kind = e->packets.at[id].kind;
    if (kind == WS_PACKET_WRITE || kind == WS_PACKET_WRITE_BACK) return serve_write(e, s, l, cycles);
    uint8_t left = part.sectors;
    bool done = serve_read(e, s, l, &left);
    *cycles = count_served(s, part.sectors & (uint8_t)~left);
    return done;
}

/* Where the L2 has lines of its own size: serves the packet's sectors of one of them after the other. */
static __attribute__((noinline)) bool serve_parts(ws_engine *e, ws_slice *s, uint32_t id, uint32_t *cycles) {
    const ws_packet p = e->packets.at[id];
    *cycles = 0;
    for (uint8_t left = p.sectors; left;) {
        ws_l2_part part = ws_l2_part_of(&e->map, p.line, left);
        uint32_t part_cycles;
        bool done = serve_part(e, s, id, part, &part_cycles);
        *cycles += part_cycles;
        if (!done) return false;
        left &= (uint8_t)~ws_l2_part_back(&part, part.sectors);
    }
    return true;
}

/* Serves a packet's sectors of its one line of the L1. */
WS_INLINE bool serve_line(ws_engine *e, ws_slice *s, uint32_t id, uint32_t *cycles) {
    if (e->map.l1_sectors != e->map.l2_sectors) return serve_parts(e, s, id, cycles);
    const ws_packet *p = &e->packets.at[id];
    return serve_part(e, s, id, (ws_l2_part){.line = p->line, .sectors = p->sectors}, cycles);
}

/* Serves the lines of a read of several lines side by side, as one request. */
static __attribute__((noinline)) bool serve_lines(ws_engine *e, ws_slice *s, uint32_t id, uint32_t *cycles) {
    uint64_t gone = s->misses_gone;
    for (*cycles = 0;;) {
        ws_packet p = e->packets.at[id];
        e->packets.at[id].also = 0;
        uint32_t line_cycles;
        uint64_t earlier = s->misses_gone; /* lines side by side pass the miss queue side by side */
        s->misses_gone = gone;
        bool done = serve_line(e, s, id, &line_cycles);
        if (s->misses_gone < earlier) s->misses_gone = earlier;
        if (line_cycles > *cycles) *cycles = line_cycles;
        if (!done) e->packets.at[id].also = p.also;
        if (!done || !p.also) return done;
        id = ws_fetch_rest(e, &p);
        ws_queue_replace_head(&s->in, id);
    }
}

/* Before the first request is served, prefetches for the host what those behind it need: the tags of all slices do not
 * fit into its nearer caches. Does nothing if only a few are left: whether it is the last or the last but one could not
 * be predicted. */
static inline void fetch_ahead(const ws_engine *e, const ws_slice *s) {
    if (s->in.count < 3) return;
    const ws_packet *packets = e->packets.at;
    ws_cache_fetch_tag(&s->tags, packets[ws_queue_behind(&s->in, 1)->id].line);
    ws_prefetch(&packets[ws_queue_behind(&s->in, 2)->id]);
}

/* The tags serve l2.port_B bytes a cycle; what cannot be served stays at the head of the queue. */
static inline void access_tags(ws_engine *e, ws_slice *s) {
    bool waited = s->stalled_at;
    if (waited) s->counters.retries += e->now - s->stalled_at;
    s->stalled_at = 0;
    fetch_ahead(e, s);
    uint32_t id = ws_queue_first(&s->in)->id, cycles;
    const ws_packet *p = &e->packets.at[id];
    bool several = p->also && p->kind == WS_PACKET_READ,
         done = several ? serve_lines(e, s, id, &cycles) : serve_line(e, s, id, &cycles);
    s->tags_free = e->now + (cycles ? cycles : 1);
    if (done) {
        take_in(e, s);
        s->counters.stalls += waited;
    } else {
        s->stalled_at = e->now;
        s->stalled = !queued_misses(e, s); /* until something leaves or arrives */
    }
}

/* Passes the request at the head to the partition slot's owner, if it is for that: such requests leave the queue, one a
 * cycle, without a tag lookup. */
static __attribute__((noinline)) bool pass_request(ws_engine *e, ws_slice *s) {
    const ws_packet *p = &e->packets.at[ws_queue_first(&s->in)->id];
    if (!p->special || p->sm == WS_NO_SM) return false;
    e->partition_slot->asked(e->partition, e, s->index, take_in(e, s));
    s->tags_free = e->now + 1;
    return true;
}

static void serve_next(ws_engine *e, ws_slice *s) {
    if (e->partition_slot && pass_request(e, s)) return;
    s->blocked = is_blocked(e, s);
    if (!s->blocked) access_tags(e, s);
}

/* Next cycle in which the tags, or data that come from DRAM, have something to do. What a stalled or blocked slice
 * waits for wakes it; else the tags have in cycle `request`. */
static inline uint64_t next_turn(ws_engine *e, ws_slice *s, uint64_t request) {
    uint64_t next = s->stalled || s->blocked ? WS_NEVER : request;
    next = ws_earlier(next, ws_earlier(s->data.when, s->expected.when));
    if (ws_slice_may_move_up(e, s)) next = ws_earlier(next, ws_slice_await_move(e, s));
    if (!e->lead && e->requests.out[s->index].queue.count && e->now < s->gate_closes &&
        ws_network_room_at(&e->requests, s->index, e->requests.widest) > e->now)
        next = ws_earlier(next, next_leaves(e, s)); /* as the network waits for room */
    return next;
}

/* A reply moves up before others come. Data come before the tags serve something in the same cycle, and leave before
 * what they answer. */
void ws_slice_step(ws_engine *e, ws_slice *s) {
    if (ws_slice_may_move_up(e, s)) ws_slice_move_up(e, s);
    catch_up(e, s, ws_common_cycle(e));
    if (ws_queue_ready(&s->data, e->now) || ws_queue_ready(&s->expected, e->now)) pass_late_data(e, s);
    if (!s->stalled && ws_queue_ready(&s->in, e->now) && s->tags_free <= e->now) serve_next(e, s);
    uint64_t request = next_request(e, s);
    pass_data(e, s, port_is_theirs_until(e, request));
    s->next_turn = next_turn(e, s, request);
    ws_wake_slice(e, s->index, s->next_turn);
}
