/* Inside of the analysis `contention`: its parameters, and the caches that count misses. */
#ifndef WS_ANALYSIS_CONTENTION_H
#define WS_ANALYSIS_CONTENTION_H

#include "warpsweep/replay.h"

enum contention_replacement { CONTENTION_LRU, CONTENTION_FIFO, CONTENTION_PLRU, CONTENTION_RANDOM };

#define CONTENTION_NOBODY UINT32_MAX

/* What an access to a cache does. */
typedef enum contention_outcome { CONTENTION_HIT, CONTENTION_MISS } contention_outcome;

/* A set-associative cache over lines that are numbered densely. All zero is none. */
typedef struct contention_cache {
    uint32_t sets, ways, plru_bits; /* plru_bits: log2 of the ways */
    enum contention_replacement replacement;
    uint64_t random;
    /* Up to 16 ways of LRU or FIFO, and what needs no links: tags set after set. LRU and FIFO keep them in order, the
     * newest first. */
    bool linked;
    uint32_t *tag, *owner; /* line + 1, 0 = empty; the warp that brought it in */
    uint64_t *tree;        /* plru: per set, a bit per inner node, 1 = the right half is older */
    /* LRU and FIFO of more ways: a list per set, through the lines. */
    struct contention_node *nodes; /* per line */
    uint32_t node_room;
    struct contention_list *lists; /* per set */
} contention_cache;

/* `ways` of plru: a power of two up to 64. False without memory. */
bool contention_cache_init(contention_cache *cache, uint32_t sets, uint32_t ways,
                           enum contention_replacement replacement, uint64_t seed);
void contention_cache_free(contention_cache *cache);

/* Looks `line` up in its set, and brings it in for `warp` where it is absent. `*victim` is the warp that had brought in
 * the line that leaves, or CONTENTION_NOBODY. False without memory. */
bool contention_cache_access(contention_cache *cache, uint32_t set, uint32_t line, uint32_t warp,
                             contention_outcome *outcome, uint32_t *victim);

/* The line leaves, if it is there. */
void contention_cache_evict(contention_cache *cache, uint32_t set, uint32_t line);

#endif
