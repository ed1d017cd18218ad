/* An L2 slice. Requests leave the network's port, reach the queue in front of the tags a fixed time later, are served
 * by the tags at l2.port_B bytes a cycle, and leave as replies, or as misses to the slice's DRAM channel (channel.c).
 * Write-back; a write allocates its line without fetching it. The stations and their order are those of GPGPU-Sim's
 * memory_sub_partition. */
#include "timed/engine.h"

bool ws_slice_init(ws_engine *e, ws_slice *s, uint32_t index) {
    const ws_l2_params *l2 = e->l2;
    *s = (ws_slice){.index = index,
                    .channel = index / (uint32_t)l2->slices_per_channel,
                    .port_log2 = (uint32_t)__builtin_ctz((uint32_t)l2->port_B)};
    uint32_t sets = (uint32_t)(l2->size_B / (l2->ways * l2->line_B));
    return ws_cache_init(&s->tags, sets, (uint32_t)l2->ways, (enum ws_set_index)l2->index,
                         (enum ws_replacement)l2->replacement, (uint64_t)l2->seed << 32 | index, 0) &&
           ws_mshr_init(&s->mshr, (uint32_t)l2->mshr_entries, (uint32_t)l2->mshr_merges);
}

/* Cycles for which `sectors` sectors occupy the tags' data port or the miss queue. */
static inline uint32_t cycles_of(const ws_slice *s, uint32_t sectors) {
    return (32 * sectors + (1u << s->port_log2) - 1) >> s->port_log2;
}

void ws_slice_free(ws_slice *s) {
    ws_cache_free(&s->tags);
    ws_mshr_free(&s->mshr);
    ws_queue_free(&s->in);
    ws_queue_free(&s->to_dram);
    ws_queue_free(&s->data);
}

/* ---- requests come in: from the network's port, through the delay, to the queue in front of the tags */

/* Counts the requests that have reached the queue by `cycle`. They are counted only when the gate needs it. */
static void come_in_front(ws_slice *s, uint64_t cycle) {
    for (const ws_queued *q; (q = ws_queue_behind(&s->in, s->in_front)) && q->when <= cycle; s->in_front++)
        s->sectors_in_front += q->weight;
}

static inline uint32_t take_in(ws_slice *s) {
    if (s->in_front) {
        s->sectors_in_front -= ws_queue_head(&s->in)->weight;
        s->in_front--;
    }
    return ws_queue_pop(&s->in);
}

/* A request leaves the port only while the queue has room for this many sectors. */
enum { GATE_SECTORS = 4 };
#define ALL_WORDS UINT64_MAX

static inline bool gate_is_open(const ws_engine *e, ws_slice *s, uint64_t cycle) {
    uint32_t queue = (uint32_t)e->l2->queue;
    /* room even after all that are on their way have come */
    if (s->in.weight + GATE_SECTORS <= queue) return true;
    come_in_front(s, cycle);
    return s->sectors_in_front + GATE_SECTORS <= queue;
}

/* Splits the part that asks for `sectors` off the packet, and returns it as a packet of its own; returns the packet
 * itself if it asks for nothing else. */
static inline uint32_t take_part(ws_engine *e, uint32_t id, uint8_t sectors) {
    if (e->packets.at[id].sectors == sectors) return id;
    uint32_t part = ws_packet_copy(&e->packets, id);
    e->packets.at[part].sectors = sectors;
    e->packets.at[id].sectors &= (uint8_t)~sectors;
    return part;
}

/* Sends a packet on its way to the queue, in which one packet arrives per cycle. */
static inline void pass_delay(ws_engine *e, ws_slice *s, uint32_t id, uint64_t when) {
    s->in_last = when > s->in_last ? when : s->in_last + 1;
    if (!ws_queue_push(&s->in, id, ws_sector_count(e->packets.at[id].sectors), s->in_last)) e->failed = true;
}

/* Whether each sector becomes a request of its own (l2.sectors_apart). Requests for several lines, and those of the
 * partition slot's owner, stay whole. */
