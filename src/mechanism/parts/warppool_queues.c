#include "mechanism/parts/warppool_queues.h"

#include <stdlib.h>

bool warppool_queues_init(warppool_queues *q, uint32_t queue_count, uint32_t tags_each, uint32_t merges) {
    *q = (warppool_queues){.queue_count = queue_count, .tags_each = tags_each, .merges = merges};
    q->tags = calloc((size_t)queue_count * tags_each, sizeof *q->tags);
    return q->tags != NULL;
}

void warppool_queues_free(warppool_queues *q) {
    free(q->tags);
    *q = (warppool_queues){0};
}

static void add(warppool_tag *tag, uint8_t sectors, uint64_t words, warppool_request request) {
    tag->sectors |= sectors;
    tag->words |= words;
    tag->slot[tag->count++] = request;
}

enum warppool_insert warppool_queues_insert(warppool_queues *q, uint32_t queue, uint64_t line,
                                            uint8_t sectors, bool by_sector, uint64_t words,
                                            warppool_request request) {
    warppool_tag *tags = &q->tags[queue * q->tags_each], *free_tag = NULL;
    for (uint32_t i = 0; i < q->tags_each; i++) {
        bool matches = tags[i].order && tags[i].line == line && (!by_sector || tags[i].sectors == sectors);
        if (matches && tags[i].count < q->merges) {
            add(&tags[i], sectors, words, request);
            return WARPPOOL_MERGED;
        }
        if (!tags[i].order && !free_tag) free_tag = &tags[i];
    }
    if (!free_tag) return WARPPOOL_FULL;
    *free_tag = (warppool_tag){.line = line, .order = ++q->taken};
    add(free_tag, sectors, words, request);
    q->used++;
    return WARPPOOL_NEW;
}

static unsigned lowest_warp(const warppool_tag *tag) {
    unsigned lowest = tag->slot[0].warp;
    for (uint32_t i = 1; i < tag->count; i++)
        if (tag->slot[i].warp < lowest) lowest = tag->slot[i].warp;
    return lowest;
}

static bool goes_before(const warppool_tag *a, const warppool_tag *b, enum warppool_select policy) {
    if (policy == WARPPOOL_WARP_ID) {
        unsigned x = lowest_warp(a), y = lowest_warp(b);
        if (x != y) return x < y;
    }
    return a->order < b->order;
}

uint32_t warppool_queues_select(const warppool_queues *q, enum warppool_select policy) {
    uint32_t best = UINT32_MAX, left = q->used;
    for (uint32_t i = 0; left; i++) {
        if (!q->tags[i].order) continue;
        left--;
        if (best == UINT32_MAX || goes_before(&q->tags[i], &q->tags[best], policy)) best = i;
    }
    return best;
}

void warppool_queues_release(warppool_queues *q, uint32_t tag) {
    q->tags[tag].order = 0;
    q->used--;
}

/* ---- adaptive selection */

warppool_adaptive warppool_adaptive_start(uint64_t quantum) {
    return (warppool_adaptive){.quantum = quantum, .end = quantum, .policy = WARPPOOL_OLDEST};
}

enum warppool_select warppool_adaptive_policy(warppool_adaptive *a, uint64_t now, uint64_t accesses,
                                              uint64_t misses) {
    if (now < a->end) return a->policy;
    if (100 * (misses - a->misses) > 99 * (accesses - a->accesses)) {
        a->policy = a->policy == WARPPOOL_OLDEST ? WARPPOOL_WARP_ID : WARPPOOL_OLDEST;
        a->toggles++;
    }
    a->accesses = accesses;
    a->misses = misses;
    a->end += (now - a->end) / a->quantum * a->quantum + a->quantum;
    return a->policy;
}

/* ---- cost */

enum { INSTRUCTION_BITS = 37, COALESCER_B = 256, TAG_BITS = 32, REQUEST_BITS = 23, MAP_BITS = 321 };

uint64_t warppool_instruction_queue_bits(uint64_t entries) {
    return entries * INSTRUCTION_BITS;
}

uint64_t warppool_coalescer_bits(uint64_t coalescers) {
    return coalescers * COALESCER_B * 8;
}

uint64_t warppool_inter_warp_bits(uint64_t tags, uint64_t merges) {
    return tags * (TAG_BITS + merges * REQUEST_BITS);
}

uint64_t warppool_map_table_bits(uint64_t entries) {
    return entries * MAP_BITS;
}

uint64_t warppool_mshr_metadata_bits(uint64_t entries) {
    return entries * REQUEST_BITS;
}
