#include "analysis/parts/tags.h"

#include "base/inline.h"
#include "base/random.h"
#include "base/room.h"

#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { AGES = 16, NO_AGE = INT8_MAX, LANES = 4 };

/* Ages of the ways of a set, as a vector. */
typedef int8_t ages __attribute__((vector_size(AGES)));

/* A line that is present, in the list of its set and in the chain of its bucket. Links are nodes; 0: none. */
typedef struct tags_node {
    uint32_t line, owner, newer, older, next;
} tags_node;

typedef struct tags_list {
    uint32_t newest, oldest, count;
} tags_list;

/* ---- life */

static bool keeps_order(const ws_tags *t) {
    return t->replacement == WS_TAGS_LRU || t->replacement == WS_TAGS_FIFO;
}

WS_INLINE uint32_t *bucket_of(const ws_tags *t, uint32_t line) {
    /* By the upper bits of the hash: lines at a stride of a power of two have equal lower bits. */
    return &t->buckets[(uint64_t)(line * UINT32_C(0x9E3779B1)) * t->node_room >> 32];
}

WS_INLINE void enter_bucket(const ws_tags *t, uint32_t at) {
    uint32_t *bucket = bucket_of(t, t->nodes[at].line);
    t->nodes[at].next = *bucket;
    *bucket = at;
}

/* Makes room for more nodes. All that there are must be in use. */
static bool grow_nodes(ws_tags *t) {
    if (!WS_ROOM_FOR(t->nodes, t->node_room, t->node_room + 1)) return false;
    free(t->buckets);
    t->buckets = calloc(t->node_room, sizeof *t->buckets);
    for (uint32_t at = 1; t->buckets && at < t->node_count; at++) enter_bucket(t, at);
    return t->buckets != NULL;
}

static bool init_lists(ws_tags *t) {
    t->linked = true;
    t->lists = calloc(t->sets, sizeof *t->lists);
    t->node_count = 1;
    return t->lists && grow_nodes(t);
}

static bool init_ages(ws_tags *t) {
    int8_t *age = t->age = aligned_alloc(AGES, (size_t)t->sets * AGES);
    if (!age) return false;
    for (uint32_t set = 0; set < t->sets; set++)
        for (uint32_t way = 0; way < AGES; way++) *age++ = (int8_t)(way < t->ways ? way : NO_AGE);
    return true;
}

bool ws_tags_init(ws_tags *t, uint32_t sets, uint32_t ways, enum ws_tags_replacement replacement,
                  uint64_t seed) {
    *t = (ws_tags){.sets = sets, .ways = ways, .replacement = replacement, .random = seed};
    if (keeps_order(t) && ways > AGES) return init_lists(t);
    t->stride = (ways + LANES - 1) / LANES * LANES;
    t->plru_bits = (uint32_t)__builtin_ctz(ways);
    t->tag = calloc((size_t)sets * t->stride, sizeof *t->tag);
    t->owner = malloc((size_t)sets * t->stride * sizeof *t->owner);
    if (!t->tag || !t->owner) return false;
    if (keeps_order(t)) return init_ages(t);
    t->tree = calloc(sets, sizeof *t->tree);
    return t->tree != NULL;
}

void ws_tags_free(ws_tags *t) {
    free(t->tag);
    free(t->owner);
    free(t->age);
    free(t->tree);
    free(t->nodes);
    free(t->lists);
    free(t->buckets);
    *t = (ws_tags){0};
}

/* ---- sets as lists */

WS_INLINE void leave_bucket(const ws_tags *t, uint32_t at) {
    uint32_t *link = bucket_of(t, t->nodes[at].line);
    while (*link != at) link = &t->nodes[*link].next;
    *link = t->nodes[at].next;
}

WS_INLINE void leave_list(const ws_tags *t, tags_list *list, uint32_t at) {
    const tags_node *node = &t->nodes[at];
    *(node->newer ? &t->nodes[node->newer].older : &list->newest) = node->older;
    *(node->older ? &t->nodes[node->older].newer : &list->oldest) = node->newer;
}

