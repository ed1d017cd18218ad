/* The tags of one set-associative cache: which lines are present, and who brought them in. */
#ifndef WS_ANALYSIS_PARTS_TAGS_H
#define WS_ANALYSIS_PARTS_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which line of a full set is evicted: the least recently used one, the one that came first, the one that a tree of
 * recently used halves points to (pseudo-LRU), a random one. */
enum ws_tags_replacement { WS_TAGS_LRU, WS_TAGS_FIFO, WS_TAGS_PLRU, WS_TAGS_RANDOM };

enum { WS_TAGS_PLRU_WAYS_MAX = 64 };

#define WS_TAGS_NOBODY UINT32_MAX

typedef enum ws_tags_answer { WS_TAGS_HIT, WS_TAGS_MISS, WS_TAGS_NO_MEMORY } ws_tags_answer;

/* All zero: no tags. */
typedef struct ws_tags {
    uint32_t sets, ways;
    enum ws_tags_replacement replacement;
    /* Unless linked: a look-up compares all tags of a set, `stride` of them: the ways rounded up to whole vectors. */
    uint32_t stride;
    uint32_t *tag, *owner; /* line + 1, 0 = empty; who brought it in */
    int8_t *age;           /* LRU, FIFO: per set, the ages of 16 ways */
    uint64_t *tree;        /* plru: per set, a bit per inner node, 1 = the right half is older */
    uint32_t plru_bits;    /* log2 of the ways */
    uint64_t random;       /* state of the generator */
    /* LRU and FIFO with more than 16 ways: per set a list of its lines in their order, and a hash table of all lines
     * that are present, so that memory follows these. */
    bool linked;
    struct tags_list *lists; /* per set */
    struct tags_node *nodes; /* node 0 is no line's */
    size_t node_room;
    uint32_t node_count, free; /* nodes in use or freed; the first that was freed, 0 = none */
    uint32_t *buckets;         /* node_room of them, each the first node of a chain, 0 = none */
} ws_tags;

/* With plru, `ways` must be a power of two up to WS_TAGS_PLRU_WAYS_MAX. `seed` determines random replacement. False if
 * out of memory; call ws_tags_free() even then. */
bool ws_tags_init(ws_tags *tags, uint32_t sets, uint32_t ways, enum ws_tags_replacement replacement,
                  uint64_t seed);
void ws_tags_free(ws_tags *tags); /* leaves all zero */

/* Looks `line` up in its set, and brings it in for `owner` if it is absent. `*victim`: the owner of the line that is
 * evicted, or WS_TAGS_NOBODY. */
ws_tags_answer ws_tags_access(ws_tags *tags, uint32_t set, uint32_t line, uint32_t owner, uint32_t *victim);

/* Uses the line as an access does if it is present, and returns whether it is. */
bool ws_tags_touch(ws_tags *tags, uint32_t set, uint32_t line);

/* Removes the line if it is present. */
void ws_tags_evict(ws_tags *tags, uint32_t set, uint32_t line);

#endif