static bool comes_apart(const ws_engine *e, const ws_packet *p) {
    return e->l2->sectors_apart && !p->special && !(p->kind == WS_PACKET_READ && p->also);
}

static void let_in(ws_engine *e, ws_slice *s, uint32_t id, uint64_t when) {
    uint8_t rest = comes_apart(e, &e->packets.at[id]) ? e->packets.at[id].sectors : 0;
    for (; rest & (rest - 1); rest &= (uint8_t)(rest - 1))
        pass_delay(e, s, take_part(e, id, rest & (uint8_t)-rest), when);
    pass_delay(e, s, id, when);
}

/* One request leaves the port per cycle. A slice that had no turn catches up here, which is exact because nothing has
 * left its queue meanwhile. */
void ws_slice_let_in(ws_engine *e, ws_slice *s) {
    ws_queue *port = &e->requests.out[s->index].queue;
    while (port->count) {
        uint64_t cycle = s->gate > port->when ? s->gate : port->when;
        if (cycle > e->now) break;
        if (!gate_is_open(e, s, cycle)) {
            s->gate = e->now + 1; /* closed until then at least */
            break;
        }
        uint32_t id = ws_network_take(e, &e->requests, s->index, cycle, e->now);
        let_in(e, s, id, cycle + (uint64_t)e->l2->latency + 1);
        s->gate = cycle + 1;
    }
}

/* Cycle in which the port's first request, if there is one, may leave it, provided that the gate is open. */
static uint64_t next_leaves(const ws_engine *e, const ws_slice *s) {
    const ws_queue *port = &e->requests.out[s->index].queue;
    if (!port->count) return WS_NEVER;
    return s->gate > port->when ? s->gate : port->when;
}

/* First cycle in which the tags may serve the next request, as far as one has arrived. */
static uint64_t next_request(const ws_engine *e, const ws_slice *s) {
    uint64_t next = WS_NEVER;
    if (s->in.count)
        next = s->in.when;
    else if (e->requests.out[s->index].queue.count)
        next = next_leaves(e, s) + (uint64_t)e->l2->latency + 1;
    return next > s->tags_free ? next : s->tags_free;
}

uint64_t ws_slice_room_from(ws_engine *e, ws_slice *s, uint32_t flits) {
    ws_slice_let_in(e, s);
    uint64_t room = ws_network_room_at(&e->requests, s->index, flits);
    return room > e->now && gate_is_open(e, s, e->now) ? ws_earlier(room, next_leaves(e, s)) : room;
}

/* ---- replies and fills */

/* Sends a reply to the network's port in the cycle after `cycle`, or behind those that already wait for the port. */
static inline void reply(ws_engine *e, ws_slice *s, uint32_t id, uint64_t cycle) {
    if (e->packets.at[id].special) {
        e->partition_slot->data(e->partition, e, id, cycle + 1);
        return;
    }
    if (s->port_free <= cycle) s->port_free = cycle + 1;
    ws_network_put(e, &e->replies, s->index, id, s->port_free++);
}

/* Queues a packet to be answered from DRAM behind those that came before it; `mshrs` MSHR entries are freed when it
 * leaves. */
static void answer(ws_engine *e, ws_slice *s, uint32_t id, uint32_t mshrs) {
    if (!ws_queue_push(&s->data, id, mshrs, ++s->data_last)) e->failed = true;
}

/* Last cycle up to which nothing but data from DRAM has a reply for the port or asks how full it is. Data that leave
 * until then may be sent now. */
static uint64_t port_is_theirs_until(const ws_engine *e, const ws_slice *s) {
    if (e->partition_slot) return e->now;
    /* the second is when a request that comes to the port now would reach the tags */
    return ws_earlier(next_request(e, s), e->now + (uint64_t)e->l2->latency + 1);
}

