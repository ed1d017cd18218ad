#include "timed/cache.h"

#include <stdlib.h>
#include <string.h>

enum { NO_NEIGHBOUR = UINT16_MAX };

/* ---- life */

bool ws_cache_init(ws_cache *c, uint32_t sets, uint32_t ways, enum ws_set_index index,
                   enum ws_replacement replacement, double dirty_percent) {
    *c = (ws_cache){.sets = sets, .ways = ways, .index = index, .replacement = replacement};
    size_t lines = (size_t)sets * ways, buckets = 16;
    while (buckets < 2 * lines) buckets *= 2;
    c->bucket_mask = (uint32_t)buckets - 1;
    c->dirty_limit = (uint32_t)(dirty_percent / 100 * (double)lines);
    c->bucket = calloc(buckets, sizeof *c->bucket);
    c->set = calloc(sets, sizeof *c->set);
    c->order = calloc(lines, sizeof *c->order);
    c->lines = calloc(lines, sizeof *c->lines);
    if (!c->bucket || !c->set || !c->order || !c->lines) return false;
    for (uint32_t at = 0; at < lines; at++) {
        uint32_t way = at % ways;
        c->lines[at].line = WS_NO_LINE;
        c->order[at].older = way ? (uint16_t)(way - 1) : NO_NEIGHBOUR;
        c->order[at].newer = way + 1 < ways ? (uint16_t)(way + 1) : NO_NEIGHBOUR;
    }
    for (uint32_t i = 0; i < sets; i++) c->set[i].newest = (uint16_t)(ways - 1);
    return true;
}

void ws_cache_free(ws_cache *c) {
    free(c->bucket);
    free(c->set);
    free(c->order);
    free(c->lines);
    *c = (ws_cache){0};
}

/* ---- look-up */

uint32_t ws_cache_find(const ws_cache *c, uint64_t line) {
    uint32_t at = c->bucket[ws_cache_bucket(c, line)];
    while (at && c->lines[at - 1].line != line) at = c->lines[at - 1].chain;
    return at ? at - 1 : WS_NO_WAY;
}

uint32_t ws_cache_victim(const ws_cache *c, uint64_t set_line) {
    uint32_t index = ws_set_of(c->index, set_line, c->sets), first = index * c->ways;
    const ws_cache_set *set = &c->set[index];
    if (set->waiting == c->ways) return WS_NO_WAY;
    for (uint32_t way = set->oldest; way != NO_NEIGHBOUR; way = c->order[first + way].newer) {
        const ws_cache_line *l = &c->lines[first + way];
        if (!l->reserved && (!l->dirty || c->dirty_lines >= c->dirty_limit)) return first + way;
    }
    return WS_NO_WAY;
}

enum ws_probe ws_cache_probe(const ws_cache *c, uint64_t line, uint64_t set_line, uint8_t sectors,
                             bool is_write, uint32_t *way) {
    *way = ws_cache_find(c, line);
    if (*way == WS_NO_WAY) {
        *way = ws_cache_victim(c, set_line);
        return *way == WS_NO_WAY ? WS_PROBE_FULL : WS_PROBE_MISS;
    }
    const ws_cache_line *l = &c->lines[*way];
    if (l->reserved & sectors) return WS_PROBE_PENDING;
    uint8_t usable = is_write ? l->valid : l->valid & (uint8_t)~l->unreadable;
    return (usable & sectors) == sectors ? WS_PROBE_HIT : WS_PROBE_SECTOR_MISS;
}

/* ---- order of replacement */

static void unlink_way(ws_cache_set *set, ws_cache_order *order, uint32_t way) {
    ws_cache_order o = order[way];
    *(o.older == NO_NEIGHBOUR ? &set->oldest : &order[o.older].newer) = o.newer;
    *(o.newer == NO_NEIGHBOUR ? &set->newest : &order[o.newer].older) = o.older;
}

