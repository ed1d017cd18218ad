/* An L2 slice against a naive model that looks at everything in every cycle. The slice itself has turns only in cycles
 * that it asked for, or in which it was told that memory or the network has taken or brought something. */
#include "../support/naive_cache.h"
#include "../support/random.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS_MAX = 256, SLICES_MAX = 2, REQUESTS_MAX = 12, CYCLES = 1500, ALL = 15 /* sectors of a line */ };

#define ALL_WORDS UINT64_MAX

/* ---- the definition */

/* Whose a request is: an SM's, for data; an SM's, for the owner of the partition slot; or that owner's, for data. */
enum whose { DATA, OWNERS, BY_OWNER };

typedef struct item {
    uint64_t line, when;
    uint32_t serial; /* of the request that it came from */
    uint32_t weight;
    enum ws_packet_kind kind;
    enum whose whose;
    uint8_t sectors;
    uint64_t words; /* writes: those that are written entirely */
    uint8_t also;   /* reads: set of the other lines of its group that it wants */
    bool updates;   /* an atomic that carries data; if not, it is a load that has bypassed an L1 */
} item;

typedef struct list {
    item at[ITEMS_MAX];
    uint32_t count;
} list;

typedef struct naive_entry {
    uint64_t line;
    uint8_t sectors;
    naive_way *way; /* where the data go, if the line is still there */
    list waiting;
} naive_entry;

typedef struct naive_slice {
    naive_cache tags;
    list port, requests, replies, to_dram;
    list data;             /* from DRAM, until they leave; weight: MSHR entries that this frees */
    list told;             /* what the owner of the partition slot is told in this cycle */
    naive_entry entry[32]; /* the newest first */
    uint32_t entry_count;
    uint64_t tags_free, misses_gone;
    uint64_t last_in;   /* cycle in which the last request reaches the queue in front of the tags */
    uint64_t data_last; /* cycle in which the last of the data leave */
    uint64_t port_free; /* first cycle in which the next reply may be at the port */
    uint64_t failed;    /* last cycle in which the request at the head failed; 0: it has not */
    ws_slice_counters counters;
    /* Numbers of: lines served beside the first of their request; things the owner was told; requests split off for a
     * sector; reads of what was written while it was on its way; data whose line was gone when they came. */
    uint64_t beside, told_all, apart, overwritten, lost;
} naive_slice;

typedef struct scene {
    ws_engine engine;
    ws_gpu_params gpu;
    ws_noc_params noc;
    ws_l2_params l2;
    ws_dram_params dram;
    ws_l1_params l1;
    ws_partition_slot owner;
    naive_slice naive[SLICES_MAX];
    naive_slice ahead;     /* requests, data and replies of a slice where they go on early */
    list told[SLICES_MAX]; /* what the slices told the owner */
    struct {
        uint32_t id, slice;
        item item;
    } in_dram[ITEMS_MAX];
    uint32_t in_dram_count, serial, foreseen;
    list coming[SLICES_MAX]; /* reads whose data slices have been told to expect, in cycle `when` */
} scene;

static void join(list *l, item i) {
    assert_true(l->count < ITEMS_MAX);
    l->at[l->count++] = i;
}

static item leave(list *l) {
    item first = l->at[0];
    memmove(l->at, l->at + 1, --l->count * sizeof *l->at);
    return first;
}

/* Only what is there: a list has room for a hundred times as much, and this is done in every cycle. */
static void copy_list(list *to, const list *from) {
    memcpy(to->at, from->at, from->count * sizeof *from->at);
    to->count = from->count;
}

static uint32_t weight_of(const list *l) {
    uint32_t weight = 0;
    for (uint32_t i = 0; i < l->count; i++) weight += l->at[i].weight;
    return weight;
}

static uint32_t count_of(uint32_t sectors) {
    return (uint32_t)__builtin_popcount(sectors);
}

/* True if the miss queue has room for `places` requests. They leave it one per cycle, the last one in cycle
 * misses_gone. */
static bool has_places(const scene *s, const naive_slice *n, uint64_t now, int64_t places) {
    int64_t queued = n->misses_gone > now ? (int64_t)(n->misses_gone - now) : 0;
    return queued + places <= s->l2.miss_queue;
}

/* Returns the number of DRAM cycles that have begun by the end of a core cycle. */
static uint64_t begun(const scene *s, uint64_t cycle) {
    return cycle * s->engine.dram_clock.value / WS_DRAM_CLOCK + 1;
}

