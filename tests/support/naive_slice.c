#include "naive_slice.h"

/* True also of what an L1 writes back, which is not answered. */
static bool is_write(const naive_item *i) {
    return i->kind == WS_PACKET_WRITE || i->kind == WS_PACKET_WRITE_BACK;
}

static uint32_t weight_of(const naive_list *l) {
    uint32_t weight = 0;
    for (uint32_t i = 0; i < l->count; i++) weight += l->at[i].weight;
    return weight;
}

/* Returns what the request asks for of the first of the L2's lines that it needs. */
static naive_item first_part(const naive_slice *n, const naive_item *r) {
    naive_item part = *r;
    bool found = false;
    part.asked = r->line;
    part.sectors = 0;
    part.words = 0;
    for (uint32_t k = 0; k < n->l1_sectors; k++) {
        uint64_t sector = r->line * n->l1_sectors + k, within = sector % n->l2_sectors;
        if (!(r->sectors >> k & 1) || (found && sector / n->l2_sectors != part.line)) continue;
        found = true;
        part.line = sector / n->l2_sectors;
        part.sectors |= (uint8_t)(1 << within);
        part.words |= (r->words >> 8 * k & 0xff) << 8 * within;
    }
    return part;
}

/* Returns the request for just this part of a line of the L2. */
static naive_item as_asked(const naive_slice *n, const naive_item *part) {
    naive_item r = *part;
    r.line = part->asked;
    r.sectors = 0;
    r.words = 0;
    for (uint32_t within = 0; within < n->l2_sectors; within++) {
        if (!(part->sectors >> within & 1)) continue;
        uint64_t k = part->line * n->l2_sectors + within - part->asked * n->l1_sectors;
        r.sectors |= (uint8_t)(1 << k);
        r.words |= (part->words >> 8 * within & 0xff) << 8 * k;
    }
    return r;
}

/* True if the miss queue has room for `places` requests. They leave it one per cycle, the last one in cycle
 * misses_gone. */
static bool has_places(const ws_engine *e, const naive_slice *n, uint64_t now, int64_t places) {
    int64_t queued = n->misses_gone > now ? (int64_t)(n->misses_gone - now) : 0;
    return queued + places <= e->l2->miss_queue;
}

/* Returns the number of DRAM cycles that have begun by the end of a core cycle. */
uint64_t naive_begun(const ws_engine *e, uint64_t cycle) {
    return cycle * e->dram_clock.value / WS_DRAM_CLOCK + 1;
}

/* Returns the number of cycles in which the port passes `sectors` sectors, l2.port_B bytes in each, or what is left. */
static uint32_t cycles_for(const ws_engine *e, uint32_t sectors) {
    uint32_t cycles = 0;
    for (int64_t left = 32 * (int64_t)sectors; left > 0; left -= e->l2->port_B) cycles++;
    return cycles;
}

void naive_keep_misses(const ws_engine *e, naive_slice *n, uint64_t now) {
    int64_t kept = weight_of(&n->to_dram) - e->l2->queue;
    if (kept > 0) n->misses_gone = naive_later(n->misses_gone, now + (uint64_t)kept);
}

/* Sends a fetch or write-back to DRAM. It may enter the channel in the first DRAM cycle that begins two cycles after it
 * has left the miss queue. */
static void naive_to_dram(const ws_engine *e, naive_slice *n, uint64_t now, naive_item i) {
    uint64_t leaves = n->misses_gone > now ? n->misses_gone : now;
    i.when = naive_begun(e, leaves + 1);
    n->misses_gone = leaves + (i.kind == WS_PACKET_WRITE_BACK ? 1 : cycles_for(e, i.weight));
    naive_join(&n->to_dram, i);
    naive_keep_misses(e, n, now);
}

/* Returns the flits of a reply: 8 B and its data, as one packet or as one per sector. */
static uint32_t flits_of(const ws_engine *e, enum ws_packet_kind kind, uint32_t sectors) {
    bool lines = e->noc->replies == WS_REPLIES_LINES;
    uint32_t packets = lines ? 1 : sectors, data = 32 * sectors / packets, flits = 0;
    for (int64_t left = 8 + (kind == WS_PACKET_WRITE ? 0 : data); left > 0; left -= e->noc->flit_B) flits++;
    return packets * flits;
}

