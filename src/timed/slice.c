/* An L2 slice: requests come from the network, wait a fixed time, look the tags up one sector a cycle, and leave as
 * replies or misses. Written back, allocated on a write without fetching. */
#include "timed/engine.h"

enum { HEADROOM = 4 }; /* a packet splits into at most this many sectors */

bool ws_slice_init(ws_engine *e, ws_slice *s, uint32_t index) {
    const ws_l2_params *l2 = e->l2;
    *s = (ws_slice){.index = index, .channel = index / (uint32_t)l2->slices_per_channel, .wake = WS_NEVER};
    uint32_t sets = (uint32_t)(l2->size_B / (l2->ways * l2->line_B));
    return ws_cache_init(&s->tags, sets, (uint32_t)l2->ways, (enum ws_set_index)l2->index, WS_REPLACE_LRU,
                         0) &&
           ws_mshr_init(&s->mshr, (uint32_t)l2->mshr_entries, (uint32_t)l2->mshr_merges);
}

void ws_slice_free(ws_slice *s) {
    ws_cache_free(&s->tags);
    ws_mshr_free(&s->mshr);
    ws_queue *const queues[] = {&s->rop, &s->in,         &s->to_dram, &s->from_dram,
                                &s->out, &s->miss_queue, &s->ready};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) ws_queue_free(queues[i]);
}

/* ---- addresses */

static uint64_t sector_key(const ws_packet *p) {
    return p->line << 3 | (uint64_t)__builtin_ctz(p->sectors);
}

/* The address without the bits that choose channel and slice: bank bit and channel bits taken out. */
static uint64_t address_in_channel(const ws_engine *e, uint64_t address) {
    return address / 256 / e->channel_count * 256 + address % 256;
}

uint32_t ws_slice_of(const ws_engine *e, uint64_t line) {
    uint64_t address = line * (uint64_t)e->l1->line_B;
    uint32_t channels = e->channel_count, per = (uint32_t)e->l2->slices_per_channel, total = channels * per;
    uint32_t channel = (uint32_t)(address / 256 % channels);
    uint32_t slice = (uint32_t)(address_in_channel(e, address) / (uint64_t)e->l2->interleave_B % per);
    uint64_t high = address / 256 / total;
    if (e->l2->partition == WS_PARTITION_XOR) channel = (channel ^ (uint32_t)high) & (channels - 1);
    if (e->l2->partition == WS_PARTITION_IPOLY) return ws_ipoly(high * total + channel * per + slice, total);
    return channel * per + slice;
}

uint64_t ws_slice_line(const ws_engine *e, uint64_t line) {
    uint64_t address = address_in_channel(e, line * (uint64_t)e->l1->line_B),
             unit = (uint64_t)e->l2->interleave_B;
    uint64_t packed = address / unit / (uint64_t)e->l2->slices_per_channel * unit + address % unit;
    return packed / (uint64_t)e->l2->line_B;
}

void ws_packet_route(const ws_engine *e, ws_packet *p) {
    p->slice = (uint16_t)ws_slice_of(e, p->line);
    p->slice_line = ws_slice_line(e, p->line);
}

/* Above the interleaving unit: a bank bit (which chooses the slice, too), four column bits, three bank bits, the
 * row. */
void ws_dram_place(const ws_engine *e, uint64_t line, uint32_t *bank, uint64_t *row) {
    uint64_t unit = address_in_channel(e, line * (uint64_t)e->l1->line_B) / (uint64_t)e->l2->interleave_B;
    *bank = (uint32_t)((unit & 1) | (unit >> 5 & 7) << 1);
    *row = unit >> 8;
}

/* ---- replies and fills */

static void push(ws_engine *e, ws_queue *queue, uint32_t id, uint64_t when) {
    if (!ws_queue_push(queue, id, when)) e->failed = true;
}

static bool send_reply(ws_engine *e, ws_slice *s) {
    if (!ws_queue_ready(&s->out, e->now)) return false;
    uint32_t id = ws_queue_head(&s->out)->id;
    const ws_packet *p = &e->packets.at[id];
    uint32_t flits = ws_network_flits(&e->replies, p->kind == WS_PACKET_WRITE ? 8 : 8 + 32);
    if (!ws_network_has_room(&e->replies, s->index, flits)) return false;
    ws_queue_pop(&s->out);
    push(e, &e->replies.in[s->index], id, e->now);
    e->replies.in_flits[s->index] += flits;
    e->replies.waiting++;
    ws_wake_at(&e->replies.wake, e->now);
    return true;
}