/* Returns the number of cycles in which the port passes `sectors` sectors, l2.port_B bytes in each, or what is left. */
static uint32_t cycles_for(const scene *s, uint32_t sectors) {
    uint32_t cycles = 0;
    for (int64_t left = 32 * (int64_t)sectors; left > 0; left -= s->l2.port_B) cycles++;
    return cycles;
}

/* Sends a fetch or write-back to DRAM. It may enter the channel in the first DRAM cycle that begins two cycles after it
 * has left the miss queue. */
static void naive_to_dram(const scene *s, naive_slice *n, uint64_t now, item i) {
    uint64_t leaves = n->misses_gone > now ? n->misses_gone : now;
    i.when = begun(s, leaves + 1);
    n->misses_gone = leaves + (i.kind == WS_PACKET_WRITE_BACK ? 1 : cycles_for(s, i.weight));
    join(&n->to_dram, i);
}

/* Returns the flits of a reply: 8 B and its data, as one packet or as one per sector. */
static uint32_t flits_of(const scene *s, enum ws_packet_kind kind, uint32_t sectors) {
    bool lines = s->noc.replies == WS_REPLIES_LINES;
    uint32_t packets = lines ? 1 : sectors, data = 32 * sectors / packets, flits = 0;
    for (int64_t left = 8 + (kind == WS_PACKET_WRITE ? 0 : data); left > 0; left -= s->noc.flit_B) flits++;
    return packets * flits;
}

/* Replies to a request's sectors. One reply per cycle comes to the port, from the next cycle on. */
static void naive_reply(const scene *s, naive_slice *n, uint64_t now, item i, uint8_t sectors) {
    i.sectors = sectors;
    i.weight = flits_of(s, i.kind, count_of(sectors));
    i.also = 0;
    i.when = now + 1;
    if (i.whose == BY_OWNER) {
        join(&n->told, i);
        return;
    }
    if (i.when < n->port_free) i.when = n->port_free;
    n->port_free = i.when + 1;
    join(&n->replies, i);
}

/* Queues data from DRAM. They leave one after the other, from the cycle after their arrival on. */
static void naive_answer(naive_slice *n, uint64_t now, item i) {
    i.weight = i.also = 0;
    i.when = n->data_last = 1 + (n->data_last > now ? n->data_last : now);
    join(&n->data, i);
}

/* Gives the way to the line. Returns the write-back of the line that it held, without sectors if nothing was
 * written. */
static item naive_take(naive_slice *n, naive_way *way, uint64_t line) {
    item back = {.kind = WS_PACKET_WRITE_BACK, .weight = 1};
    if (way->taken && way->line == line) {
        naive_cache_touch(&n->tags, way);
        return back;
    }
    back.line = way->line;
    for (int k = 0; k < NAIVE_SECTORS; k++) back.sectors |= (uint8_t)(way->sector[k].written << k);
    naive_cache_replace(&n->tags, way, line);
    return back;
}

static naive_entry *find_entry(naive_slice *n, uint64_t line, uint8_t sectors) {
    for (uint32_t i = 0; i < n->entry_count; i++)
        if (n->entry[i].line == line && n->entry[i].sectors & sectors) return &n->entry[i];
    return NULL;
}

/* Sets of the asked sectors that are on their way, and that are there; for a read, only sectors that are there
 * entirely. */
static void look(const naive_way *way, uint8_t asked, bool is_write, uint8_t *pending, uint8_t *hits) {
    *pending = *hits = 0;
    for (int k = 0; way && k < NAIVE_SECTORS; k++) {
        const naive_sector *sector = &way->sector[k];
        if (!(asked >> k & 1)) continue;
        if (sector->coming)
            *pending |= (uint8_t)(1 << k);
        else if (sector->there && (is_write || !sector->hole))
            *hits |= (uint8_t)(1 << k);
    }
}

