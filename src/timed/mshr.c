#include "timed/mshr.h"

#include "timed/cache.h"

#include <stdlib.h>

enum { ENTRY_B = 32 };
_Static_assert(sizeof(ws_mshr_entry) == ENTRY_B, "entries lie in one memory line each");
_Static_assert((int)WS_CACHE_LINES_MAX <= (int)WS_MSHR_WAYS, "ways fit");

enum { SPARSE_ENTRIES_MAX = 64 };

/* If there are few entries, all are often in use: four buckets per entry keep the lists short. Of many entries, mostly
 * far fewer are in use. */
bool ws_mshr_init(ws_mshr *m, uint32_t entries, uint32_t merges) {
    uint32_t buckets = 16, least = entries <= SPARSE_ENTRIES_MAX ? 4 * entries : entries;
    while (buckets < least) buckets *= 2;
    *m = (ws_mshr){.entries = entries, .merges = merges, .hash_shift = 64 - (uint32_t)__builtin_ctz(buckets)};
    m->bucket = calloc(buckets, sizeof *m->bucket);
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
