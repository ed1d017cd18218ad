#include "naive.h"

#include "replay/set_index.h"

#include <stdlib.h>

/* A set, as ways with the moments of arrival and of last use. */
typedef struct way {
    bool there;
    uint64_t line, arrived, used;
    uint32_t warp;
} way;

static way *oldest_of(way *set, uint32_t ways, bool fifo) {
    way *oldest = set;
    for (uint32_t w = 0; w < ways; w++) {
        if (!set[w].there) return &set[w];
        if (fifo ? set[w].arrived < oldest->arrived : set[w].used < oldest->used) oldest = &set[w];
    }
    return oldest;
}

naive_misses naive_contention(const stream *s, uint32_t warps_per_cta, int index, uint32_t sets,
                              uint32_t ways, bool fifo, bool evict, bool allocate, bool *missed) {
    enum { SMS = 8 };
    naive_misses m = {0};
    way *all = calloc((size_t)SMS * sets * ways, sizeof *all);
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (missed) missed[i] = false;
        way *set = all + ((size_t)r->sm * sets +
                          ws_set_of((enum ws_set_index)index, s->line_address[r->line], sets)) *
                             ways;
        way *found = NULL;
        for (uint32_t w = 0; w < ways; w++)
            if (set[w].there && set[w].line == r->line) found = &set[w];
        if (r->op != WS_MEMORY_LOAD && !allocate) {
            if (found && evict) found->there = false;
            continue;
        }
        m.accesses++;
        if (found) {
            found->used = i;
            continue;
        }
        m.misses++;
        if (missed) missed[i] = true;
        way *victim = oldest_of(set, ways, fifo);
        if (victim->there) {
            bool same_cta = victim->warp / warps_per_cta == r->warp / warps_per_cta;
            m.by_type[victim->warp == r->warp ? 0 : same_cta ? 1 : 2]++;
        }
        *victim = (way){true, r->line, i, i, r->warp};
    }
    free(all);
    return m;
}