static void send_data(ws_engine *e, ws_slice *s, uint64_t until) {
    while (ws_queue_ready(&s->data, until)) {
        uint64_t cycle = s->data.when;
        uint32_t mshrs = ws_queue_head(&s->data)->weight;
        reply(e, s, ws_queue_pop(&s->data), cycle);
        s->mshr.used -= mshrs;
        if (mshrs) s->stalled = false;
    }
}

static bool is_update(const ws_packet *p) {
    return p->kind == WS_PACKET_ATOMIC && p->data_B;
}

/* From the next cycle on, one waiting request is answered per cycle; the MSHR entry counts as free with the last
 * one. */
void ws_slice_fill(ws_engine *e, ws_slice *s, uint32_t entry) {
    uint32_t first = s->mshr.entry[entry].first;
    uint32_t way = s->mshr.entry[entry].way;
    uint8_t sectors = s->mshr.entry[entry].sectors;
    bool kept = ws_cache_fill(&s->tags, way, s->mshr.entry[entry].line, sectors);
    ws_mshr_release(&s->mshr, entry, 0);
    if (s->data_last < e->now) s->data_last = e->now;
    for (uint32_t id = first, next; id != WS_MSHR_NONE; id = next) {
        next = e->packets.at[id].next;
        uint8_t asked = e->packets.at[id].sectors;
        if (kept && is_update(&e->packets.at[id])) ws_cache_write(&s->tags, way, asked, ALL_WORDS);
        answer(e, s, id, next == WS_MSHR_NONE ? ws_sector_count(sectors) : 0);
    }
    if (s->stalled) ws_wake_slice(e, s->index, e->now);
    s->stalled = false;
    send_data(e, s, port_is_theirs_until(e, s));
    /* a turn in this cycle asks for the next one itself */
    bool has_turn = !s->blocked && next_request(e, s) <= e->now;
    if (s->data.count && !has_turn) ws_wake_slice(e, s->index, s->data.when);
}

/* ---- to DRAM */

/* Number of cycles until the miss queue is empty, and of the requests in it: one a cycle goes on from it to the queue
 * to DRAM. While that one is full they would stay, but then the tags serve nothing anyway. */
static uint32_t queued_misses(const ws_engine *e, const ws_slice *s) {
    return s->misses_gone > e->now ? (uint32_t)(s->misses_gone - e->now) : 0;
}

/* Sends a miss or a write-back to DRAM. It occupies the miss queue for `cycles` cycles, and may enter the channel two
 * cycles after it has left it. */
static void to_dram(ws_engine *e, ws_slice *s, enum ws_dram_kind kind, uint32_t id, uint32_t weight,
                    uint32_t cycles) {
    uint64_t gone = e->now + queued_misses(e, s), when = ws_channel_await(e, s, gone + 2);
    s->misses_gone = gone + cycles;
    if (!ws_queue_push_to(&s->to_dram, id, weight, kind, when)) e->failed = true;
}

/* ---- the tags */

/* Whether the queue behind the miss queue has room. Those in the miss queue do not count (to_dram has both). */
static bool dram_has_room(ws_engine *e, const ws_slice *s) {
    ws_channel *c = &e->channels[s->channel];
    uint32_t limit = (uint32_t)e->l2->queue + queued_misses(e, s);
    if (s->to_dram.weight >= limit) ws_channel_enter(e, c);
    if (s->to_dram.weight < limit) return true;
    ws_channel_await_room(e, c);
    return false;
}

/* Whether the miss queue has room for a read and for what it may write back. A write needs no such check: whatever it
 * follows has occupied the tags for as many cycles as its misses take in the miss queue, so what the write itself
 * writes back is all that can be left in the queue. */
static bool miss_queue_has_room(const ws_engine *e, const ws_slice *s) {
    return queued_misses(e, s) + 1 < (uint32_t)e->l2->miss_queue;
}

static void write_back(ws_engine *e, ws_slice *s, const ws_cache_line *victim) {
    if (!victim->dirty) return;
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = victim->line,
                                    .slice = (uint16_t)s->index,
                                    .kind = WS_PACKET_WRITE_BACK,
                                    .sectors = victim->dirty,
                                    .data_B = (uint8_t)ws_sector_count(victim->dirty)};
    to_dram(e, s, WS_DRAM_WRITE_BACK, id, 1, 1);
}

