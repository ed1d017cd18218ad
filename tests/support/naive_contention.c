#include "naive.h"

#include "random.h"
#include "replay/set_index.h"

#include <stdlib.h>
#include <string.h>

/* A way, with the moments (from 1) of its line's arrival and of the way's last use, by whichever line it held then. */
typedef struct way {
    bool there;
    uint64_t line, arrived, used;
    uint32_t warp;
} way;

static way *earliest(way *set, uint32_t ways, bool arrival) {
    way *found = set;
    for (uint32_t w = 0; w < ways; w++)
        if (arrival ? set[w].arrived < found->arrived : set[w].used < found->used) found = &set[w];
    return found;
}

/* The victim of plru: of two halves the one without the most recently used way, and so on within it. */
static way *unused_half(way *set, uint32_t ways) {
    if (ways == 1) return set;
    uint32_t last = 0;
    for (uint32_t w = 0; w < ways; w++)
        if (set[w].used > set[last].used) last = w;
    return unused_half(last < ways / 2 ? set + ways / 2 : set, ways / 2);
}

static way *victim_of(way *set, const naive_l1 *l1, uint64_t *random) {
    for (uint32_t w = 0; w < l1->ways; w++)
        if (!set[w].there) return &set[w];
    if (strcmp(l1->replacement, "plru") == 0) return unused_half(set, l1->ways);
    if (strcmp(l1->replacement, "random") == 0) return &set[random_next(random) % l1->ways];
    return earliest(set, l1->ways, strcmp(l1->replacement, "fifo") == 0);
}

naive_misses naive_contention(const stream *s, uint32_t warps_per_cta, const naive_l1 *l1, bool *missed,
                              bool *kept) {
    enum { SMS = 8 };
    naive_misses m = {0};
    uint64_t random[SMS];
    for (uint64_t sm = 0; sm < SMS; sm++) random[sm] = l1->seed << 32 | sm;
    way *all = calloc((size_t)SMS * l1->sets * l1->ways, sizeof *all);
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        if (missed) missed[i] = false;
        if (kept) kept[i] = false;
        uint32_t set_number = ws_set_of((enum ws_set_index)l1->index, s->line_address[r->line], l1->sets);
        way *set = all + ((size_t)r->sm * l1->sets + set_number) * l1->ways, *found = NULL;
        for (uint32_t w = 0; w < l1->ways; w++)
            if (set[w].there && set[w].line == r->line) found = &set[w];
        if (r->op != WS_MEMORY_LOAD && !l1->allocate) {
            bool stays = found && l1->evict && r->op == WS_MEMORY_STORE && r->local;
            if (stays) found->used = i + 1;
            if (stays && kept) kept[i] = true;
            if (found && l1->evict && !stays) found->there = false;
            continue;
        }
        m.accesses++;
        if (found) {
            found->used = i + 1;
            continue;
        }
        m.misses++;
        if (missed) missed[i] = true;
        way *victim = victim_of(set, l1, &random[r->sm]);
        if (victim->there) {
            bool same_cta = victim->warp / warps_per_cta == r->warp / warps_per_cta;
            m.by_type[victim->warp == r->warp ? 0 : same_cta ? 1 : 2]++;
        }
        *victim = (way){true, r->line, i + 1, i + 1, r->warp};
    }
    free(all);
    return m;
}