/* One of the requests whose data have arrived leaves the MSHR. */
static bool serve_ready(ws_engine *e, ws_slice *s) {
    if (!ws_queue_ready(&s->ready, e->now) || s->out.count >= (uint32_t)e->l2->queue) return false;
    push(e, &s->out, ws_queue_pop(&s->ready), e->now + 1);
    return true;
}

static bool take_fill(ws_engine *e, ws_slice *s) {
    if (!ws_queue_ready(&s->from_dram, e->now)) return false;
    uint32_t id = ws_queue_pop(&s->from_dram);
    const ws_packet *p = &e->packets.at[id];
    uint32_t entry = ws_mshr_find(&s->mshr, sector_key(p));
    ws_cache_fill(&s->tags, s->mshr.entry[entry].way, p->sectors);
    for (uint32_t waiting = s->mshr.entry[entry].first; waiting != WS_MSHR_NONE;) {
        uint32_t next = e->packets.at[waiting].next;
        push(e, &s->ready, waiting, e->now + 1);
        waiting = next;
    }
    ws_mshr_release(&s->mshr, entry);
    ws_packet_free(&e->packets, id);
    s->stalled = false;
    return true;
}

static bool send_miss(ws_engine *e, ws_slice *s) {
    if (!ws_queue_ready(&s->miss_queue, e->now) || s->to_dram.count >= (uint32_t)e->l2->queue) return false;
    push(e, &s->to_dram, ws_queue_pop(&s->miss_queue), e->now);
    ws_wake_at(&e->channels[s->channel].wake, e->now + 1);
    s->stalled = false;
    return true;
}

/* ---- the tags */

static bool miss_queue_has_room(const ws_engine *e, const ws_slice *s, unsigned more) {
    return s->miss_queue.count + more < (uint32_t)e->l2->miss_queue;
}

static void write_back(ws_engine *e, ws_slice *s, const ws_cache_line *victim) {
    if (!victim->dirty) return;
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = victim->line,
                                    .slice = (uint16_t)s->index,
                                    .kind = WS_PACKET_WRITE_BACK,
                                    .sectors = victim->dirty,
                                    .data_B = (uint8_t)__builtin_popcount(victim->dirty)};
    push(e, &s->miss_queue, id, e->now + 1);
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

static bool read_miss(ws_engine *e, ws_slice *s, uint32_t id, enum ws_probe probe, uint32_t way) {
    const ws_packet *p = &e->packets.at[id];
    if (!miss_queue_has_room(e, s, 1)) return false;
    uint32_t entry = ws_mshr_find(&s->mshr, sector_key(p));
    if (entry != WS_MSHR_NONE) {
        if (s->mshr.entry[entry].count >= s->mshr.merges) return false;
        append_waiting(e, &s->mshr, entry, id);
        return true;
    }
    if (ws_mshr_is_full(&s->mshr)) return false;
    if (probe == WS_PROBE_MISS) {
        ws_cache_line victim;
        ws_cache_replace(&s->tags, way, p->line, &victim);
        write_back(e, s, &victim);
    } else {
        ws_cache_touch(&s->tags, way);
    }
    ws_cache_reserve(&s->tags, way, p->sectors);
    append_waiting(e, &s->mshr, ws_mshr_take(&s->mshr, sector_key(p), way, 1), id);
    uint32_t request = ws_packet_new(&e->packets);
    e->packets.at[request] = e->packets.at[id];
    push(e, &s->miss_queue, request, e->now + 1);
    return true;
}

static bool write_access(ws_engine *e, ws_slice *s, uint32_t id, enum ws_probe probe, uint32_t way) {
    const ws_packet *p = &e->packets.at[id];
    if (probe != WS_PROBE_HIT && !miss_queue_has_room(e, s, 0)) return false;
    if (probe == WS_PROBE_MISS) {
        ws_cache_line victim;
        ws_cache_replace(&s->tags, way, p->line, &victim);
        write_back(e, s, &victim);
    } else {
        ws_cache_touch(&s->tags, way);
    }
    ws_cache_write(&s->tags, way, p->sectors, p->full);
    push(e, &s->out, id, e->now + 1);
    return true;
}