static void make_newest(ws_cache *c, uint32_t at) {
    ws_cache_set *set = &c->set[at / c->ways];
    uint32_t way = at % c->ways;
    if (set->newest == way) return;
    ws_cache_order *order = &c->order[at - way];
    unlink_way(set, order, way);
    order[way] = (ws_cache_order){.older = set->newest, .newer = NO_NEIGHBOUR};
    order[set->newest].newer = (uint16_t)way;
    set->newest = (uint16_t)way;
}

static void make_oldest(ws_cache *c, uint32_t at) {
    ws_cache_set *set = &c->set[at / c->ways];
    uint32_t way = at % c->ways;
    if (set->oldest == way) return;
    ws_cache_order *order = &c->order[at - way];
    unlink_way(set, order, way);
    order[way] = (ws_cache_order){.older = NO_NEIGHBOUR, .newer = set->oldest};
    order[set->oldest].older = (uint16_t)way;
    set->oldest = (uint16_t)way;
}

void ws_cache_touch(ws_cache *c, uint32_t way) {
    if (c->replacement == WS_REPLACE_LRU) make_newest(c, way);
}

/* ---- changes */

/* Takes the line out of its hash bucket. */
static void forget(ws_cache *c, uint32_t at) {
    ws_cache_line *l = &c->lines[at];
    uint32_t *bucket = &c->bucket[ws_cache_bucket(c, l->line)];
    if (*bucket == at + 1) {
        *bucket = l->chain;
    } else {
        ws_cache_line *before = &c->lines[*bucket - 1];
        while (before->chain != at + 1) before = &c->lines[before->chain - 1];
        before->chain = l->chain;
    }
    c->dirty_lines -= l->dirty != 0;
    c->set[at / c->ways].waiting -= l->reserved != 0;
    l->line = WS_NO_LINE;
}

static void clear_state(ws_cache_line *l) {
    l->valid = l->reserved = l->dirty = l->unreadable = 0;
    l->dirty_fill = 0;
}

void ws_cache_replace(ws_cache *c, uint32_t way, uint64_t line, ws_cache_line *victim) {
    ws_cache_line *l = &c->lines[way];
    *victim = *l;
    if (l->line != WS_NO_LINE) forget(c, way);
    clear_state(l);
    l->line = line;
    uint32_t *bucket = &c->bucket[ws_cache_bucket(c, line)];
    l->chain = *bucket & 0xffffffu;
    *bucket = way + 1;
    make_newest(c, way);
}

void ws_cache_invalidate(ws_cache *c, uint32_t way) {
    forget(c, way);
    clear_state(&c->lines[way]);
    make_oldest(c, way);
}

void ws_cache_reserve(ws_cache *c, uint32_t way, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    if (l->dirty && !(l->dirty & ~sectors)) c->dirty_lines--;
    if (!l->reserved) c->set[way / c->ways].waiting++;
    l->reserved |= sectors;
    l->valid &= (uint8_t)~sectors;
    l->dirty_fill |= l->dirty & sectors; /* written bytes stay when the rest arrives */
    l->dirty &= (uint8_t)~sectors;
    l->unreadable &= (uint8_t)~sectors;
}

void ws_cache_fill(ws_cache *c, uint32_t way, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    bool waited = l->reserved != 0;
    l->reserved &= (uint8_t)~sectors;
    if (waited && !l->reserved) c->set[way / c->ways].waiting--;
    l->valid |= sectors;
    uint8_t dirty = l->dirty_fill & sectors;
    if (dirty && !l->dirty) c->dirty_lines++;
    l->dirty |= dirty;
    l->dirty_fill &= (uint8_t)~sectors;
}

void ws_cache_write(ws_cache *c, uint32_t way, uint8_t sectors, uint8_t full) {
    ws_cache_line *l = &c->lines[way];
    uint8_t pending = l->reserved & sectors, now = sectors & (uint8_t)~pending;
    l->dirty_fill |= pending;
    if (now && !l->dirty) c->dirty_lines++;
    uint8_t fresh =
        now & (uint8_t)~l->valid; /* a sector written part by part becomes readable only when full */
    l->unreadable |= fresh & (uint8_t)~full;
    l->unreadable &= (uint8_t)~full;
    l->valid |= now;
    l->dirty |= now;
}
