#include "timed/cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- life */

bool ws_cache_init(ws_cache *c, uint32_t sets, uint32_t ways, enum ws_set_index index,
                   enum ws_replacement replacement, double dirty_percent) {
    *c = (ws_cache){.sets = sets, .ways = ways, .index = index, .replacement = replacement};
    size_t lines = (size_t)sets * ways, buckets = 16;
    while (buckets < 2 * lines) buckets *= 2;
    c->bucket_mask = (uint32_t)buckets - 1;
    c->dirty_limit = (uint32_t)(dirty_percent / 100 * (double)lines);
    c->bucket = calloc(buckets, sizeof *c->bucket);
    c->waiting = calloc(sets, sizeof *c->waiting);
    c->oldest = calloc(sets, sizeof *c->oldest);
    c->newest = calloc(sets, sizeof *c->newest);
    c->lines = calloc(lines, sizeof *c->lines);
    if (!c->bucket || !c->waiting || !c->oldest || !c->newest || !c->lines) return false;
    ws_cache_clear(c);
    return true;
}

void ws_cache_free(ws_cache *c) {
    free(c->bucket);
    free(c->waiting);
    free(c->oldest);
    free(c->newest);
    free(c->lines);
    *c = (ws_cache){0};
}

void ws_cache_clear(ws_cache *c) {
    memset(c->bucket, 0, ((size_t)c->bucket_mask + 1) * sizeof *c->bucket);
    c->dirty_lines = 0;
    for (uint32_t set = 0; set < c->sets; set++) {
        uint32_t first = set * c->ways;
        for (uint32_t w = 0; w < c->ways; w++)
            c->lines[first + w] = (ws_cache_line){.older = w ? first + w - 1 : WS_NO_WAY,
                                                  .newer = w + 1 < c->ways ? first + w + 1 : WS_NO_WAY};
        c->waiting[set] = 0;
        c->oldest[set] = first;
        c->newest[set] = first + c->ways - 1;
    }
}

/* ---- look-up */

static uint32_t bucket_of(const ws_cache *c, uint64_t line) {
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & c->bucket_mask;
}

static uint32_t find(const ws_cache *c, uint64_t line) {
    uint32_t at = c->bucket[bucket_of(c, line)];
    while (at && c->lines[at - 1].line != line) at = c->lines[at - 1].chain;
    return at ? at - 1 : WS_NO_WAY;
}

/* The least recently used way that waits for no data; dirty ones only when enough are dirty. */
static uint32_t find_victim(const ws_cache *c, uint32_t set) {
    if (c->waiting[set] == c->ways) return WS_NO_WAY;
    for (uint32_t way = c->oldest[set]; way != WS_NO_WAY; way = c->lines[way].newer) {
        const ws_cache_line *l = &c->lines[way];
        if (!l->reserved && (!l->dirty || c->dirty_lines >= c->dirty_limit)) return way;
    }
    return WS_NO_WAY;
}

enum ws_probe ws_cache_probe(const ws_cache *c, uint64_t line, uint64_t set_line, uint8_t sectors,
                             bool is_write, uint32_t *way) {
    *way = find(c, line);
    if (*way == WS_NO_WAY) {
        *way = find_victim(c, ws_set_of(c->index, set_line, c->sets));
        return *way == WS_NO_WAY ? WS_PROBE_FULL : WS_PROBE_MISS;
    }
    const ws_cache_line *l = &c->lines[*way];
    if (l->reserved & sectors) return WS_PROBE_PENDING;
    uint8_t usable = is_write ? l->valid : l->valid & (uint8_t)~l->unreadable;
    return (usable & sectors) == sectors ? WS_PROBE_HIT : WS_PROBE_SECTOR_MISS;
}

/* ---- order of replacement */

static void unlink_way(ws_cache *c, uint32_t set, uint32_t way) {
    ws_cache_line *l = &c->lines[way];
    *(l->older == WS_NO_WAY ? &c->oldest[set] : &c->lines[l->older].newer) = l->newer;
    *(l->newer == WS_NO_WAY ? &c->newest[set] : &c->lines[l->newer].older) = l->older;
}

static void make_newest(ws_cache *c, uint32_t way) {
    uint32_t set = way / c->ways;
    if (c->newest[set] == way) return;
    unlink_way(c, set, way);
    c->lines[way].older = c->newest[set];
    c->lines[way].newer = WS_NO_WAY;
    c->lines[c->newest[set]].newer = way;
    c->newest[set] = way;
}

static void make_oldest(ws_cache *c, uint32_t way) {
    uint32_t set = way / c->ways;
    if (c->oldest[set] == way) return;
    unlink_way(c, set, way);
    c->lines[way].newer = c->oldest[set];
    c->lines[way].older = WS_NO_WAY;
    c->lines[c->oldest[set]].older = way;
    c->oldest[set] = way;
}

void ws_cache_touch(ws_cache *c, uint32_t way) {
    if (c->replacement == WS_REPLACE_LRU) make_newest(c, way);
}

/* ---- changes */

static void forget(ws_cache *c, uint32_t way) {
    uint32_t *at = &c->bucket[bucket_of(c, c->lines[way].line)];
    while (*at && *at != way + 1) at = &c->lines[*at - 1].chain;
    if (*at) *at = c->lines[way].chain;
    c->dirty_lines -= c->lines[way].dirty != 0;
    c->waiting[way / c->ways] -= c->lines[way].reserved != 0;
    c->lines[way].present = false;
}

static void clear_state(ws_cache_line *l) {
    l->valid = l->reserved = l->dirty = l->unreadable = l->dirty_fill = 0;
}

void ws_cache_replace(ws_cache *c, uint32_t way, uint64_t line, ws_cache_line *victim) {
    ws_cache_line *l = &c->lines[way];
    *victim = *l;
    if (l->present) forget(c, way);
    clear_state(l);
    l->line = line;
    l->present = true;
    uint32_t *bucket = &c->bucket[bucket_of(c, line)];
    l->chain = *bucket;
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
    if (!l->reserved) c->waiting[way / c->ways]++;
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
    if (waited && !l->reserved) c->waiting[way / c->ways]--;
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
