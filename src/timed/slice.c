/* An L2 slice: requests come from the network a fixed time after they left it, look the tags up one sector a cycle, and
 * leave as replies or misses. Written back, allocated on a write without fetching. */
#include "timed/engine.h"

bool ws_slice_init(ws_engine *e, ws_slice *s, uint32_t index) {
    const ws_l2_params *l2 = e->l2;
    *s = (ws_slice){.index = index, .channel = index / (uint32_t)l2->slices_per_channel};
    uint32_t sets = (uint32_t)(l2->size_B / (l2->ways * l2->line_B));
    return ws_cache_init(&s->tags, sets, (uint32_t)l2->ways, (enum ws_set_index)l2->index,
                         (enum ws_replacement)l2->replacement, (uint64_t)l2->seed << 32 | index, 0) &&
           ws_mshr_init(&s->mshr, (uint32_t)l2->mshr_entries, (uint32_t)l2->mshr_merges);
}

void ws_slice_free(ws_slice *s) {
    ws_cache_free(&s->tags);
    ws_mshr_free(&s->mshr);
    ws_queue_free(&s->to_dram);
}

/* ---- replies and fills */

static void reply(ws_engine *e, const ws_slice *s, uint32_t id, uint64_t when) {
    if (e->packets.at[id].special)
        e->partition_slot->data(e->partition, e, id, when);
    else
        ws_network_put(e, &e->replies, s->index, id, when);
}

/* The part of the packet that asks for `sectors`, as a packet of its own; the packet itself when nothing else is left
 * of it. */
static uint32_t take_part(ws_engine *e, uint32_t id, uint8_t sectors) {
    if (e->packets.at[id].sectors == sectors) return id;
    uint32_t part = ws_packet_copy(&e->packets, id);
    e->packets.at[part].sectors = sectors;
    e->packets.at[id].sectors &= (uint8_t)~sectors;
    return part;
}

/* From the cycle in which data arrive: through the MSHR, to the head of the replies. */
enum { FILL_CYCLES = 2 };

/* With noc.sectors_apart data that several wait for leave sector by sector, each to all of them, so that all get their
 * last sector late. */
static bool leaves_by_sectors(const ws_engine *e, uint32_t first, uint8_t sectors) {
    if (!e->noc->sectors_apart || !(sectors & (sectors - 1)) || e->packets.at[first].next == WS_MSHR_NONE)
        return false;
    for (uint32_t id = first; id != WS_MSHR_NONE; id = e->packets.at[id].next)
        if (e->packets.at[id].special) return false;
    return true;
}

static void reply_by_sectors(ws_engine *e, const ws_slice *s, uint32_t first, uint8_t sectors) {
    for (unsigned rest = sectors; rest; rest &= rest - 1)
        for (uint32_t id = first; id != WS_MSHR_NONE; id = e->packets.at[id].next) {
            uint8_t sector = (uint8_t)(rest & -rest);
            if (e->packets.at[id].sectors & sector)
                reply(e, s, take_part(e, id, sector), e->now + FILL_CYCLES);
        }
}

static void reply_to_all(ws_engine *e, const ws_slice *s, uint32_t first) {
    for (uint32_t id = first, next; id != WS_MSHR_NONE; id = next) {
        next = e->packets.at[id].next;
        reply(e, s, id, e->now + FILL_CYCLES);
    }
}

void ws_slice_fill(ws_engine *e, ws_slice *s, uint32_t entry) {
    uint32_t first = s->mshr.entry[entry].first;
    uint8_t sectors = s->mshr.entry[entry].sectors;
    ws_cache_fill(&s->tags, s->mshr.entry[entry].way, sectors);
    if (leaves_by_sectors(e, first, sectors))
        reply_by_sectors(e, s, first, sectors);
    else
        reply_to_all(e, s, first);
    ws_mshr_release(&s->mshr, entry, ws_sector_count(sectors));
}

/* Requests in the miss queue, of which one a cycle goes on to the queue to DRAM. While that is full they stay, but the
 * tags then serve nothing. */
static uint32_t queued_misses(const ws_engine *e, const ws_slice *s) {
    return s->misses_gone > e->now ? (uint32_t)(s->misses_gone - e->now) : 0;
}

/* Misses and write-backs enter the channel's banks `dram.latency` after they have left the miss queue. */
static void to_dram(ws_engine *e, ws_slice *s, enum ws_dram_kind kind, uint32_t id, uint32_t weight) {
    uint64_t gone = e->now + queued_misses(e, s),
             when = ws_dram_cycle(e, gone + 2) + (uint64_t)e->dram->latency;
    s->misses_gone = gone + weight;
    if (!ws_queue_push_to(&s->to_dram, id, weight, 1, kind, when)) e->failed = true;
    ws_channel_await(e, &e->channels[s->channel], when);
}

