#include "analysis/contention.h"

#include <stdlib.h>
#include <string.h>

enum { SCANNED_MAX = 16, NODES_MIN = 1024, PLRU_MAX = 64 };

/* Lines of a set from the newest to the oldest; names are line + 1, 0 = none. */
typedef struct contention_node {
    uint32_t newer, older, warp, present;
} contention_node;

typedef struct contention_list {
    uint32_t newest, oldest, count;
} contention_list;

/* ---- life */

bool contention_cache_init(contention_cache *c, uint32_t sets, uint32_t ways,
                           enum contention_replacement replacement, uint64_t seed) {
    bool ordered = replacement == CONTENTION_LRU || replacement == CONTENTION_FIFO;
    *c = (contention_cache){.sets = sets,
                            .ways = ways,
                            .replacement = replacement,
                            .random = seed,
                            .linked = ordered && ways > SCANNED_MAX};
    if (c->linked) {
        c->lists = calloc(sets, sizeof *c->lists);
        return c->lists != NULL;
    }
    c->plru_bits = (uint32_t)__builtin_ctz(ways);
    c->tag = calloc((size_t)sets * ways, sizeof *c->tag);
    c->owner = malloc((size_t)sets * ways * sizeof *c->owner);
    c->tree = calloc(sets, sizeof *c->tree);
    return c->tag && c->owner && c->tree;
}

void contention_cache_free(contention_cache *c) {
    free(c->tag);
    free(c->owner);
    free(c->tree);
    free(c->nodes);
    free(c->lists);
    *c = (contention_cache){0};
}

/* ---- lists */

static bool reach(contention_cache *c, uint32_t line) {
    if (line < c->node_room) return true;
    size_t room = c->node_room ? c->node_room : NODES_MIN;
    while (room <= line) room *= 2;
    contention_node *nodes = realloc(c->nodes, room * sizeof *nodes);
    if (!nodes) return false;
    memset(nodes + c->node_room, 0, (room - c->node_room) * sizeof *nodes);
    c->nodes = nodes;
    c->node_room = (uint32_t)room;
    return true;
}

static void unlink_line(contention_cache *c, contention_list *list, uint32_t line) {
    contention_node *node = &c->nodes[line];
    *(node->newer ? &c->nodes[node->newer - 1].older : &list->newest) = node->older;
    *(node->older ? &c->nodes[node->older - 1].newer : &list->oldest) = node->newer;
    node->present = 0;
    list->count--;
}

static void link_newest(contention_cache *c, contention_list *list, uint32_t line) {
    contention_node *node = &c->nodes[line];
    node->newer = 0;
    node->older = list->newest;
    *(list->newest ? &c->nodes[list->newest - 1].newer : &list->oldest) = line + 1;
    list->newest = line + 1;
    node->present = 1;
    list->count++;
}

static bool access_linked(contention_cache *c, uint32_t set, uint32_t line, uint32_t warp,
                          contention_outcome *outcome, uint32_t *victim) {
    if (!reach(c, line)) return false;
    contention_list *list = &c->lists[set];
    *outcome = c->nodes[line].present ? CONTENTION_HIT : CONTENTION_MISS;
    if (*outcome == CONTENTION_HIT) {
        if (c->replacement == CONTENTION_LRU && list->newest != line + 1) {
            unlink_line(c, list, line);
            link_newest(c, list, line);
        }
        return true;
    }
    if (list->count == c->ways) {
        uint32_t oldest = list->oldest - 1;
        *victim = c->nodes[oldest].warp;
        unlink_line(c, list, oldest);
    }
    link_newest(c, list, line);
    c->nodes[line].warp = warp;
    return true;
}

/* ---- tags that are scanned */

static uint32_t find(const uint32_t *tag, uint32_t ways, uint32_t line) {
    uint32_t way = 0;
    while (way < ways && tag[way] != line + 1) way++;
    return way;
}

