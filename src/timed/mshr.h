/* Miss status holding registers: who waits for which line or sector that is on its way. */
#ifndef WS_TIMED_MSHR_H
#define WS_TIMED_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#define WS_MSHR_NONE UINT32_MAX

enum { WS_MSHR_WAYS = (1 << 24) - 1 }; /* the highest that an entry holds */

/* 32 bytes, so that none lies in two memory lines: it is looked at again long after its request left. */
typedef struct ws_mshr_entry {
    uint64_t line;
    uint32_t first, last; /* requests that wait, linked by their owner through ws_packet.next */
    uint32_t load;        /* of an L1: the load that asked first */
    uint32_t chain;       /* the next one in its bucket, or the next free one: entry + 1, 0 = none */
    uint32_t way : 24;    /* of the cache, where the data go */
    uint32_t sectors : 8; /* that are on their way */
    uint32_t count : 24;  /* requests, the first included */
    uint32_t missing : 8; /* sectors that must still come */
} ws_mshr_entry;

typedef struct ws_mshr {
    uint32_t entries, merges, used; /* used: the sum of costs */
    uint32_t bucket_mask, *bucket;  /* by a hash of the line: entry + 1, 0 = none */
    ws_mshr_entry *entry;
    uint32_t free; /* entry + 1, 0 = none */
} ws_mshr;

bool ws_mshr_init(ws_mshr *mshr, uint32_t entries, uint32_t merges);
void ws_mshr_free(ws_mshr *mshr);

static inline uint32_t *ws_mshr_bucket(const ws_mshr *m, uint64_t line) {
    return &m->bucket[(uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & m->bucket_mask];
}
/* An entry for some of the line's `sectors`, or WS_MSHR_NONE. */
static inline uint32_t ws_mshr_find(const ws_mshr *m, uint64_t line, uint8_t sectors) {
    uint32_t at = *ws_mshr_bucket(m, line);
    while (at && !(m->entry[at - 1].line == line && m->entry[at - 1].sectors & sectors))
        at = m->entry[at - 1].chain;
    return at ? at - 1 : WS_MSHR_NONE;
}
static inline bool ws_mshr_is_full(const ws_mshr *mshr) {
    return mshr->used >= mshr->entries;
}
/* A new entry; the MSHRs are not full. Its cost is 1, or its sectors where each of them takes an entry. */
static inline uint32_t ws_mshr_take(ws_mshr *m, uint64_t line, uint8_t sectors, uint32_t way, uint32_t cost) {
    uint32_t at = m->free - 1;
    m->free = m->entry[at].chain;
    m->used += cost;
    uint32_t *bucket = ws_mshr_bucket(m, line);
    m->entry[at] = (ws_mshr_entry){.line = line,
                                   .chain = *bucket,
                                   .first = WS_MSHR_NONE,
                                   .last = WS_MSHR_NONE,
                                   .way = way & WS_MSHR_WAYS,
                                   .sectors = sectors,
                                   .missing = sectors};
    *bucket = at + 1;
    return at;
}

/* Gives it back at the same cost. */
static inline void ws_mshr_release(ws_mshr *m, uint32_t at, uint32_t cost) {
    uint32_t *link = ws_mshr_bucket(m, m->entry[at].line);
    while (*link != at + 1) link = &m->entry[*link - 1].chain;
    *link = m->entry[at].chain;
    m->entry[at].chain = m->free;
    m->free = at + 1;
    m->used -= cost;
}

#endif