/* ---- the tags */

/* Sectors on their way to DRAM: in the queue to it, and the slice's share of what the controller holds. */
static bool dram_has_room(const ws_engine *e, const ws_slice *s) {
    if (s->to_dram.weight < (uint32_t)e->l2->queue) return true;
    uint32_t controller = (uint32_t)(e->dram->queue + e->dram->return_queue);
    uint32_t taken = e->channels[s->channel].outstanding;
    uint32_t share = taken < controller ? (controller - taken) / (uint32_t)e->l2->slices_per_channel : 0;
    return s->to_dram.weight < (uint32_t)e->l2->queue + share;
}

/* For a request and `more` that it may cause. */
static bool miss_queue_has_room(const ws_engine *e, const ws_slice *s, unsigned more) {
    return queued_misses(e, s) + more < (uint32_t)e->l2->miss_queue;
}

static void write_back(ws_engine *e, ws_slice *s, const ws_cache_line *victim) {
    if (!victim->dirty) return;
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = victim->line,
                                    .slice = (uint16_t)s->index,
                                    .kind = WS_PACKET_WRITE_BACK,
                                    .sectors = victim->dirty,
                                    .data_B = (uint8_t)ws_sector_count(victim->dirty)};
    to_dram(e, s, WS_DRAM_WRITE_BACK, id, 1);
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

/* A request at the tags: what has not been served yet of packet `id`, and where its line is or may go. */
typedef struct look_up {
    uint32_t id, way;
    uint64_t line;
    bool absent;
    uint8_t left;
    uint32_t evicted; /* sectors that the data port gives out to write them back */
} look_up;

/* The line has its way from now on; of its sectors `reserved` are to come. */
static void take_way(ws_slice *s, const look_up *l, uint8_t reserved, ws_cache_line *victim) {
    victim->dirty = 0;
    if (l->absent) {
        ws_cache_replace(&s->tags, l->way, l->line, reserved, victim);
        return;
    }
    ws_cache_touch(&s->tags, l->way);
    if (reserved) ws_cache_reserve(&s->tags, l->way, reserved);
}

/* The sectors that are there. */
static void serve_hits(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    ws_cache_touch(&s->tags, l->way);
    if (e->packets.at[l->id].kind == WS_PACKET_ATOMIC) ws_cache_write(&s->tags, l->way, sectors, sectors);
    reply(e, s, take_part(e, l->id, sectors), e->now + 1);
    s->counters.hits += ws_sector_count(sectors);
    l->left &= (uint8_t)~sectors;
}

/* Sectors on their way: those of one MSHR entry after the other. */
static bool serve_pending(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    while (sectors) {
        if (!miss_queue_has_room(e, s, 1)) return false;
        uint32_t entry = ws_mshr_find(&s->mshr, l->line, sectors);
        if (s->mshr.entry[entry].count >= s->mshr.merges) return false;
        uint8_t part = s->mshr.entry[entry].sectors & sectors;
        append_waiting(e, &s->mshr, entry, take_part(e, l->id, part));
        s->counters.pending_hits += ws_sector_count(part);
        sectors &= (uint8_t)~part;
        l->left &= (uint8_t)~part;
    }
    return true;
}

static bool serve_misses(ws_engine *e, ws_slice *s, look_up *l, uint8_t sectors) {
    if (!miss_queue_has_room(e, s, 1) || ws_mshr_is_full(&s->mshr)) return false;
    uint32_t count = ws_sector_count(sectors);
    s->counters.misses += l->absent;
    s->counters.sector_misses += count - l->absent;
    ws_cache_line victim;
    take_way(s, l, sectors, &victim);
    uint32_t entry = ws_mshr_take(&s->mshr, l->line, sectors, l->way, count);
    append_waiting(e, &s->mshr, entry, take_part(e, l->id, sectors));
    to_dram(e, s, WS_DRAM_FETCH, entry, count);
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
    return serve_pending(e, s, l, pending) && (!misses || serve_misses(e, s, l, misses));
}

static bool serve_write(ws_engine *e, ws_slice *s, look_up *l) {
    const ws_cache_line *line = &s->tags.lines[l->way];
    uint8_t pending = l->absent ? 0 : line->reserved & l->left;
    uint8_t hits = l->absent ? 0 : line->valid & l->left & (uint8_t)~pending;
    if (hits != l->left && !miss_queue_has_room(e, s, 0)) return false;
    s->counters.hits += ws_sector_count(hits);
    s->counters.pending_hits += ws_sector_count(pending);
    s->counters.misses += l->absent;
    s->counters.sector_misses += ws_sector_count(l->left & (uint8_t) ~(pending | hits)) - l->absent;
    ws_cache_line victim;
    take_way(s, l, 0, &victim);
    write_back(e, s, &victim);
    l->evicted = ws_sector_count(victim.dirty);
    ws_cache_write(&s->tags, l->way, l->left, e->packets.at[l->id].full);
    reply(e, s, l->id, e->now + 1);
    l->left = 0;
    return true;
}

