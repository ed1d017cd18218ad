#include "timed/mshr.h"

#include "timed/cache.h"

#include <stdlib.h>

enum { ENTRY_B = 32, WAY_MASK = (1 << 24) - 1 };
_Static_assert(sizeof(ws_mshr_entry) == ENTRY_B, "entries lie in one memory line each");
_Static_assert((int)WS_CACHE_LINES_MAX <= (int)WAY_MASK, "ways fit");

enum { SPARSE_ENTRIES_MAX = 64 };

/* Few entries are often all in use: four buckets for each keep the lists short. Of many, mostly much less are. */
bool ws_mshr_init(ws_mshr *m, uint32_t entries, uint32_t merges) {
    *m = (ws_mshr){.entries = entries, .merges = merges, .bucket_mask = 15};
    uint32_t least = entries <= SPARSE_ENTRIES_MAX ? 4 * entries : entries;
    while (m->bucket_mask + 1 < least) m->bucket_mask = 2 * m->bucket_mask + 1;
    m->bucket = calloc((size_t)m->bucket_mask + 1, sizeof *m->bucket);
    m->entry = aligned_alloc(ENTRY_B, entries * sizeof *m->entry);
    if (!m->bucket || !m->entry) return false;
    for (uint32_t i = 0; i < entries; i++) m->entry[i].chain = i + 1 < entries ? i + 2 : 0;
    m->free = 1;
    return true;
}

void ws_mshr_free(ws_mshr *m) {
    free(m->bucket);
    free(m->entry);
    *m = (ws_mshr){0};
}

uint32_t ws_mshr_take(ws_mshr *m, uint64_t line, uint8_t sectors, uint32_t way, uint32_t cost) {
    uint32_t at = m->free - 1;
    m->free = m->entry[at].chain;
    m->used += cost;
    uint32_t *bucket = ws_mshr_bucket(m, line);
    m->entry[at] = (ws_mshr_entry){.line = line,
                                   .chain = *bucket,
                                   .first = WS_MSHR_NONE,
                                   .last = WS_MSHR_NONE,
                                   .way = way & WAY_MASK,
                                   .sectors = sectors,
                                   .missing = sectors};
    *bucket = at + 1;
    return at;
}

void ws_mshr_release(ws_mshr *m, uint32_t at, uint32_t cost) {
    uint32_t *link = ws_mshr_bucket(m, m->entry[at].line);
    while (*link != at + 1) link = &m->entry[*link - 1].chain;
    *link = m->entry[at].chain;
    m->entry[at].chain = m->free;
    m->free = at + 1;
    m->used -= cost;
}