/* Ends the coalescer's entry of a read that is answered, and answers those that joined it at the same time. */
static void naive_reply_to_others(const ws_engine *e, naive_slice *n, const naive_item *answered) {
    uint32_t at = 0;
    while (at < n->read_count &&
           !(n->read[at].asks.serial == answered->serial && n->read[at].asks.line == answered->line &&
             n->read[at].asks.sectors == answered->sectors))
        at++;
    if (at == n->read_count) return;
    for (uint32_t i = 0; i < n->read[at].others.count; i++) {
        naive_item other = n->read[at].others.at[i];
        other.weight = flits_of(e, other.kind, 1);
        other.when = answered->when;
        other.tied = true;
        naive_join(&n->waiting, other);
        n->counters.merged++;
    }
    memmove(&n->read[at], &n->read[at + 1], (--n->read_count - at) * sizeof *n->read);
}

/* Replies to a request. The reply may come to the port from the next cycle on. */
static void naive_reply(const ws_engine *e, naive_slice *n, uint64_t now, naive_item i) {
    i.weight = flits_of(e, i.kind, naive_count(i.sectors));
    i.also = 0;
    i.when = now + 1;
    if (i.whose == BY_OWNER) {
        naive_join(&n->told, i);
        return;
    }
    naive_join(&n->waiting, i);
    naive_reply_to_others(e, n, &i);
}

/* Queues data from DRAM. They leave one after the other, from the cycle after their arrival on. */
static void naive_answer(naive_slice *n, uint64_t now, const naive_item *part) {
    naive_item i = as_asked(n, part);
    i.weight = i.also = 0;
    i.when = n->data_last = 1 + (n->data_last > now ? n->data_last : now);
    naive_join(&n->data, i);
}

/* Whether these data are for one who waits for the entry. */
static bool is_of(const naive_slice *n, const naive_item *data, const naive_entry *entry) {
    naive_item part = first_part(n, data);
    return part.line == entry->line && part.sectors & entry->sectors;
}

/* A request joins those that leave the entry: it is behind them, and before those that leave others. */
static void naive_answer_late(naive_slice *n, const naive_entry *entry, const naive_item *part) {
    uint32_t at = n->data.count;
    while (!is_of(n, &n->data.at[at - 1], entry)) at--;
    naive_item i = as_asked(n, part);
    i.weight = i.also = 0;
    naive_join(&n->data, i);
    memmove(&n->data.at[at + 1], &n->data.at[at], (n->data.count - 1 - at) * sizeof i);
    n->data.at[at] = i;
    n->data.at[at].when = 0;
    for (; at < n->data.count; at++)
        n->data.at[at].when = naive_later(n->data.at[at].when, n->data.at[at - 1].when + 1);
    n->data_last = n->data.at[n->data.count - 1].when;
    n->late++;
}

/* Has the request wait for the entry, or leave it behind others. */
static void naive_join_entry(naive_slice *n, naive_entry *entry, const naive_item *part) {
    if (entry->came) naive_answer_late(n, entry, part);
    naive_join(&entry->waiting, *part);
}

/* Gives the way to the line. Returns the write-back of the line that it held, without sectors if nothing was
 * written. */
static naive_item naive_take(naive_slice *n, naive_way *way, uint64_t line) {
    naive_item back = {.kind = WS_PACKET_WRITE_BACK, .weight = 1};
    if (way->taken && way->line == line) {
        naive_cache_touch(&n->tags, way);
        return back;
    }
    back.line = way->line;
    for (int k = 0; k < NAIVE_SECTORS; k++) back.sectors |= (uint8_t)(way->sector[k].written << k);
    naive_cache_replace(&n->tags, way, line);
    return back;
}

naive_entry *naive_find_entry(naive_slice *n, uint64_t line, uint8_t sectors) {
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
        else if (is_write ? sector->there : naive_cache_readable(sector))
            *hits |= (uint8_t)(1 << k);
    }
}

