#include "analysis/parts/lrus.h"

#include "base/room.h"

#include <stdlib.h>

enum { ALL = (1u << WS_LRUS) - 1 };

/* A line that a cache holds is in the list, a ring through node 0. */
typedef struct lrus_node {
    uint32_t newer, older;
    uint32_t in; /* a bit for each cache that holds it */
} lrus_node;

void ws_lrus_init(ws_lrus *l, const uint32_t ways[WS_LRUS]) {
    *l = (ws_lrus){0};
    for (int c = 0; c < WS_LRUS; c++) l->cache[c].ways = ways[c];
}

void ws_lrus_free(ws_lrus *l) {
    ws_numbers_free(&l->numbers);
    free(l->nodes);
    *l = (ws_lrus){0};
}

/* ---- the list */

WS_INLINE void link_newest(lrus_node *nodes, uint32_t at) {
    nodes[at].newer = 0;
    nodes[at].older = nodes[0].older;
    nodes[nodes[0].older].newer = at;
    nodes[0].older = at;
}

WS_INLINE void unlink_node(lrus_node *nodes, uint32_t at) {
    nodes[nodes[at].newer].older = nodes[at].older;
    nodes[nodes[at].older].newer = nodes[at].newer;
}

/* The next newer node that cache `c` holds, too; 0: none. Nodes in between are passed once for each touch that left
 * them out of this cache, as what an access brings in is in both. */
WS_INLINE uint32_t next_newer(const lrus_node *nodes, uint32_t at, int c) {
    do at = nodes[at].newer;
    while (at && !(nodes[at].in >> c & 1));
    return at;
}

WS_INLINE void make_newest(ws_lrus *l, uint32_t at) {
    lrus_node *nodes = l->nodes;
    if (nodes[0].older == at) return;
    for (int c = 0; c < WS_LRUS; c++) {
        uint32_t next = l->cache[c].oldest == at ? next_newer(nodes, at, c) : 0;
        if (next) l->cache[c].oldest = next;
    }
    unlink_node(nodes, at);
    link_newest(nodes, at);
}

/* ---- the caches */

WS_INLINE void leave(ws_lrus *l, uint32_t at, int c) {
    lrus_node *nodes = l->nodes;
    if (l->cache[c].oldest == at) l->cache[c].oldest = next_newer(nodes, at, c);
    l->cache[c].count--;
    nodes[at].in &= ~(1u << c);
    if (!nodes[at].in) unlink_node(nodes, at);
}

WS_INLINE void enter(ws_lrus *l, uint32_t at, int c) {
    struct ws_lru *cache = &l->cache[c];
    if (cache->count == cache->ways) leave(l, cache->oldest, c);
    if (!cache->oldest) cache->oldest = at;
    cache->count++;
    l->nodes[at].in |= 1u << c;
}

bool ws_lrus_access(ws_lrus *l, uint32_t line, unsigned *missed) {
    uint32_t number = ws_numbers_meet(&l->numbers, line), at = number + 1;
    if (number == WS_NUMBERS_NONE || !WS_ZEROED_ROOM_FOR(l->nodes, l->node_room, (size_t)at + 1))
        return false;
    *missed = ~l->nodes[at].in & ALL;
    if (l->nodes[at].in)
        make_newest(l, at);
    else
        link_newest(l->nodes, at);
    for (int c = 0; c < WS_LRUS; c++)
        if (*missed >> c & 1) enter(l, at, c);
    return true;
}

/* The node of a line that a cache holds; 0: none does. */
static uint32_t find(const ws_lrus *l, uint32_t line) {
    uint32_t number = ws_numbers_find(&l->numbers, line);
    return number != WS_NUMBERS_NONE && l->nodes[number + 1].in ? number + 1 : 0;
}

void ws_lrus_touch(ws_lrus *l, uint32_t line) {
    uint32_t at = find(l, line);
    if (at) make_newest(l, at);
}

void ws_lrus_evict(ws_lrus *l, uint32_t line) {
    uint32_t at = find(l, line), in = at ? l->nodes[at].in : 0;
    for (int c = 0; c < WS_LRUS; c++)
        if (in >> c & 1) leave(l, at, c);
}