static void append_waiting(ws_engine *e, ws_mshr *mshr, uint32_t entry, uint32_t id) {
    ws_mshr_entry *m = &mshr->entry[entry];
    e->packets.at[id].next = WS_MSHR_NONE;
    if (m->count++ == 0)
        m->first = id;
    else
        e->packets.at[m->last].next = id;
    m->last = id;
}

/* A request at the tags: the sectors of packet `id` that have not been served yet, and where its line is or may go. */
typedef struct look_up {
    uint32_t id, way;
    uint64_t line;
    /* the line has no way */
    bool absent;
    /* sectors not served yet */
    uint8_t left;
    /* number of dirty sectors of the victim, which the data port reads out to write them back */
    uint32_t evicted;
} look_up;

/* Serves `sectors`, which are present. */
static void serve_hits(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    ws_cache_touch(&s->tags, l->way);
    if (is_update(&e->packets.at[l->id])) ws_cache_write(&s->tags, l->way, sectors, ALL_WORDS);
    reply(e, s, take_part(e, l->id, sectors), e->now);
    s->counters.hits += ws_sector_count(sectors);
    l->left &= (uint8_t)~sectors;
}

/* Has those of `sectors` that an MSHR entry fetches wait for it. Returns them, or 0 if they cannot join it. */
static uint8_t join(ws_engine *e, ws_slice *s, look_up *l, uint32_t entry, uint8_t sectors) {
    if (!miss_queue_has_room(e, s) || s->mshr.entry[entry].count >= s->mshr.merges) return 0;
    uint8_t part = s->mshr.entry[entry].sectors & sectors;
    append_waiting(e, &s->mshr, entry, take_part(e, l->id, part));
    l->left &= (uint8_t)~part;
    return part;
}

/* Serves `sectors`, which are on their way, by joining one MSHR entry after the other. Returns whether all could
 * join. */
static bool serve_pending(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    while (sectors) {
        uint8_t part = join(e, s, l, ws_mshr_find(&s->mshr, l->line, sectors), sectors);
        if (!part) return false;
        ws_cache_touch(&s->tags, l->way);
        s->counters.pending_hits += ws_sector_count(part);
        sectors &= (uint8_t)~part;
    }
    return true;
}

static void count_misses(ws_slice *s, const look_up *l, uint8_t sectors) {
    s->counters.misses += l->absent;
    s->counters.sector_misses += ws_sector_count(sectors) - l->absent;
}

/* Serves those of `sectors` that are on their way although the tags do not tell, because they were written meanwhile:
 * in part, or entirely and then evicted. Returns whether all could join. */
static bool serve_overwritten(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    uint32_t entry;
    while (sectors && (entry = ws_mshr_find(&s->mshr, l->line, sectors)) != WS_MSHR_NONE) {
        uint8_t part = join(e, s, l, entry, sectors);
        if (!part) return false;
        count_misses(s, l, part);
        ws_cache_line victim;
        ws_cache_take(&s->tags, l->way, l->line, part, &victim);
        write_back(e, s, &victim);
        s->mshr.entry[entry].way = l->way;
        l->absent = false;
        sectors &= (uint8_t)~part;
    }
    return true;
}

static bool serve_misses(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    if (!miss_queue_has_room(e, s) || ws_mshr_is_full(&s->mshr)) return false;
    uint32_t count = ws_sector_count(sectors);
    count_misses(s, l, sectors);
    ws_cache_line victim;
    ws_cache_take(&s->tags, l->way, l->line, sectors, &victim);
    uint32_t entry = ws_mshr_take(&s->mshr, l->line, sectors, l->way, count);
    append_waiting(e, &s->mshr, entry, take_part(e, l->id, sectors));
    to_dram(e, s, WS_DRAM_FETCH, entry, count, cycles_of(s, count));
    write_back(e, s, &victim);
    l->left = 0;
    return true;
}