/* Serves what it can of a read, and leaves the rest in `r->sectors`. True if all is served. */
static bool naive_read(const ws_engine *e, naive_slice *n, uint64_t now, naive_item *r, naive_way *way,
                       bool absent) {
    uint8_t pending, hits, misses;
    look(absent ? NULL : way, r->sectors, false, &pending, &hits);
    misses = r->sectors & (uint8_t) ~(pending | hits);
    if (hits) {
        naive_cache_touch(&n->tags, way);
        if (r->updates) naive_cache_mark(&n->tags, way, hits, r->words);
        naive_item served = *r;
        served.sectors = hits;
        naive_reply(e, n, now, as_asked(n, &served));
        n->counters.hits += naive_count(hits);
        r->sectors &= (uint8_t)~hits;
    }
    while (pending) {
        naive_entry *entry = naive_find_entry(n, r->line, pending);
        if (!entry) break; /* their data came to a way that the line had before */
        if (!has_places(e, n, now, 2) || entry->waiting.count == e->l2->mshr_merges) return false;
        naive_item part = *r;
        part.sectors = entry->sectors & pending;
        naive_join_entry(n, entry, &part);
        naive_cache_touch(&n->tags, way); /* as GPGPU-Sim's rd_miss_base does for a pending hit */
        n->counters.pending_hits += naive_count(part.sectors);
        pending &= (uint8_t)~part.sectors;
        r->sectors &= (uint8_t)~part.sectors;
    }
    naive_entry *entry;
    while (misses && (entry = naive_find_entry(n, r->line, misses))) { /* gone while they are on their way */
        if (!has_places(e, n, now, 2) || entry->waiting.count == e->l2->mshr_merges) return false;
        naive_item back = naive_take(n, way, r->line), part = *r;
        if (back.sectors) naive_to_dram(e, n, now, back);
        part.sectors = entry->sectors & misses;
        naive_join_entry(n, entry, &part);
        naive_cache_reserve(&n->tags, way, part.sectors);
        n->counters.misses += absent;
        n->counters.sector_misses += naive_count(part.sectors) - absent;
        absent = false;
        misses &= (uint8_t)~part.sectors;
        r->sectors &= (uint8_t)~part.sectors;
        n->overwritten++;
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < n->entry_count; i++) used += naive_count(n->entry[i].sectors);
    uint8_t asked = misses | pending;
    if (asked && (!has_places(e, n, now, 2) || used >= e->l2->mshr_entries)) return false;
    if (!asked) return true;
    n->counters.misses += absent;
    n->counters.sector_misses += naive_count(misses) - absent;
    n->counters.pending_hits += naive_count(pending);
    naive_item back = naive_take(n, way, r->line), part = *r;
    naive_cache_reserve(&n->tags, way, asked);
    part.sectors = asked;
    part.weight = naive_count(asked);
    part.also = 0;
    memmove(n->entry + 1, n->entry, n->entry_count++ * sizeof *n->entry);
    n->entry[0] = (naive_entry){.line = r->line, .sectors = asked, .way = way};
    naive_join(&n->entry[0].waiting, part);
    naive_to_dram(e, n, now, part);
    if (back.sectors) naive_to_dram(e, n, now, back);
    r->sectors = 0;
    return true;
}

/* Serves a write. `*evicted`: the number of sectors that are read in order to be written back. */
static bool naive_write(const ws_engine *e, naive_slice *n, uint64_t now, naive_item *r, naive_way *way,
                        bool absent, uint32_t *evicted) {
    uint8_t pending, hits;
    look(absent ? NULL : way, r->sectors, true, &pending, &hits);
    if (hits != r->sectors && !has_places(e, n, now, 1)) return false;
    n->counters.hits += naive_count(hits);
    n->counters.pending_hits += naive_count(pending);
    n->counters.misses += absent;
    n->counters.sector_misses += naive_count(r->sectors) - naive_count(hits) - naive_count(pending) - absent;
    naive_item back = naive_take(n, way, r->line);
    if (back.sectors) naive_to_dram(e, n, now, back);
    *evicted = naive_count(back.sectors);
    naive_cache_write(&n->tags, way, r->sectors, r->words);
    if (r->kind == WS_PACKET_WRITE) naive_reply(e, n, now, as_asked(n, r));
    r->sectors = 0;
    return true;
}

static uint32_t replies_waiting(const naive_slice *n) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->waiting.count; i++) count += !n->waiting.at[i].tied;
    return count;
}

/* True if no request is served: the queue of replies is full, or that to memory, without those that are still in the
 * miss queue. */
static bool is_blocked(const ws_engine *e, const naive_slice *n, uint64_t now) {
    int64_t missing = n->misses_gone > now ? (int64_t)(n->misses_gone - now) : 0;
    return replies_waiting(n) >= e->l2->queue || weight_of(&n->to_dram) - missing >= e->l2->queue;
}