/* Serves what it can of a read, and leaves the rest in `r->sectors`. True if all is served. */
static bool naive_read(const scene *s, naive_slice *n, uint64_t now, item *r, naive_way *way, bool absent) {
    uint8_t pending, hits, misses;
    look(absent ? NULL : way, r->sectors, false, &pending, &hits);
    misses = r->sectors & (uint8_t) ~(pending | hits);
    if (hits) {
        naive_cache_touch(&n->tags, way);
        if (r->updates) naive_cache_write(way, hits, ALL_WORDS);
        naive_reply(s, n, now, *r, hits);
        n->counters.hits += count_of(hits);
        r->sectors &= (uint8_t)~hits;
    }
    while (pending) {
        naive_entry *entry = find_entry(n, r->line, pending);
        if (!has_places(s, n, now, 2) || entry->waiting.count == s->l2.mshr_merges) return false;
        item part = *r;
        part.sectors = entry->sectors & pending;
        join(&entry->waiting, part);
        naive_cache_touch(&n->tags, way); /* as GPGPU-Sim's rd_miss_base does for a pending hit */
        n->counters.pending_hits += count_of(part.sectors);
        pending &= (uint8_t)~part.sectors;
        r->sectors &= (uint8_t)~part.sectors;
    }
    naive_entry *entry;
    while (misses && (entry = find_entry(n, r->line, misses))) { /* written while they are on their way */
        if (!has_places(s, n, now, 2) || entry->waiting.count == s->l2.mshr_merges) return false;
        item back = naive_take(n, way, r->line), part = *r;
        if (back.sectors) naive_to_dram(s, n, now, back);
        part.sectors = entry->sectors & misses;
        join(&entry->waiting, part);
        naive_cache_reserve(way, part.sectors);
        n->counters.misses += absent;
        n->counters.sector_misses += count_of(part.sectors) - absent;
        absent = false;
        misses &= (uint8_t)~part.sectors;
        r->sectors &= (uint8_t)~part.sectors;
        entry->way = way;
        n->overwritten++;
    }
    uint32_t used = weight_of(&n->data);
    for (uint32_t i = 0; i < n->entry_count; i++) used += count_of(n->entry[i].sectors);
    if (misses && (!has_places(s, n, now, 2) || used >= s->l2.mshr_entries)) return false;
    if (!misses) return true;
    n->counters.misses += absent;
    n->counters.sector_misses += count_of(misses) - absent;
    item back = naive_take(n, way, r->line), part = *r;
    naive_cache_reserve(way, misses);
    part.sectors = misses;
    part.weight = count_of(misses);
    part.also = 0;
    memmove(n->entry + 1, n->entry, n->entry_count++ * sizeof *n->entry);
    n->entry[0] = (naive_entry){.line = r->line, .sectors = misses, .way = way};
    join(&n->entry[0].waiting, part);
    naive_to_dram(s, n, now, part);
    if (back.sectors) naive_to_dram(s, n, now, back);
    r->sectors = 0;
    return true;
}

/* Serves a write. `*evicted`: the number of sectors that are read in order to be written back. */
static bool naive_write(const scene *s, naive_slice *n, uint64_t now, item *r, naive_way *way, bool absent,
                        uint32_t *evicted) {
    uint8_t pending, hits;
    look(absent ? NULL : way, r->sectors, true, &pending, &hits);
    if (hits != r->sectors && !has_places(s, n, now, 1)) return false;
    n->counters.hits += count_of(hits);
    n->counters.pending_hits += count_of(pending);
    n->counters.misses += absent;
    n->counters.sector_misses += count_of(r->sectors) - count_of(hits) - count_of(pending) - absent;
    item back = naive_take(n, way, r->line);
    if (back.sectors) naive_to_dram(s, n, now, back);
    *evicted = count_of(back.sectors);
    naive_cache_write(way, r->sectors, r->words);
    naive_reply(s, n, now, *r, r->sectors);
    r->sectors = 0;
    return true;
}

/* True if no request is served: as many replies as their queue holds have not come to the port, or do not leave it, or
 * the queue to memory is full, without those that are still in the miss queue. */
static bool is_blocked(const scene *s, const naive_slice *n, uint64_t now) {
    int64_t missing = n->misses_gone > now ? (int64_t)(n->misses_gone - now) : 0;
    return n->port_free >= now + 1 + (uint64_t)s->l2.queue ||
           weight_of(&n->replies) >= s->noc.in_buffer + s->l2.queue ||
           weight_of(&n->to_dram) - missing >= s->l2.queue;
}