static void count(ws_slice *s, enum ws_probe probe) {
    s->counters.accesses++;
    s->counters.hits += probe == WS_PROBE_HIT;
    s->counters.pending_hits += probe == WS_PROBE_PENDING;
    s->counters.sector_misses += probe == WS_PROBE_SECTOR_MISS;
    s->counters.misses += probe == WS_PROBE_MISS;
}

static bool access_tags(ws_engine *e, ws_slice *s) {
    if (s->stalled || !ws_queue_ready(&s->in, e->now)) return false;
    if (s->to_dram.count >= (uint32_t)e->l2->queue || s->out.count >= (uint32_t)e->l2->queue) return false;
    uint32_t id = ws_queue_head(&s->in)->id, way;
    const ws_packet *p = &e->packets.at[id];
    bool is_write = p->kind == WS_PACKET_WRITE;
    enum ws_probe probe = ws_cache_probe(&s->tags, p->line, p->slice_line, p->sectors, is_write, &way);
    bool done;
    if (probe == WS_PROBE_FULL) {
        done = false;
    } else if (is_write) {
        done = write_access(e, s, id, probe, way);
    } else if (probe == WS_PROBE_HIT) {
        ws_cache_touch(&s->tags, way);
        if (p->kind == WS_PACKET_ATOMIC) ws_cache_write(&s->tags, way, p->sectors, p->sectors);
        push(e, &s->out, id, e->now + 1);
        done = true;
    } else {
        done = read_miss(e, s, id, probe, way);
    }
    if (!done) {
        s->stalled = true; /* until something leaves or arrives */
        s->counters.fails++;
        return false;
    }
    count(s, probe);
    ws_queue_pop(&s->in);
    return true;
}

/* ---- requests */

static bool leave_rop(ws_engine *e, ws_slice *s) {
    if (!ws_queue_ready(&s->rop, e->now) || s->in.count >= (uint32_t)e->l2->queue) return false;
    push(e, &s->in, ws_queue_pop(&s->rop), e->now + 1);
    return true;
}

/* A packet from the network becomes a request per sector. */
static bool take_request(ws_engine *e, ws_slice *s) {
    ws_queue *port = &e->requests.out[s->index];
    if (!ws_queue_ready(port, e->now) || s->in.count + HEADROOM > (uint32_t)e->l2->queue) return false;
    uint32_t id = ws_queue_pop(port);
    if (e->requests.waiting) ws_wake_at(&e->requests.wake, e->now);
    uint64_t when = e->now + (uint64_t)e->l2->latency;
    uint8_t sectors = e->packets.at[id].sectors;
    for (uint8_t rest = sectors; rest; rest &= (uint8_t)(rest - 1)) {
        uint8_t sector = rest & (uint8_t)-rest;
        uint32_t part = rest == sector ? id : ws_packet_new(&e->packets);
        e->packets.at[part] = e->packets.at[id];
        e->packets.at[part].sectors = sector;
        e->packets.at[part].full &= sector;
        push(e, &s->rop, part, when);
    }
    return true;
}

/* ---- the slice's turn */

static uint64_t head_time(const ws_queue *queue) {
    return queue->count ? ws_queue_head(queue)->when : WS_NEVER;
}

void ws_slice_step(ws_engine *e, ws_slice *s) {
    bool moved = send_reply(e, s);
    moved |= take_request(e, s);
    moved |= serve_ready(e, s);
    moved |= take_fill(e, s);
    moved |= send_miss(e, s);
    moved |= access_tags(e, s);
    moved |= leave_rop(e, s);
    if (moved) {
        s->wake = e->now + 1;
        return;
    }
    /* Nothing could move: until the next packet's time comes, or somebody else makes room or brings one. */
    uint64_t next = WS_NEVER;
    const uint64_t times[] = {head_time(&s->out),        head_time(&e->requests.out[s->index]),
                              head_time(&s->ready),      head_time(&s->from_dram),
                              head_time(&s->miss_queue), s->stalled ? WS_NEVER : head_time(&s->in),
                              head_time(&s->rop)};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] > e->now && times[i] < next) next = times[i];
    s->wake = next;
}
