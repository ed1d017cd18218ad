/* WarpPool's inter-warp coalescing queues without packets or caches: tags that gather requests of several warps to one
 * line, and which tag leaves next (WP 3.4, 3.5). warppool.c has the stages before and after them. */
#ifndef WS_MECHANISM_PARTS_WARPPOOL_QUEUES_H
#define WS_MECHANISM_PARTS_WARPPOOL_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

enum { WARPPOOL_MERGES_MAX = 16 };

/* A load's request for one line. */
typedef struct warppool_request {
    uint32_t load;
    uint8_t warp;
    bool mapped; /* it holds an entry of the thread map table */
    bool local;  /* of local memory */
} warppool_request;

typedef struct warppool_tag {
    uint64_t line, words;   /* words: of the line that the requests access, a bit each */
    uint64_t order;         /* position in the order in which tags were taken, from 1; 0: the tag is free */
    uint8_t sectors, count; /* count: of requests */
    warppool_request slot[WARPPOOL_MERGES_MAX];
} warppool_tag;

typedef struct warppool_queues {
    uint32_t queue_count, tags_each, merges, used; /* used: tags in use */
    uint64_t taken;                                /* tags taken so far */
    warppool_tag *tags;                            /* queue_count x tags_each */
} warppool_queues;

enum warppool_insert { WARPPOOL_MERGED, WARPPOOL_NEW, WARPPOOL_FULL };
enum warppool_select { WARPPOOL_OLDEST, WARPPOOL_WARP_ID };

bool warppool_queues_init(warppool_queues *queues, uint32_t queue_count, uint32_t tags_each, uint32_t merges);
void warppool_queues_free(warppool_queues *queues);

/* Enters a request for `line` into queue `queue`: under a tag of this line, and if `by_sector` of these sectors, that
 * has a slot left (WARPPOOL_MERGED), else under a free tag (WARPPOOL_NEW), else not at all (WARPPOOL_FULL). */
enum warppool_insert warppool_queues_insert(warppool_queues *queues, uint32_t queue, uint64_t line,
                                            uint8_t sectors, bool by_sector, uint64_t words,
                                            warppool_request request);

/* Returns the tag that leaves next, UINT32_MAX if all are free: the oldest, or the one with the lowest warp among its
 * requests (the oldest among equals). */
uint32_t warppool_queues_select(const warppool_queues *queues, enum warppool_select policy);
void warppool_queues_release(warppool_queues *queues, uint32_t tag);

/* ---- adaptive selection (WP 3.5): toggles after a quantum in which more than 99 % of the accesses missed */

typedef struct warppool_adaptive {
    uint64_t quantum, end;     /* length of a quantum; end of the present one, in cycles */
    uint64_t accesses, misses; /* the L1's counts at its start */
    enum warppool_select policy;
    uint64_t toggles;
} warppool_adaptive;

/* Begins in cycle 0, with an L1 that has counted nothing. */
warppool_adaptive warppool_adaptive_start(uint64_t quantum);
/* Returns the policy for cycle `now`; `accesses` and `misses` are the L1's counts so far. */
enum warppool_select warppool_adaptive_policy(warppool_adaptive *adaptive, uint64_t now, uint64_t accesses,
                                              uint64_t misses);

/* ---- hardware cost in bits (WP tab. 1) */

uint64_t warppool_instruction_queue_bits(uint64_t entries);
uint64_t warppool_coalescer_bits(uint64_t coalescers);
uint64_t warppool_inter_warp_bits(uint64_t tags, uint64_t merges);
uint64_t warppool_map_table_bits(uint64_t entries);
uint64_t warppool_mshr_metadata_bits(uint64_t entries);

#endif