/* Serves the request's sectors of one line. True if all of them are served. */
static bool naive_line(const scene *s, naive_slice *n, uint64_t now, item *r, uint32_t *cycles) {
    naive_way *way = naive_cache_find(&n->tags, r->line);
    bool absent = !way, done = false;
    if (absent) way = naive_cache_victim(&n->tags, r->line);
    uint32_t before = count_of(r->sectors), evicted = 0;
    if (way)
        done = r->kind == WS_PACKET_WRITE ? naive_write(s, n, now, r, way, absent, &evicted)
                                          : naive_read(s, n, now, r, way, absent);
    uint32_t served = before - count_of(r->sectors);
    n->counters.accesses += served;
    *cycles = cycles_for(s, served);
    if (evicted) *cycles += cycles_for(s, evicted) - 1;
    return done;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Lines of one request are served side by side, as if each were the only one: the tags and the miss queue are occupied
 * for as long as the slowest line needs. A line that cannot be served is where the request goes on later. */
static bool naive_lines(const scene *s, naive_slice *n, uint64_t now, item *r) {
    uint64_t gone = n->misses_gone, last = gone;
    for (n->tags_free = now;;) {
        uint32_t cycles;
        n->misses_gone = gone;
        bool done = naive_line(s, n, now, r, &cycles);
        n->tags_free = later(n->tags_free, now + cycles);
        last = n->misses_gone = later(last, n->misses_gone);
        if (!done || !r->also) return done;
        unsigned next = 0;
        while (!(r->also >> next & 1)) next++;
        r->line = r->line / WS_GROUP_LINES * WS_GROUP_LINES + next;
        r->also &= (uint8_t) ~(1u << next);
        r->sectors = ALL;
        r->serial = WS_NO_ENTRY; /* the L1's entry is that of the first line */
        n->beside++;
    }
}

/* A request comes to the queue in front of the tags after the delay, or behind earlier ones, one per cycle. */
static void naive_pass_delay(const scene *s, naive_slice *n, uint64_t now, item i) {
    i.weight = count_of(i.sectors);
    i.when = later(now + (uint64_t)s->l2.latency + 1, n->last_in + 1);
    n->last_in = i.when;
    join(&n->requests, i);
}

/* Lets a request leave the port, either whole or as one request per sector. */
static void naive_leave_port(const scene *s, naive_slice *n, uint64_t now) {
    item i = leave(&n->port);
    bool apart = s->l2.sectors_apart && i.whose == DATA && !i.also;
    for (int k = 0; apart && k < NAIVE_SECTORS; k++) {
        item sector = i;
        sector.sectors &= (uint8_t)(1 << k);
        sector.words &= UINT64_C(0xff) << 8 * k;
        if (sector.sectors) naive_pass_delay(s, n, now, sector);
        n->apart += sector.sectors != 0;
    }
    if (!apart) naive_pass_delay(s, n, now, i);
}

/* Lets a request leave the port if the queue behind the delay has room for any. */
static void naive_let_in(const scene *s, naive_slice *n, uint64_t now) {
    if (!n->port.count || n->port.at[0].when > now) return;
    uint32_t in_front = 0;
    for (uint32_t i = 0; i < n->requests.count; i++)
        if (n->requests.at[i].when <= now) in_front += n->requests.at[i].weight;
    if (in_front + 4 <= s->l2.queue) naive_leave_port(s, n, now);
}

static void naive_send_data(const scene *s, naive_slice *n, uint64_t now) {
    if (!n->data.count || n->data.at[0].when > now) return;
    item i = leave(&n->data);
    naive_reply(s, n, now, i, i.sectors);
}

static void naive_step(const scene *s, naive_slice *n, uint64_t now) {
    naive_let_in(s, n, now);
    naive_send_data(s, n, now);
    if (!n->requests.count || n->requests.at[0].when > now || n->tags_free > now) return;
    if (n->requests.at[0].whose == OWNERS) { /* needs neither tags nor queues */
        join(&n->told, leave(&n->requests));
        n->tags_free = now + 1;
        return;
    }
    if (is_blocked(s, n, now)) return;
    if (n->failed) n->counters.retries += now - n->failed;
    bool done = naive_lines(s, n, now, &n->requests.at[0]);
    n->failed = done ? 0 : now;
    if (done) leave(&n->requests);
}

/* The data of an MSHR entry have come, for all who wait for them; it is free when the last one has them. */
static void naive_answer_all(naive_slice *n, uint64_t now, const naive_entry *entry) {
    for (uint32_t i = 0; i < entry->waiting.count; i++) naive_answer(n, now, entry->waiting.at[i]);
    n->data.at[n->data.count - 1].weight = count_of(entry->sectors);
}

static void naive_fill(naive_slice *n, uint64_t now, const item *read) {
    naive_entry *entry = find_entry(n, read->line, read->sectors);
    naive_way *way = entry->way->taken && entry->way->line == entry->line ? entry->way : NULL;
    n->lost += !way;
    if (way) naive_cache_fill(way, read->sectors);
    for (uint32_t i = 0; way && i < entry->waiting.count; i++) {
        const item *waiting = &entry->waiting.at[i];
        if (waiting->updates) naive_cache_write(way, waiting->sectors, ALL_WORDS);
    }
    naive_answer_all(n, now, entry);
    memmove(entry, entry + 1, (size_t)(n->entry + --n->entry_count - entry) * sizeof *entry);
}

/* Lets the first `data` of the data leave, as if there were no other replies. */
static void naive_go_ahead(const scene *s, naive_slice *n, uint32_t data) {
    while (data--) naive_send_data(s, n, n->data.at[0].when);
}

/* ---- both */

static uint32_t slices_of(const scene *s) {
    return (uint32_t)s->l2.slices_per_channel;
}

static item item_of(const ws_packet *p, uint64_t when) {
    return (item){.line = p->line,
                  .when = when,
                  .serial = p->load,
                  .kind = p->kind,
                  .whose = !p->special         ? DATA
                           : p->sm == WS_NO_SM ? BY_OWNER
                                               : OWNERS,
                  .sectors = p->sectors};
}

/* The owner of the partition slot notes what it is told. */
static void note(scene *s, uint32_t slice, uint32_t id, uint64_t when) {
    join(&s->told[slice], item_of(&s->engine.packets.at[id], when));
    ws_packet_free(&s->engine.packets, id);
}

static void asked(void *self, ws_engine *e, uint32_t slice, uint32_t id) {
    (void)e;
    note(self, slice, id, 0);
}

static void data(void *self, ws_engine *e, uint32_t id, uint64_t when) {
    note(self, e->packets.at[id].slice, id, when);
}

static void set_up(scene *s, uint64_t *random) {
    uint32_t slices = 1 + random_below(random, SLICES_MAX), sets = 1u << random_below(random, 3),
             ways = 1 + random_below(random, 4);
    s->gpu = (ws_gpu_params){.clusters = 1, .sms_per_cluster = 1};
    static const int64_t flits_B[] = {16, 40, 64, 1024};
    s->noc = (ws_noc_params){.flit_B = flits_B[random_below(random, 4)],
                             .replies = (int)random_below(random, 2),
                             .in_buffer = 1 + random_below(random, 6),
                             .out_buffer = REQUESTS_MAX,
                             .crossbar_speedup = 1};
    s->l2 = (ws_l2_params){.slices_per_channel = 1,
                           .interleave_B = 256,
                           .size_B = sets * ways * 128,
                           .ways = ways,
                           .line_B = 128,
                           .index = WS_INDEX_LINEAR,
                           .replacement = WS_REPLACE_LRU,
                           .mshr_entries = 1 + random_below(random, 12),
                           .mshr_merges = 1 + random_below(random, random_one_in(random, 3) ? 16 : 4),
                           .miss_queue = 2 + random_below(random, 5),
                           .latency = random_below(random, 5),
                           .port_B = random_one_in(random, 2) ? 32 : 16 << random_below(random, 5),
                           .queue = 4 + random_below(random, 8),
                           .sectors_apart = random_one_in(random, 2)};
    s->dram = (ws_dram_params){.channels = 1,
                               .latency = random_below(random, 4),
                               .queue = 1 + random_below(random, 12),
                               .return_queue = 1 + random_below(random, 12),
                               .banks = 1,
                               .near_banks = 1,
                               .bank_B = 128,
                               .row_B = 128,
                               .rows = 1};
    ws_engine *e = &s->engine;
    s->l1 = (ws_l1_params){.line_B = 128};
    s->owner = (ws_partition_slot){.asked = asked, .data = data};
    ws_address_map_init(&e->map, &s->l1, &s->l2, &s->dram); /* as if each slice had the whole memory */
    s->l2.slices_per_channel = slices;
    e->gpu = &s->gpu;
    e->noc = &s->noc;
    e->l2 = &s->l2;
    e->dram = &s->dram;
    e->l1 = &s->l1;
    e->partition_slot = random_one_in(random, 2) ? &s->owner : NULL;
    e->partition = s;
    e->slices_foresee = !e->partition_slot;
    e->dram_clock = ws_divisor_of(
        random_one_in(random, 3) ? WS_DRAM_CLOCK : WS_DRAM_CLOCK / 1000 * (300 + random_below(random, 2700)));
    e->sms_per_cluster = ws_divisor_of(1);
    e->channel_count = e->sm_count = e->cluster_count = 1;
    e->slice_count = slices;
    e->slices = calloc(slices, sizeof *e->slices);
    e->channels = calloc(1, sizeof *e->channels);
    assert_true(e->slices && e->channels && ws_packets_init(&e->packets) &&
                ws_agenda_init(&e->agenda, 1 + slices + 2 + 1) &&
                ws_network_init(&e->requests, 1, slices, true, &s->noc, &s->l2) &&
                ws_network_init(&e->replies, slices, 1, false, &s->noc, &s->l2));
    /* the test takes its place: it lets nothing in */
    e->channels[0] = (ws_channel){.tick = WS_NEVER, .full = true};
    for (uint32_t i = 0; i < slices; i++) {
        assert_true(ws_slice_init(e, &e->slices[i], i));
        s->naive[i].tags = naive_cache_new(sets, ways, WS_REPLACE_LRU, 1, 0);
    }
}

static void tear_down(scene *s) {
    ws_engine *e = &s->engine;
    for (uint32_t i = 0; i < e->slice_count; i++) ws_slice_free(&e->slices[i]);
    ws_network_free(&e->requests);
    ws_network_free(&e->replies);
    ws_agenda_free(&e->agenda);
    ws_packets_free(&e->packets);
    free(e->slices);
    free(e->channels);
}

/* Words of a line: of each sector all, none, or halves that complete each other. */
static uint64_t random_words(uint64_t *random) {
    static const uint64_t of_sector[] = {0xff, 0, 0x0f, 0xf0};
    uint64_t words = 0;
    for (int k = 0; k < NAIVE_SECTORS; k++) words |= of_sector[random_below(random, 4)] << 8 * k;
    return words;
}

/* Puts a request at the slice's port; it may leave from cycle `when` on. */
static void send(scene *s, uint64_t *random, uint32_t slice) {
    ws_engine *e = &s->engine;
    naive_slice *n = &s->naive[slice];
    ws_queue *port = &e->requests.out[slice].queue;
    if (port->count >= REQUESTS_MAX) return;
    static const enum ws_packet_kind kinds[] = {WS_PACKET_READ, WS_PACKET_READ, WS_PACKET_WRITE,
                                                WS_PACKET_ATOMIC};
    uint32_t lines = 3 * n->tags.sets * n->tags.ways, id = ws_packet_new(&e->packets);
    item i = {.line = random_below(random, lines),
              .when = e->now + 1 + random_below(random, 3),
              .serial = ++s->serial,
              .weight = 1,
              .kind = kinds[random_below(random, 4)],
              .sectors = (uint8_t)(1 + random_below(random, 15)),
              .words = random_words(random)};
    for (int k = 0; k < NAIVE_SECTORS; k++)
        if (!(i.sectors >> k & 1)) i.words &= ~(UINT64_C(0xff) << 8 * k);
    i.updates = i.kind == WS_PACKET_ATOMIC && random_one_in(random, 2);
    if (i.kind == WS_PACKET_READ && e->partition_slot && random_one_in(random, 4))
        i.whose = OWNERS + random_below(random, 2);
    if (i.kind == WS_PACKET_READ && i.whose == DATA && random_one_in(random, 3))
        i.also = (uint8_t)(random_below(random, 16) & ~(1u << i.line % WS_GROUP_LINES));
    if (n->port.count && n->port.at[n->port.count - 1].when > i.when)
        i.when = n->port.at[n->port.count - 1].when;
    e->packets.at[id] = (ws_packet){.line = i.line,
                                    .load = i.serial,
                                    .slice = (uint16_t)slice,
                                    .sm = i.whose == BY_OWNER ? WS_NO_SM : 0,
                                    .special = i.whose != DATA,
                                    .data_B = i.updates,
                                    .kind = i.kind & 3,
                                    .sectors = i.sectors,
                                    .also = i.also,
                                    .words = i.words};
    join(&n->port, i);
    if (random_one_in(random, 2) && ws_slice_foresees(e, &e->slices[slice], id, i.when)) {
        s->foreseen++;
        return;
    }
    assert_true(ws_queue_push(port, id, 1, i.when));
    if (port->count == 1) ws_wake_slice(e, slice, i.when + (uint64_t)s->l2.latency + 1);
}

/* The network takes a reply; a slice that waited for room in front of it has a turn in the next cycle. */
static void take_reply(scene *s, uint32_t slice) {
    ws_engine *e = &s->engine;
    ws_queue *port = &e->replies.in[slice].queue;
    if (!ws_queue_ready(port, e->now)) return;
    ws_packet_free(&e->packets, ws_queue_pop(port));
    ws_network_input *in = &e->replies.in[slice];
    if ((int32_t)port->weight <= in->told) {
        in->told = -1;
        ws_wake_slice(e, slice, e->now + 1);
    }
    leave(&s->naive[slice].replies);
}

static void enter_dram(scene *s, uint32_t slice) {
    ws_queue *from = &s->engine.slices[slice].to_dram;
    if (!ws_queue_ready(from, begun(s, s->engine.now) - 1)) return;
    assert_true(s->in_dram_count < ITEMS_MAX);
    uint32_t id = ws_queue_pop(from), at = s->in_dram_count++;
    s->in_dram[at].id = id;
    s->in_dram[at].slice = slice;
    s->in_dram[at].item = leave(&s->naive[slice].to_dram);
    if (s->engine.slices[slice].blocked) ws_wake_slice(&s->engine, slice, s->engine.now);
}

/* A slice learns in which cycle the data of a read come, some cycles before it or in it. */
static void leave_dram(scene *s, uint64_t *random, uint32_t at) {
    ws_engine *e = &s->engine;
    uint32_t id = s->in_dram[at].id, slice = s->in_dram[at].slice;
    item i = s->in_dram[at].item;
    list *coming = &s->coming[slice];
    s->in_dram[at] = s->in_dram[--s->in_dram_count];
    if (i.kind == WS_PACKET_WRITE_BACK) {
        ws_packet_free(&e->packets, id);
        return;
    }
    uint64_t last = coming->count ? coming->at[coming->count - 1].when : 0;
    i.when = e->now + (random_one_in(random, 2) ? random_below(random, 8) : 0);
    if (i.when < last) i.when = last;
    ws_slice_expect(e, &e->slices[slice], id, i.when);
    join(coming, i);
}

static void naive_data_come(scene *s, uint32_t slice) {
    list *coming = &s->coming[slice];
    while (coming->count && coming->at[0].when == s->engine.now) {
        item i = leave(coming);
        naive_fill(&s->naive[slice], s->engine.now, &i);
    }
}

static uint64_t words_of(uint8_t sectors) {
    uint64_t words = 0;
    for (int k = 0; k < NAIVE_SECTORS; k++) words |= (uint64_t)(sectors >> k & 1) * 0xff << 8 * k;
    return words;
}

static void compare_items(const ws_engine *e, const ws_queue *found, const list *expected) {
    assert_int_equal(found->count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const ws_queued *queued = ws_queue_behind(found, i);
        const ws_packet *p = &e->packets.at[queued->id];
        const item *x = &expected->at[i];
        assert_int_equal(queued->when, x->when);
        assert_int_equal(queued->weight, x->weight);
        assert_int_equal(p->line, x->line);
        assert_int_equal(p->sectors, x->sectors);
        assert_int_equal(p->kind, x->kind);
        assert_int_equal(p->load, x->serial);
        if (x->kind == WS_PACKET_READ) assert_int_equal(p->also, x->also);
        if (x->kind == WS_PACKET_WRITE) assert_int_equal(p->words & words_of(p->sectors), x->words);
    }
}

static void compare_sent(const ws_engine *e, const ws_slice *found, const list *expected) {
    assert_int_equal(found->to_dram.count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const ws_queued *sent = ws_queue_behind(&found->to_dram, i);
        const item *x = &expected->at[i];
        bool writes = x->kind == WS_PACKET_WRITE_BACK;
        const ws_mshr_entry *entry = writes ? NULL : &found->mshr.entry[sent->id];
        const ws_packet *p = &e->packets.at[writes ? sent->id : entry->first];
        assert_int_equal(sent->when, x->when);
        assert_int_equal(sent->weight, x->weight);
        assert_int_equal(sent->where, writes ? WS_DRAM_WRITE_BACK : WS_DRAM_FETCH);
        assert_int_equal(writes ? p->line : entry->line, x->line);
        assert_int_equal(writes ? p->sectors : entry->sectors, x->sectors);
        assert_int_equal(p->kind, x->kind);
        if (writes)
            assert_int_equal(p->data_B, count_of(x->sectors));
        else
            assert_int_equal(p->load, x->serial);
    }
}

static void compare_told(list *found, list *expected) {
    assert_int_equal(found->count, expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        const item *f = &found->at[i], *x = &expected->at[i];
        assert_int_equal(f->whose, x->whose);
        assert_int_equal(f->serial, x->serial);
        if (x->whose == OWNERS) continue;
        assert_int_equal(f->line, x->line);
        assert_int_equal(f->sectors, x->sectors);
        assert_int_equal(f->when, x->when);
    }
    found->count = expected->count = 0;
}

/* While nobody else uses its port, a slice may take data and let them leave early: those that leave before a request of
 * the next cycle could be answered. The cycles are those in which the definition lets them come and leave later. */
static void compare_replies(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    const ws_queue *data = &e->slices[slice].data, *replies = &e->replies.in[slice].queue;
    const list *coming = &s->coming[slice];
    uint64_t latest = e->now + (e->partition_slot ? 0 : (uint64_t)s->l2.latency + 1);
    naive_slice *n = &s->naive[slice], *ahead = &s->ahead;
    copy_list(&ahead->data, &n->data);
    copy_list(&ahead->replies, &n->replies);
    ahead->port_free = n->port_free;
    ahead->data_last = n->data_last;
    assert_true(e->slices[slice].expected.count <= coming->count);
    uint32_t taken = coming->count - e->slices[slice].expected.count;
    for (uint32_t i = 0; i < taken; i++) {
        const item *read = &coming->at[i];
        assert_true(read->when <= latest);
        naive_answer_all(ahead, read->when, find_entry(n, read->line, read->sectors));
    }
    assert_true(data->count <= ahead->data.count);
    uint32_t early = ahead->data.count - data->count;
    if (early) assert_true(ahead->data.at[early - 1].when <= latest);
    naive_go_ahead(s, ahead, early);
    compare_items(e, data, &ahead->data);
    compare_items(e, replies, &ahead->replies);
}

/* A slice may know early of requests that will leave the port. The cycles are those in which the definition lets them
 * leave later, where there will be room for them. */
static void compare_requests(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    const ws_queue *port = &e->requests.out[slice].queue;
    naive_slice *n = &s->naive[slice], *ahead = &s->ahead;
    copy_list(&ahead->port, &n->port);
    copy_list(&ahead->requests, &n->requests);
    ahead->last_in = n->last_in;
    assert_true(port->count <= n->port.count);
    uint64_t now = e->now;
    while (ahead->port.count > port->count) {
        now = later(now + 1, ahead->port.at[0].when);
        naive_leave_port(s, ahead, now);
    }
    compare_items(e, port, &ahead->port);
    compare_items(e, &e->slices[slice].in, &ahead->requests);
}

static void compare(scene *s, uint32_t slice) {
    const ws_engine *e = &s->engine;
    naive_slice *n = &s->naive[slice];
    ws_slice_counters found = e->slices[slice].counters, expected = n->counters;
    ws_slice_let_in(&s->engine, &s->engine.slices[slice]); /* needed if the slice had no turn */
    compare_requests(s, slice);
    compare_replies(s, slice);
    n->told_all += n->told.count;
    compare_told(&s->told[slice], &n->told);
    compare_sent(e, &e->slices[slice], &n->to_dram);
    if (n->failed) found.retries = expected.retries = 0; /* counted when the request is served */
    assert_memory_equal(&found, &expected, sizeof found);
}

/* One cycle: memory, the slices, the network. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    ws_agenda_turns turns = ws_agenda_turns_now(&e->agenda);
    uint32_t part;
    for (uint32_t i = 0; i < slices_of(s); i++)
        if (random_one_in(random, 2)) enter_dram(s, i);
    if (s->in_dram_count && random_one_in(random, 2))
        leave_dram(s, random, random_below(random, s->in_dram_count));
    while (ws_agenda_take(&turns, &part))
        if (part > 0 && part <= slices_of(s)) ws_slice_step(e, &e->slices[part - 1]);
    for (uint32_t i = 0; i < slices_of(s); i++) {
        naive_data_come(s, i);
        naive_step(s, &s->naive[i], e->now);
        compare(s, i);
        if (random_one_in(random, 2)) take_reply(s, i);
        if (busy && random_one_in(random, 2)) send(s, random, i);
    }
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 3;
    ws_slice_counters all = {0};
    uint64_t beside = 0, told = 0, apart = 0, overwritten = 0, lost = 0, foreseen = 0;
    for (int round = 0; round < 120; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random);
        for (uint64_t now = 1; now < CYCLES; now++) {
            s->engine.now = s->engine.agenda.now = now;
            bool often = round % 2 || now % 40 < 14;     /* or in bursts, so that data meet new requests */
            cycle(s, &random, often && now % 500 < 400); /* then what is left is served */
        }
        assert_false(s->engine.failed);
        all.hits += s->naive[0].counters.hits;
        all.pending_hits += s->naive[0].counters.pending_hits;
        all.misses += s->naive[0].counters.misses;
        all.sector_misses += s->naive[0].counters.sector_misses;
        all.retries += s->naive[0].counters.retries;
        beside += s->naive[0].beside;
        told += s->naive[0].told_all;
        apart += s->naive[0].apart;
        overwritten += s->naive[0].overwritten;
        lost += s->naive[0].lost;
        foreseen += s->foreseen;
        tear_down(s);
        free(s);
    }
    assert_true(all.hits > 1000 && all.pending_hits > 1000 && all.misses > 1000 && all.sector_misses > 1000 &&
                all.retries > 1000 && beside > 1000 && told > 1000 && apart > 1000 && foreseen > 1000);
    assert_true(overwritten > 10 && lost > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