/* Serves sectors of one line of the L2. True if all of them are served. */
static bool naive_part(const ws_engine *e, naive_slice *n, uint64_t now, naive_item *r, uint32_t *cycles) {
    naive_way *way = naive_cache_find(&n->tags, r->line);
    bool absent = !way, done = false;
    if (absent) way = naive_cache_victim(&n->tags, r->line);
    if (!way && !n->entry_count) {
        naive_cache_unreserve(&n->tags);
        way = naive_cache_victim(&n->tags, r->line);
    }
    uint32_t before = naive_count(r->sectors), evicted = 0;
    if (way)
        done = is_write(r) ? naive_write(e, n, now, r, way, absent, &evicted)
                           : naive_read(e, n, now, r, way, absent);
    uint32_t served = before - naive_count(r->sectors);
    n->counters.accesses += served;
    *cycles = cycles_for(e, served);
    if (evicted) *cycles += cycles_for(e, evicted) - 1;
    return done;
}

/* Serves the request's sectors of one line of the L1: one line of the L2 after the other. True if all of them are
 * served. */
static bool naive_line(const ws_engine *e, naive_slice *n, uint64_t now, naive_item *r, uint32_t *cycles) {
    *cycles = 0;
    for (uint32_t parts = 0; r->sectors; parts++) {
        naive_item part = first_part(n, r);
        naive_item asks = as_asked(n, &part);
        uint32_t of_part;
        bool done = naive_part(e, n, now, &part, &of_part);
        *cycles += of_part;
        r->sectors =
            (r->sectors & (uint8_t)~asks.sectors) | as_asked(n, &part).sectors; /* those that are left */
        if (!done) return false;
        r->words &= ~asks.words;
        n->several += parts > 0;
    }
    return true;
}

/* Lines of one request are served side by side, as if each were the only one: the tags and the miss queue are occupied
 * for as long as the slowest line needs. A line that cannot be served is where the request goes on later. */
static bool naive_lines(const ws_engine *e, naive_slice *n, uint64_t now, naive_item *r) {
    uint64_t gone = n->misses_gone, last = gone;
    for (n->tags_free = now;;) {
        uint32_t cycles;
        n->misses_gone = gone;
        bool done = naive_line(e, n, now, r, &cycles);
        n->tags_free = naive_later(n->tags_free, now + cycles);
        last = n->misses_gone = naive_later(last, n->misses_gone);
        if (!done || !r->also) return done;
        unsigned next = 0;
        while (!(r->also >> next & 1)) next++;
        r->line = r->line / WS_GROUP_LINES * WS_GROUP_LINES + next;
        r->also &= (uint8_t) ~(1u << next);
        r->sectors = (uint8_t)((1u << n->l1_sectors) - 1);
        r->serial = WS_NO_ENTRY; /* the L1's entry is that of the first line */
        n->beside++;
    }
}

/* A request comes to the queue in front of the tags after the delay, or behind earlier ones, one per cycle. */
static void naive_pass_delay(const ws_engine *e, naive_slice *n, uint64_t now, naive_item i) {
    i.weight = naive_count(i.sectors);
    i.when = naive_later(now + (uint64_t)e->l2->latency + 1, n->last_in + 1);
    n->last_in = i.when;
    naive_join(&n->requests, i);
}

/* Has a request for one sector join an earlier one for it, if there is one with room. If not, others may join it. */
static bool naive_joins(const ws_engine *e, naive_slice *n, const naive_item *i) {
    if (!e->l2->lrc_entries || is_write(i) || i->updates) return false;
    for (uint32_t k = 0; k < n->read_count; k++) {
        naive_read_entry *entry = &n->read[k];
        if (entry->asks.line != i->line || entry->asks.sectors != i->sectors ||
            entry->others.count + 1 >= e->l2->lrc_merges)
            continue;
        naive_join(&entry->others, *i);
        return true;
    }
    assert_true(n->read_count < e->l2->lrc_entries);
    n->read[n->read_count++] = (naive_read_entry){.asks = *i};
    return false;
}