WS_INLINE void put_newest(const ws_tags *t, tags_list *list, uint32_t at) {
    t->nodes[at].newer = 0;
    t->nodes[at].older = list->newest;
    *(list->newest ? &t->nodes[list->newest].newer : &list->oldest) = at;
    list->newest = at;
}

/* The node of a line, or 0 if it is absent. */
WS_INLINE uint32_t find_linked(const ws_tags *t, uint32_t line) {
    uint32_t at = *bucket_of(t, line);
    while (at && t->nodes[at].line != line) at = t->nodes[at].next;
    return at;
}

/* A node that is not in use, or 0 if out of memory. */
static uint32_t new_node(ws_tags *t) {
    uint32_t at = t->free;
    if (at) t->free = t->nodes[at].next;
    if (at || (t->node_count == t->node_room && !grow_nodes(t))) return at;
    return t->node_count++;
}

/* Takes the oldest line out of a full set, and returns its node. */
WS_INLINE uint32_t take_oldest(const ws_tags *t, tags_list *list, uint32_t *owner) {
    uint32_t at = list->oldest;
    *owner = t->nodes[at].owner;
    leave_bucket(t, at);
    leave_list(t, list, at);
    list->count--;
    return at;
}

static ws_tags_answer access_linked(ws_tags *t, uint32_t set, uint32_t line, uint32_t owner,
                                    uint32_t *victim) {
    tags_list *list = &t->lists[set];
    uint32_t at = find_linked(t, line);
    if (at) {
        if (t->replacement == WS_TAGS_LRU && list->newest != at) {
            leave_list(t, list, at);
            put_newest(t, list, at);
        }
        return WS_TAGS_HIT;
    }
    at = list->count == t->ways ? take_oldest(t, list, victim) : new_node(t);
    if (!at) return WS_TAGS_NO_MEMORY;
    t->nodes[at].line = line;
    t->nodes[at].owner = owner;
    enter_bucket(t, at);
    put_newest(t, list, at);
    list->count++;
    return WS_TAGS_MISS;
}

static void evict_linked(ws_tags *t, uint32_t set, uint32_t line) {
    uint32_t at = find_linked(t, line);
    if (!at) return;
    leave_bucket(t, at);
    leave_list(t, &t->lists[set], at);
    t->lists[set].count--;
    t->nodes[at].next = t->free;
    t->free = at;
}

/* ---- sets whose tags are compared */

/* The first way that holds `line`, or `ways` if none does. The tags after the last way are empty, and match nothing. */
static inline uint32_t find(const uint32_t *tag, uint32_t ways, uint32_t line) {
    for (uint32_t w = 0; w < ways; w += LANES) {
#ifdef __SSE2__
        __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(tag + w));
        __m128i equal = _mm_cmpeq_epi32(four, _mm_set1_epi32((int32_t)(line + 1)));
        int mask = _mm_movemask_ps(_mm_castsi128_ps(equal));
        if (mask) return w + (uint32_t)__builtin_ctz((unsigned)mask);
#else
        for (uint32_t i = w; i < w + LANES; i++)
            if (tag[i] == line + 1) return i;
#endif
    }
    return ways;
}

/* ---- order, by ages: 0 is the newest way, ways - 1 the oldest; empty ways are older than all others */

static inline ages same(int8_t age) {
    return (ages){age, age, age, age, age, age, age, age, age, age, age, age, age, age, age, age};
}

static inline uint32_t way_of(ages set, int8_t age) {
#ifdef __SSE2__
    return (uint32_t)__builtin_ctz(
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)set, (__m128i)same(age))));
#else
    uint32_t way = 0;
    while (set[way] != age) way++;
    return way;
#endif
}

/* Makes the way of this age the newest. (A vector comparison gives -1 where it holds.) */
static inline ages make_newest(ages set, int8_t age) {
    return (set - (set < same(age))) & ~(set == same(age));
}

static inline ages make_oldest(ages set, int8_t age, int8_t oldest) {
    ages is_way = set == same(age), is_older = (set > same(age)) & (set <= same(oldest));
    return ((set + is_older) & ~is_way) | (same(oldest) & is_way);
}

