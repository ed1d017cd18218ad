/* Tags of a set-associative cache with sectors, for L1 and L2 alike: what is present, what is on its way, what is
 * dirty, and who goes next. No data, no time: callers decide what an answer means. */
#ifndef WS_TIMED_CACHE_H
#define WS_TIMED_CACHE_H

#include "base/divisor.h"
#include "base/prefetch.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

/* Answers of a probe (FIELD's names: hit, pending hit, sector miss, miss). */
enum ws_probe {
    WS_PROBE_HIT,         /* all sectors asked for are there */
    WS_PROBE_PENDING,     /* one is on its way */
    WS_PROBE_SECTOR_MISS, /* the line has a way, a sector is absent */
    WS_PROBE_MISS,        /* the line is absent, and `way` is what it may take */
    WS_PROBE_FULL,        /* the line is absent, and every way of its set is waiting for data */
    WS_PROBE_COUNT
};

#define WS_NO_WAY UINT32_MAX

#define WS_NO_LINE UINT64_MAX

/* Small, because the tags of all SMs and slices are what the engine's speed depends on: 16 bytes. */
typedef struct ws_cache_line {
    uint64_t line;           /* address / line size; WS_NO_LINE: none */
    uint8_t valid;           /* sectors present */
    uint8_t reserved;        /* sectors on their way */
    uint8_t dirty;           /* sectors written, a subset of valid */
    uint8_t unreadable;      /* dirty sectors of which some byte was not written */
    uint32_t dirty_fill : 8; /* reserved sectors that were written meanwhile: dirty when they arrive */
    uint32_t chain : 24;     /* next in its hash bucket: way + 1, 0 = none */
} ws_cache_line;

enum { WS_CACHE_LINES_MAX = (1 << 24) - 2 };

/* A way's neighbours in its set's order of replacement, a ring in which the newest is followed by the oldest: ways
 * within the set. */
typedef struct ws_cache_order {
    uint16_t older, newer;
} ws_cache_order;

typedef struct ws_cache_set {
    uint16_t oldest; /* way within the set */
    ws_cache_order order[];
} ws_cache_set;

typedef struct ws_cache {
    uint32_t sets, ways, bucket_mask;
    enum ws_set_index index;
    enum ws_replacement replacement;
    uint32_t dirty_lines, dirty_limit; /* dirty lines are spared while fewer than this are dirty */
    /* By a hash of the line: way + 1, 0 = none. In two bytes where they do: it is these tables that are looked up all
     * over memory. */
    uint16_t *narrow;
    uint32_t *wide;
    void *set; /* ws_cache_set of set_B bytes each */
    size_t set_B;
    ws_divisor ways_of_set;
    ws_cache_line *lines; /* set after set */
    /* plru: per set a tree over so many leaves, the ways and what they lack to a power of two; a node's children are
     * 2 node and 2 node + 1, and it says which of them was used less recently. */
    uint32_t leaves;
    uint8_t *points;
    uint64_t random, draw; /* replacement random: its state; what the next victim follows from */
} ws_cache;

/* `sets` of any number (a power of two for every index but linear). `seed`: of random replacement. */
bool ws_cache_init(ws_cache *cache, uint32_t sets, uint32_t ways, enum ws_set_index index,
                   enum ws_replacement replacement, uint64_t seed, double dirty_percent);
void ws_cache_free(ws_cache *cache); /* also one whose init failed */

static inline uint32_t ws_cache_bucket(const ws_cache *c, uint64_t line) {
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & c->bucket_mask;
}
static inline uint32_t ws_cache_first(const ws_cache *c, uint32_t bucket) {
    return c->narrow ? c->narrow[bucket] : c->wide[bucket];
}

/* Tags are looked up all over memory; so who knows lines that will be looked up soon has them fetched: first where the
 * line's tag is, then the tag. */
static inline void ws_cache_fetch_bucket(const ws_cache *c, uint64_t line) {
    uint32_t bucket = ws_cache_bucket(c, line);
    ws_prefetch(c->narrow ? (const void *)&c->narrow[bucket] : &c->wide[bucket]);
}
static inline void ws_cache_fetch_tag(const ws_cache *c, uint64_t line) {
    uint32_t at = ws_cache_first(c, ws_cache_bucket(c, line));
    ws_prefetch(&c->lines[at ? at - 1 : 0]);
}

/* The way that holds the line, or WS_NO_WAY. */
static inline uint32_t ws_cache_find(const ws_cache *c, uint64_t line) {
    uint32_t at = ws_cache_first(c, ws_cache_bucket(c, line));
    while (at && c->lines[at - 1].line != line) at = c->lines[at - 1].chain;
    return at ? at - 1 : WS_NO_WAY;
}
/* The way that a line of this set may take, among those that wait for no data, dirty ones only when enough are dirty;
 * WS_NO_WAY when there is none. Empty ways come first; then lru: the least recently used one; fifo: the line that came
 * first; plru: the one that the tree points to, past halves in which no way may be taken; random: any. `set_line` is
 * what the set index is computed from (the line itself, or what is left of it within an L2 slice). */
uint32_t ws_cache_victim(const ws_cache *cache, uint64_t set_line);
/* Whether some set has only dirty lines, which are spared: it takes no other before more lines are dirty. */
bool ws_cache_spares_a_set(const ws_cache *cache);
/* Looks `sectors` of `line` up. Changes nothing. */
enum ws_probe ws_cache_probe(const ws_cache *cache, uint64_t line, uint64_t set_line, uint8_t sectors,
                             bool is_write, uint32_t *way);

/* Marks a way as just used. */
void ws_cache_touch(ws_cache *cache, uint32_t way);
/* Gives `way` to `line`, of which the sectors `reserved` are on their way and no other is there. What was there is in
 * `*victim` (valid = 0: nothing was). */
void ws_cache_replace(ws_cache *cache, uint32_t way, uint64_t line, uint8_t reserved, ws_cache_line *victim);
/* The line has `way`, which it had or may take, and is the newest; of its sectors `reserved` are on their way from now
 * on. What it replaced is in `*victim` (valid = dirty = 0: nothing). */
void ws_cache_take(ws_cache *cache, uint32_t way, uint64_t line, uint8_t reserved, ws_cache_line *victim);
/* The line leaves; while sectors of it are on their way, the others do. */
void ws_cache_invalidate(ws_cache *cache, uint32_t way);

/* All lines leave. Of one with sectors on their way the tag stays, as of a line that has none: they still come. */
void ws_cache_empty(ws_cache *cache);

void ws_cache_reserve(ws_cache *cache, uint32_t way, uint8_t sectors);
/* Reserved sectors have arrived. */
static inline void ws_cache_fill(ws_cache *c, uint32_t way, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    l->reserved &= (uint8_t)~sectors;
    l->valid |= sectors;
    uint8_t dirty = l->dirty_fill & sectors;
    if (dirty && !l->dirty) c->dirty_lines++;
    l->dirty |= dirty;
    l->dirty_fill &= (uint8_t)~sectors;
}

/* Sectors were written, those in `full` entirely. */
void ws_cache_write(ws_cache *cache, uint32_t way, uint8_t sectors, uint8_t full);

#endif
