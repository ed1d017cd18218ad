#include "naive_cache.h"

#include "random.h"

naive_cache naive_cache_new(uint32_t sets, uint32_t ways, enum ws_replacement replacement, uint64_t seed,
                            uint32_t dirty_limit) {
    naive_cache c = {
        .sets = sets, .ways = ways, .dirty_limit = dirty_limit, .replacement = replacement, .random = seed};
    c.draw = random_next(&c.random);
    for (uint32_t set = 0; set < sets; set++)
        for (uint32_t w = 0; w < NAIVE_WAYS_MAX; w++)
            c.way[set][w].used = c.way[set][w].arrived = (int64_t)w - NAIVE_WAYS_MAX;
    return c;
}

static naive_way *set_of(naive_cache *c, uint64_t line) {
    return c->way[line % c->sets];
}

naive_way *naive_cache_find(naive_cache *c, uint64_t line) {
    naive_way *set = set_of(c, line);
    for (uint32_t w = 0; w < c->ways; w++)
        if (set[w].taken && set[w].line == line) return &set[w];
    return NULL;
}

/* ---- victims */

static bool is_coming(const naive_way *w) {
    for (int i = 0; i < NAIVE_SECTORS; i++)
        if (w->sector[i].coming) return true;
    return false;
}

static bool is_written(const naive_way *w) {
    for (int i = 0; i < NAIVE_SECTORS; i++)
        if (w->sector[i].written) return true;
    return false;
}

/* True if the way may be evicted: no sector is in flight, and it is clean, or the cache has enough dirty ways. */
static bool may_go(const naive_cache *c, const naive_way *w) {
    return !is_coming(w) && (!is_written(w) || c->dirty >= c->dirty_limit);
}

/* The victim of plru: of two halves the one without the most recently used way, if any of its ways may be evicted, else
 * the other one; and so on within it. `places` is the number of ways rounded up to a power of two; those beyond the
 * ways of the set are never taken. */
static naive_way *unused_half(const naive_cache *c, naive_way *set, uint32_t first, uint32_t places) {
    if (places == 1) return &set[first];
    uint32_t last = first, half = places / 2;
    for (uint32_t w = first; w < first + places; w++)
        if (set[w].used > set[last].used) last = w;
    /* As long as none of these ways was used, the tree points to the left. */
    bool right = set[last].used >= 0 && last < first + half;
    uint32_t other = first + right * half, same = first + !right * half;
    for (uint32_t w = other; w < other + half && w < c->ways; w++)
        if (may_go(c, &set[w])) return unused_half(c, set, other, half);
    return unused_half(c, set, same, half);
}

naive_way *naive_cache_victim(naive_cache *c, uint64_t line) {
    naive_way *set = set_of(c, line), *allowed[NAIVE_WAYS_MAX], *found;
    uint32_t count = 0;
    bool ordered = c->replacement == WS_REPLACE_LRU || c->replacement == WS_REPLACE_FIFO;
    for (uint32_t w = 0; w < c->ways; w++) {
        if (may_go(c, &set[w])) allowed[count++] = &set[w];
        if (!ordered && !set[w].taken) return &set[w];
    }
    if (count == 0) return NULL;
    if (c->replacement == WS_REPLACE_PLRU) {
        uint32_t places = 1;
        while (places < c->ways) places *= 2;
        return unused_half(c, set, 0, places);
    }
    if (c->replacement == WS_REPLACE_RANDOM) return allowed[c->draw % count];
    found = allowed[0];
    for (uint32_t i = 1; i < count; i++)
        if (c->replacement == WS_REPLACE_LRU ? allowed[i]->used <= found->used
                                             : allowed[i]->arrived <= found->arrived)
            found = allowed[i];
    return found;
}

/* ---- look-up and changes */

bool naive_cache_readable(const naive_sector *s) {
    return s->there && !(s->hole && s->written);
}