/* Lets a request leave the port, either whole or as one request per sector. */
void naive_leave_port(const ws_engine *e, naive_slice *n, uint64_t now) {
    naive_item i = naive_leave(&n->port);
    bool apart = e->l2->sectors_apart && i.whose == DATA && !i.also;
    for (int k = 0; apart && k < NAIVE_SECTORS; k++) {
        naive_item sector = i;
        sector.sectors &= (uint8_t)(1 << k);
        sector.words &= UINT64_C(0xff) << 8 * k;
        if (sector.sectors && !naive_joins(e, n, &sector)) naive_pass_delay(e, n, now, sector);
        n->apart += sector.sectors != 0;
    }
    if (!apart) naive_pass_delay(e, n, now, i);
}

/* Lets a request leave the port if the queue behind the delay has room for any, and the coalescer for more. */
static void naive_let_in(const ws_engine *e, naive_slice *n, uint64_t now) {
    if (!n->port.count || n->port.at[0].when > now) return;
    if (e->l2->lrc_entries && n->read_count + n->l1_sectors >= e->l2->lrc_entries) return;
    uint32_t in_front = 0;
    for (uint32_t i = 0; i < n->requests.count; i++)
        if (n->requests.at[i].when <= now) in_front += n->requests.at[i].weight;
    if (in_front + 4 <= e->l2->queue) naive_leave_port(e, n, now);
}

static void naive_send_data(const ws_engine *e, naive_slice *n, uint64_t now) {
    if (!n->data.count || n->data.at[0].when > now) return;
    naive_item i = naive_leave(&n->data), part = first_part(n, &i);
    naive_entry *entry = naive_find_entry(n, part.line, part.sectors);
    if (entry && --entry->waiting.count == 0)
        memmove(entry, entry + 1, (size_t)(n->entry + --n->entry_count - entry) * sizeof *entry);
    naive_reply(e, n, now, i);
}

/* A reply comes to the port, if that has room for it, or is empty. */
void naive_move_up(const ws_engine *e, naive_slice *n, uint64_t now) {
    if (!n->waiting.count || n->waiting.at[0].when > now) return;
    if (n->replies.count && weight_of(&n->replies) + n->waiting.at[0].weight > e->noc->in_buffer) return;
    do {
        naive_item i = naive_leave(&n->waiting);
        i.when = now;
        naive_join(&n->replies, i);
    } while (n->waiting.count && n->waiting.at[0].tied);
}

void naive_step(const ws_engine *e, naive_slice *n, uint64_t now) {
    naive_keep_misses(e, n, now);
    naive_move_up(e, n, now);
    naive_let_in(e, n, now);
    naive_send_data(e, n, now);
    if (!n->requests.count || n->requests.at[0].when > now || n->tags_free > now) return;
    if (n->requests.at[0].whose == OWNERS) { /* needs neither tags nor queues */
        naive_join(&n->told, naive_leave(&n->requests));
        n->tags_free = now + 1;
        return;
    }
    if (is_blocked(e, n, now)) return;
    if (n->failed) n->counters.retries += now - n->failed;
    bool done = naive_lines(e, n, now, &n->requests.at[0]);
    if (done) {
        naive_leave(&n->requests);
        n->counters.stalls += n->failed != 0;
    }
    n->failed = done ? 0 : now;
}

/* The data of an MSHR entry have come, for all who wait for them. */
void naive_answer_all(naive_slice *n, uint64_t now, const naive_entry *entry) {
    for (uint32_t i = 0; i < entry->waiting.count; i++) naive_answer(n, now, &entry->waiting.at[i]);
}

void naive_fill(naive_slice *n, uint64_t now, const naive_item *read) {
    naive_entry *entry = naive_find_entry(n, read->line, read->sectors);
    naive_way *way = entry->way->taken ? entry->way : NULL; /* what line it has does not matter */
    n->lost += !way || way->line != entry->line;
    if (way) naive_cache_fill(&n->tags, way, read->sectors);
    const naive_item *waiting = entry->waiting.at;
    for (uint32_t i = 0; way && i < entry->waiting.count; i++)
        if (waiting[i].updates) naive_cache_mark(&n->tags, way, waiting[i].sectors, waiting->words);
    naive_answer_all(n, now, entry);
    entry->came = true;
}

/* Lets the first `data` of the data leave, as if there were no other replies. */
void naive_go_ahead(const ws_engine *e, naive_slice *n, uint32_t data) {
    while (data--) naive_send_data(e, n, n->data.at[0].when);
}
