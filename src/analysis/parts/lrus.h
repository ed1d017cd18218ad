/* Two fully associative LRU caches of one SM that see the same accesses. A line has been used last at the same time in
 * both, so that one list, from the newest line to the oldest, gives the order of either. */
#ifndef WS_ANALYSIS_PARTS_LRUS_H
#define WS_ANALYSIS_PARTS_LRUS_H

#include "analysis/parts/numbers.h"

enum { WS_LRUS = 2 };

typedef struct ws_lrus {
    struct ws_lru {
        uint32_t ways, count; /* lines it may hold, and holds */
        uint32_t oldest;      /* node of the one that leaves next; 0: it holds none */
    } cache[WS_LRUS];
    ws_numbers numbers;      /* of the lines that were brought in: memory follows these */
    struct lrus_node *nodes; /* per number + 1; node 0 stands before the newest and behind the oldest line */
    size_t node_room;
} ws_lrus;

void ws_lrus_init(ws_lrus *lrus, const uint32_t ways[WS_LRUS]);
void ws_lrus_free(ws_lrus *lrus); /* accepts one that is all zero */

/* Looks `line` up, and brings it in where it is absent. Of `*missed`, bit i says that cache i did not have it. False if
 * out of memory. */
bool ws_lrus_access(ws_lrus *lrus, uint32_t line, unsigned *missed);

/* Uses the line as an access does, in the caches that have it. */
void ws_lrus_touch(ws_lrus *lrus, uint32_t line);

/* Removes the line from the caches that have it. */
void ws_lrus_evict(ws_lrus *lrus, uint32_t line);

#endif