enum ws_probe naive_cache_probe(naive_cache *c, uint64_t line, uint8_t sectors, bool is_write) {
    const naive_way *w = naive_cache_find(c, line);
    if (!w) return naive_cache_victim(c, line) ? WS_PROBE_MISS : WS_PROBE_FULL;
    bool all = true;
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        if (!(sectors >> i & 1)) continue;
        if (w->sector[i].coming) return WS_PROBE_PENDING;
        all &= is_write ? w->sector[i].there : naive_cache_readable(&w->sector[i]);
    }
    return all ? WS_PROBE_HIT : WS_PROBE_SECTOR_MISS;
}

void naive_cache_touch(naive_cache *c, naive_way *w) {
    w->used = c->now;
    c->now += !c->together;
}

void naive_cache_replace(naive_cache *c, naive_way *w, uint64_t line) {
    c->dirty -= is_written(w);
    *w = (naive_way){.taken = true, .line = line, .arrived = c->now, .used = c->now};
    c->now += !c->together;
    if (c->replacement == WS_REPLACE_RANDOM) c->draw = random_next(&c->random);
}

/* With lru and fifo an invalidated way becomes the next victim; the tree of plru still remembers when it was used. A
 * way with sectors that are in flight, or stay, keeps its line. */
void naive_cache_invalidate(naive_cache *c, naive_way *w, uint8_t sectors) {
    bool left = false, was_written = is_written(w);
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        naive_sector *s = &w->sector[i];
        if (sectors >> i & 1 && !s->coming) *s = (naive_sector){0};
        left |= s->coming || s->there;
    }
    c->dirty -= was_written && !is_written(w);
    if (left) return;
    int64_t used = c->replacement == WS_REPLACE_PLRU ? w->used : -1000 - c->now;
    *w = (naive_way){.used = used, .arrived = -1000 - c->now};
    c->now++;
}

/* What was written in part and is then asked for may still be completed by writing the rest. */
void naive_cache_reserve(naive_cache *c, naive_way *w, uint8_t sectors) {
    bool was_written = is_written(w);
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        naive_sector *s = &w->sector[i];
        if (!(sectors >> i & 1) || s->coming) continue;
        *s = (naive_sector){.coming = true, .stays = s->written, .words = s->hole ? s->words : 0};
    }
    c->dirty -= was_written && !is_written(w);
}

/* What has become clean is not counted out. A sector that was not awaited keeps its hole: it can be read as long as
 * nobody writes it. */
void naive_cache_fill(naive_cache *c, naive_way *w, uint8_t sectors) {
    bool was_written = is_written(w);
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        naive_sector *s = &w->sector[i];
        if (!(sectors >> i & 1)) continue;
        s->there = true;
        s->coming = false;
        s->written = s->stays;
        s->hole &= !s->stays;
    }
    c->dirty += !was_written && is_written(w);
}

void naive_cache_write(naive_cache *c, naive_way *w, uint8_t sectors, uint64_t words) {
    c->dirty += !is_written(w);
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        naive_sector *s = &w->sector[i];
        if (!(sectors >> i & 1)) continue;
        if (!s->there && !s->stays) s->words = 0;
        if (!s->there) s->hole = true;
        s->stays |= s->coming;
        s->coming = false; /* present from now on; its data still come */
        s->there = s->written = true;
        s->words |= (uint8_t)(words >> 8 * i);
        if (s->words == 0xff) s->hole = false;
    }
}

void naive_cache_mark(naive_cache *c, naive_way *w, uint8_t sectors, uint64_t words) {
    c->dirty += !is_written(w);
    for (int i = 0; i < NAIVE_SECTORS; i++) {
        if (!(sectors >> i & 1)) continue;
        w->sector[i].written = true;
        w->sector[i].words |= (uint8_t)(words >> 8 * i);
    }
}

void naive_cache_unreserve(naive_cache *c) {
    for (uint32_t set = 0; set < c->sets; set++)
        for (uint32_t w = 0; w < c->ways; w++)
            for (int i = 0; i < NAIVE_SECTORS; i++) c->way[set][w].sector[i].coming = false;
}