static bool is_blocked(const ws_engine *e, const ws_slice *s) {
    return e->replies.in[s->index].queue.weight > e->replies.in_tight || !dram_has_room(e, s);
}

/* Serves a packet's sectors of its one line; whether all of them. `*cycles`: that it takes, a sector in each; a write
 * waits until what it evicts has been read. */
static bool serve_line(ws_engine *e, ws_slice *s, uint32_t id, uint32_t *cycles) {
    const ws_packet *p = &e->packets.at[id];
    look_up l = {.id = id, .line = p->line, .left = p->sectors, .way = ws_cache_find(&s->tags, p->line)};
    l.absent = l.way == WS_NO_WAY;
    if (l.absent) l.way = ws_cache_victim(&s->tags, ws_slice_line(&e->map, p->line));
    uint32_t before = ws_sector_count(l.left);
    bool done =
        l.way != WS_NO_WAY && (p->kind == WS_PACKET_WRITE ? serve_write(e, s, &l) : serve_read(e, s, &l));
    uint32_t served = before - ws_sector_count(l.left);
    *cycles = served + (l.evicted > 1 ? l.evicted - 1 : 0);
    s->counters.accesses += served;
    return done;
}

/* Serves the first packet of the queue; whether all of it. A read of several lines: one beside the other, as one
 * request. What is left of it stays in its place. `*cycles`: that the tags are busy with it. */
static bool serve_head(ws_engine *e, ws_slice *s, uint32_t *cycles) {
    uint32_t id = ws_queue_head(&e->requests.out[s->index].queue)->id;
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
        ws_queue_replace_head(&e->requests.out[s->index].queue, id);
    }
}

/* Before the first request is served: has what those behind it need fetched. All slices' tags are more than a
 * processor's nearer caches hold. */
static void fetch_ahead(const ws_engine *e, const ws_slice *s) {
    const ws_queue *queue = &e->requests.out[s->index].queue;
    const ws_queued *next = ws_queue_behind(queue, 1), *second = ws_queue_behind(queue, 2),
                    *third = ws_queue_behind(queue, 3);
    if (next) ws_cache_fetch_tag(&s->tags, e->packets.at[next->id].line);
    if (second) ws_cache_fetch_bucket(&s->tags, e->packets.at[second->id].line);
    if (third) ws_prefetch(&e->packets.at[third->id]);
}

/* The tags serve a sector a cycle; what cannot be served stays at the head of the queue. */
static bool access_tags(ws_engine *e, ws_slice *s) {
    if (s->stalled_at) s->counters.retries += e->now - s->stalled_at;
    s->stalled_at = 0;
    fetch_ahead(e, s);
    uint32_t cycles;
    bool done = serve_head(e, s, &cycles);
    s->tags_free = e->now + cycles;
    if (done) {
        ws_network_take(e, &e->requests, s->index, e->now);
    } else {
        s->stalled_at = e->now;
        s->stalled = !queued_misses(e, s); /* until something leaves or arrives */
        if (!s->stalled) ws_wake_slice(e, s->index, e->now + 1);
    }
    return done;
}

/* Requests for the owner of the partition slot leave the queue without asking the tags, one a cycle. */
static bool pass_request(ws_engine *e, ws_slice *s) {
    const ws_packet *p = &e->packets.at[ws_queue_head(&e->requests.out[s->index].queue)->id];
    if (!p->special || p->sm == WS_NO_SM) return false;
    e->partition_slot->asked(e->partition, e, s->index, ws_network_take(e, &e->requests, s->index, e->now));
    s->tags_free = e->now + 1;
    return true;
}

/* The tags are all that takes turns here. */
void ws_slice_step(ws_engine *e, ws_slice *s) {
    const ws_queue *in = &e->requests.out[s->index].queue;
    if (s->stalled || !in->count) return;
    uint64_t when = in->when;
    if (when < s->tags_free) when = s->tags_free;
    if (when > e->now) {
        ws_wake_slice(e, s->index, when);
        return;
    }
    if (!pass_request(e, s)) {
        s->blocked = is_blocked(e, s);
        if (s->blocked || !access_tags(e, s)) return;
    }
    if (!in->count) return;
    when = in->when;
    ws_wake_slice(e, s->index, when < s->tags_free ? s->tags_free : when);
}
