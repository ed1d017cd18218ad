/* Tags of a set-associative cache with sectors, for L1s, L2 slices and instruction caches alike: which sectors are
 * present, on their way or dirty, and which line goes next. Knows neither data nor time: callers decide what an answer
 * means. */
#ifndef WS_TIMED_CACHE_H
#define WS_TIMED_CACHE_H

#include "base/divisor.h"
#include "base/hash.h"
#include "base/prefetch.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

/* Outcomes of a probe (FIELD's names: hit, pending hit, sector miss, miss). */
enum ws_probe {
    WS_PROBE_HIT,         /* all sectors asked for are present */
    WS_PROBE_PENDING,     /* at least one of them is on its way */
    WS_PROBE_SECTOR_MISS, /* the line has a way, but a sector is absent */
    WS_PROBE_MISS,        /* the line is absent, and may take `way` */
    WS_PROBE_FULL,        /* the line is absent, and no way of its set may be taken */
    WS_PROBE_COUNT
};

#define WS_NO_WAY UINT32_MAX

#define WS_NO_LINE UINT64_MAX

/* A line's tag. Only 16 bytes, because the engine's speed depends on the tags of all SMs and slices. */
typedef struct ws_cache_line {
    uint64_t line;           /* address / line size; WS_NO_LINE: none */
    uint8_t valid;           /* sectors present */
    uint8_t reserved;        /* sectors on their way */
    uint8_t dirty;           /* sectors written, a subset of valid */
    uint8_t unreadable;      /* of dirty sectors: those with a word that neither was written nor has come */
    uint32_t chain : 24;     /* next in its hash bucket: way + 1, 0 = none */
    uint32_t dirty_fill : 8; /* sectors that arrive dirty: written before, or while on their way */
} ws_cache_line;

/* Returns the sectors that can be read. */
static inline uint8_t ws_cache_readable(const ws_cache_line *line) {
    return line->valid & (uint8_t) ~(line->dirty & line->unreadable);
}

enum { WS_CACHE_LINES_MAX = (1 << 24) - 2, WS_CACHE_WAYS_MAX = UINT16_MAX };

/* A way's neighbours in its set's order of replacement, as ways within the set. The order is a ring, in which the
 * newest way is followed by the oldest. */
typedef struct ws_cache_order {
    uint16_t older, newer;
} ws_cache_order;

typedef struct ws_cache_set {
    uint64_t moment;       /* ws_cache.moment when a way was made the newest */
    uint16_t oldest;       /* way within the set */
    uint16_t simultaneous; /* number of ways, the newest ones, that were made so in that moment */
    ws_cache_order order[];
} ws_cache_set;

typedef struct ws_cache {
    uint32_t sets, ways, hash_shift;
    enum ws_set_index index;
    uint64_t indexed; /* mask of the bits of a line that its set is computed from */
    enum ws_replacement replacement;
    /* data may still come for sectors that are not reserved any more, since they were written */
    bool wrote_reserved;
    uint64_t moment;                   /* see ws_cache_set_moment(); 0: none */
    uint32_t dirty_lines, dirty_limit; /* dirty lines are no victims while fewer are dirty */
    /* Hash table from lines to ways: way + 1 of the first line of a bucket, 0 = none. `narrow` is used if 16 bits
     * suffice, else `wide`, because it is this table whose accesses go all over memory. */
    uint16_t *narrow;
    uint32_t *wide;
    void *set; /* per set a ws_cache_set, of set_B bytes */
    size_t set_B;
    ws_divisor ways_of_set;
    /* [sets * ways], set after set, behind an empty one: `linked` are the same lines counted from that one, as buckets
     * and chains count them */
    ws_cache_line *lines, *linked;
    uint64_t *written; /* per way: set of the words written; counts for unreadable sectors only */
    /* plru: per set a tree over `leaves` leaves, the number of ways rounded up to a power of two. The children of a
     * node are 2 node and 2 node + 1; `points` of a node says which of them was used less recently. */
    uint32_t leaves;
    uint8_t *points;
    /* replacement random: its state, and the number that the next victim follows from */
    uint64_t random, draw;
} ws_cache;

/* `sets` may be any number with index linear, and must be a power of two otherwise. `seed` is for random replacement.
 * `dirty_percent` of the lines must be dirty before a dirty line becomes a victim. False if out of memory. */
bool ws_cache_init(ws_cache *cache, uint32_t sets, uint32_t ways, enum ws_set_index index,
                   enum ws_replacement replacement, uint64_t seed, double dirty_percent);
void ws_cache_free(ws_cache *cache); /* accepts one whose init failed */

static inline uint32_t ws_cache_bucket(const ws_cache *c, uint64_t line) {
    return ws_hash(line, c->hash_shift);
}
static inline uint32_t ws_cache_first(const ws_cache *c, uint32_t bucket) {
    return c->narrow ? c->narrow[bucket] : c->wide[bucket];
}

/* Prefetches a line's tag for the host. Tag lookups go all over memory, so a caller does this that knows which lines
 * will be looked up soon. */
static inline void ws_cache_fetch_tag(const ws_cache *c, uint64_t line) {
    ws_prefetch(&c->linked[ws_cache_first(c, ws_cache_bucket(c, line))]);
}

