/* The tags of one set-associative cache, over lines that are numbered densely: which lines are there, and who brought
 * them in. */
#ifndef WS_ANALYSIS_TAGS_H
#define WS_ANALYSIS_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* Which line leaves a full set: the least recently used, the one that came first, the one that a tree of used halves
 * points to (pseudo-LRU), any. */
enum ws_tags_replacement { WS_TAGS_LRU, WS_TAGS_FIFO, WS_TAGS_PLRU, WS_TAGS_RANDOM };

enum { WS_TAGS_PLRU_WAYS_MAX = 64 };

#define WS_TAGS_NOBODY UINT32_MAX

typedef enum ws_tags_answer { WS_TAGS_HIT, WS_TAGS_MISS, WS_TAGS_NO_MEMORY } ws_tags_answer;

/* All zero is none. */
typedef struct ws_tags {
    uint32_t sets, ways;
    enum ws_tags_replacement replacement;
    /* Ways that are compared: `stride` tags to a set, the ways rounded up to whole vectors. */
    uint32_t stride;
    uint32_t *tag, *owner; /* line + 1, 0 = empty; who brought it in */
    int8_t *age;           /* LRU, FIFO: per set, the ages of 16 ways */
    uint64_t *tree;        /* plru: per set, a bit per inner node, 1 = the right half is older */
    uint32_t plru_bits;    /* log2 of the ways */
    uint64_t random;
    /* LRU and FIFO of more than 16 ways: a list per set, through the lines. */
    bool linked;
    struct tags_node *nodes; /* per line */
    uint32_t node_room;
    struct tags_list *lists; /* per set */
} ws_tags;

/* `ways` of plru: a power of two up to WS_TAGS_PLRU_WAYS_MAX. Random replacement follows from `seed` alone. False
 * if out of memory. */
bool ws_tags_init(ws_tags *tags, uint32_t sets, uint32_t ways, enum ws_tags_replacement replacement,
                  uint64_t seed);
void ws_tags_free(ws_tags *tags); /* leaves none */

/* Looks `line` up in its set, and brings it in for `owner` where it is absent. `*victim` is the owner of the line that
 * leaves, or WS_TAGS_NOBODY. */
ws_tags_answer ws_tags_access(ws_tags *tags, uint32_t set, uint32_t line, uint32_t owner, uint32_t *victim);

/* The line leaves, if it is there. */
void ws_tags_evict(ws_tags *tags, uint32_t set, uint32_t line);

#endif