static ws_tags_answer access_ordered(ws_tags *t, uint32_t set, uint32_t line, uint32_t owner,
                                     uint32_t *victim) {
    uint32_t *tag = t->tag + (size_t)set * t->stride, way = find(tag, t->ways, line);
    ages *age = (ages *)(void *)(t->age + (size_t)set * AGES);
    if (way < t->ways) {
        if (t->replacement == WS_TAGS_LRU) *age = make_newest(*age, (*age)[way]);
        return WS_TAGS_HIT;
    }
    int8_t oldest = (int8_t)(t->ways - 1);
    way = way_of(*age, oldest);
    uint32_t *owner_of = t->owner + (size_t)set * t->stride + way;
    if (tag[way]) *victim = *owner_of;
    tag[way] = line + 1;
    *owner_of = owner;
    *age = make_newest(*age, oldest);
    return WS_TAGS_MISS;
}

/* ---- replacement without an order */

/* Tree pseudo-LRU: makes the nodes on the path to a used way point away from it. */
static void plru_touch(ws_tags *t, uint32_t set, uint32_t way) {
    uint32_t node = 1;
    for (uint32_t level = t->plru_bits; level-- > 0;) {
        uint64_t right = way >> level & 1;
        t->tree[set] = (t->tree[set] & ~(UINT64_C(1) << node)) | (right ^ 1) << node;
        node = 2 * node + (uint32_t)right;
    }
}

static uint32_t plru_victim(const ws_tags *t, uint32_t set) {
    uint32_t node = 1;
    for (uint32_t level = 0; level < t->plru_bits; level++)
        node = 2 * node + (uint32_t)(t->tree[set] >> node & 1);
    return node - t->ways;
}

static ws_tags_answer access_placed(ws_tags *t, uint32_t set, uint32_t line, uint32_t owner,
                                    uint32_t *victim) {
    uint32_t ways = t->ways, *tag = t->tag + (size_t)set * t->stride, way = find(tag, ways, line);
    ws_tags_answer answer = way < ways ? WS_TAGS_HIT : WS_TAGS_MISS;
    if (answer == WS_TAGS_MISS) {
        uint32_t *owner_of = t->owner + (size_t)set * t->stride;
        for (way = 0; way < ways && tag[way]; way++) continue;
        if (way == ways) {
            way = t->replacement == WS_TAGS_PLRU ? plru_victim(t, set)
                                                 : (uint32_t)(ws_random_next(&t->random) % ways);
            *victim = owner_of[way];
        }
        tag[way] = line + 1;
        owner_of[way] = owner;
    }
    if (t->replacement == WS_TAGS_PLRU) plru_touch(t, set, way);
    return answer;
}

/* ---- all */

ws_tags_answer ws_tags_access(ws_tags *t, uint32_t set, uint32_t line, uint32_t owner, uint32_t *victim) {
    *victim = WS_TAGS_NOBODY;
    if (t->linked) return access_linked(t, set, line, owner, victim);
    return keeps_order(t) ? access_ordered(t, set, line, owner, victim)
                          : access_placed(t, set, line, owner, victim);
}

bool ws_tags_touch(ws_tags *t, uint32_t set, uint32_t line) {
    bool present = t->linked ? find_linked(t, line) != 0
                             : find(t->tag + (size_t)set * t->stride, t->ways, line) < t->ways;
    uint32_t nobody;
    return present && ws_tags_access(t, set, line, WS_TAGS_NOBODY, &nobody) == WS_TAGS_HIT;
}

void ws_tags_evict(ws_tags *t, uint32_t set, uint32_t line) {
    if (t->linked) {
        evict_linked(t, set, line);
        return;
    }
    uint32_t *tag = t->tag + (size_t)set * t->stride, way = find(tag, t->ways, line);
    if (way == t->ways) return;
    tag[way] = 0;
    if (!keeps_order(t)) return;
    ages *age = (ages *)(void *)(t->age + (size_t)set * AGES);
    *age = make_oldest(*age, (*age)[way], (int8_t)(t->ways - 1));
}