/* Moves the ways before `way` back by one and puts the line in front. */
static void put_first(uint32_t *tag, uint32_t *owner, uint32_t way, uint32_t line, uint32_t warp) {
    for (uint32_t w = way; w > 0; w--) {
        tag[w] = tag[w - 1];
        owner[w] = owner[w - 1];
    }
    tag[0] = line + 1;
    owner[0] = warp;
}

/* The newest first; what is empty stands behind. */
static contention_outcome access_ordered(contention_cache *c, uint32_t set, uint32_t line, uint32_t warp,
                                         uint32_t *victim) {
    uint32_t ways = c->ways, *tag = c->tag + (size_t)set * ways, *owner = c->owner + (size_t)set * ways;
    uint32_t way = find(tag, ways, line);
    if (way < ways) {
        if (c->replacement == CONTENTION_LRU) put_first(tag, owner, way, line, owner[way]);
        return CONTENTION_HIT;
    }
    if (tag[ways - 1]) *victim = owner[ways - 1];
    put_first(tag, owner, ways - 1, line, warp);
    return CONTENTION_MISS;
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Tree pseudo-LRU: the nodes on the way to a used way point away from it. */
static void plru_touch(contention_cache *c, uint32_t set, uint32_t way) {
    uint32_t node = 1;
    for (uint32_t level = c->plru_bits; level-- > 0;) {
        uint64_t right = way >> level & 1;
        c->tree[set] = (c->tree[set] & ~(UINT64_C(1) << node)) | (right ^ 1) << node;
        node = 2 * node + (uint32_t)right;
    }
}

static uint32_t plru_victim(const contention_cache *c, uint32_t set) {
    uint32_t node = 1;
    for (uint32_t level = 0; level < c->plru_bits; level++)
        node = 2 * node + (uint32_t)(c->tree[set] >> node & 1);
    return node - c->ways;
}

static contention_outcome access_placed(contention_cache *c, uint32_t set, uint32_t line, uint32_t warp,
                                        uint32_t *victim) {
    uint32_t ways = c->ways, *tag = c->tag + (size_t)set * ways, *owner = c->owner + (size_t)set * ways;
    uint32_t way = find(tag, ways, line);
    contention_outcome outcome = way < ways ? CONTENTION_HIT : CONTENTION_MISS;
    if (outcome == CONTENTION_MISS) {
        for (way = 0; way < ways && tag[way]; way++) continue;
        if (way == ways) {
            way = c->replacement == CONTENTION_PLRU ? plru_victim(c, set)
                                                    : (uint32_t)(next_random(&c->random) % ways);
            *victim = owner[way];
        }
        tag[way] = line + 1;
        owner[way] = warp;
    }
    if (c->replacement == CONTENTION_PLRU) plru_touch(c, set, way);
    return outcome;
}

/* ---- all */

bool contention_cache_access(contention_cache *c, uint32_t set, uint32_t line, uint32_t warp,
                             contention_outcome *outcome, uint32_t *victim) {
    *victim = CONTENTION_NOBODY;
    if (c->linked) return access_linked(c, set, line, warp, outcome, victim);
    bool ordered = c->replacement == CONTENTION_LRU || c->replacement == CONTENTION_FIFO;
    *outcome =
        ordered ? access_ordered(c, set, line, warp, victim) : access_placed(c, set, line, warp, victim);
    return true;
}

void contention_cache_evict(contention_cache *c, uint32_t set, uint32_t line) {
    if (c->linked) {
        if (line < c->node_room && c->nodes[line].present) unlink_line(c, &c->lists[set], line);
        return;
    }
    uint32_t *tag = c->tag + (size_t)set * c->ways, *owner = c->owner + (size_t)set * c->ways;
    uint32_t way = find(tag, c->ways, line);
    if (way == c->ways) return;
    if (c->replacement == CONTENTION_LRU || c->replacement == CONTENTION_FIFO)
        for (; way + 1 < c->ways; way++) {
            tag[way] = tag[way + 1];
            owner[way] = owner[way + 1];
        }
    tag[way] = 0;
}
