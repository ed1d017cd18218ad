/* Miss status holding registers: which requests wait for which line or sectors that are on their way. Those of L1s and
 * of L2 slices, and the entries of the coalescers in front of the latter (memory/lrc.h). */
#ifndef WS_TIMED_MSHR_H
#define WS_TIMED_MSHR_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>

#define WS_MSHR_NONE UINT32_MAX

enum { WS_MSHR_WAYS = (1 << 24) - 1 }; /* the highest way that an entry can hold */

/* 32 bytes, so that none straddles two host memory lines: an entry is looked at again long after its request left. */
typedef struct ws_mshr_entry {
    uint64_t line;
    uint32_t first, last; /* list of the waiting requests, linked through ws_packet.next */
    union {
        uint32_t load; /* in an L1: the load that asked first */
        uint32_t asks; /* in front of an L2 (memory/lrc.h): the read that went on, which is not in the list */
    };
    uint32_t chain;       /* the next entry of its bucket or the next free one: entry + 1, 0 = none */
    uint32_t way : 24;    /* way of the cache that the data go to */
    uint32_t sectors : 8; /* sectors that the entry was made for */
    uint32_t count : 24;  /* number of requests, including the first */
    uint32_t missing : 8; /* sectors that are still to come */
} ws_mshr_entry;

typedef struct ws_mshr {
    uint32_t entries, merges, used; /* used: sum of the costs of the entries in use */
    uint32_t hash_shift, *bucket;   /* per hash of the line: entry + 1, 0 = none */
    ws_mshr_entry *entry;
    uint32_t free; /* first free entry + 1, 0 = none */
} ws_mshr;

bool ws_mshr_init(ws_mshr *mshr, uint32_t entries, uint32_t merges);
void ws_mshr_free(ws_mshr *mshr);

static inline uint32_t *ws_mshr_bucket(const ws_mshr *m, uint64_t line) {
    return &m->bucket[ws_hash(line, m->hash_shift)];
}
/* Returns an entry for some of the line's `sectors`, or WS_MSHR_NONE. */
static inline uint32_t ws_mshr_find(const ws_mshr *m, uint64_t line, uint8_t sectors) {
    uint32_t at = *ws_mshr_bucket(m, line);
    while (at && !(m->entry[at - 1].line == line && m->entry[at - 1].sectors & sectors))
        at = m->entry[at - 1].chain;
    return at ? at - 1 : WS_MSHR_NONE;
}
static inline bool ws_mshr_is_full(const ws_mshr *mshr) {
    return mshr->used >= mshr->entries;
}
/* Takes a free entry, for one request; the MSHRs must not be full. `cost` is 1 or, where each sector takes an entry,
 * the number of sectors. */
static inline uint32_t ws_mshr_take(ws_mshr *m, uint64_t line, uint8_t sectors, uint32_t way, uint32_t cost) {
    uint32_t at = m->free - 1;
    m->free = m->entry[at].chain;
    m->used += cost;
    uint32_t *bucket = ws_mshr_bucket(m, line);
    ws_mshr_entry *entry = &m->entry[at];
    entry->line = line;
    entry->chain = *bucket;
    entry->first = entry->last = WS_MSHR_NONE;
    entry->way = way & WS_MSHR_WAYS;
    entry->sectors = sectors;
    entry->count = 1;
    entry->missing = sectors;
    *bucket = at + 1;
    return at;
}

/* Releases the entry. `cost` must be what ws_mshr_take() was given, unless the caller corrects `used` itself. */
static inline void ws_mshr_release(ws_mshr *m, uint32_t at, uint32_t cost) {
    uint32_t *link = ws_mshr_bucket(m, m->entry[at].line);
    while (*link != at + 1) link = &m->entry[*link - 1].chain;
    *link = m->entry[at].chain;
    m->entry[at].chain = m->free;
    m->free = at + 1;
    m->used -= cost;
}

#endif
