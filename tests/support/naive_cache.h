/* A naive twin of timed/cache.h, a set-associative cache with sectors: every way has the moments of its line's
 * arrival and last use, every sector its own state. Victims are found by comparing moments; lookups go through the
 * whole set. */
#ifndef WS_TESTS_NAIVE_CACHE_H
#define WS_TESTS_NAIVE_CACHE_H

#include "timed/cache.h"

enum { NAIVE_SECTORS = 4, NAIVE_WAYS_MAX = 16, NAIVE_SETS_MAX = 4 };

typedef struct naive_sector {
    bool there, coming, written;
    bool stays; /* it is written when it has come: it was so before it was asked for, or was written since */
    bool hole;  /* written in part, and the rest has not come; counts while it is written */
    uint8_t words; /* those written since then */
} naive_sector;

typedef struct naive_way {
    bool taken;
    uint64_t line;
    int64_t arrived, used;
    naive_sector sector[NAIVE_SECTORS];
} naive_way;

typedef struct naive_cache {
    uint32_t sets, ways, dirty_limit;
    uint32_t dirty; /* ways that have become dirty, less those that have been seen to be so no longer */
    enum ws_replacement replacement;
    int64_t now;
    bool together; /* what happens happens at the same time, until the caller moves `now` on */
    uint64_t random, draw;
    naive_way way[NAIVE_SETS_MAX][NAIVE_WAYS_MAX];
} naive_cache;

naive_cache naive_cache_new(uint32_t sets, uint32_t ways, enum ws_replacement replacement, uint64_t seed,
                            uint32_t dirty_limit);
naive_way *naive_cache_find(naive_cache *cache, uint64_t line);
/* The way that a miss takes; NULL if none of the set may be taken. */
naive_way *naive_cache_victim(naive_cache *cache, uint64_t line);
bool naive_cache_readable(const naive_sector *sector);
enum ws_probe naive_cache_probe(naive_cache *cache, uint64_t line, uint8_t sectors, bool is_write);
void naive_cache_touch(naive_cache *cache, naive_way *way);
void naive_cache_replace(naive_cache *cache, naive_way *way, uint64_t line);
void naive_cache_invalidate(naive_cache *cache, naive_way *way, uint8_t sectors);
void naive_cache_reserve(naive_cache *cache, naive_way *way, uint8_t sectors);
void naive_cache_fill(naive_cache *cache, naive_way *way, uint8_t sectors);
/* No sector is on its way any more, as no data are. */
void naive_cache_unreserve(naive_cache *cache);
/* Sectors of whatever line has the way count as written, and no sooner as readable. */
void naive_cache_mark(naive_cache *cache, naive_way *way, uint8_t sectors, uint64_t words);
/* `words`: those of the line that are written, bit 0 the lowest. */
void naive_cache_write(naive_cache *cache, naive_way *way, uint8_t sectors, uint64_t words);

#endif