static bool serve_read(ws_engine *e, ws_slice *s, look_up *l) {
    const ws_cache_line *line = &s->tags.lines[l->way];
    uint8_t pending = l->absent ? 0 : line->reserved & l->left;
    uint8_t hits = l->absent ? 0 : line->valid & (uint8_t)~line->unreadable & l->left & (uint8_t)~pending;
    uint8_t misses = l->left & (uint8_t) ~(pending | hits);
    if (hits) serve_hits(e, s, l, hits);
    if (!serve_pending(e, s, l, pending)) return false;
    if (s->tags.wrote_reserved && !serve_overwritten(e, s, l, misses)) return false;
    return !l->left || serve_misses(e, s, l, l->left);
}

static void serve_write(ws_engine *e, ws_slice *s, look_up *l) {
    const ws_cache_line *line = &s->tags.lines[l->way];
    uint8_t pending = l->absent ? 0 : line->reserved & l->left;
    uint8_t hits = l->absent ? 0 : line->valid & l->left & (uint8_t)~pending;
    s->counters.hits += ws_sector_count(hits);
    s->counters.pending_hits += ws_sector_count(pending);
    s->counters.misses += l->absent;
    s->counters.sector_misses += ws_sector_count(l->left & (uint8_t) ~(pending | hits)) - l->absent;
    ws_cache_line victim;
    ws_cache_take(&s->tags, l->way, l->line, 0, &victim);
    write_back(e, s, &victim);
    l->evicted = ws_sector_count(victim.dirty);
    ws_cache_write(&s->tags, l->way, l->left, e->packets.at[l->id].words);
    reply(e, s, l->id, e->now);
    l->left = 0;
}

/* Whether as many replies wait for the network's port as the queue in front of it holds. If so, the slice gets a turn
 * when there is room. */
static bool replies_are_full(ws_engine *e, const ws_slice *s) {
    uint32_t queue = (uint32_t)e->l2->queue, flits = e->replies.in_limit + queue - 1;
    if (s->port_free > e->now + queue) {
        ws_wake_slice(e, s->index, s->port_free - queue);
        return true;
    }
    if (ws_network_level_from(e, &e->replies, s->index, flits) <= e->now) return false;
    ws_network_await_level(e, &e->replies, s->index, flits);
    return true;
}

static bool is_blocked(ws_engine *e, const ws_slice *s) {
    return replies_are_full(e, s) || !dram_has_room(e, s);
}

/* Serves a packet's sectors of its one line, and returns whether all of them could be served. `*cycles`: for how long
 * the tags are busy; a write also waits until what it evicts has been read out. */
static bool serve_line(ws_engine *e, ws_slice *s, uint32_t id, uint32_t *cycles) {
    const ws_packet *p = &e->packets.at[id];
    look_up l = {.id = id, .line = p->line, .left = p->sectors, .way = ws_cache_find(&s->tags, p->line)};
    l.absent = l.way == WS_NO_WAY;
    if (l.absent) l.way = ws_cache_victim(&s->tags, ws_slice_line(&e->map, p->line));
    uint32_t before = ws_sector_count(l.left);
    bool done = l.way != WS_NO_WAY;
    if (done && p->kind == WS_PACKET_WRITE)
        serve_write(e, s, &l);
    else if (done)
        done = serve_read(e, s, &l);
    uint32_t served = before - ws_sector_count(l.left);
    *cycles = cycles_of(s, served) + (l.evicted ? cycles_of(s, l.evicted) - 1 : 0);
    s->counters.accesses += served;
    return done;
}

/* Serves the first packet of the queue, and returns whether all of it could be served; what is left stays in its place.
 * The lines of a read of several lines are served side by side, as one request. `*cycles`: for how long the tags are
 * busy. */