static inline uint32_t ws_cache_set_of_way(const ws_cache *c, uint32_t way) {
    return (uint32_t)ws_quotient(way, c->ways_of_set);
}

/* Returns the way that holds the line, or WS_NO_WAY. Whether a bucket is empty cannot be foreseen, so the host is not
 * asked: the empty line is looked at instead, which has no successor. */
static inline uint32_t ws_cache_find(const ws_cache *c, uint64_t line) {
    uint32_t at = ws_cache_first(c, ws_cache_bucket(c, line));
    while (c->linked[at].line != line && (at = c->linked[at].chain) != 0) {
    }
    return at - 1;
}
/* Returns the way that a line of this set may take: one that waits for no data, and a dirty one only if enough lines
 * are dirty; WS_NO_WAY if there is none. Empty ways come first, then
 *   lru     the least recently used one
 *   fifo    the line that came first
 *   plru    the one that the tree points to, avoiding halves in which no way may be taken
 *   random  any
 * `set_line` is what the set index is computed from: the line itself, or what is left of it within an L2 slice. */
uint32_t ws_cache_victim(const ws_cache *cache, uint64_t set_line);
/* Returns whether some set has only dirty lines and so takes no other line before more lines are dirty. */
bool ws_cache_spares_a_set(const ws_cache *cache);
/* Looks up `sectors` of `line`. `*way`: the line's way or, if it has none, the way that it may take. Changes
 * nothing. */
enum ws_probe ws_cache_probe(const ws_cache *cache, uint64_t line, uint64_t set_line, uint8_t sectors,
                             bool is_write, uint32_t *way);

/* Says that what happens from now on happens in moment `moment` (not 0), such as a cycle. Of ways used in the same
 * moment the one in the highest place counts as the least recently used (GPGPU-Sim fills its ways from the other end,
 * and takes the first of those that were used in the same cycle). Without moments one thing happens after the other. */
static inline void ws_cache_set_moment(ws_cache *c, uint64_t moment) {
    c->moment = moment;
}

/* Marks sectors that are present as written, and their way as just used. ws_cache.written then holds the words written
 * since the line became dirty. */
void ws_cache_modify(ws_cache *cache, uint32_t way, uint8_t sectors, uint64_t words);

/* Marks a way as just used, if the replacement takes note of uses. */
void ws_cache_touch(ws_cache *cache, uint32_t way);
/* Gives `way` to `line`. Its sectors `reserved` are on their way, and no others are present. What the way held before
 * is lost: callers that need it look before. */
void ws_cache_replace(ws_cache *cache, uint32_t way, uint64_t line, uint8_t reserved);
/* Like ws_cache_replace(), but the line may have `way` already: then it is marked as just used, and `reserved` are on
 * their way from now on. */
void ws_cache_take(ws_cache *cache, uint32_t way, uint64_t line, uint8_t reserved);
/* Removes those of `sectors` that the line has. It gives up its way when none is left and none is on its way, as those
 * still need the tag. */
#define WS_ALL_SECTORS UINT8_MAX
void ws_cache_invalidate(ws_cache *cache, uint32_t way, uint8_t sectors);

/* Removes all lines. One with sectors on their way keeps its tag, but like a line that has none: they still come. */
void ws_cache_empty(ws_cache *cache);

/* To be called when no data are on their way to the cache. Sectors that are reserved all the same, as their data came
 * to a former way of their line, are so no longer, for what waits for a way of their sets would wait for ever
 * (GPGPU-Sim ends there). Returns whether there were any. */
bool ws_cache_unreserve(ws_cache *cache);

/* Marks sectors as on their way. What was written to them stays dirty when they arrive. */
void ws_cache_reserve(ws_cache *cache, uint32_t way, uint8_t sectors);
/* Notes which sectors are dirty of a line that has been written and of which `sectors` have arrived. */
void ws_cache_fill_written(ws_cache *cache, ws_cache_line *line, uint8_t sectors);
/* To be called when sectors of `line` that were reserved have arrived. Returns false if the line has lost its way
 * meanwhile, which can happen if they were written: then those of the line that has the way now count as arrived, as in
 * GPGPU-Sim (tag_array::fill), until they are written again: then those that were not awaited are as unreadable as
 * before. */
static inline bool ws_cache_fill(ws_cache *c, uint32_t way, uint64_t line, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    if (l->line == WS_NO_LINE) return false;
    l->reserved &= (uint8_t)~sectors;
    l->valid |= sectors;
    if (l->dirty || l->dirty_fill & sectors) ws_cache_fill_written(c, l, sectors);
    return l->line == line;
}

/* Marks sectors of whatever line has the way, if any, as written. They stay as unreadable as they are. */
void ws_cache_mark(ws_cache *cache, uint32_t way, uint8_t sectors, uint64_t words);

/* Marks sectors as written, present from now on even if their data are still on their way, as in GPGPU-Sim. `words`:
 * set of the line's 4-byte words that are written entirely. A sector that was absent can be read once its data have
 * come, or all of its words have been written (GPGPU-Sim: update_m_readable). */
void ws_cache_write(ws_cache *cache, uint32_t way, uint8_t sectors, uint64_t words);

#endif