static bool serve_head(ws_engine *e, ws_slice *s, uint32_t *cycles) {
    uint32_t id = ws_queue_head(&s->in)->id;
    uint64_t gone = s->misses_gone;
    for (*cycles = 0;;) {
        ws_packet p = e->packets.at[id];
        uint8_t also = p.kind == WS_PACKET_READ ? p.also : 0;
        if (also) e->packets.at[id].also = 0;
        uint32_t line_cycles;
        uint64_t earlier = s->misses_gone; /* lines side by side pass the miss queue side by side */
        s->misses_gone = gone;
        bool done = serve_line(e, s, id, &line_cycles);
        if (s->misses_gone < earlier) s->misses_gone = earlier;
        if (line_cycles > *cycles) *cycles = line_cycles;
        if (!done && also) e->packets.at[id].also = also;
        if (!done || !also) return done;
        id = ws_fetch_rest(e, &p);
        ws_queue_replace_head(&s->in, id);
    }
}

/* Before the first request is served, prefetches for the host what those behind it need: the tags of all slices do not
 * fit into its nearer caches. */
static void fetch_ahead(const ws_engine *e, const ws_slice *s) {
    const ws_queue *queue = &s->in;
    const ws_queued *next = ws_queue_behind(queue, 1), *second = ws_queue_behind(queue, 2),
                    *third = ws_queue_behind(queue, 3);
    if (next) ws_cache_fetch_tag(&s->tags, e->packets.at[next->id].line);
    if (second) ws_cache_fetch_bucket(&s->tags, e->packets.at[second->id].line);
    if (third) ws_prefetch(&e->packets.at[third->id]);
}

/* The tags serve l2.port_B bytes a cycle; what cannot be served stays at the head of the queue. */
static void access_tags(ws_engine *e, ws_slice *s) {
    if (s->stalled_at) s->counters.retries += e->now - s->stalled_at;
    s->stalled_at = 0;
    fetch_ahead(e, s);
    uint32_t cycles;
    bool done = serve_head(e, s, &cycles);
    s->tags_free = e->now + (cycles ? cycles : 1);
    if (done) {
        take_in(s);
    } else {
        s->stalled_at = e->now;
        s->stalled = !queued_misses(e, s); /* until something leaves or arrives */
    }
}

/* Passes the request at the head to the partition slot's owner, if it is for that: such requests leave the queue, one a
 * cycle, without a tag lookup. */
static bool pass_request(ws_engine *e, ws_slice *s) {
    const ws_packet *p = &e->packets.at[ws_queue_head(&s->in)->id];
    if (!p->special || p->sm == WS_NO_SM) return false;
    e->partition_slot->asked(e->partition, e, s->index, take_in(s));
    s->tags_free = e->now + 1;
    return true;
}

static void serve_next(ws_engine *e, ws_slice *s) {
    if (pass_request(e, s)) return;
    s->blocked = is_blocked(e, s);
    if (!s->blocked) access_tags(e, s);
}

/* Next cycle in which the tags, or data that have come, have something to do. What a stalled or blocked slice waits for
 * wakes it. */
static uint64_t next_turn(const ws_engine *e, ws_slice *s) {
    uint64_t next = s->stalled || s->blocked ? WS_NEVER : next_request(e, s);
    if (s->data.count) next = ws_earlier(next, s->data.when);
    if (ws_network_room_at(&e->requests, s->index, e->requests.widest) > e->now && gate_is_open(e, s, e->now))
        next = ws_earlier(next, next_leaves(e, s)); /* as the network waits for room */
    return next;
}

/* Data leave before what the tags answer in the same cycle. */
void ws_slice_step(ws_engine *e, ws_slice *s) {
    ws_slice_let_in(e, s);
    if (s->data.count) send_data(e, s, e->now);
    if (!s->stalled && ws_queue_ready(&s->in, e->now) && s->tags_free <= e->now) serve_next(e, s);
    if (s->data.count) send_data(e, s, port_is_theirs_until(e, s));
    ws_wake_slice(e, s->index, next_turn(e, s));
}
